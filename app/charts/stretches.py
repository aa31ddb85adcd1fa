"""Which stretches of a history are drawn, and which are left out.

In: RANKS and READINGS of one board. Out: a Trail, a handful of frames that
app/charts/rank_lines.py turns into pictures. A board changes at commits only, so what is
drawn is the points at which a rank changes, never a point per commit. Start at
trail().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from history import moments
from history.frames import READABLE, SCORE, text_of

MAX_FOCUS = 6
REACH = 30
BUDGET = 20_000
MAX_NAMED = 3


@dataclass(frozen=True)
class Trail:
    """What the rank chart of one board and split shows.

    Attributes:
        focus: points of the coloured entries: entry, name, line, segment, at,
            rank, score_text, n_ranked, tied, commit, ends (True where a segment
            ends). `line` is the place in the reader's choice, from 0.
        context: points of the grey entries, with the same columns.
        editions: at, label, for each edition; the first has the first commit.
        blanks: start, end, why, found: stretches in which nobody's rank is
            known (why is "unreadable") or the file was not there ("absent").
        start: when the history begins, UTC.
        end: time of the last successful look, UTC; lines reach up to here.
        shown_until: right end of the time axis, see shown_until().
        n_ranked: most entries ever ranked at once.
        note: what was left out and why, "" if nothing was.
    """

    focus: pd.DataFrame
    context: pd.DataFrame
    editions: pd.DataFrame
    blanks: pd.DataFrame
    start: pd.Timestamp
    end: pd.Timestamp
    shown_until: pd.Timestamp
    n_ranked: int
    note: str

    @property
    def last(self) -> pd.DataFrame:
        """Points of the coloured entries that still hold at the last look."""
        points = self.focus
        return points[points["ends"] & (points["at"] == self.end)]


def trail(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    focus: Sequence[str],
    *,
    reach: int = REACH,
    budget: int = BUDGET,
) -> Trail:
    """Choose what the rank chart shows.

    Coloured are the entries in `focus`, in grey those that ever came as far as
    rank `reach`. When that is more than `budget` points, grey entries are left
    out, those with the worst best rank first; the focus is never thinned, but
    shown from a later time on if it alone is too much.

    Args:
        ranks: RANKS of one split, the whole history.
        readings: READINGS of the board with `at`, at least one row.
        as_of: time of the last successful look, UTC.
        focus: entries to colour, at most MAX_FOCUS.
        reach: rank that an entry must once have had to be shown in grey.
        budget: most points in one chart.

    Raises:
        ValueError: more than MAX_FOCUS entries in `focus`.
    """
    if len(focus) > MAX_FOCUS:
        raise ValueError(f"at most {MAX_FOCUS} entries can be coloured, got {len(focus)}")
    clock = _clock(readings, as_of)
    held = stretches(ranks, readings, as_of)
    lines = {entry: number for number, entry in enumerate(focus)}
    mine = held[held["entry"].isin(focus)].copy()
    mine["line"] = mine["entry"].map(lines)
    best = held[~held["entry"].isin(focus)].groupby("entry")["rank"].min()
    others = best[best <= reach].sort_values(kind="stable")
    grey = held[held["entry"].isin(others.index)].copy()
    grey["line"] = grey["entry"].map({entry: place for place, entry in enumerate(others.index)})

    notes = []
    start = clock["at"].min()
    coloured = points(mine)
    if len(coloured) > budget:
        start = coloured["at"].sort_values().iloc[-budget]
        coloured = points(mine[mine["end"] > start])
        notes.append(
            f"Shown from {start:%Y-%m-%d %H:%M} UTC on: the whole history of the chosen "
            f"entries is {len(points(mine)):,} points, the chart holds {budget:,}"
        )
        grey = grey[grey["end"] > start]
    backdrop = points(grey)
    room = budget - len(coloured)
    if len(backdrop) > room:
        size = backdrop.groupby("line").size().sort_index().cumsum()
        kept = size[size <= room].index
        backdrop = backdrop[backdrop["line"].isin(kept)]
        notes.append(
            f"In grey the {len(kept)} of {len(size)} entries with the best ranks that ever "
            f"reached the top {reach}; all of them would be {size.iloc[-1]:,} points, "
            f"the chart holds {budget:,}"
        )
    if thin := thinned(ranks, readings):
        notes.append(thin)
    end = clock["until"].max()
    shown = shown_until(start, clock["at"].max(), end)
    if shown < end:
        notes.append(
            f"Nothing has changed since {clock['at'].max():%Y-%m-%d %H:%M} UTC, "
            "so the axis is cut soon after it"
        )
    return Trail(
        focus=coloured,
        context=backdrop,
        editions=editions(readings),
        blanks=blanks(readings, as_of),
        start=start,
        end=end,
        shown_until=shown,
        n_ranked=int(held["n_ranked"].max()) if len(held) else 0,
        note=". ".join(notes) + ("." if notes else ""),
    )


def stretches(
    ranks: pd.DataFrame, readings: pd.DataFrame, as_of: pd.Timestamp | None
) -> pd.DataFrame:
    """How long each entry held each rank, equal neighbours run together.

    A stretch is half-open: it ends at the commit that ended it. Stretches of one
    `segment` touch; a new segment begins after a version in which the entry was
    not ranked or nobody knows whether it was.

    Args:
        ranks: RANKS of one split.
        readings: READINGS with `at`.
        as_of: where the last version's stretch ends.

    Returns:
        entry, name, segment, start, end, rank, score_text, n_ranked, tied,
        commit; by entry and time. What held for no time at all is left out.
    """
    clock = _clock(readings, as_of)
    columns = ["version", "entry", "name", "rank", text_of(SCORE), "n_ranked", "tied"]
    held = ranks.loc[ranks["rank"].notna(), columns]
    held = held.rename(columns={text_of(SCORE): "score_text"})
    held = held.merge(clock, on="version", how="inner")
    held = held[(held["at"] < held["until"]) | (held["version"] == clock["version"].max())]
    for column in ("entry", "name", "score_text"):
        held[column] = held[column].astype("str")
    held["rank"] = held["rank"].astype("int64")
    held = held.sort_values(["entry", "version"], kind="stable", ignore_index=True)

    before = held.shift()
    other = held["entry"] != before["entry"]
    breaks = other | (held["at"] != before["until"])
    changes = breaks | (held["rank"] != before["rank"])
    held["segment"] = breaks.cumsum()
    return (
        held.groupby(changes.cumsum(), sort=False)
        .agg(
            entry=("entry", "first"),
            name=("name", "last"),
            segment=("segment", "first"),
            start=("at", "first"),
            end=("until", "last"),
            rank=("rank", "first"),
            score_text=("score_text", "first"),
            n_ranked=("n_ranked", "first"),
            tied=("tied", "first"),
            commit=("commit", "first"),
        )
        .reset_index(drop=True)
    )


def points(held: pd.DataFrame) -> pd.DataFrame:
    """The points of step-after lines: where a rank begins, and where a segment ends.

    Args:
        held: rows of stretches(), with any further columns.

    Returns:
        One row per stretch at its start and one per segment at its end, with
        `at` and `ends`; by entry and time.
    """
    begins = held.assign(at=held["start"], ends=False)
    last = held.drop_duplicates("segment", keep="last")
    finishes = last.assign(at=last["end"], ends=True)
    both = pd.concat([begins, finishes], ignore_index=True).drop(columns=["start", "end"])
    return both.sort_values(["entry", "segment", "at", "ends"], kind="stable", ignore_index=True)


def shown_until(start: pd.Timestamp, changed: pd.Timestamp, end: pd.Timestamp) -> pd.Timestamp:
    """Where a time axis ends: the last look, or sooner if nothing happened for long.

    A board that has not changed for a year would else have its whole history at the
    left edge.

    Args:
        start: of the axis.
        changed: last change of the board.
        end: last look.

    >>> day = lambda n: pd.Timestamp(f"2026-03-{n:02}T00:00Z")
    >>> shown_until(day(1), day(11), day(13)).day, shown_until(day(1), day(11), day(30)).day
    (13, 13)
    """
    short = changed + (changed - start) / 5
    return end if changed == start else min(end, short)


def thinned(ranks: pd.DataFrame, readings: pd.DataFrame) -> str:
    """Which versions rank fewer than half as many entries as the one before; "" if none does.

    Their files may hold a part of the board only, and lines are interrupted there.

    Args:
        ranks: RANKS of one split.
        readings: READINGS with `at`.
    """
    there = readings[readings["reading"].isin(READABLE - {"absent"})].set_index("version")
    ranked = ranks["rank"].notna().groupby(ranks["version"].astype("int64")).sum()
    counts = ranked.reindex(there.index, fill_value=0)
    before = counts.shift(fill_value=0)
    few = counts.index[2 * counts < before]
    if few.empty:
        return ""
    named = [
        f"{there.loc[version, 'at']:%Y-%m-%d %H:%M} UTC ({counts[version]} after {before[version]})"
        for version in few[:MAX_NAMED]
    ]
    more = [f"{len(few) - MAX_NAMED} more"] if len(few) > MAX_NAMED else []
    return (
        "Fewer than half as many are ranked as in the version before, so lines have gaps: "
        + ", ".join(named + more)
    )


def editions(readings: pd.DataFrame) -> pd.DataFrame:
    """The first commit of each edition, in order: at, label, commit.

    A version without a label (absent, unreadable) says nothing about the edition. Where the
    board's definition changes and no edition begins, the label is "new definition".
    """
    labelled = readings[readings["edition"].notna() & (readings["edition"] != "")]
    new = labelled["edition"] != labelled["edition"].shift()
    stages = readings["stage"]
    changed = (stages != stages.shift()) & stages.shift().notna()
    redefined = readings[changed].assign(edition="new definition")
    begun = labelled[new]
    rows = pd.concat([begun, redefined[~redefined.index.isin(begun.index)]]).sort_index()
    columns = {"at": "at", "edition": "label", "commit": "commit"}
    return rows[list(columns)].rename(columns=columns).reset_index(drop=True)


def blanks(readings: pd.DataFrame, as_of: pd.Timestamp | None) -> pd.DataFrame:
    """When nobody's rank is known: start, end, why, found.

    `why` is "absent" where the file was not there, "unreadable" where it was and
    could not be read; neighbours of one kind run together, `found` is the first's.
    """
    clock = _clock(readings, as_of)
    state = readings["reading"].where(readings["reading"].isin(READABLE), "unreadable")
    rows = clock.assign(why=state.to_numpy(), found=readings["found"].fillna("").to_numpy())
    runs = (rows["why"] != rows["why"].shift()).cumsum()
    joined = rows.groupby(runs, sort=False).agg(
        start=("at", "first"), end=("until", "last"), why=("why", "first"), found=("found", "first")
    )
    unseen = joined["why"].isin(["absent", "unreadable"]) & (joined["start"] < joined["end"])
    return joined[unseen].reset_index(drop=True)


def _clock(readings: pd.DataFrame, as_of: pd.Timestamp | None) -> pd.DataFrame:
    """version, commit, at, until: each version holds until the next, the last until `as_of`."""
    clock = readings[["version", "commit", "at"]].reset_index(drop=True)
    until = clock["at"].shift(-1)
    until.iloc[-1] = moments.horizon(readings, as_of)
    return clock.assign(until=until)
