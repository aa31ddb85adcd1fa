"""How does a history of scores look?

Scores in, layers of a picture out: lines that step, and the band in which an entry ties with the
best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from app.charts.composed import Group
from app.charts.panels import Panel, title
from app.charts.score_stretches import Scores
from app.charts.stretches import Trail
from app.charts.style import LABEL_GAP, YOURS, Ink, dodged, utc, your_time
from app.charts.trail_marks import Series, hover_lines, within

RIBBON = "#56B4E9"  # the sky of Okabe-Ito
ROOM = 0.06  # of the span of the scores, above and below them


def score_layers(
    scores: Scores, trail: Trail, x: alt.X, panel: Panel, ink: Ink, series: Series
) -> Group:
    """Scores in step lines over the ribbon of ties, the best on top.

    Args:
        scores: at least one point.
        trail: whose axis of time it is.
        x: the axis of time.
        panel: where in the picture.
        series: colours and dashes of the lines.
    """
    low, high = _domain(scores)
    axis = alt.Axis(orient="left", tickCount=5, grid=True, tickSize=0)
    y = alt.Y(
        "score:Q",
        title=None,
        axis=axis,
        scale=alt.Scale(
            domain=[low, high],
            nice=False,
            zero=False,
            range=list(panel.edges),
            reverse=scores.lower,
        ),
    )
    words = "Score, the lowest is best and on top" if scores.lower else "Score"
    layers: list[Any] = [title(words, panel, ink)]
    if len(scores.ribbon):
        layers.append(_ribbon(scores, trail, x, y))
    layers.append(_best(scores, trail, x, y, ink))
    rows = _rows(scores.points, trail)
    layers += hover_lines(rows, x, y, series, heard=False)
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("text:N", title="Score"),
        alt.Tooltip("place:N", title="Rank"),
        alt.Tooltip("tip:N", title="Since"),
        YOURS,
        alt.Tooltip("commit:N", title="Commit"),
    ]
    layers.append(series.dots(rows, x, y, tips))
    layers += _labels(scores.points, trail.end, y, panel, (low, high), scores.lower, series)
    return Group(layers)


def _domain(scores: Scores) -> tuple[float, float]:
    shown = [scores.points["score"], scores.best["lead"], scores.ribbon["edge"]]
    numbers = pd.concat(shown).astype("float64")
    low, high = float(numbers.min()), float(numbers.max())
    room = ROOM * (high - low) or max(abs(high) * ROOM, 0.5)
    return low - room, high + room


def _rows(points: pd.DataFrame, trail: Trail) -> pd.DataFrame:
    places = zip(points["rank"], points["n_ranked"], strict=True)
    return pd.DataFrame(
        {
            "t": within(points["at"], trail),
            "score": points["score"],
            "line": points["line"].astype("int16"),
            "segment": points["segment"].astype("int32"),
            "name": points["name"].astype("category"),
            "text": points["score_text"].astype("category"),
            "place": pd.Categorical([f"{rank} of {n}" for rank, n in places]),
            "tip": pd.Categorical([utc(time) for time in points["at"]]),
            "commit": points["commit"].astype("category"),
            "ends": points["ends"],
        }
    )


def _ribbon(scores: Scores, trail: Trail, x: alt.X, y: alt.Y) -> alt.Chart:
    """The band in which an entry ties with the best, in sky."""
    points = scores.ribbon
    rows = pd.DataFrame(
        {
            **_of_the_best(points, trail),
            "edge": points["edge"],
            "band": points["band"].astype("category"),
            "last": points["edge_text"].astype("category"),
        }
    )
    tips = [
        alt.Tooltip("best:N", title="Best score"),
        alt.Tooltip("band:N", title="Tie band"),
        alt.Tooltip("last:N", title="It reaches to"),
        alt.Tooltip("tip:N", title="Since"),
        YOURS,
    ]
    lead = y.copy()
    lead.shorthand = "lead:Q"
    mark = your_time(alt.Chart(rows)).mark_area(
        interpolate="step-after", color=RIBBON, opacity=0.25, line=False, clip=True
    )
    return mark.encode(
        x=x, y=lead, y2=alt.Y2("edge:Q"), detail=alt.Detail("segment:N"), tooltip=tips
    )


def _best(scores: Scores, trail: Trail, x: alt.X, y: alt.Y, ink: Ink) -> alt.Chart:
    """The best score as a thin line in grey."""
    rows = pd.DataFrame(_of_the_best(scores.best, trail))
    lead = y.copy()
    lead.shorthand = "lead:Q"
    mark = your_time(alt.Chart(rows)).mark_line(
        interpolate="step-after", color=ink.faint, strokeWidth=1.5, clip=True
    )
    tips = [
        alt.Tooltip("best:N", title="Best score"),
        alt.Tooltip("tip:N", title="Since"),
        YOURS,
    ]
    return mark.encode(x=x, y=lead, detail=alt.Detail("segment:N"), tooltip=tips)


def _of_the_best(points: pd.DataFrame, trail: Trail) -> dict[str, Any]:
    return {
        "t": within(points["at"], trail),
        "lead": points["lead"],
        "segment": points["segment"].astype("int32"),
        "best": points["lead_text"].astype("category"),
        "tip": pd.Categorical([utc(time) for time in points["at"]]),
    }


def _labels(
    points: pd.DataFrame,
    end: pd.Timestamp,
    y: alt.Y,
    panel: Panel,
    domain: Sequence[float],
    lower: bool,
    series: Series,
) -> list[alt.Chart]:
    """The scores that hold at the last look, at the right end."""
    held = points[points["ends"] & (points["at"] == end)]
    if held.empty:
        return []
    low, high = domain
    part = (held["score"] - low) / (high - low)
    down = part if lower else 1 - part
    # dodged() knows logarithms: a place that goes down evenly is one of its own making.
    stands = dodged([math.exp(one) for one in down], 1, math.e, panel.height, LABEL_GAP)
    shares = [math.log(one) if lower else 1 - math.log(one) for one in stands]
    rows = pd.DataFrame(
        {
            "line": held["line"],
            "score": held["score"],
            "stands": [low + share * (high - low) for share in shares],
            "label": held["score_text"],
            "name": held["name"],
        }
    )
    return series.labels(rows, y, "stands", leads=pd.Series(True, rows.index))
