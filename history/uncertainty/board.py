"""How sure are the ranks of one version?

In: RANKS of one version with its measures. Out: BoardUncertainty: a standard error per entry and
where it comes from, rank intervals by all methods, the chance of being first, what the leader's
score owes to luck, and the first entry against the second; or what is missing. Start at
uncertainty_of(), or at board_uncertainty() without a definition. Methods 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, ticks_of
from history.scores import precision
from history.uncertainty.comparison import Comparison, Direction, compare
from history.uncertainty.draws import DRAWS, SEED, Errors
from history.uncertainty.errors import LEVEL
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
        lead: the first entry against the second; None for fewer.
        undecided: why there are no rank intervals; None where there are.
        level, draws, seed: of all intervals and chances.
    """

    scores: ScoreErrors
    known: tuple[int, ...]
    intervals: Mapping[Method, RankIntervals]
    overlap_printed: bool
    left_out: Mapping[Method, str]
    sigma: str
    chances: Chances | None
    chances_undecided: Undecided | None
    curse: WinnersCurse | None
    shrunk: Shrunk | None
    lead: Comparison | None
    undecided: Undecided | None
    level: float
    draws: int
    seed: int

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
        why = entries[0].why if entries else "no ranked entry"
        nothing = undecided("NO_SE", why)
        return BoardUncertainty(
            scores,
            known,
            {},
            False,
            {},
            "",
            None,
            nothing,
            None,
            None,
            lead,
            nothing,
            level,
            draws,
            seed,
        )
    sign = 1.0 if direction == "higher" else -1.0
    values = np.array([sign * entries[i].score for i in known])
    single = np.array([entries[i].error for i in known], dtype=np.float64)
    errors, anywhere = Errors.of(single), len(entries) - len(known)
    methods, left_out = METHODS, dict[Method, str]()
    if len(known) > MOST_ENTRIES:
        methods = tuple(one for one in METHODS if one not in DRAWN_METHODS)
        said = f"{len(known)} entries, more than the {MOST_ENTRIES} that are drawn for"
        left_out = dict.fromkeys(DRAWN_METHODS, said)
    intervals = rank_intervals(
        values, errors, methods, level=level, draws=draws, seed=seed, anywhere=anywhere
    )
    printed = _printed_overlap(ranks, measures, direction, level, anywhere, len(known))
    if printed is not None:
        intervals["overlap"] = printed
    all_at_once = intervals.get("simultaneous", intervals["bonferroni"])
    may_lead = all_at_once.low == 1
    curse = None
    if may_lead.sum() > 1:
        curse = winners_curse(int(may_lead.sum()), float(np.sqrt((single[may_lead] ** 2).mean())))
    moved = shrunk(sign * values, single)
    return BoardUncertainty(
        scores,
        known,
        intervals,
        printed is not None,
        left_out,
        errors.sigma(),
        None if anywhere else chances(values, errors, draws, seed),
        undecided("NO_SE", f"{anywhere} of {len(entries)} have none") if anywhere else None,
        curse,
        moved,
        lead,
        None,
        level,
        draws,
        seed,
    )


def said_per(table: Columns) -> int | None:
    """What all right counts as, if a definition tells: 100 for percents, 1 for shares.

    `scale` times 100 or 0.01 makes one of the other, and `"percent"` percents of both; `scale = 1`
    says nothing of which they are.
    """
    if table.shares or table.shift == 2:
        return 100
    return 1 if table.shift == -2 else None


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


def _printed_overlap(
    ranks: pd.DataFrame,
    measures: Sequence[str],
    direction: Direction,
    level: float,
    anywhere: int,
    known: int,
) -> RankIntervals | None:
    """Rank intervals from the file's own low and high, in ticks; None unless all have both."""
    if not {"low", "high"} <= set(measures) or "se" in measures:
        return None
    rows = ranks[ranks["rank"].notna()]
    ends = _aligned(rows)
    if ends is None or anywhere or len(rows) != known:
        return None
    low, high = intervals_from_bounds(*ends, direction=direction)
    guarantees = "none: printed intervals that do not overlap; for display"
    return RankIntervals("overlap", low, high, None, level, guarantees, None, None)


def _aligned(rows: pd.DataFrame) -> tuple[NDArray, NDArray] | None:
    """low and high as whole ticks of one size; None where one is missing."""
    columns = [ticks_of("low"), ticks_of("high"), dp_of("low"), dp_of("high")]
    if any(name not in rows.columns for name in columns) or rows[columns].isna().any(axis=None):
        return None
    dp = int(rows[columns[2:]].to_numpy().max())
    low, high = (
        np.array(
            [
                int(tick) * 10 ** (dp - int(own))
                for tick, own in zip(rows[ticks_of(name)], rows[dp_of(name)], strict=True)
            ],
            dtype=object,
        )
        for name in ("low", "high")
    )
    return low, high
