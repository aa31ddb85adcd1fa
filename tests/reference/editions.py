"""The plain way through editions: one row, one line, one pair of versions at a time.

Slow and readable; imports nothing from `history`. What the fast ones give is held against it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

# The public scale, and the scales of the two private parts, of editions 0.3.x of the text board.
M_B, S_B = Decimal("23.4973"), Decimal("16.539081")
M_S, S_S = Decimal("24.268626"), Decimal("16.350451")
M_O, S_O = Decimal("23.682619"), Decimal("12.286109")


def equated(raw: str, mean: Decimal, sd: Decimal) -> Decimal:
    """A private score on the public scale."""
    with localcontext(prec=50):
        return M_B + S_B * (Decimal(raw) - mean) / sd


def text_score_03(public: str, same_skills: str, new_domains: str) -> Decimal:
    """The score of 0.3.x: 20, 50 and 30 %, never below 0."""
    with localcontext(prec=50):
        score = (
            Decimal("0.2") * Decimal(public)
            + Decimal("0.5") * equated(same_skills, M_S, S_S)
            + Decimal("0.3") * equated(new_domains, M_O, S_O)
        )
    return max(Decimal(0), score)


def text_score_04(same_skills: str, new_domains: str) -> Decimal:
    """The score of 0.4.x: 60 and 40 %, the second one equated by the line that four rows fit."""
    with localcontext(prec=50):
        new = Decimal("2.6468") + Decimal("1.23498") * Decimal(new_domains)
        return Decimal("0.6") * equated(same_skills, M_S, S_S) + Decimal("0.4") * new


def weighted_mean(cells: Sequence[str], weights: Sequence[str]) -> Fraction:
    """A weighted mean in which cells below 0 count as 0."""
    total = Fraction(0)
    for cell, weight in zip(cells, weights, strict=True):
        total += max(Fraction(0), Fraction(cell)) * Fraction(weight)
    return total / sum(map(Fraction, weights))


def two_factors(
    old_weights: Mapping[str, str],
    new_weights: Mapping[str, str],
    old: Mapping[str, str],
    new: Mapping[str, str],
) -> tuple[Fraction, Fraction]:
    """Data and formula: mean(w) * dx and mean(x) * dw."""
    data = formula = Fraction(0)
    for part in old:
        w0, w1 = Fraction(old_weights[part]), Fraction(new_weights[part])
        x0, x1 = Fraction(old[part]), Fraction(new[part])
        data += (w0 + w1) / 2 * (x1 - x0)
        formula += (x0 + x1) / 2 * (w1 - w0)
    return data, formula


def least_squares(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Slope and intercept, from the normal equations."""
    n = len(points)
    sum_x, sum_y = sum(x for x, _ in points), sum(y for _, y in points)
    sum_xx, sum_xy = sum(x * x for x, _ in points), sum(x * y for x, y in points)
    slope = (n * sum_xy - sum_x * sum_y) / Fraction(n * sum_xx - sum_x * sum_x)
    return slope, (sum_y - slope * sum_x) / Fraction(n)


def median_shift(points: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The middle difference; of an even number the mean of the two in the middle."""
    differences = sorted(y - x for x, y in points)
    half = len(differences) // 2
    if len(differences) % 2:
        return differences[half]
    return (differences[half - 1] + differences[half]) / 2


def runs(keys: Sequence[Hashable | None]) -> list[tuple[Hashable, int, int]]:
    """Runs of equal keys as key, first, last; None neither begins nor ends one."""
    found: list[tuple[Hashable, int, int]] = []
    for place, key in enumerate(keys):
        if key is None:
            continue
        if found and found[-1][0] == key:
            found[-1] = (key, found[-1][1], place)
        else:
            found.append((key, place, place))
    return found


def moved(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[int, int]:
    """Of the entries in both, how many there are and how many print another number."""
    common = [entry for entry in old if entry in new]
    return len(common), sum(Decimal(old[one]) != Decimal(new[one]) for one in common)
