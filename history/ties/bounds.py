"""What do published tie ranks say of the band, by each rule?

In: RANKS. Out: Bounds. Start at read() and bounds_of(). What rules mean stands in
`history.ties.inference`; all versions are taken at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, ticks_of

NO_BOUND = 2**62
_SAFE = 2**61
# More entries that are counted but not shown than one in so many explain anything.
ONE_IN = 10


class Rows(NamedTuple):
    """Ranked rows of the versions that print tie ranks, best first.

    Attributes:
        versions, dp, size: by version: its number, decimals, and how many rows it has.
        first: by version, where its rows begin.
        gap: by row, how far it is from the best of its version, in ticks, from 0 up.
        printed: places of the rows that print a tie rank, and
        rank: what they print.
        board: by printed row, which version it belongs to, from 0.
        head: by version, its first printed row.
        taken: by row, its place in the frame.
    """

    versions: NDArray[np.integer]
    dp: NDArray[np.integer]
    size: NDArray[np.integer]
    first: NDArray[np.integer]
    gap: NDArray
    printed: NDArray[np.integer]
    rank: NDArray[np.integer]
    board: NDArray[np.integer]
    head: NDArray[np.integer]
    taken: NDArray[np.integer]

    def printed_of(self, place: int) -> slice:
        """The printed rows of a version."""
        end = self.head[place + 1] if place + 1 < len(self.head) else len(self.board)
        return slice(int(self.head[place]), int(end))

    def gaps_of(self, place: int) -> NDArray:
        """The gaps of all rows of a version."""
        return self.gap[self.first[place] : self.first[place] + self.size[place]]


class Bounds(NamedTuple):
    """By rule ("anchored", "chain", "pairwise") what the printed rows say of the band.

    Attributes:
        at_least: by printed row, a gap that is tied; -1 where the row says nothing.
        below: by printed row, a gap that is apart; NO_BOUND where it says nothing.
        low, high, witnesses: by version, the widest that is tied (from 0 up), the narrowest
            that is apart, and how many gaps between different scores were looked at.
        off: by what ranks count ("positions", "groups") and version, how many groups have a
            number that no entries behind the shown ones explain.
        hidden: likewise, how many entries (or groups) are counted and not shown.
        equal: by version, whether the ranks are those of equal scores alone.
    """

    at_least: dict[str, NDArray]
    below: dict[str, NDArray]
    low: dict[str, NDArray]
    high: dict[str, NDArray]
    witnesses: Mapping[str, NDArray[np.integer]]
    off: Mapping[str, NDArray[np.integer]]
    hidden: Mapping[str, NDArray[np.integer]]
    equal: NDArray[np.bool_]


def read(ranks: pd.DataFrame) -> Rows | None:
    """The ranked rows of the versions that print tie ranks; None where none does."""
    if "tie_rank_published" not in ranks.columns:
        return None
    ranked = ranks["rank"].notna().to_numpy()
    published = ranks["tie_rank_published"]
    version = ranks["version"].to_numpy()
    telling = np.unique(version[ranked & published.notna().to_numpy()])
    taken = np.flatnonzero(ranked & np.isin(version, telling))
    if not len(taken):
        return None
    says = published.notna().to_numpy()[taken]
    rank = published.to_numpy(dtype=np.int64, na_value=NO_BOUND)[taken]
    # Equal scores stand in the order of their published ranks.
    place = ranks["rank"].to_numpy(dtype=np.int64, na_value=0)[taken]
    order = np.lexsort((rank, place, version[taken]))
    taken, says, rank = taken[order], says[order], rank[order]
    first = np.flatnonzero(np.diff(version[taken], prepend=version[taken[0]] - 1))
    size = np.diff(first, append=len(taken))
    board = np.repeat(np.arange(len(first)), size)
    column = ranks[ticks_of(SCORE)].iloc[taken]
    ticks = column.to_numpy() if column.dtype == object else column.to_numpy(dtype=np.int64)
    if ticks.dtype == object or max(int(ticks.max()), -int(ticks.min())) >= _SAFE:
        ticks = ticks.astype(object)
    gap = np.abs(ticks - ticks[first][board])
    if gap.dtype == object and max(gap.tolist()) < _SAFE:
        gap = gap.astype(np.int64)
    printed = np.flatnonzero(says)
    return Rows(
        versions=version[taken[first]],
        dp=ranks[dp_of(SCORE)].to_numpy()[taken[first]],
        size=size,
        first=first,
        gap=gap,
        printed=printed,
        rank=rank[printed],
        board=board[printed],
        head=np.flatnonzero(np.diff(board[printed], prepend=-1)),
        taken=taken,
    )


def bounds_of(rows: Rows) -> Bounds:
    """What every printed row says, by every rule.

    Where entries that are not shown were counted between a group and the next, one of them may
    be its head, or stand between two of its members: neither then bounds the band.
    """
    n, board, rank = len(rows.board), rows.board, rows.rank
    gap = rows.gap[rows.printed]
    place = rows.printed - rows.first[board]
    begins = np.ones(n, dtype=bool)
    begins[1:] = (rank[1:] != rank[:-1]) | (board[1:] != board[:-1])
    groups = np.flatnonzero(begins)
    number = np.cumsum(begins) - 1
    of = board[groups]
    opens = np.ones(len(groups), dtype=bool)  # the first group of its version
    opens[1:] = of[1:] != of[:-1]
    nth = np.arange(len(groups)) - np.flatnonzero(opens)[of]
    boards = len(rows.versions)

    off, hidden, grows = {}, {}, np.zeros(len(groups), dtype=bool)
    for counts, shown in (("positions", place[groups]), ("groups", nth)):
        more = rank[groups] - 1 - shown
        before = np.where(opens, 0, np.append(0, more[:-1]))
        off[counts] = np.bincount(of, weights=more < before, minlength=boards).astype(np.int64)
        hidden[counts] = more[np.append(np.flatnonzero(opens)[1:], len(groups)) - 1]
        if counts == "positions":
            grows[:-1] = (more > before)[1:] & ~opens[1:]
    # A file that counts groups says nothing of single entries.
    grows &= ((off["positions"] == 0) & (hidden["positions"] > 0))[of]
    grows &= ~((off["groups"] == 0) & (hidden["groups"] == 0))[of]

    # Ranked rows without a tie rank may stand before it, so that it need not lead its group.
    lonely = np.diff(place, prepend=-1) > 1
    lonely[rows.head] = place[rows.head] > 0
    unsure = grows | (lonely[groups] & (rank[groups] != place[groups] + 1))

    nothing_below = np.full(n, NO_BOUND).astype(gap.dtype)
    at_least, below = {}, {}
    # anchored: each member and its head; each head and the one before
    lead = gap[groups]
    at_least["anchored"] = np.where(begins, -1, gap - lead[number])
    heads = np.where(opens | np.append(True, unsure[:-1]), NO_BOUND, lead - np.append(0, lead[:-1]))
    below["anchored"] = nothing_below.copy()
    below["anchored"][groups] = heads
    # chain: neighbours
    step = gap - np.append(0, gap[:-1])
    at_least["chain"] = np.where(begins | lonely | grows[number], -1, step)
    apart = begins.copy()
    apart[rows.head] = False
    below["chain"] = np.where(apart, step, nothing_below)
    # pairwise: the rank-th best, and the one before
    possible = (rank >= 1) & (rank <= rows.size[board])
    of_rank = rows.first[board] + np.where(possible, rank, 1) - 1
    at_least["pairwise"] = np.where(possible, np.maximum(gap - rows.gap[of_rank], 0), -1)
    better = gap - rows.gap[np.maximum(of_rank - 1, 0)]
    below["pairwise"] = np.where(possible & (rank > 1), better, nothing_below)
    below["pairwise"][~possible] = -NO_BOUND

    low = {r: np.maximum(np.maximum.reduceat(g, rows.head), 0) for r, g in at_least.items()}
    high = {r: np.minimum.reduceat(g, rows.head) for r, g in below.items()}
    witnesses = {
        rule: np.bincount(
            board,
            weights=(at_least[rule] > 0).astype(int) + (below[rule] < NO_BOUND),
            minlength=boards,
        ).astype(np.int64)
        for rule in at_least
    }
    return Bounds(at_least, below, low, high, witnesses, off, hidden, _equal(rows))


def _equal(rows: Rows) -> NDArray[np.bool_]:
    """By version, whether each rank is one more than the number of better scores."""
    new = np.ones(len(rows.gap), dtype=bool)
    new[1:] = rows.gap[1:] != rows.gap[:-1]
    new[rows.first] = True
    competition = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0))
    same = competition[rows.printed] - rows.first[rows.board] + 1 == rows.rank
    return np.logical_and.reduceat(same, rows.head)
