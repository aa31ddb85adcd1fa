"""Which moment or stretch of time does a part of a sentence say?

In: a part of a kind of time, the adverb, and the day on which it was said. Out: a When. Start at
read_when().
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from history.claims.language.claim import ClaimError, Time, When, first_instant, last_instant
from history.claims.sentences import dates
from history.claims.sentences.parts import Part
from history.claims.sentences.words import Word

Fail = Callable[[int, str], ClaimError]

_MOMENTS = ("DAY", "STAMP", "MONTH", "UNSURE", "COMMIT")


def read_when(part: Part, said_on: date | None, fail: Fail) -> When:
    """The moment or the stretch that a part says.

    Args:
        part: of kind on, moment, stretch, since, until, month or throughout.
        said_on: the day on which it was said, for dates without a year.
        fail: makes the error about a place in the sentence.
    """
    named = [word for word in part.words if word.kind in _MOMENTS]
    if part.kind in ("on", "moment"):
        return _moment(part, named[0], said_on, fail)
    start: Time | None = None
    end: Time | None = None
    if len(named) == 2:
        start, end = _ends(named[0], said_on, fail)[0], _ends(named[1], said_on, fail)[1]
    elif part.kind == "since":
        start = _ends(named[0], said_on, fail)[0]
    elif part.kind == "until":
        end = _ends(named[0], said_on, fail)[1]
    else:
        start, end = _ends(named[0], said_on, fail)
    if start and end and first_instant(start) > last_instant(end):
        raise fail(part.start, f'"{part.words[-1].said}" ends before it begins')
    return When("over", start, end)


def _moment(part: Part, word: Word, said_on: date | None, fail: Fail) -> When:
    if word.kind == "COMMIT":
        return When("at", commit=word.value)
    time = _time(word, said_on, fail)
    if time is None:
        raise _unsure(word, fail)
    if part.kind == "moment" or isinstance(time, datetime):
        return When("as_of", time)
    return When("on", time)


def _ends(word: Word, said_on: date | None, fail: Fail) -> tuple[Time, Time]:
    """First and last of a day, a time or a month."""
    time = _time(word, said_on, fail)
    if time is not None:
        return time, time
    try:
        month = dates.month_of(word.value, said_on)
    except ValueError:
        raise fail(word.start, f'"{word.said}" is no month') from None
    if month is None:
        raise _unsure(word, fail)
    return month


def _time(word: Word, said_on: date | None, fail: Fail) -> Time | None:
    try:
        return dates.moment(word.value, said_on)
    except ValueError:
        raise fail(word.start, f'"{word.said}" is no date') from None


def _unsure(word: Word, fail: Fail) -> ClaimError:
    """Why a text that looks like a date is none."""
    found = f'"{word.said}" is not one day: write it as 2026-03-20, a month as "in 2026-03"'
    return fail(word.start, found)
