"""How are thousands of versions read in little time?

In: the versions of a Store. Out: Parts, in order. Start at read_in_two(). Equal files under equal
rules are read once; of many versions, a second process reads the later ones at the same time.

The second process is this module run as a command, so that nothing of the caller runs twice and
no lock of a thread is copied. It writes into a folder of its own, never into the store, and ends
with the process that started it. Whatever goes wrong there is done again here.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from crawler.board import Board
from crawler.store import Store
from history.folders import documents
from history.meaning import Meaning, read_meaning
from history.overrides import Rules
from history.readers import File, format_of
from history.readings import Overrides, Reading, TableReader
from history.stages import Course, Stages

if TYPE_CHECKING:
    import io

    import pyarrow as pa

Progress = Callable[[str], None]

# Of the second process, together with -P: no module may come from the folder where somebody
# happens to stand, and numpy's own threads would only take time from the first.
_SETTINGS = {"PYTHONPATH": str(Path(__file__).parent.parent), "OPENBLAS_NUM_THREADS": "1"}
_REASONS = {"pointer": "lfs_pointer"}
_STEP = 200
# Versions that are read here until a second process has started.
_START_UP = 300


class Part(NamedTuple):
    """The versions of one part that were just read.

    Attributes:
        number: counted from 0; a part holds 1,000 versions.
        scores: SCORES, as a table or as a file that can be copied until the next part is asked for.
        readings: READINGS.
    """

    number: int
    scores: pa.Table | Path
    readings: pa.Table


# --- in one process ----------------------------------------------------------------------------


def read_parts(
    store: Store,
    board: Board,
    meaning: Meaning,
    versions: pa.Table,
    start: int,
    stop: int,
    step: Callable[[], object] = lambda: None,
    before: str = "",
) -> Iterator[Part]:
    """Read some versions, part by part.

    Args:
        store, board, meaning: what to read, and how.
        versions: all of the board.
        start, stop: numbers of the first version to read, and of the first not to.
        step: called after every 200 versions.
        before: stage of the version before `start`.

    Raises:
        StoreError: bytes are missing or damaged.
        BoardError: the definition names a commit that the board never had.
    """
    from history import derived
    from history.score_table import ScoreTable

    names = ["version", "commit", "committed_at", "position", "path", "blob", "state", "why"]
    rows = versions.select(names)[start:stop].to_pylist()
    stages = Stages(meaning)
    course = Course(stages, meaning, _line(store, board), before)
    read = _readings(store, board, meaning, stages, course, rows)
    for first in range(start - start % derived.PART, stop, derived.PART):
        table = ScoreTable(stages.fields, stages.attributes, with_paths=board.file_per_entry)
        readings = []
        for row, stage, reading in islice(
            read, min(first + derived.PART, stop) - max(first, start)
        ):
            table.add(row["version"], reading)
            readings.append(derived.readings_row(row, reading, stage))
            if (row["version"] + 1) % _STEP == 0:
                step()
        yield Part(first // derived.PART, table.finish(), derived.readings_table(readings))


def _readings(
    store: Store,
    board: Board,
    meaning: Meaning,
    stages: Stages,
    course: Course,
    rows: Sequence[dict[str, Any]],
) -> Iterator[tuple[dict[str, Any], str, Reading]]:
    """Each version, its stage and what it says, in order.

    Equal files under equal rules are read once. A file is parsed once for all that ask of it.
    """
    rules = Rules(meaning, _line(store, board))
    if board.file_per_entry:
        yield from _readings_of_folders(store, board, rules, stages, course, rows)
        return
    said: list[tuple[Overrides, tuple[object, ...]] | None] = []
    for row in rows:
        if row["state"] == "published":
            overrides = rules.at(row)
            said.append((overrides, _key(row, overrides)))
        else:
            said.append(None)
    uses = Counter(one[1] for one in said if one)
    files = _files(store, board, rows, said, every=bool(meaning.since))
    readers: dict[str, TableReader] = {}
    kept: dict[tuple[object, ...], tuple[str, Reading]] = {}
    for row, one, file in zip(rows, said, files, strict=True):
        if one is None:
            yield row, course.next(row), _unseen(row)
            continue
        overrides, key = one
        # A version that is known to be wrong begins nothing.
        stage = course.next(row, file if course.asks and None not in overrides.ignored else None)
        known = kept.get(key)
        if known and known[0] == stage:
            reading = known[1]
        else:
            assert file is not None
            reader = readers.setdefault(stage, TableReader(stages.at(stage)))
            reading = reader.read_file(file, overrides)
        uses[key] -= 1
        if uses[key]:
            kept[key] = stage, reading
        else:
            kept.pop(key, None)
        yield row, stage, reading


def _files(
    store: Store,
    board: Board,
    rows: Sequence[dict[str, Any]],
    said: Sequence[tuple[Overrides, tuple[object, ...]] | None],
    *,
    every: bool,
) -> Iterator[File | None]:
    """The file of each version; None where it has none, or one that was there under equal rules.

    Where stages change, `every` version's, as only its content tells what is asked of it.
    """
    seen: set[tuple[object, ...]] = set()
    needed = []
    for one in said:
        needed.append(one is not None and (every or one[1] not in seen))
        if one:
            seen.add(one[1])
    blobs = [row["blob"] for row, needs in zip(rows, needed, strict=True) if needs]
    stream = iter(store.blobs(board, blobs))
    for row, needs in zip(rows, needed, strict=True):
        yield File(row["path"], next(stream)[1]) if needs else None


def _readings_of_folders(
    store: Store,
    board: Board,
    rules: Rules,
    stages: Stages,
    course: Course,
    rows: Sequence[dict[str, Any]],
) -> Iterator[tuple[dict[str, Any], str, Reading]]:
    """What each version says whose files hold one entry each."""
    held = [course.next(row) for row in rows]  # no [[since]] asks of the files
    at_stage = {stage: TableReader(stages.at(stage)) for stage in dict.fromkeys(held)}
    columns = {stage: stages.at(stage).table for stage in at_stage}
    asked = [
        (row["version"], columns[stage])
        for row, stage in zip(rows, held, strict=True)
        if row["state"] == "published"
    ]
    folders = documents(store, board, asked)
    for row, stage in zip(rows, held, strict=True):
        if row["state"] == "published":
            yield row, stage, at_stage[stage].read_folder(next(folders), rules.at(row))
        else:
            yield row, stage, _unseen(row)


def _key(row: dict[str, Any], overrides: Overrides) -> tuple[object, ...]:
    """Equal for versions that read the same."""
    rules = (*sorted(overrides.aliases.items()), *overrides.ignored.items())
    return row["blob"], format_of(row["path"]), rules


def _unseen(row: dict[str, Any]) -> Reading:
    """The reading of a version without bytes."""
    if row["state"] == "absent":
        return Reading("absent")
    return Reading("unreadable", _REASONS.get(row["state"], row["state"]), row["why"])


def _line(store: Store, board: Board) -> Iterator[tuple[str, int]]:
    """The board's commits and their places; read only if a rule asks for them."""
    table = store.commits(board)
    yield from zip(table["commit"].to_pylist(), table["position"].to_pylist(), strict=True)


