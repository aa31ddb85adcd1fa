"""Where did an entry stand, at each moment?"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app.charts.rank_lines import rank_trail
from app.charts.stretches import MAX_FOCUS, Trail
from app.charts.style import utc
from app.views import address, answers, claims_of, header
from app.views.texts import escaped
from app.wording import holders, lost_text, reign_length
from history.moments import Moment
from history.names import AmbiguousEntry, UnknownEntry
from history.pipeline import BoardHistory
from history.records import records

READ_IT = (
    "**How to read it.** Rank 1 is on top, the scale is logarithmic. A rank holds from one commit "
    "to the next, so lines are steps; they end at the last look. A gap: not ranked at that time. "
    "Hatched: the file could not be read. Dashed rules: first commit of an edition or of a new "
    "definition. In grey: every other entry that ever reached the top 30. Drag sideways to move "
    "in time, Shift and wheel to zoom, double click to see everything again."
)
READ_MARKS = (
    " A shape in a ring: a claim about an entry in colour, at its time and at the rank that it "
    "gives the entry. It stands at rank 1 for a claim of first place even where the entry was not "
    "listed."
)
READ_REIGNS = (
    "Newest first. *at least*: it was first already when the history begins. *certain*: without "
    "the times that no file can tell of. In brackets: how first place was lost. *shared with*: who "
    "was first shares it from then on."
)
BEST = 3  # entries in colour at least, if nobody is chosen
FULL = 12  # rows of a table that is shown whole


def page() -> None:
    """Rank over time of up to six entries, with claims and editions."""
    board = header.opened("rank over time")
    left = right = st.container()
    if board.split_names or address.said("split"):
        left, right = st.columns([3, 1])
    with left:
        chosen = _controls(board)
    with right:
        split = header.split(board)
    focus = _focus(board, chosen, split)
    picture = st.container()
    moment = header.moment(board)
    _standing(board, focus, split, moment)
    drawn = answers.trail(board.name, split, focus)
    marks = claims_of.marks(board, focus) if split is None else None
    with picture:
        st.altair_chart(
            rank_trail(
                drawn,
                marks,
                title=board.title if split is None else f"{board.title}, {split}",
                at=moment.at if address.said("at") else None,
                dark=st.context.theme.type == "dark",
            ),
            width="stretch",
            theme=None,
        )
        if not chosen and focus:
            st.caption("Nobody is chosen: in colour is who was first, the last six at most.")
        if drawn.note:
            st.caption(escaped(drawn.note))
        header.notes(records.notes(board, focus, board.entries()))
        st.caption(READ_IT + (READ_MARKS if marks is not None and len(marks) else ""))
    _first_place(board, split)
    _tables(drawn, marks)


def _controls(board: BoardHistory) -> list[str]:
    """Let the reader choose entries; those that the address names, as keys."""
    found, problems = [], []
    for text in address.said_all("entry"):
        try:
            found.append(board.resolve_entry(text))
        except (UnknownEntry, AmbiguousEntry) as error:
            problems.append(str(error))
    names = dict(board.names.table.itertuples(index=False, name=None))
    address.choose_several(
        f"Entries (up to {MAX_FOCUS})",
        "entry",
        board.entries(),
        lambda entry: entry if names[entry] == entry else f"{names[entry]} ({entry})",
        MAX_FOCUS,
        "Type a name",
        current=list(dict.fromkeys(found)),
    )
    for problem in problems:
        st.error(escaped(problem))
    if len(found) > MAX_FOCUS:
        st.warning(
            f"The address names {len(found)} entries; the first {MAX_FOCUS} of them are in colour."
        )
    return list(dict.fromkeys(found))[:MAX_FOCUS]


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


def _standing(board: BoardHistory, focus: list[str], split: str | None, moment: Moment) -> None:
    """Where each chosen entry stood at the moment, as numbers that can be read aloud."""
    if not focus:
        return
    st.text(f"{header.state_text(moment, board.readings)}:")
    ranks = board.rank_history(split)
    then = ranks[ranks["version"] == moment.version] if moment.version is not None else ranks[:0]
    names = dict(board.names.table.itertuples(index=False, name=None))
    rows = {str(row["entry"]): row for row in then.to_dict("records")}
    with st.container(horizontal=True):
        for entry in focus:
            row = rows.get(entry)
            if row is not None and not pd.isna(row["rank"]):
                text = f"{row['rank']} of {row['n_ranked']}"
            elif moment.state == "unknown":
                text = "unknown"
            else:
                text = "not listed" if row is None else "unranked"
            st.metric(
                escaped(names[entry] if row is None else str(row["name"])), text, width="content"
            )


def _first_place(board: BoardHistory, split: str | None) -> None:
    """Who was first, from when to when, and how it was lost."""
    reigned = answers.reigns(board.name, split)[::-1]
    st.subheader("First place", anchor=False)
    if not reigned:
        st.text("Nobody was ever first.")
        return
    st.dataframe(
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
        hide_index=True,
        placeholder="",
        height="content" if len(reigned) <= FULL else "auto",
    )
    st.caption(READ_REIGNS)


def _tables(drawn: Trail, marks: pd.DataFrame | None) -> None:
    """What the chart shows, as tables."""
    focus = drawn.focus
    until = focus.groupby("segment")["at"].shift(-1)
    rows = focus.assign(until=until)[~focus["ends"]]
    with st.expander("The numbers behind the chart"):
        st.dataframe(
            pd.DataFrame(
                {
                    "Entry": rows["name"],
                    "From": rows["at"].map(utc),
                    "Until": rows["until"].map(utc),
                    "Rank": rows["rank"],
                    "Ranked": rows["n_ranked"],
                    "Score then": rows["score_text"],
                    "Commit": rows["commit"].str[:8],
                }
            ),
            hide_index=True,
            placeholder="",
        )
        if len(drawn.editions):
            st.caption("Editions, from their first commit on")
            named = drawn.editions
            st.dataframe(
                pd.DataFrame(
                    {
                        "Edition": named["label"],
                        "From": named["at"].map(utc),
                        "Commit": named["commit"].str[:8],
                    }
                ),
                hide_index=True,
                placeholder="",
            )
        if len(drawn.blanks):
            st.caption("Times of which no rank is known")
            gone = drawn.blanks
            st.dataframe(
                pd.DataFrame(
                    {
                        "State": gone["why"],
                        "From": gone["start"].map(utc),
                        "Until": gone["end"].map(utc),
                        "Found": gone["found"],
                    }
                ),
                hide_index=True,
                placeholder="",
            )
        if marks is not None and len(marks):
            st.caption("Claims on the chart")
            st.dataframe(
                pd.DataFrame(
                    {
                        "Claim": marks["id"],
                        "Text": marks["text"],
                        "Time": marks["at"].map(utc),
                        "Entry": marks["entry"],
                        "Rank": marks["rank"],
                        "Verdict": marks["verdict"].str.replace("_", " "),
                    }
                ),
                hide_index=True,
                placeholder="",
            )
