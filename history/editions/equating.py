"""Which line brings the scores of one edition onto the scale of another?

In: the scores of the entries that both editions list, or constants that a file prints. Out: an
Equating. Start at fit() or fit_versions(), or at linear() where the constants are known: those of
the file are better than any fit (methods, section 4, equating). Everything is exact; only `spread`
is a float.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, Literal

from crawler.errors import RanktrailError
from history import least_squares
from history.frames import SCORE
from history.numbers.printed import Exact
from history.ticks import numbers_of

if TYPE_CHECKING:
    import pandas as pd

Method = Literal["shift", "linear"]
Label = Literal["from the file", "fitted"]


class EquatingError(RanktrailError):
    """No line can be fitted.

    Attributes:
        code: as in methods, section 3.5.
    """

    code = "TOO_FEW_ENTRIES"


@dataclass(frozen=True)
class Equating:
    """A line y = slope * x + shift between two scales.

    Attributes:
        slope, shift: exact.
        method: "shift": the median difference, slope 1; "linear": a straight line.
        label: whether a file prints its constants, or they were fitted here. What is computed with
            a fitted line is reasoned, never measured.
        residuals: by entry of the fit, printed new score less the line's; empty where constants
            were known.
    """

    slope: Fraction
    shift: Fraction
    method: Method
    label: Label
    residuals: Mapping[str, Fraction]

    def __call__(self, score: Exact) -> Fraction:
        """A score of the old scale on the new one."""
        return self.slope * Fraction(score) + self.shift

    @property
    def n(self) -> int:
        """How many entries the line was fitted on."""
        return len(self.residuals)

    @property
    def worst(self) -> tuple[str, Fraction] | None:
        """The entry that is farthest from the line, and how far; None without a fit."""
        farthest = max(self.residuals, key=lambda one: (abs(self.residuals[one]), one), default="")
        return (farthest, self.residuals[farthest]) if self.residuals else None

    @property
    def spread(self) -> float | None:
        """Root of the mean squared residual, in points; None without a fit."""
        if not self.residuals:
            return None
        squares = sum((one * one for one in self.residuals.values()), Fraction(0))
        return math.sqrt(squares / len(self.residuals))

    def words(self) -> str:
        """For people: the line, where it comes from and how well it holds.

        >>> fit({"a": 70, "b": 60}, {"a": 68, "b": 58}).words()
        'y = x - 2 (fitted on 2 common entries by the median shift, farthest off: b by 0)'
        """
        slope = "x" if self.slope == 1 else f"{float(self.slope):.6g}*x"
        sign = "-" if self.shift < 0 else "+"
        line = f"y = {slope} {sign} {abs(float(self.shift)):.6g}"
        if self.worst is None:
            return f"{line} ({self.label})"
        how = "the median shift" if self.method == "shift" else "least squares"
        entry, off = self.worst
        return (
            f"{line} (fitted on {self.n} common entries by {how}, farthest off: {entry} by "
            f"{float(off):.4g})"
        )


def linear(
    mean_from: Exact, sd_from: Exact, mean_to: Exact, sd_to: Exact, label: Label = "from the file"
) -> Equating:
    """Linear equating from two means and standard deviations.

    y = mean_to + sd_to / sd_from * (x - mean_from)

    Raises:
        EquatingError: `sd_from` is 0.

    >>> eq_s = linear("24.268626", "16.350451", "23.4973", "16.539081")
    >>> round(float(eq_s("60.00")), 3)
    59.641
    """
    if Fraction(sd_from) == 0:
        found = "a standard deviation of 0 equates nothing"
        raise EquatingError("equating", found, "Give the one of the file")
    slope = Fraction(sd_to) / Fraction(sd_from)
    return Equating(slope, Fraction(mean_to) - slope * Fraction(mean_from), "linear", label, {})


def fit(
    before: Mapping[str, Exact], after: Mapping[str, Exact], method: Method = "shift"
) -> Equating:
    """Fit a line on the entries that both sides have a score of.

    Args:
        before, after: scores by entry; entries of one side only are left out.
        method: "shift": the median of the differences, which a few re-scored entries cannot pull
            along; "linear": least squares, for scales of different width, which they can.

    Raises:
        EquatingError: no entry in common; for "linear", fewer than three, or all with one score.

    >>> line = fit({"a": 1, "b": 2, "c": 4, "new": 9}, {"a": 5, "b": 7, "c": 11}, "linear")
    >>> line.slope, line.shift, line.n
    (Fraction(2, 1), Fraction(3, 1), 3)
    """
    common = sorted(before.keys() & after.keys())
    old = {entry: Fraction(before[entry]) for entry in common}
    new = {entry: Fraction(after[entry]) for entry in common}
    if method == "linear":
        slope, shift = _least_squares(old, new)
    else:
        if not common:
            fix = "Compare editions that share entries"
            raise EquatingError("equating", "no entry is listed in both", fix)
        slope, shift = Fraction(1), Fraction(median(new[one] - old[one] for one in common))
    residuals = {one: new[one] - (slope * old[one] + shift) for one in common}
    return Equating(slope, shift, method, "fitted", residuals)


def fit_versions(
    scores: pd.DataFrame, before: int, after: int, method: Method = "shift", field: str = SCORE
) -> Equating:
    """Fit a line from the scores of one version to those of another.

    Take the last version of an edition and the first of the next: what lies between them is the
    change of edition, and little else.

    Args:
        scores: SCORES of both, with `field`; entries without a number are left out.
        before, after: numbers of versions.
        method: see fit().
        field: `score`, or a part.

    Raises:
        EquatingError: as fit().
    """
    old, new = (_numbers(scores[scores["version"] == one], field) for one in (before, after))
    return fit(old, new, method)


def _numbers(rows: pd.DataFrame, field: str) -> dict[str, Fraction]:
    cells = zip(rows["entry"].tolist(), numbers_of(rows, field), strict=True)
    return {str(entry): number for entry, number in cells if number is not None}


def _least_squares(
    old: Mapping[str, Fraction], new: Mapping[str, Fraction]
) -> tuple[Fraction, Fraction]:
    line = least_squares.fit([(old[one], new[one]) for one in old])
    if line is None:
        found = f"a line needs 3 common entries with different scores, here are {len(old)}"
        raise EquatingError("equating", found, "Use the median shift")
    return line.slope, line.intercept
