"""How far may each score be off, as the file says?

In: SCORES with the columns that a definition names as low, high, se or items. Out: intervals in
exact ticks, or standard errors. Start at read_intervals() and read_errors().
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, pointer_of, ticks_of, value_of
from history.sampling import of_shares
from history.ties.rule import TieError, TieRule

Source = Literal["low and high", "se", "items"]

_SAFE = 2**62  # smaller numbers can be added and subtracted in int64
# A 95 % interval is the score and 1.96 standard errors to each side.
_HUNDREDTHS = 196


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals of ranked entries; one unit per version, and larger is better.

    Attributes:
        low, high, score: int64 or Python ints, shape (n,); 0 where the file has no interval.
        known: whether the file has one.
    """

    low: NDArray
    high: NDArray
    score: NDArray
    known: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Errors:
    """Standard errors of ranked entries, in ticks of the score.

    Attributes:
        se: float64, shape (n,); 0 where it is not known.
        known: whether it is.
    """

    se: NDArray[np.float64]
    known: NDArray[np.bool_]


def source_of(rule: TieRule, measures: Collection[str]) -> Source | None:
    """Which of a board's measures a rule goes by; None where it needs none, or lacks them.

    >>> source_of(TieRule("interval"), ["se", "items"])
    'se'
    """
    if rule.rule == "interval" and {"low", "high"} <= set(measures):
        return "low and high"
    if rule.rule in ("interval", "se") and "se" in measures:
        return "se"
    return "items" if rule.rule == "se" and "items" in measures else None


def needed(rule: TieRule, measures: Collection[str], split: str | None = None) -> list[str]:
    """The measures that a rule has to have read.

    Args:
        rule: any.
        measures: what the definition names of low, high, se and items.
        split: what is ranked, if not the score: measures are of the score alone.

    Raises:
        TieError: the rule needs some, and they are not there.

    >>> needed(TieRule("interval"), ["low", "high", "items"])
    ['low', 'high']
    """
    if rule.rule not in ("interval", "se"):
        return []
    source = source_of(rule, measures)
    wanted = "low and high, or se" if rule.rule == "interval" else "se or items"
    if split is not None:
        found = f"{rule.rule} for the split {split!r}, and {wanted} are of the score"
        raise TieError("tie rule", found, "Leave the split out, or take a rule with a band")
    if source is None:
        found = f"{rule.rule}, and the definition does not name {wanted}"
        fix = "Name the columns in [table], or take anchored, chain or pairwise with a band"
        raise TieError("tie rule", found, fix)
    return source.split(" and ")


def read_intervals(rows: pd.DataFrame, better: NDArray, direction: str) -> Intervals:
    """The interval of every entry: low and high as printed, else the score and 1.96 se.

    Args:
        rows: SCORES of ranked entries.
        better: their scores in ticks, negated where lower is better.
        direction: which end is best.

    Raises:
        TieError: there are neither.

    >>> rows = pd.DataFrame({"score.dp": [1], "se.ticks": pd.array([50], "Int64"), "se.dp": [2]})
    >>> found = read_intervals(rows, np.array([712]), "higher")
    >>> found.low.tolist(), found.high.tolist(), found.score.tolist()  # 71.2, 0.98 to each side
    ([702200], [721800], [712000])
    """
    there = [name for name in ("low", "high", "se") if ticks_of(name) in rows.columns]
    needed(TieRule("interval"), there)
    said = [name for name in there if rows[ticks_of(name)].notna().any()]
    source = source_of(TieRule("interval"), said)
    if source is None:
        nothing = np.zeros(len(rows), dtype=better.dtype)
        return Intervals(nothing, nothing, better, nothing.astype(bool))
    dp = rows[dp_of(SCORE)].to_numpy(np.int64)
    if source == "se":
        se, known = _plain(rows, "se")
        of_se = rows[dp_of("se")].to_numpy(np.int64) + 2
        common = np.maximum(dp, of_se)
        score, off = _times(better, common - dp), _times(_by(se, _HUNDREDTHS), common - of_se)
        score, off = _alike(score, off)
        return Intervals(score - off, score + off, score, known)
    low, has_low = _plain(rows, "low")
    high, has_high = _plain(rows, "high")
    places = [dp, *(rows[dp_of(name)].to_numpy(np.int64) for name in ("low", "high"))]
    common = np.maximum(np.maximum(*places[:2]), places[2])
    score, low, high = (
        _times(ticks, common - of) for ticks, of in zip((better, low, high), places, strict=True)
    )
    if direction == "lower":
        low, high = -high, -low
    return Intervals(low, high, score, has_low & has_high)


