"""How far must the weights move until somebody else is first?

In: a Composite. Out: a Reweighting: per rival the least movement of weight that ties it with the
leader, whether any weights make it first, and the share of all weightings under which the leader
is ahead. Start at reweighting(). Methods section 4.

Pairs are exact: with d the leader's lead part by part and w the weights, the margin is w . d.
First against everybody needs a linear programme, and the share of weightings in which each entry
is first is drawn at random with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from history.robustness.composite import Composite

SEED = 20261022
DRAWS = 400_000
MOST_RIVALS = 300  # a linear programme each
_STEP = 50_000


class Move(NamedTuple):
    """Weight that goes from one part to another."""

    source: str
    target: str
    weight: Fraction


@dataclass(frozen=True)
class Rival:
    """One entry against the leader.

    Attributes:
        entry: its key.
        margin: the leader's lead under the board's weights, at least 0.
        dominated: the leader is at least as good in every part and better in one.
        least_movement: share of the weight (total variation, half the sum of changes) that must
            move until the two are level; None: no weights make them level.
        moves: which weight goes where then.
        first_movement: the same until nobody is ahead of this entry; None: no weighting makes it
            first, or it was not asked (`asked`).
        asked: whether the linear programme was solved.
        epsilon: up to which share of the weight may go anywhere at all while the leader stays
            ahead: (1 - e) w + e w' for every w' (Foster, McGillivray, Seth 2013).
        share: share of all weightings under which the leader is ahead, exactly.
    """

    entry: str
    margin: Fraction
    dominated: bool
    least_movement: Fraction | None
    moves: tuple[Move, ...]
    first_movement: float | None
    asked: bool
    epsilon: Fraction
    share: Fraction


class FirstShare(NamedTuple):
    """How often an entry is first among weightings drawn evenly; shared first place counts."""

    entry: str
    share: float
    standard_error: float


@dataclass(frozen=True)
class Reweighting:
    """What other weights would change.

    Attributes:
        leader: who is first under the board's weights, all who share first place.
        rivals: everybody else, the closest first.
        least_movement: share of the weight that must move until first place is shared or lost;
            0 where it is shared already, None where no weights do that.
        nearest: the rival that is level then; None where there is none.
        epsilon: the smallest of the rivals'.
        first_shares: who is first in how many of the weightings drawn, most often first; entries
            that never are, are left out.
        draws, seed: of the weightings.
    """

    leader: tuple[str, ...]
    rivals: tuple[Rival, ...]
    least_movement: Fraction | None
    nearest: str | None
    epsilon: Fraction
    first_shares: tuple[FirstShare, ...]
    draws: int
    seed: int


def reweighting(composite: Composite, draws: int = DRAWS, seed: int = SEED) -> Reweighting:
    """Every rival of the leader under other weights.

    Args:
        composite: at least two entries.
        draws, seed: of the weightings drawn for `first_shares`.
    """
    whole, _ = composite.whole_weights()
    sums = [sum(w * int(t) for w, t in zip(whole, row, strict=True)) for row in composite.ticks]
    best = max(sums)
    leaders = [n for n, total in enumerate(sums) if total == best]
    others = sorted(
        (n for n in range(len(sums)) if n not in leaders),
        key=lambda n: (-sums[n], composite.entries[n]),
    )
    front = composite.front()
    values = composite.values()
    rivals: list[Rival] = []
    for n in others:
        asked = len(rivals) < MOST_RIVALS
        first = first_movement(values, n, front, composite.weights) if asked else None
        rivals.append(_rival(composite, leaders[0], n, first, asked))
    # With a lead that is shared, no weight needs to move.
    reached = [(r.least_movement, r.entry) for r in rivals if r.least_movement is not None]
    least, nearest = min(reached, default=(None, None))
    if len(leaders) > 1:
        least, nearest = Fraction(0), composite.entries[leaders[1]]
    return Reweighting(
        leader=tuple(composite.entries[n] for n in leaders),
        rivals=tuple(rivals),
        least_movement=least,
        nearest=nearest,
        epsilon=Fraction(0)
        if len(leaders) > 1
        else min((r.epsilon for r in rivals), default=Fraction(1)),
        first_shares=first_shares(composite, draws, seed),
        draws=draws,
        seed=seed,
    )


def _rival(
    composite: Composite, leader: int, other: int, first: float | None, asked: bool
) -> Rival:
    d = composite.difference(leader, other)
    movement = least_movement(d, composite.weights)
    moves = () if movement is None else movement[1]
    names = composite.parts
    return Rival(
        entry=composite.entries[other],
        margin=margin(d, composite.weights),
        dominated=min(d) >= 0 and max(d) > 0,
        least_movement=None if movement is None else movement[0],
        moves=tuple(Move(names[a], names[b], weight) for a, b, weight in moves),
        first_movement=first,
        asked=asked,
        epsilon=epsilon(d, composite.weights),
        share=share(d),
    )


def margin(d: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
    """How far one entry is ahead of another: the weighted mean of its leads.

    Args:
        d: lead in each part.
        weights: of the parts.
    """
    return sum((w * one for w, one in zip(weights, d, strict=True)), Fraction(0))


def least_movement(
    d: Sequence[Fraction], weights: Sequence[Fraction]
) -> tuple[Fraction, tuple[tuple[int, int, Fraction], ...]] | None:
    """The least weight that must move until a lead is gone, and from where to where.

    Weight goes to the part with the smallest lead, from the part with the largest on; what moves
    from b to lo takes d_b - d_lo off the margin, so that no other way needs less.

    Args:
        d: lead in each part.
        weights: of the parts, sum 1.

    Returns:
        Share of the weight, and moves as (from, to, weight) by the parts' places; None where the
        lead is above 0 in every part.

    Source: methods section 4, reweighting 2.

    >>> d = [Fraction(text) for text in ("-3.9", "6.6", "3.6", "-6.5", "4.5")]
    >>> total, moves = least_movement(d, [Fraction(1, 5)] * 5)
    >>> round(float(total), 4), [(a, b) for a, b, _ in moves]
    (0.0656, [(1, 3)])
    """
    left = margin(d, weights)
    if left <= 0:
        return Fraction(0), ()
    lowest = min(range(len(d)), key=d.__getitem__)
    if d[lowest] > 0:
        return None
    moves = []
    for part in sorted(range(len(d)), key=lambda b: -d[b]):
        gain = d[part] - d[lowest]
        if left <= 0 or gain <= 0:
            break
        moved = min(weights[part], left / gain)
        if moved:
            moves.append((part, lowest, moved))
            left -= moved * gain
    return sum((weight for _, _, weight in moves), Fraction(0)), tuple(moves)


def epsilon(d: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
    """Up to which e an entry stays ahead under (1 - e) w + e w' for every w'.

    Source: Foster, McGillivray, Seth (2013), Composite indices: rank robustness, statistical
    association, and redundancy, Econometric Reviews 32.

    >>> d = [Fraction(text) for text in ("-3.9", "6.6", "3.6", "-6.5", "4.5")]
    >>> round(float(epsilon(d, [Fraction(1, 5)] * 5)), 3)
    0.117
    """
    lead, worst = margin(d, weights), min(d)
    if lead <= 0:
        return Fraction(0)
    return Fraction(1) if worst >= 0 else lead / (lead - worst)


def share(d: Sequence[Fraction]) -> Fraction:
    """Share of all weightings under which w . d > 0, with w even on the simplex; exact.

    For distinct d it is the sum over d_b > 0 of d_b^(K-1) / prod(d_b - d_c): the divided
    difference of max(x, 0)^(K-1) over the d. Written so, equal d need no perturbation: where
    nodes are equal, a derivative stands for the difference quotient (Hermite).

    >>> share([Fraction(1), Fraction(-1)]), share([Fraction(2), Fraction(2), Fraction(-1)])
    (Fraction(1, 2), Fraction(8, 9))
    """
    nodes = sorted(Fraction(one) for one in d)
    power = len(nodes) - 1

    def derivative(x: Fraction, order: int) -> Fraction:
        """Of max(x, 0)**power, over order!."""
        return comb(power, order) * x ** (power - order) if x > 0 else Fraction(0)

    column = [derivative(x, 0) for x in nodes]
    for order in range(1, len(nodes)):
        column = [
            derivative(nodes[n], order)
            if nodes[n] == nodes[n + order]
            else (column[n + 1] - column[n]) / (nodes[n + order] - nodes[n])
            for n in range(len(nodes) - order)
        ]
    return column[0]


def first_movement(
    values: NDArray[np.float64], place: int, front: Sequence[int], weights: Sequence[Fraction]
) -> float | None:
    """The least weight that must move until nobody is ahead of one entry.

    Args:
        values: shape (n_entries, n_parts), higher is better.
        place: of the entry.
        front: places of the entries that it must not be behind of; see Composite.front().
        weights: of the parts.

    Returns:
        Share of the weight; None: no weighting makes it first. Solved by HiGHS to about 1e-7.
    """
    from scipy.optimize import linprog

    k = len(weights)
    start = np.array([float(w) for w in weights])
    ahead = np.array([values[n] - values[place] for n in front if n != place]).reshape(-1, k)
    ahead = ahead[(ahead > 0).any(axis=1)]
    if (ahead > 0).all(axis=1).any():
        return None  # somebody is better in every part
    # Rows of one size: the solver's tolerance is absolute.
    ahead = ahead / np.abs(ahead).max(axis=1, keepdims=True)
    one, none = np.eye(k), np.zeros((len(ahead), k))
    rows = np.vstack([np.hstack([ahead, none]), np.hstack([one, -one]), np.hstack([-one, -one])])
    found = linprog(
        np.concatenate([np.zeros(k), np.full(k, 0.5)]),
        A_ub=rows,
        b_ub=np.concatenate([np.zeros(len(ahead)), start, -start]),
        A_eq=np.concatenate([np.ones(k), np.zeros(k)])[None, :],
        b_eq=[1.0],
        method="highs",
    )
    return None if found.fun is None else max(float(found.fun), 0.0)


def first_shares(
    composite: Composite, draws: int = DRAWS, seed: int = SEED
) -> tuple[FirstShare, ...]:
    """In how many weightings each entry is first, drawn evenly from the simplex.

    Source: rank acceptability of SMAA, Lahdelma, Hokkanen, Salminen (1998), European Journal of
    Operational Research 106.
    """
    front = composite.front()
    twins: dict[tuple[int, ...], list[int]] = {}
    for n in front:
        twins.setdefault(tuple(int(t) for t in composite.ticks[n]), []).append(n)
    groups = list(twins.values())
    table = composite.values()[[group[0] for group in groups]].T
    random = np.random.default_rng(seed)
    counts = np.zeros(len(groups), dtype=np.int64)
    for start in range(0, draws, _STEP):
        # Exponentials over their sum are even on the simplex; the sum changes no order.
        weights = random.standard_exponential((min(_STEP, draws - start), len(composite.parts)))
        counts += np.bincount((weights @ table).argmax(axis=1), minlength=len(groups))
    found = []
    for group, count in zip(groups, counts.tolist(), strict=True):
        p = count / draws
        found += [
            FirstShare(composite.entries[n], p, sqrt(p * (1 - p) / draws)) for n in group if count
        ]
    return tuple(sorted(found, key=lambda one: (-one.share, one.entry)))
