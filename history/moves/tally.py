"""How do the causes of several steps add up?

In: the causes of single steps. Out: for each entry, what each cause was worth in all, and through
which rivals. Start at Tally.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from history.moves.causes import ALL, CAUSES, MERGED, Causes, places
from history.moves.move import Shares


class Told(NamedTuple):
    """What is told of one entry; see `history.moves.move.Move`."""

    causes: Mapping[str, Fraction | None]
    edition: Fraction | None
    separable: bool
    fitted: bool
    rivals: tuple[tuple[str, Shares], ...]


class Tally:
    """Causes of several steps, added up.

    Args:
        names: of the entries, by number.
    """

    def __init__(self, names: Sequence[str]):
        self._names = names
        self._by_rival: dict[int, dict[int, dict[str, int]]] = defaultdict(
            lambda: defaultdict(lambda: defaultdict(int))
        )
        self._whole: dict[int, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        self._merged: set[int] = set()
        self._fitted: set[int] = set()

    def add(self, found: Causes, entries: set[int]) -> None:
        """Add one step, for some entries."""
        numbers = found.sides.entries
        targets = set(numbers[found.targets].tolist()) & entries
        self.mark(targets, separable=found.separable, fitted=found.fitted)
        rows = zip(
            found.cause.tolist(),
            numbers[found.targets[found.target]].tolist(),
            numbers[found.rival].tolist(),
            found.share.tolist(),
            strict=True,
        )
        for cause, entry, rival, share in rows:
            if entry in targets:
                self._by_rival[entry][rival][ALL[cause]] += share

    def add_whole(self, entry: int, shares: Shares) -> None:
        """Add one step of one entry that cannot be told by rival."""
        for cause, share in shares.items():
            self._whole[entry][cause] += share

    def mark(self, entries: set[int], *, separable: bool, fitted: bool) -> None:
        """Note what holds of a step of some entries, and so of the sum."""
        self._merged |= set() if separable else entries
        self._fitted |= entries if fitted else set()

    def of(self, entry: int) -> Told:
        """What was worth how many places to one entry."""
        separable = entry not in self._merged
        rivals = {
            self._names[rival]: {cause: places(share) for cause, share in shares.items() if share}
            for rival, shares in self._by_rival.get(entry, {}).items()
        }
        total: dict[str, Fraction] = defaultdict(Fraction, self._whole.get(entry, {}))
        for shares in rivals.values():
            for cause, share in shares.items():
                total[cause] += share
        told: dict[str, Fraction | None] = {cause: total[cause] for cause in CAUSES}
        edition = None
        if not separable:
            edition = _together(total)
            told |= dict.fromkeys(MERGED)
            rivals = {rival: _with_edition(shares) for rival, shares in rivals.items()}
        ordered = sorted(rivals.items(), key=_largest_first)
        return Told(
            told,
            edition,
            separable,
            entry in self._fitted,
            tuple((rival, shares) for rival, shares in ordered if shares),
        )


def _together(shares: Mapping[str, Fraction]) -> Fraction:
    """What own, others and formula are worth together."""
    return sum((shares.get(cause, Fraction(0)) for cause in (*MERGED, "edition")), Fraction(0))


def _with_edition(shares: Shares) -> Shares:
    kept = {cause: share for cause, share in shares.items() if cause not in (*MERGED, "edition")}
    edition = _together(shares)
    return kept | ({"edition": edition} if edition else {})


def _largest_first(item: tuple[str, Shares]) -> tuple[Fraction, str]:
    rival, shares = item
    return -sum((abs(share) for share in shares.values()), Fraction(0)), rival
