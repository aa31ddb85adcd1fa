"""What cannot be decided from a file, and what would decide it?

In: a reason code. Out: Undecided, which says in words what is missing. Start at undecided(); TABLE
holds every question of methods 3.5. Unknown is never a value: who gets an Undecided shows no number.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Undecided:
    """Not decidable from this file.

    Attributes:
        code: reason code, as verdicts have it.
        asked: the question.
        found: what the file holds instead; empty where there is no more to say.
        would_decide: the missing datum in words.
    """

    code: str
    asked: str
    found: str
    would_decide: str

    def __str__(self) -> str:
        found = f" ({self.found})" if self.found else ""
        return f"not decidable from this file{found}: it would take {self.would_decide}"


@dataclass(frozen=True, slots=True)
class Question:
    """One row of the table of methods 3.5.

    Attributes:
        code: what is said when the datum is missing.
        asked: the question.
        needed: what an answer rests on.
        would_decide: the missing datum in words.
    """

    code: str
    asked: str
    needed: str
    would_decide: str


_BETTER = "is one entry really better than another"
_BETTER_NEEDS = "the number of items, standard errors, or results item by item"
_SAME_KIND = "rank among rows of mixed scale or incomplete runs"

TABLE = (
    Question(
        "NO_ITEM_COUNT",
        _BETTER,
        _BETTER_NEEDS,
        "the number of items behind each score, a standard error of each, or results item by item",
    ),
    Question(
        "NO_PAIRED_RESULTS",
        _BETTER,
        _BETTER_NEEDS,
        "the results of both entries item by item",
    ),
    Question(
        "NO_SE",
        "within which ranks an entry stands",
        "a standard error for every entry that could swap",
        "a standard error, an interval or a number of items for every entry that could swap",
    ),
    Question(
        "NO_TIE_RULE",
        "is it a tie under the board's rule",
        "band, rule and edge, or published groups",
        "the board's tie rule and band",
    ),
    Question(
        "UNKNOWN_FORMULA",
        "what a change of formula did",
        "both formulas and the components",
        "both formulas",
    ),
    Question(
        "MISSING_COMPONENT",
        "what a change of formula did, or the rank under other weights",
        "the score of every component",
        "the score of every component, which is not printed there",
    ),
    Question(
        "NO_SPLIT",
        "is the public part overfitted",
        "private and public scores of many entries",
        "a board that publishes this split",
    ),
    Question(
        "TOO_FEW_ENTRIES",
        "is the public part overfitted",
        "private and public scores of many entries",
        "private and public scores of more entries",
    ),
    Question(
        "BEFORE_FIRST_SNAPSHOT",
        "who was first at a time",
        "a version from that time or before",
        "a version of the file from that time or before",
    ),
    Question(
        "CENSORED",
        "what holds after the last look",
        "a later crawl",
        "a later crawl",
    ),
    Question(
        "CENSORED",
        "what held between two looks",
        "a log of what was published when",
        "a log of what was published when, or a look at that time",
    ),
    Question(
        "NO_EXTRAPOLATION",
        "a ratio at a place that was not measured",
        "a place inside the measured range",
        "a measurement there",
    ),
    Question(
        "DIFFERENT_BASELINES",
        "how two numbers compare",
        "the same scale, baseline and denominator",
        "both numbers on one scale, with one baseline and denominator",
    ),
    Question(
        "AMBIGUOUS_ENTITY",
        "who is meant",
        "one entry",
        "the key of one entry",
    ),
    Question(
        "UNKNOWN_ENTRY",
        "who is meant",
        "one entry",
        "the entry's key, as the board writes it",
    ),
    Question(
        "NOT_LISTED",
        "score or tie of an entry that is not listed then",
        "a version that lists it",
        "a version that lists it with a score",
    ),
    Question(
        "SAME_BOARD",
        "what holds on two boards that are one file",
        "two boards",
        "two boards",
    ),
    Question(
        "MIXED_SCALE",
        _SAME_KIND,
        "one scale, complete runs",
        "the scores of all entries on one scale",
    ),
    Question(
        "INCOMPLETE_RUN",
        _SAME_KIND,
        "one scale, complete runs",
        "a complete run of the entry, with all parts of its score",
    ),
    Question(
        "NO_VERSION_READABLE",
        "anything, where no version could be read",
        "a readable version",
        "a version that can be read",
    ),
    Question(
        "WITHIN_ROUNDING",
        "who leads after a change",
        "a gap larger than rounding",
        "the number before it was rounded",
    ),
)


def undecided(code: str, found: str = "", would_decide: str | None = None) -> Undecided:
    """What is said where the datum of a question is missing.

    Args:
        code: one of the codes of TABLE; where a code stands twice, its first row counts.
        found: what the file holds instead.
        would_decide: a closer word for what is missing than the table has.

    Raises:
        KeyError: no such code.

    >>> print(undecided("NO_PAIRED_RESULTS", "two scores over 2,000 items"))
    not decidable from this file (two scores over 2,000 items): it would take the results of both entries item by item
    """
    row = next((row for row in TABLE if row.code == code), None)
    if row is None:
        raise KeyError(code)
    return Undecided(code, row.asked, found, would_decide or row.would_decide)
