"""How far off was the formula at worst, in each version?

Versions in, an Altair chart out.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import YOURS, Ink, all_ms, span, time_axis, utc, your_time

HEIGHT = 220
# Colour and shape say the same.
LOOKS = {
    "all scores are what it gives": (0, "circle"),
    "some are not": (1, "cross"),
}


def changes(course: pd.DataFrame) -> pd.DataFrame:
    """The versions at which something changed: what is drawn.

    Args:
        course: at, commit, worst, compared, wrong, until; a row per version, in order.

    Returns:
        The same with `segment`, a number per line: it ends where a version says nothing.

    >>> frame = pd.DataFrame({"worst": [0.1, 0.1, 0.3, 0.3], "wrong": [0, 0, 2, 2], "compared": 9,
    ...     "at": [1, 2, 3, 5], "until": [2, 3, 4, 6]})
    >>> changes(frame)["segment"].to_dict()
    {0: 1, 2: 1, 3: 2}
    """
    numbered = _numbered(course)
    told = numbered[["worst", "wrong", "compared", "segment"]]
    return numbered[(told != told.shift()).any(axis=1)]


def _numbered(course: pd.DataFrame) -> pd.DataFrame:
    return course.assign(segment=(course["at"] != course["until"].shift()).cumsum())


def residual_course(
    course: pd.DataFrame,
    *,
    end: pd.Timestamp,
    title: str,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """The largest difference between a printed and a computed score, over time.

    It holds until the next version, so lines are steps; a version that says nothing is a gap.

    Args:
        course: at, commit, worst, compared, wrong, until; at least one row, in order.
        end: right end of the axis.
        title: for the description, plain text.
    """
    ink = Ink(dark)
    drawn = changes(course)
    start = course["at"].iloc[0]
    x = time_axis(start, end)
    ends = _numbered(course).drop_duplicates("segment", keep="last")
    steps = pd.DataFrame(
        {
            "t": [*all_ms(drawn["at"]), *all_ms(ends["until"].where(ends["until"] <= end, end))],
            "worst": [*drawn["worst"], *ends["worst"]],
            "segment": [*drawn["segment"], *ends["segment"]],
        }
    )
    names = list(LOOKS)
    dots = pd.DataFrame(
        {
            "t": all_ms(drawn["at"]),
            "worst": drawn["worst"].astype(float),
            "how": [names[bool(wrong)] for wrong in drawn["wrong"]],
            "tip": [utc(at) for at in drawn["at"]],
            "commit": drawn["commit"].str[:8],
            "far": [f"{worst:.4g}" for worst in drawn["worst"]],
            "size": [
                f"{wrong} of {compared}"
                for wrong, compared in zip(drawn["wrong"], drawn["compared"], strict=True)
            ],
        }
    )
    there = [name for name in names if (dots["how"] == name).any()]
    y = alt.Y("worst:Q", title="Farthest off", scale=alt.Scale(zero=True, nice=True))
    layers: list[Any] = [
        span(start, end, x),
        alt.Chart(steps)
        .mark_line(interpolate="step-after", color=ink.faint, strokeWidth=1.5)
        .encode(x=x, y=y, detail=alt.Detail("segment:N")),
        your_time(alt.Chart(dots))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "how:N",
                title=None,
                scale=alt.Scale(
                    domain=there, range=[ink.colours[LOOKS[name][0]] for name in there]
                ),
                legend=alt.Legend(orient="top", labelLimit=300),
            ),
            shape=alt.Shape(
                "how:N",
                title=None,
                scale=alt.Scale(domain=there, range=[LOOKS[name][1] for name in there]),
            ),
            tooltip=[
                alt.Tooltip("tip:N", title="Published"),
                YOURS,
                alt.Tooltip("far:N", title="Farthest off"),
                alt.Tooltip("size:N", title="Scores that it does not give"),
                alt.Tooltip("commit:N", title="Commit"),
            ],
            description=alt.Description("tip:N"),
        ),
    ]
    bad = int((course["wrong"] > 0).sum())
    words = f"{title}, from {utc(start)} to {utc(end)}: {len(course)} versions, in {bad} of them "
    words += f"some score is not what the formula gives; farthest off {course['worst'].max():.4g}."
    return finished(layers, words, ink, width, HEIGHT)
