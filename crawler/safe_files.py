"""How is a file of the store written, so that a kill at any moment costs nothing?

Replaced in one step, or appended to and synced, under a lock that the system gives back when its
holder dies. Start at replace().
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crawler.objects import StoreError

_FRESH = ".new"  # ends the name of what is being written
_STARTED = time.time()
_PATIENCE = 1.0  # seconds; what a killed run had started may hold its locks a little longer
FIX_WRITING = "Look at its rights and the disk, then crawl again"


class Locked(StoreError):
    """Another run is at work on the same board or source."""

    exit_code = 6


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """What the system objects to while this lasts is told with the file, and what to do.

    Raises:
        StoreError: the disk is full, or the file may not be written.
    """
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise StoreError(str(path), f"cannot be written ({why})", FIX_WRITING) from None


def replace(path: Path, write: Callable[[Path], None]) -> None:
    """Replace a file in one step: whoever reads sees the old or the new one, whole.

    Raises:
        StoreError: it cannot be written; the old one is as it was.
    """
    with writing_to(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_FRESH)
        os.close(handle)
        fresh = Path(name)
        try:
            write(fresh)
            os.chmod(fresh, 0o644)
            _sync(fresh)
            os.replace(fresh, path)
            _sync(path.parent)
        finally:
            fresh.unlink(missing_ok=True)


def append_line(path: Path, line: dict[str, Any]) -> None:
    """Append one JSON object to a file of lines, and wait until it is on disk.

    Raises:
        StoreError: it cannot be written.
    """
    with writing_to(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _append(path, json.dumps(line, ensure_ascii=False).encode() + b"\n")


def _append(path: Path, text: bytes) -> None:
    with open(path, "ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                text = b"\n" + text  # a torn line of a killed run must not swallow this one
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def lock(folder: Path, where: str) -> Iterator[None]:
    """Hold a folder while its files are written.

    Args:
        folder: made if it is missing.
        where: what it holds, for the message.

    Raises:
        Locked: another run holds it. StoreError: it cannot be written to.
    """
    import filelock

    held = filelock.FileLock(folder / ".lock", timeout=_PATIENCE)
    with writing_to(folder / ".lock"):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            held.acquire()
        except filelock.Timeout:  # an OSError, too
            raise Locked(where, "another run is at work on it", "Wait until it ends") from None
    try:
        _remove_leftovers(folder)
        yield
    finally:
        held.release()


def _remove_leftovers(folder: Path) -> None:
    """Remove what killed runs were writing; the folder is locked, and its derived one with it."""
    for pattern in (f".*.parquet.*{_FRESH}", f"*.parquet/.*.parquet.*{_FRESH}"):
        for file in folder.glob(pattern):
            if file.lstat().st_mtime < _STARTED:
                file.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
