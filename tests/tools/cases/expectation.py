"""Is what we answer what a case expects?

In: a case's expected answer as it stands in cases.json, and an adapter's answer in the same shape.
Out: Rows, one per value, each with a verdict. Start at compare().

An adapter gives plain values wherever the expectation has plain values. Where the expectation is
prose it gives one of the records below, so that every row says how it was judged. A value that
only one of the two sides has is a difference: a changed expectation never passes unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from enum import IntEnum
from typing import Any


class Verdict(IntEnum):
    """How a row, or a whole case, came out; the worst of its rows is a case's."""

    AS_EXPECTED = 0
    REFUSED = 1
    FOR_A_PERSON = 2
    NOT_SAID = 3
    DIFFERS = 4

    def __str__(self) -> str:
        return _WORDS[self]


_WORDS = {
    Verdict.AS_EXPECTED: "as expected",
    Verdict.REFUSED: "refused clearly",
    Verdict.FOR_A_PERSON: "for a person",
    Verdict.NOT_SAID: "no command says it",
    Verdict.DIFFERS: "differs",
}


@dataclass(frozen=True, slots=True)
class Said:
    """Our words for an expectation in prose; every fact must stand in both.

    Attributes:
        ours: what was printed.
        facts: texts that both must hold, whatever their case and spacing.
    """

    ours: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Our refusal where the expectation allows one.

    Attributes:
        ours: what was printed.
        allowed: the words of the expectation, or of its derivation, that allow it.
        facts: texts that both must hold.
    """

    ours: str
    allowed: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rounded:
    """A number that the expectation prints with fewer decimals."""

    ours: float | Decimal


@dataclass(frozen=True, slots=True)
class Shown:
    """What we say, for a person to lay beside the expectation."""

    ours: str


@dataclass(frozen=True, slots=True)
class NotSaid:
    """No command answers this.

    Attributes:
        why: what is missing, and what comes nearest.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """One value of one case.

    Attributes:
        where: its place in the expected answer, as in `ranks.fern`; empty for the whole.
        verdict: how it came out.
        ours, expected: both sides; None where a side has nothing there.
        why: what is wrong or missing, for people.
    """

    where: str
    verdict: Verdict
    ours: Any
    expected: Any
    why: str = ""


def compare(ours: Any, expected: Any, derivation: str = "", where: str = "") -> list[Row]:
    """Lay an answer beside the expectation.

    Args:
        ours: plain values in the expectation's shape, with the records above for prose.
        expected: the expected answer; its decimal numbers are Decimals.
        derivation: the case's `expected.why`; may allow a refusal.
        where: place of both in the whole answer.

    >>> [str(row.verdict) for row in compare({"fern": 1, "moss": 2}, {"fern": 1, "moss": 3})]
    ['as expected', 'differs']
    >>> compare(Said("line 3 is cut", ("line 3",)), "partial: line 3 damaged")[0].verdict.name
    'AS_EXPECTED'
    """
    if isinstance(ours, Mapping) and isinstance(expected, Mapping):
        rows: list[Row] = []
        for key in [*expected, *(key for key in ours if key not in expected)]:
            inner = f"{where}.{key}" if where else str(key)
            if key not in ours:
                why = "the adapter has no answer to this"
                rows.append(Row(inner, Verdict.DIFFERS, None, expected[key], why))
            elif key not in expected:
                why = "the expectation has no such value"
                rows.append(Row(inner, Verdict.DIFFERS, ours[key], None, why))
            else:
                rows += compare(ours[key], expected[key], derivation, inner)
        return rows
    return [_row(ours, expected, derivation, where)]


def _row(ours: Any, expected: Any, derivation: str, where: str) -> Row:
    match ours:
        case NotSaid(why):
            return Row(where, Verdict.NOT_SAID, None, expected, why)
        case Shown(text):
            return Row(where, Verdict.FOR_A_PERSON, text, expected)
        case Said(text, facts):
            wrong = _not_in_both(facts, text, _prose(expected))
            return Row(
                where, Verdict.DIFFERS if wrong else Verdict.AS_EXPECTED, text, expected, wrong
            )
        case Refused(text, allowed, facts):
            wrong = _not_in_both(facts, text, f"{_prose(expected)} {derivation}")
            if _plain(allowed) not in _plain(f"{_prose(expected)} {derivation}"):
                wrong = f"the expectation no longer says {allowed!r}"
            return Row(where, Verdict.DIFFERS if wrong else Verdict.REFUSED, text, expected, wrong)
        case Rounded(number):
            shown = _rounded(number, expected)
            same = shown is not None and shown == expected
            return Row(where, _equal(same), number if shown is None else shown, expected)
    return Row(where, _equal(_exact(ours) == _exact(expected)), ours, expected)


def _equal(same: bool) -> Verdict:
    return Verdict.AS_EXPECTED if same else Verdict.DIFFERS


def _not_in_both(facts: tuple[str, ...], ours: str, expected: str) -> str:
    """Which facts stand in only one of the two; empty if none does."""
    wrong = []
    for fact in facts:
        if _plain(fact) not in _plain(expected):
            wrong.append(f"{fact!r} is not in the expectation")
        elif _plain(fact) not in _plain(ours):
            wrong.append(f"we do not say {fact!r}")
    return "; ".join(wrong)


def _prose(expected: Any) -> str:
    """An expectation as one text, whatever its shape."""
    if isinstance(expected, Mapping):
        return " ".join(f"{key} {_prose(value)}" for key, value in expected.items())
    if isinstance(expected, list):
        return " ".join(map(_prose, expected))
    return str(expected)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _rounded(number: float | Decimal, expected: Any) -> Decimal | None:
    """A number with the decimals that the expectation prints; None if that is no number."""
    if isinstance(expected, bool) or not isinstance(expected, int | Decimal):
        return None
    return Decimal(str(number)).quantize(Decimal(expected), rounding=ROUND_HALF_EVEN)


def _exact(value: Any) -> Any:
    """Values of one kind are equal or not: numbers as printed, 71 the same as 71.0."""
    if isinstance(value, bool | str) or value is None:
        return (type(value).__name__, value)
    if isinstance(value, int | float | Decimal):
        return ("number", Decimal(str(value)))
    if isinstance(value, Mapping):
        return {key: _exact(one) for key, one in value.items()}
    return [_exact(one) for one in value]
