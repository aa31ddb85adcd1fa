"""Who is tied with whom?

In: the ticks of whole rankings, best first, and the rule and band of the board.
Out: tie groups and tie ranks of all versions at once. Start at tie_groups().

| rule | tied | tie rank |
| --- | --- | --- |
| anchored | within the band of the group's best | position of the group's best |
| chain | within the band of the one before | position of the first of the chain |
| pairwise | within the band of each other; no groups | 1 + entries better by more than the band |
| none | equal scores | competition rank |

Equal scores are always tied. With an inclusive edge a gap of exactly the band is a tie,
with an exclusive one it is not. `float` is for boards that subtract and compare in
binary floating point (inclusive): 1.1 - 0.2 is then more than 0.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crawler.errors import TypedError

if TYPE_CHECKING:
    from history.meaning import Meaning

Rule = Literal["anchored", "chain", "pairwise", "none"]
Edge = Literal["inclusive", "exclusive", "float"]

_MAX_DIGITS = 40  # of a band; a longer one is a mistake, and "1e999999999" an attack
_SAFE = 2**62  # differences of smaller ticks fit into int64


class TieError(TypedError):
    """A tie rule or band that means nothing."""


@dataclass(frozen=True, slots=True)
class TieRule:
    """How a board decides who is tied.

    Attributes:
        rule: anchored, chain, pairwise or none.
        edge: whether a gap of exactly the band ties: inclusive, exclusive, float.
        band: printed width of the band, in units of the score; None where each
            version says it itself.

    Raises:
        TieError: an unknown rule or edge, or a band that is not a number from 0 up.

    >>> TieRule("anchored", band="0.9").edge
    'inclusive'
    """

    rule: Rule
    edge: Edge = "inclusive"
    band: str | None = None

    def __post_init__(self) -> None:
        for word, known in ((self.rule, get_args(Rule)), (self.edge, get_args(Edge))):
            if word not in known:
                raise TieError("tie rule", f'"{word}"', f"Use one of {', '.join(known)}")
        if self.band is not None and band_width(self.band) is None:
            raise TieError("tie band", f'"{self.band}"', "Use a number from 0 up, such as 0.9")


NO_TIES = TieRule("none")


def rule_of(meaning: Meaning) -> TieRule:
    """The tie rule that a board's definition names."""
    said = meaning.ties
    return NO_TIES if said is None else TieRule(said.rule, said.edge, said.band)


def parse_rule(text: str, edge: Edge = "inclusive") -> TieRule:
    """Read RULE:BAND or none, as `--tie` takes it.

    Raises:
        TieError: neither.

    >>> parse_rule("chain:0.25")
    TieRule(rule='chain', edge='inclusive', band='0.25')
    """
    rule, _, band = text.strip().partition(":")
    found = TieRule(rule, edge, band.strip() or None)  # type: ignore[arg-type]  # checked there
    if found.band is None and found.rule != "none":
        raise TieError(
            "tie rule", f'"{text}" has no band', f"Write {rule}:BAND, such as {rule}:0.9"
        )
    return found


@lru_cache(maxsize=1024)
def band_width(text: str) -> Fraction | None:
    """A printed band as an exact number; None if it is no number from 0 up.

    >>> band_width("0.9"), band_width("-1"), band_width("wide")
    (Fraction(9, 10), None, None)
    """
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or number < 0:
        return None
    exponent = number.as_tuple().exponent
    if abs(int(exponent)) > _MAX_DIGITS or len(number.as_tuple().digits) > _MAX_DIGITS:
        return None
    return Fraction(number)


@lru_cache(maxsize=1024)
def widest_gap(band: Fraction, dp: int, edge: Edge) -> int:
    """The largest gap, in whole ticks of 10**-dp, that is still a tie.

    Gaps between ticks are whole, so a band with more decimals than the scores loses
    nothing here: 0.25 at one decimal ties gaps of 0.2, and not of 0.3.

    >>> widest_gap(Fraction(9, 10), 2, "inclusive"), widest_gap(Fraction(9, 10), 2, "exclusive")
    (90, 89)
    >>> widest_gap(Fraction(1, 4), 1, "exclusive")
    2
    """
    ticks = band * Fraction(10) ** dp
    return max(0, ceil(ticks) - 1) if edge == "exclusive" else floor(ticks)


