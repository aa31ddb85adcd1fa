"""How does a look at a claim's own numbers end early, where one of them is missing?

In: what is missing. Out: an exception that carries the answer; own_numbers.judge() hands it on.
Start at Undecidable.
"""

from __future__ import annotations

from typing import Any

from history.claims.answer import Answer, undecided
from history.claims.verdict import Evidence


class Undecidable(Exception):
    """A claim that its own numbers do not decide.

    Attributes:
        answer: what is said then.

    >>> Undecidable("NO_EXTRAPOLATION", "the curve ends at 325", ()).answer.would_decide
    'a measurement there'
    """

    def __init__(
        self, code: str, fact: str, own: tuple[Evidence, ...], *, would: str = "", **more: Any
    ):
        self.answer: Answer = undecided(code, fact, (), would=would, own=own, **more)
        super().__init__(fact)
