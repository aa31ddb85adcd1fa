"""What has each entry had of first place, and how high did it stand at best?

In: RANKS, READINGS and the time of the last look. Out: a Career per entry. Start at careers().
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history import moments
from history.reigns.first_place import By, first_rows, unknown_first, unreadable_entries
from history.reigns.stretches import Line, Stretch


@dataclass(frozen=True, slots=True)
class Career:
    """One entry through time. Versions that held for no time do not count.

    Attributes:
        entry: its key.
        peak: its best rank; None if it never had one.
        at_peak: every stretch in which it had that rank.
        first: every stretch in which it was first, alone or not.
        sole: every stretch in which it was first alone.
    """

    entry: str
    peak: int | None
    at_peak: tuple[Stretch, ...]
    first: tuple[Stretch, ...]
    sole: tuple[Stretch, ...]

    @property
    def seconds(self) -> int:
        """Time in first place; a shared one counts in full."""
        return sum(one.seconds for one in self.first)

    @property
    def seconds_certain(self) -> int:
        """The same without what is not known."""
        return sum(one.seconds_certain for one in self.first)

    @property
    def seconds_sole(self) -> int:
        """Time in first place alone."""
        return sum(one.seconds for one in self.sole)

    @property
    def longest(self) -> Stretch | None:
        """The longest stretch in first place, of equal ones the earliest; it may still go on."""
        return max(self.first, key=lambda one: one.seconds, default=None)

    @property
    def current(self) -> Stretch | None:
        """The stretch in first place that still went on at the last look."""
        return next((one for one in self.first if one.open), None)


def careers(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    by: By = "score",
    entries: Collection[str] | None = None,
) -> list[Career]:
    """What every entry had.

    Args:
        ranks: RANKS of the whole history, by version.
        readings: READINGS with `at`, by version.
        as_of: time of the last successful look.
        by: whether rank 1 by score or the first tie group is first place, and which rank counts
            for the peak.
        entries: only of these; None: of all that were ever listed.

    Returns:
        By peak, then when it was first reached, then key; those without a rank last.

    >>> readings = pd.DataFrame({"version": [0, 1], "commit": ["aa", "bb"], "state": "published",
    ...     "reading": "read", "at": pd.to_datetime(["2026-10-21T15:13Z", "2026-10-22T20:12Z"])})
    >>> ranks = pd.DataFrame({"version": [0, 1, 1], "entry": ["fern", "moss", "fern"],
    ...     "rank": [1, 1, 2], "unranked": None})
    >>> fern, moss = careers(ranks, readings, pd.Timestamp("2026-10-23T00:00Z"))
    >>> fern.entry, fern.seconds, fern.current, fern.longest.open
    ('fern', 104340, None, False)
    >>> moss.entry, moss.peak, moss.current.seconds
    ('moss', 1, 13680)
    """
    versions = readings["version"].to_numpy()
    unread = unreadable_entries(ranks)
    line = Line(readings, as_of, set(unread))
    states = moments.states(readings)
    nothing = np.where(states == "unknown", -1, 0).astype(np.int8)
    no_first = nothing.copy()
    no_first[np.isin(versions, list(unknown_first(ranks, by)))] = -1
    places, alone = _Places(ranks, versions, by), _alone(ranks, versions, by)
    found = []
    for entry, (rows, place, first) in places.of.items():
        if entries is not None and entry not in entries:
            continue
        blind = np.array([v for v, who in unread.items() if entry in who], dtype=np.int64)
        hidden = np.isin(versions, blind)
        counted = place[line.lasting[rows] & (place > 0)]
        peak = int(counted.min()) if len(counted) else None
        marks = [
            (nothing, rows[place == peak] if peak is not None else rows[:0]),
            (no_first, rows[first]),
            (no_first, rows[first & alone[rows]]),
        ]
        had = [
            tuple(line.where(_marked(base, at, hidden))) if len(at) else () for base, at in marks
        ]
        found.append(Career(entry, peak, *had))
    return sorted(found, key=_order)


def _marked(base: NDArray, rows: NDArray, hidden: NDArray) -> NDArray:
    """Marks of versions: 1 in `rows`, if it is known there; -1 where the entry is hidden."""
    marks = base.copy()
    marks[rows] = np.where(base[rows] < 0, -1, 1)
    marks[hidden] = -1
    return marks


def _order(one: Career) -> tuple[bool, int, pd.Timestamp, str]:
    begins = one.at_peak[0].start if one.at_peak else pd.Timestamp.max.tz_localize("UTC")
    return one.peak is None, one.peak or 0, begins, one.entry


def _alone(ranks: pd.DataFrame, versions: NDArray, by: By) -> NDArray[np.bool_]:
    """Whether exactly one entry is first, by version."""
    top = ranks.loc[first_rows(ranks, by), "version"].to_numpy()
    return np.bincount(np.searchsorted(versions, top), minlength=len(versions)) == 1


class _Places:
    """Where each entry stood: rows of READINGS, its rank (0: none) and whether it was first."""

    def __init__(self, ranks: pd.DataFrame, versions: NDArray, by: By):
        column = "tie_rank" if by == "tie" else "rank"
        entries = ranks["entry"].astype("category").cat
        codes = entries.codes.to_numpy()
        order = np.argsort(codes, kind="stable")
        rows = np.searchsorted(versions, ranks["version"].to_numpy()[order])
        place = ranks[column].astype("Int64").fillna(0).to_numpy(dtype=np.int64)[order]
        names, starts = np.unique(codes[order], return_index=True)
        ends = [*starts.tolist(), len(order)][1:]  # none where no entry was ever listed
        known: list[str] = entries.categories.astype(str).tolist()
        self.of: Mapping[str, tuple[NDArray, NDArray, NDArray]] = {
            known[code]: (rows[low:high], place[low:high], place[low:high] == 1)
            for code, low, high in zip(names.tolist(), starts.tolist(), ends, strict=True)
        }
