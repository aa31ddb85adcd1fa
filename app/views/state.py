"""What does the address say, and what does the store hold?

The address is the only state: ?board=, entry= (repeated), at=, split=, claim=. A widget
shows what the address says and writes into it what is picked, so the back button works
and a view can be cited. A value that means nothing is named, never replaced by another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from app import lines
from app.faults import exit_code_of, line_of_error
from app.lines import Trail
from app.views.texts import escaped
from crawler.store import Store
from history.pipeline import BoardHistory, open_board
from history.records import reign_record
from history.standing import Standings

NAMES = ("board", "entry", "at", "split", "claim")
Stamp = tuple[tuple[str, int, int], ...]


def said(name: str) -> str | None:
    """What the address says; the last value if it says several, None for nothing."""
    return st.query_params.get(name) or None


def said_all(name: str) -> list[str]:
    """All values that the address has for a name, each once."""
    return list(dict.fromkeys(value for value in st.query_params.get_all(name) if value))


def write(**changes: str | list[str] | None) -> None:
    """Put values into the address in one step; None takes one out."""
    address = {name: st.query_params.get_all(name) for name in NAMES}
    if not address["board"] and (shown := st.session_state.get("choose board")):
        address["board"] = [shown]  # a page without one shows the first
    address |= {
        name: [] if value is None else [value] if isinstance(value, str) else value
        for name, value in changes.items()
    }
    st.query_params.from_dict({name: values for name, values in address.items() if values})


def address(**changes: str | list[str] | None) -> list[tuple[str, str]]:
    """The address as it is but for some changes, for links between pages."""
    values = {name: said_all(name) for name in NAMES} | {
        name: [] if value is None else [value] if isinstance(value, str) else value
        for name, value in changes.items()
    }
    return [(name, value) for name in NAMES for value in values[name]]


def choose(
    label: str,
    name: str,
    options: Sequence[str],
    show: Callable[[str], str] = str,
    *,
    empty: str,
    current: str | None = None,
    forget: Sequence[str] = (),
    help: str | None = None,
) -> None:
    """A select box for one value of the address.

    Args:
        label: our own words.
        name: of the value in the address.
        options: what can be picked, in order.
        show: the text of an option.
        empty: shown while the address says nothing that is among the options.
        current: the option that the address means, where it says it in other words.
        forget: names that mean nothing any more when this one changes.
        help: our own words behind the question mark.
    """
    key = f"choose {name}"
    value = current or said(name)
    st.session_state[key] = value if value in options else None

    def picked() -> None:
        write(**dict.fromkeys(forget), **{name: st.session_state[key]})

    st.selectbox(
        label, options, None, show, key, help, picked, placeholder=empty, filter_mode="contains"
    )


def choose_several(
    label: str,
    name: str,
    options: Sequence[str],
    show: Callable[[str], str],
    most: int,
    empty: str,
    current: Sequence[str],
) -> None:
    """The same for a value that can stand in the address several times."""
    key = f"choose {name}"
    st.session_state[key] = [value for value in current if value in options][:most]

    def picked() -> None:
        write(**{name: list(st.session_state[key])})

    st.multiselect(
        label,
        options,
        format_func=show,
        key=key,
        on_change=picked,
        max_selections=most,
        placeholder=empty,
        filter_mode="contains",
    )


def type_in(
    label: str, name: str, empty: str, help: str | None = None, *, current: str | None = None
) -> None:
    """A line to type one value of the address into.

    Args:
        label, help: our own words.
        name: of the value in the address.
        empty: shown while there is no text.
        current: the text, where it is not what the address says.
    """
    key = f"type {name}"
    st.session_state[key] = (said(name) or "") if current is None else current

    def typed() -> None:
        write(**{name: st.session_state[key].strip() or None})

    st.text_input(label, key=key, on_change=typed, placeholder=empty, help=help)


def store() -> Store:
    """The store of this server: $RANKTRAIL_STORE, else ./snapshots."""
    return Store(Path(os.environ.get("RANKTRAIL_STORE") or "snapshots"))


def claims_file() -> Path | None:
    """$RANKTRAIL_CLAIMS, else claims.toml in the store; None if neither is there."""
    if named := os.environ.get("RANKTRAIL_CLAIMS"):
        return Path(named)
    found = store().root / "claims.toml"
    return found if found.is_file() else None


def stamp(name: str) -> Stamp:
    """What a cached answer about a board depends on: its files, as the disk has them now."""
    held = store()
    files = [held.board_file(name), held.readings_file(name)]
    files += [held.folder(name) / "versions.parquet", held.folder(name) / "crawls.jsonl"]
    return stat_of(*files)


def stat_of(*files: Path) -> Stamp:
    """Name, time of change and size of files; zeros for one that is not there."""
    seen = []
    for file in files:
        try:
            stat = file.stat()
            seen.append((str(file), stat.st_mtime_ns, stat.st_size))
        except OSError:
            seen.append((str(file), 0, 0))
    return tuple(seen)


def history(name: str) -> BoardHistory:
    """A board of the store, opened once for every state of its files.

    It is shared by all readers of this server: look, do not change. The frames that pages
    work with come from the functions below, which give everybody their own.
    """
    return _history(str(store().root), name, stamp(name))


def trail(name: str, split: str | None, focus: Sequence[str]) -> Trail:
    """What the rank chart of one board shows."""
    return _trail(str(store().root), name, stamp(name), split, tuple(focus))


def standings(name: str, when: str, split: str | None) -> Standings:
    """A board as it stood."""
    return _standings(str(store().root), name, stamp(name), when, split)


def reigns(name: str, split: str | None) -> list[dict[str, Any]]:
    """Who was first, from when to when, oldest first, as in the JSON of `reigns`."""
    return _reigns(str(store().root), name, stamp(name), split)


def split_ranks(name: str, when: str) -> dict[str, dict[str, int | None]]:
    """Rank of each entry in each split as they stood, by entry and split."""
    return _split_ranks(str(store().root), name, stamp(name), when)


def attempt(work: Callable[[], Any]) -> Any:
    """Do something that our own errors can end: then the page says so in one line and stops."""
    try:
        return work()
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        st.error(escaped(line_of_error(error)))
        st.stop()


def attempt_quietly(work: Callable[[], Any]) -> Any:
    """The same, but None for our own errors: for what is tried before it is asked for."""
    try:
        return work()
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        return None


@st.cache_resource(max_entries=16, show_spinner=False)
def _history(root: str, name: str, stamp: Stamp) -> BoardHistory:
    return open_board(Store(Path(root)), name)


@st.cache_data(max_entries=64, show_spinner=False)
def _trail(root: str, name: str, stamp: Stamp, split: str | None, focus: tuple[str, ...]) -> Trail:
    board = _history(root, name, stamp)
    return lines.trail(board.rank_history(split), board.readings, board.as_of, focus)


@st.cache_data(max_entries=64, show_spinner=False)
def _standings(root: str, name: str, stamp: Stamp, when: str, split: str | None) -> Standings:
    return _history(root, name, stamp).standings(when, split)


@st.cache_data(max_entries=64, show_spinner=False)
def _reigns(root: str, name: str, stamp: Stamp, split: str | None) -> list[dict[str, Any]]:
    board = _history(root, name, stamp)
    return [reign_record.reign(board, one) for one in board.reigns(split)]


@st.cache_data(max_entries=64, show_spinner=False)
def _split_ranks(root: str, name: str, stamp: Stamp, when: str) -> dict[str, dict[str, int | None]]:
    beside = _history(root, name, stamp).splits(when)
    return {row.entry: dict(row.ranks) for row in beside.entries}


def now() -> pd.Timestamp:
    """The clock, for ages only; no answer depends on it."""
    return pd.Timestamp.now("UTC")
