"""What does the answer about the firmness of first place look like as JSON?

In: a BoardHistory, its Standings and its Weighed. Out: the document of `robust`. Start at robust().

    {"board", "commit", "committed_at", "edition", "split": null, "path", "also", "absent",
     "n_ranked", "rank_convention": "competition", "ties": {"rule", "band", "edge"},
     "score_label": measured|reported|reasoned, "label": "reasoned" (everything computed here),
     "first": [entries of rank 1 by the board's score],
     "code": null|"MISSING_COMPONENT", "why", "would_decide",
     "n_compared", "incomplete": [entries without every part],
     "weights": {"label": formula|split|assumed, "source", "parts": [{"part", "weight",
         "direction"}], "decimals" (of the parts), "left_out", "scale", "rest",
         "reproduces": {"ok", "of", "fits", "worst", "off", "bent"},
         "line": null|{"low", "high"}: slopes of a common line from these means to the scores,
             where the means are not the scores,
         "recovery": {"possible", "n", "line", "weights": [{"part", "low", "high"}],
             "slope": {"low", "high"}, "intercept", "forbidden": [{"entry", "why"}]},
         "recovery_line": null|the same, where no weights alone are possible},
     "drop_one": [{"dropped", "first", "second", "third", "gap", "gap_low", "gap_high",
         "decidable", "code", "top": [{"rank", "entries", "mean"}],
         "entries": [{"entry", "rank", "mean"}]}],
     "subsets": {"n", "leads": [{"entry", "alone", "shared"}]},
     "reweighting": {"leader", "least_movement", "nearest", "moves", "epsilon", "sentence",
         "rivals": [{"entry", "margin", "dominated", "least_movement", "moves": [{"from", "to",
             "weight"}], "can_be_first", "first_movement", "epsilon", "share"}]},
     "share_of_weightings": [{"entry", "share", "standard_error"}], "draws", "seed",
     "social_choice": {"says", "voters", "condorcet", "entries": [{"entry", "borda", "borda_rank",
         "copeland", "win_rate"}], "first_second": {"entries", "votes"},
         "kemeny": null|{"order", "agrees", "of", "orders"}, "kemeny_why"},
     "equating": [{"scale", "first", "gap", "gap_with_entrant", "swapped_by_entrant"}],
     "over_parts": null|{"test", "resampled"} as history/records/uncertainty_record.py has it, with
         the parts as the sample; `first` of "resampled" by entry,
     "rank_intervals": null|as history/records/uncertainty_record.py has it,
     "rank_intervals_undecided": null|{"code", "asked", "found", "would_decide"}, "notes"}

All of "weights" to "over_parts" are null where `code` is not. Shares and weights are between 0 and
1. `mean`s are weighted means of the parts, on the parts' own scale: the score is rest + scale *
mean; `gap`s are between such means. `scale` and `rest` are 1 and 0 for a plain mean. `dropped` is
null for the row with all parts. A `least_movement` of null: no weights make the two level. A
`first_movement` of null: no weighting makes the entry first, or, where `can_be_first` is null,
it was not asked as there are too many entries. `share`: of all weightings, how many keep the
leader ahead of the rival, exactly; `share_of_weightings`: drawn at random.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from history.records.records import Record, about, column, commits_of, notes, plain, ties
from history.records.uncertainty_record import benchmarks, uncertainty, undecided
from history.robustness import MISSING_COMPONENT, NoComposite
from history.robustness.social_choice import MOST_FOR_KEMENY
from history.times import time_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from history.pipeline import BoardHistory
    from history.robustness import Composite, Weighed
    from history.robustness.drop_one import Case, Subsets
    from history.robustness.recovery import Bounds, Recovery
    from history.robustness.reweighting import Move, Reweighting
    from history.robustness.social_choice import SocialChoice
    from history.standing import Standings
    from history.uncertainty import BoardUncertainty

MOST_NAMED = 3
SENSITIVITY = "each part is one vote; how the order rests on a rule, never the fair rank"
_PARTS = (
    *("n_compared", "incomplete", "weights", "drop_one", "subsets", "reweighting"),
    *("share_of_weightings", "draws", "seed", "social_choice", "equating", "over_parts"),
)


def robust(
    board: BoardHistory,
    stood: Standings,
    weighed: Weighed | NoComposite,
    sure: BoardUncertainty,
) -> Record:
    """The document of `robust`.

    Args:
        board: the board.
        stood: what it says of one moment.
        weighed: what the parts of its score say of first place then, or why they say nothing.
        sure: what the errors of its scores say.
    """
    version, frame = stood.moment.version, stood.frame
    row = None if version is None else board.reading(version)
    entries = column(frame, "entry")
    ranks = column(frame, "rank")
    missing = isinstance(weighed, NoComposite)
    told = dict.fromkeys(_PARTS) if isinstance(weighed, NoComposite) else of_parts(weighed)
    own = [] if isinstance(weighed, NoComposite) else _own_notes(weighed.composite)
    return {
        "board": board.name,
        "commit": None if row is None else str(row["commit"]),
        "committed_at": None if row is None else time_text(row["committed_at"]),
        "edition": stood.edition,
        "split": None,
        "path": None if row is None else plain(row["path"]),
        "also": commits_of(board, stood.moment.also),
        "absent": stood.moment.state == "absent",
        "n_ranked": stood.n_ranked,
        "rank_convention": "competition",
        "ties": ties(stood.ties, stood.band),
        "score_label": board.label if stood.printed else "reasoned",
        "label": "reasoned",
        "first": [e for e, rank in zip(entries, ranks, strict=True) if rank == 1],
        "code": MISSING_COMPONENT if missing else None,
        "why": weighed.found if isinstance(weighed, NoComposite) else None,
        "would_decide": weighed.would_decide if isinstance(weighed, NoComposite) else None,
        **told,
        "rank_intervals": None if sure.undecided else uncertainty(sure),
        "rank_intervals_undecided": undecided(sure.undecided),
        "notes": [*notes(board, entries, entries, *[stood.moment.at] * 2), *own],
        **about(board),
    }


def of_parts(weighed: Weighed) -> Record:
    """What the parts of a score say: "n_compared" to "over_parts"."""
    composite, moved = weighed.composite, weighed.reweighting
    return {
        "n_compared": len(composite.entries),
        "incomplete": list(composite.incomplete),
        "weights": _weights(weighed),
        "drop_one": [case_record(composite, case) for case in weighed.cases],
        "subsets": _subsets(weighed.subsets),
        "reweighting": _reweighting(moved),
        "share_of_weightings": [one._asdict() for one in moved.first_shares],
        "draws": moved.draws,
        "seed": moved.seed,
        "social_choice": _social_choice(weighed.social_choice, weighed.cases[0]),
        "equating": [
            {
                "scale": one.scale,
                "first": list(one.first),
                "gap": plain(one.gap),
                "gap_with_entrant": plain(one.entrant_gap),
                "swapped_by_entrant": one.swapped_by_entrant,
            }
            for one in weighed.equated
        ],
        "over_parts": _over_parts(weighed),
    }


def _weights(weighed: Weighed) -> Record:
    composite = weighed.composite
    told = composite.reproduction
    return {
        "label": composite.label,
        "source": composite.source,
        "parts": [
            {
                "part": part,
                "weight": float(weight),
                "direction": _direction(composite, part),
            }
            for part, weight in zip(composite.parts, composite.weights, strict=True)
        ],
        "decimals": composite.dp,
        "left_out": list(composite.left_out),
        "scale": float(composite.scale),
        "rest": float(composite.rest),
        "reproduces": {
            "ok": told.ok,
            "of": told.of,
            "fits": told.fits,
            "worst": _number(told.worst),
            "off": list(told.off),
            "bent": list(told.bent),
        },
        "line": None if weighed.line is None else _bounds(weighed.line),
        "recovery": _recovery(composite, weighed.recovery),
        "recovery_line": _recovery(composite, weighed.recovery_line),
    }


def _direction(composite: Composite, part: str) -> str:
    """Which end of a part is best, as the weights count it."""
    return "lower" if part in composite.flipped else "higher"


def _recovery(composite: Composite, found: Recovery | None) -> Record | None:
    if found is None:
        return None
    return {
        "possible": found.possible,
        "n": found.n,
        "line": found.line,
        "weights": [
            {"part": part, **_bounds(bounds)}
            for part, bounds in zip(composite.parts, found.weights, strict=False)
        ],
        "slope": None if found.slope is None else _bounds(found.slope),
        "intercept": None if found.intercept is None else _bounds(found.intercept),
        "forbidden": [one._asdict() for one in found.forbidden],
    }


def _bounds(bounds: Bounds) -> Record:
    return {"low": plain(bounds.low), "high": plain(bounds.high)}


def case_record(composite: Composite, case: Case) -> Record:
    """One ranking of the entries: with all parts, without one, or under other weights."""
    by_rank = {place.rank: list(place.entries) for place in case.top}
    means = [composite.sign * float(mean) for mean in case.means]
    rows = sorted(zip(case.ranks, composite.entries, means, strict=True), key=lambda one: one[:2])
    return {
        "dropped": case.dropped,
        "first": by_rank[1],
        "second": by_rank.get(2, []),
        "third": by_rank.get(3, []),
        "gap": float(case.gap),
        "gap_low": float(case.gap_range.low),
        "gap_high": float(case.gap_range.high),
        "decidable": case.decidable,
        "code": None if case.decidable else "WITHIN_ROUNDING",
        "top": [
            {
                "rank": place.rank,
                "entries": list(place.entries),
                "mean": composite.sign * float(place.mean),
            }
            for place in case.top
        ],
        "entries": [{"entry": entry, "rank": rank, "mean": mean} for rank, entry, mean in rows],
    }


def _subsets(found: Subsets | None) -> Record | None:
    if found is None:
        return None
    return {"n": found.n, "leads": [one._asdict() for one in found.leads]}


def _reweighting(moved: Reweighting) -> Record:
    nearest = next((r for r in moved.rivals if r.entry == moved.nearest), None)
    moves = () if nearest is None else nearest.moves
    return {
        "leader": list(moved.leader),
        "least_movement": _number(moved.least_movement),
        "nearest": moved.nearest,
        "moves": _moves(moves),
        "epsilon": float(moved.epsilon),
        "sentence": sentence(moved),
        "rivals": [
            {
                "entry": one.entry,
                "margin": float(one.margin),
                "dominated": one.dominated,
                "least_movement": _number(one.least_movement),
                "moves": _moves(one.moves),
                "can_be_first": one.first_movement is not None if one.asked else None,
                "first_movement": one.first_movement,
                "epsilon": float(one.epsilon),
                "share": float(one.share),
            }
            for one in moved.rivals
        ],
    }


def sentence(moved: Reweighting) -> str:
    """How far the lead reaches, in words."""
    if len(moved.leader) > 1:
        names = ", ".join(moved.leader[:MOST_NAMED])
        more = len(moved.leader) - MOST_NAMED
        told = f"{names} and {more} more" if more > 0 else names
        return f"First place is shared by {told}: no weight needs to move."
    (leader,) = moved.leader
    if moved.least_movement is None or moved.nearest is None:
        return f"The lead of {leader} survives every weighting: it is ahead in every part."
    nearest = next(r for r in moved.rivals if r.entry == moved.nearest)
    way = ", ".join(f"{float(m.weight):.1%} from {m.source} to {m.target}" for m in nearest.moves)
    until = (
        f"The lead of {leader} survives until {float(moved.least_movement):.1%} of the weight moves"
    )
    return f"{until}: {way} makes {moved.nearest} level."


def _moves(moves: Sequence[Move]) -> list[Record]:
    return [{"from": m.source, "to": m.target, "weight": float(m.weight)} for m in moves]


def _social_choice(found: SocialChoice, case: Case) -> Record:
    first, second = [entry for place in case.top for entry in place.entries][:2]
    best = found.kemeny
    return {
        "says": SENSITIVITY,
        "voters": found.n_parts,
        "condorcet": found.condorcet,
        "first_second": {"entries": [first, second], "votes": list(found.majority(first, second))},
        "entries": [
            {
                "entry": one.entry,
                "borda": float(one.borda),
                "borda_rank": one.borda_rank,
                "copeland": float(one.copeland),
                "win_rate": float(one.win_rate),
            }
            for one in found.votes
        ],
        "kemeny": None if best is None else {**best._asdict(), "order": list(best.order)},
        "kemeny_why": None
        if best is not None
        else f"not computed for more than {MOST_FOR_KEMENY} entries",
    }


def _over_parts(weighed: Weighed) -> Record | None:
    """The parts as the sample; None where they do not count the same."""
    test, drawn = weighed.lead_over_parts, weighed.first_over_parts
    if test is None and drawn is None:
        return None
    told = benchmarks(test, drawn)
    if told["resampled"]:
        shares = zip(weighed.composite.entries, told["resampled"]["first"], strict=True)
        told["resampled"]["first"] = [
            {"entry": entry, "share": share} for entry, share in shares if share
        ]
    return told


def _own_notes(composite: Composite) -> list[Record]:
    """What is odd about the weights, as notes of the answer."""
    blank: dict[str, Any] = {"entry": None, "source": None, "from": None, "until": None}
    return [{**blank, "text": text} for text in composite.notes]


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
