"""How did a claim go through all of the time that is known?

A Course says for every segment of time whether a State held in it; a Window is the stretch
that a `when` means, and what it cuts out of a Course: Pieces.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np

from history.claims.alike import learn
from history.claims.answer import Holds, Truth
from history.claims.language.claim import When
from history.claims.states import State
from history.claims.timeline import Held, commit_of, held, is_between, segments

# Undecided, and yet it ends what held before: without a file nobody has a place, and a
# number that only rounding could save does not hold as it is printed.
ENDING = ("BOARD_ABSENT", "WITHIN_ROUNDING")
_TICK = timedelta(microseconds=1)
_LAST = datetime.max.replace(tzinfo=UTC) - _TICK  # no time is later


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch [start, stop) inside a window in which nothing changed.

    Attributes:
        holds: whether the claim held.
        since: when the versions that decide began to hold; before `start` if the window cuts.
        commit: of the version that began then; empty where nothing is known.
        is_open: it reaches up to the last look.
    """

    start: datetime
    stop: datetime
    holds: Holds
    since: datetime
    commit: str
    is_open: bool = False

    @property
    def seconds(self) -> int:
        """Length."""
        return round((self.stop - self.start).total_seconds())


class Course:
    """How a state went through all of the time that is known.

    Attributes:
        parts: the segments; `found` says for each whether the state held.
        runs: the segments by their answer, those with one and the same side by side together.
        seen: as `found`, but between two looks that saw the same answer it is that.
        held: whole stretches in which it held, by `seen`.
    """

    def __init__(self, state: State):
        self.tracks = {leaf.track.name: leaf.track for leaf in state.leaves}
        self.parts = segments(list(self.tracks.values()))
        for leaf in state.leaves:
            learn(leaf)
        self.found = state.all_holds([part.moment for part in self.parts])
        self.runs = _alike(self.found)
        self.seen = self._by_looks()
        marked: list[bool | None] = []
        for run in self.runs if self.seen is self.found else _alike(self.seen):
            marked += [mark(self.seen[run.start])] * len(run)
        self.held: list[Held] = held(self.parts, marked, self.tracks)

    def _by_looks(self) -> list[Holds]:
        if not any(track.has_gaps for track in self.tracks.values()):
            return self.found
        dark = [
            one.truth is Truth.UNKNOWN
            and one.code == "CENSORED"
            and any(map(is_between, part.moment.values()))
            for one, part in zip(self.found, self.parts, strict=True)
        ]
        seen = list(self.found)
        lit = [n for n, is_dark in enumerate(dark) if not is_dark]
        for before, after in pairwise(lit):
            if self.found[before].truth is self.found[after].truth:
                seen[before + 1 : after] = [self.found[before]] * (after - before - 1)
        return seen

    @property
    def begin(self) -> datetime:
        """When all boards are known."""
        return max(track.at[0] for track in self.tracks.values())

    @property
    def end(self) -> datetime:
        """The last look at all boards."""
        return self.parts[-1].stop


def _alike(found: Sequence[Holds]) -> list[range]:
    """Where one and the same answer stands side by side; most versions share theirs with others."""
    which = np.fromiter(map(id, found), dtype=np.int64, count=len(found))
    cuts = (np.flatnonzero(np.diff(which)) + 1).tolist()
    return [range(start, stop) for start, stop in pairwise([0, *cuts, len(found)])]


def mark(holds: Holds) -> bool | None:
    """What an answer means for a stretch: it holds, ends it, or None: it runs on across."""
    if holds.truth is Truth.UNKNOWN and holds.code not in ENDING:
        return None
    return holds.truth is Truth.YES


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time with both ends in it, and what it cuts out of a course.

    Attributes:
        inside: numbers of the segments that meet it.
        unknown: reason codes of what it holds besides them.
    """

    start: datetime
    end: datetime
    inside: range
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, when: When, course: Course) -> Window:
        """The window of a `when`; an open end is as far as all boards are known."""
        first, last = when.ends
        start = course.begin if first is None else first
        end = course.end if last is None else last
        # They are in order, so that those which meet it stand together.
        parts = course.parts
        begin = bisect_left(parts, True, key=lambda part: start < part.stop or part.last)
        stop = bisect_right(parts, end, key=lambda part: part.start)
        inside = range(begin, stop)
        if inside and not parts[inside[-1]].meets(start, end):  # the last look is its end
            inside = inside[:-1]
        # A window with an open end can lie wholly before or behind all that is known.
        unknown = ["BEFORE_FIRST_SNAPSHOT"] if min(start, end) < course.parts[0].start else []
        unknown += ["CENSORED"] if max(start, end) > course.end else []
        if not inside and not unknown:
            unknown = ["BEFORE_FIRST_SNAPSHOT"]  # of one of several boards
        return cls(start, end, inside, tuple(unknown))

    @property
    def stop(self) -> datetime:
        """First instant after it."""
        return min(self.end, _LAST) + _TICK

    def meeting(self, course: Course) -> list[Held]:
        """The stretches of a course that meet it, whole."""
        return [
            one
            for one in course.held
            if one.start <= self.end and (one.until is None or one.until > self.start)
        ]

    def runs(self, course: Course) -> list[range]:
        """The segments inside by their answer, as in Course.runs."""
        first, stop = self.inside.start, self.inside.stop
        cut = (range(max(run.start, first), min(run.stop, stop)) for run in course.runs)
        return [run for run in cut if run]

    def holds(self, course: Course) -> list[Holds]:
        """What is known of it, in order, each answer once for a run; also where that is nothing."""
        before = [Holds(Truth.UNKNOWN, "BEFORE_FIRST_SNAPSHOT")]
        after = [Holds(Truth.UNKNOWN, "CENSORED")]
        found = before if self.start < course.parts[0].start else []
        found += [course.found[run.start] for run in self.runs(course)]
        return found + (after if self.end > course.end else [])

    def pieces(self, course: Course, seen: bool = False) -> list[Piece]:
        """All of the window in order, also where nothing is known of it.

        Args:
            course: what it is cut out of.
            seen: whether it is to hold between two looks that saw that it held.
        """
        found_in = course.seen if seen else course.found
        found = []
        first, look = course.parts[0].start, course.end
        if self.start < first:
            before = Holds(Truth.UNKNOWN, "BEFORE_FIRST_SNAPSHOT")
            found.append(Piece(self.start, min(first, self.stop), before, self.start, ""))
        for n in self.inside:
            part, commit = course.parts[n], commit_of(course.parts, n, course.tracks)
            is_open = part.last and self.end >= look
            stop = min(look + _TICK if part.last else part.stop, self.stop)
            start = max(part.start, self.start)
            found.append(Piece(start, stop, found_in[n], part.start, commit, is_open))
        if self.end > look:
            begin = max(look + _TICK, self.start)
            after = Holds(Truth.UNKNOWN, "CENSORED")
            found.append(Piece(begin, self.stop, after, begin, ""))
        return found


def runs(pieces: Sequence[Piece], truths: Sequence[Truth]) -> list[list[Piece]]:
    """Maximal runs of pieces with one of some truths; an ending code ends one, too."""
    found: list[list[Piece]] = [[]]
    for piece in pieces:
        absent = piece.holds.code == "BOARD_ABSENT" and piece.holds.truth is Truth.UNKNOWN
        if piece.holds.truth in truths and not absent:
            found[-1].append(piece)
        elif found[-1]:
            found.append([])
    return [run for run in found if run]
