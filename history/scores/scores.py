"""Which scores did each version of a board hold?

In: the versions of a Store. Out: READINGS and SCORES. derive() writes them, load_readings() and
load_scores() give them back as frames. What is not derived yet, or was by another definition or
reader, is read from the bytes in memory, so that no answer depends on old tables.

Parts of 1,000 versions are written first, readings.parquet last: it decides which versions
exist, so that a killed run leaves the old state or the new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.board import Board
from crawler.store import Store
from history.frames import SCORE, attribute_of, dp_of, pointer_of, text_of, ticks_of, value_of
from history.meaning import Meaning
from history.readings.stages import Stages
from history.scores.bulk import Progress, Spare, read_in_two
from history.scores.parts import Part, no_collecting, read_parts

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from history.scores.derived import Derived

_BASE = ("version", "entry", "name", "row", "unranked", "rank_published", "tie_rank_published")
# What the last boards said that had to be read in memory; keyed by all that it depends on.
_IN_MEMORY: dict[tuple[object, ...], Derived] = {}
_IN_MEMORY_SIZE = 4


def derive(
    store: Store,
    board: Board,
    meaning: Meaning,
    progress: Progress | None = None,
    everything: bool = False,
    spare: Spare | None = None,
) -> int:
    """Bring readings.parquet and scores.parquet up to date.

    Only new versions are read, all of them if the definition or the reader changed; of many, the
    later ones in a second process.

    Args:
        store, board, meaning: what to read, and how.
        progress: is told from time to time how far it is.
        everything: read all versions again.
        spare: a second process that has started, perhaps.

    Returns:
        How many versions cannot be read.

    Raises:
        StoreError: bytes are missing or damaged.
        BoardError: the definition names a commit that the board never had.
    """
    with no_collecting():
        return _derive(store, board, meaning, progress, everything, spare)


def _derive(
    store: Store,
    board: Board,
    meaning: Meaning,
    progress: Progress | None,
    everything: bool,
    spare: Spare | None,
) -> int:
    from history.scores import derived

    versions = store.versions(board.name)
    done = None if everything else derived.stored(store, meaning, versions)
    start = done.readings.num_rows if done else 0
    readings = [done.readings] if done else [derived.readings_table([])]
    if done is None or start < versions.num_rows:
        before = _stage_before(done)
        with closing(
            read_in_two(store, board, meaning, versions, start, progress, before, spare)
        ) as parts:
            for part in parts:
                _write(store, meaning, part, start)
                readings.append(part.readings)
        derived.write(store, store.readings_file(board.name), derived.joined(readings), meaning)
        derived.drop_parts(store, board.name, versions.num_rows)
    return sum(_unreadable_in(table) for table in readings)


def _unreadable_in(readings: pa.Table) -> int:
    import pyarrow.compute as pc

    return pc.sum(pc.equal(readings["reading"], "unreadable")).as_py() or 0


def _write(store: Store, meaning: Meaning, part: Part, start: int) -> None:
    """Write one part of SCORES; what it had of the versions before `start` stays."""
    from history.scores import derived

    file = derived.part_file(store, meaning.board.name, part.number)
    scores = part.scores
    if isinstance(scores, Path):
        store.replace(file, partial(shutil.copyfile, scores))
        return
    if part.number * derived.PART < start:
        kept = derived.before(derived.read_part(file, None), start)
        scores = derived.joined([kept, scores])
    derived.write(store, file, scores, meaning)


def readings(store: Store, board: Board, meaning: Meaning) -> pa.Table:
    """READINGS with the columns of VERSIONS, oldest first."""
    table = store.versions(board.name)
    said = _current(store, board, meaning, table).readings
    for name in said.column_names:
        if name not in table.column_names:
            table = table.append_column(name, said[name])
    return table


def load_readings(store: Store, board: Board, meaning: Meaning) -> pd.DataFrame:
    """READINGS with the columns of VERSIONS, without `at`, oldest first."""
    from history.scores import derived

    return derived.frame(readings(store, board, meaning))


def load_scores(
    store: Store,
    board: Board,
    meaning: Meaning,
    fields: Sequence[str] = (SCORE,),
    versions: Iterable[int] | None = None,
    attributes: Sequence[str] = (),
) -> pd.DataFrame:
    """SCORES of some fields and versions, in order of version and row.

    Args:
        store, board, meaning: what to load.
        fields: `score` and parts; what is not asked for is not read.
        versions: their numbers; None for all.
        attributes: of those that the definition names.

    Raises:
        StoreError: the tables on disk are damaged.
    """
    from history.scores import derived

    columns = [*_BASE, *(["path"] if board.file_per_entry else [])]
    columns += map(attribute_of, attributes)
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
    from history.scores import derived

    done = derived.stored(store, meaning, versions)
    start = done.readings.num_rows if done else 0
    if done and start == versions.num_rows:
        return done
    files = hash(tuple(zip(*(versions[n].to_pylist() for n in ("path", "blob")), strict=True)))
    key = (store.root.resolve(), board.name, meaning.digest, start, versions.num_rows, files)
    if key not in _IN_MEMORY:
        end, before = versions.num_rows, _stage_before(done)
        read = list(read_parts(store, board, meaning, versions, start, end, before=before))
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


def _stage_before(done: Derived | None) -> str:
    """The stage of the last version on disk."""
    return str(done.readings["stage"][-1]) if done and done.readings.num_rows else ""


def _no_scores(meaning: Meaning) -> pa.Table:
    from history.scores.score_table import ScoreTable

    stages, with_paths = Stages(meaning), meaning.board.file_per_entry
    return ScoreTable(stages.fields, stages.attributes, with_paths=with_paths).finish()
