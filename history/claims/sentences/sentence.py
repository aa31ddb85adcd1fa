"""What does a sentence claim?

    text -> words -> joined words -> parts (lark) -> drafts -> Claim

In: a sentence as on the command line, and a Scene of the names that are known. Out: a Claim. Start
at read_sentence(); the forms that are understood are in grammar.FORMS, and everything else is
refused with the nearest of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.board import nearest
from history.claims.language.claim import LATEST, Claim, ClaimError, When
from history.claims.language.printed import MOST, number
from history.claims.sentences.draft import read_draft
from history.claims.sentences.grammar import parser
from history.claims.sentences.joining import joined
from history.claims.sentences.names_by_place import with_names
from history.claims.sentences.parts import Draft, Fail, Fields, Part
from history.claims.sentences.refusal import refused
from history.claims.sentences.scene import Scene, no_board
from history.claims.sentences.times import read_when
from history.claims.sentences.words import (
    Word,
    read_words,
    with_attributes,
    with_conditions,
)

if TYPE_CHECKING:
    from lark import Token, Tree

LONGEST = 2000


class Said(NamedTuple):
    """A claim as a sentence makes it.

    Attributes:
        claim: what is claimed.
        about: the entry that it talks of, which is behind in "X trails Y"; empty if of several.
        assumed: the entry that it is taken to be about, where the sentence names none.
    """

    claim: Claim
    about: str
    assumed: str


def read_sentence(sentence: str, scene: Scene | None = None) -> Claim:
    """The claim that a sentence makes.

    Names of entries and boards that the scene knows are found wherever they stand. Where it knows
    none, they may hold spaces, dots and dashes; one that holds a word of the language (`on`, `of`,
    `first`) stands in quotes.

    Raises:
        ClaimError: with what was understood, and the nearest form.

    >>> claim = read_sentence("fern 2 is #1 on text and vision on 2026-03-20")
    >>> claim.subject, claim.predicate, claim.boards, claim.when.kind
    ('fern 2', 'first', ('text', 'vision'), 'on')
    """
    return read_said(sentence, scene or Scene.empty()).claim


def read_said(sentence: str, scene: Scene, subject: str = "") -> Said:
    """The claim that a sentence makes, where the talk is of some entry already.

    Args:
        sentence: as read_sentence() takes it.
        scene: what is known.
        subject: the entry that "it" means; "" if none is known.
    """
    if len(sentence) > LONGEST:
        found = f"it has {len(sentence):,} letters"
        raise ClaimError("the sentence", found, f"A sentence has at most {LONGEST:,}")
    text = tidy(sentence)
    fail = partial(refused, text)
    words = words_of(text, scene)
    _refuse_unknown(words, text, scene)
    words = joined(words, text, scene)
    before = Draft(subjects=(subject,)) if subject else None
    drafts = _drafts(_parse(words, text), words, before, fail)
    _share(drafts, fail)
    about = {subject for draft in drafts for subject in draft.subjects}
    claim = _Whole(text, scene).claim(drafts)
    if any(max(leaf.n or 0, leaf.k or 0, leaf.of or 0) > MOST for leaf in claim.leaves):
        raise fail(0, f"a place or a number of entries above {MOST:,}")
    return Said(claim, about.pop() if len(about) == 1 else "", "" if drafts[0].named else subject)


def tidy(sentence: str) -> str:
    """A sentence with single spaces and without its last full stop."""
    return " ".join(sentence.split()).rstrip(".!?\u2026 ")


def words_of(text: str, scene: Scene) -> list[Word]:
    """The words of a tidy sentence, names where they are known or must stand."""
    words = with_attributes(with_conditions(read_words(text, scene)), scene)
    return with_names(words, text, scene)


def _refuse_unknown(words: Sequence[Word], text: str, scene: Scene) -> None:
    if not (scene.entries and scene.boards):
        return
    unknown = next((word for word in words if word.kind == "UNKNOWN"), None)
    if unknown is None:
        return
    names = [*scene.entries, *scene.board_names, *(title for _, title in scene.boards)]
    close = nearest(unknown.said, names) if len(unknown.said) < 100 else []
    boards = ", ".join(scene.board_names[:5])
    hint = f"No entry or board has such a name; the boards are {boards}. "
    if close:
        hint = f"Known names that are near: {', '.join(close)}. "
    raise refused(text, unknown.start, hint=hint)


def _parse(words: Sequence[Word], text: str) -> Tree[Token]:
    from lark.exceptions import UnexpectedInput

    try:
        return parser().parse(words)
    except UnexpectedInput as error:
        token = getattr(error, "token", None)
        at = len(text)
        if token is not None and token.type != "$END":
            at = words[token.start_pos].start
        raise refused(text, at) from None


def _drafts(
    tree: Tree[Token], words: Sequence[Word], before: Draft | None, fail: Fail
) -> list[Draft]:
    drafts: list[Draft] = []
    contrasts = False
    children: list[Any] = tree.children
    for claim in children:
        if not hasattr(claim, "data"):
            contrasts = words[claim.start_pos].value == "but"
            continue
        parts = [
            Part(str(part.data), tuple(words[token.start_pos] for token in part.children))
            for part in claim.children
        ]
        draft = read_draft(parts, drafts[-1] if drafts else before, fail)
        draft.contrasts = contrasts
        draft.named = bool(draft.subjects)
        earlier = drafts[-1] if drafts else before
        if earlier and not draft.named:
            draft.subjects = earlier.subjects
        drafts.append(draft)
    return drafts


# --- several claims in one sentence ----------------------------------------------------------------


def _share(drafts: list[Draft], fail: Fail) -> None:
    """What one claim leaves out it takes from its neighbour: whom, where and when."""
    for before, draft in pairwise(drafts):
        if before.denied and not draft.has_verb and not draft.denied and not draft.contrasts:
            raise fail(draft.start, "it leaves open whether this is denied, too")
        if not draft.boards:
            draft.boards, draft.each = before.boards, before.each
            draft.split = draft.split or before.split
        own = draft.time or draft.adverb or draft.now or draft.length
        if not own and (before.leads or not draft.has_verb):
            draft.time, draft.leads = before.time, before.leads
        if not draft.has_verb:
            draft.tense = before.tense
            if not own and not draft.contrasts:
                draft.adverb, draft.now = before.adverb, before.now
    for draft, after in zip(drafts[-2::-1], drafts[:0:-1], strict=False):
        if not draft.boards:
            draft.boards, draft.each, draft.split = after.boards, after.each, after.split
        own = draft.time or draft.adverb or draft.now or draft.length
        if not own and not after.has_verb and not after.leads:
            draft.time, draft.now = after.time, after.now


class _Whole:
    """A sentence whose claims are known each by itself."""

    def __init__(self, text: str, scene: Scene):
        self.text, self.scene = text, scene

    def claim(self, drafts: Sequence[Draft]) -> Claim:
        claims = [claim for draft in drafts for claim in self._claims(draft)]
        whole = claims[0] if len(claims) == 1 else Claim("", "all_of", members=tuple(claims))
        return replace(_numbered(whole, "sentence"), text=self.text)

    def fail(self, at: int, found: str) -> ClaimError:
        return refused(self.text, at, found)

    def _claims(self, draft: Draft) -> list[Claim]:
        """The claims of one draft: one for each subject and state."""
        if len(draft.subjects) > 1 and any("subject" in state for state in draft.states):
            raise self.fail(draft.start, "it names several entries that are behind")
        found = []
        for subject in draft.subjects or ("",):
            for state in draft.states:
                found += self._denied(self._stated(state, subject, draft), draft)
        return found

    def _stated(self, state: Fields, subject: str, draft: Draft) -> Claim:
        predicate = state["predicate"]
        named = state.get("subject", subject)
        if predicate == "count":
            named = None
        elif not named or not state.get("other", "none"):
            raise self.fail(0, "it names no entry")
        elif named == state.get("other"):
            raise self.fail(draft.start, "it compares an entry with itself")
        claim = Claim("", spoken=True, **{**state, "subject": named})
        boards = draft.boards
        if not boards and predicate != "ratio":
            boards = self.scene.board_names if len(self.scene.boards) == 1 else ()
            if not boards:
                raise self.fail(len(self.text), no_board(self.scene))
        self._check_attributes(claim.filter, draft)
        return replace(claim, boards=boards, split=draft.split)

    def _check_attributes(self, text: str, draft: Draft) -> None:
        if not text or not self.scene.boards or not self.scene.entries:
            return
        for name in re.findall(r"(?:^|and )(\w+)", text):
            if name not in self.scene.attributes:
                known = ", ".join(self.scene.attributes) or "none"
                found = f"no board says what is `{name}` (attributes: {known})"
                raise self.fail(draft.start, found)

    def _denied(self, claim: Claim, draft: Draft) -> list[Claim]:
        """The claim with its time, or its denial: of each board, where they were listed."""
        timed = self._timed(claim, draft)
        if not draft.denied:
            return [timed]
        boards = [(board,) for board in claim.boards] if draft.each else [claim.boards]
        return [
            Claim("", "not", members=(_on_boards(timed, some),), spoken=True) for some in boards
        ]

    def _timed(self, claim: Claim, draft: Draft) -> Claim:
        when = None
        if draft.time is not None:
            when = read_when(draft.time, self.scene.said_on, self.fail)
        if draft.now:
            when = LATEST
        if draft.length is not None:
            return self._lasting(claim, draft, draft.length, when)
        if draft.adverb:
            when = self._with_adverb(draft, when)
        elif when is None and claim.predicate != "ratio":
            when = When("ever") if draft.tense == "past" else LATEST
        return replace(claim, when=when)

    def _with_adverb(self, draft: Draft, when: When | None) -> When:
        if when is not None and when.kind not in ("over", "on"):
            said = "never" if draft.denied and draft.adverb == "ever" else draft.adverb
            raise self.fail(len(self.text), f'"{said}" with one moment')
        if when is None:
            return When(draft.adverb)  # type: ignore[arg-type]
        end = when.start if when.kind == "on" else when.end
        return When(draft.adverb, when.start, end)  # type: ignore[arg-type]

    def _lasting(self, claim: Claim, draft: Draft, part: Part, when: When | None) -> Claim:
        if draft.adverb:
            raise self.fail(len(self.text), f'"{draft.adverb}" with a duration')
        if when is not None and when.kind not in ("over", "on"):
            raise self.fail(len(self.text), "a duration at one moment")
        if when is not None and when.kind == "on":
            when = When("over", when.start, when.start)
        if claim.predicate in ("ratio", "noise"):
            raise self.fail(part.start, "")
        count, unit = part.word("NUMBER"), part.word("UNIT", "UNEVEN")
        assert count is not None and unit is not None
        if unit.kind == "UNEVEN":
            found = f'"{count.said} {unit.said}" can be longer or shorter: give days or weeks'
            raise self.fail(count.start, found)
        bound = part.word("GE", "LE", "GT", "LT", "NOWORSE")
        if (bound and bound.kind == "NOWORSE") or count.value[0] in "+-\u2212":
            raise self.fail(part.start, "")
        at_one_go = any(one and one.said("CONSECUTIVE") for one in (part, draft.streak))
        return Claim(
            "",
            "duration",
            members=(claim,),
            when=when,
            op=bound.value if bound else "=",
            approx=part.said("ABOUT"),
            value=self._plain(count),
            unit=unit.value,
            span="longest" if at_one_go else "total",
            spoken=True,
        )

    def _plain(self, word: Word) -> str:
        try:
            number(word.value)
        except ValueError as error:
            raise self.fail(word.start, str(error)) from None
        return word.value


def _on_boards(claim: Claim, boards: tuple[str, ...]) -> Claim:
    if claim.predicate == "duration":
        return replace(claim, members=tuple(_on_boards(one, boards) for one in claim.members))
    return replace(claim, boards=boards)


def _numbered(claim: Claim, own_id: str) -> Claim:
    members = tuple(
        _numbered(member, f"{own_id}/{n}") for n, member in enumerate(claim.members, start=1)
    )
    return replace(claim, id=own_id, members=members, spoken=True)
