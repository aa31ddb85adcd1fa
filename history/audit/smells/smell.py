"""What is one finding, and when are several one?

Start at Smell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from history.audit.steps import Steps

# Findings of one kind in one version that are still listed each for itself; more than that have
# one cause, and a list of them would hide the others.
MAX_APART = 5
_SHOWN = 3
# Each of these asks for a line of its own in the definition.
_APART = frozenset({"rename"})


class Smell(NamedTuple):
    """One row of SMELLS."""

    version: int
    kind: str
    entry: str | None
    pointer: str | None
    found: str


def at_row(steps: Steps, row: int, kind: str, field: str, found: str) -> Smell:
    """A finding at one cell."""
    version = int(steps.versions[steps.place[row]])
    return Smell(version, kind, steps.entry(row), steps.pointer(row, field), found)


def at_place(steps: Steps, place: int, kind: str, found: str) -> Smell:
    """A finding about a version as a whole."""
    return Smell(int(steps.versions[place]), kind, None, None, found)


def farthest(rows: pd.DataFrame, columns: Sequence[str]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Of each version how many rows there are, and some columns of the one with the largest `off`.

    >>> rows = pd.DataFrame({"version": [1, 1, 4], "off": [0.1, 2.0, 1.0], "entry": ["a", "b", "c"]})
    >>> list(farthest(rows, ["version", "entry"]))
    [(2, (1, 'b')), (1, (4, 'c'))]
    """
    ordered = rows.sort_values("off", ascending=False, kind="stable")
    first = ordered.drop_duplicates("version").sort_values("version")
    sizes = rows["version"].value_counts().reindex(first["version"])
    cells = [first[name].tolist() for name in columns]
    yield from zip(sizes.tolist(), zip(*cells, strict=True), strict=True)


def gathered(smells: Iterable[Smell]) -> Iterator[Smell]:
    """Make one finding of many alike: more than five of one kind in one version.

    >>> one, = gathered(Smell(3, "swapped", f"e{n}", "/0", f"e{n} moved") for n in range(9))
    >>> one.entry, one.found
    (None, '9 times: e0 moved; e1 moved; e2 moved; and 6 more')
    """
    groups: dict[tuple[int, str], list[Smell]] = {}
    for smell in smells:
        groups.setdefault((smell.version, smell.kind), []).append(smell)
    for (version, kind), alike in groups.items():
        if len(alike) <= MAX_APART or kind in _APART:
            yield from alike
            continue
        shown = "; ".join(smell.found for smell in alike[:_SHOWN])
        found = f"{len(alike)} times: {shown}; and {len(alike) - _SHOWN} more"
        yield Smell(version, kind, None, alike[0].pointer, found)
