"""How does a history of ranks look?

A Trail in, layers of a picture out: coloured lines that step, the others in grey, and claims.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import altair as alt
import pandas as pd

from app.charts.composed import Group
from app.charts.panels import Panel, title
from app.charts.stretches import Trail
from app.charts.style import (
    LABEL_GAP,
    YOURS,
    Ink,
    dodged,
    met,
    rank_axis,
    rank_domain,
    utc,
    your_time,
)
from app.charts.trail_marks import Series, hover_lines, within

VERDICTS: Mapping[str, tuple[int, str]] = {
    "true": (2, "circle"),
    "false": (1, "cross"),
    "within_rounding": (0, "diamond"),
    "true_then_false": (3, "triangle-down"),
    "false_then_true": (3, "triangle-up"),
    "tied_not_first": (5, "square"),
    "true_under_other": (0, "triangle-right"),
    "not_decidable": (4, "triangle-left"),
}
GREY = 100  # number of the first line without a colour
ROOM_BELOW = 26  # pixels that the label of a claim needs below it


def rank_layers(
    trail: Trail,
    claims: pd.DataFrame | None,
    x: alt.X,
    panel: Panel,
    ink: Ink,
    series: Series,
) -> Group:
    """Rank over time, best on top; lines step at commits and never slope.

    A line runs as long as the entry was ranked; where it was not, or where nobody can read the
    file, there is a gap.

    Args:
        trail: from app.charts.stretches.trail().
        claims: at, rank, verdict, text, sentence, id, board; one row per claim. They are
            shapes in rings, with the claim's id beside them, and open the claim.
        x: the axis of time.
        panel: where in the picture.
        series: colours and dashes of the lines.
    """
    y = rank_axis(trail.n_ranked, panel.edges)
    layers: list[Any] = [title("Rank, 1 on top", panel, ink)]
    if len(trail.context):
        layers.append(_context(trail, x, y, ink, hovers=bool(len(trail.focus))))
    if len(trail.focus):
        layers += _focus(trail, x, y, panel, series)
    else:  # an axis needs something that stands at it
        nobody = pd.DataFrame({"rank": [1]})
        layers.append(alt.Chart(nobody).mark_point(opacity=0, aria=False).encode(y=y))
    if claims is not None and len(claims):
        layers += _claims(claims, trail, x, y, panel, ink)
    return Group(layers)


def _context(trail: Trail, x: alt.X, y: alt.Y, ink: Ink, hovers: bool) -> alt.Chart:
    points = trail.context
    rows = pd.DataFrame(
        {
            "t": within(points["at"], trail),
            "rank": points["rank"].astype("int32"),
            "line": (GREY + points["line"]).astype("int32"),
            "segment": points["segment"].astype("int32"),
            "name": points["name"].astype("category"),
        }
    )
    mark = alt.Chart(rows).mark_line(interpolate="step-after", color=ink.quiet, clip=True)
    tip = alt.Tooltip("name:N", title="Entry")
    drawn = mark.encode(
        x=x, y=y, detail=[alt.Detail("line:N"), alt.Detail("segment:N")], tooltip=tip
    )
    if not hovers:  # without a line in colour nobody makes the selection
        return drawn.encode(opacity=alt.OpacityValue(0.3), strokeWidth=alt.StrokeWidthValue(1))
    return drawn.encode(
        opacity=alt.OpacityValue(0.3, condition=met(1)),
        strokeWidth=alt.StrokeWidthValue(1, condition=met(2)),
    )


def _focus(trail: Trail, x: alt.X, y: alt.Y, panel: Panel, series: Series) -> list[alt.Chart]:
    points = trail.focus
    places = zip(points["rank"], points["n_ranked"], strict=True)
    rows = pd.DataFrame(
        {
            "t": within(points["at"], trail),
            "rank": points["rank"].astype("int32"),
            "line": points["line"].astype("int16"),
            "segment": points["segment"].astype("int32"),
            "name": points["name"].astype("category"),
            "place": pd.Categorical([f"{rank} of {n}" for rank, n in places]),
            "score": points["score_text"].astype("category"),
            "tip": pd.Categorical([utc(time) for time in points["at"]]),
            "commit": points["commit"].astype("category"),
            "ends": points["ends"],
        }
    )
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("place:N", title="Rank"),
        alt.Tooltip("score:N", title="Score"),
        alt.Tooltip("tip:N", title="Since"),
        YOURS,
        alt.Tooltip("commit:N", title="Commit"),
    ]
    lines = hover_lines(rows, x, y, series, heard=True)
    return [*lines, series.dots(rows, x, y, tips), *_labels(trail, y, panel, series)]


def _labels(trail: Trail, y: alt.Y, panel: Panel, series: Series) -> list[alt.Chart]:
    """Rank and name of each line, its name in brackets if it ended before."""
    ends = trail.focus.sort_values("at").drop_duplicates("line", keep="last")
    now = ends["at"] == trail.end
    low, high = rank_domain(trail.n_ranked)
    rows = pd.DataFrame(
        {
            "line": ends["line"],
            "rank": ends["rank"],
            "place": dodged(ends["rank"].tolist(), low, high, panel.height, LABEL_GAP),
            "label": [
                f"{rank} {name}" if held else f"({name})"
                for rank, name, held in zip(ends["rank"], ends["name"], now, strict=True)
            ],
            "name": ends["name"].astype(str),
        }
    )
    return series.labels(rows, y, "place", now)


def _claims(
    claims: pd.DataFrame, trail: Trail, x: alt.X, y: alt.Y, panel: Panel, ink: Ink
) -> list[alt.Chart]:
    """A shape in the verdict's colour, in a ring of no line's colour, and the claim's id."""
    rows = pd.DataFrame(
        {
            "t": within(claims["at"], trail),
            "rank": claims["rank"],
            "verdict": claims["verdict"].str.replace("_", " "),
            "text": claims["text"].astype(str),
            "sentence": claims["sentence"].astype(str),
            "id": claims["id"].astype(str),
            "tip": [utc(time) for time in claims["at"]],
            "link": [
                "claims?" + urlencode({"board": board, "claim": claim})
                for board, claim in zip(claims["board"], claims["id"], strict=True)
            ],
        }
    )
    seen = [verdict for verdict in VERDICTS if verdict in set(claims["verdict"])]
    names = [verdict.replace("_", " ") for verdict in seen]
    legend = alt.Legend(title="Claim was", orient="bottom", direction="horizontal", columns=4)
    tips = [
        alt.Tooltip("id:N", title="Claim"),
        alt.Tooltip("text:N", title="Text"),
        alt.Tooltip("verdict:N", title="Verdict"),
        alt.Tooltip("tip:N", title="Time"),
        YOURS,
        alt.Tooltip("sentence:N", title="Answer"),
    ]
    ring = your_time(alt.Chart(rows)).mark_point(
        shape="circle",
        filled=True,
        size=380,
        opacity=1,
        fill=ink.ground,
        stroke=ink.text,
        strokeWidth=1.5,
        clip=True,
    )
    verdict = (
        your_time(alt.Chart(rows))
        .mark_point(filled=True, size=110, opacity=1, clip=True)
        .encode(
            x=x,
            y=y,
            href=alt.Href("link:N"),
            color=alt.Color(
                "verdict:N",
                legend=legend,
                scale=alt.Scale(domain=names, range=[ink.colours[VERDICTS[v][0]] for v in seen]),
            ),
            shape=alt.Shape(
                "verdict:N",
                legend=legend,
                scale=alt.Scale(domain=names, range=[VERDICTS[v][1] for v in seen]),
            ),
            tooltip=tips,
        )
    )
    # Claims at one place share a label, as their rings cover each other.
    together = rows.groupby(["t", "rank"], sort=False)["id"].agg(", ".join).reset_index()
    low, high = rank_domain(trail.n_ranked)
    down = [panel.height * math.log(rank / low, high / low) for rank in together["rank"]]
    together["below"] = [pixels < panel.height - ROOM_BELOW for pixels in down]
    at_the_end = "scale('x', datum.t) > width - 12"
    label = alt.Chart(together).mark_text(
        align=alt.ExprRef(f"{at_the_end} ? 'right' : 'center'"),
        dx=alt.ExprRef(f"{at_the_end} ? 11 : 0"),
        dy=alt.ExprRef("datum.below ? 19 : -19"),  # inside the panel
        baseline="middle",
        fontSize=11,
        fontWeight=600,
        color=ink.text,
        clip=True,
    )
    return [
        ring.encode(x=x, y=y, href=alt.Href("link:N"), tooltip=tips),
        verdict,
        label.encode(x=x, y=y, text=alt.Text("id:N")),
    ]
