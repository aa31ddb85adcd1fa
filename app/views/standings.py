"""How did the board stand at a moment?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from app.views import address, answers, header
from app.views.texts import escaped
from app.wording import unread_text
from history.frames import SCORE, text_of, value_of
from history.records import records
from history.standing import Standings

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

READ_IT = (
    "**How to read it.** Numbers are shown as they stand in the file. Who has no score is not "
    "ranked and comes last."
)
READ_TIES = (
    " *Tie* is the rank that the board's tie rule gives, *=* marks who shares it; rows of one "
    "shade next to each other are one tie group."
)
READ_PUBLISHED = " *Published* is what the file itself says."
READ_SPLITS = " A split's rank is among those that have its number: "
RANK = " rank"
LETTERS, LETTERS_PHONE = 40, 16  # of an entry that is seen whole
PINNED = ("Rank", "Entry")
FEW = 5  # columns of a narrow table
FULL = 17  # rows of a table that is shown whole
SHADES = (
    "background-color: rgba(86, 180, 233, 0.28)",
    "background-color: rgba(86, 180, 233, 0.12)",
)


def page() -> None:
    """Any past board: ranks, published ranks, ties, splits and parts."""
    board = header.opened("standings")
    left = right = st.container()
    if board.split_names or address.said("split"):  # else its room would stay empty
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
    stood = answers.attempt(
        lambda: answers.standings(board.name, address.said("at") or "latest", split)
    )
    if stood.frame.empty:
        st.info("Nobody was listed at this moment.")
        return
    st.text(headline(stood))
    beside = answers.attempt(
        lambda: answers.split_ranks(board.name, address.said("at") or "latest")
    )
    table = standings_table(stood, beside, list(stood.parts))
    dark = st.context.theme.type == "dark"
    styled = table.style.apply(lambda cells: shades(cells, stood.frame, dark), axis=None)
    st.dataframe(
        as_printed(styled, stood.frame, table),
        hide_index=True,
        placeholder="",
        # A few columns stretched over the page would part an entry from its score.
        width="stretch" if len(table.columns) > FEW else "content",
        height="content" if len(table) <= FULL else 640,
        column_config=formats(table),
    )
    ties = READ_TIES if "Tie" in table else ""
    published = READ_PUBLISHED if any(str(title).startswith("Published") for title in table) else ""
    ranked = ", ".join(
        f"{title.removesuffix(RANK)} {table[title].count()}"
        for title in map(str, table.columns)
        if title.endswith(RANK)
    )
    splits = f"{READ_SPLITS}{escaped(ranked)}." if ranked else ""
    st.caption(READ_IT + ties + splits + published)
    keys = stood.frame["entry"]
    header.notes(records.notes(board, keys, keys, moment.at, moment.at), timed=False)


def headline(stood: Standings) -> str:
    """How many are ranked, by what, and which tie rule holds, as a line of text."""
    words = [f"{stood.n_ranked:,} ranked", f"by {stood.split}" if stood.split else "by score"]
    if stood.ties.rule != "none":
        band = "" if stood.band is None else f", band {stood.band} {stood.ties.edge}"
        words.append(f"ties {stood.ties.rule}{band}")
    line = "; ".join(words) + "."
    return f"{line} {unread_text(stood.n_unreadable)}" if stood.n_unreadable else line


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
    table["Score"] = frame[value_of(SCORE)]
    for column, title in (("rank_published", "Published"), ("tie_rank_published", "Published tie")):
        if frame[column].notna().any():
            table[title] = frame[column]
    splits = {name: None for ranks in beside.values() for name in ranks}
    for name in dict.fromkeys([*splits, *parts]):
        if value_of(name) in frame:
            table[name] = frame[value_of(name)]
        if name in splits:
            ranks = [beside.get(entry, {}).get(name) for entry in entries]
            table[f"{name}{RANK}"] = pd.Series(ranks, frame.index, dtype="Int64")
    if frame["unranked"].notna().any():
        table["Not ranked"] = frame["unranked"].astype("str").str.replace("_", " ")
    return table


def as_printed(styled: Styler, frame: pd.DataFrame, table: pd.DataFrame) -> Styler:
    """Show each number as it stands in the file; the table still sorts by the number."""
    for title, field in [("Score", SCORE), *((title, title) for title in table.columns)]:
        if text_of(field) not in frame or title not in table:
            continue
        numbers = table[title].tolist()
        texts = ["" if pd.isna(text) else str(text) for text in frame[text_of(field)]]
        usual = {n: text for n, text in zip(numbers, texts, strict=True) if not pd.isna(n)}
        styled.format(partial(_looked_up, usual, ""), subset=[title])
        for row, number, text in zip(table.index, numbers, texts, strict=True):
            if text != usual.get(number, ""):  # 85.4 and 85.40, or no number
                styled.format(partial(_looked_up, {}, text), subset=([row], [title]))
    return styled


def _looked_up(texts: Mapping[Any, str], otherwise: str, number: Any) -> str:
    return texts.get(number, otherwise)


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


def formats(table: pd.DataFrame) -> dict[str, Any]:
    """How wide columns are, and which stay in place."""
    shown: dict[str, Any] = {
        title: st.column_config.NumberColumn(format="%d", width=24 + 6 * len(title))
        for title in table.columns
        if title in ("Rank", "Tie", "Published", "Published tie") or str(title).endswith(RANK)
    }
    shown["Rank"] = st.column_config.NumberColumn(format="%d", width=50, pinned=True)
    # Beside more than that, a phone would show no score.
    most = LETTERS_PHONE if "Mobi" in (st.context.headers.get("User-Agent") or "") else LETTERS
    letters = min(int(table["Entry"].str.len().max()), most)
    shown["Entry"] = st.column_config.TextColumn(width=40 + 7 * letters, pinned=True)
    shown["="] = st.column_config.TextColumn(width=40, help="Shares its tie rank")
    return shown
