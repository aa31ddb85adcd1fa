"""Did a claim hold through a stretch of time?

In: a State and a `when`. Out: a Finding with every stretch in which it held. Start at
over_window(); with_history() adds to the answer for one moment when else it was so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from history.claims import wording
from history.claims.answer import WOULD_DECIDE, Answer, Ref, Truth
from history.claims.claim import Claim, Operand, When, first_instant, last_instant
from history.claims.states import RANK_PREDICATES, Leaf, State
from history.claims.timeline import Held, held, segments
from history.claims.verdict import Evidence

TIED_THROUGHOUT = "tied throughout"
SHOWN = 3  # stretches that a sentence and the evidence go into


@dataclass(frozen=True, slots=True)
class Near:
    """Another statement that is true, and the cells that it rests on."""

    statement: str
    refs: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict before it is put into words and evidence.

    Attributes:
        word: the verdict; `body` is what follows it in the sentence.
        held: when the claim held, whole stretches.
        refs, operands, own: what the verdict rests on: cells of boards, numbers and a table
            of the claim's own.
    """

    word: str
    body: str
    code: str | None = None
    strength: str | None = None
    answer: Mapping[str, Any] = field(default_factory=dict)
    held: tuple[Held, ...] = ()
    refs: tuple[Ref, ...] = ()
    operands: tuple[Operand, ...] = ()
    own: tuple[Evidence, ...] = ()
    notes: tuple[str, ...] = ()
    would_decide: str | None = None
    nearest: tuple[Near, ...] = ()

    @classmethod
    def of(cls, answer: Answer, body: str = "", notes: Sequence[str] = ()) -> Finding:
        """An answer with its sentence."""
        return cls(
            answer.word,
            body or f"{answer.fact[:1].upper()}{answer.fact[1:]}.",
            answer.code,
            answer.strength,
            answer.answer,
            (),
            answer.refs,
            answer.operands,
            answer.own,
            (*answer.notes, *notes),
            answer.would_decide,
        )


