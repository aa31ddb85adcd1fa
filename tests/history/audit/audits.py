"""Whole histories of one small CSV file, read and audited without a repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from history import ranks
from history.audit.audit import Audit, audit
from history.readings import Reading, TableReader
from history.readings.stages import Stages
from history.scores.derived import frame
from history.scores.score_table import ScoreTable
from tests.history.definitions import TABLE, meaning_of

DAY = pd.Timedelta(days=1)
START = pd.Timestamp("2026-03-01T08:00Z")


def commit(version: int) -> str:
    """The commit of a version; the first eight digits are its number."""
    return f"{version:08d}" * 5


def audit_of(
    folder: Path,
    *files: str | None,
    table: str = TABLE,
    days: Sequence[float] = (),
    editions: Sequence[str | None] = (),
    looked: float | None = None,
    stages: Sequence[str] = (),
) -> Audit:
    """Audit versions of a file.

    Args:
        folder: where the definition goes.
        files: the text of each version; None: no file.
        table: the definition from [table] on.
        days: when each was committed, in days after the first; else one a day.
        editions: what each calls itself.
        looked: day of the last look; None: nothing can be stale.
        stages: which [[since]] tables hold at each version, as READINGS say it; else none does.
    """
    meaning = meaning_of(folder, table, "board.csv")
    staged = Stages(meaning)
    made = ScoreTable(staged.fields)
    rows, meanings = [], {}
    for version, text in enumerate(files):
        stage = stages[version] if stages else ""
        meanings[version] = staged.at(stage)
        reader = TableReader(meanings[version])
        reading = Reading("absent")
        if text is not None:
            reading = reader.read("board.csv", text.encode())
        made.add(version, reading)
        at = START + (days[version] if days else version) * DAY
        rows.append(
            {
                "version": version,
                "commit": commit(version),
                "path": "board.csv",
                "committed_at": at,
                "at": at,
                "reading": reading.reading,
                "reason": reading.reason,
                "found": reading.found,
                "edition": editions[version] if editions else None,
                "stage": stage,
                "rows_pointer": reading.pointer,
                "n_listed": len(reading.entries),
                "remarks": [one._asdict() for one in reading.remarks],
            }
        )
    scores = frame(made.finish())
    return audit(
        ranks.rank(scores, direction=meaning.table.direction),
        pd.DataFrame(rows),
        meanings,
        None if looked is None else START + looked * DAY,
    )


def told(found: Audit) -> list[tuple[int, str, str | None, str]]:
    """The smells as version, kind, entry and sentence."""
    return [
        (one.version, one.kind, None if pd.isna(one.entry) else one.entry, one.found)
        for one in found.smells.itertuples(index=False)
    ]


def csv(*rows: str, header: str = "model,score") -> str:
    """A file of some rows."""
    return "\n".join([header, *rows, ""])
