"""Which number does a claim mean by an operand, or by the name of a row of its table?

In: an Operand or a name. Out: a Figure: the number with its evidence. Start at figure(); two
figures that were measured under other conditions are refused by comparable().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from history.claims import wording
from history.claims.language.claim import Claim, ClaimError, Operand
from history.claims.language.claim_fields import shown
from history.claims.language.printed import Measured
from history.claims.own.arithmetic import computed, mean, printed, quotient
from history.claims.own.own_table import Column, OwnTable, short
from history.claims.own.undecidable import Undecidable
from history.claims.verdict import Evidence
from history.meaning.formula import FormulaError


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a claim's own.

    Attributes:
        measured: the number, and what its unprinted digits leave open.
        text: as printed, or what it is the mean of.
        name: what people call it.
        own: where it stands.
        lower: whether less of it is better; None where it is made of both kinds.
        unit: what it counts, `ms`; empty if that is not printed.
        operand: what the claim says of it; None for a row of its table.
        row, columns: of its table, where it is the mean of some columns; else None and empty.
    """

    measured: Measured
    text: str
    name: str
    own: tuple[Evidence, ...]
    lower: bool | None = False
    unit: str = ""
    operand: Operand | None = None
    row: int | None = None
    columns: tuple[Column, ...] = ()


def figure(
    said: str | Operand | None, claim: Claim, table: OwnTable | None, columns: Sequence[str] = ()
) -> Figure:
    """The number that is meant.

    Args:
        said: the subject of a claim, or the other one.
        claim: for errors, and for the columns that a row is the mean of.
        table: of the claim; None if it brings none.
        columns: instead of those of the claim.

    Raises:
        ClaimError: a row, column or formula that is none.
        Undecidable: a number that is not there.
    """
    if isinstance(said, Operand):
        if said.entry:
            found = _of_row(said.entry, claim, table, said.columns)
            return replace(found, operand=said)
        return _of_formula(said, claim) if said.formula else _printed(said)
    return _of_row(said or "", claim, table, columns or claim.columns)


def divided(one: Measured, other: Figure, own: tuple[Evidence, ...]) -> Measured:
    """A number divided by another.

    Raises:
        Undecidable: the number below could be 0.
    """
    try:
        return quotient(one, other.measured)
    except ZeroDivisionError:
        fact = f"{other.text}, the number below, could be 0"
        raise Undecidable("MISSING_COMPONENT", fact, own) from None


def of_claim(claim: Claim, said: str | Operand | None = None) -> Evidence:
    """The number that a claim says, where there is no other evidence."""
    source = claim.source or None
    entry = said if isinstance(said, str) else None
    return Evidence(None, None, None, source, None, entry, "value", claim.value, "reported")


def mean_of(table: OwnTable, row: int, columns: Sequence[Column]) -> Figure:
    """The mean of some columns of a row.

    Raises:
        Undecidable: the row lacks one.
    """
    entry = table.name(row)
    own = tuple(table.evidence(row, column) for column in columns)
    for column in columns:
        cell = column.cells[row]
        if cell.measured is None:
            why = f' ("{short(cell.text)}": {cell.why})' if cell.text else ""
            fact = f"in {table.path} {short(entry)} has no {column.said}{why}"
            raise Undecidable("MISSING_COMPONENT", fact, own)
    units = [column.cells[row].unit for column in columns]
    refuse_units(units, own)
    number = mean([found for one in columns if (found := one.cells[row].measured) is not None])
    name = f"the mean of {len(columns)} columns of {short(entry)}"
    if len(columns) == 1:
        name = f"{columns[0].said} of {short(entry)}"
    kinds = {column.lower for column in columns}
    lower = kinds.pop() if len(kinds) == 1 else None
    text = f"{name} ({wording.decimal(number.value)})"
    return Figure(number, text, name, own, lower, max(units), None, row, tuple(columns))


def refuse_units(units: Sequence[str], own: tuple[Evidence, ...]) -> None:
    """Refuse numbers of which some count one thing and some another, as MB and GB.

    Raises:
        Undecidable: MIXED_SCALE.
    """
    if len(named := dict.fromkeys(unit for unit in units if unit)) > 1:
        fact = f"the numbers are in {wording.listing(list(named))}"
        raise Undecidable("MIXED_SCALE", fact, own, would="all of them in one unit")


def comparable(one: Figure, other: Figure, per: str = "") -> None:
    """Refuse two numbers that are rates of other things, or were measured under other conditions.

    A count makes a rate of the number above it, whatever that is a rate of.

    Args:
        per: what the claim itself says that they are rates of.

    Raises:
        Undecidable: DIFFERENT_BASELINES, with what differs; or MIXED_SCALE.
    """
    refuse_units([one.unit, other.unit], one.own + other.own)
    first, second = one.operand or Operand(), other.operand or Operand()
    differ = [
        f"{name} {shown(mine)} and {shown(theirs)}"
        for name in dict.fromkeys([*dict(first.under), *dict(second.under)])
        if (mine := dict(first.under).get(name, "not said"))
        != (theirs := dict(second.under).get(name, "not said"))
    ]
    rates = {found for operand in (first, second) if (found := operand.per)} | ({per} - {""})
    said = [operand.per or "not said" for operand in (first, second)]
    unlike = len(rates) > 1 or (bool(rates) and not per and said[0] != said[1])
    if unlike and not (first.exact or second.exact):
        pairs = " and ".join(
            shown(text) for text in dict.fromkeys([*said, *([per] if per else [])])
        )
        differ.append(f"per {pairs}")
    if differ:
        listed = "; ".join(differ)
        fact = f"{one.text} and {other.text} are not on one baseline ({listed})"
        would = f"both numbers on one baseline ({', '.join(_names(differ))})"
        raise Undecidable("DIFFERENT_BASELINES", fact, one.own + other.own, would=would)


def _names(differ: Sequence[str]) -> list[str]:
    return [text.partition(' "')[0] for text in differ]


def _of_row(entry: str, claim: Claim, table: OwnTable | None, columns: Sequence[str]) -> Figure:
    if table is None:
        what = short(entry)
        fact = f"no number of {what} is given"
        would = f"a table with {what}, or its number"
        raise Undecidable("MISSING_COMPONENT", fact, (of_claim(claim, entry),), would=would)
    return mean_of(table, table.row(entry), table.chosen(columns))


def _printed(said: Operand) -> Figure:
    own = Evidence(
        None, None, None, said.source or None, None, None, "value", said.value, said.label
    )
    text = short(said.value)
    return Figure(printed(said.value, said.exact), text, text, (own,), operand=said)


def _of_formula(said: Operand, claim: Claim) -> Figure:
    path = said.source or None
    own = (Evidence(None, None, None, path, None, None, "formula", said.formula, said.label),)
    try:
        number = computed(said.formula, said.exact)
    except FormulaError as error:
        where = f'claim "{claim.id}"'
        fix = "Give arithmetic over printed numbers, as (3.25 - 2.7)/3.25"
        raise ClaimError(where, f"`formula`: {short(str(error))}", fix) from None
    text = short(said.formula)
    if number is None:
        fact = f"{text} divides by a number that could be 0"
        raise Undecidable("MISSING_COMPONENT", fact, own)
    name = f"{text} = {wording.decimal(number.value)}"
    return Figure(number, f"({text})", name, own, operand=said)
