"""What is on the screen? The Streamlit app: one page per question.

Started by `ranktrail dashboard`, or with `streamlit run app/dashboard.py`. The store is
$RANKTRAIL_STORE, else ./snapshots; the claims file $RANKTRAIL_CLAIMS, else claims.toml
in the store. Pages are in app/views.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from app.views import boards, claims, standings, state, trail

# A file of our own: Streamlit fetches emoji and Material icons for the tab from the network.
ICON = Path(__file__).with_name("icon.svg")


def main() -> None:
    """Show the page that the address names, below the ways to the others."""
    st.set_page_config(page_title="Ranktrail", page_icon=ICON, layout="wide")
    board_pages = [
        st.Page(trail.page, title="Trail", url_path="trail", icon=":material/timeline:"),
        st.Page(
            standings.page, title="Standings", url_path="standings", icon=":material/leaderboard:"
        ),
    ]
    # Streamlit serves the page that opens first at "/" only: /boards is one of its own.
    start, named = (
        st.Page(
            partial(boards.page, board_pages),
            title="Boards",
            url_path=path,
            icon=":material/grid_view:",
            default=path == "start",
        )
        for path in ("start", "boards")
    )
    claims_page = st.Page(
        claims.page, title="Claims", url_path="claims", icon=":material/fact_check:"
    )
    chosen = st.navigation([start, named, *board_pages, claims_page], position="hidden")
    with st.container(horizontal=True, gap="xsmall"):
        for page in (start if chosen == start else named, *board_pages, claims_page):
            st.page_link(page, query_params=state.address(), width="content")
    chosen.run()


main()
