"""What did one board, or one split of it, say of an entry in a version?

RankRows answers from RANKS row by row, fast enough to go through a whole history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history import ties
from history.claims.language.claim import ClaimError
from history.claims.language.printed import Measured
from history.claims.nearness import Nearness, Tied, band_width
from history.claims.overlap import overlap
from history.claims.reach import Reach
from history.claims.row import NONE, Row, Table
from history.classes import MEETS
from history.frames import SCORE, dp_of, ticks_of
from history.meaning import formula
from history.numbers import Interval
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
        self._places: dict[str, NDArray[np.intp]] = {}
        self._newest: tuple[int, list[Row]] = (-1, [])
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

    @cached_property
    def table(self) -> Table:
        """All rows."""
        return Table(self._frame, self._units)

    def places(self, entry: str) -> NDArray[np.intp]:
        """By version, where an entry's row is; -1 where it is not listed."""
        if entry not in self._places:
            found = np.full(len(self.bounds) - 1, -1)
            rows = self.table.of_entry(entry)
            found[self._versions[rows]] = rows
            self._places[entry] = found
        return self._places[entry]

    def row(self, version: int, entry: str) -> Row | None:
        """An entry's row; None where it is not listed."""
        at = int(self.places(entry)[version])
        return None if at < 0 else self.table.row(at)

    def meets(self, version: int, entry: str) -> bool | None:
        """Whether an entry that is listed belongs to those that are ranked here."""
        return self._members.get((version, entry)) if self.among else True

    def is_listed(self, version: int, entry: str) -> bool:
        """Whether an entry is listed, whether or not it belongs to those that are ranked here."""
        return (version, entry) in self._members if self.among else bool(self.row(version, entry))

    def unclassed(self, version: int, row: Row) -> list[str]:
        """Better entries of which the file does not say whether they belong here."""
        if version not in self.unsure_versions:
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
    def reach(self) -> Reach:
        """Which ranks the unprinted digits leave possible."""
        return Reach(self)

    @cached_property
    def _members(self) -> dict[tuple[int, str], bool | None]:
        found = self.history.members(self.among)
        keys = zip(found["version"].tolist(), found["entry"].tolist(), strict=True)
        return dict(zip(keys, found[MEETS].tolist(), strict=True))

    @cached_property
    def unsure_versions(self) -> set[int]:
        """Versions in which some entry may or may not belong here."""
        if not self.among:
            return set()
        return {version for (version, _), meets in self._members.items() if meets is None}

    @cached_property
    def _everybody(self) -> RankRows:
        return RankRows(self.history, self.split)

    def leader(self, version: int) -> Row | None:
        """Who is first; of several, the first in key order."""
        first = self.bounds[version]
        if first == self.bounds[version + 1] or self.table.rank[first] != 1:
            return None
        return self.table.row(first)

    def second(self, version: int, entry: str) -> Row | None:
        """The best of the others."""
        own = int(self.places(entry)[version])
        for at in range(*self.bounds[version : version + 2]):
            if at != own and self.table.rank[at] != NONE:
                return self.table.row(at)
        return None

    def below(self, version: int, place: int, kind: str) -> Row | None:
        """The best of those behind a place; of equal ones the first in key order."""
        rows = self._slice(version)
        places = self.table.places(kind)[rows]
        behind = places[places > place]
        if not len(behind):
            return None
        best = np.flatnonzero(places == behind.min()) + rows.start
        return self.table.row(min(best.tolist(), key=self.table.entry))

    def neighbours(self, version: int, entry: str) -> list[Row]:
        """The ranked entries right above and below one; none where it has no rank itself."""
        rows, at = self._slice(version), int(self.places(entry)[version])
        if at < 0 or self.table.rank[at] == NONE:
            return []
        beside = [n for n in (at - 1, at + 1) if rows.start <= n < rows.stop]
        return [self.table.row(n) for n in beside if self.table.rank[n] != NONE]

    def all_places(self, entry: str, kind: str) -> NDArray[np.int64]:
        """An entry's rank of the wanted kind by version; NONE where it has none."""
        at = self.places(entry)
        if not len(self.table.version):
            return np.full(len(at), NONE)
        return np.where(at < 0, NONE, self.table.places(kind)[at])

    def sharing(self, version: int, place: int, kind: str) -> list[str]:
        """All entries at one place."""
        rows = self._slice(version)
        found = np.flatnonzero(self.table.places(kind)[rows] == place) + rows.start
        return [self.table.entry(at) for at in found.tolist()]

    def dense(self, version: int, place: int) -> int:
        """The place where all who share one count once."""
        ranks = self.table.rank[self._slice(version)]
        return len(np.unique(ranks[(ranks != NONE) & (ranks <= place)]))

    def rows(self, version: int) -> list[Row]:
        """All rows of a version, best first, unranked last."""
        if self._newest[0] != version:  # mostly the same is asked for again
            found = [self.table.row(at) for at in range(*self.bounds[version : version + 2])]
            self._newest = version, found
        return self._newest[1]

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
        units = {part: self.units_of(frame, part) for part in points}
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
            frame = self._scores_of(fields)
        found = frame[frame["entry"] == entry]
        columns: dict[int, dict[str, Measured]] = {v: {} for v in found["version"].tolist()}
        for field in fields:
            cells = (found["version"], found[ticks_of(field)], found[dp_of(field)])
            for version, ticks, dp, unit in zip(*cells, self.units_of(found, field), strict=True):
                if not pd.isna(ticks):
                    columns[version][field] = Measured.of_ticks(ticks, dp, unit)
        return columns

    def _scores_of(self, fields: Sequence[str]) -> pd.DataFrame:
        """SCORES of some fields."""
        history = self.history
        return load_scores(history.store, history.board, history.meaning, fields)

    def all_measured(self, version: int) -> Iterator[tuple[str, Measured]]:
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
            for units in [self.units_of(frame, name)]
        ]
        for entry, *parts in zip(frame["entry"], *columns, strict=True):
            yield entry, _computed(made_by, dict(zip(made_by.names, parts, strict=True)))

    def heads_of(self, versions: Sequence[int]) -> pd.DataFrame:
        """The first row of RANKS of each of some versions."""
        return self._frame[self._frame["version"].isin(versions)].drop_duplicates("version")

    @property
    def own_decimals(self) -> dict[int, Columns]:
        """[table] at the versions whose numbers have decimals of their own."""
        return self.history.own_decimals

    def units_of(self, frame: pd.DataFrame, field: str) -> NDArray[np.int64]:
        """How many ticks the last decimal of a column's numbers is, by row of a frame."""
        return precision.units(frame, field, {v: (t, field) for v, t in self.own_decimals.items()})

    @cached_property
    def _units(self) -> NDArray[np.int64]:
        """The same of every row's score; what is computed has no last decimal, and 1."""
        views = ((v, t, self.view(v)) for v, t in self.own_decimals.items())
        own = {v: (t, view.fields[0]) for v, t, view in views if view.printed and view.fields}
        return precision.units(self._frame, SCORE, own)

    @cached_property
    def printed(self) -> NDArray[np.bool_]:
        """By version, whether scores stand in the file."""
        return np.array([self.view(v).printed for v in range(len(self.bounds) - 1)], dtype=bool)

    @cached_property
    def lower(self) -> NDArray[np.bool_]:
        """By version, whether a lower number is better."""
        return np.array([self.view(v).direction == "lower" for v in range(len(self.bounds) - 1)])

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
        if not yes and band_width(band) == 0 and one.unit == two.unit:
            rounding = False  # equal numbers would be printed alike
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
        ticks, ranks, units = self.table.ticks[rows], self.table.rank[rows], self._units[rows]
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
        at = np.argmax(self.table.group[rows] == group)
        heads = (int(ticks[at]), int(units[at])), better
        return [(abs(tick - worse[0]), unit + worse[1]) for tick, unit in heads]

    def tied_for_first(self, version: int, row: Row) -> bool:
        """Rank above 1, but tied with rank 1 under the board's own rule."""
        rule = self.rule(version)
        if rule == "none" or row.rank in (None, 1):
            return False
        # The group of rank 1 is the first.
        return (row.tie_rank if rule in ties.WITHOUT_GROUPS else row.tie_group) == 1

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """By version, a number for the definition and the printed band that hold."""
        seen: dict[object, int] = {}
        kinds = ((id(self.view(v)), self.band(v)) for v in range(len(self.bounds) - 1))
        return np.array([seen.setdefault(kind, len(seen)) for kind in kinds], dtype=np.int64)

    @cached_property
    def doubts(self) -> NDArray[np.int64]:
        """A number of its own for each version in which something is not known of others."""
        doubtful = {*self.history.unreadable_entries, *self.unsure_versions}
        n = len(self.bounds) - 1
        return np.array([v + 1 if v in doubtful else 0 for v in range(n)], dtype=np.int64)

    @cached_property
    def rules(self) -> set[str]:
        """Names of all tie rules that ever held."""
        return {self.rule(version) for version in range(len(self.bounds) - 1)}

    @cached_property
    def ranked(self) -> NDArray[np.int64]:
        """By version, how many entries have a rank."""
        return np.array([self.n_ranked(v) for v in range(len(self.bounds) - 1)], dtype=np.int64)

    @cached_property
    def listed(self) -> NDArray[np.int64]:
        """By version, how many entries take part."""
        return np.diff(self.bounds)

    @cached_property
    def heads(self) -> NDArray[np.intp]:
        """Of every row, the first row of its tie group."""
        table = self.table
        begins = np.ones(len(table.version), dtype=bool)
        begins[1:] = (np.diff(table.version) != 0) | (np.diff(table.group) != 0)
        return np.maximum.accumulate(np.where(begins, np.arange(len(begins)), 0))

    @cached_property
    def is_printed(self) -> bool:
        """Whether the scores stand in the file, in all versions."""
        return bool(self.printed.all())

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
    def _counts(self) -> dict[int, int]:
        starts = np.array(self.bounds[:-1], dtype=np.intp)
        listing = np.flatnonzero(self.listed)
        counts = self._frame["n_ranked"].to_numpy()[starts[listing]]
        return dict(zip(listing.tolist(), counts.tolist(), strict=True))

    def _slice(self, version: int) -> slice:
        """Where the rows of a version are, best first, unranked last."""
        return slice(self.bounds[version], self.bounds[version + 1])

    @cached_property
    def bounds(self) -> list[int]:
        """Where the rows of each version begin, and where the last one ends."""
        n = len(self.history.readings)
        return np.searchsorted(self._versions, np.arange(n + 1)).tolist()


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
