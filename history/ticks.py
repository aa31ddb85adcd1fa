"""Which exact number do ticks stand for?

In: ticks of 10**-dp, or a table with such columns. Out: fractions. Start at numbers_of().
"""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from history.frames import dp_of, ticks_of


def exact(tick: int, dp: int) -> Fraction:
    """The number of one cell.

    Args:
        tick: in units of 10**-dp.
        dp: decimals; below 0 for tens and hundreds.

    >>> str(exact(6906, 2)), str(exact(5, -1))
    ('3453/50', '50')
    """
    return Fraction(int(tick)) / Fraction(10) ** int(dp)


def numbers_of(table: pd.DataFrame, field: str) -> list[Fraction | None]:
    """The numbers of a column, row by row; None where there is none.

    Args:
        table: with FIELD.ticks and FIELD.dp.
        field: `score`, a part, or a measure.

    >>> table = pd.DataFrame({"a.ticks": pd.array([705, None], "Int64"), "a.dp": [1, 1]})
    >>> [one and str(one) for one in numbers_of(table, "a")]
    ['141/2', None]
    """
    cells = zip(table[ticks_of(field)].tolist(), table[dp_of(field)].tolist(), strict=True)
    return [None if pd.isna(tick) else exact(tick, dp) for tick, dp in cells]
