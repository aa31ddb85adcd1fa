"""What does one version say of one entry's place?

In: RANKS. Out: Rows. Start at Table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, text_of, ticks_of

NONE = -(2**62)  # stands for a number that is not there


@dataclass(frozen=True, slots=True)
class Row:
    """One entry in one version.

    Attributes:
        rank, tie_rank, tie_group, published: None where there is none.
        ticks: score in units of 10**-dp; None where there is none.
        unit: how many ticks its last printed decimal is.
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
    unit: int
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


class Table:
    """RANKS as plain columns, of which one row at a time is asked for.

    Args:
        frame: RANKS, by version and best first.
        units: how many ticks the last printed decimal of each score is.

    Attributes:
        version, rank, tie_rank, group, published, dp: of each row; NONE where there is none.
        ticks: int64, or Python's integers where they have more digits; 0 where there is none.
        reason: why a row is unranked, as a number; -1 where it is not.
    """

    def __init__(self, frame: pd.DataFrame, units: NDArray[np.int64]):
        self.units = units
        self.version = frame["version"].to_numpy()
        names = ("rank", "tie_rank", "tie_group", "rank_published", dp_of(SCORE))
        self.rank, self.tie_rank, self.group, self.published, self.dp = (
            frame[name].to_numpy(dtype=np.int64, na_value=NONE) for name in names
        )
        column = frame[ticks_of(SCORE)]
        self.has_ticks = column.notna().to_numpy()
        if column.dtype == object:
            known = zip(column, self.has_ticks, strict=True)
            self.ticks = np.array([int(t) if yes else 0 for t, yes in known], dtype=object)
        else:
            self.ticks = column.to_numpy(dtype=np.int64, na_value=0)
        self.reason, self._reasons = _coded(frame["unranked"])
        self._texts, self._printed = _coded(frame[text_of(SCORE)])
        self._codes, self._names = _coded(frame["entry"])
        self._entries = {entry: code for code, entry in enumerate(self._names)}
        self._order = np.argsort(self._codes, kind="stable")
        counts = np.bincount(self._codes, minlength=len(self._names))
        self._starts = np.concatenate([[0], np.cumsum(counts)])

    def of_entry(self, entry: str) -> NDArray[np.intp]:
        """Where the rows of an entry are, oldest version first."""
        code = self._entries.get(entry)
        if code is None:
            return self._order[:0]
        return self._order[self._starts[code] : self._starts[code + 1]]

    def entry(self, at: int) -> str:
        """Whose row it is."""
        return self._names[self._codes[at]]

    def places(self, kind: str) -> NDArray[np.int64]:
        """Ranks of the wanted kind: score, tie or published."""
        return {"score": self.rank, "tie": self.tie_rank, "published": self.published}[kind]

    def row(self, at: int) -> Row:
        """One row."""
        reason, text = int(self.reason[at]), int(self._texts[at])
        return Row(
            entry=self.entry(at),
            rank=_known(self.rank[at]),
            tie_rank=_known(self.tie_rank[at]),
            tie_group=_known(self.group[at]),
            published=_known(self.published[at]),
            ticks=int(self.ticks[at]) if self.has_ticks[at] else None,
            dp=_known(self.dp[at]) or 0,
            unit=int(self.units[at]),
            text=None if text < 0 else self._printed[text],
            unranked=None if reason < 0 else self._reasons[reason],
        )


def _coded(column: pd.Series) -> tuple[NDArray[np.integer], list[str]]:
    """A number per row, -1 where there is no text, and the text of each number."""
    texts = column.astype("category").cat
    return texts.codes.to_numpy(), [str(text) for text in texts.categories.tolist()]


def _known(number: np.int64) -> int | None:
    return None if number == NONE else int(number)
