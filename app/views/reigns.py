"""Who led, when, for how long, and how was first place lost?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from app.charts import stretches
from app.charts.reign_strip import MOST_ROWS, holders_of, reign_strip
from app.charts.style import utc
from app.reign_report import by_text, clock_lines, times_line
from app.views import address, answers, commits, figure, grid, header, reigns_of
from app.views.texts import escaped, say
from app.views.ways import way
from app.wording import duration, holders, lost_text, note_lines, ordinal, reign_length
from history.pipeline import BoardHistory

Document = dict[str, Any]
READ_IT = (
    "**How to read it.** A bar: from when to when an entry was first; the time beside its name is "
    "the sum. Paler: it still is. Half as high: it shared first place. Dashed rules: first commit "
    "of an edition or of a new definition. Hatched: the file could not be read, so nobody knows. A "
    "bar opens the board as it stood when that reign began."
)
READ_TABLE = (
    "Newest first. *at least*: it was first already when the history begins. *certain*: without "
    "the times that no file can tell of. In brackets: how first place was lost. *shared with*: "
    "who was first shares it from then on. *(nobody)*: nobody had a rank."
)
READ_CAREERS = (
    "A shared first place counts in full in *Times*, *Longest* and *In all*, and not in *Alone*."
)
FULL = 12  # rows of a table that is shown whole
LOSSES = 12  # ways to the step in which first place was lost, the newest


def page() -> None:
    """First place through time: strip, reigns, what each entry had of it."""
    board = header.opened("who was first")
    left, right = st.columns(2)
    with left:
        by, tie = _kind()
    with right:
        split = header.split(board)
    found = answers.attempt(lambda: reigns_of.document(board.name, split, by, tie))
    reigned = found["reigns"]
    if not any(one["entries"] for one in reigned):
        st.info("Nobody was ever first: no version that can be read ranks anybody.")
        return
    say(now_text(found))
    say(times_line(found["time"]))
    _strip(board, found, reigns_of.unknown(board.name, split, by, tie))
    newest = board.readings["version"].iloc[-1]
    header.source(board, int(newest), more="; who is first is *reasoned* from every version")
    _reigns(board, reigned)
    _lost(reigned, split=split, by=None if by == "score" else by, tie=tie)
    _careers(found)
    for line in (*clock_lines(found["clock"]), *note_lines(found)):
        st.caption(escaped(line))


def _kind() -> tuple[str, str | None]:
    """What counts as first, and by which other tie rule than the board's own."""
    by = address.pick(
        "First is",
        "by",
        ("score", "tie"),
        {"score": "the best score", "tie": "the first tie group"}.__getitem__,
        help="The first tie group: all whose score the board's tie rule cannot tell from the best.",
    )
    if by == "score":
        return by, None
    return by, header.tie_rule()


def now_text(found: Document) -> str:
    """Who is first at the last look and since when, or that nobody is; and what first means."""
    last = found["reigns"][-1]
    by = by_text(found)
    if not last["entries"]:
        return f"First at the last look{by}: {holders(last)}."
    shared = "" if last["sole"] else f", shared by {len(last['entries'])}"
    since = utc(pd.Timestamp(last["from"]))
    return f"First at the last look{by}: {holders(last)}{shared}, since {since} ({reign_length(last)})."


def _strip(board: BoardHistory, found: Document, gone: pd.DataFrame) -> None:
    """The reigns as bars, and when nobody knows."""
    readings = board.readings
    start, changed = readings["at"].iloc[0], readings["at"].iloc[-1]
    last = max(changed, board.as_of or changed)
    end = stretches.shown_until(start, changed, last)
    said = []
    if end < last:
        said.append(f"Nothing has changed since {utc(changed)}, so the axis is cut soon after it.")
    if (many := len(holders_of(found["reigns"]))) > MOST_ROWS:
        said.append(f"{many} entries were first; those that were longest have rows of their own.")
    split = f", {found['split']}" if found["split"] else ""
    here = urlencode(address.link(board=board.name, at=None))
    figure.show(
        partial(
            reign_strip,
            found["reigns"],
            start=start,
            end=end,
            title=f"{board.title}{split}",
            rows="holders",
            blanks=gone,
            editions=stretches.editions(readings),
            here=f"standings?{here}&at=",
        ),
        READ_IT,
        strip_table(found["reigns"]),
        name="reigns",
        of=board.name,
        words=" ".join(said),
    )


