"""What would an audit say of a file that is not published yet?

In: a board's history and the bytes of one file. Out: an Unpublished. Start at audit_file(). The
file is read as the version after the newest one would be, by the definition as it is then, and
audited at the end of the whole history; nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pandas as pd

from history import ranks, splits, ties
from history.audit import audit, smells
from history.audit.smells.smell import Smell, gathered
from history.editions import editions
from history.editions.editions import Edition, changes
from history.editions.file_values import NOTHING, FileValues, values_of
from history.frames import SCORE, pointer_of, text_of
from history.readers import File, Unreadable, format_of
from history.readings import Reading, TableReader
from history.readings.overrides import Rules
from history.readings.stages import Course, Stages
from history.scores import derived
from history.scores.score_table import ScoreTable
from history.ticks import numbers_of

if TYPE_CHECKING:
    from history.meaning import Meaning
    from history.pipeline import BoardHistory


@dataclass(frozen=True)
class Unpublished:
    """What was found in a file that is not published.

    Attributes:
        path: as it was given.
        version: the number that it would have.
        reading: what could be read of it.
        meaning: the definition that it was read by.
        found: the audit, of this file alone.
        ranks: its RANKS.
        values: what it says beside its rows.
        edition: its edition; None where it lists no entry.
        against: number of the newest published version that can be read; None without one.
        changed: what differs from that version's edition, in words.
    """

    path: str
    version: int
    reading: Reading
    meaning: Meaning
    found: audit.Audit
    ranks: pd.DataFrame
    values: FileValues
    edition: Edition | None
    against: int | None
    changed: tuple[str, ...]


def audit_file(board: BoardHistory, path: str, data: bytes) -> Unpublished:
    """Audit a file as if it were published next.

    Args:
        board: whose definition and history count.
        path: the file's name; it tells the format, else the name of the published one does.
        data: the file.
    """
    readings = board.readings
    version = 1 + max(readings["version"].tolist(), default=-1)
    published = str(readings["path"].iloc[-1]) if len(readings) else board.board.source.paths[0]
    file = File(path if format_of(path) else published, data)
    row = _row(board, version, path)
    line = list(_line(board))
    stages = Stages(board.meaning)
    before = str(readings["stage"].iloc[-1]) if len(readings) else ""
    stage = Course(stages, board.meaning, line, before).next(row, file)
    meaning = stages.at(stage)
    reading = TableReader(meaning).read_file(file, Rules(board.meaning, line).at(row))
    values = _values(file, meaning)
    said = board.file_values | {version: values}
    table = ScoreTable(stages.fields, stages.attributes)
    table.add(version, reading)
    own = _ranked(derived.frame(table.finish()), meaning, version, reading.band)
    after = _with_row(readings, row, reading, stage)
    meanings = {v: board.meaning_at(v) for v in readings["version"].tolist()} | {version: meaning}
    whole = ranks.joined([board.full_ranks(), own]) if len(own) else board.full_ranks()
    found = audit.audit(whole, after, meanings, None, said)
    known = editions.read(after, meanings, said)
    listed = readings.loc[readings["reading"].isin(["read", "partial"]), "version"].tolist()
    against = max(listed, default=None)
    old, new = known.at(against), known.at(version)
    changed = tuple(changes(old, new)) if old and new and old.key != new.key else ()
    alone = [] if changed or against is None else list(_alone(whole, against, version, meaning))
    own_smells = found.smells[found.smells["version"] == version]
    if alone:
        listed_smells = [Smell(*one) for one in own_smells.itertuples(index=False)]
        own_smells = smells.frame([*listed_smells, *gathered(alone)])
    only = replace(
        found,
        smells=own_smells,
        published=found.published[found.published["version"] == version],
        formula=found.formula[found.formula["version"] == version],
    )
    return Unpublished(path, version, reading, meaning, only, own, values, new, against, changed)


def _row(board: BoardHistory, version: int, path: str) -> dict[str, Any]:
    """The file as a version: behind all commits, at the time of the last look."""
    readings = board.readings
    times = [] if readings.empty else [readings["committed_at"].max()]
    times += [] if board.as_of is None else [board.as_of]
    at = max(times, default=pd.Timestamp(0, tz="UTC"))
    positions = [] if readings.empty else [int(readings["position"].max())]
    return {
        "version": version,
        "commit": "",
        "path": path,
        "blob": None,
        "committed_at": at.to_pydatetime(),
        "position": max(positions, default=-1) + 1_000_000,
    }


def _line(board: BoardHistory) -> Iterator[tuple[str, int]]:
    table = board.store.looked_through(board.board)
    yield from zip(table["commit"].to_pylist(), table["position"].to_pylist(), strict=True)


def _values(file: File, meaning: Meaning) -> FileValues:
    try:
        return values_of(file.document(meaning.table.format), meaning)
    except Unreadable:
        return NOTHING


def _ranked(scores: pd.DataFrame, meaning: Meaning, version: int, band: str | None) -> pd.DataFrame:
    seen = splits.view(meaning, None)
    wide = seen.rule.band or band
    bands = {version: wide} if wide and ties.band_width(wide) is not None else {}
    return ranks.rank(scores, direction=seen.direction, rule=seen.rule, bands=bands)


def _with_row(
    readings: pd.DataFrame, row: dict[str, Any], reading: Reading, stage: str
) -> pd.DataFrame:
    """READINGS and the file's own behind them."""
    own = derived.frame(derived.readings_table([derived.readings_row(row, reading, stage)]))
    at = readings["at"].iloc[-1] if len(readings) else pd.Timestamp(row["committed_at"])
    own = own.assign(committed_at=at, at=at, at_earliest=at, state="published")
    own["committed_at"] = own["committed_at"].astype(readings["committed_at"].dtype)
    return pd.concat([readings, own], ignore_index=True)


def _alone(table: pd.DataFrame, before: int, after: int, meaning: Meaning) -> Iterator[Smell]:
    """Scores that are not those of the newest version, while all their parts are."""
    named = meaning.table.parts.items()
    parts = [name for name, part in named if part.column != meaning.table.score]
    if not parts:
        return
    old, new = (_numbers(table[table["version"] == one], parts) for one in (before, after))
    for entry, (text, pointer, score, own) in new.items():
        was = old.get(entry)
        if was is None or None in own or own != was[3] or None in (score, was[2]):
            continue
        if score != was[2]:
            found = f"{was[0]} -> {text}, and no part of it changed ({', '.join(parts)})"
            yield Smell(after, "changed_alone", entry, pointer, f"{entry!r}: {found}")


_Numbers = tuple[str, str, Fraction | None, list[Fraction | None]]


def _numbers(rows: pd.DataFrame, parts: Sequence[str]) -> dict[str, _Numbers]:
    """By entry: text and pointer of the score, its number, and those of the parts."""
    columns = [numbers_of(rows, field) for field in (SCORE, *parts)]
    names = (rows[name].tolist() for name in ("entry", text_of(SCORE), pointer_of(SCORE)))
    return {
        str(entry): (str(text), str(pointer), score, list(own))
        for entry, text, pointer, score, *own in zip(*names, *columns, strict=True)
    }
