"""How much may one file ask of a reader?

In: nothing. Out: caps, and a Deadline that a reader asks in its own loops. Start at Deadline.
The caps decide, so that a file is read the same on every machine; the Deadline is for what they
did not foresee. With them no file takes more than 5 seconds or 1 GB: `make fuzz` tries.
"""

from __future__ import annotations

import time

from history.readers import Unreadable

MAX_DEPTH = 100  # objects and lists inside each other, tables inside tables
MAX_VALUES = 1_000_000  # of a file of objects and lists
MAX_ROWS = 100_000  # of a table
MAX_CELLS = 2_000_000  # of a table; blank ones, and those that a span covers, count
MAX_STEPS = 400_000  # values that one JSONPath looks at
SECONDS = 4.0


class Deadline:
    """When a reader has to give up.

    It counts the time that this thread computes, so that a busy machine does not matter.

    >>> Deadline(seconds=60).check("its tables are cut")
    >>> Deadline(seconds=-1).check("its tables are cut")
    Traceback (most recent call last):
    history.readers.Unreadable: too_slow: its tables are cut for more than -1 s
    """

    def __init__(self, seconds: float = SECONDS):
        self._seconds = seconds
        self._end = time.thread_time() + seconds
        self._soonest = time.monotonic() + seconds

    @property
    def passed(self) -> bool:
        """Whether the time is over."""
        # The time of a thread takes long to ask, and never runs faster than the clock.
        return time.monotonic() > self._soonest and time.thread_time() > self._end

    def check(self, doing: str) -> None:
        """Give up if the time is over.

        Args:
            doing: what goes on, for people.

        Raises:
            Unreadable: too_slow.
        """
        if self.passed:
            raise Unreadable("too_slow", f"{doing} for more than {self._seconds:g} s")


def check_rows(count: int) -> None:
    """Refuse a table with too many rows.

    Raises:
        Unreadable: too_large.
    """
    if count > MAX_ROWS:
        raise Unreadable("too_large", f"{count:,} rows; at most {MAX_ROWS:,} are read")


def check_values(data: bytes, marks: bytes = b",[{") -> None:
    """Refuse a file that could hold too many values, before they take memory.

    Args:
        data: the file.
        marks: bytes with which a value begins or ends; those in texts count, too.

    Raises:
        Unreadable: too_large.
    """
    if len(data) <= MAX_VALUES:  # each takes a byte at least
        return
    count = sum(data.count(mark) for mark in marks)
    if count > MAX_VALUES:
        known = " ".join(repr(chr(mark))[1:-1] for mark in marks)
        raise Unreadable("too_large", f"{count:,} of {known}; at most {MAX_VALUES:,} are read")
