"""How did a board stand at a moment, and what differs from an earlier one?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from app.charts.places import MOST, places
from app.output import csv_text
from app.robust_report import SHOWN
from app.views import address, answers, figure, grid, header, two_moments
from app.views.board_table import (
    OF_RANKS,
    RANK,
    as_printed,
    as_texts,
    board_table,
    firm,
    formats,
    shades,
)
from app.views.fold import controls
from app.views.printed_ranks import compared
from app.views.standings_of import MOST_COLUMNS, Question, columns, members, stood, sure
from app.views.texts import escaped, say
from app.wording import ties_text, unread_text
from history.moments import Moment
from history.pipeline import BoardHistory
from history.records import records
from history.standing import Standings
from history.ties import TieRule

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

READ_IT = (
    "**How to read it.** Numbers are shown as they stand in the file. Who has no score is not "
    "ranked and comes last. Kinds of rank:"
)
BY_SCORE = "**Rank** goes by the score alone: one more than those with a strictly better score."
BY_TIES = (
    "**Tie** is the rank that the tie rule gives, *=* marks who shares it. **Best place** and "
    "**Worst place** are what the rule leaves open."
)
IN_GROUPS = " Rows of one shade next to each other are one tie group."
BY_FILE = (
    "**Published** is what the file itself prints. *≠* and the words beside it mark where that "
    "disagrees."
)
READ_SPLITS = "A split's rank is among those that have its number: "
READ_TWO = (
    "**How to read it.** Sorted by the rank now; who left comes last. *up 3*: three places better "
    "than then. A rank can change without a new score: others moved, joined or left."
)
READ_PLACES = (
    "**How to read it.** A row for each of the best entries, the best place on the left. Circle: "
    "rank by score. Diamond: tie rank."
)
HELP_WHERE = (
    "Only entries that surely meet a condition are ranked, against each other. Text in single "
    "quotes, names of columns with spaces in double quotes: size < '8B' and name ~ 'open'"
)
HELP_TIE = (
    "RULE:BAND with the rules anchored, chain, pairwise, or interval, se:1.96, none. "
    "anchored:0.9 ties whoever is within 0.9 of the best of a group."
)
FULL = 17  # rows of a table that is shown whole


def page() -> None:
    """Any past board: ranks, published ranks, ties, splits and parts; or two of them compared."""
    board = header.opened("standings")
    left = right = st.container()
    if board.split_names or address.said("split"):  # else its room would stay empty
        left, right = st.columns([1, 3])
    with left:
        split = header.split(board)
    with right:
        moment = header.moment(board)
    earlier = _asked_for(board, moment)
    asked = Question(board.name, split, address.said("tie"), address.said("where") or "")
    when = address.said("at") or "latest"
    if earlier is not None:
        _two(board, asked, earlier, moment)
        return
    said = [header.state_text(moment, board.readings)]
    if _nothing(board, moment):
        say(said[0])
        return
    found = answers.attempt(lambda: stood(asked, when))
    said += _among(board, asked, moment)
    if found.frame.empty:
        say("\n".join(said))
        st.info(
            "Nobody meets the condition." if asked.where else "Nobody was listed at this moment."
        )
        return
    _one(board, asked, when, found, said)


def _asked_for(board: BoardHistory, moment: Moment) -> Moment | None:
    """The controls that ask for more than the board as it stood; the earlier moment, if any."""
    asked = any(address.said(name) for name in ("from", "where", "tie"))
    texts = answers.version_texts(board.name)
    wanted = address.said("from")
    found = None if wanted is None else answers.attempt_quietly(lambda: board.find(wanted))
    label = "Compare with an earlier moment, only some entries, another tie rule"
    box = controls(label, "more-to-ask", opened=asked)
    if box is not None:
        left, middle, right = box.columns(3)
        with left:
            address.choose(
                "Earlier moment",
                "from",
                list(texts),
                texts.__getitem__,
                empty="Not compared",
                current=None if found is None else found.commit,
                help="Ranks and scores then and now, side by side.",
            )
        with middle:
            address.type_in("Only entries", "where", "all", HELP_WHERE)
        with right:
            address.type_in("Tie rule", "tie", "the board's own", HELP_TIE)
        if moment.version is not None and moment.state == "known":
            with box:
                _help_of_columns(board, moment.version)
    if wanted is None:
        return None
    earlier: Moment = answers.attempt(lambda: board.find(wanted))
    if earlier.at > moment.at:
        st.error(
            escaped(f'from: "{wanted}" is later than the moment shown. Choose an earlier one.')
        )
        st.stop()
    return earlier


def _help_of_columns(board: BoardHistory, version: int) -> None:
    """What a condition can ask of, when somebody wants to know."""
    if not st.toggle("Show what a condition can ask of", key="what a condition can ask of"):
        return
    table = answers.attempt(lambda: columns(board.name, version))
    grid.show(table, height="content")
    if len(table) >= MOST_COLUMNS:
        st.caption(f"At most {MOST_COLUMNS} columns of the file are listed.")


def _nothing(board: BoardHistory, moment: Moment) -> bool:
    """Say it where nothing is known of a moment, or there was no file."""
    if moment.state == "unknown" and moment.version is not None:
        row = board.reading(moment.version)
        st.error(f"Nothing is known of this moment: {escaped(str(row['found']))}.")
        return True
    if moment.state == "absent":
        st.info("The board's file was not there at this moment.")
        return True
    return False


def _among(board: BoardHistory, asked: Question, moment: Moment) -> list[str]:
    """How many entries the condition leaves, and of which the file does not say, in lines."""
    if not asked.where or moment.version is None:
        return []
    version = moment.version
    who = answers.attempt(lambda: members(asked, version))
    said = [f"{who.meeting:,} of {who.listed:,} entries meet the condition: {asked.where}"]
    if who.unknown:
        count = len(who.unknown)
        named = ", ".join(who.unknown[:3]) + (f" and {count - 3:,} more" if count > 3 else "")
        said.append(f"Of {count:,} the file does not say it, so they are left out: {named}.")
    return said


def _one(
    board: BoardHistory, asked: Question, when: str, found: Standings, said: Sequence[str]
) -> None:
    """The board at one moment, below what is said of it already."""
    lines = [*said, headline(found, own_rule(board, asked, found))]
    whole = not asked.where and asked.split is None
    version = found.moment.version
    assert version is not None  # else nobody is listed
    counts = board.meaning_at(version).table.tie_rank_counts
    printed = compared(found, counts) if whole else None
    if printed and printed.line:
        lines.append(printed.line)
    say("\n".join(lines))
    document = records.standings(board, found)
    whys = {one["entry"]: one["unranked_why"] for one in document["entries"] if one["unranked_why"]}
    unsure = sure(asked, when) if whole and found.measures else None
    beside = {}
    if not asked.where:
        beside = answers.attempt(lambda: answers.split_ranks(board.name, when))
    of_all = None
    if asked.where:
        everybody = stood(Question(board.name, asked.split, asked.tie), when).frame
        of_all = dict(zip(everybody["entry"].astype(str), everybody["rank"], strict=True))
    table = board_table(
        found,
        beside,
        list(found.parts),
        of_all=of_all,
        marks=printed.marks if printed else (),
        sure=None if unsure is None else unsure.ranks,
        whys=whys,
    )
    dark = st.context.theme.type == "dark"
    styled = table.style.apply(lambda cells: shades(cells, found.frame, dark), axis=None)
    _shown(as_printed(styled, found.frame, table), table)
    with st.container(horizontal=True, gap="small"):
        _download(board, as_texts(found.frame, table), [version], "standings")
    header.source(
        board,
        version,
        more="; ranks *reasoned* from them"
        if found.printed
        else "; scores and ranks *reasoned* from them",
    )
    _read(table, found)
    if unsure is not None:
        st.caption(
            f"**Best rank** and **Worst rank**: what errors of the scores leave possible, all at "
            f"once, at {unsure.level:.0%} ({SHOWN[unsure.method]}; *reasoned* from "
            f"{escaped(' and '.join(unsure.sources))})."
        )
    keys = found.frame["entry"]
    at = found.moment.at
    header.notes(records.notes(board, keys, keys, at, at), timed=False)
    _picture(board, found, table)


def headline(found: Standings, own: TieRule | None = None) -> str:
    """How many are ranked, by what, and which tie rule holds, as a line of text.

    Args:
        found: the board.
        own: its own tie rule, where another one is asked for.
    """
    words = [f"{found.n_ranked:,} ranked", f"by {found.split}" if found.split else "by score"]
    if found.ties.rule != "none" or own is not None:
        words.append(ties_text(records.ties(found.ties, found.band, found.measures)))
    if own is not None and own.rule != "none":
        band = "" if own.band is None else f" {own.band}"
        words[-1] += f" as asked for (the board's own: {own.rule}{band})"
    elif own is not None:
        words[-1] += " as asked for (the board has no rule of its own)"
    line = "; ".join(words) + "."
    return f"{line} {unread_text(found.n_unreadable)}" if found.n_unreadable else line


def own_rule(board: BoardHistory, asked: Question, found: Standings) -> TieRule | None:
    """The board's own tie rule, where another one is asked for."""
    if asked.tie is None:
        return None
    own = board.view(found.moment.version, asked.split).rule
    return None if own == found.ties else own


