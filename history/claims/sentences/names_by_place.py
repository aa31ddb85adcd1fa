"""Which words are names where none are known?

In: the words of a sentence, some of which nobody knows. Out: the same with names: a run of words
that nobody knows is an entry, a board or a split by what stands around it. Start at with_names().
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from history.claims.sentences.scene import Scene
from history.claims.sentences.words import Word

# What a name may hold besides words that nobody knows.
_SOFT = ("NUMBER", "SIZE", "MODEL", "OPEN", "DAY", "MONTH", "COMMIT", "BOARDWORD", "ARTICLE")
_SOFT_BEFORE = ("NUMBER", "DAY", "MONTH", "ARTICLE", "SIZE")


def with_names(words: list[Word], text: str, scene: Scene) -> list[Word]:
    """Words that nobody knows as names, where names stand and none are known.

    >>> from history.claims.sentences.words import read_words
    >>> words = read_words("fern 2 is 10th on the new moss", Scene.empty())
    >>> [(word.kind, word.value) for word in with_names(words, "fern 2 is 10th on the new moss", Scene.empty())]
    [('ENTRY', 'fern 2'), ('IS', ''), ('NTH', '10'), ('ON', ''), ('BOARD', 'the new moss')]
    """
    if scene.boards and scene.entries:
        return words
    words = [_named(words, n) for n in range(len(words))]
    runs: list[Word] = []
    at = 0
    while at < len(words):
        stop = _run_stop(words, at)
        if stop:
            run = words[at:stop]
            said = text[run[0].start : run[-1].stop]
            value = run[0].value if len(run) == 1 and run[0].tense == "quoted" else said
            runs.append(Word("NAME", said, value, run[0].start, run[-1].stop, names=(value,)))
            at = stop
        else:
            runs.append(words[at])
            at += 1
    found: list[Word] = []
    for n in range(len(runs)):
        found.append(_placed(found, runs[n:], scene))
    return found


def _named(words: list[Word], n: int) -> Word:
    """A word of the language that stands where only a name can, as in `on open since ...`."""
    word, before = words[n], words[n - 1].kind if n else ""
    after = words[n + 1].kind if n + 1 < len(words) else ""
    alone = word.kind == "ARTICLE" and after in (*_ENDS_NAME, "BOARDWORD")
    called = before == "ON" and word.kind not in _NO_NAMES and after in _ENDS_NAME
    return replace(word, kind="UNKNOWN") if alone or called else word


def _run_stop(words: list[Word], at: int) -> int:
    """Where a run of words that can be a name ends; 0 if none begins here."""
    start = at
    before = words[at - 1].kind if at else ""
    while at < len(words) and words[at].kind in _SOFT_BEFORE:
        if words[at].kind != "ARTICLE" and before not in ("", "AND", "COMMA", "ARTICLE"):
            return 0
        at += 1
    if at == len(words) or words[at].kind != "UNKNOWN":
        return 0
    while at < len(words) and (words[at].kind == "UNKNOWN" or _is_soft(words, start, at)):
        at += 1
    while words[at - 1].kind in ("BOARDWORD", "ARTICLE"):
        at -= 1
    return at


def _is_soft(words: list[Word], start: int, at: int) -> bool:
    if words[start].tense == "quoted":
        return False
    return words[at].kind in _SOFT


_BEFORE_BOARDS = [["SPLITWORD", "OF"], ["FIRST", "OF"], ["TOP", "OF"], ["FIRST", "IN"]]
# What can stand after "on" and is no name, and what can follow a name there.
_NO_NAMES = (
    "UNKNOWN", "ARTICLE", "BOTH", "BOARDWORD", "BOARD", "ENTRY", "SPLIT", "DAY", "STAMP", "MONTH",
    "UNSURE", "NUMBER", "NOUN",
)  # fmt: skip
_ENDS_NAME = (
    "", "AND", "OR", "COMMA", "ASOF", "ON", "AT", "SINCE", "UNTIL", "FROM", "BETWEEN", "FOR", "NOW",
)  # fmt: skip
_LISTS = ("AND", "COMMA", "OR")
_BEGIN_CLAUSE = ("IS", "HAVE", "VERB", "DO", "NOT", "LEADS", "AHEAD", "BEHIND", "TIE", "FIRST", "NTH",
                 "TOP", "NOISE", "EVER", "NEVER", "ALWAYS", "COLON")  # fmt: skip


def _placed(before: list[Word], words: list[Word], scene: Scene) -> Word:
    """A name as entry, board or split, by what stands around it."""
    word, rest = words[0], words[1:]
    if word.kind != "NAME":
        return word
    after = rest[0].kind if rest else ""
    kinds = [one.kind for one in before[-6:] if one.kind not in ("ARTICLE", "BOARDWORD")]
    last = kinds[-1] if kinds else ""
    kind = "ENTRY"
    if after == "SPLITWORD":
        kind = "SPLIT"
    elif (
        last == "ON"
        or after == "BOARDWORD"
        or kinds[-2:] in _BEFORE_BOARDS
        or (last in ("LEADS", "FIRST") and not _names_place(rest))
        # A list of boards goes on where no new claim begins.
        or (last in _LISTS and kinds[-2:-1] == ["BOARD"] and after not in _BEGIN_CLAUSE)
    ):
        kind = "BOARD"
    known = {"ENTRY": scene.entries, "BOARD": scene.boards, "SPLIT": scene.splits}[kind]
    if known:
        return replace(word, kind="UNKNOWN")
    value = word.value
    if kind != "ENTRY" and (kind == "SPLIT" or after == "BOARDWORD"):
        value = re.sub(r"^(?:the|a|an)\s+", "", value, flags=re.IGNORECASE)
    return replace(word, kind=kind, value=value, names=(value,))


def _names_place(words: list[Word]) -> bool:
    """Whether a board is named after these words."""
    kinds = [word.kind for word in words if word.kind != "ARTICLE"]
    pairs = pairwise(kinds)
    return "BOARDWORD" in kinds or any(pair == ("ON", "NAME") for pair in pairs)
