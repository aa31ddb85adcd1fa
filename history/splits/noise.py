"""How much would the order change by chance alone?

In: scores of both parts with their standard errors. Out: the shake-up of simulated boards on
which every entry is equally good on both parts. Start at noise_floor(). The seed is fixed, so
that the same question has the same answer.

Source: methods, section 5 ("always print the noise floor").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from history.sampling import of_shares

DRAWS, TAU_DRAWS, SEED = 1_000, 200, 20_261_007
_AT_ONCE = 2**22  # simulated scores that are held in memory at the same time


@dataclass(frozen=True, slots=True)
class Noise:
    """What chance alone gives.

    Attributes:
        mean: mean shake-up of the draws.
        low, high: 95 % of the draws are between these.
        top: mean shake-up of the top 10 % by private rank.
        tau: mean Kendall tau of the first `tau_draws` draws.
        draws, tau_draws, seed: of the simulation.
    """

    mean: float
    low: float
    high: float
    top: float
    tau: float
    draws: int
    tau_draws: int
    seed: int


def standard_errors(values: NDArray, items: NDArray | float, scale: float) -> NDArray:
    """Standard errors of shares of right answers: sqrt(p (1 - p) / n).

    Args:
        values: shares, of which `scale` (1 or 100) is all.
        items: how many items each rests on.

    >>> standard_errors(np.array([74.0]), 2000, 100).round(2).tolist()
    [0.98]
    """
    p = np.clip(values / scale, 0, 1)
    return scale * of_shares(p, items)


def true_scores(
    public: NDArray, private: NDArray, public_se: NDArray, private_se: NDArray
) -> NDArray:
    """A set of true scores as spread out as those of a board probably are.

    The mean of both parts, each less its own mean, drawn together so that its variance is the
    observed one less that of the errors: what is observed has the errors in it already.
    """
    middle = ((public - public.mean()) + (private - private.mean())) / 2
    seen = middle.var(ddof=1)
    error = float(np.mean((public_se**2 + private_se**2) / 4))
    return middle * np.sqrt(max(0.0, seen - error) / seen) if seen else middle


def noise_floor(
    true: NDArray,
    public_se: NDArray,
    private_se: NDArray,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Noise:
    """Simulate boards on which nothing but sampling moves anybody.

    Args:
        true: the score that each entry would have without errors, larger is better; the same on
            both parts, as a shift of all moves nobody.
        public_se, private_se: standard errors; errors are normal and independent.
        draws: how many boards.
        seed: of the random numbers.

    >>> still = noise_floor(np.arange(20.0), np.zeros(20), np.zeros(20), draws=5)
    >>> still.mean, still.high, still.tau
    (0.0, 0.0, 1.0)
    """
    from scipy import stats

    random = np.random.default_rng(seed)
    n = len(true)
    moved, top = [], []
    taus: list[float] = []
    step = max(1, _AT_ONCE // n)
    for done in range(0, draws, step):
        size = (min(step, draws - done), n)
        public = _ranks(true + random.standard_normal(size) * public_se)
        private = _ranks(true + random.standard_normal(size) * private_se)
        change = np.abs(public - private)
        moved.append(change.mean(axis=1) / n)
        best = private <= -(-n // 10)
        top.append((change * best).sum(axis=1) / best.sum(axis=1) / n)
        pairs = zip(public, private[: TAU_DRAWS - len(taus)], strict=False)
        taus += [float(stats.kendalltau(*pair).statistic) for pair in pairs]
    values = np.concatenate(moved)
    low, high = np.quantile(values, [0.025, 0.975])
    return Noise(
        mean=float(values.mean()),
        low=float(low),
        high=float(high),
        top=float(np.concatenate(top).mean()),
        tau=float(np.mean(taus)),
        draws=draws,
        tau_draws=len(taus),
        seed=seed,
    )


def _ranks(scores: NDArray) -> NDArray:
    """Rank of each entry of each board, 1 for the largest; no two normal draws are equal."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[1] + 1)[None, :], axis=1)
    return ranks
