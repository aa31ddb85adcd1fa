"""What claims did the person type or paste?

In: the argument of `check`, and a store, whose boards and entries are the names that a sentence can
mean. Out: Said: claims, and what looks like one and was not understood. Start at read().
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.asking import opener
from app.faults import Failure
from crawler.errors import RanktrailError

if TYPE_CHECKING:
    from app.asking import Opener
    from crawler.store import Store
    from history.claims.language.claim import Claim
    from history.claims.sentences.scene import Scene
    from history.pipeline import BoardHistory

FILES = (".toml", ".json")
# Two sentences or two lines make a passage; a dot in a name or a number does not.
_SEVERAL = re.compile(r"[.!?]\s+\S|\n")
_MOST_CLAIMS, _MOST_NOTES = 100, 10  # of one passage
_MOST_BOARDS = 50  # whose entries are looked up where the words name no board


@dataclass(frozen=True, slots=True)
class Said:
    """What was typed.

    Attributes:
        claims: what was understood.
        folder: of a claims file; None for words.
        notes: of a passage: what was assumed, and what was not understood.
    """

    claims: list[Claim]
    folder: Path | None = None
    notes: tuple[str, ...] = ()


def is_file(what: str) -> bool:
    """Whether an argument means a claims file.

    >>> is_file("claims.TOML"), is_file("fern is #1 on text")
    (True, False)
    """
    return what.lower().endswith(FILES) and "\n" not in what


def is_passage(words: str) -> bool:
    """Whether words are more than one sentence.

    >>> is_passage("fern scores 81.25 on text"), is_passage("It leads. By far.")
    (False, True)
    """
    return _SEVERAL.search(words.strip()) is not None


def read(what: str, store: Store, opened: Opener | None = None) -> Said:
    """The claims of a file (its name ends in .toml or .json), of a sentence or of a passage.

    Args:
        what: the file's name, or the words.
        store: with the boards that can be meant.
        opened: gives a board that was crawled, by its name, where some are open already.

    Raises:
        ClaimError: it is not understood.
    """
    if is_file(what):
        from history.claims.language.claims_file import read_claims

        return Said(read_claims(Path(what)), Path(what).parent)
    return read_words(what, store, opened)


def read_words(what: str, store: Store, opened: Opener | None = None) -> Said:
    """The same of words, whatever they end in."""
    scene = scene_for(what, store, opened=opened)
    if is_passage(what):
        return _passage(what, scene)
    from history.claims.sentences.sentence import read_sentence

    return Said([read_sentence(what, scene)])


def scene_for(
    text: str, store: Store, said_on: date | None = None, opened: Opener | None = None
) -> Scene:
    """The names that a text can mean: all boards, and the entries of those that it names.

    Of a board that was never crawled, or lists nobody, no names are known: then a name is whatever
    stands where one must stand.

    Args:
        said_on: for dates without a year; today.
        opened: gives a board that was crawled, by its name, where some are open already.
    """
    from history.claims.sentences.scene import Scene

    said_on = said_on or datetime.now(UTC).date()
    named, boards = boards_in(text, store), _boards(store)
    known = _known(opened or opener(store), named, every=len(named) < len(boards))
    if known is None:
        return replace(Scene.empty(), said_on=said_on)
    return replace(Scene.of(known, said_on), boards=boards)


def boards_in(text: str, store: Store) -> list[str]:
    """The boards that a text names; all of the store if it names none."""
    from history.claims.sentences.scene import Scene, names_in

    boards = _boards(store)
    found = names_in(text, Scene(boards))
    named = {one for name in found if name.kind == "BOARD" for one in name.fits}
    return [name for name, _ in boards if not named or name in named]


def _boards(store: Store) -> tuple[tuple[str, str], ...]:
    """Name and title of every board whose definition is right."""
    found = []
    for name in store.names():
        try:
            found.append((name, store.board(name).title))
        except RanktrailError:  # another command says what is wrong with it
            continue
    return tuple(found)


def _known(opened: Opener, names: Sequence[str], *, every: bool) -> list[BoardHistory] | None:
    """The boards with their entries; None if those of one are not known, or of all but `every`."""
    found = []
    for name in names[:_MOST_BOARDS]:
        try:
            board = opened(name)
            known = bool(board.entries())
        except (RanktrailError, Failure):
            known = False
        if known:
            found.append(board)
        elif every:
            return None
    return found or None


def _passage(text: str, scene: Scene) -> Said:
    """The claims of a pasted text, each with the words that it came from."""
    from history.claims.language.claim import ClaimError
    from history.claims.sentences.passage import read_passage

    passage = read_passage(text, scene)
    notes = [f'not understood: "{_short(one.words)}": {one.why}' for one in passage.unread]
    if not passage.found:
        fix = "Write one claim in a sentence, as `ranktrail check --help` shows"
        found = "; ".join(_few(notes)[:3]) or "no claim was found in it"
        raise ClaimError("the passage", found, fix)
    distinct = {(one.claim, " ".join(one.words.split())): one for one in reversed(passage.found)}
    kept = sorted(distinct.values(), key=lambda one: one.start)[:_MOST_CLAIMS]
    claims = [
        replace(one.claim, id=f"claim-{n}", text=one.words) for n, one in enumerate(kept, start=1)
    ]
    assumed = [
        f'"{_short(one.words)}" is taken to be about {one.assumed}' for one in kept if one.assumed
    ]
    head = f"{len(claims)} claims found in the text; confirm that each is what was meant"
    if len(distinct) > len(kept):
        head += f"; {len(distinct) - len(kept)} more are left out"
    return Said(claims, None, (head, *_few(assumed), *_few(notes)))


def _few(notes: Sequence[str]) -> list[str]:
    more = len(notes) - _MOST_NOTES
    return [*notes[:_MOST_NOTES], *([f"and {more} more like it"] if more > 0 else [])]


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 80 else f"{line[:77]}..."
