"""Is a formula a sum of multiples of its names, and of which?

In: names. Out: what + - * / make of them. Start at Linear.of().
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


class NotLinear(Exception):
    """A formula is not a sum of multiples of its names."""


@dataclass(frozen=True)
class Linear:
    """A sum of multiples of names.

    Attributes:
        rest: what is added to them.
        factors: by name.

    >>> (Linear.of("a") * Fraction(2) + Fraction(1)).factors
    {'a': Fraction(2, 1)}
    """

    rest: Fraction
    factors: Mapping[str, Fraction]

    @classmethod
    def of(cls, name: str) -> Linear:
        """A name alone."""
        return cls(Fraction(0), {name: Fraction(1)})

    @classmethod
    def constant(cls, value: Fraction | Linear) -> Linear:
        """A number alone; a sum as it is."""
        return value if isinstance(value, Linear) else cls(value, {})

    def certain(self) -> Fraction:
        """The number that it is.

        Raises:
            NotLinear: it depends on a name.
        """
        if any(self.factors.values()):
            raise NotLinear
        return self.rest

    def __neg__(self) -> Linear:
        return self * Fraction(-1)

    def __add__(self, other: Fraction | Linear) -> Linear:
        second = self.constant(other)
        names = {*self.factors, *second.factors}
        both = {n: self.factors.get(n, Fraction(0)) + second.factors.get(n, 0) for n in names}
        return Linear(self.rest + second.rest, both)

    __radd__ = __add__

    def __sub__(self, other: Fraction | Linear) -> Linear:
        return self + -self.constant(other)

    def __rsub__(self, other: Fraction) -> Linear:
        return -self + other

    def __mul__(self, other: Fraction | Linear) -> Linear:
        second = self.constant(other)
        if any(self.factors.values()) and any(second.factors.values()):
            raise NotLinear
        scaled, by = (second, self.rest) if any(second.factors.values()) else (self, second.rest)
        return Linear(scaled.rest * by, {n: f * by for n, f in scaled.factors.items()})

    __rmul__ = __mul__

    def __truediv__(self, other: Fraction | Linear) -> Linear:
        return self * (1 / self.constant(other).certain())

    def __rtruediv__(self, other: Fraction) -> Linear:
        return self.constant(other) / self
