"""When else was it so, and how did it end?

with_history() adds to the answer for one moment when the claim held; stretches() says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from weakref import WeakKeyDictionary

from history.claims import wording
from history.claims.answer import Truth
from history.claims.course import Course
from history.claims.finding import Finding, intervals
from history.claims.language.claim import RANK_PREDICATES, Claim
from history.claims.leaf import Leaf
from history.claims.near.endings import ending
from history.claims.states import State
from history.claims.timeline import Held

# Several steps of one verdict ask for the same course; it goes with its state.
_COURSES: WeakKeyDictionary[State, Course] = WeakKeyDictionary()
SINCE_THEN = ", and nothing is known of it since"
# What takes long to judge, and is said of one version.
OF_ONE_VERSION = ("drop_one", "lead_set", "formula", "ratio", "noise", "would_rank")
SHOWN = 3  # stretches that a sentence and the evidence go into


def with_history(finding: Finding, state: State, time: datetime) -> Finding:
    """The finding for one moment, with when else it was so."""
    if any(leaf.claim.predicate in OF_ONE_VERSION for leaf in state.leaves):
        return finding
    whole = course_of(state)
    lines: list[str] = []
    for leaf in state.leaves:
        if leaf.problem or leaf.claim.predicate not in (*RANK_PREDICATES, "tie"):
            continue
        course = course_of(leaf)
        at = decided_at(leaf, time)
        lines.append(_elsewhen(leaf, course, at))
    return replace(
        finding,
        body=" ".join([finding.body, *(f"{line}." for line in lines)]),
        intervals=intervals(whole.held),
        notes=tuple(dict.fromkeys([*finding.notes, *lines])),
    )


def stretches(found: Sequence[Held], leaves: Sequence[Leaf], lengths: bool = True) -> str:
    """When something held and how it ended, in words."""
    if not found:
        return "at no time"
    lines = []
    for one in found[:SHOWN]:
        if (end := one.lapsed or one.until) is None:
            line = f"from {wording.timestamp(one.start)} up to the last look"
        else:
            line = wording.stretch(one.start, end)
        dark = f", {wording.span(one.dark)} of it not known" if one.dark else ""
        line += f" ({wording.span(one.seconds)}{dark})" if lengths else ""
        lines.append(line + (SINCE_THEN if one.lapsed else _ended(one, leaves)))
    more = len(found) - SHOWN
    if more > 0:
        lines.append(f"{more} more times")
    return wording.listing(lines)


def phrase(claim: Claim) -> str:
    """What a claim says, with the kind of rank that it means.

    >>> phrase(Claim("a", "first", subject="fern", boards=("text",), rank_kind="tie"))
    'first on text by its tie rank'
    """
    kind = "" if claim.rank_kind == "score" else f" by its {claim.rank_kind} rank"
    return f"{wording.phrase(claim)}{kind}"


def course_of(state: State) -> Course:
    """How a claim went, worked out once."""
    if state not in _COURSES:
        _COURSES[state] = Course(state)
    return _COURSES[state]


def _ended(one: Held, leaves: Sequence[Leaf]) -> str:
    """How a stretch ended, of a claim about one board."""
    return ending(one, leaves[0]) if len(leaves) == 1 else ""


def decided_at(leaf: Leaf, time: datetime) -> datetime:
    """The time itself, or of another edition when the version that is meant began."""
    version = leaf.track.version_at(time)
    meant = leaf.meant(version)
    return time if meant == version else leaf.track.at[meant]


def _elsewhen(leaf: Leaf, course: Course, time: datetime) -> str:
    """When else a claim about a place held, in words."""
    said, found = phrase(leaf.claim), course.held
    if now := [one for one in found if one.covers(time)]:
        return f"It was {said} {stretches(now, [leaf])}"
    if not found:
        unknown = any(course.found[run.start].truth is Truth.UNKNOWN for run in course.runs)
        return f"It was never {said}" + (", as far as is known" if unknown else "")
    later = [one for one in found if one.start > time]
    chosen, order = (later, "later") if later else (found[-1:], "before")
    return f"It was {said} {order}, {stretches(chosen, [leaf])}"
