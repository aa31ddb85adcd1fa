"""Which rows does a CSV or TSV file hold?

In: bytes. Out: a GridDocument of one table. Start at parse(). Pointers are those of RFC 7111
(`cell=ROW,COL`, the header row is 1).
"""

from __future__ import annotations

import csv
import io
from functools import lru_cache

from history.readers import Unreadable, conflict_line, trimmed
from history.readers.grid import GridDocument, GridTable, Record, fitting

DELIMITERS = (",", ";", "\t")


def parse(data: bytes, delimiter: str | None = None) -> GridDocument:
    """Read a table of separated values with a header.

    Args:
        data: the file as published, UTF-8 or else Windows-1252.
        delimiter: what separates the cells; without it the one of comma, semicolon and tab
            that the header has most of.

    Raises:
        Unreadable: no text, no header, or most rows do not fit the header.

    >>> parse(b"model;score\\nfern;81.2\\n").table().literal("model")
    Cells(texts=['fern'], pointers=('cell=2,1',))
    """
    text = _decoded(data)
    if line := conflict_line(data):
        raise Unreadable("conflict_markers", f"line {line}: a merge conflict left in the file")
    # Blank lines before the header do not count; those inside do, as in any spreadsheet.
    text = text.lstrip("\r\n")
    records = _records(text, delimiter or _delimiter(text))
    header = [trimmed(name) for name in records[0].cells] if records else []
    if not any(header):
        raise Unreadable("no_table", "the header row is blank")
    fit, left_out = fitting(header, records[1:])
    rows = tuple(record.where for record in fit)
    table = GridTable(header, fit, lambda column: _pointers(rows, column), "row=2-*", left_out)
    return GridDocument([table])


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


def _records(text: str, delimiter: str) -> list[Record]:
    """The records that are no blank lines; they count from the header, which is row 1."""
    # Letters after a closing quote are common in files written by hand; readers agree on them.
    for strict in (True, False):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
        try:
            return [Record(n, cells, n + 1) for n, cells in enumerate(reader) if cells]
        except csv.Error as error:
            line, said = f"line {reader.line_num}", str(error)
        if "larger than" in said:
            raise Unreadable("too_large", f"{line}: {said}")
        if "end of data" in said:
            raise Unreadable("invalid_csv", f"{line}: a quoted cell does not end")
    raise Unreadable("invalid_csv", f"{line}: {said}")


@lru_cache(maxsize=256)
def _pointers(rows: tuple[int, ...], column: int) -> tuple[str, ...]:
    return tuple(f"cell={row},{column}" for row in rows)
