"""What do printed numbers say?

In: texts, as a file prints them. Out: exact numbers and how precise they are. One number alone:
parse(), in `history.numbers.printed`; a whole column: `history.numbers.column`.
"""

from history.numbers.printed import (
    FULL_PRECISION_DP,
    NO_UNIT,
    Interval,
    Printed,
    half_unit,
    mean,
    parse,
)

__all__ = [
    "FULL_PRECISION_DP",
    "NO_UNIT",
    "Interval",
    "Printed",
    "half_unit",
    "mean",
    "parse",
]
