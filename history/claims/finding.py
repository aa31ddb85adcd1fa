"""What did the search for a verdict find, before it is put into words and evidence?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from history.claims.answer import Answer, Ref
from history.claims.course import Piece
from history.claims.language.claim import Operand
from history.claims.timeline import Held
from history.claims.verdict import Evidence, Interval


@dataclass(frozen=True, slots=True)
class Near:
    """Another statement that is true, and the cells that it rests on."""

    statement: str
    refs: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict before it is put into words and evidence.

    Attributes:
        word: the verdict; `body` is what follows it in the sentence.
        intervals: when the claim held, whole stretches.
        refs, operands, own: what the verdict rests on: cells of boards, numbers and a table
            of the claim's own.
        pieces: gives how the claim went through its own window, if its `when` is over or on.
    """

    word: str
    body: str
    code: str | None = None
    strength: str | None = None
    answer: Mapping[str, Any] = field(default_factory=dict)
    intervals: tuple[Interval, ...] = ()
    refs: tuple[Ref, ...] = ()
    operands: tuple[Operand, ...] = ()
    own: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()
    would_decide: str | None = None
    nearest: tuple[Near, ...] = ()
    pieces: Callable[[], Sequence[Piece]] = tuple

    @classmethod
    def of(cls, answer: Answer, body: str = "", notes: Sequence[str] = ()) -> Finding:
        """An answer with its sentence."""
        return cls(
            answer.word,
            body or f"{answer.fact[:1].upper()}{answer.fact[1:]}.",
            answer.code,
            answer.strength,
            answer.answer,
            refs=answer.refs,
            operands=answer.operands,
            own=answer.own,
            notes=(*answer.notes, *notes),
            would_decide=answer.would_decide,
        )

    @property
    def as_answer(self) -> Answer:
        """The finding as one of several that make a compound."""
        return Answer(
            self.word,
            self.body,
            self.code,
            self.strength,
            dict(self.answer),
            self.refs,
            self.operands,
            self.own,
            self.notes,
            self.would_decide,
        )


def intervals(found: Sequence[Held]) -> tuple[Interval, ...]:
    """Stretches as a verdict gives them: one that ends where nothing more is known has no commit."""
    return tuple(
        Interval(one.start, one.lapsed or one.until, one.from_commit, one.until_commit)
        for one in found
    )
