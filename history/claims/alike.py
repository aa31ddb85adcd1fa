"""In which versions is the answer to a claim the same for certain?

In: a Leaf. Out: groups of versions. Start at learn() and alike(). All that an answer depends on is compared at
once for the whole history, so that of each group only one version need be judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.claims.nearness import Nearness, band_width
from history.claims.row import NONE

if TYPE_CHECKING:
    from history.claims.leaf import Leaf
    from history.claims.rank_rows import RankRows

Column = NDArray[np.int64]
_PLACES = ("rank", "first", "first_in_class", "top_k")
_VALUES = ("score", "delta")


def learn(leaf: Leaf) -> None:
    """Let a claim answer for all versions at once."""
    if not leaf.problem:
        leaf.answer_alike(versions.tolist() for versions in alike(leaf))


def alike(leaf: Leaf) -> list[NDArray[np.intp]]:
    """Groups of readable versions that get one and the same answer; each version is in one.

    Args:
        leaf: a claim that its board can decide.
    """
    known = leaf.track.known
    n = len(known)
    if not len(leaf.rows.table.version):  # nobody was ever listed
        return [np.array([version]) for version in np.flatnonzero(known)]
    columns = [leaf.rows.kinds, leaf.rows.doubts, *_editions(leaf)]
    columns += [_statuses(leaf.rows, entry) for entry in (leaf.subject, leaf.other) if entry]
    inputs = _inputs(leaf)
    columns += [np.arange(n)] if inputs is None else inputs
    group = np.zeros(int(known.sum()), dtype=np.int64)
    for column in columns:
        which, values = pd.factorize(column[known])
        group, _ = pd.factorize(group * len(values) + which)
    versions, order = np.flatnonzero(known), np.argsort(group, kind="stable")
    return np.split(versions[order], np.flatnonzero(np.diff(group[order])) + 1)


def _inputs(leaf: Leaf) -> list[Column] | None:
    """What else decides, by version; None where every version has to be judged."""
    claim, rows = leaf.claim, leaf.rows
    if claim.predicate in _PLACES and not claim.sole:
        return _place(leaf)
    if claim.predicate == "count" and not claim.above:
        return [rows.ranked, rows.listed]
    if not rows.is_printed:
        return None
    if claim.predicate in _VALUES:
        entries = (leaf.subject, leaf.other)
        return [column for entry in entries if entry for column in _number(rows, entry)]
    if claim.predicate == "ahead":
        return _lead(leaf)
    if claim.predicate == "tie":
        return _tie(leaf)
    return None


def _place(leaf: Leaf) -> list[Column]:
    """On which side of the claimed place are the rank, and all ranks that are possible?"""
    claim, rows, table = leaf.claim, leaf.rows, leaf.rows.table
    assert leaf.subject is not None
    wanted = {"rank": claim.n, "top_k": claim.k}.get(claim.predicate, 1) or 0
    columns = [_at(table.places(claim.rank_kind), rows, leaf.subject)]
    if claim.rank_kind == "score":
        columns += rows.reach.by_version(leaf.subject)
    sides = [np.where(c == NONE, 2, np.where(c == 0, 3, np.sign(c - wanted))) for c in columns]
    if claim.of is not None:
        sides.append(np.sign(rows.ranked - claim.of))
    return sides


def _lead(leaf: Leaf) -> list[Column]:
    """Who is ahead, as printed and for all unprinted digits."""
    claim, rows, table = leaf.claim, leaf.rows, leaf.rows.table
    assert leaf.subject is not None and leaf.other is not None
    if claim.rank_kind != "score":
        kind = table.places(claim.rank_kind)
        one, two = (_at(kind, rows, entry) for entry in (leaf.subject, leaf.other))
        return [np.sign(two - one), (one == NONE) * 1, (two == NONE) * 1]
    gap, unsure = _gap(rows, leaf.subject, leaf.other)
    return [np.sign(gap), (2 * gap > unsure) * 1, (2 * gap <= -unsure) * 1]


def _tie(leaf: Leaf) -> list[Column] | None:
    """Whether both hang on one leader, surely or perhaps; of other rules the gap alone."""
    rows, table = leaf.rows, leaf.rows.table
    assert leaf.subject is not None and leaf.other is not None
    if not rows.rules <= {"none", "anchored"} or table.ticks.dtype == object:
        return None
    gap, unsure = _gap(rows, leaf.subject, leaf.other)
    one, two = (rows.places(entry) for entry in (leaf.subject, leaf.other))
    groups = [table.group[at] for at in (one, two)]  # of a row that is not there it does not count
    first = np.where(groups[0] <= groups[1], one, two)
    behind = np.where(gap >= 0, two, one)
    head = rows.heads[first]
    far = np.abs(table.ticks[head] - table.ticks[behind])
    wide = table.units[head] + table.units[behind]
    surely, perhaps = _reaches(rows, first)
    near = [(np.abs(gap), unsure), (far, wide)]
    return [
        (groups[0] == groups[1]) * 1,
        (gap == 0) * 1,
        (table.units[one] == table.units[two]) * 1,
        np.logical_and.reduce([10 * by + 5 * half <= surely for by, half in near]) * 1,
        np.logical_and.reduce([10 * by - 5 * half <= perhaps for by, half in near]) * 1,
    ]


def _reaches(rows: RankRows, at: NDArray[np.intp]) -> tuple[Column, Column]:
    """By version, how far apart two scores may surely and perhaps be, in tenths of a tick."""
    surely, perhaps = np.full(len(at), -1), np.full(len(at), -1)
    dp = np.where(at < 0, 0, rows.table.dp[at])
    # The definition and the printed band of a version decide, and its decimals.
    group = pd.factorize(rows.kinds * 2**16 + dp)[0]
    _, first, which = np.unique(group, return_index=True, return_inverse=True)
    for n, version in enumerate(first.tolist()):
        band = rows.band(version)
        if band is not None:
            near = Nearness(band_width(band), int(dp[version]), rows.view(version).rule.edge)
            surely[which == n], perhaps[which == n] = near.surely_within, near.perhaps_within
    return np.where(at < 0, -1, surely), np.where(at < 0, -1, perhaps)


def _number(rows: RankRows, entry: str) -> list[Column]:
    """An entry's number; numbers of many digits by which of them it is."""
    table, at = rows.table, rows.places(entry)
    ticks = table.ticks[at]
    if ticks.dtype == object:
        ticks = pd.factorize(ticks)[0]
    return [np.where(at < 0, NONE, ticks).astype(np.int64), table.dp[at], table.units[at]]


def _gap(rows: RankRows, one: str, two: str) -> tuple[NDArray, Column]:
    """How much better the first is, in ticks, and the units of both; 0 where one is missing."""
    table, at, other = rows.table, rows.places(one), rows.places(two)
    there = (at >= 0) & (other >= 0)
    gap = np.where(there, table.ticks[at] - table.ticks[other], 0)
    return np.where(rows.lower, -gap, gap), table.units[at] + table.units[other]


def _at(column: Column, rows: RankRows, entry: str) -> Column:
    places = rows.places(entry)
    return np.where(places < 0, NONE, column[places])


def _statuses(rows: RankRows, entry: str) -> Column:
    """Whether an entry is listed and ranked, and if not, why."""
    places = rows.places(entry)
    return np.where(places < 0, -2, rows.table.reason[places])


def _editions(leaf: Leaf) -> list[Column]:
    wanted = leaf.claim.edition
    return [np.array([edition == wanted for edition in leaf.track.editions]) * 1] if wanted else []
