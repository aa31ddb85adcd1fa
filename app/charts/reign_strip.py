"""Who was first, and from when to when?

The reigns of the JSON of `reigns` in, an Altair chart out: bars on an axis of time. Start at
reign_strip().
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import (
    YOURS,
    Ink,
    all_ms,
    downwards,
    ms,
    span,
    time_axis,
    utc,
    your_time,
)
from app.charts.trail_marks import HERE
from app.wording import duration, holders, lost_text, reign_length

Reign = Mapping[str, Any]
Rows = Literal["one", "holders"]
MOST_ROWS = 12  # holders with a row of their own
MOST_SLICES = 4  # of a bar that several share
LABEL, BAR, GAP = 17, 15, 11  # pixels
ROW = LABEL + BAR + GAP
EDITIONS = 20  # pixels above the rows, where editions have names
BRIEF = 300  # what is shorter than this part of the axis may be thinner than a pixel
OPEN = 0.55  # how solid a bar is that still goes on
# A name stands above a bar that has room for it.
ROOM = "scale('x', datum.u) - scale('x', datum.t)"


class _Row(NamedTuple):
    """One row of bars.

    Attributes:
        entries: whose reigns it shows. label: the text above it. colour: of its bars.
    """

    entries: frozenset[str]
    label: str
    colour: str


def reign_strip(
    reigns: Sequence[Reign],
    *,
    start: pd.Timestamp,
    end: pd.Timestamp,
    title: str,
    dark: bool = False,
    width: int | str = "container",
    rows: Rows = "one",
    blanks: pd.DataFrame | None = None,
    editions: pd.DataFrame | None = None,
    here: str | None = None,
) -> Composed:
    """When first place was whose: a bar from the beginning of a reign to its end.

    Paler: it still goes on. Nothing: nobody was first, or there was no file. Hatched: nobody
    knows. A bar that several share is cut into slices (one row), or lower (a row each).

    Args:
        reigns: as in the JSON of `reigns`, oldest first.
        start: left end of the axis, UTC. end: right end, the last look.
        title: for the description, plain text.
        rows: "one" row without an axis, or one for each of the `holders`, those with the least
            time in one together.
        blanks: start, end, why, as of stretches.blanks(): what is not known is hatched.
        editions: at, label, as of stretches.editions(): dashed rules.
        here: the address that a bar opens, but for the commit with which its reign began; None:
            bars open nothing. A picture in a file has no page beside it, and its bars open nothing.
    """
    ink = Ink(dark)
    x = time_axis(start, end, axis=rows != "one")
    linked = here is not None and width == "container"
    layers, height = _layers(reigns, start, end, x, ink, rows, blanks, editions, linked)
    words = strip_description(reigns, title)
    values = {HERE: here} if linked and here else {}
    return finished(layers, words, ink, width, height, values=values)


def _layers(
    reigns: Sequence[Reign],
    start: pd.Timestamp,
    end: pd.Timestamp,
    x: alt.X,
    ink: Ink,
    rows: Rows,
    blanks: pd.DataFrame | None,
    editions: pd.DataFrame | None,
    linked: bool,
) -> tuple[list[alt.Chart], int]:
    """The layers and their height in pixels."""
    head = EDITIONS if rows == "holders" and editions is not None and len(editions) else 0
    tops, bars = _bars(reigns, start, end, ink, rows, head)
    height = int(head + max(1, len(tops)) * ROW)
    y = downwards(height)
    layers = [span(start, end, x)]
    if editions is not None:
        layers += _editions(editions, start, end, x, y, ink, height, tops["y"].tolist())
    layers += _marks(bars, x, y, ink, linked)
    layers += _unknown(_gaps(reigns, blanks), start, end, x, ink)
    layers += _names(bars, tops, x, y, ink, rows)
    return layers, height


def holders_of(reigns: Sequence[Reign]) -> list[str]:
    """Everybody who was ever first: who is now, then by time in first place, then by key."""
    seconds = _seconds(reigns)
    now = {entry for one in reigns[-1:] if one["open"] for entry in one["entries"]}
    return sorted(seconds, key=lambda entry: (entry not in now, -seconds[entry], entry))


def strip_description(reigns: Sequence[Reign], title: str) -> str:
    """The strip in words: how many reigns, who held first place longest, who holds it now."""
    seconds, names = _seconds(reigns), _names_of(reigns)
    longest = "; ".join(f"{names[who]} {duration(most)}" for who, most in seconds.most_common(5))
    said = f"{title}: who held first place. Reigns: {len(reigns)}, of {len(seconds)} entries."
    if longest:
        said += f" Longest in all: {longest}."
    if reigns and reigns[-1]["open"]:
        last = reigns[-1]
        said += f" At the last look: {holders(dict(last))}, since {_utc(last['from'])}."
    return said


def _seconds(reigns: Sequence[Reign]) -> Counter[str]:
    """Time in first place by entry; a shared one counts in full."""
    seconds: Counter[str] = Counter()
    for one in reigns:
        seconds.update(dict.fromkeys(one["entries"], one["seconds"]))
    return seconds


def _times(reigns: Sequence[Reign]) -> Counter[str]:
    """How often each entry came to first place; who shares it from then on has not come anew."""
    times: Counter[str] = Counter()
    before: Reign = {"entries": (), "until": None}
    for one in reigns:
        stayed = before["entries"] if before["until"] == one["from"] else ()
        times.update(entry for entry in one["entries"] if entry not in stayed)
        before = one
    return times


def _names_of(reigns: Sequence[Reign]) -> dict[str, str]:
    """What people read for an entry, as it was called last."""
    return {entry: name for one in reigns for entry, name in one["names"].items()}


def _bars(
    reigns: Sequence[Reign],
    start: pd.Timestamp,
    end: pd.Timestamp,
    ink: Ink,
    rows: Rows,
    head: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows (y, label) and bars (t, u from left to right, y, v from top to bottom, and texts)."""
    named = holders_of(reigns)
    shown = _rows(reigns, named, ink) if rows == "holders" else []
    low, high = ms(start), ms(end)
    colours = dict(zip(named, ink.colours, strict=False))
    found: list[dict[str, Any]] = []
    for one in reigns:
        begins = ms(pd.Timestamp(one["from"]))
        ends = high if one["open"] else ms(pd.Timestamp(one["until"]))
        if ends < low or begins > high or not one["entries"]:
            continue
        facts = {
            "t": max(begins, low),
            "u": min(ends, high),
            "open": bool(one["open"]),
            "who": holders(dict(one)),
            "since": _utc(one["from"]),
            "till": "still" if one["open"] else _utc(one["until"]),
            "held": reign_length(dict(one)),
            "lost": lost_text(dict(one)),
            "full": one["from_commit"],
        }
        for top, bottom, colour in _slices(one["entries"], shown, colours, ink):
            found.append(facts | {"y": head + top, "v": head + bottom, "colour": colour})
    bars = pd.DataFrame(found, columns=[*_FACTS, "y", "v", "colour"])
    tops = pd.DataFrame(
        {
            "y": [head + number * ROW for number in range(len(shown))],
            "label": [row.label for row in shown],
        }
    )
    return tops, bars


