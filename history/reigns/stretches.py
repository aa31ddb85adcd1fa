"""From when to when did something hold?

In: a yes, a no or "not known" per version, READINGS and the time of the last look. Out: stretches,
half-open [start, until). Start at intervals_where().
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history import moments

Mark = TypeVar("Mark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A maximal run of versions in which one thing held.

    Attributes:
        start: when it began, UTC; the first instant at which it held, as far as is known.
        from_earliest: the earliest that it can have begun: `start`, or `until_earliest` of what
            held before.
        until: first instant at which it no longer held; None if it still does.
        until_earliest: the earliest that it can have ended: `until`, or the beginning of
            the unreadable stretch before it, or the last look that still saw it. None if it still
            holds as far as is known.
        seconds: length, to the last look if open; what is not known inside counts.
        seconds_certain: the same without it. Between two looks that both saw it, it held.
        open: it still held at the last look.
        censored_start: it held when the history begins, so perhaps longer.
        from_version, from_commit: where it began.
        until_version, until_commit: the version that ended it, None if open.
    """

    start: pd.Timestamp
    from_earliest: pd.Timestamp
    until: pd.Timestamp | None
    until_earliest: pd.Timestamp | None
    seconds: int
    seconds_certain: int
    open: bool
    censored_start: bool
    from_version: int
    until_version: int | None
    from_commit: str
    until_commit: str | None

    @property
    def seconds_high(self) -> int:
        """The longest that it can have lasted: from `from_earliest` on. The shortest is
        `seconds_certain`.
        """
        return self.seconds + _seconds(self.start - self.from_earliest)


def intervals_where(
    holds: pd.Series,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    unsure: Collection[int] = (),
) -> list[Stretch]:
    """When something held.

    Args:
        holds: True, False or <NA> (not known), indexed by version; a version that is
            missing is not known.
        readings: READINGS with `at`, by version.
        as_of: time of the last successful look.
        unsure: versions in which it is not certain.

    Returns:
        Oldest first, disjoint, not touching. Unknown versions are treated as in
        reigns(); versions that held for no time are passed over.

    >>> readings = pd.DataFrame({"version": [0, 1, 2], "commit": ["aa", "bb", "cc"],
    ...     "at": pd.to_datetime(["2026-03-01", "2026-03-02", "2026-03-03"], utc=True)})
    >>> holds = pd.Series([True, False, True], dtype="boolean")
    >>> [s.seconds for s in intervals_where(holds, readings, pd.Timestamp("2026-03-04T00:00Z"))]
    [86400, 86400]
    """
    lines = Line(readings, as_of, unsure)
    known = holds.astype("boolean").reindex(readings["version"])
    return lines.where(np.where(known.isna(), -1, known.fillna(False)).astype(np.int8))


class Line:
    """The versions of a board in time, of which many things can be asked one after the other."""

    def __init__(
        self,
        readings: pd.DataFrame,
        as_of: pd.Timestamp | None,
        unsure: Collection[int] = (),
    ):
        self.lasting: NDArray[np.bool_] = (readings["at"] != readings["at"].shift(-1)).to_numpy()
        self._readings = readings[self.lasting]
        self._as_of = as_of
        self._unsure = unsure

    def where(self, marks: NDArray[np.int8]) -> list[Stretch]:
        """When something held: 1, 0, or -1 for not known, one mark for each version."""
        marks = marks[self.lasting]
        readings = self._readings
        if not self._unsure and len(marks):
            # A version that says what the one before said changes nothing, but for the last one
            kept = np.append(True, marks[1:] != marks[:-1])
            kept[-1] = True
            marks, readings = marks[kept], readings.iloc[np.flatnonzero(kept)]
        said = [None if mark < 0 else bool(mark) for mark in marks.tolist()]
        found = runs(said, readings, self._as_of, self._unsure)
        return [stretch for held, stretch, _ in found if held]


def runs(
    marks: Sequence[Mark | None],
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    unsure: Collection[int] = (),
) -> list[tuple[Mark, Stretch, int]]:
    """Maximal runs of equal marks; None is unknown.

    Args:
        marks: by version.
        readings, as_of: as of reigns().
        unsure: versions whose mark is not certain.

    Returns:
        Mark, stretch, and the last version that is known to carry the mark.
    """
    known = [(position, mark) for position, mark in enumerate(marks) if mark is not None]
    if not known:
        return []
    at, versions = readings["at"].tolist(), readings["version"].tolist()
    looked = moments.earliest(readings).tolist()
    commits = readings["commit"].tolist()
    end = moments.horizon(readings, as_of)

    found = []
    first = start = known[0][0]
    from_earliest = at[start]
    uncertain = pd.Timedelta(0)
    unsure_at: pd.Timestamp | None = None
    for (here, mark), following in zip(known, [*known[1:], None], strict=True):
        is_open = following is None
        then = len(marks) if following is None else following[0]
        ends_at = end if is_open else at[then]
        goes_on = following is not None and following[1] == mark
        # An unreadable version directly after this one starts an unknown stretch, and so does the
        # last look at this one, if what it saw ends.
        unknown_at = looked[here + 1] if here + 1 < then else None
        if unknown_at is None and not is_open and not goes_on and looked[then] < at[then]:
            unknown_at = looked[then]
        unsure_at = (unsure_at or at[here]) if versions[here] in unsure else None
        unknown_at = unknown_at if unsure_at is None else at[here]
        if unknown_at is not None:
            uncertain += ends_at - unknown_at
        if goes_on:
            continue
        until = None if is_open else ends_at
        stretch = Stretch(
            start=at[start],
            from_earliest=from_earliest,
            until=until,
            until_earliest=until if unknown_at is None else unsure_at or unknown_at,
            seconds=_seconds(ends_at - at[start]),
            seconds_certain=_seconds(ends_at - at[start] - uncertain),
            open=is_open,
            censored_start=start == first,
            from_version=versions[start],
            until_version=None if is_open else versions[then],
            from_commit=commits[start],
            until_commit=None if is_open else commits[then],
        )
        found.append((mark, stretch, versions[here]))
        from_earliest = stretch.until_earliest
        start, uncertain, unsure_at = then, pd.Timedelta(0), None
    return found


def _seconds(length: pd.Timedelta) -> int:
    return length // pd.Timedelta(seconds=1)
