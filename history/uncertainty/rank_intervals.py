"""Within which ranks does each entry stand, given how far the scores may be off?

In: scores and their errors. Out: RankIntervals, one per method. Start at rank_intervals().

An interval counts differences, entry by entry: 1 + those significantly better, up to n - those
significantly worse. Ranking draws instead would be wrong near ties (Hall & Miller 2009; Xie, Singh
& Zhang 2009). Methods 3.3; max-t: Mogstad, Romano, Shaikh & Wilhelm, Review of Economic Studies,
doi:10.1093/restud/rdad006, from the paper.

| method | significantly better: the difference is more than | holds for |
| --- | --- | --- |
| overlap | 1.96 (se_i + se_j) | nothing stated |
| pairwise | 1.96 se_ij | one pair |
| bonferroni | c se_ij, c for all n (n - 1) comparisons | all ranks at once, conservative |
| marginal | c_i se_ij, c_i for those that involve i | the rank of one entry named in advance |
| simultaneous | c se_ij, c for all at once, from draws | all ranks at once |
| step_down | the same, again without what was found, until nothing is new | all ranks at once |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from history.sampling import LEVEL, normal_quantile
from history.ties.intervals import places
from history.ties.measured import Intervals
from history.uncertainty.draws import (
    DRAWS,
    SEED,
    Drawn,
    Floats,
    JointErrors,
    largest_among,
    largest_differences,
    place_of_quantile,
)

Method = Literal["overlap", "pairwise", "bonferroni", "marginal", "simultaneous", "step_down"]
METHODS: tuple[Method, ...] = get_args(Method)
DRAWN_METHODS: tuple[Method, ...] = ("marginal", "simultaneous", "step_down")

# All pairs of all draws: 500 entries take 5 times as long as 229. With more, Bonferroni's critical
# value is only a little larger than the one that is drawn.
MOST_ENTRIES = 500

GUARANTEES: dict[Method, str] = {
    "overlap": "none: intervals that do not overlap; for display, not a statement about a board",
    "pairwise": "for one pair at a time, not for a rank",
    "bonferroni": "all ranks at once, conservative",
    "marginal": "the rank of one entry that was named in advance, not chosen for its place",
    "simultaneous": "all ranks at once",
    "step_down": "all ranks at once",
}

_AT_ONCE = 512  # draws looked at again at a time


@dataclass(frozen=True, slots=True, eq=False)
class RankIntervals:
    """The ranks that each entry may truly have.

    Attributes:
        method: how it is decided which differences are real.
        low, high: best and worst rank of each entry, Int-valued, shape (n,).
        critical: standard errors of a difference that chance does not reach; per entry for
            marginal; None for overlap, which has none of its own, and for a single entry.
        level: of confidence.
        guarantees: what is right with that confidence.
        draws, seed: how often, and from which seed; None where nothing was drawn.
    """

    method: Method
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    critical: float | tuple[float, ...] | None
    level: float
    guarantees: str
    draws: int | None
    seed: int | None


def rank_intervals(
    scores: ArrayLike,
    errors: ArrayLike | JointErrors,
    methods: Sequence[Method] = METHODS,
    *,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = SEED,
    anywhere: int = 0,
) -> dict[Method, RankIntervals]:
    """Rank intervals of one table, by several methods from the same draws.

    Args:
        scores: one per entry, higher is better, in the units of the errors, shape (n,).
        errors: standard errors (n,) of independent scores, or a covariance (n, n).
        methods: which.
        level: of confidence.
        draws, seed: of the methods that draw.
        anywhere: entries that are ranked, too, and of whose errors nothing is known: each may
            stand above or below all others, so it widens every interval by one rank.

    Raises:
        ValueError: a score that is no finite number, wrong errors, or more than MOST_ENTRIES
            entries for a method that draws.

    >>> found = rank_intervals([3.0, 2.9, 0.0], [0.1, 0.1, 0.1])
    >>> found["simultaneous"].low.tolist(), found["simultaneous"].high.tolist()
    ([1, 1, 3], [2, 2, 3])
    """
    values = np.asarray(scores, dtype=np.float64)
    sigma = errors if isinstance(errors, JointErrors) else JointErrors.of(errors)
    if values.shape != sigma.single.shape or not np.isfinite(values).all():
        raise ValueError(f"{values.shape} scores, all finite, need as many errors")
    if not 0.5 < level < 1:
        raise ValueError(f"level = {level}: take one between 0.5 and 1")
    drawn = None
    if len(values) > 1 and set(methods) & set(DRAWN_METHODS):
        if len(values) > MOST_ENTRIES:
            raise ValueError(f"{len(values)} entries: methods that draw take {MOST_ENTRIES}")
        drawn = largest_differences(sigma, draws, seed)
    return {method: _intervals(method, values, sigma, level, drawn, anywhere) for method in methods}


def intervals_from_bounds(
    low: NDArray, high: NDArray
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rank intervals from the ends of intervals: better is who lies wholly above.

    As arenas show them; intervals that touch overlap. The places are those of the tie rule
    "interval".

    Args:
        low, high: of each entry, larger is better, shape (n,).

    >>> ends = intervals_from_bounds(np.array([70, 66, 60]), np.array([74, 70, 65]))
    >>> [ranks.tolist() for ranks in ends]
    [[1, 1, 3], [2, 2, 3]]
    """
    n = len(low)
    every = Intervals(low, high, low, np.ones(n, dtype=bool))
    found = places(np.zeros(n, dtype=np.int64), 1, every)
    return found.best.astype(np.int64), found.worst.astype(np.int64)


