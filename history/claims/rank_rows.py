"""What did one board, or one split of it, say of an entry in a version?

RankRows answers from RANKS row by row, fast enough to go through a whole history.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history import formula, splits, ties
from history.claims.claim import ClaimError
from history.claims.printed import Measured
from history.frames import SCORE, dp_of, text_of, ticks_of
from history.numbers import Interval, half_unit
from history.scores import load_scores

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

_UNBOUNDED = Fraction(10) ** 30


@dataclass(frozen=True, slots=True)
class Row:
    """One entry in one version.

    Attributes:
        rank, tie_rank, tie_group, published: None where there is none.
        ticks: score in units of 10**-dp; None where there is none.
        text: as printed.
        unranked: why it has no rank, or None.
    """

    entry: str
    rank: int | None
    tie_rank: int | None
    tie_group: int | None
    published: int | None
    ticks: int | None
    dp: int
    text: str | None
    unranked: str | None

    @property
    def value(self) -> Fraction:
        """The exact printed number."""
        assert self.ticks is not None
        return Fraction(self.ticks) / Fraction(10) ** self.dp

    def place(self, kind: str) -> int | None:
        """Rank of the wanted kind: score, tie or published."""
        return {"score": self.rank, "tie": self.tie_rank, "published": self.published}[kind]


@dataclass(frozen=True, slots=True)
class Tied:
    """Whether two entries of one version are tied, and under which rule.

    Attributes:
        yes: None: the board has no rule, and their scores differ.
        rounding: unrounded scores could say otherwise.
        gap: between their scores, at least 0 as printed.
        band: width of the band, or None.
    """

    yes: bool | None
    rounding: bool
    gap: Measured
    band: str | None
    rule: str


class RankRows:
    """RANKS of one board and split, by version and entry.

    Args:
        history: the board.
        split: None for its own score.
    """

    def __init__(self, history: BoardHistory, split: str | None):
        self.history, self.split = history, split
        self._rows: dict[str, dict[int, Row]] = {}
        self._ranges: dict[str, dict[int, tuple[int, int]]] = {}
        self._parts: dict[tuple[str, tuple[str, ...]], dict[int, dict[str, Measured]]] = {}
        self._rule = ties.NO_TIES if split else ties.rule_of(history.meaning)

    @cached_property
    def _frame(self) -> pd.DataFrame:
        return self.history.rank_history(self.split)

    @cached_property
    def _versions(self) -> NDArray[np.integer]:
        return self._frame["version"].to_numpy()

    @property
    def lower_is_better(self) -> bool:
        """Direction of the score."""
        return splits.direction_of(self.history.meaning, self.split) == "lower"

    @cached_property
    def fields(self) -> list[str]:
        """The printed columns that the numbers come from: several for a formula."""
        if self.split is None:
            return [SCORE]
        return [self._made_of] if self._formula is None else list(self._formula.names)

    @property
    def _made_of(self) -> str:
        """The part or the formula that the split is."""
        return str(self.history.meaning.splits.get(self.split or "", self.split))

    @cached_property
    def _formula(self) -> formula.Formula | None:
        meaning = self.history.meaning
        if self.split is None or self._made_of in meaning.table.parts:
            return None
        return formula.parse(self._made_of, meaning.functions)

    def row(self, version: int, entry: str) -> Row | None:
        """An entry's row; None where it is not listed."""
        if entry not in self._rows:
            self._rows[entry] = self._by_version(self._frame["entry"] == entry)
        return self._rows[entry].get(version)

    def leader(self, version: int) -> Row | None:
        """Who is first; of several, the first in key order."""
        return self._leaders.get(version)

    def second(self, version: int, entry: str) -> Row | None:
        """The best of the others."""
        return next((row for row in self.rows(version) if row.entry != entry and row.rank), None)

    def rows(self, version: int) -> list[Row]:
        """All rows of a version, best first, unranked last."""
        return _rows_of(self._frame.iloc[self._slice(version)])

    def n_ranked(self, version: int) -> int:
        """Entries with a rank."""
        return self._counts.get(version, 0)

    def n_listed(self, version: int) -> int:
        """Entries that take part, with or without a rank."""
        rows = self._slice(version)
        return int(rows.stop - rows.start)

    def measured(self, version: int, row: Row) -> Measured:
        """An entry's number with what its unprinted digits leave open."""
        if self._formula is None:
            assert row.ticks is not None
            return Measured.of_ticks(row.ticks, row.dp)
        return _computed(self._formula, self.parts(version, row.entry, self._formula.names))

    def parts(self, version: int, entry: str, fields: tuple[str, ...]) -> dict[str, Measured]:
        """Numbers of several columns; a column without a number is left out."""
        key = entry, fields
        if key not in self._parts:
            self._parts[key] = self._columns(entry, fields)
        return self._parts[key].get(version, {})

    def _columns(self, entry: str, fields: tuple[str, ...]) -> dict[int, dict[str, Measured]]:
        """Several columns of one entry through the whole history."""
        history, known = self.history, self.history.meaning.fields
        for field in fields:
            if field not in known:
                raise ClaimError(history.name, f'no column "{field}"', f"It has {', '.join(known)}")
        frame = self._frame
        # In the ranks of a split, score.* are the split's own numbers.
        if SCORE in fields or not {ticks_of(field) for field in fields} <= set(frame.columns):
            frame = load_scores(history.store, history.board, history.meaning, fields)
        found = frame[frame["entry"] == entry]
        columns: dict[int, dict[str, Measured]] = {v: {} for v in found["version"].tolist()}
        for field in fields:
            cells = zip(found["version"], found[ticks_of(field)], found[dp_of(field)], strict=True)
            for version, ticks, dp in cells:
                if not pd.isna(ticks):
                    columns[version][field] = Measured.of_ticks(ticks, dp)
        return columns

    def rank_range(self, version: int, row: Row) -> tuple[int, int] | None:
        """Best and worst rank that the unprinted digits leave possible.

        None where only measured_range() can tell: the split is a formula that is not linear.
        """
        if row.entry not in self._ranges:
            self._ranges[row.entry] = self._rank_ranges(row.entry)
        return self._ranges[row.entry].get(version)

    def _rank_ranges(self, entry: str) -> dict[int, tuple[int, int]]:
        """The range of one entry in every version in which it is ranked."""
        reaches = self._reaches
        if reaches is None:
            return {}
        ranked = self._frame["rank"].notna().to_numpy()
        versions, ticks = self._versions[ranked], self._ticks[ranked]
        its_own = np.flatnonzero((self._frame["entry"] == entry).to_numpy()[ranked])
        own = np.zeros(len(reaches), dtype=ticks.dtype)
        own[versions[its_own]] = ticks[its_own]
        gaps = ticks - own[versions]
        lead = -gaps if self.lower_is_better else gaps
        # Two numbers that are exactly `reach` apart can at most be equal before rounding.
        least = np.array([floor(reach) for reach in reaches], dtype=ticks.dtype)[versions]
        most = np.array([ceil(reach) for reach in reaches], dtype=ticks.dtype)[versions]
        better = np.bincount(versions[(lead > least).astype(bool)], minlength=len(reaches))
        perhaps = np.bincount(versions[(lead > -most).astype(bool)], minlength=len(reaches))
        # The entry itself is one of `perhaps`, which makes it the rank.
        return {v: (1 + int(better[v]), int(perhaps[v])) for v in versions[its_own].tolist()}

    def measured_range(self, version: int, row: Row) -> tuple[int, int]:
        """The same from the interval of every entry: slow, for one version at a time."""
        assert self._formula is not None
        names, frame = self._formula.names, self._frame.iloc[self._slice(version)]
        columns = [(frame[ticks_of(name)].tolist(), frame[dp_of(name)].tolist()) for name in names]
        best = worst = 1
        own = self.measured(version, row)
        for n, (entry, rank) in enumerate(zip(frame["entry"], frame["rank"], strict=True)):
            if pd.isna(rank) or entry == row.entry:
                continue
            parts = [Measured.of_ticks(ticks[n], dp[n]) for ticks, dp in columns]
            lead = _computed(self._formula, dict(zip(names, parts, strict=True))) - own
            low, high = (-lead.high, -lead.low) if self.lower_is_better else (lead.low, lead.high)
            best, worst = best + (low > 0), worst + (high > 0)
        return best, worst

    @cached_property
    def _reaches(self) -> list[Fraction] | None:
        """By version, how far apart in ticks two scores must be to differ for certain."""
        n = len(self._bounds) - 1
        if self._formula is None:
            return [Fraction(1)] * n
        linear = self._formula.coefficients()
        if linear is None:
            return None
        factors = linear[1]
        heads = self._frame.drop_duplicates("version")
        names = [dp_of(SCORE), *(dp_of(name) for name in factors)]
        found = [Fraction(0)] * n
        for version, dp, *parts in zip(
            heads["version"], *(heads[name] for name in names), strict=True
        ):
            if not pd.isna([dp, *parts]).any():
                halves = map(half_unit, map(int, parts))
                wide = sum(
                    (abs(by) * h for by, h in zip(factors.values(), halves, strict=True)),
                    Fraction(0),
                )
                found[version] = 2 * wide * Fraction(10) ** int(dp)
        return found

    def tied(self, version: int, one: Row, two: Row) -> Tied:
        """Whether two ranked entries are tied under the board's own rule."""
        gap = self.measured(version, one) - self.measured(version, two)
        if gap.value < 0:
            gap = Measured(-gap.value, -gap.high, -gap.low)
        rule, band = self._rule.rule, self.band(version)
        if rule == "none" or band is None:
            return Tied(True if gap.value == 0 else None, False, gap, None, rule)
        near = _Nearness(band_width(band), one.dp, self._rule.edge)
        if rule == "pairwise":
            yes = near.tied(one, two)
        else:
            yes = one.tie_group is not None and one.tie_group == two.tie_group
        steps = self._steps(version, one, two)
        surely = all(near.surely(step) for step in steps)
        rounding = not surely if yes else all(near.perhaps(step) for step in steps)
        return Tied(yes, rounding, gap, band, rule)

    def _steps(self, version: int, one: Row, two: Row) -> list[int]:
        """The gaps, in ticks, that must all lie within the band for two entries to be tied."""
        assert one.ticks is not None and two.ticks is not None
        if self._rule.rule == "pairwise":
            return [abs(one.ticks - two.ticks)]
        rows = self._slice(version)
        ticks, ranks = self._ticks[rows], self._ranks[rows]
        better, worse = sorted((one.ticks, two.ticks), reverse=not self.lower_is_better)
        if self._rule.rule == "chain":
            first, last = sorted((one.rank or 0, two.rank or 0))
            between = ticks[(ranks >= first) & (ranks <= last)]
            return [abs(int(step)) for step in np.diff(between)]
        # The best entry of a group is what its group hangs on.
        group = min(one.tie_group or 0, two.tie_group or 0)
        head = int(ticks[np.argmax(self._groups[rows] == group)])
        return [abs(head - worse), abs(better - worse)]

    def tied_for_first(self, row: Row) -> bool:
        """Rank above 1, but tied with rank 1 under the board's own rule."""
        if self._rule.rule == "none" or row.rank in (None, 1):
            return False
        # The group of rank 1 is the first.
        return (row.tie_rank if self._rule.rule == "pairwise" else row.tie_group) == 1

    @property
    def rule(self) -> str:
        """Name of the tie rule; none for splits."""
        return self._rule.rule

    def band(self, version: int) -> str | None:
        """Printed width of the tie band in a version."""
        if self._rule.rule == "none":
            return None
        return self._rule.band or self._said_bands.get(version)

    @cached_property
    def _said_bands(self) -> dict[int, str]:
        readings = self.history.readings
        pairs = zip(readings["version"], readings["band"], strict=True)
        written = {v: str(band) for v, band in pairs if not pd.isna(band)}
        return {v: band for v, band in written.items() if ties.band_width(band) is not None}

    @cached_property
    def _leaders(self) -> dict[int, Row]:
        first = (self._frame["rank"] == 1).fillna(False).astype(bool)
        return self._by_version(first & ~self._frame["version"].where(first).duplicated())

    @cached_property
    def _counts(self) -> dict[int, int]:
        heads = self._frame[["version", "n_ranked"]].drop_duplicates("version")
        return dict(zip(heads["version"].tolist(), heads["n_ranked"].tolist(), strict=True))

    def _by_version(self, wanted: pd.Series) -> dict[int, Row]:
        part = self._frame[wanted.fillna(False).astype(bool)]
        return dict(zip(part["version"].tolist(), _rows_of(part), strict=True))

    def _slice(self, version: int) -> slice:
        """Where the rows of a version are, best first, unranked last."""
        return slice(self._bounds[version], self._bounds[version + 1])

    @cached_property
    def _bounds(self) -> list[int]:
        n = len(self.history.readings)
        return np.searchsorted(self._versions, np.arange(n + 1)).tolist()

    @cached_property
    def _ticks(self) -> NDArray:
        """Score of every row in ticks, 0 where there is none."""
        column = self._frame[ticks_of(SCORE)]
        if column.dtype == object:
            return np.array([0 if pd.isna(tick) else int(tick) for tick in column], dtype=object)
        return column.to_numpy(dtype=np.int64, na_value=0)

    @cached_property
    def _ranks(self) -> NDArray[np.integer]:
        """Rank of every row, 0 where there is none."""
        return self._frame["rank"].to_numpy(dtype=np.int64, na_value=0)

    @cached_property
    def _groups(self) -> NDArray[np.integer]:
        return self._frame["tie_group"].to_numpy(dtype=np.int64, na_value=0)


