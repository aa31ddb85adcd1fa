"""What does a printed number say, and how precisely?

In: the text of a cell. Out: Printed, the exact number and how it was printed, or why there is
none. Start at parse(); Interval computes with what the unprinted digits leave open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from history.numbers.marks import MAX_TEXT, Spread, Unit, look

Reason = Literal["missing", "not_a_number", "not_finite", "comma", "bound", "about", "ambiguous"]
Exact = int | Fraction | Decimal

# Rules 2 of methods: floats written in full carry noise in their last digits.
FULL_PRECISION_DIGITS = 15
FULL_PRECISION_DP = 9
MAX_EXPONENT = 100

_MISSING = frozenset({"", "n/a", "na", "-", "–", "—", "nan", ".nan", "null", "none"})
_NUMBER = re.compile(
    r"(?P<sign>[+\-−]?)(?P<whole>\d{1,3}(?:,\d{3})+|\d+)?(?:\.(?P<part>\d*))?"
    r"(?:[eE](?P<exponent>[+-]?\d{1,4}))?(?P<percent>\s*%)?",
    re.ASCII,
)
_NOT_FINITE = re.compile(r"[+\-−]?(?:\.?inf|infinity|∞)", re.IGNORECASE)
_WITH_COMMA = re.compile(
    r"[+\-−]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+(?:[eE][+-]?\d{1,4})?\s*%?", re.ASCII
)
NO_UNIT, _PERCENT = Unit(), Unit("%")


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed number, exactly.

    Attributes:
        digits: the number in units of 10**-dp; 0 where there is none.
        dp: decimals printed, at least 0; 0 where there is no number.
        significant: digits from the first that is not 0.
        number: the nearest float, for charts; NaN where there is no number.
        reason: None for a number. "missing": a text that says that there is none;
            "not_a_number": any other text; "not_finite"; "bound" (<0.1) and "about" (~71): no exact
            value; "ambiguous": a text with two readings; "comma": a number whose comma can only be
            understood from the rest of its column.
        unit: what is counted; None where there is no number.
        spread: how far the number may be off, if the text says; also of a text that says no more.
        either: for people, the two readings of an ambiguous text.
    """

    digits: int
    dp: int
    significant: int
    number: float
    reason: Reason | None = None
    unit: Unit | None = None
    spread: Spread | None = None
    either: str | None = None

    @property
    def value(self) -> Decimal | None:
        """The number, None where there is none."""
        return None if self.reason else Decimal(f"{self.digits}E-{self.dp}")

    @property
    def full_precision(self) -> bool:
        """Whether it looks like a float written in full, whose last digits are noise."""
        return self.dp > FULL_PRECISION_DP and self.significant >= FULL_PRECISION_DIGITS


def no_number(reason: Reason, either: str | None = None, spread: Spread | None = None) -> Printed:
    """What a text says that is no number."""
    return Printed(0, 0, 0, float("nan"), reason, None, spread, either)


def parse(text: str | None) -> Printed:
    """Read one printed number; what is not plainly one is never guessed.

    A sign, a percent sign, an exponent and thousands separators that cannot be anything else
    are understood, and what `history.numbers.marks` knows to stand round a number.

    >>> parse("67.30").digits, parse("67.30").dp, parse("8.9 %").value, parse("1e3").value
    (6730, 2, Decimal('8.9'), Decimal('1000'))
    >>> parse("🥇 71.2 ± 0.8†").value, parse("45 ms").unit.name, parse("1.2k").value
    (Decimal('71.2'), 'ms', Decimal('1200'))
    >>> parse("pending").reason, parse("N/A").reason, parse("-inf").reason, parse("1,234").reason
    ('not_a_number', 'missing', 'not_finite', 'comma')
    """
    stripped = "" if text is None else text.strip()
    if stripped.casefold() in _MISSING:
        return no_number("missing")
    if len(stripped) > MAX_TEXT:
        return no_number("not_a_number")
    printed = _plain(stripped)
    if printed.reason != "not_a_number":
        return printed
    marked = look(stripped)
    if marked.number is None:
        return no_number(marked.reason or "not_a_number", marked.either, marked.spread)
    printed = _plain(marked.number)
    if printed.reason:
        return printed
    return replace(printed, unit=marked.unit, spread=_around(printed, marked.spread))


