"""Did a claim hold through a stretch of time?

In: a State and a `when`. Out: a Finding with every stretch in which it held. Start at
over_window().
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from history.claims import wording
from history.claims.answer import WOULD_DECIDE, Answer, Holds, Truth
from history.claims.course import Course, Piece, Window
from history.claims.elsewhen import SHOWN, course_of, stretches
from history.claims.finding import Finding, intervals
from history.claims.language.claim import Claim, When, first_instant, last_instant
from history.claims.leaf import Leaf
from history.claims.states import State
from history.claims.timeline import Held, Moment

TIED_THROUGHOUT = "tied throughout"


def over_window(claim: Claim, state: State, when: When) -> Finding:
    """The verdict of a claim whose `when` is on, ever, always or over."""
    course = course_of(state)
    window = Window.of(when, course)
    runs = window.runs(course)
    speaking = [run for run in runs if course.found[run.start].truth is not Truth.SILENT]
    if not speaking:
        return _silent(state, course, window, when.kind)
    found = window.holds(course)
    word, code = verdict(when.kind, found)
    at = _telling(state, course, speaking, word, code)
    answer = state.judge(course.parts[at].moment)
    meeting = window.meeting(course)
    refs = list(answer.refs)
    for one in meeting[:SHOWN]:
        for moment in (one.first, one.after):
            if moment is not None:
                refs += state.judge(moment).refs
    notes = [*answer.notes, *_course_notes(state, course, window)]
    if code is not None and code in window.unknown:
        body = _known(course)
    else:
        body = _body(claim, state, course, window, word, answer, meeting, at, notes)
    return Finding(
        word,
        body,
        code,
        strength(when.kind, word, found),
        answer.answer,
        intervals(meeting),
        tuple(dict.fromkeys(refs)),
        answer.operands,
        answer.own,
        tuple(dict.fromkeys(notes)),
        would_decide(answer, code),
        pieces=_kept(when.kind, window, course),
    )


def would_decide(shown: Answer, code: str | None) -> str | None:
    """What would decide, given the answer that shows best why it is open."""
    if code is None:
        return None
    return shown.would_decide if shown.code == code else WOULD_DECIDE[code]


def verdict(kind: str, found: Sequence[Holds]) -> tuple[str, str | None]:
    """The verdict of a window from what it holds, in order; and the reason if there is none.

    >>> yes, no, unread = Holds(Truth.YES), Holds(Truth.NO), Holds(Truth.UNKNOWN, "UNREADABLE_VERSION")
    >>> verdict("over", [yes, no]), verdict("over", [yes, no, yes]), verdict("ever", [yes, unread])
    (('true_then_false', None), ('false_then_true', None), ('true', None))
    >>> verdict("always", [yes, unread])
    ('not_decidable', 'UNREADABLE_VERSION')
    """
    speaking = [one for one in found if one.truth is not Truth.SILENT]
    yes, no, gaps = (
        [one for one in speaking if one.truth is truth]
        for truth in (Truth.YES, Truth.NO, Truth.UNKNOWN)
    )
    last = speaking[-1]
    if kind == "ever" and yes:
        return "true", None
    if kind == "always" and no:
        return "false", None
    over = kind in ("over", "on")
    if over and last.truth is Truth.YES and no:
        return "false_then_true", None
    if over and last.truth is Truth.NO and yes:
        return "true_then_false", None
    if not gaps:
        return ("true" if yes else "false"), None
    if len(gaps) == len(speaking) and all(gap.code == "WITHIN_ROUNDING" for gap in gaps):
        return "within_rounding", None
    telling = last if over and last.truth is Truth.UNKNOWN else gaps[0]
    return "not_decidable", telling.code


def strength(kind: str, word: str, found: Sequence[Holds]) -> str | None:
    """Certain if the unprinted digits of no version that decides could make another verdict."""
    yes = [one.certain for one in found if one.truth is Truth.YES]
    no = [one.certain for one in found if one.truth is Truth.NO]
    last = [one.certain for one in found if one.truth in (Truth.YES, Truth.NO)][-1:]
    if word == "true":
        certain = any(yes) if kind == "ever" else all(yes)
    elif word == "false":
        certain = any(no) if kind == "always" else all(no)
    elif word in ("true_then_false", "false_then_true"):
        certain = any(yes) and any(no) and all(last)
    else:
        return None
    return "certain" if certain else "printed"


def _telling(
    state: State, course: Course, speaking: Sequence[range], word: str, code: str | None
) -> int:
    """The segment that shows best why the verdict is what it is, out of some runs."""
    wanted = {
        "true": Truth.YES,
        "true_then_false": Truth.YES,
        "false": Truth.NO,
        "within_rounding": Truth.UNKNOWN,
        "not_decidable": Truth.UNKNOWN,
    }.get(word)
    fitting = [run for run in speaking if wanted is None or course.found[run.start].truth is wanted]
    if code is not None:
        fitting = [run for run in fitting if course.found[run.start].code == code]
    if not fitting:
        return speaking[-1][-1]
    leaves = state.leaves
    if (
        word == "false"
        and len(leaves) == 1
        and leaves[0].claim.predicate in ("rank", "first", "top_k")
    ):
        inside = [n for run in fitting for n in run]
        return inside[leaves[0].best_of([course.parts[n].moment for n in inside])]
    return fitting[-1][-1]


def _silent(state: State, course: Course, window: Window, kind: str) -> Finding:
    """Nothing in the window that the claim could be about."""
    if window.inside:
        at = window.inside[-1]
        answer, code = state.judge(course.parts[at].moment), course.found[at].code
        body = _within(window, answer)
    else:
        code = window.unknown[0]
        answer = state.judge(course.parts[0 if code == "BEFORE_FIRST_SNAPSHOT" else -1].moment)
        body = _known(course)
    assert code is not None
    return Finding(
        "not_decidable",
        body,
        code,
        refs=answer.refs,
        operands=answer.operands,
        own=answer.own,
        notes=answer.notes,
        would_decide=would_decide(answer, code),
        pieces=_kept(kind, window, course),
    )


def _kept(kind: str, window: Window, course: Course) -> Callable[[], Sequence[Piece]]:
    """What a compound may cut: `ever` and `always` are answered as a whole."""
    return partial(window.pieces, course) if kind in ("over", "on") else tuple


def _course_notes(state: State, course: Course, window: Window) -> list[str]:
    """What held throughout, and what was not there."""
    notes, many = [], len(window.inside)
    for leaf in state.leaves:
        moments = (course.parts[n].moment for n in window.inside)
        if leaf.claim.predicate == "ahead" and _tied_throughout(leaf, moments):
            notes.append(TIED_THROUGHOUT)
        found = course.found if leaf is state else leaf.all_holds(p.moment for p in course.parts)
        codes = [found[n].code for n in window.inside]
        if 0 < (silent := codes.count("NOT_LISTED")) < many:
            notes.append(f"not listed in {silent} of {many} versions, which do not count")
        if 0 < (absent := codes.count("BOARD_ABSENT")) < many:
            notes.append(f"the file was absent in {absent} of {many} versions")
    return notes


def _tied_throughout(leaf: Leaf, moments: Iterable[Moment]) -> bool:
    """Whether both are tied wherever both are ranked, and that is somewhere."""
    ever = False
    for moment in moments:
        tied = leaf.tied_at(moment)
        if tied is False:
            return False
        ever = ever or bool(tied)
    return ever


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
        f"It did not hold that {who} was {said}"
        if claim.predicate == "not"
        else f"{who} was {said}"
    )
    when = f"on {wording.timestamp(course.parts[at].start)}"
    if course.parts[at].start < window.start:
        when = f"on {wording.timestamp(window.start)}"
    if word == "not_decidable" and len(window.inside) > 1:
        return f"{_upper(_between(window))} it is open, since {when} {answer.fact}."
    if word in ("not_decidable", "within_rounding"):
        return _within(window, answer)
    if word == "false" and not meeting:
        never = what.replace(" was ", " was never ", 1) if claim.predicate != "not" else what
        return f"{never} {_between(window)}; {when} {answer.fact}."
    holding = [course.found[run.start].truth is Truth.YES for run in window.runs(course)]
    if word == "true" and all(holding) and not window.unknown:
        if len(window.inside) == 1 and claim.predicate != "not":
            return f"{_upper(_between(window))}, throughout, {answer.fact}."
        return f"{what} throughout, {_between(window)}: {when} {answer.fact}."
    tied = f", {TIED_THROUGHOUT}" if TIED_THROUGHOUT in notes else ""
    return f"{what} {stretches(meeting, leaves)}{tied}."


def _known(course: Course) -> str:
    """Of which time anything is known at all."""
    known = wording.stretch(course.parts[0].start, course.end)
    return f"{wording.listing(list(course.tracks))}: known {known}."


def _within(window: Window, answer: Answer) -> str:
    """What stands in the way of an answer."""
    return f"{_upper(_between(window))} {answer.fact}."


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _between(window: Window) -> str:
    day = window.start.date()
    if (window.start, window.end) == (first_instant(day), last_instant(day)):
        return f"on {wording.day(window.start)}"
    return wording.stretch(window.start, window.end)
