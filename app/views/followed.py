"""Which entries does the address follow, and how are others chosen?"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app.charts.stretches import MAX_FOCUS
from app.views import address
from app.views.texts import escaped
from history.names import AmbiguousEntry, UnknownEntry
from history.pipeline import BoardHistory


def several(board: BoardHistory, called: Mapping[str, str] | None = None) -> list[str]:
    """Let the reader choose entries; those that the address names, as keys, at most MAX_FOCUS.

    Args:
        board: whose entries.
        called: by entry, what it can be found by; None: its newest name and its key.
    """
    if called is None:
        called = {entry: _with_key(board, entry) for entry in board.entries()}
    found, problems = [], []
    for text in address.said_all("entry"):
        try:
            found.append(board.resolve_entry(text))
        except (UnknownEntry, AmbiguousEntry) as error:
            problems.append(str(error))
    keys = list(dict.fromkeys(found))
    address.choose_several(
        f"Entries (up to {MAX_FOCUS})",
        "entry",
        list(called),
        called.__getitem__,
        MAX_FOCUS,
        "Type a name",
        current=keys,
    )
    for problem in problems:
        st.error(escaped(problem))
    if len(keys) > MAX_FOCUS:
        st.warning(
            f"The address names {len(keys)} entries; the first {MAX_FOCUS} of them are in colour."
        )
    return keys[:MAX_FOCUS]


def _with_key(board: BoardHistory, entry: str) -> str:
    name = board.shown(entry)
    return entry if name == entry else f"{name} ({entry})"
