"""Which ranks do the unprinted digits leave possible?

In: the ranks of one board and split. Out: the best and worst rank of an entry, in one version or
in all. Start at Reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.claims.in_order import InOrder, in_order
from history.claims.row import NONE, Row
from history.frames import SCORE, dp_of
from history.numbers import half_unit

if TYPE_CHECKING:
    from history.claims.language.printed import Measured
    from history.claims.row import Table
    from history.meaning.definition import Columns
    from history.splits import View


class Ranked(Protocol):
    """Ranks of one board and split, as RankRows has them."""

    @property
    def table(self) -> Table:
        """All rows."""

    @property
    def bounds(self) -> list[int]:
        """Where the rows of each version begin, and where the last one ends."""

    @property
    def lower(self) -> NDArray[np.bool_]:
        """By version, whether a lower number is better."""

    @property
    def printed(self) -> NDArray[np.bool_]:
        """By version, whether scores stand in the file."""

    @property
    def own_decimals(self) -> dict[int, Columns]:
        """[table] at the versions whose numbers have decimals of their own."""

    def view(self, version: int) -> View:
        """What the numbers of a version are made of."""

    def places(self, entry: str) -> NDArray[np.intp]:
        """By version, where an entry's row is; -1 where it is not listed."""

    def heads_of(self, versions: Sequence[int]) -> pd.DataFrame:
        """The first row of RANKS of each of some versions."""

    def measured(self, version: int, row: Row) -> Measured:
        """An entry's number with what its unprinted digits leave open."""

    def all_measured(self, version: int) -> Iterator[tuple[str, Measured]]:
        """The same of every ranked entry."""


class Reach:
    """The ranks that are possible, by entry and version.

    Args:
        rows: whose ranks.
    """

    def __init__(self, rows: Ranked):
        self._rows = rows
        self._apart: dict[int, Fraction | None] = {}
        self._ranges: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def of(self, version: int, row: Row) -> tuple[int, int] | None:
        """Best and worst rank that the unprinted digits leave possible.

        None where only measured() can tell: the split is a Borda count, or a formula that
        is not linear or whose parts have decimals of their own.
        """
        table, at = self._rows.table, int(self._rows.places(row.entry)[version])
        reach = self._reach_at(version)
        if reach is None or at < 0 or table.rank[at] == NONE:
            return None
        better, perhaps = self._counted(version, at, reach)
        return 1 + better, perhaps  # it is one of `perhaps` itself

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
        """The same where each number has a unit of its own."""
        found = np.zeros((2, len(versions)), np.int64)
        for n, (version, at) in enumerate(zip(versions.tolist(), own.tolist(), strict=True)):
            found[:, n] = self._counted(version, at, self._reaches[version] or Fraction(0))
        return found[0], found[1]

    def _counted(self, version: int, at: int, reach: Fraction) -> tuple[int, int]:
        """How many of a version are surely and perhaps better than one of its rows."""
        table, view = self._rows.table, self._rows.view(version)
        rows = slice(self._rows.bounds[version], self._rows.bounds[version + 1])
        ranked = table.rank[rows] != NONE
        gaps = (table.ticks[rows] - table.ticks[at])[ranked]
        lead = -gaps if view.direction == "lower" else gaps
        both = (table.units[rows] + table.units[at])[ranked]
        least = both // 2 if view.printed else floor(reach)
        most = (both + 1) // 2 if view.printed else ceil(reach)
        return int((lead > least).sum()), int((lead > -most).sum())

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
        made = [v for v in range(n) if self._rows.view(v).formula is not None]
        heads = self._rows.heads_of(made)
        found = [None if self._rows.view(v).points else Fraction(1) for v in range(n)]
        for at, version in enumerate(heads["version"].tolist()):
            found[version] = self._of_formula(version, heads.iloc[at])
        return found

    def _reach_at(self, version: int) -> Fraction | None:
        """The same of one version."""
        if version not in self._apart:
            self._apart[version] = self._reach_of(version)
        return self._apart[version]

    def _reach_of(self, version: int) -> Fraction | None:
        view = self._rows.view(version)
        if view.points:
            return None
        heads = None if view.formula is None else self._rows.heads_of([version])
        if heads is None or heads.empty:
            return Fraction(1)
        return self._of_formula(version, heads.iloc[0])

    def _of_formula(self, version: int, head: pd.Series) -> Fraction | None:
        """The reach of computed scores, from the decimals of their parts."""
        made = self._rows.view(version).formula
        linear = None if made is None else made.coefficients()
        if linear is None or version in self._rows.own_decimals:
            return None
        dp, *parts = (int(head[dp_of(name)]) for name in (SCORE, *linear[1]))
        wide = sum(
            abs(by) * half_unit(places)
            for by, places in zip(linear[1].values(), parts, strict=True)
        )
        return Fraction(2 * wide) * Fraction(10) ** dp
