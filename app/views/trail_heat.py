"""How did the ranks of everybody change, not only of those who are followed?

A row of cells for each entry, some rows at a time. It is drawn for who opens it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from app.charts.heatmap import MOST_RUNS, rank_heatmap
from app.charts.stretches import Trail
from app.charts.style import utc
from app.views import address, commits, figure, trail_of
from app.views.fold import fold
from app.views.texts import escaped, say
from history.moments import Moment
from history.pipeline import BoardHistory

ROWS = 40  # entries at a time
READ_IT = (
    "**How to read it.** A row for each entry, ordered by rank at the moment above; then those who "
    "were not ranked then, by their best rank ever. A cell lasts as long as its rank; the colour is "
    "the class of the rank. No cell: not ranked at that time, or nobody knows. Drag sideways to "
    "move in time, Shift and wheel to zoom, double click to see everything again. A cell puts its "
    "entry into colour on the trail."
)
BY_CLASS = "There are so many ranks that neighbours of one class are drawn as one cell."


def everybody(board: BoardHistory, split: str | None, moment: Moment, drawn: Trail) -> None:
    """A line that opens the ranks of all entries through time.

    Args:
        board, split: whose.
        moment: whose ranks say which row comes first.
        drawn: whose axis of time it has.
    """
    show = partial(_heat, board, split, moment, drawn)
    fold("Ranks of all entries", "heat", show, opened=address.said("rows") is not None)


def _heat(board: BoardHistory, split: str | None, moment: Moment, drawn: Trail) -> None:
    order = trail_of.order(board, split, moment.version)
    if not order:
        say("Nobody was ever ranked.")
        return
    names = dict(board.names.table.itertuples(index=False, name=None))
    first = _first(len(order))
    shown = order[first : first + ROWS]
    runs = trail_of.cells(board, split, shown)
    words = BY_CLASS if len(runs) > MOST_RUNS else ""
    here = urlencode(address.link(board=board.name, entry=None))
    figure.show(
        partial(
            rank_heatmap,
            runs.assign(entry=runs["key"].map(names)),
            start=drawn.start,
            end=drawn.shown_until,
            title=board.title if split is None else f"{board.title}, {split}",
            here=f"trail?{here}&entry=",
        ),
        READ_IT,
        partial(_numbers, board, runs, names),
        name="ranks of all",
        of=board.name,
        columns={"Commit": commits.column(board)},
        words=words,
    )


def _first(many: int) -> int:
    """Which of many rows is drawn first; all of them where a picture holds them."""
    if many <= ROWS:
        return 0
    pages = {str(1 + row): row for row in range(0, many, ROWS)}
    told = {name: f"{row + 1} to {min(row + ROWS, many)} of {many}" for name, row in pages.items()}
    address.choose(
        "Rows", "rows", list(pages), told.__getitem__, empty=told["1"], help="In the order of rank."
    )
    wanted = address.said("rows") or "1"
    if wanted not in pages:
        st.error(escaped(f'rows: no "{wanted}". It can be {", ".join(pages)}.'))
    return pages.get(wanted, 0)


def _numbers(board: BoardHistory, runs: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Every cell, by row and time."""
    return pd.DataFrame(
        {
            "Entry": runs["key"].map(names),
            "From": runs["start"].map(utc),
            "Until": runs["end"].map(utc),
            "Rank": runs["rank"],
            "Commit": commits.cells(board, runs["commit"]),
        }
    )
