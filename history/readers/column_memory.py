"""Which cells of a column stood in the file before?

In: the rows of one file after the other, as JsonMemory gives them: a row that stood in the file
before is the very same object. Out: texts of a column. Start at ColumnMemory.texts().
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from operator import is_not
from typing import Any

Texts = list[str | None]


class ColumnMemory:
    """The columns of the last file.

    >>> memory, fern, moss = ColumnMemory(), {"v": "1"}, {"v": "2"}
    >>> memory.keep("/models", "v", [fern, moss, moss], ["1", "2", "2"])
    >>> memory.texts("/models", "v", [fern, moss, {"v": "3"}], lambda row: row["v"])
    ['1', '2', '3']
    """

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str], tuple[Sequence[Any], Texts]] = {}

    def texts(
        self, place: str, name: str, rows: Sequence[Any], cell: Callable[[Any], str | None]
    ) -> Texts | None:
        """A column, of which only the cells of new rows are read; None if most of it is new.

        Args:
            place: pointer of the rows.
            name: of the column.
            rows: as they stand now.
            cell: reads one cell.

        Returns:
            The same list as before where no cell changed.
        """
        before, texts = self._columns.get((place, name), ((), []))
        if len(before) != len(rows):
            return None
        changed = list(compress(range(len(rows)), map(is_not, rows, before)))
        if 2 * len(changed) >= len(rows):
            return None
        if changed:
            read = [(row, cell(rows[row])) for row in changed]
            others = [(row, text) for row, text in read if text != texts[row]]
            if others:
                texts = texts.copy()
                for row, text in others:
                    texts[row] = text
            self.keep(place, name, rows, texts)
        return texts

    def keep(self, place: str, name: str, rows: Sequence[Any], texts: Texts) -> None:
        """Remember a column for the next file."""
        self._columns[place, name] = rows, texts
