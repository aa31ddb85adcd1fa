"""How are thousands of versions read in little time?

In: the versions of a Store. Out: Parts, in order. Start at read_in_two(). Of many versions, a
second process reads the later ones at the same time. It takes a second to start: a Spare one can
be started while the versions are still being fetched.

The second process is `history.scores.second` run as a command, so that nothing of the caller runs
twice and no lock of a thread is copied. It writes into a folder of its own, never into the store,
and ends with the process that started it. Whatever goes wrong there is done again here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from crawler.board import Board
from crawler.store import Store
from history.meaning import Meaning
from history.scores.parts import STEP, Part, read_parts

if TYPE_CHECKING:
    import io

    import pyarrow as pa

Progress = Callable[[str], None]

# Of the second process, together with -P: no module may come from the folder where somebody
# happens to stand, and numpy's own threads would only take time from the first.
_SETTINGS = {"PYTHONPATH": str(Path(__file__).parents[2]), "OPENBLAS_NUM_THREADS": "1"}
# Versions that are read here until a second process has started.
_START_UP = 300


def read_in_two(
    store: Store,
    board: Board,
    meaning: Meaning,
    versions: pa.Table,
    start: int,
    progress: Progress | None = None,
    before: str = "",
    spare: Spare | None = None,
) -> Generator[Part, None, None]:
    """Read all versions from `start` on, part by part; of many, the later ones in a second process.

    Close the iterator to be sure that the second process has ended.

    Args:
        store, board, meaning, versions, start, before: as for read_parts().
        progress: is told from time to time how many versions are read.
        spare: a second process that has started, perhaps.

    Raises:
        StoreError, BoardError: as read_parts() does.
    """
    size = versions.num_rows
    # What begins with a file of the first half holds in the second, which cannot know of it.
    alone = any(since.when for since in meaning.since)
    middle = size if alone else middle_of(start, size)
    tally = _Tally(board.name, start, size, progress)
    second = None
    if middle < size:
        waiting = spare.take() if spare else None
        second = _begin(waiting, store, meaning, versions, middle)
    if second:
        with second:
            step = partial(_count_both, tally, second)
            yield from read_parts(store, board, meaning, versions, start, middle, step, before)
            for _ in second.rest():
                tally.add()
            parts = second.parts(store)
            yield from parts
        if parts:
            return
        start = tally.done = middle
    yield from read_parts(store, board, meaning, versions, start, size, tally.add, before)


def middle_of(start: int, size: int) -> int:
    """Where a second process begins to read, with a whole part; `size` if one alone is as fast.

    >>> middle_of(0, 2000), middle_of(0, 3000), middle_of(0, 1200), middle_of(1900, 4000)
    (1000, 2000, 1200, 3000)
    """
    from history.scores import derived

    next_part = start - start % derived.PART + derived.PART
    places = [*range(next_part, size - _START_UP, derived.PART), size]
    return min(places, key=lambda place: max(place - start, size - place + _START_UP))


class _Tally:
    """Tells how many versions are read, by whichever process."""

    def __init__(self, name: str, start: int, size: int, progress: Progress | None):
        self._name, self._size, self._progress = name, size, progress
        self.done = start - start % STEP

    def add(self, steps: int = 1) -> None:
        self.done += steps * STEP
        if self._progress:
            self._progress(f"{self._name}: read {self.done} of {self._size} versions")


def _count_both(tally: _Tally, second: _Second) -> None:
    tally.add(1 + second.news())


class Spare:
    """A second process that starts before it is known whether there is work for it.

    >>> with Spare() as spare:
    ...     pass
    """

    def __init__(self) -> None:
        self._second = _started()

    def __enter__(self) -> Spare:
        return self

    def __exit__(self, *_: object) -> None:
        if second := self.take():
            second.end()

    def take(self) -> _Second | None:
        """The process, for the first one who asks; it is theirs to end."""
        second, self._second = self._second, None
        return second


class _Second:
    """The second process, as the first one sees it.

    Once it is told to begin it reads the versions from some one on, prints a letter at each step,
    closes its output after its last file, and stays until the first process ends it or has ended
    itself.

    Raises:
        OSError: this machine has no room for its folder or for itself.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ranktrail-", ignore_cleanup_errors=True)
        self._files = SharedFiles(Path(self._folder.name))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "history.scores.second", str(self._files.folder)],
            env=os.environ | _SETTINGS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the first process alone
        )
        self._steps = cast("io.FileIO", self._process.stdout)
        os.set_blocking(self._steps.fileno(), False)

    def begin(self, store: Store, meaning: Meaning, versions: pa.Table, start: int) -> None:
        """Let it read the versions from `start` on."""
        from history.scores import derived

        self._meaning = meaning
        self._numbers = range(start // derived.PART, -(-versions.num_rows // derived.PART))
        derived.write_apart(self._files.versions, versions, meaning)
        told = json.dumps([str(store.root), meaning.board.name, start])
        cast("io.FileIO", self._process.stdin).write(told.encode() + b"\n")

    def end(self) -> None:
        """Stop it, and leave nothing behind."""
        with self._process:  # waits, and closes the pipes
            self._process.kill()
        self._folder.cleanup()

    def __enter__(self) -> _Second:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def news(self) -> int:
        """How many steps it made since it was last asked."""
        return len(self._steps.read(4096) or b"")

    def rest(self) -> Iterator[bytes]:
        """Its other steps as they come, until it has closed its output or died."""
        os.set_blocking(self._steps.fileno(), True)
        yield from iter(partial(self._steps.read, 1), b"")

    def parts(self, store: Store) -> list[Part]:
        """What it read; nothing if that is not all, or if it knows another definition."""
        from history.scores import derived

        scores = [self._files.scores(number) for number in self._numbers]
        if not all(
            derived.made_by(file, self._meaning) for file in (self._files.readings, *scores)
        ):
            return []
        readings = store.read_table(self._files.readings, derived.READINGS_SCHEMA)
        starts = range(0, readings.num_rows, derived.PART)
        return [
            Part(number, file, readings[start : start + derived.PART])
            for number, file, start in zip(self._numbers, scores, starts, strict=True)
        ]


class SharedFiles:
    """What the two processes give each other."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.versions, self.readings = folder / "versions.parquet", folder / "readings.parquet"

    def scores(self, number: int) -> Path:
        """The file of one part."""
        return self.folder / f"{number}.parquet"


def _begin(
    second: _Second | None, store: Store, meaning: Meaning, versions: pa.Table, start: int
) -> _Second | None:
    """A second process at work; None where this machine has no room for it, or it has died."""
    second = second or _started()
    if second is None:
        return None
    try:
        second.begin(store, meaning, versions, start)
    except OSError:
        second.end()
        return None
    return second


def _started() -> _Second | None:
    try:
        return _Second()
    except OSError:
        return None
