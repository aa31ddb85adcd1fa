"""Is a score made of its parts as somebody says?

In: a formula claim: a formula over columns of its table, or the columns that alone are said to
count. Out: an Answer. Start at formula(). What does not fit every row is false if some mix of the
printed parts does; if none does, the parts are not on the score's scale, and nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING, Any

from history.claims import wording
from history.claims.answer import Answer
from history.claims.language.claim import Claim, ClaimError
from history.claims.language.printed import Measured
from history.claims.own.own_table import Column, OwnTable, few, short
from history.claims.own.undecidable import Undecidable
from history.claims.verdict import Evidence
from history.counts import counted
from history.meaning.formula import Formula, FormulaError, parse
from history.numbers import Interval

if TYPE_CHECKING:
    from history.robustness.recovery import Recovery

_TOLD = 3  # rows, that a sentence names
_MOST = 10_000  # numbers, for which weights are found in seconds


@dataclass(frozen=True, slots=True)
class Made:
    """One row: the score as printed and as the formula makes it.

    Attributes:
        value: from the printed parts; None where the claim names no weights.
        span: what the unprinted digits leave possible of it.
    """

    row: int
    score: Measured
    value: Fraction | None = None
    span: Interval | None = None

    @property
    def fits(self) -> bool:
        """Whether some unrounded parts give a score that prints so."""
        return self.span is not None and self.span.meets(Interval(self.score.low, self.score.high))

    @property
    def strength(self) -> str:
        """Certain if all unrounded parts do."""
        ends = Interval(self.score.low, self.score.high)
        return "certain" if self.span is not None and ends.holds(self.span) else "printed"


def formula(claim: Claim, table: OwnTable) -> Answer:
    """Whether the formula, or a mix of the columns alone, gives every printed score."""
    if not claim.column:
        fix = 'Add column = "..."'
        raise ClaimError(table.where, "no column says where the score stands", fix)
    score = table.column(claim.column)
    parts = table.numeric(without=[score.name])
    if claim.formula:
        return _of_formula(claim, table, score, parts)
    named = [table.column(name) for name in claim.columns]
    _refuse_itself(table, score, named)
    return _of_columns(claim, table, score, named, list(dict.fromkeys([*parts, *named])))


def _refuse_itself(table: OwnTable, score: Column, parts: Sequence[Column]) -> None:
    if score in parts:
        fix = "Name the parts that make it"
        raise ClaimError(table.where, f"{score.said} is said to be made of itself", fix)


def _of_formula(claim: Claim, table: OwnTable, score: Column, parts: list[Column]) -> Answer:
    try:
        made = parse(claim.formula.replace("\u2212", "-"))
    except FormulaError as error:
        fix = "Give arithmetic over columns, as 0.6*same + 0.4*new"
        raise ClaimError(table.where, f"`formula`: {short(str(error))}", fix) from None
    columns = {name: _column(table, name) for name in made.names}
    _refuse_itself(table, score, list(columns.values()))
    rows = _rows(claim, table, [score, *columns.values()])
    found = [_made(table, row, score, made, columns) for row in rows]
    own = _evidence(table, rows, [score, *columns.values()])
    answer = {
        "recomputed": {
            table.name(one.row): None if one.value is None else float(one.value) for one in found
        },
        "published": {table.name(one.row): float(one.score.value) for one in found},
    }
    said = "; ".join(
        f"{wording.decimal(one.value)} for {short(table.name(one.row))}, which has {_text(score, one.row)}"
        for one in found[:_TOLD]
        if one.value is not None
    )
    fact = f"by {short(made.text)} {score.said} is {said or 'no number'}"
    if all(one.fits for one in found):
        sure = all(one.strength == "certain" for one in found)
        word, strength = "true", "certain" if sure else "printed"
        return Answer(word, fact, None, strength, answer, own=own)
    both = list(dict.fromkeys([*parts, *columns.values()]))
    return _no_fit(claim, table, score, both, fact, answer, own)


def _of_columns(
    claim: Claim, table: OwnTable, score: Column, named: list[Column], parts: list[Column]
) -> Answer:
    rows = _rows(claim, table, [score, *named])
    own = _evidence(table, rows, [score, *named])
    found, which = _recover(table, rows, score, named), few([one.said for one in named])
    answer: dict[str, Any] = {
        "published": {table.name(row): _float(score, row) for row in rows},
    }
    if found.possible:
        answer["weights"] = _weights(named, found)
        fact = f"a mix of {which} gives {score.said} in {counted(len(rows), 'row')}"
        notes = (f"the weights are not said: {_spans(named, found)}",)
        return Answer("true", fact, None, "printed", answer, own=own, notes=notes)
    fact = f"no mix of {which} alone gives {score.said}"
    if found.forbidden:
        first = found.forbidden[0]
        fact += f" ({short(first.entry)}: {first.why})"
    return _no_fit(claim, table, score, parts, fact, answer, own)


def _no_fit(
    claim: Claim,
    table: OwnTable,
    score: Column,
    parts: list[Column],
    fact: str,
    answer: dict[str, Any],
    own: tuple[Evidence, ...],
) -> Answer:
    """False if some other mix of the parts fits: then they are on the score's scale."""
    rows = _rows(claim, table, [score, *parts])
    own += _evidence(table, rows, parts)
    found = _recover(table, rows, score, parts)
    if not found.possible:
        fact += f"; no mix of {few([one.said for one in parts])} gives it"
        if found.forbidden:
            first = found.forbidden[0]
            fact += f" ({short(first.entry)}: {first.why})"
        raise Undecidable("UNKNOWN_FORMULA", fact, own, answer=answer)
    answer |= {"weights": _weights(parts, found)}
    fact += f"; {_spans(parts, found)} does"
    return Answer("false", fact, None, "certain", answer, own=own)


