"""What stands round a printed number?

In: the text of a cell. Out: Marked: the number itself, its unit, how far it may be off, and what
is in the way of an exact value. Start at look().

A text is cut into tokens, each with a letter; SHAPES says which rows of letters are numbers.
"🥇 71.2% (±0.8)" is D N U ( P N ): decoration goes, and N U ( P N ) is a number with a spread.
What has no shape is no number.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

MAX_TEXT = 200

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SIGN = r"[+\-−]?"
_DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d*)?"  # 1,234.5
    r"|\d{1,3}(?:['’\u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?"  # thin spaces, apostrophes
    r"|\d{1,3}(?:\.\d{3})+,\d+|\d+,\d+(?![\d,.])"  # 1.234,5 and 71,25
    r"|\d+\.?\d*|\.\d+)"
)
_EXPONENT = (
    r"(?:[eE][+\-−]?\d{1,4}(?!\w)"
    rf"|\s?[×x·]\s?10(?:\^[+\-−]?\d{{1,4}}|[⁺⁻]?[{_SUPERSCRIPTS}]{{1,4}}))?"
)
_NUMBER = rf"{_SIGN}{_DIGITS}{_EXPONENT}"

_TIMES = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
_UNITS = {
    "%": ("%",),
    "ns": ("ns",),
    "µs": ("µs", "μs", "us"),
    "ms": ("ms", "msec"),
    "s": ("s", "sec", "secs", "seconds"),
    "min": ("min", "mins", "minutes"),
    "h": ("h", "hr", "hrs", "hours"),
    "days": ("d", "days"),
    "x": ("x", "×"),
    "points": ("pts", "pts.", "pt", "points", "pp"),
    "Elo": ("Elo", "elo", "ELO"),
    "tok/s": ("tok/s", "tokens/s", "tokens/sec", "t/s", "tps"),
    "fps": ("fps", "FPS"),
    "KB": ("KB", "kB"),
    "MB": ("MB",),
    "GB": ("GB",),
    "TB": ("TB",),
    "$": ("$", "US$", "USD"),
    "€": ("€", "EUR"),
    "£": ("£", "GBP"),
    "¥": ("¥", "JPY", "CNY"),
}
_NAME_OF = {spelt: name for name, spellings in _UNITS.items() for spelt in spellings}


def _one_of(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_MONEY = [spelt for name in "$€£¥" for spelt in _UNITS[name]]
# The first that fits counts. A letter of its own stands for itself.
TOKENS = {
    "V": rf"\+\s?{_DIGITS}\s?[/,]\s?[-−]\s?{_DIGITS}|[-−]\s?{_DIGITS}\s?[/,]\s?\+\s?{_DIGITS}",
    "P": r"±|\+\s?/\s?[-−]|\+-",
    "F": r"\d+\s?/\s?\d+",  # 12/17
    "S": rf"{_SIGN}[1-9]\d{{0,2}}(?: \d{{3}})+(?!\d)(?:[.,]\d+)?",  # 1 234
    "O": rf"10(?:\^[-−]?\d+|⁻?[{_SUPERSCRIPTS}]+)",  # 10^6
    "M": rf"[-−](?=\s?(?:{_one_of(_MONEY)}))",  # -$5
    "N": _NUMBER,
    "C": rf"(?:{_one_of(_MONEY)})(?![A-Za-z])",
    "U": rf"(?:{_one_of(list(_NAME_OF))})(?!\w)",
    "K": r"[kKMBT](?![A-Za-z])",
    "B": r"[<>]=?|[≤≥]|\+(?=\s*$)",
    "A": r"[~≈∼≃]",
    "W": r"[↓↘▼▽⬇🔻🔽]\ufe0f?",
    "D": (
        rf"\*+|[†‡§¶#{_SUPERSCRIPTS}ᵃᵇᶜᵈᵉᶠ]|\[(?:\d{{1,2}}|[a-z*†‡])\]"  # footnote marks
        r"|\^(?:\d{1,2}|[a-z*†‡]|\{[\da-z*†‡]{1,2}\})(?!\w)"
        r"|[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f]"
    ),
    "X": r"[,;–—]|-(?=\s)|to(?!\w)|\.\.\.?",
    "(": r"\(",
    ")": r"\)",
    "[": r"\[",
    "]": r"\]",
    "": r"[\s\u00a0\u2009\u202f\u200b\ufeff]+",
}
_TOKEN = re.compile(
    "|".join(f"(?P<t{number}>{pattern})" for number, pattern in enumerate(TOKENS.values())),
    re.ASCII,
)
_LETTERS = list(TOKENS)

_VALUE = "(?P<value>(?:M?C)?NK?[UC]?)"
_OFF = "(?P<off>NK?[UC]?)"
SHAPES = {
    "exact": rf"{_VALUE}W?",
    "even": rf"(?:{_VALUE})?(?:P{_OFF}|\(P(?P<off2>NK?[UC]?)\))",  # 71.2 ± 0.8
    "uneven": rf"(?:{_VALUE})?(?:V[UC]?|\(V[UC]?\))",  # 1285 +3/-5
    "ends": rf"(?:{_VALUE})?[\[(](?P<low>N)[UC]?X?(?P<high>N)[UC]?[\])]",  # 71.2 [70.4, 72.0]
    "pair": rf"(?:{_VALUE})?\[(?P<pair>N)\]",  # 71 [70,72]
    "bracket": rf"{_VALUE}\({_OFF}\)",  # 71.2 (0.4)
    "counted": rf"{_VALUE}\(F\)",  # 48.0% (108/225)
    "bound": rf"B{_VALUE}|{_VALUE.replace('value', 'value2')}B",  # <0.1, 99+
    "about": rf"A{_VALUE}",
    "negative": rf"\({_VALUE}\)",
    "fallen": rf"W{_VALUE}",
    "spaced": r"S[UC]?",
    "power": r"O[UC]?",
}
_SHAPES = {name: re.compile(pattern) for name, pattern in SHAPES.items()}
_EITHER = {
    "negative": "-{0} or {0} in brackets",
    "fallen": "{0} or a fall by {0}",
    "spaced": "one number or two",
    "power": "10 with a footnote or a power of ten",
}

Reason = Literal["not_a_number", "bound", "about", "ambiguous"]


class Unit(NamedTuple):
    """What a number counts: its name, and the power of ten that k, M, B or T stood for."""

    name: str = ""
    times: int = 0


class Spread(NamedTuple):
    """How far a printed number may be off.

    Attributes:
        kind: even ("± 0.8"), uneven ("+3/-5"), ends ("[70.4, 72.0]"), or bracket ("(0.4)", which
            may be anything).
        down, up: the printed numbers; for `ends` the ends themselves.
    """

    kind: Literal["even", "uneven", "ends", "bracket"]
    down: str
    up: str


class Marked(NamedTuple):
    """The parts of a cell.

    Attributes:
        number: as printed, but with exponents for k, M, B, T and without thin spaces; None if there
            is none.
        unit: what it counts.
        spread: how far it may be off; None if the text does not say.
        reason: why the number is not to be used; None for a number.
        either: for people, the two readings of what is ambiguous.
    """

    number: str | None
    unit: Unit = Unit()
    spread: Spread | None = None
    reason: Reason | None = None
    either: str | None = None


_NOTHING = Marked(None, reason="not_a_number")


def look(text: str) -> Marked:
    """Take a cell's text apart.

    >>> look("🥇 71.2% (±0.8)†")[:3]
    ('71.2', Unit(name='%', times=0), Spread(kind='even', down='0.8', up='0.8'))
    >>> look("1.2k").unit, look("<0.1").reason, look("(0.4)").either, look("soon").reason
    (Unit(name='', times=3), 'bound', '-0.4 or 0.4 in brackets', 'not_a_number')
    """
    if len(text) > MAX_TEXT:
        return _NOTHING
    letters, words, end = "", [], 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            return _NOTHING
        end = token.end()
        letter = _LETTERS[int(token.lastgroup[1:])] if token.lastgroup else ""
        if letter not in ("", "D"):
            letters += letter
            words.append(token.group())
    if end == len(text):
        for shape, pattern in _SHAPES.items():
            if found := pattern.fullmatch(letters):
                return _marked(shape, _Found(letters, words, found))
    return _NOTHING


class _Found(NamedTuple):
    """A shape that fits, and the words behind its letters."""

    letters: str
    words: list[str]
    match: re.Match[str]

    def part(self, *names: str) -> list[tuple[str, str]]:
        """Letters and words of a part of the shape, of the first of these names that is there."""
        for name in names:
            if name in self.match.re.groupindex and self.match[name]:
                start, end = self.match.span(name)
                return list(zip(self.letters[start:end], self.words[start:end], strict=True))
        return []


def _marked(shape: str, found: _Found) -> Marked:
    value = found.part("value", "value2")
    number, unit = _number(value), _unit(value)
    if any(letter == "M" for letter, _ in value) and number is not None:
        if number[0] in "+-":
            return _NOTHING
        number = f"-{number}"
    if unit is None:
        return _NOTHING
    if shape in _EITHER:
        shown = "" if number is None else number.lstrip("+-")
        return Marked(None, reason="ambiguous", either=_EITHER[shape].format(shown))
    if shape in ("bound", "about"):
        return Marked(None, reason="bound" if shape == "bound" else "about")
    spread = _spread(shape, found, value)
    if shape == "pair" and spread is None:
        return _NOTHING
    return Marked(number, unit, spread, None if value else "not_a_number")


def _number(part: list[tuple[str, str]]) -> str | None:
    words = dict(part)
    times = f"e{_TIMES[words['K']]}" if "K" in words else ""
    return f"{plain(words['N'])}{times}" if "N" in words else None


def _unit(part: list[tuple[str, str]]) -> Unit | None:
    """The unit of a number; None if it has two."""
    names = {_NAME_OF[word] for letter, word in part if letter in "UC"}
    times = sum(_TIMES[word] for letter, word in part if letter == "K")
    return Unit("".join(names), times) if len(names) <= 1 else None


def _spread(shape: str, found: _Found, value: list[tuple[str, str]]) -> Spread | None:
    """The spread of a shape; None where its unit is not that of the number."""
    if shape in ("even", "bracket"):
        off = found.part("off", "off2")
        size, own, unit = _number(off), _unit(off), _unit(value)
        fits = not value or (own and unit and own.times == unit.times)
        if size is None or own is None or not fits or own.name not in ("", unit and unit.name):
            return None
        if size[0] in "+-":  # a change
            return None
        return Spread("even" if shape == "even" else "bracket", size, size)
    if shape == "uneven":
        ends = re.split(r"[/,]", found.words[found.letters.index("V")].replace(" ", ""))
        first, second = (plain(end.lstrip("+-−")) for end in ends)
        up = first if ends[0].startswith("+") else second
        return Spread("uneven", second if up is first else first, up)
    if shape == "ends":
        low, high = (_number(found.part(name)) or "" for name in ("low", "high"))
        # In "70.4-72.0" the second sign is a dash.
        return Spread("ends", low, high if "X" in found.letters else high.lstrip("-"))
    if shape == "pair":
        return _pair(plain(found.words[-2]), _number(value))
    return None


def _pair(text: str, number: str | None) -> Spread | None:
    """Whole ends with no space behind their comma: in square brackets it can only be that."""
    if not _ENDS.fullmatch(text) or not (number is None or _BARE.fullmatch(number)):
        return None
    low, high = text.split(",")
    inside = float(low) <= float(high if number is None else number) <= float(high)
    return Spread("ends", low, high) if inside else None


_ENDS = re.compile(r"[+-]?\d+,[+-]?\d+")
_BARE = re.compile(r"[+-]?\d+(?:\.\d+)?")
_POWER = re.compile(r"\s?[×x·]\s?10\^?")
_PLAIN = str.maketrans(
    {"−": "-", "⁻": "-", "⁺": "+"}
    | {raised: str(digit) for digit, raised in enumerate(_SUPERSCRIPTS)}
    | dict.fromkeys("'’\u00a0\u2009\u202f", "")
)


def plain(number: str) -> str:
    """A printed number as numbers.parse() knows it.

    >>> plain("−1\u2009234.5"), plain("1.2×10⁻³")
    ('-1234.5', '1.2e-3')
    """
    return _POWER.sub("e", number).translate(_PLAIN)
