"""How does a board stand, in a few lines?

Who is first and since when, when it changed, and what wants a look. Start at card().
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st

from app.charts.stretches import blanks, shown_until
from app.charts.style import utc
from app.faults import exit_code_of, line_of_error
from app.jobs import not_all_known
from app.views import answers, setting
from app.views.answers import Stamp
from app.views.texts import age_text, unreadable_text
from app.wording import duration, holders, reign_length
from history.frames import SCORE, text_of
from history.moments import horizon
from history.pipeline import BoardHistory

STALE = pd.Timedelta(days=2)  # since the last look


@dataclass(frozen=True)
class Facts:
    """What is known of a board without its scores.

    Attributes:
        name: in the store. title: for people.
        as_of: the last look, changed: the newest version; None before the first.
        versions: how many.
        reconstruction: why this is not the board's own history; "" if it is.
        trouble: what wants a look, a line each; nothing of it depends on the clock.
        broken: nothing more can be said of this board.
    """

    name: str
    title: str
    as_of: pd.Timestamp | None = None
    changed: pd.Timestamp | None = None
    versions: int = 0
    reconstruction: str = ""
    trouble: tuple[str, ...] = ()
    broken: bool = False


@dataclass(frozen=True)
class First:
    """First place of a board.

    Attributes:
        text: who is first, with which score and since when.
        reigns: as in the JSON of `reigns`. span: ends of the axis of time, as Trail has it.
        blanks: start, end, why of the times that nobody knows.
    """

    text: str
    reigns: list[dict[str, Any]] = field(default_factory=list)
    span: tuple[pd.Timestamp, pd.Timestamp] | None = None
    blanks: pd.DataFrame | None = None


def facts(name: str) -> Facts:
    """What is known of a board without its scores; of a broken one, what is wrong."""
    try:
        return _facts(str(answers.store().root), name, answers.stamp(name))
    except Exception as error:  # one board of many: whatever is wrong, the others are shown
        return Facts(name, name, trouble=(_line(error),), broken=True)


def first(name: str) -> First:
    """Who is first, and who was."""
    try:
        return _first(str(answers.store().root), name, answers.stamp(name))
    except Exception as error:
        return First(_line(error))


def trouble(board: Facts, now: pd.Timestamp) -> list[str]:
    """What wants a look, a line each.

    >>> board = Facts("a", "A", as_of=pd.Timestamp("2026-03-01T08:00Z"), trouble=("No version.",))
    >>> trouble(board, pd.Timestamp("2026-03-06T09:00Z"))
    ['No version.', 'Not looked at for 5 d 1 h.']
    """
    said = list(board.trouble)
    if board.as_of is not None and not board.reconstruction and now - board.as_of > STALE:
        said.append(f"Not looked at for {duration((now - board.as_of).total_seconds())}.")
    return said


def _line(error: Exception) -> str:
    """What is wrong, in one line."""
    if exit_code_of(error) is not None:
        return setting.told(line_of_error(error))
    return f"Unforeseen trouble: {type(error).__name__}: {error}"


@st.cache_data(max_entries=512, show_spinner=False)
def _facts(root: str, name: str, stamp: Stamp) -> Facts:
    board = answers.history(name)
    readings = board.readings
    said = []
    ended = [one for one in board.store.attempts(name) if one.get("outcome") in ("ok", "failed")]
    if ended and ended[-1].get("error"):
        when = utc(pd.Timestamp(ended[-1]["started"]))
        found = setting.told(str(ended[-1]["error"]))
        said.append(f"The last attempt, {when}, failed: {found}")
    if readings.empty:
        looked = "Never looked at" if board.as_of is None else "Its files were never there"
        said.append(f"{looked}: `ranktrail crawl {name}` fetches it.")
    elif board.find("latest").state == "unknown" and board.as_of is not None:
        said.append(f"The newest version cannot be read: {readings['found'].iloc[-1]}.")
    if bad := unreadable_text(readings):
        said.append(bad)
    if gone := int(readings["vanished"].sum()):
        said.append(
            f"{gone:,} version{'' if gone == 1 else 's'} vanished upstream; kept and marked here."
        )
    seen = board.store.seen(board.board)
    if seen and (why := not_all_known(seen)):
        said.append(f"{why[0].upper()}{why[1:]}.")
    return Facts(
        name,
        board.title,
        board.as_of,
        None if readings.empty else readings["at"].iloc[-1],
        len(readings),
        board.reconstruction,
        tuple(said),
    )


@st.cache_data(max_entries=128, show_spinner=False)
def _first(root: str, name: str, stamp: Stamp) -> First:
    board = answers.history(name)
    readings = board.readings
    start, changed = readings["at"].iloc[0], readings["at"].iloc[-1]
    end = shown_until(start, changed, horizon(readings, board.as_of))
    reigns = answers.reigns(name, None)
    unknown = blanks(readings, board.as_of)
    return First(first_now(board, reigns), reigns, (start, end), unknown)


def first_now(board: BoardHistory, reigns: list[dict[str, Any]]) -> str:
    """Who is first, since when, and with which score at the last look."""
    if not reigns or not reigns[-1]["open"] or not reigns[-1]["entries"]:
        return "Nobody is first now."
    last = reigns[-1]
    since = utc(pd.Timestamp(last["from"]))
    text = f"First now: {holders(last)} since {since} ({reign_length(last)} until the last look)"
    if board.find("latest").state != "known":
        return text
    frame = board.standings("latest").frame
    scores = frame.loc[frame["entry"].isin(last["entries"]), text_of(SCORE)]
    printed = [str(score) for score in scores.unique() if not pd.isna(score)]
    return f"{text}, score {' / '.join(printed)}" if printed else text


def age(board: Facts, now: pd.Timestamp) -> str:
    """When it last changed, for a list that is sorted by it.

    >>> age(Facts("a", "A"), pd.Timestamp("2026-03-06T09:00Z"))
    'no version yet'
    """
    return "no version yet" if board.changed is None else age_text(board.changed, now)
