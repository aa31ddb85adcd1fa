"""Which claims does a pasted text make?

In: a launch post or a page in Markdown, and a Scene. Out: a Passage: the claims that were found,
each with the words that it came from, and what looks like a claim and was not understood. A person
confirms them; what is not plain is listed with the reason and never guessed. Start at
read_passage().
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from history.claims.language.claim import Claim, ClaimError
from history.claims.sentences.joining import PREDICATES
from history.claims.sentences.scene import Scene, names_in
from history.claims.sentences.sentence import LONGEST, Said, read_said, tidy, words_of

LONGEST_PASSAGE = 20_000
_MOST_PIECES = 8
# How many parts of sentences are tried in one text: each takes about a millisecond.
_MOST_TRIES = 2_000

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"[^\n]+(?:\n(?![ \t]*(?:[-*+>#|]|\d+[.)])[ \t]|[ \t]*\n)[^\n]+)*")
_PREFIX = re.compile(r"[ \t]*(?:(?:>|#{1,6}|[-*+]|\d+[.)])[ \t]+)*")
_STOP = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019)*_]*(?=\s|$)")
# A dot after these ends no sentence.
_SHORT = re.compile(
    r"(?:^|[\s(])(?:no|nr|vs|v|ca|approx|e\.g|i\.e|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\s*[;()]\s*|\s+[\u2013\u2014-]{1,2}\s+|\s*\u2014\s*|,\s+(?:and\s+|which\s+|that\s+)?"
    r"|\s+(?:which|that|and|but)\s+|:\s+|\s*\n\s*",
    re.IGNORECASE,
)
# With one of these a part of a sentence may not mean what it says.
_HEDGES = re.compile(
    r"\b(?:would|could|might|may|should|will|if|unless|aims?|hopes?|hoping|expect\w*|plan\w*|soon"
    r"|not|never|no|without|cannot|can't|\w+n't|almost|nearly|claim\w*|believe\w*|think|says?|said"
    r"|predict\w*|estimate\w*|once|until|before|target\w*|goal|want\w*|try|tries|trying|whether)\b"
    r"|n\u2019t|\?",
    re.IGNORECASE,
)
_MARKUP = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"<[^>\n]{1,200}>"), ""),
    (re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)"), ""),
    (re.compile(r"[\U0001f300-\U0001f946\U0001f94a-\U0001faff\u2600-\u27bf\ufe0f]"), " "),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A claim of a passage.

    Attributes:
        claim: what is claimed.
        words: the words that it came from, as they stand.
        start, stop: where they stand in the passage.
        assumed: the entry that "it" or "we" was taken to mean; empty if the words name it.
    """

    claim: Claim
    words: str
    start: int
    stop: int
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """Words that look like a claim and were not understood, with the reason."""

    words: str
    start: int
    stop: int
    why: str


@dataclass(frozen=True, slots=True)
class Passage:
    """The claims of a text, and what was not understood, both in its order."""

    found: tuple[Found, ...]
    unread: tuple[Unread, ...]


def read_passage(text: str, scene: Scene) -> Passage:
    """The claims that a text makes.

    "It", "we" and "our model" mean the entry that was named last, alone in its sentence or as the
    one that a claim is about; such a claim says so.

    Raises:
        ClaimError: the text is too long.

    >>> scene = Scene((("garden", "Garden"),), ("fern", "moss"))
    >>> passage = read_passage("# Meet fern\\n\\nIt is first on garden. It would beat moss.", scene)
    >>> [(one.words, one.claim.subject, one.assumed) for one in passage.found]
    [('It is first on garden.', 'fern', 'fern')]
    >>> [one.words for one in passage.unread]
    ['It would beat moss.']
    """
    if len(text) > LONGEST_PASSAGE:
        fix = f"A passage has at most {LONGEST_PASSAGE:,}"
        raise ClaimError("the passage", f"it has {len(text):,} letters", fix)
    reader = _Reader(text, scene)
    for start, stop in _sentences(text, scene):
        reader.read(start, stop)
    return Passage(tuple(reader.found), tuple(reader.unread))


