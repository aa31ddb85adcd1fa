"""How sure is first place, and how much of the leader's score is luck?

In: scores and their errors. Out: the chance of being first with what it assumes (chances()), the
winner's curse (winners_curse(), expected_maximum()), and scores shrunk for display (shrunk()).
Methods 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from history.uncertainty.draws import DRAWS, SEED, Floats, JointErrors

NOT_A_VERDICT = (
    "A flat-prior number that rests on Sigma, which the file does not hold; "
    "not the probability that a claim is true"
)


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """How often each entry comes out first when all scores are drawn anew around the printed ones.

    Attributes:
        first: share of the draws, shape (n,).
        sampling_error: standard error of each share by the number of draws alone, shape (n,).
        sigma: what is assumed of the errors together.
        warning: what the number is not; to be shown wherever it is.
        draws, seed: how often, and from which seed.
    """

    first: Floats
    sampling_error: Floats
    sigma: str
    warning: str
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class WinnersCurse:
    """How far the best of several equal entries lies above what it is worth.

    Attributes:
        entries: how many are compared.
        errors: in standard errors of one score.
        points: in units of the score.
        assumes: what it rests on.
    """

    entries: int
    errors: float
    points: float
    assumes: str


@dataclass(frozen=True, slots=True, eq=False)
class Shrunk:
    """Scores moved towards their mean, as far as they are noise; for display only.

    Attributes:
        scores: mean + (1 - by) (score - mean), shape (n,).
        by: share of the spread that is noise, mean(se^2) / var(score), at most 1.
    """

    scores: Floats
    by: float


def chances(
    scores: ArrayLike, errors: ArrayLike | JointErrors, draws: int = DRAWS, seed: int = SEED
) -> Chances:
    """The chance of being first, by drawing N(scores, Sigma).

    Args:
        scores: one per entry, higher is better, shape (n,), at least one.
        errors: standard errors (n,) of independent scores, or a covariance (n, n).
        draws, seed: how often, and from which seed.

    Raises:
        ValueError: wrong errors, or a score that is no finite number.

    >>> found = chances([0.75, 0.75, 0.2], [0.01, 0.01, 0.01])
    >>> found.first.round(1).tolist(), found.sigma
    ([0.5, 0.5, 0.0], 'Sigma: the errors of different entries are independent of each other')
    """
    values = np.asarray(scores, dtype=np.float64)
    sigma = errors if isinstance(errors, JointErrors) else JointErrors.of(errors)
    if values.shape != sigma.single.shape or not len(values) or not np.isfinite(values).all():
        raise ValueError(f"{values.shape} scores, all finite, need as many errors")
    won: NDArray[np.integer] = np.zeros(len(values), dtype=np.int64)
    for block in sigma.drawn(draws, seed):
        won += np.bincount((values + block).argmax(axis=1), minlength=len(values))
    first = won / draws
    spread = np.sqrt(first * (1 - first) / draws)
    return Chances(first, spread, sigma.sigma(), NOT_A_VERDICT, draws, seed)


@lru_cache(maxsize=256)
def expected_maximum(m: int) -> float:
    """Expected largest of m independent standard normal numbers.

    The integral of 1 - Phi(x)^m above 0 less that of Phi(x)^m below, numerically.

    Raises:
        ValueError: m below 1.

    >>> [round(expected_maximum(m), 2) for m in (1, 2, 5, 10, 27, 55, 229)]
    [0.0, 0.56, 1.16, 1.54, 2.0, 2.29, 2.79]
    """
    from scipy.special import log_ndtr

    if m < 1:
        raise ValueError(f"the largest of {m} numbers")
    x = np.linspace(0.0, 12.0, 24_001)  # beyond 12 there is nothing left even for a million
    above, below = -np.expm1(m * log_ndtr(x)), np.exp(m * log_ndtr(-x))
    return max(0.0, float(np.trapezoid(above - below, x)))


def winners_curse(entries: int, error: float) -> WinnersCurse:
    """How far the leader of equal entries lies too high.

    Of private variants of which only the best is submitted, the same number is what selective
    submission is worth.

    Args:
        entries: how many equal ones, 1 or more.
        error: standard error of one score.

    >>> round(winners_curse(229, 0.98).points, 1)
    2.7
    >>> [round(winners_curse(variants, 5 / 1.96).points, 1) for variants in (10, 27)]
    [3.9, 5.1]
    """
    high = expected_maximum(entries)
    said = f"{entries} entries of equal worth, with independent normal errors of one size"
    return WinnersCurse(entries, high, high * error, said)


def shrunk(scores: ArrayLike, errors: ArrayLike) -> Shrunk | None:
    """Scores without the part of their spread that is noise.

    Args:
        scores: one per entry, shape (n,).
        errors: standard error of each, shape (n,).

    Returns:
        None for fewer than 3 entries, or if all scores are equal: they have no spread to share out.

    >>> eight = np.array([0.762, 0.755, 0.749, 0.743, 0.736, 0.731, 0.718, 0.690])
    >>> found = shrunk(eight, np.sqrt(eight * (1 - eight) / 2000))
    >>> round(found.by, 3), round(float(found.scores[0]), 3)
    (0.183, 0.757)
    """
    values, single = np.asarray(scores, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if values.shape != single.shape:
        raise ValueError(f"{values.shape} scores and {single.shape} errors")
    if len(values) < 3 or not np.ptp(values) > 0:
        return None
    by = min(1.0, float((single**2).mean() / values.var(ddof=1)))
    return Shrunk(values.mean() + (1 - by) * (values - values.mean()), by)