_FACTS = ("t", "u", "open", "who", "since", "till", "held", "lost", "full")


def _rows(reigns: Sequence[Reign], named: Sequence[str], ink: Ink) -> list[_Row]:
    seconds, names = _seconds(reigns), _names_of(reigns)
    times = _times(reigns)
    own = list(named) if len(named) <= MOST_ROWS else list(named[: MOST_ROWS - 1])
    rest = frozenset(named) - frozenset(own)
    rows = [
        _Row(
            frozenset([entry]),
            f"{names[entry]}: {duration(seconds[entry])}"
            + (f", {times[entry]} times" if times[entry] > 1 else ""),
            ink.colours[place] if place < len(ink.colours) else ink.quiet,
        )
        for place, entry in enumerate(own)
    ]
    if rest:
        rows.append(_Row(rest, f"{len(rest)} others", ink.quiet))
    return rows


def _slices(
    entries: Sequence[str], shown: Sequence[_Row], colours: Mapping[str, str], ink: Ink
) -> list[tuple[float, float, str]]:
    """Where the bars of one reign stand and how they are coloured: top, bottom, colour.

    In one row each holder has a slice, those without a colour one together; with a row for
    each, a first place that is shared is half as high.
    """
    if shown:
        low = LABEL + (BAR / 2 if len(entries) > 1 else 0)
        return [
            (
                place * ROW + low,
                place * ROW + LABEL + BAR,
                row.colour,
            )
            for place, row in enumerate(shown)
            if not row.entries.isdisjoint(entries)
        ]
    own = [colours[entry] for entry in sorted(entries) if entry in colours][:MOST_SLICES]
    parts = own + [ink.quiet] * (len(own) < len(entries))
    high = BAR / len(parts)
    return [
        (LABEL + place * high, LABEL + (place + 1) * high, colour)
        for place, colour in enumerate(parts)
    ]


