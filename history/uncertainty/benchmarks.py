"""How sure is a lead if the benchmarks are the sample?

In: scores of entries on the same benchmarks. Out: a t test of a mean difference (as_sample()), and
how often each entry is first when the benchmarks are drawn anew (first_over_benchmarks()). Both
speak of benchmarks that were not run; few benchmarks give a sensitivity, no confidence. Methods 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from history.uncertainty.draws import DRAWS, SEED, Floats

MOST_EXACT = 10  # benchmarks: 92,378 different resamples; one more has four times as many
FEW = 10
_FEW_SAID = "benchmarks are too few for a confidence statement: a sensitivity"


@dataclass(frozen=True, slots=True)
class BenchmarkTest:
    """The mean difference of two entries over benchmarks.

    Attributes:
        mean: of one - other.
        sd: of the differences, with n - 1.
        t, p: of mean / (sd / sqrt(n)), two-sided with n - 1 degrees of freedom.
        n: benchmarks.
        caution: what to say beside it; empty where there are many benchmarks.
    """

    mean: float
    sd: float
    t: float
    p: float
    n: int
    caution: str


@dataclass(frozen=True, slots=True, eq=False)
class FirstOverBenchmarks:
    """How often each entry has the highest mean when benchmarks are drawn anew.

    Attributes:
        first: share of the resamples, shape (n_entries,); those first together share one equally.
        tied: share of the resamples in which several are first together.
        resamples: how many were looked at; all that there are where `seed` is None.
        seed: where the resamples came from; None: all.
        caution: as in BenchmarkTest.
    """

    first: Floats
    tied: float
    resamples: int
    seed: int | None
    caution: str


def as_sample(one: ArrayLike, other: ArrayLike) -> BenchmarkTest | None:
    """Compare two entries with the benchmarks as the sample.

    Args:
        one, other: score on each benchmark, in one unit, shape (n,).

    Returns:
        None for fewer than two benchmarks, or if all differences are equal.

    >>> found = as_sample([71.0, 91.7, 67.2, 32.9, 74.9], [74.9, 85.1, 63.6, 39.4, 70.4])
    >>> round(found.mean, 2), round(found.sd, 2), round(found.t, 2), round(found.p, 2)
    (0.86, 5.71, 0.34, 0.75)
    """
    from scipy.special import stdtr

    gaps = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    n = len(gaps)
    if n < 2 or not np.ptp(gaps) > 1e-9 * np.abs(gaps).max():
        return None
    mean, sd = float(gaps.mean()), float(gaps.std(ddof=1))
    t = mean / (sd / sqrt(n))
    return BenchmarkTest(mean, sd, t, float(2 * stdtr(n - 1, -abs(t))), n, _caution(n))


def first_over_benchmarks(
    ticks: ArrayLike, draws: int = DRAWS, seed: int = SEED
) -> FirstOverBenchmarks:
    """Draw the benchmarks anew, with replacement, and count who is first.

    Up to MOST_EXACT benchmarks all resamples are counted, K^K of K benchmarks; with more, `draws`.

    Args:
        ticks: whole scores in one unit, higher is better, shape (n_entries, n_benchmarks), so
            that sums are exact; parts with different decimals are brought to the finest before.
        draws, seed: for many benchmarks.

    Raises:
        ValueError: not whole numbers, or an empty table.

    >>> found = first_over_benchmarks([[3, 0], [0, 2]])
    >>> found.first.tolist(), found.resamples
    ([0.75, 0.25], 4)
    """
    table = np.asarray(ticks)
    if table.ndim != 2 or not table.size or table.dtype.kind not in "iu":
        raise ValueError("whole scores of shape (entries, benchmarks), at least one of each")
    k = table.shape[1]
    exact = k <= MOST_EXACT
    if exact:
        times, weights = _all_resamples(k)
    else:
        times = np.random.default_rng(seed).multinomial(k, [1 / k] * k, size=draws)
        weights = np.ones(draws, dtype=np.int64)
    sums = times @ table.T.astype(np.int64)
    leads = sums == sums.max(axis=1, keepdims=True)
    leaders, total = leads.sum(axis=1), int(weights.sum())
    first = (leads * (weights / leaders)[:, None]).sum(axis=0) / total
    tied = float(weights[leaders > 1].sum() / total)
    return FirstOverBenchmarks(first, tied, total, None if exact else seed, _caution(k))


def _all_resamples(k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each benchmark is drawn in every different resample, and how many are alike."""
    bars = np.array(list(combinations(range(2 * k - 1), k - 1)), dtype=np.int64)
    bars = bars.reshape(comb(2 * k - 1, k - 1), k - 1)
    edges = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), 2 * k - 1)])
    times = np.diff(edges, axis=1) - 1
    ways = np.array([factorial(i) for i in range(k + 1)], dtype=np.int64)
    return times, factorial(k) // ways[times].prod(axis=1)


def _caution(n: int) -> str:
    return f"{n} {_FEW_SAID}" if n < FEW else ""
