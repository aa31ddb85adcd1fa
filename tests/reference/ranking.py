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
    table = places_table(board, rule, ties)
    return {e: (group, best, tied) for e, (group, best, _, tied) in table.items()}


def places_table(
    board: Board, rule: str, ties: Callable[[Any, Any], bool]
) -> dict[str, tuple[int | None, int, int, bool]]:
    """Group (None where the rule makes none), best and worst place, and whether it is tied."""
    order = ranked(board)
    if rule == "none":
        return _places(order, lambda one, other: board[one] < board[other])
    if rule == "pairwise":

        def surely_better(one: str, other: str) -> bool:
            return board[one] < board[other] and not ties(board[other], board[one])

        return _places(order, surely_better)
    table: dict[str, tuple[int | None, int, int, bool]] = {}
    place = 1
    for number, group in enumerate(groups(board, rule, ties), 1):
        for entry in group:
            table[entry] = (number, place, place + len(group) - 1, len(group) > 1)
        place += len(group)
    return table


def interval_table(
    board: Board, intervals: Mapping[str, tuple[Any, Any]]
) -> dict[str, tuple[None, int | None, int | None, bool]]:
    """The same by intervals (low, high); None where it hangs on an interval that is not there.

    An interval that is not there would hold its entry's score, and is not known otherwise.
    """
    order = ranked(board)
    known = [e for e in order if e in intervals]
    exact = _places(known, lambda one, other: intervals[other][0] > intervals[one][1])
    table: dict[str, tuple[None, int | None, int | None, bool]] = {}
    for e in order:
        equal = any(o != e and board[o] == board[e] for o in order)
        if e not in intervals:
            table[e] = (None, None, None, equal)
            continue
        low, high = intervals[e]
        open_above = any(board[o] > high for o in order if o not in intervals)
        open_below = any(board[o] < low for o in order if o not in intervals)
        best = None if open_above else exact[e][1]
        surely_worse = sum(intervals[o][1] < low for o in known)
        worst = None if open_below else len(order) - surely_worse
        tied = best != worst if best is not None and worst is not None else equal
        table[e] = (None, best, worst, tied)
    return table


def _places(
    order: list[str], better: Callable[[str, str], bool]
) -> dict[str, tuple[None, int, int, bool]]:
    """Places by a relation: better(one, other) says that `other` is surely better than `one`."""
    table = {}
    for e in order:
        best = 1 + sum(better(e, o) for o in order)
        worst = len(order) - sum(better(o, e) for o in order)
        table[e] = (None, best, worst, best != worst)
    return table


def fits(
    board: Board, published: Mapping[str, int], rule: str, band: Any, exclusive: bool, counts: str
) -> bool:
    """Whether a rule with a band gives the published tie ranks."""
    table = places_table(board, rule, within(band, exclusive))
    number = 0 if counts == "groups" else 1
    return all(table[e][number] == rank for e, rank in published.items())
