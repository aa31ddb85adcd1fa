"""How is one fact said to people?

In: a value of a document of history/records.py. Out: a few words.
"""

from __future__ import annotations

import textwrap
from typing import Any

from app.output import clean

WIDTH = 100  # of sentences; tables are as wide as they are
Document = dict[str, Any]


def tie_text(one: Document) -> str | None:
    """A tie rank, with = where it is shared.

    >>> tie_text({"tie_rank": 2, "tied": True})
    '2='
    """
    if one["tie_rank"] is None:
        return None
    return f"{one['tie_rank']}{'=' if one['tied'] else ''}"


def reign_length(one: Document) -> str:
    """How long a reign lasted, and what of that is not certain.

    >>> reign_length({"seconds": 104340, "seconds_certain": 104340, "censored_start": False})
    '28 h 59 min'
    """
    text = duration(one["seconds"])
    if one["censored_start"]:
        text = f"at least {text}"
    if one["seconds_certain"] != one["seconds"]:
        text = f"{text} ({duration(one['seconds_certain'])} certain)"
    return text


def lost_text(one: Document) -> str:
    """Who took first place, and how; "with" where who was first stays first beside them.

    >>> lost_text({"stays": [], "names": {"b": "B"}, "lost_to": [{"entry": "b", "why": "joined"}]})
    'B (joined)'
    """
    lost = ", ".join(f"{one['names'][lost['entry']]} ({lost['why']})" for lost in one["lost_to"])
    return f"with {lost}" if lost and one["stays"] else lost


LOST = {
    "joined": "which joined",
    "re-scored": "which was re-scored",
    "edition": "with a new edition",
    "holder left": "as the holder left",
    "holder re-scored": "as the holder was re-scored",
    "unknown": "for a reason that the files do not show",
}


def reign_text(one: Document) -> str:
    """A reign as a line of text.

    >>> reign_text({"from": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z", "open": False,
    ...     "seconds": 86400, "seconds_certain": 86400, "censored_start": False, "absent": False,
    ...     "entries": ["a"], "names": {"a": "A", "b": "B"}, "stays": [], "score_text": "1.50",
    ...     "lost_to": [{"entry": "b", "why": "joined"}]})
    '2026-01-01T00:00:00Z to 2026-01-02T00:00:00Z (24 h): A, 1.50; lost to B, which joined'
    """
    until = "the last look" if one["open"] else one["until"]
    text = f"{one['from']} to {until} ({reign_length(one)}): {holders(one)}"
    if one["score_text"] is not None:
        text = f"{text}, {one['score_text']}"
    if one["lost_to"]:
        lost = " and ".join(
            f"{one['names'][lost['entry']]}, {LOST[lost['why']]}" for lost in one["lost_to"]
        )
        text = f"{text}; {'joined by' if one['stays'] else 'lost to'} {lost}"
    return text


def holders(one: Document) -> str:
    """Who was first.

    >>> holders({"entries": [], "names": {}, "absent": True})
    '(no file)'
    """
    nobody = "(no file)" if one["absent"] else "(nobody)"
    return ", ".join(one["names"][entry] for entry in one["entries"]) or nobody


def unsaid(claim: Document) -> list[tuple[str, str]]:
    """What a verdict has beside its sentence: kind (nearest, note) and text.

    What the sentence has said already is not said again.

    >>> unsaid({"sentence": "False. B was 2nd, tied. It was first on x before, from 1 to 2 May.",
    ...     "nearest": [{"statement": "B was first on x from 1 to 2 May"}],
    ...     "notes": ["tied", "no file"]})
    [('note', 'no file')]
    """
    more = [("nearest", near["statement"]) for near in claim["nearest"]]
    more += [("note", note) for note in claim["notes"]]
    return [(kind, text) for kind, text in more if not _says(claim["sentence"], text)]


def _says(sentence: str, text: str) -> bool:
    """Whether a sentence says a text, perhaps as "it" and with a word before the time."""
    if text in sentence or (text.partition(": ")[2] or text) in sentence:
        return True
    what, _, when = text.partition(" was ")[2].partition(" from ")
    return bool(what and when) and what in sentence and f"from {when}" in sentence


def wrapped(text: str, first: str, rest: str) -> str:
    """A sentence in lines of at most WIDTH; ids and paths stay whole."""
    # What is escaped grows, so that it is escaped before it is measured.
    return textwrap.fill(
        clean(text.replace("\n", " ")),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def short(commit: str | None) -> str:
    """The first eight digits of a commit, enough to find it again."""
    return commit[:8] if commit else ""


def rounded(value: float | None) -> str | None:
    """A computed number for people; the JSON has it whole."""
    return None if value is None else f"{value:.2f}"


def duration(seconds: float) -> str:
    """A length of time in words.

    >>> [duration(s) for s in (104340, 45, 3 * 86400 + 7200, 90000, 60)]
    ['28 h 59 min', '45 s', '3 d 2 h', '25 h', '1 min']
    """
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if whole >= 3 * 86400:
        days, hours = divmod(hours, 24)
        return f"{days} d {hours} h" if hours else f"{days} d"
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{rest} s"


def ordinal(number: int) -> str:
    """A place in words.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '112th']
    """
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