class Course:
    """How a state went through all of the time that is known.

    Attributes:
        parts: the segments; `truths` and `codes` say for each whether it held.
        held: whole stretches in which it held.
    """

    def __init__(self, state: State):
        self.tracks = {leaf.track.name: leaf.track for leaf in state.leaves}
        self.parts = segments(list(self.tracks.values()))
        found = [state.truth(part.places) for part in self.parts]
        self.truths, self.codes = [t for t, _ in found], [c for _, c in found]
        known = {Truth.YES: True, Truth.UNKNOWN: None}
        marks = [known.get(truth, False) for truth in self.truths]
        self.held = held(self.parts, marks, self.tracks)

    @property
    def begin(self) -> datetime:
        """When all boards are known."""
        return max(track.at[0] for track in self.tracks.values())

    @property
    def end(self) -> datetime:
        """The last look at all boards."""
        return self.parts[-1].stop


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time with both ends in it, and what it cuts out of a course.

    Attributes:
        inside: numbers of the segments that meet it.
        unknown: reason codes of what it holds besides them.
    """

    start: datetime
    end: datetime
    inside: tuple[int, ...]
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, when: When, course: Course) -> Window:
        """The window of a `when`; an open end is as far as all boards are known."""
        last = when.start if when.kind == "on" else when.end
        start = course.begin if when.start is None else first_instant(when.start)
        end = course.end if last is None else last_instant(last)
        inside = tuple(n for n, part in enumerate(course.parts) if part.meets(start, end))
        unknown = ["BEFORE_FIRST_SNAPSHOT"] if start < course.parts[0].start else []
        return cls(start, end, inside, (*unknown, *(["CENSORED"] if end > course.end else [])))


def over_window(claim: Claim, state: State, when: When) -> Finding:
    """The verdict of a claim whose `when` is on, ever, always or over."""
    course = Course(state)
    window = Window.of(when, course)
    speaking = [n for n in window.inside if course.truths[n] is not Truth.SILENT]
    absent = [n for n in window.inside if course.codes[n] == "BOARD_ABSENT"]
    if not speaking or (len(absent) == len(window.inside) and not window.unknown):
        return _silent(claim, state, course, window)
    truths = [course.truths[n] for n in speaking]
    codes = [
        *window.unknown,
        *(c for n in speaking if (c := course.codes[n]) and course.truths[n] is Truth.UNKNOWN),
    ]
    # What lies after the last look is the end of the window, so the end is not known.
    last = Truth.UNKNOWN if "CENSORED" in window.unknown else truths[-1]
    word = _word(when.kind, truths, last, bool(codes))
    at = _telling(state, course, speaking, word)
    answer = state.judge(course.parts[at].places)
    meeting = [h for h in course.held if h.start <= window.end and window.start <= h.stop]
    meeting = [h for h in meeting if h.until is None or h.until > window.start]
    refs = list(answer.refs)
    for one in meeting[:SHOWN]:
        for places in (one.first, one.after):
            if places is not None:
                refs += state.judge(places).refs
    notes = [*answer.notes, *_course_notes(state, course, window)]
    undecided = word == "not_decidable"
    if undecided and truths[-1] is Truth.UNKNOWN and "CENSORED" not in codes:
        codes = [course.codes[speaking[-1]] or codes[0], *codes]
    return Finding(
        word,
        _body(claim, state, course, window, word, answer, meeting, at, notes),
        codes[0] if undecided else None,
        None if undecided else answer.strength,
        answer.answer,
        tuple(meeting),
        tuple(dict.fromkeys(refs)),
        answer.operands,
        answer.own,
        tuple(dict.fromkeys(notes)),
        WOULD_DECIDE[codes[0]] if undecided else None,
    )


def with_history(finding: Finding, claim: Claim, state: State, time: datetime) -> Finding:
    """The finding for one moment, with when else it was so."""
    course = Course(state)
    lines = [line for leaf in state.leaves if (line := _elsewhen(leaf, time))]
    return replace(
        finding,
        body=" ".join([finding.body, *(f"{line}." for line in lines)]),
        held=tuple(course.held),
        notes=tuple(dict.fromkeys([*finding.notes, *lines])),
        nearest=tuple(near for leaf in state.leaves for near in _nearest(leaf, time)),
    )


def _word(kind: str, truths: Sequence[Truth], last: Truth, gaps: bool) -> str:
    """The verdict of a window from what it holds."""
    yes, no = Truth.YES in truths, Truth.NO in truths
    if kind == "ever":
        return "true" if yes else "not_decidable" if gaps else "false"
    if kind == "always":
        return "false" if no else "not_decidable" if gaps else "true"
    if last is Truth.UNKNOWN:
        return "not_decidable"
    if last is Truth.YES:
        return "false_then_true" if no else "not_decidable" if gaps else "true"
    return "true_then_false" if yes else "not_decidable" if gaps else "false"


def _telling(state: State, course: Course, speaking: Sequence[int], word: str) -> int:
    """The segment that shows best why the verdict is what it is."""
    wanted = {
        "true": Truth.YES,
        "true_then_false": Truth.YES,
        "false": Truth.NO,
        "not_decidable": Truth.UNKNOWN,
    }.get(word)
    fitting = [n for n in speaking if wanted is None or course.truths[n] is wanted]
    if not fitting:
        return speaking[-1]
    leaves = state.leaves
    if (
        word == "false"
        and len(leaves) == 1
        and leaves[0].claim.predicate in ("rank", "first", "top_k")
    ):
        leaf = leaves[0]
        places = {n: leaf.place_at(course.parts[n].places) for n in fitting}
        return min(fitting, key=lambda n: (places[n] is None, places[n] or 0, -n))
    return fitting[-1]


def _silent(claim: Claim, state: State, course: Course, window: Window) -> Finding:
    """Nothing in the window that the claim could be about."""
    if window.inside:
        answer = state.judge(course.parts[window.inside[-1]].places)
        code = answer.code or "NOT_LISTED"
        body = f"{_between(window)}: {answer.fact}."
    else:
        code = window.unknown[0] if window.unknown else "NOT_LISTED"
        answer = state.judge(course.parts[0 if code == "BEFORE_FIRST_SNAPSHOT" else -1].places)
        known = wording.stretch(course.parts[0].start, course.end)
        body = f"{wording.listing(list(course.tracks))}: known {known}."
    return Finding(
        "not_decidable",
        body,
        code,
        refs=answer.refs,
        operands=answer.operands,
        notes=answer.notes,
        would_decide=WOULD_DECIDE[code],
    )


def _course_notes(state: State, course: Course, window: Window) -> list[str]:
    """What held throughout, and what was not there."""
    notes = []
    for leaf in state.leaves:
        named = {n: course.parts[n].places for n in window.inside}
        if leaf.claim.predicate == "ahead" and leaf.subject and leaf.other:
            ties = [leaf.tied_at(places) for places in named.values()]
            if any(ties) and all(tied is not False for tied in ties):
                notes.append(TIED_THROUGHOUT)
        silent = [n for n, places in named.items() if leaf.truth(places)[1] == "NOT_LISTED"]
        if silent and len(silent) < len(named):
            notes.append(
                f"not listed in {len(silent)} of {len(named)} versions, which do not count"
            )
        absent = [n for n, places in named.items() if leaf.truth(places)[1] == "BOARD_ABSENT"]
        if absent and len(absent) < len(named):
            notes.append(f"the file was absent in {len(absent)} of {len(named)} versions")
    return notes


def _body(
    claim: Claim,
    state: State,
    course: Course,
    window: Window,
    word: str,
    answer: Answer,
    meeting: Sequence[Held],
    at: int,
    notes: Sequence[str],
) -> str:
    """What happened, for people."""
    leaves = state.leaves
    said = wording.phrases([leaf.claim for leaf in leaves])
    who = wording.subject(leaves[0].claim)
    if claim.predicate == "any_of":
        said = said.replace(" and ", " or ")
    elif len(leaves) > 1:
        said += " at once"
    what = (
        f"it did not hold that {who} was {said}"
        if claim.predicate == "not"
        else f"{who} was {said}"
    )
    when = f"on {wording.moment(course.parts[at].start)}"
    if course.parts[at].start < window.start:
        when = f"on {wording.moment(window.start)}"
    if word == "not_decidable":
        return f"{_between(window)}: {answer.fact}."
    if word == "false" and not meeting:
        never = what.replace(" was ", " was never ", 1) if claim.predicate != "not" else what
        return f"{never} {_between(window)}; {when} {answer.fact}."
    if word == "true" and len(meeting) == 1 and meeting[0].start <= window.start:
        return f"{what} throughout, {_between(window)}: {when} {answer.fact}."
    tied = f", {TIED_THROUGHOUT}" if TIED_THROUGHOUT in notes else ""
    return f"{what} {stretches(meeting, leaves)}{tied}."


def stretches(found: Sequence[Held], leaves: Sequence[Leaf], lengths: bool = True) -> str:
    """When something held and how it ended, in words."""
    if not found:
        return "at no time"
    lines = []
    for one in found[:SHOWN]:
        if one.until is None:
            line = f"from {wording.moment(one.start)} up to the last look"
        else:
            line = wording.stretch(one.start, one.until)
        line += f" ({wording.span(one.seconds)})" if lengths else ""
        lines.append(line + _lost(one, leaves))
    more = len(found) - SHOWN
    if more > 0:
        lines.append(f"{more} more times")
    return wording.listing(lines)


def _lost(one: Held, leaves: Sequence[Leaf]) -> str:
    """How first place was lost, as the reigns of the board say."""
    if len(leaves) != 1 or leaves[0].claim.predicate != "first":
        return ""
    leaf = leaves[0]
    for reign in leaf.history.reigns(leaf.claim.split):
        if reign.until is None or reign.until.to_pydatetime() != one.until:
            continue
        if leaf.subject in reign.entries and reign.lost_to:
            how = {
                "joined": ", which joined",
                "re-scored": ", which was re-scored",
                "edition": " with a new edition",
                "holder left": f" when {leaf.shown(leaf.subject)} left",
                "holder re-scored": f" when {leaf.shown(leaf.subject)} was re-scored",
            }
            lost = [f"{leaf.shown(to.entry)}{how.get(to.why, '')}" for to in reign.lost_to[:SHOWN]]
            return f", lost to {wording.listing(lost)}"
    return ""


def _elsewhen(leaf: Leaf, time: datetime) -> str:
    """When else a claim about a place held, in words."""
    if leaf.claim.predicate not in (*RANK_PREDICATES, "tie") or leaf.problem:
        return ""
    found, said = Course(leaf).held, wording.phrase(leaf.claim)
    now = [h for h in found if h.start <= time and (h.until is None or time < h.until)]
    if now:
        return f"It was {said} {stretches(now, [leaf])}"
    if not found:
        return f"It was never {said}"
    later = [one for one in found if one.start > time]
    chosen, order = (later, "later") if later else (found[-1:], "before")
    return f"It was {said} {order}, {stretches(chosen, [leaf])}"


def _nearest(leaf: Leaf, time: datetime) -> list[Near]:
    """Other times at which a claim about a place was true, where it is not at this one."""
    if leaf.claim.predicate not in RANK_PREDICATES or leaf.problem:
        return []
    found = Course(leaf).held
    if any(h.start <= time and (h.until is None or time < h.until) for h in found):
        return []
    who = wording.subject(leaf.claim)
    return [
        Near(
            f"{who} was {wording.phrase(leaf.claim)} {stretches([one], [leaf])}",
            leaf.judge(one.first).refs,
        )
        for one in found[-SHOWN:]
    ]


def _between(window: Window) -> str:
    day = window.start.date()
    if (window.start, window.end) == (first_instant(day), last_instant(day)):
        return f"on {wording.day(window.start)}"
    return wording.stretch(window.start, window.end)
