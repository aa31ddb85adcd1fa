"""How do two versions of a board look side by side?

In: RANKS. Out: Listings, one per version, and Sides: who is listed in both of two, and the score of
each entry under old or new data and old or new formula. Start at Listings and sides_of().

Scores of both versions are whole numbers of one size of tick, larger is better, so that they can
be compared. Where two editions have different scales and no formula says how one follows from the
other, they cannot: `Sides.scale` says what is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, ticks_of

if TYPE_CHECKING:
    import pandas as pd

    from history.ranks import Direction

_SAFE = 2**61
_INELIGIBLE = "ineligible"  # takes no place, though it may have a score

# By (data, formula), (0, 1) and (1, 0): the exact score of each entry, by its number.
Mixed = Mapping[tuple[int, int], Mapping[int, Fraction]]
Scale = Literal["same", "formulas", "apart"]


@dataclass(frozen=True, slots=True)
class Listing:
    """One version; all arrays run over its rows, by number of the entry.

    Attributes:
        entries: numbers of the entries, rising; the same number in all versions of a board.
        scores: ticks, larger is better; 0 where there is none.
        dp: decimals of one tick.
        scored: has a usable number. eligible: may have a rank. ranks: 0 where there is none.
        sign: -1 where a lower number is better.
    """

    entries: NDArray[np.int64]
    scores: NDArray
    dp: int
    scored: NDArray[np.bool_]
    eligible: NDArray[np.bool_]
    ranks: NDArray[np.int64]
    sign: int


@dataclass(frozen=True, slots=True)
class Sides:
    """Two versions, entry by entry.

    All arrays run over `entries`; the first axis of two is before (0), after (1).

    Attributes:
        entries: numbers of the entries that either lists, rising.
        listed, scored, eligible: bool, shape (2, n).
        scores: whole numbers, larger is better, shape (2, 2, n): by data, then by formula; 0
            where there is none. Without a change of formula both formulas give the same.
        ranks: 0 where there is none, shape (2, n).
        dp: decimals of one tick.
        scale: "same" where both versions have one scale and formula; "formulas" where each
            formula was applied to the data of the other version; "apart" where it could not be.
        shift: where scales are apart: by how many ticks the entries in both rose in the median;
            None if there are none.
        rescaled: by which power of ten all numbers were multiplied, and nothing else; else 0.
    """

    entries: NDArray[np.int64]
    listed: NDArray[np.bool_]
    scored: NDArray[np.bool_]
    eligible: NDArray[np.bool_]
    scores: NDArray
    ranks: NDArray[np.int64]
    dp: int
    scale: Scale
    shift: Fraction | None
    rescaled: int

    @property
    def ranked_in_both(self) -> NDArray[np.bool_]:
        """Who has a rank before and after."""
        return np.asarray((self.ranks > 0).all(axis=0))

    @property
    def in_both(self) -> NDArray[np.bool_]:
        """Who is listed before and after."""
        return np.asarray(self.listed.all(axis=0))


class Listings:
    """The versions of a history, each as arrays once somebody asks for it.

    Entries are numbered in code-point order: entry number k is names_of(ranks)[k].

    Args:
        ranks: RANKS of any number of versions, by version.
        directions: which end of the score is best, by version.
    """

    def __init__(self, ranks: pd.DataFrame, directions: Mapping[int, Direction]):
        self._directions = directions
        self._versions = ranks["version"].to_numpy()
        keys = ranks["entry"].astype("category").cat
        names = keys.categories.tolist()
        self._numbers = np.empty(len(names), dtype=np.int64)
        self._numbers[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        self._keys = keys.codes.to_numpy()
        why = ranks["unranked"].astype("category").cat
        self._reasons = why.codes.to_numpy()
        self._ineligible = {name: n for n, name in enumerate(why.categories)}.get(_INELIGIBLE, -2)
        ticks = ranks[ticks_of(SCORE)]
        self._missing = ticks.isna().to_numpy()
        if ticks.dtype == object:
            self._scores = np.where(self._missing, 0, ticks.to_numpy())
        else:
            self._scores = ticks.to_numpy(dtype=np.int64, na_value=0)
        self._dps = ranks[dp_of(SCORE)].to_numpy()
        self._ranks = ranks["rank"].to_numpy(dtype=np.int64, na_value=0)
        self._made: dict[int, Listing] = {}

    def of(self, version: int) -> Listing:
        """One version; without rows where it was empty or absent."""
        if version not in self._made:
            self._made[version] = self._make(version)
        return self._made[version]

    def _make(self, version: int) -> Listing:
        ends = np.array([version, version + 1], dtype=self._versions.dtype)
        rows = np.arange(*np.searchsorted(self._versions, ends))
        entries = self._numbers[self._keys[rows]]
        order = np.argsort(entries)
        rows = rows[order]
        reasons, missing = self._reasons[rows], self._missing[rows]
        ineligible = reasons == self._ineligible
        sign = -1 if self._directions[version] == "lower" else 1
        return Listing(
            entries=entries[order],
            scores=sign * self._scores[rows],
            dp=int(self._dps[rows].max()) if len(rows) else 0,
            scored=~missing & ((reasons < 0) | ineligible),
            eligible=~ineligible,
            ranks=self._ranks[rows],
            sign=sign,
        )


def names_of(ranks: pd.DataFrame) -> list[str]:
    """The entries of RANKS in code-point order, as Listings numbers them."""
    return sorted(ranks["entry"].astype("category").cat.categories.tolist())


def sides_of(
    before: Listing, after: Listing, *, other_edition: bool = False, mixed: Mixed | None = None
) -> Sides:
    """Put two versions side by side.

    Args:
        before, after: the versions.
        other_edition: whether the scores may be made in another way.
        mixed: where they are: what each formula makes of the data of the other version, for
            every entry with a score there. None: nobody knows.
    """
    entries = before.entries
    if not np.array_equal(entries, after.entries):
        entries = np.union1d(before.entries, after.entries)
    pair, n = (before, after), len(entries)
    dp = max(one.dp for one in pair)
    listed, scored = np.zeros((2, n), dtype=bool), np.zeros((2, n), dtype=bool)
    eligible, ranks = np.ones((2, n), dtype=bool), np.zeros((2, n), dtype=np.int64)
    own: list[NDArray] = []
    for side, one in enumerate(pair):
        at = np.searchsorted(entries, one.entries)
        listed[side, at], scored[side, at] = True, one.scored
        eligible[side, at], ranks[side, at] = one.eligible, one.ranks
        finer = _times(one.scores, 10 ** (dp - one.dp))
        spread = np.zeros(n, dtype=finer.dtype)
        spread[at] = finer
        own.append(spread)
    both = np.asarray(listed.all(axis=0) & scored.all(axis=0))
    rescaled = 0 if other_edition else _power_of_ten(own[0][both], own[1][both])
    if rescaled:
        side = 0 if rescaled > 0 else 1
        own[side] = _times(own[side], 10 ** abs(rescaled))
    scores = np.stack([np.stack([own[0], own[0]]), np.stack([own[1], own[1]])])
    scale: Scale = "same"
    shift = None
    if other_edition and mixed is None and not _all_equal(own, both):
        scale, shift = "apart", _median(own[1][both].astype(object) - own[0][both].astype(object))
    elif other_edition and mixed is not None:
        scale = "formulas"
        scores = _with_mixed(scores, entries, mixed, dp, [one.sign for one in pair])
    return Sides(entries, listed, scored, eligible, scores, ranks, dp, scale, shift, rescaled)


def _times(scores: NDArray, factor: int) -> NDArray:
    """Scores in finer ticks; as Python's integers where 64 bits are too few."""
    if factor == 1:
        return scores
    if scores.dtype != object and len(scores):
        largest = max(int(scores.max()), -int(scores.min()))
        if largest * factor >= _SAFE:
            scores = scores.astype(object)
    return scores * factor