class _Nearness:
    """What gaps between printed scores, in ticks, mean for a band."""

    def __init__(self, band: Fraction, dp: int, edge: ties.Edge):
        self._band, self._dp, self._edge = band, dp, edge
        # A board that subtracts in floats can decide a gap of exactly the band either way.
        strict: ties.Edge = "inclusive" if edge == "inclusive" else "exclusive"
        loose: ties.Edge = "exclusive" if edge == "exclusive" else "inclusive"
        self._surely = ties.widest_gap(band, dp, strict)
        self._perhaps = ties.widest_gap(band, dp, loose)

    def tied(self, one: Row, two: Row) -> bool:
        """Whether the printed scores are tied, as in RANKS."""
        assert one.ticks is not None and two.ticks is not None
        return ties.tied(one.ticks, two.ticks, self._dp, self._band, self._edge)

    def surely(self, gap: int) -> bool:
        """Whether a gap is within the band for every unprinted digit."""
        return gap + 1 <= self._surely

    def perhaps(self, gap: int) -> bool:
        """Whether a gap is within the band for some unprinted digits."""
        return gap - 1 <= self._perhaps


def band_width(band: str) -> Fraction:
    """A printed band as an exact number.

    >>> band_width("0.9")
    Fraction(9, 10)
    """
    width = ties.band_width(band)
    assert width is not None
    return width


