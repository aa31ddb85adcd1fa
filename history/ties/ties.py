"""Who is tied with whom?

In: the ticks of whole rankings, best first, and the rule and band of the board.
Out: tie groups and tie ranks of all versions at once. Start at tie_groups().

| rule | tied | tie rank |
| --- | --- | --- |
| anchored | within the band of the group's best | position of the group's best |
| chain | within the band of the one before | position of the first of the chain |
| pairwise | within the band of each other; no groups | 1 + entries better by more than the band |
| interval | intervals overlap; no groups | 1 + entries whose low is above one's high |
| none | equal scores | competition rank |
| se | within K standard errors of the difference; no groups | 1 + entries better by more |

Equal scores are always tied. With an inclusive edge a gap of exactly the band is a tie,
with an exclusive one it is not. `float` is for boards that subtract and compare in
binary floating point (inclusive): 1.1 - 0.2 is then more than 0.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.ties import intervals, statistical
from history.ties.intervals import Places
from history.ties.measured import Errors, Intervals
from history.ties.rule import Edge, TieRule, band_width, widest_gap

_SAFE = 2**62  # differences of smaller ticks fit into int64


class _Boards(NamedTuple):
    """Where the rows of each version are.

    Attributes:
        version: by version, its number.
        first, sizes: by version, the place of its first row and how many it has.
        board: by row, which version it belongs to, from 0.
    """

    version: NDArray[np.integer]
    first: NDArray[np.integer]
    sizes: NDArray[np.integer]
    board: NDArray[np.integer]


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
    measured: Intervals | Errors | None = None,
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
        measured: for the rule interval, Intervals of all rows; for se, Errors.

    Returns:
        Row i is entry i. Columns: tie_group (Int64, 1 the best, <NA> for rules without groups),
        tie_rank (Int64), rank_low and rank_high (Int64: the best and the worst place that the
        rule leaves open; of a group its first and last position), tied (bool; shares its
        group, or those two differ). What hangs on a gap in the file is <NA>.

    Raises:
        ValueError: a rule that goes by measurements is given none.

    >>> scores = np.array([1000, 950, 900])
    >>> for rule in ("anchored", "chain", "pairwise", "none"):
    ...     of_rule = TieRule(rule, band="0.6")
    ...     found = tie_groups(np.zeros(3, int), scores, np.full(3, 2), of_rule)
    ...     print(found["tie_rank"].tolist(), found["rank_high"].tolist())
    [1, 1, 3] [2, 2, 3]
    [1, 1, 1] [3, 3, 3]
    [1, 1, 2] [2, 3, 3]
    [1, 2, 3] [1, 2, 3]
    """
    n = len(version)
    first = np.append(np.zeros(min(n, 1), int), 1 + np.flatnonzero(version[1:] != version[:-1]))
    sizes = np.diff(first, append=n)
    board = np.repeat(np.arange(len(first)), sizes)
    boards = _Boards(version[first], first, sizes, board)
    exact = ticks if ticks.dtype == object or _fits(ticks) else ticks.astype(object)

    group = None
    if rule.rule in ("interval", "se") and measured is None:
        raise ValueError(f"the rule {rule.rule} goes by what is measured besides the score")
    if isinstance(measured, Intervals):
        found = intervals.places(board, len(first), measured)
    elif isinstance(measured, Errors):
        widths = float(band_width(rule.band or "0") or 0)
        found = statistical.places(first, sizes, exact, measured, widths)
    elif rule.rule == "none":
        found, _ = _grouped(boards, _breaks(exact, 0, first))
    else:
        values, width, unknown = _widths(boards, exact, dp, rule, bands or {})
        if rule.rule == "pairwise":
            reach = _reach(boards, values, width)
            # As reach never falls, those that do not reach a row are the first ones.
            short = np.cumsum(np.bincount(reach, minlength=n + 1))[:n]
            start = np.repeat(first, sizes)
            found = Places(short - start + 1, reach - start, unknown, unknown)
        else:
            if rule.rule == "anchored":
                heads = _heads(_reach(boards, values, width), first, first + sizes)
            else:
                heads = _breaks(values, width[board][:-1] if n else width, first)
            found, group = _grouped(boards, heads, unknown)
    return _table(found, group, exact, first)


def _table(
    found: Places, group: NDArray[np.integer] | None, ticks: NDArray, first: NDArray[np.integer]
) -> pd.DataFrame:
    """The columns of tie_groups()."""
    n, unknown = len(ticks), found.best_unknown | found.worst_unknown
    tied = (found.best != found.worst) & ~unknown
    if unknown.any():
        equal = ~_breaks(ticks, 0, first)
        tied |= equal | np.append(equal[1:], False)[:n]
    best = pd.arrays.IntegerArray(found.best, found.best_unknown)
    return pd.DataFrame(
        {
            "tie_group": pd.arrays.IntegerArray(
                np.zeros(n, dtype=np.int64) if group is None else group,
                np.ones(n, dtype=bool) if group is None else unknown,
            ),
            "tie_rank": best,
            "rank_low": best.copy(),
            "rank_high": pd.arrays.IntegerArray(found.worst, found.worst_unknown),
            "tied": tied,
        },
        copy=False,
    )


