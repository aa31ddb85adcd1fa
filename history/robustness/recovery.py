"""Can any weights give the printed totals?

In: parts and totals, as printed. Out: a Recovery: whether there are weights, at least 0 and 1 in
sum, that give every total within rounding, and how well the numbers pin each weight down. Start
at recover(). Methods section 4.

A printed number stands for all within half its last decimal. With x the parts, u their half
units and t, h those of the total, weights w are possible where for every entry

    w . (x - u) <= t + h    and    w . (x + u) >= t - h

which is linear in w, so linear programmes decide it. With `line`, the total may be any common
line of the weighted mean: t = a + s (w . x), s >= 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from history.numbers import Interval

if TYPE_CHECKING:
    from history.robustness.composite import Composite

_LEEWAY = 1e-6  # of the largest number: what the solver may be wrong by
_INFEASIBLE, _UNBOUNDED = 2, 3


class Bounds(NamedTuple):
    """All values that the printed numbers leave possible; floats to about 1e-6."""

    low: float
    high: float


class Forbids(NamedTuple):
    """An entry that no weights can explain.

    Attributes:
        entry: its key.
        why: in words, with the numbers.
    """

    entry: str
    why: str


@dataclass(frozen=True)
class Recovery:
    """What printed parts and totals say about the weights.

    Attributes:
        possible: whether some weights give every total.
        weights: per part, the smallest and the largest possible weight; empty where none is. With
            a line: of the parts' factors s * w.
        slope, intercept: of the common line; None without one.
        forbidden: entries that stand in the way; empty where weights are possible.
        n: entries compared.
        line: whether a common line was allowed.
    """

    possible: bool
    weights: tuple[Bounds, ...]
    slope: Bounds | None
    intercept: Bounds | None
    forbidden: tuple[Forbids, ...]
    n: int
    line: bool


class Row(NamedTuple):
    """One entry: the parts and the total, each with what the unprinted digits leave open."""

    entry: str
    parts: tuple[Interval, ...]
    total: Interval


def rows_of(composite: Composite) -> list[Row]:
    """The entries of a composite that print a score, turned so that higher is better."""
    unit = Fraction(1, 10**composite.dp)
    return [
        Row(
            entry,
            tuple(
                Interval.around(int(tick) * unit, int(step) * unit / 2)
                for tick, step in zip(ticks, steps, strict=True)
            ),
            total,
        )
        for entry, ticks, steps, total in zip(
            composite.entries, composite.ticks, composite.units, composite.totals, strict=True
        )
        if total is not None
    ]


def recover(rows: Sequence[Row], line: bool = False) -> Recovery:
    """Look for weights.

    Args:
        rows: at least one, all with the same parts.
        line: whether the total may be any common line of the weighted mean.

    >>> half = [Interval.printed(text) for text in ("80.20", "60.20", "70.20")]
    >>> found = recover([Row("fern", (half[0], half[1]), half[2])])
    >>> found.possible, [round(one, 3) for one in found.weights[0]]
    (True, [0.499, 0.5])
    """
    if not rows:
        raise ValueError("no entry has all parts and a total")
    k = len(rows[0].parts)
    outside = [] if line else [found for row in rows if (found := _outside(row))]
    if outside:
        return Recovery(False, (), None, None, tuple(outside), len(rows), line)
    asked = _Programme(rows, line)
    width = k + line
    if asked.least(np.zeros(width)) is None:
        return Recovery(False, (), None, None, asked.in_the_way(), len(rows), line)
    bounds = [asked.extremes(aim) for aim in np.eye(width)]
    slope = asked.extremes(np.array([1.0] * k + [0.0])) if line else None
    return Recovery(
        True, tuple(bounds[:k]), slope, bounds[k] if line else None, (), len(rows), line
    )


def line_through(rows: Sequence[Row], weights: Sequence[Fraction]) -> Bounds | None:
    """Slopes of all common lines from the mean under known weights to the printed totals.

    Returns:
        None: no line with a slope of at least 0 fits all; high is inf where no two rows differ.
    """
    one = [
        Row(row.entry, (_weighted(row.parts, weights),), row.total) for row in rows
    ]  # a single part, whose factor is the slope
    found = recover(one, line=True)
    return found.slope


def _weighted(parts: Sequence[Interval], weights: Sequence[Fraction]) -> Interval:
    zero = Interval(Fraction(0), Fraction(0))
    return sum((part * weight for part, weight in zip(parts, weights, strict=True)), start=zero)


def _outside(row: Row) -> Forbids | None:
    """A total that is above the largest or below the smallest part: no mean can be there."""
    most, least = max(part.high for part in row.parts), min(part.low for part in row.parts)
    total = float(row.total.middle)
    if row.total.low > most:
        largest = float(max(part.middle for part in row.parts))
        return Forbids(row.entry, f"its total {total:g} is above its largest part {largest:g}")
    if row.total.high < least:
        smallest = float(min(part.middle for part in row.parts))
        return Forbids(row.entry, f"its total {total:g} is below its smallest part {smallest:g}")
    return None


class _Programme:
    """The linear programmes about some rows: columns are the weights, then a line's intercept."""

    def __init__(self, rows: Sequence[Row], line: bool):
        low = np.array([[float(part.low) for part in row.parts] for row in rows])
        high = np.array([[float(part.high) for part in row.parts] for row in rows])
        top = np.array([float(row.total.high) for row in rows])
        bottom = np.array([float(row.total.low) for row in rows])
        if line:
            ones = np.ones((len(rows), 1))
            low, high = np.hstack([low, ones]), np.hstack([high, ones])
        self._rows, self._line = rows, line
        # The solver's tolerance is absolute, so that the largest number is made 1.
        self._size = max(np.abs(low).max(), np.abs(high).max(), np.abs(top).max(), 1e-300)
        self._table = np.vstack([low, -high]) / self._size
        self._bound = np.concatenate([top, -bottom]) / self._size

    def least(self, aim: NDArray[np.float64], slack: bool = False) -> Any:
        """The solution with the least aim . w, -inf if there is no least, None if there is none.

        With `slack` every row may miss by a column of its own, at the price of `aim`.
        """
        from scipy.optimize import linprog

        n, width = len(self._rows), len(self._table[0])
        table = self._table
        if slack:
            table = np.hstack([table, np.vstack([-np.eye(n), -np.eye(n)])])
        k = width - self._line
        free = [(0, None)] * k + [(None, None)] * self._line + [(0, None)] * (n * slack)
        sums = None if self._line else np.array([[1.0] * k + [0.0] * (n * slack)])
        found = linprog(
            aim,
            A_ub=table,
            b_ub=self._bound,
            A_eq=sums,
            b_eq=None if self._line else [1.0],
            bounds=free,
            method="highs",
        )
        if found.status == _UNBOUNDED:
            return -np.inf
        return found.x if found.status == 0 else None

    def extremes(self, aim: NDArray[np.float64]) -> Bounds:
        """The least and the largest value of aim . w; infinite where nothing bounds it."""
        ends = []
        for sign in (1, -1):
            found = self.least(sign * aim)
            if found is None:  # a hair outside what was possible a moment ago
                return Bounds(float("nan"), float("nan"))
            ends.append(-sign * np.inf if np.ndim(found) == 0 else float(aim @ found))
        return Bounds(*ends)

    def in_the_way(self) -> tuple[Forbids, ...]:
        """Rows that must give way so that the others agree, with the least miss in all."""
        n, width = len(self._rows), len(self._table[0])
        found = self.least(np.concatenate([np.zeros(width), np.ones(n)]), slack=True)
        misses = found[width:]
        told = []
        for row, miss in zip(self._rows, misses.tolist(), strict=True):
            if miss > _LEEWAY:
                off = f"{miss * self._size:.2g}"
                why = f"its total {float(row.total.middle):g} is off by at least {off}"
                told.append(Forbids(row.entry, f"{why} where the other entries fit"))
        return tuple(told)
