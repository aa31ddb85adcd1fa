"""Why did ranks change from one version to the next?

In: Sides. Out: Causes: for each entry that both versions rank, and each of its rivals, how many
places each cause is worth. Start at causes_of().

The causes are switches between the two versions: `own` data, the data of the `others`, who
`joined` and who `left`, the `formula`, `eligibility`, and the `band`. A rank is 1 + the rivals that
stand above, so its change is the sum of what each rival does, and each rival is one small table:
is it above, for every setting of the switches that concern it? The shares of the switches are
those of `history.moves.shapley`; positive is worse.

Where a board of old data under the new formula cannot be computed, own, others and formula are one
cause, `edition`. Entries that joined or left have no score in the other edition; they are held
against it with the scores shifted by the median change of the others, and that is marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from history.moves.shapley import UNIT, in_units
from history.moves.sides import Sides

CAUSES = ("own", "others", "joined", "left", "formula", "eligibility", "band")
# Causes of one entry's change, with the one that stands for own, others and formula together.
ALL = (*CAUSES, "edition")
MERGED = ("own", "others", "formula")
_PLACE = {name: number for number, name in enumerate(ALL)}
_NONE = np.zeros(0, dtype=np.int32)
_TOGETHER = 1 << 20  # targets times rivals that are looked at together, to bound memory


@dataclass(frozen=True, slots=True)
class Causes:
    """How many places each cause is worth, to whom, and through whom; shares of 0 are left out.

    Attributes:
        sides: the versions.
        targets: places in `sides.entries` of those that both versions rank, shape (t,).
        cause, target, rival, share: one share each, shape (m,): number in ALL, number in
            `targets`, place in `sides.entries`, 24ths of a place.
        separable: own, others and formula are told apart; else they are `edition`.
        fitted: scores of another edition were shifted to be compared, for who joined or left.
    """

    sides: Sides
    targets: NDArray[np.int64]
    cause: NDArray[np.integer]
    target: NDArray[np.integer]
    rival: NDArray[np.integer]
    share: NDArray[np.integer]
    separable: bool
    fitted: bool

    def total(self) -> NDArray[np.int64]:
        """Shares in 24ths by cause and target, shape (len(ALL), t)."""
        total = np.zeros((len(ALL), len(self.targets)), dtype=np.int64)
        np.add.at(total, (self.cause, self.target), self.share)
        return total


def causes_of(sides: Sides, only: NDArray[np.int64] | None = None) -> Causes:
    """What each cause is worth to each entry that both versions rank.

    Args:
        sides: the two versions.
        only: places in `sides.entries`, to compute these alone.
    """
    targets = np.flatnonzero(sides.ranked_in_both)
    if only is not None:
        targets = targets[np.isin(targets, only)]
    apart = sides.scale == "apart"
    found: list[tuple[NDArray[np.integer], ...]] = [(_NONE,) * 4]
    for part in _parts_apart(sides, targets) if apart else _parts(sides, targets):
        worth = in_units(part.above, len(part.switches))
        places_in = np.flatnonzero(worth)
        switch, row, rival = np.unravel_index(places_in, worth.shape)
        numbers = np.array([_PLACE[name] for name in part.switches])
        share = worth.ravel()[places_in]
        columns = (numbers[switch], part.rows[row], part.rivals[rival], share)
        found.append(tuple(column.astype(np.int32) for column in columns))
    cause, target, rival, share = (np.concatenate(column) for column in zip(*found, strict=True))
    fitted = apart and bool((sides.listed[0] != sides.listed[1]).any())
    return Causes(sides, targets, cause, target, rival, share, not apart, fitted)


class _Part(NamedTuple):
    """Rivals that are alike.

    Attributes:
        rows: of the targets that they may concern.
        rivals: their places.
        switches: that concern them.
        above: whether they stand above, shape (2,) * switches + (rows, rivals).
    """

    rows: NDArray[np.int64]
    rivals: NDArray[np.int64]
    switches: tuple[str, ...]
    above: NDArray[np.bool_]


def _parts(sides: Sides, targets: NDArray[np.int64]) -> Iterator[_Part]:
    """The tables of all rivals where scores of both versions can be compared."""
    formulas = ("formula",) if sides.scale == "formulas" else ()
    same_data = (sides.scores[0] == sides.scores[1]).all(axis=0).astype(bool)
    moved = ~(same_data & (sides.scored[0] == sides.scored[1]))
    turned = sides.eligible[0] != sides.eligible[1]
    everybody = np.arange(len(targets))
    for data in (False, True):
        for eligibility in (False, True):
            rivals = np.flatnonzero(sides.in_both & (moved == data) & (turned == eligibility))
            quiet = not (data or eligibility or formulas)
            # Rivals of whom nothing changed concern only those who changed themselves.
            rows = everybody[moved[targets]] if quiet else everybody
            if not len(rivals) or not len(rows):
                continue
            names = ("own", *formulas)
            names += ("others",) * data + ("eligibility",) * eligibility
            above = np.zeros((2,) * len(names) + (len(rows), len(rivals)), dtype=bool)
            for setting in product((0, 1), repeat=len(names)):
                on = dict(zip(names, setting, strict=True))
                theirs, formula = on.get("others", 0), on.get("formula", 0)
                stands = _above(
                    sides.scores, targets[rows], rivals, (on["own"], formula), (theirs, formula)
                )
                counts = (
                    sides.scored[theirs, rivals] & sides.eligible[on.get("eligibility", 0), rivals]
                )
                above[setting] = stands & counts
            yield _Part(rows, rivals, names, above)
    for name, side, rivals in _in_one(sides):
        names = ("own", *formulas, name)
        above = np.zeros((2,) * len(names) + (len(targets), len(rivals)), dtype=bool)
        for own, *formula in product((0, 1), repeat=len(names) - 1):
            which = formula[0] if formula else 0
            above[(own, *formula, side)] = _above(
                sides.scores, targets, rivals, (own, which), (side, which)
            )
        yield _Part(everybody, rivals, names, above)


def _parts_apart(sides: Sides, targets: NDArray[np.int64]) -> Iterator[_Part]:
    """The same where old scores cannot be held against new ones, but for a shift."""
    everybody = np.arange(len(targets))
    rivals = np.flatnonzero(sides.in_both)
    for some in _blocks(everybody, len(rivals)):
        above = np.zeros((2, 2, len(some), len(rivals)), dtype=bool)
        for edition, eligible in product((0, 1), repeat=2):
            at = edition, edition
            stands = _above(sides.scores, targets[some], rivals, at, at)
            flags = sides.eligible[eligible, rivals]
            above[edition, eligible] = stands & sides.scored[edition, rivals] & flags
        yield _Part(some, rivals, ("edition", "eligibility"), above)
    shift = sides.shift or Fraction(0)  # None where nobody is in both, and so nobody is a target
    for name, side, rivals in _in_one(sides):
        for some in _blocks(everybody, len(rivals)):
            above = np.zeros((2, 2, len(some), len(rivals)), dtype=bool)
            for edition in (0, 1):
                moves = shift * (edition - side)  # to what the score would be in that edition
                lead = sides.scores[side, side][rivals][None, :]
                lead = lead - sides.scores[edition, edition][targets[some]][:, None]
                above[edition, side] = lead * moves.denominator + moves.numerator > 0
            yield _Part(some, rivals, ("edition", name), above)


def _blocks(rows: NDArray[np.int64], rivals: int) -> Iterator[NDArray[np.int64]]:
    """Some targets at a time."""
    size = max(_TOGETHER // max(rivals, 1), 1)
    for start in range(0, len(rows) if rivals else 0, size):
        yield rows[start : start + size]


def _in_one(sides: Sides) -> Iterator[tuple[str, int, NDArray[np.int64]]]:
    """Who joined and who left, of those that take a place, and the side that lists them."""
    for name, side in (("joined", 1), ("left", 0)):
        only = sides.listed[side] & ~sides.listed[1 - side]
        rivals = np.flatnonzero(only & sides.scored[side] & sides.eligible[side])
        if len(rivals):
            yield name, side, rivals


def _above(
    scores: NDArray,
    targets: NDArray[np.int64],
    rivals: NDArray[np.int64],
    target_at: tuple[int, int],
    rival_at: tuple[int, int],
) -> NDArray[np.bool_]:
    """Which rivals have the better score, shape (targets, rivals); nobody is their own rival."""
    theirs, own = scores[rival_at][rivals], scores[target_at][targets]
    above: NDArray[np.bool_] = (theirs[None, :] > own[:, None]).astype(bool, copy=False)
    above &= rivals[None, :] != targets[:, None]
    return above


@lru_cache(maxsize=4096)
def places(share: int) -> Fraction:
    """A share in places.

    >>> places(-40)
    Fraction(-5, 3)
    """
    return Fraction(share, UNIT)
