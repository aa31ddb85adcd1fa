"""Which version of each board held at each time?

A Track is the line of versions of one board; segments() cuts the time of several boards
into stretches in which none of them changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from history import moments
from history.claims.language.claim import ClaimError

if TYPE_CHECKING:
    import pandas as pd

    from history.pipeline import BoardHistory

BEFORE = -1  # stands for a version at a time before the first one
AFTER = -2  # and at a time after the last look
_TICK = timedelta(microseconds=1)

# board -> number of the version that held; or BEFORE, AFTER, or one that is_between() knows.
Moment = Mapping[str, int]


def between(version: int) -> int:
    """Stands for a version at a time after the last look that saw another one than this.

    >>> between(1), is_between(between(1)), seen_after(between(1)), is_between(AFTER)
    (-3, True, 1, False)
    """
    return AFTER - version


def is_between(version: int) -> bool:
    """Whether a number stands for the time between two looks that saw different versions."""
    return version < AFTER


def seen_after(version: int) -> int:
    """The version that the second of the two looks saw."""
    return AFTER - version


class Track:
    """The versions of one board in order, and when each began to hold.

    Attributes:
        name: the board.
        at: when each version began to hold.
        looked: the last look that saw another version than each; `at` where there was none since.
        states: of each version: known, empty, absent or unknown.
        commits, editions, reasons: of each version; the reason why it could not be read.
        horizon: last time of which something is known.

    Raises:
        ClaimError: nothing of this board is stored.
    """

    def __init__(self, history: BoardHistory):
        readings = history.readings
        if readings.empty:
            raise ClaimError(history.name, "no version of this board is stored", "Crawl it first")
        self.name = history.name
        self.at = _times(readings["at"])
        looked = moments.earliest(readings)
        self.has_gaps = looked is not readings["at"] and not looked.equals(readings["at"])
        self.looked = _times(looked) if self.has_gaps else self.at
        self.states: list[str] = moments.states(readings).tolist()
        self.commits: list[str] = readings["commit"].tolist()
        self.editions = [str(e) if isinstance(e, str) else "" for e in readings["edition"]]
        self.reasons = [str(reason) for reason in readings["reason"]]
        self.cut: dict[tuple[str, ...], list[Segment]] = {}  # what segments() made, by boards
        self.horizon: datetime = moments.horizon(readings, history.as_of).to_pydatetime()

    def version_at(self, time: datetime) -> int:
        """The version that held at a time; of equal times the later one."""
        if time > self.horizon:
            return AFTER
        after = bisect_right(self.at, time)
        if self.has_gaps and 0 < after < len(self.at) and self.looked[after] < time:
            return between(after)
        return after - 1

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """By version, whether it could be read."""
        return np.array([state in ("known", "empty") for state in self.states], dtype=bool)

    @property
    def last(self) -> int:
        """The newest version."""
        return len(self.at) - 1

    @property
    def readable(self) -> bool:
        """Whether any version could be read."""
        return any(state != "unknown" for state in self.states)


def _times(column: pd.Series) -> list[datetime]:
    found: list[datetime] = column.dt.to_pydatetime().tolist()
    return found


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch [start, stop) in which no board changed.

    Attributes:
        moment: the version of each board.
        last: the final one, which holds at its stop, too: the last look.
    """

    start: datetime
    stop: datetime
    moment: Moment
    last: bool = False

    def meets(self, start: datetime, end: datetime) -> bool:
        """Whether some instant of [start, end] lies in this stretch."""
        return self.start <= end and (start < self.stop or (self.last and start <= self.stop))


def segments(tracks: Sequence[Track]) -> list[Segment]:
    """The time from the first version of any board to the last look at all of them."""
    known, names = tracks[0].cut, tuple(track.name for track in tracks)
    if names not in known:
        known[names] = _segments(tracks)
    return known[names]


def _segments(tracks: Sequence[Track]) -> list[Segment]:
    end = min(track.horizon for track in tracks)
    cuts = {at for track in tracks for at in track.at if at <= end}
    for track in tracks:
        if track.has_gaps:
            # At the last look itself what it saw was there.
            pairs = zip(track.looked, track.at, strict=True)
            cuts |= {look + _TICK for look, at in pairs if look < at and look + _TICK <= end}
    starts = sorted(cuts)
    stops = [*starts[1:], end]
    return [
        Segment(
            start,
            stop,
            {track.name: track.version_at(start) for track in tracks},
            last=start == starts[-1],
        )
        for start, stop in zip(starts, stops, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Held:
    """A whole stretch of time in which something held.

    Attributes:
        start: first instant; `at_first`: it held when the history begins, perhaps longer.
        until: first instant at which it no longer held; None if it still did when last known.
        stop: `until`, or the last look.
        first, after: the moments at which it began and ended; `after` is None if open.
        from_commit, until_commit: of the version that began and ended it.
        dark: seconds in it of which nothing is known.
        lapsed: from when on nothing is known up to the last look; None if it is known, or ended.
    """

    start: datetime
    until: datetime | None
    stop: datetime
    first: Moment
    after: Moment | None
    from_commit: str
    until_commit: str | None
    at_first: bool
    dark: int = 0
    lapsed: datetime | None = None

    @property
    def seconds(self) -> int:
        """Length, as far as it is known."""
        return int(((self.lapsed or self.stop) - self.start).total_seconds())

    def covers(self, time: datetime) -> bool:
        """Whether it held then."""
        return self.start <= time and (self.until is None or time < self.until)


def held(
    parts: Sequence[Segment], holds: Sequence[bool | None], tracks: Mapping[str, Track]
) -> list[Held]:
    """The maximal stretches in which something held.

    Args:
        parts: segments in order.
        holds: for each: yes, no, or None for unknown; a stretch runs on across unknown
            segments if it holds after them, else it ends where it is known not to hold, or where
            nothing more is known.
        tracks: by board.
    """
    known = [n for n, yes in enumerate(holds) if yes is not None]
    found: list[Held] = []
    begin: int | None = None
    for here in [*known, None]:
        if here is not None and holds[here]:
            begin = here if begin is None else begin
        elif begin is not None:
            first, after = parts[begin], None if here is None else parts[here]
            # No version is known after this one, though some came.
            lapse = parts[known[-1] + 1 :][:1] if after is None else []
            inside = range(begin, known[-1] if here is None else here)
            dark = sum(
                (parts[n].stop - parts[n].start).total_seconds() for n in inside if holds[n] is None
            )
            found.append(
                Held(
                    start=first.start,
                    until=None if after is None else after.start,
                    stop=parts[-1].stop if after is None else after.start,
                    first=first.moment,
                    after=None if after is None else after.moment,
                    from_commit=commit_of(parts, begin, tracks),
                    until_commit=None if here is None else commit_of(parts, here, tracks),
                    at_first=begin == known[0],
                    dark=round(dark),
                    lapsed=lapse[0].start if lapse else None,
                )
            )
            begin = None
    return found


def commit_of(parts: Sequence[Segment], n: int, tracks: Mapping[str, Track]) -> str:
    """Commit of the version that began with a segment; of several boards the first that changed."""
    here = parts[n].moment
    before = parts[n - 1].moment if n else {}
    moved = [name for name in here if here[name] != before.get(name, BEFORE)]
    name = next((n for n in moved if here[n] >= 0), None)
    if name is None and any(is_between(here[n]) for n in moved):
        return ""  # which one began then, if any, nobody saw
    name = name or next(iter(here))
    return tracks[name].commits[here[name]]
