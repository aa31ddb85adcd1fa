"""What becomes of the means of a table when one column is left out?

In: a claim with the column, and the values, order or rank that it says come out. Out: an Answer;
it holds the subject's rank for every other column left out, too. Start at drop_one().
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from history.claims import wording
from history.claims.answer import Answer
from history.claims.judge_ranks import ONLY_ROUNDING
from history.claims.language.claim import Claim, ClaimError
from history.claims.language.printed import Measured, check_value
from history.claims.own.arithmetic import mean
from history.claims.own.operands import refuse_units
from history.claims.own.own_table import Column, OwnTable, few, short
from history.claims.own.undecidable import Undecidable
from history.claims.verdict import Evidence

_TOLD = 6  # parts of a claim, that a sentence names


@dataclass(frozen=True, slots=True)
class Part:
    """One of the things that a claim says, and whether it is so.

    Attributes:
        word: true, false, within_rounding, or not_decidable.
        strength: as of a verdict; None where rounding, or a gap, decides.
        fact: what is the case.
        notes: what else to say.
    """

    word: str
    strength: str | None
    fact: str
    notes: tuple[str, ...] = ()


class Means:
    """The mean of some columns for every row that has them all, and its rank."""

    def __init__(self, table: OwnTable, columns: Sequence[Column]):
        self.columns = tuple(columns)
        self.of = {
            row: mean(numbers)
            for row in table.entries
            if len(numbers := _numbers(columns, row)) == len(columns)
        }
        self._sign = -1 if any(one.lower for one in columns) else 1
        self._values = sorted(self._sign * mean.value for mean in self.of.values())

    @property
    def is_mixed(self) -> bool:
        """Whether higher is better in some columns and lower in others."""
        return len({one.lower for one in self.columns}) > 1

    def rank(self, row: int | None) -> int | None:
        """1 + the rows that are strictly better; None where there is no mean to rank."""
        if row is None or row not in self.of or self.is_mixed:
            return None
        value = self._sign * self.of[row].value
        return 1 + len(self._values) - bisect_right(self._values, value)

    def rank_ends(self, row: int) -> tuple[int, int]:
        """The best and the worst rank that the unprinted digits leave possible."""
        gaps = [self.lead(row, other) for other in self.of if other != row]
        return 1 + sum(gap.high < 0 for gap in gaps), 1 + sum(gap.low < 0 for gap in gaps)

    def lead(self, row: int, other: int) -> Measured:
        """How much better one row is than another."""
        one, two = self.of[row], self.of[other]
        return one - two if self._sign == 1 else two - one

    def best_first(self) -> list[int]:
        """All rows with a mean; equal ones in file order."""
        return sorted(self.of, key=lambda row: -self._sign * self.of[row].value)


def drop_one(claim: Claim, table: OwnTable) -> Answer:
    """Means, order and ranks without one column; all that is said must hold."""
    columns = _columns(claim, table)
    dropped = table.column(claim.column)
    kept = [one for one in columns if one.name != dropped.name]
    units = [one.cells[row].unit for one in kept for row in table.entries]
    refuse_units(units, (table.whole,))
    means = Means(table, kept)
    if means.is_mixed:
        fact = "higher is better in some of the columns, lower in others"
        would = "columns of which higher is better, or lower, in all"
        raise Undecidable("MIXED_SCALE", fact, (table.whole,), would=would)
    named = {name: table.row(name) for name in (*dict(claim.values), *claim.order)}
    subject = None if not isinstance(claim.subject, str) else table.row(claim.subject)
    parts = [_value(table, means, named[name], text) for name, text in claim.values]
    if claim.order:
        parts.append(_order(table, means, [named[name] for name in claim.order]))
    if claim.rank is not None and subject is not None:
        parts.append(_rank(table, means, subject, claim.rank))
    ranks = {} if subject is None else _ranks_without(table, columns, subject)
    rows = [*named.values(), *([] if subject is None else [subject])]
    answer: dict[str, Any] = {
        "values": {
            table.name(row): float(means.of[row].value) if row in means.of else None
            for row in dict.fromkeys(rows)
        },
        "rank": means.rank(subject),
        "order": [table.name(row) for row in means.best_first()],
        "rank_for_each_dropped": ranks,
    }
    own = _evidence(table, means, rows)
    return _together(claim, parts, answer, own)


def _columns(claim: Claim, table: OwnTable) -> list[Column]:
    """The columns whose mean is meant, with the one that is left out."""
    dropped, columns = table.column(claim.column), table.chosen(claim.columns)
    if dropped not in columns:
        columns = [dropped, *columns]
    if len(columns) < 2:
        raise ClaimError(table.where, "no other column of numbers", "Give at least two columns")
    return columns


def _ranks_without(
    table: OwnTable, columns: Sequence[Column], subject: int
) -> dict[str, int | None]:
    """The subject's rank with each column left out; None where it lacks another, or kinds mix."""
    found: dict[int, list[Fraction | None]] = {
        row: [None if cell is None else cell.value for cell in _cells(columns, row)]
        for row in table.entries
    }
    totals = {row: sum(cell for cell in cells if cell is not None) for row, cells in found.items()}
    gaps = {row: cells.count(None) for row, cells in found.items()}
    ranks: dict[str, int | None] = {}
    for number, column in enumerate(columns):
        kinds = {one.lower for one in columns if one is not column}
        rest = {
            row: totals[row] - (cells[number] or 0)
            for row, cells in found.items()
            if gaps[row] == (cells[number] is None)
        }
        ranks[column.name] = None
        if subject in rest and len(kinds) == 1:
            sign, mine = -1 if True in kinds else 1, rest[subject]
            ranks[column.name] = 1 + sum(sign * (other - mine) > 0 for other in rest.values())
    return ranks


