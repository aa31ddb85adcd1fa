"""Robustness of a weighted mean, straight from the definitions.

Slow, and independent of the project's code. A table is a dict from entry to its numbers, one per
part, higher is better; weights are fractions that sum to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np

Table = Mapping[str, Sequence[Fraction]]


def means(table: Table, weights: Sequence[Fraction], kept: Sequence[int]) -> dict[str, Fraction]:
    """Weighted mean over some parts, their weights renormalised."""
    total = sum(weights[k] for k in kept)
    return {e: sum(weights[k] * row[k] for k in kept) / total for e, row in table.items()}


def ranks(scores: Mapping[str, Fraction]) -> dict[str, int]:
    """1 + the number of entries that are strictly better."""
    return {e: 1 + sum(other > score for other in scores.values()) for e, score in scores.items()}


def leads(table: Table, weights: Sequence[Fraction]) -> dict[str, int]:
    """In how many non-empty sets of parts each entry is first, alone or not; 0 left out."""
    parts = range(len(weights))
    found: dict[str, int] = {}
    for size in range(1, len(weights) + 1):
        for kept in combinations(parts, size):
            for entry, place in ranks(means(table, weights, kept)).items():
                if place == 1:
                    found[entry] = found.get(entry, 0) + 1
    return found


def least_movement(d: Sequence[float], weights: Sequence[float]) -> float | None:
    """Least total variation to weights with w . d <= 0, by linear programme; None: there are none."""
    from scipy.optimize import linprog

    k = len(d)
    one = np.eye(k)
    found = linprog(
        [0.0] * k + [0.5] * k,
        A_ub=np.vstack(
            [np.concatenate([d, np.zeros(k)]), np.hstack([one, -one]), np.hstack([-one, -one])]
        ),
        b_ub=np.concatenate([[0.0], weights, -np.array(weights)]),
        A_eq=[[1.0] * k + [0.0] * k],
        b_eq=[1.0],
    )
    return float(found.fun) if found.status == 0 else None


def share(d: Sequence[Fraction]) -> Fraction:
    """Share of the weightings with w . d > 0, for distinct d."""
    k = len(d)
    total = Fraction(0)
    for b in range(k):
        if d[b] > 0:
            others = Fraction(1)
            for c in range(k):
                if c != b:
                    others *= d[b] - d[c]
            total += d[b] ** (k - 1) / others
    return total


def drawn_share(d: Sequence[float], draws: int, seed: int) -> float:
    """The same at random: differences of sorted even numbers are even on the simplex."""
    cuts = np.sort(np.random.default_rng(seed).random((draws, len(d) - 1)), axis=1)
    edges = np.hstack([np.zeros((draws, 1)), cuts, np.ones((draws, 1))])
    return float((np.diff(edges, axis=1) @ np.array(d) > 0).mean())


def borda(table: Table) -> dict[str, Fraction]:
    """Rivals beaten in each part, equal ones half."""
    return {
        entry: sum(
            (
                Fraction(1) if mine > theirs else Fraction(1, 2) if mine == theirs else Fraction(0)
                for other, row in table.items()
                if other != entry
                for mine, theirs in zip(table[entry], row, strict=True)
            ),
            Fraction(0),
        )
        for entry in table
    }


def kemeny(table: Table) -> tuple[int, set[tuple[str, ...]]]:
    """Most votes on pairs that an order agrees with, and all orders that do."""
    best, orders = -1, set()
    for order in permutations(table):
        agrees = sum(
            mine > theirs
            for better, worse in combinations(order, 2)
            for mine, theirs in zip(table[better], table[worse], strict=True)
        )
        if agrees > best:
            best, orders = agrees, set()
        if agrees == best:
            orders.add(order)
    return best, orders
