"""How precise are the scores of a split?

In: SCORES of one version, and the number of items if somebody says it. Out: SplitErrors. Start at
errors_of(). The file says it where the definition names parts PART_se (standard error) or
PART_items (number of items) beside a part PART.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import ticks_of, value_of
from history.splits.noise import standard_errors
from history.splits.splits import ERRORS, PRIVATE, PUBLIC, view

if TYPE_CHECKING:
    from history.meaning import Meaning

_SE, _ITEMS = ERRORS


@dataclass(frozen=True, slots=True)
class SplitErrors:
    """Standard errors of the scores of splits.

    Attributes:
        of: by split and entry; a split of which they are not known is missing.
        items: how many items each part has, as somebody said; None where it is the file that
            says how precise it is.
        scale: what all answers right are, 1 or 100.
        says: what they rest on.
        why: of a split that is missing, the reason.
    """

    of: Mapping[str, Mapping[str, float]]
    items: int | None
    scale: int
    says: str
    why: Mapping[str, str]

    def pairs(self, public: str, private: str) -> dict[str, tuple[float, float]]:
        """The errors of both splits, of the entries that have both."""
        one, two = self.of.get(public, {}), self.of.get(private, {})
        return {entry: (one[entry], two[entry]) for entry in one if entry in two}


def errors_of(
    scores: pd.DataFrame,
    meaning: Meaning,
    exact: Mapping[str, Mapping[str, Decimal | None]],
    items: int | None = None,
    compared: tuple[str, str] = (PUBLIC, PRIVATE),
) -> SplitErrors:
    """The errors of every split.

    Args:
        scores: SCORES of one version, with all parts.
        meaning: of the board.
        exact: the numbers, by split and entry.
        items: in each part, as the caller says.
        compared: the two splits whose numbers say whether all right is 1 or 100.
    """
    numbers = {
        name: {entry: float(value) for entry, value in by_entry.items() if value is not None}
        for name, by_entry in exact.items()
    }
    largest = max(
        (value for name in compared for value in numbers.get(name, {}).values()), default=0
    )
    scale = 1 if largest <= 1 else 100
    found, why = {}, {}
    for name, values in numbers.items():
        if items is None:
            known = _from_file(scores, meaning, name, scale)
            reason = "the file has neither the number of items nor standard errors"
        elif all(0 <= value <= scale for value in values.values()):
            known = _series(values, standard_errors(np.array(list(values.values())), items, scale))
            reason = ""
        else:
            known, reason = {}, f"not all scores are between 0 and {scale}"
        if known and known.keys() >= values.keys():
            found[name] = {entry: known[entry] for entry in values}
        else:
            why[name] = reason
    share = f"sqrt(p (1 - p) / n), p the score as a share of {scale}"
    says = (
        "the standard errors, or numbers of items, that the file has of each part"
        if items is None
        else f"n = {items} independent items in each part, as given by the caller: errors {share}"
    )
    return SplitErrors(found, items, scale, says, why)


def _from_file(scores: pd.DataFrame, meaning: Meaning, name: str, scale: int) -> dict[str, float]:
    """Errors of a part, or of a sum of multiples of parts, whose errors are independent."""
    seen = view(meaning, name)
    if seen.points:
        return {}
    linear = (0, {seen.fields[0]: 1}) if seen.formula is None else seen.formula.coefficients()
    if linear is None:
        return {}
    variance: NDArray = np.zeros(len(scores))
    for part, factor in linear[1].items():
        own = _of_part(scores, part, scale)
        if own is None:
            return {}
        variance = variance + (float(factor) * own) ** 2
    known = ~np.isnan(variance)
    entries = scores["entry"].astype(object).to_numpy()[known].tolist()
    return dict(zip(entries, np.sqrt(variance[known]).tolist(), strict=True))


def _of_part(scores: pd.DataFrame, part: str, scale: int) -> NDArray | None:
    """Errors of one part, NaN where the file has a gap."""
    if value_of(part + _SE) in scores:
        return scores[value_of(part + _SE)].to_numpy(dtype=np.float64)
    if value_of(part + _ITEMS) in scores:
        items = scores[value_of(part + _ITEMS)].to_numpy(dtype=np.float64)
        values = scores[value_of(part)].where(scores[ticks_of(part)].notna()).to_numpy(np.float64)
        outside = (values < 0) | (values > scale) | (items <= 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(outside, np.nan, standard_errors(values, items, scale))
    return None


def _series(values: Mapping[str, float], errors: NDArray) -> dict[str, float]:
    return dict(zip(values, errors.tolist(), strict=True))
