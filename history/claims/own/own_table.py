"""Which numbers stand in the table that a claim brings along?

In: a CSV, TSV or Markdown file beside the claims file. Out: an OwnTable: names in the first
column, a column for each number, and the Evidence of every cell. Start at read_table(). It is
read by the same readers as the files of boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from crawler.board import nearest
from history import readers
from history.claims import wording
from history.claims.language.claim import Claim, ClaimError
from history.claims.language.files import read_file
from history.claims.own.table_numbers import Cell, cells_of
from history.claims.verdict import Evidence
from history.numbers import parse
from history.readers import trimmed
from history.standing import Cell as Place

FORMS = ("csv", "tsv", "markdown")
ITEMS = "items"  # the row or column that says how many items stand behind a score
_MOST_CELLS = 50_000
_LONGEST, _NAMED = 60, 5  # letters of a name, and names, in a sentence
_LOWER = ("(lower is better)", "\u2193")


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column; two are the same only if they are one, whatever stands in them.

    Attributes:
        name: its header.
        cells, pointers: by row: what stands there, and where.
        lower_is_better: told by a board's definition.
    """

    name: str
    cells: tuple[Cell, ...]
    pointers: tuple[str, ...]
    lower_is_better: bool = False

    @property
    def said(self) -> str:
        """The header, as people read it."""
        return short(self.name)

    @property
    def lower(self) -> bool:
        """Whether lower is better, as the header or a definition says."""
        return self.lower_is_better or any(word in self.name.casefold() for word in _LOWER)

    def is_numeric(self, rows: Sequence[int]) -> bool:
        """Whether most that stands in some rows is numbers; gaps do not count."""
        words = sum(self.cells[row].is_other_text for row in rows)
        return sum(self.cells[row].measured is not None for row in rows) > words


@dataclass(frozen=True, slots=True)
class OwnTable:
    """The table of a claim, or some rows of it.

    Attributes:
        where: claim and table, for errors.
        path: the file, as the claim names it.
        pointer: where the rows stand.
        columns: all columns; the first holds the names of the rows.
        rows: which rows are meant, from 0.
        source: the rows of a board's version, if they are laid out here; None for a file.
    """

    where: str
    path: str
    pointer: str
    columns: tuple[Column, ...]
    rows: tuple[int, ...]
    source: Place | None = None

    @property
    def names(self) -> list[str]:
        """The name of every row that is meant."""
        return [self.name(row) for row in self.rows]

    @property
    def entries(self) -> list[int]:
        """The rows that have a name; the one with numbers of items is none."""
        return [row for row in self.rows if self.name(row).casefold() not in ("", ITEMS)]

    def name(self, row: int) -> str:
        """The name of a row."""
        return self.columns[0].cells[row].text

    def column(self, name: str) -> Column:
        """The column of a name, exactly or but for upper and lower case.

        Raises:
            ClaimError: there is none, or more than one.
        """
        for form in (str, str.casefold):
            found = [one for one in self.columns if form(one.name) == form(trimmed(name))]
            if len(found) > 1:
                raise ClaimError(
                    self.where, f'{len(found)} columns named "{short(name)}"', "Rename one of them"
                )
            if found:
                return found[0]
        known = [one.name for one in self.columns if one.name]
        raise ClaimError(self.where, f'no column "{short(name)}"', _has(name, known))

    def has_column(self, name: str) -> bool:
        """Whether a column has this name."""
        return any(one.name.casefold() == trimmed(name).casefold() for one in self.columns)

    def numeric(self, without: Sequence[str] = ()) -> list[Column]:
        """The columns of numbers but for the first, for numbers of items and for some."""
        left_out = {ITEMS, *(name.casefold() for name in without)}
        return [
            one
            for one in self.columns[1:]
            if one.name.casefold() not in left_out and one.is_numeric(self.entries)
        ]

    def chosen(self, names: Sequence[str]) -> list[Column]:
        """The columns of these names; without names all of numbers.

        Raises:
            ClaimError: one of them is not there, or there is none at all.
        """
        found = [self.column(name) for name in names] if names else self.numeric()
        if not found:
            raise ClaimError(self.where, "no column of numbers", "Name the columns that are meant")
        return found

    def rows_named(self, name: str) -> list[int]:
        """The rows of a name, exactly or else but for upper and lower case."""
        for form in (str, str.casefold):
            found = [row for row in self.rows if form(self.name(row)) == form(trimmed(name))]
            if found:
                return found
        return []

    def row(self, name: str) -> int:
        """The only row of a name.

        Raises:
            ClaimError: there is none, or more than one.
        """
        found = self.rows_named(name)
        if len(found) != 1:
            what = f'{len(found) or "no"} rows named "{short(name)}" in the first column'
            raise ClaimError(self.where, what, _has(name, [one for one in self.names if one]))
        return found[0]

    def under(self, conditions: Mapping[str, str]) -> OwnTable:
        """The rows whose cells say what the conditions do; numbers compare as numbers."""
        columns = {self.column(name): text for name, text in conditions.items()}
        rows = (
            row
            for row in self.rows
            if all(_agree(column.cells[row].text, text) for column, text in columns.items())
        )
        return replace(self, rows=tuple(rows))

    def evidence(self, row: int, column: Column) -> Evidence:
        """One cell, and where it stands."""
        return self._at(self.name(row), column.name, column.pointers[row], column.cells[row].text)

    @property
    def whole(self) -> Evidence:
        """The rows as a whole."""
        return self._at(None, "rows", self.pointer, "")

    def _at(self, entry: str | None, field: str, pointer: str, text: str) -> Evidence:
        source, said = self.source, text or None
        if source is None:
            return Evidence(None, None, None, self.path, pointer, entry, field, said, "reported")
        at = source.committed_at.to_pydatetime()
        where = (source.board, source.commit, at, self.path, pointer)
        return Evidence(*where, entry, field, said, source.label)


