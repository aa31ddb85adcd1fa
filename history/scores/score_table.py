"""How do readings become the columns of SCORES?

In: Readings, version by version. Out: an Arrow table. Start at ScoreTable. Texts are stored once
each, numbers in flat arrays, so that thousands of versions fit in memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import cast

import numpy as np
import pyarrow as pa

from history.frames import attribute_of, dp_of, pointer_of, text_of, ticks_of, value_of
from history.readings import FieldReading, Reading

# No tick of at most 18 digits can be this one, so that it can stand for a gap.
_GAP = -(2**63)
_LARGEST = 10**18
_TOGETHER = 1 << 15


class ScoreTable:
    """SCORES of some versions, growing.

    Args:
        fields: the score, parts and measures.
        attributes: texts beside them, by name.
        with_paths: whether each entry stands in a file of its own, so that SCORES name it.

    >>> table = ScoreTable(["score"])
    >>> table.finish().column_names[:4]
    ['version', 'entry', 'name', 'row']
    """

    def __init__(
        self, fields: Sequence[str], attributes: Sequence[str] = (), *, with_paths: bool = False
    ):
        self._versions = array("i")
        self._rows = array("i")
        self._entries, self._names, self._unranked = _Words(), _Words(), _Words()
        self._ranks, self._tie_ranks = _Integers(), _Integers()
        self._paths = _Words() if with_paths else None
        self._attributes = {name: _Words() for name in attributes}
        self._fields = {name: _Field() for name in fields}

    def add(self, version: int, reading: Reading) -> None:
        """Append one version."""
        size = len(reading.entries)
        if not size:
            return
        self._versions.extend(array("i", [version]) * size)
        self._rows.extend(reading.rows)
        self._entries.extend(reading.entries)
        self._names.extend(reading.names)
        self._unranked.extend(reading.unranked)
        self._ranks.extend(reading.ranks)
        self._tie_ranks.extend(reading.tie_ranks)
        if self._paths is not None:
            self._paths.extend(reading.paths or [None] * size)
        for name, words in self._attributes.items():
            words.extend(reading.attributes.get(name) or [None] * size)
        for name, field in self._fields.items():
            field.extend(reading.fields.get(name) or _gaps(size))

    def finish(self) -> pa.Table:
        """The table so far."""
        columns: dict[str, pa.Array] = {
            "version": pa.array(np.frombuffer(self._versions, dtype=np.int32)),
            "entry": self._entries.finish(),
            "name": self._names.finish(),
            "row": pa.array(np.frombuffer(self._rows, dtype=np.int32)),
            "unranked": self._unranked.finish(),
            "rank_published": self._ranks.finish(),
            "tie_rank_published": self._tie_ranks.finish(),
        }
        if self._paths is not None:
            columns["path"] = self._paths.finish()
        for name, words in self._attributes.items():
            columns[attribute_of(name)] = words.finish()
        for name, field in self._fields.items():
            columns |= field.finish(name)
        return pa.table(columns)


def _gaps(size: int) -> FieldReading:
    """A field that the definition does not name at this version."""
    gaps: list[None] = [None] * size
    return FieldReading(gaps, gaps, [float("nan")] * size, 0, gaps)


class _Field:
    """The five columns of one field."""

    def __init__(self) -> None:
        self.texts, self.pointers = _Words(), _Words()
        self.values, self.dps = array("d"), array("b")
        self.ticks = _Integers()

    def extend(self, reading: FieldReading) -> None:
        self.texts.extend(reading.texts)
        self.pointers.extend(reading.pointers)
        self.values.extend(array("d", reading.values))
        self.dps.extend(array("b", [reading.dp]) * len(reading.values))
        self.ticks.extend(reading.ticks)

    def finish(self, name: str) -> dict[str, pa.Array]:
        return {
            text_of(name): self.texts.finish(),
            value_of(name): pa.array(np.frombuffer(self.values), from_pandas=True),
            ticks_of(name): self.ticks.finish(),
            dp_of(name): pa.array(np.frombuffer(self.dps, dtype=np.int8)),
            pointer_of(name): self.pointers.finish(),
        }


class _Words:
    """A column of texts, each stored once.

    They are kept as Python gives them for a while and then converted together: one by one costs
    more than all the rest of reading. What is the very column of the version before, as keys
    and pointers mostly are, is not even kept twice.
    """

    def __init__(self) -> None:
        self._waiting: list[str | None] = []
        self._done: list[pa.Array] = []
        self._last: Sequence[str | None] = ()
        self._size = 0
        self._starts, self._lengths = array("q"), array("q")

    def extend(self, texts: Sequence[str | None]) -> None:
        if texts is self._last and self._starts:
            self._starts.append(self._starts[-1])
        else:
            self._last = texts
            self._starts.append(self._size)
            self._size += len(texts)
            self._waiting.extend(texts)
            if len(self._waiting) >= _TOGETHER:
                self._convert()
        self._lengths.append(len(texts))

    def _convert(self) -> None:
        self._done.append(pa.array(self._waiting, pa.string()))
        self._waiting = []

    def finish(self) -> pa.Array:
        self._convert()
        # Encoded together, all pieces get one dictionary.
        kept = pa.chunked_array(self._done).dictionary_encode().combine_chunks()
        if sum(self._lengths) == self._size:
            return kept
        codes = kept.indices.fill_null(-1).to_numpy()
        parts = [
            codes[start : start + length]
            for start, length in zip(self._starts, self._lengths, strict=True)
        ]
        column = np.concatenate(parts)
        return pa.DictionaryArray.from_arrays(pa.array(column, mask=column < 0), kept.dictionary)


class _Integers:
    """A column of whole numbers with gaps; texts of them once one has more than 18 digits."""

    def __init__(self) -> None:
        self._column = array("q")
        self._wide: list[int | None] | None = None
        self._last: tuple[Sequence[int | None], array[int]] = ((), array("q"))

    def extend(self, numbers: Sequence[int | None]) -> None:
        last, column = self._last
        if numbers is not last:
            gaps = None in numbers
            known = [n for n in numbers if n is not None] if gaps else cast(list[int], numbers)
            if known and (max(known) >= _LARGEST or min(known) <= -_LARGEST):
                self._widen()
            else:
                column = array("q", [_GAP if n is None else n for n in numbers] if gaps else known)
                self._last = numbers, column
        if self._wide is None:
            self._column.extend(column)
        else:
            self._wide.extend(numbers)

    def _widen(self) -> None:
        if self._wide is None:
            self._wide = [None if number == _GAP else number for number in self._column]

    def finish(self) -> pa.Array:
        if self._wide is not None:
            return pa.array([None if n is None else str(n) for n in self._wide], pa.string())
        column = np.frombuffer(self._column, dtype=np.int64)
        return pa.array(column, mask=column == _GAP)