def read_errors(rows: pd.DataFrame) -> Errors:
    """The standard error of every score: se as printed, else sqrt(p(1 - p)/n) of its items.

    Where all n items are right, or all wrong, half the Wilson interval of one standard error,
    1/(2(n + 1)). Scores are shares of 1 if none is above 1, else percentages; of scores that are
    neither, no standard error is known.

    Source: methods, section 3.1.

    Raises:
        TieError: there are neither.

    >>> rows = pd.DataFrame({"version": 0, "score.value": [74.0], "score.dp": [1],
    ...     "items.value": [2000.0]})
    >>> read_errors(rows).se.round(1).tolist()  # 0.98 points
    [9.8]
    """
    unit = 10.0 ** rows[dp_of(SCORE)].to_numpy(np.float64)
    if value_of("se") in rows:
        se = rows[value_of("se")].to_numpy(np.float64)
    elif value_of("items") in rows:
        value = rows[value_of(SCORE)].to_numpy(np.float64)
        n = rows[value_of("items")].to_numpy(np.float64)
        whole = np.where(rows.groupby("version")[value_of(SCORE)].transform("max") <= 1, 1, 100)
        p = value / whole
        with np.errstate(divide="ignore"):
            se = np.where((p == 0) | (p == 1), 1 / (2 * (n + 1)), of_shares(p, n))
        se = np.where(n > 0, se * whole, np.nan)
    else:
        needed(TieRule("se", band="1"), ())
    known = np.isfinite(se) & (se >= 0)
    return Errors(np.where(known, se, 0) * unit, known)


def half_units(rows: pd.DataFrame) -> NDArray:
    """Twice how far each end of an interval may be off by rounding, in the ticks of Intervals.

    Half a unit of its last decimal where it is printed itself; a whole one where both ends stand in
    one cell, such as "71.2 ± 0.8", and are the rounded score and a rounded number added up. Of
    intervals made of standard errors nothing is said: 0.
    """
    if not {ticks_of("low"), ticks_of("high")} <= set(rows.columns):
        return np.zeros(len(rows), dtype=np.int64)
    dp = [rows[dp_of(name)].to_numpy(np.int64) for name in (SCORE, "low", "high")]
    common = np.maximum(np.maximum(dp[0], dp[1]), dp[2])
    cells = [rows[name].tolist() for name in map(pointer_of, ("low", "high")) if name in rows]
    there = [pair for pair in zip(*cells, strict=True) if not pd.isna(pair[-1])]
    added = len(cells) == 2 and bool(there) and all(low == high for low, high in there)
    powers = [(1 + added) * 10**off for off in (common - np.minimum(dp[1], dp[2])).tolist()]
    return np.array(powers, dtype=np.int64 if max(powers, default=0) < _SAFE else object)


def _plain(rows: pd.DataFrame, field: str) -> tuple[NDArray, NDArray[np.bool_]]:
    """Ticks of a field, 0 where there are none, and where there are some."""
    column = rows[ticks_of(field)]
    known = column.notna().to_numpy()
    if column.dtype == object:
        return np.where(known, column.to_numpy(), 0), known
    return column.to_numpy(dtype=np.int64, na_value=0), known


def _times(ticks: NDArray, places: NDArray[np.integer]) -> NDArray:
    """Ticks of so many more decimals; Python ints where int64 would not hold them."""
    if not places.any():
        return ticks
    most = int(places.max())
    if ticks.dtype != object and most <= 18 and _largest(ticks) * 10**most < _SAFE:
        return ticks * 10 ** places.astype(np.int64)
    powers = np.array([10**place for place in places.tolist()], dtype=object)
    return ticks.astype(object) * powers


def _by(ticks: NDArray, factor: int) -> NDArray:
    fits = ticks.dtype != object and _largest(ticks) * factor < _SAFE
    return (ticks if fits else ticks.astype(object)) * factor


def _largest(ticks: NDArray) -> int:
    return max(int(ticks.max()), -int(ticks.min())) if len(ticks) else 0


def _alike(one: NDArray, two: NDArray) -> tuple[NDArray, NDArray]:
    """Both as int64 if their sum fits, else both as Python ints."""
    if object not in (one.dtype, two.dtype) and _largest(one) + _largest(two) < _SAFE:
        return one, two
    return one.astype(object), two.astype(object)
