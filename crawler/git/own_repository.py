"""Is our own repository fit to be written to?

In: its folder. Out: it is there, nobody else writes, and nothing of a killed run is in the way.
Start at writing(). What is fetched into a fresh repository beside it is taken over here, too.

A git that fetches can outlive its crawl: it runs in a session of its own. So it inherits a lock
of ours, which the system holds as long as one process of it lives.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from crawler.git.calls import LONGEST, GitFailed, call_git
from crawler.objects import ABSENT_ON_PURPOSE, Objects, StoreError
from crawler.safe_files import FIX_WRITING, writing_to
from crawler.source import CrawlError
from crawler.work import Work

PATIENCE = 5.0  # seconds that a lock of others is waited for; can be set for a test

_STALE = 2 * LONGEST
_PACK_AFTER = 2000  # loose objects
_MOST_PACKS = 50
_MARK = ".fetching"  # empty but while git writes
_TEMPORARY = (
    *("objects/*/tmp_*", "objects/*/.tmp-*", "objects/tmp_*"),
    *("objects/pack/*.keep", "fast_import_crash_*", "shallow.ranktrail"),
)


@contextmanager
def writing(objects: Objects, where: str, work: Work) -> Iterator[int]:
    """Make the repository if it is missing, and hold it while git writes into it.

    Whoever calls holds the lock of the source.

    Args:
        where: what an error names.

    Yields:
        A file handle that every git which writes is to hold (`keep_open`).

    Raises:
        CrawlError: somebody else is writing, also after a while of waiting.
    """
    make(objects.folder, work)
    mark = objects.folder / _MARK
    with writing_to(mark):
        handle = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if not _wait(lambda: _held(handle), work):
            raise _locked(where, mark, "a git of an earlier crawl is at work")
        was = os.fstat(handle)
        _tidy(objects.folder, was.st_mtime if was.st_size else None)
        if lock := _wait_for_locks(objects.folder, work):
            raise _locked(where, lock, "it exists")
        with writing_to(mark):
            os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield handle
        os.ftruncate(handle, 0)
        fcntl.flock(handle, fcntl.LOCK_UN)  # also for what git left behind, a shared connection
    finally:
        os.close(handle)


def make(folder: Path, work: Work) -> None:
    """Make a bare repository; a half-made one of a killed run is finished."""
    if (folder / "HEAD").exists() and (folder / "objects").is_dir():
        return
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        call_git(folder, ["init", "--quiet", "--bare", "--template="], work)
    except GitFailed as error:
        found = f"git cannot make a repository ({_reason(error)})"
        raise CrawlError(str(folder), found, FIX_WRITING) from None


@contextmanager
def beside(objects: Objects, work: Work) -> Iterator[Objects]:
    """A fresh, empty repository beside ours, removed at the end."""
    with writing_to(objects.folder.parent):
        made = tempfile.mkdtemp(prefix=_beside(objects.folder), dir=objects.folder.parent)
    fresh = Objects(Path(made))
    try:
        make(fresh.folder, work)
        yield fresh
    finally:
        shutil.rmtree(fresh.folder, ignore_errors=True)


def take_over(objects: Objects, fresh: Objects) -> None:
    """Move all packs of another repository into ours. What is here stays."""
    packs = objects.folder / "objects" / "pack"
    packs.mkdir(exist_ok=True)
    # git sees a pack when it sees its index.
    for file in sorted((fresh.folder / "objects" / "pack").iterdir(), key=_index_last):
        if file.name.startswith("pack-"):
            os.replace(file, packs / file.name)
    for folder in (packs, packs.parent):
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


def pack_if_many(objects: Objects, work: Work, handle: int) -> None:
    """Put many small fetches into one pack. Nothing is pruned: every tip has its reference.

    Raises:
        StoreError: git cannot.
    """
    counts = dict(
        line.split(": ") for line in objects.run("count-objects", "-v").decode().splitlines()
    )
    if int(counts["count"]) > _PACK_AFTER or int(counts["packs"]) > _MOST_PACKS:
        arguments = ["repack", "-a", "-d", "-k", "-q"]
        try:
            call_git(objects.folder, arguments, work, None, ABSENT_ON_PURPOSE, [handle])
        except GitFailed as error:
            found = f"its packs cannot be put into one ({_reason(error)})"
            fix = "Run `ranktrail verify`, or make room, and crawl again"
            raise StoreError(str(objects.folder), found, fix) from None


def _reason(error: GitFailed) -> str:
    return " ".join(error.said.split()) or "no reason given"


def _index_last(file: Path) -> bool:
    return file.suffix == ".idx"


def _beside(folder: Path) -> str:
    return f"{folder.name}.new-"


def _locks(folder: Path) -> Iterable[Path]:
    """Lock files of git."""
    yield from folder.glob("*.lock")
    yield from (folder / "refs").rglob("*.lock")


def _tidy(folder: Path, killed_in: float | None) -> None:
    """Delete what killed runs left behind: locks, temporary files, fresh repositories.

    Args:
        killed_in: when the last run began, if it did not end well; no git of it is alive.
    """
    since = time.time() - _STALE
    files = [*_locks(folder), *(file for one in _TEMPORARY for file in folder.glob(one))]
    for file in files:
        with suppress(FileNotFoundError):
            changed = file.lstat().st_mtime
            if changed < since or (killed_in is not None and changed >= killed_in):
                file.unlink()
    for left in folder.parent.glob(f"{_beside(folder)}*"):
        shutil.rmtree(left, ignore_errors=True)


def _wait_for_locks(folder: Path, work: Work) -> Path | None:
    """Wait for locks that may be somebody's; one that stays."""
    _wait(lambda: not any(True for _ in _locks(folder)), work)
    return next(iter(_locks(folder)), None)


def _wait(is_so: Callable[[], bool], work: Work) -> bool:
    """Whether something comes true before patience ends."""
    until = time.monotonic() + PATIENCE
    while not (so := is_so()) and time.monotonic() < until:
        work.wait(0.1)
    return so


def _held(handle: int) -> bool:
    """Take the lock, if nobody else has it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _locked(where: str, lock: Path, why: str) -> CrawlError:
    fix = "If no git is running, delete that file and crawl again"
    found = f"our own repository is locked ({lock}: {why})"
    return CrawlError(where, found, fix, passing=True)