@contextmanager
def no_collecting() -> Iterator[None]:
    """Switch the cycle collector off for a while.

    A history makes millions of objects and no cycles; looking through them again and again costs
    a tenth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# --- in two processes --------------------------------------------------------------------------


def read_in_two(
    store: Store,
    board: Board,
    meaning: Meaning,
    versions: pa.Table,
    start: int,
    progress: Progress | None = None,
    before: str = "",
) -> Generator[Part, None, None]:
    """Read all versions from `start` on, part by part; of many, the later ones in a second process.

    Close the iterator to be sure that the second process has ended.

    Args:
        store, board, meaning, versions, start, before: as for read_parts().
        progress: is told from time to time how many versions are read.

    Raises:
        StoreError, BoardError: as read_parts() does.
    """
    size = versions.num_rows
    # What begins with a file of the first half holds in the second, which cannot know of it.
    alone = any(since.when for since in meaning.since)
    middle = size if alone else middle_of(start, size)
    tally = _Tally(board.name, start, size, progress)
    second = _begin(store, meaning, versions, middle) if middle < size else None
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
    from history import derived

    next_part = start - start % derived.PART + derived.PART
    places = [*range(next_part, size - _START_UP, derived.PART), size]
    return min(places, key=lambda place: max(place - start, size - place + _START_UP))


class _Tally:
    """Tells how many versions are read, by whichever process."""

    def __init__(self, name: str, start: int, size: int, progress: Progress | None):
        self._name, self._size, self._progress = name, size, progress
        self.done = start - start % _STEP

    def add(self, steps: int = 1) -> None:
        self.done += steps * _STEP
        if self._progress:
            self._progress(f"{self._name}: read {self.done} of {self._size} versions")


def _count_both(tally: _Tally, second: _Second) -> None:
    tally.add(1 + second.news())


class _Second:
    """The second process, as the first one sees it.

    It reads the versions from `start` on, prints a letter at each step, closes its output after
    its last file, and stays until the first process ends it or has ended itself.
    """

    def __init__(self, store: Store, meaning: Meaning, versions: pa.Table, start: int):
        from history import derived

        self._meaning = meaning
        self._numbers = range(start // derived.PART, -(-versions.num_rows // derived.PART))
        self._folder = tempfile.TemporaryDirectory(prefix="ranktrail-", ignore_cleanup_errors=True)
        self._files = _Files(Path(self._folder.name))
        derived.write_apart(self._files.versions, versions, meaning)
        told = map(str, (store.root, meaning.board.name, start, self._files.folder))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "history.bulk", *told],
            env=os.environ | _SETTINGS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the first process alone
        )
        self._steps = cast("io.FileIO", self._process.stdout)
        os.set_blocking(self._steps.fileno(), False)

    def __enter__(self) -> _Second:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:  # waits, and closes the pipes
            self._process.kill()
        self._folder.cleanup()

    def news(self) -> int:
        """How many steps it made since it was last asked."""
        return len(self._steps.read(4096) or b"")

    def rest(self) -> Iterator[bytes]:
        """Its other steps as they come, until it has closed its output or died."""
        os.set_blocking(self._steps.fileno(), True)
        yield from iter(partial(self._steps.read, 1), b"")

    def parts(self, store: Store) -> list[Part]:
        """What it read; nothing if that is not all, or if it knows another definition."""
        from history import derived

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


class _Files:
    """What the two processes give each other."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.versions, self.readings = folder / "versions.parquet", folder / "readings.parquet"

    def scores(self, number: int) -> Path:
        return self.folder / f"{number}.parquet"


