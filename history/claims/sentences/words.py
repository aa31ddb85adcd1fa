"""Which words of the language does a sentence hold?

In: a sentence and a Scene. Out: Words, each a terminal of the grammar. Start at read_words().
Names are found before the words of the language, so they may hold such words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from history.claims.sentences import amounts, dates, vocabulary
from history.claims.sentences.scene import Scene, names_in

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_COUNT = rf"(?:{_NUMBER}|{amounts.NUMBER_WORDS})"
_MODELS = r"(?:\w+\s)?(?:models|entries|systems|submissions|llms)\b"
_WHOLE = rf"(?:\d[\d,]*|{amounts.NUMBER_WORDS})"
# What is no fixed phrase; the first that fits counts.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("STAMP", dates.STAMP),
    ("DAY", dates.DAY),
    ("UNSURE", dates.UNSURE),
    ("MONTH", dates.MONTH),
    ("SIZE", r"\d+(?:\.\d+)?(?:[\s-]?(?:b|m|t|bn|billion|million|trillion))(?:[\s-]parameters?)?"),
    (
        "FACTOR",
        rf"(?:{_COUNT}\s?(?:x|×|[\s-]?fold|\stimes)|{'|'.join(amounts.TIMES_WORDS)}"
        rf"|(?:{'|'.join(sorted(amounts.FRACTION_WORDS, key=len, reverse=True))})(?!\s(?:place|spot)))"
        r"(?:\sof(?=\s))?",
    ),
    (
        "TOP",
        rf"top[\s-]?{_WHOLE}|{_WHOLE}\s(?:best|highest|strongest)|(?:best|highest)\s{_WHOLE}",
    ),
    (
        "NTH",
        rf"[#\u2116]\s?\d+|(?:no\.?|nr\.?|number|rank|position|place|spot|slot)"
        rf"\s?#?\s?{_WHOLE}(?!\s{_MODELS})"
        rf"|(?:\d+(?:st|nd|rd|th)|{amounts.NTH_WORDS})(?:[\s-](?:best|highest|placed|ranked))?",
    ),
    ("QUANTITY", r"(?:lower|higher|more|less|greater|better|smaller)\s"
                 r"(?=cost|price|throughput|latency|memory|compute|energy|speed)"),
    ("SMALLER", r"sub-(?=\d)"),
    ("NUMBER", rf"[+\-\u2212\u2013]?{_NUMBER}|{amounts.NUMBER_WORDS}"),
)  # fmt: skip
_UNIT = re.compile(
    rf"(?:(?:second|minute|hour|day|week)s?|hrs?|h|mins?){vocabulary.END}", re.IGNORECASE
)
_SHORT_UNITS = {"h": "hours", "hr": "hour", "hrs": "hours", "min": "minutes", "mins": "minutes"}
_COMMIT = re.compile(rf"[0-9a-fA-F]{{7,40}}{vocabulary.END}")
_DAYS = re.compile(dates.DAYS + vocabulary.END, re.IGNORECASE)
_MONTH_ALONE = re.compile(rf"{dates.MONTH_ALONE}{vocabulary.END}", re.IGNORECASE)
_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'|\u201c([^\u201d]+)\u201d")
_CONDITIONED = ("AT", "WITH", "ON", "FOR", "ABOUT")
_CONDITION = re.compile(r"[^\W\d][\w-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the grammar where it stands in a sentence.

    Attributes:
        kind: the terminal; UNKNOWN is none of the grammar.
        said: the words as they stand.
        value: what they stand for.
        start, stop: where they stand.
        tense: now, past or nothing.
        names: what a name means, of boards several.
    """

    kind: str
    said: str
    value: str
    start: int
    stop: int
    tense: str = ""
    names: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    # Of "70%", "4-point", "#10/229", "28h" and "200+" the sign or the word follows at once.
    end = vocabulary.END.replace("(?=[", r"(?=-points?\b|/\d|(?<=\d)h\b|\+\s|[%", 1)
    return tuple(
        (
            kind,
            re.compile(
                rf"(?:{shape}){'' if kind in ('QUANTITY', 'SMALLER') else end}", re.IGNORECASE
            ),
        )
        for kind, shape in _SHAPES
    )


def read_words(text: str, scene: Scene) -> list[Word]:
    """The words of a sentence.

    >>> [word.kind for word in read_words("fern is 10th of 120 on text", Scene.empty())]
    ['UNKNOWN', 'IS', 'NTH', 'OF', 'NUMBER', 'ON', 'UNKNOWN']
    """
    names = {name.start: name for name in names_in(text, scene)}
    by_place = not scene.entries or not scene.boards
    # As long as the text itself, so that places are the same.
    plain = text.replace("\u2019", "'")
    small = "".join(one.lower() if len(one.lower()) == 1 else one for one in plain)
    words: list[Word] = []
    at = 0
    while at < len(text):
        if at in names:
            name = names[at]
            said = text[at : name.stop]
            words.append(Word(name.kind, said, name.fits[0], at, name.stop, names=name.fits))
            at = name.stop
        elif text[at].isspace():
            at += 1
        else:
            new = list(_words_at(plain, small, at, words[-1] if words else None, by_place))
            at = new[-1].stop
            words += (word for word in new if word.kind != "NOTHING")
    return words


