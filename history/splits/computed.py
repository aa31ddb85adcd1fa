"""What does a formula over parts give, for every row of a history?

In: SCORES with the parts, and a Formula. Out: the exact results as score.* columns.
Start at columns(). Nothing becomes a float on the way; sums of multiples of parts, the usual
case, are done in whole columns.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from history import numbers
from history.frames import SCORE, dp_of, pointer_of, text_of, ticks_of, value_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from history.meaning.formula import Formula

MAX_DP = 18  # decimals kept of a result that ends

_INT64_SAFE = 2**62


def columns(scores: pd.DataFrame, formula: Formula) -> dict[str, pd.Series]:
    """The results of a formula, as the columns of a score.

    Args:
        scores: SCORES; needs `version`, and PART.ticks and PART.dp of each name in the formula.
        formula: over parts.

    Returns:
        score.text (the exact result in decimals), score.value, score.ticks, score.dp, and
        score.pointer, which is <NA>: the number stands nowhere. <NA> where a part is missing
        or a divisor is 0. A result that does not end within 18 decimals is rounded to 9,
        half to even; all results of a version have the same decimals.

    >>> from history.meaning.formula import parse
    >>> scores = pd.DataFrame({"version": 0, "a.ticks": pd.array([6429, 6283, None], "Int64"),
    ...     "a.dp": 2, "b.ticks": pd.array([564, 579, 600], "Int64"), "b.dp": 1})
    >>> columns(scores, parse("0.6*a + 0.4*b"))["score.text"].tolist()
    ['61.134', '60.858', nan]
    """
    linear = formula.coefficients()
    if linear is not None and linear[1] and _ends((linear[0], *linear[1].values())):
        ticks, dp = _linear(scores, *linear)
    else:
        ticks, dp = _row_by_row(scores, formula)
    return as_columns(ticks, dp, scores.index)


def as_columns(
    ticks: ExtensionArray, dp: NDArray[np.int64], index: pd.Index
) -> dict[str, pd.Series]:
    """Computed numbers as the columns of a score, indexed like the SCORES that they belong to."""
    results = list(zip(ticks.tolist(), dp.tolist(), strict=True))
    written = {one: _written(*one) for one in set(results)}  # the same few numbers, many times
    texts = [written[one] for one in results]
    values = [np.nan if text is None else float(text) for text in texts]
    made: dict[str, pd.Series] = {
        text_of(SCORE): pd.Series(pd.Categorical(texts)),
        value_of(SCORE): pd.Series(values, dtype="float64"),
        ticks_of(SCORE): pd.Series(ticks),
        dp_of(SCORE): pd.Series(dp, dtype="int8"),
        pointer_of(SCORE): pd.Series(pd.Categorical([None] * len(index))),
    }
    return {name: column.set_axis(index) for name, column in made.items()}


def _written(tick: int, places: int) -> str | None:
    return None if pd.isna(tick) else f"{Decimal(f'{tick}E-{places}'):f}"


def _linear(
    scores: pd.DataFrame, rest: Fraction, factors: Mapping[str, Fraction]
) -> tuple[ExtensionArray, NDArray[np.int64]]:
    """Exact ticks of a sum of multiples of parts, all rows with the same decimals at once."""
    missing = scores[[ticks_of(name) for name in factors]].isna().any(axis=1).to_numpy()
    decimals = scores[[dp_of(name) for name in factors]].to_numpy().astype(np.int64)
    printed = {name: scores[ticks_of(name)].to_numpy(dtype=object) for name in factors}
    ticks, dp = np.full(len(scores), pd.NA, dtype=object), np.zeros(len(scores), dtype=np.int64)
    for places in pd.DataFrame(decimals).drop_duplicates().to_numpy():
        same = (decimals == places).all(axis=1)
        rows = np.flatnonzero(same & ~missing)
        units = dict(zip(factors, places.tolist(), strict=True))
        unit = max(_decimals(rest), *(units[n] + _decimals(f) for n, f in factors.items()))
        total = np.full(len(rows), int(rest * 10**unit), dtype=object)
        for name, factor in factors.items():
            total = total + printed[name][rows] * int(factor * Fraction(10) ** (unit - units[name]))
        ticks[rows], dp[same] = total, unit
    return _integers(ticks), dp


def _row_by_row(scores: pd.DataFrame, formula: Formula) -> tuple[ExtensionArray, NDArray[np.int64]]:
    """Ticks of any formula; what stands there many times is computed once."""
    known: dict[tuple[Any, ...], Fraction | None] = {}
    results = []
    ticks = [scores[ticks_of(name)].tolist() for name in formula.names]
    decimals = [scores[dp_of(name)].tolist() for name in formula.names]
    for cells in zip(*ticks, *decimals, strict=True) if ticks else [()] * len(scores):
        if cells not in known:
            known[cells] = _evaluate(formula, cells)
        results.append(known[cells])
    needed = pd.Series([0 if result is None else _kept_decimals(result) for result in results])
    dp = needed.groupby(scores["version"].to_numpy()).transform("max").to_numpy()
    whole = [
        pd.NA if result is None else round(result * 10**places)
        for result, places in zip(results, dp.tolist(), strict=True)
    ]
    return _integers(np.array(whole, dtype=object)), dp


def _evaluate(formula: Formula, cells: tuple[Any, ...]) -> Fraction | None:
    """A formula on ticks followed by their decimals."""
    half = len(cells) // 2
    values: dict[str, Fraction | None] = {
        name: None if pd.isna(tick) else Fraction(tick) / Fraction(10) ** places
        for name, tick, places in zip(formula.names, cells[:half], cells[half:], strict=True)
    }
    result = formula.evaluate(values)
    assert result is None or isinstance(result, Fraction)  # no intervals went in
    return result


def _integers(ticks: NDArray) -> ExtensionArray:
    """Int64 where all fit, else Python ints."""
    missing = np.array([tick is pd.NA for tick in ticks], dtype=bool)
    plain = np.where(missing, 0, ticks)
    if len(plain) and not -_INT64_SAFE < min(plain) <= max(plain) < _INT64_SAFE:
        return pd.Series(ticks, dtype=object).array
    return pd.arrays.IntegerArray(plain.astype(np.int64), missing)


def _ends(factors: Sequence[Fraction]) -> bool:
    """Whether all are decimals of a sensible length."""
    return all(_ending_decimals(factor) is not None for factor in factors)


def _decimals(number: Fraction) -> int:
    found = _ending_decimals(number)
    assert found is not None  # _ends() was asked
    return found


def _kept_decimals(number: Fraction) -> int:
    """Decimals that a result needs, or is cut to."""
    found = _ending_decimals(number)
    return numbers.FULL_PRECISION_DP if found is None else found


def _ending_decimals(number: Fraction) -> int | None:
    """Decimals of a number; None if they never end, or are too many to keep.

    >>> [_ending_decimals(Fraction(text)) for text in ("0.125", "3", "1/3")]
    [3, 0, None]
    """
    for places in range(MAX_DP + 1):
        if 10**places % number.denominator == 0:
            return places
    return None
