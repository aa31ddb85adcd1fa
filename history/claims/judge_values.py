"""Does an entry have the number that a claim says: score, delta and average_of?

Each function answers for one claim about one board.
"""

from __future__ import annotations

from history.claims import wording
from history.claims.answer import Answer, Ref, undecided, value_answer
from history.claims.language.claim import Operand
from history.claims.language.printed import Measured, check_value
from history.claims.leaf import Leaf
from history.claims.own.operands import figure
from history.claims.own.undecidable import Undecidable


def score(leaf: Leaf, version: int, full: bool) -> Answer:
    """The number of one entry."""
    found = _number(leaf, version, leaf.claim.subject, leaf.subject)
    if isinstance(found, Answer):
        return found
    number, text, refs, operands = found
    check = check_value(number, leaf.claim.value, leaf.claim.op, leaf.claim.approx)
    fact = f"{leaf.shown(leaf.subject, version)} had {text} on {leaf.where}"
    return value_answer(check, number, fact, refs, operands)


def delta(leaf: Leaf, version: int, full: bool) -> Answer:
    """The difference of two numbers."""
    one = _number(leaf, version, leaf.claim.subject, leaf.subject)
    two = _number(leaf, version, leaf.claim.other, leaf.other)
    for found in (one, two):
        if isinstance(found, Answer):
            return found
    assert not isinstance(one, Answer) and not isinstance(two, Answer)
    gap = one[0] - two[0]
    check = check_value(gap, leaf.claim.value, leaf.claim.op, leaf.claim.approx)
    names = [
        leaf.shown(name, version) if name else "the claim's own number"
        for name in (leaf.subject, leaf.other)
    ]
    fact = f"{names[0]} was {wording.signed(gap.value)} against {names[1]} on {leaf.where}"
    fact += f" ({one[1]} - {two[1]})"
    return value_answer(check, gap, fact, one[2] + two[2], one[3] + two[3])


def average(leaf: Leaf, version: int, full: bool) -> Answer:
    """The mean of several columns of one entry."""
    claim, rows = leaf.claim, leaf.rows
    assert leaf.subject is not None
    refs = tuple(Ref(leaf.history.name, version, leaf.subject, name) for name in claim.columns)
    if rows.row(version, leaf.subject) is None:
        return leaf.without_number(version, leaf.subject, None)
    numbers = rows.parts(version, leaf.subject, claim.columns)
    missing = [name for name in claim.columns if name not in numbers]
    if missing:
        fact = f"{leaf.shown(leaf.subject, version)} had no {missing[0]} on {leaf.where}"
        return undecided("MISSING_COMPONENT", fact, refs)
    total = sum((numbers[name] for name in claim.columns), start=Measured.exact(0))
    average = total / len(claim.columns)
    check = check_value(average, claim.value, claim.op, claim.approx)
    fact = f"the mean of {len(claim.columns)} columns of {leaf.shown(leaf.subject, version)} was "
    fact += f"{wording.decimal(average.value)} on {leaf.where}"
    return value_answer(check, average, fact, refs, ())


def _number(
    leaf: Leaf, version: int, said: str | Operand | None, entry: str | None
) -> tuple[Measured, str, tuple[Ref, ...], tuple[Operand, ...]] | Answer:
    """A number of the board or of the claim's own, its text and where it stands."""
    if isinstance(said, Operand):
        try:
            number = figure(said, leaf.claim, None).measured
        except Undecidable as found:
            return found.answer
        return number, said.value or said.formula, (), (said,)
    assert entry is not None
    row = leaf.rows.row(version, entry)
    if row is None or row.ticks is None:
        return leaf.without_number(version, entry, row, leaf.refs(version, entry))
    number = leaf.rows.measured(version, row)
    return number, wording.number(row.text, number.value), leaf.refs(version, entry), ()
