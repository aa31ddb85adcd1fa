"""Is one entry really better than another?

In: scores with standard errors, or numbers of right answers. Out: a test, or the range of tests
that the counts allow, and whether that decides it. Start at unpaired(), mcnemar() where results
item by item exist, without_items() where they do not. Methods 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from history.sampling import LEVEL, Z
from history.uncertainty.draws import DRAWS, SEED
from history.uncertainty.errors import Noise, StandardError, of_difference
from history.uncertainty.undecided import Undecided, undecided

Overlapping = Literal["largest", "independent", "smallest"]

_BLOCK = 2**20  # numbers drawn at once


@dataclass(frozen=True, slots=True)
class Difference:
    """Two scores that were measured apart, compared.

    Attributes:
        value: one - other, in the units of the scores.
        error: the standard error of the difference; it says which one it is.
        z: value in standard errors.
        p: two-sided.
    """

    value: float
    error: StandardError
    z: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether the difference is more than chance gives in 5% of cases."""
        return abs(self.z) > Z


@dataclass(frozen=True, slots=True)
class McNemar:
    """Two entries on the same items, compared on those that only one of them has right.

    Attributes:
        b, c: items that only the one, only the other has right.
        z: (b - c) / sqrt(b + c); 0 where there are none.
        p: exact and two-sided: of b out of b + c tosses of a fair coin.
    """

    b: int
    c: int
    z: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether the exact test finds a difference at 5%."""
        return self.p <= 1 - LEVEL


@dataclass(frozen=True, slots=True)
class Overlap:
    """One way in which two numbers of right answers can meet on the items.

    Attributes:
        name: largest: as many as possible both right; independent: as chance would have it,
            rounded to whole items; smallest: as few as possible.
        agreement: share of the items that both have right or both have wrong.
        test: what McNemar's test would say.
    """

    name: Overlapping
    agreement: float
    test: McNemar


@dataclass(frozen=True, slots=True)
class PairBounds:
    """What two numbers of right answers on the same items allow.

    Attributes:
        one, other: right answers.
        n: items.
        overlaps: largest, independent, smallest; the true one is between the first and the last.
        agreement_needed: the gap is significant at 5% only if both agree on at least this share
            of the items: A* = 1 - (gap / 1.96)^2 / n, at least 0; None for equal counts.
        agreement_needed_exact: the same by the exact test, over the agreements that the counts
            allow; None where none is enough.
        significant: True or False where every overlap says so; None: it hangs on the items.
        undecided: what is said then.
    """

    one: int
    other: int
    n: int
    overlaps: tuple[Overlap, Overlap, Overlap]
    agreement_needed: float | None
    agreement_needed_exact: float | None
    significant: bool | None
    undecided: Undecided | None


@dataclass(frozen=True, slots=True)
class PairRange:
    """What two printed scores on the same items allow, where rounding leaves several counts.

    Attributes:
        closest, farthest: bounds for the smallest and the largest gap in items.
        significant, undecided: as in PairBounds, for every pair of counts.
    """

    closest: PairBounds
    farthest: PairBounds
    significant: bool | None
    undecided: Undecided | None


@dataclass(frozen=True, slots=True)
class PairedBootstrap:
    """A difference with results item by item, by drawing the items anew.

    Attributes:
        value: mean of one - other over the items.
        low, high: the middle 95% of the draws.
        units: what was drawn: items, or clusters of them.
        draws, seed: how often, and from which seed.
    """

    value: float
    low: float
    high: float
    units: int
    draws: int
    seed: int


def unpaired(
    one: float, other: float, error_one: float, error_other: float, noise: Noise = "item"
) -> Difference:
    """Compare two scores as if they were measured on different items.

    On the same items the outcomes mostly go together, and the difference is surer than this.

    Args:
        one, other: the scores.
        error_one, error_other: their standard errors, in the same units.
        noise: what the standard errors are of.

    Raises:
        ValueError: no standard error above 0.

    >>> found = unpaired(0.749, 0.736, 0.0097, 0.0099)
    >>> round(found.z, 2), round(found.p, 2), found.error.name
    (0.94, 0.35, 'item standard error of a difference')
    """
    from scipy.special import ndtr

    se = of_difference(error_one, error_other)
    if not se > 0:
        raise ValueError(f"standard errors {error_one} and {error_other}: none is above 0")
    z = (one - other) / se
    error = StandardError(se, noise, "difference", "both scores measured apart (unpaired)")
    return Difference(one - other, error, z, float(2 * ndtr(-abs(z))))


def mcnemar(b: int, c: int) -> McNemar:
    """The exact test of McNemar.

    Args:
        b, c: items that only the one, only the other has right.

    Raises:
        ValueError: a negative number.

    >>> round(mcnemar(26, 0).z, 2), f"{mcnemar(26, 0).p:.0e}", mcnemar(0, 0).p
    (5.1, '3e-08', 1.0)
    """
    if b < 0 or c < 0:
        raise ValueError(f"b = {b}, c = {c}: items are counted from 0")
    z = 0.0 if b + c == 0 else (b - c) / sqrt(b + c)
    return McNemar(b, c, z, _exact_p(abs(b - c), b + c))


def without_items(one: int, other: int, n: int) -> PairBounds:
    """What two numbers of right answers say without the results item by item.

    Of `one` and `other` right among n items, both are right on at least max(0, one + other - n)
    and at most min(one, other), which bounds b + c, and so the test.

    Args:
        one, other: right answers.
        n: items, which both answered, each independent of the others.

    Raises:
        ValueError: not numbers of right answers out of n.

    >>> found = without_items(1498, 1472, 2000)
    >>> [(way.test.b, way.test.c, round(way.test.z, 2)) for way in found.overlaps]
    [(26, 0, 5.1), (395, 369, 0.94), (528, 502, 0.81)]
    >>> round(found.agreement_needed, 3), found.agreement_needed_exact, found.undecided.code
    (0.912, 0.919, 'NO_PAIRED_RESULTS')
    """
    if n < 1 or not (0 <= one <= n and 0 <= other <= n):
        raise ValueError(f"{one} and {other} are no numbers of right answers out of {n}")
    gap = one - other
    only_one: dict[Overlapping, int] = {
        "largest": max(gap, 0),
        "independent": floor(one * (n - other) / n + 0.5),
        "smallest": one - max(0, one + other - n),
    }
    # Rounding to whole items must not leave what the counts allow.
    only_one["independent"] = min(
        max(only_one["independent"], only_one["largest"]), only_one["smallest"]
    )
    first, middle, last = (
        Overlap(name, 1 - (2 * b - gap) / n, mcnemar(b, b - gap)) for name, b in only_one.items()
    )
    significant = _decided(first.test.significant, last.test.significant)
    return PairBounds(
        one,
        other,
        n,
        (first, middle, last),
        None if gap == 0 else max(0.0, 1 - (gap / Z) ** 2 / n),
        _agreement_needed(abs(gap), last.test.b + last.test.c, n),
        significant,
        _undecided(significant, f"{one} and {other} right of {n}, not which"),
    )


def without_items_printed(one: range, other: range, n: int) -> PairRange:
    """without_items() of scores whose rounding leaves several counts open.

    Args:
        one, other: numbers of right answers that print as the scores, see possible_counts().
        n: items.

    Raises:
        ValueError: a score that no number of right answers prints as.

    >>> found = without_items_printed(range(1497, 1500), range(1471, 1474), 2000)
    >>> [round(end.agreement_needed, 3) for end in (found.closest, found.farthest)]
    [0.925, 0.898]
    """
    if not one or not other:
        raise ValueError("a score that no number of right answers prints as")
    corners = [(one[0], other[-1]), (one[-1], other[0])]
    farthest = max(corners, key=lambda pair: abs(pair[0] - pair[1]))
    closest = min(corners, key=lambda pair: abs(pair[0] - pair[1]))
    shared = range(max(one[0], other[0]), min(one[-1], other[-1]) + 1)
    if shared:
        closest = (shared[0], shared[0])
    least, most = (without_items(*pair, n) for pair in (closest, farthest))
    # p grows with b + c and falls with the gap: the hardest case has the least gap and, over all
    # counts, the most items on which both can differ.
    sums = (one[0] + other[0], one[-1] + other[-1])
    widest = n if sums[0] <= n <= sums[1] else max(min(s, 2 * n - s) for s in sums)
    gap = abs(closest[0] - closest[1])
    hardest = _exact_p(gap, widest - (widest - gap) % 2) <= 1 - LEVEL
    significant = _decided(most.overlaps[0].test.significant, hardest)
    said = f"{one[0]} to {one[-1]} and {other[0]} to {other[-1]} right of {n}, not which"
    return PairRange(least, most, significant, _undecided(significant, said))


def paired_bootstrap(
    one: ArrayLike,
    other: ArrayLike,
    clusters: ArrayLike | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
) -> PairedBootstrap:
    """The difference of two entries with the items drawn anew, both entries on the same ones.

    Args:
        one, other: result of each item, shape (n,).
        clusters: which cluster each item belongs to; whole clusters are drawn then.
        draws, seed: how often, and from which seed.

    Raises:
        ValueError: not one result per item, or none.

    >>> paired_bootstrap([1, 1, 0, 1], [1, 1, 0, 1]).high
    0.0
    """
    gaps = np.asarray(one, dtype=float) - np.asarray(other, dtype=float)
    of = np.arange(len(gaps)) if clusters is None else np.asarray(clusters)
    if gaps.ndim != 1 or not len(gaps) or of.shape != gaps.shape:
        raise ValueError("one result of each entry, and one cluster, for each of the items")
    _, number = np.unique(of, return_inverse=True)
    total, size = np.bincount(number, weights=gaps), np.bincount(number)
    units, rng = len(total), np.random.default_rng(seed)
    means = np.empty(draws)
    step = max(1, _BLOCK // units)
    for start in range(0, draws, step):
        drawn = rng.integers(units, size=(min(step, draws - start), units))
        means[start : start + step] = total[drawn].sum(axis=1) / size[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return PairedBootstrap(float(gaps.mean()), float(low), float(high), units, draws, seed)


def _exact_p(gap: int, differ: int) -> float:
    """Two-sided p of a gap b - c where b + c items differ."""
    from scipy.special import bdtr

    if differ == 0:
        return 1.0
    return min(1.0, 2 * float(bdtr((differ - gap) // 2, differ, 0.5)))


def _agreement_needed(gap: int, most: int, n: int) -> float | None:
    """Agreement at the largest b + c at which the exact test still finds the gap."""
    if _exact_p(gap, gap) > 1 - LEVEL:
        return None
    low, high = 0, (most - gap) // 2  # b + c = gap + 2 steps; p grows with it
    while low < high:
        middle = ceil((low + high) / 2)
        if _exact_p(gap, gap + 2 * middle) <= 1 - LEVEL:
            low = middle
        else:
            high = middle - 1
    return 1 - (gap + 2 * low) / n


def _decided(easiest: bool, hardest: bool) -> bool | None:
    """What all overlaps say, from those at which a gap is found most and least easily."""
    return easiest if easiest == hardest else None


def _undecided(significant: bool | None, found: str) -> Undecided | None:
    return undecided("NO_PAIRED_RESULTS", found) if significant is None else None
