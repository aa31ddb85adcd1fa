"""Which number do words say?

Whole numbers below a million: "two hundred and twenty-nine", "twenty-first". Start at
NUMBER_WORDS and whole().
"""

from __future__ import annotations

import re

from history.claims.language.printed import FRACTIONS

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NTHS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_NTH_TENS = [word.removesuffix("y") + "ieth" for word in _TENS]
_VALUES = {
    **{word: n for n, word in enumerate(_ONES)},
    **{word: 10 * n for n, word in enumerate(_TENS, start=2)},
    **{word: n for n, word in enumerate(_NTHS, start=1)},
    **{word: 10 * n for n, word in enumerate(_NTH_TENS, start=2)},
}
WORDS = frozenset((*_VALUES, "hundred", "thousand"))

_TEN, _ONE = "|".join(_TENS), "|".join(sorted(_ONES, key=len, reverse=True))
_SMALL = rf"(?:(?:{_TEN})(?:[\s-](?:{'|'.join(_ONES[1:10])}))?|{_ONE})"
_HUNDREDS = rf"(?:(?:{_SMALL}\s)?hundred(?:\s(?:and\s)?{_SMALL})?|{_SMALL})"
NUMBER_WORDS = rf"(?:(?:{_HUNDREDS}\s)?thousand(?:\s(?:and\s)?{_HUNDREDS})?|{_HUNDREDS})"
NTH_WORDS = (
    rf"(?:(?:{_TEN})[\s-](?:{'|'.join(_NTHS[:9])})|{'|'.join(sorted(_NTHS, key=len, reverse=True))}"
    rf"|{'|'.join(_NTH_TENS)})"
)
TIMES_WORDS = {"twice": "2", "double": "2", "thrice": "3", "triple": "3", "quadruple": "4"}
FRACTION_WORDS = {
    **{word: word for word in FRACTIONS},
    **{word.replace("a ", "one ", 1): word for word in FRACTIONS if word.startswith("a ")},
    "one eighth": "an eighth",
}


def whole(words: str) -> int:
    """The whole number that words or digits say.

    >>> whole("two hundred and twenty-nine"), whole("Twenty-first"), whole("1,740"), whole("#7")
    (229, 21, 1740, 7)
    """
    digits = re.sub(r"\D", "", words)
    if digits:
        return int(digits)
    total = part = 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "hundred":
            part = max(part, 1) * 100
        elif word == "thousand":
            total, part = max(part, 1) * 1000, 0
        else:
            part += _VALUES.get(word, 0)
    return total + part
