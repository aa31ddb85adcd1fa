"""What did one board, or one split of it, say of an entry in a version?

A Sheet answers from RANKS row by row, fast enough to go through a whole history.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from history import formula, splits, ties
from history.claims.claim import ClaimError
from history.claims.values import Measured
from history.frames import SCORE, dp_of, text_of, ticks_of
from history.numbers import Interval
from history.scores import load_scores

if TYPE_CHECKING:
    from history.pipeline import BoardHistory


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


class Sheet:
    """RANKS of one board and split, by version and entry.

    Args:
        history: the board.
        split: None for its own score.
    """

    def __init__(self, history: BoardHistory, split: str | None):
        self.history, self.split = history, split
        self._frame = history.rank_history(split)
        self._versions = self._frame["version"].to_numpy()
        self._rows: dict[str, dict[int, Row]] = {}
        self._parts: dict[tuple[str, tuple[str, ...]], dict[int, dict[str, Measured]]] = {}
        self._rule = ties.NO_TIES if split else ties.rule_of(history.meaning)

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
        start, stop = np.searchsorted(self._versions, [version, version + 1])
        return _rows_of(self._frame.iloc[start:stop])

    def n_ranked(self, version: int) -> int:
        """Entries with a rank."""
        return self._counts.get(version, 0)

    def n_listed(self, version: int) -> int:
        """Entries that take part, with or without a rank."""
        start, stop = np.searchsorted(self._versions, [version, version + 1])
        return int(stop - start)

    def measured(self, version: int, row: Row) -> Measured:
        """An entry's number with what its unprinted digits leave open."""
        if self._formula is None:
            assert row.ticks is not None
            return Measured.of_ticks(row.ticks, row.dp)
        parts = self.parts(version, row.entry, self._formula.names)
        value = self._formula.evaluate({name: part.value for name, part in parts.items()})
        reach = self._formula.evaluate(
            {name: Interval(part.low, part.high) for name, part in parts.items()}
        )
        assert isinstance(value, Fraction) and reach is not None
        if not isinstance(reach, Interval):
            return Measured.exact(value)
        return Measured(value, reach.low, reach.high)

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

    def rank_range(self, version: int, row: Row) -> tuple[int, int]:
        """Best and worst rank that the unprinted digits leave possible."""
        sign = -1 if self.lower_is_better else 1
        others = [
            sign * (other.ticks - row.ticks)
            for other in self.rows(version)
            if other.rank
            and other.entry != row.entry
            and other.ticks is not None
            and row.ticks is not None
        ]
        # Two numbers printed one tick apart can at most be equal before rounding.
        return 1 + sum(gap > 1 for gap in others), 1 + sum(gap >= 0 for gap in others)

    def tied(self, version: int, one: Row, two: Row) -> Tied:
        """Whether two ranked entries are tied under the board's own rule."""
        gap = self.measured(version, one) - self.measured(version, two)
        if gap.value < 0:
            gap = Measured(-gap.value, -gap.high, -gap.low)
        rule, band = self._rule.rule, self.band(version)
        equal = gap.value == 0
        if rule == "none" or band is None:
            return Tied(True if equal else None, False, gap, None, rule)
        width = ties.widest_gap(band_width(band), one.dp, self._rule.edge)
        if rule == "pairwise":
            yes = abs(self._gap(one, two)) <= width
        else:
            yes = one.tie_group is not None and one.tie_group == two.tie_group
        if yes:
            rounding = gap.high > band_width(band)
        else:
            rounding = self._would_tie(version, one, two, width + 1)
        return Tied(yes, rounding, gap, band, rule)

    def tied_for_first(self, version: int, row: Row) -> bool:
        """Rank above 1, but tied with rank 1 under the board's own rule."""
        leader = self.leader(version)
        if leader is None or self._rule.rule == "none" or row.rank in (None, 1):
            return False
        if self._rule.rule == "pairwise":
            return row.tie_rank == 1
        return row.tie_group is not None and row.tie_group == leader.tie_group

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
        return {v: str(b) for v, b in pairs if not pd.isna(b) and ties.band_width(str(b))}

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

    def _gap(self, one: Row, two: Row) -> int:
        assert one.ticks is not None and two.ticks is not None
        return one.ticks - two.ticks

    def _would_tie(self, version: int, one: Row, two: Row, reach: int) -> bool:
        """Whether one tick more of reach would tie them."""
        if self._rule.rule != "chain" and abs(self._gap(one, two)) > reach:
            return False
        better, worse = sorted((one, two), key=lambda row: row.rank or 0)
        ranks = range(better.rank or 0, (worse.rank or 0) + 1)
        if self._rule.rule == "pairwise":
            return abs(self._gap(better, worse)) <= reach
        between = [row for row in self.rows(version) if row.rank in ranks]
        if self._rule.rule == "chain":
            steps = pairwise(between)
            return all(abs(self._gap(a, b)) <= reach for a, b in steps)
        head = next(row for row in self.rows(version) if row.tie_group == better.tie_group)
        return abs(self._gap(head, worse)) <= reach


def band_width(band: str) -> Fraction:
    """A printed band as an exact number.

    >>> band_width("0.9")
    Fraction(9, 10)
    """
    width = ties.band_width(band)
    assert width is not None
    return width


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
