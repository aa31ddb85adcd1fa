"""How does a board at one moment look as a table?

In: Standings. Out: a frame for people, with its looks for the screen and its texts for a file.
Start at board_table().
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from history.frames import SCORE, text_of, value_of
from history.standing import Standings

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

RANK = " rank"
LETTERS, LETTERS_PHONE = 40, 16  # of an entry that is seen whole
DIGITS = 20  # of a score that is seen whole
PINNED = ("Rank", "Entry", "Now")
# A browser goes through all the CSS for each cell that has some: what is shaded is what counts.
SHADED = (*PINNED, "Tie", "=", "Score")
OF_RANKS = {
    "Rank": "By the score alone: one more than those with a strictly better score.",
    "Tie": "The rank that the tie rule gives; whoever is tied shares it.",
    "Best place": "The best place that the tie rule leaves open.",
    "Worst place": "The worst place that the tie rule leaves open.",
    "Best rank": "The best rank that the errors of the scores leave possible.",
    "Worst rank": "The worst rank that the errors of the scores leave possible.",
    "Published": "The rank that the file itself prints.",
    "Published tie": "The tie rank that the file itself prints.",
    "Of all": "The rank among all entries, by the score.",
    "Now": "The rank at the later moment.",
    "Then": "The rank at the earlier moment.",
}
SHADES = (
    "background-color: rgba(86, 180, 233, 0.28)",
    "background-color: rgba(86, 180, 233, 0.12)",
)


def board_table(
    stood: Standings,
    beside: Mapping[str, Mapping[str, Any]],
    parts: Sequence[str],
    *,
    of_all: Mapping[str, Any] | None = None,
    marks: Sequence[str] = (),
    sure: Mapping[str, tuple[int, int]] | None = None,
    whys: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """The board as a table for people: columns that say nothing are left out.

    Args:
        stood: the board at one moment.
        beside: rank of each entry in each split, by entry and split.
        parts: names of the parts whose values are shown.
        of_all: rank of each entry among all, where `stood` has only some of them.
        marks: by row, what disagrees with the ranks that the file prints.
        sure: best and worst rank that errors leave possible, by entry.
        whys: why an entry has no rank, where more is known than a word.
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
    if of_all is not None:
        table["Of all"] = _whole([of_all.get(entry) for entry in entries], frame)
    if stood.ties.rule != "none":
        table["Best place"] = frame["rank_low"]
        table["Worst place"] = frame["rank_high"]
    if sure is not None:
        for place, title in enumerate(("Best rank", "Worst rank")):
            ends = [sure[entry][place] if entry in sure else None for entry in entries]
            table[title] = _whole(ends, frame)
    for column, title in (("rank_published", "Published"), ("tie_rank_published", "Published tie")):
        if frame[column].notna().any():
            table[title] = frame[column]
    if any(marks):
        table["Disagrees"] = list(marks)
    splits = {name: None for ranks in beside.values() for name in ranks}
    for name in dict.fromkeys([*splits, *parts]):
        if value_of(name) in frame and frame[value_of(name)].notna().any():
            table[name] = frame[value_of(name)]
        if name in splits:
            ranks = _whole([beside.get(entry, {}).get(name) for entry in entries], frame)
            if ranks.notna().any():
                table[f"{name}{RANK}"] = ranks
    if frame["unranked"].notna().any():
        table["Not ranked"] = _reasons(frame, whys or {})
    return table


def _whole(numbers: Sequence[Any], frame: pd.DataFrame) -> pd.Series:
    return pd.Series(numbers, frame.index, dtype="Int64")


def _reasons(frame: pd.DataFrame, whys: Mapping[str, str]) -> list[str | None]:
    """Why entries have no rank; nothing for those that have one."""
    words = zip(frame["entry"].astype(str), frame["unranked"], strict=True)
    return [
        None if pd.isna(word) else whys.get(entry) or str(word).replace("_", " ")
        for entry, word in words
    ]