def _cells(columns: Sequence[Column], row: int) -> list[Measured | None]:
    return [column.cells[row].measured for column in columns]


def _numbers(columns: Sequence[Column], row: int) -> list[Measured]:
    return [found for found in _cells(columns, row) if found is not None]


def _value(table: OwnTable, means: Means, row: int, text: str) -> Part:
    name = short(table.name(row))
    if row not in means.of:
        return Part("not_decidable", None, f"{name} lacks one of the other columns")
    check = check_value(means.of[row], text)
    fact = f"{name} has {wording.decimal(means.of[row].value)}"
    return Part(check.outcome, check.strength, fact, check.notes)


def _order(table: OwnTable, means: Means, rows: Sequence[int]) -> Part:
    """Whether rows come in this order, each level with or ahead of the next."""
    names = [short(table.name(row)) for row in rows]
    if missing := [name for name, row in zip(names, rows, strict=True) if row not in means.of]:
        return Part("false", "certain", f"{missing[0]} is unranked, as it lacks a column")
    gaps = [means.lead(one, two) for one, two in pairwise(rows)]
    word = "true" if all(gap.value >= 0 for gap in gaps) else "false"
    sure = all(gap.low >= 0 for gap in gaps) if word == "true" else any(g.high < 0 for g in gaps)
    ranks = [
        f"{name} {wording.ordinal(means.rank(row))}" for name, row in zip(names, rows, strict=True)
    ]
    notes = [] if word == "true" or sure else [ONLY_ROUNDING]
    if word == "true" and set(means.best_first()[: len(rows)]) != set(rows):
        notes.append("others stand above or between those that are named")
    return Part(word, "certain" if sure else "printed", few(ranks), tuple(notes))


def _rank(table: OwnTable, means: Means, row: int, claimed: int) -> Part:
    name, rank = short(table.name(row)), means.rank(row)
    if rank is None:
        return Part("false", "certain", f"{name} is unranked, as it lacks a column", ("unranked",))
    best, worst = means.rank_ends(row)
    word = "true" if rank == claimed else "false"
    sure = best == worst if word == "true" else not best <= claimed <= worst
    fact = f"{name} is {wording.ordinal(rank)} of {len(means.of)}"
    notes = () if word == "true" or sure else (ONLY_ROUNDING,)
    return Part(word, "certain" if sure else "printed", fact, notes)


def _together(
    claim: Claim, parts: Sequence[Part], answer: dict[str, Any], own: tuple[Evidence, ...]
) -> Answer:
    """Any part false: false; else what is undecided counts; else true."""
    fact = f"without {short(claim.column)} {'; '.join(list(dict.fromkeys(part.fact for part in parts))[:_TOLD])}"
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    for word in ("false", "not_decidable", "within_rounding"):
        found = [part for part in parts if part.word == word]
        if found and word == "not_decidable":
            raise Undecidable("MISSING_COMPONENT", fact, own, answer=answer, notes=notes)
        if found:
            sure = [part.strength for part in found]
            strength = "certain" if "certain" in sure else sure[0]
            return Answer(word, fact, None, strength, answer, own=own, notes=notes)
    sure = [part.strength for part in parts]
    strength = "certain" if set(sure) == {"certain"} else "printed"
    return Answer("true", fact, None, strength, answer, own=own, notes=notes)


def _evidence(table: OwnTable, means: Means, rows: Sequence[int]) -> tuple[Evidence, ...]:
    """The cells of the rows that are named, then of the best ones."""
    wanted = dict.fromkeys([*rows, *means.best_first()[:3]])
    return tuple(table.evidence(row, column) for row in wanted for column in means.columns)
