"""Is a claim right?

In: claims and the boards that they name. Out: a Verdict for each. Start at check(); what a
claim says of one moment is for `states`, what it says of a stretch of time for `period`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from history.claims import wording
from history.claims.answer import WOULD_DECIDE, Ref
from history.claims.compound import together
from history.claims.duration import ALL_TIME, duration
from history.claims.elsewhen import with_history
from history.claims.finding import Finding
from history.claims.language.claim import COMPOUNDS, Claim, Operand, When, last_instant
from history.claims.leaf import Leaf
from history.claims.noted import noted
from history.claims.own import own_numbers
from history.claims.period import over_window
from history.claims.rank_rows import RankRows
from history.claims.states import JUDGES, Fixed, Group, State
from history.claims.timeline import Moment, Track, is_between
from history.claims.verdict import WORDS, Evidence, Verdict
from history.frames import SCORE
from history.moments import MomentError
from history.names import AmbiguousEntry, UnknownEntry
from history.readings.stages import Stages
from history.splits import view

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
        self._rows: dict[tuple[str, str | None], RankRows] = {}

    def verdict(self, claim: Claim) -> Verdict:
        """The verdict on one claim."""
        whole = self._renamed(claim).board_by_board()
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
            intervals=finding.intervals,
            evidence=(*self._cells(finding.refs), *_numbers(finding.operands), *finding.own),
            nearest=tuple(
                {"statement": n.statement, "evidence": [e.as_dict() for e in self._cells(n.refs)]}
                for n in finding.nearest
            ),
            notes=tuple(dict.fromkeys([*finding.notes, *self._noted(whole)])),
            would_decide=finding.would_decide,
            last_look=last_look,
            reconstruction={name: why for name, why in told.items() if why},
        )

    def _renamed(self, claim: Claim) -> Claim:
        """The same with the boards' own names, however they were written."""
        boards = dict.fromkeys(self._history(name).name for name in claim.boards)
        members = tuple(self._renamed(member) for member in claim.members)
        return replace(claim, boards=tuple(boards), members=members)

    def _find(self, claim: Claim) -> Finding:
        if claim.predicate == "duration":
            return duration(claim, self._state(claim.members[0]))
        if claim.predicate in COMPOUNDS and claim.when is None:
            return self._members(claim)
        state, when = self._state(claim), claim.effective_when
        if not state.leaves:
            return Finding.of(state.judge({}))
        if when.is_window:
            return over_window(claim, state, when)
        return self._at_moment(state, when)

    def _noted(self, claim: Claim) -> list[str]:
        """What the definitions of its boards say of what a claim is about, at its time."""
        if not any(self._history(board).notes for board in _boards(claim)):
            return []
        if claim.predicate in COMPOUNDS and claim.when is None:
            return [note for member in claim.members for note in self._noted(member)]
        lasts = claim.predicate == "duration"
        state = self._state(claim.members[0] if lasts else claim)
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
        answer = state.judge(moment, last_of_edition=True)
        if when.kind == "latest":
            prefix = "At the last look"
        elif isinstance(when.start, datetime) or when.kind == "at":
            prefix = f"On {wording.day(time)} at {wording.clock(time)} UTC"
        else:
            prefix = f"At the end of {wording.day(time)} (UTC)"
        body = f"{prefix} {answer.fact}."
        if answer.code == "CENSORED" and any(map(is_between, moment.values())):
            body = f"{answer.fact[0].upper()}{answer.fact[1:]}."
        elif answer.code in ("BEFORE_FIRST_SNAPSHOT", "CENSORED"):
            body = f"{answer.fact}, not {prefix[0].lower()}{prefix[1:]}."
        elif answer.code in TIMELESS:
            body = f"{answer.fact}."
        return with_history(Finding.of(answer, body, notes), state, time)

    def _at_commit(self, tracks: Mapping[str, Track], commit: str) -> tuple[datetime, Moment]:
        """The time and versions of a commit; a board without it is taken at the same time."""
        found: dict[str, int] = {}
        errors: list[MomentError] = []
        for name in tracks:
            try:
                version = self._histories[name].find(commit).version
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
            state = self._state(bare)
            if state.leaves:
                return over_window(bare, state, whens[0])
        return together(claim, [self._find(member) for member in claim.members], _labels(claim))

    def _state(self, claim: Claim) -> State:
        if claim.predicate in COMPOUNDS:
            return Group(claim, [self._state(member) for member in claim.members], _labels(claim))
        if claim.is_about_own_numbers:
            return Fixed(own_numbers.judge(claim, self._folder))
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
                if track.readable:  # else there is nothing that a name could be looked up in
                    problem = "UNKNOWN_ENTRY", f"{history.name} never listed {said}"
            except AmbiguousEntry as error:
                entries.append(None)
                problem = "AMBIGUOUS_ENTITY", str(error).rstrip(".")
        names = (None if entry is None else history.shown(entry) for entry in entries)
        subject, other = (
            name or said for name, said in zip(names, (claim.subject, claim.other), strict=True)
        )
        return Leaf(
            replace(claim, subject=subject, other=other),
            history,
            track,
            self._rank_rows(history, claim.split),
            subject=entries[0],
            other=entries[1],
            problem=problem,
            judge=JUDGES[claim.predicate],
        )

    def _refuse_strangers(self, claim: Claim) -> None:
        """A sentence that names an entry which none of its boards ever listed is a slip.

        Of a board of which nothing could be read nobody knows whom it listed.
        """
        if not claim.spoken:
            return
        named: dict[str, list[str]] = {}
        for leaf in claim.leaves:
            for said in (leaf.subject, leaf.other):
                if isinstance(said, str):
                    named.setdefault(said, []).extend(leaf.boards)
        for said, boards in named.items():
            errors = []
            for board in boards:
                try:
                    self._history(board).resolve_entry(said)
                except UnknownEntry as error:
                    errors += [error] if self._track(board).readable else []
                except AmbiguousEntry:
                    pass
            if errors and len(errors) == len(boards):
                raise errors[0]

    def _same_board(self, claim: Claim) -> Finding | None:
        """Two names of one board, where a claim counts them as two.

        Boards of one file are two where they rank other rows, another column or the other way.
        """
        seen: dict[tuple[object, ...], list[BoardHistory]] = {}
        for leaf in claim.leaves:
            for history in map(self._history, leaf.boards):
                alike = seen.setdefault(_ranked(history, leaf.split), [])
                same = (one for one in alike if _one_repository(one, history))
                other = next(same, history)
                alike.append(history)
                if other.name == history.name:
                    continue
                boards = (other.name, history.name)
                refs = tuple(Ref(own, self._track(own).last, None) for own in boards)
                path = history.board.source.paths[0]
                body = f"{boards[0]} and {boards[1]} are two names of one board: {path}."
                code = "SAME_BOARD"
                would = WOULD_DECIDE[code]
                return Finding("not_decidable", body, code, refs=refs, would_decide=would)
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

    def _rank_rows(self, history: BoardHistory, split: str | None) -> RankRows:
        key = history.name, split
        if key not in self._rows:
            self._rows[key] = RankRows(history, split)
        return self._rows[key]

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
            text += f" Last look: {wording.timestamp(last_look)}, {wording.span(age)} ago."
        return text