def _intervals(
    method: Method,
    values: Floats,
    errors: JointErrors,
    level: float,
    drawn: Drawn | None,
    anywhere: int,
) -> RankIntervals:
    n = len(values)
    critical: float | tuple[float, ...] | None = None
    if n < 2:
        low, high = np.ones(n, np.int64), np.full(n, n, np.int64)
    elif method == "overlap":
        half = normal_quantile((1 + level) / 2) * errors.single
        low, high = intervals_from_bounds(values - half, values + half)
    elif method == "marginal":
        assert drawn is not None
        place = place_of_quantile(level, drawn.draws)
        each = np.partition(drawn.largest, place, axis=1)[:, place].astype(np.float64)
        critical = tuple(each.tolist())
        low, high = _counted(values, errors, lambda k: each[k])
    else:
        if method == "pairwise":
            critical = normal_quantile((1 + level) / 2)
        elif method == "bonferroni":
            critical = normal_quantile(1 - (1 - level) / (n * (n - 1)))
        else:
            assert drawn is not None
            critical = _over_all(drawn, level)
            if method == "step_down":
                critical = _stepped_down(values, errors, drawn, level, critical)
        limit = critical
        low, high = _counted(values, errors, lambda k: limit)
    was_drawn = drawn is not None and method in DRAWN_METHODS
    return RankIntervals(
        method,
        low,
        high + anywhere,
        critical,
        level,
        GUARANTEES[method],
        drawn.draws if was_drawn and drawn else None,
        drawn.seed if was_drawn and drawn else None,
    )


def _counted(
    values: Floats, errors: JointErrors, critical: Callable[[int], float]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ranks that are left once real differences are counted, entry by entry."""
    n = len(values)
    low, high = np.empty(n, np.int64), np.empty(n, np.int64)
    for k in range(n):
        ahead, limit = values - values[k], critical(k) * errors.to(k)
        low[k] = 1 + np.count_nonzero(ahead > limit)
        high[k] = n - np.count_nonzero(-ahead > limit)
    return low, high


def _over_all(drawn: Drawn, level: float) -> float:
    """What the largest of all differences does not exceed, with the chance `level`."""
    place = place_of_quantile(level, drawn.draws)
    return float(np.partition(drawn.largest.max(axis=0), place)[place])


def _stepped_down(
    values: Floats, errors: JointErrors, drawn: Drawn, level: float, critical: float
) -> float:
    """Critical value once differences that were found no longer count, until none is new.

    With fewer pairs the largest difference of a draw can only shrink. So from the largest old
    ones on, draws are looked at again only until the quantile cannot change any more.
    """
    n, apart = len(values), errors.differences()
    at_most = drawn.largest.max(axis=0)
    above = drawn.draws - place_of_quantile(level, drawn.draws)  # draws at or above the quantile
    ahead = np.subtract.outer(values, values)
    active = ~np.eye(n, dtype=bool)
    while True:
        found = active & (ahead > critical * apart)
        if not found.any():
            return critical
        active &= ~found
        if not active.any():
            return critical
        order = np.argsort(-at_most, kind="stable")
        for start in range(0, drawn.draws, _AT_ONCE):
            which = order[start : start + _AT_ONCE]
            at_most[which] = largest_among(drawn, which, errors, active)
            seen = at_most[order[: start + len(which)]]
            rest = order[start + len(which)] if start + len(which) < drawn.draws else None
            if len(seen) >= above:
                critical = float(np.partition(seen, len(seen) - above)[len(seen) - above])
                if rest is None or critical >= at_most[rest]:
                    break
