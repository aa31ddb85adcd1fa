"""Is a claim right?

In: claims and the boards that they name. Out: a Verdict for each. Start at check(); what a
claim says of one moment is for `states`, what it says of a stretch of time for `period`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from history.claims import wording
from history.claims.compound import together
from history.claims.desk import Desk
from history.claims.duration import ALL_TIME, duration
from history.claims.elsewhen import with_history
from history.claims.finding import Finding
from history.claims.language.claim import COMPOUNDS, Claim, Operand, When, last_instant
from history.claims.near.search import Nearby
from history.claims.noted import noted
from history.claims.other_edition import other_edition
from history.claims.period import over_window
from history.claims.same_board import same_board
from history.claims.states import State
from history.claims.timeline import Moment, Track, is_between
from history.claims.verdict import WORDS, Evidence, Verdict
from history.moments import MomentError

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

TIMELESS = ("UNKNOWN_ENTRY", "AMBIGUOUS_ENTITY", "NO_SPLIT")  # the time makes no difference


def check(
    claims: Iterable[Claim],
    open_board: Callable[[str], BoardHistory],
    *,
    now: datetime,
    folder: Path | None = None,
    others: Sequence[str] = (),
) -> list[Verdict]:
    """A verdict for each claim, in order.

    Args:
        claims: from a claims file or a sentence.
        open_board: gives the history of a board by its name.
        now: time of the check, UTC; it only says how old the last look is.
        folder: where the tables lie that claims bring along.
        others: boards on which a claim that is false may be true; each costs its opening.

    Raises:
        ClaimError: a claim names a column or table that is not there.
        UnknownBoard: a board that is not tracked.
        UnknownEntry: a sentence names an entry that its boards never listed.
        MomentError: a commit that no board of the claim has.
    """
    desk, claims = Desk(open_board, folder), list(claims)
    desk.read_ahead(claims)
    judge = _Judge(desk, now, others)
    return [judge.verdict(claim) for claim in claims]


class _Judge:
    """Judges one claim after the other."""

    def __init__(self, desk: Desk, now: datetime, others: Sequence[str]):
        self._desk, self._now = desk, now
        self._nearby = Nearby(desk, others)

    def verdict(self, claim: Claim) -> Verdict:
        """The verdict on one claim."""
        desk = self._desk
        whole = desk.renamed(claim).board_by_board()
        desk.refuse_strangers(whole)
        finding = same_board(desk, whole) or self._find(whole)
        boards = desk.boards(whole)
        horizons = [desk.track(board).horizon for board in boards]
        last_look = min(horizons) if horizons else None
        told = {board: desk.history(board).reconstruction for board in boards}
        return Verdict(
            id=claim.id,
            text=claim.text,
            verdict=finding.word,  # type: ignore[arg-type]  # one of the words
            sentence=self._sentence(finding, last_look),
            strength=finding.strength,
            code=finding.code,
            answer=finding.answer,
            intervals=finding.intervals,
            evidence=(*desk.cells(finding.refs), *_numbers(finding.operands), *finding.own),
            nearest=tuple(
                {"statement": n.statement, "evidence": [e.as_dict() for e in desk.cells(n.refs)]}
                for n in finding.nearest
            ),
            notes=tuple(dict.fromkeys([*finding.notes, *self._noted(whole)])),
            would_decide=finding.would_decide,
            last_look=last_look,
            reconstruction={name: why for name, why in told.items() if why},
        )

    def _find(self, claim: Claim) -> Finding:
        if claim.predicate == "duration":
            return duration(claim, self._desk.state(claim.members[0]))
        if claim.predicate in COMPOUNDS and claim.when is None:
            return self._members(claim)
        state, when = self._desk.state(claim), claim.effective_when
        if not state.leaves:
            return Finding.of(state.judge({}))
        if when.is_window:
            return self._nearby.at_end(over_window(claim, state, when), state, when)
        return self._at_moment(state, when)

    def _noted(self, claim: Claim) -> list[str]:
        """What the definitions of its boards say of what a claim is about, at its time."""
        if not any(self._desk.history(board).notes for board in self._desk.boards(claim)):
            return []
        if claim.predicate in COMPOUNDS and claim.when is None:
            return [note for member in claim.members for note in self._noted(member)]
        lasts = claim.predicate == "duration"
        state = self._desk.state(claim.members[0] if lasts else claim)
        when = claim.when or ALL_TIME if lasts else claim.effective_when
        if when.is_window:
            return noted(state.leaves, *when.ends)
        tracks = {leaf.track.name: leaf.track for leaf in state.leaves}
        return noted(state.leaves, *[self._time(tracks, when)] * 2) if tracks else []

    def _time(self, tracks: Mapping[str, Track], when: When) -> datetime:
        """The moment that is meant; of `latest` the oldest last look."""
        if when.kind == "at":
            return self._at_commit(tracks, when.commit)[0]
        if when.kind == "latest":
            return min(track.horizon for track in tracks.values())
        assert when.start is not None
        return last_instant(when.start)

    def _at_moment(self, state: State, when: When) -> Finding:
        """The state of things at one moment, and when else it was so."""
        tracks = {leaf.track.name: leaf.track for leaf in state.leaves}
        notes: list[str] = []
        moment: Moment
        if when.kind == "at":
            time, moment = self._at_commit(tracks, when.commit)
        else:
            time = self._time(tracks, when)
            later = any(track.horizon > time for track in tracks.values())
            if when.kind == "latest" and later:
                look = wording.timestamp(time)
                notes.append(f"all boards as of {look}, the oldest last look")
            moment = {name: track.version_at(time) for name, track in tracks.items()}
        answer = other_edition(state, moment, state.judge(moment, last_of_edition=True))
        prefix = wording.LAST_LOOK
        if when.kind != "latest":
            precise = isinstance(when.start, datetime) or when.kind == "at"
            prefix = wording.moment(time, ends_day=not precise)
        body = f"{prefix} {answer.fact}."
        if answer.code == "CENSORED" and any(map(is_between, moment.values())):
            body = f"{answer.fact[0].upper()}{answer.fact[1:]}."
        elif answer.code in ("BEFORE_FIRST_SNAPSHOT", "CENSORED"):
            body = f"{answer.fact}, not {prefix[0].lower()}{prefix[1:]}."
        elif answer.code in TIMELESS:
            body = f"{answer.fact}."
        found = with_history(Finding.of(answer, body, notes), state, time)
        return self._nearby.added(found, state, time)

    def _at_commit(self, tracks: Mapping[str, Track], commit: str) -> tuple[datetime, Moment]:
        """The time and versions of a commit; a board without it is taken at the same time."""
        found: dict[str, int] = {}
        errors: list[MomentError] = []
        for name in tracks:
            try:
                version = self._desk.history(name).find(commit).version
            except MomentError as error:
                errors.append(error)
                continue
            assert version is not None  # of a commit that was found
            found[name] = version
        if not found:
            raise errors[-1]
        time = max(tracks[name].at[version] for name, version in found.items())
        others = {name: track.version_at(time) for name, track in tracks.items()}
        return time, others | found

    def _members(self, claim: Claim) -> Finding:
        """A compound whose members each have a time of their own."""
        whens = [member.effective_when for member in claim.members]
        common = whens[0].kind in ("over", "on") and whens.count(whens[0]) == len(whens)
        if common and all(_is_state(member) for member in claim.members):
            bare = replace(claim, members=tuple(replace(m, when=None) for m in claim.members))
            state = self._desk.state(bare)
            if state.leaves:
                found = over_window(bare, state, whens[0])
                return self._nearby.at_end(found, state, whens[0])
        findings = [self._find(member) for member in claim.members]
        return self._nearby.of_members(together(claim, findings, claim.labels), findings)

    def _sentence(self, finding: Finding, last_look: datetime | None) -> str:
        text = " ".join(f"{WORDS[finding.word]}. {finding.body}".split())  # names may hold breaks
        if last_look is not None:
            age = max(0, int((self._now - last_look).total_seconds()))
            text += f" Last look: {wording.timestamp(last_look)}, {wording.span(age)} ago."
        return text


def _numbers(operands: Iterable[Operand]) -> list[Evidence]:
    """Numbers that stand on no board, as evidence."""
    return [
        Evidence(
            None, None, None, n.source or None, None, None, "value", n.value or n.formula, n.label
        )
        for n in operands
    ]


def _is_state(claim: Claim) -> bool:
    """Whether a claim can be asked at every moment of a stretch."""
    timed = any(member.when is not None for member in claim.members)
    return claim.predicate != "duration" and not claim.table and not timed
