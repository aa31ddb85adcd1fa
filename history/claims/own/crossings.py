"""Where does a ratio that depends on a size pass a value?

In: points of a size and the ratio there, or the two numbers that it is made of. Out: sizes.
crossings() goes straight from point to point; fitted_ratio() lays a line through each of the two
numbers first. Neither goes beyond the points. Methods 8.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from history.least_squares import FittedLine, fit

Point = tuple[Fraction, Fraction]

_FEWEST = 4  # points; three lie near some line too easily
_STRAIGHT = Fraction(99, 100)  # of the variation that a line must explain


@dataclass(frozen=True, slots=True)
class FittedRatio:
    """Two lines, and what becomes of their quotient.

    Attributes:
        above, below: least-squares lines of both numbers over the size.
        passes: the size at which the quotient has the value; None beyond the points.
        limit: what it tends to as the size grows; None where it grows with it.
    """

    above: FittedLine
    below: FittedLine
    passes: Fraction | None
    limit: Fraction | None

    def said(self, size: str, value: str) -> str:
        """The lines and what follows from them, for people."""
        lines = " over ".join(
            f"({float(line.intercept):.4g} {float(line.slope):+.4g} × {size})"
            for line in (self.above, self.below)
        )
        passes = "" if self.passes is None else f" passes {value} at {float(self.passes):.4g}"
        limit = "" if self.limit is None else f" tends to {float(self.limit):.4g}"
        both = " and".join(part for part in (passes, limit) if part)
        return f"fitted: {lines}{both}"


def crossings(points: Sequence[Point], value: Fraction) -> list[Fraction]:
    """The sizes at which a ratio has a value, straight from each point to the next.

    >>> points = [(Fraction(x), Fraction(y)) for x, y in [(1, 1), (3, 5), (5, 5), (6, 0)]]
    >>> [float(x) for x in crossings(points, Fraction(2))]
    [1.5, 5.6]
    """
    ordered = sorted(points)
    found = [x for x, ratio in ordered if ratio == value]
    for (x1, ratio1), (x2, ratio2) in pairwise(ordered):
        if x1 < x2 and (ratio1 - value) * (ratio2 - value) < 0:
            found.append(x1 + (value - ratio1) * (x2 - x1) / (ratio2 - ratio1))
    return sorted(set(found))


def fitted_ratio(
    above: Sequence[Point], below: Sequence[Point], value: Fraction
) -> FittedRatio | None:
    """The quotient of two lines through points.

    Returns:
        None where the points do not lie on straight lines.

    >>> sizes = [Fraction(x) for x in (1, 2, 3, 4)]
    >>> found = fitted_ratio([(x, 6 * x) for x in sizes], [(x, 2 + x) for x in sizes], Fraction(3))
    >>> float(found.passes), float(found.limit)
    (2.0, 6.0)
    >>> found.said("size", "3")
    'fitted: (0 +6 × size) over (2 +1 × size) passes 3 at 2 and tends to 6'
    """
    lines = [_straight(points) for points in (above, below)]
    if lines[0] is None or lines[1] is None:
        return None
    one, other = lines[0], lines[1]
    slope, passes = one.slope - value * other.slope, None
    if slope:
        size = (value * other.intercept - one.intercept) / slope
        inside = min(above)[0] <= size <= max(above)[0]
        passes = size if inside and other.at(size) else None
    return FittedRatio(one, other, passes, one.slope / other.slope if other.slope else None)


def _straight(points: Sequence[Point]) -> FittedLine | None:
    """The line through points; None where they do not lie on one."""
    line = fit(points) if len(points) >= _FEWEST else None
    if line is None:
        return None
    total = line.residual + line.slope**2 * line.spread
    return line if line.residual <= (1 - _STRAIGHT) * total else None
