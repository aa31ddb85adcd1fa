"""Which names are known when a sentence is read, and where do they stand in it?

In: names of boards, entries and splits. Out: a Scene, and the spans of a text that are names.
Start at Scene and names_in(). With an empty scene nothing is known, and a name is whatever stands
where a name must stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from history.claims.sentences import amounts, vocabulary

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

_PIECE = re.compile(r"[^\W_]+(?:\.[^\W_]+)*|[^\w\s]")
_JOINTS = frozenset("-_\u2010\u2011\u2013")
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "`": "`"}
_LONGEST_SHORT_NAME = 8
_LONGEST_NAME = 400

Pieces = tuple[str, ...]


class Name(NamedTuple):
    """A name where it stands in a text.

    Attributes:
        kind: ENTRY, BOARD or SPLIT.
        fits: the names that it can be, in their own spelling; mostly one.
        start, stop: where it stands, with its quotes.
    """

    kind: str
    fits: tuple[str, ...]
    start: int
    stop: int


@dataclass(frozen=True)
class Scene:
    """What is known when a sentence is read.

    Attributes:
        boards: name and title of each board.
        entries: names and keys of their entries.
        splits: names of their splits.
        attributes: what conditions may call by a name, `open`.
        said_on: the day on which it was said, for dates without a year.

    >>> scene = Scene((("garden-text", "Garden, text"), ("garden-maps", "Garden, maps")), ("fern",))
    >>> [(name.kind, name.fits) for name in names_in("Fern is first on the text board", scene)]
    [('ENTRY', ('fern',)), ('BOARD', ('garden-text',))]
    """

    boards: tuple[tuple[str, str], ...] = ()
    entries: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    said_on: date | None = None

    @classmethod
    def empty(cls) -> Scene:
        """Nothing is known."""
        return cls()

    @classmethod
    def of(cls, boards: Iterable[BoardHistory], said_on: date | None = None) -> Scene:
        """What some boards know: all names that their entries ever had."""
        boards = list(boards)
        listed = [board.names.table for board in boards]
        return cls(
            tuple((board.name, board.title) for board in boards),
            _once(
                name
                for table in listed
                for entry, shown in zip(table["entry"], table["name"], strict=True)
                # A display name that is the key in other capitals says nothing more.
                for name in ([entry] if shown.casefold() == entry.casefold() else [entry, shown])
            ),
            _once(split for board in boards for split in board.split_names),
            _once(name for board in boards for name in board.meaning.table.attributes),
            said_on,
        )

    @property
    def board_names(self) -> tuple[str, ...]:
        """The names of its boards, in their order."""
        return tuple(name for name, _ in self.boards)

    @cached_property
    def index(self) -> dict[str, list[tuple[Pieces, str, tuple[str, ...]]]]:
        """First piece of a name -> its pieces, kind, and what it can be; longest first."""
        found: dict[tuple[Pieces, str], list[str]] = {}
        for entry in self.entries:
            found.setdefault((_pieces(entry), "ENTRY"), []).append(entry)
        for split in self.splits:
            found.setdefault((_pieces(split), "SPLIT"), []).append(split)
        for pieces, names in _board_phrases(self.boards).items():
            found[(pieces, "BOARD")] = names
        index: dict[str, list[tuple[Pieces, str, tuple[str, ...]]]] = {}
        for (pieces, kind), names in found.items():
            if pieces and len(pieces) < _LONGEST_NAME:
                index.setdefault(pieces[0], []).append((pieces, kind, _once(names)))
        for known in index.values():
            known.sort(key=lambda one: -len(one[0]))
        return index


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _pieces(name: str) -> Pieces:
    """The words and signs of a name; how they are joined says nothing."""
    return tuple(one.casefold() for one in _PIECE.findall(name) if one not in _JOINTS)


def _is_language(pieces: Pieces) -> bool:
    return all(
        piece in vocabulary.words() or piece in amounts.WORDS or re.fullmatch(r"[\d.]+|\W", piece)
        for piece in pieces
    )


def _board_phrases(boards: Iterable[tuple[str, str]]) -> dict[Pieces, list[str]]:
    """Every phrase that can name a board: whole names and titles, then their parts."""
    whole: dict[Pieces, list[str]] = {}
    parts: dict[Pieces, list[str]] = {}
    for board, title in boards:
        for text in (board, title):
            # Neither commas nor colons of a title need be said.
            pieces = tuple(one for one in _pieces(text) if one not in ",:;()[]|/")
            whole.setdefault(pieces, []).append(board)
            for start in range(len(pieces)):
                for stop in range(start + 1, min(len(pieces), start + _LONGEST_SHORT_NAME) + 1):
                    part = pieces[start:stop]
                    if not _is_language(part) and len("".join(part)) > 1:
                        parts.setdefault(part, []).append(board)
    return parts | whole


def names_in(text: str, scene: Scene) -> list[Name]:
    """The known names in a text, from left to right, the longest that begins at a place.

    A name of nothing but words of the language counts in quotes, where it is joined by dashes as
    its own name is ("model-19"), and where a sentence begins with it as it is spelled ("Model A");
    a board's also where a board is named (after "on", say).
    """
    if not scene.index:
        return []
    marks = [(m[0].casefold(), m.start(), m.end()) for m in _PIECE.finditer(text)]
    marks = [mark for mark in marks if mark[0] not in _JOINTS]
    found: list[Name] = []
    at = 0
    while at < len(marks):
        name, stop = _name_at(text, marks, at, scene)
        if name is not None:
            found.append(name)
        at = stop
    return found


def _name_at(
    text: str, marks: list[tuple[str, int, int]], at: int, scene: Scene
) -> tuple[Name | None, int]:
    """The longest name that begins at a mark, and the mark after it."""
    fits: list[tuple[int, str, tuple[str, ...]]] = []
    for pieces, kind, names in scene.index.get(marks[at][0], ()):
        stop = _stop_of(pieces, marks, at, kind == "BOARD")
        if stop and (not fits or stop == fits[0][0]):
            start, end = marks[at][1], marks[stop - 1][2]
            quoted = _is_quoted(text, start, end)
            placed = (kind == "BOARD" and _at_board_place(text, start)) or _is_own_spelling(
                text[start:end], names, begins=start == 0
            )
            if _stands_alone(text, start, end) and (quoted or placed or not _is_language(pieces)):
                fits.append((stop, kind, _nearest_spelling(text[start:end], names)))
    if not fits:
        return None, at + 1
    stop, kind, names = next(
        (fit for fit in fits if fit[1] == "BOARD" and _at_board_place(text, marks[at][1])), fits[0]
    )
    start, end = marks[at][1], marks[stop - 1][2]
    quote = int(_is_quoted(text, start, end))
    return Name(kind, names, start - quote, end + quote), stop


def _stop_of(pieces: Pieces, marks: list[tuple[str, int, int]], at: int, commas: bool) -> int:
    """The mark after a name that begins at one, 0 if it does not stand there."""
    for number, piece in enumerate(pieces):
        if commas and number and at < len(marks) and marks[at][0] in (",", ":"):
            at += 1
        if at >= len(marks) or marks[at][0] != piece:
            return 0
        at += 1
    return at


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no more of a longer name stands before or after."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    return not (
        re.search(r"\w$|\w[-.+/@_\u2010\u2011]$", before)
        or re.match(r"\w|\+|[-./@_\u2010\u2011]\w", after)
    )


def _is_quoted(text: str, start: int, end: int) -> bool:
    return start > 0 and text[end : end + 1] == _QUOTES.get(text[start - 1], "none")


def _nearest_spelling(said: str, names: tuple[str, ...]) -> tuple[str, ...]:
    for same in (str, str.casefold):
        fits = tuple(name for name in names if same(name) == same(said))
        if len(fits) == 1:
            return fits
    return names


def _is_own_spelling(said: str, names: tuple[str, ...], *, begins: bool) -> bool:
    """Whether a text can hardly be but one of some names: joined by dashes into one word, or of
    several words with the same capitals where a sentence begins.
    """
    joined = not _JOINTS.isdisjoint(said) and " " not in said
    alike = joined and said.casefold() in map(str.casefold, names)
    return alike or (begins and " " in said and said in names)


def _at_board_place(text: str, start: int) -> bool:
    return bool(_before_boards().search(text[:start]))


@lru_cache(maxsize=1)
def _before_boards() -> re.Pattern[str]:
    """What stands before a board: "on", "public split of"."""
    parts = "|".join(sorted(vocabulary.phrases_of("SPLITWORD"), key=len, reverse=True))
    return re.compile(rf"\b(?:on|(?:{parts})\s+of)\s+(?:the\s+)?[\"'\u201c]?$", re.IGNORECASE)


def no_board(scene: Scene) -> str:
    """What to say of a sentence that names no board."""
    if not scene.boards:
        return "it names no board"
    return f"it names no board (it has: {', '.join(scene.board_names)})"
