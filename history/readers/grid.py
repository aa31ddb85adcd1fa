"""Which rows does a file of cells hold?

In: headers and rows of cells, as a format's reader cut them. Out: a GridDocument and its
GridTables. Start at fitting(), which says which rows belong under a header. Cells stay text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from history.counts import counted
from history.readers import Cells, Table, Unreadable, trimmed
from history.readers.limits import MAX_CELLS, check_rows

MAX_COLUMNS = 5_000


class GridTable:
    """Rows of cells under a header; see `history.readers.Table`.

    A table whose rows cannot be read still has its names, so that a board which asks for them
    is told why, and never gets another table in its place.

    Args:
        header: names of the columns; a column without one has an empty name.
        rows: the texts of what stands below it; a break that a cell shows is a line end.
        places: place of each row in the table, from 0.
        pointers: places, column number from 1 -> where each row's cell stands.
        pointer: where the rows stand.
        where: place -> what people call the row.
        left_out: rows that were not even cut, for people.
        named: texts by which a definition's `rows` can ask for this table.
        breaks: whether line ends in cells are breaks that the file shows, not letters.
    """

    keys: list[str] | None = None

    def __init__(
        self,
        header: Sequence[str],
        rows: Sequence[list[str]],
        places: Sequence[int],
        pointers: Callable[[Sequence[int], int], Sequence[str]],
        pointer: str,
        where: Callable[[int], str],
        *,
        left_out: Sequence[str] = (),
        named: Sequence[str] = (),
        breaks: bool = False,
    ):
        self.header, self.pointer = list(header), pointer
        self.named: Sequence[str] = tuple(named)
        self.left_out = list(left_out)
        self.unreadable: Unreadable | None = None
        self.places: Sequence[int] = ()
        self._columns: list[tuple[str, ...]] = []
        self._pointers, self._breaks = pointers, breaks
        try:
            fit = fitting(header, rows, places, where)
        except Unreadable as error:
            self.unreadable = error
        else:
            self.header, self.places = fit.header, tuple(fit.places)
            self._columns = list(zip(*fit.rows, strict=True))
            self.left_out += fit.left_out

    def names(self) -> list[str]:
        """The header."""
        return [name for name in self.header if name]

    def literal(self, name: str) -> Cells | None:
        """The column of one header text.

        Raises:
            Unreadable: two columns have that name, or the rows cannot be read.
        """
        number = number_of(name, self.header)
        return None if number is None else self.numbered(number)

    def inside(self, path: str) -> Cells | None:
        """Nothing stands inside a cell of text."""
        return None

    def numbered(self, number: int) -> Cells | None:
        """One column.

        Raises:
            Unreadable: the rows cannot be read.
        """
        if not 1 <= number <= len(self.header):
            return None
        if self.unreadable:
            raise self.unreadable
        texts = list(self._columns[number - 1]) if self._columns else []
        pointers = self._pointers(self.places, number)
        if self._breaks and any("\n" in text for text in texts):
            return Cells([text.replace("\n", " ") for text in texts], pointers, texts)
        return Cells(texts, pointers)


def number_of(name: str, names: Sequence[str]) -> int | None:
    """The number of the only column of a name, from 1; None if there is none.

    Raises:
        Unreadable: there are several.

    >>> number_of("score", ["model", "score"])
    2
    """
    columns = [number for number, known in enumerate(names, 1) if known == name]
    if len(columns) > 1:
        numbers = " and ".join(map(str, columns))
        fix = " or ".join(f"'#{number}'" for number in columns)
        all_ = "both" if len(columns) == 2 else "all"
        found = f"columns {numbers} are {all_} named {name!r}; name one as {fix}"
        raise Unreadable("no_table", found)
    return columns[0] if columns else None


class Titled(Table, Protocol):
    """A table that can be asked for.

    Attributes:
        named: texts by which a definition's `rows` can ask for it.
        unreadable: why it cannot be read; None if it can.
    """

    named: Sequence[str]
    unreadable: Unreadable | None


class GridDocument:
    """A file of one or more tables of cells; see `history.readers.Document`."""

    is_tree = False

    def __init__(self, tables: Sequence[Titled]):
        self._tables = list(tables)

    def find(self, path: str) -> str | None:
        """Nothing that a JSONPath finds stands outside the rows."""
        return None

    def table(self, rows: str = "") -> Table:
        """One table: by its number from 1, or by its heading or caption; without, the first.

        A heading is meant by its letters and digits if none has exactly the text: "Leaderboard"
        finds "🏆 Leaderboard:", and not "Old leaderboard".

        Raises:
            Unreadable: there is no such table, several have that heading, or it cannot be read.
        """
        if not self._tables:
            raise Unreadable("no_table", "the file holds no table")
        table = self._tables[self._chosen(rows)] if rows else self._tables[0]
        if table.unreadable:
            raise table.unreadable
        return table

    def _chosen(self, rows: str) -> int:
        for form in (_folded, _letters):
            wanted = form(rows)
            found = [
                number
                for number, table in enumerate(self._tables)
                if wanted and wanted in map(form, (str(number + 1), *table.named))
            ]
            if len(found) == 1:
                return found[0]
            if found:
                break
        known = "; ".join(
            f"{number}: {(table.named or ['without a heading'])[-1]}"
            for number, table in list(enumerate(self._tables, 1))[:8]
        )
        count = "several tables are" if found else "no table is"
        raise Unreadable("no_table", f"{count} named {rows!r}; there are {known}")

    def row(self) -> Table:
        """The only table, if it has one row.

        Raises:
            Unreadable: the file is not a single row.
        """
        table = self.table()
        if len(self._tables) > 1 or len(table.places) != 1:
            size = counted(len(self._tables), "table")
            found = f"{size}, {counted(len(table.places), 'row')} in the first"
            raise Unreadable("no_table", f"{found}; expected one")
        return table

    def tables(self) -> Sequence[tuple[str, Table]]:
        """All tables, with the text that asks for each; also those whose cells are unreadable."""
        if len(self._tables) == 1:
            return [("", self._tables[0])]
        return [(str(number), table) for number, table in enumerate(self._tables, 1)]


@dataclass(frozen=True, slots=True)
class Fit:
    """What stands under a header.

    Attributes:
        header: names of the columns.
        rows: the rows that belong there, each with as many cells.
        places: their places.
        left_out: what is to be said of the others.
    """

    header: list[str]
    rows: Sequence[list[str]]
    places: Sequence[int]
    left_out: list[str]


def fitting(
    header: Sequence[str],
    rows: Sequence[list[str]],
    places: Sequence[int],
    where: Callable[[int], str],
) -> Fit:
    """The rows that have as many cells as the header, and what is to be said of the others.

    Blank rows are nobody's. A blank cell too many at the end of every row is a habit of some
    writers and dropped, and so are blank columns without a name at the end. A header that comes
    again, where files were put together, is no row.

    Args:
        header: names of the columns.
        rows: what stands below it.
        places: their places in the table.
        where: place -> what people call the row.

    Raises:
        Unreadable: more than half of the rows do not fit, or there are too many cells.

    >>> fit = fitting(["model", "score"], [["fern", "81"], ["oak"]], [0, 1], "row {}".format)
    >>> fit.rows, fit.places, fit.left_out
    ([['fern', '81']], [0], ['row 1 has 1 cell, the header has 2'])
    """
    if len(header) > MAX_COLUMNS:
        raise Unreadable("too_large", f"{len(header):,} columns; at most {MAX_COLUMNS:,} are read")
    check_rows(len(rows))
    if (cells := len(rows) * len(header)) > MAX_CELLS:
        raise Unreadable("too_large", f"{cells:,} cells; at most {MAX_CELLS:,} are read")
    if _all_fit(header, rows):
        return Fit(list(header), rows, places, [])
    filled = [
        (row, place) for row, place in zip(rows, places, strict=True) if any(map(str.strip, row))
    ]
    names, short = _without_blank_end(list(header), [row for row, _ in filled])
    fit, odd, repeats = [], [], []
    for row, (_, place) in zip(short, filled, strict=True):
        if len(row) != len(names):
            size = counted(len(row), "cell")
            odd.append(f"{where(place)} has {size}, the header has {len(names)}")
        elif row[0].strip() == names[0] and list(map(trimmed, row)) == names:
            repeats.append(f"{where(place)} is the header again")
        else:
            fit.append((row, place))
    if len(odd) > len(fit):
        raise Unreadable("misaligned", f"{len(odd)} of {len(odd) + len(fit)} rows: {odd[0]}")
    return Fit(names, [row for row, _ in fit], [place for _, place in fit], odd + repeats)


def _all_fit(header: Sequence[str], rows: Sequence[list[str]]) -> bool:
    """Whether nothing is to be said of any row, as in most files."""
    if not header or not header[-1] or any(len(cells) != len(header) for cells in rows):
        return False
    firsts = {cells[0].strip() for cells in rows}
    return "" not in firsts and header[0] not in firsts


def _without_blank_end(
    header: list[str], rows: list[list[str]]
) -> tuple[list[str], list[list[str]]]:
    """Header and rows without columns at the end in which nothing stands."""
    size = len(header)
    while size > 1 and not header[size - 1]:
        size -= 1
    # As many cells as a row may have: those of the header, or in all rows one more.
    most = len(header)
    if rows and all(len(cells) == most + 1 for cells in rows):
        most += 1
    near = [cells for cells in rows if len(cells) <= most]
    if size == most or any(text.strip() for cells in near for text in cells[size:]):
        return header, rows
    return header[:size], [cells if len(cells) > most else cells[:size] for cells in rows]


def _folded(text: str) -> str:
    return trimmed(text).casefold()


def _letters(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text).casefold().split())
