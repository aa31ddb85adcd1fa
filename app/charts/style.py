"""What do all charts share?

Colours for a light and a dark ground, the axes of time and rank, and texts of times.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from app.tables import clean

# Altair refuses more than 5,000 rows; how much a chart may hold is for app/charts/stretches.py to say.
alt.data_transformers.disable_max_rows()
# Altair would check every piece when it is made; the whole is checked when it is drawn.
alt.utils.schemapi.disable_debug_mode()

# Okabe-Ito, each at 3:1 or better on its ground; the orange of the light row is
# darkened for that, plain orange has 2.25:1 on white.
ON_LIGHT = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#A66F00")
ON_DARK = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#FFFFFF")
# One for each colour: a series differs in colour and in shape or dash.
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")
DASHES = ([1, 0], [7, 3], [2, 2], [10, 3, 2, 3], [1, 0], [5, 5])
HOVER = "hover"  # name of the selection of what the pointer is at
LABEL_GAP = 15  # pixels between names at the ends of lines
WORD, LINE = 80, 400  # letters that are shown of a word and of a line from a board
JOINER = "\u2060"  # has no width
_LONG_WORD = re.compile(rf"\S{{{WORD + 1},}}")
RANK_TICKS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


def dodged(
    ranks: Sequence[float], top: float, bottom: float, height: float, gap: float
) -> list[float]:
    """Where labels of lines stand so that none covers another, as ranks.

    Labels keep their order and move as little as it takes, downwards first and
    then up from the lower edge.

    Args:
        ranks: of the lines, in any order.
        top: rank at the upper edge. bottom: at the lower one.
        height: of the plot in pixels. gap: between neighbours, in pixels.

    >>> [round(rank, 2) for rank in dodged([1, 1, 10], 1, 100, 200, 20)]
    [1.0, 1.58, 10.0]
    """
    unit = height / math.log(bottom / top)
    order = sorted(range(len(ranks)), key=lambda place: (ranks[place], place))
    pixels: list[float] = []
    for place in order:
        wanted = unit * math.log(ranks[place] / top)
        pixels.append(max(wanted, pixels[-1] + gap) if pixels else wanted)
    limit = height
    for number in range(len(pixels) - 1, -1, -1):
        pixels[number] = min(pixels[number], limit)
        limit = pixels[number] - gap
    placed = [0.0] * len(ranks)
    for place, pixel in zip(order, pixels, strict=True):
        placed[place] = top * math.exp(pixel / unit)
    return placed


def utc(time: pd.Timestamp) -> str:
    """A time as every tooltip and page writes it.

    >>> utc(pd.Timestamp("2026-03-01T00:30:00Z"))
    '2026-03-01 00:30 UTC'
    """
    return pd.Timestamp(time).tz_convert("UTC").strftime("%Y-%m-%d %H:%M UTC")


def short(text: str, most: int = LINE) -> str:
    r"""A text from a board: on one line, no longer than it can be read.

    Marks that turn the direction of what follows become escapes, as at the terminal; words and
    texts of more letters than anybody reads are cut.

    Args:
        text: from a board. most: letters that are left of it.

    >>> short("fern\u202e\n2"), len(short("x" * 5000)), len(short("word " * 500))
    ('fern\\u202e 2', 81, 400)
    """
    line = " ".join(text.split())
    if len(line) > WORD:
        line = _LONG_WORD.sub(lambda match: f"{match[0][:WORD]}…", line)
    return clean(line if len(line) <= most else f"{line[: most - 1]}…")


class Ink:
    """Colours for one ground.

    Attributes:
        dark: which ground. colours: of series, in order. text, quiet: of words.
        faint, grid: of thin lines. ground: behind the chart. hatch: of what is not known.
    """

    def __init__(self, dark: bool):
        self.dark = dark
        self.colours = ON_DARK if dark else ON_LIGHT
        self.text = "#FAFAFA" if dark else "#31333F"
        self.quiet = "#A3A8B4" if dark else "#5F6470"
        self.faint = "#8A8F9C" if dark else "#9AA0AA"
        self.ground = "#0E1117" if dark else "#FFFFFF"
        self.grid = "#2A2F3A" if dark else "#E9ECF1"
        self.hatch = hatch("#3A404E" if dark else "#D6DAE2")


def apart(names: Sequence[str]) -> list[str]:
    """Names as an axis or a legend can tell them apart: a sign without width makes twins differ.

    >>> len(set(apart(["fern", "fern", "moss"])))
    3
    """
    told: dict[str, None] = {}
    for name in names:
        while name in told:
            name += JOINER
        told[name] = None
    return list(told)


def room(narrow: int, wide: int) -> str:
    """An expression: one number on a phone, another on a wider page.

    >>> room(96, 180)
    '(containerSize()[0] || 900) < 560 ? 96 : 180'
    """
    return f"(containerSize()[0] || 900) < 560 ? {narrow} : {wide}"


def name_axis(ink: Ink, **more: Any) -> alt.Axis:
    """An axis of names: each is written, and cut only where it has no room."""
    return alt.Axis(
        labelLimit=alt.ExprRef(room(110, 220)),
        labelOverlap=False,
        labelColor=ink.text,
        ticks=False,
        domain=False,
        **more,
    )


def met(value: float) -> dict[str, Any]:
    """What holds of what the selection HOVER has met, as a condition of a channel.

    Written out: alt.when() goes through the whole schema, which takes longer than the chart.

    >>> met(4)
    {'param': 'hover', 'empty': False, 'value': 4}
    """
    return {"param": HOVER, "empty": False, "value": value}


def hatch(colour: str) -> dict[str, Any]:
    """Diagonal stripes; Vega has no patterns, but gradients with hard edges."""
    stops: list[dict[str, Any]] = []
    stripes = 24
    for number in range(stripes):
        ink = colour if number % 2 else "rgba(128,128,128,0.08)"
        stops += [
            {"offset": number / stripes, "color": ink},
            {"offset": (number + 1) / stripes, "color": ink},
        ]
    return {"gradient": "linear", "x1": 0, "y1": 0, "x2": 1, "y2": 1, "stops": stops}


def rank_domain(n_ranked: int) -> tuple[float, float]:
    """Upper and lower edge of a rank axis, with room for the mark of rank 1."""
    return 0.9, max(1.1 * n_ranked, 3.3)


def downwards(height: int) -> alt.Y:
    """The field `y` in pixels from the top, without an axis: for rows that are laid out here."""
    scale = alt.Scale(domain=[0, height], reverse=True, nice=False, zero=False)
    return alt.Y("y:Q", title=None, axis=None, scale=scale)


def rank_axis(n_ranked: int, edges: tuple[int, int] | None = None, *, axis: bool = True) -> alt.Y:
    """The field `rank`, 1 on top, logarithmic: half the interest is in the top ten.

    Args:
        n_ranked: the last rank.
        edges: lower and upper edge in pixels, of a part of the view that has its own name; None:
            all of it.
        axis: whether the ranks are written beside it.
    """
    low, high = rank_domain(n_ranked)
    ticks = [tick for tick in RANK_TICKS if tick <= high]
    written = alt.Axis(values=ticks, format="d", tickSize=0, orient="left", grid=True)
    scale: dict[str, Any] = {} if edges is None else {"range": list(edges)}
    return alt.Y(
        "rank:Q",
        title="Rank" if edges is None else None,
        axis=written if axis else None,
        scale=alt.Scale(type="log", reverse=True, domain=[low, high], nice=False, **scale),
    )


def time_axis(start: pd.Timestamp, end: pd.Timestamp, *, axis: bool = True) -> alt.X:
    """The field `t` in UTC: dates, times between them, the year at its first day.

    It reaches as far as the data do: span() is what makes it reach from start to end.
    (Vega-Lite as Streamlit ships it makes invalid dates of a domain that layers share.)
    """
    year = "utcFormat(datum.value, '%Y')"
    day = (
        f"utcFormat(datum.value, '{'%b %Y' if end - start > pd.Timedelta(days=300) else '%d %b'}')"
    )
    clock = "utcFormat(datum.value, '%H:%M')"
    first = "utcmonth(datum.value) == 0 && utcdate(datum.value) == 1"
    words = (
        f"utchours(datum.value) + utcminutes(datum.value) > 0 ? {clock} : {first} ? {year} : {day}"
    )
    written = alt.Axis(
        labelExpr=words,
        labelOverlap="greedy",
        tickCount=alt.ExprRef("ceil(width / 90)"),
        grid=False,
    )
    scale = alt.Scale(type="utc", nice=False)
    return alt.X("t:T", title=None, axis=written if axis else None, scale=scale)


def span(start: pd.Timestamp, end: pd.Timestamp, x: alt.X) -> alt.Chart:
    """Two invisible points at the ends of a time axis."""
    ends = pd.DataFrame({"t": [ms(start), max(ms(end), ms(start) + 1)]})
    return alt.Chart(ends).mark_point(opacity=0, aria=False).encode(x=x)


YOURS = alt.Tooltip("yours:N", title="Your time")  # of a chart that your_time() made


def your_time(chart: alt.Chart) -> alt.Chart:
    """A chart whose rows have the time `t` on the reader's own clock, too: the field `yours`."""
    return chart.transform_calculate(yours="timeFormat(datum.t, '%Y-%m-%d %H:%M %Z')")


def ms(time: pd.Timestamp) -> int:
    """Milliseconds since 1970: a number has no time zone to get wrong on its way to the browser."""
    return int(time.timestamp() * 1000)


def all_ms(times: pd.Series) -> list[int]:
    """The same for a column."""
    return times.astype("datetime64[ms, UTC]").astype("int64").tolist()
