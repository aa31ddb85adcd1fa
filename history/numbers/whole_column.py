"""What can be understood of a printed number only from the rest of its column?

In: the texts of one column of one version, each read alone. Out: the same, understood together:
what a comma means, whether all numbers count the same, whether all have one scale. What the
column does not settle is ambiguous, and both readings are named. Start at commas(), units(),
mixed_scale().
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from history.counts import counted
from history.numbers.marks import Unit, look
from history.numbers.printed import NO_UNIT, Printed, no_number, parse

_EITHER_COMMA = re.compile(r"[+\-−]?[1-9]\d{0,2},\d{3}(?:e\d+)?\s*%?", re.ASCII)
_EITHER_POINT = re.compile(r"[+\-−]?[1-9]\d{0,2}(?:\.\d{3})+\s*%?", re.ASCII)
_SWAP = {ord(","): ".", ord("."): None}
_SHORT = {3: "k", 6: "M", 9: "B", 12: "T"}
_PERCENT = "%"
# How far apart two scales must be, and how many more decimals a share of 1 has than a percentage.
_GAP, _MORE_DECIMALS = 5, 2
# One share of 1 among percentages: at least that many others, that far above it.
_OTHERS, _FAR = 4, 10
_NAMED = 3


def commas(texts: Sequence[str | None], cells: list[Printed]) -> tuple[list[Printed], bool]:
    """Decide whether a comma is a decimal mark or groups thousands.

    "71,25" has a decimal comma, "71.3" a decimal point; "1,234" and "1.200" could be either. If
    the column shows both marks, or neither, its commas stay unread. The second value says whether
    commas are decimal marks.
    """
    printed = ["" if text is None else text.strip() for text in texts]
    comma = any(
        cell.reason == "comma" and not _EITHER_COMMA.fullmatch(_core(text))
        for text, cell in zip(printed, cells, strict=True)
    )
    point = any(
        "." in text and not cell.reason and not _EITHER_POINT.fullmatch(_core(text))
        for text, cell in zip(printed, cells, strict=True)
    )
    if comma and not point:
        return [
            cell if cell.reason not in (None, "comma") else parse(_with_a_point(text))
            for text, cell in zip(printed, cells, strict=True)
        ], True
    if point and not comma:
        return [
            parse(text.replace(",", "")) if cell.reason == "comma" else cell
            for text, cell in zip(printed, cells, strict=True)
        ], False
    return [
        no_number("ambiguous", _either_mark(_core(text))) if cell.reason == "comma" else cell
        for text, cell in zip(printed, cells, strict=True)
    ], False


def _core(text: str) -> str:
    """The number in a text, as printed."""
    return look(text).number or ""


def _with_a_point(text: str) -> str:
    return text.translate(_SWAP)


def with_points(texts: Sequence[str | None]) -> list[str | None]:
    """A column with decimal commas as one with decimal points.

    >>> with_points(["1.234,5 ± 0,5", None])
    ['1234.5 ± 0.5', None]
    """
    return [text and _with_a_point(text) for text in texts]


def _either_mark(number: str) -> str:
    grouped, pointed = parse(number.replace(",", "")).value, parse(_with_a_point(number)).value
    return f"{grouped} or {pointed}"


def without_groups(texts: Sequence[str | None]) -> list[str | None] | None:
    """A column of a file with decimal commas, without the points that group its thousands.

    None if it has no points, or one that can only be a decimal mark.

    >>> without_groups(["1.200", "950", None]), without_groups(["1.200", "0.5"])
    (['1200', '950', None], None)
    """
    pointed = [text.strip() for text in texts if text and "." in text]
    if not pointed or not all(map(_EITHER_POINT.fullmatch, pointed)):
        return None
    return [text and text.replace(".", "") for text in texts]


def percentage(cell: Printed) -> Printed:
    """A number without a unit as a percentage: up to 1 it is a share of 1, and times 100.

    >>> [str(percentage(parse(text)).value) for text in ("0.712", "1", "69.8", "0.5%")]
    ['71.2', '100', '69.8', '0.5']
    """
    if cell.unit != NO_UNIT or cell.value is None or abs(cell.value) > 1:
        return cell
    digits, dp = (
        (cell.digits, cell.dp - 2) if cell.dp > 1 else (cell.digits * 10 ** (2 - cell.dp), 0)
    )
    return replace(cell, digits=digits, dp=dp, number=digits / 10**dp, unit=Unit(_PERCENT))


def units(texts: Sequence[str | None], cells: list[Printed]) -> list[Printed]:
    """Take out the numbers that need not count the same as the rest of their column.

    The unit is that of most of its numbers. Another one, or none, is ambiguous; a 0 is 0 in all
    of them. Beside percentages a bare number counts if it is above 1, and beside numbers with k
    a bare whole number, as people print them; 7 beside 8B could be 7B.
    """
    numbers = [cell for cell in cells if cell.unit is not None and cell.digits]
    names = Counter(cell.unit.name for cell in numbers if cell.unit)
    times = {cell.unit.times for cell in numbers if cell.unit}
    most = [name for name, count in names.items() if count == max(names.values())]
    name = _PERCENT if set(names) == {"", _PERCENT} else most[0] if len(most) == 1 else None
    found = []
    for text, cell in zip(texts, cells, strict=True):
        either = None
        if cell.unit is not None and cell.digits:
            either = _either_name((text or "").strip(), cell, cell.unit, name, most)
            either = either or _either_times(cell, cell.unit, min(times - {0}, default=0))
        found.append(no_number("ambiguous", either) if either else cell)
    return found


def _either_name(
    text: str, cell: Printed, unit: Unit, name: str | None, most: list[str]
) -> str | None:
    if unit.name == name or cell.value is None:
        return None
    if name == _PERCENT and not unit.name:
        small = abs(cell.value) <= 1
        return f"{cell.value:f}% or {times_100(cell.value)}%" if small else None
    other = name if name is not None else next(one for one in most if one != unit.name)
    own = f"{cell.value:f} {unit.name or 'without a unit'}"
    return f"{own} or {cell.value:f} {other or 'without a unit'}"


def _either_times(cell: Printed, unit: Unit, times: int) -> str | None:
    """Both readings of a number without k, M, B or T in a column with them."""
    if not times or unit.times or unit.name or cell.value is None:
        return None
    if abs(cell.value) >= 1000 or (times == 3 and not cell.dp):
        return None
    return f"{cell.value:f} or {cell.value:f}{_SHORT.get(times, '')}"


class _Scored(NamedTuple):
    """A number of the column under test, and whose it is."""

    entry: str
    value: Decimal


def mixed_scale(entries: Sequence[str], cells: Sequence[Printed]) -> str | None:
    """Whether one column mixes shares of 1 with percentages; for people, or None.

    It does where all of this holds: numbers from 0 to 100, some at most 1 and some above; nothing
    near the border between them; the small ones have two decimals more, as a share of 1 has; times
    100 they stand among the others. A tiny percentage has the decimals of its neighbours, and
    floats in full tell nothing.

    Args:
        entries: whose numbers they are.
        cells: the printed numbers; what is none, or has a unit, does not count.

    >>> mixed_scale(["fern", "moss", "oak"], [parse("0.712"), parse("69.8"), parse("0.703")])
    'score mixes values up to 1 (2 rows) with values up to 69.8 (1 row: moss): 0.712 is 0.712 or 71.2'
    >>> mixed_scale(["fern", "moss"], [parse("0.6"), parse("29.9")]) is None
    True
    """
    decimals = [cell.dp for cell in cells if cell.digits]
    if not decimals or max(decimals) - min(decimals) < _MORE_DECIMALS:  # as mostly
        return None
    plain = [
        (entry, cell)
        for entry, cell in zip(entries, cells, strict=True)
        if cell.digits and cell.unit == NO_UNIT
    ]
    fine, coarse = (
        max(
            (-1 if c.full_precision else c.dp for _, c in plain if is_small(c) == wanted),
            default=-1,
        )
        for wanted in (True, False)
    )
    if coarse < 0 or fine < coarse + _MORE_DECIMALS:
        return None
    rows = [_Scored(entry, cell.value) for entry, cell in plain if cell.value is not None]
    if not two_groups([row.value for row in rows]):
        return None
    small = [row for row in rows if row.value <= 1]
    large = [row for row in rows if row.value > 1]
    lowest, highest = (end(row.value for row in large) for end in (min, max))
    border = max(small, key=lambda row: row.value)
    middle = sorted(row.value for row in small)[len(small) // 2] * 100
    if not lowest / 2 <= middle <= 2 * highest:
        return None
    return (
        f"score mixes values up to 1 ({_rows(small, large)}) with values up to {highest:f} "
        f"({_rows(large, small)}): {border.value:f} is {border.value:f} or "
        f"{times_100(border.value)}"
    )


def is_small(cell: Printed) -> bool:
    """Whether a number could be a share of 1.

    >>> is_small(parse("0.712")), is_small(parse("1")), is_small(parse("69.8"))
    (True, True, False)
    """
    return bool(cell.digits <= 10**cell.dp)


def odd_share(numbers: Sequence[Decimal]) -> Decimal | None:
    """The one number at most 1 that times 100 would stand among all others, or None.

    It is farther from them than they are from each other, and has two decimals, as a share has.

    >>> odd_share([Decimal(text) for text in ("93.15", "80.22", "77.51", "0.712", "65.14")])
    Decimal('0.712')
    >>> odd_share([Decimal(text) for text in ("0.6", "29.9", "31", "1.5", "4.1", "2.2")]) is None
    True
    """
    small = [number for number in numbers if 0 < number <= 1]
    large = [number for number in numbers if number > 1]
    if len(small) != 1 or len(large) < _OTHERS or not two_groups(numbers):
        return None
    share, lowest, highest = small[0], min(large), max(large)
    alone = lowest / share > max(Decimal(_FAR), highest / lowest)
    fits = lowest / 2 <= share * 100 <= 2 * highest
    return share if alone and fits and _decimals(share) >= _MORE_DECIMALS else None


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def two_groups(numbers: Sequence[Decimal] | Sequence[int], one: int = 1) -> bool:
    """Whether numbers from 0 to 100 are all far above 1 or at most 1, and some of each.

    Args:
        numbers: in units of which `one` make 1; a 0 tells nothing.

    >>> two_groups([712, 69_800, 0], one=1000), two_groups([712, 1300, 69_800], one=1000)
    (True, False)
    """
    small = [number for number in numbers if number <= one and number]
    large = [number for number in numbers if number > one]
    if not small or not large:
        return False
    inside = min(small) > 0 and max(large) <= 100 * one
    return inside and min(large) >= _GAP * max(small)


def _rows(rows: Sequence[_Scored], others: Sequence[_Scored]) -> str:
    """How many rows; the fewer ones by name."""
    size = counted(len(rows), "row")
    if len(rows) >= len(others) and len(others) < _NAMED:
        return size
    more = ", ..." if len(rows) > _NAMED else ""
    return f"{size}: {', '.join(row.entry for row in rows[:_NAMED])}{more}"


def times_100(value: Decimal) -> str:
    """A number times 100, written out.

    >>> times_100(Decimal("0.712"))
    '71.2'
    """
    return f"{value.scaleb(2):f}" if value.is_finite() else ""
