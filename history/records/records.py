"""What does an answer look like as JSON?

One function per command, from what the pipeline found to the document that --json
prints. Times are UTC with seconds, commits are full ids, a gap is null.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pandas as pd

from history import moments
from history.frames import MEASURES, SCORE, text_of, value_of
from history.notes import TimedNote, meeting
from history.ties import WITHOUT_EDGE, source_of
from history.times import time_text

if TYPE_CHECKING:
    from history.pipeline import BoardHistory
    from history.standing import Standings
    from history.ties import TieRule

Record = dict[str, Any]
_WHY_UNRANKED = ("odd_score", "ambiguous", "duplicate_entry")  # kinds of remarks
_OPEN_DATES = "have two readings and stay text"


def plain(value: Any) -> Any:
    """A cell as JSON knows it: no NaN, no numpy, no infinities.

    >>> [plain(value) for value in (pd.NA, float("inf"), pd.Series([3])[0], "a", 0.5)]
    [None, None, 3, 'a', 0.5]
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def column(frame: pd.DataFrame, name: str) -> list[Any]:
    """A column as plain values; all None where the frame has no such column."""
    if name not in frame.columns:
        return [None] * len(frame)
    return [plain(value) for value in frame[name].tolist()]


# What a document calls an entry's columns of RANKS.
_OF_ENTRY = {
    "entry": "entry",
    "name": "name",
    "score": value_of(SCORE),
    "score_text": text_of(SCORE),
    "rank": "rank",
    "tie_rank": "tie_rank",
    "tie_group": "tie_group",
    "tied": "tied",
    "rank_low": "rank_low",
    "rank_high": "rank_high",
    "rank_published": "rank_published",
    "tie_rank_published": "tie_rank_published",
}
_OF_ROW = {
    said: _OF_ENTRY[said]
    for said in ("entry", "name", "score", "score_text", "rank", "tie_rank", "tied")
} | {"n_ranked": "n_ranked"}


def standings(history: BoardHistory, stood: Standings, top: int | None = None) -> Record:
    """The document of `standings`.

    Args:
        history: the board.
        stood: what it says of one moment.
        top: only entries up to this rank; unranked ones then go, too. None: all.
    """
    # Rows are best first, so that what runs beside them is cut at its end.
    frame = stood.frame if top is None else stood.frame[(stood.frame["rank"] <= top).fillna(False)]
    cells = {
        name: [
            {"value": value, "text": text}
            for value, text in zip(
                column(frame, value_of(name)), column(frame, text_of(name)), strict=True
            )
        ]
        for name in (*stood.parts, *MEASURES)
    }
    # They are measures of the score, and say nothing of a split.
    measured = () if stood.split else stood.measures
    whys = {} if stood.split else _why_unranked(history, stood.moment.version)
    columns = {said: column(frame, name) for said, name in _OF_ENTRY.items()}
    unranked = column(frame, "unranked")
    entries = [
        {
            **{said: cell[i] for said, cell in columns.items()},
            "parts": {part: cells[part][i] for part in stood.parts},
            **{name: cells[name][i] if name in measured else None for name in MEASURES},
            "attributes": {
                name: {"text": one.texts[i], "date": one.dates[i]}
                for name, one in stood.attributes.items()
            },
            "unranked": why,
            "unranked_why": whys.get(columns["entry"][i]) if why else None,
        }
        for i, why in enumerate(unranked)
    ]
    reading = reading_of(history, stood.moment.version)
    return {
        "board": history.name,
        "commit": reading["commit"],
        "committed_at": reading["committed_at"],
        "edition": stood.edition,
        "split": stood.split,
        "score_label": history.label if stood.printed else "reasoned",
        "n_ranked": stood.n_ranked,
        "n_unreadable": stood.n_unreadable,
        "ties": ties(stood.ties, stood.band, stood.measures),
        "also": commits_of(history, stood.moment.also),
        "absent": stood.moment.state == "absent",
        "path": reading["path"],
        "notes": [
            *notes(history, frame["entry"], stood.frame["entry"], *[stood.moment.at] * 2),
            *[
                _note(TimedNote(None, f"the dates of {name!r} {_OPEN_DATES}: {one.either}"))
                for name, one in stood.attributes.items()
                if one.either
            ],
        ],
        "entries": entries,
        **about(history),
    }


