"""Who would be first without one of the parts, or with some of them only?

In: a Composite. Out: one Case per part left out, and how often each entry leads over all sets of
parts. Start at drop_one(). Means are exact, with the weights of the parts that stay renormalised
to 1; methods section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.numbers import Interval
from history.ranks import convention_ranks
from history.robustness.composite import Composite

MOST_PARTS = 12  # 4,095 sets of parts
_STEP = 512
_INT64_SAFE = 2**62


class Place(NamedTuple):
    """Everybody with one mean.

    Attributes:
        rank: competition rank.
        entries: in code-point order.
        mean: weighted mean of the parts that stay, turned so that higher is better.
    """

    rank: int
    entries: tuple[str, ...]
    mean: Fraction


@dataclass(frozen=True)
class Case:
    """The ranking without one part.

    Attributes:
        dropped: the part; None: with all.
        means: per entry, in the order of the composite.
        ranks: competition rank per entry.
        top: the best three places.
        gap: between the first and the next entry, 0 where first place is shared.
        gap_range: what the unprinted digits of the parts leave possible for it.
        decidable: whether one entry is first whatever the unprinted digits are.
    """

    dropped: str | None
    means: tuple[Fraction, ...]
    ranks: tuple[int, ...]
    top: tuple[Place, ...]
    gap: Fraction
    gap_range: Interval
    decidable: bool

    @property
    def first(self) -> tuple[str, ...]:
        """Who is first."""
        return self.top[0].entries


class Leads(NamedTuple):
    """How often one entry is first.

    Attributes:
        entry: its key.
        alone, shared: in how many sets of parts.
    """

    entry: str
    alone: int
    shared: int


@dataclass(frozen=True)
class Subsets:
    """All non-empty sets of parts, each with its weights renormalised to 1.

    Attributes:
        n: how many sets.
        leads: who ever is first, most often first, then by key.
    """

    n: int
    leads: tuple[Leads, ...]


def drop_one(composite: Composite) -> tuple[Case, ...]:
    """The ranking with all parts, then without each.

    >>> table = np.array([[800, 600], [700, 705]])
    >>> made = Composite(("fern", "moss"), ("a", "b"), (Fraction(1, 2),) * 2, table, table * 0 + 1, 1)
    >>> [(case.dropped, case.first, float(case.gap), case.decidable) for case in drop_one(made)]
    [(None, ('moss',), 0.25, True), ('a', ('moss',), 10.5, True), ('b', ('fern',), 10.0, True)]
    """
    every = range(len(composite.parts))
    kept = [list(every), *([k for k in every if k != gone] for gone in every)]
    names = [None, *composite.parts]
    return tuple(_case(composite, *pair) for pair in zip(names, kept, strict=True))


def under(composite: Composite, weights: Sequence[Fraction]) -> Case:
    """The ranking with all parts under other weights, which are renormalised to 1.

    Args:
        composite: entries and parts.
        weights: of the parts, in their order.

    Raises:
        ValueError: one is below 0, or all are 0.

    >>> table = np.array([[800, 600], [700, 705]])
    >>> made = Composite(("fern", "moss"), ("a", "b"), (Fraction(1, 2),) * 2, table, table * 0 + 1, 1)
    >>> under(made, [Fraction(3), Fraction(1)]).first
    ('fern',)
    """
    total = sum(weights, Fraction(0))
    if total <= 0 or min(weights) < 0:
        raise ValueError("weights are 0 or more, and one of them is above 0")
    shares = tuple(weight / total for weight in weights)
    return _case(replace(composite, weights=shares), None, list(range(len(shares))))


def _case(composite: Composite, dropped: str | None, kept: Sequence[int]) -> Case:
    whole, _ = composite.whole_weights()
    weights = [whole[k] for k in kept]
    unit = Fraction(1, sum(weights) * 10**composite.dp)
    sums = [_dot(weights, row[kept]) for row in composite.ticks]
    reach = [Fraction(_dot(weights, row[kept]), 2) for row in composite.units]
    ranks = [int(r) for r in convention_ranks(pd.Series(sums, dtype=object)).tolist()]
    top = _top(composite.entries, sums, ranks, unit)
    leader = ranks.index(1)
    rivals = [n for n in range(len(sums)) if n != leader]
    # Of equal rivals the one with the fewest digits leaves most open.
    second = max(rivals, key=lambda n: (sums[n], reach[n]))
    gap = Interval.around(sums[leader] - sums[second], reach[leader] + reach[second])
    decidable = all(sums[leader] - sums[n] > reach[leader] + reach[n] for n in rivals)
    return Case(
        dropped=dropped,
        means=tuple(total * unit for total in sums),
        ranks=tuple(ranks),
        top=top,
        gap=gap.middle * unit,
        gap_range=Interval(gap.low * unit, gap.high * unit),
        decidable=decidable,
    )


def _dot(weights: Sequence[int], ticks: NDArray[Any]) -> int:
    """An exact sum of products, of any length."""
    return sum(weight * int(tick) for weight, tick in zip(weights, ticks, strict=True))


def _top(
    entries: Sequence[str], sums: Sequence[int], ranks: Sequence[int], unit: Fraction
) -> tuple[Place, ...]:
    """The best three places."""
    by_rank: dict[int, list[int]] = {}
    for place, rank in enumerate(ranks):
        by_rank.setdefault(rank, []).append(place)
    return tuple(
        Place(rank, tuple(entries[n] for n in by_rank[rank]), sums[by_rank[rank][0]] * unit)
        for rank in sorted(by_rank)[:3]
    )


def subsets(composite: Composite, most_parts: int = MOST_PARTS) -> Subsets | None:
    """How often each entry is first over all non-empty sets of parts; None for too many parts."""
    k = len(composite.parts)
    if k > most_parts:
        return None
    sets = (np.arange(1, 2**k)[:, None] >> np.arange(k)) & 1
    whole, _ = composite.whole_weights()
    most = max(int(abs(composite.ticks).max(initial=0)), 1) * sum(whole)
    kind: Any = np.int64 if most < _INT64_SAFE else object
    table = (composite.ticks.astype(kind) * np.array(whole, dtype=kind)).T
    alone = np.zeros(len(composite.entries), dtype=np.int64)
    shared = np.zeros(len(composite.entries), dtype=np.int64)
    for start in range(0, len(sets), _STEP):
        sums = sets[start : start + _STEP].astype(kind) @ table
        leads = sums == sums.max(axis=1, keepdims=True)
        one = leads.sum(axis=1) == 1
        alone += leads[one].sum(axis=0)
        shared += leads[~one].sum(axis=0)
    found = [
        Leads(entry, int(mine), int(ours))
        for entry, mine, ours in zip(composite.entries, alone, shared, strict=True)
        if mine or ours
    ]
    found.sort(key=lambda one: (-one.alone - one.shared, one.entry))
    return Subsets(len(sets), tuple(found))
