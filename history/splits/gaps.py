"""How far is an entry's private score from what its public one lets expect?

In: public and private scores, and standard errors. Out: what regression to the mean leaves of a
public score, the items that a difference would take, and p values of many entries at once. Start
at regression(). The line through all entries is that of `history.least_squares`.

Source: methods, section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

# As the printed sentences say it: "1.96 standard errors at N items".
Z95 = 1.96


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

    def chance(self, public_error: float, private_error: float) -> float:
        """Standard deviation of a private score around expected(), if errors are all there is.

        What is not known of the true score once the public one is, and the error of the private
        one.
        """
        return sqrt(self.reliability * public_error**2 + private_error**2)


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
