"""Where are the rows of a file that is not written row by row?

In: a Table as a reader cut it, and the Columns of a definition. Out: a Table of rows. Start at
in_rows(). Pointers stay those of the cells in the file.

    columns   {"model": ["fern", "moss"], "score": [81, 80]}, or with {"0": "fern", "1": "moss"}
    wide      a column per entry, and one row that counts
    long      a row per entry and part: history.readings.long_layout
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from history.counts import counted
from history.meaning import conditions
from history.meaning.definition import Columns
from history.readers import Cells, Table, Unreadable
from history.readers.tree import TreeTable, escaped
from history.readings.long_layout import LongTable


def in_rows(table: Table, columns: Columns) -> Table:
    """The rows of a table, whatever its layout.

    Raises:
        Unreadable: no_table, where the file has no such layout, or not exactly one row is the
            one that counts; misaligned, where columns have different lengths.
    """
    if columns.layout == "columns":
        return _of_columns(table)
    if columns.layout == "long":
        return LongTable(table, columns)
    return _of_one_row(table, columns) if columns.layout == "wide" else table


# --- columns ----------------------------------------------------------------------------------


class ColumnsTable:
    """Rows of which each column stands on its own; see `history.readers.Table`.

    Args:
        rows: by column name, the values of each row.
        index: how each row is called inside a column: its number, or its key.
        keys: of the rows, where they have one.
        pointer: where the columns stand.
        left_out: what the reader left out.
    """

    def __init__(
        self,
        rows: list[dict[str, Any]],
        index: Sequence[str | int],
        keys: list[str] | None,
        pointer: str,
        left_out: list[str],
    ):
        self.keys, self.pointer, self.left_out = keys, pointer, left_out
        self.places: Sequence[int] = range(len(rows))
        self._index = [escaped(str(one)) for one in index]
        # Its pointers name the row first: /3/score is /score/3 in the file.
        self._rows = TreeTable(rows, "", range(len(rows)))

    def names(self) -> list[str]:
        """The names of the columns, and paths of what stands one level deeper."""
        return self._rows.names()

    def literal(self, name: str) -> Cells | None:
        """The column of exactly this name."""
        return self._turned(self._rows.literal(name))

    def inside(self, path: str) -> Cells | None:
        """What a JSONPath or JSON pointer finds in a row whose keys are the columns."""
        return self._turned(self._rows.inside(path))

    def numbered(self, number: int) -> Cells | None:
        """The column of this number, from 1."""
        names = list(self._rows.rows[0]) if self.places else []
        return self.literal(names[number - 1]) if 1 <= number <= len(names) else None

    def _turned(self, cells: Cells | None) -> Cells | None:
        if cells is None:
            return None
        pointers = []
        for place, pointer in zip(self._index, cells.pointers, strict=True):
            _, _, *steps = pointer.split("/")
            # A path that finds nothing in a row leads to no column.
            turned = [self.pointer, steps[0], place, *steps[1:]] if steps else [self.pointer]
            pointers.append("/".join(turned))
        return Cells(cells.texts, pointers)


def _of_columns(table: Table) -> Table:
    """Rows of an object of lists, or of an object of objects with the same keys."""
    if not isinstance(table, TreeTable) or table.keys is None:
        where = table.pointer or "the top"
        raise Unreadable("no_table", f"no object of columns stands at {where}")
    columns = {
        name: column
        for name, column in zip(table.keys, table.rows, strict=True)
        if isinstance(column, (list, dict))
    }
    if not columns:
        if table.keys:
            raise Unreadable("no_table", f"{table.keys[0]!r} is neither a list nor an object")
        return table
    first, *others = columns
    index = _index(columns[first])
    for name in others:
        one, other = _extent(columns[name]), _extent(columns[first])
        found = f"{name!r} has {one}, {first!r} has {other}"
        if one != other:
            raise Unreadable("misaligned", found)
        if set(_index(columns[name])) != set(index):
            raise Unreadable("misaligned", f"{found}, and they differ")
    rows = [{name: column[place] for name, column in columns.items()} for place in index]
    keys = [str(place) for place in index] if isinstance(columns[first], dict) else None
    return ColumnsTable(rows, index, keys, table.pointer, table.left_out)


def _index(column: list[Any] | dict[str, Any]) -> Sequence[Any]:
    return list(column) if isinstance(column, dict) else range(len(column))


def _extent(column: list[Any] | dict[str, Any]) -> str:
    return counted(len(column), "key" if isinstance(column, dict) else "value")


# --- wide -------------------------------------------------------------------------------------


class WideTable:
    """A row of which each cell is an entry's; see `history.readers.Table`.

    Its rows are the entries, their keys the names of the columns, and the only column is "#1".
    """

    def __init__(self, keys: list[str], cells: Cells, pointer: str, left_out: list[str]):
        self.keys: list[str] | None = keys
        self.places: Sequence[int] = range(len(keys))
        self.pointer, self.left_out, self._cells = pointer, left_out, cells

    def names(self) -> list[str]:
        """None: the names of the columns are the entries."""
        return []

    def literal(self, name: str) -> None:
        """None."""

    def inside(self, path: str) -> None:
        """None."""

    def numbered(self, number: int) -> Cells | None:
        """The cells, as column 1."""
        return self._cells if number == 1 else None


def _of_one_row(table: Table, columns: Columns) -> Table:
    """The cells of the row that counts."""
    names: list[str] = []
    texts: list[str | None] = []
    pointers: list[str] = []
    if table.places:
        row = _chosen(table, columns.row)
        for name in _names(table, row):
            if name not in columns.not_entries and (cells := table.literal(name)):
                names.append(name)
                texts.append(cells.texts[row])
                pointers.append(cells.pointers[row])
    return WideTable(names, Cells(texts, pointers), table.pointer, table.left_out)


def _chosen(table: Table, condition: conditions.Condition | None) -> int:
    if condition is None:
        return len(table.places) - 1
    rows = [row for row, holds in enumerate(conditions.truths(condition, table)) if holds]
    if len(rows) == 1:
        return rows[0]
    which = ", ".join(str(table.places[row]) for row in rows[:5])
    found = f"{len(rows)} of {counted(len(table.places), 'row')}" + (
        f": {which} (from 0)" if rows else ""
    )
    raise Unreadable("no_table", f"row = {condition.text!r} is true of {found}; expected one")


def _names(table: Table, row: int) -> list[str]:
    """The columns that a row has."""
    if not isinstance(table, TreeTable):
        return table.names()
    cells = table.rows[row]
    if not isinstance(cells, dict):
        raise Unreadable("no_table", f"row {row} (from 0) is no object with a key per entry")
    return list(cells)
