"""What did an entry's row say in the version before?

In: SCORES and READINGS. Out: Steps, the rows of every entry one after the other, so that one
step of every entry is a comparison of neighbours. Start at Steps.of().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import READABLE, pointer_of, text_of, value_of

# Smaller changes, as a share of the number, are the noise of floats written in full.
NOISE = 1e-6

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Steps:
    """The rows of every entry in order of time, entry after entry.

    Attributes:
        scores: SCORES by entry, then version; a fresh index.
        fields: `score`, then the parts.
        place: of each row, the number of its version among the readable ones, from 0.
        same: where the row above is of the same entry.
        next_to: where the row above is of the same entry in the readable version before.
        versions, commits: of each place, the version and the first eight digits of its commit.
        partial: of each place, whether rows of the file were left out: who is not listed there may
            be in the file.
        absent: of each place, whether there is no file.
        announced: of each place, whether the file gives itself another edition than before (an
            absence has that of the file before it), or a [[since]] of the definition begins.
    """

    scores: pd.DataFrame
    fields: Sequence[str]
    place: Places
    same: Mask
    next_to: Mask
    versions: NDArray[np.int64]
    commits: Sequence[str]
    partial: Mask
    absent: Mask
    announced: Mask
    _rarity: dict[str, Places] = field(default_factory=dict, repr=False)
    _picked: dict[str, NDArray[np.object_]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, scores: pd.DataFrame, readings: pd.DataFrame, fields: Sequence[str]) -> Steps:
        """Order SCORES; what stands in versions that cannot be read is left out."""
        known = readings[readings["reading"].isin(READABLE)]
        versions = known["version"].to_numpy(np.int64)
        places = np.searchsorted(versions, scores["version"].to_numpy())
        there = places < len(versions)
        there[there] = versions[places[there]] == scores["version"].to_numpy()[there]
        codes, _ = pd.factorize(scores["entry"])
        order = np.lexsort((places, codes))
        order = order[there[order]]
        codes, place = codes[order], places[order].astype(np.int64)
        same = np.zeros(len(order), dtype=bool)
        same[1:] = codes[1:] == codes[:-1]
        next_to = same.copy()
        next_to[1:] &= place[1:] == place[:-1] + 1
        absent = known["reading"].eq("absent")
        edition = known["edition"].fillna("").astype(str).mask(absent).ffill().fillna("")
        said = edition + "\n" + known["stage"].fillna("").astype(str)
        announced = (said != said.shift()).to_numpy(dtype=bool, copy=True)
        announced[:1] = False
        return cls(
            scores=scores.take(order).reset_index(drop=True),
            fields=fields,
            place=place,
            same=same,
            next_to=next_to,
            versions=versions,
            commits=[str(commit)[:8] for commit in known["commit"]],
            partial=known["reading"].eq("partial").to_numpy(dtype=bool),
            absent=absent.to_numpy(dtype=bool),
            announced=announced,
        )

    @property
    def stays(self) -> Mask:
        """Where the same entry has a row in the next readable version, too."""
        stays = np.zeros(len(self.next_to), dtype=bool)
        stays[:-1] = self.next_to[1:]
        return stays

    def values(self, name: str) -> Floats:
        """A field as floats; NaN where there is no finite number."""
        values = self.scores[value_of(name)].to_numpy(dtype=np.float64, copy=True)
        values[~np.isfinite(values)] = np.nan
        return values

    def before(self, values: Floats, only_next: bool = True) -> Floats:
        """What the row above says, where it is of the same entry (and of the version before)."""
        shifted = np.full(len(values), np.nan)
        shifted[1:] = values[:-1]
        shifted[~(self.next_to if only_next else self.same)] = np.nan
        return shifted

    def rarity(self, name: str) -> Places:
        """How many rows of its version print each row's number of a field; 0 where it is none."""
        if name not in self._rarity:
            values = self.values(name)
            order = np.lexsort((values, self.place))
            place, value = self.place[order], values[order]
            new = np.ones(len(order), dtype=bool)
            new[1:] = (place[1:] != place[:-1]) | (value[1:] != value[:-1])
            sizes = np.zeros(len(order), dtype=np.int64)
            run = np.cumsum(new) - 1
            sizes[order] = np.bincount(run)[run]
            self._rarity[name] = np.where(np.isnan(values), 0, sizes)
        return self._rarity[name]

    def count(self, rows: Mask) -> Places:
        """Rows of a mask by place."""
        return np.bincount(self.place[rows], minlength=len(self.versions))

    def entry(self, row: int) -> str:
        """Whose row it is."""
        return str(self._cells("entry")[row])

    def text(self, row: int, field: str) -> str:
        """The printed number of one row."""
        text = self._cells(text_of(field))[row]
        return "no number" if pd.isna(text) else str(text).strip()

    def pointer(self, row: int, field: str) -> str | None:
        """Where a number stands in the file."""
        pointer = self._cells(pointer_of(field))[row]
        return None if pd.isna(pointer) else str(pointer)

    def _cells(self, column: str) -> NDArray[np.object_]:
        """A column to pick single cells from, which of a frame is slow."""
        if column not in self._picked:
            self._picked[column] = self.scores[column].to_numpy(dtype=object)
        return self._picked[column]


def differ(one: Floats, other: Floats) -> Mask:
    """Where two numbers are there and are not the same.

    >>> differ(np.array([71.5, 71.5, np.nan]), np.array([71.5, 71.6, 1.0])).tolist()
    [False, True, False]
    """
    with np.errstate(invalid="ignore"):
        far = np.abs(one - other) > NOISE * np.maximum(np.abs(one), np.abs(other))
    return np.asarray(far & ~np.isnan(one) & ~np.isnan(other))