def _words_at(
    text: str, small: str, at: int, before: Word | None, by_place: bool
) -> Iterator[Word]:
    """The words that begin at a place, mostly one."""
    kind = before.kind if before else ""
    if by_place and kind != "UNKNOWN" and (quoted := _QUOTED.match(text, at)):
        value = next(filter(None, quoted.groups()))
        yield Word("UNKNOWN", quoted[0], value, at, quoted.end(), tense="quoted")
        return
    if kind in ("AT", "ASOF") and (commit := _COMMIT.match(text, at)):
        yield Word("COMMIT", commit[0], commit[0].lower(), at, commit.end())
        return
    if kind in ("NUMBER", "CONSECUTIVE", "ARTICLE", "ABOUT") and (unit := _UNIT.match(text, at)):
        if kind == "ARTICLE":
            yield Word("NUMBER", "", "1", at, at)
        short = unit[0].lower()
        yield Word("UNIT", unit[0], _SHORT_UNITS.get(short, short), at, unit.end())
        return
    if days := _DAYS.match(text, at):
        first, last = days[1], days[2]
        yield Word("DAY", first, first + days[3], at, days.end(1))
        yield Word("TO", "", "", days.end(1), days.start(2))
        yield Word("DAY", last, last, days.start(2), days.end())
        return
    phrase = vocabulary.phrase_at(small, at)
    shape = next(
        ((one, found) for one, pattern in _shapes() if (found := pattern.match(text, at))), None
    )
    if shape and not (phrase and phrase[0] > shape[1].end()):
        yield _shaped(shape[0], shape[1][0], at, shape[1].end())
        return
    if kind in ("IN", "DURING", "THROUGHOUT", "SINCE", "UNTIL", "FROM", "TO", "BETWEEN") and (
        month := _MONTH_ALONE.match(text, at)
    ):
        yield Word("MONTH", month[0], month[0], at, month.end())
        return
    if phrase:
        stop, meaning = phrase
        for kind in meaning.kinds:
            yield Word(kind, text[at:stop], meaning.value, at, stop, meaning.tense)
        return
    yield _sign_or_unknown(text, at, by_place)


def _shaped(kind: str, said: str, start: int, stop: int) -> Word:
    value = said
    if kind == "NUMBER":
        value = said.replace("\u2013", "-") if re.search(r"\d", said) else str(amounts.whole(said))
    elif kind in ("NTH", "TOP"):
        value = str(amounts.whole(said))
        kind = "FIRST" if (kind, value) == ("NTH", "1") else kind
    elif kind == "SIZE":
        value = re.sub(r"[\d.]*", "", said).strip(" -")[0].upper()
        value = re.sub(r"[^\d.]", "", said).strip(".") + value
    elif kind == "FACTOR":
        value = _factor(re.sub(r"\sof$", "", said.lower()))
    elif kind == "QUANTITY":
        kind = "NOTHING"
    elif kind == "SMALLER":
        value = "<"
    return Word(kind, said, value, start, stop)


def _factor(said: str) -> str:
    said = " ".join(said.split())
    if said in amounts.FRACTION_WORDS:
        return amounts.FRACTION_WORDS[said]
    if said in amounts.TIMES_WORDS:
        return amounts.TIMES_WORDS[said]
    number = re.match(_NUMBER, said)
    return number[0] if number else str(amounts.whole(re.sub(r"times|fold", "", said)))


def _sign_or_unknown(text: str, at: int, by_place: bool) -> Word:
    sign = text[at]
    dash = re.compile(r"[-\u2013\u2014]{1,2}(?=\s|$)|\u2014").match(text, at)
    if dash:
        return Word("COLON", dash[0], "", at, dash.end())
    if sign == "(" and by_place and not _begins_language(text, at + 1):
        return _unknown(text, at)
    if re.compile(r"/\d").match(text, at):
        return Word("OF", sign, "", at, at + 1)
    kinds = {",": "COMMA", ";": "SEPARATE", ":": "COLON", "(": "COMMA", ")": "COMMA"}
    if sign in kinds:
        return Word(kinds[sign], sign, "", at, at + 1)
    if not by_place and sign in "\"'\u201c\u201d\u2018\u2019`*":
        return Word("NOTHING", sign, "", at, at + 1)
    return _unknown(text, at)


def _begins_language(text: str, at: int) -> bool:
    return any(pattern.match(text, at) for _, pattern in _shapes()) or bool(
        vocabulary.phrase_at(text[at:].lower(), 0)
    )


def _unknown(text: str, at: int) -> Word:
    said = re.compile(r"[^\s,\"\u201c\u201d]+|.", re.DOTALL).match(text, at)
    assert said is not None
    whole = said[0].rstrip(":;") or said[0]
    if "(" not in whole:
        whole = whole.rstrip(")") or whole
    return Word("UNKNOWN", whole, whole, at, at + len(whole))


def with_conditions(words: list[Word]) -> list[Word]:
    """`at 255 questions`: a number and a noun that nobody knows are a condition."""
    found: list[Word] = []
    for word in words:
        before = found[-2:]
        if (
            word.kind == "UNKNOWN"
            and len(before) == 2
            and (before[0].kind in _CONDITIONED or before[0].said == "(")
            and before[1].kind == "NUMBER"
            and _CONDITION.fullmatch(word.said)
        ):
            word = replace(word, kind="NOUN", value=word.said.lower())
        found.append(word)
    return found


def with_attributes(words: list[Word], scene: Scene) -> list[Word]:
    """Other attributes of the scene than open and size: `the best NAME model`."""
    known = {name.casefold(): name for name in scene.attributes}
    return [
        replace(word, kind="OPEN", value=f"{known[word.said.casefold()]} == true")
        if word.kind == "UNKNOWN" and word.said.casefold() in known
        else word
        for word in words
    ]
