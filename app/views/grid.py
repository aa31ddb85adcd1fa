"""How do rows with texts of a board stand on a page?

As a table whose cells are short enough to be read and hold no signs that steer what stands beside
them; files that are downloaded have the whole texts. Start at show().
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from app.views.texts import plain

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


def show(
    table: pd.DataFrame | Styler, *, column_config: Mapping[str, Any] | None = None, **how: Any
) -> None:
    """A table without the numbers of its rows; what is missing is an empty cell.

    Args:
        table: for people; one with looks is changed.
        column_config, how: as st.dataframe takes them.
    """
    frame: Any = table
    styled: Any = None
    if not isinstance(table, pd.DataFrame):
        styled, frame = table, getattr(table, "data")  # noqa: B009  (its stubs have none)
    looks = dict(column_config or {})
    links = [title for title, look in looks.items() if _is_link(look)]
    texts = cells(frame, links)
    for title in map(str, frame.columns):
        if plain(title) != title:
            look = looks.get(title) or {}
            looks[title] = {**look, "label": plain(title)}
    if styled is not None:
        styled.data = texts
    shown = texts if styled is None else styled
    st.dataframe(shown, hide_index=True, placeholder="", column_config=looks or None, **how)


def cells(table: pd.DataFrame, links: list[str]) -> pd.DataFrame:
    """The same table with every text on one line and no longer than it can be read.

    Args:
        table: for people. links: columns of addresses, which are left as they are.

    >>> cells(pd.DataFrame({"Entry": ["fern\\u202e\\n2", "moss"], "Rank": [1, 2]}), [])["Entry"][0]
    'fern\\\\u202e 2'
    """
    changed = {}
    for title in table.columns.difference(links, sort=False):
        column = table[title]
        if column.dtype == object or pd.api.types.is_string_dtype(column.dtype):
            found = [plain(one) if isinstance(one, str) else one for one in column]
            changed[title] = pd.Series(found, column.index, column.dtype)
    return table.assign(**changed)


def _is_link(look: Any) -> bool:
    kind = look.get("type_config") if isinstance(look, dict) else None
    return bool(kind and kind.get("type") == "link")
