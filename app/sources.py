"""Which files of a source could hold a board?

In: a Look at the source. Out: what can be read of it, parsed, with the files it stands in. Start at
found_in().
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.faults import UsageProblem
from crawler.board import can_be_path, nearest
from crawler.paths import Paths, by_name, escaped, is_pattern, newest_by_name, what_is_wrong_with
from history import readers
from history.propose import together
from history.propose.candidates import Readable
from history.readers import Document

if TYPE_CHECKING:
    from app.jobs import File, Look

MANUAL = "docs/board.md#several-files"
_MOST = 40  # files that are read
_SMALL = 256 * 1024  # a file with one entry
_MOST_SMALL = 2_000
_SHOWN = 8
_NEVER = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class Found:
    """Something that could be proposed.

    Attributes:
        readable: what it holds.
        files: where it stands; of files side by side, the newest is the first.
    """

    readable: Readable
    files: tuple[File, ...]

    def older(self) -> list[str]:
        """Contents that it had before, newest first; none where every file is an entry."""
        if self.readable.per_entry:
            return []
        if self.readable.files:
            return [file.blobs[0] for file in self.files[1:]]
        return list(self.files[0].blobs[1:])


@dataclass(frozen=True)
class Unread:
    """A file that could have held a board.

    Attributes:
        file: the file.
        why: what is wrong with it.
    """

    file: File
    why: readers.Unreadable

    def __str__(self) -> str:
        return f"{self.file.path}: {self.why}"


def found_in(seen: Look, path: str, rows: str, entry: str) -> tuple[list[Found], list[Unread]]:
    """What could hold a board, and what cannot be read, the last changed first.

    Args:
        seen: the source.
        path: what somebody said: a file, the end of its name, or a pattern; empty for anything.
        rows: where the rows stand, if somebody said so.
        entry: what names the entries, if somebody said so.

    Raises:
        UsageProblem: there is no such file. Unreadable: that one cannot be read.
    """
    if path and is_pattern(path) and not any(file.path == path for file in seen.files):
        return [_of_pattern(seen, path, rows, entry)], []
    if path:
        file = _named(seen, path)
        if not can_be_path(escaped(file.path)):
            raise UsageProblem(f"--path {path!r}: no definition can hold that name. Rename it.")
        return [_one(seen, file)], []
    named = [file for file in seen.files if _may_hold(file)]
    unread = {file.path: Unread(file, why) for file in named if (why := _refused(file))}
    known = [file for file in named if file.path not in unread]
    found: list[Found] = []
    taken: set[str] = set()
    for one in (*_folders(seen, known, rows), *_dated(seen, named, unread, taken)):
        if not taken & {file.path for file in one.files}:
            taken |= {file.path for file in one.files}
            found.append(one)
    rest = sorted(
        (file for file in known if file.path not in taken), key=lambda file: -len(file.blobs)
    )
    for file in rest[:_MOST]:
        try:
            found.append(_one(seen, file))
        except readers.Unreadable as why:
            unread[file.path] = Unread(file, why)
    last = sorted(unread.values(), key=lambda one: one.file.changed_at or _NEVER, reverse=True)
    return found, last


def _may_hold(file: File) -> bool:
    """Whether a file has a format that is read, and a name that a definition can hold."""
    return readers.format_of(file.path) is not None and can_be_path(escaped(file.path))


def _refused(file: File) -> readers.Unreadable | None:
    """Why a file is not even opened: its size alone makes it unreadable."""
    largest = readers.FORMATS[_format(file.path)].max_bytes
    if file.size > largest:
        found = f"{file.size:,} bytes; at most {largest:,} are read"
        return readers.Unreadable("too_large", found)
    return None if file.size else readers.Unreadable("empty", "the file is empty (0 bytes)")


def many_alike(seen: Look) -> bool:
    """Whether there are so many files of one format that they may be a board together."""
    formats = [readers.format_of(file.path) for file in seen.files]
    return any(formats.count(format_) >= _SHOWN for format_ in set(formats) - {None})


def _named(seen: Look, path: str) -> File:
    """The file that somebody named, by its whole name or its end."""
    exact = [file for file in seen.files if file.path == path]
    ends = [file for file in seen.files if file.path.endswith("/" + path)]
    found = exact or ends
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(file.path for file in found[:_SHOWN])
        raise UsageProblem(f"--path {path!r}: several files are called so: {listed}.")
    raise UsageProblem(f"--path {path!r}: not in the newest commit. {_near(seen, path)}")


def _near(seen: Look, path: str) -> str:
    """What somebody may have meant by a file that is not there."""
    names = [file.path for file in seen.files]
    last = {name.rpartition("/")[2]: name for name in names}
    near = nearest(path, names) or [last[n] for n in nearest(path.rpartition("/")[2], last)]
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return f"It holds {', '.join(names[:_SHOWN])}."


def _one(seen: Look, file: File) -> Found:
    """A single file."""
    document = _parsed(file.path, next(seen.read(file.blobs[:1])))
    changes = (len(file.blobs), file.changed_at, file.moved_from)
    return Found(Readable(file.path, _format(file.path), document, *changes), (file,))


def _format(path: str) -> str:
    format_ = readers.format_of(path)
    if format_ is None:
        raise readers.Unreadable("no_table", f"the name {path!r} does not tell the format")
    return format_


def _parsed(path: str, data: bytes) -> Document:
    return readers.parse(_format(path), data)


def _of_pattern(seen: Look, pattern: str, rows: str, entry: str) -> Found:
    """The files that a pattern means, and what they are together."""
    if wrong := what_is_wrong_with(pattern):
        raise UsageProblem(f"--path {pattern!r}: it {wrong}. See {MANUAL}.")
    paths = Paths([pattern])
    files = [file for file in seen.files if paths.item(file.path) is not None]
    if not files:
        raise UsageProblem(f"--path {pattern!r}: no file is called so. {_near(seen, pattern)}")
    formats = sorted({_format(file.path) for file in files})
    if len(formats) > 1:
        found = f"files of several formats: {', '.join(formats)}"
        raise UsageProblem(f"--path {pattern!r}: {found}. Write the ending, as in '*.json'.")
    if entry in ("", "@file"):
        documents = dict(_documents(seen, files[:_MOST_SMALL]))
        if documents and (entry or together.is_per_entry(documents)):
            return _joined(pattern, files, documents, rows)
    return _side_by_side(seen, pattern, files)


def _documents(seen: Look, files: Sequence[File]) -> Iterator[tuple[str, Document]]:
    """Those of some files that can be read."""
    for file, data in zip(files, seen.read(file.blobs[0] for file in files), strict=True):
        try:
            yield file.path, _parsed(file.path, data)
        except readers.Unreadable:
            continue


def _folders(seen: Look, known: Sequence[File], rows: str) -> Iterator[Found]:
    """Folders in which each file holds one entry."""
    groups: dict[str, list[File]] = defaultdict(list)
    for file in known:
        if readers.format_of(file.path) in readers.TREES and file.size <= _SMALL:
            groups[file.path.rpartition(".")[2]].append(file)
    for group in groups.values():
        by_path = {file.path: file for file in group}
        documents = dict(_documents(seen, group[:_MOST_SMALL]))
        for pattern, paths in together.per_entry(documents) if documents else ():
            files = [by_path[path] for path in paths]
            yield _joined(pattern, files, {path: documents[path] for path in paths}, rows)


def _joined(
    pattern: str, files: Sequence[File], documents: Mapping[str, Document], rows: str
) -> Found:
    """Files with one entry each, as one table."""
    document = together.joined(documents, rows)
    return Found(_several(pattern, files, document), tuple(files))


def _dated(
    seen: Look, known: Sequence[File], unread: dict[str, Unread], taken: set[str]
) -> Iterator[Found]:
    """Files that differ in the date in their names.

    Where the newest cannot be read, it is added to `unread`, and all are `taken`: an older one is
    not the board.
    """
    by_path = {file.path: file for file in known}
    for pattern, paths in together.side_by_side(list(by_path)).items():
        newest = newest_by_name(paths)
        if not isinstance(newest, str):  # a date has two readings
            continue
        try:
            if newest not in unread:
                yield _side_by_side(seen, pattern, [by_path[path] for path in paths])
        except readers.Unreadable as why:
            unread[newest] = Unread(by_path[newest], why)
        if newest in unread:
            taken.update(paths)


def _side_by_side(seen: Look, pattern: str, files: Sequence[File]) -> Found:
    """Files of which one is the board: the newest by the date in its name, or the last changed.

    Raises:
        UsageProblem: a date has two readings. Unreadable: the newest cannot be read.
    """
    by_path = {file.path: file for file in files}
    by_date = together.have_dates(list(by_path))
    order = sorted(
        by_path, key=lambda p: (by_path[p].changed_at or _NEVER, *by_name(p)), reverse=True
    )
    if by_date:
        order = _by_date(pattern, order)
    document = _parsed(order[0], next(seen.read(by_path[order[0]].blobs[:1])))
    readable = _several(pattern, files, document, by_date)
    return Found(readable, tuple(by_path[path] for path in order))


def _by_date(pattern: str, paths: list[str]) -> list[str]:
    """Files with the newest by the date in their names first; of many, only some are ordered."""
    order: list[str] = []
    while len(order) < min(len(paths), _MOST):
        newest = newest_by_name(path for path in paths if path not in order)
        if isinstance(newest, tuple):
            if order:
                break
            said = " or ".join(newest)
            raise UsageProblem(f"--path {pattern!r}: the newest is {said}: a date is unclear.")
        order.append(newest)
    return order + [path for path in paths if path not in order]


def _several(
    pattern: str, files: Sequence[File], document: Document, by_date: bool = False
) -> Readable:
    return Readable(
        pattern,
        _format(files[0].path),
        document,
        sum(len(file.blobs) for file in files),
        max((file.changed_at for file in files if file.changed_at), default=None),
        files=len(files),
        by_date=by_date,
    )