def _made(
    table: OwnTable, row: int, score: Column, made: Formula, columns: dict[str, Column]
) -> Made:
    """The score of one row, printed and computed; a sum of multiples is computed exactly."""
    numbers = {name: _number(column, row) for name, column in columns.items()}
    spans = {name: Interval(one.low, one.high) for name, one in numbers.items()}
    value = made.evaluate({name: one.value for name, one in numbers.items()})
    assert value is None or isinstance(value, Fraction)
    linear = made.coefficients()
    if linear is None:
        span = made.evaluate(spans)
    else:
        rest, factors = linear
        start = Interval(rest, rest)
        span = sum((spans[name] * factor for name, factor in factors.items()), start=start)
    if isinstance(span, Fraction):
        span = Interval(span, span)
    return Made(row, _number(score, row), value, span)


def _recover(
    table: OwnTable, rows: Sequence[int], score: Column, parts: Sequence[Column]
) -> Recovery:
    """Weights, at least 0 and 1 in sum, with which the parts give every score."""
    from history.robustness.recovery import Row, recover

    if (size := len(rows) * len(parts)) > _MOST:
        fix = f"Weights are looked for in at most {_MOST:,}; keep what the claim needs"
        raise ClaimError(table.where, f"{size:,} numbers make a score", fix)

    def span(column: Column, row: int) -> Interval:
        found = _number(column, row)
        return Interval(found.low, found.high)

    return recover(
        [
            Row(table.name(row), tuple(span(one, row) for one in parts), span(score, row))
            for row in rows
        ]
    )


def _rows(claim: Claim, table: OwnTable, columns: Sequence[Column]) -> list[int]:
    """The rows that have a number in all of some columns: the subject's, or all.

    Raises:
        Undecidable: there is none.
    """
    wanted = [table.row(claim.subject)] if isinstance(claim.subject, str) else table.entries
    rows = [row for row in wanted if all(one.cells[row].measured is not None for one in columns)]
    if not rows:
        listed = few([one.said for one in columns])
        raise Undecidable(
            "MISSING_COMPONENT", f"no row of {table.path} has {listed}", (table.whole,)
        )
    return rows


def _column(table: OwnTable, name: str) -> Column:
    """The column that a formula names: by its header, or as one word, `private_same`."""
    if not table.has_column(name):
        alike = [one for one in table.columns if one.name and _slug(one.name) == _slug(name)]
        if len(alike) == 1:
            return alike[0]
    return table.column(name)


def _slug(name: str) -> str:
    """A header as one word.

    >>> _slug("Private, same skills")
    'private_same_skills'
    """
    return re.sub(r"\W+", "_", name.casefold()).strip("_")


def _evidence(
    table: OwnTable, rows: Sequence[int], columns: Sequence[Column]
) -> tuple[Evidence, ...]:
    return tuple(table.evidence(row, column) for row in rows for column in columns)


def _weights(parts: Sequence[Column], found: Recovery) -> dict[str, list[float | None]]:
    return {
        part.name: [None if isnan(end) else round(end, 6) for end in bounds]
        for part, bounds in zip(parts, found.weights, strict=True)
    }


def _spans(parts: Sequence[Column], found: Recovery) -> str:
    """The range of every weight, for people."""
    said = [
        f"{bounds.low:.3g} to {bounds.high:.3g} {part.said}"
        for part, bounds in zip(parts, found.weights, strict=True)
    ]
    return few(said)


def _number(column: Column, row: int) -> Measured:
    found = column.cells[row].measured
    assert found is not None  # only rows with all numbers come here
    return found


def _float(column: Column, row: int) -> float:
    return float(_number(column, row).value)


def _text(column: Column, row: int) -> str:
    return column.cells[row].text
