"""Which names look the same and are not?

In: names. Out: skeletons: names with one skeleton are hard to tell apart. Start at skeleton();
hidden() names the letters that nobody sees.
"""

from __future__ import annotations

import re
import unicodedata

# Letters of no width, and marks that only turn the direction of writing. Joiners belong to
# many scripts and to emoji, so that they count only after a letter of ASCII or nothing.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff]|(?<![^\x00-\x7f])[\u200c\u200d]"
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_WHITE = "\t\n\v\f\r "
_BETWEEN = re.compile(r"[\s_\-\u2010-\u2015\u2212]+")

# Cyrillic and Greek letters of which the small or the large form is drawn as a Latin one (Unicode
# UTS 39). A digit and a letter (o and 0, l and 1) tell models apart and stay different. A control
# character that is no white space is drawn as nothing.
_DRAWN_AS = str.maketrans(
    "авеѕіјкмнорстухԁԛԝһӏαεικνορτυχϳϲ",
    "abesijkmhopctyxdqwhlaeikvoptuxjc",
    "".join({*map(chr, [*range(32), *range(127, 160)])} - {*_WHITE}),
)


def skeleton(name: str) -> str:
    r"""What is left of a name for the eye: without case, hidden letters, kinds of dashes.

    >>> {skeleton(name) for name in ("Fern 7B", "fern-7b", "f\u0435rn_7b", "fern\u200b 7b ")}
    {'fern-7b'}
    >>> skeleton("FERN-27B") == skeleton("Fern")
    False
    """
    seen = _HIDDEN.sub("", unicodedata.normalize("NFKC", name)).casefold()
    return _BETWEEN.sub("-", seen.translate(_DRAWN_AS).strip())


def hidden(name: str) -> list[str]:
    r"""The letters of a name that nobody sees, by code and name, each once.

    >>> hidden("fern\u200b"), hidden("fern")
    (['U+200B ZERO WIDTH SPACE'], [])
    """
    return [*map(_named, dict.fromkeys(_HIDDEN.findall(name))), *controls(name)]


def controls(name: str) -> list[str]:
    r"""The control characters of a name, each once; white space round it is none of it.

    >>> controls("fe\x00rn\n")
    ['U+0000 control character']
    """
    return [_named(letter) for letter in dict.fromkeys(_CONTROL.findall(name.strip(_WHITE)))]


def difference(one: str, other: str) -> str:
    r"""In what two names with one skeleton differ, in words.

    >>> difference("Fern", "fern"), difference("fern 7b", "fern-7b")
    ('in case', 'in spaces or dashes')
    >>> difference("Fern 7b", "fern-7b"), difference("fern", "f\u0435rn")[:9]
    ('in case, spaces or dashes', 'in U+0435')
    """
    letters = dict.fromkeys(
        letter
        for name, other_name in ((one, other), (other, one))
        for letter in name
        if letter not in other_name
        and letter not in _WHITE
        and not (letter.isascii() and letter.isprintable())
    )
    if letters:
        return f"in {', '.join(map(_named, letters))}"
    words = [_BETWEEN.sub("-", name.strip()) for name in (one, other)]
    if one.casefold() == other.casefold():
        return "in case"
    return "in spaces or dashes" if words[0] == words[1] else "in case, spaces or dashes"


def _named(letter: str) -> str:
    kind = "control character" if _CONTROL.match(letter) else ""
    return f"U+{ord(letter):04X} {unicodedata.name(letter, kind)}".strip()
