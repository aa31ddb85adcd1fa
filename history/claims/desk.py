"""Which boards, entries and ranks does a claim speak of?

In: claims, and how to open a board. Out: the State of a claim, the boards' Tracks and ranks, and
the cells behind a Ref; each board is opened once. Start at Desk.state().
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import TypedError
from crawler.store import UnknownBoard
from history.claims.answer import Answer, Ref, undecided
from history.claims.language.claim import COMPOUNDS, Claim
from history.claims.leaf import Leaf
from history.claims.own import own_numbers
from history.claims.rank_rows import RankRows
from history.claims.states import JUDGES, Fixed, Group, State
from history.claims.timeline import Track
from history.claims.verdict import Evidence
from history.classes import NoSuchColumn
from history.names import AmbiguousEntry, UnknownEntry

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

MAX_EVIDENCE = 40


class Desk:
    """The boards that are open while claims are checked.

    Args:
        open_board: gives the history of a board by its name.
        folder: where the tables lie that claims bring along.
    """

    def __init__(self, open_board: Callable[[str], BoardHistory], folder: Path | None):
        self._open_board, self._folder = open_board, folder
        self._named: dict[str, BoardHistory] = {}
        self._histories: dict[str, BoardHistory] = {}
        self._tracks: dict[str, Track] = {}
        self._rows: dict[tuple[str, str | None, str], RankRows] = {}
        self._untracked: set[str] = set()

    def renamed(self, claim: Claim) -> Claim:
        """The same with the boards' own names, however they were written.

        Raises:
            UnknownBoard: one is not tracked, and the claim does not say so.
        """
        boards = dict.fromkeys(self._own_name(name, claim.tracked) for name in claim.boards)
        members = tuple(self.renamed(member) for member in claim.members)
        return replace(claim, boards=tuple(boards), members=members)

    def _own_name(self, name: str, tracked: bool) -> str:
        try:
            return self.history(name).name
        except UnknownBoard:
            if tracked:
                raise
            self._untracked.add(name)
            return name

    def boards(self, claim: Claim) -> list[str]:
        """Names of the boards that a claim is about and that are tracked, in order."""
        named = dict.fromkeys(board for leaf in claim.leaves for board in leaf.boards)
        return [board for board in named if board not in self._untracked]

    def read_ahead(self, claims: Iterable[Claim]) -> None:
        """Rank the boards that claims are about, several at once.

        Arrow and numpy do most of that, and while they are at work another thread can be, too.
        What is wrong with a board is said when a claim is judged that names it.
        """
        wanted: dict[str, dict[str | None, None]] = {}
        for leaf in (leaf for claim in claims for leaf in claim.leaves):
            for board in leaf.boards:
                with suppress(TypedError):
                    wanted.setdefault(self.history(board).name, {})[leaf.split] = None
        with ThreadPoolExecutor() as threads:
            for name, splits in wanted.items():
                threads.submit(_rank, self._histories[name], list(splits))

    def state(self, claim: Claim) -> State:
        """What a claim comes to at any moment."""
        if claim.predicate in COMPOUNDS:
            return Group(claim, [self.state(member) for member in claim.members], claim.labels)
        if claim.is_about_own_numbers:
            return Fixed(own_numbers.judge(claim, self._folder))
        if claim.boards[0] in self._untracked:
            return Fixed(_not_tracked(claim))
        return self.leaf(claim)

    def leaf(self, claim: Claim) -> Leaf:
        """One claim about one board."""
        history, track = self.history(claim.boards[0]), self.track(claim.boards[0])
        problem: tuple[str, str] | None = None
        if claim.split is not None and claim.split not in history.split_names:
            known = ", ".join(history.split_names) or "none"
            problem = "NO_SPLIT", f"{history.name} has no split {claim.split} (it has: {known})"
        lacking = _lacking(history, claim)
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
            self.rows(history, claim.split, "" if lacking else claim.filter),
            subject=entries[0],
            other=entries[1],
            problem=problem,
            lacking=lacking,
            judge=JUDGES[claim.predicate],
        )

    def refuse_strangers(self, claim: Claim) -> None:
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
                    self.history(board).resolve_entry(said)
                except UnknownEntry as error:
                    errors += [error] if self.track(board).readable else []
                except AmbiguousEntry:
                    pass
            if errors and len(errors) == len(boards):
                raise errors[0]

    def history(self, name: str) -> BoardHistory:
        """A board, by any name that means it.

        Raises:
            UnknownBoard: it is not tracked.
        """
        if name not in self._named:
            history = self._open_board(name)
            self._named[name] = self._histories.setdefault(history.name, history)
        return self._named[name]

    def track(self, name: str) -> Track:
        """The versions of a board through time."""
        history = self.history(name)
        if history.name not in self._tracks:
            self._tracks[history.name] = Track(history)
        return self._tracks[history.name]

    def rows(self, history: BoardHistory, split: str | None, among: str = "") -> RankRows:
        """Ranks of a board and split, of all entries or of those that meet a condition."""
        key = history.name, split, among
        if key not in self._rows:
            self._rows[key] = RankRows(history, split, among)
        return self._rows[key]

    def cells(self, refs: Iterable[Ref]) -> list[Evidence]:
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


def _rank(history: BoardHistory, splits: Iterable[str | None]) -> None:
    with suppress(TypedError):
        for split in splits:
            history.rank_history(split)


def _not_tracked(claim: Claim) -> Answer:
    """The answer about a board that is known not to be here."""
    board = claim.boards[0]
    said = Evidence(None, None, None, claim.source or None, None, None, "board", board, "reported")
    return undecided("NO_BOARD", f"{board} is not tracked here", (), own=(said,))


def _lacking(history: BoardHistory, claim: Claim) -> tuple[str, str] | None:
    """Why a class of entries cannot be told on this board at all."""
    if not claim.filter:
        return None
    try:
        history.members(claim.filter)
    except NoSuchColumn as error:
        known = ", ".join(error.known) or "none"
        found = f"{history.name} has no column {error.name} (its attributes: {known})"
        return "MISSING_COMPONENT", found
    return None
