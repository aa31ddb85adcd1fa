"""Where does a regular expression of a definition match a text?

In: a pattern as written. Out: a Pattern whose searches end. Start at parse(). Some patterns take
ages on a text that somebody made for it ("(a|aa)+$"): all searches of one version together have
a few seconds, see one_version(); what takes longer makes the version unreadable.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import thread_time
from typing import Any

import regex

from history.readers import Unreadable

SECONDS = 2.0

_ends_at: ContextVar[float | None] = ContextVar("ends_at", default=None)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression.

    Attributes:
        text: as written.
        groups: how many parts in parentheses it has.
    """

    text: str
    groups: int
    _compiled: regex.Pattern[str]

    def search(self, text: str) -> regex.Match[str] | None:
        """Where the pattern is found first.

        Raises:
            Unreadable: it takes too long.

        >>> parse("^([0-9]+)B").search("27B, open")[1]
        '27'
        """
        ends_at = _ends_at.get()
        left = SECONDS if ends_at is None else ends_at - thread_time()
        if left > 0:
            try:
                return self._compiled.search(text, timeout=left)
            except TimeoutError:
                pass
        found = f"the pattern {self.text[:60]!r} takes more than {SECONDS:g} s, at {text[:60]!r}"
        raise Unreadable("too_slow", found)


def parse(text: str, *, lines: bool = False) -> Pattern:
    """Understand a regular expression.

    Args:
        text: as in Python's `re`.
        lines: "^" and "$" stand for the ends of lines, too.

    Raises:
        ValueError: it is none.
    """
    try:
        compiled: Any = regex.compile(text, regex.MULTILINE if lines else 0)
    except regex.error as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from None
    return Pattern(text, compiled.groups, compiled)


@contextmanager
def one_version() -> Iterator[None]:
    """Let all searches inside share the time that one version has."""
    before = _ends_at.set(thread_time() + SECONDS)
    try:
        yield
    finally:
        _ends_at.reset(before)
