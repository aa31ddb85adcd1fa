"""Which rows does a published file hold, and where does each cell stand?

    bytes -> parse() -> Document -> document.table() -> Table

In: the bytes of one file. Out: a Document and its Tables. Start at parse(). One module per
format: those of objects and lists give a TreeDocument, those of cells a GridDocument, and
nothing further on knows formats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from crawler.board import nearest

_MB = 1024 * 1024


class Format(NamedTuple):
    """How files of one format are read.

    Attributes:
        reader: the module.
        endings: of such files' names.
        max_bytes: so much that the slowest file of that size takes less than 5 s and 1 GB.
        told: what else the reader is told.
        is_tree: it holds objects and lists, where JSONPaths lead.
        is_text: it is prose with tables; JSON may stand in HTML.
        remembers: its reader is faster where most of a file stood in the one before.
    """

    reader: str
    endings: tuple[str, ...]
    max_bytes: int
    told: tuple[str, ...] = ()
    is_tree: bool = False
    is_text: bool = False
    remembers: bool = False


FORMATS = {
    "json": Format("json_reader", ("json",), 32 * _MB, is_tree=True, remembers=True),
    "jsonl": Format("jsonl_reader", ("jsonl", "ndjson"), 32 * _MB, is_tree=True),
    "yaml": Format("yaml_reader", ("yaml", "yml"), 8 * _MB, is_tree=True),
    "js": Format("js_reader", ("js", "mjs", "cjs"), 2 * _MB, is_tree=True),
    "csv": Format("csv_reader", ("csv",), 32 * _MB),
    "tsv": Format("csv_reader", ("tsv", "tab"), 32 * _MB, told=("\t",)),
    "markdown": Format("markdown_reader", ("md", "markdown"), 4 * _MB, is_text=True),
    "html": Format("html_reader", ("html", "htm"), 8 * _MB, is_text=True),
    "parquet": Format("parquet_reader", ("parquet",), 32 * _MB),
}
TREES = frozenset(name for name, one in FORMATS.items() if one.is_tree)
TEXTS = frozenset(name for name, one in FORMATS.items() if one.is_text)
_ENDINGS = {ending: name for name, one in FORMATS.items() for ending in one.endings}

_LFS = b"version https://git-lfs.github.com/spec/"
_CONFLICT_MARKS = (b"<" * 7, b">" * 7, b"|" * 7)
_CONFLICT = re.compile(rb"^(?:<{7}|>{7}|\|{7})(?: [^\n]*)?\r?$", re.MULTILINE)
_HAS, _ALIKE = 2, 1  # how well a table fits a column that is needed
_NAMES = 500  # that one name is compared with
_INVISIBLE = " \t\r\n\f\v\xa0\ufeff\u200b\u200c\u200d\u200e\u200f\u2060"


class Unreadable(Exception):
    """One file does not hold a table that the definition describes.

    Attributes:
        reason: empty, invalid_json, invalid_yaml, invalid_js, invalid_csv, conflict_markers,
            lfs_pointer, no_table, misaligned, too_large, too_slow, not_text, repeated_key,
            ignored.
        found: where in the file, and what stands there.
    """

    def __init__(self, reason: str, found: str):
        # What is shown of a file can hold half a letter, which nothing could write down.
        self.reason, self.found = reason, found.encode(errors="replace").decode()
        super().__init__(f"{reason}: {self.found}")


class Cells(NamedTuple):
    """One column of a file.

    Attributes:
        texts: what is printed, by row; None where nothing is.
        pointers: where it stands, or would stand, by row.
        lines: the texts with line ends where cells break (`<br>`); None where none does.
    """

    texts: Sequence[str | None]
    pointers: Sequence[str]
    lines: Sequence[str | None] | None = None


class Table(Protocol):
    """The rows of one file.

    Attributes:
        places: place of each row in the file, from 0.
        keys: the rows' keys, where they stand in an object keyed by entry.
        left_out: what was left out of the rows and why, for people.
        pointer: where the rows stand in the file.
    """

    places: Sequence[int]
    keys: list[str] | None
    left_out: list[str]
    pointer: str

    def names(self) -> list[str]:
        """Names of columns that stand in at least one row."""

    def literal(self, name: str) -> Cells | None:
        """The column of exactly this name; None if no row has it."""

    def inside(self, path: str) -> Cells | None:
        """The column that a JSONPath or JSON pointer finds inside each row."""

    def numbered(self, number: int) -> Cells | None:
        """The column of this number, from 1."""


# A column of a table; None if no row has it.
Find = Callable[[Table], Cells | None]


class Document(Protocol):
    """One file, parsed; its rows are still to be chosen.

    Attributes:
        is_tree: it holds objects and lists, whose rows only a path can tell.
    """

    is_tree: bool

    def find(self, path: str) -> str | None:
        """The text that a JSONPath finds in the whole file."""

    def table(self, rows: str = "") -> Table:
        """The rows that a definition's `rows` asks for."""

    def row(self) -> Table:
        """The whole file as one row, for a folder with a file per entry."""

    def tables(self) -> Sequence[tuple[str, Table]]:
        """Everything that could be the rows, with the `rows` that asks for it."""


# What a reader keeps from one file of a history to the next.
Memory = dict[str, Any]


