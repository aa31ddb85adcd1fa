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
        read: SCORES of one version with every field, where no RANKS have them.
    """

    def __init__(
        self,
        board: str,
        label: str,
        readings: pd.DataFrame,
        ranks: Mapping[tuple[str | None, Any, str], pd.DataFrame],
        read: Callable[[int], pd.DataFrame],
    ):
        self._board, self._label, self._readings = board, label, readings
        self._ranks, self._read = ranks, read
        self._known: dict[tuple[int, str], dict[str, Place]] = {}
        self._files: dict[int, tuple[str, str | None, str, pd.Timestamp]] = {}

    def cell(self, version: int, entry: str | None, field: str) -> Cell:
        """Where a number stands; text and pointer are None if it is not there.

        Args:
            version: number of the version.
            entry: whose number; None for the rows as a whole.
            field: the score, or a part.
        """
        path, pointer, commit, at = self._file(version)
        text = None
        if entry is not None:
            text, where, own_path = self._of_version(version, field).get(entry, (None, None, None))
            path, pointer = own_path or path, where or pointer
        return Cell(self._board, commit, at, path, pointer, text, entry, field, self._label)

    def _file(self, version: int) -> tuple[str, str | None, str, pd.Timestamp]:
        """Path of a version's file, pointer of its rows, commit and its time."""
        if version not in self._files:
            names = ("path", "rows_pointer", "commit", "committed_at")
            row = self._rows[version]
            cells: list[Any] = [self._readings[name].iat[row] for name in names]
            path, pointer, commit, at = cells
            shown = None if pd.isna(pointer) else str(pointer)
            self._files[version] = str(path), shown, str(commit), at
        return self._files[version]

    @cached_property
    def _rows(self) -> dict[int, int]:
        """By version, where its row of READINGS is."""
        return {version: row for row, version in enumerate(self._readings["version"].tolist())}

    def _of_version(self, version: int, field: str) -> dict[str, Place]:
        """One column of one version, by entry; an answer shows several of its cells."""
        if (version, field) not in self._known:
            read = self._ranked(version, field)
            table = self._read(version) if read is None else read
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
                versions = ranks["version"].to_numpy()
                ends = np.array([version, version + 1], dtype=versions.dtype)
                names = ["entry", text_of(field), pointer_of(field)]
                names += ["path"] if "path" in ranks else []
                return ranks.iloc[slice(*np.searchsorted(versions, ends).tolist())][names]
        return None


def _texts(column: pd.Series) -> list[str | None]:
    """The texts of a few rows.

    >>> _texts(pd.Series(["71.2", None], dtype="category"))
    ['71.2', None]
    """
    return [cell if isinstance(cell, str) else None for cell in column.tolist()]
