"""In which columns does an entry lead by the most?

In: a claim with the columns that are said to be those. Out: an Answer. Start at lead_set(). A
lead is the distance to the best other entry in that column.
"""

from __future__ import annotations

from collections.abc import Mapping

from history.claims import wording
from history.claims.answer import Answer
from history.claims.language.claim import Claim, ClaimError
from history.claims.language.printed import Measured
from history.claims.own.arithmetic import largest, negative
from history.claims.own.own_table import Column, OwnTable, few, short
from history.claims.own.undecidable import Undecidable
from history.claims.verdict import Evidence


def lead_set(claim: Claim, table: OwnTable) -> Answer:
    """The claimed columns are those of the largest leads, and all of them are leads."""
    if not isinstance(claim.subject, str):
        fix = "Give the name of a row"
        raise ClaimError(table.where, "`subject` is no row of the table", fix)
    row, claimed = table.row(claim.subject), [table.column(name) for name in claim.columns]
    columns = list(dict.fromkeys([*table.numeric(), *claimed]))
    leads = {one.name: lead for one in columns if (lead := _lead(table, one, row)) is not None}
    own = tuple(found for one in (*claimed, *columns) for found in _evidence(table, one, row))
    names = list(dict.fromkeys(one.name for one in claimed))
    top = sorted(leads, key=lambda name: -leads[name].value)
    answer = {
        "leads": {name: float(lead.value) for name, lead in leads.items()},
        "top": top[: len(names)],
    }
    who = short(claim.subject)
    if missing := [one.name for one in columns if one.name not in leads]:
        fact = f"in {table.path} {who} or all others have no {short(missing[0])}"
        raise Undecidable("MISSING_COMPONENT", fact, own, answer=answer)
    word, strength = _verdict(leads, names)
    said = [
        f"{short(name)} {wording.signed(leads[name].value)}"
        for name in dict.fromkeys([*top[: len(names)], *names])
    ]
    fact = f"the leads of {who} over the best other are {few(said)}"
    return Answer(word, fact, None, strength, answer, own=own)


def _verdict(leads: Mapping[str, Measured], names: list[str]) -> tuple[str, str | None]:
    inside = [leads[name] for name in names]
    outside = [lead for name, lead in leads.items() if name not in names]
    pairs = [(one, other) for one in inside for other in outside]
    if all(i.value > 0 for i in inside) and all(i.value >= o.value for i, o in pairs):
        surely = all(i.low > 0 for i in inside) and all(i.low >= o.high for i, o in pairs)
        return "true", "certain" if surely else "printed"
    # Leads of different columns share no cell, so that each can be anywhere in its span.
    perhaps = all(i.high > 0 for i in inside) and all(i.high >= o.low for i, o in pairs)
    return ("within_rounding", None) if perhaps else ("false", "certain")


def _lead(table: OwnTable, column: Column, row: int) -> Measured | None:
    """How much better a row is than the best other; None where one of them has no number."""
    mine = column.cells[row].measured
    found = (column.cells[other].measured for other in table.entries if other != row)
    others = [one for one in found if one is not None]
    if mine is None or not others:
        return None
    if column.lower:
        return negative(mine) - largest([negative(one) for one in others])
    return mine - largest(others)


def _evidence(table: OwnTable, column: Column, row: int) -> list[Evidence]:
    """The cell of the row, and that of the best other."""
    sign = -1 if column.lower else 1
    others = [
        (sign * found.value, other)
        for other in table.entries
        if other != row and (found := column.cells[other].measured) is not None
    ]
    best = [max(others)[1]] if others else []
    return [table.evidence(one, column) for one in (row, *best)]
