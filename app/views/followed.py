"""Which entries does the address follow, and how are others chosen?"""

from __future__ import annotations

import streamlit as st

from app.charts.stretches import MAX_FOCUS
from app.views import address
from app.views.texts import escaped
from history.names import AmbiguousEntry, UnknownEntry
from history.pipeline import BoardHistory


def several(board: BoardHistory, most: int = MAX_FOCUS) -> list[str]:
    """Let the reader choose entries; those that the address names, as keys, at most so many."""
    found, problems = [], []
    for text in address.said_all("entry"):
        try:
            found.append(board.resolve_entry(text))
        except (UnknownEntry, AmbiguousEntry) as error:
            problems.append(str(error))
    keys = list(dict.fromkeys(found))
    address.choose_several(
        f"Entries (up to {most})",
        "entry",
        board.entries(),
        lambda entry: _with_key(board, entry),
        most,
        "Type a name",
        current=keys,
    )
    for problem in problems:
        st.error(escaped(problem))
    if len(keys) > most:
        st.warning(
            f"The address names {len(keys)} entries; the first {most} of them are in colour."
        )
    return keys[:most]


def _with_key(board: BoardHistory, entry: str) -> str:
    name = board.shown(entry)
    return entry if name == entry else f"{name} ({entry})"
