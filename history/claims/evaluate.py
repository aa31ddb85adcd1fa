"""Is a claim right?

In: claims and the boards that they name. Out: a Verdict for each. Start at check(); what a
claim says of one version is for `states`, what it says of a stretch of time for `windows`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from history.claims import own_table, wording
from history.claims.answer import Answer, Ref, combine, value_answer
from history.claims.claim import COMPOUNDS, Claim, Operand, When, first_instant, last_instant
from history.claims.lasting import lasting
from history.claims.states import Fixed, Group, Leaf, State
from history.claims.timeline import AFTER, Held, Track
from history.claims.values import Measured, check_value
from history.claims.verdict import WORDS, Evidence, Interval, Verdict
from history.claims.windows import Finding, over_window, with_history
from history.pipeline import AmbiguousEntry, UnknownEntry

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

MAX_EVIDENCE = 40
TIMELESS = ("UNKNOWN_ENTRY", "AMBIGUOUS_ENTITY", "NO_SPLIT")  # the time makes no difference


def check(
    claims: Iterable[Claim],
    open_board: Callable[[str], BoardHistory],
    *,
    now: datetime,
    folder: Path | None = None,
) -> list[Verdict]:
    """A verdict for each claim, in order.

    Args:
        claims: from a claims file or a sentence.
        open_board: gives the history of a board by its name.
        now: time of the check, UTC; it only says how old the last look is.
        folder: where the tables lie that claims bring along.

    Raises:
        ClaimError: a claim names a column or table that is not there.
        UnknownBoard: a board that is not tracked.
        UnknownEntry: a sentence names an entry that its boards never listed.
        MomentError: a commit that no board of the claim has.
    """
    desk = _Desk(open_board, now, folder)
    return [desk.verdict(claim) for claim in claims]


class _Desk:
    """The boards that are open while claims are checked."""

    def __init__(
        self, open_board: Callable[[str], BoardHistory], now: datetime, folder: Path | None
    ):
        self._open_board, self._now, self._folder = open_board, now, folder
        self._named: dict[str, BoardHistory] = {}
        self._histories: dict[str, BoardHistory] = {}
        self._tracks: dict[str, Track] = {}

    def verdict(self, claim: Claim) -> Verdict:
        """The verdict on one claim."""
        whole = claim.board_by_board()
        self._refuse_strangers(whole)
        finding = self._same_board(whole) or self._find(whole)
        tracks = [self._track(board) for board in dict.fromkeys(_boards(whole))]
        horizons = [track.horizon for track in tracks]
        last_look = min(horizons) if horizons else None
        told = {t.name: self._histories[t.name].reconstruction for t in tracks}
        return Verdict(
            id=claim.id,
            text=claim.text,
            verdict=finding.word,  # type: ignore[arg-type]  # one of the words
            sentence=self._sentence(finding, last_look),
            strength=finding.strength,
            code=finding.code,
            answer=finding.answer,
            intervals=tuple(_interval(held) for held in finding.held),
            evidence=(*self._cells(finding.refs), *_numbers(finding.operands), *finding.own),
            nearest=tuple(
                {"statement": n.statement, "evidence": [e.as_dict() for e in self._cells(n.refs)]}
                for n in finding.nearest
            ),
            notes=finding.notes,
            would_decide=finding.would_decide,
            last_look=last_look,
            reconstruction={name: why for name, why in told.items() if why},
        )

    def _find(self, claim: Claim) -> Finding:
        if claim.predicate == "duration":
            return lasting(claim, self._state(claim.members[0]))
        if claim.predicate in COMPOUNDS and claim.when is None:
            return self._members(claim)
        state, when = self._state(claim), claim.effective_when
        if isinstance(state, Fixed):
            return Finding.of(state.judge({}))
        if when.is_window:
            return over_window(claim, state, when)
        return self._at_moment(claim, state, when)

    def _at_moment(self, claim: Claim, state: State, when: When) -> Finding:
        """The state of things at one moment, and when else it was so."""
        tracks = {leaf.track.name: leaf.track for leaf in state.leaves}
        notes: list[str] = []
        if when.kind == "at":
            time, places = self._at_commit(tracks, when.commit)
        else:
            horizon = min(track.horizon for track in tracks.values())
            if when.kind == "latest":
                time = horizon
                if any(track.horizon > horizon for track in tracks.values()):
                    notes.append(
                        f"all boards as of {wording.moment(horizon)}, the oldest last look"
                    )
            else:
                assert when.start is not None
                time = last_instant(when.start)
            places = {
                name: AFTER if time > track.horizon else track.place(time)
                for name, track in tracks.items()
            }
        answer = state.judge(places)
        if when.kind == "latest":
            prefix = "At the last look"
        elif isinstance(when.start, datetime) or when.kind == "at":
            prefix = f"On {wording.day(time)} at {wording.clock(time)} UTC"
        else:
            prefix = f"At the end of {wording.day(time)} (UTC)"
        body = f"{prefix} {answer.fact}."
        if answer.code in ("BEFORE_FIRST_SNAPSHOT", "CENSORED"):
            body = f"{answer.fact}, not {prefix[0].lower()}{prefix[1:]}."
        elif answer.code in TIMELESS:
            body = f"{answer.fact}."
        finding = Finding.of(answer, body, notes)
        return with_history(finding, claim, state, time)

    def _at_commit(self, tracks: dict[str, Track], commit: str) -> tuple[datetime, dict[str, int]]:
        """The time and places of a commit; a board without it is taken at the same time."""
        from history.moments import MomentError

        found: dict[str, int] = {}
        error: MomentError | None = None
        for name, track in tracks.items():
            try:
                version = self._histories[name].find(commit).version
            except MomentError as objection:
                error = objection
                continue
            if version is not None:
                found[name] = track.versions.index(version)
        if not found:
            assert error is not None
            raise error
        time = max(tracks[name].at[place] for name, place in found.items())
        places = {name: found.get(name, track.place(time)) for name, track in tracks.items()}
        return time, places

    def _members(self, claim: Claim) -> Finding:
        """A compound whose members each have a time of their own."""
        whens = [member.effective_when for member in claim.members]
        if all(when.kind in ("over", "on") for when in whens):
            common = _common(whens) if all(_is_state(m) for m in claim.members) else None
            if common is not None:
                bare = replace(claim, members=tuple(replace(m, when=None) for m in claim.members))
                return over_window(bare, self._state(bare), common)
        findings = [self._find(member) for member in claim.members]
        answers = [
            Answer(
                f.word,
                f.body,
                f.code,
                f.strength,
                dict(f.answer),
                f.refs,
                f.operands,
                f.own,
                f.notes,
                f.would_decide,
            )
            for f in findings
        ]
        whole = combine(claim.predicate, answers, [m.id for m in claim.members], _labels(claim))
        body = " ".join(finding.body for finding in findings)
        held = findings[0].held if len(findings) == 1 and claim.predicate != "not" else ()
        return replace(Finding.of(whole, body), held=held)

    def _state(self, claim: Claim) -> State:
        if claim.predicate in COMPOUNDS:
            return Group(claim, [self._state(member) for member in claim.members], _labels(claim))
        if claim.predicate == "average_of" and claim.table:
            return Fixed(own_table.average(claim, self._folder))
        if isinstance(claim.subject, Operand) and (
            isinstance(claim.other, Operand) or claim.predicate == "score"
        ):
            return Fixed(_own_numbers(claim))
        history, track = self._history(claim.boards[0]), self._track(claim.boards[0])
        problem: tuple[str, str] | None = None
        if claim.split is not None and claim.split not in history.split_names:
            known = ", ".join(history.split_names) or "none"
            problem = "NO_SPLIT", f"{history.name} has no split {claim.split} (it has: {known})"
        entries: list[str | None] = []
        for said in (claim.subject, claim.other):
            try:
                entries.append(history.resolve_entry(said) if isinstance(said, str) else None)
            except UnknownEntry:
                entries.append(None)
                problem = "UNKNOWN_ENTRY", f"{history.name} never listed {said}"
            except AmbiguousEntry as error:
                entries.append(None)
                problem = "AMBIGUOUS_ENTITY", str(error).rstrip(".")
        return Leaf(claim, history, track, entries[0], entries[1], problem)

    def _refuse_strangers(self, claim: Claim) -> None:
        """A sentence that names an entry which none of its boards ever listed is a slip."""
        if not claim.spoken:
            return
        named: dict[str, list[str]] = {}
        for leaf in _leaves(claim):
            for said in (leaf.subject, leaf.other):
                if isinstance(said, str):
                    named.setdefault(said, []).extend(leaf.boards)
        for said, boards in named.items():
            errors = []
            for board in boards:
                try:
                    self._history(board).resolve_entry(said)
                except UnknownEntry as error:
                    errors.append(error)
                except AmbiguousEntry:
                    pass
            if errors and len(errors) == len(boards):
                raise errors[0]

    def _same_board(self, claim: Claim) -> Finding | None:
        """Two names of one file, where a claim counts them as two boards."""
        if claim.predicate not in ("all_of", "any_of"):
            return None
        files: dict[tuple[object, ...], str] = {}
        for name in dict.fromkeys(_boards(claim)):
            history = self._history(name)
            source = history.board.source
            file = (
                source.kind,
                source.repo,
                source.repo_type,
                tuple(source.paths),
                history.meaning.table.rows,
            )
            other = files.setdefault(file, history.name)
            if other != history.name:
                version = self._track(name).versions[-1]
                refs = (Ref(other, version, None), Ref(history.name, version, None))
                fact = f"{other} and {history.name} are two names of one board: {source.paths[0]}"
                body = f"{fact}."
                return Finding(
                    "not_decidable", body, code="SAME_BOARD", refs=refs, would_decide="two boards"
                )
        return None

    def _history(self, name: str) -> BoardHistory:
        if name not in self._named:
            history = self._open_board(name)
            self._named[name] = self._histories.setdefault(history.name, history)
        return self._named[name]

    def _track(self, name: str) -> Track:
        history = self._history(name)
        if history.name not in self._tracks:
            self._tracks[history.name] = Track(history)
        return self._tracks[history.name]

    def _cells(self, refs: Iterable[Ref]) -> list[Evidence]:
        """What the cells say, and where they stand."""
        cells = [
            self._histories[ref.board].cell(ref.version, ref.entry, ref.field)
            for ref in list(dict.fromkeys(refs))[:MAX_EVIDENCE]
        ]
        # The empty pointer is the whole file, where not even the rows could be found.
        return [
            Evidence(
                cell.board,
                cell.commit,
                cell.committed_at.to_pydatetime(),
                cell.path,
                cell.pointer or "",
                cell.entry,
                cell.field,
                cell.text,
                cell.label,
            )
            for cell in cells
        ]

    def _sentence(self, finding: Finding, last_look: datetime | None) -> str:
        text = f"{WORDS[finding.word]}. {finding.body}"
        if last_look is not None:
            age = max(0, int((self._now - last_look).total_seconds()))
            text += f" Last look: {wording.moment(last_look)}, {wording.span(age)} ago."
        return text


def _own_numbers(claim: Claim) -> Answer:
    """A claim about numbers that stand on no board."""
    assert isinstance(claim.subject, Operand)
    number, fact = Measured.printed(claim.subject.value), f"it is {claim.subject.value}"
    operands: tuple[Operand, ...] = (claim.subject,)
    if isinstance(claim.other, Operand):
        number = number - Measured.printed(claim.other.value)
        operands = (claim.subject, claim.other)
        fact = f"{claim.subject.value} - {claim.other.value} is {wording.signed(number.value)}"
    checked = check_value(number, claim.value, claim.op, claim.approx)
    return value_answer(checked, number, fact, (), operands)


def _numbers(operands: Iterable[Operand]) -> list[Evidence]:
    """Numbers that stand on no board, as evidence."""
    return [
        Evidence(None, None, None, n.source or None, None, None, "value", n.value, n.label)
        for n in operands
    ]


def _is_state(claim: Claim) -> bool:
    """Whether a claim can be asked at every moment of a stretch."""
    timed = any(member.when is not None for member in claim.members)
    return claim.predicate != "duration" and not claim.table and not timed


def _leaves(claim: Claim) -> list[Claim]:
    if not claim.members:
        return [claim]
    return [leaf for member in claim.members for leaf in _leaves(member)]


def _boards(claim: Claim) -> list[str]:
    return [board for leaf in _leaves(claim) for board in leaf.boards]


def _labels(claim: Claim) -> list[str]:
    """A name for each member, to put before its notes."""
    return [" and ".join(dict.fromkeys(_boards(member))) or member.id for member in claim.members]


def _common(whens: list[When]) -> When | None:
    """The stretch that lies in all of several; None if there is none."""
    starts = [first_instant(when.start) for when in whens if when.start is not None]
    ends = [
        last_instant(when.start if when.kind == "on" else when.end)  # type: ignore[arg-type]
        for when in whens
        if when.kind == "on" or when.end is not None
    ]
    start, end = max(starts, default=None), min(ends, default=None)
    if start is not None and end is not None and start > end:
        return None
    return When("over", start, end)


def _interval(held: Held) -> Interval:
    return Interval(held.start, held.until, held.from_commit, held.until_commit)
