"""How does a board round before it ranks?

In: a printed number, in units of its own last decimal. Out: the same in units of fewer decimals.
Start at rounded().

Boards that rank what they show round first, and the languages that they are written in do it in
different ways: of the 10,000 numbers x.xx5 below 100, Python's f"{x:.2f}" gives 5,000 another second
decimal than the rule of school does.

| mode | rounds | as |
| --- | --- | --- |
| half up | the printed digits, halves away from zero | people |
| half even | the printed digits, halves to the even digit | decimal libraries |
| toFixed | the nearest binary number, halves away from zero | JavaScript |
| printf | the nearest binary number, halves to the even digit | C, Python's format |
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import Literal

Mode = Literal["half up", "half even", "toFixed", "printf"]

_BINARY = {"toFixed": ROUND_HALF_UP, "printf": ROUND_HALF_EVEN}
_EXACT = Context(prec=1_200)  # a binary number has at most 1,100 digits
_LARGEST = 10**300  # beyond, there may be no binary number; those have no decimals anyway


def rounded(digits: int, own: int, dp: int, mode: Mode = "half up") -> int:
    """A number in units of 10**-dp.

    Args:
        digits: the number in units of 10**-own.
        own, dp: decimals that it has, and that it is to have; dp is less.
        mode: how.

    >>> [rounded(125, 3, 2, mode) for mode in ("half up", "half even", "toFixed", "printf")]
    [13, 12, 13, 12]
    >>> [rounded(1005, 3, 2, mode) for mode in ("half up", "half even", "toFixed", "printf")]
    [101, 100, 100, 100]
    """
    step = 10 ** (own - dp)
    if mode in _BINARY and abs(digits) < _LARGEST * 10**own:
        binary = Decimal(digits / 10**own)  # the nearest double, exactly
        unit = Decimal(1).scaleb(-dp)
        return int(binary.quantize(unit, _BINARY[mode], _EXACT).scaleb(dp, _EXACT))
    whole, rest = divmod(abs(digits), step)
    halves_up = mode in ("half up", "toFixed")
    if 2 * rest > step or (2 * rest == step and (halves_up or whole % 2)):
        whole += 1
    return -whole if digits < 0 else whole
