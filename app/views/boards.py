"""Which boards are there, and how do they stand? The page that opens first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from app.charts.reign_strip import reign_strip
from app.views import add_board, address, answers, board_card, figure, setting
from app.views.board_card import Facts, First
from app.views.fold import fold
from app.views.texts import escaped, look_text, say
from app.wording import lost_text, reign_length

READ_IT = (
    "**How to read a strip.** Who was first, over the whole history that is known: a bar for each "
    "reign, in the colour of who held it; paler: it still goes on. Where nothing has changed for "
    "long, the strip ends soon after the last change. Hatched: the file could not be read. Hover "
    "for times; Reigns has all of it."
)
MANY = 5  # boards from which on they can be searched and sorted
SHOWN = 12  # cards at first
ORDERS = {"name": "Title", "changed": "Last change", "trouble": "What wants a look"}


def page(ways: Sequence[st.Page] = ()) -> None:
    """All boards of the store, each with the ways to its own pages.

    Args:
        ways: the pages that a board can be opened on.
    """
    st.header("Boards", anchor=False)
    st.write("Ranktrail replays a leaderboard from its own commits and checks what was claimed.")
    names = answers.store().names()
    if not names:
        st.info(nothing_tracked())
    add_board.show(ways, unfolded=not names)
    if not names:
        return
    now = answers.now()
    boards = _chosen([board_card.facts(name) for name in names])
    most = len(boards) if address.said("show") == "all" else SHOWN
    strips = False
    for board in boards[:most]:
        with st.container(border=True):
            strips |= _card(board, ways, now)
    if len(boards) > most:
        st.button(f"Show {len(boards) - most:,} more", on_click=lambda: address.write(show="all"))
    if strips:
        st.caption(READ_IT)


def tracked() -> list[str]:
    """Names of the boards; without any the page says what to do, and ends."""
    names = answers.store().names()
    if not names:
        st.info(nothing_tracked())
        st.stop()
    return names


def nothing_tracked() -> str:
    """What to do with an empty store, as Markdown."""
    if setting.public():
        return "No board is tracked yet."
    return (
        f"No board is tracked yet: the store {escaped(str(answers.store().root))} holds no "
        "definition. Add one on the page Boards or with `ranktrail add SOURCE`; or write one to "
        "`NAME/board.toml` in it and run `ranktrail crawl`; or try the sample history with "
        "`ranktrail demo`."
    )


def _chosen(boards: list[Facts]) -> list[Facts]:
    """The boards in the order that is asked for, and only those that are looked for."""
    order = "name"
    if len(boards) >= MANY or address.said("where") or address.said("sort"):
        left, right = st.columns([2, 3])
        with left:
            address.type_in("Find a board", "where", "a part of its title or name")
        with right:
            order = address.pick("Order", "sort", list(ORDERS), ORDERS.__getitem__)
    wanted = (address.said("where") or "").casefold()
    found = [one for one in boards if wanted in f"{one.title}\n{one.name}".casefold()]
    if not found:
        st.info(escaped(f'No board has "{address.said("where")}" in its title or name.'))
    found.sort(key=lambda one: (one.title.casefold(), one.name))
    if order == "changed":
        never = pd.Timestamp(0, tz="UTC")
        found.sort(key=lambda one: one.changed or never, reverse=True)
    elif order == "trouble":
        found.sort(key=lambda one: (not one.broken, -len(board_card.trouble(one, answers.now()))))
    return found


def _card(board: Facts, ways: Sequence[st.Page], now: pd.Timestamp) -> bool:
    """One board; whether a strip of first place was drawn."""
    st.subheader(escaped(board.title), anchor=False)
    first = None
    if not board.broken:
        if board.versions:
            first = board_card.first(board.name)
            say(first.text)
        if first and first.span:
            _strip(board.name, board.title, first, *first.span)
        st.caption(look_text(board.as_of, board.changed, board.versions, now))
    if board.reconstruction:
        st.caption(f":material/history_edu: Reconstruction: {escaped(board.reconstruction)}")
    for line in board_card.trouble(board, now):
        st.caption(f":material/warning: {escaped(line)}")
    if not board.broken:
        with st.container(horizontal=True, gap="small"):
            for way in ways:
                query = [("board", board.name)]
                st.page_link(way, label=way.title, query_params=query, width="content")
    return bool(first and first.span)


def _strip(board: str, title: str, first: First, start: pd.Timestamp, end: pd.Timestamp) -> None:
    """First place over the whole history, with its numbers."""
    draw = partial(
        reign_strip,
        first.reigns,
        start=start,
        end=end,
        title=title,
        rows="one",
        blanks=first.blanks,
    )
    figure.chart(draw, key=f"first place on {board}")
    name = f"{board}-first-place"

    fold("First place in numbers", name, lambda: figure.numbers(draw, _table(first), name, name))


def _table(first: First) -> pd.DataFrame:
    """A row per reign."""
    return pd.DataFrame(
        {
            "From": [one["from"] for one in first.reigns],
            "Until": [one["until"] for one in first.reigns],
            "First": [", ".join(one["names"][e] for e in one["entries"]) for one in first.reigns],
            "Score": [one["score_text"] for one in first.reigns],
            "For": [reign_length(one) for one in first.reigns],
            "Lost to": [lost_text(one) for one in first.reigns],
        }
    )
