"""Which places does a test of significance leave open?

In: scores and standard errors of whole rankings. Out: the best and the worst place of every
entry. Start at places(). This is never a board's own rule: a board's band is a policy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from history.ties.intervals import Places
from history.ties.measured import Errors


def places(
    first: NDArray[np.integer],
    sizes: NDArray[np.integer],
    ticks: NDArray,
    errors: Errors,
    widths: float,
) -> Places:
    """Upper and lower rank of every entry by pairs: tied if |gap| <= K sqrt(se_i^2 + se_j^2).

    Scores are taken as independent, and each pair is tested alone: nothing is adjusted for how
    many pairs there are. Equal scores are tied. A pair of which one has no standard error leaves
    the better place of its worse one open, and the worse place of its better one.

    Args:
        first, sizes: where each ranking begins, and its length.
        ticks: larger is better, best first within a ranking.
        errors: in the same ticks.
        widths: K.

    Source: methods, sections 3.1 and 3.3.

    >>> ticks, errors = np.array([720, 700, 650]), Errors(np.array([10., 10., 10.]), np.full(3, True))
    >>> found = places(np.array([0]), np.array([3]), ticks, errors, 1.96)
    >>> found.best.tolist(), found.worst.tolist()
    ([1, 1, 3], [2, 2, 3])
    """
    n = len(ticks)
    best, worst = np.ones(n, dtype=np.int64), np.ones(n, dtype=np.int64)
    best_unknown, worst_unknown = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    for start, size in zip(first.tolist(), sizes.tolist(), strict=True):
        rows = slice(start, start + size)
        # Row i, column j: how much better j is than i.
        gap = (ticks[rows][None, :] - ticks[rows][:, None]).astype(np.float64)
        variance = errors.se[rows] ** 2
        allowed = widths * np.sqrt(variance[:, None] + variance[None, :])
        both = errors.known[rows][:, None] & errors.known[rows][None, :]
        best[rows] = 1 + ((gap > allowed) & both).sum(axis=1)
        worst[rows] = size - ((-gap > allowed) & both).sum(axis=1)
        best_unknown[rows] = ((gap > 0) & ~both).any(axis=1)
        worst_unknown[rows] = ((gap < 0) & ~both).any(axis=1)
    return Places(best, worst, best_unknown, worst_unknown)
