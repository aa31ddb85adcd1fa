"""Who was first, from when to when, as a strip?

In: the reigns as in the JSON of `reigns`. Out: layers of a picture. A reign has the colour that
its holder has in the other panels, and a grey if it has none; who shares first place shares the
height of the strip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
import pandas as pd

from app.charts.composed import Group
from app.charts.panels import Panel, title
from app.charts.stretches import Trail
from app.charts.style import YOURS, Ink, all_ms, utc, your_time
from app.charts.trail_marks import HERE
from app.wording import holders, reign_length
from history.records.records import Record

NO_LINE = -1  # of a holder that has no colour
MOST = 4  # who share first place and still have a stripe each
NARROW = 34  # pixels in which no name can be read
GREYS = {False: ("#B9BEC7", "#D9DCE2"), True: ("#6B7280", "#4B5260")}  # by dark: by turns
DIM = 0.4  # luminance of a bar below which white is read better on it than black


def strip_layers(
    first: Sequence[Record], trail: Trail, x: alt.X, panel: Panel, ink: Ink, linked: bool
) -> Group:
    """A bar for each reign and holder, with the holder's name where there is room.

    Args:
        first: the reigns, oldest first.
        trail: whose axis of time and colours it has.
        x: the axis of time.
        panel: where in the picture.
        linked: whether a bar opens the commit with which the reign began.
    """
    layers: list[Any] = [title("First place", panel, ink)]
    rows = pd.DataFrame(list(_bars(first, trail, ink)), columns=_COLUMNS)
    rows = rows[rows["t"] < rows["u"]]
    if len(rows):
        layers += _drawn(rows, x, panel, ink, linked)
    return Group(layers)


_COLUMNS = [
    "t",
    "u",
    "high",
    "low",
    "line",
    "fill",
    "ink",
    "name",
    "who",
    "tip",
    "until",
    "length",
    "full",
]


def _bars(first: Sequence[Record], trail: Trail, ink: Ink) -> Iterator[tuple[Any, ...]]:
    lines = dict(trail.focus[["entry", "line"]].itertuples(index=False, name=None))
    greys = GREYS[ink.ground != "#FFFFFF"]
    low, high = all_ms(pd.Series([trail.start, trail.shown_until]))
    for number, one in enumerate(first):
        begins = pd.Timestamp(one["from"])
        ends = trail.end if one["until"] is None else pd.Timestamp(one["until"])
        start, end = all_ms(pd.Series([begins, ends]))
        held = one["entries"] if len(one["entries"]) <= MOST else [None]
        for place, entry in enumerate(held):
            line = lines.get(entry, NO_LINE)
            fill = greys[number % len(greys)]
            if line != NO_LINE:
                fill = ink.colours[line % len(ink.colours)]
            yield (
                max(start, low),
                min(end, high),
                1 - place / len(held),
                1 - (place + 1) / len(held),
                line,
                fill,
                "#FFFFFF" if _luminance(fill) < DIM else "#000000",
                "" if len(held) > 1 else one["names"].get(entry, f"{len(one['entries'])} share it"),
                holders(one),
                utc(begins),
                "(still)" if one["open"] else utc(ends),
                reign_length(one),
                one["from_commit"],
            )


def _drawn(
    rows: pd.DataFrame, x: alt.X, panel: Panel, ink: Ink, linked: bool
) -> Iterator[alt.Chart]:
    tips = [
        alt.Tooltip("who:N", title="First"),
        alt.Tooltip("tip:N", title="From"),
        YOURS,
        alt.Tooltip("until:N", title="Until"),
        alt.Tooltip("length:N", title="How long"),
    ]
    y = alt.Y(
        "high:Q",
        title=None,
        axis=None,
        scale=alt.Scale(domain=[0, 1], nice=False, range=list(panel.edges)),
    )
    chart = your_time(alt.Chart(rows.drop(columns=[] if linked else "full")))
    if linked:
        chart = chart.transform_calculate(link=f"{HERE} + datum.full")
    bars = chart.mark_rect(clip=True).encode(
        x=x,
        x2=alt.X2("u:T"),
        y=y,
        y2=alt.Y2("low:Q"),
        color=alt.Color("fill:N", scale=None, legend=None),
        tooltip=tips,
        description=alt.Description("who:N"),
    )
    yield bars.encode(href=alt.Href("link:N")) if linked else bars
    room = "scale('x', datum.u) - max(0, scale('x', datum.t))"
    words = alt.Chart(rows[rows["name"] != ""][["t", "u", "high", "low", "ink", "name"]]).mark_text(
        align="left",
        baseline="middle",
        dx=6,
        x=alt.ExprRef("max(0, scale('x', datum.t))"),
        limit=alt.ExprRef(f"max(1, {room} - 10)"),
        opacity=alt.ExprRef(f"{room} > {NARROW} ? 1 : 0"),
        fontSize=12,
        clip=True,
    )
    middle = alt.YValue(panel.top + panel.height / 2)
    yield words.encode(
        y=middle, text=alt.Text("name:N"), color=alt.Color("ink:N", scale=None, legend=None)
    )


def _luminance(colour: str) -> float:
    """How bright a colour is, roughly: 0 is black, 1 is white."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
