"""How does a history of ranks look?

A Trail in, an Altair chart out. Field names are safe aliases made here, never a
name from a board; times are drawn in UTC whatever the reader's clock says; each
series differs in colour and in dash or shape; each chart carries a description.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from urllib.parse import urlencode

import altair as alt
import pandas as pd

from app.charts.stretches import Trail
from app.charts.style import (
    Ink,
    all_ms,
    dodged,
    finished,
    ms,
    rank_axis,
    rank_domain,
    span,
    time_axis,
    utc,
)

DASHES = ([1, 0], [7, 3], [2, 2], [10, 3, 2, 3], [1, 0], [5, 5])
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
HEIGHT = 440
LABEL_GAP = 15
# Names of lines stand beside the plot; on a phone they get less room.
LABEL_LIMIT = "(containerSize()[0] || 900) < 560 ? 96 : 180"
MAX_EDITION_LABELS = 14


def rank_trail(
    trail: Trail,
    claims: pd.DataFrame | None = None,
    *,
    title: str,
    at: pd.Timestamp | None = None,
    dark: bool = False,
    width: int | str = "container",
) -> alt.LayerChart:
    """Rank over time, best on top; lines step at commits and never slope.

    A line runs as long as the entry was ranked; where it was not, or where
    nobody can read the file (hatched), there is a gap. Dashed rules are the first
    commits of editions, marks are claims at (time, claimed rank). Drag to move in
    time, Shift and wheel to zoom, double click to see all of it again.

    Args:
        trail: from app.charts.stretches.trail().
        claims: at, rank, verdict, text, sentence, id, board; one row per claim. They are
            shapes in rings, with the claim's id beside them, and open the claim.
        title: for the description, plain text.
        at: a moment to mark with a rule.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    x = time_axis(trail.start, trail.shown_until)
    y = rank_axis(trail.n_ranked)
    layers = [span(trail.start, trail.shown_until, x)]
    if len(trail.blanks):
        layers += _blanks(trail, x, ink)
    if len(trail.editions):
        layers += _editions(trail, x, ink)
    if len(trail.context):
        layers.append(_context(trail, x, y, ink))
    if len(trail.focus):
        layers += _focus(trail, x, y, ink)
    if claims is not None and len(claims):
        layers += _claims(claims, trail, x, y, ink)
    if at is not None:
        layers.append(_moment(at, trail, x, ink))
    zoom = alt.selection_interval(
        name="zoom", bind="scales", encodings=["x"], zoom="wheel![event.shiftKey]"
    )
    layers[0] = layers[0].add_params(zoom)
    return finished(alt.layer(*layers), trail_description(trail, title), ink, width, HEIGHT)


def trail_description(trail: Trail, title: str) -> str:
    """The rank chart in words, for those who cannot see it.

    Names of entries stand in it as plain text.
    """
    rows = trail.last.sort_values("rank")
    held = [f"{row.name} is {row.rank} of {row.n_ranked}" for row in rows.itertuples(index=False)]
    now = f" At the last look: {'; '.join(held)}." if held else ""
    return (
        f"{title}: rank over time from {utc(trail.start)} to {utc(trail.end)}, rank 1 on top, "
        f"logarithmic. In colour {trail.focus['entry'].nunique()}, in grey "
        f"{trail.context['entry'].nunique()} of the entries.{now}"
    )


def behind(trail: Trail, x: alt.X, ink: Ink) -> list[alt.Chart]:
    """What stands behind lines of ranks: times that nobody knows of, and where editions begin."""
    unseen = _blanks(trail, x, ink) if len(trail.blanks) else []
    return [*unseen, *(_editions(trail, x, ink) if len(trail.editions) else [])]


def within(times: pd.Series, trail: Trail) -> list[int]:
    """Times as milliseconds, those outside the axis at its ends.

    A state that began before the axis holds at its start; nothing changes after its end.
    """
    low, high = ms(trail.start), ms(trail.shown_until)
    return [min(max(time, low), high) for time in all_ms(times)]


