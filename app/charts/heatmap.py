"""How do the ranks of many entries look at one glance?

Ranks in, an Altair chart out: a row for each entry, a cell for each stretch of time
(rank_heatmap) or for each case (case_heatmap). Colours are six classes of rank, the same on
every page; the rank itself stands in its cell where there is room.
"""

from __future__ import annotations

from bisect import bisect_left
from urllib.parse import quote

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import LINE, Ink, all_ms, apart, ms, room, span, time_axis, utc, your_time
from app.charts.trail_marks import HERE

# Last rank of each class but the last, and what the legend calls them.
ENDS = (1, 3, 10, 30, 100)
CLASSES = ("1", "2 to 3", "4 to 10", "11 to 30", "31 to 100", "over 100")
# Cividis, from its dark end. The best ranks stand out most from their ground.
CIVIDIS = ("#123570", "#3B496C", "#636872", "#8E8978", "#C0B46B", "#FEE838")
ON_CELL = ("#FFFFFF", "#FFFFFF", "#FFFFFF", "#000000", "#000000", "#000000")
ROW = 22  # pixels
DIGIT = 8  # pixels that a digit of a rank takes, with its share of the margin
FEW_CASES = 3  # titles of more stand at an angle
MOST_RUNS = 4_000  # of more, neighbours of one class become one cell
# Names stand beside the plot; on a phone they get less room.
NAME_LIMIT = room(96, 200)


def rank_heatmap(
    runs: pd.DataFrame,
    *,
    start: pd.Timestamp,
    end: pd.Timestamp,
    title: str,
    here: str | None = None,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """Rank over time, a row for each entry: a cell lasts as long as its rank.

    No cell: not ranked at that time, or nobody knows. Drag to move in time, Shift and wheel
    to zoom, double click to see everything again.

    Args:
        runs: entry (its name), line (order of the rows, from 0), start, end, rank; a row for
            each stretch with one rank. More than MOST_RUNS are run together by class. With
            `here` also key, as addresses name the entry.
        start: left end of the axis, UTC. end: right end.
        title: for the description, plain text.
        here: the address that a cell opens, but for its key; None: cells open nothing. A picture
            in a file has no page beside it, and its cells open nothing.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    held = by_class(runs) if len(runs) > MOST_RUNS else runs.assign(last=runs["rank"])
    held = held[(held["end"] >= start) & (held["start"] <= end)]
    low, high = ms(start), ms(end)
    names = _apart(runs)
    linked = here is not None and width == "container"
    begins = [max(time, low) for time in all_ms(held["start"])]
    ends = [min(time, high) for time in all_ms(held["end"])]
    rows = _cells(held, names, dark).assign(
        t=begins,
        u=ends,
        m=[(a + b) / 2 for a, b in zip(begins, ends, strict=True)],
        tip=[f"{utc(a)} to {utc(b)}" for a, b in zip(held["start"], held["end"], strict=True)],
    )
    if linked:
        rows["full"] = [_in_address(str(key)) for key in held["line"].map(_keys(runs))]
    x = time_axis(start, end)
    zoom = alt.selection_interval(
        name="zoom", bind="scales", encodings=["x"], zoom="wheel![event.shiftKey]"
    )
    base = your_time(alt.Chart(rows))
    room = f"scale('x', datum.u) - scale('x', datum.t) > {DIGIT} * length(datum.told) + 4 ? 1 : 0"
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("told:N", title="Rank"),
        alt.Tooltip("tip:N", title="Time"),
        alt.Tooltip("yours:N", title="Your time, from"),
    ]
    y = _row_axis(names)
    cells = _rects(base, ink, dark).encode(x=x, x2=alt.X2("u:T"), y=y, tooltip=tips)
    if linked:
        opened = f"datum.full ? {HERE} + datum.full : null"
        cells = cells.transform_calculate(link=opened).encode(href=alt.Href("link:N"))
    layers = [
        span(start, end, x).add_params(zoom),
        cells,
        _numbers(base, room).encode(x=alt.X("m:T"), y=y),
    ]
    words = (
        f"{title}: rank over time of {len(names)} entries from {utc(start)} to {utc(end)}, a row "
        f"each. At the end: {_spoken(_last(runs))}."
    )
    values = {HERE: here} if linked and here else {}
    return finished(layers, words, ink, width, ROW * max(1, len(names)), values=values)


def case_heatmap(
    cells: pd.DataFrame, *, title: str, dark: bool = False, width: int | str = "container"
) -> Composed:
    """Ranks in several cases, a row for each entry and a column for each case.

    Args:
        cells: entry (its name), line (order of the rows, from 0), case (its title), column
            (order of the cases, from 0), rank. A cell without a row stays empty.
        title: for the description, plain text.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    names = _apart(cells)
    cases = _apart(cells.rename(columns={"entry": "name", "case": "entry", "line": "_"}), "column")
    rows = _cells(cells.assign(last=cells["rank"]), names, dark).assign(
        case=[cases[column] for column in cells["column"]]
    )
    axis = alt.Axis(
        orient="top",
        labelAngle=0 if len(cases) <= FEW_CASES else -40,
        labelLimit=alt.ExprRef(f"{len(cases)} > {FEW_CASES} ? 130 : width / {len(cases)} - 4"),
        labelColor=ink.text,
        ticks=False,
        domain=False,
    )
    x = alt.X(
        "case:N",
        title=None,
        axis=axis,
        scale=alt.Scale(domain=list(cases.values()), paddingInner=0.02),
    )
    base = alt.Chart(rows)
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("case:N", title="Case"),
        alt.Tooltip("told:N", title="Rank"),
    ]
    y = _row_axis(names)
    room = f"bandwidth('x') > {DIGIT} * length(datum.told) + 4 ? 1 : 0"
    layers = [
        _rects(base, ink, dark).encode(x=x, y=y, tooltip=tips),
        _numbers(base, room).encode(x=x, y=y),
    ]
    first = cells[cells["rank"] == 1].sort_values("column")
    words = f"{title}: ranks of {len(names)} entries in {len(cases)} cases. First: " + "; ".join(
        f"{row.case}: {row.entry}" for row in first.itertuples(index=False)
    )
    return finished(layers, f"{words}.", ink, width, ROW * max(1, len(names)))


