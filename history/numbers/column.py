"""What does a column of printed numbers say?

In: the texts of one column of one version. Out: Numbers, whole ticks of one unit and how many
decimals they have. Start at read_column(). The column as a whole decides how many decimals count,
and what `history.numbers.whole_column` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from operator import attrgetter, ne
from typing import cast

import numpy as np
from numpy.typing import NDArray

from history.numbers import whole_column
from history.numbers.marks import Unit
from history.numbers.printed import FULL_PRECISION_DP, Printed, Reason, parse
from history.numbers.rounding import Mode, rounded

MAX_KNOWN = 1 << 17
_EXACT = 10**15  # a float of fewer digits, times a power of ten, rounds to the exact number
_LINE_END, _POINT = b"\n."


@dataclass(frozen=True, slots=True)
class Numbers:
    """One column of one version in ticks.

    Attributes:
        dp: one tick is 10**-dp; negative only where `scale` makes a number coarser than units.
        ticks: by row; None where there is no number.
        values: the same as floats, NaN where there is no number. For charts only.
        reasons: why there is no number, by row; None if every row has one.
        either: row -> both readings of what is ambiguous, for people.
    """

    dp: int
    ticks: list[int | None]
    values: list[float]
    reasons: list[Reason | None] | None
    either: Mapping[int, str] = field(default_factory=dict)


def read_column(
    texts: Sequence[str | None],
    *,
    missing: frozenset[str] = frozenset(),
    decimals: int | None = None,
    shift: int = 0,
    shares: bool = False,
    rounding: Mode = "half up",
) -> Numbers:
    """Read one column of one version.

    Args:
        texts: what the cells say, by row; None where there is no cell.
        missing: texts that mean "no score" besides those that always do.
        decimals: decimals of the column, if its own mislead; more digits are rounded.
        shift: the printed values times 10**shift.
        shares: percentages, but for values up to 1, which are shares of 1 and count times 100.
        rounding: how more digits than `decimals` are rounded.

    >>> read_column(["66.3", "70", None]).ticks, read_column(["66.3", "70"]).dp
    ([663, 700, None], 1)
    >>> read_column(["0.1", "0.30000000000000004"]).ticks
    [100000000, 300000000]
    >>> read_column(["0.571"], shift=2).dp
    1
    >>> read_column(["0.712", "69.8", "1"], shares=True).ticks
    [712, 698, 1000]
    """
    return ColumnReader(missing, decimals, shift, shares, rounding).read(texts)


class ColumnReader:
    """Reads one column version by version.

    Most cells of a version stood in the one before; only the others are read again. The result
    is that of read_column().
    """

    def __init__(
        self,
        missing: frozenset[str],
        decimals: int | None,
        shift: int,
        shares: bool = False,
        rounding: Mode = "half up",
    ):
        self._mode: Mode = rounding
        self._missing, self._shift, self._shares = missing, shift, shares
        self._decimals = None if decimals is None else max(decimals + shift, 0)
        self._texts: Sequence[str | None] = ()
        self._cells: list[Printed] | None = []
        self._dp, self._rounding = 0, False
        self._units: set[Unit | None] = set()
        self._numbers = Numbers(-shift, [], [], None)
        self.decimal_comma = False

    def read(self, texts: Sequence[str | None]) -> Numbers:
        """The numbers of one version; the same object as before where nothing changed."""
        changed: Sequence[int] = range(len(texts))
        if texts is self._texts and texts:
            return self._numbers
        if texts and len(texts) == len(self._texts):
            changed = list(compress(changed, map(ne, texts, self._texts)))
            if not changed:
                return self._numbers
        self.decimal_comma = False
        few = len(changed) * 2 < len(texts)
        if not few and not self._shares and (plain := self._plain(texts)):
            return plain
        known = _known(self._missing)
        patch = few and self._numbers.reasons is None
        if few and self._cells is not None:
            cells = self._cells.copy()
            for row in changed:
                cells[row] = known[texts[row]]
        else:
            cells = list(map(known.__getitem__, texts))
        # Where the column had nothing but numbers, only the new cells can have anything else.
        new = [cells[row] for row in changed] if patch else cells
        reasons = set(map(_REASON, new))
        self._texts, self._cells = texts, cells
        if "comma" in reasons:
            cells, self.decimal_comma = whole_column.commas(texts, cells)
            new, patch, reasons = cells, False, set(map(_REASON, cells))
            self._texts = ()  # one comma can change how all others are understood
        if self._shares:
            cells = list(map(whole_column.percentage, cells))
            new, patch = cells, False
        self._units = set(map(_UNIT, new)) - {None} | (self._units if patch else set())
        if len(self._units) > 1:
            cells = whole_column.units(texts, cells)
            reasons = set(map(_REASON, cells))
            self._texts = ()
        dp, rounding = self._unit(cells)
        if not patch or (dp, rounding) != (self._dp, self._rounding) or reasons != {None}:
            plain_ones = not rounding and reasons == {None}
            ticks = _ticks(cells, dp, self._mode, plain=plain_ones)
            values = self._values(cells, ticks, dp, rounding)
            why = list(map(_REASON, cells)) if reasons - {None} else None
        else:
            ticks, values, why = self._numbers.ticks.copy(), self._numbers.values.copy(), None
            some = _ticks(new, dp, self._mode, plain=False)
            numbers = self._values(new, some, dp, rounding)
            for row, tick, value in zip(changed, some, numbers, strict=True):
                ticks[row], values[row] = tick, value
        self._dp, self._rounding = dp, rounding
        either = {n: cell.either for n, cell in enumerate(cells) if cell.either} if why else {}
        self._numbers = Numbers(dp - self._shift, ticks, values, why, either)
        return self._numbers

    def _plain(self, texts: Sequence[str | None]) -> Numbers | None:
        """The numbers of a column that holds nothing but digits, points and minus signs.

        Where most of a column is new, this is faster than looking each text up.
        """
        if self._missing and not self._missing.isdisjoint(texts):
            return None
        if (plain := _floats_and_decimals(texts)) is None:
            return None
        numbers, own = plain
        dp = own if self._decimals is None else self._decimals
        if own > dp or dp > FULL_PRECISION_DP:
            return None
        scaled = np.rint(numbers * 10**dp)
        if np.abs(scaled).max(initial=0) >= _EXACT:
            return None
        ticks = scaled.astype(np.int64).tolist()
        values = self._values_of(ticks, dp) if self._shift else numbers.tolist()
        self._texts, self._cells, self._units = texts, None, {Unit()}
        self._dp, self._rounding = dp, False
        self._numbers = Numbers(dp - self._shift, ticks, values, None)
        return self._numbers

    def _unit(self, cells: list[Printed]) -> tuple[int, bool]:
        """Decimals of one tick, and whether some cell has more."""
        own = max(map(_DP, cells), default=0)
        if self._decimals is not None:
            return self._decimals, self._decimals < own
        if own > FULL_PRECISION_DP and any(cell.full_precision for cell in cells):
            return FULL_PRECISION_DP, True
        return own, False

    def _values(
        self, cells: list[Printed], ticks: list[int | None], dp: int, rounding: bool
    ) -> list[float]:
        if not rounding and not self._shift:
            return list(map(_NUMBER_OF, cells))
        return self._values_of(ticks, dp)

    def _values_of(self, ticks: Sequence[int | None], dp: int) -> list[float]:
        """The nearest floats."""
        if dp >= self._shift:  # whole numbers are divided exactly, too, and much faster
            unit = 10 ** (dp - self._shift)
            return [float("nan") if tick is None else tick / unit for tick in ticks]
        unit = 10 ** (self._shift - dp)
        return [float("nan") if tick is None else float(tick * unit) for tick in ticks]


def _floats_and_decimals(
    texts: Sequence[str | None],
) -> tuple[NDArray[np.float64], int] | None:
    """Plain numbers as floats, and the most decimals that one of them has.

    None if one of the texts is anything else; what is odd is left to parse().
    """
    try:
        joined = "\n".join(cast("Sequence[str]", texts)).encode("ascii")
        numbers = cast("Sequence[str]", texts)
        if joined.translate(None, b"0123456789.-") != b"\n" * (len(numbers) - 1):
            return None
        floats = np.array(list(map(float, numbers))) + 0.0  # there is no -0
    except (TypeError, ValueError):  # a gap; another letter; two points
        return None
    letters = np.frombuffer(joined + b"\n", np.uint8)
    ends, points = np.flatnonzero(letters == _LINE_END), np.flatnonzero(letters == _POINT)
    decimals = ends[np.searchsorted(ends, points)] - points - 1
    return floats, int(decimals.max(initial=0))


def _ticks(cells: list[Printed], dp: int, mode: Mode, *, plain: bool) -> list[int | None]:
    """Numbers in units of 10**-dp; `plain` where all are numbers with at most `dp` decimals."""
    if not plain:
        return [_tick(cell, dp, mode) for cell in cells]
    units = [10 ** (dp - own) for own in range(dp + 1)]
    return [
        digits * units[own]
        for digits, own in zip(map(_DIGITS, cells), map(_DP, cells), strict=True)
    ]


def _tick(cell: Printed, dp: int, mode: Mode) -> int | None:
    """A number in units of 10**-dp."""
    if cell.reason is not None:
        return None
    if cell.dp <= dp:
        return cell.digits if cell.dp == dp else int(cell.digits * 10 ** (dp - cell.dp))
    return rounded(cell.digits, cell.dp, dp, mode)


class _Known(dict[str | None, Printed]):
    """Texts read before: most numbers of a version stood in the one before."""

    def __init__(self, missing: frozenset[str]):
        super().__init__()
        self._means_none = missing

    def __missing__(self, text: str | None) -> Printed:
        gap = text is not None and text.strip() in self._means_none
        printed = self[text] = parse(None if gap else text)
        return printed


def printed(texts: Sequence[str | None], missing: frozenset[str]) -> list[Printed]:
    """Every text read alone, as the columns with the same `missing` do."""
    return list(map(_known(missing).__getitem__, texts))


def _known(missing: frozenset[str]) -> _Known:
    """What was read where these texts mean that there is no number."""
    known = _known_of(missing)
    if len(known) > MAX_KNOWN:
        known.clear()
    return known


@lru_cache(maxsize=8)  # boards or stages that are read in turn
def _known_of(missing: frozenset[str]) -> _Known:
    return _Known(missing)


_DIGITS, _DP, _REASON, _NUMBER_OF, _UNIT = map(
    attrgetter, ("digits", "dp", "reason", "number", "unit")
)
