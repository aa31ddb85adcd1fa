"""Do numbers of a claim's own have the size, the difference or the order that is claimed?

score, average_of, delta, ahead and tie. A row of a table counts by the mean of its columns.
"""

from __future__ import annotations

from history.claims import wording
from history.claims.answer import Answer, value_answer
from history.claims.judge_ranks import ONLY_ROUNDING
from history.claims.language.claim import Claim
from history.claims.language.printed import Measured, check_value
from history.claims.own.operands import Figure, comparable, figure
from history.claims.own.own_table import OwnTable
from history.claims.own.undecidable import Undecidable


def score(claim: Claim, table: OwnTable | None) -> Answer:
    """One number: of score and average_of."""
    found = figure(claim.subject, claim, table)
    check = check_value(found.measured, claim.value, claim.op, claim.approx)
    fact = f"it is {found.name}"
    if found.row is not None and table is not None:
        fact = f"{found.name} is {wording.decimal(found.measured.value)} in {table.path}"
    return value_answer(check, found.measured, fact, (), (), found.own)


def delta(claim: Claim, table: OwnTable | None) -> Answer:
    """The difference of two numbers."""
    one, other = _pair(claim, table)
    gap = one.measured - other.measured
    check = check_value(gap, claim.value, claim.op, claim.approx)
    fact = f"{one.text} - {other.text} is {wording.signed(gap.value)}"
    return value_answer(check, gap, fact, (), (), one.own + other.own)


def ahead(claim: Claim, table: OwnTable | None) -> Answer:
    """Strictly better than the other."""
    one, other = _pair(claim, table)
    gap, lower = one.measured - other.measured, direction(one, other)
    lead = other.measured - one.measured if lower else gap
    word = "true" if lead.value > 0 else "false"
    strength = "certain" if lead.low > 0 or lead.high <= 0 else "printed"
    notes = (ONLY_ROUNDING,) if word == "false" and strength == "printed" else ()
    size = wording.decimal(abs(lead.value))
    how = "level with" if not lead.value else f"{size} ahead of" if lead.value > 0 else ""
    fact = f"{one.text} is {how or f'{size} behind'} {other.text}"
    own = one.own + other.own
    return Answer(word, fact, None, strength, _gap(gap), own=own, notes=notes)


def tie(claim: Claim, table: OwnTable | None) -> Answer:
    """Equal as printed; how near makes a tie, only a board's rule says."""
    one, other = _pair(claim, table)
    gap, own = one.measured - other.measured, one.own + other.own
    if gap.value:
        fact = f"{one.text} and {other.text} are {wording.decimal(abs(gap.value))} apart"
        fact += ", and no rule says how near is a tie"
        would = "the tie rule and band that are meant; or noise, with the number of items"
        raise Undecidable("NO_TIE_RULE", fact, own, would=would, answer=_gap(gap))
    strength = "certain" if gap.low == gap.high else "printed"
    fact = f"{one.text} and {other.text} are the same"
    return Answer("true", fact, None, strength, _gap(gap), own=own)


def direction(one: Figure, other: Figure) -> bool:
    """Whether lower is better.

    Raises:
        Undecidable: of some of the numbers it is, of others it is not.
    """
    kinds = {figure.lower for figure in (one, other)}
    if len(kinds) > 1 or None in kinds:
        fact = f"higher is better in some columns of {one.name}, lower in others"
        would = "columns of which higher is better, or lower, in all"
        raise Undecidable("MIXED_SCALE", fact, one.own + other.own, would=would)
    return bool(kinds.pop())


def _pair(claim: Claim, table: OwnTable | None) -> tuple[Figure, Figure]:
    one, other = (figure(said, claim, table) for said in (claim.subject, claim.other))
    comparable(one, other)
    return one, other


def _gap(gap: Measured) -> dict[str, float]:
    ends = {"gap": gap.value, "gap_low": gap.low, "gap_high": gap.high}
    return {name: float(end) for name, end in ends.items()}
