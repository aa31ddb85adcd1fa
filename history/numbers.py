"""What does a printed number say, and how precisely?

In: the texts of one column of one version. Out: integer ticks and the number of decimals that
one tick is. Start at read_column(); parse() reads one text, Interval computes with what the
unprinted digits leave open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import compress
from operator import attrgetter, ne
from typing import Literal

Reason = Literal["missing", "not_a_number", "not_finite", "comma"]
Exact = int | Fraction | Decimal

# Rules 2 of methods: floats written in full carry noise in their last digits.
FULL_PRECISION_DIGITS = 15
FULL_PRECISION_DP = 9
MAX_TEXT = 200
MAX_EXPONENT = 100
MAX_KNOWN = 1 << 17

_MISSING = frozenset({"", "n/a", "na", "-", "–", "—", "nan", "null", "none"})
_NUMBER = re.compile(
    r"(?P<sign>[+\-−]?)(?P<whole>\d{1,3}(?:,\d{3})+|\d+)?(?:\.(?P<part>\d*))?"
    r"(?:[eE](?P<exponent>[+-]?\d{1,4}))?\s*%?",
    re.ASCII,
)
_NOT_FINITE = re.compile(r"[+\-−]?(?:inf|infinity|∞)", re.IGNORECASE)
_WITH_COMMA = re.compile(r"[+\-−]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+\s*%?", re.ASCII)
_EITHER_COMMA = re.compile(r"[+\-−]?[1-9]\d{0,2},\d{3}\s*%?", re.ASCII)
_EITHER_POINT = re.compile(r"[+\-−]?[1-9]\d{0,2}(?:\.\d{3})+\s*%?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed number, exactly.

    Attributes:
        digits: the number in units of 10**-dp; 0 where there is none.
        dp: decimals printed, at least 0; 0 where there is no number.
        significant: digits from the first that is not 0.
        number: the nearest float, for charts; NaN where there is no number.
        reason: None for a number. "missing": a text that says that there is none;
            "not_a_number": any other text; "not_finite"; "comma": a number whose comma can only
            be understood from the rest of its column.
    """

    digits: int
    dp: int
    significant: int
    number: float
    reason: Reason | None = None

    @property
    def value(self) -> Decimal | None:
        """The number, None where there is none."""
        return None if self.reason else Decimal(f"{self.digits}E-{self.dp}")


@dataclass(frozen=True, slots=True)
class Numbers:
    """One column of one version in ticks.

    Attributes:
        dp: one tick is 10**-dp; negative only where `scale` makes a number coarser than units.
        ticks: by row; None where there is no number.
        values: the same as floats, NaN where there is no number. For charts only.
        reasons: why there is no number, by row; None if every row has one.
    """

    dp: int
    ticks: list[int | None]
    values: list[float]
    reasons: list[Reason | None] | None


def _none(reason: Reason) -> Printed:
    return Printed(0, 0, 0, float("nan"), reason)


def parse(text: str | None) -> Printed:
    """Read one printed number; what is not plainly one is never guessed.

    A sign, a percent sign, an exponent and thousands separators that cannot be anything else
    are understood.

    >>> parse("67.30").digits, parse("67.30").dp, parse("8.9 %").value, parse("1e3").value
    (6730, 2, Decimal('8.9'), Decimal('1000'))
    >>> parse("pending").reason, parse("N/A").reason, parse("-inf").reason, parse("1,234").reason
    ('not_a_number', 'missing', 'not_finite', 'comma')
    """
    stripped = "" if text is None else text.strip()
    if stripped.casefold() in _MISSING:
        return _none("missing")
    found = _NUMBER.fullmatch(stripped) if len(stripped) <= MAX_TEXT else None
    if found is None or not (found["whole"] or found["part"]):
        if _NOT_FINITE.fullmatch(stripped):
            return _none("not_finite")
        comma = len(stripped) <= MAX_TEXT and _WITH_COMMA.fullmatch(stripped)
        return _none("comma" if comma else "not_a_number")
    whole, part, exponent = found["whole"] or "", found["part"] or "", int(found["exponent"] or 0)
    grouped = whole.count(",")
    if grouped and (whole.startswith("0") or (grouped == 1 and found["part"] is None)):
        return _none("comma")
    if abs(exponent) > MAX_EXPONENT:
        return _none("not_a_number")
    written = whole.replace(",", "") + part
    digits, dp = int(written), len(part) - exponent
    if dp < 0:
        digits, dp = digits * 10**-dp, 0
    if dp > MAX_EXPONENT:
        return _none("not_a_number")
    signed = -digits if found["sign"] in ("-", "−") else digits
    return Printed(signed, dp, len(written.lstrip("0")), signed / 10**dp)


def read_column(
    texts: Sequence[str | None],
    *,
    missing: frozenset[str] = frozenset(),
    decimals: int | None = None,
    shift: int = 0,
) -> Numbers:
    """Read one column of one version.

    Args:
        texts: what the cells say, by row; None where there is no cell.
        missing: texts that mean "no score" besides those that always do.
        decimals: decimals of the column, if its own mislead; more digits are rounded half up.
        shift: the printed values times 10**shift.

    >>> read_column(["66.3", "70", None]).ticks, read_column(["66.3", "70"]).dp
    ([663, 700, None], 1)
    >>> read_column(["0.1", "0.30000000000000004"]).ticks
    [100000000, 300000000]
    >>> read_column(["0.571"], shift=2).dp
    1
    """
    return ColumnReader(missing, decimals, shift).read(texts)


