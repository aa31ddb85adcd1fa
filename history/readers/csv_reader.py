"""Which rows does a file of separated values hold?

In: bytes. Out: a GridDocument of one table. Start at parse(). Pointers are those of RFC 7111
(`cell=ROW,COL`, the header row is 1).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from history.readers import Unreadable, refuse_conflict, trimmed
from history.readers.encoding import decoded
from history.readers.grid import GridDocument, GridTable
from history.readers.limits import MAX_CELLS, MAX_ROWS

# What may separate cells. Where two would do, the later one: commas stand in names and numbers.
DELIMITERS = (",", ";", "|", "\t")
_FIRST_LINE = re.compile(r"[^\r\n]*")
_SAID = re.compile(r"sep=(.)(?:\r\n?|\n)", re.IGNORECASE)  # how Excel is told
_BLANK_LINES = ("\n\n", "\n\r", "\r\r")
_MOST = MAX_ROWS + 2  # a header, and a row too many
_LOOKED_AT = 50  # rows, to tell the delimiter


def parse(data: bytes, delimiter: str | None = None) -> GridDocument:
    """Read a table of separated values with a header.

    Args:
        data: the file as published; for encodings see `encoding.decoded`.
        delimiter: what separates the cells, if the file's name tells it; without it, or where
            the header has none of it, the one of DELIMITERS by which rows fit the header.

    Raises:
        Unreadable: no text, no header, or cells that cannot be told from each other.

    >>> parse(b"model;score\\nfern;81.2\\n").table().literal("model")
    Cells(texts=['fern'], pointers=('cell=2,1',), lines=None)
    """
    text = decoded(data)
    refuse_conflict(text.encode())
    # Blank lines before the header do not count; those inside do, as in any spreadsheet.
    text = text.lstrip("\r\n")
    if said := _SAID.match(text):
        delimiter, text = said[1], text[said.end() :].lstrip("\r\n")
    elif delimiter is None or delimiter not in _first_line(text):
        delimiter = _delimiter(text)
    rows, places = _rows(text, delimiter)
    header = [trimmed(name) for name in rows[0]] if rows else []
    if not any(header):
        raise Unreadable("no_table", "the header row is blank")
    table = GridTable(header, rows[1:], places[1:], _pointers, "row=2-*", _where)
    return GridDocument([table])


def _first_line(text: str) -> str:
    found = _FIRST_LINE.match(text)
    return found[0] if found else ""


def _delimiter(text: str) -> str:
    """What separates the cells: most rows fit the header, and the header has most cells."""
    line = _first_line(text)
    marks = [mark for mark in DELIMITERS if mark in line]
    if len(marks) < 2:
        return marks[0] if marks else DELIMITERS[0]
    return max(marks, key=lambda mark: (_fits(text, mark), DELIMITERS.index(mark)))


def _fits(text: str, mark: str) -> tuple[bool, int]:
    """Whether most of the first rows fit the header if this separates cells, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        widths = [len(cells) for cells in islice(reader, _LOOKED_AT) if cells]
    except csv.Error:  # one huge cell, so it does not
        return False, 0
    if not widths or widths[0] < 2:
        return False, 0
    header, rows = widths[0], widths[1:]
    return rows.count(header) * 2 >= len(rows), header


def _rows(text: str, delimiter: str) -> tuple[list[list[str]], Sequence[int]]:
    """Header and rows that are no blank lines, and their places, the header's being -1."""
    if (cells := text.count(delimiter)) > MAX_CELLS:
        raise Unreadable("too_large", f"{cells:,} cells; at most {MAX_CELLS:,} are read")
    # Letters after a closing quote are common in files written by hand; readers agree on them.
    for strict in (True, False):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
        try:
            if not any(blank in text for blank in _BLANK_LINES):
                rows = list(islice(reader, _MOST))
                return rows, range(-1, len(rows) - 1)
            filled = ((place, row) for place, row in enumerate(reader, -1) if row)
            found = list(islice(filled, _MOST))
            return [row for _, row in found], [place for place, _ in found]
        except csv.Error as error:
            line, said = f"line {reader.line_num}", str(error)
        if "larger than" in said:
            raise Unreadable("too_large", f"{line}: {said}")
        if "end of data" in said:
            raise Unreadable("invalid_csv", f"{line}: a quoted cell does not end")
    raise Unreadable("invalid_csv", f"{line}: {said}")


def _where(place: int) -> str:
    return f"row {place + 2}"


def _pointers(places: Sequence[int], column: int) -> Sequence[str]:
    return _cells(tuple(places), column)


@lru_cache(maxsize=256)
def _cells(places: tuple[int, ...], column: int) -> tuple[str, ...]:
    return tuple(f"cell={place + 2},{column}" for place in places)
