"""How did a board stand at a moment, as somebody asks for it?

With another tie rule, or only some of its entries; and what a condition on entries can ask of.
Answers are kept as those of app/views/answers.py are. Start at stood().
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from app.views import answers
from app.views.answers import Stamp
from crawler.errors import TypedError
from history import readers
from history.classes import MEETS, NoSuchColumn
from history.frames import SCORE, text_of
from history.meaning.conditions import ConditionError
from history.pipeline import BoardHistory
from history.readers import Unreadable
from history.readings import layouts
from history.standing import Standings
from history.ties import parse_rule
from history.uncertainty.rank_intervals import Method

MOST_COLUMNS = 60  # of a file that are named
# Which rank intervals are shown: all of them hold at once; the second where there are too many
# entries to draw for.
AT_ONCE: tuple[Method, ...] = ("simultaneous", "bonferroni")


class WhereError(TypedError):
    """A condition on entries that cannot be used."""


@dataclass(frozen=True)
class Question:
    """How somebody asks for a board.

    Attributes:
        board: its name.
        split: one of its splits; None is the score.
        tie: another tie rule, as `--tie` takes it; None is the board's own.
        where: only entries that surely meet this condition; "" is all.
    """

    board: str
    split: str | None = None
    tie: str | None = None
    where: str = ""


@dataclass(frozen=True)
class Members:
    """Who meets a condition in one version.

    Attributes:
        listed: entries of the version.
        meeting: those that surely do.
        unknown: those of which the file does not say it, in code-point order.
    """

    listed: int
    meeting: int
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Sure:
    """Which ranks the errors of the scores leave possible.

    Attributes:
        ranks: best and worst by entry.
        level: of all of them together.
        method: how they were worked out.
        sources: where the errors come from, for people.
    """

    ranks: dict[str, tuple[int, int]]
    level: float
    method: Method
    sources: tuple[str, ...]


def stood(asked: Question, when: str) -> Standings:
    """A board as it stood.

    Raises:
        TieError, SplitError, MomentError: of what was asked for. WhereError: of the condition.
    """
    return _stood(*_key(asked), asked, when)


def members(asked: Question, version: int) -> Members:
    """Who meets the condition."""
    return _members(*_key(asked), asked.where, version)


def sure(asked: Question, when: str) -> Sure | None:
    """How sure the ranks of a version are; None where its file does not tell."""
    return _sure(*_key(asked), when)


def columns(name: str, version: int) -> pd.DataFrame:
    """What a condition can ask of: `column`, `what` it is, and an `example` from the version."""
    return _columns(str(answers.store().root), name, answers.stamp(name), version)


def _key(asked: Question) -> tuple[str, str, Stamp]:
    return str(answers.store().root), asked.board, answers.stamp(asked.board)


@st.cache_data(max_entries=64, show_spinner=False)
def _stood(root: str, name: str, stamp: Stamp, asked: Question, when: str) -> Standings:
    rule = None if asked.tie is None else parse_rule(asked.tie)
    board = answers.history(name)
    try:
        return board.standings(when, asked.split, rule, asked.where)
    except ConditionError as error:
        fix = "Write it as in  size < '8B' and name ~ 'open'"
        raise WhereError("where", str(error).rstrip("."), fix) from None
    except NoSuchColumn as error:
        known = ", ".join(("entry", "name", *board.fields, *error.known))
        found = f"{board.name} has no column {error.name}"
        raise WhereError(
            "where", found, f"There are {known}, and the columns of the file"
        ) from None


@st.cache_data(max_entries=64, show_spinner=False)
def _members(root: str, name: str, stamp: Stamp, where: str, version: int) -> Members:
    found = answers.history(name).members(where)
    found = found[found["version"] == version]
    unknown = found.loc[found[MEETS].isna(), "entry"]
    return Members(len(found), int(found[MEETS].eq(True).sum()), tuple(sorted(unknown)))


@st.cache_data(max_entries=64, show_spinner=False)
def _sure(root: str, name: str, stamp: Stamp, when: str) -> Sure | None:
    found = answers.history(name).uncertainty(when)
    method = next((one for one in AT_ONCE if one in found.intervals), None)
    if method is None:
        return None
    sources = dict.fromkeys(one.source for one in found.scores.entries if one.source)
    from history.uncertainty.score_errors import SOURCES

    return Sure(found.ranks(method), found.level, method, tuple(SOURCES[one] for one in sources))


@st.cache_data(max_entries=64, show_spinner=False)
def _columns(root: str, name: str, stamp: Stamp, version: int) -> pd.DataFrame:
    board = answers.history(name)
    stood = board.standings(str(board.reading(version)["commit"]))
    frame = stood.frame
    rows = [("entry", "the stable key", _first(frame["entry"]))]
    rows += [("name", "as it is shown", _first(frame["name"]))]
    for field in (SCORE, *stood.parts, *stood.measures):
        what = {SCORE: "what is ranked"}.get(field, "part" if field in stood.parts else "measure")
        if text_of(field) in frame:
            rows.append((field, what, _first(frame[text_of(field)])))
    for attribute, one in stood.attributes.items():
        rows.append((attribute, "attribute", next((t for t in one.texts if t), "")))
    known = {row[0] for row in rows}
    rows += [row for row in _of_file(board, version) if row[0] not in known]
    return pd.DataFrame(rows, columns=["column", "what", "example"])


def _of_file(board: BoardHistory, version: int) -> list[tuple[str, str, str]]:
    """Columns of the file itself; none where it has no table of its own to look at."""
    row, table = board.reading(version), board.meaning_at(version).table
    format_ = table.format or readers.format_of(str(row["path"]))
    if board.board.file_per_entry or format_ is None or table.layout not in ("rows", "columns"):
        return []
    try:
        [(_, data)] = board.store.blobs(board.board, [str(row["blob"])])
        found = readers.parse(format_, data).table(table.rows)
    except Unreadable:
        return []
    if table.layout == "columns":
        found = layouts.in_rows(found, table)
    told = []
    for name in found.names()[:MOST_COLUMNS]:
        cells = found.literal(name)
        texts = [] if cells is None else [text for text in cells.texts if text]
        told.append((name, "column of the file", texts[0] if texts else ""))
    return told


def _first(cells: pd.Series) -> str:
    """The first text that there is."""
    there = cells.dropna()
    return str(there.iloc[0]) if len(there) else ""
