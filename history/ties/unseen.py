"""Do published tie ranks fit the pairwise rule, if the board counted entries that it does not show?

In: gaps and published ranks of one version. Out: the bands, and how many entries. Start at
pairwise(). By the other rules such entries show in the jumps of positions alone; here they show
in none, so that bands have to be tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# So many bands are tried; where there are more, the ranks say too little.
_MOST_BANDS = 4_000


class Unseen(NamedTuple):
    """Bands in [low, high) in ticks that fit with the fewest entries not shown."""

    low: int
    high: int
    hidden: int


def pairwise(every: NDArray, gap: NDArray, rank: NDArray[np.integer], most: int) -> Unseen | None:
    """The bands by which entries that are not shown explain every published rank.

    By a band b, entry i is behind c_i(b) shown ones; its rank says that it is behind
    rank_i - 1. The difference is how many hidden ones are ahead of it: at least 0, at most
    `most`, and never fewer for a worse entry.

    Args:
        every: distance of all shown entries from the best, from 0 up.
        gap, rank: distance and published rank of those that print one, best first.
        most: how many entries may be hidden.

    >>> every = np.array([0, 3, 9, 12])  # behind 4 the last says, and 3 are shown
    >>> pairwise(every, every, np.array([1, 2, 3, 5]), 1)
    Unseen(low=0, high=3, hidden=1)
    """
    n = len(every)
    if rank.min() < 1 or rank.max() > n + most or (np.diff(rank) < 0).any():
        return None
    # c_i <= rank_i - 1, and c_i >= rank_i - 1 - most
    tied, apart = rank - 1, rank - 2 - most
    low = max(0, int((gap - every[np.minimum(tied, n - 1)])[tied < n].max(initial=0)))
    ends = (gap - every[np.clip(apart, 0, n - 1)])[apart >= 0]
    high = int(ends.min(initial=int(every[-1]) + 1))
    if low >= high:
        return None
    gaps = np.unique(gap[:, None] - every[None, :])
    bands = np.append(low, gaps[(gaps > low) & (gaps < high)])
    if len(bands) > _MOST_BANDS:
        return None
    behind = np.searchsorted(every, (gap[None, :] - bands[:, None]).ravel(), side="left")
    more = rank[None, :] - 1 - behind.reshape(len(bands), -1)
    fits = (more[:, 0] >= 0) & (np.diff(more, axis=1) >= 0).all(axis=1) & (more[:, -1] <= most)
    if not fits.any():
        return None
    hidden = int(more[fits, -1].min())
    best = np.flatnonzero(fits & (more[:, -1] == hidden))
    end = high if best[-1] + 1 == len(bands) else int(bands[best[-1] + 1])
    return Unseen(int(bands[best[0]]), end, hidden)
