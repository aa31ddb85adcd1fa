"""How many of a version are better than a number, for many versions at once?

In: a Table of ranks. Out: counts. Start at in_order(). Versions and ticks make one sorted column of
whole numbers, in which any number is looked up by halves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from history.claims.row import NONE, Table

_LARGEST = 2**62


class InOrder:
    """All ranked rows, by version and best first, as one sorted column.

    Args:
        keys: of the ranked rows, sorted.
        starts: by version, how many ranked rows come before it.
        behind: of every row, how far it is behind the best of all versions, in ticks.
        versions: of every row; `span`: more than any distance.
    """

    def __init__(
        self,
        keys: NDArray[np.int64],
        starts: NDArray[np.intp],
        behind: NDArray[np.int64],
        versions: NDArray[np.integer],
        span: int,
    ):
        self._keys, self._starts, self._behind = keys, starts, behind
        self._versions, self._span = versions, span

    def before(self, rows: NDArray[np.intp], by: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many ranked rows of the same version are less behind than each row moved back by `by`."""
        versions = self._versions[rows].astype(np.int64)
        behind = np.clip(self._behind[rows] + by, 0, self._span)
        found = np.searchsorted(self._keys, versions * self._span + behind)
        return found - self._starts[versions]


def in_order(table: Table, lower: NDArray[np.bool_]) -> InOrder | None:
    """The rows of a history, ready to be counted; None where the ticks are too large.

    Args:
        table: with ticks in int64.
        lower: by version, whether less is better.
    """
    ranked = table.rank != NONE
    if not ranked.any():
        return None
    signed = np.where(lower[table.version], table.ticks, -table.ticks)
    best, worst = int(signed[ranked].min()), int(signed[ranked].max())
    span = worst - best + 1
    if span * (len(lower) + 1) >= _LARGEST or max(abs(best), abs(worst)) >= _LARGEST // 2:
        return None
    behind = np.where(ranked, signed - best, 0)
    versions = table.version.astype(np.int64)
    keys = versions[ranked] * span + behind[ranked]
    starts = np.searchsorted(versions[ranked], np.arange(len(lower)))
    return InOrder(keys, starts, behind, table.version, span)
