"""Which straight line lies nearest to points, and what does it predict?

In: pairs of exact numbers. Out: a FittedLine. Start at fit(). Sums are exact; only roots and quantiles
are floats.

Source: ordinary least squares, with normal errors for the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from history.numbers.printed import Exact
from history.sampling import LEVEL


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a line lets expect of the y of one point.

    Attributes:
        middle: the number itself, exactly.
        error: standard error of a single y around it.
        df: degrees of freedom of the error.
    """

    middle: Fraction
    error: float
    df: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % prediction interval, by the t quantile."""
        from scipy import special

        half = float(special.stdtrit(self.df, (1 + LEVEL) / 2)) * self.error
        return float(self.middle) - half, float(self.middle) + half

    def p_value(self, y: Exact) -> float:
        """How likely a number as far away as this one is, on either side."""
        from scipy import special

        off = abs(float(self.middle - Fraction(y)))
        if self.error == 0:  # all others are on the line
            return 0.0 if off else 1.0
        return float(2 * special.stdtr(self.df, -off / self.error))


@dataclass(frozen=True, slots=True)
class FittedLine:
    """The least-squares line of y on x.

    Attributes:
        intercept, slope: y = intercept + slope * x.
        n: points that it rests on.
        mean, spread: of their x: the mean, and the sum of squares around it.
        residual: sum of squares of y around the line.
    """

    intercept: Fraction
    slope: Fraction
    n: int
    mean: Fraction
    spread: Fraction
    residual: Fraction

    @property
    def sd(self) -> float:
        """Standard deviation around the line, with n - 2 degrees of freedom."""
        return sqrt(self.residual / (self.n - 2))

    def at(self, x: Exact) -> Fraction:
        """The y on the line, exactly."""
        return self.intercept + self.slope * Fraction(x)

    def of_new(self, x: Exact) -> Prediction:
        """The y of a point that is not one of the line's."""
        error = self.sd * sqrt(1 + self._leverage(x))
        return Prediction(self.at(x), error, self.n - 2)

    def of_others(self, x: Exact, y: Exact) -> Prediction | None:
        """The y of one of the line's points, by the line through all the others.

        A point far out pulls the line towards itself: held against a line that it is part of, it
        would hardly ever stand out. The deleted residual says the same as a line drawn anew.

        Returns:
            None where the others make no line, or fit one whatever they are (fewer than four
            points).

        Source: Cook & Weisberg, Residuals and Influence in Regression (1982), section 2.2.
        """
        free = 1 - self._leverage(x)
        if self.n < 4 or free == 0:
            return None
        off = Fraction(y) - self.at(x)
        rest = self.residual - off**2 / free
        error = sqrt(rest / (self.n - 3) / free)
        return Prediction(Fraction(y) - off / free, error, self.n - 3)

    def _leverage(self, x: Exact) -> Fraction:
        return Fraction(1, self.n) + (Fraction(x) - self.mean) ** 2 / self.spread


def fit(points: Sequence[tuple[Exact, Exact]]) -> FittedLine | None:
    """The line through points (x, y).

    Returns:
        None for fewer than three points, or if all have one x.

    >>> line = fit([(Fraction(x), Fraction(y)) for x, y in [(1, 2), (2, 3), (3, 7)]])
    >>> str(line.slope), str(line.intercept), line.n
    ('5/2', '-1', 3)
    """
    known = [(Fraction(x), Fraction(y)) for x, y in points]
    n = len(known)
    if n < 3:
        return None
    mean_x = sum((x for x, _ in known), Fraction(0)) / n
    mean_y = sum((y for _, y in known), Fraction(0)) / n
    spread = sum(((x - mean_x) ** 2 for x, _ in known), Fraction(0))
    if not spread:
        return None
    slope = sum(((x - mean_x) * (y - mean_y) for x, y in known), Fraction(0)) / spread
    total = sum(((y - mean_y) ** 2 for _, y in known), Fraction(0))
    residual = total - slope**2 * spread
    return FittedLine(mean_y - slope * mean_x, slope, n, mean_x, spread, residual)