def strip_table(reigned: Sequence[Document]) -> pd.DataFrame:
    """Every number of the reigns as the command has it, oldest first."""
    fields = (
        ("Seconds", "seconds"),
        ("Seconds certain", "seconds_certain"),
        ("Sole", "sole"),
        ("Open", "open"),
        ("From commit", "from_commit"),
        ("Until commit", "until_commit"),
    )
    table = pd.DataFrame({title: [one[field] for one in reigned] for title, field in fields})
    for place, (title, end) in enumerate((("From", "from"), ("Until", "until"))):
        times = [one[end] for one in reigned]
        table.insert(place, title, [time and utc(pd.Timestamp(time)) for time in times])
    table.insert(2, "First", [holders(one) for one in reigned])
    table.insert(3, "Score", [one["score_text"] for one in reigned])
    table["Lost to"] = [lost_text(one) for one in reigned]
    return table


def _reigns(board: BoardHistory, reigned: Sequence[Document]) -> None:
    """Every reign as a row, newest first."""
    st.subheader("Reigns", anchor=False)
    grid.show(
        reigns_table(board, reigned[::-1]),
        height="content" if len(reigned) <= FULL else "auto",
        column_config={"Began at": commits.column(board), "Ended at": commits.column(board)},
    )
    st.caption(READ_TABLE)


def reigns_table(board: BoardHistory, reigned: Sequence[Document]) -> pd.DataFrame:
    """Reigns for people."""
    return pd.DataFrame(
        {
            "From": [utc(pd.Timestamp(one["from"])) for one in reigned],
            "Until": [
                "(still)" if one["open"] else utc(pd.Timestamp(one["until"])) for one in reigned
            ],
            "How long": [reign_length(one) for one in reigned],
            "First": [holders(one) for one in reigned],
            "Held": [_held(one) for one in reigned],
            "Score": [one["score_text"] for one in reigned],
            "Lost to": [lost_text(one) for one in reigned],
            "Began at": commits.cells(board, [one["from_commit"] for one in reigned]),
            "Ended at": commits.cells(board, [one["until_commit"] for one in reigned]),
        }
    )


def _held(one: Document) -> str:
    if not one["entries"]:
        return ""
    return "alone" if one["sole"] else f"by {len(one['entries'])} together"


def _lost(reigned: Sequence[Document], **kind: str | None) -> None:
    """The ways from the newest reigns that ended to the causes of the step that ended them."""
    lost = [one for one in reigned if not one["open"] and one["entries"]][::-1]
    if not lost:
        return
    with st.container(horizontal=True, gap="small"):
        for one in lost[:LOSSES]:
            who = [entry for entry in one["entries"] if entry not in one["stays"]]
            names = escaped(", ".join(one["names"][entry] for entry in who[:1]))
            why = f"why {names} lost it" if who else "what happened"
            way(
                "Moves",
                f"{utc(pd.Timestamp(one['until']))}: {why}",
                entry=(who or one["entries"])[:1],
                at=one["until_commit"],
                **kind,
            )
    if len(lost) > LOSSES:
        st.caption(f"The newest {LOSSES} of {len(lost)} reigns that ended.")


def _careers(found: Document) -> None:
    """What each entry had of first place."""
    careers = [one for one in found["entries"] if one["times_first"]]
    st.subheader("Time in first place", anchor=False)
    grid.show(
        careers_table(careers),
        height="content" if len(careers) <= FULL else "auto",
    )
    st.caption(READ_CAREERS)


def careers_table(careers: Sequence[Document]) -> pd.DataFrame:
    """Time in first place, one row per entry that had any."""
    return pd.DataFrame(
        {
            "Entry": [one["name"] for one in careers],
            "First ever": [utc(pd.Timestamp(one["first_ever"])) for one in careers],
            "Times": [one["times_first"] for one in careers],
            "Longest": [
                reign_length(one["longest"]) + (", still" if one["longest"]["open"] else "")
                for one in careers
            ],
            "In all": [duration(one["seconds"]) for one in careers],
            "Certain": [duration(one["seconds_certain"]) for one in careers],
            "Alone": [duration(one["seconds_sole"]) for one in careers],
            "Best rank": [None if one["peak"] is None else ordinal(one["peak"]) for one in careers],
        }
    )
