"""Which numbers do the cells of a claim's own table print?

In: the texts of its columns. Out: a Cell for each. Start at cells_of(). A cell is read as in the
files of boards; only what a comma means is settled by the whole table, and where a table has
times in ms and in s, all of them become seconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from history.claims.language.printed import Measured
from history.numbers import half_unit, parse
from history.numbers.printed import FULL_PRECISION_DP, Printed
from history.numbers.whole_column import commas, units

# A comma that can only be between thousands, and one that can only be before decimals.
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3}){2,}(\.\d+)?")
_DECIMAL = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),(\d{1,2}|\d{4,})")
_SECONDS = {
    "ns": Fraction(1, 10**9),
    "µs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "days": Fraction(86400),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: as printed.
        measured: the number, and what its unprinted digits leave open; None if it is none.
        unit: what is counted, `%`.
        why: why there is no number: a reason of `history.numbers`, or both readings.
    """

    text: str
    measured: Measured | None
    unit: str = ""
    why: str = ""

    @property
    def is_other_text(self) -> bool:
        """Words, neither a number nor a gap where one would stand."""
        return self.why == "not_a_number"


def cells_of(columns: Sequence[Sequence[str]], own_decimals: bool) -> list[list[Cell]]:
    """The cells of a table, column by column.

    Args:
        columns: the texts, all columns of one length.
        own_decimals: a cell's own decimals say how precise it is, as in Markdown; else the most
            decimals of its column do, as writers of CSV drop zeros at the end.

    >>> [[fern, moss]] = cells_of([["70", "66.3"]], own_decimals=False)
    >>> float(fern.measured.high), float(moss.measured.high)
    (70.05, 66.35)
    >>> [[fern, moss]] = cells_of([["302 ms", "2.07 s"]], own_decimals=True)
    >>> float(fern.measured.value), fern.unit
    (0.302, 's')
    """
    n = len(columns[0]) if columns else 0
    texts = [text for column in columns for text in column]
    read, _ = commas(texts, [parse(text) for text in texts])
    if any(map(_THOUSANDS.fullmatch, texts)) and any(map(_DECIMAL.fullmatch, texts)):
        # They contradict each other, so that each column has to tell for itself.
        apart = (commas(column, [parse(text) for text in column])[0] for column in columns)
        read = [cell for column in apart for cell in column]
    times = {cell.unit.name for cell in read if cell.unit is not None} & set(_SECONDS)
    return [
        _column(column, read[number * n : (number + 1) * n], own_decimals, len(times) > 1)
        for number, column in enumerate(columns)
    ]


def _column(
    texts: Sequence[str], read: list[Printed], own_decimals: bool, many_times: bool
) -> list[Cell]:
    found = {cell.unit for cell in read if cell.unit is not None}
    in_seconds = many_times and bool(found) and {unit.name for unit in found} <= set(_SECONDS)
    if len(found) > 1 and not in_seconds:
        read = units(texts, read)
    finest = min((_last_place(cell) for cell in read if not cell.reason), default=0)
    cells: list[Cell] = []
    halves: dict[int, Fraction] = {}
    for text, cell in zip(texts, read, strict=True):
        if cell.reason is not None or cell.value is None:
            cells.append(Cell(text.strip(), None, "", cell.either or cell.reason or ""))
            continue
        own = own_decimals or in_seconds
        place = _last_place(cell) if own else finest
        if place not in halves:
            halves[place] = half_unit(-place)
        unit = cell.unit.name if cell.unit is not None else ""
        made = Cell(text.strip(), Measured.around(Fraction(cell.value), halves[place]), unit)
        cells.append(_in_seconds(made) if in_seconds else made)
    return cells


def _in_seconds(cell: Cell) -> Cell:
    assert cell.measured is not None
    size, found = _SECONDS[cell.unit], cell.measured
    measured = Measured(found.value * size, found.low * size, found.high * size)
    return replace(cell, measured=measured, unit="s")


def _last_place(cell: Printed) -> int:
    """The power of ten of the last printed digit: -2 for 81.25, 2 for 1.2k.

    Floats written in full carry noise in their last digits.
    """
    if not cell.digits:
        return -cell.dp
    place = len(str(abs(cell.digits))) - cell.significant - cell.dp
    return max(place, -FULL_PRECISION_DP) if cell.full_precision else place
