"""What is the answer to a claim?

The Verdict record, its JSON as documented, and the exit code of a list of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from history.times import time_text

Word = Literal[
    "true",
    "false",
    "within_rounding",
    "true_then_false",
    "false_then_true",
    "tied_not_first",
    "true_under_other",
    "not_decidable",
]

WORDS: dict[str, str] = {
    "true": "True",
    "false": "False",
    "within_rounding": "Within rounding",
    "true_then_false": "True, then false",
    "false_then_true": "False, then true",
    "tied_not_first": "Tied, not first",
    "true_under_other": "True under another condition",
    "not_decidable": "Not decidable",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One number, and where it stands; `text` is None where it is not there.

    Attributes:
        board: None for a number that stands on no board.
        commit, committed_at: of the version; None for a claim's own table or number.
        path: the file, or the address that a number was taken from.
        pointer: place in the file, RFC 6901 or RFC 7111.
        entry, field: whose number, and which.
        text: as printed.
        label: measured, reported or reasoned.
    """

    board: str | None
    commit: str | None
    committed_at: datetime | None
    path: str | None
    pointer: str | None
    entry: str | None
    field: str
    text: str | None
    label: str

    def as_dict(self) -> dict[str, Any]:
        """As in the JSON of `check`."""
        return {
            "board": self.board,
            "commit": self.commit,
            "committed_at": time_text(self.committed_at),
            "path": self.path,
            "pointer": self.pointer,
            "entry": self.entry,
            "field": self.field,
            "text": self.text,
            "label": self.label,
        }


@dataclass(frozen=True, slots=True)
class Interval:
    """A whole stretch in which the claim held; `until` is None if it still does."""

    start: datetime
    until: datetime | None
    from_commit: str
    until_commit: str | None

    def as_dict(self) -> dict[str, Any]:
        """As in the JSON of `check`."""
        return {
            "from": time_text(self.start),
            "until": time_text(self.until),
            "from_commit": self.from_commit,
            "until_commit": self.until_commit,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one claim.

    Attributes:
        verdict: the word; `sentence` says it for people.
        strength: certain, or as printed; None where neither applies.
        code: why it is not decidable.
        answer: the numbers that decide, as documented for each predicate.
        intervals: when the claim held.
        evidence: where the numbers stand.
        nearest: other statements that would be true.
        notes: what else to know.
        would_decide: what is missing, in words.
        last_look: until when the boards are known.
        reconstruction: board -> why its history is not its own.
    """

    id: str
    text: str
    verdict: Word
    sentence: str
    strength: str | None
    code: str | None
    answer: Mapping[str, Any]
    intervals: tuple[Interval, ...]
    evidence: tuple[Evidence, ...]
    nearest: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    would_decide: str | None
    last_look: datetime | None = None
    reconstruction: Mapping[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """As in the JSON of `check`."""
        found: dict[str, Any] = {
            "id": self.id,
            "text": self.text,
            "verdict": self.verdict,
            "sentence": self.sentence,
            "strength": self.strength,
            "code": self.code,
            "answer": dict(self.answer),
            "intervals": [interval.as_dict() for interval in self.intervals],
            "evidence": [evidence.as_dict() for evidence in self.evidence],
            "nearest": [dict(one) for one in self.nearest],
            "notes": list(self.notes),
            "would_decide": self.would_decide,
            "last_look": time_text(self.last_look),
        }
        if self.reconstruction:
            found["reconstruction"] = dict(self.reconstruction)
        return found


def document(verdicts: Iterable[Verdict], checked_at: datetime) -> dict[str, Any]:
    """The JSON document of `check`."""
    return {
        "checked_at": time_text(checked_at),
        "claims": [verdict.as_dict() for verdict in verdicts],
    }


def exit_code(words: Iterable[str]) -> int:
    """Exit code of `check`: 0 all true; 5 one false or only tied; else 3.

    >>> exit_code(["true"]), exit_code(["true", "true_then_false"]), exit_code(["false"])
    (0, 3, 5)
    """
    given = set(words)
    if given & {"false", "tied_not_first"}:
        return 5
    return 3 if given - {"true"} else 0
