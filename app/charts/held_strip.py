"""How does it look when something held, and when not?

Stretches of time in, an Altair chart out.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from app.charts.style import Ink, all_ms, finished, ms, span, time_axis, utc


def held_strip(
    stretches: pd.DataFrame,
    marks: pd.DataFrame,
    *,
    start: pd.Timestamp,
    end: pd.Timestamp,
    title: str,
    dark: bool = False,
    width: int | str = "container",
) -> alt.LayerChart:
    """When a statement held: a bar where it did, a thin line where it did not.

    Args:
        stretches: start, end, row, state ("held", "not held", "unknown"), text.
        marks: at, label: moments that the claim is about or was made at.
        start: left end of the axis, UTC. end: right end, the last look.
        title: for the description, plain text.
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
    y = alt.Y("row:N", title=None, sort=None).axis(labels=False, ticks=False, domain=False)
    layers = [span(start, end, x)]
    looks: dict[str, dict[str, Any]] = {
        "not held": {"size": 3, "color": ink.faint},
        "unknown": {"size": 24, "filled": False, "stroke": ink.quiet, "strokeDash": [4, 3]},
        "held": {"size": 26, "color": ink.colours[0]},
    }
    for state, look in looks.items():
        part = bars[bars["state"] == state]
        if len(part):
            mark = alt.Chart(part).mark_bar(clip=True, **look)
            layers.append(
                mark.encode(
                    x=x,
                    x2="u:T",
                    y=y,
                    tooltip=alt.Tooltip("tip:N", title="Time"),
                    description="tip:N",
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
        rule = alt.Chart(said).mark_rule(strokeDash=[4, 3], strokeWidth=2, color=ink.text)
        text = alt.Chart(said).mark_text(
            align=alt.ExprRef("scale('x', datum.t) > width / 2 ? 'right' : 'left'"),
            dx=alt.ExprRef("scale('x', datum.t) > width / 2 ? -5 : 5"),
            baseline="top",
            fontSize=12,
            color=ink.text,
        )
        tips = [alt.Tooltip("label:N", title="What"), alt.Tooltip("tip:N", title="Time")]
        layers += [rule.encode(x=x, tooltip=tips), text.encode(x=x, y=alt.value(0), text="label:N")]
    rows = max(1, bars["row"].nunique())
    words = "; ".join(f"{row.state}: {row.tip}" for row in bars.itertuples(index=False))
    return finished(alt.layer(*layers), f"{title}. {words}.", ink, width, 24 + 36 * rows)