def tied(one: int, two: int, dp: int, band: Fraction, edge: Edge) -> bool:
    """Whether two printed scores are within the band of each other, as in tie_groups().

    Args:
        one, two: in ticks of 10**-dp.

    >>> [tied(11, 2, 1, Fraction(9, 10), edge) for edge in ("inclusive", "exclusive", "float")]
    [True, False, False]
    """
    ticks = np.array([max(one, two), min(one, two)], dtype=object)
    better, worse = _subtracted(ticks, np.full(2, dp), edge)
    return bool(_near(better, worse, _width(band, dp, edge)))


def tie_groups(
    version: NDArray[np.integer],
    ticks: NDArray,
    dp: NDArray[np.integer],
    rule: TieRule,
    bands: Mapping[int, str] | None = None,
) -> pd.DataFrame:
    """Tie group, tie rank and `tied` of every ranked entry of every version.

    Args:
        version: int, shape (n,), one per ranked entry; equal ones side by side.
        ticks: int64 or Python ints, larger is better, best first within a version.
        dp: decimals of one tick; one number per version.
        rule: how this board decides.
        bands: printed band by version; a version that is not in it uses `rule.band`.
            Where there is no band at all (or an unusable one), nobody knows who is
            tied: group and tie rank are <NA>, and only equal scores count as tied.

    Returns:
        Columns tie_group (Int64, 1 the best, <NA> for pairwise and none), tie_rank
        (Int64), tied (bool; shares its group, for pairwise within the band of another
        entry, for none shares its exact score). Row i is entry i.

    >>> scores = np.array([1000, 950, 900])
    >>> for rule in ("anchored", "chain", "pairwise", "none"):
    ...     of_rule = TieRule(rule, band="0.6")
    ...     tie_groups(np.zeros(3, int), scores, np.full(3, 2), of_rule)["tie_rank"].tolist()
    [1, 1, 3]
    [1, 1, 1]
    [1, 1, 2]
    [1, 2, 3]
    """
    n = len(version)
    first = np.flatnonzero(np.diff(version, prepend=version[:1] - 1))
    sizes = np.diff(first, append=n)
    start, stop = np.repeat(first, sizes), np.repeat(first + sizes, sizes)

    exact = ticks if ticks.dtype == object or _fits(ticks) else ticks.astype(object)
    if rule.rule == "none":
        values, width, unknown = exact, np.zeros(n, dtype=exact.dtype), np.zeros(n, dtype=bool)
    else:
        values, width, unknown = _widths(version, exact, dp, first, sizes, rule, bands or {})
    at = np.arange(n)
    top: NDArray[np.integer]
    group: NDArray[np.integer] = np.zeros(n, dtype=np.int64)
    if rule.rule == "pairwise":
        reach = _reach(values, width, stop)
        top = np.searchsorted(reach, at, side="right")  # the best one still within the band
        tied = (reach > at + 1) | (top < at)
    else:
        if rule.rule == "anchored":
            is_head = _heads(_reach(values, width, stop), first, stop)
        else:
            is_head = _breaks(values, width, start)
        number = np.cumsum(is_head)
        top = np.flatnonzero(is_head)[number - 1]
        tied = np.bincount(number)[number] > 1
        group = 1 + number - np.take(number, start)
    no_groups = rule.rule in ("pairwise", "none")
    group_unknown = np.ones(n, dtype=bool) if no_groups else unknown
    return pd.DataFrame(
        {
            "tie_group": pd.arrays.IntegerArray(group, group_unknown),
            "tie_rank": pd.arrays.IntegerArray(top - start + 1, unknown),
            "tied": tied,
        }
    )


def _fits(ticks: NDArray) -> bool:
    return not len(ticks) or (int(ticks.max()) < _SAFE and int(ticks.min()) > -_SAFE)


