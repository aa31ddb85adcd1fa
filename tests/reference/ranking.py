"""Ranks and ties of one board, straight from their definitions.

Slow, for numbers of any kind (int, Fraction, float), and independent of the project's code.
A board is a dict from entry to score, None where it has no score; higher is better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

Board = Mapping[str, Any]


def ranked(board: Board) -> list[str]:
    """Entries with a score, best first, equal ones by key."""
    return sorted((e for e in board if board[e] is not None), key=lambda e: (-board[e], e))


def competition(board: Board) -> dict[str, int]:
    """1 + the number of entries that are strictly better."""
    return {e: 1 + sum(board[o] > board[e] for o in ranked(board)) for e in ranked(board)}


def within(band: Real, exclusive: bool) -> Callable[[Any, Any], bool]:
    """Whether a better and a worse score tie."""

    def ties(better: Any, worse: Any) -> bool:
        gap = better - worse
        return gap == 0 or (gap < band if exclusive else gap <= band)

    return ties


def groups(board: Board, rule: str, ties: Callable[[Any, Any], bool]) -> list[list[str]]:
    """Tie groups, best first: each next entry is held against the leader or its neighbour."""
    found: list[list[str]] = []
    for entry in ranked(board):
        if found:
            held_against = found[-1][0 if rule == "anchored" else -1]
            if ties(board[held_against], board[entry]):
                found[-1].append(entry)
                continue
        found.append([entry])
    return found


def tie_table(
    board: Board, rule: str, ties: Callable[[Any, Any], bool]
) -> dict[str, tuple[int | None, int, bool]]:
    """Group (None where the rule makes none), tie rank, and whether the entry is tied."""
    order = ranked(board)
    if rule == "none":
        places = competition(board)
        equal = {e: sum(board[o] == board[e] for o in order) > 1 for e in order}
        return {e: (None, places[e], equal[e]) for e in order}
    if rule == "pairwise":
        return {
            e: (
                None,
                1 + sum(board[o] > board[e] and not ties(board[o], board[e]) for o in order),
                any(
                    o != e and ties(max(board[o], board[e]), min(board[o], board[e])) for o in order
                ),
            )
            for e in order
        }
    table: dict[str, tuple[int | None, int, bool]] = {}
    place = 1
    for number, group in enumerate(groups(board, rule, ties), 1):
        for entry in group:
            table[entry] = (number, place, len(group) > 1)
        place += len(group)
    return table
