"""How does a chart stand on a page?

With the words that say how to read it, and the same numbers as a table beneath, which can be
downloaded as the picture can. Start at show().
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from app.charts import picture
from app.charts.readable import Readable
from app.views import grid
from app.views.fold import fold

# The name of a selection in a chart, and what is done with what is selected.
Pick = tuple[str, Callable[[Sequence[Mapping[str, Any]]], None]]


class Draw(Protocol):
    """Something that draws a chart: as wide as the page ("container") or in pixels."""

    def __call__(self, *, width: int | str, dark: bool) -> Any:
        """The chart on a light or a dark ground."""
        ...


def show(
    draw: Draw,
    read_it: str,
    table: pd.DataFrame | Callable[[], pd.DataFrame],
    *,
    name: str,
    of: str = "",
    columns: Mapping[str, Any] | None = None,
    words: str = "",
    more: Callable[[], None] | None = None,
    pick: Pick | None = None,
) -> None:
    """A chart, how to read it, and its table with the downloads.

    Args:
        draw: draws the chart.
        read_it: how to read it, our own words as Markdown.
        table: the numbers of the chart, for people; also the CSV. Or what makes it, where that
            takes time.
        name: what it is; one chart of a page has one.
        of: what it is of, for the names of the files that are downloaded.
        columns: how the table's columns are shown, as for st.dataframe.
        words: our own, or escaped, to be said before how to read it: what is left out, say.
        more: shows what else belongs to the numbers, beneath them.
        pick: what happens when somebody selects something in the chart.
    """
    chart(draw, f"chart of {name}" if pick else None, pick)
    st.caption(f"{words} {read_it}".strip())

    def show_numbers() -> None:
        made = table if isinstance(table, pd.DataFrame) else table()
        numbers(draw, made, name, f"{of}-{name}" if of else name, columns)
        if more is not None:
            more()

    fold("The numbers behind the chart", name, show_numbers)


def chart(draw: Draw, key: str | None = None, pick: Pick | None = None) -> None:
    """The picture alone, on the ground that the reader has.

    What is drawn is kept for the next reader, where `draw` is a partial of a function: most of a
    page's time goes into charts.

    Args:
        draw, pick: as of show(). key: of its element.
    """
    dark = st.context.theme.type == "dark"
    spec = _kept(_asked(draw), dark, draw) if isinstance(draw, partial) else _drawn(draw, dark)
    heard: dict[str, Any] = {}
    if pick is not None:
        name, do = pick
        key = called = key or f"chart with {name}"
        heard = {
            "selection_mode": name,
            "on_select": lambda: do(st.session_state[called].selection[name]),
        }
    st.vega_lite_chart(None, spec, width="stretch", theme=None, key=key, **heard)


def _asked(draw: partial[Any]) -> bytes:
    """What is drawn and of what; for equal bytes the picture is the same."""
    whose = draw.func.__module__, draw.func.__qualname__
    return hashlib.sha256(pickle.dumps((whose, draw.args, draw.keywords))).digest()


@st.cache_data(max_entries=128, show_spinner=False)
def _kept(asked: bytes, dark: bool, _draw: Draw) -> dict[str, Any]:
    return _drawn(_draw, dark)


def _drawn(draw: Draw, dark: bool) -> dict[str, Any]:
    return Readable(draw(width="container", dark=dark)).sent()


def numbers(
    draw: Draw,
    table: pd.DataFrame,
    name: str,
    files: str,
    columns: Mapping[str, Any] | None = None,
) -> None:
    """The numbers of a chart as a table, with the downloads.

    Args:
        draw, table, name, columns: as of show(). files: what the downloaded ones are called.
    """
    grid.show(table, column_config=columns, key=f"numbers {name}")
    _downloads(draw, table, files)


def _downloads(draw: Draw, table: pd.DataFrame, name: str) -> None:
    """The picture and its numbers as files, made when somebody asks for them."""

    def drawn() -> Any:
        return Readable(draw(width=picture.WIDTH, dark=False))

    with st.container(horizontal=True, gap="small"):
        for kind, mime, make in (
            ("PNG", "image/png", lambda: picture.png(drawn())),
            ("SVG", "image/svg+xml", lambda: picture.svg(drawn())),
            ("CSV", "text/csv", lambda: table.to_csv(index=False).encode()),
        ):
            st.download_button(
                f"Download {kind}",
                make,
                f"{name}.{kind.lower()}",
                mime,
                key=f"{kind} of {name}",
                on_click="ignore",
            )
