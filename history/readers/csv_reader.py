"""Which rows does a CSV or TSV file hold?

In: bytes. Out: a CsvTable. Start at read(). Cells stay text; pointers are those of RFC 7111
(`cell=ROW,COL`, the header row is 1).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import lru_cache

from history.readers import Cells, Unreadable, conflict_line, trimmed

DELIMITERS = (",", ";", "\t")
MAX_COLUMNS = 5_000


def read(data: bytes, delimiter: str | None = None) -> CsvTable:
    """Read a table of separated values with a header.

    Rows whose number of cells is not the header's are left out and named in `left_out`.

    Args:
        data: the file as published, UTF-8 or else Windows-1252.
        delimiter: what separates the cells; without it the one of comma, semicolon and tab
            that the header has most of.

    Raises:
        Unreadable: no text, no header, or most rows do not fit the header.

    >>> read(b"model;score\\nfern;81.2\\n").literal("model")
    Cells(texts=['fern'], pointers=('cell=2,1',))
    """
    text = _decoded(data)
    if line := conflict_line(data):
        raise Unreadable("conflict_markers", f"line {line}: a merge conflict left in the file")
    # Blank lines before the header do not count; those inside do, as in any spreadsheet.
    text = text.lstrip("\r\n")
    records = _records(text, delimiter or _delimiter(text))
    header = [trimmed(name) for name in records[0][1]] if records else []
    if len(header) > MAX_COLUMNS:
        raise Unreadable("too_large", f"{len(header):,} columns; at most {MAX_COLUMNS:,} are read")
    if not any(header):
        raise Unreadable("no_table", "the header row is blank")
    filled = [(n, cells) for n, cells in records[1:] if any(map(str.strip, cells))]
    fitting = [(n, cells) for n, cells in filled if len(cells) == len(header)]
    left_out = [
        f"row {n + 1} has {len(cells)} cells, the header has {len(header)}"
        for n, cells in filled
        if len(cells) != len(header)
    ]
    if len(left_out) * 2 > len(filled):
        raise Unreadable("misaligned", f"{len(left_out)} of {len(filled)} rows: {left_out[0]}")
    return CsvTable(header, fitting, left_out)


class CsvTable:
    """Rows of a table of separated values; see `history.readers.Table`."""

    pointer = "row=2-*"
    keys: list[str] | None = None

    def __init__(self, header: list[str], rows: list[tuple[int, list[str]]], left_out: list[str]):
        self.header, self.left_out = header, left_out
        self.rows = [cells for _, cells in rows]
        self.places: Sequence[int] = tuple(number - 1 for number, _ in rows)

    def names(self) -> list[str]:
        """The header."""
        return [name for name in self.header if name]

    def literal(self, name: str) -> Cells | None:
        """The column of one header text.

        Raises:
            Unreadable: two columns have that name.
        """
        columns = [number for number, known in enumerate(self.header, 1) if known == name]
        if len(columns) > 1:
            numbers = " and ".join(map(str, columns))
            fix = " or ".join(f"'#{number}'" for number in columns)
            raise Unreadable(
                "no_table", f"columns {numbers} are both named {name!r}; name one as {fix}"
            )
        return self.numbered(columns[0]) if columns else None

    def inside(self, path: str) -> Cells | None:
        """Nothing stands inside a cell of text."""
        return None

    def numbered(self, number: int) -> Cells | None:
        """One column."""
        if not 1 <= number <= len(self.header):
            return None
        return Cells([cells[number - 1] for cells in self.rows], _pointers(self.places, number))

    def find(self, path: str) -> str | None:
        """Nothing stands outside the rows."""
        return None


def _decoded(data: bytes) -> str:
    if b"\0" in data:
        raise Unreadable("not_text", f"byte {data.index(0)} is 0; this is no text in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        found = f"neither UTF-8 nor Windows-1252 at byte {error.start}"
        raise Unreadable("not_text", found) from None


def _delimiter(text: str) -> str:
    line = text.splitlines()[0] if text else ""
    return max(DELIMITERS, key=lambda mark: _width(line, mark))


def _width(line: str, mark: str) -> int:
    """How many cells a line has if this separates them."""
    try:
        return len(next(csv.reader([line], delimiter=mark), []))
    except csv.Error:  # one huge cell, so it does not
        return 0


def _records(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """The records that are no blank lines, with their places, the header's being 0."""
    # Letters after a closing quote are common in files written by hand; readers agree on them.
    for strict in (True, False):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
        try:
            return [(n, cells) for n, cells in enumerate(reader) if cells]
        except csv.Error as error:
            line, said = f"line {reader.line_num}", str(error)
        if "larger than" in said:
            raise Unreadable("too_large", f"{line}: {said}")
        if "end of data" in said:
            raise Unreadable("invalid_csv", f"{line}: a quoted cell does not end")
    raise Unreadable("invalid_csv", f"{line}: {said}")


@lru_cache(maxsize=256)
def _pointers(places: tuple[int, ...], column: int) -> tuple[str, ...]:
    return tuple(f"cell={place + 2},{column}" for place in places)
