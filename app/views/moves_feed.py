"""What happened on a board, version by version, newest first?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pandas as pd
import streamlit as st

from app.charts import stretches
from app.charts.style import utc
from app.faults import exit_code_of
from app.views import address, answers, commits, moves_of
from app.views.texts import error_text, escaped, local_text
from app.wording import LOST, holders
from history.frames import READABLE
from history.moves import Step
from history.pipeline import BoardHistory

Document = dict[str, Any]
SHOWN = 10  # versions at a time
NAMED = 6  # entries of one event
READ_IT = (
    "Newest first: for each version who joined, left or was re-scored, who took first place, and "
    "new editions, each against the version before it that could be read. *Why* shows the causes of "
    "that step, above."
)


def feed(board: BoardHistory, split: str | None) -> None:
    """Events of SHOWN versions, with the way to older and newer ones."""
    st.subheader("Everything that happened", anchor=False)
    st.caption(READ_IT)
    readings = board.readings
    left, _ = st.columns(2)
    with left:
        address.type_in(
            "Down from", "feed", "the newest version", "A date, a time, a commit, or latest."
        )
    newest = _newest(board)
    if newest is None:
        return
    oldest = max(newest - SHOWN + 1, 0)
    shown = readings.iloc[oldest : newest + 1].iloc[::-1]
    before = _before(board, split, shown["version"].tolist())
    pairs = [(old, new) for new, old in before.items() if old is not None]
    steps = {step.after: step for step in moves_of.steps(board.name, split, pairs)}
    taken = _first_place(board, split)
    editions = stretches.editions(readings).iloc[1:]
    labels = dict(zip(editions["commit"], editions["label"], strict=True))
    for row in shown.to_dict("records"):
        version = row["version"]
        lines = list(_lines(board, row, steps.get(version), before.get(version), taken, labels))
        _one(board, row, lines, before.get(version))
    _turn(readings, newest, oldest)


def _newest(board: BoardHistory) -> int | None:
    """Place of the version from which the feed goes down; None for a moment that is none."""
    said = address.said("feed")
    if said is None:
        return len(board.readings) - 1
    try:
        moment = board.find(said)
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        st.error(error_text(error))
        return None
    return 0 if moment.version is None else _place(board.readings, moment.version)


def _place(readings: pd.DataFrame, version: int) -> int:
    return int(readings["version"].searchsorted(version))


def _before(
    board: BoardHistory, split: str | None, versions: Sequence[int]
) -> dict[int, int | None]:
    """The readable version before each that can be read."""
    readable = board.moves(split).readable
    before = dict(zip(readable, [None, *readable], strict=False))
    return {version: before[version] for version in versions if version in before}


def _first_place(board: BoardHistory, split: str | None) -> dict[str, str]:
    """How first place changed, by the commit at which it did."""
    reigned = answers.reigns(board.name, split)
    return {
        after["from_commit"]: first_place_text(before, after) for before, after in pairwise(reigned)
    }


def first_place_text(before: Document, after: Document) -> str:
    """How first place went from one reign to the next.

    >>> print(first_place_text(
    ...     {"entries": ["a"], "names": {"a": "A", "b": "B"}, "absent": False,
    ...      "lost_to": [{"entry": "b", "why": "joined"}]},
    ...     {"entries": ["b"], "names": {"b": "B"}, "absent": False}))
    B, which joined, took first place from A
    """
    new = " and ".join(
        f"{before['names'][lost['entry']]}, {LOST[lost['why']]}," for lost in before["lost_to"]
    )
    if not new:
        return f"First place: {holders(before)} before, {holders(after)} from here on"
    if set(before["entries"]) & set(after["entries"]):
        return f"{new} joined {holders(before)} in first place"
    if not before["entries"]:
        return f"{new} took first place"
    return f"{new} took first place from {holders(before)}"


def _lines(
    board: BoardHistory,
    row: Mapping[Any, Any],
    step: Step | None,
    before: int | None,
    taken: Mapping[str, str],
    labels: Mapping[str, str],
) -> Iterator[str]:
    """Every event of one version, as plain text."""
    if row["reading"] not in READABLE:
        found = row["found"]
        yield f"This version cannot be read{'' if pd.isna(found) else f': {found}'}"
        return
    if row["reading"] == "absent":
        yield "The file is not there any more"
    if label := labels.get(row["commit"]):
        yield "New definition" if label == "new definition" else f"New edition: {label}"
    if text := taken.get(row["commit"]):
        yield text
    if step is None or before is None:
        yield "The history begins here"
        return
    after = int(row["version"])
    for title, entries, at in (
        ("Joined", step.joined, after),
        ("Left", step.left, before),
        ("Re-scored", step.re_scored or (), after),
        ("Ranked at one of both only", step.unranked, after),
    ):
        if entries:
            yield f"{title}: {named([board.shown(one, at) for one in entries])}"
    if step.re_scored is None:
        yield "Scores cannot be compared with those before"
    if step.moved:
        yield f"{step.moved} changed rank"
    elif not (step.joined or step.left or step.re_scored or step.unranked):
        yield "Nothing changed in who is listed, with which score or rank"


def named(names: Sequence[str]) -> str:
    """Some names, and how many more there are.

    >>> named(["a", "b", "c"]), named([str(n) for n in range(8)])
    ('a, b, c', '0, 1, 2, 3, 4, 5 and 2 more')
    """
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _one(
    board: BoardHistory, row: Mapping[Any, Any], lines: Sequence[str], before: int | None
) -> None:
    """One version with its events, its commit and the way to its causes."""
    commit = str(row["commit"])
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(
            f"**{utc(row['at'])}**, commit {commits.linked(board, commit)}",
            help=local_text(row["at"], st.context.timezone),
            width="content",
        )
        if before is not None:
            earlier = str(board.reading(before)["commit"])
            # A link to the page that is open leads nowhere.
            st.button(
                f"Why, at {commit[:8]}",
                key=f"why {commit}",
                type="tertiary",
                on_click=address.write,
                kwargs={"from_": earlier, "at": commit},
            )
    st.markdown("\n".join(f"- {escaped(line)}" for line in lines))


def _turn(readings: pd.DataFrame, newest: int, oldest: int) -> None:
    """The ways to newer and older versions, and where the reader is."""
    total = len(readings)
    st.caption(f"Versions {total - newest:,} to {total - oldest:,} of {total:,}, newest first.")
    commits_ = readings["commit"]
    newer = min(newest + SHOWN, total - 1)
    places = (
        ("Newer versions", newer, newest < total - 1),
        ("Older versions", oldest - 1, oldest > 0),
    )
    with st.container(horizontal=True, gap="small"):
        for label, place, there in places:
            commit = str(commits_.iloc[place]) if there else None
            st.button(
                label,
                key=label,
                disabled=not there,
                on_click=address.write,
                kwargs={"feed": None if place == total - 1 else commit},
            )