def _sentences(text: str, scene: Scene) -> Iterator[tuple[int, int]]:
    """Where sentences stand: in paragraphs, headings and list items; not in code or tables."""
    bare = _FENCE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for block in _BLOCK.finditer(bare):
        if block[0].lstrip().startswith("|"):
            continue
        start = block.start() + len(_PREFIX.match(block[0])[0])  # type: ignore[index]
        names = [(name.start, name.stop) for name in names_in(bare[start : block.end()], scene)]
        at = start
        for stop in _STOP.finditer(bare, start, block.end()):
            inside = any(a < stop.start() - start < b for a, b in names)
            if inside or _SHORT.search(bare[at : stop.end()]):
                continue
            yield at, stop.end()
            at = stop.end()
        yield at, block.end()


class _Reader:
    def __init__(self, text: str, scene: Scene):
        self.text, self.scene = text, scene
        self.found: list[Found] = []
        self.unread: list[Unread] = []
        self.subject = ""
        self.tries = 0

    def read(self, start: int, stop: int) -> None:
        """One sentence: as a whole, or else those parts of it that are plain claims."""
        start, stop = self._trimmed(start, stop)
        words = self.text[start:stop]
        if not words:
            return
        if len(words) > LONGEST:
            self.unread.append(Unread(words[:200], start, stop, f"it has {len(words):,} letters"))
            return
        why = self._whole(start, stop)
        if why is None:
            return
        if self._looks_like_claim(words) and not self._parts(start, stop):
            self.unread.append(Unread(words, start, stop, why))
        self._remember(words)

    def _trimmed(self, start: int, stop: int) -> tuple[int, int]:
        words = self.text[start:stop]
        return start + len(words) - len(words.lstrip()), stop - (len(words) - len(words.rstrip()))

    def _whole(self, start: int, stop: int, subject: str | None = None) -> str | None:
        """Read a piece as a claim; why that is not possible, or None."""
        words = self.text[start:stop]
        if words.endswith("?"):
            return "it asks"
        try:
            said = self._said(words, self.subject if subject is None else subject)
        except ClaimError as error:
            return error.found
        self.found.append(Found(said.claim, words, start, stop, said.assumed))
        self.subject = said.about
        return None

    def _said(self, words: str, subject: str) -> Said:
        """As it stands, since names may hold markup; else without markup."""
        try:
            return read_said(words, self.scene, subject)
        except ClaimError:
            plain = _without_markup(words)
            if plain == words:
                raise
            return read_said(plain, self.scene, subject)

    def _looks_like_claim(self, words: str) -> bool:
        kinds = {word.kind for word in words_of(tidy(_without_markup(words)), self.scene)}
        about = kinds & {"ENTRY", "BOARD", "PRONOUN", "BOTH"}
        says_more = {"FACTOR", "VERSUS"} <= kinds  # 15x faster than something, whose ever
        return says_more or bool(about and kinds & {*PREDICATES, "NUMBER"})

    def _parts(self, start: int, stop: int) -> bool:
        """Find the longest parts between commas and the like that are claims by themselves."""
        words = self.text[start:stop]
        cuts = [(cut.start(), cut.end()) for cut in _CUT.finditer(words)]
        if not cuts or len(cuts) >= _MOST_PIECES or _HEDGES.search(words):
            return False
        begins = [0, *(end for _, end in cuts)]
        ends = [*(begin for begin, _ in cuts), len(words)]
        found = False
        first = 0
        while first < len(begins):
            for last in range(len(ends) - 1, first - 1, -1):
                piece = words[begins[first] : ends[last]]
                subject = self._named_before(words[: begins[first]])
                whole = first == 0 and last == len(ends) - 1
                if whole or not piece.strip() or subject is None or self.tries >= _MOST_TRIES:
                    continue
                self.tries += 1
                a, b = start + begins[first], start + ends[last]
                if self._whole(a, b, subject) is None:
                    found, first = True, last
                    break
            first += 1
        return found

    def _named_before(self, words: str) -> str | None:
        """The one entry that a sentence named so far; None if there were several."""
        named = {name.fits for name in names_in(words, self.scene) if name.kind == "ENTRY"}
        if not named:
            return self.subject
        fits = named.pop()
        return None if named or len(fits) > 1 else fits[0]

    def _remember(self, words: str) -> None:
        """The entry that the talk is of after a sentence; after several nobody knows."""
        named = self._named_before(words)
        self.subject = "" if named is None else named


def _without_markup(words: str) -> str:
    for pattern, instead in _MARKUP:
        words = pattern.sub(instead, words)
    return words.strip()
