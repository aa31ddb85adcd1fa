"""How is one fact said to people?

In: a value of a document of history/records/records.py. Out: a few words.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from app.output import clean, width

WIDTH = 100  # of sentences, at most
Document = dict[str, Any]


def tie_text(one: Document) -> str | None:
    """A tie rank, with = where it is shared.

    >>> tie_text({"tie_rank": 2, "tied": True})
    '2='
    """
    if one["tie_rank"] is None:
        return None
    return f"{one['tie_rank']}{'=' if one['tied'] else ''}"


def ties_text(ties: Document) -> str:
    """Which tie rule an answer goes by; of a test of significance, that it is none of the board's.

    >>> ties_text({"rule": "anchored", "band": 0.9, "edge": "inclusive"})
    'ties anchored 0.9 inclusive'
    >>> ties_text({"rule": "se", "band": 1.96, "measured_by": "items", "statistical": True})
    "statistical ties within 1.96 standard errors (from items), not the board's rule"
    """
    rule, band = ties["rule"], ties["band"]
    if ties.get("statistical"):
        source = "" if ties["measured_by"] == "se" else f" (from {ties['measured_by']})"
        return f"statistical ties within {band:g} standard errors{source}, not the board's rule"
    if rule == "interval":
        source = "score and 1.96 se to each side"
        return f"ties interval ({source if ties['measured_by'] == 'se' else ties['measured_by']})"
    return f"ties {rule}" + ("" if band is None else f" {band:g} {ties['edge']}")


def places_text(one: Document) -> str | None:
    """The places that the tie rule leaves open.

    >>> [places_text({"rank_low": 2, "rank_high": high}) for high in (5, 2, None)]
    ['2-5', '2', '2-?']
    """
    low, high = one["rank_low"], one["rank_high"]
    if low is None and high is None:
        return None
    best, worst = ("?" if place is None else str(place) for place in (low, high))
    return best if best == worst else f"{best}-{worst}"


def reign_length(one: Document) -> str:
    """How long a reign lasted, and what of that is not certain.

    >>> reign_length({"seconds": 104340, "seconds_certain": 104340, "censored_start": False})
    '28 h 59 min'
    >>> reign_length({"seconds": 104340, "seconds_certain": 0, "censored_start": False,
    ...     "seconds_high": 195540})
    '28 h 59 min (0 s to 54 h 19 min)'
    """
    text = duration(one["seconds"])
    if one["censored_start"]:
        text = f"at least {text}"
    certain = duration(one["seconds_certain"])
    high = duration(one["seconds_high"] if "seconds_high" in one else one["seconds"])
    if high != duration(one["seconds"]):  # nobody saw it begin
        text = f"{text} ({certain} to {high})"
    elif certain != duration(one["seconds"]):
        text = f"{text} ({certain} certain)"
    return text


def lost_text(one: Document) -> str:
    """Who took first place, and how; "shared with" where who was first stays first, too.

    >>> lost_text({"stays": [], "names": {"b": "B"}, "lost_to": [{"entry": "b", "why": "joined"}],
    ...     "definition_changed": True})
    'B (joined), with a new definition'
    """
    lost = ", ".join(f"{one['names'][lost['entry']]} ({lost['why']})" for lost in one["lost_to"])
    lost = f"shared with {lost}" if lost and one["stays"] else lost
    return ", ".join([lost] * bool(lost) + [NEW_DEFINITION] * one["definition_changed"])


def unread_text(n: int) -> str:
    """What is left out of the ranks of a board with a file per entry.

    >>> unread_text(1)
    '1 entry could not be read; ranks are those of the others.'
    """
    return f"{n} entr{'y' if n == 1 else 'ies'} could not be read; ranks are those of the others."


def unranked_lines(entries: Sequence[Document]) -> list[str]:
    """Who is listed without a rank for a reason that a gap does not tell; the first two of them.

    >>> unranked_lines([{"unranked_why": "the score of 'fern' is a bound, no value: '<0.1'"}])
    ["1 entry is not ranked: the score of 'fern' is a bound, no value: '<0.1' (see `audit`)"]
    """
    whys = [one["unranked_why"] for one in entries if one["unranked_why"]]
    if not whys:
        return []
    who = f"{len(whys)} entries are" if len(whys) > 1 else "1 entry is"
    more = f"; and {len(whys) - 2} more" if len(whys) > 2 else ""
    return [f"{who} not ranked: {'; '.join(whys[:2])}{more} (see `audit`)"]


NEW_DEFINITION = "with a new definition"
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
    ...     "lost_to": [{"entry": "b", "why": "joined"}], "definition_changed": False})
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
    if one["definition_changed"]:
        text = f"{text}, {NEW_DEFINITION}"
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


def note_lines(document: Document, timed: bool = True) -> list[str]:
    """What the definition says beside the file, a line for each note.

    Args:
        document: with `notes`.
        timed: with the time for which each holds.

    >>> note_lines({"notes": [{"entry": "fern", "text": "v1.1 weights", "until": None,
    ...     "source": "https://example.org/note", "from": "2026-03-21T00:00:00Z"}]})
    ['Note: fern, from 2026-03-21T00:00:00Z: v1.1 weights (https://example.org/note)']
    """
    found = []
    for one in document["notes"]:
        words = [one["entry"] or ""]
        if timed:
            words += [f"{end} {one[end]}" for end in ("from", "until") if one[end]]
        about = ", ".join(word for word in words if word)
        source = f" ({one['source']})" if one["source"] else ""
        line = f"Note: {about}: " if about else "Note: "
        found.append(" ".join(f"{line}{one['text']}{source}".split()))
    return found


def wrapped(text: str, first: str, rest: str) -> str:
    """A sentence in lines as wide as the page, at most WIDTH; ids and paths stay whole."""
    # What is escaped grows, so that it is escaped before it is measured.
    return textwrap.fill(
        clean(text.replace("\n", " ")),
        min(WIDTH, width()),
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
