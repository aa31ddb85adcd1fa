"""Where can a commit be seen?

In: a board and commits. Out: a link where a page is known, else the first digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st

from app.links import links_of
from app.views.texts import escaped
from history.pipeline import BoardHistory

SHORT = 8  # digits of a commit that are shown


def cells(board: BoardHistory, commits: Iterable[Any]) -> list[str | None]:
    """A column of commits for a table, of which column() knows how to show it."""
    links = links_of(board.board.source)
    return [
        None if pd.isna(one) else links.commit(str(one)) if links else str(one)[:SHORT]
        for one in commits
    ]


def column(board: BoardHistory) -> Any:
    """How a table shows a column of cells(): as links where a page is known."""
    if links_of(board.board.source) is None:
        return st.column_config.TextColumn(width=90)
    shown = rf"/commit/([0-9a-f]{{{SHORT}}})"
    return st.column_config.LinkColumn(width=90, display_text=shown)


def linked(board: BoardHistory, commit: str, path: str | None = None) -> str:
    """A commit, or a file as it was at it, as Markdown."""
    links = links_of(board.board.source)
    words = f"`{commit[:SHORT]}`" if path is None else escaped(path)
    if links is None:
        return words
    page = links.commit(commit) if path is None else links.file(commit, path)
    return f"[{words}]({page.replace('(', '%28').replace(')', '%29')})"
