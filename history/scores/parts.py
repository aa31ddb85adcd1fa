"""What do many versions say, part by part?

In: the versions of a Store, from one to another. Out: Parts, in order. Start at read_parts().
Equal files under equal rules are read once.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.board import Board
from crawler.store import Store
from history.meaning import Meaning
from history.readers import File, Memory, format_of
from history.readings import Overrides, Reading, TableReader
from history.readings.folders import documents
from history.readings.overrides import Rules
from history.readings.stages import Course, Stages

if TYPE_CHECKING:
    import pyarrow as pa

STEP = 200
_REASONS = {"pointer": "lfs_pointer"}


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
    from history.scores import derived
    from history.scores.score_table import ScoreTable

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
            if (row["version"] + 1) % STEP == 0:
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
    memory: Memory = {}
    for row, needs in zip(rows, needed, strict=True):
        yield File(row["path"], next(stream)[1], memory) if needs else None


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