def as_printed(styled: Styler, frame: pd.DataFrame, table: pd.DataFrame) -> Styler:
    """Show each number as it stands in the file; the table still sorts by the number."""
    for title, field in [("Score", SCORE), *((title, title) for title in table.columns)]:
        if text_of(field) not in frame or title not in table:
            continue
        numbers = table[title].tolist()
        texts = printed(frame, field)
        usual = {n: text for n, text in zip(numbers, texts, strict=True) if not pd.isna(n)}
        styled.format(partial(_looked_up, usual, ""), subset=[title])
        for row, number, text in zip(table.index, numbers, texts, strict=True):
            if text != usual.get(number, ""):  # 85.4 and 85.40, or no number
                styled.format(partial(_looked_up, {}, text), subset=([row], [title]))
    return styled


def printed(frame: pd.DataFrame, field: str) -> list[str]:
    """The texts of a field, "" where there is none."""
    return ["" if pd.isna(text) else str(text) for text in frame[text_of(field)]]


def _looked_up(texts: Mapping[Any, str], otherwise: str, number: Any) -> str:
    return texts.get(number, otherwise)


def as_texts(frame: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """The same table with each number as it stands in the file: what is downloaded."""
    texts = table.astype(object)
    for title, field in [("Score", SCORE), *((title, title) for title in table.columns)]:
        if text_of(field) in frame and title in table:
            texts[title] = printed(frame, field)
    return texts.astype(object).where(texts.notna(), None)


def shades(table: pd.DataFrame, frame: pd.DataFrame, dark: bool) -> pd.DataFrame:
    """CSS for each cell: tie groups of more than one entry, in two shades by turns, up to the score.

    Streamlit draws columns that stay in place faintly; in bold black or white they can be read.
    """
    groups = frame["tie_group"]
    shared = groups[groups.duplicated(keep=False) & groups.notna()]
    turn = {group: number % 2 for number, group in enumerate(shared.unique())}
    css = [SHADES[turn[group]] if group in turn else "" for group in groups]
    return _firm(table, css, dark)


def firm(table: pd.DataFrame, dark: bool) -> pd.DataFrame:
    """CSS for each cell where nothing is shaded."""
    return _firm(table, [""] * len(table), dark)


def _firm(table: pd.DataFrame, css: list[str], dark: bool) -> pd.DataFrame:
    strong = f"color: {'#FFFFFF' if dark else '#000000'}; font-weight: 600"
    bold = [f"{strong}; {cell}" for cell in css]
    styles = {
        title: bold if title in PINNED else css if title in SHADED else ""
        for title in table.columns
    }
    return pd.DataFrame(styles, index=table.index)


def formats(table: pd.DataFrame) -> dict[str, Any]:
    """How wide columns are, which stay in place, and what their titles mean."""
    shown: dict[str, Any] = {
        title: st.column_config.NumberColumn(
            format="%d", width=30 + 7 * len(title), help=OF_RANKS.get(title)
        )
        for title in map(str, table.columns)
        if title in OF_RANKS or title.endswith(RANK)
    }
    for title in {"Rank", "Now"} & set(table.columns):
        help_ = OF_RANKS[title]
        shown[title] = st.column_config.NumberColumn(format="%d", width=56, pinned=True, help=help_)
    # Beside more than that, a phone would show no score.
    most = LETTERS_PHONE if "Mobi" in (st.context.headers.get("User-Agent") or "") else LETTERS
    letters = min(int(table["Entry"].str.len().max()), most)
    shown["Entry"] = st.column_config.TextColumn(width=40 + 7 * letters, pinned=True)
    shown["Change"] = st.column_config.NumberColumn(width=84)
    for title in ("Score", "Score then", "Score change"):
        printed_long = title in table and title != "Score change"
        lengths = table[title].dropna().astype(str).str.len() if printed_long else pd.Series([0])
        digits = 0 if lengths.empty else int(lengths.max())
        width = 30 + 7 * max(len(title), 6, min(digits, DIGITS))
        shown[title] = st.column_config.NumberColumn(width=width)
    shown["="] = st.column_config.TextColumn(width=40, help="Shares its tie rank")
    return shown
