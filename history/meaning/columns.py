"""Which cells does a column of a definition mean?

In: a column as written in a definition, and a Table. Out: Cells, text and pointer by row. Start
at column().

A column is, in this order, a literal key of the row, what a JSONPath ("$...") or JSON pointer
("/...") finds inside the row, or "#3", the third column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from history.meaning import patterns
from history.readers import Cells, Table
from history.readers.tree import check_path

_NUMBERED = re.compile(r"#([1-9]\d{0,4})")
_LINE_END = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SHAPES = (
    'a name, a list of names, { join = [...], with = " " }, { first = [...] } or '
    "{ column = ..., pattern = ... }"
)


class Column(Protocol):
    """How to find one column in any version of a file."""

    def cells(self, table: Table) -> Cells | None:
        """The column; None if no row has it."""


@dataclass(frozen=True, slots=True)
class Named:
    """A column by its name, path or number."""

    name: str

    def __str__(self) -> str:
        return self.name

    def cells(self, table: Table) -> Cells | None:
        """The column of that name, else what the path finds, else the column of that number."""
        if cells := table.literal(self.name):
            return cells
        if _is_path(self.name):
            return table.inside(self.name)
        numbered = _NUMBERED.fullmatch(self.name)
        return table.numbered(int(numbered[1])) if numbered else None


@dataclass(frozen=True, slots=True)
class FirstThatExists:
    """The first of several columns that this version has."""

    columns: tuple[Column, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.columns))

    def cells(self, table: Table) -> Cells | None:
        """The first column that some row has."""
        return next((c for column in self.columns if (c := column.cells(table))), None)


@dataclass(frozen=True, slots=True)
class Joined:
    """Several columns in one text; a row without a value in one of them goes without it."""

    columns: tuple[Column, ...]
    between: str

    def __str__(self) -> str:
        return " + ".join(map(str, self.columns))

    def cells(self, table: Table) -> Cells | None:
        """The joined texts; the pointer is that of the first column."""
        found = [column.cells(table) for column in self.columns]
        columns = [cells for cells in found if cells is not None]
        if len(columns) < len(found):
            return None
        texts = [
            self.between.join(text for text in row if text) or None
            for row in zip(*(cells.texts for cells in columns), strict=True)
        ]
        return Cells(texts, columns[0].pointers)


@dataclass(frozen=True, slots=True)
class FirstWithValue:
    """Row by row, the first of several columns that has a value."""

    columns: tuple[Column, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.columns))

    def cells(self, table: Table) -> Cells | None:
        """The first text of each row that is not empty, with its own pointer."""
        columns = [cells for column in self.columns if (cells := column.cells(table))]
        if not columns:
            return None
        texts: list[str | None] = []
        pointers: list[str] = []
        for row in range(len(columns[0].texts)):
            chosen = next((cells for cells in columns if cells.texts[row]), columns[0])
            texts.append(chosen.texts[row])
            pointers.append(chosen.pointers[row])
        return Cells(texts, pointers)


@dataclass(frozen=True, slots=True)
class Matched:
    """The first group of a regular expression in another column; no value where it fails."""

    column: Column
    pattern: patterns.Pattern

    def __str__(self) -> str:
        return f"{self.column} ~ {self.pattern.text}"

    def cells(self, table: Table) -> Cells | None:
        """The matched part of each text."""
        cells = self.column.cells(table)
        if cells is None:
            return None
        lines = cells.texts if cells.lines is None else cells.lines
        texts = [None if text is None else self._part(text) for text in lines]
        return Cells(texts, cells.pointers)

    def _part(self, text: str) -> str | None:
        found = self.pattern.search(_LINE_END.sub("\n", text))
        return found[1] if found else None


def column(written: Any) -> Column:
    """Understand a column as a definition writes it.

    Raises:
        ValueError: it is none; the message says what was expected.

    >>> str(column(["Overall Acc", "Overall Accuracy"]))
    'Overall Acc or Overall Accuracy'
    """
    if isinstance(written, str):
        return _named(written)
    if isinstance(written, list) and written:
        return FirstThatExists(_columns(written))
    if isinstance(written, dict):
        keys = set(written)
        if "join" in keys and keys <= {"join", "with"} and isinstance(written.get("with", ""), str):
            return Joined(_columns(written["join"]), written.get("with", ""))
        if keys == {"first"}:
            return FirstWithValue(_columns(written["first"]))
        if keys == {"column", "pattern"} and isinstance(written["pattern"], str):
            return Matched(column(written["column"]), _pattern(written["pattern"]))
    raise ValueError(f"{written!r} is no column; write {_SHAPES}")


def _columns(written: Any) -> tuple[Column, ...]:
    if not isinstance(written, Sequence) or isinstance(written, str) or not written:
        raise ValueError(f"{written!r} is no list of columns")
    return tuple(column(one) for one in written)


def _named(name: str) -> Named:
    if not name:
        raise ValueError("the name of the column is empty")
    if name.startswith("$") and _is_path(name) and (wrong := check_path(name)):
        raise ValueError(f"{name!r} is no JSONPath: {wrong}")
    return Named(name)


def _is_path(name: str) -> bool:
    """Whether a name can be a path; a header such as "$ per run" cannot."""
    return name == "$" or name.startswith(("$.", "$[", "/"))


def _pattern(text: str) -> patterns.Pattern:
    pattern = patterns.parse(text, lines=True)
    if pattern.groups < 1:
        raise ValueError(f"{text!r} has no group; put the part that counts in parentheses")
    return pattern
