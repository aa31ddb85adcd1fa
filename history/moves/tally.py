"""How do the causes of several steps add up?

In: the causes of single steps. Out: for each entry, what each cause was worth in all, and through
which rivals. Start at Tally. A board that is scored anew has a share for nearly every pair of
entries, so they are added up as arrays; objects are made of what is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from history.moves.causes import ALL, CAUSES, MERGED, Causes, places
from history.moves.move import Rivals, Shares

_EDITION = ALL.index("edition")
_MERGED = np.array([ALL.index(cause) for cause in MERGED])


class Told(NamedTuple):
    """What is told of one entry; see `history.moves.move.Move`."""

    causes: Mapping[str, Fraction | None] | None
    edition: Fraction | None
    separable: bool
    fitted: bool
    rivals: Rivals


class Tally:
    """Causes of several steps, added up.

    Args:
        names: of the entries, by number; in code-point order.
    """

    def __init__(self, names: Sequence[str]):
        self._names = names
        self._steps: list[tuple[NDArray[np.int32], ...]] = []
        self._whole: dict[int, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        self._merged: set[int] = set()
        self._fitted: set[int] = set()

    def add(self, found: Causes, entries: set[int]) -> None:
        """Add one step, for some entries."""
        numbers = found.sides.entries
        targets = set(numbers[found.targets].tolist()) & entries
        self.mark(targets, separable=found.separable, fitted=found.fitted)
        entry = numbers[found.targets[found.target]]
        kept = np.isin(entry, list(targets))
        rows = (entry, numbers[found.rival], found.cause, found.share)
        self._steps.append(tuple(column[kept].astype(np.int32) for column in rows))

    def add_whole(self, entry: int, shares: Shares) -> None:
        """Add one step of one entry that cannot be told by rival."""
        for cause, share in shares.items():
            self._whole[entry][cause] += share

    def mark(self, entries: set[int], *, separable: bool, fitted: bool) -> None:
        """Note what holds of a step of some entries, and so of the sum."""
        self._merged |= set() if separable else entries
        self._fitted |= entries if fitted else set()

    def told(self, entries: Sequence[int]) -> Iterator[Told]:
        """What was worth how many places to each of some entries, in turn; asked once."""
        entry, *columns = self._by_entry()
        low = np.searchsorted(entry, entries)
        high = np.searchsorted(entry, entries, side="right")
        for number, first, last in zip(entries, low.tolist(), high.tolist(), strict=True):
            merged = number in self._merged
            rival, cause, share = _added_up(*(one[first:last] for one in columns), merged=merged)
            sums = np.bincount(cause, share, minlength=len(ALL))
            whole = self._whole.get(number, {})
            total = {
                name: places(int(worth)) + whole.get(name, Fraction(0))
                for name, worth in zip(ALL, sums.tolist(), strict=True)
            }
            yield self._of(number, total, Rivals(self._names, rival, cause, share))

    def _of(self, entry: int, total: Mapping[str, Fraction], rivals: Rivals) -> Told:
        separable = entry not in self._merged
        told: dict[str, Fraction | None] = {cause: total[cause] for cause in CAUSES}
        edition = None
        if not separable:
            edition = sum((total[cause] for cause in (*MERGED, "edition")), Fraction(0))
            told |= dict.fromkeys(MERGED)
        return Told(told, edition, separable, entry in self._fitted, rivals)

    def _by_entry(self) -> list[NDArray[np.int32]]:
        """Shares of all steps, those of an entry side by side: entry, rival, cause, share."""
        none = (np.zeros(0, dtype=np.int32),) * 4
        columns = [np.concatenate(column) for column in zip(none, *self._steps, strict=True)]
        self._steps.clear()
        order = np.argsort(columns[0], kind="stable")
        return [column[order] for column in columns]


def _added_up(
    rival: NDArray[np.int32], cause: NDArray[np.int32], share: NDArray[np.int32], *, merged: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Shares of one entry by rival (largest first, then key) and cause; none of them 0."""
    if merged:
        # What cannot be told apart of the sum is not told apart of its parts either.
        cause = np.where(np.isin(cause, _MERGED), _EDITION, cause)
    pair, place = np.unique(rival.astype(np.int64) * len(ALL) + cause, return_inverse=True)
    sums = np.bincount(place, share, minlength=len(pair)).astype(np.int64)
    pair, sums = pair[sums != 0], sums[sums != 0]
    of, cause_of = np.divmod(pair, len(ALL))
    _, group = np.unique(of, return_inverse=True)
    size = np.bincount(group, np.abs(sums))
    order = np.lexsort((cause_of, of, -size[group] if len(of) else of))
    return of[order], cause_of[order], sums[order]
