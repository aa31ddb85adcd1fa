"""What stands behind lines over time?

A Trail in, layers out: times that nobody knows of, first commits of editions, the chosen moment.
"""

from __future__ import annotations

import math

import altair as alt
import pandas as pd

from app.charts.panels import Panel
from app.charts.stretches import Trail
from app.charts.style import YOURS, Ink, all_ms, utc, your_time
from app.charts.trail_marks import within

MAX_EDITION_LABELS = 14


def blanks(trail: Trail, x: alt.X, panel: Panel, ink: Ink) -> list[alt.Chart]:
    """Times that nobody knows of, hatched where there was a file, with the reason in the panel."""
    rows = pd.DataFrame(
        {
            "t": within(trail.blanks["start"], trail),
            "u": within(trail.blanks["end"], trail),
            "why": trail.blanks["why"].map({"absent": "no file", "unreadable": "not readable"}),
            "tip": [
                f"{utc(a)} to {utc(b)}"
                for a, b in zip(trail.blanks["start"], trail.blanks["end"], strict=True)
            ],
            "found": trail.blanks["found"].astype(str),
        }
    )
    tips = [
        alt.Tooltip("why:N", title="State"),
        alt.Tooltip("tip:N", title="Time"),
        YOURS,
        alt.Tooltip("found:N", title="Found"),
    ]
    layers = []
    for why, fill in (("not readable", ink.hatch), ("no file", "rgba(128,128,128,0.06)")):
        part = rows[rows["why"] == why]
        if len(part):
            band = your_time(alt.Chart(part)).mark_rect(color=fill, clip=True)
            layers.append(
                band.encode(
                    x=x, x2=alt.X2("u:T"), tooltip=tips, description=alt.Description("tip:N")
                )
            )
    text = alt.Chart(rows).mark_text(
        align="left",
        baseline="top",
        angle=270,
        dx=-6,
        dy=3,
        fontSize=11,
        color=ink.quiet,
        clip=True,
    )
    layers.append(
        text.encode(x=x, y=alt.YValue(panel.top + 0.6 * panel.height), text=alt.Text("why:N"))
    )
    return layers


def editions(trail: Trail, x: alt.X, panel: Panel, ink: Ink) -> list[alt.Chart]:
    """Dashed rules at first commits; names stand upright beside them, at the foot."""
    named = trail.editions[trail.editions["at"] >= trail.start]
    rows = pd.DataFrame(
        {
            "t": all_ms(named["at"]),
            "label": named["label"].astype(str),
            "tip": [utc(t) for t in named["at"]],
        }
    )
    tips = [
        alt.Tooltip("label:N", title="Edition"),
        alt.Tooltip("tip:N", title="First commit"),
        YOURS,
    ]
    rule = your_time(alt.Chart(rows)).mark_rule(
        strokeDash=[3, 4], strokeWidth=1, color=ink.quiet, clip=True
    )
    step = max(1, math.ceil(len(rows) / MAX_EDITION_LABELS))
    text = your_time(alt.Chart(rows.iloc[::step])).mark_text(
        angle=270,
        align="left",
        baseline="top",
        dx=4,
        dy=3,
        limit=150,
        fontSize=11,
        color=ink.quiet,
        clip=True,
    )
    return [
        rule.encode(x=x, tooltip=tips),
        text.encode(x=x, y=alt.YValue(panel.bottom), text=alt.Text("label:N"), tooltip=tips),
    ]


def moment(at: pd.Timestamp, trail: Trail, x: alt.X, ink: Ink) -> alt.Chart:
    """A rule at the chosen moment."""
    row = pd.DataFrame({"t": within(pd.Series([at]), trail), "tip": [utc(at)]})
    rule = your_time(alt.Chart(row)).mark_rule(
        strokeWidth=2, color=ink.text, opacity=0.7, clip=True
    )
    return rule.encode(x=x, tooltip=[alt.Tooltip("tip:N", title="The chosen moment"), YOURS])