def _begin(store: Store, meaning: Meaning, versions: pa.Table, start: int) -> _Second | None:
    """A second process; None where this machine has no room for its folder or for itself."""
    try:
        return _Second(store, meaning, versions, start)
    except OSError:
        return None


class _WithoutPandas:
    """Keeps Arrow from loading pandas, which takes longer than all else at the start."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Refuse pandas, as if it were not installed; leave all else to the other finders."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def main(root: str, name: str, start: str, folder: str) -> None:
    """Be the second process: read the versions of a board from one on, into a folder."""
    Thread(target=_end_with_the_first, args=(folder,)).start()
    sys.meta_path.insert(0, _WithoutPandas)
    try:
        _read_into(_Files(Path(folder)), Store(Path(root)), name, int(start))
    finally:
        os.close(sys.stdout.fileno())  # nothing more is to come


def _read_into(files: _Files, store: Store, name: str, start: int) -> None:
    import pyarrow.parquet as pq

    from history import derived

    board = store.board(name)
    meaning = read_meaning(board)
    if not derived.made_by(files.versions, meaning):
        return
    versions = pq.ParquetFile(files.versions).read()
    stop, step = versions.num_rows, partial(os.write, sys.stdout.fileno(), b".")
    readings = []
    with no_collecting():
        for part in read_parts(store, board, meaning, versions, start, stop, step):
            derived.write_apart(files.scores(part.number), part.scores, meaning)
            readings.append(part.readings)
        derived.write_apart(files.readings, derived.joined(readings), meaning)


def _end_with_the_first(folder: str) -> None:
    """Wait until the first process has ended, however that came; then leave nothing behind."""
    os.read(sys.stdin.fileno(), 1)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
