"""Which names moved on from row to row in one commit?

In: Steps. Out: Shifts: a key stayed and took over the row of another key, while its own row went on
under a third. Its numbers changed, and nothing was measured anew. Start at find().
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from history.audit.steps import Steps, differ
from history.frames import SCORE

# A score that is a row's own could still come up again by chance; with the same place in the
# file, or with a second number of its own, it hardly does.
OWN = 2

# Keys of several rows with one key; a definition cannot name one of them.
APART = re.compile(r"#\d+$")
NO_ALIAS = "one key stood in several rows, and no alias can name one of them"


class Link(NamedTuple):
    """One row under two keys.

    Attributes:
        before, after: its rows in `Steps.scores`, in the version before and from this one on.
        same_place: it stands at the same place in the file.
    """

    before: int
    after: int
    same_place: bool


class Shift(NamedTuple):
    """Names that moved on.

    Attributes:
        place: of the version from which on they have moved, as in Steps.
        keys: each key's row is that of the next one from then on.
        links: from each key to the next.
        anew: the new row of the first key, if it stayed.
    """

    place: int
    keys: tuple[str, ...]
    links: tuple[Link, ...]
    anew: int | None

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of its keys in the version in which they have moved."""
        own = () if self.anew is None else (self.anew,)
        return (*(link.after for link in self.links), *own)


def find(steps: Steps) -> list[Shift]:
    """Every shift of two rows or more in which a key left or joined, in order of time."""
    found: list[Shift] = []
    stays = steps.stays
    for place, links in _links(steps).groupby("place", sort=True):
        by_key = {
            steps.entry(before): Link(before, after, same)
            for before, after, same in links[list(Link._fields)].itertuples(index=False)
        }
        taken = {steps.entry(link.after) for link in by_key.values()}
        for key in by_key:
            if key not in taken:
                chain = list(_chain(steps, by_key, key))
                first = chain[0].before
                anew = first + 1 if stays[first] else None
                joined = not steps.next_to[chain[-1].after]
                if len(chain) > 1 and (joined or anew is None):
                    keys = (key, *(steps.entry(link.after) for link in chain))
                    found.append(Shift(int(str(place)), keys, tuple(chain), anew))
    return found


def sentence(steps: Steps, one: Shift) -> str:
    """A shift in words, with what the definition would say of the time before."""
    commit = steps.commits[one.place]
    told = [
        f"the row of {key!r}, {steps.text(link.after, SCORE)}, is now that of {then!r}"
        for key, then, link in zip(one.keys, one.keys[1:], one.links, strict=False)
    ]
    if all(link.same_place for link in one.links):
        told[-1] += ", each at the same place in the file"
    elif len(steps.fields) > 1:
        told[-1] += ", each with the same parts"
    if one.anew is not None:
        told[-1] += f"; {one.keys[0]!r} has a new one, {steps.text(one.anew, SCORE)}"
    found = f"names moved on at commit {commit}: {', '.join(told[:-1])} and {told[-1]}"
    if any(APART.search(key) for key in one.keys):
        return f"{found}; {NO_ALIAS}"
    pairs = [
        f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(then, ensure_ascii=False)}"
        for key, then in zip(one.keys, one.keys[1:], strict=False)
    ]
    return f"{found}: alias? [[alias]] until {commit}: {', '.join(pairs)}"


def _links(steps: Steps) -> pd.DataFrame:
    """Rows that went on under another key: columns place, before, after, same_place."""
    place, score = steps.place, steps.values(SCORE)
    changed = differ(steps.before(score), score)
    own = (steps.rarity(SCORE) == 1) & (score != 0)
    after = np.flatnonzero((changed | ~steps.next_to) & own & (place > 0) & ~steps.partial[place])
    gives = ~steps.stays
    gives[:-1] |= changed[1:]
    before = np.flatnonzero(gives & own)
    some = np.unique(place[changed])  # without a key that stays there is no shift
    sides = [
        pd.DataFrame({"place": at, "score": score[rows], name: rows})[np.isin(at, some)]
        for name, rows, at in (
            ("before", before, place[before] + 1),
            ("after", after, place[after]),
        )
    ]
    pairs = sides[0].merge(sides[1], on=["place", "score"])
    one, other = pairs["before"].to_numpy(), pairs["after"].to_numpy()
    where = steps.scores["row"].to_numpy()
    same, numbers = np.ones(len(pairs), dtype=bool), np.zeros(len(pairs), dtype=np.int64)
    for field in steps.fields:
        values = steps.values(field)
        equal = values[one] == values[other]
        same &= equal | (np.isnan(values[one]) & np.isnan(values[other]))
        numbers += equal & (steps.rarity(field)[other] == 1)
    pairs = pairs.assign(same_place=where[one] == where[other])
    entries = steps.scores["entry"].astype(str).to_numpy()
    return pairs[same & (pairs["same_place"] | (numbers >= OWN)) & (entries[one] != entries[other])]


def _chain(steps: Steps, by_key: dict[str, Link], key: str) -> Iterator[Link]:
    """From a key whose row nobody gave it to the last that took one over."""
    while key in by_key:
        yield by_key[key]
        key = steps.entry(by_key[key].after)
