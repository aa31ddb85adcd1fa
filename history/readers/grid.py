"""Which rows does a file of cells hold?

In: headers and rows of cells, as a format's reader cut them. Out: a GridDocument and its
GridTables. Start at fitting(), which says which rows belong under a header. Cells stay text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from history.readers import Cells, Unreadable, trimmed

MAX_COLUMNS = 5_000


class Record(NamedTuple):
    """One row as it was cut.

    Attributes:
        place: its place in the table, the header's being 0.
        cells: the texts.
        where: for people and pointers: row or line in the file.
    """

    place: int
    cells: list[str]
    where: int


class GridTable:
    """Rows of cells under a header; see `history.readers.Table`.

    Args:
        header: names of the columns; a column without one has an empty name.
        records: the rows, each with as many cells as the header.
        pointers: column number, from 1 -> where each row's cell stands.
        pointer: where the rows stand.
        left_out: rows that did not fit, for people.
        named: texts by which a definition's `rows` can ask for this table.
    """

    keys: list[str] | None = None

    def __init__(
        self,
        header: Sequence[str],
        records: Sequence[Record],
        pointers: Callable[[int], Sequence[str]],
        pointer: str,
        left_out: Sequence[str] = (),
        named: Sequence[str] = (),
    ):
        self.header, self.pointer, self.named = list(header), pointer, list(named)
        self.left_out = list(left_out)
        self.rows = [record.cells for record in records]
        self.places: Sequence[int] = tuple(record.place - 1 for record in records)
        self._pointers = pointers

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
        return Cells([cells[number - 1] for cells in self.rows], self._pointers(number))


class GridDocument:
    """A file of one or more tables of cells; see `history.readers.Document`."""

    def __init__(self, tables: Sequence[GridTable]):
        self._tables = list(tables)

    def find(self, path: str) -> str | None:
        """Nothing that a JSONPath finds stands outside the rows."""
        return None

    def table(self, rows: str = "") -> GridTable:
        """One table: by its number from 1, or by its heading or caption; without, the first.

        Raises:
            Unreadable: there is no such table, or several have that heading.
        """
        if not self._tables:
            raise Unreadable("no_table", "the file holds no table")
        if not rows:
            return self._tables[0]
        wanted = trimmed(rows).casefold()
        found = [
            table
            for number, table in enumerate(self._tables, 1)
            if wanted in (str(number), *(trimmed(name).casefold() for name in table.named))
        ]
        if len(found) == 1:
            return found[0]
        known = "; ".join(
            f"{number}: {(table.named or ['without a heading'])[-1]}"
            for number, table in list(enumerate(self._tables, 1))[:8]
        )
        count = "several tables are" if found else "no table is"
        raise Unreadable("no_table", f"{count} named {rows!r}; there are {known}")

    def row(self) -> GridTable:
        """The only table, if it has one row.

        Raises:
            Unreadable: the file is not a single row.
        """
        table = self.table()
        if len(self._tables) > 1 or len(table.rows) != 1:
            found = f"{len(self._tables)} tables, {len(table.rows)} rows in the first; expected one"
            raise Unreadable("no_table", found)
        return table

    def tables(self) -> list[tuple[str, GridTable]]:
        """All tables, with the text that asks for each."""
        if len(self._tables) == 1:
            return [("", self._tables[0])]
        return [(str(number), table) for number, table in enumerate(self._tables, 1)]


def fitting(
    header: Sequence[str], records: Sequence[Record], unit: str = "row"
) -> tuple[list[Record], list[str]]:
    """The rows that have as many cells as the header, and what is to be said of the others.

    Blank rows are nobody's. A blank cell too many at the end of every row is a habit of some
    writers and dropped.

    Args:
        header: names of the columns.
        records: rows below it.
        unit: what `where` of a record counts: row or line.

    Raises:
        Unreadable: more than half of the rows do not fit.

    >>> fitting(["model", "score"], [Record(1, ["fern", "81"], 2), Record(2, ["oak", "x", "1"], 3)])
    ([Record(place=1, cells=['fern', '81'], where=2)], ['row 3 has 3 cells, the header has 2'])
    """
    if len(header) > MAX_COLUMNS:
        raise Unreadable("too_large", f"{len(header):,} columns; at most {MAX_COLUMNS:,} are read")
    size = len(header)
    filled = [record for record in records if any(map(str.strip, record.cells))]
    if filled and all(len(r.cells) == size + 1 and not r.cells[-1].strip() for r in filled):
        filled = [record._replace(cells=record.cells[:-1]) for record in filled]
    fit = [record for record in filled if len(record.cells) == size]
    left_out = [
        f"{unit} {record.where} has {len(record.cells)} cells, the header has {size}"
        for record in filled
        if len(record.cells) != size
    ]
    if len(left_out) * 2 > len(filled):
        raise Unreadable("misaligned", f"{len(left_out)} of {len(filled)} rows: {left_out[0]}")
    return fit, left_out
