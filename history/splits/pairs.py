"""How much more does one entry lead another on public than elsewhere?

In: Splits of one version, and two entries. Out: a Pair. Start at pair().

Source: methods, section 5 (difference in differences).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import sqrt

from history.splits.gaps import items_needed
from history.splits.side_by_side import Splits, less


@dataclass(frozen=True, slots=True)
class Excess:
    """What of a lead on public is not there on another split.

    Attributes:
        split: the other one.
        value: (public of one - public of the other) - (the same on the split), exactly.
        share_public: of the two leads added up, the share of the public one; None unless both
            are above 0.
        p: mean of the four scores, as a share of all answers; None where they are no shares.
        items_needed: independent items in each part at which the value would be 1.96 standard
            errors; None where p is.
        se, z: standard error of the value, and how many of it the value is; None where the
            errors of one of the two splits are not known.
    """

    split: str
    value: Decimal
    share_public: float | None
    p: float | None
    items_needed: int | None
    se: float | None
    z: float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries on all splits.

    Attributes:
        entry, other: their keys.
        differences: of their scores, one less the other, by split; None where one lacks it.
        beyond: by split that both have besides public; none where one lacks the public score.
    """

    entry: str
    other: str
    differences: Mapping[str, Decimal | None]
    beyond: tuple[Excess, ...]


def pair(beside: Splits, entry: str, other: str) -> Pair:
    """Differences of two entries, and differences of these.

    Only splits with the direction of public are set against it.

    Raises:
        KeyError: one of them is not listed.
    """
    differences = beside.difference(entry, other)
    public = differences.get(beside.public)
    found = []
    for name, lead in differences.items():
        if name == beside.public or public is None or lead is None:
            continue
        if beside.directions[name] == beside.directions[beside.public]:
            found.append(_excess(beside, entry, other, name, public, lead))
    return Pair(entry, other, differences, tuple(found))


def _excess(
    beside: Splits, entry: str, other: str, split: str, public: Decimal, lead: Decimal
) -> Excess:
    value = less(public, lead)
    assert value is not None
    rows = {row.entry: row.scores for row in beside.entries}
    four = [rows[who][name] for who in (entry, other) for name in (beside.public, split)]
    errors = beside.errors
    p = needed = None
    scale = 100 if errors is None else errors.scale
    if all(one is not None and 0 <= one <= scale for one in four):
        p = sum(float(one) for one in four if one is not None) / 4 / scale
        needed = items_needed(float(value) / scale, p)
    se = None
    if errors is not None and {beside.public, split} <= errors.of.keys():
        ones = [errors.of[name][who] for who in (entry, other) for name in (beside.public, split)]
        se = sqrt(sum(one**2 for one in ones))
    return Excess(
        split=split,
        value=value,
        share_public=float(public / (public + lead)) if min(public, lead) > 0 else None,
        p=p,
        items_needed=None if needed is None else round(needed),
        se=se,
        z=float(value) / se if se else None,
    )
