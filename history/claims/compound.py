"""What do several claims say together, each at a time of its own?

In: a compound and the Findings of its members. Out: one Finding. Members that decide it by
their verdicts do so; else their stretches are intersected, united or turned round, each
inside its own window: at any instant only the members speak whose window holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from history.claims.answer import NO_WORDS, WOULD_DECIDE, Truth, combine, joined
from history.claims.course import Piece, mark
from history.claims.finding import Finding
from history.claims.language.claim import Claim
from history.claims.period import strength, verdict
from history.claims.verdict import Interval


def together(claim: Claim, findings: Sequence[Finding], labels: Sequence[str]) -> Finding:
    """The finding of a compound.

    Args:
        claim: all_of, any_of or not; `labels` name its members in notes.
        findings: of the members, in their order.
    """
    answers = [finding.as_answer for finding in findings]
    whole = combine(claim.predicate, answers, [m.id for m in claim.members], labels)
    found = Finding.of(whole, " ".join(finding.body for finding in findings))
    if _is_decided(claim.predicate, findings):
        return found
    windows = [finding.pieces() for finding in findings]
    if not all(windows):
        return found
    pieces = _pieces(claim.predicate, windows)
    course = [piece.holds for piece in pieces]
    if all(one.truth is Truth.SILENT for one in course):
        return replace(found, pieces=lambda: pieces)
    word, code = verdict("over", course)
    return replace(
        found,
        word=word,
        code=code,
        strength=strength("over", word, course),
        intervals=tuple(_stretches(pieces)),
        would_decide=None if code is None else WOULD_DECIDE[code],
        pieces=lambda: pieces,
    )


def _is_decided(kind: str, findings: Sequence[Finding]) -> bool:
    """Whether the verdicts of the members leave nothing to ask."""
    if kind == "not":
        return False
    words = [finding.word for finding in findings]
    yes, no = [word == "true" for word in words], [word in NO_WORDS for word in words]
    one, all_ = (yes, no) if kind == "any_of" else (no, yes)
    return any(one) or all(all_)


def _pieces(kind: str, members: Sequence[Sequence[Piece]]) -> tuple[Piece, ...]:
    """The time of all windows, cut wherever a member changes or its window begins or ends."""
    cuts = sorted({cut for pieces in members for one in pieces for cut in (one.start, one.stop)})
    found = []
    for start, stop in pairwise(cuts):
        speaking = [one for pieces in members for one in pieces if one.start <= start < one.stop]
        if speaking:
            newest = max(speaking, key=lambda one: one.since)
            holds = joined(kind, [one.holds for one in speaking])
            is_open = any(one.is_open for one in speaking)
            found.append(Piece(start, stop, holds, newest.since, newest.commit, is_open))
    return tuple(found)


def _stretches(pieces: Sequence[Piece]) -> list[Interval]:
    """When it held, as in timeline.held(), but cut at the windows."""
    found: list[Interval] = []
    begin: Piece | None = None
    last: Piece | None = None
    dark: datetime | None = None  # since when nothing is known
    for piece in pieces:
        if last is not None and piece.start > last.stop and begin is not None:
            found.append(_interval(begin, last.stop, None))
            begin = None
        holds = mark(piece.holds)
        if holds is not None:
            dark = None
        elif piece.holds.code != "CENSORED":  # that is the end of the time, not of the stretch
            dark = dark or piece.start
        if holds and begin is None:
            begin = piece
        elif holds is False and begin is not None:
            found.append(_interval(begin, piece.start, piece.commit))
            begin = None
        last = piece
    if begin is not None and last is not None:
        is_open = any(piece.is_open for piece in pieces)
        found.append(_interval(begin, dark or (None if is_open else last.stop), None))
    return found


def _interval(begin: Piece, until: datetime | None, commit: str | None) -> Interval:
    return Interval(begin.start, until, begin.commit, commit)
