"""Two orders of the same entries, and the Ladder, straight from their definitions.

Slow, for one board at a time, and independent of the project's code. Scores are exact numbers,
higher is better; a board is a dict from entry to score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, sqrt
from typing import Any

Board = Mapping[str, Any]


def ranks(board: Board) -> dict[str, int]:
    """1 + the number of entries that are strictly better."""
    return {e: 1 + sum(other > board[e] for other in board.values()) for e in board}


def average_ranks(board: Board) -> dict[str, Fraction]:
    """Equal entries share the mean of their places."""
    places = ranks(board)
    return {
        e: places[e] + Fraction(sum(other == board[e] for other in board.values()) - 1, 2)
        for e in board
    }


def shake_up(public: Board, private: Board) -> Fraction:
    """mean |rank - rank| / n."""
    one, two, n = ranks(public), ranks(private), len(public)
    return Fraction(sum(abs(one[e] - two[e]) for e in public), n * n)


def shake_up_top(public: Board, private: Board) -> Fraction:
    """The same over the best tenth by the private order."""
    one, two, n = ranks(public), ranks(private), len(public)
    best = [e for e in public if two[e] <= ceil(Fraction(n, 10))]
    return Fraction(sum(abs(one[e] - two[e]) for e in best), n * len(best))


def tau_b(public: Board, private: Board) -> float | None:
    """(concordant - discordant) / sqrt(pairs untied in one * pairs untied in the other)."""
    score = untied_one = untied_two = 0
    for a, b in combinations(sorted(public), 2):
        one = (public[a] > public[b]) - (public[a] < public[b])
        two = (private[a] > private[b]) - (private[a] < private[b])
        score += one * two
        untied_one += one != 0
        untied_two += two != 0
    if not untied_one or not untied_two:
        return None
    return score / sqrt(untied_one * untied_two)


def spearman(public: Board, private: Board) -> float | None:
    """Correlation of average ranks."""
    one, two, n = average_ranks(public), average_ranks(private), len(public)
    middle = Fraction(n + 1, 2)
    both = sum((one[e] - middle) * (two[e] - middle) for e in public)
    squares = [sum((r[e] - middle) ** 2 for e in public) for r in (one, two)]
    if not all(squares):
        return None
    return float(both) / sqrt(squares[0] * squares[1])


def rbo(public: Board, private: Board, p: float) -> float:
    """(1 - p) / p * sum of agreement p^depth, and the rest at the agreement of the last depth."""
    one, two, n = ranks(public), ranks(private), len(public)
    total, agreement = 0.0, 0.0
    for depth in range(1, n + 1):
        first = {e for e in public if one[e] <= depth}
        second = {e for e in public if two[e] <= depth}
        agreement = 2 * len(first & second) / (len(first) + len(second))
        total += agreement * p**depth
    return (1 - p) / p * total + agreement * p**n


def line(points: Sequence[tuple[Any, Any]]) -> tuple[Fraction, Fraction] | None:
    """Intercept and slope of the least-squares line, by the normal equations."""
    n = len(points)
    x, y = (sum(Fraction(point[i]) for point in points) for i in (0, 1))
    xx = sum(Fraction(a) * Fraction(a) for a, _ in points)
    xy = sum(Fraction(a) * Fraction(b) for a, b in points)
    if n < 3 or n * xx == x * x:
        return None
    slope = (n * xy - x * y) / (n * xx - x * x)
    return (y - slope * x) / n, slope


def ladder(best_scores: Sequence[Fraction], step: Fraction) -> list[bool]:
    """Which of a row of scores are told as a new best: those a step above what was told last."""
    told: Fraction | None = None
    found = []
    for score in best_scores:
        new = told is None or score > told + step
        if new:
            told = round(score / step) * step
        found.append(new)
    return found