def parse(format_: str, data: bytes, memory: Memory | None = None) -> Document:
    """Read one file.

    Args:
        format_: one of FORMATS.
        data: the file as published.
        memory: the same for all files of a history; it saves time and changes nothing.

    Raises:
        Unreadable: it is not of that format.

    >>> document = parse("csv", b"model,score\\nfern,81.20\\n")
    >>> document.table().literal("score")
    Cells(texts=['81.20'], pointers=('cell=2,2',), lines=None)
    """
    form = FORMATS[format_]
    if len(data) > form.max_bytes:
        found = f"{len(data):,} bytes; at most {form.max_bytes:,} are read"
        raise Unreadable("too_large", found)
    if data.startswith(_LFS):
        raise Unreadable("lfs_pointer", f"a Git LFS pointer ({len(data)} bytes), not the table")
    if not data.strip():
        raise Unreadable("empty", f"the file is empty ({len(data)} bytes)")
    reader = import_module(f"history.readers.{form.reader}")
    told = (*form.told, memory) if form.remembers else form.told
    try:
        document: Document = reader.parse(data, *told)
    except MemoryError:  # a few bytes can stand for a whole object
        raise Unreadable("too_large", "what it holds does not fit in memory") from None
    return document


class File:
    """One file, which is parsed when it is first asked for, and only once.

    Args:
        path: its name.
        data: the file as published.
        memory: see parse().
    """

    def __init__(self, path: str, data: bytes, memory: Memory | None = None):
        self._path, self._data, self._memory = path, data, memory
        self._parsed: dict[str | None, Document] = {}
        # Not the errors: each holds the frames that it passed, and with them the file.
        self._refused: dict[str | None, tuple[str, str]] = {}

    def document(self, written: str | None = None) -> Document:
        """What it holds.

        Args:
            written: the format that a definition tells; without it, the file's name does.

        Raises:
            Unreadable: it is not of that format, or nothing tells one.
        """
        if written in self._refused:
            raise Unreadable(*self._refused[written])
        if written not in self._parsed:
            try:
                format_ = format_for(self._path, written)
                self._parsed[written] = parse(format_, self._data, self._memory)
            except Unreadable as error:
                self._refused[written] = error.reason, error.found
                raise
        return self._parsed[written]


def choose(document: Document, rows: str, needed: Mapping[str, Find]) -> Table:
    """The table that a definition means.

    Args:
        document: the file.
        rows: of the definition. Without it, of several tables of cells the first one that has
            all the columns is meant, else the one that lacks least, so that what is said of it helps.
        needed: the columns by which that table is known, with their names.

    Raises:
        Unreadable: there is none, or it cannot be read.
    """
    if not rows and not document.is_tree:
        most, best = 0, None
        for _, table in document.tables():
            fits = [_fits(table, name, find) for name, find in needed.items()]
            if all(fit == _HAS for fit in fits):
                return table
            if sum(fits) > most:
                most, best = sum(fits), table
        if best is not None:
            return best
    return document.table(rows)


def _fits(table: Table, name: str, find: Find) -> int:
    """Whether a table has a column, or at least one whose name is much like it."""
    if _holds(table, find):
        return _HAS
    return _ALIKE if nearest(name, table.names()[:_NAMES]) else 0


def _holds(table: Table, find: Find) -> bool:
    """Whether a table has a column, even one that cannot be read: that is said later."""
    try:
        return find(table) is not None
    except Unreadable:
        return True


def format_for(path: str, written: str | None) -> str:
    """The format of a file: as a definition tells, else as its name does.

    Raises:
        Unreadable: neither does.

    >>> format_for("data/v03.json", None), format_for("data/v03", "csv")
    ('json', 'csv')
    """
    format_ = written or format_of(path)
    if format_ is None:
        fix = 'write format = "json", or another one, in [table]'
        raise Unreadable("no_table", f"the name {path!r} does not tell the format; {fix}")
    return format_


def format_of(path: str) -> str | None:
    """The format that a file's name tells.

    >>> format_of("data/v03.json"), format_of("a/b.TSV"), format_of("README")
    ('json', 'tsv', None)
    """
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    return _ENDINGS.get(ending.lower()) if dot else None


def refuse_conflict(data: bytes) -> None:
    """Refuse a file in which git left the marks of a merge.

    Raises:
        Unreadable: conflict_markers.
    """
    if line := conflict_line(data):
        raise Unreadable("conflict_markers", f"line {line}: a merge conflict left in the file")


def conflict_line(data: bytes) -> int | None:
    """First line with a mark that git leaves where it could not merge, from 1.

    >>> conflict_line(b"a,b\\n<<<<<<< HEAD\\n1,2\\n=======\\n1,3\\n>>>>>>> x\\n")
    2
    """
    if not any(mark in data for mark in _CONFLICT_MARKS):
        return None
    found = _CONFLICT.search(data)
    return data.count(b"\n", 0, found.start()) + 1 if found else None


def trimmed(text: str) -> str:
    """A text without the white space and invisible letters round it.

    >>> trimmed(" fern\\u200b ")
    'fern'
    """
    return text.strip(_INVISIBLE)


class Nested(str):
    """The text of a list or an object, which can be no key."""


def text_of(value: Any) -> str | None:
    """The printed text of a JSON value; numbers are texts already.

    >>> text_of("7.50"), text_of(True), text_of(None), text_of(["a"])
    ('7.50', 'true', None, '["a"]')
    """
    if value is None or isinstance(value, str):
        return value
    try:
        text = json.dumps(value, ensure_ascii=False)
        return Nested(text) if isinstance(value, list | dict) else text
    except RecursionError:
        raise Unreadable("too_large", "nested too deep") from None


def no_column(name: str, table: Table) -> Unreadable:
    """The error for a column that no row has."""
    names = table.names()[:_NAMES]
    near = nearest(name, names) or names[:8]
    known = f"nearest: {', '.join(near)}" if near else "the rows have no named columns"
    where = table.pointer or "the top"
    return Unreadable("no_table", f"no row at {where} has a column {name!r}; {known}")
