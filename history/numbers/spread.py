"""How far may a score be off, as its file says?

In: the cells that a definition names as low, high or se, and the scores. Out: Numbers. Start at
SpreadReader. Cells hold the numbers themselves, or stand as "71.2 ± 0.8", "+3/-5" or
"71.2 [70.4, 72.0]" and hold all three.
"""

from __future__ import annotations

from collections.abc import Sequence

from history.numbers.column import ColumnReader, Numbers, printed
from history.numbers.marks import Spread
from history.numbers.printed import Printed, parse


class SpreadReader:
    """Reads low, high or se, version by version.

    Args:
        field: low, high or se.
        missing, shift: as for the score, see ColumnReader.
        own: whether the column is that of the score, whose bare numbers are scores.
    """

    def __init__(self, field: str, missing: frozenset[str], shift: int, *, own: bool):
        self._field, self._missing, self._own = field, missing, own
        self._numbers = ColumnReader(missing, None, shift)

    def read(self, texts: Sequence[str | None], score: Numbers) -> Numbers:
        """The numbers of one version; a gap where the file does not say.

        >>> score = Numbers(1, [712, 700], [71.2, 70.0], None)
        >>> low = SpreadReader("low", frozenset(), 0, own=True)
        >>> low.read(["71.2 ± 0.8", "70 +3/-0.25"], score).values
        [70.4, 69.75]
        """
        cells = printed(texts, self._missing)
        spreads = [cell.spread for cell in cells]
        if not self._own and not any(spreads):
            return self._numbers.read(texts)
        bare = not self._own and not any(spread and _relative(spread) for spread in spreads)
        found = [
            self._text(text if bare else None, cell)
            for text, cell in zip(texts, cells, strict=True)
        ]
        numbers = self._numbers.read(found)
        if self._field == "se":
            return numbers
        return _from_score(score, numbers, spreads, -1 if self._field == "low" else 1)

    def _text(self, bare: str | None, cell: Printed) -> str | None:
        """The number that a cell prints for this field; `bare` where it has no spread."""
        spread = cell.spread
        if spread is None:
            return bare
        if self._field != "se":
            if spread.kind == "bracket":
                return None
            return spread.down if self._field == "low" else spread.up
        if spread.kind == "even" or (spread.kind == "bracket" and not _last_digits(cell, spread)):
            return spread.up
        return None


def _relative(spread: Spread) -> bool:
    return spread.kind in ("even", "uneven")


def _last_digits(cell: Printed, spread: Spread) -> bool:
    """Whether a bracket can mean the last digits of the number: 0.712(4) is 4 or 0.004."""
    return cell.dp > 0 and parse(spread.up).dp == 0


def _from_score(
    score: Numbers, off: Numbers, spreads: Sequence[Spread | None], sign: int
) -> Numbers:
    """What is printed relative to the score, added to it exactly."""
    dp = max(score.dp, off.dp)
    of_score, of_off = 10 ** (dp - score.dp), 10 ** (dp - off.dp)
    ticks: list[int | None] = []
    for base, tick, spread in zip(score.ticks, off.ticks, spreads, strict=True):
        if tick is None or spread is None or not _relative(spread):
            ticks.append(None if tick is None else tick * of_off)
        else:
            ticks.append(None if base is None else base * of_score + sign * tick * of_off)
    unit = 10.0**-dp if dp < 0 else 10**dp
    values = [
        float("nan") if tick is None else tick * unit if dp < 0 else tick / unit for tick in ticks
    ]
    return Numbers(dp, ticks, values, off.reasons)
