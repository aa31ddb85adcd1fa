"""Do the causes of all moves of the real histories add up, and are they those of all hybrid boards?

In: a folder with the seven `*.bundle` files. Out: for every board that they hold, its moves, how
many of them do not add up, and of a sample how many differ from a slow reference that builds every
hybrid board. Exit code 1 if one does. The definitions are those of tests.tools.bundles.

    python -m tests.tools.causes FOLDER
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from history.frames import SCORE, dp_of, ticks_of
from history.moves import MoveHistory
from history.moves.causes import ALL, Causes, causes_of, places
from history.moves.shapley import UNIT
from history.moves.sides import Sides
from history.pipeline import BoardHistory, open_board
from tests.reference import moves as reference
from tests.reference.moves import Row
from tests.tools.bundles import bundle_of, tracked
from tests.tools.compare_leaders import put_definition, ranktrail

SAMPLE = 500  # moves of each bundle
SEED = 20261130


class Tested:
    """All moves of one board."""

    def __init__(self, board: BoardHistory, split: str | None):
        self.name = board.name + (f" ({split})" if split else "")
        self.moves: MoveHistory = board.moves(split)
        table = board.rank_history(split)
        self._rows = dict(list(table.groupby("version")))
        self.makings = self.moves.makings
        self.kinds: Counter[str] = Counter()
        self.wrong = 0
        self.moved: list[tuple[int, int, str]] = []
        for before, after in pairwise(self.moves.readable):
            self._add(before, after)

    def _add(self, before: int, after: int) -> None:
        sides = self.moves.sides(before, after)
        found = causes_of(sides)
        change = sides.ranks[1, found.targets] - sides.ranks[0, found.targets]
        total = found.total()
        self.wrong += int((total.sum(axis=0) != UNIT * change).sum())
        interesting = (change != 0) | (total != 0).any(axis=0)
        for place in np.flatnonzero(interesting).tolist():
            name = self.moves.names[sides.entries[found.targets[place]]]
            self.moved.append((before, after, name))
        self.kinds[sides.scale] += int(interesting.sum())

    def differs(self, before: int, after: int, entry: str) -> bool:
        """Whether the causes of one move are others than those of all hybrid boards."""
        sides = self.moves.sides(before, after)
        found = causes_of(sides)
        told = self._told(found, entry)
        old, new = (self._version(v, sides, side) for side, v in enumerate((before, after)))
        if sides.scale == "apart":
            shift = (sides.shift or Fraction(0)) / Fraction(10) ** sides.dp
            expected = reference.causes_apart(old, new, entry, shift)
        else:
            expected = reference.causes(old, new, entry)
        return told != {cause: expected.get(cause, Fraction(0)) for cause in ALL}

    def _told(self, found: Causes, entry: str) -> dict[str, Fraction]:
        names = [self.moves.names[n] for n in found.sides.entries[found.targets]]
        column = found.total()[:, names.index(entry)]
        return {cause: places(int(share)) for cause, share in zip(ALL, column, strict=True)}

    def _version(self, version: int, sides: Sides, side: int) -> dict[str, Row]:
        """One version from RANKS, on the scale of the larger numbers of both."""
        table = self._rows.get(version)
        sign = -1 if self.makings[version].direction == "lower" else 1
        power = abs(sides.rescaled) if (sides.rescaled > 0) == (side == 0) else 0
        rows = {}
        for row in [] if table is None else table.to_dict("records"):
            why, tick = row["unranked"], row[ticks_of(SCORE)]
            eligible = why != "ineligible"
            score = None
            if not pd.isna(tick) and (pd.isna(why) or not eligible):
                score = (
                    sign * Fraction(int(tick)) * Fraction(10) ** (power - int(row[dp_of(SCORE)]))
                )
            rows[str(row["entry"])] = Row((score, score), eligible)
        return rows


def tested(board: BoardHistory) -> Iterator[Tested]:
    """The board's own score, or its splits where it has none."""
    yield Tested(board, None)
    for split in board.split_names:
        yield Tested(board, split)


def main() -> int:
    """Test all boards, print a line for each, and say with the exit code whether all is right."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args()
    chance = random.Random(SEED)
    wrong = 0
    print(f"{'board':<44}{'versions':>9}{'moves':>9}{'editions':>9}{'not adding up':>14}")
    of_bundle: dict[str, list[Tested]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        store, definitions = Path(temporary, "store"), dict(tracked())
        for name, text in definitions.items():
            put_definition(store, name, chosen.folder / f"{bundle_of(name)}.bundle", text)
        ranktrail(store, "crawl")
        for name in definitions:
            for one in tested(open_board(store, name)):
                of_bundle.setdefault(str(bundle_of(name)), []).append(one)
                wrong += one.wrong
                size, apart = len(one.moved), one.kinds["apart"]
                print(
                    f"{one.name:<44}{len(one.moves.readable):>9}{size:>9}{apart:>9}{one.wrong:>14}"
                )
        for bundle, boards in of_bundle.items():
            moves = [(one, move) for one in boards for move in one.moved]
            sample = chance.sample(moves, min(SAMPLE, len(moves)))
            differ = [(one.name, *move) for one, move in sample if one.differs(*move)]
            wrong += len(differ)
            print(
                f"{bundle}: {len(sample)} of {len(moves)} moves held against all hybrid boards, "
                f"{len(differ)} differ {differ[:3] or ''}"
            )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
