"""How many Borda points does each entry get, part by part?

In: SCORES with parts. Out: the points as score.* columns. Start at columns(). In each part an
entry gets a point for every entry below it and half a point for every one that is equal: the
number of entries less its rank, of equal ones their average rank. Who has no number in a part
gets no points there, and stands below those that have one.

Source: de Borda, Mémoire sur les élections au scrutin (1781); ties as average ranks.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from history.frames import OUTSIDE, ticks_of
from history.meaning.definition import Direction
from history.splits import computed

if TYPE_CHECKING:
    from numpy.typing import NDArray


def columns(scores: pd.DataFrame, points: Mapping[str, Direction]) -> dict[str, pd.Series]:
    """Borda points, as the columns of a score.

    Args:
        scores: SCORES; needs `version`, `unranked` and PART.ticks of each part.
        points: the parts, and which end of each is best.

    Returns:
        score.text, score.value, score.ticks, score.dp, and score.pointer, which is <NA>: the
        number stands nowhere. <NA> for an entry without a number in any part. Who is ineligible,
        a duplicate or unreadable takes no part.

    >>> scores = pd.DataFrame({"version": 0, "unranked": None,
    ...     "a.ticks": pd.array([80, 80, 70], "Int64"), "b.ticks": pd.array([75, None, 74], "Int64")})
    >>> columns(scores, {"a": "higher", "b": "higher"})["score.text"].tolist()
    ['3.5', '1.5', '1.0']
    """
    versions = scores["version"].to_numpy()
    inside = taking_part(scores)
    listed = pd.Series(inside).groupby(versions).transform("sum").to_numpy(dtype=np.int64)
    twice, known = np.zeros(len(scores), dtype=np.int64), np.zeros(len(scores), dtype=bool)
    for part, direction in points.items():
        there = scores[ticks_of(part)].notna().to_numpy() & inside
        rows = np.flatnonzero(there)
        # Numbers in one order of size: ranks of ticks too long for floats stay exact.
        _, sizes = np.unique(_whole(scores[ticks_of(part)].iloc[rows]), return_inverse=True)
        ranks = pd.Series(sizes).groupby(versions[rows]).rank(ascending=direction == "lower")
        twice[rows] += 2 * listed[rows] - (2 * ranks.to_numpy()).astype(np.int64)
        known |= there
    halves = pd.Series(twice % 2 == 1).groupby(versions).transform("any").to_numpy(dtype=bool)
    ticks = pd.arrays.IntegerArray(np.where(halves, twice * 5, twice // 2), ~known)
    return computed.as_columns(ticks, halves.astype(np.int64), scores.index)


def taking_part(scores: pd.DataFrame) -> NDArray[np.bool_]:
    """Rows that get points, or would if they had numbers."""
    return ~scores["unranked"].isin(OUTSIDE).to_numpy()


def reach(
    scores: pd.DataFrame,
    points: Mapping[str, Direction],
    units: Mapping[str, NDArray[np.int64]],
    row: int,
) -> tuple[Fraction, Fraction]:
    """The fewest and the most points that unprinted digits leave possible to one entry.

    Args:
        scores: SCORES of one version.
        points: as in columns().
        units: by part, how many ticks the last printed decimal of each row is.
        row: the entry's place in `scores`.

    >>> scores = pd.DataFrame({"unranked": None, "a.ticks": pd.array([800, 799, 700], "Int64")})
    >>> low, high = reach(scores, {"a": "higher"}, {"a": np.array([1, 1, 1])}, 0)
    >>> float(low), float(high)
    (1.5, 2.0)
    """
    inside = taking_part(scores)
    fewest = most = 0
    for part, direction in points.items():
        there = scores[ticks_of(part)].notna().to_numpy() & inside
        if not there[row]:
            continue
        ticks = _whole(scores[ticks_of(part)].fillna(0))
        lead = (ticks[row] - ticks) * (2 if direction == "higher" else -2)
        far = units[part][row] + units[part]
        others = there.copy()
        others[row] = False
        below = 2 * int((inside & ~there).sum())
        fewest += below + int((2 * (lead > far) + (lead == far))[others].sum())
        most += below + int((2 * (lead > -far) + (lead == -far))[others].sum())
    return Fraction(fewest, 2), Fraction(most, 2)


def _whole(ticks: pd.Series) -> NDArray:
    if ticks.dtype == object:
        return np.array([int(tick) for tick in ticks], dtype=object)
    return ticks.to_numpy(dtype=np.int64)
