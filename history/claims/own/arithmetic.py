"""What comes of arithmetic with printed numbers, whose unprinted digits nobody knows?

In: Measured numbers, or a formula over printed ones. Out: Measured. Start at quotient() and
computed(). All of it is exact; two operands count as independent of each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from history.claims.language.printed import Measured, decimals, number
from history.meaning import formula
from history.numbers import Interval, half_unit

_LITERAL = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def quotient(above: Measured, below: Measured) -> Measured:
    """One number divided by another.

    Raises:
        ZeroDivisionError: the number below could be 0.

    >>> found = quotient(Measured.printed("32.94"), Measured.printed("2.12"))
    >>> [round(float(end), 3) for end in (found.value, found.low, found.high)]
    [15.538, 15.499, 15.577]
    """
    span = Interval(above.low, above.high) / Interval(below.low, below.high)
    return Measured(above.value / below.value, span.low, span.high)


def negative(one: Measured) -> Measured:
    """A number with the other sign.

    >>> float(negative(Measured.printed("2.5")).low)
    -2.55
    """
    return Measured(-one.value, -one.high, -one.low)


def mean(numbers: Sequence[Measured]) -> Measured:
    """The mean of printed numbers.

    >>> float(mean([Measured.printed("1.0"), Measured.printed("2.0")]).high)
    1.55
    """
    return sum(numbers, start=Measured.exact(0)) / len(numbers)


def largest(numbers: Sequence[Measured]) -> Measured:
    """The largest of several numbers, whichever it is before rounding.

    >>> float(largest([Measured.printed("1"), Measured.printed("1.2")]).high)
    1.5
    """
    return Measured(
        max(one.value for one in numbers),
        max(one.low for one in numbers),
        max(one.high for one in numbers),
    )


def computed(text: str, exact: bool = False) -> Measured | None:
    """What a formula over printed numbers comes to.

    Args:
        text: arithmetic without names, `(3.25 - 2.7)/3.25`.
        exact: its numbers are counts or constants; else each stands for all that print so.

    Returns:
        None: it divides by what could be 0.

    Raises:
        FormulaError: it is no arithmetic, or names something.

    >>> found = computed("(3.25 - 2.7)/3.25")
    >>> [round(float(end), 3) for end in (found.value, found.low, found.high)]
    [0.169, 0.152, 0.186]
    >>> computed("1/(2 - 2)", exact=True) is None
    True
    """
    plain = text.replace("\u2212", "-")
    whole = formula.parse(plain)
    if whole.names:
        raise formula.FormulaError(f"{whole.names[0]!r} is no number")
    value = whole.evaluate({})
    if value is None:
        return None
    assert isinstance(value, Fraction)
    if exact:
        return Measured.exact(value)
    literals: dict[str, Interval] = {}

    def named(found: re.Match[str]) -> str:
        name = f"n{len(literals)}"
        literals[name] = _of_literal(found[0])
        return name

    span = formula.parse(_LITERAL.sub(named, whole.text)).evaluate(literals)
    if span is None:
        return None
    assert isinstance(span, Interval)
    # The printed value lies between the ends, but for a max() or min() of equal sides.
    return Measured(value, min(span.low, value), max(span.high, value))


def _of_literal(text: str) -> Interval:
    """All numbers that print as one in a formula; 1e3 is known to its last digit, a thousand."""
    digits, _, exponent = text.lower().partition("e")
    power = Fraction(10) ** int(exponent or 0)
    return Interval.around(Fraction(text), half_unit(decimals(digits)) * power)


def printed(text: str, exact: bool = False) -> Measured:
    """A number that stands in a claim; `exact` for a count.

    >>> float(printed("34").high), float(printed("34", exact=True).high)
    (34.5, 34.0)
    """
    return Measured.exact(number(text)) if exact else Measured.printed(text)
