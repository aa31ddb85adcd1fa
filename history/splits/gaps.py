"""How far is an entry's private score from what its public one lets expect?

In: pairs of exact public and private scores. Out: the least-squares line of private on public,
and what it predicts. Start at fit(). Sums are exact; only roots and quantiles are floats.

Source: methods, section 5; ordinary least squares with normal errors for the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import sqrt

LEVEL = 0.95  # of prediction intervals
Z95 = 1.96


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a line lets expect of one private score.

    Attributes:
        middle: the score itself, exactly.
        error: standard error of a single score around it.
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

    def p_value(self, private: Decimal | Fraction) -> float:
        """How likely a score as far away as this one is, on either side."""
        from scipy import special

        off = abs(float(self.middle - Fraction(private)))
        if self.error == 0:  # all others are on the line
            return 0.0 if off else 1.0
        return float(2 * special.stdtr(self.df, -off / self.error))


@dataclass(frozen=True, slots=True)
class Line:
    """The least-squares line of private on public.

    Attributes:
        intercept, slope: private = intercept + slope * public.
        n: entries that it rests on.
        mean, spread: of their public scores: the mean, and the sum of squares around it.
        residual: sum of squares of private around the line.
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

    def at(self, public: Decimal | Fraction) -> Fraction:
        """The private score on the line, exactly."""
        return self.intercept + self.slope * Fraction(public)

    def of_new(self, public: Decimal | Fraction) -> Prediction:
        """The private score of an entry that is not one of its points."""
        error = self.sd * sqrt(1 + self._leverage(public))
        return Prediction(self.at(public), error, self.n - 2)

    def of_others(
        self, public: Decimal | Fraction, private: Decimal | Fraction
    ) -> Prediction | None:
        """The private score of one of its points, by the line through all the others.

        An entry far out pulls the line towards itself: held against a line that it is part of, it
        would hardly ever stand out. The deleted residual says the same as a line drawn anew.

        Returns:
            None where the others make no line, or fit one whatever they are (fewer than four
            points).

        Source: Cook & Weisberg, Residuals and Influence in Regression (1982), section 2.2.
        """
        free = 1 - self._leverage(public)
        if self.n < 4 or free == 0:
            return None
        off = Fraction(private) - self.at(public)
        rest = self.residual - off**2 / free
        error = sqrt(rest / (self.n - 3) / free)
        return Prediction(Fraction(private) - off / free, error, self.n - 3)

    def _leverage(self, public: Decimal | Fraction) -> Fraction:
        return Fraction(1, self.n) + (Fraction(public) - self.mean) ** 2 / self.spread


def fit(points: Sequence[tuple[Decimal | Fraction, Decimal | Fraction]]) -> Line | None:
    """The line through (public, private).

    Returns:
        None for fewer than three points, or if all have one public score.

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
    return Line(mean_y - slope * mean_x, slope, n, mean_x, spread, residual)


@dataclass(frozen=True, slots=True)
class Regression:
    """What regression to the mean does to a public score.

    Attributes:
        mean_public, mean_private: means of the two parts.
        var_true: variance of the public scores less that of their errors; 0 or more.
        reliability: the share of the variance of the public scores that is no error.
    """

    mean_public: float
    mean_private: float
    var_true: float
    reliability: float

    def expected(self, public: float) -> float:
        """The private score to expect with no overfitting at all."""
        return self.mean_private + self.reliability * (public - self.mean_public)


def regression(
    public: Sequence[float], private: Sequence[float], errors: Sequence[float]
) -> Regression | None:
    """Regression to the mean of a part whose errors are known.

    Args:
        public, private: scores of the same entries.
        errors: standard errors of the public ones.

    Returns:
        None for fewer than two entries.

    >>> found = regression([60.0, 70.0], [50.0, 56.0], [3.0, 3.0])
    >>> found.var_true, found.reliability, found.expected(70.0)
    (41.0, 0.82, 57.1)
    """
    n = len(public)
    if n < 2:
        return None
    mean = sum(public) / n
    total = sum((x - mean) ** 2 for x in public) / (n - 1)
    true = max(0.0, total - sum(error**2 for error in errors) / n)
    share = true / total if total else 0.0
    return Regression(mean, sum(private) / n, true, share)


def items_needed(difference: float, p: float, z: float = Z95) -> float | None:
    """Items in each part at which a difference in differences would reach `z`.

    Args:
        difference: as a share (0.0471 for 4.71 points).
        p: the share of right answers, of all four independent scores.

    Returns:
        4 p (1 - p) (z / difference)^2; None for no difference at all.

    >>> [round(items_needed(points / 100, 0.65)) for points in (4.71, 7.62, 3.13)]
    [1576, 602, 3568]
    """
    return 4 * p * (1 - p) * (z / difference) ** 2 if difference else None


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for their number, by Holm's step-down method (1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, worst = [0.0] * len(p_values), 0.0
    for step, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - step) * p_values[i]))
        adjusted[i] = worst
    return adjusted
