"""Does a claim, or do several together, hold at a moment?

A State answers for any moment, given which version of each board held then: holds() fast,
for going through a history; judge() with numbers, evidence and words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from history.claims import judge_parts, judge_places, judge_ranks, judge_values
from history.claims.answer import Answer, Holds, combine, joined
from history.claims.language.claim import Claim
from history.claims.leaf import Leaf
from history.claims.timeline import Moment

if TYPE_CHECKING:
    from history.claims.leaf import Judge
    from history.claims.rank_rows import RankRows

JUDGES: Mapping[str, Judge] = {
    "rank": judge_ranks.rank,
    "first": judge_ranks.rank,
    "first_in_class": judge_ranks.rank,
    "would_rank": judge_places.would_rank,
    "top_k": judge_ranks.rank,
    "ahead": judge_ranks.ahead,
    "tie": judge_ranks.tie,
    "score": judge_values.score,
    "delta": judge_values.delta,
    "count": judge_places.count,
    "average_of": judge_values.average,
    "drop_one": judge_parts.drop_one,
    "lead_set": judge_parts.lead_set,
    "formula": judge_parts.formula,
    "ratio": judge_parts.ratio,
    "noise": judge_parts.noise,
}


def another(
    leaf: Leaf, claim: Claim, *, rows: RankRows | None = None, pair: tuple[str, str] | None = None
) -> Leaf:
    """Another claim about the board of a leaf.

    Args:
        leaf: whose board and entries are meant.
        claim: what is said of them.
        rows: other ranks than those of the leaf.
        pair: keys of other entries, subject and other.
    """
    subject, other = pair or (leaf.subject, leaf.other)
    return Leaf(
        claim,
        leaf.history,
        leaf.track,
        rows or leaf.rows,
        subject=subject,
        other=other,
        problem=None,
        judge=JUDGES[claim.predicate],
    )


class State(Protocol):
    """A claim, or several together, that hold or not at any one moment."""

    @property
    def leaves(self) -> list[Leaf]:
        """The claims about single boards in it."""

    def holds(self, moment: Moment) -> Holds:
        """Whether it holds, or the reason code if that is not known."""

    def all_holds(self, moments: Iterable[Moment]) -> list[Holds]:
        """The same for many moments."""

    def judge(self, moment: Moment, last_of_edition: bool = False) -> Answer:
        """The whole answer; `last_of_edition` as in Leaf."""


class Fixed:
    """A claim whose answer does not depend on time: about numbers of its own."""

    def __init__(self, answer: Answer):
        self._answer = answer

    @property
    def leaves(self) -> list[Leaf]:
        """None."""
        return []

    def holds(self, moment: Moment) -> Holds:
        """The same at any time."""
        return self._answer.holds

    def all_holds(self, moments: Iterable[Moment]) -> list[Holds]:
        """The same at any time."""
        return [self._answer.holds for _ in moments]

    def judge(self, moment: Moment, last_of_edition: bool = False) -> Answer:
        """The same at any time."""
        return self._answer


class Group:
    """Several claims at one and the same moment: all_of, any_of or not."""

    def __init__(self, claim: Claim, members: Sequence[State], labels: Sequence[str]):
        self._claim, self._members, self._labels = claim, members, labels

    @property
    def leaves(self) -> list[Leaf]:
        """Those of all members."""
        return [leaf for member in self._members for leaf in member.leaves]

    def holds(self, moment: Moment) -> Holds:
        """Three-valued."""
        return joined(self._claim.predicate, [member.holds(moment) for member in self._members])

    def all_holds(self, moments: Iterable[Moment]) -> list[Holds]:
        """Three-valued; members that say the same as before are not joined again."""
        asked = list(moments)
        members = [member.all_holds(asked) for member in self._members]
        seen: dict[tuple[Holds, ...], Holds] = {}
        found = []
        for together in zip(*members, strict=True):
            if together not in seen:
                seen[together] = joined(self._claim.predicate, together)
            found.append(seen[together])
        return found

    def judge(self, moment: Moment, last_of_edition: bool = False) -> Answer:
        """The answers of the members together."""
        answers = [member.judge(moment, last_of_edition) for member in self._members]
        ids = [member.id for member in self._claim.members]
        return combine(self._claim.predicate, answers, ids, self._labels)
