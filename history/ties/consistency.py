"""Are published tie ranks those of the intervals that stand beside them?

In: RANKS with low and high. Out: by version, how many entries have another rank, and whether
rounding explains it. Start at of_intervals(). Ranks that were made from unrounded intervals need
not be those of the printed ones, so that they are held against all that rounding allows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import SCORE, ticks_of
from history.ties.bounds import Rows
from history.ties.intervals import counts, places
from history.ties.measured import Intervals, half_units, read_intervals


class Consistency(NamedTuple):
    """Published ranks of one version against the intervals.

    Attributes:
        compared: entries with a rank and an interval.
        other: how many of them have another rank than the printed intervals give.
        impossible: how many have a rank that no rounding explains.
    """

    compared: int
    other: int
    impossible: int


def of_intervals(
    ranks: pd.DataFrame, rows: Rows, lower_is_better: Callable[[int], bool]
) -> dict[int, Consistency]:
    """Compare every version that prints low and high.

    Source: methods, section 2.3: an end that is printed may be half a unit off, one that is the
    score with a printed number added to it a whole one.
    """
    ends = [name for name in ("low", "high") if ticks_of(name) in ranks.columns]
    if len(ends) < 2 or any(ranks[ticks_of(name)].isna().all() for name in ends):
        return {}
    size, published = rows.size, np.full(len(rows.taken), -1)
    published[rows.printed] = rows.rank
    lower = np.array([lower_is_better(version) for version in rows.versions.tolist()], dtype=bool)
    found: dict[int, Consistency] = {}
    for direction in ("higher", "lower"):
        wanted = np.flatnonzero(lower == (direction == "lower"))
        here = np.repeat(lower == (direction == "lower"), size)
        if not here.any():
            continue
        frame = ranks.iloc[rows.taken[here]]
        column = frame[ticks_of(SCORE)]
        ticks = column.to_numpy() if column.dtype == object else column.to_numpy(dtype=np.int64)
        of = read_intervals(frame, -ticks if direction == "lower" else ticks, direction)
        board = np.repeat(np.arange(len(wanted)), size[wanted])
        found |= _compared(frame, of, board, wanted, published[here])
    return found


def _compared(
    frame: pd.DataFrame,
    of: Intervals,
    board: NDArray[np.integer],
    wanted: NDArray[np.integer],
    published: NDArray[np.integer],
) -> dict[int, Consistency]:
    n = len(wanted)
    exact = places(board, n, of)
    telling = (published >= 0) & ~exact.best_unknown
    there = np.flatnonzero(of.known)
    slack = half_units(frame)
    # Twice everything, so that half a unit is whole; an entry is not ahead of itself.
    low, high = 2 * of.low, 2 * of.high
    fewest, most = (
        counts(
            board[there],
            n,
            (low + way * slack)[there],
            high[there],
            board,
            low,
            high - way * slack,
        )[0]
        for way in (-1, 1)
    )
    most -= (of.known & (low + slack > high - slack)).astype(np.int64)
    other = telling & (published != exact.best)
    impossible = telling & ((published < 1 + fewest) | (published > 1 + most))
    sums = (np.bincount(board, weights=flag, minlength=n) for flag in (telling, other, impossible))
    return {
        int(place): Consistency(*(int(number) for number in numbers))
        for place, *numbers in zip(wanted.tolist(), *sums, strict=True)
        if numbers[0]
    }
