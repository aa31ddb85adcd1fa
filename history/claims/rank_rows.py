"""What did one board, or one split of it, say of an entry in a version?

RankRows answers from RANKS row by row, fast enough to go through a whole history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history import ties
from history.claims.language.claim import ClaimError
from history.claims.language.printed import Measured
from history.claims.nearness import Nearness, Tied, band_width
from history.claims.overlap import overlap
from history.claims.row import Row, rows_of
from history.classes import MEETS
from history.frames import SCORE, dp_of, ticks_of
from history.meaning import formula
from history.numbers import Interval, half_unit
from history.scores import load_scores, precision
from history.splits import View, borda

if TYPE_CHECKING:
    from history.meaning.definition import Columns
    from history.pipeline import BoardHistory

_UNBOUNDED = Fraction(10) ** 30


class RankRows:
    """RANKS of one board and split, by version and entry.

    Args:
        history: the board.
        split: None for its own score.
        among: a condition; only entries that surely meet it are ranked. Empty: all.
    """

    def __init__(self, history: BoardHistory, split: str | None, among: str = ""):
        self.history, self.split, self.among = history, split, among
        self._rows: dict[str, dict[int, Row]] = {}
        self._ranges: dict[str, dict[int, tuple[int, int]]] = {}
        self._parts: dict[tuple[str, tuple[str, ...]], dict[int, dict[str, Measured]]] = {}

    @cached_property
    def _frame(self) -> pd.DataFrame:
        return self.history.rank_history(self.split, among=self.among)

    @cached_property
    def _versions(self) -> NDArray[np.integer]:
        return self._frame["version"].to_numpy()

    def view(self, version: int) -> View:
        """What the numbers of a version are made of, and how they rank."""
        return self.history.view(version, self.split)

    def row(self, version: int, entry: str) -> Row | None:
        """An entry's row; None where it is not listed."""
        if entry not in self._rows:
            self._rows[entry] = self._by_version(self._frame["entry"] == entry)
        return self._rows[entry].get(version)

    def meets(self, version: int, entry: str) -> bool | None:
        """Whether an entry that is listed belongs to those that are ranked here."""
        return self._members.get((version, entry)) if self.among else True

    def is_listed(self, version: int, entry: str) -> bool:
        """Whether an entry is listed, whether or not it belongs to those that are ranked here."""
        return (version, entry) in self._members if self.among else bool(self.row(version, entry))

    def unclassed(self, version: int, row: Row) -> list[str]:
        """Better entries of which the file does not say whether they belong here."""
        if not self.among or version not in self._unsure:
            return []
        others = self._everybody.rows(version)
        whole = next(other for other in others if other.entry == row.entry)
        return [
            other.entry
            for other in others
            if other.rank and whole.rank and other.rank < whole.rank
            if self.meets(version, other.entry) is None
        ]

    @cached_property
    def _members(self) -> dict[tuple[int, str], bool | None]:
        found = self.history.members(self.among)
        keys = zip(found["version"].tolist(), found["entry"].tolist(), strict=True)
        return dict(zip(keys, found[MEETS].tolist(), strict=True))

    @cached_property
    def _unsure(self) -> set[int]:
        """Versions in which some entry may or may not belong here."""
        return {version for (version, _), meets in self._members.items() if meets is None}

    @cached_property
    def _everybody(self) -> RankRows:
        return RankRows(self.history, self.split)

    def leader(self, version: int) -> Row | None:
        """Who is first; of several, the first in key order."""
        return self._leaders.get(version)

    def second(self, version: int, entry: str) -> Row | None:
        """The best of the others."""
        return next((row for row in self.rows(version) if row.entry != entry and row.rank), None)

    def rows(self, version: int) -> list[Row]:
        """All rows of a version, best first, unranked last."""
        rows = self._slice(version)
        return rows_of(self._frame.iloc[rows], self._units[rows])

    def n_ranked(self, version: int) -> int:
        """Entries with a rank."""
        return self._counts.get(version, 0)

    def n_listed(self, version: int) -> int:
        """Entries that take part, with or without a rank."""
        rows = self._slice(version)
        return int(rows.stop - rows.start)

    def measured(self, version: int, row: Row) -> Measured:
        """An entry's number with what its unprinted digits leave open."""
        view = self.view(version)
        if view.points:
            return self._counted(version, row)
        made_by = view.formula
        if made_by is None:
            assert row.ticks is not None
            return Measured.of_ticks(row.ticks, row.dp, row.unit)
        return _computed(made_by, self.parts(version, row.entry, made_by.names))

    def _counted(self, version: int, row: Row) -> Measured:
        """An entry's Borda points, with what the unprinted digits of all entries leave open."""
        frame, points = self._frame.iloc[self._slice(version)], self.view(version).points
        units = {part: self._units_of(frame, part) for part in points}
        at = frame["entry"].tolist().index(row.entry)
        return Measured(row.value, *borda.reach(frame, points, units, at))

    def parts(self, version: int, entry: str, fields: tuple[str, ...]) -> dict[str, Measured]:
        """Numbers of several columns; a column without a number is left out."""
        key = entry, fields
        if key not in self._parts:
            self._parts[key] = self._columns(entry, fields)
        return self._parts[key].get(version, {})

    def _columns(self, entry: str, fields: tuple[str, ...]) -> dict[int, dict[str, Measured]]:
        """Several columns of one entry through the whole history."""
        history, known = self.history, self.history.fields
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
            cells = (found["version"], found[ticks_of(field)], found[dp_of(field)])
            for version, ticks, dp, unit in zip(*cells, self._units_of(found, field), strict=True):
                if not pd.isna(ticks):
                    columns[version][field] = Measured.of_ticks(ticks, dp, unit)
        return columns

    def rank_range(self, version: int, row: Row) -> tuple[int, int] | None:
        """Best and worst rank that the unprinted digits leave possible.

        None where only measured_range() can tell: the split is a Borda count, or a formula that
        is not linear or whose parts have decimals of their own.
        """
        if row.entry not in self._ranges:
            self._ranges[row.entry] = self._rank_ranges(row.entry)
        return self._ranges[row.entry].get(version)

    def _rank_ranges(self, entry: str) -> dict[int, tuple[int, int]]:
        """The range of one entry in every version in which it is ranked."""
        reaches = [Fraction(0) if reach is None else reach for reach in self._reaches]
        ranked = self._frame["rank"].notna().to_numpy()
        versions, ticks = self._versions[ranked], self._ticks[ranked]
        its_own = np.flatnonzero((self._frame["entry"] == entry).to_numpy()[ranked])
        own = np.zeros(len(reaches), dtype=ticks.dtype)
        own[versions[its_own]] = ticks[its_own]
        units = self._units[ranked]
        own_units = np.ones(len(reaches), dtype=np.int64)
        own_units[versions[its_own]] = units[its_own]
        gaps = ticks - own[versions]
        lead = np.where(self._lower[versions], -gaps, gaps)
        # Two numbers that are exactly `reach` apart can at most be equal before rounding.
        least = np.array([floor(reach) for reach in reaches], dtype=ticks.dtype)[versions]
        most = np.array([ceil(reach) for reach in reaches], dtype=ticks.dtype)[versions]
        printed, both = self._printed[versions], units + own_units[versions]
        least, most = np.where(printed, both // 2, least), np.where(printed, (both + 1) // 2, most)
        better = np.bincount(versions[(lead > least).astype(bool)], minlength=len(reaches))
        perhaps = np.bincount(versions[(lead > -most).astype(bool)], minlength=len(reaches))
        # The entry itself is one of `perhaps`, which makes it the rank.
        return {
            v: (1 + int(better[v]), int(perhaps[v]))
            for v in versions[its_own].tolist()
            if self._reaches[v] is not None
        }

    def measured_range(self, version: int, row: Row) -> tuple[int, int]:
        """The same from the interval of every entry: slow, for one version at a time."""
        best = worst = 1
        own, lower = self.measured(version, row), self.view(version).direction == "lower"
        for entry, number in self._all_measured(version):
            if entry == row.entry:
                continue
            lead = number - own
            low, high = (-lead.high, -lead.low) if lower else (lead.low, lead.high)
            best, worst = best + (low > 0), worst + (high > 0)
        return best, worst

    def _all_measured(self, version: int) -> Iterator[tuple[str, Measured]]:
        """Every ranked entry's number, with what its unprinted digits leave open."""
        made_by = self.view(version).formula
        if made_by is None:
            yield from ((r.entry, self.measured(version, r)) for r in self.rows(version) if r.rank)
            return
        frame = self._frame.iloc[self._slice(version)]
        frame = frame[frame["rank"].notna()]
        columns = [
            map(Measured.of_ticks, frame[ticks_of(name)], frame[dp_of(name)], units)
            for name in made_by.names
            for units in [self._units_of(frame, name)]
        ]
        for entry, *parts in zip(frame["entry"], *columns, strict=True):
            yield entry, _computed(made_by, dict(zip(made_by.names, parts, strict=True)))

    @cached_property
    def _own_decimals(self) -> dict[int, Columns]:
        """[table] at the versions whose numbers have decimals of their own."""
        history = self.history
        versions = history.readings["version"].tolist()
        meanings = {version: history.meaning_at(version) for version in versions}
        return precision.own_decimals(history.readings, meanings)

    def _units_of(self, frame: pd.DataFrame, field: str) -> NDArray[np.int64]:
        """How many ticks the last decimal of a column's numbers is, by row of a frame."""
        return precision.units(frame, field, {v: (t, field) for v, t in self._own_decimals.items()})

    @cached_property
    def _units(self) -> NDArray[np.int64]:
        """The same of every row's score; what is computed has no last decimal, and 1."""
        views = ((v, t, self.view(v)) for v, t in self._own_decimals.items())
        own = {v: (t, view.fields[0]) for v, t, view in views if view.printed and view.fields}
        return precision.units(self._frame, SCORE, own)

    @cached_property
    def _printed(self) -> NDArray[np.bool_]:
        """By version, whether scores stand in the file."""
        return np.array([self.view(v).printed for v in range(len(self._bounds) - 1)], dtype=bool)

    @cached_property
    def _lower(self) -> NDArray[np.bool_]:
        """By version, whether a lower number is better."""
        return np.array([self.view(v).direction == "lower" for v in range(len(self._bounds) - 1)])

    @cached_property
    def _reaches(self) -> list[Fraction | None]:
        """By version, how far apart in ticks two scores must be to differ for certain."""
        n = len(self._bounds) - 1
        found: list[Fraction | None] = [
            None if self.view(v).points else Fraction(1) for v in range(n)
        ]
        made = {v: by for v in range(n) if (by := self.view(v).formula) is not None}
        heads = self._frame[self._frame["version"].isin(list(made))].drop_duplicates("version")
        for at, version in enumerate(heads["version"].tolist()):
            linear = made[version].coefficients()
            found[version] = None
            if linear is not None and version not in self._own_decimals:
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

    def tied(self, version: int, one: Row, two: Row) -> Tied:
        """Whether two ranked entries are tied under the board's own rule."""
        gap = self.measured(version, one) - self.measured(version, two)
        if gap.value < 0:
            gap = Measured(-gap.value, -gap.high, -gap.low)
        rule, band = self.rule(version), self.band(version)
        if rule == "interval":
            yes, unsure = overlap(self._frame.iloc[self._slice(version)], one.entry, two.entry)
            return Tied(gap.value == 0 or yes, unsure, gap, None, rule)
        if rule == "none" or band is None:
            return Tied(True if gap.value == 0 else None, False, gap, None, rule)
        near = Nearness(band_width(band), one.dp, self.view(version).rule.edge)
        if rule == "pairwise":
            assert one.ticks is not None and two.ticks is not None
            yes = near.tied(one.ticks, two.ticks)
        else:
            yes = one.tie_group is not None and one.tie_group == two.tie_group
        steps = self._steps(version, one, two)
        surely = all(near.surely(*step) for step in steps)
        rounding = not surely if yes else all(near.perhaps(*step) for step in steps)
        return Tied(yes, rounding, gap, band, rule)

    def _steps(self, version: int, one: Row, two: Row) -> list[tuple[int, int]]:
        """The gaps that must all lie within the band for two entries to be tied.

        In ticks, each with the units of both ends together: half of that is how uncertain it is.
        """
        assert one.ticks is not None and two.ticks is not None
        view = self.view(version)
        if view.rule.rule == "pairwise":
            return [(abs(one.ticks - two.ticks), one.unit + two.unit)]
        rows = self._slice(version)
        ticks, ranks, units = self._ticks[rows], self._ranks[rows], self._units[rows]
        ends = [(one.ticks, one.unit), (two.ticks, two.unit)]
        better, worse = sorted(ends, reverse=view.direction == "higher")
        if view.rule.rule == "chain":
            first, last = sorted((one.rank or 0, two.rank or 0))
            between = np.flatnonzero((ranks >= first) & (ranks <= last))
            both = units[between][1:] + units[between][:-1]
            gaps = np.diff(ticks[between])
            return [(abs(int(gap)), int(n)) for gap, n in zip(gaps, both, strict=True)]
        # The best entry of a group is what its group hangs on.
        group = min(one.tie_group or 0, two.tie_group or 0)
        at = np.argmax(self._groups[rows] == group)
        heads = (int(ticks[at]), int(units[at])), better
        return [(abs(tick - worse[0]), unit + worse[1]) for tick, unit in heads]

    def tied_for_first(self, version: int, row: Row) -> bool:
        """Rank above 1, but tied with rank 1 under the board's own rule."""
        rule = self.rule(version)
        if rule == "none" or row.rank in (None, 1):
            return False
        # The group of rank 1 is the first.
        return (row.tie_rank if rule in ties.WITHOUT_GROUPS else row.tie_group) == 1

    def rule(self, version: int) -> str:
        """Name of the tie rule; none for splits."""
        return self.view(version).rule.rule

    def band(self, version: int) -> str | None:
        """Printed width of the tie band in a version."""
        rule = self.view(version).rule
        return None if rule.rule == "none" else rule.band or self._said_bands.get(version)

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
        units = self._units[wanted.fillna(False).to_numpy(dtype=bool)]
        return dict(zip(part["version"].tolist(), rows_of(part, units), strict=True))

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
