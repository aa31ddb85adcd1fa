"""What do splits side by side look like as JSON?

In: a BoardHistory and its Splits. Out: the document of `splits`. Start at splits(); pair(),
ladder() and listing() add to it what was asked for besides.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from history.records.records import Record, about, commits_of, notes, plain, reading_of
from history.sampling import LEVEL
from history.splits import wording
from history.splits.ladder import replay
from history.splits.listing import listing as listing_of
from history.splits.shake_up import RBO_P
from history.times import time_text

if TYPE_CHECKING:
    from history.moments import Moment
    from history.pipeline import BoardHistory
    from history.splits import Pair, SplitRow, Splits
    from history.splits.ladder import Rung
    from history.splits.wording import Judgement


def splits(board: BoardHistory, moment: Moment, compared: Splits) -> Record:
    """The document of `splits`.

    Args:
        board: the board.
        moment: which version was compared.
        compared: its splits.
    """
    reading = reading_of(board, moment.version)
    shake_up, keys = compared.shake_up, [row.entry for row in compared.entries]
    noise, order = compared.noise, compared.order
    return {
        "board": board.name,
        "commit": reading["commit"],
        "committed_at": reading["committed_at"],
        "edition": reading["edition"],
        "splits": list(compared.names),
        "public": compared.public if compared.public in compared.names else None,
        "private": compared.private if compared.private in compared.names else None,
        "also": commits_of(board, moment.also),
        "absent": moment.state == "absent",
        "notes": notes(board, keys, keys, *[moment.at] * 2),
        "entries": [
            {
                "entry": row.entry,
                "scores": {name: _float(score) for name, score in row.scores.items()},
                "texts": dict(row.texts),
                "ranks": dict(row.ranks),
                "gap": _float(row.gap),
                "excess": plain(row.excess),
                **_judgement(compared, row, compared.judged.get(row.entry)),
            }
            for row in compared.entries
        ],
        "shake_up": {
            "value": plain(shake_up.value),
            "noise_low": plain(shake_up.noise_low),
            "noise_high": plain(shake_up.noise_high),
            "assumes": shake_up.assumes,
            "noise_mean": None if noise is None else noise.mean,
            "top": None
            if order is None
            else {
                "value": order.top,
                "n": order.top_n,
                "noise_mean": None if noise is None else noise.top,
            },
            "at_random": None if order is None else order.at_random,
            "items": None if compared.errors is None else compared.errors.items,
            "draws": None if noise is None else noise.draws,
            "seed": None if noise is None else noise.seed,
            "label": "reasoned",
        },
        "orders": _orders(compared),
        "line": _line(compared),
        "regression": _regression(compared),
        "overfitting": _overfitting(compared),
        "pair": None,
        "ladder": None,
        "listing": None,
        **about(board),
    }


def pair(found: Pair, compared: Splits) -> Record:
    """Two entries: what one leads by on each split, and what of that public has beyond them."""
    return {
        "entry": found.entry,
        "against": found.other,
        "public": compared.public,
        "differences": {
            name: {"value": _float(value), "text": None if value is None else f"{value:f}"}
            for name, value in found.differences.items()
        },
        "beyond": [
            {
                "split": one.split,
                "value": _float(one.value),
                "text": f"{one.value:f}",
                "share_public": plain(one.share_public),
                "p": plain(one.p),
                "items_needed": one.items_needed,
                "se": plain(one.se),
                "z": plain(one.z),
                "code": None if one.se is not None else wording.NO_ITEMS,
                "would_decide": None
                if one.se is not None
                else wording.WOULD_DECIDE[wording.NO_ITEMS],
            }
            for one in found.beyond
        ],
        "assumes": "items_needed: four independent scores that are shares of right answers, 1.96 "
        "standard errors",
        "label": "reasoned",
    }


def ladder(board: BoardHistory, step: str | None) -> Record:
    """Which new first places of the board's score a Ladder would have announced.

    Args:
        board: the board.
        step: as printed; None: the board's own tie band, if it has one, which is a policy.
    """
    newest = int(board.readings["version"].iloc[-1])
    seen = board.view(newest)
    own = board.bands(seen.rule).get(newest)
    used, source = (step, "caller") if step is not None else (own, "the board's tie band")
    width = None if used is None else Decimal(used)
    rungs = replay(
        board.rank_history(), board.readings, width if width else None, direction=seen.direction
    )
    return {
        "step": used if width else None,
        "step_source": source if width else None,
        "events": [_rung(board, one) for one in rungs],
        "survive": sum(one.survives is True for one in rungs),
        "fall": sum(one.survives is False for one in rungs),
        "parameter_free": {
            "code": "NO_PAIRED_RESULTS",
            "would_decide": "right or wrong of every item, of each entry that was first",
        },
    }


def listing(board: BoardHistory) -> Record:
    """What the history shows of entries that appeared and vanished."""
    found = listing_of(board.full_ranks(), board.readings)
    when = dict(zip(board.readings["version"], board.readings["at"], strict=True))
    return {
        "ever": found.ever,
        "now": found.now,
        "vanished": [
            {
                "entry": one.entry,
                "name": board.shown(one.entry, one.last),
                "first": time_text(when[one.first]),
                "last": time_text(when[one.last]),
                "gone": time_text(when[one.gone]),
                "gone_commit": commits_of(board, [one.gone])[0],
            }
            for one in found.vanished
        ],
        "came_back": list(found.came_back),
        "groups": [
            {
                "attribute": one.attribute,
                "value": one.value,
                "ever": one.ever,
                "now": one.now,
                "removed": one.removed,
            }
            for one in found.groups
        ],
        "cannot_show": found.cannot,
    }


def _judgement(compared: Splits, row: SplitRow, found: Judgement | None) -> Record:
    """What the scores of one entry say; nulls where nothing can be predicted."""
    if found is None:
        names = ("predicted", "predicted_low", "predicted_high", "expected", "p", "p_holm")
        return dict.fromkeys([*names, "level", "words"])
    return {
        "predicted": plain(found.predicted),
        "predicted_low": plain(found.low),
        "predicted_high": plain(found.high),
        "expected": plain(found.expected),
        "p": plain(found.p),
        "p_holm": plain(found.p_holm),
        "level": found.level,
        "words": None if found.level is None else _words(compared, row, found),
    }


def _words(compared: Splits, row: SplitRow, found: Judgement) -> str:
    assert found.level is not None
    usual, public = found.predicted, row.scores[compared.public]
    if usual is None:
        assert compared.line is not None and public is not None
        usual = float(compared.line.at(public))
    both = [f"{name} {row.texts[name]}" for name in (compared.public, compared.private)]
    return wording.sentence(row.entry, found.level, both[0], both[1], f"{usual:.2f}")


def _orders(compared: Splits) -> Record | None:
    """How alike the two orders are."""
    order, noise = compared.order, compared.noise
    if order is None:
        return None
    return {
        "n": order.n,
        "tau_b": plain(order.tau_b),
        "noise_tau": None if noise is None else noise.tau,
        "spearman": plain(order.spearman),
        "overlap": [{"k": k, "value": value} for k, value in order.overlap],
        "rbo": {"value": order.rbo, "p": RBO_P, "extrapolated": True},
        "label": "reasoned",
    }


def _line(compared: Splits) -> Record | None:
    """The least-squares line of private on public."""
    line = compared.line
    if line is None:
        return None
    return {
        "intercept": float(line.intercept),
        "slope": float(line.slope),
        "sd": line.sd,
        "n": line.n,
        "interval": LEVEL,
        "label": "reasoned",
    }


def _regression(compared: Splits) -> Record | None:
    """Regression to the mean, where errors are known."""
    back = compared.back
    if back is None:
        return None
    return {
        "reliability": back.reliability,
        "mean_public": back.mean_public,
        "mean_private": back.mean_private,
        "label": "reasoned",
    }


def _overfitting(compared: Splits) -> Record:
    """What can be said of the board as a whole, and what never can."""
    code = compared.code
    return {
        "code": code,
        "would_decide": None if code is None else wording.WOULD_DECIDE[code],
        "flagged": [entry for entry, one in compared.judged.items() if one.level == "b"],
        "causes": list(wording.CAUSES),
        "never": wording.NEVER,
    }


def _rung(board: BoardHistory, one: Rung) -> Record:
    reading = reading_of(board, one.version)
    return {
        "commit": reading["commit"],
        "committed_at": reading["committed_at"],
        "entries": list(one.entries),
        "names": {entry: board.shown(entry, one.version) for entry in one.entries},
        "score_text": one.text,
        "best_before": None if one.best is None else f"{one.best:f}",
        "gain": None if one.gain is None else f"{one.gain:f}",
        "survives": one.survives,
        "why": one.why,
    }


def _float(number: Decimal | None) -> float | None:
    return None if number is None else plain(float(number))
