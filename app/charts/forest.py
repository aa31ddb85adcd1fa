"""Within which ranks does each entry stand?

Scores with their errors in, an Altair chart out: a row for each entry, a rule for its interval,
a point for its score, its rank interval as text.
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import SHAPES, Ink, apart, name_axis

ROW = 22  # pixels


def forest(
    rows: pd.DataFrame,
    *,
    leader: tuple[float, float] | None,
    title: str,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """Scores with their intervals; shaded is the interval of the leader.

    Args:
        rows: name, score, low, high (ends of its interval, missing without an error), ranks
            (text), line (place among the chosen entries, else -1); in the order of the rows.
        leader: ends of the interval of the first entry, None without one.
        title: for the description, plain text.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    names = apart(rows["name"].astype(str).tolist())
    lines = rows["line"].tolist()
    drawn = pd.DataFrame(
        {
            "name": names,
            "score": rows["score"].astype(float).tolist(),
            "low": rows["low"].astype(float).tolist(),
            "high": rows["high"].astype(float).tolist(),
            "ranks": rows["ranks"].astype(str).tolist(),
            "told": [
                "not known" if pd.isna(low) else f"{low:.4g} to {high:.4g}"
                for low, high in zip(rows["low"], rows["high"], strict=True)
            ],
            "ink": [ink.colours[n % len(ink.colours)] if n >= 0 else ink.text for n in lines],
            "shape": [SHAPES[n % len(SHAPES)] if n >= 0 else "circle" for n in lines],
        }
    )
    axis = name_axis(ink)
    y = alt.Y("name:N", title=None, axis=axis, scale=alt.Scale(domain=names))
    x = alt.X("score:Q", title="Score", scale=alt.Scale(zero=False, nice=True))
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("score:Q", title="Score"),
        alt.Tooltip("told:N", title="Interval"),
        alt.Tooltip("ranks:N", title="Ranks"),
    ]
    layers: list[alt.Chart] = []
    if leader is not None:
        band = alt.Chart(pd.DataFrame({"from": [leader[0]], "to": [leader[1]]}))
        shade = band.mark_rect(color=ink.colours[0], opacity=0.16, aria=False)
        layers.append(shade.encode(x=alt.X("from:Q"), x2=alt.X2("to:Q")))
    colour = alt.Color("ink:N", scale=None, legend=None)
    known = drawn[drawn["low"].notna()]
    rule = alt.Chart(known).mark_rule(strokeWidth=2)
    layers.append(
        rule.encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=y, color=colour, tooltip=tips)
    )
    point = alt.Chart(drawn).mark_point(filled=True, size=70, opacity=1)
    layers.append(
        point.encode(
            x=x,
            y=y,
            color=colour,
            shape=alt.Shape("shape:N", scale=None, legend=None),
            tooltip=tips,
        )
    )
    text = alt.Chart(drawn).mark_text(align="left", baseline="middle", fontSize=12, color=ink.text)
    layers.append(
        text.encode(x=alt.XValue(alt.ExprRef("width + 10")), y=y, text=alt.Text("ranks:N"))
    )
    told = "; ".join(
        f"{name} {ranks}" for name, ranks in zip(names[:6], drawn["ranks"][:6], strict=True)
    )
    said = f"{title}: scores of {len(drawn)} entries with their intervals. Ranks: {told}."
    return finished(layers, said, ink, width, ROW * max(1, len(drawn)))
