"""Which aliases and known errors hold at one version?

In: a Meaning and the commits of its board. Out: Overrides per version. Start at Rules. Bounds says
for anything that a definition bounds by commits or times whether a version has reached it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from crawler.board import Board, BoardError
from history.meaning import Meaning
from history.meaning.definition import Bound
from history.readings.readings import Overrides


class Bounds:
    """Commits and times that a definition names.

    Args:
        board: whose definition it is.
        named: the commits, times and gaps.
        commits: commit ids of the board's line and their places on it; not looked at unless a
            commit is named.

    Raises:
        BoardError: a commit is not on the line, or could be several.
    """

    def __init__(self, board: Board, named: Iterable[Bound], commits: Iterable[tuple[str, int]]):
        asked = {bound for bound in named if isinstance(bound, str)}
        line = list(commits) if asked else []
        self._places = {commit: _place(board, commit, line) for commit in asked}

    def reached(self, bound: Bound, version: dict[str, Any], unbounded: bool) -> bool:
        """Whether a version, of which `position` and `committed_at` count, is not before a bound.

        `unbounded` is the answer where there is no bound.
        """
        if bound is None:
            return unbounded
        if isinstance(bound, datetime):
            return bool(version["committed_at"] >= bound)
        return bool(version["position"] >= self._places[bound])


class Rules:
    """The [aliases], [[alias]] and [[ignore]] of a definition.

    Args:
        meaning: the definition.
        commits: commit ids of the board's line and their places on it, for rules that name one.

    Raises:
        BoardError: a rule names a commit that is not on the line, or that could be several.
    """

    def __init__(self, meaning: Meaning, commits: Iterable[tuple[str, int]]):
        self._meaning = meaning
        self._always = Overrides(meaning.aliases)
        named: list[Bound] = []
        for alias in meaning.timed_aliases:
            named += [alias.start, alias.end]
        for rule in meaning.ignores:
            named += [rule.commit, rule.start, rule.end]
        self._bounds = Bounds(meaning.board, named, commits)

    @property
    def depend_on_time(self) -> bool:
        """Whether two versions can differ."""
        return bool(self._meaning.timed_aliases or self._meaning.ignores)

    def at(self, version: dict[str, Any]) -> Overrides:
        """What holds at one version, of which `commit`, `position` and `committed_at` count."""
        if not self.depend_on_time:
            return self._always
        aliases = dict(self._meaning.aliases)
        for alias in self._meaning.timed_aliases:
            if self._holds(alias.start, alias.end, version):
                aliases[alias.key] = alias.entry
        ignored: dict[str | None, str] = {}
        for rule in self._meaning.ignores:
            if rule.commit is not None:
                holds = version["commit"].startswith(rule.commit.lower())
            else:
                holds = self._holds(rule.start, rule.end, version)
            if holds:
                ignored[rule.entry] = rule.why
        return Overrides(aliases, ignored)

    def _holds(self, start: Bound, end: Bound, version: dict[str, Any]) -> bool:
        reached = self._bounds.reached
        return reached(start, version, True) and not reached(end, version, False)


def _place(board: Board, commit: str, line: list[tuple[str, int]]) -> int:
    # A branch that was set back has a commit twice; it counts from where it first stood.
    found: dict[str, int] = {}
    for known, place in line:
        if known.startswith(commit):
            found.setdefault(known, place)
    if len(found) == 1:
        return next(iter(found.values()))
    where = f"definition of {board.name!r}"
    if found:
        raise BoardError(
            where, f"commit {commit} could be {len(found)} commits", "Write more of it"
        )
    raise BoardError(where, f"commit {commit} is not on the board's line", "Write one that is")
