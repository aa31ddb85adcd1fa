"""Which rows do the files of a folder hold, one entry each?

In: the parsed files of one version. Out: a FolderDocument and its FolderTable. Start at
FolderDocument. The rows of all files stand below each other, so that nothing further on knows
that there were many. The key of a row is its file's name without folder and ending.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from history.readers import Cells, Document, Find, Table, Unreadable

_NAMES = 100  # of a file that is closed; for people, where a column is not there


class FileRows:
    """One file of a folder: its rows, and what was asked of them.

    Hundreds of files stay the same from version to version, so each answer is kept and the file
    itself is closed; a question that is new then reads it again. A file that cannot be read is a
    row without values: its entry is there, and nobody knows how good.

    Args:
        read: gives the file, or raises Unreadable.
        rows: the definition's `rows`; empty where the whole file is the row.

    Attributes:
        trouble: why the file, or a column of it, cannot be read, for people.
        readable: whether its rows can be read.
        left_out: what was left out of them, for people.
    """

    def __init__(self, read: Callable[[], Document], rows: str = ""):
        self._read, self._rows = read, rows
        self._open: tuple[Document, Table] | None = None
        self._columns: dict[str, Cells | None] = {}
        self._finds: dict[str, str | None] = {}
        self._names: list[str] | None = None
        self._size = 1
        self.trouble: str | None = None
        self.left_out: Sequence[str] = ()
        try:
            _, table = self._opened()
        except Unreadable as error:
            self.trouble = error.found
        else:
            self.left_out, self._size = table.left_out, len(table.places)
        self.readable = self.trouble is None

    def __len__(self) -> int:
        return self._size

    def _opened(self) -> tuple[Document, Table]:
        if self._open is None:
            document = self._read()
            self._open = document, document.table(self._rows) if self._rows else document.row()
        return self._open

    def close(self) -> None:
        """Forget the file itself."""
        if self._open is not None:
            self._names = self.names()[:_NAMES]
            self._open = None

    def names(self) -> list[str]:
        """Names of its columns; of a file that is closed, the first ones."""
        if self._names is None:
            self._names = self._opened()[1].names() if self.readable else []
        return self._names

    def find(self, path: str) -> str | None:
        """The text that a JSONPath finds in the whole file."""
        if self.readable and path not in self._finds:
            self._finds[path] = self._opened()[0].find(path)
        return self._finds.get(path)

    def column(self, key: str, find: Find) -> Cells | None:
        """One column, found as `find` does; `key` tells it from others."""
        if key not in self._columns:
            self._columns[key] = None
            if self.readable:
                try:
                    self._columns[key] = find(self._opened()[1])
                except Unreadable as error:
                    self.trouble = error.found
        return self._columns[key]


class FolderDocument:
    """The files of one version; see `history.readers.Document`.

    Args:
        files: path and rows of each, in the order of paths.

    >>> from history.readers import parse
    >>> fern = FileRows(lambda: parse("json", b'{"score": "81.20"}'))
    >>> table = FolderDocument([("r/fern.json", fern)]).row()
    >>> table.keys, table.paths, table.literal("score").texts
    (['fern'], ['r/fern.json'], ['81.20'])
    """

    is_tree = True  # its rows are not looked for, as those of each file were

    def __init__(self, files: Sequence[tuple[str, FileRows]]):
        self._files = files

    def find(self, path: str) -> str | None:
        """The text that a JSONPath finds in the files that have it; None if it differs."""
        found: set[str | None] = set()
        for _, rows in self._files:
            with suppress(Unreadable):
                found.add(rows.find(path))
        found.discard(None)
        return found.pop() if len(found) == 1 else None

    def table(self, rows: str = "") -> FolderTable:
        """The rows of all files; `rows` was said when each was read."""
        return FolderTable(self._files)

    def row(self) -> FolderTable:
        """The same."""
        return FolderTable(self._files)

    def tables(self) -> list[tuple[str, Table]]:
        """The same, as the only one."""
        return [("", FolderTable(self._files))]


class FolderTable:
    """The rows of many files; see `history.readers.Table`.

    Attributes:
        paths: the file of each row.
        unread: rows of which nothing is known, as their file cannot be read.
    """

    pointer = ""

    def __init__(self, files: Sequence[tuple[str, FileRows]]):
        if not any(rows.readable for _, rows in files):
            path, rows = files[0]
            found = f"none of {len(files)} files can be read; {path}: {rows.trouble}"
            raise Unreadable("no_table", found)
        self._files = files
        self.paths = [path for path, rows in files for _ in range(len(rows))]
        self.keys: list[str] | None = [entry_of(path) for path in self.paths]
        self.places: Sequence[int] = range(len(self.paths))
        broken = [not rows.readable for _, rows in files for _ in range(len(rows))]
        self.unread = [row for row, is_broken in enumerate(broken) if is_broken]
        self.left_out: list[str] = self._notes()

    def _notes(self) -> list[str]:
        """What cannot be read, as far as columns were asked for."""
        found = [f"{path}: {rows.trouble}" for path, rows in self._files if rows.trouble]
        return found + [f"{path}: {note}" for path, rows in self._files for note in rows.left_out]

    def names(self) -> list[str]:
        """Names of columns that some file has."""
        return list(dict.fromkeys(name for _, rows in self._files for name in rows.names()))

    def literal(self, name: str) -> Cells | None:
        """The column of exactly this name."""
        return self._column("=" + name, lambda table: table.literal(name))

    def inside(self, path: str) -> Cells | None:
        """The column that a path finds inside the rows."""
        return self._column("/" + path, lambda table: table.inside(path))

    def numbered(self, number: int) -> Cells | None:
        """The column of a number."""
        return self._column(f"#{number}", lambda table: table.numbered(number))

    def _column(self, key: str, find: Find) -> Cells | None:
        texts: list[str | None] = []
        pointers: list[str] = []
        lines: list[str | None] = []
        found = False
        for _, rows in self._files:
            cells = rows.column(key, find)
            if cells is None:
                gaps = [None] * len(rows)
                texts += gaps
                lines += gaps
                pointers += [""] * len(rows)
                continue
            found = True
            texts += cells.texts
            pointers += cells.pointers
            lines += cells.texts if cells.lines is None else cells.lines
        self.left_out = self._notes()
        if not found:
            return None
        return Cells(texts, pointers, None if lines == texts else lines)


def entry_of(path: str) -> str:
    """A file's name without folder and ending.

    >>> entry_of("results/org/fern-1.5.json"), entry_of("results/moss")
    ('fern-1.5', 'moss')
    """
    name = path.rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name
