"""Who is first if each part is a voter?

In: a Composite. Out: a SocialChoice: pairwise majorities, Borda, Copeland, mean win rate and
Kemeny's order. Start at social_choice(). Each part counts as one vote, whatever its weight.

None of these is the fair rank. A weighted mean of raw scores does not depend on who else is
listed, and needs parts on one scale; every rule that looks at ranks only, respects unanimity and
is no dictatorship depends on who else is listed (Arrow 1951). They show how much the order
rests on the choice of a rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from history.robustness.composite import Composite

MOST_FOR_KEMENY = 16  # 65,536 sets of entries


class Votes(NamedTuple):
    """One entry under the rules that give points.

    Attributes:
        entry: its key.
        borda: rivals beaten, summed over the parts; equal ones count half.
        borda_rank: competition rank by it.
        copeland: rivals that it beats in more parts than they beat it; level ones count half.
        win_rate: share of all comparisons won, equal ones half: borda / (parts * rivals).
    """

    entry: str
    borda: Fraction
    borda_rank: int
    copeland: Fraction
    win_rate: Fraction


class Kemeny(NamedTuple):
    """The order that agrees with most votes on pairs.

    Attributes:
        order: entries, best first; of several equally good orders one of them.
        agrees: votes on pairs that it agrees with.
        of: votes on pairs that prefer one of the two.
        orders: how many orders agree with as many.
    """

    order: tuple[str, ...]
    agrees: int
    of: int
    orders: int


@dataclass(frozen=True)
class SocialChoice:
    """Parts as voters.

    Attributes:
        entries: the keys that rows and columns of `wins` stand for.
        wins: in how many parts the row's entry is better than the column's, (n, n).
        n_parts: how many votes there are.
        votes: by Borda points, most first, then by key.
        condorcet: who beats every other entry in more parts than it is beaten; None if nobody.
        kemeny: None for more than MOST_FOR_KEMENY entries: it was not computed.
    """

    entries: tuple[str, ...]
    wins: NDArray[np.int64]
    n_parts: int
    votes: tuple[Votes, ...]
    condorcet: str | None
    kemeny: Kemeny | None

    def majority(self, entry: str, other: str) -> tuple[int, int]:
        """In how many parts one entry is better than another, and the other way round."""
        mine, theirs = self.entries.index(entry), self.entries.index(other)
        return int(self.wins[mine, theirs]), int(self.wins[theirs, mine])


def social_choice(composite: Composite) -> SocialChoice:
    """Every rule at once.

    >>> table = np.array([[800, 600, 500], [700, 705, 600]])
    >>> made = Composite(("fern", "moss"), tuple("abc"), (Fraction(1, 3),) * 3, table, table * 0 + 1, 1)
    >>> found = social_choice(made)
    >>> found.condorcet, found.majority("moss", "fern"), found.kemeny.order
    ('moss', (2, 1), ('moss', 'fern'))
    """
    n, k = len(composite.entries), len(composite.parts)
    wins = np.zeros((n, n), dtype=np.int64)
    for part in range(k):
        values = composite.ticks[:, part]
        wins += (values[:, None] > values[None, :]).astype(np.int64)
    # Level: neither is better. On the diagonal all are, which is taken out again.
    twice = (2 * wins + (k - wins - wins.T)).sum(axis=1) - k
    ahead, level = wins > wins.T, wins == wins.T
    copeland = 2 * ahead.sum(axis=1) + level.sum(axis=1) - 1
    votes = [
        Votes(
            entry=entry,
            borda=Fraction(int(twice[place]), 2),
            borda_rank=1 + int((twice > twice[place]).sum()),
            copeland=Fraction(int(copeland[place]), 2),
            win_rate=Fraction(int(twice[place]), 2 * k * (n - 1)),
        )
        for place, entry in enumerate(composite.entries)
    ]
    winners = np.flatnonzero(ahead.sum(axis=1) == n - 1)
    return SocialChoice(
        entries=composite.entries,
        wins=wins,
        n_parts=k,
        votes=tuple(sorted(votes, key=lambda one: (-one.borda, one.entry))),
        condorcet=composite.entries[winners[0]] if len(winners) else None,
        kemeny=kemeny(wins, composite.entries) if n <= MOST_FOR_KEMENY else None,
    )


def kemeny(wins: NDArray[np.int64], entries: tuple[str, ...]) -> Kemeny:
    """The order of entries that agrees with most votes on pairs, exactly.

    The best order of a set of entries ends in some entry, behind the best order of the others:
    best(S) = max over i in S of best(S - i) + votes of S - i for standing before i. All sets of
    one size are worked out at once. Time and memory n * 2^n.

    Source: Kemeny (1959), Mathematics without numbers; the recursion is Held and Karp's (1962).

    Args:
        wins: as in SocialChoice.
        entries: their keys, at most MOST_FOR_KEMENY.
    """
    n = len(entries)
    sets = np.arange(2**n)
    # before[i][S]: votes of the members of S for standing before i.
    before = np.zeros((n, 2**n), dtype=np.int64)
    for j in range(n):
        before[:, 2**j : 2 ** (j + 1)] = before[:, : 2**j] + wins[j][:, None]
    best = np.zeros(2**n, dtype=np.int64)
    ways = np.zeros(2**n, dtype=np.int64)
    ways[0] = 1
    sizes = np.array([int(s).bit_count() for s in sets])
    for size in range(1, n + 1):
        these = sets[sizes == size]
        reached = np.full((n, len(these)), -1, dtype=np.int64)
        for i in range(n):
            members = (these >> i) & 1 == 1
            rest = these[members] - 2**i
            reached[i, members] = best[rest] + before[i, rest]
        best[these] = reached.max(axis=0)
        for i in range(n):
            ends = reached[i] == best[these]
            ways[these[ends]] += ways[these[ends] - 2**i]
    order = _unwound(best, before, entries)
    return Kemeny(order, int(best[-1]), int(wins.sum()), int(ways[-1]))


def _unwound(
    best: NDArray[np.int64], before: NDArray[np.int64], entries: tuple[str, ...]
) -> tuple[str, ...]:
    """One best order, from its last entry to its first."""
    left, order = 2 ** len(entries) - 1, []
    while left:
        last = next(
            i
            for i in reversed(range(len(entries)))
            if left >> i & 1 and best[left] == best[left - 2**i] + before[i, left - 2**i]
        )
        order.append(entries[last])
        left -= 2**last
    return tuple(reversed(order))
