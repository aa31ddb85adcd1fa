"""What does a long job tell people, and how is it stopped?

Start at Work. Fetching runs side by side in threads, and Ctrl-C reaches only the main one; so
whatever waits (for git, for a server, for its turn) asks its Work whether it should go on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

Say = Callable[[str], None]
# What is counted, how much of it is done, how much there is (None: not known).
Count = Callable[[str, int, int | None], None]


class Stopped(Exception):
    """Somebody stopped the job; what was reported as saved is safe."""


class Work:
    """A job in progress; calling it says a line.

    Args:
        say: told what is being done, a line at a time.
        count: told how far a countable step is.

    >>> lines = []
    >>> work = Work(lines.append).of("moss")
    >>> work("asking the Hub"); lines
    ['moss: asking the Hub']
    """

    def __init__(self, say: Say = lambda _: None, count: Count = lambda *_: None):
        self._say, self._count = say, count
        self._stopped = threading.Event()

    def __call__(self, text: str) -> None:
        """Say a line."""
        self._say(text)

    def count(self, what: str, done: int, total: int | None = None) -> None:
        """Tell how far a step is, as in count("files", 20, 1902)."""
        self._count(what, done, total)

    def of(self, name: str) -> Work:
        """The same job, speaking of one board; stopping one stops both."""
        part = Work(
            lambda text: self._say(f"{name}: {text}"),
            lambda what, done, total: self._count(f"{name}: {what}", done, total),
        )
        part._stopped = self._stopped
        return part

    def stop(self) -> None:
        """Ask everybody at work to end now."""
        self._stopped.set()

    def check(self) -> None:
        """Go on, or end.

        Raises:
            Stopped: somebody asked for it.
        """
        if self._stopped.is_set():
            raise Stopped

    def wait(self, seconds: float) -> None:
        """Sleep, unless the job is stopped meanwhile.

        Raises:
            Stopped: it was.
        """
        if self._stopped.wait(seconds):
            raise Stopped
