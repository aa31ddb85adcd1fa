"""What does a definition say that the file does not, and when does it hold?

In: a Meaning, and READINGS with `at`. Out: TimedNotes, its [[note]] and its [[ignore]] with their
bounds as times. Start at read(); meeting() picks those that an answer has to show.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from history.meaning import Meaning
from history.meaning.definition import Bound
from history.readings.overrides import Bounds, Rules

Commits = Iterable[tuple[str, int]]

_COLUMNS = ["commit", "position", "committed_at", "at"]


@dataclass(frozen=True, slots=True)
class TimedNote:
    """What a definition says beside the file.

    Attributes:
        entry: of which entry; None: of the board, or of a version as a whole.
        text: what it says; of an [[ignore]] "ignored: " and why.
        source: where that is written, or None.
        start: from when on it holds, inclusive; None: always.
        end: until when, exclusive; None: still.
        ignores: it is an [[ignore]], without which others would have other ranks.
    """

    entry: str | None
    text: str
    source: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    ignores: bool = False

    def meets(self, start: datetime | None, end: datetime | None) -> bool:
        """Whether it holds at some instant from `start` to `end`; None: without a bound.

        >>> note = TimedNote(None, "late", start=datetime(2026, 3, 2))
        >>> note.meets(None, datetime(2026, 3, 1)), note.meets(datetime(2026, 3, 2), None)
        (False, True)
        """
        begins = self.start is None or end is None or self.start <= end
        return begins and (self.end is None or start is None or start < self.end)

    def __str__(self) -> str:
        said = self.text if self.source is None else f"{self.text} ({self.source})"
        return said if self.entry is None else f"{self.entry}: {said}"


def read(
    meaning: Meaning, readings: pd.DataFrame, commits: Callable[[], Commits]
) -> tuple[TimedNote, ...]:
    """All notes of a definition, then what it ignores, each in file order.

    A commit bounds a note where the first version begins that is not before it. An [[ignore]]
    holds where the version that it touches does.

    Args:
        meaning: the definition.
        readings: READINGS with `at`.
        commits: gives commit ids of the board's line and their places on it; asked if needed.

    Raises:
        BoardError: a commit is not on the line, or could be several.
    """
    if not (meaning.notes or meaning.ignores):
        return ()
    line = list(commits())
    cells = readings[_COLUMNS].itertuples(index=False)
    versions = [dict(zip(_COLUMNS, row, strict=True)) for row in cells]
    return *_notes(meaning, versions, line), *_ignored(meaning, versions, line)


def meeting(
    notes: Iterable[TimedNote],
    start: datetime | None,
    end: datetime | None,
    shown: Collection[str],
    ranked: Collection[str] = (),
) -> list[TimedNote]:
    """The notes that belong to an answer.

    Args:
        notes: of a board.
        start, end: what the answer speaks of, both ends included; the same twice for a moment.
        shown: entries that it speaks of; notes of the whole board always belong to it.
        ranked: entries that theirs are ranked among; what is ignored of these touches it, too.

    >>> notes = [TimedNote("fern", "v1.1 weights"), TimedNote("moss", "ignored: a slip", ignores=True)]
    >>> [str(note) for note in meeting(notes, None, None, ["oak"], ["oak", "fern", "moss"])]
    ['moss: ignored: a slip']
    """
    return [
        note
        for note in notes
        if (note.entry is None or note.entry in shown or (note.ignores and note.entry in ranked))
        and note.meets(start, end)
    ]


def _notes(
    meaning: Meaning, versions: Sequence[dict[str, Any]], line: Commits
) -> Iterator[TimedNote]:
    bounds = Bounds(meaning.board, [b for n in meaning.notes for b in (n.start, n.end)], line)

    def begins(bound: Bound) -> datetime | None:
        """When a bound is reached; None: not yet, or there is no bound."""
        if not isinstance(bound, str):
            return bound
        return next((row["at"] for row in versions if bounds.reached(bound, row, True)), None)

    for note in meaning.notes:
        start, end = begins(note.start), begins(note.end)
        if start is not None or note.start is None:
            yield TimedNote(note.entry, note.text, note.source, start, end)


def _ignored(
    meaning: Meaning, versions: Sequence[dict[str, Any]], line: Commits
) -> Iterator[TimedNote]:
    """A note for each stretch of versions in which something is ignored."""
    rules = Rules(meaning, line)
    ignored = [set(rules.at(row).ignored.items()) for row in versions]
    for one in dict.fromkeys((rule.entry, rule.why) for rule in meaning.ignores):
        start: datetime | None = None
        for row, here in zip(versions, ignored, strict=True):
            if one in here and start is None:
                start = row["at"]
            elif one not in here and start is not None:
                yield TimedNote(one[0], f"ignored: {one[1]}", None, start, row["at"], ignores=True)
                start = None
        if start is not None:
            yield TimedNote(one[0], f"ignored: {one[1]}", None, start, ignores=True)
