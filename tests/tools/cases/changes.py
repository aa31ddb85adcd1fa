"""What changed between two versions of a board?

In: the rows that `history` prints. Out: who joined, who left, whose score changed, per version
that could be read. Start at changes().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.tools.cases.trial import BoardOf


@dataclass(frozen=True, slots=True)
class Change:
    """From one readable version to the next.

    Attributes:
        before, after: their commits.
        added, removed: entries that only one of them lists.
        changed: entries with another score.
        moved: entry -> rank before and after, of those with another rank.
    """

    before: str
    after: str
    added: list[str]
    removed: list[str]
    changed: list[str]
    moved: dict[str, tuple[int | None, int | None]]


def changes(board: BoardOf) -> list[Change]:
    """Every step of a board's readable history; versions without an entry are not in it."""
    return [_change(before, after) for before, after in pairwise(by_version(board.history()))]


def by_version(rows: Sequence[Any]) -> list[tuple[str, dict[str, Any]]]:
    """Rows of `history` by version: commit, and row by entry."""
    found: list[tuple[str, dict[str, Any]]] = []
    for row in rows:
        if not found or found[-1][0] != row["commit"]:
            found.append((row["commit"], {}))
        found[-1][1][row["entry"]] = row
    return found


def leaders(rows: Sequence[Any]) -> list[str]:
    """Who is first in each version, as `history` says it."""
    return [
        ", ".join(entry for entry, row in entries.items() if row["rank"] == 1)
        for _, entries in by_version(rows)
    ]


def _change(before: tuple[str, dict[str, Any]], after: tuple[str, dict[str, Any]]) -> Change:
    old, new = before[1], after[1]
    both = [entry for entry in new if entry in old]
    return Change(
        before=before[0],
        after=after[0],
        added=sorted(new.keys() - old.keys()),
        removed=sorted(old.keys() - new.keys()),
        changed=[entry for entry in both if old[entry]["score"] != new[entry]["score"]],
        moved={
            entry: (old[entry]["rank"], new[entry]["rank"])
            for entry in both
            if old[entry]["rank"] != new[entry]["rank"]
        },
    )