def _marks(bars: pd.DataFrame, x: alt.X, y: alt.Y, ink: Ink, linked: bool) -> list[alt.Chart]:
    """Bars, those that still go on paler, and a rule for each that would be too thin to be seen."""
    if bars.empty:
        return []
    tips = [
        alt.Tooltip("who:N", title="First"),
        alt.Tooltip("since:N", title="From"),
        alt.Tooltip("till:N", title="Until"),
        alt.Tooltip("held:N", title="How long"),
        alt.Tooltip("lost:N", title="Lost to"),
        YOURS,
    ]
    colour = alt.Color("colour:N", scale=None, legend=None)
    fill = alt.OpacityValue(1, condition={"test": "datum.open", "value": OPEN})
    opens: dict[str, Any] = {"href": alt.Href("link:N")} if linked else {}
    bar = _opening(bars, linked).mark_rect(clip=True)
    layers = [
        bar.encode(
            x=x,
            x2=alt.X2("u:T"),
            y=y,
            y2=alt.Y2("v:Q"),
            color=colour,
            opacity=fill,
            tooltip=tips,
            description=alt.Description("who:N"),
            **opens,
        )
    ]
    whole = int(bars["u"].max() - bars["t"].min())
    brief = bars[(bars["u"] - bars["t"]) * BRIEF < whole]
    if len(brief):
        rule = _opening(brief, linked).mark_rule(strokeWidth=1.5, clip=True)
        layers.append(
            rule.encode(
                x=x,
                y=y,
                y2=alt.Y2("v:Q"),
                color=colour,
                tooltip=tips,
                description=alt.Description("who:N"),
                **opens,
            )
        )
    return layers


def _opening(bars: pd.DataFrame, linked: bool) -> alt.Chart:
    """Bars with the reader's time and, where they open something, its address."""
    chart = your_time(alt.Chart(bars if linked else bars.drop(columns="full")))
    return chart.transform_calculate(link=f"{HERE} + datum.full") if linked else chart


def _names(
    bars: pd.DataFrame, tops: pd.DataFrame, x: alt.X, y: alt.Y, ink: Ink, rows: Rows
) -> list[alt.Chart]:
    """Names above their rows, or above the bars that have room for them."""
    if rows == "holders":
        if tops.empty:
            return []
        text = alt.Chart(tops).mark_text(
            align="left", baseline="top", fontSize=12, color=ink.text, limit=alt.ExprRef("width")
        )
        return [text.encode(x=alt.value(0), y=y, text=alt.Text("label:N"))]
    first = bars.drop_duplicates(["t", "u", "who"])
    if first.empty:
        return []
    text = alt.Chart(first.assign(y=0)).mark_text(
        align="left",
        baseline="top",
        fontSize=12,
        color=ink.text,
        limit=alt.ExprRef(f"max(1, {ROOM} - 4)"),
        opacity=alt.ExprRef(f"{ROOM} > 28 ? 1 : 0"),
        aria=False,
    )
    return [text.encode(x=x, y=y, text=alt.Text("who:N"))]


