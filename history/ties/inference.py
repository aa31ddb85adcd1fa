"""Which rule and band explain the tie ranks that a file prints?

In: RANKS with published tie ranks. Out: by version, the rules and bands that reproduce them.
Start at infer().

A published tie rank says of pairs of entries that they are tied, or that they are apart. Tied
ones bound the band from below by their gap, those apart from above; a rule fits where bounds do
not cross:

| rule | tied, so that gap <= band | apart, so that gap > band |
| --- | --- | --- |
| anchored | the head of a group and each of its members | heads of groups in a row |
| chain | neighbours in a group | neighbours between groups |
| pairwise | an entry of rank r and the r-th best | and the one before that |

Four attempts, of which the first that any rule passes counts: all as printed; if the board ranked
numbers with more decimals than it prints, so that each gap may be a tick off; then both of these
with entries that the board counted and does not show, which make published positions jump. (With
such, pairwise counts only if it needs no more of them than the other rules.) Within an attempt,
ranks count what they are said to, positions or groups, or else the other.
What no attempt explains has misses: comparisons that the best band gets wrong.

Source: methods, section 2.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from history.ties import consistency, unseen
from history.ties.bounds import NO_BOUND, ONE_IN, Bounds, Rows, bounds_of, read
from history.ties.consistency import Consistency
from history.ties.rule import WITHOUT_BAND, Edge, Rule, TieRule, band_width

Counts = Literal["positions", "groups"]

_BANDED: tuple[Rule, ...] = ("anchored", "chain", "pairwise")


@dataclass(frozen=True, slots=True)
class Fit:
    """A rule that reproduces all published tie ranks of a version.

    Attributes:
        rule: anchored, chain, pairwise, interval or none.
        edge: of the band; None where the rule has none. Any other edge fits, too, as long as no
            band is given: see `Inference.edge`.
        counts: what the ranks count: positions or groups.
        low, high: the band is in [low, high) for an inclusive edge, in (low, high] for an
            exclusive one; `high` is None where nobody is apart. Both None without a band.
        dp: decimals of the scores.
        witnesses: comparisons of different scores, or of intervals, that it passes.
        hidden: how many entries must be counted that are not shown.
        exact: False where it fits only if unprinted decimals are allowed for. Ranks by interval
            are only asked to be consistent, as such ranks are made from unrounded numbers.
    """

    rule: Rule
    edge: Edge | None
    counts: Counts
    low: Fraction | None
    high: Fraction | None
    dp: int
    witnesses: int
    hidden: int = 0
    exact: bool = True

    def holds(self, band: Fraction) -> bool:
        """Whether a band is one of those that fit."""
        if self.low is None:
            return True
        if self.edge == "exclusive":
            return self.low < band and (self.high is None or band <= self.high)
        return self.low <= band and (self.high is None or band < self.high)

    @property
    def texts(self) -> tuple[str | None, str | None]:
        """Both ends in the decimals of the scores.

        >>> Fit("chain", "inclusive", "positions", Fraction(9, 10), None, 2, 3).texts
        ('0.90', None)
        """
        low, high = (None if end is None else _text(end, self.dp) for end in (self.low, self.high))
        return low, high


class Miss(NamedTuple):
    """A rule that fits nearly.

    Attributes:
        low, high: the bands that get the fewest comparisons wrong, as for Fit with an inclusive
            edge; None for rules without a band.
        misses: how many; of interval, how many entries have another rank.
        witnesses: out of how many.
    """

    rule: Rule
    low: Fraction | None
    high: Fraction | None
    misses: int
    witnesses: int


@dataclass(frozen=True, slots=True)
class Inference:
    """What the published tie ranks of one version say.

    Attributes:
        fits: every rule that reproduces them; of rules with a band once for each edge.
        nearest: where none does, the rules with the fewest misses.
        declared: whether the rule and band that the board is said to have are among them; None
            where it is said to have a rule and nobody says with which band.
        edge: what a gap of exactly the declared band is: inclusive if some pair that far apart
            is tied, exclusive if some is not; None where no pair is, or nothing is declared.
    """

    fits: tuple[Fit, ...]
    nearest: tuple[Miss, ...]
    declared: bool | None
    edge: Edge | None


def infer(
    ranks: pd.DataFrame,
    counts: Mapping[int, Counts],
    declared: Mapping[int, tuple[TieRule, str | None]] | None = None,
    lower_is_better: Callable[[int], bool] = lambda version: False,
) -> dict[int, Inference]:
    """Infer the tie rule of every version that prints tie ranks.

    Args:
        ranks: RANKS of any versions, best first, with tie_rank_published; low and high, too, for
            the rule interval to be tried.
        counts: by version, what published tie ranks are said to count; the other is tried where
            that does not fit.
        declared: by version, the rule that the board is said to have, and its band.
        lower_is_better: of a version; needed for intervals only.

    Returns:
        By version; without the versions that print none.

    >>> ranks = pd.DataFrame({"version": 0, "rank": pd.array([1, 2, 3], "Int64"),
    ...     "tie_rank_published": pd.array([1, 1, 3], "Int64"), "score.dp": 1,
    ...     "score.ticks": pd.array([100, 95, 90], "Int64")})
    >>> [(fit.rule, fit.edge, *fit.texts) for fit in infer(ranks, {})[0].fits]
    [('anchored', 'inclusive', '0.5', '1.0'), ('anchored', 'exclusive', '0.5', '1.0')]
    """
    rows = read(ranks)
    if rows is None:
        return {}
    bounds = bounds_of(rows)
    by_interval = consistency.of_intervals(ranks, rows, lower_is_better)
    found = {}
    for place, version in enumerate(rows.versions.tolist()):
        said = counts.get(version, "positions")
        fits = _fits(bounds, rows, place, said, by_interval.get(version))
        nearest = () if fits else _nearest(bounds, rows, place, by_interval.get(version))
        rule = (declared or {}).get(version)
        found[version] = Inference(fits, nearest, *_against(fits, rule))
    return found


def _fits(
    bounds: Bounds, rows: Rows, place: int, said: Counts, by_interval: Consistency | None
) -> tuple[Fit, ...]:
    """The rules of the first attempt that any passes, and intervals where they are consistent."""
    dp, most = int(rows.dp[place]), max(1, int(rows.size[place]) // ONE_IN)
    others: list[Fit] = []
    if bounds.equal[place]:
        n = int((rows.board == place).sum())
        others.append(Fit("none", None, "positions", None, None, dp, n))
    if by_interval is not None and not by_interval.impossible:
        ends, exact = (None, None, dp, by_interval.compared), not by_interval.other
        others.append(Fit("interval", None, "positions", *ends, exact=exact))
    not_said: Counts = "groups" if said == "positions" else "positions"
    for allowed in (0, most):
        for slack in (0, 1):
            for counts in (said, not_said):
                found: list[Fit] = []
                for rule in ("anchored", "chain"):
                    found += _grouped(bounds, rows, place, rule, counts, slack, allowed)
                if counts == "positions":
                    # With many hidden entries it can explain much.
                    fewest = min((fit.hidden for fit in found), default=allowed)
                    found += _pairwise(bounds, rows, place, slack, fewest)
                if found:
                    return (*found, *others)
    return tuple(others)


def _grouped(
    bounds: Bounds, rows: Rows, place: int, rule: Rule, counts: Counts, slack: int, most: int
) -> list[Fit]:
    """A rule with groups, if it fits with 1 to `most` hidden entries; 0: with none."""
    hidden = int(bounds.hidden[counts][place])
    allowed = 0 < hidden <= most if most else hidden == 0
    if bounds.off[counts][place] or not allowed:
        return []
    low, high = int(bounds.low[rule][place]), int(bounds.high[rule][place])
    return _with_edges(bounds, rows, place, rule, counts, (low, high), slack, hidden)


def _pairwise(bounds: Bounds, rows: Rows, place: int, slack: int, most: int) -> list[Fit]:
    """The same of the rule that looks at pairs."""
    low, high, hidden = int(bounds.low["pairwise"][place]), int(bounds.high["pairwise"][place]), 0
    if most:
        printed = rows.printed_of(place)
        gap, rank = rows.gap[rows.printed[printed]], rows.rank[printed]
        shown = None if slack else unseen.pairwise(rows.gaps_of(place), gap, rank, most)
        if shown is None:
            return []
        low, high, hidden = shown
    return _with_edges(bounds, rows, place, "pairwise", "positions", (low, high), slack, hidden)


def _with_edges(
    bounds: Bounds,
    rows: Rows,
    place: int,
    rule: Rule,
    counts: Counts,
    ends: tuple[int, int],
    slack: int,
    hidden: int,
) -> list[Fit]:
    """A rule with each edge, if any band is left."""
    low, high = max(ends[0] - slack, 0), ends[1] + slack
    if low >= high:
        return []
    dp, witnesses = int(rows.dp[place]), int(bounds.witnesses[rule][place])
    band = _units(low, dp), None if high >= NO_BOUND else _units(high, dp)
    edges: tuple[Edge, ...] = ("inclusive", "exclusive")
    return [Fit(rule, e, counts, *band, dp, witnesses, hidden, slack == 0) for e in edges]


def _nearest(
    bounds: Bounds, rows: Rows, place: int, by_interval: Consistency | None
) -> tuple[Miss, ...]:
    """The rules with the fewest misses, at their best bands."""
    at, dp = rows.printed_of(place), int(rows.dp[place])
    most = max(1, int(rows.size[place]) // ONE_IN)
    # Numbers that nothing explains, as the better way of counting has them.
    off = min(
        int(bounds.off[counts][place]) + max(int(bounds.hidden[counts][place]) - most, 0)
        for counts in ("positions", "groups")
    )
    found = []
    for rule in _BANDED:
        least = bounds.at_least[rule][at]
        below = np.sort(bounds.below[rule][at])
        least = np.sort(np.maximum(least[least >= 0], 0))
        bands = np.unique(np.append(least, [0, *below[below < NO_BOUND]]))
        # Tied, and still farther apart than the band; apart, and within it.
        wrong = len(least) - np.searchsorted(least, bands, side="right")
        wrong += np.searchsorted(below, bands, side="right")
        best = int(np.argmin(wrong))
        after = np.flatnonzero(wrong[best:] != wrong[best])
        high = None if not len(after) else _units(int(bands[best + after[0]]), dp)
        misses = int(wrong[best]) + (0 if rule == "pairwise" else off)
        witnesses = int(bounds.witnesses[rule][place])
        found.append(Miss(rule, _units(int(bands[best]), dp), high, misses, witnesses))
    if by_interval is not None:
        found.append(Miss("interval", None, None, by_interval.impossible, by_interval.compared))
    fewest = min(miss.misses for miss in found)
    return tuple(miss for miss in found if miss.misses == fewest)


def _against(
    fits: Sequence[Fit], declared: tuple[TieRule, str | None] | None
) -> tuple[bool | None, Edge | None]:
    """Whether the declared rule is among those that fit, and what a gap of its band is."""
    if declared is None:
        return None, None
    rule, text = declared
    same = [fit for fit in fits if fit.rule == rule.rule]
    if rule.rule in WITHOUT_BAND:
        return bool(same), None
    band = None if text is None else band_width(text)
    if band is None:
        return None, None
    edge = "exclusive" if rule.edge == "exclusive" else "inclusive"
    holds = any(fit.holds(band) for fit in same if fit.edge == edge)
    exact = [fit for fit in same if fit.exact]
    if any(fit.low == band for fit in exact) and band > 0:
        return holds, "inclusive"
    return holds, "exclusive" if any(fit.high == band for fit in exact) else None


def _units(ticks: int, dp: int) -> Fraction:
    return Fraction(ticks) / Fraction(10) ** dp


def _text(number: Fraction, dp: int) -> str:
    """A number of ticks as it would be printed."""
    ticks = int(number * Fraction(10) ** dp)
    return f"{Decimal(ticks).scaleb(-dp):f}"
