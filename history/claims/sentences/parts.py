"""What are the parts of one claim of a sentence?

Part is what the grammar finds, Draft is what the parts of one claim say together, Parts is what
both readers of them share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from history.claims.language.claim import ClaimError, When
from history.claims.sentences.words import Word

Fail = Callable[[int, str], ClaimError]
Fields = dict[str, Any]

RANKS = ("first", "nth", "top", "leads", "led_by")
VALUES = ("amount", "ahead", "behind", "versus")
RELATIONS = ("ahead", "behind", "versus")
# What excludes every other predicate.
ALONE = ("tie", "noise", "different", "count", "factor")
PREDICATES = (*RANKS, *VALUES, *ALONE)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a claim.

    Attributes:
        kind: the rule of the grammar.
        words: its words.
    """

    kind: str
    words: tuple[Word, ...]

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.words[0].start

    @property
    def stop(self) -> int:
        """Where it ends."""
        return self.words[-1].stop

    def word(self, *kinds: str) -> Word | None:
        """Its first word of one of some kinds."""
        return next((word for word in self.words if word.kind in kinds), None)

    def said(self, *kinds: str) -> bool:
        """Whether it holds a word of one of some kinds."""
        return self.word(*kinds) is not None

    @property
    def entry(self) -> str:
        """The entry that it names; empty if it names none."""
        word = self.word("ENTRY")
        return word.names[0] if word else ""


@dataclass
class Draft:
    """What one claim of a sentence says, before its place in the sentence is known.

    Attributes:
        subjects: one, several that it is said of, or none.
        states: fields of Claim: one predicate, or a rank and a value.
        boards, split: where.
        each: boards were listed one by one, so that a denial is of each.
        denied: not or never.
        time: the part that says when; leads if it stands before the predicate.
        adverb: ever or always.
        tense: of its first verb.
        now: it says now.
        has_verb: it has a verb of its own.
        length, streak: the parts that say how long, and that it was at one go.
        relation: of a value, what it is compared with: other, and 1 or -1.
        valued: it gives a value.
        contrasts: it stands after "but".
        named: it names its subjects itself.
        start, stop: where it stands in the sentence.
    """

    subjects: tuple[str, ...] = ()
    states: list[Fields] = field(default_factory=list)
    boards: tuple[str, ...] = ()
    split: str | None = None
    each: bool = False
    denied: bool = False
    time: Part | None = None
    when: When | None = None
    leads: bool = False
    adverb: str = ""
    tense: str = ""
    now: bool = False
    has_verb: bool = False
    length: Part | None = None
    streak: Part | None = None
    relation: tuple[str, int] | None = None
    valued: bool = False
    contrasts: bool = False
    named: bool = False
    start: int = 0
    stop: int = 0


class Parts:
    """The parts of one claim, and what is known of it so far.

    Attributes:
        parts: in their order.
        before: the claim before it in the sentence, from which it takes what it leaves out.
        fail: makes the error about a place in the sentence.
        found: what was read so far.
        filters: conditions that entries must meet.
    """

    def __init__(self, parts: Sequence[Part], before: Draft | None, fail: Fail):
        self.parts, self.before, self.fail = parts, before, fail
        self.found = Draft(start=parts[0].start, stop=parts[-1].stop)
        self.filters: list[str] = []

    def of(self, *kinds: str) -> Part | None:
        """Its first part of one of some kinds."""
        return next((part for part in self.parts if part.kind in kinds), None)

    def has(self, *kinds: str) -> bool:
        """Whether there is a part of one of some kinds."""
        return self.of(*kinds) is not None

    def first_predicate(self) -> int:
        """The number of the first part that says what is claimed; of all if none does."""
        kinds = [
            n
            for n, part in enumerate(self.parts)
            if part.kind in PREDICATES
            and part.kind != "versus"
            and not (part.kind == "amount" and part.said("WITH", "BY"))
        ]
        return kinds[0] if kinds else len(self.parts)
