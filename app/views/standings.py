"""How did the board stand at a moment?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from app.views import header, state
from app.views.texts import escaped
from history.frames import SCORE, dp_of, text_of, value_of
from history.pipeline import Standings

READ_IT = (
    "**How to read it.** *Score* is a number for sorting, *printed* the text in the file. Who has "
    "no score is not ranked and comes last."
)
READ_TIES = (
    " *Tie* is the rank that the board's tie rule gives, *=* marks who shares it; rows of one "
    "shade next to each other are one tie group."
)
READ_PUBLISHED = " *Published* is what the file itself says."
READ_SPLITS = " A split's rank is among those that have its number, as many as its heading says."
RANK_OF = ": rank of "
PINNED = ("Rank", "Entry")
FULL = 17  # rows of a table that is shown whole
SHADES = (
    "background-color: rgba(86, 180, 233, 0.28)",
    "background-color: rgba(86, 180, 233, 0.12)",
)


def page() -> None:
    """Any past board: ranks, published ranks, ties, splits and parts."""
    board = header.opened("standings")
    left, right = st.columns([1, 3])
    with left:
        split = header.split(board)
    with right:
        moment = header.moment(board)
    st.text(header.state_text(moment, board.readings))
    if moment.state == "unknown" and moment.version is not None:
        row = board.reading(moment.version)
        st.error(f"Nothing is known of this moment: {escaped(str(row['found']))}.")
        return
    if moment.state == "absent":
        st.info("The board's file was not there at this moment.")
        return
    stood = state.attempt(lambda: state.standings(board.name, state.said("at") or "latest", split))
    if stood.frame.empty:
        st.info("Nobody was listed at this moment.")
        return
    st.text(headline(stood))
    beside = state.attempt(lambda: state.split_ranks(board.name, state.said("at") or "latest"))
    table = standings_table(stood, beside, list(stood.parts))
    dark = st.context.theme.type == "dark"
    st.dataframe(
        table.style.apply(lambda cells: shades(cells, stood.frame, dark), axis=None),
        hide_index=True,
        placeholder="",
        height="content" if len(table) <= FULL else 640,
        column_config=formats(stood.frame, table),
    )
    ties = READ_TIES if "Tie" in table else ""
    published = READ_PUBLISHED if any(str(title).startswith("Published") for title in table) else ""
    splits = READ_SPLITS if any(RANK_OF in str(title) for title in table) else ""
    st.caption(READ_IT + ties + splits + published)


def headline(stood: Standings) -> str:
    """How many are ranked, by what, and which tie rule holds, as a line of text."""
    words = [f"{stood.n_ranked:,} ranked", f"by {stood.split}" if stood.split else "by score"]
    if stood.ties.rule != "none":
        band = "" if stood.band is None else f", band {stood.band} {stood.ties.edge}"
        words.append(f"ties {stood.ties.rule}{band}")
    return "; ".join(words) + "."


def standings_table(
    stood: Standings, beside: Mapping[str, Mapping[str, Any]], parts: Sequence[str]
) -> pd.DataFrame:
    """The board as a table for people: columns that say nothing are left out.

    Args:
        stood: the board at one moment.
        beside: rank of each entry in each split, by entry and split.
        parts: names of the parts whose values are shown.
    """
    frame = stood.frame
    entries = frame["entry"].astype(str)
    table = pd.DataFrame({"Rank": frame["rank"]})
    if stood.ties.rule != "none":
        table["Tie"] = frame["tie_rank"]
        table["="] = frame["tied"].map({True: "=", False: ""})
    table["Entry"] = entries
    names = frame["name"].astype(str)
    if (names != entries).any():
        table["Name"] = names
    table["Score"] = frame[value_of(SCORE)].where(frame["rank"].notna())
    for column, title in (("rank_published", "Published"), ("tie_rank_published", "Published tie")):
        if frame[column].notna().any():
            table[title] = frame[column]
    splits = {name: None for ranks in beside.values() for name in ranks}
    for name in dict.fromkeys([*splits, *parts]):
        if value_of(name) in frame:
            table[name] = frame[value_of(name)]
        if name in splits:
            ranks = [beside.get(entry, {}).get(name) for entry in entries]
            many = sum(found.get(name) is not None for found in beside.values())
            table[f"{name}{RANK_OF}{many}"] = pd.Series(ranks, frame.index, dtype="Int64")
    if frame["unranked"].notna().any():
        table["Not ranked"] = frame["unranked"].astype("str").str.replace("_", " ")
    table["Printed"] = frame[text_of(SCORE)].astype("str")
    return table


def shades(table: pd.DataFrame, frame: pd.DataFrame, dark: bool) -> pd.DataFrame:
    """CSS for each cell: tie groups of more than one entry, in two shades by turns.

    Streamlit draws columns that stay in place faintly; in bold black or white they can be read.
    """
    groups = frame["tie_group"]
    shared = groups[groups.duplicated(keep=False) & groups.notna()]
    turn = {group: number % 2 for number, group in enumerate(shared.unique())}
    css = [SHADES[turn[group]] if group in turn else "" for group in groups]
    strong = f"color: {'#FFFFFF' if dark else '#000000'}; font-weight: 600"
    firm = [f"{strong}; {cell}" for cell in css]
    styles = {title: firm if title in PINNED else css for title in table.columns}
    return pd.DataFrame(styles, index=table.index)


def formats(frame: pd.DataFrame, table: pd.DataFrame) -> dict[str, Any]:
    """How numbers are printed: scores and parts with the decimals of this version."""
    shown: dict[str, Any] = {
        title: st.column_config.NumberColumn(format="%d", width=24 + 6 * len(title))
        for title in table.columns
        if title in ("Rank", "Tie", "Published", "Published tie") or RANK_OF in str(title)
    }
    shown["Rank"] = st.column_config.NumberColumn(format="%d", width=50, pinned=True)
    shown["Entry"] = st.column_config.TextColumn(width=150, pinned=True)
    shown["="] = st.column_config.TextColumn(width=40, help="Shares its tie rank")
    for title, field in [("Score", SCORE), *((title, title) for title in table.columns)]:
        if dp_of(field) in frame and frame[dp_of(field)].notna().any():
            decimals = max(int(frame[dp_of(field)].max()), 0)
            shown[title] = st.column_config.NumberColumn(format=f"%.{decimals}f")
    return shown