def notes(
    board: BoardHistory,
    shown: Iterable[str],
    ranked: Iterable[str],
    start: datetime | None = None,
    end: datetime | None = None,
) -> list[Record]:
    """What the definition says beside the file that belongs to an answer.

    Args:
        board: the board.
        shown: keys of the entries that the answer speaks of.
        ranked: keys of all that they are ranked among.
        start, end: the stretch of time that it speaks of, both ends included, the same twice for
            a moment; None: as far as the history is known.
    """
    if not board.notes:
        return []
    first = board.readings["at"].iloc[0] if start is None else start
    last = moments.horizon(board.readings, board.as_of) if end is None else end
    return [_note(one) for one in meeting(board.notes, first, last, set(shown), set(ranked))]


def _note(one: TimedNote) -> Record:
    return {
        "entry": one.entry,
        "text": one.text,
        "source": one.source,
        "from": time_text(one.start),
        "until": time_text(one.end),
    }


def ties(rule: TieRule, band: str | None, measures: Collection[str] = ()) -> Record:
    """How a tie rule is written: the band as the number it was printed as.

    A rule that goes by what the file measures besides says by what (`measured_by`), and whether
    it is a test of significance (`statistical`), which no board's own rule is.
    """
    edge = None if rule.rule in WITHOUT_EDGE else rule.edge
    said: Record = {"rule": rule.rule, "band": None if band is None else float(band), "edge": edge}
    if rule.rule in ("interval", "se"):
        said |= {"measured_by": source_of(rule, measures), "statistical": rule.statistical}
    return said


def history(
    board: BoardHistory,
    entries: Sequence[str] = (),
    split: str | None = None,
    since: pd.Timestamp | None = None,
    until: pd.Timestamp | None = None,
    tie: TieRule | None = None,
) -> Record:
    """The document of `history`: a row per version in which an entry is listed.

    Args:
        board: the board.
        entries: keys of the entries to follow; none: all.
        split: one of its splits, or None for the score.
        since, until: only versions that began to hold in this time, both ends included.
        tie: another tie rule than the board's own.
    """
    frame = board.rank_history(split, tie)
    ranked = frame["entry"].unique()
    if entries:
        frame = frame[frame["entry"].isin(entries)]
    readings = board.readings
    if since is not None:
        readings = readings[readings["at"] >= since]
    if until is not None:
        readings = readings[readings["at"] <= until]
    told = {
        version: (commit, time_text(committed_at), plain(edition), reading)
        for version, commit, committed_at, edition, reading in zip(
            readings["version"].tolist(),
            readings["commit"],
            readings["committed_at"],
            readings["edition"],
            readings["reading"],
            strict=True,
        )
    }
    frame = frame[frame["version"].isin(list(told))]
    columns = {said: column(frame, name) for said, name in _OF_ROW.items()}
    rows = [
        dict(zip(("commit", "committed_at", "edition", "reading"), told[version], strict=True))
        | {said: cell[i] for said, cell in columns.items()}
        for i, version in enumerate(frame["version"].tolist())
    ]
    return {
        "board": board.name,
        "split": split,
        **({} if tie is None else {"ties": ties(tie, tie.band, board.fields)}),
        "rows": rows,
        "notes": notes(board, frame["entry"].unique(), ranked, since, until),
        **about(board),
    }


def about(board: BoardHistory) -> Record:
    """What every document about a board says of its history as a whole."""
    return {"as_of": time_text(board.as_of), "reconstruction": board.reconstruction}


def _why_unranked(board: BoardHistory, version: int | None) -> dict[str, str]:
    """Why entries have no rank, where their score is more than a gap."""
    remarks = () if version is None else board.reading(version)["remarks"]
    return {one["entry"]: one["text"] for one in remarks if one["kind"] in _WHY_UNRANKED}


def reading_of(board: BoardHistory, version: int | None) -> Record:
    """Commit, time and path of one version; nulls without one."""
    if version is None:
        return dict.fromkeys(("commit", "committed_at", "path", "edition"))
    row = board.reading(version)
    return {
        "commit": str(row["commit"]),
        "committed_at": time_text(row["committed_at"]),
        "path": plain(row["path"]),
        "edition": plain(row["edition"]),
    }


def commits_of(board: BoardHistory, versions: Iterable[int]) -> list[str]:
    """Full commit ids of some versions."""
    by_version = board.readings.set_index("version")["commit"]
    return [str(by_version[version]) for version in versions]
