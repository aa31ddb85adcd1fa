"""Who stands where?

In: SCORES of any number of versions. Out: RANKS, best first within each version.
Start at rank(). The rank of a board is the competition rank ("1 2 2 4"): one more than
the number of entries that are strictly better. An entry without a usable score has
no rank; it is never last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from history.frames import SCORE, dp_of, ticks_of
from history.ties import (
    NO_TIES,
    Errors,
    Intervals,
    TieRule,
    read_errors,
    read_intervals,
    tie_groups,
)

Direction = Literal["higher", "lower"]
Convention = Literal["competition", "max", "dense", "fractional", "ordinal"]

_INT64_SAFE = 2**62  # can be negated and subtracted without overflow


def rank(
    scores: pd.DataFrame,
    *,
    field: str = SCORE,
    direction: Direction = "higher",
    rule: TieRule = NO_TIES,
    bands: Mapping[int, str] | None = None,
) -> pd.DataFrame:
    """Rank every version of a history.

    Args:
        scores: SCORES rows; needs version, entry, unranked, FIELD.ticks and FIELD.dp,
            other columns are kept. Ticks of one version share one dp.
        field: `score`, or a part to rank by.
        direction: which end is best.
        rule: the board's tie rule; interval needs the columns of low and high, or of se, and
            the rule se those of se, or of items.
        bands: printed tie band by version; where missing, `rule.band`.

    Returns:
        RANKS: the rows of `scores` with rank, tie_group, tie_rank, rank_low, rank_high, tied,
        n_ranked;
        by version, rank, entry (code-point order), unranked ones last. Rows that
        have no ticks and no other reason get unranked = "no_score".

    Raises:
        TieError: the rule needs columns that are not there.

    >>> scores = pd.DataFrame({"version": 0, "entry": ["c", "a", "b", "d"], "unranked": pd.NA,
    ...     "score.ticks": pd.array([52, 49, 52, None], dtype="Int64"), "score.dp": 1})
    >>> table = rank(scores, direction="lower")
    >>> table["entry"].tolist(), table["rank"].tolist(), table["n_ranked"].tolist()
    (['a', 'b', 'c', 'd'], [1, 2, 2, <NA>], [3, 3, 3, 3])
    """
    version = scores["version"].to_numpy()
    better, missing = _better(scores[ticks_of(field)], direction)
    unranked = scores["unranked"].notna().to_numpy() | missing
    worse = np.where(unranked, 0, -better)
    order = _order(version, unranked, worse, _code_point_order(scores["entry"]))

    frame = scores.take(order).reset_index(drop=True)
    ranked = ~unranked[order]
    rows = order[ranked]
    version, ticks = version[rows], better[rows]
    dp = scores[dp_of(field)].to_numpy()[rows]
    measured: Intervals | Errors | None = None
    if rule.rule == "interval":
        measured = read_intervals(frame[ranked], ticks, direction)
    elif rule.rule == "se":
        measured = read_errors(frame[ranked])
    ties = tie_groups(version, ticks, dp, rule, bands, measured)
    places = np.where(ranked, np.cumsum(ranked) - 1, -1)
    tied = np.zeros(len(frame), dtype=bool)
    tied[ranked] = ties["tied"].to_numpy()
    return frame.assign(
        unranked=_with_reason(frame["unranked"], ~ranked),
        rank=_spread(_competition(version, ticks), places),
        tie_group=_spread(ties["tie_group"], places),
        tie_rank=_spread(ties["tie_rank"], places),
        rank_low=_spread(ties["rank_low"], places),
        rank_high=_spread(ties["rank_high"], places),
        tied=tied,
        n_ranked=_count(frame["version"].to_numpy(), ranked),
    )


def joined(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """RANKS of several stages as one table."""
    frame = pd.concat(tables).sort_values("version", kind="stable", ignore_index=True)
    texts = [
        name
        for name in frame.columns
        if frame[name].dtype == object and not name.endswith(".ticks")
    ]
    return frame.astype(dict.fromkeys(texts, "category"))


def convention_ranks(
    ticks: pd.Series, convention: Convention = "competition", direction: Direction = "higher"
) -> pd.Series:
    """Rank one board by any of the usual conventions, to compare with what others publish.

    Args:
        ticks: Int64 or object of int, one per entry; <NA> has no rank.
        convention: competition ("1 2 2 4"), max ("1 3 3 4"), dense ("1 2 2 3"),
            fractional (mean of the first two), ordinal (1 2 3 4, ties in input order).
        direction: which end is best.

    Returns:
        Int64 (fractional: Float64), indexed like `ticks`.

    >>> board = pd.Series([713, 691, 691, 680, 680, 680, None], dtype="Int64")
    >>> convention_ranks(board, "max").tolist()
    [1, 3, 3, 6, 6, 6, <NA>]
    """
    better, missing = _better(ticks, direction)
    better = better[~missing]
    _, level, size = np.unique(-better, return_inverse=True, return_counts=True)
    last = np.cumsum(size)[level]
    first = last - size[level] + 1
    place: NDArray
    if convention == "ordinal":
        place = np.empty(len(better), dtype=np.int64)
        place[np.argsort(-better, kind="stable")] = np.arange(1, len(better) + 1)
    else:
        places = {"competition": first, "max": last, "dense": level + 1}
        place = (first + last) / 2 if convention == "fractional" else places[convention]
    dtype = "Float64" if convention == "fractional" else "Int64"
    found = pd.Series(pd.NA, index=ticks.index, dtype=dtype)
    found[~missing] = place
    return found


def _better(ticks: pd.Series, direction: Direction) -> tuple[NDArray, NDArray[np.bool_]]:
    """Ticks so that larger is better (0 where missing), and where they are missing."""
    missing = ticks.isna().to_numpy()
    if ticks.dtype == object:
        plain = np.where(missing, 0, ticks.to_numpy())
        # object arithmetic is slow; most columns of Python ints would fit after all
        if all(-_INT64_SAFE < tick < _INT64_SAFE for tick in plain):
            plain = plain.astype(np.int64)
    else:
        plain = ticks.to_numpy(dtype=np.int64, na_value=0)
    # ticks are negated, not floats: there is no -0
    return (-plain if direction == "lower" else plain), missing


def _order(
    version: NDArray, unranked: NDArray[np.bool_], worse: NDArray, entry: NDArray
) -> NDArray[np.intp]:
    """Rows by version, ranked before unranked, then score, then entry.

    One number for all four, where they fit into it, is sorted four times as fast.
    """
    keys = (version, unranked, worse, entry)
    if len(version) and worse.dtype != object:
        lows = [int(key.min()) for key in keys]
        widths = [int(key.max()) - low + 1 for key, low in zip(keys, lows, strict=True)]
        if math.prod(widths) < _INT64_SAFE:
            packed = np.zeros(len(version), dtype=np.int64)
            for key, low, width in zip(keys, lows, widths, strict=True):
                packed *= width
                packed += key - low
            return np.argsort(packed)
    return np.lexsort(keys[::-1])


def _code_point_order(entry: pd.Series) -> NDArray[np.integer]:
    """A number per row that sorts like its key."""
    keys = entry.astype("category").cat
    names = keys.categories.tolist()
    place = np.empty(len(names), dtype=np.int64)
    place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return place[keys.codes.to_numpy()]


def _competition(version: NDArray, ticks: NDArray) -> NDArray[np.integer]:
    """1 + entries strictly better, of rows that are sorted best first within each version."""
    at = np.arange(len(version))
    new_board = np.ones(len(version), dtype=bool)
    new_board[1:] = version[1:] != version[:-1]
    new_score = new_board.copy()
    new_score[1:] |= (ticks[1:] != ticks[:-1]).astype(bool)
    start = np.maximum.accumulate(np.where(new_board, at, 0))
    return np.maximum.accumulate(np.where(new_score, at, 0)) - start + 1


def _spread(values: pd.Series | NDArray, places: NDArray[np.integer]) -> ExtensionArray:
    """Values of the ranked rows as a column of all rows, by their places; <NA> at place -1."""
    found = pd.array(values)
    return found if len(found) == len(places) else found.take(places, allow_fill=True)


def _with_reason(unranked: pd.Series, without_rank: NDArray[np.bool_]) -> pd.Series:
    """Reasons, with "no_score" where a row has no rank and no reason yet."""
    unexplained = without_rank & unranked.isna().to_numpy()
    if not unexplained.any():
        return unranked
    return unranked.astype(object).mask(unexplained, "no_score").astype("category")


def _count(version: NDArray, ranked: NDArray[np.bool_]) -> NDArray[np.integer]:
    """Ranked rows of each row's version; equal versions stand side by side."""
    starts = np.flatnonzero(np.diff(version, prepend=version[:1] - 1))
    counts = np.add.reduceat(ranked, starts, dtype=np.int32) if len(starts) else starts
    return np.repeat(counts, np.diff(starts, append=len(version))).astype(np.int32)
