"""Why did tie ranks change from one version to the next?

In: Sides and the tie rule of each version. Out: by entry, what each cause is worth. Start at
tie_causes(). A tie rank depends on the whole board, one joiner can anchor it anew, so each setting
of the switches is a board of its own; nothing can be told by rival. `band` is a switch here: the
rule and the band of the later version.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from history.moves.shapley import shapley
from history.moves.sides import Sides
from history.ties import TieRule, tie_groups

# Rules that need no more than scores.
RULES = ("anchored", "chain", "pairwise", "none")


@dataclass(frozen=True, slots=True)
class Banding:
    """How one version tells who is tied.

    Attributes:
        rule: its rule. band: printed width of the band; None where it has none.
    """

    rule: TieRule
    band: str | None


def tie_causes(
    sides: Sides, banding: tuple[Banding, Banding], targets: NDArray[np.int64]
) -> Iterator[tuple[int, dict[str, Fraction]]]:
    """What each cause is worth to the tie rank of some entries.

    Args:
        sides: the two versions.
        banding: of each.
        targets: places in `sides.entries` of entries that both versions rank.

    Yields:
        Place, and places by cause, exactly; those that changed nothing are left out.
    """
    boards = _Boards(sides, banding)
    for target in targets.tolist():
        values = boards.tie_ranks(target)
        shares, one = shapley(values, len(boards.switches))
        told = zip(boards.switches, shares.tolist(), strict=True)
        yield target, {cause: Fraction(share, one) for cause, share in told if share}


def tie_ranks(sides: Sides, banding: tuple[Banding, Banding]) -> NDArray[np.int64]:
    """Tie ranks before and after, 0 where there is none, shape (2, n)."""
    ranks = np.zeros((2, len(sides.entries)), dtype=np.int64)
    for side, one in enumerate(banding):
        takes_part = np.flatnonzero(sides.scored[side] & sides.eligible[side] & sides.listed[side])
        scores = sides.scores[side, side][takes_part]
        order = np.argsort(-scores, kind="stable")
        found = _grouped(np.zeros(len(order), np.int64), scores[order], sides.dp, one)
        ranks[side, takes_part[order]] = found
    return ranks


class _Boards:
    """All boards between two versions."""

    def __init__(self, sides: Sides, banding: tuple[Banding, Banding]):
        self._sides, self._banding = sides, banding
        self._apart = sides.scale == "apart"
        # With one decimal more, half a tick is whole.
        self._finer = 10 if self._apart else 1
        self._dp = sides.dp + (1 if self._apart else 0)
        self._shift = int((sides.shift or Fraction(0)) * self._finer)
        self.switches = tuple(self._active())

    def _active(self) -> Iterator[str]:
        """The switches that change anything at all."""
        sides = self._sides
        if self._apart:
            yield "edition"
        else:
            yield from ("own", "others")
            if sides.scale == "formulas":
                yield "formula"
        for name, side in (("joined", 1), ("left", 0)):
            if (sides.listed[side] & ~sides.listed[1 - side]).any():
                yield name
        if (sides.in_both & (sides.eligible[0] != sides.eligible[1])).any():
            yield "eligibility"
        if self._banding[0] != self._banding[1]:
            yield "band"

    def tie_ranks(self, target: int) -> NDArray[np.int64]:
        """The tie rank of one entry on every board, shape (2,) * switches."""
        settings = list(product((0, 1), repeat=len(self.switches)))
        ranks = np.zeros(len(settings), dtype=np.int64)
        boards = [
            (dict(zip(self.switches, setting, strict=True)), number)
            for number, setting in enumerate(settings)
        ]
        for later in {on.get("band", 0) for on, _ in boards}:
            alike = [(on, number) for on, number in boards if on.get("band", 0) == later]
            parts = [(number, *self._board(target, on)) for on, number in alike]
            version = np.concatenate([np.full(len(who), number) for number, who, _ in parts])
            entry = np.concatenate([who for _, who, _ in parts])
            scores = np.concatenate([numbers for _, _, numbers in parts])
            order = np.lexsort((-scores, version))
            found = _grouped(version[order], scores[order], self._dp, self._banding[later])
            is_target = entry[order] == target
            ranks[version[order][is_target]] = found[is_target]
        return ranks.reshape((2,) * len(self.switches))

    def _board(self, target: int, on: dict[str, int]) -> tuple[NDArray[np.int64], NDArray]:
        """Who takes part with some switches on, and with which score."""
        sides = self._sides
        n = len(sides.entries)
        everybody = np.arange(n)
        in_one = [sides.listed[0] & ~sides.listed[1], sides.listed[1] & ~sides.listed[0]]
        data = np.full(n, on.get("edition" if self._apart else "others", 0))
        data[target] = on.get("edition" if self._apart else "own", 0)
        data[in_one[0]], data[in_one[1]] = 0, 1
        flags = np.full(n, on.get("eligibility", 0))
        flags[in_one[0]], flags[in_one[1]] = 0, 1
        there = sides.in_both.copy()
        there |= in_one[0] & (not on.get("left", 0))
        there |= in_one[1] & bool(on.get("joined", 0))
        there &= sides.scored[data, everybody] & sides.eligible[flags, everybody]
        if self._apart:
            edition = on["edition"]
            scores = sides.scores[data, data, everybody] * self._finer
            scores = scores + self._shift * (edition - data)
        else:
            scores = sides.scores[data, on.get("formula", 0), everybody]
        takes_part = np.flatnonzero(there)
        return takes_part, scores[takes_part]


def _grouped(
    version: NDArray[np.int64], scores: NDArray, dp: int, banding: Banding
) -> NDArray[np.int64]:
    """Tie ranks of boards, best first in each."""
    bands = {} if banding.band is None else dict.fromkeys(np.unique(version).tolist(), banding.band)
    found = tie_groups(version, scores, np.full(len(scores), dp), banding.rule, bands)
    return found["tie_rank"].to_numpy(dtype=np.int64, na_value=0)
