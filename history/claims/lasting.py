"""How long did a claim hold?

In: a duration and the State that it is about. Out: a Finding. Start at lasting(). Lengths
are exact to the second, since a commit's time is cut to seconds at either end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction

from history.claims import wording
from history.claims.answer import WOULD_DECIDE, Truth
from history.claims.claim import Claim, When
from history.claims.states import State
from history.claims.timeline import Held
from history.claims.values import Check, Measured, check_span
from history.claims.windows import SHOWN, Course, Finding, Window, stretches

_TICK = timedelta(microseconds=1)
ALWAYS = When("over")


@dataclass(frozen=True, slots=True)
class Lengths:
    """Seconds within a window.

    Attributes:
        runs: of each stretch, unreadable versions inside it counted in.
        certain: of each, without them.
        unknown: of all time in the window of which nothing is known.
        open: the last stretch still holds at the end of the window.
    """

    runs: tuple[int, ...]
    certain: tuple[int, ...]
    unknown: int
    open: bool

    def measured(self, span: str) -> tuple[Measured, int, int]:
        """Length of a span, to the second; and the least and most that gaps leave possible."""
        if span == "total":
            value, least, runs = sum(self.runs), sum(self.certain), len(self.runs)
        elif span == "longest":
            value, least, runs = max(self.runs, default=0), max(self.certain, default=0), 1
        else:
            value, least, runs = 0, 0, 1
            if self.open:
                value, least = self.runs[-1], self.certain[-1]
        most = max(value, sum(self.certain) if span == "total" else least) + self.unknown
        if span == "total":
            most = least + self.unknown
        cut = runs if value else 0
        return Measured.around(Fraction(value), Fraction(cut)), least, most


def lasting(claim: Claim, state: State) -> Finding:
    """The verdict on a duration."""
    course = Course(state)
    window = Window.of(claim.when or ALWAYS, course)
    meeting = [h for h in course.held if h.start <= window.end and window.start < h.stop]
    lengths = _lengths(course, window, meeting)
    measured, least, most = lengths.measured(claim.span)
    check = _check(claim, measured)
    reach = check_span(
        Measured(measured.value, Fraction(least), Fraction(most)),
        claim.value,
        claim.unit,
        claim.op,
        claim.approx,
    )
    codes = [*window.unknown]
    codes += [
        c for n in window.inside if course.truths[n] is Truth.UNKNOWN and (c := course.codes[n])
    ]
    answer = {
        "seconds": int(measured.value),
        "seconds_low": min(int(measured.low), least),
        "seconds_high": max(int(measured.high), most),
        "longest": max(lengths.runs, default=0),
        "claimed_low": float(check.claimed.low),
        "claimed_high": float(check.claimed.high),
    }
    stuck = bool(state.leaves) and all(leaf.problem for leaf in state.leaves)
    undecided = stuck or (bool(codes) and reach.strength != "certain")
    known = [n for n in window.inside if course.truths[n] in (Truth.YES, Truth.NO)]
    if not known and not codes:
        silent = [course.codes[n] for n in window.inside if course.codes[n]]
        codes, undecided = [c for c in silent if c] or ["NOT_LISTED"], True
    part = course.parts[window.inside[-1] if window.inside else -1]
    shown = state.judge(part.places)
    refs = [] if meeting else list(shown.refs)
    for one in meeting[:SHOWN]:
        for places in (one.first, one.after):
            refs += state.judge(places).refs if places is not None else ()
    if meeting and meeting[-1].until is None:
        refs += shown.refs
    return Finding(
        "not_decidable" if undecided else check.outcome,
        _body(claim, state, lengths, measured, meeting, shown.fact),
        codes[0] if undecided else None,
        None if undecided else check.strength,
        answer,
        tuple(meeting),
        tuple(dict.fromkeys(refs)),
        notes=_notes(claim, lengths, meeting, check),
        would_decide=WOULD_DECIDE[codes[0]] if undecided else None,
    )


def _check(claim: Claim, measured: Measured) -> Check:
    check = check_span(measured, claim.value, claim.unit, claim.op, claim.approx)
    if check.outcome == "within_rounding":
        # Only the part of a second that no commit keeps could save it.
        return replace(check, outcome="false", strength="printed")
    return check


def _lengths(course: Course, window: Window, meeting: Sequence[Held]) -> Lengths:
    stop = window.end + _TICK if window.end.microsecond else window.end

    def seconds(start: datetime, end: datetime) -> int:
        inside = min(end, stop) - max(start, window.start)
        return max(0, round(inside.total_seconds()))

    yes = [p for p, truth in zip(course.parts, course.truths, strict=True) if truth is Truth.YES]
    gaps = [
        p for p, truth in zip(course.parts, course.truths, strict=True) if truth is Truth.UNKNOWN
    ]
    unknown = sum(seconds(part.start, part.stop) for part in gaps)
    unknown += seconds(window.start, course.parts[0].start) + seconds(course.end, stop)
    certain = tuple(
        sum(
            seconds(part.start, part.stop)
            for part in yes
            if one.start <= part.start and part.stop <= one.stop
        )
        for one in meeting
    )
    runs = tuple(seconds(one.start, one.stop) for one in meeting)
    ends_open = bool(meeting) and (meeting[-1].until is None or meeting[-1].until > window.end)
    return Lengths(runs, certain, unknown, ends_open)


def _body(
    claim: Claim,
    state: State,
    lengths: Lengths,
    measured: Measured,
    meeting: Sequence[Held],
    fact: str,
) -> str:
    leaves = state.leaves
    said = wording.phrases([leaf.claim for leaf in leaves])
    who = wording.subject(leaves[0].claim)
    if not meeting:
        return f"{who} was never {said}; at the end {fact}."
    what = {"total": "", "longest": " at most, in one stretch", "current": " up to the end"}[
        claim.span
    ]
    length = f"{wording.span(int(measured.value))}{what}"
    times = f", {len(lengths.runs)} times" if len(lengths.runs) > 1 else ""
    return f"{who} was {said} for {length}{times}: {stretches(meeting, leaves, len(meeting) > 1)}."


def _notes(
    claim: Claim, lengths: Lengths, meeting: Sequence[Held], check: Check
) -> tuple[str, ...]:
    notes = []
    if claim.span == "total" and len(lengths.runs) > 1:
        notes.append(
            f"in {len(lengths.runs)} stretches; the longest {wording.span(max(lengths.runs))}"
        )
    if meeting and meeting[0].at_first:
        notes.append("at least: it already held in the first version that is known")
    if meeting and meeting[-1].until is None:
        notes.append("so far: it still held at the last look")
    if lengths.unknown:
        notes.append(f"nothing is known of {wording.span(lengths.unknown)} in that time")
    return tuple(notes)