def _grouped(
    boards: _Boards,
    is_head: NDArray[np.bool_],
    unknown: NDArray[np.bool_] | None = None,
) -> tuple[Places, NDArray[np.integer]]:
    """First and last position of each row's group, and the group's number, from 1."""
    n = len(is_head)
    heads = np.flatnonzero(is_head)
    width = np.diff(heads, append=n)
    board = boards.board[heads]
    at = heads - boards.first[board]
    number = np.arange(1, len(heads) + 1) - np.searchsorted(heads, boards.first)[board]
    best, worst, group = (np.repeat(of, width) for of in (at + 1, at + width, number))
    nowhere = np.zeros(n, dtype=bool) if unknown is None else unknown
    return Places(best, worst, nowhere, nowhere), group


def _fits(ticks: NDArray) -> bool:
    return not len(ticks) or (int(ticks.max()) < _SAFE and int(ticks.min()) > -_SAFE)


def _widths(
    boards: _Boards,
    ticks: NDArray,
    dp: NDArray[np.integer],
    rule: TieRule,
    bands: Mapping[int, str],
) -> tuple[NDArray, NDArray, NDArray[np.bool_]]:
    """What to subtract; by version the widest difference that ties (0 where no band is known);
    and by row whether none is.
    """
    said = [bands.get(version, rule.band) for version in boards.version.tolist()]
    printed = list(zip(said, dp[boards.first].tolist(), strict=True))
    values = _subtracted(ticks, dp, rule.edge)
    found: dict[tuple[str | None, int], int | float | None] = {}
    for text, places in set(printed):
        band = None if text is None else band_width(text)
        width = None if band is None else _width(band, places, rule.edge)
        if width is not None and values.dtype == np.int64:
            width = min(width, 2 * _SAFE - 1)
        found[text, places] = width
    widths = [found[key] for key in printed]
    lacking = np.array([width is None for width in widths], dtype=bool)
    unknown = np.repeat(lacking, boards.sizes)
    return values, np.array([width or 0 for width in widths], dtype=values.dtype), unknown


def _subtracted(ticks: NDArray, dp: NDArray[np.integer], edge: Edge) -> NDArray:
    """What the board subtracts from one another: ticks, or floats."""
    return np.array(_floats(ticks, dp), dtype=np.float64) if edge == "float" else ticks


def _width(band: Fraction, dp: int, edge: Edge) -> int | float:
    """The widest difference of what is subtracted that is still a tie."""
    return float(band) if edge == "float" else widest_gap(band, dp, edge)


def _near(better: NDArray, worse: NDArray, width: NDArray | float) -> NDArray[np.bool_]:
    """Whether scores are tied, one by one."""
    return np.asarray(better - worse <= width, dtype=bool)


def _floats(ticks: NDArray, dp: NDArray[np.integer]) -> list[float]:
    """The double nearest to each printed number, as a board's own code would read it."""
    # A whole number divided by a whole number is rounded once in Python, whatever their size
    power = {places: 10 ** abs(places) for places in set(dp.tolist())}
    return [
        tick / power[places] if places >= 0 else float(tick * power[places])
        for tick, places in zip(ticks.tolist(), dp.tolist(), strict=True)
    ]


def _reach(boards: _Boards, values: NDArray, width: NDArray) -> NDArray[np.integer]:
    """For each entry the place of the first one that is worse by more than the width.

    The end of the version stands for "nobody".
    """
    if not len(values) or values.dtype != np.int64:
        return _reach_by_steps(boards, values, width)
    best, worst = values[boards.first], values[boards.first + boards.sizes - 1]
    span = best - worst
    reached = np.minimum(width, span)  # wider ones reach everybody, too
    room = span.astype(np.float64) + reached + 1
    if room.sum() >= _SAFE:
        return _reach_by_steps(boards, values, width)
    # All versions on one line, each on a stretch of its own: whole numbers that a single search
    # through all of them compares, exactly as _near() would.
    stretch = span + reached + 1
    line = (np.cumsum(stretch) - stretch + best)[boards.board] - values
    return np.searchsorted(line, line + reached[boards.board], side="right")


def _reach_by_steps(boards: _Boards, values: NDArray, width: NDArray) -> NDArray[np.integer]:
    """The same for floats, and for whole numbers of any size."""
    stop, width = (boards.first + boards.sizes)[boards.board], width[boards.board]
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
        inside = following < stop
        head, stop = following[inside], stop[inside]
    return is_head


def _breaks(values: NDArray, width: NDArray | int, first: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Where a chain begins: the entry before is not near this one."""
    begins = np.ones(len(values), dtype=bool)
    begins[1:] = ~_near(values[:-1], values[1:], width)
    begins[first] = True
    return begins