def _shown(styled: Styler, table: pd.DataFrame) -> None:
    grid.show(
        styled,
        # Columns stretched over the page would part an entry from its score.
        width="content",
        height="content" if len(table) <= FULL else 640,
        column_config=formats(table),
    )


def _download(board: BoardHistory, texts: pd.DataFrame, versions: Sequence[int], name: str) -> None:
    """The table as CSV, each row with the commits that it is read from."""
    commits = records.commits_of(board, versions)
    head = [
        "board",
        *(f"commit_{n}" if len(commits) > 1 else "commit" for n in (1, 2)[: len(commits)]),
    ]

    def made() -> bytes:
        rows = ([board.name, *commits, *row] for row in texts.itertuples(index=False, name=None))
        return csv_text([*head, *map(str, texts.columns)], rows).encode()

    st.download_button(
        "Download CSV", made, f"{board.name}-{name}.csv", "text/csv", on_click="ignore"
    )


def _read(table: pd.DataFrame, found: Standings) -> None:
    """The legend: what each kind of rank is."""
    lines = [BY_SCORE]
    if "Tie" in table:
        groups = IN_GROUPS if found.frame["tie_group"].notna().any() else ""
        lines.append(BY_TIES + groups)
    if any(str(title).startswith("Published") for title in table):
        lines.append(BY_FILE)
    st.caption("\n".join([READ_IT, "", *(f"- {line}" for line in lines)]))
    ranked = ", ".join(
        f"{title.removesuffix(RANK)} {table[title].count()}"
        for title in map(str, table.columns)
        if title.endswith(RANK) and title not in OF_RANKS
    )
    if ranked:
        st.caption(f"{READ_SPLITS}{escaped(ranked)}.")


