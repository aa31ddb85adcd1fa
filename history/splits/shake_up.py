"""How much do two orders of the same entries differ?

In: competition ranks of the entries that both orders have, taken among these. Out: an Order.
Start at order().

Source: methods, section 5. Shake-up: a measure of Kaggle's forum. tau-b: Kendall (1945).
RBO: Webber, Moffat & Zobel, ACM TOIS 28 (2010), extrapolated; equal ranks enter together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

RBO_P = 0.9
TOP = (1, 3, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Order:
    """Two orders compared.

    Attributes:
        n: entries.
        value: mean |rank - rank| / n.
        top_n, top: the same over the top 10 % by the second order, and how many these are.
        at_random: what two unrelated orders would give on average.
        tau_b, spearman: None where one order has all entries equal, or there is one entry.
        overlap: k, and the share of the first k places that both have in common.
        rbo: rank-biased overlap at 0.9, extrapolated.
    """

    n: int
    value: float
    top_n: int
    top: float
    at_random: float
    tau_b: float | None
    spearman: float | None
    overlap: tuple[tuple[int, float], ...]
    rbo: float


def order(public: Sequence[int], private: Sequence[int]) -> Order:
    """Compare two orders of at least one entry.

    Args:
        public, private: ranks, 1 the best, equal ones shared ("1 2 2 4").

    >>> found = order([1, 2, 3, 4, 5, 6], [2, 6, 1, 3, 4, 5])
    >>> round(found.value, 3), round(found.tau_b, 3), round(found.spearman, 3), found.overlap[1]
    (0.278, 0.333, 0.314, (3, 0.6666666666666666))
    """
    one, two = np.asarray(public, dtype=np.int64), np.asarray(private, dtype=np.int64)
    n = len(one)
    moved = np.abs(one - two)
    best = two <= ceil(n / 10)
    tau, spearman = correlations(one, two)
    return Order(
        n=n,
        value=float(moved.mean()) / n,
        top_n=int(best.sum()),
        top=float(moved[best].mean()) / n,
        at_random=at_random(n),
        tau_b=tau,
        spearman=spearman,
        overlap=tuple((k, overlap(one, two, k)) for k in TOP if k < n),
        rbo=rbo(one, two),
    )


def at_random(n: int) -> float:
    """The shake-up to expect of two unrelated orders of n entries.

    >>> round(at_random(229), 4), at_random(1)
    (0.3333, 0.0)
    """
    return (n * n - 1) / (3 * n * n)


def correlations(one: NDArray, two: NDArray) -> tuple[float | None, float | None]:
    """Kendall's tau-b, and Spearman's rho with average ranks."""
    from scipy import stats

    if len(np.unique(one)) < 2 or len(np.unique(two)) < 2:
        return None, None
    tau = float(stats.kendalltau(one, two, variant="b").statistic)
    return tau, float(stats.spearmanr(one, two).statistic)


def overlap(one: NDArray, two: NDArray, k: int) -> float:
    """Share of the first k places in common; ranks shared at place k can make them more than k.

    >>> overlap(np.array([1, 2, 3]), np.array([2, 1, 3]), 1)
    0.0
    """
    both = int(((one <= k) & (two <= k)).sum())
    return both / max(int((one <= k).sum()), int((two <= k).sum()))


def rbo(one: NDArray, two: NDArray, p: float = RBO_P) -> float:
    """Rank-biased overlap of two orders of the same entries, extrapolated.

    With A(d) = 2 |common| / (|one's| + |other's|) over the entries of rank d or better:
    (1 - p) / p * sum A(d) p^d + A(n) p^n, and A(n) = 1.

    >>> round(rbo(np.array([1, 2, 3, 4, 5, 6]), np.array([2, 6, 1, 3, 4, 5])), 3)
    0.797
    """
    n = len(one)
    depth = np.arange(1, n + 1)

    def up_to(ranks: NDArray) -> NDArray:
        return np.bincount(ranks, minlength=n + 1)[1:].cumsum()

    agreement = 2 * up_to(np.maximum(one, two)) / (up_to(one) + up_to(two))
    weights = np.power(p, depth.astype(np.float64))
    return float((1 - p) / p * (agreement * weights).sum() + weights[-1])
