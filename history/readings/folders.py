"""What do versions of many files hold?

In: the versions of a board with a file per entry. Out: a FolderDocument each. Start at
documents(). A file that many versions have is read once, as long as not too many have to be
remembered; which ones will have to be read is known before, so that one git process streams them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from crawler.board import Board
from crawler.store import Store
from history import readers
from history.meaning.definition import Columns
from history.readers import Document, Unreadable
from history.readers.folder import FileRows, FolderDocument

if TYPE_CHECKING:
    import pyarrow as pa

_REMEMBERED = 20_000  # files


class _File(NamedTuple):
    """All that decides how a file reads."""

    blob: str
    format_: str | None
    rows: str


def documents(
    store: Store, board: Board, versions: Sequence[tuple[int, Columns]]
) -> Iterator[FolderDocument]:
    """The files of some versions, in order.

    Args:
        store, board: where they are.
        versions: their numbers, growing, and how the files of each are to be read.

    Raises:
        StoreError: bytes are missing or damaged.
    """
    files = store.files(board.name, [version for version, _ in versions])
    uses = Counter(file for version in _plan(files, versions) for _, file in version)
    shelf = _Shelf(uses)
    needed = [
        file.blob
        for version in _plan(files, versions)
        for _, file in version
        if isinstance(file, _File) and not shelf.take(file)
    ]
    stream = iter(store.blobs(board, needed))
    shelf = _Shelf(uses)
    known: dict[_File, FileRows] = {}
    for version in _plan(files, versions):
        found: list[tuple[str, FileRows]] = []
        for path, file in version:
            if not isinstance(file, _File):
                found.append((path, _unreadable(file)))
                continue
            if not shelf.take(file):
                known[file] = _rows(store, board, path, file, next(stream)[1])
            found.append((path, known[file]))
            if not shelf.holds(file):
                del known[file]
        yield FolderDocument(found)
        for _, rows in found:
            rows.close()


def _plan(
    files: pa.Table, versions: Sequence[tuple[int, Columns]]
) -> Iterator[list[tuple[str, _File | str]]]:
    """The files of each version by path: how each is read, or why it cannot be."""
    sizes = files["version"].combine_chunks().value_counts().field("counts").to_pylist()
    paths, blobs, states, whys = (_Texts(files[n]) for n in ("path", "blob", "state", "why"))
    formats: dict[str, str | None] = {}
    end = 0
    for (_, columns), size in zip(versions, sizes, strict=True):
        start, end = end, end + size
        version: list[tuple[str, _File | str]] = []
        for path, blob, state, why in zip(
            *(texts.cut(start, end) for texts in (paths, blobs, states, whys)), strict=True
        ):
            assert path is not None
            if state != "published" or blob is None:
                version.append((path, why or state or ""))
                continue
            if path not in formats:
                formats[path] = readers.format_of(path)
            version.append((path, _File(blob, columns.format or formats[path], columns.rows)))
        yield version


class _Texts:
    """A column of texts, of which each is one object however often it comes."""

    def __init__(self, column: pa.ChunkedArray):
        import pyarrow as pa

        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        whole = column.unify_dictionaries().combine_chunks()
        self._codes = whole.indices
        self._texts: list[str] = whole.dictionary.to_pylist()

    def cut(self, start: int, end: int) -> list[str | None]:
        """The texts of some rows."""
        codes = self._codes.slice(start, end - start).to_pylist()
        return [None if code is None else self._texts[code] for code in codes]


class _Shelf:
    """Which files are remembered: those that come again, up to a number.

    It looks at nothing but the order in which files are asked for, so that going through it once
    says beforehand what will have to be read.
    """

    def __init__(self, uses: Counter[_File | str]):
        self._left = dict(uses)
        self._held: set[_File] = set()

    def take(self, file: _File) -> bool:
        """Use a file; whether it was there."""
        there = file in self._held
        self._left[file] -= 1
        if not self._left[file]:
            self._held.discard(file)
        elif len(self._held) < _REMEMBERED:
            self._held.add(file)
        return there

    def holds(self, file: _File) -> bool:
        """Whether a file is there."""
        return file in self._held


def _rows(store: Store, board: Board, path: str, file: _File, data: bytes) -> FileRows:
    """A file of which the bytes are here now; they are not kept."""
    waiting = [data]

    def read() -> Document:
        if not waiting:
            waiting.extend(data for _, data in store.blobs(board, [file.blob]))
        return readers.parse(readers.format_for(path, file.format_), waiting.pop())

    return FileRows(read, file.rows)


def _unreadable(why: str) -> FileRows:
    def read() -> Document:
        raise Unreadable("no_table", why)

    return FileRows(read)