def class_of(rank: int) -> int:
    """Which of the six classes a rank belongs to, 0 for the best.

    >>> [class_of(rank) for rank in (1, 2, 3, 4, 10, 11, 100, 101)]
    [0, 1, 1, 2, 2, 3, 4, 5]
    """
    return bisect_left(ENDS, rank)


def by_class(runs: pd.DataFrame) -> pd.DataFrame:
    """Neighbours that touch and are of one class as one run, from its best to its worst rank.

    Args:
        runs: as for rank_heatmap().

    Returns:
        The same columns and `last`, the worst rank; by line and time.
    """
    held = runs.sort_values(["line", "start"], kind="stable", ignore_index=True)
    classes = held["rank"].map(class_of)
    new = (
        (held["line"] != held["line"].shift())
        | (held["start"] != held["end"].shift())
        | (classes != classes.shift())
    )
    return (
        held.groupby(new.cumsum(), sort=False)
        .agg(
            entry=("entry", "last"),
            line=("line", "first"),
            start=("start", "first"),
            end=("end", "last"),
            rank=("rank", "min"),
            last=("rank", "max"),
        )
        .reset_index(drop=True)
    )


def _apart(rows: pd.DataFrame, order: str = "line") -> dict[int, str]:
    """Texts by their place, best first, no two the same."""
    found = rows.sort_values(order, kind="stable").drop_duplicates(order, keep="last")
    texts = apart(found["entry"].astype(str).tolist())
    return dict(zip(found[order].astype(int).tolist(), texts, strict=True))


def _keys(runs: pd.DataFrame) -> dict[int, str]:
    """As addresses name the entry of each line."""
    return dict(runs[["line", "key"]].itertuples(index=False, name=None))


def _in_address(key: str) -> str:
    """A key as the end of an address; nothing for one that would make it endless."""
    quoted = quote(key, safe="")
    return quoted if len(quoted) <= LINE else ""


def _cells(held: pd.DataFrame, names: dict[int, str], dark: bool) -> pd.DataFrame:
    classes = held["rank"].map(class_of)
    ranks = zip(held["rank"], held["last"], strict=True)
    return pd.DataFrame(
        {
            "name": [names[line] for line in held["line"]],
            "told": [f"{a}" if a == b else f"{a} to {b}" for a, b in ranks],
            "class": [CLASSES[number] for number in classes],
            "ink": [(ON_CELL[::-1] if dark else ON_CELL)[number] for number in classes],
        },
        index=held.index,
    )


def _row_axis(names: dict[int, str]) -> alt.Y:
    axis = alt.Axis(
        labelLimit=alt.ExprRef(NAME_LIMIT), labelOverlap=False, ticks=False, domain=False
    )
    return alt.Y("name:N", title=None, axis=axis, scale=alt.Scale(domain=list(names.values())))


def _rects(base: alt.Chart, ink: Ink, dark: bool) -> alt.Chart:
    colours = CIVIDIS[::-1] if dark else CIVIDIS
    legend = alt.Legend(
        title="Rank",
        orient="bottom",
        direction="horizontal",
        columns=alt.ExprRef(room(3, 6)),
        symbolType="square",
        symbolStrokeWidth=0,
        symbolOpacity=1,
    )
    mark = base.mark_rect(clip=True, stroke=ink.ground, strokeWidth=0.5, opacity=1)
    return mark.encode(
        color=alt.Color("class:N", legend=legend, scale=alt.Scale(domain=CLASSES, range=colours))
    )


def _numbers(base: alt.Chart, room: str) -> alt.Chart:
    """Ranks in their cells; invisible where they would not fit."""
    mark = base.mark_text(
        fontSize=11, baseline="middle", clip=True, opacity=alt.ExprRef(room), aria=False
    )
    return mark.encode(text=alt.Text("told:N"), color=alt.Color("ink:N", scale=None, legend=None))


def _last(runs: pd.DataFrame) -> pd.DataFrame:
    newest = runs[runs["end"] == runs["end"].max()]
    return newest.sort_values("rank").drop_duplicates("line", keep="last")


def _spoken(rows: pd.DataFrame, most: int = 6) -> str:
    told = [f"{row.entry} is {row.rank}" for row in rows.head(most).itertuples(index=False)]
    return "; ".join(told) or "nobody is ranked"