def _gaps(reigns: Sequence[Reign], blanks: pd.DataFrame | None) -> pd.DataFrame:
    """When nobody knows who was first: start, end.

    That is where no file tells, and between two looks that saw different holders.
    """
    known = ["start", "end", "why"]
    read = pd.DataFrame(columns=known) if blanks is None else blanks[blanks["why"] == "unreadable"]
    found = list(zip(read["start"], read["end"], strict=True))
    for one in reigns:
        if one["open"] or one["until_earliest"] == one["until"]:
            continue
        first, last = pd.Timestamp(one["until_earliest"]), pd.Timestamp(one["until"])
        if not any(start <= first and last <= end for start, end in found):
            found.append((first, last))
    return pd.DataFrame(found, columns=["start", "end"])


def _unknown(
    gone: pd.DataFrame, start: pd.Timestamp, end: pd.Timestamp, x: alt.X, ink: Ink
) -> list[alt.Chart]:
    """What nobody knows, hatched from top to bottom."""
    gone = gone[[a < end and b > start for a, b in zip(gone["start"], gone["end"], strict=True)]]
    if gone.empty:
        return []
    low, high = ms(start), ms(end)
    rows = pd.DataFrame(
        {
            "t": [max(time, low) for time in all_ms(gone["start"])],
            "u": [min(time, high) for time in all_ms(gone["end"])],
            "tip": [
                f"{utc(a)} to {utc(b)}" for a, b in zip(gone["start"], gone["end"], strict=True)
            ],
        }
    )
    band = your_time(alt.Chart(rows)).mark_rect(color=ink.hatch, clip=True)
    tips = [alt.Tooltip("tip:N", title="Nobody knows"), YOURS]
    return [band.encode(x=x, x2=alt.X2("u:T"), tooltip=tips, description=alt.Description("tip:N"))]


def _editions(
    editions: pd.DataFrame,
    start: pd.Timestamp,
    end: pd.Timestamp,
    x: alt.X,
    y: alt.Y,
    ink: Ink,
    height: int,
    tops: Sequence[float],
) -> list[alt.Chart]:
    """Dashed rules at first commits, with names above the rows; they leave out the rows' words."""
    named = editions[(editions["at"] >= start) & (editions["at"] <= end)]
    if named.empty:
        return []
    times = all_ms(named["at"])
    rows = pd.DataFrame(
        {
            "t": times,
            "u": [*times[1:], ms(end)],
            "y": 0,
            "label": named["label"].astype(str),
            "tip": [utc(time) for time in named["at"]],
        }
    )
    tips = [
        alt.Tooltip("label:N", title="Edition"),
        alt.Tooltip("tip:N", title="First commit"),
        YOURS,
    ]
    pieces = [(top + LABEL - 3, top + ROW - 3) for top in tops] or [(0, height)]
    if tops:
        pieces.insert(0, (0, EDITIONS - 4))
    rules = pd.concat([rows.assign(y=low, v=high) for low, high in pieces])
    rule = your_time(alt.Chart(rules)).mark_rule(
        strokeDash=[3, 4], strokeWidth=1, color=ink.quiet, clip=True
    )
    layers = [rule.encode(x=x, y=y, y2=alt.Y2("v:Q"), tooltip=tips)]
    if tops:
        text = alt.Chart(rows).mark_text(
            align="left",
            baseline="top",
            dx=4,
            fontSize=11,
            color=ink.quiet,
            limit=alt.ExprRef(f"max(1, {ROOM} - 8)"),
            opacity=alt.ExprRef(f"{ROOM} > 30 ? 1 : 0"),
        )
        layers.append(text.encode(x=x, y=y, text=alt.Text("label:N")))
    return layers


def _utc(text: str) -> str:
    return utc(pd.Timestamp(text))
