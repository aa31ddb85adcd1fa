"""Which boards are there, and how do they stand? The page that opens first."""

from __future__ import annotations

import streamlit as st

from app.faults import exit_code_of, line_of_error
from app.views import state
from app.views.texts import escaped, look_text


def page(trail: st.Page) -> None:
    """All boards of the store, each with the way to its trail.

    Args:
        trail: the page that a board opens on.
    """
    st.header("Boards", anchor=False)
    st.write("Ranktrail replays a leaderboard from its own commits and checks what was claimed.")
    names = tracked()
    for name in names:
        with st.container(border=True):
            _card(name, trail)


def tracked() -> list[str]:
    """Names of the boards; without any the page says what to do, and ends."""
    held = state.store()
    names = held.names()
    if not names:
        st.info(
            f"No board is tracked yet: the store {escaped(str(held.root))} holds no definition. "
            "Write one to `NAME/board.toml` in it and run `ranktrail crawl`, or try the sample "
            "history with `ranktrail demo`."
        )
        st.stop()
    return names


def _card(name: str, trail: st.Page) -> None:
    try:
        board = state.history(name)
        readings = board.readings
        changed = None if readings.empty else readings["at"].iloc[-1]
        st.subheader(escaped(board.title), anchor=False)
        st.caption(look_text(board.as_of, changed, len(readings), state.now()))
        if board.reconstruction:
            st.caption(f"Reconstruction: {escaped(board.reconstruction)}")
        if not readings.empty:
            first = [reign for reign in board.reigns() if reign.open]
            holders = ", ".join(map(board.shown, first[-1].entries)) if first else ""
            since = f" since {first[-1].start:%Y-%m-%d %H:%M} UTC" if first else ""
            st.text(f"First now: {holders}{since}" if holders else "Nobody is first now.")
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        st.subheader(escaped(name), anchor=False)
        st.error(escaped(line_of_error(error)))
        return
    link = [("board", name)]
    st.page_link(
        trail, label=f"Open {escaped(name)}", icon=":material/timeline:", query_params=link
    )
