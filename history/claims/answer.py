"""What does a claim come to at one moment?

The Answer record with the cells behind it, reason codes, and how the answers of several
claims make one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from history.claims.language.claim import Operand
from history.claims.language.printed import Check, Measured
from history.claims.verdict import Evidence


class Truth(Enum):
    """Does it hold? SILENT: it says nothing of this moment, as of an entry not listed then."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Holds:
    """Whether something holds at a moment.

    Attributes:
        code: why that is not known, or why there is nothing to say.
        certain: known not to depend on the unprinted digits.
    """

    truth: Truth
    code: str | None = None
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Ref:
    """A cell that decides: entry None points to the rows as a whole."""

    board: str
    version: int
    entry: str | None
    field: str = "score"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a claim comes to at one moment.

    Attributes:
        word: the verdict.
        fact: what was the case, without the time: "fern was 2nd of 55 on text".
        refs: cells that decide; `operands` are numbers of the claim's own, `own` its table.
        listed: False where the reason is that an entry was not listed.
    """

    word: str
    fact: str
    code: str | None = None
    strength: str | None = None
    answer: dict[str, Any] = field(default_factory=dict)
    refs: tuple[Ref, ...] = ()
    operands: tuple[Operand, ...] = ()
    own: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()
    would_decide: str | None = None
    listed: bool = True

    @property
    def holds(self) -> Holds:
        """The answer in short."""
        if self.word in ("true", *NO_WORDS):
            truth = Truth.YES if self.word == "true" else Truth.NO
            return Holds(truth, None, self.strength == "certain")
        code = self.code or ("WITHIN_ROUNDING" if self.word == "within_rounding" else None)
        return Holds(Truth.SILENT if code in SILENT_CODES else Truth.UNKNOWN, code)


# Known to be so, and no answer: the claim is about something that was not there.
SILENT_CODES = ("NOT_LISTED", "OTHER_EDITION")

WOULD_DECIDE = {
    "BEFORE_FIRST_SNAPSHOT": "a version of the file from that time or before",
    "CENSORED": "a later crawl",
    "UNREADABLE_VERSION": "a readable copy of this version",
    "NO_VERSION_READABLE": "a version that can be read",
    "BOARD_ABSENT": "the file, which was not there at that time",
    "NOT_LISTED": "a version that lists it with a score",
    "OTHER_EDITION": "a version of the edition that is meant",
    "NO_TIE_RULE": "the board's tie rule and band",
    "NO_SE": "the interval or the standard error of both entries",
    "NO_SPLIT": "a board that publishes this split",
    "MISSING_COMPONENT": "the number that the claim is about, which is not printed there",
    "INCOMPLETE_RUN": "a complete run of the entry, with all parts of its score",
    "WITHIN_ROUNDING": "the number before it was rounded",
    "UNKNOWN_ENTRY": "the entry's key, as the board writes it",
    "AMBIGUOUS_ENTITY": "the key of one entry",
    "SAME_BOARD": "two boards",
    "NO_BOARD": "the board's own history: ranktrail add",
    "NO_ITEM_COUNT": "the number of items behind each score, a standard error of each, or results item by item",
    "NO_PAIRED_RESULTS": "the results of both entries item by item",
    "NO_EXTRAPOLATION": "a measurement there",
    "DIFFERENT_BASELINES": "both numbers on one scale, with one baseline and denominator",
    "UNKNOWN_FORMULA": "the whole formula, with its constants",
    "MIXED_SCALE": "the scores of all entries on one scale",
}

# CENSORED, where a later look cannot help.
BETWEEN_LOOKS = "a log of what was published when, or a look at that time"

NO_WORDS = ("false", "tied_not_first")
UNDECIDED = ("not_decidable", "true_under_other", "within_rounding")
PARTLY = ("true_then_false", "false_then_true")


def undecided(
    code: str, fact: str, refs: tuple[Ref, ...], *, would: str | None = None, **more: Any
) -> Answer:
    """The answer where something is missing; `would` decide it, if not what does so mostly."""
    would = would or WOULD_DECIDE[code]
    return Answer("not_decidable", fact, code, refs=refs, would_decide=would, **more)


def value_answer(
    check: Check,
    number: Measured,
    fact: str,
    refs: tuple[Ref, ...],
    operands: tuple[Operand, ...],
    own: tuple[Evidence, ...] = (),
) -> Answer:
    """The answer of a comparison of numbers."""
    answer = {
        "measured": float(number.value),
        "low": float(number.low),
        "high": float(number.high),
        "claimed_low": float(check.claimed.low),
        "claimed_high": float(check.claimed.high),
    }
    return Answer(
        check.outcome, fact, None, check.strength, answer, refs, operands, own, check.notes
    )


def combine(
    kind: str, answers: Sequence[Answer], ids: Sequence[str], labels: Sequence[str]
) -> Answer:
    """One answer for a compound, in three-valued logic.

    `all_of`: any no is false; else the first undecided one counts; else true. `any_of` the
    other way round; `not` turns yes into no.

    >>> both = [Answer("true", "a"), Answer("tied_not_first", "b")]
    >>> [combine(kind, both, ["1", "2"], ["x", "y"]).word for kind in ("all_of", "any_of")]
    ['false', 'true']
    """
    decisive = _decisive(kind, answers)
    word, code = decisive.word, decisive.code
    decisive_words = NO_WORDS if word in NO_WORDS else (word,)
    if kind == "not":
        turned = {"true_then_false": "false_then_true", "false_then_true": "true_then_false"}
        word = "false" if word == "true" else "true" if word in NO_WORDS else turned.get(word, word)
    elif word in NO_WORDS:
        word = "false"
    members = [
        {"id": own_id, "verdict": answer.word, "code": answer.code, "answer": answer.answer}
        for own_id, answer in zip(ids, answers, strict=True)
    ]
    strength = decisive.strength
    if word in ("true", "false"):
        decided = [answer.strength for answer in answers if answer.word in decisive_words]
        one_is_enough = word == ("true" if kind == "any_of" else "false") or kind == "not"
        strength = _joint_strength(decided, any if one_is_enough else all)
    return Answer(
        word,
        _facts(answers),
        code,
        strength,
        {"members": members} if len(members) > 1 else decisive.answer,
        tuple(ref for answer in answers for ref in answer.refs),
        tuple(number for answer in answers for number in answer.operands),
        tuple(one for answer in answers for one in answer.own),
        _joint_notes(answers, labels),
        decisive.would_decide,
        all(answer.listed for answer in answers),
    )


def joined(kind: str, found: Sequence[Holds]) -> Holds:
    """Whether a compound holds: what is not known of a member counts only if it could decide.

    >>> yes, unsure = Holds(Truth.YES, certain=True), Holds(Truth.UNKNOWN, "CENSORED")
    >>> joined("all_of", [yes, unsure]).code, joined("any_of", [yes, unsure]).truth.value
    ('CENSORED', 'yes')
    """
    turned = {Truth.YES: Truth.NO, Truth.NO: Truth.YES}
    if kind == "not":
        return replace(found[0], truth=turned.get(found[0].truth, found[0].truth))
    decides = Truth.NO if kind == "all_of" else Truth.YES
    if deciding := [one for one in found if one.truth is decides]:
        return Holds(decides, None, any(one.certain for one in deciding))
    undecided = [one for one in found if one.truth is Truth.UNKNOWN]
    silent = [one for one in found if one.truth is Truth.SILENT]
    # Of what is not decided, rounding comes last, as in combine().
    undecided.sort(key=lambda one: one.code == "WITHIN_ROUNDING")
    if undecided or silent:
        return [*undecided, *silent][0]
    return Holds(turned[decides], None, all(one.certain for one in found))


def _joint_strength(
    found: Sequence[str | None], enough: Callable[[list[bool]], bool]
) -> str | None:
    if None in found:
        return None
    return "certain" if enough([strength == "certain" for strength in found]) else "printed"


def _decisive(kind: str, answers: Sequence[Answer]) -> Answer:
    """The answer that decides: for all_of the first no, else the first undecided one."""
    decides = ("true",) if kind == "any_of" else NO_WORDS
    for words in (decides, *((word,) for word in UNDECIDED), PARTLY):
        for answer in answers:
            if answer.word in words:
                return answer
    return answers[0]


def _facts(answers: Sequence[Answer]) -> str:
    """What was the case for each; "fern was not listed on a" and "... on b" become one."""
    merged: dict[str, list[str]] = {}
    for answer in answers:
        head, _, tail = answer.fact.partition(" on ")
        merged.setdefault(head if not answer.listed and tail else answer.fact, []).append(tail)
    said = [
        f"{head} on {' or '.join(dict.fromkeys(tails))}" if len(tails) > 1 and tails[0] else head
        for head, tails in merged.items()
        if head
    ]
    if len(merged) == 1 and len(answers) == 1:
        return answers[0].fact
    return "; ".join(said)


def _joint_notes(answers: Sequence[Answer], labels: Sequence[str]) -> tuple[str, ...]:
    """Notes of all members; one that not all have says whose it is."""
    shared = set.intersection(*(set(answer.notes) for answer in answers))
    found = [note for note in answers[0].notes if note in shared]
    for label, answer in zip(labels, answers, strict=True):
        found += [f"{label}: {note}" for note in answer.notes if note not in shared]
    return tuple(dict.fromkeys(found))
