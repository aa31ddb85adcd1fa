"""What does a column of printed numbers say?

In: the texts of one column of one version. Out: Numbers, whole ticks of one unit and how many
decimals they have. Start at read_column(). The column as a whole decides what a comma means and
how many decimals count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter, ne
from typing import cast

import numpy as np
from numpy.typing import NDArray

from history.numbers import (
    FULL_PRECISION_DIGITS,
    FULL_PRECISION_DP,
    Printed,
    Reason,
    no_number,
    parse,
)

MAX_KNOWN = 1 << 17
_EXACT = 10**15  # a float of fewer digits, times a power of ten, rounds to the exact number
_LINE_END, _POINT = b"\n."

_EITHER_COMMA = re.compile(r"[+\-−]?[1-9]\d{0,2},\d{3}\s*%?", re.ASCII)
_EITHER_POINT = re.compile(r"[+\-−]?[1-9]\d{0,2}(?:\.\d{3})+\s*%?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Numbers:
    """One column of one version in ticks.

    Attributes:
        dp: one tick is 10**-dp; negative only where `scale` makes a number coarser than units.
        ticks: by row; None where there is no number.
        values: the same as floats, NaN where there is no number. For charts only.
        reasons: why there is no number, by row; None if every row has one.
    """

    dp: int
    ticks: list[int | None]
    values: list[float]
    reasons: list[Reason | None] | None


def read_column(
    texts: Sequence[str | None],
    *,
    missing: frozenset[str] = frozenset(),
    decimals: int | None = None,
    shift: int = 0,
) -> Numbers:
    """Read one column of one version.

    Args:
        texts: what the cells say, by row; None where there is no cell.
        missing: texts that mean "no score" besides those that always do.
        decimals: decimals of the column, if its own mislead; more digits are rounded half up.
        shift: the printed values times 10**shift.

    >>> read_column(["66.3", "70", None]).ticks, read_column(["66.3", "70"]).dp
    ([663, 700, None], 1)
    >>> read_column(["0.1", "0.30000000000000004"]).ticks
    [100000000, 300000000]
    >>> read_column(["0.571"], shift=2).dp
    1
    """
    return ColumnReader(missing, decimals, shift).read(texts)


class ColumnReader:
    """Reads one column version by version.

    Most cells of a version stood in the one before; only the others are read again. The result
    is that of read_column().
    """

    def __init__(self, missing: frozenset[str], decimals: int | None, shift: int):
        self._missing, self._shift = missing, shift
        self._decimals = None if decimals is None else max(decimals + shift, 0)
        self._texts: Sequence[str | None] = ()
        self._cells: list[Printed] | None = []
        self._dp, self._rounding = 0, False
        self._numbers = Numbers(-shift, [], [], None)
        self.decimal_comma = False

    def read(self, texts: Sequence[str | None]) -> Numbers:
        """The numbers of one version; the same object as before where nothing changed."""
        changed: Sequence[int] = range(len(texts))
        if texts and len(texts) == len(self._texts):
            changed = list(compress(changed, map(ne, texts, self._texts)))
            if not changed:
                return self._numbers
        self.decimal_comma = False
        few = len(changed) * 2 < len(texts)
        if not few and (plain := self._plain(texts)):
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
            cells, self.decimal_comma = _with_commas_understood(texts, cells)
            reasons = set(map(_REASON, cells))
            self._texts = ()  # one comma can change how all others are understood
        dp, rounding = self._unit(cells)
        if not patch or (dp, rounding) != (self._dp, self._rounding) or reasons != {None}:
            ticks = _ticks(cells, dp, plain=not rounding and reasons == {None})
            values = self._values(cells, ticks, dp, rounding)
            why = list(map(_REASON, cells)) if reasons - {None} else None
        else:
            ticks, values, why = self._numbers.ticks.copy(), self._numbers.values.copy(), None
            some = _ticks(new, dp, plain=False)
            numbers = self._values(new, some, dp, rounding)
            for row, tick, value in zip(changed, some, numbers, strict=True):
                ticks[row], values[row] = tick, value
        self._dp, self._rounding = dp, rounding
        self._numbers = Numbers(dp - self._shift, ticks, values, why)
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
        self._texts, self._cells = texts, None
        self._dp, self._rounding = dp, False
        self._numbers = Numbers(dp - self._shift, ticks, values, None)
        return self._numbers

    def _unit(self, cells: list[Printed]) -> tuple[int, bool]:
        """Decimals of one tick, and whether some cell has more."""
        own = max(map(_DP, cells), default=0)
        if self._decimals is not None:
            return self._decimals, self._decimals < own
        if own > FULL_PRECISION_DP and any(
            cell.dp > FULL_PRECISION_DP and cell.significant >= FULL_PRECISION_DIGITS
            for cell in cells
        ):
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


def _ticks(cells: list[Printed], dp: int, *, plain: bool) -> list[int | None]:
    """Numbers in units of 10**-dp; `plain` where all are numbers with at most `dp` decimals."""
    if not plain:
        return [_tick(cell, dp) for cell in cells]
    units = [10 ** (dp - own) for own in range(dp + 1)]
    return [
        digits * units[own]
        for digits, own in zip(map(_DIGITS, cells), map(_DP, cells), strict=True)
    ]


def _tick(cell: Printed, dp: int) -> int | None:
    """A number in units of 10**-dp, halves rounded away from zero."""
    if cell.reason is not None:
        return None
    if cell.dp <= dp:
        return cell.digits if cell.dp == dp else int(cell.digits * 10 ** (dp - cell.dp))
    step = 10 ** (cell.dp - dp)
    size = (abs(cell.digits) * 2 + step) // (2 * step)
    return int(-size if cell.digits < 0 else size)


def _with_commas_understood(
    texts: Sequence[str | None], cells: list[Printed]
) -> tuple[list[Printed], bool]:
    """Decide from the whole column whether a comma is a decimal mark or groups thousands.

    "71,25" has a decimal comma, "71.3" a decimal point; "1,234" and "1.200" could be either. If
    the column shows both marks, or neither, its commas stay unread. The second value says whether
    commas are decimal marks.
    """
    printed = ["" if text is None else text.strip() for text in texts]
    comma = any(
        cell.reason == "comma" and not _EITHER_COMMA.fullmatch(text)
        for text, cell in zip(printed, cells, strict=True)
    )
    point = any(
        "." in text and not cell.reason and not _EITHER_POINT.fullmatch(text)
        for text, cell in zip(printed, cells, strict=True)
    )
    unread = no_number("not_a_number")
    if comma and not point:
        swap = str.maketrans({",": ".", ".": ""})
        swapped = [
            cell if cell.reason not in (None, "comma") else parse(text.translate(swap))
            for text, cell in zip(printed, cells, strict=True)
        ]
        return swapped, True
    if point and not comma:
        grouped = [
            parse(text.replace(",", "")) if cell.reason == "comma" else cell
            for text, cell in zip(printed, cells, strict=True)
        ]
        return grouped, False
    return [unread if cell.reason == "comma" else cell for cell in cells], False


def without_groups(texts: Sequence[str | None]) -> list[str | None] | None:
    """A column of a file with decimal commas, without the points that group its thousands.

    None if it has no points, or one that can only be a decimal mark.

    >>> without_groups(["1.200", "950", None]), without_groups(["1.200", "0.5"])
    (['1200', '950', None], None)
    """
    pointed = [text.strip() for text in texts if text and "." in text]
    if not pointed or not all(map(_EITHER_POINT.fullmatch, pointed)):
        return None
    return [text and text.replace(".", "") for text in texts]


class _Known(dict[str | None, Printed]):
    """Texts read before: most numbers of a version stood in the one before."""

    def __init__(self, missing: frozenset[str]):
        super().__init__()
        self._means_none = missing

    def __missing__(self, text: str | None) -> Printed:
        gap = text is not None and text.strip() in self._means_none
        printed = self[text] = parse(None if gap else text)
        return printed


def _known(missing: frozenset[str]) -> _Known:
    """What was read where these texts mean that there is no number."""
    known = _KNOWN.setdefault(missing, _Known(missing))
    if len(known) > MAX_KNOWN:
        known.clear()
    return known


_KNOWN: dict[frozenset[str], _Known] = {}
_DIGITS, _DP, _REASON, _NUMBER_OF = map(attrgetter, ("digits", "dp", "reason", "number"))
