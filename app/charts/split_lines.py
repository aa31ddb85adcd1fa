"""How did the ranks of an entry by two splits go, side by side?

Stretches of both splits in, an Altair chart out: step lines on one rank axis, the colour says
whose, the dash by which split.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from app.charts.behind import blanks, editions, moment
from app.charts.composed import Composed, finished
from app.charts.panels import Panel
from app.charts.stretches import Trail
from app.charts.style import (
    DASHES,
    LABEL_GAP,
    Ink,
    dodged,
    rank_axis,
    rank_domain,
    room,
    span,
    time_axis,
    utc,
    your_time,
)
from app.charts.trail_marks import within

HEIGHT = 400
PANEL = Panel(0, HEIGHT)
# Names and splits stand beside the plot; on a phone they get less room.
LABEL_LIMIT = room(110, 260)


def split_lines(
    first: Trail,
    second: Trail,
    *,
    names: tuple[str, str],
    title: str,
    at: pd.Timestamp | None = None,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """Rank over time by two splits; a solid line is the first, a dashed one the second.

    Args:
        first, second: the chosen entries by each split, from app.charts.stretches.trail().
        names: of the splits.
        title: for the description, plain text.
        at: a moment to mark with a rule.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    start, end = first.start, first.shown_until
    n_ranked = max(first.n_ranked, second.n_ranked)
    x, y = time_axis(start, end), rank_axis(n_ranked)
    zoom = alt.selection_interval(
        name="zoom", bind="scales", encodings=["x"], zoom="wheel![event.shiftKey]"
    )
    rows = pd.concat([_rows(first, names[0], 0), _rows(second, names[1], 1)], ignore_index=True)
    layers = [span(start, end, x).add_params(zoom)]
    if len(first.blanks):
        layers += blanks(first, x, PANEL, ink)
    if len(first.editions):
        layers += editions(first, x, PANEL, ink)
    if at is not None:
        layers.append(moment(at, first, x, ink))
    if len(rows):
        layers += _lines(rows, x, y, names, ink)
        layers += _labels(rows, y, n_ranked, ink)
    last = rows[rows["ends"] & (rows["until"])] if len(rows) else rows
    told = [f"{row.name} is {row.rank} by {row.split}" for row in last.itertuples(index=False)]
    words = (
        f"{title}: rank by {names[0]} (solid) and by {names[1]} (dashed) from {utc(start)} to "
        f"{utc(first.end)}, rank 1 on top, logarithmic. At the last look: "
        f"{'; '.join(told) or 'nobody of them is ranked'}."
    )
    return finished(layers, words, ink, width, HEIGHT)


def _rows(trail: Trail, split: str, number: int) -> pd.DataFrame:
    points = trail.focus
    pairs = zip(points["rank"], points["n_ranked"], strict=True)
    return pd.DataFrame(
        {
            "t": within(points["at"], trail),
            "rank": points["rank"],
            "line": points["line"],
            "segment": [f"{number} {segment}" for segment in points["segment"]],
            "name": points["name"].astype(str),
            "split": split,
            "place": [f"{rank} of {n}" for rank, n in pairs],
            "score": points["score_text"].astype(str),
            "tip": [utc(time) for time in points["at"]],
            "commit": points["commit"].str[:8],
            "ends": points["ends"].astype(bool),
            "until": (points["at"] == trail.end).astype(bool),
        }
    )


def _lines(
    rows: pd.DataFrame, x: alt.X, y: alt.Y, names: tuple[str, str], ink: Ink
) -> list[alt.Chart]:
    colour = _colour(rows, ink)
    dash = alt.StrokeDash(
        "split:N",
        legend=alt.Legend(
            title="Rank by",
            orient="bottom",
            direction="horizontal",
            symbolStrokeColor=ink.text,
            symbolSize=900,
        ),
        scale=alt.Scale(domain=list(names), range=[DASHES[0], DASHES[1]]),
    )
    lines = alt.Chart(rows).mark_line(
        interpolate="step-after", strokeWidth=2.5, clip=True, strokeJoin="round"
    )
    begins = your_time(alt.Chart(rows[~rows["ends"]]))
    dots = begins.mark_point(size=34, opacity=1, strokeWidth=2, clip=True)
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("split:N", title="By"),
        alt.Tooltip("place:N", title="Rank"),
        alt.Tooltip("score:N", title="Score then"),
        alt.Tooltip("tip:N", title="Since"),
        alt.Tooltip("yours:N", title="Your time"),
        alt.Tooltip("commit:N", title="Commit"),
    ]
    whose: Any = colour.to_dict()
    whole = {"test": "datum.ends || datum.segment[0] == '0'", **whose}
    filled = alt.FillValue(ink.ground, condition=whole)
    return [
        lines.encode(
            x=x,
            y=y,
            detail=alt.Detail("segment:N"),
            color=colour,
            strokeDash=dash,
            tooltip=[alt.Tooltip("name:N", title="Entry"), alt.Tooltip("split:N", title="By")],
        ),
        dots.encode(x=x, y=y, color=colour, fill=filled, tooltip=tips),
    ]


def _colour(rows: pd.DataFrame, ink: Ink) -> alt.Color:
    numbers = sorted(rows["line"].unique().tolist())
    return alt.Color(
        "line:N",
        legend=None,
        scale=alt.Scale(domain=numbers, range=[ink.colours[n % len(ink.colours)] for n in numbers]),
    )


def _labels(rows: pd.DataFrame, y: alt.Y, n_ranked: int, ink: Ink) -> list[alt.Chart]:
    """Whose line and by which split, at the right end."""
    ends = rows.sort_values("t", kind="stable").drop_duplicates(["line", "split"], keep="last")
    top, bottom = rank_domain(n_ranked)
    labels = pd.DataFrame(
        {
            "line": ends["line"],
            "spot": dodged(ends["rank"].tolist(), top, bottom, HEIGHT, LABEL_GAP),
            "label": [
                f"{row.rank} {row.name}, {row.split}" if row.until else f"({row.name}, {row.split})"
                for row in ends.itertuples(index=False)
            ],
        }
    )
    placed = y.copy()
    placed.shorthand = "spot:Q"
    text = alt.Chart(labels).mark_text(
        align="left",
        baseline="middle",
        fontSize=12,
        fontWeight=600,
        limit=alt.ExprRef(LABEL_LIMIT),
        clip=False,
    )
    return [
        text.encode(
            x=alt.XValue(alt.ExprRef("width + 8")),
            y=placed,
            text=alt.Text("label:N"),
            color=_colour(rows, ink),
        )
    ]
