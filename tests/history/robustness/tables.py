"""Random small composites for Hypothesis."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from history.robustness import Composite


@st.composite
def composites(
    draw: st.DrawFn, most_entries: int = 6, most_parts: int = 5, most: int = 12
) -> Composite:
    """Few values, so that ties are common."""
    n = draw(st.integers(2, most_entries))
    k = draw(st.integers(2, most_parts))
    numbers = st.integers(-most, most)
    ticks = draw(st.lists(st.lists(numbers, min_size=k, max_size=k), min_size=n, max_size=n))
    parts = draw(st.lists(st.integers(1, 9), min_size=k, max_size=k))
    table = np.array(ticks, dtype=np.int64)
    return Composite(
        entries=tuple("abcdefgh"[:n]),
        parts=tuple("uvwxyz"[:k]),
        weights=tuple(Fraction(part, sum(parts)) for part in parts),
        ticks=table,
        units=np.ones_like(table),
        dp=1,
        totals=(None,) * n,
    )


def table_of(composite: Composite) -> dict[str, list[Fraction]]:
    """The same for the reference."""
    return {
        entry: [Fraction(int(tick), 10**composite.dp) for tick in row]
        for entry, row in zip(composite.entries, composite.ticks, strict=True)
    }
