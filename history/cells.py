"""Where does a number stand: in which file, at which commit, at which place?

In: what was read of one board. Out: a Cell. Start at Cells.cell().
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from history.frames import SCORE, pointer_of, text_of
from history.standing import Cell

# Printed text, pointer, and the file where each entry has its own.
Place = tuple[str | None, str | None, str | None]


class Cells:
    """The cells of one board.

    Args:
        board: its name.
        label: what its numbers are worth as evidence.
        readings: READINGS.
        ranks: RANKS that were asked for before, by split, tie rule and class; they grow.
        read: SCORES of one version and field, where no RANKS have them.
    """

    def __init__(
        self,
        board: str,
        label: str,
        readings: pd.DataFrame,
        ranks: Mapping[tuple[str | None, Any, str], pd.DataFrame],
        read: Callable[[int, str], pd.DataFrame],
    ):
        self._board, self._label, self._readings = board, label, readings
        self._ranks, self._read = ranks, read
        self._known: dict[tuple[int, str], dict[str, Place]] = {}

    def cell(self, version: int, entry: str | None, field: str) -> Cell:
        """Where a number stands; text and pointer are None if it is not there.

        Args:
            version: number of the version.
            entry: whose number; None for the rows as a whole.
            field: the score, or a part.
        """
        path, pointer, commit, at = self._files[version]
        text = None
        if entry is not None:
            text, where, own_path = self._of_version(version, field).get(entry, (None, None, None))
            path, pointer = own_path or path, where or pointer
        return Cell(self._board, commit, at, path, pointer, text, entry, field, self._label)

    @cached_property
    def _files(self) -> dict[int, tuple[str, str | None, str, pd.Timestamp]]:
        """By version: path of the file, pointer of its rows, commit and its time."""
        names = ("version", "path", "rows_pointer", "commit", "committed_at")
        return {
            version: (str(path), None if pd.isna(pointer) else str(pointer), str(commit), at)
            for version, path, pointer, commit, at in zip(
                *(self._readings[name] for name in names), strict=True
            )
        }

    def _of_version(self, version: int, field: str) -> dict[str, Place]:
        """One column of one version, by entry; an answer shows several of its cells."""
        if (version, field) not in self._known:
            read = self._ranked(version, field)
            table = self._read(version, field) if read is None else read
            names = [text_of(field), pointer_of(field), *(["path"] if "path" in table else [])]
            cells = zip(*(_texts(table[name]) for name in names), strict=True)
            padded = ((*cell, None)[:3] for cell in cells)
            self._known[version, field] = dict(zip(map(str, table["entry"]), padded, strict=True))
        return self._known[version, field]

    def _ranked(self, version: int, field: str) -> pd.DataFrame | None:
        for (split, _, among), ranks in self._ranks.items():
            # In the ranks of a split, score.* are the split's own numbers.
            own = not among and (split is None or field != SCORE)
            if own and {text_of(field), pointer_of(field)} <= set(ranks.columns):
                start, stop = np.searchsorted(ranks["version"].to_numpy(), [version, version + 1])
                names = ["entry", text_of(field), pointer_of(field)]
                names += ["path"] if "path" in ranks else []
                return ranks.iloc[start:stop][names]
        return None


def _texts(column: pd.Series) -> list[str | None]:
    """The texts of a few rows; of a column of categories only those that the rows have.

    >>> _texts(pd.Series(["71.2", None], dtype="category"))
    ['71.2', None]
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        column = pd.Series(column.cat.categories.take(codes), dtype=object).where(codes >= 0)
    return [cell if isinstance(cell, str) else None for cell in column.tolist()]
