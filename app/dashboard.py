"""What is on the screen? The Streamlit app: one page per question.

Started by `ranktrail dashboard`, or with `streamlit run app/dashboard.py`. The store is
$RANKTRAIL_STORE, else ./snapshots; the claims file $RANKTRAIL_CLAIMS, else claims.toml
in the store. Pages are in app/views.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from app.views import (
    address,
    answers,
    audit,
    boards,
    claims,
    moves,
    reigns,
    robustness,
    split,
    standings,
    trail,
)

# A file of our own: Streamlit fetches emoji and Material icons for the tab from the network.
ICON = Path(__file__).with_name("icon.svg")
# Streamlit shows hardly or not at all where the keyboard is on links, tables and lines to type in.
FOCUS = """<style>
:is(a, canvas, main, input):focus-visible { outline: 2px solid #0072B2 !important; outline-offset: -2px; }
</style>"""
# What is chosen in a box of several is white on the blue of the dark theme: 2.3:1.
CHOSEN = '<style>[data-baseweb="tag"] :is(span, svg) { color: #0E1117; fill: #0E1117; }</style>'
# Pages of one board, in the order in which somebody asks: title, what is on it, picture.
OF_A_BOARD = (
    ("Trail", trail.page, "timeline"),
    ("Standings", standings.page, "leaderboard"),
    ("Moves", moves.page, "swap_vert"),
    ("Reigns", reigns.page, "social_leaderboard"),
    ("Split", split.page, "call_split"),
    ("Robustness", robustness.page, "balance"),
    ("Audit", audit.page, "rule"),
)


def main() -> None:
    """Show the page that the address names, below the ways to the others."""
    st.set_page_config(page_title="Ranktrail", page_icon=ICON, layout="wide")
    st.html(FOCUS + (CHOSEN if st.context.theme.type == "dark" else ""))
    ways = [_page(title, shown, icon) for title, shown, icon in OF_A_BOARD]
    shown = partial(boards.page, ways)
    # Streamlit serves the page that opens first at "/" only: /boards is one of its own.
    start = _page("Boards", shown, "grid_view", path="start", default=True)
    named = _page("Boards", shown, "grid_view")
    of_claims = _page("Claims", claims.page, "fact_check")
    chosen = st.navigation([start, named, *ways, of_claims], position="hidden")
    with st.container(horizontal=True, gap="xsmall"):
        for page in (start if chosen == start else named, *ways, of_claims):
            st.page_link(page, query_params=address.link(), width="content")
    answers.attempt(chosen.run)
    _set_aside(chosen.title)


@st.cache_resource(show_spinner=False)
def _set_aside(title: str) -> None:
    """Keep what a page has loaded out of the search for garbage after each run, once a page.

    Streamlit searches at the end of every run. Nothing of the libraries ever becomes garbage, but
    to look through them takes longer than to make a page, and nothing is sent meanwhile.
    """
    gc.collect()
    gc.freeze()


def _page(
    title: str, shown: Callable[[], None], icon: str, *, path: str = "", default: bool = False
) -> st.Page:
    return st.Page(
        shown,
        title=title,
        url_path=path or title.lower(),
        icon=f":material/{icon}:",
        default=default,
    )


if __name__ == "__main__":
    main()