def read_table(claim: Claim, folder: Path | None) -> OwnTable:
    """The table that a claim names.

    Args:
        claim: `table` is the file; `card.md#2` the second table of a Markdown file.
        folder: what it is relative to, the folder of the claims file.

    Raises:
        ClaimError: it is not there, or no table.
    """
    where = f'claim "{claim.id}", table {short(claim.table)}'
    path, rows = _split(claim.table)
    form = readers.format_of(path)
    if form not in FORMS:
        fix = "Give a CSV, TSV or Markdown file"
        raise ClaimError(where, "its name does not end in .csv, .tsv or .md", fix)
    try:
        table = readers.parse(form, read_file((folder or Path()) / path)).table(rows)
        found = _columns(table)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        fix = "Give its name as seen from the claims file"
        raise ClaimError(where, f"it cannot be read ({reason})", fix) from None
    except readers.Unreadable as error:
        raise ClaimError(where, f"it is no table: {error}", "Mend it") from None
    texts = [[trimmed(text or "") for text in one.texts] for _, one in found]
    if (size := sum(map(len, texts))) > _MOST_CELLS:
        fix = f"At most {_MOST_CELLS:,} are read; keep what the claim needs"
        raise ClaimError(where, f"it has {size:,} cells", fix)
    cells = cells_of(texts, own_decimals=form == "markdown")
    columns = tuple(
        Column(name, tuple(own), tuple(one.pointers))
        for (name, one), own in zip(found, cells, strict=True)
    )
    return OwnTable(where, path, table.pointer, columns, tuple(range(len(texts[0]))))


def short(text: str) -> str:
    """A name or a text of a file, as much of it as a sentence can hold.

    >>> short("fern"), len(short("fern" * 99))
    ('fern', 60)
    """
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def few(names: Sequence[str]) -> str:
    """Names in a row, as many as a sentence can hold.

    >>> few(["fern", "moss"]), few(list("abcdefgh"))
    ('fern and moss', 'a, b, c, d, e and 3 more')
    """
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return wording.listing([*names[:_NAMED], *more])


def _columns(table: readers.Table) -> list[tuple[str, readers.Cells]]:
    """Every column with its header, which may be empty."""
    header = getattr(table, "header", None) or table.names()
    found = []
    for number, name in enumerate(header, start=1):
        cells = table.numbered(number)
        assert cells is not None
        found.append((trimmed(name), cells))
    return found


def _split(table: str) -> tuple[str, str]:
    """File and table in it.

    >>> _split("card.md#2"), _split("own#1.csv")
    (('card.md', '2'), ('own#1.csv', ''))
    """
    path, mark, rows = table.rpartition("#")
    return (path, rows) if mark and readers.format_of(path) == "markdown" else (table, "")


def _agree(cell: str, text: str) -> bool:
    """Whether a cell says what a condition does.

    >>> _agree("255", "255.0"), _agree("1,000 ms", "1,000 ms"), _agree("low", "Low"), _agree("1", "2")
    (True, True, True, False)
    """
    if cell.casefold() == trimmed(text).casefold():
        return True
    one, other = parse(cell), parse(text)
    same_unit = one.unit == other.unit
    return one.value is not None and one.value == other.value and same_unit


def _has(name: str, known: Sequence[str]) -> str:
    """What is there instead, short."""
    few = list(dict.fromkeys(known))[:500]
    close = nearest(name[:200], few) or few[:5]
    return f"It has {', '.join(short(one) for one in close)}" if close else "It has none"
