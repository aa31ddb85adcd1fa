"""Which rows make one entry, where a file has a row per entry and part?

In: a Table as a reader cut it, and the Columns of a definition. Out: a LongTable, one row per
entry. Start at LongTable.

    model,category,right,total,published          entry fern:  right/python = 360
    fern,python,360,400,72.00                                  right/java   = 60
    fern,java,60,100,72.00                                     published    = 72.00

A value of one part is the column VALUECOLUMN/PART; what is the same in all rows of an entry
keeps its name. Pointers stay those of the cells in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from history.meaning.columns import Column, Named
from history.meaning.conditions import truths
from history.meaning.definition import Columns, Direction
from history.numbers.column import read_column
from history.readers import Cells, Table, no_column, trimmed
from history.readings.remarks import Remark, none_takes_part
from history.readings.repeats import Repeats

# By entry, the row of the file that counts; None where there is none, or several disagree.
_Rows = dict[int, int | None]


class LongTable:
    """The entries of a file with several rows each; see `history.readers.Table`.

    Args:
        table: the rows of the file.
        columns: of the definition; `where` is asked of the rows of the file.

    Attributes:
        remarks: which rows of an entry disagree; grows as columns are asked for.

    Raises:
        Unreadable: no row has the column of the entry or the part.
    """

    def __init__(self, table: Table, columns: Columns):
        self._table, self._columns = table, columns
        self.pointer, self.left_out = table.pointer, list(table.left_out)
        self._remarks: dict[Remark, None] = {}
        self._known: dict[str, Mapping[str, _Rows]] = {}
        entries, parts = (self._texts(one) for one in (columns.entry, columns.part))
        self._rows = self._taking_part(entries, parts)
        self._parts = [parts[row] for row in self._rows]
        numbers: dict[str, int] = {}
        self._entries = [numbers.setdefault(entries[row], len(numbers)) for row in self._rows]
        self.keys: list[str] | None = list(numbers)
        firsts = dict(zip(reversed(self._entries), reversed(self._rows), strict=True))
        self.places: Sequence[int] = [table.places[firsts[n]] for n in range(len(numbers))]

    @property
    def remarks(self) -> list[Remark]:
        """In the order in which they were found."""
        return list(self._remarks)

    def names(self) -> list[str]:
        """The columns that are the same in all rows of every entry, then VALUECOLUMN/PART."""
        own, by_part = [], []
        for name in self._table.names():
            cells = self._table.literal(name)
            if cells is None or not any(len(texts) > 1 for texts in self._texts_of(cells).values()):
                own.append(name)
            else:
                by_part += [f"{name}/{part}" for part in dict.fromkeys(self._parts)]
        return own + by_part

    def literal(self, name: str) -> Cells | None:
        """A column that is the same in all rows of an entry, or VALUECOLUMN/PART."""
        cells = self._table.literal(name)
        return self._of_part(name) if cells is None else self._same(name, cells)

    def inside(self, path: str) -> Cells | None:
        """What a path finds in a row, if that is the same in all rows of an entry."""
        cells = self._table.inside(path)
        return None if cells is None else self._same(path, cells)

    def numbered(self, number: int) -> Cells | None:
        """The column of this number in the file, if it is the same in all rows of an entry."""
        cells = self._table.numbered(number)
        return None if cells is None else self._same(f"#{number}", cells)

    def _texts(self, column: Column | None) -> list[str]:
        assert column is not None  # the definition was checked
        if not self._table.places:
            return []
        cells = column.cells(self._table)
        if cells is None:
            raise no_column(str(column), self._table)
        return [trimmed(text or "") for text in cells.texts]

    def _taking_part(self, entries: list[str], parts: list[str]) -> list[int]:
        """The rows that `where` is true of, and that have an entry and a part."""
        columns, places = self._columns, self._table.places
        rows = list(range(len(places)))
        if columns.where is not None:
            holds = truths(columns.where, self._table, columns.attributes)
            rows = [row for row in rows if holds[row]]
            if places and not rows:
                self._add(none_takes_part(len(places)))
        for row in rows:
            if not entries[row] or not parts[row]:
                lacks = "part" if entries[row] else "entry"
                self.left_out.append(f"row {places[row]} (from 0) has no {lacks}")
        return [row for row in rows if entries[row] and parts[row]]

    # --- a column that belongs to the entry -------------------------------------------------

    def _texts_of(self, cells: Cells) -> dict[int, dict[str | None, int]]:
        """By entry, the texts of its rows and the first row of each."""
        found: dict[int, dict[str | None, int]] = {}
        for entry, row in zip(self._entries, self._rows, strict=True):
            found.setdefault(entry, {}).setdefault(cells.texts[row], row)
        return found

    def _same(self, name: str, cells: Cells) -> Cells:
        texts = self._texts_of(cells)
        chosen: _Rows = {}
        for number, rows in texts.items():
            first, *others = rows.values()
            chosen[number] = None if others else first
            if others and self.keys:
                entry, printed = self.keys[number], ", ".join(text or "none" for text in rows)
                said = f"{entry!r} has different values of {name!r}: {printed[:80]}"
                self._add(Remark("duplicate_entry", entry, cells.pointers[others[0]], said))
        return self._picked(cells, chosen)

    def _add(self, remark: Remark) -> None:
        """Once, however often a column is asked for."""
        self._remarks.setdefault(remark)

    def _picked(self, cells: Cells, chosen: _Rows) -> Cells:
        """One cell per entry; a gap would stand among the rows."""
        rows = [chosen.get(entry) for entry in range(len(self.places))]
        return Cells(
            [None if row is None else cells.texts[row] for row in rows],
            [self.pointer if row is None else cells.pointers[row] for row in rows],
            None if cells.lines is None else [None if r is None else cells.lines[r] for r in rows],
        )

    # --- a column that belongs to entry and part ---------------------------------------------

    def _of_part(self, name: str) -> Cells | None:
        for value, part in _halves(name):
            cells = Named(value).cells(self._table)
            if cells is None:
                continue
            if not self.places:
                return Cells([], [])
            if value not in self._known:
                self._known[value] = self._decided(value, cells)
            if part in self._known[value]:
                return self._picked(cells, self._known[value][part])
        return None

    def _decided(self, name: str, cells: Cells) -> Mapping[str, _Rows]:
        """By part and entry, the row that counts in one value column."""
        columns, rows = self._columns, self._rows
        texts = [cells.texts[row] for row in rows]
        latest = self._texts(columns.latest_by) if columns.latest_by else None
        pairs = self._pairs()
        assert self.keys is not None
        whose = dict(zip(pairs, [self.keys[n] for n in self._entries], strict=True))
        repeats = Repeats(
            # There is no second place for a value, so rows that disagree refuse each other.
            replace(
                columns,
                keep="refuse" if columns.keep == "apart" else columns.keep,
                direction=self._direction(name),
            ),
            pairs,
            [self._table.places[row] for row in rows],
            texts,
            read_column(texts, missing=columns.missing).ticks,
            [cells.pointers[row] for row in rows],
            None if latest is None else [latest[row] for row in rows],
            column=name,
        )
        decided: dict[str, _Rows] = {part: {} for part in self._parts}
        for n in repeats.resolve(list(range(len(rows))), [None] * len(rows)):
            chosen, entry = decided[self._parts[n]], self._entries[n]
            chosen[entry] = None if entry in chosen else rows[n]
        for remark in repeats.remarks:
            self._add(remark._replace(entry=whose[remark.entry or ""]))
        return decided

    def _pairs(self) -> list[str]:
        """Entry and part of every row, for people, and never the same of two different pairs."""
        assert self.keys is not None
        pairs = [(self.keys[n], part) for n, part in zip(self._entries, self._parts, strict=True)]
        plain = ["/".join(pair) for pair in pairs]
        if len(set(plain)) == len(set(pairs)):
            return plain
        return [f"{entry!r} {part!r}" for entry, part in pairs]

    def _direction(self, name: str) -> Direction:
        """Which end of a value column is best: as for the part that is made of it."""
        parts = self._columns.parts.values()
        of_it = (one.direction for one in parts if str(one.column).startswith(f"{name}/"))
        return next(of_it, self._columns.direction)


def _halves(name: str) -> Iterator[tuple[str, str]]:
    """What can be meant by VALUECOLUMN/PART: both may hold a slash.

    >>> list(_halves("acc/en/q1"))
    [('acc', 'en/q1'), ('acc/en', 'q1')]
    """
    for place, letter in enumerate(name):
        if letter == "/" and 0 < place < len(name) - 1:
            yield name[:place], name[place + 1 :]
