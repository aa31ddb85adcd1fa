"""Where did an entry stand, at each moment?"""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from app.charts.stretches import MAX_FOCUS, Trail
from app.charts.style import utc
from app.charts.trail_picture import trail_picture
from app.views import (
    address,
    answers,
    claims_of,
    commits,
    figure,
    followed,
    grid,
    header,
    trail_heat,
    trail_of,
)
from app.views.fold import fold
from app.views.texts import escaped, say
from app.wording import holders, lost_text, reign_length
from history.frames import SCORE, text_of
from history.moments import Moment
from history.pipeline import BoardHistory
from history.records import records

READ_IT = (
    "**How to read it.** One axis of time for all. *First place*: who was first; who is in colour "
    "below has that colour. *Rank*: 1 on top, the scale is logarithmic. A rank or score holds from "
    "one commit to the next, so lines are steps; they end at the last look. A name in brackets: not "
    "ranked any more. A gap: not ranked at that time. Hatched: the file could not be read. Dashed "
    "rules: first commit of an edition or of a new definition. In grey: every other entry that ever "
    "reached the top 30. Drag sideways to move in time, Shift and wheel to zoom, double click to "
    "see everything again. A point opens its version."
)
READ_SCORES = " *Score*: the thin grey line is the best score of all."
READ_RIBBON = (
    " The blue band reaches from the best score as far as the board's tie rule still calls "
    "it a tie with the best."
)
READ_MARKS = (
    " A shape in a ring: a claim about an entry in colour, at its time and at the rank that it "
    "gives the entry; it opens the claim. It stands at rank 1 for a claim of first place even "
    "where the entry was not listed."
)
READ_REIGNS = (
    "Newest first. *at least*: it was first already when the history begins. *certain*: without "
    "the times that no file can tell of. In brackets: how first place was lost. *shared with*: who "
    "was first shares it from then on."
)
BEST = 3  # entries in colour at least, if nobody is chosen
FULL = 12  # rows of a table that is shown whole


def page() -> None:
    """Rank and score over time of up to six entries, with first place, claims and editions."""
    board, beside = header.opened_beside("rank and score over time")
    with beside:
        left = right = st.container()
        if board.split_names or address.said("split"):
            left, right = st.columns([3, 2])
        with left:
            chosen = followed.several(board, trail_of.called(board))
        with right:
            split = header.split(board)
    focus = _focus(board, chosen, split)
    drawn = trail_of.trail(board, split, focus)
    picture = st.container()  # what people came for stands above what moves its mark
    moment = header.moment(board)
    _standing(board, focus, split, moment, drawn)
    with picture:
        _picture(board, drawn, split, chosen, moment)
    header.notes(records.notes(board, focus, board.entries()))
    trail_heat.everybody(board, split, moment, drawn)
    fold("Who was first, and how it was lost", "first", partial(_first_place, board, split))


def _picture(
    board: BoardHistory, drawn: Trail, split: str | None, chosen: list[str], moment: Moment
) -> None:
    """The chart with how to read it and its numbers."""
    focus = list(drawn.focus.sort_values("line")["entry"].unique())
    scored = trail_of.scores(board, split, focus)
    marks = claims_of.marks(board, focus) if split is None else None
    here = urlencode(address.link(board=board.name, at=None))
    words = [] if chosen or not focus else ["Nobody is chosen: in colour is who was first last."]
    words += [escaped(note) for note in (drawn.note, scored.note) if note]
    figure.show(
        partial(
            trail_picture,
            drawn,
            marks,
            title=board.title if split is None else f"{board.title}, {split}",
            first=answers.reigns(board.name, split),
            scores=scored,
            at=moment.at if address.said("at") else None,
            here=f"trail?{here}&at=",
        ),
        READ_IT
        + (READ_SCORES if len(scored.points) else "")
        + (READ_RIBBON if len(scored.ribbon) else "")
        + (READ_MARKS if marks is not None and len(marks) else ""),
        partial(_numbers, board, split, focus),
        name="trail",
        of=board.name,
        columns={"Commit": commits.column(board)},
        words="  \n".join(words),
        more=partial(_more_numbers, board, drawn, marks),
    )


def _focus(board: BoardHistory, chosen: list[str], split: str | None) -> list[str]:
    """The chosen entries; where there are none, who was first last, and the best three."""
    if chosen:
        return chosen
    reigned = reversed(board.reigns(split))
    first = list(dict.fromkeys(entry for one in reigned for entry in one.entries))[:MAX_FOCUS]
    frame = board.rank_history(split)
    ranked = frame[(frame["version"] == frame["version"].max()) & frame["rank"].notna()]
    best = [str(entry) for entry in ranked["entry"].head(BEST)]
    return [*first, *(entry for entry in best if entry not in first)][: max(len(first), BEST)]


