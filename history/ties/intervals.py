"""Which places do overlapping intervals leave open?

In: Intervals of whole rankings. Out: the best and the worst place of every entry. Start at
places().
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from history.ties.measured import Intervals

_SAFE = 2**62


class Places(NamedTuple):
    """Places of ranked entries, by row, and where they are not known.

    Attributes:
        best, worst: from 1; of no meaning where unknown.
        best_unknown, worst_unknown: whether they hang on what the file does not say.
    """

    best: NDArray[np.integer]
    worst: NDArray[np.integer]
    best_unknown: NDArray[np.bool_]
    worst_unknown: NDArray[np.bool_]


def places(board: NDArray[np.integer], n_boards: int, of: Intervals) -> Places:
    """Upper and lower rank of every entry by its interval.

        best_i  = 1 + #{j: low_j > high_i}        worst_i = n - #{j: high_j < low_i}

    Strict: intervals that touch are tied. An entry without an interval has no place. As its
    interval would hold its score, it leaves open the place of another only where its score is
    above that one's interval (or below it).

    Args:
        board: whose row it is, from 0, equal ones side by side.
        n_boards: how many there are.
        of: intervals of all rows.

    Source: methods, section 2.3.

    >>> low, high = np.array([1302, 1298, 1295, 1290, 1283]), np.array([1318, 1310, 1303, 1301, 1293])
    >>> all_known = Intervals(low, high, low, np.ones(5, dtype=bool))
    >>> found = places(np.zeros(5, dtype=int), 1, all_known)
    >>> found.best.tolist(), found.worst.tolist()
    ([1, 1, 1, 2, 4], [3, 4, 4, 5, 5])
    """
    if of.known.all():
        above, below = counts(board, n_boards, of.low, of.high, board, of.low, of.high)
        best_unknown = worst_unknown = np.zeros(len(board), dtype=bool)
    else:
        there = np.flatnonzero(of.known)
        above, below = counts(
            board[there], n_boards, of.low[there], of.high[there], board, of.low, of.high
        )
        best_unknown, worst_unknown = _open(board, n_boards, of)
    n = np.bincount(board, minlength=n_boards)[board]
    return Places(1 + above, n - below, best_unknown, worst_unknown)


def counts(
    board: NDArray[np.integer],
    n_boards: int,
    low: NDArray,
    high: NDArray,
    asking: NDArray[np.integer],
    their_low: NDArray,
    their_high: NDArray,
) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """For those who ask, how many intervals of their board lie wholly above and below theirs."""
    low, high, their_low, their_high = _in_line(
        board, n_boards, (low, high), asking, (their_low, their_high)
    )
    size = np.bincount(board, minlength=n_boards)
    start = np.cumsum(size) - size
    # In one line, whoever stands in an earlier board is passed by all, in a later one by none.
    reached = np.searchsorted(np.sort(low), their_high, side="right") - start[asking]
    below = np.searchsorted(np.sort(high), their_low, side="left") - start[asking]
    return size[asking] - reached, below


def _in_line(
    board: NDArray[np.integer],
    n_boards: int,
    ends: tuple[NDArray, NDArray],
    asking: NDArray[np.integer],
    theirs: tuple[NDArray, NDArray],
) -> list[NDArray[np.int64]]:
    """All ends as whole numbers of one line on which each board has a stretch of its own."""
    values, sizes = [*ends, *theirs], [len(board)] * 2 + [len(asking)] * 2
    if not sum(sizes):
        return [np.zeros(0, dtype=np.int64)] * 4
    least = min((int(one.min()) for one in values if len(one)), default=0)
    span = 1 + max((int(one.max()) for one in values if len(one)), default=0) - least
    # Fractions and large numbers would not survive the shift as they are; their order does.
    kinds = {one.dtype.kind for one in values}
    if kinds & {"O", "f"} or span * (n_boards + 1) >= _SAFE:
        together = np.concatenate([one.astype(object) if "O" in kinds else one for one in values])
        codes = np.unique(together, return_inverse=True)[1]
        values = np.split(codes, np.cumsum(sizes)[:-1])
        least, span = 0, 1 + int(codes.max())
    begins = board * span - least
    low, high = values[0] + begins, values[1] + begins
    if asking is board and values[0] is values[2] and values[1] is values[3]:
        return [low, high, low, high]
    begins = asking * span - least
    return [low, high, values[2] + begins, values[3] + begins]


def _open(
    board: NDArray[np.integer], n_boards: int, of: Intervals
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether an entry without an interval could stand above, or below, each entry."""
    unknown = ~of.known
    above, below = unknown.copy(), unknown.copy()
    rows = np.flatnonzero(unknown)
    first = np.flatnonzero(np.diff(board[rows], prepend=-1))
    whose, score = board[rows][first], of.score[rows]
    for open_, extreme, end in ((above, np.maximum, of.high), (below, np.minimum, of.low)):
        place = np.full(n_boards, -1)
        place[whose] = np.arange(len(whose))
        there = np.flatnonzero(of.known & (place[board] >= 0))
        farthest = extreme.reduceat(score, first)[place[board[there]]]
        beyond = farthest > end[there] if extreme is np.maximum else farthest < end[there]
        open_[there] |= beyond.astype(bool)
    return above, below
