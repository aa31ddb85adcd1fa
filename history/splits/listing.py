"""What does a history show of entries that were chosen to be shown?

In: all rows that were ever listed, with attributes, and READINGS. Out: a Listing. Start at
listing(). What was never listed leaves no trace in any file.

Source: Singh et al., The Leaderboard Illusion (arXiv 2504.20879): private variants, retraction,
unequal removal.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from history import moments
from history.frames import attribute_of

OWNERS = frozenset(
    "owner organization organisation org provider developer creator vendor team lab company "
    "author submitter".split()
)
LICENCES = frozenset(("licence", "license"))
CANNOT = (
    "versions that were tried and never listed, or listed between two versions of the file, are "
    "in no file; an entry that was renamed looks like one that vanished and one that joined"
)


@dataclass(frozen=True, slots=True)
class Vanished:
    """An entry that was listed and is not any more.

    Attributes:
        entry: its key.
        first, last: the versions that listed it first and last.
        gone: the first readable version without it after these.
    """

    entry: str
    first: int
    last: int
    gone: int


@dataclass(frozen=True, slots=True)
class Group:
    """The entries of one owner, or under one licence.

    Attributes:
        attribute: the attribute's name.
        value: what the file says.
        ever: entries of it that were ever listed.
        now: of these, how many still are.
    """

    attribute: str
    value: str
    ever: int
    now: int

    @property
    def removed(self) -> float:
        """The share that is not listed any more."""
        return 1 - self.now / self.ever


@dataclass(frozen=True, slots=True)
class Listing:
    """What was listed, and what still is.

    Attributes:
        ever, now: entries.
        vanished: by the version that lacks them first, then key.
        came_back: entries that were gone for at least one readable version in between.
        groups: owners and licences, the most entries first; none where the definition names no
            such attribute.
        cannot: what a history cannot show.
    """

    ever: int
    now: int
    vanished: tuple[Vanished, ...]
    came_back: tuple[str, ...]
    groups: tuple[Group, ...]
    cannot: str = CANNOT


def listing(listed: pd.DataFrame, readings: pd.DataFrame) -> Listing:
    """Follow every entry through a history.

    Versions that cannot be read, or without a file, say nothing of who was listed.

    Args:
        listed: rows of SCORES with `version`, `entry` and attribute columns.
        readings: READINGS, by version.

    >>> readings = pd.DataFrame({"version": [0, 1, 2], "state": "published", "reading": "read"})
    >>> rows = pd.DataFrame({"version": [0, 0, 1, 2, 2], "entry": ["a", "b", "a", "a", "c"]})
    >>> found = listing(rows, readings)
    >>> found.ever, found.now, found.vanished
    (3, 2, (Vanished(entry='b', first=0, last=0, gone=1),))
    """
    states = moments.states(readings)
    readable = states.index[states.isin(["known", "empty"])].tolist()
    place = {version: i for i, version in enumerate(readable)}
    rows = listed[listed["version"].isin(readable)]
    rows = rows.assign(entry=rows["entry"].astype(str), at=rows["version"].map(place))
    seen = rows.drop_duplicates(["entry", "at"]).groupby("entry")["at"]
    facts = pd.DataFrame({"first": seen.min(), "last": seen.max(), "n": seen.size()})
    gone = facts[facts["last"] < len(readable) - 1]
    vanished = [
        Vanished(entry, readable[first], readable[last], readable[last + 1])
        for entry, first, last in zip(gone.index, gone["first"], gone["last"], strict=True)
    ]
    back = facts.index[facts["n"] < facts["last"] - facts["first"] + 1]
    still = set(facts.index[facts["last"] == len(readable) - 1])
    return Listing(
        ever=len(facts),
        now=len(still),
        vanished=tuple(sorted(vanished, key=lambda one: (one.gone, one.entry))),
        came_back=tuple(sorted(back)),
        groups=tuple(_groups(rows, still)),
    )


def _groups(rows: pd.DataFrame, still: set[str]) -> list[Group]:
    """Entries by owner and licence, each under the last that the file says of it."""
    found = []
    for name in (name for name in map(str, rows) if name.startswith(attribute_of(""))):
        short = name.removeprefix(attribute_of(""))
        if short.lower() not in OWNERS | LICENCES:
            continue
        told = rows[rows[name].notna()]
        last = told.groupby("entry")[name].last().astype(str)
        for value, members in last.groupby(last, observed=True):
            entries = set(members.index)
            found.append(Group(short, str(value), len(entries), len(entries & still)))
    return sorted(found, key=lambda one: (one.attribute, -one.ever, one.value))
