"""What does one version say of one entry's place?

In: RANKS. Out: Rows. Start at rows_of().
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, text_of, ticks_of


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


def rows_of(frame: pd.DataFrame, units: NDArray[np.int64]) -> list[Row]:
    """Rows of RANKS; `units`: how many ticks the last printed decimal of each is."""

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
        units.tolist(),
        texts(text_of(SCORE)),
        texts("unranked"),
        strict=True,
    )
    return [
        Row(str(entry), rank, tie_rank, group, published, ticks, dp or 0, unit, text, unranked)
        for entry, rank, tie_rank, group, published, ticks, dp, unit, text, unranked in columns
    ]
