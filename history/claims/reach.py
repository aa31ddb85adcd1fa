"""Which ranks do the unprinted digits leave possible?

In: the RankRows of one board and split. Out: the best and worst rank of an entry, in one version or
in all. Start at Reach.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from history.claims.in_order import InOrder, in_order
from history.claims.row import NONE, Row
from history.frames import SCORE, dp_of
from history.numbers import half_unit

if TYPE_CHECKING:
    from history.claims.rank_rows import RankRows


class Reach:
    """The ranks that are possible, by entry and version.

    Args:
        rows: whose ranks.
    """

    def __init__(self, rows: RankRows):
        self._rows = rows
        self._ranges: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def of(self, version: int, row: Row) -> tuple[int, int] | None:
        """Best and worst rank that the unprinted digits leave possible.

        None where only measured() can tell: the split is a Borda count, or a formula that
        is not linear or whose parts have decimals of their own.
        """
        low, high = self.by_version(row.entry)
        return (int(low[version]), int(high[version])) if low[version] else None

    def by_version(self, entry: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Best and worst rank of an entry by version; 0 where it has none, or of() has none."""
        if entry not in self._ranges:
            self._ranges[entry] = self._reaching(entry)
        return self._ranges[entry]

    def _reaching(self, entry: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        table, n = self._rows.table, len(self._rows.bounds) - 1
        places = self._rows.places(entry)
        listed = np.flatnonzero(places >= 0)
        listed = listed[(table.rank[places[listed]] != NONE) & self._has_reach[listed]]
        own, low, high = places[listed], np.zeros(n, np.int64), np.zeros(n, np.int64)
        if self._in_order is not None:
            # Two numbers that are exactly `reach` apart can at most be equal before rounding.
            better, perhaps = (
                self._in_order.before(own, by) for by in (-self._least[listed], self._most[listed])
            )
        else:
            better, perhaps = self._counted_one_by_one(listed, own)
        low[listed], high[listed] = better + 1, perhaps  # it is one of `perhaps` itself
        return low, high

    def _counted_one_by_one(
        self, versions: NDArray[np.intp], own: NDArray[np.intp]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many are surely and perhaps better, where each number has a unit of its own."""
        table, found = self._rows.table, np.zeros((2, len(versions)), np.int64)
        for n, (version, at) in enumerate(zip(versions.tolist(), own.tolist(), strict=True)):
            rows = slice(self._rows.bounds[version], self._rows.bounds[version + 1])
            ranked = table.rank[rows] != NONE
            gaps = (table.ticks[rows] - table.ticks[at])[ranked]
            lead = -gaps if self._rows.lower[version] else gaps
            both = (self._rows.table.units[rows] + self._rows.table.units[at])[ranked]
            printed = self._rows.printed[version]
            least = both // 2 if printed else self._least[version]
            most = (both + 1) // 2 if printed else self._most[version]
            found[:, n] = (lead > least).sum(), (lead > -most).sum()
        return found[0], found[1]

    @cached_property
    def _has_reach(self) -> NDArray[np.bool_]:
        return np.array([reach is not None for reach in self._reaches], dtype=bool)

    @cached_property
    def _least(self) -> NDArray:
        return self._whole_reaches(floor)

    @cached_property
    def _most(self) -> NDArray:
        return self._whole_reaches(ceil)

    def _whole_reaches(self, rounded: Callable[[Fraction], int]) -> NDArray:
        """By version, the reach in whole ticks; of what is printed it is one."""
        known = (Fraction(0) if reach is None else reach for reach in self._reaches)
        whole = np.array([rounded(reach) for reach in known], dtype=self._rows.table.ticks.dtype)
        return np.where(self._rows.printed, 1, whole)

    @cached_property
    def _in_order(self) -> InOrder | None:
        """For counting fast; None where ticks are too large, or have units of their own."""
        if (self._rows.table.units != 1).any() or self._rows.table.ticks.dtype == object:
            return None
        return in_order(self._rows.table, self._rows.lower)

    def measured(self, version: int, row: Row) -> tuple[int, int]:
        """The same from the interval of every entry: slow, for one version at a time."""
        best = worst = 1
        own, lower = (
            self._rows.measured(version, row),
            self._rows.view(version).direction == "lower",
        )
        for entry, number in self._rows.all_measured(version):
            if entry == row.entry:
                continue
            lead = number - own
            low, high = (-lead.high, -lead.low) if lower else (lead.low, lead.high)
            best, worst = best + (low > 0), worst + (high > 0)
        return best, worst

    @cached_property
    def _reaches(self) -> list[Fraction | None]:
        """By version, how far apart in ticks two scores must be to differ for certain."""
        n = len(self._rows.bounds) - 1
        found: list[Fraction | None] = [
            None if self._rows.view(v).points else Fraction(1) for v in range(n)
        ]
        made = {v: by for v in range(n) if (by := self._rows.view(v).formula) is not None}
        heads = self._rows.heads_of(list(made))
        for at, version in enumerate(heads["version"].tolist()):
            linear = made[version].coefficients()
            found[version] = None
            if linear is not None and version not in self._rows.own_decimals:
                factors = linear[1]
                dp, *parts = (heads[dp_of(name)].iloc[at] for name in (SCORE, *factors))
                wide = sum(
                    (
                        abs(by) * half_unit(int(places))
                        for by, places in zip(factors.values(), parts, strict=True)
                    ),
                    Fraction(0),
                )
                found[version] = 2 * wide * Fraction(10) ** int(dp)
        return found
