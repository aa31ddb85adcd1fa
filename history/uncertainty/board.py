"""How sure are the ranks of one version?

In: RANKS of one version with its measures. Out: BoardUncertainty: a standard error per entry and
where it comes from, rank intervals by all methods, the chance of being first, what the leader's
score owes to luck, and the first entry against the second; or what is missing. Start at
uncertainty_of(), or at board_uncertainty() without a definition. Methods 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from history.frames import SCORE, ticks_of
from history.sampling import LEVEL
from history.scores import precision
from history.ties import read_intervals
from history.uncertainty.comparison import Comparison, Direction, compare
from history.uncertainty.draws import DRAWS, SEED, JointErrors
from history.uncertainty.first_place import (
    Chances,
    Shrunk,
    WinnersCurse,
    chances,
    shrunk,
    winners_curse,
)
from history.uncertainty.rank_intervals import (
    DRAWN_METHODS,
    METHODS,
    MOST_ENTRIES,
    Method,
    RankIntervals,
    intervals_from_bounds,
    rank_intervals,
)
from history.uncertainty.score_errors import ScoreErrors, score_errors
from history.uncertainty.undecided import Undecided, undecided

if TYPE_CHECKING:
    import pandas as pd

    from history.meaning.definition import Columns


@dataclass(frozen=True, slots=True, eq=False)
class BoardUncertainty:
    """How sure the ranks of one version are.

    Attributes:
        scores: every ranked entry, best first, with its standard error or why it has none.
        lead: the first entry against the second; None for fewer.
        level, draws, seed: of all intervals and chances.
        known: positions in `scores` of the entries that have one, in that order; the arrays of
            `intervals`, `chances` and `shrunk` are about these.
        intervals: rank intervals by method. Entries without an error may stand anywhere among
            them, which widens each by one rank.
        overlap_printed: whether `intervals["overlap"]` comes from the file's own low and high.
        left_out: methods that were not worked out, and why.
        sigma: what is assumed of the errors together; empty without any.
        chances: of being first; None unless every ranked entry has an error.
        chances_undecided: why there are none; None where there are.
        curse: of those that may truly be first by the simultaneous intervals (by Bonferroni on
            large boards), were they all equal; None for fewer than two.
        shrunk: scores for display without their noise.
        undecided: why there are no rank intervals; None where there are.
    """

    scores: ScoreErrors
    lead: Comparison | None
    level: float
    draws: int
    seed: int
    known: tuple[int, ...] = ()
    intervals: Mapping[Method, RankIntervals] = field(default_factory=dict)
    overlap_printed: bool = False
    left_out: Mapping[Method, str] = field(default_factory=dict)
    sigma: str = ""
    chances: Chances | None = None
    chances_undecided: Undecided | None = None
    curse: WinnersCurse | None = None
    shrunk: Shrunk | None = None
    undecided: Undecided | None = None

    def ranks(self, method: Method) -> dict[str, tuple[int, int]]:
        """Best and worst rank by one method, of every entry that has an error."""
        found = self.intervals[method]
        ends = zip(found.low.tolist(), found.high.tolist(), strict=True)
        keys = (self.scores.entries[i].entry for i in self.known)
        return dict(zip(keys, ends, strict=True))


def board_uncertainty(
    ranks: pd.DataFrame,
    measures: Sequence[str],
    direction: Direction = "higher",
    *,
    per: int | None = None,
    units: Sequence[int] | None = None,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = SEED,
) -> BoardUncertainty:
    """How sure the ranks of one version are, as far as its file tells.

    Args:
        ranks: RANKS of one version with the columns of the measures, best first.
        measures: which of low, high, se, items the definition names; none for a split.
        direction: which end of the score is best.
        per, units: as for score_errors().
        level, draws, seed: of intervals and chances.
    """
    scores = score_errors(ranks, measures, per, units)
    entries = scores.entries
    known = tuple(i for i, one in enumerate(entries) if one.error is not None)
    lead = compare(entries[0], entries[1], direction) if len(entries) > 1 else None
    if not known:
        nothing = undecided("NO_SE", entries[0].why if entries else "no ranked entry")
        return BoardUncertainty(
            scores, lead, level, draws, seed, chances_undecided=nothing, undecided=nothing
        )
    sign = 1.0 if direction == "higher" else -1.0
    values = np.array([sign * entries[i].score for i in known])
    single = np.array([entries[i].error for i in known], dtype=np.float64)
    errors, anywhere = JointErrors.of(single), len(entries) - len(known)
    methods, left_out = _methods(len(known))
    intervals = rank_intervals(
        values, errors, methods, level=level, draws=draws, seed=seed, anywhere=anywhere
    )
    printed = _printed_overlap(ranks, measures, direction, level, anywhere, len(known))
    if printed is not None:
        intervals["overlap"] = printed
    may_lead = intervals.get("simultaneous", intervals["bonferroni"]).low == 1
    some_lack = undecided("NO_SE", f"{anywhere} of {len(entries)} have none") if anywhere else None
    return BoardUncertainty(
        scores,
        lead,
        level,
        draws,
        seed,
        known=known,
        intervals=intervals,
        overlap_printed=printed is not None,
        left_out=left_out,
        sigma=errors.sigma(),
        chances=None if anywhere else chances(values, errors, draws, seed),
        chances_undecided=some_lack,
        curse=_curse(single[may_lead]),
        shrunk=shrunk(sign * values, single),
    )


def said_per(table: Columns) -> int | None:
    """What all right counts as, if a definition tells: 100 for percents, 1 for shares.

    `scale` times 100 or 0.01 makes one of the other, and `"percent"` percents of both; `scale = 1`
    says nothing of which they are.
    """
    if table.shares or table.shift == 2:
        return 100
    return 1 if table.shift == -2 else None


def errors_of(
    ranks: pd.DataFrame, table: Columns, own: Mapping[int, Columns], split: str | None = None
) -> ScoreErrors:
    """score_errors() of a version whose definition is known; arguments as of uncertainty_of()."""
    if split is not None:
        return score_errors(ranks, ())
    units = precision.units(ranks, SCORE, {at: (of, SCORE) for at, of in own.items()})
    return score_errors(ranks, tuple(table.measures), said_per(table), units.tolist())


def uncertainty_of(
    ranks: pd.DataFrame, table: Columns, own: Mapping[int, Columns], split: str | None = None
) -> BoardUncertainty:
    """board_uncertainty() of a version whose definition is known.

    Args:
        ranks: RANKS of one version with the columns of the measures, best first.
        table: [table] of the definition, as it is at that version.
        own: as precision.own_decimals() gives it.
        split: of which the RANKS are; what the file says of the score says nothing of a split.
    """
    if split is not None:
        return board_uncertainty(ranks, ())
    units = precision.units(ranks, SCORE, {at: (of, SCORE) for at, of in own.items()})
    return board_uncertainty(
        ranks,
        tuple(table.measures),
        table.direction,
        per=said_per(table),
        units=units.tolist(),
    )


def _methods(n: int) -> tuple[tuple[Method, ...], dict[Method, str]]:
    """Methods for n entries, and those that are left out with the reason."""
    if n <= MOST_ENTRIES:
        return METHODS, {}
    said = f"{n} entries, more than the {MOST_ENTRIES} that are drawn for"
    methods = tuple(one for one in METHODS if one not in DRAWN_METHODS)
    return methods, dict.fromkeys(DRAWN_METHODS, said)


def _curse(errors: NDArray[np.float64]) -> WinnersCurse | None:
    """Of entries with these standard errors that may all be first."""
    if len(errors) < 2:
        return None
    return winners_curse(len(errors), float(np.sqrt((errors**2).mean())))


def _printed_overlap(
    ranks: pd.DataFrame,
    measures: Sequence[str],
    direction: Direction,
    level: float,
    anywhere: int,
    known: int,
) -> RankIntervals | None:
    """Rank intervals from the file's own low and high, in ticks; None unless all have both."""
    rows = ranks[ranks["rank"].notna()]
    if not {"low", "high"} <= set(measures) or "se" in measures:
        return None
    if anywhere or len(rows) != known or not {ticks_of("low"), ticks_of("high")} <= set(rows):
        return None
    ticks = rows[ticks_of(SCORE)].to_numpy(dtype=object)
    printed = read_intervals(rows, -ticks if direction == "lower" else ticks, direction)
    if not printed.known.all():
        return None
    low, high = intervals_from_bounds(printed.low, printed.high)
    guarantees = "none: printed intervals that do not overlap; for display"
    return RankIntervals("overlap", low, high, None, level, guarantees, None, None)
