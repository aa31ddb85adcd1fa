"""Which places are open to the best entries, and which rank does who give them?

Ranks of one moment in, an Altair chart out.
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import Ink, short

MOST = 20  # entries
FARTHEST = 2  # times as many places are shown; bars that reach further are cut at the edge
KINDS = ("rank by score", "tie rank", "published rank")
SHAPES = ("circle", "diamond", "square")
_SIZES = (70, 190, 330)  # so that all three can be seen on one spot
_ROW = 22  # pixels
_LETTERS = 24  # of a name


def places(
    ranks: pd.DataFrame, *, title: str, dark: bool = False, width: int | str = "container"
) -> Composed:
    """Ranks of the best entries on one axis: a mark for each kind, a bar for what ties leave open.

    Args:
        ranks: entry, rank, tie_rank, published, best, worst, surely_best, surely_worst; <NA> where
            there is none. Best first; only the first of them are drawn.
        title: for the description, plain text.
    """
    ink = Ink(dark)
    shown = ranks[ranks["rank"].notna()].head(MOST)
    names = shown["entry"].astype(str).tolist()
    rows = list(range(len(shown)))
    marked = max(_largest(shown[kind]) for kind in ("rank", "tie_rank", "published"))
    open_ = max(_largest(shown[end]) for end in ("worst", "surely_worst"))
    reach = max(marked, min(open_, FARTHEST * len(shown)))
    axis = alt.Axis(
        labelExpr=_names(names), labelLimit=150, ticks=False, domain=False, minExtent=60
    )
    y = alt.Y("row:O", title=None, sort=None, scale=alt.Scale(domain=rows), axis=axis)
    x = alt.X(
        "place:Q",
        title="Place",
        scale=alt.Scale(domain=[0.5, reach + 0.5], nice=False),
        axis=alt.Axis(format="d", tickMinStep=1, orient="top", grid=True),
    )
    layers: list[alt.Chart] = []
    for low, high, size, colour, words in (
        ("surely_best", "surely_worst", 2, ink.faint, "Errors leave open"),
        ("best", "worst", 9, ink.grid if not dark else "#3A404E", "Ties leave open"),
    ):
        there = shown[low].notna() & shown[high].notna()
        bars = pd.DataFrame(
            {
                "row": [row for row, known in zip(rows, there, strict=True) if known],
                "who": [name for name, known in zip(names, there, strict=True) if known],
                "place": shown.loc[there, low].astype(int).tolist(),
                "until": shown.loc[there, high].astype(float).clip(upper=reach + 0.5).tolist(),
            }
        )
        if len(bars):
            bars["tip"] = [
                f"{best} to {worst}"
                for best, worst in shown.loc[there, [low, high]].itertuples(index=False)
            ]
            mark = alt.Chart(bars).mark_rule(strokeWidth=size, color=colour)
            tips = [alt.Tooltip("who:N", title="Entry"), alt.Tooltip("tip:N", title=words)]
            layers.append(mark.encode(x=x, x2=alt.X2("until:Q"), y=y, tooltip=tips))
    said = []
    for kind, column in zip(KINDS, ("rank", "tie_rank", "published"), strict=True):
        for row, name, value in zip(rows, names, shown[column].tolist(), strict=True):
            if not pd.isna(value):
                said.append({"row": row, "who": name, "place": int(value), "kind": kind})
    marks = pd.DataFrame(said, columns=["row", "who", "place", "kind"])
    kinds = [kind for kind in KINDS if (marks["kind"] == kind).any()]
    where = [KINDS.index(kind) for kind in kinds]
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", symbolStrokeWidth=2)
    marks["size"] = marks["kind"].map(dict(zip(KINDS, _SIZES, strict=True)))
    dots = (
        alt.Chart(marks)
        .mark_point(strokeWidth=2, opacity=1)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape(
                "kind:N",
                legend=legend,
                scale=alt.Scale(domain=kinds, range=[SHAPES[at] for at in where]),
            ),
            color=alt.Color(
                "kind:N",
                legend=legend,
                scale=alt.Scale(domain=kinds, range=[ink.colours[at] for at in where]),
            ),
            size=alt.Size("size:Q", scale=None, legend=None),
            tooltip=[
                alt.Tooltip("who:N", title="Entry"),
                alt.Tooltip("kind:N", title="Kind"),
                alt.Tooltip("place:Q", title="Place"),
            ],
        )
    )
    words = "; ".join(
        f"{name}: "
        + ", ".join(f"{one['kind']} {one['place']}" for one in said if one["row"] == row)
        for row, name in zip(rows, names, strict=True)
    )
    layers.append(dots)
    return finished(layers, f"{title}. {words}.", ink, width, _ROW * len(rows) + 70)


def _largest(places: pd.Series) -> int:
    there = places.dropna()
    return int(there.max()) if len(there) else 0


def _names(names: list[str]) -> str:
    """A Vega expression that gives the name of a row: names stay texts in it."""
    texts = [
        name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…" for name in map(short, names)
    ]
    quoted = ", ".join("'" + _letters(text) + "'" for text in texts)
    return f"[{quoted}][datum.value]"


def _letters(text: str) -> str:
    """A text inside quotes of an expression: all but plain letters as escapes.

    >>> _letters("a'b")
    'a\\\\u0027b'
    """
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter == " ") else _escape(letter)
        for letter in text
    )


def _escape(letter: str) -> str:
    data = letter.encode("utf-16-be")
    pairs = [data[at : at + 2].hex() for at in range(0, len(data), 2)]
    return "".join(f"\\u{pair}" for pair in pairs)
