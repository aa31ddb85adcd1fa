"""Which version of each board held at each time?

A Track is the line of versions of one board; segments() cuts the time of several boards
into stretches in which none of them changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from history import moments
from history.claims.claim import ClaimError

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

BEFORE = -1  # place of a time before the first version
AFTER = -2  # and of one after the last look

Places = Mapping[str, int]


class Track:
    """The versions of one board in order, and when each began to hold.

    A place is a position on this line: 0 for the first version, BEFORE for none yet.

    Attributes:
        name: the board.
        at: when each version began to hold.
        states: known, empty, absent or unknown, by place.
        versions, commits, editions: by place.
        horizon: last time of which something is known.
        label: what the board's numbers are worth as evidence.

    Raises:
        ClaimError: nothing of this board is stored.
    """

    def __init__(self, history: BoardHistory):
        readings = history.readings
        if readings.empty:
            raise ClaimError(history.name, "no version of this board is stored", "Crawl it first")
        self.name = history.name
        self.label = history.label
        self.at: list[datetime] = [at.to_pydatetime() for at in readings["at"]]
        self.states: list[str] = moments.states(readings).tolist()
        self.versions: list[int] = readings["version"].tolist()
        self.commits: list[str] = readings["commit"].tolist()
        self.editions = [str(e) if isinstance(e, str) else "" for e in readings["edition"]]
        self.horizon: datetime = moments.horizon(readings, history.as_of).to_pydatetime()

    def place(self, time: datetime) -> int:
        """Place of the version that held at a time; of equal times the later one."""
        return bisect_right(self.at, time) - 1

    @property
    def readable(self) -> bool:
        """Whether any version could be read."""
        return any(state != "unknown" for state in self.states)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch [start, stop) in which no board changed.

    Attributes:
        places: board -> place on its track.
        last: the final one, which holds at its stop, too: the last look.
    """

    start: datetime
    stop: datetime
    places: Places
    last: bool = False

    def meets(self, start: datetime, end: datetime) -> bool:
        """Whether some instant of [start, end] lies in this stretch."""
        return self.start <= end and (start < self.stop or (self.last and start <= self.stop))


def segments(tracks: Sequence[Track]) -> list[Segment]:
    """The time from the first version of any board to the last look at all of them."""
    end = min(track.horizon for track in tracks)
    starts = sorted({at for track in tracks for at in track.at if at <= end})
    stops = [*starts[1:], end]
    return [
        Segment(
            start,
            stop,
            {track.name: track.place(start) for track in tracks},
            last=stop is stops[-1] and start == starts[-1],
        )
        for start, stop in zip(starts, stops, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Held:
    """A whole stretch of time in which something held.

    Attributes:
        start: first instant; `at_first`: it held when the history begins, perhaps longer.
        until: first instant at which it no longer held; None if it still did at the last look.
        stop: `until`, or the last look.
        first, after: the places where it began and ended; `after` is None if open.
        from_commit, until_commit: of the version that began and ended it.
    """

    start: datetime
    until: datetime | None
    stop: datetime
    first: Places
    after: Places | None
    from_commit: str
    until_commit: str | None
    at_first: bool

    @property
    def seconds(self) -> int:
        """Length, to the last look if open."""
        return int((self.stop - self.start).total_seconds())


def held(
    parts: Sequence[Segment], holds: Sequence[bool | None], tracks: Mapping[str, Track]
) -> list[Held]:
    """The maximal stretches in which something held.

    Args:
        parts: segments in order.
        holds: for each: yes, no, or None for unknown; a stretch runs on across unknown
            segments if it holds after them, else it ends where it is known not to hold.
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
            before = parts[begin - 1].places if begin else {}
            last = parts[known[-1] if here is None else here - 1]
            found.append(
                Held(
                    start=first.start,
                    until=None if after is None else after.start,
                    stop=parts[-1].stop if after is None else after.start,
                    first=first.places,
                    after=None if after is None else after.places,
                    from_commit=_changed(tracks, before, first.places),
                    until_commit=None
                    if after is None
                    else _changed(tracks, last.places, after.places),
                    at_first=begin == known[0],
                )
            )
            begin = None
    return found


def _changed(tracks: Mapping[str, Track], before: Places, here: Places) -> str:
    """Commit of the version that began here; of several boards the first that changed."""
    moved = [name for name in here if here[name] != before.get(name, BEFORE)]
    name = next((n for n in moved if here[n] != BEFORE), next(iter(here)))
    return tracks[name].commits[here[name]]
