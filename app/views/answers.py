"""What does the store hold for a page, and how is an error of ours shown?

Every answer is kept until a file of its board changes, so that a page that is drawn again asks
nothing twice, and a crawl is seen at the next look. Start at history().
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from app.faults import exit_code_of
from app.views.texts import error_text, version_text
from crawler.store import Store
from history import ranks
from history.pipeline import BoardHistory, open_board
from history.records import reign_record
from history.splits import scores_of, single_splits
from history.standing import Standings

Stamp = tuple[tuple[str, int, int], ...]
HISTORIES = 8  # that are kept open; one with 2,000 versions has some 100 MB


class Shelf:
    """Opened histories: of each board the newest state alone, of all boards those last asked for.

    Args:
        most: how many boards are kept.
    """

    def __init__(self, most: int):
        self._most = most
        self._held: dict[tuple[str, str], tuple[Stamp, BoardHistory]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, root: str, name: str, stamp: Stamp) -> BoardHistory:
        """The history of a board whose files have this stamp."""
        key = root, name
        with self._lock:
            held = self._held.pop(key, None)
            if held is None or held[0] != stamp:
                held = stamp, open_board(Store(Path(root)), name)
            self._held[key] = held  # last, as it was asked for last
            while len(self._held) > self._most:
                del self._held[next(iter(self._held))]
            return held[1]


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


def version_texts(name: str) -> dict[str, str]:
    """Each version in words, by its commit, newest first: what a list to choose from shows."""
    return _version_texts(str(store().root), name, stamp(name))


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
        st.error(error_text(error))
        st.stop()


def attempt_quietly(work: Callable[[], Any]) -> Any:
    """The same, but None for our own errors: for what is tried before it is asked for."""
    try:
        return work()
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        return None


def _history(root: str, name: str, stamp: Stamp) -> BoardHistory:
    return _shelf().get(root, name, stamp)


@st.cache_resource(show_spinner=False)
def _shelf() -> Shelf:
    return Shelf(HISTORIES)


@st.cache_data(max_entries=16, show_spinner=False)
def _version_texts(root: str, name: str, stamp: Stamp) -> dict[str, str]:
    columns = ("at", "edition", "reading", "commit")
    rows = _history(root, name, stamp).readings[list(columns)].iloc[::-1]
    told = zip(*(rows[column].tolist() for column in columns), strict=True)
    return {str(row[-1]): version_text(*row) for row in told}


@st.cache_data(max_entries=64, show_spinner=False)
def _standings(root: str, name: str, stamp: Stamp, when: str, split: str | None) -> Standings:
    return _history(root, name, stamp).standings(when, split)


@st.cache_data(max_entries=64, show_spinner=False)
def _reigns(root: str, name: str, stamp: Stamp, split: str | None) -> list[dict[str, Any]]:
    board = _history(root, name, stamp)
    return [reign_record.reign(board, one) for one in board.reigns(split)]


@st.cache_data(max_entries=64, show_spinner=False)
def _split_ranks(root: str, name: str, stamp: Stamp, when: str) -> dict[str, dict[str, int | None]]:
    board = _history(root, name, stamp)
    version = board.find(when).version
    if version is None:
        return {}
    # BoardHistory.splits() would simulate noise, too, which nobody asked for.
    scores, told = board.part_scores([version]), defaultdict[str, dict[str, int | None]](dict)
    for one in single_splits(board.meaning_at(version)):
        view = board.view(version, one)
        ranked = ranks.rank(scores_of(scores, view), direction=view.direction)
        for entry, rank in zip(ranked["entry"].astype(str), ranked["rank"], strict=True):
            told[entry][one] = None if pd.isna(rank) else int(rank)
    return dict(told)


def now() -> pd.Timestamp:
    """The clock, for ages only; no answer depends on it."""
    return pd.Timestamp.now("UTC")
