"""How does it look when something held, and when not?

Stretches of time in, an Altair chart out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import YOURS, Ink, all_ms, ms, span, time_axis, utc, your_time

TALL, LABEL = 36, 18  # pixels of a row, and of its name above it


def held_strip(
    stretches: pd.DataFrame,
    marks: pd.DataFrame,
    *,
    start: pd.Timestamp,
    end: pd.Timestamp,
    title: str,
    heading: Sequence[str] = (),
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """When statements held: a bar where one did, a thin line where it did not.

    Args:
        stretches: start, end, row, state ("held", "not held", "unknown", "no file": then nothing
            is drawn), text. `row` is what is shown above a row, if there are several.
        marks: at, label: moments that the claim is about or was made at.
        start: left end of the axis, UTC. end: right end, the last look.
        title: for the description, plain text.
        heading: lines above a picture that has no page around it to say what it is.
    """
    ink = Ink(dark)
    x = time_axis(start, end)
    low, high = ms(start), ms(end)
    stretches = stretches[(stretches["start"] < end) & (stretches["end"] > start)]
    bars = pd.DataFrame(
        {
            "t": [max(time, low) for time in all_ms(stretches["start"])],
            "u": [min(time, high) for time in all_ms(stretches["end"])],
            "row": stretches["row"].astype(str),
            "state": stretches["state"].astype(str),
            "tip": stretches["text"].astype(str),
        }
    )
    rows = list(dict.fromkeys(bars["row"]))
    named = len(rows) > 1
    y = alt.Y("row:N", title=None, sort=rows, axis=None)
    layers = [span(start, end, x)]
    looks: dict[str, dict[str, Any]] = {
        "not held": {"size": 3, "color": ink.faint},
        "unknown": {"size": 24, "filled": False, "stroke": ink.quiet, "strokeDash": [4, 3]},
        "held": {"size": 26, "color": ink.colours[0]},
    }
    for state, look in looks.items():
        part = bars[bars["state"] == state]
        if len(part):
            mark = your_time(alt.Chart(part)).mark_bar(clip=True, **look)
            layers.append(
                mark.encode(
                    x=x,
                    x2=alt.X2("u:T"),
                    y=y,
                    tooltip=[
                        *([alt.Tooltip("row:N", title="What")] if named else []),
                        alt.Tooltip("tip:N", title="Time"),
                        alt.Tooltip("yours:N", title="Your time, from"),
                    ],
                    description=alt.Description("tip:N"),
                )
            )
    if len(marks):
        said = pd.DataFrame(
            {
                "t": all_ms(marks["at"]),
                "label": marks["label"].astype(str),
                "tip": [utc(t) for t in marks["at"]],
            }
        )
        rule = your_time(alt.Chart(said)).mark_rule(
            strokeDash=[4, 3], strokeWidth=2, color=ink.text
        )
        text = alt.Chart(said).mark_text(
            align=alt.ExprRef("scale('x', datum.t) > width / 2 ? 'right' : 'left'"),
            dx=alt.ExprRef("scale('x', datum.t) > width / 2 ? -5 : 5"),
            baseline="top",
            fontSize=12,
            color=ink.text,
        )
        tips = [alt.Tooltip("label:N", title="What"), alt.Tooltip("tip:N", title="Time"), YOURS]
        layers += [
            rule.encode(x=x, tooltip=tips),
            text.encode(x=x, y=alt.value(0), text=alt.Text("label:N")),
        ]
    if named:
        names = alt.Chart(pd.DataFrame({"row": rows})).mark_text(
            align="left", dy=-(TALL + LABEL) / 2 + 4, fontSize=12, color=ink.text, limit=330
        )
        layers.append(names.encode(x=alt.value(0), y=y, text=alt.Text("row:N")))
    words = "; ".join(
        f"{f'{one.row}: ' if named else ''}{one.state}: {one.tip}"
        for one in bars.itertuples(index=False)
    )
    height = 24 + (TALL + LABEL * named) * max(1, len(rows))
    return finished(
        layers,
        f"{title}. {words}.",
        ink,
        width,
        height,
        heading=_heading(heading, ink) if width != "container" else None,
    )


def _heading(lines: Sequence[str], ink: Ink) -> dict[str, Any] | None:
    """What a picture says above it; Vega shows text as it is."""
    if not lines:
        return None
    look = {"anchor": "start", "fontSize": 15, "lineHeight": 20, "color": ink.text, "offset": 14}
    return {"text": list(lines), **look}
