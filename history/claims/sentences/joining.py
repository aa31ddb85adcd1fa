"""Which words belong together, and where does a new claim begin?

In: the words of a sentence. Out: the words that the grammar reads: lists of boards are one word,
two tied entries are one, and what separates two claims is SEPARATE. Start at joined().
"""

from __future__ import annotations

from dataclasses import replace

from history.claims.language.claim import ClaimError
from history.claims.sentences.scene import Scene, no_board
from history.claims.sentences.words import Word

_TIMES = ("DAY", "STAMP", "MONTH", "UNSURE", "COMMIT")
PREDICATES = (
    "FIRST", "NTH", "TOP", "LEADS", "LEDBY", "AHEAD", "BEHIND", "TIE", "NOISE", "DIFFERENT",
    "FACTOR",
)  # fmt: skip
_BEGIN_CLAIM = (
    *PREDICATES, "NUMBER", "GT", "LT", "ENTRY", "PAIR", "IS", "HAVE", "DO", "VERB", "NOT", "NEVER", "SOLE", "ABOUT", "PRONOUN", "GE",
    "LE",
)  # fmt: skip
_LISTS = ("AND", "OR", "COMMA")


def joined(words: list[Word], text: str, scene: Scene) -> list[Word]:
    """The words that the grammar reads.

    Raises:
        ClaimError: a name or "both boards" may mean several things.
    """
    _refuse_several(words, text)
    words = [_both(words, n) for n in range(len(words))]
    words = [word for word in words if word.kind not in ("ARTICLE", "FILLER")]
    words = [word for n, word in enumerate(words) if not _is_filler(word, words[n + 1 :])]
    words = _without_repeated_commas(words)
    words = [_leading(words, n) for n in range(len(words))]
    words = _with_boards(words, text, scene)
    words = _with_lists_of_boards(words)
    return _separated(words)


def _refuse_several(words: list[Word], text: str) -> None:
    for word in words:
        if len(word.names) > 1:
            meant = " or ".join(word.names[:5])
            raise ClaimError(f'"{text}"', f'"{word.said}" may mean {meant}', "Write the whole name")


def _leading(words: list[Word], n: int) -> Word:
    """To lead an entry is to be ahead of it; to be ahead of all of a class is to lead it."""
    word, after = words[n], words[n + 1].kind if n + 1 < len(words) else ""
    if word.kind == "LEADS" and after == "ENTRY":
        return replace(word, kind="AHEAD")
    if word.kind in ("AHEAD", "GT") and after in ("AMONG", "OPEN", "MODEL"):
        return replace(word, kind="LEADS")
    return word


def _both(words: list[Word], n: int) -> Word:
    """`on both` without a noun means the boards."""
    word, after = words[n], words[n + 1].kind if n + 1 < len(words) else ""
    alone = after in ("", "COMMA", "SEPARATE", "ASOF", "ON", "AT", "SINCE", "UNTIL", "FROM", "FOR")
    if word.said.lower() == "both" and alone and n and words[n - 1].kind == "ON":
        return replace(word, kind="BOTH", value="2")
    return word


def _is_filler(word: Word, after: list[Word]) -> bool:
    """ "Only" before a number says nothing that could be checked; "only fern" does."""
    return word.kind == "ONLY" and bool(after) and after[0].kind in ("FACTOR", "NUMBER", "TOP")


def _without_repeated_commas(words: list[Word]) -> list[Word]:
    """`, and` is `and`; of two commas one is enough; none stands at an end."""
    found: list[Word] = []
    for word in words:
        if found and found[-1].kind == "COMMA" and word.kind in (*_LISTS, "SEPARATE"):
            found.pop()
        found.append(word)
    while found and found[-1].kind == "COMMA":
        found.pop()
    return found


def _with_boards(words: list[Word], text: str, scene: Scene) -> list[Word]:
    """Boards with and without the word "board", "both boards", and splits."""
    found: list[Word] = []
    for n, word in enumerate(words):
        before = found[-1].kind if found else ""
        after = words[n + 1].kind if n + 1 < len(words) else ""
        if word.kind == "BOTH":
            names = scene.board_names
            if not names or (word.value == "2" and len(names) != 2):
                known = f"there are {len(names)}: {', '.join(names)}" if names else "none is known"
                fix = "Name the boards"
                raise ClaimError(f'"{text}"', f'it says "{word.said}", and {known}', fix)
            found.append(replace(word, kind="BOARD", names=names))
        elif word.kind == "BOARDWORD":
            if before not in ("BOARD", "SPLIT") and after != "BOARD":
                if len(scene.boards) != 1:
                    raise ClaimError(f'"{text}"', no_board(scene), "Name the board")
                found.append(replace(word, kind="BOARD", names=scene.board_names))
        elif word.kind == "SPLITWORD" and before == "SPLIT":
            found[-1] = replace(found[-1], stop=word.stop)
        else:
            found.append(word)
    return found


