"""How many items stand behind a printed score, and how many would a question take?

In: printed texts and numbers of items. Out: the numbers of right answers that print so
(possible_counts()), gaps in items (gap_in_items()), and numbers of items (items_for_band(),
items_to_separate()). Methods 3.1 and 3.4.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Literal

from history.numbers import parse
from history.sampling import LEVEL, Z, normal_quantile

Cut = Literal["rounded", "truncated"]


def possible_counts(text: str, n: int, per: int = 100, how: Cut = "rounded") -> range:
    """The numbers of right answers out of n that print as a text.

    Args:
        text: a printed share, such as "72.83".
        n: items.
        per: what all right prints as: 100 for percents, 1 for shares.
        how: whether digits were rounded (half a unit either way, both ends included, as the mode
            is not known) or cut off.

    Returns:
        A range without gaps; empty where no number of right answers prints so.

    Raises:
        ValueError: no number, or no items.

    >>> possible_counts("72.83", 173), possible_counts("72.50", 173)
    (range(126, 127), range(126, 126))
    """
    printed = parse(text)
    if printed.value is None or n < 1 or per < 1:
        raise ValueError(f"{text!r} of {n} items: not a printed share")
    return counts_of_ticks(printed.digits, printed.dp, n, per, how)


def counts_of_ticks(
    tick: int, dp: int, n: int, per: int = 100, how: Cut = "rounded", unit: int = 1
) -> range:
    """possible_counts() of a score in ticks of 10**-dp.

    Args:
        tick, dp: the score.
        n, per, how: as for possible_counts().
        unit: how many ticks its last printed decimal is; more than 1 where it has fewer decimals
            than its column.

    >>> counts_of_ticks(749, 3, 2000, per=1), counts_of_ticks(7490, 4, 2000, per=1, unit=10)
    (range(1497, 1500), range(1497, 1500))
    """
    items = Fraction(10) ** -dp * n / per  # one tick in items
    if how == "rounded":
        half = Fraction(unit, 2)
        low, high = ceil((tick - half) * items), floor((tick + half) * items)
    else:
        low, high = ceil(tick * items), ceil((tick + unit) * items) - 1
    low, high = max(low, 0), min(high, n)
    return range(low, max(low, high + 1))


def gap_in_items(one: range, other: range) -> tuple[int, int] | None:
    """The least and the largest difference of two numbers of right answers.

    Args:
        one, other: from possible_counts(), of the same items.

    Returns:
        Least and largest `one - other`; None where one of the two is impossible.

    >>> gap_in_items(possible_counts("74.9", 2000), possible_counts("73.6", 2000))
    (24, 28)
    """
    if not one or not other:
        return None
    return one[0] - other[-1], one[-1] - other[0]


def items_for_band(band: float, p: float, correlation: float = 0.0) -> int:
    """Items at which a fixed band is as wide as a 5% test of one pair.

    The band is a policy: it is a test at this number of items alone.

    Args:
        band: width, as a share: 0.009 for 0.9 points.
        p: share of right answers.
        correlation: of the outcomes of both entries on one item; 0: unpaired.

    >>> items_for_band(0.009, 0.7), items_for_band(0.009, 0.7, correlation=0.7)
    (19919, 5976)
    """
    _check(band, p, correlation)
    return ceil(2 * p * (1 - p) * (1 - correlation) * (Z / band) ** 2)


def items_to_separate(
    gap: float, p: float, correlation: float = 0.0, power: float = 0.8, level: float = LEVEL
) -> int:
    """Items that a test needs to find a true gap with a given chance.

    n = 2 p (1 - p) (1 - rho) ((z_level + z_power) / gap)^2

    Args:
        gap: true difference, as a share.
        p: share of right answers.
        correlation: as for items_for_band().
        power: chance of finding it.
        level: 1 less the chance to find what is not there.

    >>> items_to_separate(0.013, 0.74), items_to_separate(0.013, 0.74, correlation=0.7)
    (17872, 5362)
    """
    _check(gap, p, correlation)
    z = normal_quantile((1 + level) / 2) + normal_quantile(power)
    return ceil(2 * p * (1 - p) * (1 - correlation) * (z / gap) ** 2)


def _check(gap: float, p: float, correlation: float) -> None:
    if not (gap > 0 and 0 < p < 1 and -1 <= correlation < 1):
        raise ValueError(f"gap {gap}, share {p}, correlation {correlation}: out of range")
