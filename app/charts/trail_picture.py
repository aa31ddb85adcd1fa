"""How did the top of a board look through time, in one picture?

A Trail in, an Altair chart out: who was first as a strip, ranks, and scores with their band of
ties, one beneath the other on one axis of time. Field names are safe aliases made here, never a
name from a board; times are drawn in UTC whatever the reader's clock says; each series differs in
colour and in dash or shape; the chart carries a description. Start at trail_picture().
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from app.charts.behind import blanks, editions, moment
from app.charts.composed import Composed, finished
from app.charts.first_place import strip_layers
from app.charts.panels import TITLE, Panel
from app.charts.rank_lines import rank_layers
from app.charts.score_lines import score_layers
from app.charts.score_stretches import Scores
from app.charts.stretches import Trail
from app.charts.style import Ink, span, time_axis, utc
from app.charts.trail_marks import HERE, series_of
from app.wording import holders
from history.records.records import Record

STRIP, RANKS, SCORES = 22, 380, 160  # pixels of each panel
GAP = 14  # above the name of a panel
LATEST = {True: "at the last look", False: "last"}


def trail_picture(
    trail: Trail,
    claims: pd.DataFrame | None = None,
    *,
    title: str,
    first: Sequence[Record] = (),
    scores: Scores | None = None,
    at: pd.Timestamp | None = None,
    here: str | None = None,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """First place, ranks and scores over time, on one axis that can be moved and zoomed.

    Hatched: nobody can read the file. Dashed rules are the first commits of editions, marks are
    claims at (time, claimed rank). Drag to move in time, Shift and wheel to zoom, double click to
    see all of it again.

    Args:
        trail: from app.charts.stretches.trail().
        claims: at, rank, verdict, text, sentence, id, board; one row per claim.
        title: for the description, plain text.
        first: the reigns, oldest first, as in the JSON of `reigns`; none: no strip.
        scores: from app.charts.score_stretches.scores(); None or no points: no scores.
        at: a moment to mark with a rule.
        here: the address that a point opens, but for its commit; None: points open nothing. A
            picture in a file has no page beside it, and its points open nothing.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    x = time_axis(trail.start, trail.shown_until)
    linked = here is not None and width == "container"
    numbers = sorted(trail.focus["line"].unique().tolist())
    series = series_of(numbers, ink, linked)
    strip = Panel(TITLE, STRIP)
    ranks = Panel((strip.bottom + GAP if first else 0) + TITLE, RANKS)
    ends = ranks.bottom
    layers: list[Any] = [span(trail.start, trail.shown_until, x)]
    if first:
        layers.append(strip_layers(first, trail, x, strip, ink, linked))
    if len(trail.blanks):
        layers += blanks(trail, x, ranks, ink)
    if len(trail.editions):
        layers += editions(trail, x, ranks, ink)
    layers.append(rank_layers(trail, claims, x, ranks, ink, series))
    if scores is not None and len(scores.points):
        below = Panel(ranks.bottom + GAP + TITLE, SCORES)
        ends = below.bottom
        layers.append(score_layers(scores, trail, x, below, ink, series))
    if at is not None:
        layers.append(moment(at, trail, x, ink))
    zoom = alt.selection_interval(
        name="zoom", bind="scales", encodings=["x"], zoom="wheel![event.shiftKey]"
    )
    layers[0] = layers[0].add_params(zoom)
    words = trail_description(trail, title, first, scores)
    values = {HERE: here} if linked and here else {}
    return finished(layers, words, ink, width, ends, values=values, own_y=True)


def trail_description(
    trail: Trail, title: str, first: Sequence[Record] = (), scores: Scores | None = None
) -> str:
    """The picture in words, for those who cannot see it.

    Names of entries stand in it as plain text.
    """
    rows = trail.last.sort_values("rank")
    held = [f"{row.name} is {row.rank} of {row.n_ranked}" for row in rows.itertuples(index=False)]
    now = f" At the last look: {'; '.join(held)}." if held else ""
    leads = f" First {LATEST[first[-1]['open']]}: {holders(first[-1])}." if first else ""
    more = " Beneath, the scores of those in colour." if scores is not None else ""
    if scores is not None and len(scores.ribbon):
        more = (
            " Beneath, the scores of those in colour, and the band in which they tie with the best."
        )
    return (
        f"{title}: rank over time from {utc(trail.start)} to {utc(trail.end)}, rank 1 on top, "
        f"logarithmic. In colour {trail.focus['entry'].nunique()}, in grey "
        f"{trail.context['entry'].nunique()} of the entries.{now}{leads}{more}"
    )