def _plain(text: str) -> Printed:
    """A number without anything round it but a percent sign."""
    found = _NUMBER.fullmatch(text)
    if found is None or not (found["whole"] or found["part"]):
        if _NOT_FINITE.fullmatch(text):
            return no_number("not_finite")
        return no_number("comma" if _WITH_COMMA.fullmatch(text) else "not_a_number")
    whole, part, exponent = found["whole"] or "", found["part"] or "", int(found["exponent"] or 0)
    grouped = whole.count(",")
    if grouped and (whole.startswith("0") or (grouped == 1 and found["part"] is None)):
        return no_number("comma")
    if abs(exponent) > MAX_EXPONENT:
        return no_number("not_a_number")
    written = whole.replace(",", "") + part
    digits, dp = int(written), len(part) - exponent
    if dp < 0:
        digits, dp = digits * 10**-dp, 0
    if dp > MAX_EXPONENT:
        return no_number("not_a_number")
    signed = -digits if found["sign"] in ("-", "−") else digits
    unit = _PERCENT if found["percent"] else NO_UNIT
    return Printed(signed, dp, len(written.lstrip("0")), signed / 10**dp, None, unit)


def _around(printed: Printed, spread: Spread | None) -> Spread | None:
    """A spread that can be one: ends lie on both sides of the number."""
    if spread is None or spread.kind != "ends" or printed.value is None:
        return spread
    low, high = parse(spread.down).value, parse(spread.up).value
    inside = low is not None and high is not None and low <= printed.value <= high
    return spread if inside else None


def half_unit(dp: int) -> Fraction:
    """Half of the last printed decimal: how far the unprinted value may be away.

    >>> half_unit(2), half_unit(-1)
    (Fraction(1, 200), Fraction(5, 1))
    """
    return Fraction(1, 2) / Fraction(10) ** dp


@dataclass(frozen=True, slots=True)
class Interval:
    """All values that printed numbers leave possible, both ends included.

    Sums, differences, products and quotients are exact; two operands count as independent.

    >>> low_high = Interval.printed("32.94") / Interval.printed("2.12")
    >>> round(float(low_high.low), 3), round(float(low_high.high), 3)
    (15.499, 15.577)
    >>> gain = Interval.printed("70.2") - Interval.printed("66.25")
    >>> float(gain.low), float(gain.high)
    (3.895, 4.005)
    """

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"an interval runs upwards, got {self.low} to {self.high}")

    @classmethod
    def around(cls, value: Exact, half: Exact) -> Interval:
        """The values within `half` of one."""
        middle, reach = Fraction(value), Fraction(half)
        return cls(middle - reach, middle + reach)

    @classmethod
    def printed(cls, text: str, dp: int | None = None) -> Interval:
        """What a printed number stands for; `dp` where its column has more decimals than it.

        Raises:
            ValueError: the text is no number, or more than one.
        """
        number = parse(text)
        if number.reason or number.spread or number.unit not in (NO_UNIT, _PERCENT):
            raise ValueError(f"{text!r} is no number")
        value = Fraction(number.digits) / Fraction(10) ** number.dp
        return cls.around(value, half_unit(number.dp if dp is None else dp))

    @property
    def middle(self) -> Fraction:
        """The value halfway."""
        return (self.low + self.high) / 2

    def holds(self, other: Interval | Exact) -> bool:
        """Whether a value, or every value of another interval, lies inside."""
        inner = _interval(other)
        return self.low <= inner.low and inner.high <= self.high

    def meets(self, other: Interval | Exact) -> bool:
        """Whether some value lies in both."""
        second = _interval(other)
        return self.low <= second.high and second.low <= self.high

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Interval | Exact) -> Interval:
        second = _interval(other)
        return Interval(self.low + second.low, self.high + second.high)

    __radd__ = __add__

    def __sub__(self, other: Interval | Exact) -> Interval:
        return self + -_interval(other)

    def __rsub__(self, other: Exact) -> Interval:
        return _interval(other) - self

    def __mul__(self, other: Interval | Exact) -> Interval:
        second = _interval(other)
        ends = [a * b for a in (self.low, self.high) for b in (second.low, second.high)]
        return Interval(min(ends), max(ends))

    __rmul__ = __mul__

    def __truediv__(self, other: Interval | Exact) -> Interval:
        second = _interval(other)
        if second.holds(0):
            raise ZeroDivisionError("the divisor could be 0")
        return self * Interval(1 / second.high, 1 / second.low)

    def __rtruediv__(self, other: Exact) -> Interval:
        return _interval(other) / self


def mean(intervals: Iterable[Interval]) -> Interval:
    """The mean of independent printed numbers.

    >>> mean([Interval.printed("1.0"), Interval.printed("2.0")]) == Interval.around(
    ...     Fraction(3, 2), Fraction(1, 20))
    True
    """
    listed = list(intervals)
    if not listed:
        raise ValueError("the mean of nothing")
    return sum(listed, start=_interval(0)) / len(listed)


def _interval(value: Interval | Exact) -> Interval:
    if isinstance(value, Interval):
        return value
    return Interval(Fraction(value), Fraction(value))
