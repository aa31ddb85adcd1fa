"""How many times one number is another?

In: a ratio claim. Out: an Answer: of two operands, or of rows of a table, one for each condition
that the claim leaves open. Start at ratio(). A ratio that holds under some of the conditions only
is true_under_other. Methods 8.2 and 8.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any

from history.claims import wording
from history.claims.answer import Answer, value_answer
from history.claims.language.claim import Claim, ClaimError, Operand
from history.claims.language.printed import Check, Measured, check_value, number
from history.claims.own.arithmetic import quotient
from history.claims.own.crossings import Point, crossings, fitted_ratio
from history.claims.own.operands import comparable, divided, figure, of_claim, refuse_units
from history.claims.own.own_table import ITEMS, Column, OwnTable, few, short
from history.claims.own.undecidable import Undecidable
from history.claims.verdict import Evidence
from history.counts import counted

_ROWS = 200  # of a table, that an answer lists
_TOLD = 3  # rows, that a note names


@dataclass(frozen=True, slots=True)
class Found:
    """The ratio in one row.

    Attributes:
        row: of the table.
        at: its conditions, in file order.
        ratio, check: the number, and what the claim comes to there.
        own: its cells.
    """

    row: int
    at: tuple[tuple[str, str], ...]
    ratio: Measured
    check: Check
    own: tuple[Evidence, ...]

    @property
    def where(self) -> str:
        """Its conditions, for people."""
        said = [f"{short(name)} = {short(text)}" for name, text in self.at]
        return few(said) or "the only row"


@dataclass(frozen=True, slots=True)
class Shape:
    """Which columns of a table make the ratio.

    Attributes:
        above: the number above, or the ratio itself.
        below: the number below; None where the table holds the ratio.
        conditions: all other columns.
    """

    above: Column
    below: Column | None
    conditions: tuple[Column, ...]


def ratio(claim: Claim, table: OwnTable | None) -> Answer:
    """One number divided by another, or a column of ratios."""
    if table is not None:
        table = table.under(dict(claim.at))
        if not table.rows:
            at = ", ".join(f"{name} = {text}" for name, text in claim.at) or "a name"
            would = f"a row with {short(at)}"
            fact = f"no row of {table.path} has {short(at)}"
            raise Undecidable("MISSING_COMPONENT", fact, (table.whole,), would=would)
        if not _are_operands(claim, table):
            return _in_rows(claim, table, _shape(claim, table))
    elif not (isinstance(claim.subject, Operand) and isinstance(claim.other, Operand)):
        raise _nameless(claim)
    return _of_two(claim, table)


def _of_two(claim: Claim, table: OwnTable | None) -> Answer:
    columns = claim.columns
    if table is not None and not columns:  # what is a condition is no number to be divided
        columns = tuple(one.name for one in table.numeric(without=[name for name, _ in claim.at]))
    one, other = (figure(said, claim, table, columns) for said in (claim.subject, claim.other))
    comparable(one, other, claim.per)
    own = one.own + other.own
    found = divided(one.measured, other, own)
    check = check_value(found, claim.value, claim.op, claim.approx)
    fact = f"{one.text} / {other.text} is {wording.decimal(found.value)}"
    return value_answer(check, found, fact, (), (), own)


def _nameless(claim: Claim) -> Undecidable:
    """Names alone are no numbers."""
    names = [
        short(said) if isinstance(said, str) else said.value or said.formula
        for said in (claim.subject, claim.other)
        if said
    ]
    who = " and ".join(names) or "both"
    what = f" of the {short(claim.quantity)}" if claim.quantity else ""
    would = f"a table{what} of {who} under the conditions that are meant"
    fact = f"no numbers of {who} are given"
    own = (of_claim(claim, claim.subject),)
    return Undecidable("MISSING_COMPONENT", fact, own, would=would)


def _are_operands(claim: Claim, table: OwnTable) -> bool:
    """Whether subject and other are numbers or rows, not mere names of what columns hold."""
    if claim.column or claim.subject is None or claim.other is None:
        return False
    return all(
        isinstance(said, Operand) or bool(table.rows_named(said))
        for said in (claim.subject, claim.other)
    )


def _shape(claim: Claim, table: OwnTable) -> Shape:
    names = [claim.column] if claim.column else list(claim.columns)
    both = [said for said in (claim.subject, claim.other) if isinstance(said, str)]
    if not names and len(both) == 2 and all(map(table.has_column, both)):
        names = both
    if not 1 <= len(names) <= 2 or (len(names) == 1 and not claim.column):
        fix = "Give columns = [ABOVE, BELOW], or the column that holds the ratio"
        raise ClaimError(table.where, "no columns that make a ratio", fix)
    columns = [table.column(name) for name in names]
    named = [one for one in table.columns if one.name.casefold() != ITEMS]
    return Shape(
        columns[0],
        columns[1] if len(columns) == 2 else None,
        tuple(one for one in named if one not in columns),
    )


def _in_rows(claim: Claim, table: OwnTable, shape: Shape) -> Answer:
    """The ratio in every row that is left; one condition may be meant, or all."""
    rows = table.rows
    if isinstance(claim.subject, str) and table.rows_named(claim.subject):
        rows = tuple(table.rows_named(claim.subject))
    found = [one for row in rows if (one := _row(claim, table, shape, row)) is not None]
    gaps = len(rows) - len(found)
    notes = (f"{counted(gaps, 'row')} without a number",) if gaps else ()
    if not found:
        own = tuple(table.evidence(row, shape.above) for row in rows[:_TOLD])
        fact = f"no row of {table.path} has a number to divide and one to divide by"
        raise Undecidable("MISSING_COMPONENT", fact, own, notes=notes)
    if len(found) == 1:
        one = found[0]
        fact = f"at {one.where} it is {wording.decimal(one.ratio.value)} in {table.path}"
        answer = value_answer(one.check, one.ratio, fact, (), (), one.own)
        return _with(answer, {}, (*answer.notes, *notes))
    return _over_rows(claim, shape, found, notes)


def _row(claim: Claim, table: OwnTable, shape: Shape, row: int) -> Found | None:
    """The ratio in one row; None where a number is missing, or the one below could be 0."""
    above = shape.above.cells[row].measured
    below = Measured.exact(1) if shape.below is None else shape.below.cells[row].measured
    if above is None or below is None or below.low <= 0 <= below.high:
        return None
    found = quotient(above, below)
    columns = [one for one in (shape.above, shape.below) if one is not None]
    own = tuple(table.evidence(row, one) for one in columns)
    refuse_units([one.cells[row].unit for one in columns], own)
    return Found(
        row,
        tuple((one.name or "row", one.cells[row].text) for one in shape.conditions),
        found,
        check_value(found, claim.value, claim.op, claim.approx),
        own,
    )


def _over_rows(
    claim: Claim, shape: Shape, found: Sequence[Found], notes: tuple[str, ...]
) -> Answer:
    """One answer for many conditions."""
    ratios = [one.ratio.value for one in found]
    holding = [one for one in found if one.check.outcome == "true"]
    near = [one for one in found if one.check.outcome == "within_rounding"]
    between = claim.op == "=" and min(ratios) <= number(claim.value) <= max(ratios)
    word, strength = "true_under_other", None
    if len(holding) == len(found):
        sure = all(one.check.strength == "certain" for one in found)
        word, strength = "true", "certain" if sure else "printed"
    elif not holding and not between:
        word = "within_rounding" if near else "false"
        strength = None if near else "certain"
    passes, passing = _passes(claim, shape, found)
    more = {
        "rows": [
            {"at": dict(one.at), "ratio": float(one.ratio.value), "verdict": one.check.outcome}
            for one in found[:_ROWS]
        ],
        "holds_in": len(holding),
        "of": len(found),
        "best": float(max(ratios)),
        "median": float(median(ratios)),
        "crosses": passes,
    }
    where = f": {'; '.join(one.where for one in holding[:_TOLD])}" if holding else ""
    where += "; ..." if len(holding) > _TOLD else ""
    said = (
        f"holds in {len(holding)} of {counted(len(found), 'row')}{where}",
        f"the best of {len(found)} is {_short(max(ratios))}, the median {_short(median(ratios))}",
    )
    first = found[0]
    ends = f"from {_short(min(ratios))} to {_short(max(ratios))}"
    fact = f"it is {ends}, depending on {few([short(name) for name, _ in first.at])}"
    evidence = (one.own for one in dict.fromkeys([*holding, first, *found]))
    own = tuple(cell for cells in evidence for cell in cells)
    answer = value_answer(first.check, first.ratio, fact, (), (), own)
    answer = Answer(word, fact, None, strength, answer.answer, own=own)
    return _with(answer, more, (*said, *passing, *notes))


def _passes(
    claim: Claim, shape: Shape, found: Sequence[Found]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Where the ratio passes the claimed value, if one condition is a size."""
    rows = [one.row for one in found]
    sizes = [
        one
        for one in shape.conditions
        if all(one.cells[row].measured is not None for row in rows)
        and len({one.cells[row].text for row in rows}) == len(rows)
    ]
    if len(sizes) != 1:
        return {}, ()
    size, value = sizes[0], number(claim.value)
    points = [(_value(size, one.row), one.ratio.value) for one in found]
    places = crossings(points, value)
    name = short(size.name)
    notes = []
    if len(places) > 1:
        listed = ", ".join(_short(place) for place in places[:10])
        notes.append(f"it passes {claim.value} at {name} {listed}")
    if shape.below is not None:
        lines = [_points(size, column, rows) for column in (shape.above, shape.below)]
        fitted = fitted_ratio(lines[0], lines[1], value)
        notes += [] if fitted is None else [fitted.said(name, claim.value)]
    return ({size.name: float(places[0])} if places else {}), tuple(notes)


def _points(size: Column, column: Column, rows: Sequence[int]) -> list[Point]:
    return [(_value(size, row), _value(column, row)) for row in rows]


def _value(column: Column, row: int) -> Fraction:
    found = column.cells[row].measured
    assert found is not None  # only rows with numbers come here
    return found.value


def _short(value: Fraction) -> str:
    return f"{float(value):.4g}" if abs(value) < 1000 else f"{float(value):,.1f}"


def _with(answer: Answer, more: dict[str, Any], notes: tuple[str, ...]) -> Answer:
    return Answer(
        answer.word,
        answer.fact,
        answer.code,
        answer.strength,
        answer.answer | more,
        own=answer.own,
        notes=notes,
    )
