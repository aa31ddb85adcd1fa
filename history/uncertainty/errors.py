"""How far may a score be off by the choice of items, or from run to run?

In: shares of right answers and numbers of items. Out: standard errors in the units of the shares,
and intervals. Start at of_share(); StandardError says which standard error a number is. Methods 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Literal

from history.sampling import LEVEL, normal_quantile, of_shares

Noise = Literal["item", "run", "unstated"]
Of = Literal["score", "average", "difference"]

_NOISES: dict[Noise, str] = {
    "item": "item standard error",
    "run": "run-to-run standard error",
    "unstated": "standard error (of items or of runs: not said)",
}
_OFS: dict[Of, str] = {
    "score": "one score",
    "average": "one average",
    "difference": "a difference",
}


@dataclass(frozen=True, slots=True)
class StandardError:
    """A standard error, and which one.

    Attributes:
        value: in the units of the score.
        noise: what would be drawn anew: the items, or the run over the same items.
        of: what it belongs to: one score, an average of several, a difference of two.
        assumes: what it rests on, in words.
    """

    value: float
    noise: Noise
    of: Of
    assumes: str

    @property
    def name(self) -> str:
        """Which standard error it is.

        >>> StandardError(0.64, "item", "average", "scores are shares of right answers").name
        'item standard error of one average'
        """
        return f"{_NOISES[self.noise]} of {_OFS[self.of]}"

    def count(self, gap: float) -> str:
        """A gap in these standard errors.

        >>> StandardError(0.0138, "item", "difference", "unpaired").count(0.013)
        '0.94 times the item standard error of a difference'
        """
        return f"{abs(gap) / self.value:.2f} times the {self.name}"


def of_share(p: float, n: int) -> float:
    """Standard error of a share of n items: sqrt(p (1 - p) / n).

    It is 0 for 0 of n and n of n, which says nothing about what was not drawn: take wilson() there.

    Args:
        p: share of right answers, 0 to 1.
        n: items, 1 or more.

    Raises:
        ValueError: not a share, or no items.

    >>> [round(100 * of_share(0.74, n), 2) for n in (100, 500, 1000, 2000, 5000)]
    [4.39, 1.96, 1.39, 0.98, 0.62]
    """
    if not 0 <= p <= 1:
        raise ValueError(f"a share is 0 to 1, got {p}")
    if n < 1:
        raise ValueError(f"a share needs items, got n = {n}")
    return float(of_shares(p, n))


def of_mean(weights: Sequence[float], errors: Sequence[float]) -> float:
    """Standard error of a weighted mean of independent scores: sqrt(sum (w se)^2).

    Args:
        weights: of each score, adding up to 1, so that it is a mean.
        errors: standard error of each score, in one unit.

    Raises:
        ValueError: not one error per weight, or weights that do not add up to 1.

    >>> round(of_mean([0.5, 0.5], [3, 4]), 2)
    2.5
    """
    if len(weights) != len(errors):
        raise ValueError(f"{len(weights)} weights and {len(errors)} errors")
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError(f"weights of a mean add up to 1, these to {sum(weights)}")
    return sqrt(sum((w * se) ** 2 for w, se in zip(weights, errors, strict=True)))


def of_mean_between(
    weights: Sequence[float], errors: Sequence[float | None], most: float
) -> tuple[float, float]:
    """Least and largest standard error of a weighted mean where some are not known.

    Args:
        weights: as for of_mean().
        errors: None where it is not known.
        most: the largest that an unknown one can be; the least is 0.

    >>> low, high = of_mean_between([0.2] * 5, [None, None, None, 1.0, 1.5], most=1.5)
    >>> round(low, 2), round(high, 2)
    (0.36, 0.63)
    """
    low, high = ([free if se is None else se for se in errors] for free in (0.0, most))
    return of_mean(weights, low), of_mean(weights, high)


def of_difference(one: float, other: float, covariance: float = 0.0) -> float:
    """Standard error of a difference: sqrt(se1^2 + se2^2 - 2 cov).

    Args:
        one, other: standard errors of both.
        covariance: of both; 0 where they were measured apart. Entries that answer the same items
            mostly have a positive one, which makes the difference surer.

    Raises:
        ValueError: two errors that do not allow this covariance.

    >>> round(of_difference(3, 4), 2), of_difference(3, 4, 12)
    (5.0, 1.0)
    """
    variance = one**2 + other**2 - 2 * covariance
    if variance < 0 or not isfinite(variance):
        raise ValueError(f"no covariance of {covariance} between errors of {one} and {other}")
    return sqrt(variance)


def clustered(error: float, size: float, correlation: float) -> float:
    """Standard error where items come in clusters: sqrt(1 + (m - 1) rho) times larger.

    Args:
        error: as if all items were independent.
        size: items per cluster, m.
        correlation: of the items of a cluster, rho.

    Source: Miller, Adding Error Bars to Evals, 2024.

    >>> round(0.94 / clustered(1, size=5, correlation=0.2), 2)
    0.7
    """
    inflation = 1 + (size - 1) * correlation
    if size < 1 or inflation < 0:
        raise ValueError(f"no clusters of {size} items with a correlation of {correlation}")
    return error * sqrt(inflation)


def wilson(right: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval of a share: right also near 0 and 1.

    Args:
        right: right answers.
        n: items.
        level: of confidence.

    Raises:
        ValueError: not a number of right answers out of n.

    >>> low, high = wilson(10, 10)
    >>> round(low, 2), high
    (0.72, 1.0)
    """
    _check_count(right, n)
    z = normal_quantile((1 + level) / 2)
    p, by = right / n, 1 + z * z / n
    middle = (p + z * z / (2 * n)) / by
    half = z / by * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (0.0 if right == 0 else middle - half, 1.0 if right == n else middle + half)


def exact_interval(right: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The exact (Clopper-Pearson) interval of a share: never too short.

    Args and Raises: as for wilson().

    >>> low, high = exact_interval(10, 10)
    >>> round(low, 2), high
    (0.69, 1.0)
    """
    from scipy.special import betaincinv

    _check_count(right, n)
    tail = (1 - level) / 2
    low = 0.0 if right == 0 else float(betaincinv(right, n - right + 1, tail))
    high = 1.0 if right == n else float(betaincinv(right + 1, n - right, 1 - tail))
    return low, high


def _check_count(right: int, n: int) -> None:
    if n < 1 or not 0 <= right <= n:
        raise ValueError(f"{right} is no number of right answers out of {n}")