def _power_of_ten(old: NDArray, new: NDArray) -> int:
    """By which power of ten all numbers were multiplied; 0 if they were not, or for one alone.

    >>> _power_of_ten(np.array([57, 56]), np.array([5700, 5600]))
    2
    """
    if len(old) < 2 or (old == new).all():
        return 0
    first = next((k for k, number in enumerate(old.tolist()) if number), None)
    if first is None or not new[first]:
        return 0
    ratio = Fraction(int(new[first]), int(old[first]))
    power = len(str(max(abs(ratio.numerator), abs(ratio.denominator)))) - 1
    power = power if abs(ratio) > 1 else -power
    if ratio != Fraction(10) ** power:
        return 0
    one, other = (old, new) if power > 0 else (new, old)
    return power if (_times(one, 10 ** abs(power)) == other).all() else 0


def _all_equal(own: Sequence[NDArray], both: NDArray[np.bool_]) -> bool:
    """Whether nobody's number changed, so that both editions have one scale."""
    return bool(both.any()) and bool((own[0][both] == own[1][both]).all())


def _median(rises: NDArray) -> Fraction | None:
    ordered = sorted(int(rise) for rise in rises.tolist())
    if not ordered:
        return None
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return Fraction(ordered[middle])
    return Fraction(ordered[middle - 1] + ordered[middle], 2)


def _with_mixed(
    scores: NDArray, entries: NDArray[np.int64], mixed: Mixed, dp: int, signs: Sequence[int]
) -> NDArray:
    """Scores with the results of each formula on the data of the other version.

    A result is rounded (half to even) to the board's decimals, as the scores beside it are.
    """
    found = scores.astype(object)
    for (data, formula), results in mixed.items():
        for place, entry in enumerate(entries.tolist()):
            if entry in results:
                found[data, formula, place] = signs[formula] * round(results[entry] * 10**dp)
    fits = all(abs(number) < _SAFE for number in found.ravel().tolist())
    return found.astype(np.int64) if fits else found