def _computed(made_by: formula.Formula, parts: Mapping[str, Measured]) -> Measured:
    """A formula's result, with what the unprinted digits of its parts leave open."""
    value = made_by.evaluate({name: part.value for name, part in parts.items()})
    reach = made_by.evaluate({name: Interval(part.low, part.high) for name, part in parts.items()})
    assert isinstance(value, Fraction)
    if reach is None:  # a divisor could be 0
        return Measured.around(value, _UNBOUNDED)
    if not isinstance(reach, Interval):
        return Measured.exact(value)
    return Measured(value, reach.low, reach.high)


def _rows_of(frame: pd.DataFrame) -> list[Row]:
    def texts(name: str) -> list[str | None]:
        return [None if pd.isna(value) else str(value) for value in frame[name].tolist()]

    def whole(name: str) -> list[int | None]:
        return [None if pd.isna(value) else int(value) for value in frame[name].tolist()]

    columns = zip(
        frame["entry"].tolist(),
        whole("rank"),
        whole("tie_rank"),
        whole("tie_group"),
        whole("rank_published"),
        whole(ticks_of(SCORE)),
        whole(dp_of(SCORE)),
        texts(text_of(SCORE)),
        texts("unranked"),
        strict=True,
    )
    return [
        Row(str(entry), rank, tie_rank, group, published, ticks, dp or 0, text, unranked)
        for entry, rank, tie_rank, group, published, ticks, dp, text, unranked in columns
    ]