def _with_lists_of_boards(words: list[Word]) -> list[Word]:
    """`text, maps and trees` and `text and on maps` as one word each."""
    found: list[Word] = []
    for n, word in enumerate(words):
        if word.kind == "BOARD":
            if len(found) > 1 and found[-1].kind in _LISTS and found[-2].kind == "BOARD":
                link = found.pop()
                _extend(found, link, word)
                continue
            if (
                len(found) > 2
                and found[-1].kind == "ON"
                and found[-2].kind in _LISTS
                and found[-3].kind == "BOARD"
                and not _begins_claim(words[n + 1 :])
            ):
                found.pop()
                link = found.pop()
                _extend(found, link, word)
                continue
        found.append(word)
    return found


def _extend(found: list[Word], link: Word, word: Word) -> None:
    names = tuple(dict.fromkeys((*found[-1].names, *word.names)))
    value = "or" if "OR" in (link.kind, found[-1].value.upper()) else "list"
    found[-1] = replace(found[-1], names=names, value=value, stop=word.stop)


def _begins_claim(words: list[Word]) -> bool:
    kinds = [word.kind for word in words[:3]]
    if kinds[:2] == ["ON", "BOARD"]:
        return kinds[2:] in (["ENTRY"], ["PAIR"], ["PRONOUN"])
    if kinds[:2] == ["NUMBER", "NOUN"]:
        return False
    return bool(kinds) and kinds[0] in _BEGIN_CLAIM


def _separated(words: list[Word]) -> list[Word]:
    """Every `and` and comma as what it is: of a stretch of time, of a pair, or between claims."""
    found: list[Word] = []
    said = named = False  # whether a predicate, and whom it is about, was said in this claim
    for n, word in enumerate(words):
        rest = words[n + 1 :]
        if word.kind in ("AND", "COLON") and _joins_times(found, rest):
            found.append(replace(word, kind="TO"))
        elif word.kind in ("AND", "COMMA") and _joins_entries(
            found, rest, said, word.kind == "COMMA"
        ):
            found.append(replace(word, kind="PAIRED"))
        elif word.kind == "COMMA" and not (said and named and _begins_claim(rest)):
            continue
        elif word.kind in ("AND", "COMMA", "SEPARATE"):
            found.append(replace(word, kind="SEPARATE"))
            said, named = False, True
        elif found and found[-1].kind == "PAIRED":
            found.pop()
            names = (*found[-1].names, *word.names)
            found[-1] = replace(found[-1], kind="PAIR", names=names, stop=word.stop)
        else:
            said = said or _is_predicate(word, rest)
            named = named or word.kind in ("ENTRY", "PAIR", "BOARD", "PRONOUN")
            found.append(word)
    return found


def _is_predicate(word: Word, after: list[Word]) -> bool:
    next_kind = after[0].kind if after else ""
    if word.kind == "NUMBER":
        return next_kind not in ("NOUN", "UNIT", "UNEVEN", "CONSECUTIVE")
    if word.kind in ("GT", "LT"):
        return next_kind == "ENTRY"
    return word.kind in PREDICATES


def _joins_times(before: list[Word], after: list[Word]) -> bool:
    return bool(before and after and before[-1].kind in _TIMES and after[0].kind in _TIMES)


def _joins_entries(before: list[Word], after: list[Word], said: bool, comma: bool) -> bool:
    if not before or not after or after[0].kind != "ENTRY":
        return False
    if before[-1].kind not in ("ENTRY", "PAIR"):
        return False
    if comma and [word.kind for word in after[1:3]] not in (["AND", "ENTRY"], ["COMMA", "ENTRY"]):
        return False
    if len(before) > 1 and before[-2].kind in ("VERSUS", "OF", "AS"):
        return False
    opened = len(before) > 1 and before[-2].kind in ("TIE", "NOISE", "DIFFERENT", "COLON")
    return opened or not said
