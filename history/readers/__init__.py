"""Which rows does a published file hold, and where does each cell stand?

    bytes -> parse() -> Document -> document.table() -> Table

In: the bytes of one file. Out: a Document and its Tables. Start at parse(). One module per
format: those of objects and lists give a TreeDocument, those of cells a GridDocument, and
nothing further on knows formats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from crawler.board import nearest

# The module that reads a format, what else it is told, and the endings of such files' names.
FORMATS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "json": ("json_reader", (), ("json",)),
    "jsonl": ("jsonl_reader", (), ("jsonl", "ndjson")),
    "yaml": ("yaml_reader", (), ("yaml", "yml")),
    "js": ("js_reader", (), ("js", "mjs", "cjs")),
    "csv": ("csv_reader", (), ("csv",)),
    "tsv": ("csv_reader", ("\t",), ("tsv", "tab")),
    "markdown": ("markdown_reader", (), ("md", "markdown")),
    "html": ("html_reader", (), ("html", "htm")),
    "parquet": ("parquet_reader", (), ("parquet",)),
}
TREES = frozenset({"json", "jsonl", "yaml", "js"})  # objects and lists, where JSONPaths lead
TEXTS = frozenset({"markdown", "html"})  # prose with tables; JSON may stand in HTML
_ENDINGS = {ending: name for name, (_, _, endings) in FORMATS.items() for ending in endings}
# So much that the slowest file of that size takes less than 5 seconds and 1 GB.
_MB = 1024 * 1024
MAX_BYTES = {
    "json": 32 * _MB,
    "jsonl": 32 * _MB,
    "yaml": 8 * _MB,
    "js": 2 * _MB,
    "csv": 32 * _MB,
    "tsv": 32 * _MB,
    "markdown": 4 * _MB,
    "html": 8 * _MB,
    "parquet": 32 * _MB,
}

_LFS = b"version https://git-lfs.github.com/spec/"
_CONFLICT_MARKS = (b"<" * 7, b">" * 7, b"|" * 7)
_CONFLICT = re.compile(rb"^(?:<{7}|>{7}|\|{7})(?: [^\n]*)?\r?$", re.MULTILINE)
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


class Document(Protocol):
    """One file, parsed; its rows are still to be chosen."""

    def find(self, path: str) -> str | None:
        """The text that a JSONPath finds in the whole file."""

    def table(self, rows: str = "") -> Table:
        """The rows that a definition's `rows` asks for."""

    def row(self) -> Table:
        """The whole file as one row, for a folder with a file per entry."""

    def tables(self) -> Sequence[tuple[str, Table]]:
        """Everything that could be the rows, with the `rows` that asks for it."""


def parse(format_: str, data: bytes) -> Document:
    """Read one file.

    Args:
        format_: one of FORMATS.
        data: the file as published.

    Raises:
        Unreadable: it is not of that format.

    >>> document = parse("csv", b"model,score\\nfern,81.20\\n")
    >>> document.table().literal("score")
    Cells(texts=['81.20'], pointers=('cell=2,2',), lines=None)
    """
    if len(data) > (most := MAX_BYTES[format_]):
        raise Unreadable("too_large", f"{len(data):,} bytes; at most {most:,} are read")
    if data.startswith(_LFS):
        raise Unreadable("lfs_pointer", f"a Git LFS pointer ({len(data)} bytes), not the table")
    if not data.strip():
        raise Unreadable("empty", f"the file is empty ({len(data)} bytes)")
    module, told, _ = FORMATS[format_]
    reader = import_module(f"history.readers.{module}")
    try:
        document: Document = reader.parse(data, *told)
    except MemoryError:  # a few bytes can stand for a whole object
        raise Unreadable("too_large", "what it holds does not fit in memory") from None
    return document


def format_of(path: str) -> str | None:
    """The format that a file's name tells.

    >>> format_of("data/v03.json"), format_of("a/b.TSV"), format_of("README")
    ('json', 'tsv', None)
    """
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    return _ENDINGS.get(ending.lower()) if dot else None


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


def text_of(value: Any) -> str | None:
    """The printed text of a JSON value; numbers are texts already.

    >>> text_of("7.50"), text_of(True), text_of(None), text_of(["a"])
    ('7.50', 'true', None, '["a"]')
    """
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        raise Unreadable("too_large", "nested too deep") from None


def no_column(name: str, table: Table) -> Unreadable:
    """The error for a column that no row has."""
    names = table.names()[:_NAMES]
    near = nearest(name, names) or names[:8]
    known = f"nearest: {', '.join(near)}" if near else "the rows have no named columns"
    where = table.pointer or "the top"
    return Unreadable("no_table", f"no row at {where} has a column {name!r}; {known}")
