"""Which scores did each version of a board hold?

In: the versions of a Store. Out: READINGS and SCORES. derive() writes them, load_readings() and
load_scores() give them back as frames. What is not derived yet, or was by another definition or
reader, is read from the bytes in memory, so that no answer depends on old tables.

Parts of 1,000 versions are written first, readings.parquet last: it decides which versions
exist, so that a killed run leaves the old state or the new one.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.board import Board
from crawler.store import Store
from history.frames import SCORE, dp_of, pointer_of, text_of, ticks_of, value_of
from history.meaning import Meaning
from history.overrides import Rules
from history.readers import format_of
from history.readings import Overrides, Reading, TableReader

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from history.derived import Derived

Progress = Callable[[str], None]

_BASE = ("version", "entry", "name", "row", "unranked", "rank_published", "tie_rank_published")
_REASONS = {"pointer": "lfs_pointer"}
_STEP = 200
# What the last boards said that had to be read in memory; keyed by all that it depends on.
_IN_MEMORY: dict[tuple[object, ...], Derived] = {}
_IN_MEMORY_SIZE = 4


class _Part(NamedTuple):
    """Some versions of one part, just read."""

    number: int
    scores: pa.Table
    readings: pa.Table


def derive(
    store: Store,
    board: Board,
    meaning: Meaning,
    progress: Progress | None = None,
    everything: bool = False,
) -> int:
    """Bring readings.parquet and scores.parquet up to date.

    Only new versions are read, each distinct file once; all of them if the definition or the
    reader changed.

    Args:
        store, board, meaning: what to read, and how.
        progress: is told from time to time how far it is.
        everything: read all versions again.

    Returns:
        How many versions cannot be read.

    Raises:
        StoreError: bytes are missing or damaged.
        BoardError: the definition names a commit that the board never had.
    """
    with _no_collecting():
        return _derive(store, board, meaning, progress, everything)


def _derive(
    store: Store, board: Board, meaning: Meaning, progress: Progress | None, everything: bool
) -> int:
    from history import derived

    versions = store.versions(board.name)
    done = None if everything else derived.stored(store, meaning, versions)
    start = done.readings.num_rows if done else 0
    readings = [done.readings] if done else [derived.readings_table([])]
    if done is None or start < versions.num_rows:
        for part in _read(store, board, meaning, versions, start, progress):
            file = derived.part_file(store, board.name, part.number)
            scores = part.scores
            first = part.number * derived.PART
            if first < start:
                kept = derived.before(derived.read_part(file, None), start)
                scores = derived.joined([kept, scores])
            derived.write(store, file, scores, meaning)
            readings.append(part.readings)
        derived.write(store, store.readings_file(board.name), derived.joined(readings), meaning)
        derived.drop_parts(store, board.name, versions.num_rows)
    return sum(table["reading"].to_pylist().count("unreadable") for table in readings)


@contextmanager
def _no_collecting() -> Iterator[None]:
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


def load_readings(store: Store, board: Board, meaning: Meaning) -> pd.DataFrame:
    """READINGS with the columns of VERSIONS, without `at`, oldest first."""
    from history import derived

    table = store.versions(board.name)
    said = _current(store, board, meaning, table).readings
    for name in said.column_names:
        if name not in table.column_names:
            table = table.append_column(name, said[name])
    return derived.frame(table)


def load_scores(
    store: Store,
    board: Board,
    meaning: Meaning,
    fields: Sequence[str] = (SCORE,),
    versions: Iterable[int] | None = None,
) -> pd.DataFrame:
    """SCORES of some fields and versions, in order of version and row.

    Args:
        store, board, meaning: what to load.
        fields: `score` and parts; what is not asked for is not read.
        versions: their numbers; None for all.

    Raises:
        StoreError: the tables on disk are damaged.
    """
    from history import derived

    columns = list(_BASE)
    for field in fields:
        columns += [name(field) for name in (text_of, value_of, ticks_of, dp_of, pointer_of)]
    wanted = None if versions is None else sorted(set(versions))
    current = _current(store, board, meaning, store.versions(board.name))
    tables = [
        _no_scores(meaning).select(columns),
        *(derived.read_part(part, columns, wanted) for part in current.parts),
    ]
    return derived.frame(derived.before(derived.joined(tables), current.readings.num_rows))


def _current(store: Store, board: Board, meaning: Meaning, versions: pa.Table) -> Derived:
    """What is on disk, and in memory what is not there yet."""
    from history import derived

    done = derived.stored(store, meaning, versions)
    start = done.readings.num_rows if done else 0
    if done and start == versions.num_rows:
        return done
    files = hash(tuple(zip(*(versions[n].to_pylist() for n in ("path", "blob")), strict=True)))
    key = (store.root.resolve(), board.name, meaning.digest, start, versions.num_rows, files)
    if key not in _IN_MEMORY:
        read = list(_read(store, board, meaning, versions, start, None))
        old = [done.readings] if done else [derived.readings_table([])]
        kept = (
            []
            if done is None
            else [derived.before(derived.read_part(p, None), start) for p in done.parts]
        )
        fresh = derived.Derived(
            derived.joined([*old, *(part.readings for part in read)]),
            (*kept, *(part.scores for part in read)),
        )
        while len(_IN_MEMORY) >= _IN_MEMORY_SIZE:
            del _IN_MEMORY[next(iter(_IN_MEMORY))]
        _IN_MEMORY[key] = fresh
    return _IN_MEMORY[key]


def _read(
    store: Store,
    board: Board,
    meaning: Meaning,
    versions: pa.Table,
    start: int,
    progress: Progress | None,
) -> Iterator[_Part]:
    """Read the versions from `start` on, part by part."""
    from history import derived
    from history.score_table import ScoreTable

    names = ["version", "commit", "committed_at", "position", "path", "blob", "state", "why"]
    rows = versions.select(names)[start:].to_pylist()
    stream = _readings(store, board, meaning, rows)
    for first in range(start - start % derived.PART, versions.num_rows, derived.PART):
        inside = rows[max(first - start, 0) : first + derived.PART - start]
        table = ScoreTable(meaning.fields)
        readings = []
        for row in inside:
            reading = next(stream)
            table.add(row["version"], reading)
            readings.append(derived.readings_row(row, reading))
            if progress and (row["version"] + 1) % _STEP == 0:
                progress(f"{board.name}: read {row['version'] + 1} of {versions.num_rows} versions")
        yield _Part(first // derived.PART, table.finish(), derived.readings_table(readings))


def _readings(
    store: Store, board: Board, meaning: Meaning, rows: Sequence[dict[str, Any]]
) -> Iterator[Reading]:
    """What each version says, in order; equal files under equal rules are read once."""
    rules = Rules(meaning, _line(store, board))
    said: list[tuple[Overrides, tuple[object, ...]] | None] = []
    for row in rows:
        if row["state"] == "published":
            overrides = rules.at(row)
            said.append((overrides, _key(row, overrides)))
        else:
            said.append(None)
    uses = Counter(one[1] for one in said if one)
    first = {one[1]: row["blob"] for one, row in zip(said, rows, strict=True) if one}
    files = iter(store.blobs(board, first.values()))
    reader = TableReader(meaning)
    kept: dict[tuple[object, ...], Reading] = {}
    for row, one in zip(rows, said, strict=True):
        if one is None:
            yield _unseen(row)
            continue
        overrides, key = one
        reading = kept.get(key)
        if reading is None:
            _, data = next(files)
            reading = reader.read(row["path"], data, overrides)
        uses[key] -= 1
        if uses[key]:
            kept[key] = reading
        else:
            kept.pop(key, None)
        yield reading


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


def _no_scores(meaning: Meaning) -> pa.Table:
    from history.score_table import ScoreTable

    return ScoreTable(meaning.fields).finish()
