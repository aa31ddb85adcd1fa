"""How sure ranks are, straight from the definitions, one number at a time.

Slow and independent of the project's code. Scores are higher-is-better; a Sigma is a list of lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product
from math import comb, erf, exp, pi, sqrt

Pair = tuple[int, int]


def apart(sigma: Sequence[Sequence[float]], i: int, j: int) -> float:
    """Standard error of a difference."""
    return sqrt(sigma[i][i] + sigma[j][j] - 2 * sigma[i][j])


def diagonal(errors: Sequence[float]) -> list[list[float]]:
    """Sigma of independent errors."""
    n = len(errors)
    return [[errors[i] ** 2 if i == j else 0.0 for j in range(n)] for i in range(n)]


def all_pairs(n: int) -> list[Pair]:
    return [(j, i) for j in range(n) for i in range(n) if i != j]


def quantile(numbers: Sequence[float], level: float) -> float:
    """The smallest of them that a share `level` does not exceed."""
    for number in sorted(numbers):
        if sum(other <= number for other in numbers) >= level * len(numbers):
            return number
    raise AssertionError("no numbers")


def critical(
    draws: Sequence[Sequence[float]],
    sigma: Sequence[Sequence[float]],
    pairs: Sequence[Pair],
    level: float,
) -> float:
    """What the largest difference over some pairs does not exceed, with the chance `level`."""
    largest = [max((z[j] - z[i]) / apart(sigma, j, i) for j, i in pairs) for z in draws]
    return quantile(largest, level)


def found_better(
    scores: Sequence[float], sigma: Sequence[Sequence[float]], limit: float, pairs: Sequence[Pair]
) -> set[Pair]:
    """Pairs of which the first is significantly better."""
    return {(j, i) for j, i in pairs if (scores[j] - scores[i]) / apart(sigma, j, i) > limit}


def counted(n: int, better: set[Pair]) -> list[Pair]:
    """Rank intervals."""
    return [
        (1 + sum(i == entry for _, i in better), n - sum(j == entry for j, _ in better))
        for entry in range(n)
    ]


def simultaneous(
    scores: Sequence[float],
    sigma: Sequence[Sequence[float]],
    draws: Sequence[Sequence[float]],
    level: float,
) -> list[Pair]:
    pairs = all_pairs(len(scores))
    limit = critical(draws, sigma, pairs, level)
    return counted(len(scores), found_better(scores, sigma, limit, pairs))


def step_down(
    scores: Sequence[float],
    sigma: Sequence[Sequence[float]],
    draws: Sequence[Sequence[float]],
    level: float,
) -> list[Pair]:
    """Again without the pairs that were found, until nothing is new."""
    active, found = all_pairs(len(scores)), set[Pair]()
    while active:
        limit = critical(draws, sigma, active, level)
        new = found_better(scores, sigma, limit, active)
        if not new:
            break
        found |= new
        active = [pair for pair in active if pair not in found]
    return counted(len(scores), found)


def marginal(
    scores: Sequence[float],
    sigma: Sequence[Sequence[float]],
    draws: Sequence[Sequence[float]],
    level: float,
) -> list[Pair]:
    """Entry by entry, only with the differences that involve it."""
    ranks = []
    for entry in range(len(scores)):
        pairs = [pair for pair in all_pairs(len(scores)) if entry in pair]
        limit = critical(draws, sigma, pairs, level)
        ranks.append(counted(len(scores), found_better(scores, sigma, limit, pairs))[entry])
    return ranks


def overlap(lows: Sequence[int], highs: Sequence[int]) -> list[Pair]:
    """Better is whose interval lies wholly above."""
    n = len(lows)
    return counted(n, {(j, i) for j, i in all_pairs(n) if lows[j] > highs[i]})


def exact_p(b: int, c: int) -> Fraction:
    """Chance of a split of b + c tosses of a fair coin at least as uneven."""
    n = b + c
    uneven = sum(comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(b - c))
    return Fraction(uneven, 2**n)


def overlaps(one: int, other: int, n: int) -> list[Pair]:
    """b and c of every way in which two numbers of right answers can meet."""
    return [
        (one - both, other - both)
        for both in range(n + 1)
        if both <= min(one, other) and one + other - both <= n
    ]


def agreement_needed(one: int, other: int, n: int, level: float) -> Fraction | None:
    """Least agreement at which the exact test finds the gap."""
    enough = [
        1 - Fraction(b + c, n)
        for b, c in overlaps(one, other, n)
        if float(exact_p(b, c)) <= 1 - level
    ]
    return min(enough, default=None)


def counts(text: str, n: int, per: int, truncated: bool) -> list[int]:
    """Numbers of right answers that print as a text under one mode of rounding or another."""
    unit = Decimal(1).scaleb(Decimal(text).as_tuple().exponent)
    modes = [ROUND_DOWN] if truncated else [ROUND_HALF_UP, ROUND_HALF_EVEN, "ROUND_HALF_DOWN"]
    return [
        x
        for x in range(n + 1)
        if any(
            (Decimal(x) * per / Decimal(n)).quantize(unit, mode) == Decimal(text) for mode in modes
        )
    ]


def first_over_benchmarks(table: Sequence[Sequence[int]]) -> list[Fraction]:
    """Share of all resamples of the benchmarks in which each entry is first."""
    k = len(table[0])
    won = [Fraction(0)] * len(table)
    for drawn in product(range(k), repeat=k):
        sums = [sum(row[b] for b in drawn) for row in table]
        leaders = [i for i, total in enumerate(sums) if total == max(sums)]
        for i in leaders:
            won[i] += Fraction(1, len(leaders))
    return [share / k**k for share in won]


def expected_maximum(m: int) -> float:
    """Integral of x times the density of the largest of m normal numbers."""
    step, total = 0.001, 0.0
    for i in range(-9000, 9001):
        x = i * step
        below = (1 + erf(x / sqrt(2))) / 2
        total += x * m * exp(-x * x / 2) / sqrt(2 * pi) * below ** (m - 1) * step
    return total
