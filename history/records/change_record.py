"""What do moves look like as JSON?

In: a BoardHistory and the Moves of two of its versions. Out: the document of `changes`. Start at
changes().
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from history.moves.causes import CAUSES
from history.records.records import Record, about, plain
from history.times import time_text

if TYPE_CHECKING:
    from history.moves import Banding, Move, Moves
    from history.pipeline import BoardHistory


def changes(
    board: BoardHistory,
    found: Moves,
    split: str | None = None,
    ties: tuple[Banding, Banding] | None = None,
    most: int | None = None,
) -> Record:
    """The document of `changes`.

    Causes are exact, as texts: "-5/3"; they are places, and positive is worse. All seven stand
    there and add up to rank_after - rank_before; null where they cannot be told apart, with
    their sum in `edition`. Of a rival only those that are not 0 stand.

    Args:
        board: the board.
        found: who moved.
        split: of which split; None for the board's own score.
        ties: how both versions tell who is tied, if tie ranks were followed.
        most: rivals that are told of each entry, the largest; None: all. `rival_counts` counts all.
    """
    ends = [_version(board, version, split) for version in (found.before, found.after)]
    labels = {end["edition"] for end in ends}
    return {
        "board": board.name,
        "split": split,
        "from": ends[0],
        "to": ends[1],
        "rank": "competition" if ties is None else "tie",
        "ties": None if ties is None else [banding(one) for one in ties],
        "steps": len(found.steps) - 1,
        "only_digits": _only_digits(found),
        "editions_differ": len(labels) == 2 and None not in labels,
        "rescaled": found.rescaled,
        "equated": _equated(found),
        "moves": [_move(board, found, one, most) for one in found.moves],
        **about(board),
    }


def _only_digits(found: Moves) -> bool:
    """Whether no score changed, though some are printed with more or fewer decimals."""
    both = [one for one in found.moves if None not in (one.score_before, one.score_after)]
    return all(one.same_score for one in both) and any(
        one.score_before != one.score_after for one in both
    )


def banding(one: Banding) -> Record:
    """How a version tells who is tied."""
    rule = one.rule
    band = None if one.band is None else float(one.band)
    return {"rule": rule.rule, "band": band, "band_text": one.band, "edge": rule.edge}


def _version(board: BoardHistory, version: int, split: str | None) -> Record:
    reading = board.reading(version)
    return {
        "commit": str(reading["commit"]),
        "committed_at": time_text(reading["committed_at"]),
        "edition": plain(reading["edition"]),
        "n_ranked": int((board.moves(split).listing(version).ranks > 0).sum()),
    }


def _move(board: BoardHistory, found: Moves, one: Move, most: int | None) -> Record:
    named_at = found.before if one.status == "left" else found.after
    return {
        "entry": one.entry,
        "name": board.shown(one.entry, named_at),
        "status": one.status,
        "rank_before": one.rank_before,
        "rank_after": one.rank_after,
        "score_before": _number(one.score_before),
        "score_after": _number(one.score_after),
        "score_before_text": one.text_before,
        "score_after_text": one.text_after,
        "same_score": one.same_score,
        "causes": None
        if one.causes is None
        else {cause: _share(one.causes[cause]) for cause in CAUSES},
        "edition": _share(one.edition),
        "separable": one.separable,
        "fitted": one.fitted,
        "by_ends": one.by_ends,
        "would_have_been": one.would_have_been,
        "rivals": [
            {"entry": rival, "causes": {cause: _text(share) for cause, share in shares.items()}}
            for rival, shares in one.rivals[:most]
        ],
        "rival_counts": one.rivals.counts(),
    }


def _equated(found: Moves) -> Record | None:
    """The shift by which editions were made alike, and the causes that are left."""
    if found.equated is None:
        return None
    shift, by_entry = found.equated
    return {
        "label": "fitted",
        "shift": str(shift),
        "method": "median change of the entries that both versions score",
        "causes": {
            entry: {cause: str(share) for cause, share in shares.items()}
            for entry, shares in by_entry.items()
        },
    }


@lru_cache(maxsize=4096)
def _text(share: Fraction) -> str:
    return str(share)


def _share(share: Fraction | None) -> str | None:
    return None if share is None else str(share)


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def rounded(shares: Mapping[str, Fraction], places: int = 2) -> dict[str, str]:
    """Shares with few decimals that still add up: the largest remainders are rounded up.

    >>> from fractions import Fraction
    >>> rounded({"own": Fraction(1, 3), "others": Fraction(1, 3), "joined": Fraction(1, 3)})
    {'own': '0.34', 'others': '0.33', 'joined': '0.33'}
    """
    unit = 10**places
    total = round(sum(shares.values(), Fraction(0)) * unit)
    floors = {name: (share * unit).__floor__() for name, share in shares.items()}
    by_rest = sorted(shares, key=lambda name: floors[name] - shares[name] * unit)
    for name in by_rest[: total - sum(floors.values())]:
        floors[name] += 1
    return {name: f"{floor / unit:.{places}f}" for name, floor in floors.items()}
