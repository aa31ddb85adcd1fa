"""Which tie bands explain the published tie ranks?

Rules with their intervals in, an Altair chart out.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import Ink

ROW = 36  # pixels
BEYOND = 1.15  # how far an interval without an upper end is drawn


def band_bounds(
    fits: pd.DataFrame,
    declared: float | None,
    *,
    title: str,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """A bar per rule from the narrowest to the widest band that explains the ranks.

    Args:
        fits: rule (what stands above the bar), low, high (None: no upper end), words.
        declared: the band that the board says it has, drawn as a dashed rule; None: none.
        title: for the description, plain text.
    """
    ink = Ink(dark)
    ends = [
        end for end in [*fits["low"], *fits["high"], declared] if end is not None and end == end
    ]
    far = BEYOND * max(ends, default=1.0) or 1.0
    bars = pd.DataFrame(
        {
            "rule": fits["rule"].astype(str),
            "low": fits["low"].astype(float),
            "high": fits["high"].astype(float).fillna(far),
            "tip": fits["words"].astype(str),
        }
    )
    near = min([*bars["low"], declared if declared is not None else far])
    start = max(0.0, near - (far - near) * 0.15)
    x = alt.X(
        "low:Q",
        title="Band",
        scale=alt.Scale(domain=[start, far], nice=False),
        axis=alt.Axis(grid=False, tickCount=alt.ExprRef("ceil(width / 90)")),
    )
    y = alt.Y("rule:N", title=None, sort=None, axis=None)
    layers: list[Any] = [
        alt.Chart(bars)
        .mark_bar(size=12, color=ink.colours[0], clip=True)
        .encode(
            x=x,
            x2=alt.X2("high:Q"),
            y=y,
            tooltip=[alt.Tooltip("rule:N", title="Rule"), alt.Tooltip("tip:N", title="Band")],
            description=alt.Description("tip:N"),
        ),
        alt.Chart(bars)
        .mark_text(align="left", baseline="bottom", dy=-8, fontSize=12, color=ink.text)
        .encode(x=alt.value(0), y=y, text=alt.Text("rule:N")),
    ]
    if declared is not None:
        said = pd.DataFrame({"low": [declared], "label": [f"declared {declared:g}"]})
        layers.append(
            alt.Chart(said).mark_rule(strokeDash=[4, 3], strokeWidth=2, color=ink.text).encode(x=x)
        )
        layers.append(
            alt.Chart(said)
            .mark_text(
                align=alt.ExprRef("scale('x', datum.low) > width / 2 ? 'right' : 'left'"),
                dx=alt.ExprRef("scale('x', datum.low) > width / 2 ? -5 : 5"),
                dy=-2,
                baseline="bottom",
                fontSize=12,
                color=ink.text,
            )
            .encode(x=x, y=alt.value(0), text=alt.Text("label:N"))
        )
    words = "; ".join(f"{one.rule}: {one.tip}" for one in bars.itertuples(index=False))
    text = f"{title}: {words}" + ("" if declared is None else f"; declared {declared:g}")
    height = 16 + ROW * max(1, len(bars))
    return finished(layers, f"{text}.", ink, width, height)
