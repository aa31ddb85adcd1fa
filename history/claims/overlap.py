"""Do the intervals of two entries overlap, whatever their unprinted digits?

In: RANKS of one version, with low and high, or se. Out: whether they are tied by the rule
interval. Start at overlap().
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from history.frames import SCORE, ticks_of
from history.ties import half_units, read_intervals


class Overlap(NamedTuple):
    """Whether two intervals overlap.

    Attributes:
        yes: None where one of them is not in the file.
        rounding: whether unrounded ends could say otherwise.
    """

    yes: bool | None
    rounding: bool


def overlap(ranks: pd.DataFrame, one: str, other: str) -> Overlap:
    """Whether two ranked entries are tied by the rule interval; ends that touch overlap.

    >>> ranks = pd.DataFrame({"entry": ["a", "b"], "score.ticks": [9, 5], "score.dp": 0,
    ...     "low.ticks": pd.array([7, 3], "Int64"), "high.ticks": pd.array([11, 7], "Int64"),
    ...     "low.dp": 0, "high.dp": 0})
    >>> overlap(ranks, "a", "b")
    Overlap(yes=True, rounding=True)
    """
    rows = ranks[ranks["entry"].isin([one, other])]
    if len(rows) < 2:
        return Overlap(True, False)  # one and the same
    ticks = np.array([int(tick) for tick in rows[ticks_of(SCORE)]])
    found = read_intervals(rows, ticks, "higher")
    if not found.known.all():
        return Overlap(None, False)
    low, high = found.low.tolist(), found.high.tolist()
    shared = 2 * min(high[0] - low[1], high[1] - low[0])
    unsure = sum(half_units(rows).tolist())
    return Overlap(shared >= 0, (shared >= unsure) != (shared >= -unsure))
