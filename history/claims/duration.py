"""How long did a claim hold?

In: a duration and the State that it is about. Out: a Finding. Start at duration(). Lengths
are exact to the second, since a commit's time is cut to seconds at either end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction

from history.claims import wording
from history.claims.answer import BETWEEN_LOOKS, WOULD_DECIDE, Truth
from history.claims.course import Course, Piece, Window, runs
from history.claims.elsewhen import SHOWN, course_of, stretches
from history.claims.finding import Finding, intervals
from history.claims.language.claim import Claim, When
from history.claims.language.printed import Check, Measured, check_span
from history.claims.states import State
from history.claims.timeline import Held

ALL_TIME = When("over")
_MOMENT = Fraction(1, 10**6)  # the smallest time that two looks can be apart


@dataclass(frozen=True, slots=True)
class Lengths:
    """Seconds within a window.

    Attributes:
        runs: of each stretch, what is not known inside it counted in.
        least, most: of the span that is asked for: without what is not known, and with it.
        under: `most` is not quite reached: it would begin just after a look that saw otherwise.
        open: the last stretch still holds at the end of the window.
    """

    runs: tuple[int, ...]
    least: int
    most: int
    under: bool
    open: bool

    def measured(self, span: str) -> Measured:
        """Length of a span, to the second."""
        if span == "total":
            value, ends = sum(self.runs), len(self.runs)
        elif span == "longest":
            value, ends = max(self.runs, default=0), 1
        else:
            value, ends = self.runs[-1] if self.open else 0, 1
        return Measured.around(Fraction(value), Fraction(ends if value else 0))


def duration(claim: Claim, state: State) -> Finding:
    """The verdict on a duration."""
    course = course_of(state)
    window = Window.of(claim.when or ALL_TIME, course)
    pieces, meeting = window.pieces(course, seen=True), window.meeting(course)
    lengths = _lengths(claim.span, window, pieces, meeting)
    measured = lengths.measured(claim.span)
    check = _check(claim, measured)
    reach = check_span(
        Measured(measured.value, Fraction(lengths.least), lengths.most - _MOMENT * lengths.under),
        claim.value,
        claim.unit,
        claim.op,
        claim.approx,
    )
    answer = {
        "seconds": int(measured.value),
        "seconds_low": min(int(measured.low), lengths.least),
        "seconds_high": max(int(measured.high), lengths.most),
        "longest": max(lengths.runs, default=0),
        "claimed_low": float(check.claimed.low),
        "claimed_high": float(check.claimed.high),
    }
    code = _undecided(state, claim.span, pieces, reach)
    part = course.parts[window.inside[-1] if window.inside else -1]
    shown = state.judge(part.moment)
    refs = [] if meeting else list(shown.refs)
    for one in meeting[:SHOWN]:
        for moment in (one.first, one.after):
            refs += state.judge(moment).refs if moment is not None else ()
    if meeting and meeting[-1].until is None:
        refs += shown.refs
    if code is not None and not meeting:
        body = f"{shown.fact[:1].upper()}{shown.fact[1:]}."
    else:
        between = any(_is_between(piece, course) for piece in pieces)
        body = _body(claim, state, lengths, measured, meeting, shown.fact, between)
        body = body if code is None else f"As far as is known {body}"
    return Finding(
        check.outcome if code is None else "not_decidable",
        body,
        code,
        check.strength if code is None else None,
        answer,
        intervals(meeting),
        tuple(dict.fromkeys(refs)),
        notes=_notes(claim, lengths, meeting, _dark(pieces, meeting if code is None else ())),
        would_decide=_would_decide(code, pieces, course),
    )


def _is_between(piece: Piece, course: Course) -> bool:
    """Whether it lies between two looks that saw different versions."""
    return piece.holds.code == "CENSORED" and piece.start < course.end


def _would_decide(code: str | None, pieces: Sequence[Piece], course: Course) -> str | None:
    if code == "CENSORED" and any(_is_between(piece, course) for piece in pieces):
        return BETWEEN_LOOKS
    return None if code is None else WOULD_DECIDE[code]


def _undecided(state: State, span: str, pieces: Sequence[Piece], reach: Check) -> str | None:
    """The reason code where what is not known could make another verdict."""
    gaps = [piece.holds.code for run in runs(pieces, [Truth.UNKNOWN]) for piece in run]
    if gaps:
        stuck = all(leaf.problem for leaf in state.leaves)
        telling = gaps[-1] if span == "current" else gaps[0]
        return telling if stuck or reach.strength != "certain" else None
    if any(piece.holds.truth in (Truth.YES, Truth.NO) for piece in pieces):
        return None
    # The claim never said anything: nobody was listed, or there was no file.
    return pieces[-1].holds.code if pieces else "CENSORED"


def _check(claim: Claim, measured: Measured) -> Check:
    check = check_span(measured, claim.value, claim.unit, claim.op, claim.approx)
    if check.outcome == "within_rounding":
        # Only the part of a second that no commit keeps could save it.
        return replace(check, outcome="false", strength="printed")
    return check


def _lengths(
    span: str, window: Window, pieces: Sequence[Piece], meeting: Sequence[Held]
) -> Lengths:
    surely = runs(pieces, [Truth.YES])
    perhaps = runs(pieces, [Truth.YES, Truth.UNKNOWN])
    if span == "current":
        surely, perhaps = (
            [run for run in found if run[-1] is pieces[-1]] for found in (surely, perhaps)
        )
    least, most = ([_seconds(run) for run in found] for found in (surely, perhaps))
    total = sum if span == "total" else lambda lengths: max(lengths, default=0)
    lasted = tuple(
        round((min(one.stop, window.stop) - max(one.start, window.start)).total_seconds())
        for one in meeting
    )
    return Lengths(
        lasted,
        total(least),
        total(most),
        bool(perhaps) and _reach(span, perhaps) < timedelta(seconds=total(most)),
        bool(meeting) and (meeting[-1].until is None or meeting[-1].until > window.end),
    )


def _reach(span: str, found: Sequence[Sequence[Piece]]) -> timedelta:
    """The most that some stretches can have lasted, to the microsecond."""
    lengths = [sum((piece.stop - piece.start for piece in run), timedelta()) for run in found]
    return sum(lengths, timedelta()) if span == "total" else max(lengths)


def _seconds(run: Sequence[Piece]) -> int:
    return sum(piece.seconds for piece in run)


def _body(
    claim: Claim,
    state: State,
    lengths: Lengths,
    measured: Measured,
    meeting: Sequence[Held],
    fact: str,
    between: bool,
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
    if between and lengths.least < lengths.most:
        length = f"{wording.span(lengths.least)} to {wording.span(lengths.most)}{what}"
    elif meeting[-1].lapsed is not None and lengths.least < measured.value:
        length = f"{wording.span(lengths.least)} to {length}"
    times = f", {len(lengths.runs)} times" if len(lengths.runs) > 1 else ""
    return f"{who} was {said} for {length}{times}: {stretches(meeting, leaves, len(meeting) > 1)}."


def _dark(pieces: Sequence[Piece], meeting: Sequence[Held]) -> int:
    """Seconds of which nothing is known in or beside the stretches; without any, in all."""
    return sum(
        _seconds(run)
        for run in runs(pieces, [Truth.UNKNOWN])
        if not meeting
        or any(one.start <= run[-1].stop and run[0].start <= one.stop for one in meeting)
    )


def _notes(claim: Claim, lengths: Lengths, meeting: Sequence[Held], dark: int) -> tuple[str, ...]:
    notes = []
    if claim.span == "total" and len(lengths.runs) > 1:
        notes.append(
            f"in {len(lengths.runs)} stretches; the longest {wording.span(max(lengths.runs))}"
        )
    if meeting and meeting[0].at_first:
        notes.append("at least: it already held in the first version that is known")
    if meeting and meeting[-1].until is None and not meeting[-1].lapsed:
        notes.append("so far: it still held at the last look")
    if dark:
        notes.append(f"nothing is known of {wording.span(dark)} in that time")
    return tuple(notes)
