"""Which stretches of a history are drawn, and which are left out.

In: RANKS and READINGS of one board. Out: a Trail, a handful of frames that
app/charts/trail_picture.py turns into a picture. A board changes at commits only, so what is
drawn is the points at which a rank changes, never a point per commit. Start at
trail().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from history import moments
from history.frames import READABLE, SCORE, text_of, value_of

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


@dataclass(frozen=True, eq=False)
class Basis:
    """What a trail is drawn from, whoever is in colour; it is shared, so it is only read.

    Attributes:
        held: of stretches(), all entries.
        clock: version, commit, at, until: each version holds until the next.
        editions, blanks: as in Trail.
        thinned: of thinned().
    """

    held: pd.DataFrame
    clock: pd.DataFrame
    editions: pd.DataFrame
    blanks: pd.DataFrame
    thinned: str


def basis_of(ranks: pd.DataFrame, readings: pd.DataFrame, as_of: pd.Timestamp | None) -> Basis:
    """What is the same for every choice of entries.

    Args:
        ranks: RANKS of one split, the whole history.
        readings: READINGS of the board with `at`, at least one row.
        as_of: time of the last successful look, UTC.
    """
    return Basis(
        held=stretches(ranks, readings, as_of),
        clock=_clock(readings, as_of),
        editions=editions(readings),
        blanks=blanks(readings, as_of),
        thinned=thinned(ranks, readings),
    )


def trail(basis: Basis, focus: Sequence[str], *, reach: int = REACH, budget: int = BUDGET) -> Trail:
    """Choose what the rank chart shows.

    Coloured are the entries in `focus`, in grey those that ever came as far as
    rank `reach`. When that is more than `budget` points, grey entries are left
    out, those with the worst best rank first; the focus is never thinned, but
    shown from a later time on if it alone is too much.

    Args:
        basis: of basis_of().
        focus: entries to colour, at most MAX_FOCUS.
        reach: rank that an entry must once have had to be shown in grey.
        budget: most points in one chart.

    Raises:
        ValueError: more than MAX_FOCUS entries in `focus`.
    """
    if len(focus) > MAX_FOCUS:
        raise ValueError(f"at most {MAX_FOCUS} entries can be coloured, got {len(focus)}")
    held, clock = basis.held, basis.clock
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
    if basis.thinned:
        notes.append(basis.thinned)
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
        editions=basis.editions,
        blanks=basis.blanks,
        start=start,
        end=end,
        shown_until=shown,
        n_ranked=int(held["n_ranked"].max()) if len(held) else 0,
        note=". ".join(notes) + ("." if notes else ""),
    )


def stretches(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    of: Sequence[str] = ("rank",),
) -> pd.DataFrame:
    """How long each entry held each rank, equal neighbours run together.

    A stretch is half-open: it ends at the commit that ended it. Stretches of one
    `segment` touch; a new segment begins after a version in which the entry was
    not ranked or nobody knows whether it was.

    Args:
        ranks: RANKS of one split.
        readings: READINGS with `at`.
        as_of: where the last version's stretch ends.
        of: what a stretch holds: "rank", "score_text" or both.

    Returns:
        entry, name, segment, start, end, rank, score_text, score, n_ranked, tied,
        commit; by entry and time. What held for no time at all is left out.
    """
    columns = ["version", "entry", "name", "rank", text_of(SCORE), value_of(SCORE)]
    held = ranks.loc[ranks["rank"].notna(), [*columns, "n_ranked", "tied"]]
    held = held.rename(columns={text_of(SCORE): "score_text", value_of(SCORE): "score"})
    held["rank"] = held["rank"].astype("int64")
    entries = held["entry"].astype("category")
    held["entry"] = entries.cat.reorder_categories(sorted(entries.cat.categories))
    found = runs(held, readings, as_of, "entry", of)
    text = {column: found[column].astype("str") for column in ("entry", "name", "score_text")}
    order = ["entry", "name", "segment", "start", "end", "rank", "score_text", "score"]
    return found.assign(**text)[[*order, "n_ranked", "tied", "commit"]]


def runs(
    rows: pd.DataFrame,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    who: str,
    of: Sequence[str],
) -> pd.DataFrame:
    """Neighbouring versions that say the same about somebody, run together.

    Args:
        rows: one per version and `who`: `version`, `who`, the columns `of` and any others.
        readings, as_of: as in stretches().
        who: column of what the rows are about.
        of: columns that stay the same within a run.

    Returns:
        The first row of each run with commit, segment, start, end; a `name` is the last one.
    """
    clock = _clock(readings, as_of)
    held = rows.merge(clock, on="version", how="inner")
    held = held[(held["at"] < held["until"]) | (held["version"] == clock["version"].max())]
    held = held.sort_values([who, "version"], kind="stable", ignore_index=True)
    breaks = _differs(held[who]) | (held["at"] != held["until"].shift()).to_numpy()
    changes = breaks.copy()
    for column in of:
        changes |= _differs(held[column])
    first = np.flatnonzero(changes)
    last = np.append(first[1:], len(held))[: len(first)] - 1
    found = held.iloc[first].reset_index(drop=True)
    if "name" in held:
        found["name"] = held["name"].iloc[last].reset_index(drop=True)
    found["segment"] = breaks.cumsum()[first]
    found["end"] = held["until"].iloc[last].reset_index(drop=True)
    return found.rename(columns={"at": "start"}).drop(columns=["until", "version"])


def _differs(column: pd.Series) -> np.ndarray:
    """Where a column differs from the row before; true in the first row."""
    values = column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column
    found: np.ndarray = (values != values.shift()).to_numpy(dtype=bool)
    return found


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
    ranked = ranks.drop_duplicates("version").set_index("version")["n_ranked"]
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