def _blanks(trail: Trail, x: alt.X, ink: Ink) -> list[alt.Chart]:
    rows = pd.DataFrame(
        {
            "t": within(trail.blanks["start"], trail),
            "u": within(trail.blanks["end"], trail),
            "why": trail.blanks["why"].map({"absent": "no file", "unreadable": "not readable"}),
            "tip": [
                f"{utc(a)} to {utc(b)}"
                for a, b in zip(trail.blanks["start"], trail.blanks["end"], strict=True)
            ],
            "found": trail.blanks["found"].astype(str),
        }
    )
    tips = [
        alt.Tooltip("why:N", title="State"),
        alt.Tooltip("tip:N", title="Time"),
        alt.Tooltip("found:N", title="Found"),
    ]
    layers = []
    for why, fill in (("not readable", ink.hatch), ("no file", "rgba(128,128,128,0.06)")):
        part = rows[rows["why"] == why]
        if len(part):
            band = alt.Chart(part).mark_rect(color=fill, clip=True)
            layers.append(band.encode(x=x, x2="u:T", tooltip=tips, description="tip:N"))
    text = alt.Chart(rows).mark_text(
        align="left",
        baseline="top",
        angle=270,
        dx=-6,
        dy=3,
        fontSize=11,
        color=ink.quiet,
        clip=True,
    )
    layers.append(text.encode(x=x, y=alt.YValue(alt.ExprRef("height * 0.6")), text="why:N"))
    return layers


def _editions(trail: Trail, x: alt.X, ink: Ink) -> list[alt.Chart]:
    """Dashed rules at first commits; names stand upright beside them, at the foot."""
    named = trail.editions[trail.editions["at"] >= trail.start]
    rows = pd.DataFrame(
        {
            "t": all_ms(named["at"]),
            "label": named["label"].astype(str),
            "tip": [utc(t) for t in named["at"]],
        }
    )
    tips = [alt.Tooltip("label:N", title="Edition"), alt.Tooltip("tip:N", title="First commit")]
    rule = alt.Chart(rows).mark_rule(strokeDash=[3, 4], strokeWidth=1, color=ink.quiet, clip=True)
    step = max(1, math.ceil(len(rows) / MAX_EDITION_LABELS))
    text = alt.Chart(rows.iloc[::step]).mark_text(
        angle=270,
        align="left",
        baseline="top",
        dx=4,
        dy=3,
        limit=150,
        fontSize=11,
        color=ink.quiet,
        clip=True,
    )
    return [
        rule.encode(x=x, tooltip=tips),
        text.encode(x=x, y=alt.YValue(alt.ExprRef("height")), text="label:N", tooltip=tips),
    ]


def _moment(at: pd.Timestamp, trail: Trail, x: alt.X, ink: Ink) -> alt.Chart:
    row = pd.DataFrame({"t": within(pd.Series([at]), trail), "tip": [utc(at)]})
    rule = alt.Chart(row).mark_rule(strokeWidth=2, color=ink.text, opacity=0.7, clip=True)
    return rule.encode(x=x, tooltip=alt.Tooltip("tip:N", title="The chosen moment"))


def _context(trail: Trail, x: alt.X, y: alt.Y, ink: Ink) -> alt.Chart:
    points = trail.context
    rows = pd.DataFrame(
        {
            "t": within(points["at"], trail),
            "rank": points["rank"],
            "segment": points["segment"],
            "name": points["name"].astype(str),
        }
    )
    mark = alt.Chart(rows).mark_line(
        interpolate="step-after", strokeWidth=1, opacity=0.3, color=ink.quiet, clip=True
    )
    return mark.encode(x=x, y=y, detail="segment:N", tooltip=alt.Tooltip("name:N", title="Entry"))


def _focus(trail: Trail, x: alt.X, y: alt.Y, ink: Ink) -> list[alt.Chart]:
    points = trail.focus
    rows = pd.DataFrame(
        {
            "t": within(points["at"], trail),
            "rank": points["rank"],
            "line": points["line"],
            "segment": points["segment"],
            "name": points["name"].astype(str),
            "place": [
                f"{rank} of {n}" for rank, n in zip(points["rank"], points["n_ranked"], strict=True)
            ],
            "score": points["score_text"].astype(str),
            "tip": [utc(time) for time in points["at"]],
            "commit": points["commit"].str[:8],
            "ends": points["ends"],
        }
    )
    numbers = sorted(rows["line"].unique().tolist())
    colour = alt.Color("line:N", legend=None).scale(
        domain=numbers, range=[ink.colours[n % len(ink.colours)] for n in numbers]
    )
    dash = alt.StrokeDash("line:N", legend=None).scale(
        domain=numbers, range=[DASHES[n % len(DASHES)] for n in numbers]
    )
    hover = alt.selection_point(name="hover", on="pointerover", fields=["line"], empty=False)
    lines = (
        alt.Chart(rows)
        .mark_line(interpolate="step-after", clip=True, strokeJoin="round")
        .encode(
            x=x,
            y=y,
            detail="segment:N",
            color=colour,
            strokeDash=dash,
            strokeWidth=alt.when(hover).then(alt.value(4.5)).otherwise(alt.value(2.5)),
            tooltip=alt.Tooltip("name:N", title="Entry"),
        )
        .add_params(hover)
    )
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("place:N", title="Rank"),
        alt.Tooltip("score:N", title="Score"),
        alt.Tooltip("tip:N", title="Since"),
        alt.Tooltip("commit:N", title="Commit"),
    ]
    begins = rows[~rows["ends"]]
    dots = (
        alt.Chart(begins)
        .mark_point(filled=True, size=40 if len(begins) <= 300 else 12, opacity=1, clip=True)
        .encode(x=x, y=y, color=colour, tooltip=tips)
    )
    return [lines, dots, *_labels(trail, y, colour, ink)]


