"""How does the order change from one split to another?

Ranks of two splits in, a slopegraph out: two columns of ranks, a line for each entry, names at
both ends. Which lines are drawn is for sloped() to say.
"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import DASHES, HOVER, Ink, dodged, met, rank_axis, rank_domain, room

REACH = 15  # rank in either column that is drawn
MOVERS = 5  # of those drawn, how many are dark
GAP = 15  # pixels between names
LEAST, MOST = 160, 620  # pixels of height
# Names stand on both sides; on a phone they get less room.
NAME_LIMIT = room(104, 220)
LEADER = 20  # pixels from a rank to its name


def sloped(ranks: pd.DataFrame, chosen: Sequence[str], reach: int = REACH) -> pd.DataFrame:
    """The entries that are drawn, and how.

    Drawn are the chosen ones and all that reach a rank in either column; of these the ones
    that move farthest are dark.

    Args:
        ranks: entry, name, left, right: ranks, both known.
        chosen: entries to colour, in order.
        reach: rank that an entry must have in either column.

    Returns:
        The same columns, `move` (places from left to right, + is worse), `kind` (chosen, mover,
        rest) and `line` (place among the chosen, else -1); best left rank first.
    """
    line = {entry: number for number, entry in enumerate(chosen)}
    rows = ranks.assign(
        move=ranks["right"] - ranks["left"],
        line=[line.get(entry, -1) for entry in ranks["entry"]],
    )
    rows = rows[(rows["line"] >= 0) | (rows[["left", "right"]].min(axis=1) <= reach)]
    far = rows[(rows["line"] < 0) & (rows["move"] != 0)]
    movers = far["move"].abs().sort_values(ascending=False, kind="stable").index[:MOVERS]
    kind = pd.Series("rest", rows.index).mask(rows.index.isin(movers), "mover")
    kind = kind.mask(rows["line"] >= 0, "chosen")
    return rows.assign(kind=kind).sort_values(["left", "right", "entry"], ignore_index=True)


def slopegraph(
    rows: pd.DataFrame,
    *,
    left: str,
    right: str,
    n_ranked: int,
    title: str,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """Ranks by two splits side by side, best on top.

    Args:
        rows: from sloped().
        left, right: names of the two splits, not the same.
        n_ranked: most entries ranked by either.
        title: for the description, plain text.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page.
    """
    ink = Ink(dark)
    height = min(MOST, max(LEAST, GAP * (len(rows) + 2)))
    lowest = max([n_ranked, 1] if rows.empty else [1, *rows["left"], *rows["right"]])
    y = rank_axis(lowest, axis=False)
    axis = alt.Axis(
        orient="top",
        labelFontSize=13,
        labelFontWeight=600,
        labelColor=ink.text,
        labelAngle=0,
        labelLimit=alt.ExprRef(NAME_LIMIT),
        labelPadding=10,
        ticks=False,
        domain=False,
    )
    x = alt.X(
        "side:N",
        title=None,
        axis=axis,
        scale=alt.Scale(type="point", domain=[left, right], padding=0),
    )
    ends = _ends(rows, left, right, lowest, height, ink)
    hover = alt.selection_point(name=HOVER, on="pointerover", fields=["id"], empty=False)
    tips = [
        alt.Tooltip("name:N", title="Entry"),
        alt.Tooltip("a:Q", title=left),
        alt.Tooltip("b:Q", title=right),
        alt.Tooltip("move:N", title="Places lost"),
    ]
    thick = {"rest": 1.0, "mover": 1.6, "chosen": 3.0}
    layers: list[alt.Chart] = []
    for kind, size in thick.items():
        part = ends[ends["kind"] == kind]
        if part.empty and kind != "rest":
            continue
        line = alt.Chart(part).mark_line(opacity=0.55 if kind == "rest" else 1)
        line = line.encode(
            x=x,
            y=y,
            detail=alt.Detail("id:N"),
            color=alt.Color("ink:N", scale=None, legend=None),
            strokeWidth=alt.StrokeWidthValue(size, condition=met(size + 2)),
            tooltip=tips,
        )
        if kind == "chosen":
            numbers = sorted(part["line"].unique().tolist())
            dashes = [DASHES[number % len(DASHES)] for number in numbers]
            line = line.encode(
                strokeDash=alt.StrokeDash(
                    "line:N", legend=None, scale=alt.Scale(domain=numbers, range=dashes)
                )
            )
        layers.append(line)
        dots = alt.Chart(part).mark_point(filled=True, size=20 + 14 * size, opacity=1)
        layers.append(
            dots.encode(x=x, y=y, color=alt.Color("ink:N", scale=None, legend=None), tooltip=tips)
        )
    layers[0] = layers[0].add_params(hover)
    for side, name in ((-1, left), (1, right)):
        layers += _names(ends[ends["side"] == name], side, y, tips)
    return finished(layers, _words(rows, left, right, title), ink, width, height)


def _ends(
    rows: pd.DataFrame, left: str, right: str, lowest: int, height: int, ink: Ink
) -> pd.DataFrame:
    """Two rows for each entry: its place in either column, and where its name stands."""
    top, bottom = rank_domain(lowest)
    colours = {"rest": ink.quiet, "mover": ink.text}
    inks = [
        colours.get(kind) or ink.colours[line % len(ink.colours)]
        for kind, line in zip(rows["kind"], rows["line"], strict=True)
    ]
    columns = []
    for field, side in (("left", left), ("right", right)):
        ranks = rows[field].astype(int).tolist()
        names = rows["name"].astype(str)
        pairs = zip(ranks, names, strict=True)
        columns.append(
            pd.DataFrame(
                {
                    "side": side,
                    "rank": ranks,
                    "place": dodged(ranks, top, bottom, height, GAP),
                    "label": [
                        f"{name}  {rank}" if field == "left" else f"{rank}  {name}"
                        for rank, name in pairs
                    ],
                    "id": range(len(rows)),
                    "line": rows["line"],
                    "kind": rows["kind"],
                    "name": names,
                    "a": rows["left"].astype(int),
                    "b": rows["right"].astype(int),
                    "move": [f"{move:+d}" if move else "0" for move in rows["move"]],
                    "ink": inks,
                }
            )
        )
    return pd.concat(columns, ignore_index=True)


def _names(ends: pd.DataFrame, side: int, y: alt.Y, tips: list[alt.Tooltip]) -> list[alt.Chart]:
    """Names beside one column, none covering another, each led to its rank."""
    edge = 0 if side < 0 else alt.ExprRef("width")
    away = -LEADER if side < 0 else alt.ExprRef(f"width + {LEADER}")
    beyond = -LEADER - 3 if side < 0 else alt.ExprRef(f"width + {LEADER + 3}")
    colour = alt.Color("ink:N", scale=None, legend=None)
    placed = y.copy()
    placed.shorthand = "place:Q"
    leader = alt.Chart(ends).mark_rule(strokeWidth=1)
    layers = [
        leader.encode(
            x=alt.XValue(edge), x2=alt.X2Value(away), y=y, y2=alt.Y2("place:Q"), color=colour
        )
    ]
    for bold in (False, True):
        part = ends[(ends["kind"] == "chosen") == bold]
        if len(part):
            text = alt.Chart(part).mark_text(
                align="right" if side < 0 else "left",
                baseline="middle",
                fontSize=12,
                fontWeight=600 if bold else 400,
                limit=alt.ExprRef(NAME_LIMIT),
            )
            layers.append(
                text.encode(
                    x=alt.XValue(beyond),
                    y=placed,
                    text=alt.Text("label:N"),
                    color=colour,
                    tooltip=tips,
                )
            )
    return layers


def _words(rows: pd.DataFrame, left: str, right: str, title: str) -> str:
    told = [
        f"{row.name} is {row.left} by {left} and {row.right} by {right}"
        for row in rows[rows["kind"] != "rest"].itertuples(index=False)
    ]
    said = f" {'; '.join(told)}." if told else ""
    return f"{title}: ranks by {left} and by {right} of {len(rows)} entries.{said}"