def _numbers(operands: Iterable[Operand]) -> list[Evidence]:
    """Numbers that stand on no board, as evidence."""
    return [
        Evidence(None, None, None, n.source or None, None, None, "value", n.value, n.label)
        for n in operands
    ]


def _ranked(history: BoardHistory, split: str | None) -> tuple[object, ...]:
    """What a board ranks: the same of two names in one repository means one board."""
    starts = tuple((one.start, str(one.when)) for one in history.meaning.since)
    stages = []
    for meaning in Stages(history.meaning).all():
        table, seen = meaning.table, view(meaning, split)
        columns = [table.score if f == SCORE else table.parts[f].column for f in seen.fields]
        made_by = "" if seen.printed else repr(meaning.splits.get(split or ""))
        rows = (table.rows, str(table.where), str(table.eligible))
        stages.append((rows, *map(str, columns), made_by, seen.direction))
    return tuple(history.board.source.paths), starts, tuple(stages)


def _one_repository(one: BoardHistory, other: BoardHistory) -> bool:
    """Whether two boards come from one repository, which may have several names.

    Commits with one id are one commit wherever they stand: of one that was renamed, or of a
    mirror, the last version of the one is a version of the other.
    """
    if _place(one) == _place(other):
        return True
    commits = [history.readings["commit"] for history in (one, other)]
    return any(
        len(mine) and bool((theirs == mine.iloc[-1]).any())
        for mine, theirs in (commits, reversed(commits))
    )


def _place(history: BoardHistory) -> Path:
    board = history.board
    if board.is_local:  # a path can be written in many ways
        return Path(board.address).resolve()
    return history.store.source_folder(board)


def _is_state(claim: Claim) -> bool:
    """Whether a claim can be asked at every moment of a stretch."""
    timed = any(member.when is not None for member in claim.members)
    return claim.predicate != "duration" and not claim.table and not timed


def _boards(claim: Claim) -> list[str]:
    return [board for leaf in claim.leaves for board in leaf.boards]


def _labels(claim: Claim) -> list[str]:
    """A name for each member, to put before its notes."""
    return [" and ".join(dict.fromkeys(_boards(member))) or member.id for member in claim.members]
