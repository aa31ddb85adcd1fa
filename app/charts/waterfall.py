"""How do causes add up from the rank before to the rank after?

Shares of a change of rank in, an Altair chart out. Start at cause_waterfall().
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from typing import Any

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import Ink, downwards
from history.records.change_record import rounded

LABEL, BAR, GAP = 17, 14, 9  # pixels
ROW = LABEL + BAR + GAP
MARGIN = 0.6  # places, at both ends of the axis
# What a click on a bar selects: the field TELLS of that bar.
PICK, TELLS = "pick", "tells"


def cause_waterfall(
    shares: Mapping[str, Fraction],
    before: int,
    after: int,
    *,
    title: str,
    told: Mapping[str, str] | None = None,
    picked: str | None = None,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """From one rank to another, a bar for each cause, each from where the one above it ended.

    Further left is better. Blue bars gained places, orange ones lost some; what each was worth
    stands above it, and adds up.

    Args:
        shares: causes in words and what they were worth in places, exactly; positive is worse.
            They add up to after - before.
        before, after: the ranks.
        title: for the description, plain text.
        told: what a click on the bar of a cause tells the page, by the cause; it can be selected
            if it is told of here. A picture in a file has no page beside it.
        picked: what the bar tells that has a rim; None: none has.

    Raises:
        ValueError: the shares do not add up.
    """
    if sum(shares.values(), Fraction(0)) != after - before:
        raise ValueError(f"causes add up to {sum(shares.values())}, ranks to {after - before}")
    ink = Ink(dark)
    bars = bars_of(shares, before)
    low = min([before, after, *bars["b"]]) - MARGIN
    high = max([before, after, *bars["b"]]) + MARGIN
    height = ROW * (len(bars) + 2)
    axis = alt.Axis(
        format="d",
        tickMinStep=1,
        tickCount=alt.ExprRef("ceil(width / 60)"),
        labelExpr="datum.value >= 1 ? datum.label : ''",
        labelOverlap="greedy",
    )
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    x = alt.X("a:Q", title="Rank (further left is better)", axis=axis, scale=scale)
    y = downwards(height)
    layers = []
    if len(bars):
        bars = bars.assign(
            y=[LABEL + ROW * place for place in range(1, len(bars) + 1)],
            v=[LABEL + BAR + ROW * place for place in range(1, len(bars) + 1)],
        )
        tips = [
            alt.Tooltip("cause:N", title="Cause"),
            alt.Tooltip("exact:N", title="Places"),
            alt.Tooltip("run:N", title="Running rank"),
        ]
        lost = {"test": "datum.b > datum.a", "value": ink.colours[1]}
        colour = alt.ColorValue(ink.colours[0], condition=lost)
        if told and width == "container":
            bars[TELLS] = bars["cause"].map(told)
            bars["rim"] = [ink.text if tells == picked else None for tells in bars[TELLS]]
        bar = alt.Chart(bars).mark_rect(strokeWidth=2)
        drawn = bar.encode(
            x=x,
            x2=alt.X2("b:Q"),
            y=y,
            y2=alt.Y2("v:Q"),
            color=colour,
            tooltip=tips,
            description=alt.Description("label:N"),
        )
        if TELLS in bars:
            pick = alt.selection_point(name=PICK, fields=[TELLS], empty=False)
            drawn = drawn.encode(stroke=alt.Stroke("rim:N", scale=None)).add_params(pick)
        layers.append(drawn)
    stops = pd.DataFrame(
        {
            "a": [before, after],
            "y": [LABEL, LABEL + ROW * (len(bars) + 1)],
            "v": [LABEL + BAR, LABEL + BAR + ROW * (len(bars) + 1)],
            "label": [f"Before: rank {before}", f"After: rank {after}"],
        }
    )
    ends = alt.Chart(stops).mark_rule(strokeWidth=4, color=ink.text)
    layers.append(
        ends.encode(x=x, y=y, y2=alt.Y2("v:Q"), tooltip=alt.Tooltip("label:N", title="Rank"))
    )
    running = [before, *bars["b"]]
    joints = pd.DataFrame(
        {
            "a": running,
            "y": [LABEL + ROW * place for place in range(len(running))],
            "v": [LABEL + BAR + ROW * (place + 1) for place in range(len(running))],
        }
    )
    joint = alt.Chart(joints).mark_rule(strokeDash=[2, 2], color=ink.faint, aria=False)
    layers.insert(0, joint.encode(x=x, y=y, y2=alt.Y2("v:Q")))
    words = pd.DataFrame(
        {
            "label": [stops["label"].iloc[0], *bars["label"], stops["label"].iloc[1]],
            "y": [ROW * place for place in range(len(bars) + 2)],
        }
    )
    looks: list[dict[str, Any]] = [
        {"stroke": ink.ground, "strokeWidth": 4, "aria": False},  # keeps the lines off the words
        {"color": ink.text},
    ]
    for look in looks:
        text = alt.Chart(words).mark_text(
            align="left", baseline="top", fontSize=13, limit=alt.ExprRef("width"), **look
        )
        layers.append(text.encode(x=alt.value(0), y=y, text=alt.Text("label:N")))
    said = "; ".join(bars["label"]) or "nothing was worth a place"
    described = f"{title}: rank {before} before, rank {after} after. {said}."
    return finished(layers, described, ink, width, height)


def bars_of(shares: Mapping[str, Fraction], before: int) -> pd.DataFrame:
    """Where each bar begins and ends, and what stands above it.

    >>> bars_of({"who joined": Fraction(5, 3), "its own score": Fraction(-2, 3)}, 4)["label"].tolist()
    ['+1.67 who joined: lost 5/3', '-0.67 its own score: gained 2/3']
    """
    drawn = rounded(shares)
    running = list(accumulate(shares.values(), initial=Fraction(before)))
    ends = [float(rank) for rank in running]
    rows = []
    for (cause, share), start, end in zip(shares.items(), ends, ends[1:], strict=False):
        number = str(abs(share)) if share.denominator == 1 else drawn[cause].removeprefix("-")
        worth = f"{'lost' if share > 0 else 'gained'} {abs(share)}"
        rows.append(
            {
                "cause": cause,
                "a": start,
                "b": end,
                "exact": f"{'+' if share > 0 else ''}{share}",
                "drawn": f"{'+' if share > 0 else '-'}{number}",
                "label": f"{'+' if share > 0 else '-'}{number} {cause}: {worth}",
                "run": f"{start:.2f} to {end:.2f}",
            }
        )
    return pd.DataFrame(rows, columns=["cause", "a", "b", "exact", "drawn", "label", "run"])
