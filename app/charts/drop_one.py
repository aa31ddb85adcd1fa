"""Who is first without one of the parts, and by how much?

Averages in, an Altair chart out: a row for each case, a dot for each entry.
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import SHAPES, Ink, apart, name_axis, room

ROW = 34  # pixels


def drop_one(
    dots: pd.DataFrame, *, title: str, dark: bool = False, width: int | str = "container"
) -> Composed:
    """The average of each entry in each case; who is first there has a ring.

    Args:
        dots: name, line (place among the coloured entries, else -1), case (its title), column
            (order of the cases, from 0), mean, rank.
        title: for the description, plain text.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    ordered = dots.sort_values("column", kind="stable").drop_duplicates("column")
    cases = dict(
        zip(ordered["column"].tolist(), apart(ordered["case"].astype(str).tolist()), strict=True)
    )
    coloured = dots[dots["line"] >= 0].sort_values("line").drop_duplicates("line")
    names = dict(
        zip(coloured["line"].tolist(), apart(coloured["name"].astype(str).tolist()), strict=True)
    )
    rows = pd.DataFrame(
        {
            "name": [
                names.get(line, name)
                for line, name in zip(dots["line"], dots["name"].astype(str), strict=True)
            ],
            "line": dots["line"],
            "case": [cases[column] for column in dots["column"]],
            "mean": dots["mean"].astype(float),
            "told": [f"{mean:.4g}" for mean in dots["mean"]],
            "rank": dots["rank"].astype(int),
        }
    )
    axis = name_axis(ink, grid=True)
    y = alt.Y("case:N", title=None, axis=axis, scale=alt.Scale(domain=list(cases.values())))
    x = alt.X(
        "mean:Q", title="Average of the parts that stay", scale=alt.Scale(zero=False, nice=True)
    )
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("case:N", title="Case"),
        alt.Tooltip("rank:Q", title="Rank"),
        alt.Tooltip("told:N", title="Average"),
    ]
    layers: list[alt.Chart] = []
    others = rows[rows["line"] < 0]
    if len(others):  # marks of nobody have no name that a screen reader could say
        grey = alt.Chart(others).mark_point(filled=True, size=28, opacity=0.45, color=ink.quiet)
        layers.append(grey.encode(x=x, y=y, tooltip=tips))
    rings = alt.Chart(rows[rows["rank"] == 1]).mark_point(
        shape="circle", size=330, strokeWidth=2, filled=False, color=ink.text, opacity=1
    )
    layers.append(rings.encode(x=x, y=y, tooltip=tips))
    legend = alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=alt.ExprRef(room(1, 3)),
        labelLimit=260,
        symbolSize=90,
        symbolOpacity=1,
    )
    shown = list(names.values())
    lines = list(names)
    # Where two meet the better one is on top, and the other still seen.
    mine = rows[rows["line"] >= 0].sort_values("rank", ascending=False, kind="stable")
    marks = alt.Chart(mine).mark_point(filled=True, size=110, opacity=0.85)
    layers.append(
        marks.encode(
            x=x,
            y=y,
            color=alt.Color(
                "name:N",
                legend=legend,
                scale=alt.Scale(
                    domain=shown, range=[ink.colours[line % len(ink.colours)] for line in lines]
                ),
            ),
            shape=alt.Shape(
                "name:N",
                legend=legend,
                scale=alt.Scale(domain=shown, range=[SHAPES[line % len(SHAPES)] for line in lines]),
            ),
            tooltip=tips,
        )
    )
    first = rows[rows["rank"] == 1]
    words = "; ".join(
        f"{case}: {', '.join(first.loc[first['case'] == case, 'name'])}" for case in cases.values()
    )
    said = f"{title}: averages of entries in {len(cases)} cases. First: {words}."
    return finished(layers, said, ink, width, ROW * len(cases) + 10)
