"""Who does better on public than others of the same public score, and is that more than noise?

Differences in, an Altair chart out: a row for each entry, a dot for its excess, and shaded what
is usual.
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import SHAPES, Ink, apart, name_axis

ROW = 22  # pixels


def excess_dots(
    rows: pd.DataFrame,
    *,
    band: str,
    title: str,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """Excess of each entry, the largest on top, with what noise or scatter alone would give.

    Args:
        rows: name, excess, low, high (ends of its band, missing where there is none), gap (text),
            line (place among the chosen entries, else -1); in the order of the rows.
        band: what the shaded band is, our own words.
        title: for the description, plain text.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    drawn = rows[["excess", "low", "high", "gap", "line"]].reset_index(drop=True)
    names = apart(rows["name"].astype(str).tolist())
    beyond = (drawn["excess"] > drawn["high"]) | (drawn["excess"] < drawn["low"])
    drawn = drawn.assign(
        name=names,
        told=[f"{value:+.2f}" for value in drawn["excess"]],
        range=[
            "not known" if pd.isna(low) else f"{low:+.2f} to {high:+.2f}"
            for low, high in zip(drawn["low"], drawn["high"], strict=True)
        ],
        says=["outside" if out else "inside" for out in beyond],
        ink=[
            ink.colours[line % len(ink.colours)] if line >= 0 else ink.text if out else ink.quiet
            for line, out in zip(drawn["line"], beyond, strict=True)
        ],
        shape=[SHAPES[line % len(SHAPES)] if line >= 0 else "circle" for line in drawn["line"]],
    )
    axis = name_axis(ink, grid=True, gridDash=[1, 3])
    y = alt.Y("name:N", title=None, axis=axis, scale=alt.Scale(domain=names))
    low = drawn[["excess", "low"]].min().min()
    high = drawn[["excess", "high"]].max().max()
    x = alt.X(
        "excess:Q",
        title="Excess, in units of the score",
        scale=alt.Scale(domain=[min(0, low), max(0, high)], nice=True, zero=True),
    )
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("told:N", title="Excess"),
        alt.Tooltip("gap:N", title="Gap"),
        alt.Tooltip("range:N", title="Band"),
    ]
    layers: list[alt.Chart] = []
    banded = drawn[drawn["low"].notna()]
    if len(banded):
        shade = alt.Chart(banded).mark_bar(
            color=ink.colours[0], opacity=0.22, height={"band": 1}, aria=False
        )
        layers.append(shade.encode(x=x.copy(), x2=alt.X2("high:Q"), y=y, tooltip=tips))
        layers[-1].encoding.x.shorthand = "low:Q"
    zero = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=ink.text, aria=False)
    layers.append(zero.encode(x=alt.X("zero:Q")))
    stem = alt.Chart(drawn.assign(zero=0)).mark_rule(strokeWidth=1.5, aria=False)
    colour = alt.Color("ink:N", scale=None, legend=None)
    layers.append(stem.encode(x=alt.X("zero:Q"), x2=alt.X2("excess:Q"), y=y, color=colour))
    dots = alt.Chart(drawn).mark_point(size=70, opacity=1, strokeWidth=2)
    layers.append(
        dots.encode(
            x=x,
            y=y,
            color=colour,
            fill=alt.FillValue(
                ink.ground,
                condition={
                    "test": "datum.says == 'outside'",
                    "field": "ink",
                    "type": "nominal",
                    "scale": None,
                },
            ),
            shape=alt.Shape("shape:N", scale=None, legend=None),
            tooltip=tips,
        )
    )
    out = [
        f"{name} {told}"
        for name, told, says in zip(names, drawn["told"], drawn["says"], strict=True)
        if says == "outside"
    ]
    said = "; ".join(out) or "nobody"
    words = f"{title}: excess of {len(drawn)} entries, the largest on top. Band: {band}. Outside it: {said}."
    return finished(layers, words, ink, width, ROW * max(1, len(drawn)))
