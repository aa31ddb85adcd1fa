"""How did one version rank its entries by another split, or within a class?

In: a board and a version. Out: RankRows of that version alone, so that a whole history need not be
ranked for one moment. Start at OneVersion.rows().
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from history import ranks, splits
from history.claims.language.claim import Claim
from history.claims.leaf import Leaf
from history.claims.rank_rows import RankRows
from history.claims.row import Row
from history.claims.states import another
from history.frames import (
    MEASURES,
    SCORE,
    attribute_of,
    dp_of,
    pointer_of,
    text_of,
    ticks_of,
    value_of,
)

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

Texts = Mapping[str, str | None]
_CELLS = (text_of, value_of, ticks_of, dp_of, pointer_of)


class RowsOfOne(RankRows):
    """RANKS of one version.

    Args:
        scores: SCORES of that version, with all columns.
        meets: by entry, whether it belongs to the class `among`.
    """

    def __init__(
        self,
        history: BoardHistory,
        split: str | None,
        scores: pd.DataFrame,
        among: str = "",
        meets: Mapping[str, bool | None] | None = None,
    ):
        super().__init__(history, split, among)
        self._scores, self._meets = scores, meets or {}

    @cached_property
    def _version(self) -> int:
        return int(self._scores["version"].iloc[0]) if len(self._scores) else 0

    @cached_property
    def _frame(self) -> pd.DataFrame:
        view = self.view(self._version)
        # Ranking copies every column, of which a version has dozens.
        unused = set(self.history.fields) - {SCORE, *view.fields, *MEASURES}
        scores = self._scores.drop(columns=[of(field) for field in unused for of in _CELLS])
        if self.among:
            scores = scores[[self._meets.get(str(e)) is True for e in scores["entry"].tolist()]]
        return ranks.rank(
            splits.scores_of(scores.reset_index(drop=True), view),
            direction=view.direction,
            rule=view.rule,
            bands=self.history.bands(view.rule),
        )

    def _scores_of(self, fields: Sequence[str]) -> pd.DataFrame:
        return self._scores

    def rows(self, version: int) -> list[Row]:
        """All rows, put together once."""
        return self._all if version == self._version else []

    @cached_property
    def _all(self) -> list[Row]:
        return super().rows(self._version)

    @cached_property
    def _members(self) -> dict[tuple[int, str], bool | None]:
        return {(self._version, entry): meets for entry, meets in self._meets.items()}

    @cached_property
    def _everybody(self) -> RankRows:
        return RowsOfOne(self.history, self.split, self._scores)


class OneVersion:
    """One version of a board, read once."""

    def __init__(self, history: BoardHistory, version: int):
        self.history, self.version = history, version
        self._rows: dict[tuple[str | None, str], RowsOfOne] = {}

    @property
    def attributes(self) -> list[str]:
        """Attributes of its entries that a condition can ask for."""
        shadowed = {*self.history.fields, "entry", "name"}
        found = self.history.meaning_at(self.version).table.attributes
        return [name for name in found if name not in shadowed]

    @cached_property
    def scores(self) -> pd.DataFrame:
        """SCORES with every column."""
        return self.history.scores_at(self.version)

    @cached_property
    def texts(self) -> dict[str, Texts]:
        """The attributes of each entry, as printed."""
        names = self.attributes
        columns = [self.scores[attribute_of(name)].tolist() for name in names]
        cells = zip(*columns, strict=True)
        return {
            str(entry): {
                name: None if pd.isna(cell) else str(cell)
                for name, cell in zip(names, row, strict=True)
            }
            for entry, row in zip(self.scores["entry"].tolist(), cells, strict=True)
        }

    def rows(
        self, split: str | None, among: str = "", meets: Mapping[str, bool | None] | None = None
    ) -> RowsOfOne:
        """Ranks by a split, or within the class of those that `meets` says meet `among`."""
        if among and meets is None:
            raise ValueError(f"who meets {among} is not told")
        if (split, among) not in self._rows:
            self._rows[split, among] = RowsOfOne(self.history, split, self.scores, among, meets)
        return self._rows[split, among]

    def leaf(
        self, like: Leaf, claim: Claim, meets: Mapping[str, bool | None] | None = None
    ) -> Leaf:
        """Another claim about the same entries of this version; `meets` as for rows()."""
        said = replace(claim, subject=like.claim.subject, other=like.claim.other)
        return another(like, said, rows=self.rows(claim.split, claim.filter, meets))