def _labels(trail: Trail, y: alt.Y, colour: alt.Color, ink: Ink) -> list[alt.Chart]:
    """Names at the right end instead of a legend, "left" for lines that ended before.

    They stand outside the plot, so they are not clipped as its marks are when the
    time axis can be moved.
    """
    ends = trail.focus.sort_values("at").drop_duplicates("line", keep="last")
    now = ends["at"] == trail.end
    low, high = rank_domain(trail.n_ranked)
    rows = pd.DataFrame(
        {
            "line": ends["line"],
            "rank": ends["rank"],
            "place": dodged(ends["rank"].tolist(), low, high, HEIGHT, LABEL_GAP),
            "label": [
                f"{rank} {name}" if held else f"({name})"
                for rank, name, held in zip(ends["rank"], ends["name"], now, strict=True)
            ],
            "name": ends["name"].astype(str),
        }
    )
    across = alt.XValue(alt.ExprRef("width + 4"))
    leader = alt.Chart(rows[now.to_numpy()]).mark_rule(strokeWidth=1.5, clip=False)
    text = alt.Chart(rows).mark_text(
        align="left",
        baseline="middle",
        dx=10,
        fontSize=12,
        fontWeight=600,
        limit=alt.ExprRef(LABEL_LIMIT),
        clip=False,
    )
    y_text = y.copy()
    y_text.shorthand = "place:Q"
    right = alt.XValue(alt.ExprRef("width")), alt.X2Value(alt.ExprRef("width + 11"))
    return [
        leader.encode(x=right[0], x2=right[1], y=y, y2="place:Q", color=colour),
        text.encode(
            x=across,
            y=y_text,
            text="label:N",
            color=colour,
            tooltip=alt.Tooltip("name:N", title="Entry"),
        ),
    ]


def _claims(claims: pd.DataFrame, trail: Trail, x: alt.X, y: alt.Y, ink: Ink) -> list[alt.Chart]:
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
        alt.Tooltip("sentence:N", title="Answer"),
    ]
    ring = alt.Chart(rows).mark_point(
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
        alt.Chart(rows)
        .mark_point(filled=True, size=110, opacity=1, clip=True)
        .encode(
            x=x,
            y=y,
            href="link:N",
            color=alt.Color("verdict:N", legend=legend).scale(
                domain=names, range=[ink.colours[VERDICTS[v][0]] for v in seen]
            ),
            shape=alt.Shape("verdict:N", legend=legend).scale(
                domain=names, range=[VERDICTS[v][1] for v in seen]
            ),
            tooltip=tips,
        )
    )
    # Claims at one place share a label, as their rings cover each other.
    together = rows.groupby(["t", "rank"], sort=False)["id"].agg(", ".join).reset_index()
    at_the_end = "scale('x', datum.t) > width - 12"
    label = alt.Chart(together).mark_text(
        align=alt.ExprRef(f"{at_the_end} ? 'right' : 'center'"),
        dx=alt.ExprRef(f"{at_the_end} ? 11 : 0"),
        dy=alt.ExprRef("scale('y', datum.rank) > height - 26 ? -19 : 19"),  # inside the plot
        baseline="middle",
        fontSize=11,
        fontWeight=600,
        color=ink.text,
        clip=True,
    )
    return [
        ring.encode(x=x, y=y, href="link:N", tooltip=tips),
        verdict,
        label.encode(x=x, y=y, text="id:N"),
    ]
