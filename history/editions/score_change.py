"""How much of a new score is new data, and how much a new formula?

In: the parts of one entry before and after, and the two formulas. Out: a ScoreChange. Start at
split(). Each share is the mean of the two orders of change (Shapley with two factors); for
weighted means that is the closed form mean(w) * dx and mean(x) * dw (methods, section 6.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from history.meaning.formula import Formula
from history.numbers.printed import Exact


class ScoreChange(NamedTuple):
    """Shares of a change of score, in points; `data` + `formula` is the whole change, exactly."""

    data: Fraction
    formula: Fraction

    @property
    def total(self) -> Fraction:
        """The whole change."""
        return self.data + self.formula


def split(
    before: Formula, after: Formula, old: Mapping[str, Exact], new: Mapping[str, Exact]
) -> ScoreChange | None:
    """Split the change of one computed score into data and formula.

    Args:
        before, after: the formulas.
        old, new: a value for every name of both formulas, before and after. A path of the file,
            such as a weight, belongs to the formula: bind it before, see Formula.bound().

    Returns:
        None where one of the four scores cannot be computed, as where a part is new: then the two
        are not separable.

    >>> from history.meaning.formula import parse
    >>> shares = split(parse("0.6*a + 0.4*b"), parse("0.5*a + 0.5*b"),
    ...     {"a": "63.00", "b": "57.00"}, {"a": "64.29", "b": "56.41"})
    >>> [round(float(one), 4) for one in (*shares, shares.total)]
    [0.444, -0.694, -0.25]
    """
    corners = [_value(one, parts) for one in (before, after) for parts in (old, new)]
    old_old, old_new, new_old, new_new = corners
    if old_old is None or old_new is None or new_old is None or new_new is None:
        return None
    data = (old_new - old_old + new_new - new_old) / 2
    return ScoreChange(data, new_new - old_old - data)


def _value(formula: Formula, parts: Mapping[str, Exact]) -> Fraction | None:
    if any(name not in parts for name in formula.names):
        return None
    value = formula.evaluate({name: Fraction(parts[name]) for name in formula.names})
    return value if isinstance(value, Fraction) else None
