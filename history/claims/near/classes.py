"""In which class of entries does an entry have the place that it lacks among all?

In: a claim about a place, and one version. Out: Candidates, as "first with open == true". Start at
in_classes().
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from history import numbers
from history.claims.language.claim import Claim
from history.claims.leaf import Leaf
from history.claims.near.candidate import Candidate
from history.claims.near.one_version import OneVersion
from history.claims.row import Row
from history.meaning import conditions

FEWEST = 3  # ranked entries that make a class
_MOST = 2  # classes that are judged
_LONGEST = 40  # letters of a value that a condition names
_PLAIN = re.compile(r"[^\W\d]\w*")
_WORDS = ("and", "or", "not", "in", "exists", "true", "false")
_SIMPLE = ("rank", "top_k", "first", "first_in_class")


@dataclass(frozen=True, slots=True)
class _Class:
    """A class and the subject's place in it."""

    condition: str
    meets: Mapping[str, bool | None]
    place: int
    size: int


def in_classes(leaf: Leaf, one: OneVersion, time: datetime) -> Iterator[Candidate]:
    """The largest classes in which a claim about a place is true."""
    claim, version = leaf.claim, one.version
    if claim.predicate not in _SIMPLE or claim.rank_kind != "score":
        return
    if not one.attributes or leaf.unreadable(version) or leaf.subject is None:
        return
    own = leaf.rows.row(version, leaf.subject)
    if own is None or own.rank is None or leaf.rows.unclassed(version, own):
        return
    found = [one for one in _classes(leaf, one, own) if _fits(claim, one)]
    found.sort(key=lambda one: (-one.size, one.place, len(one.condition), one.condition))
    seen: set[frozenset[str]] = set()
    for one_class in found:
        members = frozenset(entry for entry, meets in one_class.meets.items() if meets)
        if members in seen or len(seen) == _MOST:
            continue
        seen.add(members)
        said = f"({claim.filter}) and " if claim.filter else ""
        predicate = "first_in_class" if claim.predicate == "first" else claim.predicate
        within = replace(claim, predicate=predicate, filter=f"{said}{one_class.condition}")
        judged = one.leaf(leaf, within, one_class.meets)
        if candidate := Candidate.at("class", judged, time):
            yield candidate


def _classes(leaf: Leaf, one: OneVersion, own: Row) -> Iterator[_Class]:
    """Classes that the subject belongs to, by what the version says of it."""
    version = one.version
    ranked = [row for row in leaf.rows.rows(version) if row.rank]
    among = {entry: leaf.rows.meets(version, entry) for entry in one.texts}
    for name in one.attributes:
        text = (one.texts[own.entry][name] or "").strip()
        asked = condition(name, text)
        if not asked:
            continue
        test = conditions.parse(asked)
        # Few texts stand in many cells.
        known = {text: test({name: text}) for text in {row[name] for row in one.texts.values()}}
        meets = {e: _both(among[e], known[texts[name]]) for e, texts in one.texts.items()}
        inside = [row for row in ranked if meets[row.entry]]
        better = [row for row in ranked if row.rank and own.rank and row.rank < own.rank]
        unsure = any(meets[row.entry] is None for row in better)
        if not meets[own.entry] or unsure or not FEWEST <= len(inside) < len(ranked):
            continue
        place = 1 + sum(1 for row in better if meets[row.entry])
        yield _Class(asked, meets, place, len(inside))


def condition(name: str, text: str) -> str:
    """What an entry with a value has in common with others; empty where that cannot be written.

    >>> condition("open", "True"), condition("size", "8B"), condition("made by", "fern's")
    ('open == true', "size <= '8B'", '"made by" == \\'fern\\'\\'s\\'')
    """
    if not text or len(text) > _LONGEST or not text.isprintable() or '"' in name:
        return ""
    plain = _PLAIN.fullmatch(name) and name not in _WORDS
    column = name if plain else f'"{name}"'
    quoted = text.replace("'", "''")
    if text.casefold() in ("true", "false"):
        asked = f"{column} == {text.casefold()}"
    elif numbers.parse(text).value is not None:
        asked = f"{column} <= '{quoted}'"
    else:
        asked = f"{column} == '{quoted}'"
    try:
        conditions.parse(asked)
    except conditions.ConditionError:
        return ""
    return asked


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _fits(claim: Claim, one: _Class) -> bool:
    """Whether the place in a class is the one that is claimed, and says something."""
    if claim.predicate in ("first", "first_in_class"):
        return one.place == 1
    if claim.predicate == "top_k" or claim.op == "<=":
        most = (claim.k if claim.predicate == "top_k" else claim.n) or 0
        return one.place <= most < one.size
    return one.place == claim.n
