"""When else was it so, and how did it end?

with_history() adds to the answer for one moment when the claim held; stretches() says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from history.claims import wording
from history.claims.answer import Truth
from history.claims.course import Course
from history.claims.finding import Finding, Near, intervals
from history.claims.language.claim import RANK_PREDICATES
from history.claims.leaf import Leaf
from history.claims.states import State
from history.claims.timeline import Held

SINCE_THEN = ", and nothing is known of it since"
SHOWN = 3  # stretches that a sentence and the evidence go into


def with_history(finding: Finding, state: State, time: datetime) -> Finding:
    """The finding for one moment, with when else it was so."""
    whole = Course(state)
    lines: list[str] = []
    nearest: list[Near] = []
    for leaf in state.leaves:
        if leaf.problem or leaf.claim.predicate not in (*RANK_PREDICATES, "tie"):
            continue
        course = whole if leaf is state else Course(leaf)
        at = decided_at(leaf, time)
        lines.append(_elsewhen(leaf, course, at))
        if leaf.claim.predicate in RANK_PREDICATES:
            nearest += _nearest(leaf, course.held, at)
    return replace(
        finding,
        body=" ".join([finding.body, *(f"{line}." for line in lines)]),
        intervals=intervals(whole.held),
        notes=tuple(dict.fromkeys([*finding.notes, *lines])),
        nearest=tuple(nearest),
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
        lines.append(line + (SINCE_THEN if one.lapsed else _lost(one, leaves)))
    more = len(found) - SHOWN
    if more > 0:
        lines.append(f"{more} more times")
    return wording.listing(lines)


def decided_at(leaf: Leaf, time: datetime) -> datetime:
    """The time itself, or of another edition when the version that is meant began."""
    version = leaf.track.version_at(time)
    meant = leaf.meant(version)
    return time if meant == version else leaf.track.at[meant]


def _elsewhen(leaf: Leaf, course: Course, time: datetime) -> str:
    """When else a claim about a place held, in words."""
    said, found = wording.phrase(leaf.claim), course.held
    if now := [one for one in found if one.covers(time)]:
        return f"It was {said} {stretches(now, [leaf])}"
    if not found:
        unknown = any(one.truth is Truth.UNKNOWN for one in course.found)
        return f"It was never {said}" + (", as far as is known" if unknown else "")
    later = [one for one in found if one.start > time]
    chosen, order = (later, "later") if later else (found[-1:], "before")
    return f"It was {said} {order}, {stretches(chosen, [leaf])}"


def _nearest(leaf: Leaf, found: Sequence[Held], time: datetime) -> list[Near]:
    """Other times at which a claim about a place was true, where it is not at this one."""
    if any(one.covers(time) for one in found):
        return []
    who = wording.subject(leaf.claim)
    return [
        Near(
            f"{who} was {wording.phrase(leaf.claim)} {stretches([one], [leaf])}",
            leaf.judge(one.first).refs,
        )
        for one in found[-SHOWN:]
    ]


def _lost(one: Held, leaves: Sequence[Leaf]) -> str:
    """How first place was lost, as the reigns of the board say."""
    if len(leaves) != 1 or leaves[0].claim.predicate != "first":
        return ""
    leaf = leaves[0]
    for reign in leaf.history.reigns(leaf.claim.split):
        if reign.until is None or reign.until.to_pydatetime() != one.until:
            continue
        if leaf.subject in reign.entries and reign.lost_to:
            then = reign.until_version
            how = {
                "joined": ", which joined",
                "re-scored": ", which was re-scored",
                "edition": " with a new edition",
                "holder left": f" when {leaf.shown(leaf.subject, then)} left",
                "holder re-scored": f" when {leaf.shown(leaf.subject, then)} was re-scored",
            }
            lost = [
                f"{leaf.shown(to.entry, then)}{how.get(to.why, '')}" for to in reign.lost_to[:SHOWN]
            ]
            redefined = ", with a new definition" if reign.definition_changed else ""
            return f", lost to {wording.listing(lost)}{redefined}"
    return ""