def _standing(
    board: BoardHistory, focus: list[str], split: str | None, moment: Moment, drawn: Trail
) -> None:
    """Where each chosen entry stood at the moment, as numbers that can be read aloud."""
    if not focus:
        return
    say(f"{header.state_text(moment, board.readings)}:")
    ranks = board.rank_history(split)
    then = ranks[ranks["version"] == moment.version] if moment.version is not None else ranks[:0]
    names = dict(board.names.table.itertuples(index=False, name=None))
    rows = {str(row["entry"]): row for row in then[then["entry"].isin(focus)].to_dict("records")}
    with st.container(horizontal=True):
        for entry in focus:
            row, more = rows.get(entry), None
            if row is not None and not pd.isna(row["rank"]):
                text = f"{row['rank']} of {row['n_ranked']}"
                more = _since(drawn, entry, moment, str(row[text_of(SCORE)]))
            elif moment.state == "unknown":
                text = "unknown"
            else:
                text = "not listed" if row is None else "unranked"
            st.metric(
                escaped(names[entry] if row is None else str(row["name"])),
                text,
                None if more is None else escaped(more),
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
    if moment.version is not None and moment.state in ("known", "empty"):
        label = None if board.view(moment.version, split).printed else "reasoned"
        header.source(board, moment.version, label, ", ranks *reasoned* from them")


def _since(drawn: Trail, entry: str, moment: Moment, score: str) -> str:
    """Score, and since when the entry had its rank."""
    points = drawn.focus
    mine = points[(points["entry"] == entry) & ~points["ends"] & (points["at"] <= moment.at)]
    since = f", rank since {utc(mine['at'].iloc[-1])}" if len(mine) else ""
    return f"score {score}{since}"


def _first_place(board: BoardHistory, split: str | None) -> None:
    """Who was first, from when to when, and how it was lost."""
    reigned = answers.reigns(board.name, split)[::-1]
    if not reigned:
        say("Nobody was ever first.")
        return
    grid.show(
        pd.DataFrame(
            {
                "From": [utc(pd.Timestamp(one["from"])) for one in reigned],
                "Until": [
                    "(still)" if one["open"] else utc(pd.Timestamp(one["until"])) for one in reigned
                ],
                "How long": [reign_length(one) for one in reigned],
                "First": [holders(one) for one in reigned],
                "Lost to": [lost_text(one) for one in reigned],
            }
        ),
        height="content" if len(reigned) <= FULL else "auto",
    )
    st.caption(READ_REIGNS)


def _numbers(board: BoardHistory, split: str | None, focus: list[str]) -> pd.DataFrame:
    """What the chart shows of the entries in colour, as a table."""
    held = trail_of.numbers(board, split, focus)
    return pd.DataFrame(
        {
            "Entry": held["name"],
            "From": held["start"].map(utc),
            "Until": held["end"].map(utc),
            "Rank": held["rank"],
            "Ranked": held["n_ranked"],
            "Score": held["score_text"],
            "Commit": commits.cells(board, held["commit"]),
        }
    )


def _more_numbers(board: BoardHistory, drawn: Trail, marks: pd.DataFrame | None) -> None:
    """What else the chart shows, as tables."""
    if len(drawn.editions):
        st.caption("Editions, from their first commit on")
        named = drawn.editions
        _table(
            board,
            {
                "Edition": named["label"],
                "From": named["at"].map(utc),
                "Commit": commits.cells(board, named["commit"]),
            },
        )
    if len(drawn.blanks):
        st.caption("Times of which no rank is known")
        gone = drawn.blanks
        _table(
            board,
            {
                "State": gone["why"],
                "From": gone["start"].map(utc),
                "Until": gone["end"].map(utc),
                "Found": gone["found"],
            },
        )
    if marks is not None and len(marks):
        st.caption("Claims on the chart")
        _table(
            board,
            {
                "Claim": marks["id"],
                "Text": marks["text"],
                "Time": marks["at"].map(utc),
                "Entry": marks["entry"],
                "Rank": marks["rank"],
                "Verdict": marks["verdict"].str.replace("_", " "),
            },
        )


def _table(board: BoardHistory, columns: dict[str, Any]) -> None:
    grid.show(
        pd.DataFrame(columns),
        column_config={"Commit": commits.column(board)} if "Commit" in columns else None,
    )
