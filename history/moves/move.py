"""What is known of one entry between two versions?

In: nothing. Out: the shapes Move and Moves. Start at Move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from history.moves.causes import ALL, places

Status = Literal["moved", "same", "joined", "left", "unranked"]
Shares = dict[str, Fraction]


class Rivals(Sequence[tuple[str, Shares]]):
    """The rivals of one entry and what each was worth by cause, largest first, then by key."""

    def __init__(
        self,
        names: Sequence[str],
        rival: NDArray[np.int64],
        cause: NDArray[np.int64],
        share: NDArray[np.int64],
    ):
        self._names, self._cause, self._share = names, cause, share
        begins = np.flatnonzero(np.diff(rival, prepend=-1))
        self._rivals = rival[begins]
        self._bounds = np.append(begins, len(rival)).tolist()

    def __len__(self) -> int:
        return len(self._rivals)

    def __getitem__(self, at):  # type: ignore[no-untyped-def]  # as of any sequence
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        first, last = self._bounds[at], self._bounds[at + 1]
        rows = zip(self._cause[first:last].tolist(), self._share[first:last].tolist(), strict=True)
        shares = {ALL[cause]: places(share) for cause, share in rows}
        return self._names[self._rivals[at]], shares

    def counts(self) -> dict[str, int]:
        """How many of them each cause comes through."""
        found = np.bincount(self._cause, minlength=len(ALL)).tolist()
        return {cause: number for cause, number in zip(ALL, found, strict=True) if number}


@dataclass(frozen=True, slots=True)
class Move:
    """One entry, before and after.

    Attributes:
        entry: its key.
        status: moved or same, where both versions rank it; joined and left, where one alone lists
            it; else unranked.
        rank_before, rank_after: None where it has none.
        text_before, text_after: its scores as printed; None where nothing is.
        score_before, score_after: the same as exact numbers; None where there is none.
        same_score: the later score, cut to the decimals of the earlier one or the other way
            round, is the same: it moved no more than rounding hides. None if one lacks a score.
        causes: places by cause, exactly; they add up to the change; positive is worse. None where
            one version does not rank it. Where not `separable`, own, others and formula are None
            and `edition` is their sum.
        separable: see above.
        fitted: who joined or left over a change of edition was compared by a fitted shift.
        rivals: places by cause of each rival that was worth any, largest first.
        would_have_been: of who joined (or left): the rank with its score among those of before
            (after); None where the scores cannot be compared.
        by_ends: it was not ranked in every version between, so the ends alone were compared.
    """

    entry: str
    status: Status
    rank_before: int | None
    rank_after: int | None
    text_before: str | None
    text_after: str | None
    score_before: Fraction | None
    score_after: Fraction | None
    same_score: bool | None
    causes: Mapping[str, Fraction | None] | None
    edition: Fraction | None
    separable: bool
    fitted: bool
    rivals: Rivals
    would_have_been: int | None
    by_ends: bool


@dataclass(frozen=True, slots=True)
class Moves:
    """All entries between two versions.

    Attributes:
        before, after: their numbers.
        steps: the versions that were compared one with the next, both ends among them.
        moves: by rank after, who left last; then key.
        rescaled: power of ten by which all scores were multiplied between the ends, else 0.
        equated: where the editions of the ends differ and no formula bridges them: by how much the
            common entries' scores rose in the median, and what the causes are after that is
            taken off (by entry), all of it fitted. None elsewhere.
    """

    before: int
    after: int
    steps: tuple[int, ...]
    moves: tuple[Move, ...]
    rescaled: int
    equated: tuple[Fraction, Mapping[str, Shares]] | None


@dataclass(frozen=True, slots=True)
class Step:
    """What happened from one version to another, without causes.

    Attributes:
        before, after: their numbers.
        joined, left: who is listed in the later, or the earlier, alone; in code-point order.
        re_scored: whose score changed by more than rounding hides; None where scores of the two
            cannot be compared.
        unranked: listed in both, and ranked in one of them only.
        moved: how many of those with a rank in both have another one.
    """

    before: int
    after: int
    joined: tuple[str, ...]
    left: tuple[str, ...]
    re_scored: tuple[str, ...] | None
    unranked: tuple[str, ...]
    moved: int
