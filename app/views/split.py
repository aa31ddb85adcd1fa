"""How much of a rank is the public part, and how much holds on the private one?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from app.charts import excess_dots, slopegraph, split_lines
from app.split_report import causes_text, gainers, shake_up_texts, undecided_text, usual_texts
from app.views import address, answers, commits, figure, followed, header, split_of
from app.views.split_of import Compared
from app.views.texts import escaped
from history.moments import Moment
from history.pipeline import BoardHistory
from history.splits.splits import PRIVATE, PUBLIC

MOST_DOTS = 30
MOST_WORDS = 5
FEW_TO_FOLLOW = 2  # entries of each split that are followed where nobody is chosen

HOW_TO_DEFINE = """\
To compare a public part with a private one, name both in the board's `board.toml` and run
`ranktrail rebuild`:

    [table.parts]
    public = "the column with the public score"
    private = "the column with the private score"

    [splits]
    public = "public"
    private = "private"

A split may also be a formula of parts, as `"0.6*one + 0.4*other"`.
"""
READ_SLOPES = (
    "**How to read it.** Each line is an entry: on the left its rank by {public}, on the right "
    "by {private}, rank 1 on top, the scale is logarithmic. A line that falls: better on "
    "{public}. In colour: the chosen entries. Dark: the others that move farthest. It compares "
    "two orders of one moment; nothing happens between them."
)
READ_DOTS = (
    "**How to read it.** *Gap* is {public} less {private}. *Excess* is how much of the gap "
    "entries with the same public score do not usually have: to the right, worse on {private} "
    "than usual. Filled: outside the shaded band. It describes; it proves nothing about anybody."
)
READ_LINES = (
    "**How to read it.** A colour for each entry, solid by {public}, dashed by {private}; rank 1 "
    "on top, the scale is logarithmic. A rank holds from one commit to the next, so lines are "
    "steps. A gap: not ranked at that time. Hatched: the file could not be read. Dashed rules: "
    "first commit of an edition. Drag sideways to move in time, Shift and wheel to zoom, double "
    "click to see everything again."
)


def page() -> None:
    """Public against private ranks, gaps with their noise, and both ranks over time."""
    board, beside = header.opened_beside("public against private")
    with beside:
        chosen = followed.several(board)
    moment = header.moment(board)
    if not header.held(board, moment) or moment.version is None:
        return
    two = _two(board, moment.version)
    if two is None:
        return
    items = _items()
    found: Compared = answers.attempt(
        lambda: split_of.compared(board.name, address.said("at") or "latest", *two, items)
    )
    if not found.document["entries"]:
        st.info("Nobody was listed at this moment.")
        return
    names = _names(board, moment.version, found.document)
    ranked = _table(found.document, two, names)
    both = ranked.dropna(subset=["left", "right"])
    _numbers(found.document, ranked, chosen, len(both))
    if both.empty:
        st.info(escaped(f"Nobody is ranked by both {two[0]} and {two[1]} at this moment."))
    else:
        _slopes(board, ranked, both, two, chosen)
        header.source(board, moment.version, more="; ranks of a formula *reasoned* from them")
        _gaps(board, found, two, chosen, names)
    _over_time(board, two, chosen, both, moment)
    header.notes(found.document["notes"], timed=False)


def _two(board: BoardHistory, version: int) -> tuple[str, str] | None:
    """Which split is public and which private; None, and said, where there are no two."""
    names, defined = split_of.names(board.name, version)
    usual = PUBLIC in names and PRIVATE in names
    said = address.said("public"), address.said("private")
    if len(names) < 2 or not (defined or usual or all(said)):
        st.info(
            "This board has no splits: its definition does not say which of its numbers are "
            "public and which private."
        )
        st.markdown(HOW_TO_DEFINE)
        return None
    for name in said:
        if name is not None and name not in names:
            st.error(escaped(f'{board.name}: no split "{name}". It has: {", ".join(names)}.'))
            return None
    public = said[0] or _first(PUBLIC, names, not_this=said[1])
    private = said[1] or _first(PRIVATE, names, not_this=public)
    left, right = st.columns(2)
    with left:
        address.choose("Public", "public", names, empty="Choose", current=public)
    with right:
        address.choose("Private", "private", names, empty="Choose", current=private)
    if public == private:
        st.error(escaped(f"Public and private are both {public}. Choose two splits."))
        return None
    return public, private


def _first(wanted: str, names: Sequence[str], not_this: str | None) -> str:
    """The split of that name, else one whose name begins so, else the first other one."""
    others = [name for name in names if name != not_this]
    near = [name for name in others if name.startswith(wanted)]
    return wanted if wanted in others else (near or others)[0]


def _items() -> int | None:
    """How many items each part has, as the reader says it."""
    said = address.said("items")
    address.type_in(
        "Items in each part, if the file does not say",
        "items",
        "not known",
        "With it, and scores that are shares of right answers, what is noise can be worked out.",
    )
    if said is None:
        return None
    if not (said.isascii() and said.isdigit() and 0 < int(said) < 10**9):
        st.error(escaped(f'items: "{said}" is not a whole number above 0.'))
        st.stop()
    return int(said)


def _names(board: BoardHistory, version: int, document: dict[str, Any]) -> dict[str, str]:
    return {one["entry"]: board.shown(one["entry"], version) for one in document["entries"]}


def _table(document: dict[str, Any], two: tuple[str, str], names: dict[str, str]) -> pd.DataFrame:
    """Each entry with its rank and printed score by both splits."""
    rows = [
        {
            "entry": one["entry"],
            "name": names[one["entry"]],
            "left": one["ranks"].get(two[0]),
            "right": one["ranks"].get(two[1]),
            "left_text": one["texts"].get(two[0]),
            "right_text": one["texts"].get(two[1]),
        }
        for one in document["entries"]
    ]
    return pd.DataFrame(rows).astype({"left": "Int64", "right": "Int64"})


def _numbers(
    document: dict[str, Any], ranked: pd.DataFrame, chosen: Sequence[str], n_both: int
) -> None:
    """What can be read aloud: where the chosen stand by both, and how much the order changes."""
    shake = document["shake_up"]
    rows = {row["entry"]: row for row in ranked.to_dict("records")}
    public, private = document["public"], document["private"]
    with st.container(horizontal=True):
        for entry in chosen:
            row = rows.get(entry)
            label = entry if row is None else row["name"]
            if row is None:
                st.metric(escaped(label), "not listed", width="content")
                continue
            ends = [
                "unranked" if pd.isna(row[side]) else str(row[side]) for side in ("left", "right")
            ]
            st.metric(
                escaped(label),
                " → ".join(ends),
                width="content",
                help=escaped(f"Rank by {public}, then by {private}."),
            )
        if shake["value"] is not None:
            st.metric(
                "Shake-up",
                f"{shake['value']:.3f}",
                width="content",
                help="Mean change of rank as a share of the board; 0: the same order.",
            )
            chance = (
                "not known"
                if shake["noise_low"] is None
                else f"{shake['noise_low']:.3f} to {shake['noise_high']:.3f}"
            )
            st.metric("By chance alone", chance, width="content", help="In 95 of 100 cases.")
            st.metric("Ranked by both", f"{n_both} of {len(ranked)}", width="content")
    for text in shake_up_texts(document):
        st.caption(escaped(text))


def _slopes(
    board: BoardHistory,
    ranked: pd.DataFrame,
    both: pd.DataFrame,
    two: tuple[str, str],
    chosen: Sequence[str],
) -> None:
    public, private = two
    drawn = slopegraph.sloped(both, chosen)
    left_out = []
    if more := len(both) - len(drawn):
        left_out.append(
            f"Left out {'is' if more == 1 else 'are'} {more} of {len(both)}: those that are not "
            f"among the first {slopegraph.REACH} by either; the table has all."
        )
    if lacking := len(ranked) - len(both):
        left_out.append(f"{lacking} {'has' if lacking == 1 else 'have'} no rank by one of the two.")
    most = int(both[["left", "right"]].max().max())
    figure.show(
        partial(
            slopegraph.slopegraph,
            drawn,
            left=public,
            right=private,
            n_ranked=most,
            title=board.title,
        ),
        READ_SLOPES.format(public=escaped(public), private=escaped(private)),
        pd.DataFrame(
            {
                "Entry": ranked["name"],
                f"{public} rank": ranked["left"],
                f"{private} rank": ranked["right"],
                "Places lost": ranked["right"] - ranked["left"],
                public: ranked["left_text"],
                private: ranked["right_text"],
            }
        ),
        name="splits",
        of=board.name,
        words=" ".join(left_out),
    )


def _gaps(
    board: BoardHistory,
    found: Compared,
    two: tuple[str, str],
    chosen: Sequence[str],
    names: dict[str, str],
) -> None:
    """Gap against expectation, with what noise or scatter alone would give."""
    document = found.document
    st.subheader("Gap against expectation", anchor=False)
    known = [one for one in document["entries"] if one["excess"] is not None]
    if not known:
        st.info("Nothing can be expected: no line goes through fewer than three entries.")
        return
    for text in usual_texts(document):
        st.caption(escaped(text))
    sign = -1 if found.lower else 1
    line = {entry: number for number, entry in enumerate(chosen)}
    far = sorted(known, key=lambda one: (one["entry"] not in line, -abs(one["excess"])))
    shown = sorted(far[:MOST_DOTS], key=lambda one: (-sign * one["excess"], one["entry"]))
    rows = pd.DataFrame(
        {
            "name": [names[one["entry"]] for one in shown],
            "excess": [float(one["excess"]) for one in shown],
            "low": [-found.bands.get(one["entry"], float("nan")) for one in shown],
            "high": [found.bands.get(one["entry"], float("nan")) for one in shown],
            "gap": [f"{one['gap']:+g}" for one in shown],
            "line": [line.get(one["entry"], -1) for one in shown],
        }
    )
    band = _band_text(found)
    more = len(known) - len(shown)
    left_out = f"{more} more lie nearer to 0; the table has all." if more else ""
    reading = READ_DOTS.format(public=escaped(two[0]), private=escaped(two[1]))
    if found.lower:
        reading += " Lower scores are better here, so to the right is better than usual."
    figure.show(
        partial(excess_dots.excess_dots, rows, band=band, title=board.title),
        reading,
        pd.DataFrame(
            {
                "Entry": [names[one["entry"]] for one in known],
                "Gap": [one["gap"] for one in known],
                "Excess": [one["excess"] for one in known],
                "Band, to each side": [found.bands.get(one["entry"]) for one in known],
                "Predicted": [one["predicted"] for one in known],
                "Predicted from": [one["predicted_low"] for one in known],
                "Predicted to": [one["predicted_high"] for one in known],
                "p (Holm)": [one["p_holm"] for one in known],
            }
        ).sort_values("Excess", ascending=found.lower, ignore_index=True),
        name="gaps",
        of=board.name,
        words=f"{escaped(band)}. {left_out}".strip(),
    )
    _may_be_said(document)


def _band_text(found: Compared) -> str:
    if not found.bands:
        return "No band: too few entries"
    if found.by_noise:
        return f"The band is what noise alone gives in 95 of 100 cases, from {found.errors}"
    return (
        "The band is the usual scatter of this board, 95 of 100 entries; the file does not say how "
        "many items a score rests on, so how much of it is noise is not known"
    )


def _may_be_said(document: dict[str, Any]) -> None:
    """What may honestly be said of who does better on public, the strongest first."""
    said, more = document["overfitting"], gainers(document)
    lines = [f"- {escaped(one['words'])}." for one in more[:MOST_WORDS]]
    if lines:
        st.markdown("\n".join(lines))
    if len(more) > MOST_WORDS:
        st.caption(f"{len(more) - MOST_WORDS} more gain more on public than on private.")
    if said["code"] is not None:
        st.caption(escaped(undecided_text("Whether noise explains it", said)))
    if more:
        st.caption(escaped(causes_text(said)))


def _over_time(
    board: BoardHistory,
    two: tuple[str, str],
    chosen: Sequence[str],
    both: pd.DataFrame,
    moment: Moment,
) -> None:
    """Both ranks of the chosen entries through time."""
    st.subheader("Over time", anchor=False)
    shown = list(chosen)
    if not shown:
        best = [both.sort_values(side)["entry"].head(FEW_TO_FOLLOW) for side in ("right", "left")]
        shown = list(dict.fromkeys(str(entry) for part in best for entry in part))
    if not shown:
        st.info("Choose an entry above to see both of its ranks through time.")
        return
    first, second = split_of.followed(board.name, two, shown)
    words = []
    if not chosen:
        words.append(
            escaped(f"Nobody is chosen: shown are the first {FEW_TO_FOLLOW} by each split.")
        )
    start = max(first.start, second.start)
    if start > board.readings["at"].min():
        words.append(f"Shown from {start:%Y-%m-%d %H:%M} UTC on: the chart holds no more.")
    parts = []
    for trail, split in ((first, two[0]), (second, two[1])):
        points = trail.focus
        until = points.groupby("segment")["at"].shift(-1)
        parts.append(points.assign(until=until, split=split)[~points["ends"].astype(bool)])
    rows = pd.concat(parts, ignore_index=True).sort_values(["line", "at", "split"])
    figure.show(
        partial(
            split_lines.split_lines,
            first,
            second,
            names=two,
            title=board.title,
            at=moment.at if address.said("at") else None,
        ),
        READ_LINES.format(public=escaped(two[0]), private=escaped(two[1])),
        pd.DataFrame(
            {
                "Entry": rows["name"],
                "By": rows["split"],
                "From (UTC)": rows["at"],
                "Until (UTC)": rows["until"],
                "Rank": rows["rank"],
                "Ranked": rows["n_ranked"],
                "Score then": rows["score_text"],
                "Commit": commits.cells(board, rows["commit"]),
            }
        ),
        columns={"Commit": commits.column(board)},
        name="splits-over-time",
        of=board.name,
        words=" ".join(words),
    )