def _picture(board: BoardHistory, found: Standings, table: pd.DataFrame) -> None:
    """The three kinds of rank on one axis, where they are not all the same."""
    said = {"tie_rank": "Tie", "published": "Published", "best": "Best place"}
    said |= {"worst": "Worst place", "surely_best": "Best rank", "surely_worst": "Worst rank"}
    if not {"Tie", "Published", "Best rank"} & set(table):
        return
    gap = pd.Series(pd.NA, table.index, dtype="Int64")
    ranks = pd.DataFrame({"entry": table["Entry"], "rank": table["Rank"]}).assign(
        **{name: table.get(title, gap) for name, title in said.items()}
    )
    ranked = ranks[ranks["rank"].notna()].head(MOST)
    others = ranked[["tie_rank", "published", "best", "worst", "surely_worst"]]
    if (others.sub(ranked["rank"], axis=0).fillna(0) == 0).all(axis=None):
        return  # it would say nothing new
    columns = [title for title in ("Rank", "Entry", *said.values()) if title in table]
    st.subheader("The best entries and the places open to them", anchor=False)
    square = " Square: the rank that the file prints." if "Published" in table else ""
    bars = (
        " Thick bar: places that the tie rule leaves open; at the edge it goes on."
        if "Tie" in table
        else ""
    )
    thin = " Thin line: ranks that errors leave possible." if "Best rank" in table else ""
    figure.show(
        partial(places, ranked, title=f"{board.title}: places of the best {len(ranked)} entries"),
        READ_PLACES + square + bars + thin,
        table.loc[ranked.index, columns],
        name="places",
        of=board.name,
    )


def _two(board: BoardHistory, asked: Question, earlier: Moment, moment: Moment) -> None:
    """The board at two moments."""
    pairs = (("Then", earlier), ("Now", moment))
    said = [f"{word}: {header.state_text(one, board.readings)}" for word, one in pairs]
    for word, one in pairs:
        if one.state == "unknown" and one.version is not None:
            say("\n".join(said))
            found = str(board.reading(one.version)["found"])
            st.error(f"{word}: nothing is known of this moment: {escaped(found)}.")
            return
    whens = (address.said("from") or "latest", address.said("at") or "latest")
    then, now = (answers.attempt(partial(stood, asked, when)) for when in whens)
    said += _among(board, asked, moment)
    table = two_moments.compared(then, now)
    if table.empty:
        say("\n".join(said))
        st.info("Nobody was listed at either moment.")
        return
    said.append(f"{then.n_ranked:,} ranked then, {now.n_ranked:,} now. {two_moments.line(table)}")
    if two_moments.editions_differ(then, now):
        said.append(
            f"Scores of two editions, {then.edition} then and {now.edition} now, may be made in "
            "different ways: no difference of them is shown."
        )
    say("\n".join(said))
    dark = st.context.theme.type == "dark"
    _shown(two_moments.sortable(table).apply(lambda cells: firm(cells, dark), axis=None), table)
    versions = [one.version for one in (earlier, moment) if one.version is not None]
    texts = table.astype(object).where(table.notna(), None)
    _download(board, texts, versions, "then-and-now")
    for version in dict.fromkeys(versions):
        header.source(board, version, more="; ranks and changes *reasoned* from them")
    st.caption(READ_TWO)
    keys = table["Entry"]
    header.notes(records.notes(board, keys, keys, earlier.at, moment.at))