class ColumnReader:
    """Reads one column version by version.

    Most cells of a version stood in the one before; only the others are read again. The result
    is that of read_column().
    """

    def __init__(self, missing: frozenset[str], decimals: int | None, shift: int):
        self._missing, self._shift = missing, shift
        self._decimals = None if decimals is None else max(decimals + shift, 0)
        self._texts: Sequence[str | None] = ()
        self._cells: list[Printed] = []
        self._dp, self._rounding = 0, False
        self._numbers = Numbers(-shift, [], [], None)

    def read(self, texts: Sequence[str | None]) -> Numbers:
        """The numbers of one version; the same object as before where nothing changed."""
        changed: Sequence[int] = range(len(texts))
        if texts and len(texts) == len(self._texts):
            changed = list(compress(changed, map(ne, texts, self._texts)))
            if not changed:
                return self._numbers
        if len(_KNOWN) > MAX_KNOWN:
            _KNOWN.clear()
        few = len(changed) * 2 < len(texts)
        patch = few and self._numbers.reasons is None
        cells = self._cells.copy() if few else [_NOTHING] * len(texts)
        for row in changed if few else range(len(texts)):
            text = texts[row]
            cells[row] = _KNOWN[None if text and text.strip() in self._missing else text]
        # Where the column had nothing but numbers, only the new cells can have anything else.
        new = [cells[row] for row in changed] if patch else cells
        reasons = set(map(_REASON, new))
        self._texts, self._cells = texts, cells
        if "comma" in reasons:
            cells = _with_commas_understood(texts, cells)
            reasons = set(map(_REASON, cells))
            self._texts = ()  # one comma can change how all others are understood
        dp, rounding = self._unit(cells)
        if not patch or (dp, rounding) != (self._dp, self._rounding) or reasons != {None}:
            same = reasons == {None} and set(map(_DP, cells)) == {dp}
            ticks = list(map(_DIGITS, cells)) if same else [_tick(cell, dp) for cell in cells]
            values = self._values(cells, ticks, dp, rounding)
            why = list(map(_REASON, cells)) if reasons - {None} else None
        else:
            ticks, values, why = self._numbers.ticks.copy(), self._numbers.values.copy(), None
            some = [_tick(cell, dp) for cell in new]
            numbers = self._values(new, some, dp, rounding)
            for row, tick, value in zip(changed, some, numbers, strict=True):
                ticks[row], values[row] = tick, value
        self._dp, self._rounding = dp, rounding
        self._numbers = Numbers(dp - self._shift, ticks, values, why)
        return self._numbers

    def _unit(self, cells: list[Printed]) -> tuple[int, bool]:
        """Decimals of one tick, and whether some cell has more."""
        own = max(map(_DP, cells), default=0)
        if self._decimals is not None:
            return self._decimals, self._decimals < own
        if own > FULL_PRECISION_DP and any(
            cell.dp > FULL_PRECISION_DP and cell.significant >= FULL_PRECISION_DIGITS
            for cell in cells
        ):
            return FULL_PRECISION_DP, True
        return own, False

    def _values(
        self, cells: list[Printed], ticks: list[int | None], dp: int, rounding: bool
    ) -> list[float]:
        if not rounding and not self._shift:
            return list(map(_NUMBER_OF, cells))
        unit = Fraction(10) ** (self._shift - dp)
        return [float("nan") if tick is None else float(tick * unit) for tick in ticks]


def _tick(cell: Printed, dp: int) -> int | None:
    """A number in units of 10**-dp, halves rounded away from zero."""
    if cell.reason is not None:
        return None
    if cell.dp <= dp:
        return cell.digits if cell.dp == dp else int(cell.digits * 10 ** (dp - cell.dp))
    step = 10 ** (cell.dp - dp)
    size = (abs(cell.digits) * 2 + step) // (2 * step)
    return int(-size if cell.digits < 0 else size)


def _with_commas_understood(texts: Sequence[str | None], cells: list[Printed]) -> list[Printed]:
    """Decide from the whole column whether a comma is a decimal mark or groups thousands.

    "71,25" has a decimal comma, "71.3" a decimal point; "1,234" and "1.200" could be either. If
    the column shows both marks, or neither, its commas stay unread.
    """
    printed = ["" if text is None else text.strip() for text in texts]
    comma = any(
        cell.reason == "comma" and not _EITHER_COMMA.fullmatch(text)
        for text, cell in zip(printed, cells, strict=True)
    )
    point = any(
        "." in text and not cell.reason and not _EITHER_POINT.fullmatch(text)
        for text, cell in zip(printed, cells, strict=True)
    )
    unread = _none("not_a_number")
    if comma and not point:
        swap = str.maketrans({",": ".", ".": ""})
        return [
            cell if cell.reason not in (None, "comma") else parse(text.translate(swap))
            for text, cell in zip(printed, cells, strict=True)
        ]
    if point and not comma:
        return [
            parse(text.replace(",", "")) if cell.reason == "comma" else cell
            for text, cell in zip(printed, cells, strict=True)
        ]
    return [unread if cell.reason == "comma" else cell for cell in cells]


def half_unit(dp: int) -> Fraction:
    """Half of the last printed decimal: how far the unprinted value may be away.

    >>> half_unit(2), half_unit(-1)
    (Fraction(1, 200), Fraction(5, 1))
    """
    return Fraction(1, 2) / Fraction(10) ** dp


class _Known(dict[str | None, Printed]):
    """Texts read before: most numbers of a version stood in the one before."""

    def __missing__(self, text: str | None) -> Printed:
        printed = self[text] = parse(text)
        return printed


_KNOWN = _Known()
_NOTHING = _none("missing")
_DIGITS, _DP, _REASON, _NUMBER_OF = map(attrgetter, ("digits", "dp", "reason", "number"))


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
            ValueError: the text is no number.
        """
        number = parse(text)
        if number.reason:
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
