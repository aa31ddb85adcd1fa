"""Which entries were probably renamed?

In: Steps. Out: Renames, pairs of a key that left and one that joined in the same commit with
(nearly) the same row. Start at suggest(). Nothing is merged here: a definition's [aliases] do that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.audit.shifts import APART, NO_ALIAS, OWN, Shift
from history.audit.steps import Steps
from history.frames import SCORE
from history.look_alikes import difference

# Where that many rows of one version share a score, the score tells nobody apart.
SHARED = 20
# Where more keys joined in one commit that could be renamed ones, the board names its entries in
# another way; a few show which, and comparing hundreds of names takes long.
MOST = 60
EXAMPLES = 10
# "Nearly" the same row: at least two parts, and this share of those that both have.
NEARLY = 2 / 3
# Likeness of two names, 0 to 1. Where fewer than two of the same numbers are theirs alone, the
# names must be this much alike.
ALIKE = 0.6
# Two candidates whose names are as like as that, with equal numbers, cannot be told apart.
AS_LIKE = 0.1

# Letters of a name that are compared: the time grows with their square.
LONGEST = 100
# One name written in two ways. A score that others have, too, then does, if no digit differs.
SPELLING = 0.85
_DIGITS = re.compile(r"\d+")
_BETWEEN = re.compile(r"[^\w]+|_")


class Rename(NamedTuple):
    """A key that left and one that joined in the same commit.

    Attributes:
        place: of the version in which `joined` is listed first, as in Steps.
        left, joined: the keys.
        left_row, joined_row: their rows in `Steps.scores`.
        scored: both have a score; same_score: the same.
        same_parts, parts: how many parts are the same, of those that both have.
        same_place: both rows stand at the same place in the file.
        likeness: of the names, 0 to 1; alike: the eye sees no difference.
        instead: other keys that fit as well; then the pair is a guess.
    """

    place: int
    left: str
    joined: str
    left_row: int
    joined_row: int
    scored: bool
    same_score: bool
    same_parts: int
    parts: int
    same_place: bool
    likeness: float
    alike: bool
    instead: tuple[str, ...] = ()

    @property
    def weight(self) -> int:
        """How many numbers are the same."""
        return self.same_parts + self.same_score


def suggest(
    steps: Steps, skeletons: Mapping[str, str], shifted: Collection[Shift]
) -> tuple[list[Rename], dict[int, int]]:
    """Pair what left with what joined, one to one, by the numbers of their rows; in order of time.

    Args:
        steps: every entry's rows.
        skeletons: of every key what the eye sees of it.
        shifted: names that moved on from row to row: what became of these rows is known.

    Returns:
        The pairs, and by place how many more joined than are compared.
    """
    candidates = _candidates(steps, skeletons, shifted)
    if candidates.empty:
        return [], {}
    pairs, more = _first(_with_numbers(steps, candidates, skeletons))
    fitting = _fitting(_with_likeness(pairs, skeletons))
    fields = [name for name in Rename._fields if name != "instead"]
    columns = [fitting[name].tolist() for name in fields]
    return _assigned([Rename(*cells) for cells in zip(*columns, strict=True)]), more


def sentence(one: Rename, score: str, before: str, commit: str, both: str | None = None) -> str:
    """A suggestion in words, with the line for the definition.

    Args:
        one: the pair.
        score, before: printed score of the key that joined, and of the one that left.
        commit: in which that happened.
        both: a later commit that lists both keys: they are two entries.
    """
    same = []
    if one.scored:
        same.append(
            f"the same score {score}" if one.same_score else f"the score {score} after {before}"
        )
    if one.parts:
        same.append(f"{one.same_parts} of {one.parts} same parts")
    if one.same_place:
        same.append("at the same place in the file")
    found = f"{one.left!r} left and {one.joined!r} joined at commit {commit}"
    if same:
        found += f" with {' and '.join(filter(None, (', '.join(same[:-1]), same[-1])))}"
    if one.alike:
        found += f" (the names differ only {difference(one.left, one.joined)})"
    if both is not None:
        return f"{found}; no alias, as both are listed in {both}"
    if APART.search(one.left) or APART.search(one.joined):
        return f"{found}; {NO_ALIAS}"
    if one.instead:
        return f"{found}, which fits {', '.join(map(repr, one.instead))} as well: which is it?"
    keys = (json.dumps(key, ensure_ascii=False) for key in (one.left, one.joined))
    return f"{found}: alias? [aliases] {' = '.join(keys)}"


def _candidates(
    steps: Steps, skeletons: Mapping[str, str], shifted: Collection[Shift]
) -> pd.DataFrame:
    """Pairs of a row that left and one that joined, with a score, a place or a name in common."""
    place = steps.place
    gone = np.flatnonzero(~steps.stays & (place + 1 < len(steps.versions)))
    new = np.flatnonzero(~steps.same & (place > 0) & ~steps.partial[place])
    links = [link for one in shifted for link in one.links]
    gone = gone[~np.isin(gone, [link.before for link in links])]
    new = new[~np.isin(new, [link.after for link in links])]
    new = new[np.isin(place[new], place[gone] + 1)]
    gone = gone[np.isin(place[gone] + 1, place[new])]
    if not len(new):
        return pd.DataFrame()
    marks = {
        "score": steps.values(SCORE),
        "row": steps.scores["row"].to_numpy(),
        "name": steps.scores["entry"].astype(str).map(skeletons).to_numpy(),
    }
    found = []
    for values in marks.values():
        left = pd.DataFrame({"place": place[gone] + 1, "mark": values[gone], "left_row": gone})
        joined = pd.DataFrame({"place": place[new], "mark": values[new], "joined_row": new})
        sides = [
            side[side.groupby(["place", "mark"])["mark"].transform("size") <= SHARED]
            for side in (left.dropna(), joined.dropna())
        ]
        found.append(sides[0].merge(sides[1], on=["place", "mark"])[["left_row", "joined_row"]])
    pairs = pd.concat(found).drop_duplicates(ignore_index=True)
    for side in ("left", "joined"):
        pairs[side] = steps.scores["entry"].astype(str).to_numpy()[pairs[f"{side}_row"]]
    return pairs.assign(place=place[pairs["joined_row"]])


def _with_numbers(steps: Steps, pairs: pd.DataFrame, skeletons: Mapping[str, str]) -> pd.DataFrame:
    left, joined = pairs["left_row"].to_numpy(), pairs["joined_row"].to_numpy()
    same_parts, parts, telling = np.zeros((3, len(pairs)), dtype=np.int64)
    for field in steps.fields:
        values = steps.values(field)
        same = values[left] == values[joined]
        telling += same & (values[left] != 0) & (steps.rarity(field)[left] == 1)
        if field != SCORE:
            parts += ~np.isnan(values[left]) & ~np.isnan(values[joined])
            same_parts += same
    score, row = steps.values(SCORE), steps.scores["row"].to_numpy()
    alike = [pairs[side].map(skeletons) for side in ("left", "joined")]
    pairs = pairs.assign(
        scored=~np.isnan(score[left]) & ~np.isnan(score[joined]),
        same_score=score[left] == score[joined],
        zero=score[left] == 0,
        same_parts=same_parts,
        parts=parts,
        telling=telling,
        same_place=row[left] == row[joined],
        only=_only(pairs),
        alike=alike[0] == alike[1],
    )
    return pairs[pairs["same_score"] | (pairs["same_parts"] >= 2) | pairs["alike"]]


def _first(pairs: pd.DataFrame) -> tuple[pd.DataFrame, dict[int, int]]:
    """The pairs that are compared by name, and by place how many more have a row of their own."""
    own = pairs["telling"] + pairs["same_place"] >= OWN
    best = pairs.assign(own=own & pairs["same_score"], weight=pairs["same_parts"])
    order = {"own": False, "alike": False, "weight": False, "joined_row": True}
    best = best.sort_values(list(order), ascending=list(order.values()))
    best = best.drop_duplicates("joined_row")
    size = best.groupby("place")["place"].transform("size")
    spare = best[(size > MOST) & (best.groupby("place").cumcount() >= EXAMPLES)]
    more = spare["place"][spare["own"]].value_counts(sort=False)
    kept = pairs[~pairs["joined_row"].isin(spare["joined_row"])]
    return kept, dict(zip(more.index.tolist(), more.tolist(), strict=True))


def _with_likeness(pairs: pd.DataFrame, skeletons: Mapping[str, str]) -> pd.DataFrame:
    left_names, joined_names = (pairs[side].map(skeletons).tolist() for side in ("left", "joined"))
    return pairs.assign(
        same_digits=[
            _DIGITS.findall(one) == _DIGITS.findall(other)
            for one, other in zip(left_names, joined_names, strict=True)
        ],
        likeness=_likeness(left_names, joined_names),
    )


def _likeness(left: list[str], joined: list[str]) -> NDArray[np.float64]:
    """How like names are, from 0 to 1; a name that begins or ends another is rather like it."""
    found = []
    for one, other in zip(left, joined, strict=True):
        names = one[:LONGEST], other[:LONGEST]
        ratio = SequenceMatcher(None, *names, autojunk=False).ratio()
        short, long = sorted((_letters(one), _letters(other)), key=len)
        inside = short and (long.startswith(short) or long.endswith(short))
        found.append(max(ratio, ALIKE) if inside else ratio)
    return np.array(found, dtype=np.float64)


def _only(pairs: pd.DataFrame) -> pd.Series:
    """Pairs that have no rival: each key stands in one candidate of its commit."""
    rivals = [pairs.groupby(["place", side])[side].transform("size") for side in ("left", "joined")]
    return (rivals[0] == 1) & (rivals[1] == 1)


def _letters(name: str) -> str:
    """A name without what stands between its words.

    >>> _letters("fern-1.5 (7b)")
    'fern157b'
    """
    return _BETWEEN.sub("", name)


def _fitting(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs with evidence enough: numbers that no other row had, or names that are alike."""
    score = pairs["same_score"] & ~pairs["zero"]
    same, parts, telling = pairs["same_parts"], pairs["parts"], pairs["telling"]
    # Numbers that are theirs alone, or the one score where only these two left and joined.
    whole = pairs["same_score"] & (same == parts)
    by_numbers = whole & ((telling >= OWN) | ((telling == 1) & pairs["same_place"] & pairs["only"]))
    # One number, or parts that are nearly the same, with a name that is alike.
    nearly = (same >= 2) & (same >= NEARLY * parts)
    alike = pairs["likeness"] >= ALIKE
    same_digits = alike & pairs["same_digits"]
    certain = pairs["same_place"] | (telling >= OWN) | ((telling == 1) & pairs["same_digits"])
    by_name = ((score & (same == parts)) | nearly) & alike & certain
    by_spelling = score & (same == parts) & same_digits & (pairs["likeness"] >= SPELLING)
    return pairs[by_numbers | by_name | by_spelling | pairs["alike"]]


def _assigned(pairs: list[Rename]) -> list[Rename]:
    """Best pairs first, each key once; what fits as well is named beside."""

    def order(one: Rename) -> tuple[object, ...]:
        return one.place, -one.weight, -one.likeness, not one.same_place, one.left, one.joined

    rivals: dict[tuple[int, str, str], list[Rename]] = {}
    for one in pairs:
        for key in _keys(one):
            rivals.setdefault(key, []).append(one)
    taken: set[tuple[int, str, str]] = set()
    chosen = []
    for one in sorted(pairs, key=order):
        if taken.isdisjoint(_keys(one)):
            taken.update(_keys(one))
            as_well = {
                other.joined if other.left == one.left else other.left
                for key in _keys(one)
                for other in rivals[key]
                if other != one
                and other.weight >= one.weight
                and other.likeness >= one.likeness - AS_LIKE
            }
            chosen.append(one._replace(instead=tuple(sorted(as_well))))
    return chosen


def _keys(one: Rename) -> tuple[tuple[int, str, str], ...]:
    return (one.place, "left", one.left), (one.place, "joined", one.joined)
