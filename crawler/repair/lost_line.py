"""What did the published line say, when its table is lost?

In: what else was written down of the looks at a branch: the attempts and the versions of its
boards. Out: rows of commits.parquet. Start at line_again(). The commits themselves are in the
object store, also those that vanished; so the looks are gone through once more, in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from crawler.board import Board, BoardError
from crawler.chain.chain import Chain, Link
from crawler.line.line import extend_line, known_of, told_of
from crawler.line.stand_ins import StandIns, listing_of
from crawler.objects import Objects, StoreError
from crawler.source import Fetched, Listed
from crawler.store import Store
from crawler.tables import commits_schema
from crawler.url_source import CHAIN, not_before_of

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class _Look:
    """A commit that was on the branch at a time; the newest, or one that was a version."""

    at: datetime
    commit: str


def line_again(store: Store, board: Board, objects: Objects) -> pa.Table:
    """The line of a board's branch, as far as it is known without its table.

    Of commits that were seen for the first time at one look all are dated to the first look of
    which something is known.
    """
    branch = _Branch(store, board, objects)
    looks = [look for look in _looks(store, branch.boards) if branch.has(look.commit)]
    table = commits_schema().empty_table()
    for stretch in _stretches(looks, branch):
        table = branch.extended(table, stretch)
    return table


class _Branch:
    """A branch whose commits are here.

    Attributes:
        boards: all that read it.
    """

    def __init__(self, store: Store, board: Board, objects: Objects):
        self._name, self._objects = board.source.branch, objects
        self.boards = same_branch(store, board)
        links: dict[str, Link] = {}
        for one in self.boards:
            links |= listing_of(objects, one).links()
        self._listed = StandIns(objects, links)
        self._links = links
        self._is_polled = board.source.is_polled
        polled = Chain(objects, CHAIN).links().values() if self._is_polled else ()
        self._not_before = not_before_of(polled)
        self._lines: dict[str, list[str]] = {}

    def has(self, commit: str) -> bool:
        """Whether a commit, or one of our own with its files, is here."""
        return commit in self._links or self._objects.holds(commit)

    def line(self, tip: str) -> list[str]:
        """The commits up to one of them, oldest first."""
        if tip not in self._lines:
            here = self._listed.of(tip)
            printed = self._objects.run(
                *("log", "--first-parent", "--reverse", "--format=%H", here, "--")
            )
            self._lines = {tip: [*map(self._listed.published, printed.decode().split())]}
        return self._lines[tip]

    def extended(self, table: pa.Table, looks: Sequence[_Look]) -> pa.Table:
        """The log with what some looks saw, of which each saw all that the one before had seen."""
        import pyarrow as pa

        tip = looks[-1].commit
        line = extend_line(
            self._objects, table, self._name, self._fetched(table, tip), looks[-1].at
        )
        rows = line.table.to_pylist()
        place = {commit: number for number, commit in enumerate(self.line(tip))}
        ahead = list(looks)
        for row in rows[table.num_rows :]:
            while len(ahead) > 1 and place.get(row["commit"], 0) > place[ahead[0].commit]:
                del ahead[0]
            row["observed_at"] = ahead[0].at
        return pa.Table.from_pylist(rows, schema=commits_schema())

    def _fetched(self, table: pa.Table, tip: str) -> Fetched:
        """What the look at a tip had brought."""
        if self._is_polled:
            return Fetched(tip, "poll", not_before=self._not_before)
        if self._objects.holds(tip):
            return Fetched(tip)
        line = self.line(tip)
        place = {commit: number for number, commit in enumerate(line)}
        known = [one.commit for one in known_of(table, None).line()]
        base = next((commit for commit in reversed(known) if commit in place), None)
        fresh = line[place[base] + 1 :] if base else line
        times = self._times(fresh)
        listed = [Listed(commit, times[commit]) for commit in fresh]
        return Fetched(tip, "api", listed=listed, base=base)

    def _times(self, commits: Sequence[str]) -> dict[str, datetime]:
        by_git = told_of(self._objects, [one for one in commits if one not in self._links])
        times = {commit: row["committed_at"] for commit, row in by_git.items()}
        return times | {one: self._links[one].at for one in commits if one in self._links}


def _stretches(looks: Sequence[_Look], branch: _Branch) -> list[list[_Look]]:
    """The looks in stretches of which each saw what the one before had seen, and more."""
    found: list[list[_Look]] = []
    ahead = list(looks)
    while ahead:
        stretch = [ahead.pop()]
        place = {commit: number for number, commit in enumerate(branch.line(stretch[0].commit))}
        last = place[stretch[0].commit]
        while ahead and place.get(ahead[-1].commit, last + 1) <= last:
            last = place[ahead[-1].commit]
            stretch.append(ahead.pop())
        found.append(stretch[::-1])
    return found[::-1]


def _looks(store: Store, boards: Sequence[Board]) -> list[_Look]:
    """All that was written down of looks at a branch, in their order."""
    found: list[tuple[datetime, int, int, _Look]] = []
    exact: dict[datetime, datetime] = {}
    for board in boards:
        try:
            versions = store.files(board.name).to_pylist()
        except StoreError:
            continue
        exact |= {_second(row["observed_at"]): row["observed_at"] for row in versions}
        first = {row["position"]: row for row in versions}
        for position, row in first.items():
            at = row["observed_at"]
            found.append((at, 1, position, _Look(at, row["commit"])))
    for board in boards:
        for number, attempt in enumerate(store.attempts(board.name)):
            at = datetime.fromisoformat(attempt["started"])
            if not at.microsecond:  # as it was written once: looks to the second
                at = exact.get(at, at)
            # Boards of one branch tell of one look, each with what was before and after it.
            for order, name in ((0, "tip_before"), (2, "tip_after")):
                if isinstance(commit := attempt.get(name), str):
                    found.append((at, order, number, _Look(at, commit)))
    return [look for *_, look in sorted(found, key=lambda one: one[:3])]


def _second(at: datetime) -> datetime:
    return at - timedelta(microseconds=at.microsecond)


def same_branch(store: Store, board: Board) -> list[Board]:
    """All boards of the store that read the branch of one of them."""
    found = [board]
    for name in store.names():
        try:
            other = store.board(name)
        except BoardError:
            continue
        same = store.source_folder(other) == store.source_folder(board)
        if name != board.name and same and other.source.branch == board.source.branch:
            found.append(other)
    return found
