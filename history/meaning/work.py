"""How much work can a formula be?

In: the pieces of a formula. Out: Sizes. Start at Size. A formula of few letters can be too much:
twenty helpers that each use the one before twice are a million steps, and if they multiply, the
result has as many digits.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

DEEPEST = 100
MOST_STEPS = 10_000
HIGHEST_POWER = 200


@dataclass(frozen=True)
class Size:
    """How much work a formula is, with its helpers written out.

    Attributes:
        steps: operations, names and numbers.
        depth: how deep they are nested.
        over, under: how many values are multiplied at most above and below the line of the
            fraction that it is; so many times longer than one value can the result be.
    """

    steps: int = 1
    depth: int = 1
    over: int = 0
    under: int = 0

    @property
    def power(self) -> int:
        """The larger of both."""
        return max(self.over, self.under)

    def with_(self, other: Size, operation: type[ast.operator]) -> Size:
        """That of two formulas put together."""
        steps, depth = self.steps + other.steps + 1, max(self.depth, other.depth) + 1
        if operation is ast.Mult:
            return Size(steps, depth, self.over + other.over, self.under + other.under)
        if operation is ast.Div:
            return Size(steps, depth, self.over + other.under, self.under + other.over)
        over = max(self.over + other.under, other.over + self.under)
        return Size(steps, depth, over, self.under + other.under)

    def inside(self, arguments: Sequence[Size]) -> Size:
        """That of a helper of this size that is given some arguments."""
        longest = max((one.power for one in arguments), default=1) or 1
        divided = any(one.under for one in arguments)
        power = self.over + self.under
        return Size(
            # An argument is worked out once, however often the helper uses it.
            self.steps + sum(one.steps for one in arguments) + 1,
            self.depth + max((one.depth for one in arguments), default=0) + 1,
            longest * (power if divided else self.over),
            longest * (power if divided else self.under),
        )
