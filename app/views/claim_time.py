"""When did a claim hold, and each of its parts?

In: a claim that was understood. Out: the chart and the table of its whole time. Start at show().
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import pandas as pd
import streamlit as st

from app.charts import stretches
from app.charts.held_strip import held_strip
from app.charts.style import utc
from app.links import links_of
from app.views import answers, claims_of, commits, figure
from app.wording import duration
from history import moments
from history.claims import elsewhen, wording
from history.claims.language.claim import COMPOUNDS, Claim, When, last_instant
from history.claims.language.predicates import STATES
from history.pipeline import BoardHistory

ALWAYS = When("over")
WHOLE = "The whole claim"
MOST_PARTS = 6
HEADING = 108  # letters of a line above the picture, which is 960 pixels wide
READ_IT = (
    "**How to read it.** A bar: it held. A thin line: it did not, or the files do not show that "
    "it did. A dashed frame: nobody knows, because a file could not be read. Nothing: there was "
    "no file. A dashed rule is a moment that the claim is about. Nothing has changed from the "
    "right end to the last look."
)


@dataclass(frozen=True)
class Row:
    """What one row of the strip is about.

    Attributes:
        label: what is said above it; "" for a claim that is one statement on one board.
        claim: the claim, or a part of it, without a time of its own.
    """

    label: str
    claim: Claim


def show(
    claim: Claim,
    rows: Sequence[Row],
    held: Sequence[Sequence[Mapping[str, Any]]],
    sentence: str,
) -> None:
    """The strip of when a claim held, and its parts.

    Args:
        claim: as it was understood.
        rows: what each row is about, as rows_of() gives them; at least one.
        held: for each row when it held, as `intervals` in the JSON of `check`.
        sentence: of the verdict; it stands above the picture that is downloaded.
    """
    boards = [claims_of.boards([row.claim]) for row in rows]
    every = list({board.name: board for those in boards for board in those}.values())
    start = min(board.readings["at"].min() for board in every)
    end = min(moments.horizon(board.readings, board.as_of) for board in every)
    changed = max(board.readings["at"].max() for board in every)
    spans = pd.concat(
        [
            spans_of(row.label, intervals, those, end)
            for row, intervals, those in zip(rows, held, boards, strict=True)
        ],
        ignore_index=True,
    )
    marks = marks_of(claim)
    marks = marks[[start <= at <= end for at in marks["at"]]]
    shown = stretches.shown_until(start, min(changed, end), end)
    lines = textwrap.wrap(sentence, HEADING)

    title = "When the claim held"
    draw = partial(
        held_strip, spans, marks, start=start, end=shown, title=title, heading=tuple(lines)
    )
    st.subheader("When it held", anchor=False)
    left = len(claim.board_by_board().leaves) - MOST_PARTS
    words = f"The first {MOST_PARTS} of its parts; {left} more are left out." if left > 0 else ""
    table = table_of(spans, every)
    plain = [board for board in every if links_of(board.board.source) is None]
    columns = {"Commit": commits.column((plain or every)[0])}
    figure.show(draw, READ_IT, table, name="when-it-held", columns=columns, words=words)


def rows_of(claim: Claim) -> list[Row]:
    """The whole claim, and its parts board by board; none where time decides nothing.

    >>> both = Claim("a", "first", subject="fern", boards=("text", "vision"))
    >>> [row.label for row in rows_of(both)]
    ['The whole claim', 'fern: first on text', 'fern: first on vision']
    >>> [row.label for row in rows_of(Claim("a", "first", subject="fern", boards=("text",)))]
    ['']
    """
    state = claim.members[0] if claim.predicate == "duration" else claim
    whole = _timeless(state.board_by_board())
    leaves = whole.leaves
    if not all(_has_time(leaf) for leaf in leaves):
        return []
    if whole.predicate not in COMPOUNDS:
        return [Row("", replace(whole, when=ALWAYS))]
    labels: dict[str, int] = {}
    rows = [Row(WHOLE, replace(whole, when=ALWAYS))]
    for leaf in leaves[:MOST_PARTS]:
        label = _label(leaf)
        labels[label] = labels.get(label, 0) + 1
        again = f" ({labels[label]})" if labels[label] > 1 else ""
        rows.append(Row(label + again, replace(leaf, when=ALWAYS)))
    return rows


def _timeless(claim: Claim) -> Claim:
    """A claim, its parts too, without a moment: it is asked of the whole history."""
    members = tuple(_timeless(member) for member in claim.members)
    return replace(claim, when=None, said_at=None, members=members)


def _has_time(leaf: Claim) -> bool:
    """Whether a board decides it at every moment."""
    own = leaf.is_about_own_numbers or bool(leaf.table)
    return leaf.predicate in STATES and leaf.tracked and not own


def _label(leaf: Claim) -> str:
    about = "" if leaf.predicate == "count" else f"{wording.subject(leaf)}: "
    return f"{about}{elsewhen.phrase(leaf)}"


def spans_of(
    label: str,
    intervals: Sequence[Mapping[str, Any]],
    boards: Sequence[BoardHistory],
    end: pd.Timestamp,
) -> pd.DataFrame:
    """The time that all of some boards cover, cut by what is known of a claim about them.

    Args:
        label: of the row.
        intervals: as in the JSON of `check`, over the whole history: when it held.
        boards: whose histories decide it.
        end: the last look.

    Returns:
        start, end, state, commit (that began it), row, text; in order, without gaps.
    """
    start = max(board.readings["at"].min() for board in boards)
    blank = pd.concat([_blanks(board.name, answers.stamp(board.name), end) for board in boards])
    spans = cut(intervals, blank, start, end)
    began: dict[pd.Timestamp, str] = {}  # of several at one instant the last one held
    for board in boards:
        began |= dict(zip(board.readings["at"], board.readings["commit"], strict=True))
    times = zip(spans["start"], spans["end"], strict=True)
    return spans.assign(
        commit=spans["start"].map(began),
        row=label,
        text=[f"{utc(left)} to {utc(right)}" for left, right in times],
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _blanks(name: str, stamp: answers.Stamp, end: pd.Timestamp) -> pd.DataFrame:
    return stretches.blanks(answers.history(name).readings, end)


def cut(
    intervals: Sequence[Mapping[str, Any]],
    blanks: pd.DataFrame,
    start: pd.Timestamp,
    end: pd.Timestamp,
) -> pd.DataFrame:
    """Time, cut into stretches that are held, not held, unknown, or without a file.

    Args:
        intervals: as in the JSON of `check`: when it held.
        blanks: start, end, why: when files could not be read, or were not there.
        start, end: of the time.

    Returns:
        start, end, state; in order, without gaps.
    """
    held = [(pd.Timestamp(one["from"]), pd.Timestamp(one["until"] or end)) for one in intervals]
    looks = {"unknown": _times(blanks, "unreadable"), "held": held}
    looks["no file"] = _times(blanks, "absent")
    edges = {start, end} | {edge for pairs in looks.values() for pair in pairs for edge in pair}
    cuts = sorted(edge for edge in edges if start <= edge <= end)
    rows: list[tuple[pd.Timestamp, pd.Timestamp, str]] = []
    for left, right in pairwise(cuts):
        inside = [state for state, pairs in looks.items() if any(a <= left < b for a, b in pairs)]
        state = inside[0] if inside else "not held"
        if rows and rows[-1][2] == state:
            rows[-1] = (rows[-1][0], right, state)
        else:
            rows.append((left, right, state))
    return pd.DataFrame(rows, columns=["start", "end", "state"])


def _times(blanks: pd.DataFrame, why: str) -> list[tuple[pd.Timestamp, pd.Timestamp]]:
    chosen = blanks.loc[blanks["why"] == why, ["start", "end"]]
    return list(chosen.itertuples(index=False, name=None))


def marks_of(claim: Claim) -> pd.DataFrame:
    """The moments that a claim is about: at, label."""
    when = claim.when
    if when is None:
        said = [] if claim.said_at is None else [(last_instant(claim.said_at), "claimed")]
    elif when.kind in ("as_of", "on") and when.start is not None:
        said = [(last_instant(when.start), "claimed")]
    elif when.is_window:
        first, last = when.ends
        said = [(time, word) for time, word in ((first, "from"), (last, "until")) if time]
    else:
        said = []
    return pd.DataFrame(
        {"at": [pd.Timestamp(at) for at, _ in said], "label": [word for _, word in said]}
    )


def table_of(spans: pd.DataFrame, boards: Sequence[BoardHistory]) -> pd.DataFrame:
    """The stretches for people, and what leads to the commit that began each."""
    lasted = (spans["end"] - spans["start"]).dt.total_seconds()
    told = {
        "What": spans["row"],
        "State": spans["state"],
        "From": spans["start"].map(utc),
        "Until": spans["end"].map(utc),
        "Lasted": [duration(seconds) for seconds in lasted],
    }
    if not spans["row"].any():
        del told["What"]
    table = pd.DataFrame(told)
    began = spans["commit"].astype(object).where(spans["commit"].notna(), None).tolist()
    if all(links_of(board.board.source) for board in boards):
        owner = {commit: board for board in boards for commit in board.readings["commit"]}
        cells = [None if one is None else commits.cells(owner[one], [one])[0] for one in began]
    else:  # a column is of links, or of texts
        cells = [None if one is None else one[: commits.SHORT] for one in began]
    table["Commit"] = cells
    return table
