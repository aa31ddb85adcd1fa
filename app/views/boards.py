"""Which boards are there, and how do they stand? The page that opens first."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from app.charts.style import utc
from app.faults import exit_code_of, line_of_error
from app.views import answers
from app.views.texts import escaped, look_text, unreadable_text
from history.frames import SCORE, text_of
from history.pipeline import BoardHistory


def page(ways: Sequence[st.Page]) -> None:
    """All boards of the store, each with the ways to its own pages.

    Args:
        ways: the pages that a board can be opened on.
    """
    st.header("Boards", anchor=False)
    st.write("Ranktrail replays a leaderboard from its own commits and checks what was claimed.")
    names = tracked()
    for name in names:
        with st.container(border=True):
            _card(name, ways)


def tracked() -> list[str]:
    """Names of the boards; without any the page says what to do, and ends."""
    held = answers.store()
    names = held.names()
    if not names:
        st.info(
            f"No board is tracked yet: the store {escaped(str(held.root))} holds no definition. "
            "Write one to `NAME/board.toml` in it and run `ranktrail crawl`, or try the sample "
            "history with `ranktrail demo`."
        )
        st.stop()
    return names


def _card(name: str, ways: Sequence[st.Page]) -> None:
    try:
        board = answers.history(name)
        readings = board.readings
        changed = None if readings.empty else readings["at"].iloc[-1]
        st.subheader(escaped(board.title), anchor=False)
        st.caption(look_text(board.as_of, changed, len(readings), answers.now()))
        if board.reconstruction:
            st.caption(f"Reconstruction: {escaped(board.reconstruction)}")
        if bad := unreadable_text(readings):
            st.caption(bad)
        if not readings.empty:
            st.text(_first_now(board))
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        st.subheader(escaped(name), anchor=False)
        st.error(escaped(line_of_error(error)))
        return
    with st.container(horizontal=True, gap="small"):
        for way in ways:
            label = f"{way.title} of {escaped(name)}"
            st.page_link(way, label=label, query_params=[("board", name)], width="content")


def _first_now(board: BoardHistory) -> str:
    """Who is first, since when, and with which score at the last look."""
    first = [reign for reign in board.reigns() if reign.open and reign.entries]
    if not first:
        return "Nobody is first now."
    text = (
        f"First now: {', '.join(map(board.shown, first[-1].entries))} since {utc(first[-1].start)}"
    )
    stood = answers.standings(board.name, "latest", None)
    if stood.moment.state != "known":
        return text
    scores = stood.frame.loc[stood.frame["entry"].isin(first[-1].entries), text_of(SCORE)]
    printed = [str(score) for score in scores.unique() if not pd.isna(score)]
    return f"{text}, score {' / '.join(printed)}" if printed else text
