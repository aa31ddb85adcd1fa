"""What is said of a sentence that is not understood?

What was understood, what was not, and the accepted form that is nearest. Start at refused().
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from history.claims.language.claim import ClaimError
from history.claims.sentences.grammar import FORMS, TIMES, Form

_LONGEST_SHOWN = 120


def refused(text: str, at: int, found: str = "", hint: str = "") -> ClaimError:
    """The error about a sentence that is not understood from some place on.

    Args:
        text: the sentence.
        at: where what was not understood begins.
        found: what is wrong, if it is not just that the rest is not understood.
        hint: what to do about it, before the nearest form.

    >>> print(refused("fern is great on text", 8))
    ... # doctest: +ELLIPSIS
    "fern is great on text": "great on text" was not understood, "fern is" was. Nearest form: ...
    """
    understood, rest = text[:at].strip(), text[at:].strip()
    if not found:
        found = f'"{_short(rest)}" was not understood' if rest else "the sentence stops too early"
    if understood and rest:
        found += f', "{_short(understood)}" was'
    nearest = max(FORMS, key=lambda form: _likeness(text, form))
    fix = f'{hint}Nearest form: {nearest.form}, as in "{nearest.example}"'
    if " on " in understood:
        fix += f" (TIME: {TIMES})"
    return ClaimError(f'"{_short(text)}"', found, fix)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def _likeness(text: str, form: Form) -> float:
    said = re.sub(r"#\d+|\d+(?:st|nd|rd|th)\b", "Nth", text[:500].replace("#1", "first")).split()
    said = [re.sub(r"^[+\u2212-]\d.*", "+X", word) for word in said]
    wanted = [word.strip("[]|") for word in form.form.split()]
    shared = len({word.lower() for word in said} & {word.lower() for word in wanted})
    return shared + SequenceMatcher(None, said, wanted).ratio()
