"""Does a printed number agree with a measured one?

Every printed number stands for an interval: 6.2 for all that rounds to it. Start at
check_value(). All arithmetic is exact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from history.numbers import half_unit
from history.ticks import exact

Outcome = Literal["true", "within_rounding", "false"]
Strength = Literal["certain", "printed"]

OPS = ("=", ">=", ">", "<=", "<")
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}

# Words for fractions; said so, a number is only known to 12 percent of itself.
FRACTIONS = {
    "half": Fraction(1, 2),
    "a half": Fraction(1, 2),
    "a third": Fraction(1, 3),
    "two thirds": Fraction(2, 3),
    "a quarter": Fraction(1, 4),
    "three quarters": Fraction(3, 4),
    "a fifth": Fraction(1, 5),
    "a sixth": Fraction(1, 6),
    "a seventh": Fraction(1, 7),
    "an eighth": Fraction(1, 8),
    "a ninth": Fraction(1, 9),
    "a tenth": Fraction(1, 10),
}
MOST = 10**9  # places and entries that a claim can speak of
_LONGEST = 60  # letters of a number
_IN_WORDS = Fraction(12, 100)
_NUMBER = re.compile(r"[+\-\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_HALF = Fraction(1, 2)
_ABOUT = Fraction(5, 100)


@dataclass(frozen=True, slots=True)
class Measured:
    """A number as printed or computed, and all that it could be before it was rounded.

    Attributes:
        value: what the printed numbers say.
        low, high: what the unprinted digits leave possible, both ends included.

    >>> gap = Measured.printed("81.62") - Measured.printed("75.45")
    >>> float(gap.value), float(gap.low), float(gap.high)
    (6.17, 6.16, 6.18)
    """

    value: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def printed(cls, text: str) -> Measured:
        """All numbers that are printed as `text`."""
        return cls.around(number(text), half_unit(decimals(text)))

    @classmethod
    def around(cls, value: Fraction, half: Fraction) -> Measured:
        """`value`, and `half` to each side."""
        return cls(value, value - half, value + half)

    @classmethod
    def of_ticks(cls, ticks: int, dp: int, unit: int = 1) -> Measured:
        """A printed number in ticks of 10**-dp, of which its last decimal is `unit`."""
        return cls.around(exact(ticks, dp), int(unit) * half_unit(int(dp)))

    @classmethod
    def exact(cls, value: Fraction | int) -> Measured:
        """A counted number."""
        return cls(Fraction(value), Fraction(value), Fraction(value))

    def __add__(self, other: Measured) -> Measured:
        return Measured(self.value + other.value, self.low + other.low, self.high + other.high)

    def __sub__(self, other: Measured) -> Measured:
        return Measured(self.value - other.value, self.low - other.high, self.high - other.low)

    def __truediv__(self, n: int) -> Measured:
        return Measured(self.value / n, self.low / n, self.high / n)


@dataclass(frozen=True, slots=True)
class Check:
    """What came out of a comparison.

    Attributes:
        outcome: true, within_rounding (only some unrounded value agrees) or false.
        strength: certain if it holds for every value that prints so, else printed.
        claimed: what the claim allows.
        notes: what else to say.
    """

    outcome: Outcome
    strength: Strength | None
    claimed: Measured
    notes: tuple[str, ...] = ()


def number(text: str) -> Fraction:
    """The number that a text prints.

    Raises:
        ValueError: it is no plain decimal number.

    >>> number("+6.2"), number("2,430"), number("\u22121.45"), number("a third")
    (Fraction(31, 5), Fraction(2430, 1), Fraction(-29, 20), Fraction(1, 3))
    """
    bare = text.strip()
    if is_fraction(bare):
        return FRACTIONS[bare.lower()]
    if len(bare) > _LONGEST:
        raise ValueError(f"a number of {len(bare):,} letters; at most {_LONGEST} are read")
    if not _NUMBER.fullmatch(bare):
        raise ValueError(f'"{text}" is no plain number like 81.5, +6.2 or 2,430')
    return Fraction(bare.replace("\u2212", "-").replace(",", ""))


def is_fraction(text: object) -> bool:
    """Whether a text is a fraction in words.

    >>> is_fraction("A third"), is_fraction("0.33")
    (True, False)
    """
    return isinstance(text, str) and text.lower() in FRACTIONS


def decimals(text: str) -> int:
    """How many decimals a text prints.

    >>> decimals("54.20"), decimals("66")
    (2, 0)
    """
    return len(text.strip().partition(".")[2])


def check_value(measured: Measured, claimed: str, op: str = "=", approx: bool = False) -> Check:
    """Compare a measured interval with a claimed number.

    A whole number that ends in zeros is tried with all its digits and then with fewer
    significant ones, but not fewer than two: one digit would let 60 pass for 100.

    Args:
        measured: what the printed inputs say and allow.
        claimed: the number as claimed, with its own decimals.
        op: how it was meant; anything but = takes the claimed number as exact.
        approx: "about": the half unit becomes at least 5 percent.

    >>> check_value(Measured.printed("6.17"), "+6.2").outcome
    'true'
    >>> gap = Measured.printed("81.5") - Measured.printed("77.56")
    >>> check_value(gap, "+4.0").outcome
    'within_rounding'
    >>> check_value(Measured.around(Fraction("119.48"), Fraction(1, 5)), "120").notes
    ('true at 2 significant figures, not at 3',)
    """
    value = number(claimed)
    if op != "=":
        return _compare(measured, value, op)
    half = half_unit(decimals(claimed))
    if is_fraction(claimed.strip()):
        return _within(measured, Measured.around(value, _IN_WORDS * value))
    if approx:
        half = max(half, _ABOUT * abs(value))
    first = _within(measured, Measured.around(value, half))
    if first.outcome == "true" or approx:
        return _with_understatement(first, measured, value)
    for figures, wider in _fewer_figures(claimed):
        check = _within(measured, Measured.around(value, wider))
        if check.outcome == "true":
            full = len(re.sub(r"\D", "", claimed).lstrip("0"))
            note = f"true at {figures} significant figures, not at {full}"
            return Check("true", check.strength, check.claimed, (note,))
    return _with_understatement(first, measured, value)


def check_span(measured: Measured, value: str, unit: str, op: str, approx: bool) -> Check:
    """Compare a measured length of time with a claimed one.

    "N unit" allows half a unit or a tenth of N, whichever is less; "about N unit" half a
    unit or 5 percent, whichever is more.

    Args:
        measured: seconds.
        value, unit: `29`, `hours`.

    >>> measured = Measured.around(Fraction(28 * 3600 + 59 * 60), Fraction(1))
    >>> [check_span(measured, n, "hour", "=", False).outcome for n in ("29", "30")]
    ['true', 'false']
    >>> check_span(measured, "30", "hours", "=", True).outcome
    'true'
    """
    seconds = UNITS[unit.removesuffix("s")]
    claimed = number(value) * seconds
    if op != "=":
        return _compare(measured, claimed, op)
    half = _HALF * seconds
    half = max(half, _ABOUT * claimed) if approx else min(half, claimed / 10)
    return _within(measured, Measured.around(claimed, half))


def _within(measured: Measured, claimed: Measured) -> Check:
    if claimed.low <= measured.low and measured.high <= claimed.high:
        return Check("true", "certain", claimed)
    if claimed.low <= measured.value <= claimed.high:
        return Check("true", "printed", claimed)
    if measured.low <= claimed.high and claimed.low <= measured.high:
        return Check("within_rounding", None, claimed)
    return Check("false", "certain", claimed)


def _compare(measured: Measured, value: Fraction, op: str) -> Check:
    def holds(x: Fraction) -> bool:
        return {">=": x >= value, ">": x > value, "<=": x <= value, "<": x < value}[op]

    claimed = Measured.exact(value)
    ends = [holds(measured.low), holds(measured.high)]
    if all(ends):
        return Check("true", "certain", claimed)
    if holds(measured.value):
        return Check("true", "printed", claimed)
    if any(ends):
        return Check("within_rounding", None, claimed)
    return Check("false", "certain", claimed)


def _fewer_figures(claimed: str) -> list[tuple[int, Fraction]]:
    """Significant figures and half units for a whole number that ends in zeros."""
    if "." in claimed:
        return []
    digits = re.sub(r"\D", "", claimed).lstrip("0")
    zeros = len(digits) - len(digits.rstrip("0"))
    return [
        (len(digits) - dropped, half_unit(-dropped))
        for dropped in range(1, zeros + 1)
        if len(digits) - dropped >= 2
    ]


def _with_understatement(check: Check, measured: Measured, value: Fraction) -> Check:
    same_side = value * measured.value > 0
    if check.outcome == "true" or not same_side or abs(value) >= abs(measured.value):
        return check
    return Check(check.outcome, check.strength, check.claimed, ("understated",))
