"""How is one entry told from another, in every panel of the trail?

By a colour and a dash, which are the same in all panels, and by a name or number at the right end
of its line. Start at series_of().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd

from app.charts.stretches import Trail
from app.charts.style import DASHES, HOVER, Ink, all_ms, met, ms, room, your_time

# Names of lines stand beside the plot; on a phone they get less room.
LABEL_LIMIT = room(96, 180)
REACH = 16  # pixels around a line in which the pointer meets it
FEW = 300  # points that can be seen one by one
# The page that a point opens: its address but for the commit, as a value that no expression reads.
HERE = "here"


def hover() -> Any:
    """The line that the pointer is at, in whichever panel.

    Lines have no nearest one in Vega, only points have, and the nearest change of an entry may
    belong to another line than the nearest one: a line is met within half of REACH instead.
    """
    return alt.selection_point(
        name=HOVER, on="pointerover", clear="pointerout", fields=["line"], empty=False
    )


@dataclass(frozen=True)
class Series:
    """Colours and dashes of lines.

    Attributes:
        numbers: of the lines, places in the reader's choice.
        colours, dashes: of each of them.
        linked: whether a point opens its commit.
    """

    numbers: Sequence[int]
    colours: Sequence[str]
    dashes: Sequence[Sequence[int]]
    linked: bool

    @property
    def colour(self) -> alt.Color:
        """The field `line` as a colour."""
        scale = alt.Scale(domain=list(self.numbers), range=list(self.colours))
        return alt.Color("line:N", legend=None, scale=scale)

    @property
    def dash(self) -> alt.StrokeDash:
        """The field `line` as a dash."""
        dashes = [list(dash) for dash in self.dashes]
        scale = alt.Scale(domain=list(self.numbers), range=dashes)
        return alt.StrokeDash("line:N", legend=None, scale=scale)

    def dots(self, rows: pd.DataFrame, x: alt.X, y: alt.Y, tips: list[alt.Tooltip]) -> alt.Chart:
        """Where something changed: points that say what, and lead to their commit.

        Args:
            rows: t, line, tip, commit, ends, and what the axes and tooltips show.
        """
        begins = rows[~rows["ends"]]
        if self.linked:
            begins = begins.assign(full=begins["commit"])
        begins = begins.assign(commit=begins["commit"].astype(str).str[:8].astype("category"))
        size = 40 if len(begins) <= FEW else 12
        chart = your_time(alt.Chart(begins))
        if self.linked:
            chart = chart.transform_calculate(link=f"{HERE} + datum.full")
        mark = chart.mark_point(filled=True, size=size, opacity=1, clip=True)
        drawn = mark.encode(x=x, y=y, color=self.colour, tooltip=tips)
        return drawn.encode(href=alt.Href("link:N")) if self.linked else drawn

    def labels(
        self, rows: pd.DataFrame, y: alt.Y, stands: str, leads: pd.Series
    ) -> list[alt.Chart]:
        """Words at the right end instead of a legend, with a leader where a line still holds.

        They stand outside the plot, so they are not clipped as its marks are when the time axis
        can be moved.

        Args:
            rows: line, label, name, the field of `y`, and `stands`, where the label is.
            leads: which rows have a leader.
        """
        leader = alt.Chart(rows[leads.to_numpy()]).mark_rule(strokeWidth=1.5, clip=False)
        text = alt.Chart(rows).mark_text(
            align="left",
            baseline="middle",
            dx=10,
            fontSize=12,
            fontWeight=600,
            limit=alt.ExprRef(LABEL_LIMIT),
            clip=False,
        )
        at = y.copy()
        at.shorthand = f"{stands}:Q"
        right = alt.XValue(alt.ExprRef("width")), alt.X2Value(alt.ExprRef("width + 11"))
        return [
            leader.encode(
                x=right[0], x2=right[1], y=y, y2=alt.Y2(f"{stands}:Q"), color=self.colour
            ),
            text.encode(
                x=alt.XValue(alt.ExprRef("width + 4")),
                y=at,
                text=alt.Text("label:N"),
                color=self.colour,
                tooltip=alt.Tooltip("name:N", title="Entry"),
            ),
        ]


def series_of(numbers: Sequence[int], ink: Ink, linked: bool) -> Series:
    """The looks of some lines."""
    return Series(
        numbers,
        [ink.colours[number % len(ink.colours)] for number in numbers],
        [DASHES[number % len(DASHES)] for number in numbers],
        linked,
    )


def hover_lines(
    rows: pd.DataFrame, x: alt.X, y: alt.Y, series: Series, heard: bool
) -> list[alt.Chart]:
    """Lines that step and thicken at the pointer, below broad ones that nobody sees but it.

    Args:
        rows: t, line, segment, name and the field of `y`.
        heard: whether the selection hover() is made here. It hears whatever has a field `line`,
            in any panel, and a second one would be one too many for Vega.
    """
    base = alt.Chart(rows[["t", y.shorthand.removesuffix(":Q"), "line", "segment", "name"]])
    drawn = base.mark_line(interpolate="step-after", clip=True, strokeJoin="round").encode(
        x=x,
        y=y,
        detail=alt.Detail("segment:N"),
        color=series.colour,
        strokeDash=series.dash,
        strokeWidth=alt.StrokeWidthValue(2.5, condition=met(4.5)),
    )
    broad = base.mark_line(interpolate="step-after", clip=True, strokeWidth=REACH, opacity=0.001)
    tip = alt.Tooltip("name:N", title="Entry")
    detail = [alt.Detail("line:N"), alt.Detail("segment:N")]
    broad = broad.encode(x=x, y=y, detail=detail, tooltip=tip)
    return [drawn, broad.add_params(hover()) if heard else broad]


def within(times: pd.Series, trail: Trail) -> list[int]:
    """Times as milliseconds, those outside the axis at its ends.

    A state that began before the axis holds at its start; nothing changes after its end.
    """
    low, high = ms(trail.start), ms(trail.shown_until)
    return [min(max(time, low), high) for time in all_ms(times)]