def _widths(
    version: NDArray[np.integer],
    ticks: NDArray,
    dp: NDArray[np.integer],
    first: NDArray[np.integer],
    sizes: NDArray[np.integer],
    rule: TieRule,
    bands: Mapping[int, str],
) -> tuple[NDArray, NDArray, NDArray[np.bool_]]:
    """What to subtract, the widest difference that ties (0 where no band is known), and where
    that is.
    """
    said = [bands.get(int(v), rule.band) for v in version[first]]
    read = {text: band_width(text) for text in set(said) if text is not None}
    known = [None if text is None else read[text] for text in said]
    decimals = dp[first].tolist()
    unknown = np.repeat(np.array([band is None for band in known], dtype=bool), sizes)
    widths = [
        0 if band is None else _width(band, places, rule.edge)
        for band, places in zip(known, decimals, strict=True)
    ]
    values = _subtracted(ticks, dp, rule.edge)
    if values.dtype == np.int64:
        widths = [min(width, 2 * _SAFE - 1) for width in widths]
    return values, np.repeat(np.array(widths, dtype=values.dtype), sizes), unknown


def _subtracted(ticks: NDArray, dp: NDArray[np.integer], edge: Edge) -> NDArray:
    """What the board subtracts from one another: ticks, or floats."""
    return np.array(_floats(ticks, dp), dtype=np.float64) if edge == "float" else ticks


def _width(band: Fraction, dp: int, edge: Edge) -> int | float:
    """The widest difference of what is subtracted that is still a tie."""
    return float(band) if edge == "float" else widest_gap(band, dp, edge)


def _near(better: NDArray, worse: NDArray, width: NDArray | float) -> NDArray[np.bool_]:
    """Whether scores are tied, one by one: the only place that decides it."""
    return np.asarray(better - worse <= width, dtype=bool)


def _floats(ticks: NDArray, dp: NDArray[np.integer]) -> list[float]:
    """The double nearest to each printed number, as a board's own code would read it."""
    # A whole number divided by a whole number is rounded once in Python, whatever their size
    power = {places: 10 ** abs(places) for places in set(dp.tolist())}
    return [
        tick / power[places] if places >= 0 else float(tick * power[places])
        for tick, places in zip(ticks.tolist(), dp.tolist(), strict=True)
    ]


def _reach(values: NDArray, width: NDArray, stop: NDArray[np.integer]) -> NDArray[np.integer]:
    """For each entry the position of the first one that is worse by more than the width.

    Differences grow down a ranking, so all entries can bisect at once; `stop`, the end
    of the version, stands for "nobody".
    """
    low, high = np.arange(1, len(values) + 1), stop.copy()
    # Most reach nobody: looking 1, 2, 4 ... further is quicker than bisecting all at once.
    running, step = np.flatnonzero(low < high), 1
    while running.size:
        probe = np.minimum(low[running] + step - 1, high[running] - 1)
        near = _near(values[running], values[probe], width[running])
        low[running[near]] = probe[near] + 1
        high[running[~near]] = probe[~near]
        running, step = running[near], 2 * step
        running = running[low[running] < high[running]]
    while (searching := np.flatnonzero(low < high)).size:
        middle = (low[searching] + high[searching]) // 2
        near = _near(values[searching], values[middle], width[searching])
        low[searching[near]] = middle[near] + 1
        high[searching[~near]] = middle[~near]
    return low


def _heads(
    reach: NDArray[np.integer], first: NDArray[np.integer], stop: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Group leaders: from the best entry on, the first that the last leader does not reach."""
    is_head = np.zeros(len(reach), dtype=bool)
    head = first
    while head.size:
        is_head[head] = True
        following = reach[head]
        head = following[following < stop[head]]
    return is_head


def _breaks(values: NDArray, width: NDArray, start: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Where a chain begins: the entry before is not near this one."""
    begins = np.arange(len(values)) == start
    begins[1:] |= ~_near(values[:-1], values[1:], width[:-1])
    return begins
