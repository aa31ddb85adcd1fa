"""What do the columns of numbers of one file say?

In: the cells of a file's columns. Out: Numbers by field. Start at FileNumbers. The columns of one
file are read together: they have one decimal mark, and low, high and se belong to the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from history.frames import SCORE
from history.meaning.definition import Columns
from history.numbers import NO_UNIT, Printed
from history.numbers.column import ColumnReader, Numbers, printed
from history.numbers.spread import SpreadReader
from history.numbers.whole_column import (
    is_small,
    mixed_scale,
    odd_share,
    times_100,
    two_groups,
    with_points,
    without_groups,
)
from history.readers import Cells

RANK, TIE_RANK, _ITEMS = "rank_published", "tie_rank_published", "items"


class FileNumbers:
    """Reads the numbers of one board, version by version.

    It remembers the columns of the version before, of which most cells come again.

    Args:
        columns: of the board's definition.
    """

    def __init__(self, columns: Columns):
        self._missing, shift = columns.missing, columns.shift
        self._numbers = {
            SCORE: ColumnReader(
                columns.missing, columns.decimals, shift, columns.shares, columns.rounding
            )
        }
        for name in (*columns.parts, _ITEMS, RANK, TIE_RANK):
            self._numbers[name] = ColumnReader(columns.missing, None, 0)
        self._spreads = {
            name: SpreadReader(name, columns.missing, shift, own=column == columns.score)
            for name, column in columns.measures.items()
            if name != _ITEMS
        }

    def read(
        self, cells: Mapping[str, Cells], measures: Mapping[str, Cells | None]
    ) -> dict[str, Numbers]:
        """The numbers of one version.

        Args:
            cells: of the score and the parts.
            measures: of low, high, se and items; None where the version lacks the column.
        """
        bare = {name: column.texts for name, column in cells.items()}
        if items := measures.get(_ITEMS):
            bare[_ITEMS] = items.texts
        read = {name: self._numbers[name].read(texts) for name, texts in bare.items()}
        comma = any(self._numbers[name].decimal_comma for name in bare)
        if comma:  # then it is that of all columns
            for name, texts in bare.items():
                if not self._numbers[name].decimal_comma and (plain := without_groups(texts)):
                    read[name] = self._numbers[name].read(plain)
        for name, column in measures.items():
            if column is None:
                read[name] = no_numbers(len(read[SCORE].ticks))
            elif name != _ITEMS:
                texts = with_points(column.texts) if comma else column.texts
                read[name] = self._spreads[name].read(texts, read[SCORE])
        return {name: read[name] for name in (*cells, *measures)}

    def ranks(self, name: str, cells: Cells) -> Sequence[int | None]:
        """Published ranks; None where there is no whole number."""
        read = self._numbers[name].read(cells.texts)
        one = 10**read.dp
        if one == 1:
            return read.ticks
        return [None if tick is None or tick % one else tick // one for tick in read.ticks]

    def two_scales(
        self,
        entries: Sequence[str],
        texts: Sequence[str | None],
        ticks: Sequence[int | None],
        dp: int,
    ) -> tuple[str | None, tuple[int, str] | None]:
        """Whether the ranked scores of the version just read have two scales.

        Args:
            entries, texts: whose scores they are, and as printed.
            ticks, dp: the scores; None where one is not ranked.

        Returns:
            Why they do (see mixed_scale()); else the row of a score that seems to be a share of 1
            among percentages, and why (see odd_share()).
        """
        rows, cells = self._of_two_groups(texts, ticks, dp)
        if not rows:
            return None, None
        if mixed := mixed_scale([entries[row] for row in rows], cells):
            return mixed, None
        return None, _odd_share(rows, cells)

    def _of_two_groups(
        self, texts: Sequence[str | None], ticks: Sequence[int | None], dp: int
    ) -> tuple[list[int], list[Printed]]:
        """Rows and cells of the ranked scores; none where no two scales are possible."""
        one = 10 ** max(dp, 0)
        if min(filter(None, ticks), default=0) > one:  # as mostly
            return [], []
        if not two_groups([tick for tick in ticks if tick], one):
            return [], []
        ranked = [row for row, tick in enumerate(ticks) if tick]
        said = [texts[row] for row in ranked]
        if self._numbers[SCORE].decimal_comma:
            said = with_points(said)
        return ranked, printed(said, self._missing)


def _odd_share(rows: Sequence[int], cells: Sequence[Printed]) -> tuple[int, str] | None:
    if sum(map(is_small, cells)) > 1 + sum(not cell.digits for cell in cells):  # as mostly
        return None
    numbers = {
        row: cell.value
        for row, cell in zip(rows, cells, strict=True)
        if cell.unit == NO_UNIT and cell.value is not None
    }
    share = odd_share(list(numbers.values()))
    if share is None:
        return None
    row = next(row for row, number in numbers.items() if number == share)
    highest = max(numbers.values())
    either = f"{share:f} is {share:f} or {times_100(share)}"
    return row, f"one value at most 1 among values up to {highest:f}: {either}"


def no_numbers(size: int) -> Numbers:
    """A column of gaps.

    >>> no_numbers(2).ticks
    [None, None]
    """
    return Numbers(0, [None] * size, [float("nan")] * size, None)
