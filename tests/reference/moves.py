"""Why ranks changed, by building every hybrid board.

Slow and independent of the project's code. A version is a dict from entry to Row; a switch that is
on takes what it names from the later version.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import Any, NamedTuple

SWITCHES = ("own", "others", "joined", "left", "formula", "eligibility", "band")


class Row(NamedTuple):
    """One entry in one version: its score under the old and under the new formula."""

    scores: tuple[Any, Any]  # None: no score
    eligible: bool = True


Version = Mapping[str, Row]


def hybrid(before: Version, after: Version, target: str, on: Collection[str]) -> dict[str, Any]:
    """The board on which the switches in `on` are on: entry to score, of those that are ranked."""
    board = {}
    for entry in {*before, *after}:
        if entry not in before and "joined" not in on:
            continue
        if entry not in after and "left" in on:
            continue
        if entry in before and entry in after:
            data = after if ("own" if entry == target else "others") in on else before
            flags = after if "eligibility" in on else before
        else:
            data = flags = before if entry in before else after
        score = data[entry].scores["formula" in on]
        if score is not None and flags[entry].eligible:
            board[entry] = score
    return board


def rank(board: Mapping[str, Any], target: str) -> int:
    return 1 + sum(score > board[target] for score in board.values())


def shapley(
    value: Callable[[Collection[str]], Any], switches: Sequence[str]
) -> dict[str, Fraction]:
    """The share of each switch, by the formula over all sets of the others."""
    count, shares = len(switches), {}
    for switch in switches:
        others = [one for one in switches if one != switch]
        share = Fraction(0)
        for size in range(count):
            weight = Fraction(factorial(size) * factorial(count - size - 1), factorial(count))
            for on in combinations(others, size):
                share += weight * (value({*on, switch}) - value(set(on)))
        shares[switch] = share
    return shares


def causes(before: Version, after: Version, target: str) -> dict[str, Fraction]:
    """Shares of all switches in the change of one entry's rank; `band` is always 0."""
    known: dict[frozenset[str], int] = {}

    def value(on: Collection[str]) -> int:
        key = frozenset(on)
        if key not in known:
            known[key] = rank(hybrid(before, after, target, on), target)
        return known[key]

    return shapley(value, SWITCHES[:-1]) | {"band": Fraction(0)}


def causes_apart(
    before: Version, after: Version, target: str, shift: Fraction
) -> dict[str, Fraction]:
    """The same where own, others and formula are one switch, `edition`.

    Who joined or left is held against the other edition with a score moved by `shift`.
    """

    def value(on: Collection[str]) -> int:
        side = int("edition" in on)
        board = {}
        for entry in {*before, *after}:
            if entry in before and entry in after:
                score = (before, after)[side][entry].scores[side]
                eligible = (before, after)["eligibility" in on][entry].eligible
            elif entry in after:
                score = after[entry].scores[1]
                score = None if score is None else score - (1 - side) * shift
                eligible = after[entry].eligible and "joined" in on
            else:
                score = before[entry].scores[0]
                score = None if score is None else score + side * shift
                eligible = before[entry].eligible and "left" not in on
            if score is not None and eligible:
                board[entry] = score
        return rank(board, target)

    return shapley(value, ("joined", "left", "eligibility", "edition"))


def tie_causes(
    before: Version,
    after: Version,
    target: str,
    tie_rank: Callable[[Mapping[str, Any], str, bool], int],
) -> dict[str, Fraction]:
    """Shares of all switches in the change of one entry's tie rank.

    `tie_rank(board, entry, later)` knows the rule and band of both versions.
    """
    return shapley(
        lambda on: tie_rank(hybrid(before, after, target, on), target, "band" in on), SWITCHES
    )
