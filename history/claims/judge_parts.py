"""Do the parts and errors of a board's scores come out as is claimed?

drop_one, lead_set, formula and ratio: one version is laid out as a table, entries by parts, and
judged as a table that a claim brings along. noise: by the errors that the file tells, or that
follow from its numbers of items. Each function answers for one claim about one board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd

from history.claims.answer import Answer, Ref, undecided
from history.claims.language.claim import Claim, ClaimError, Operand
from history.claims.language.printed import Measured, number
from history.claims.leaf import Leaf
from history.claims.own import drop_one as dropping
from history.claims.own import leads, mixes, ratios
from history.claims.own.noise import COULD_STILL, LEVEL, verdict
from history.claims.own.own_table import Column, OwnTable
from history.claims.own.table_numbers import Cell
from history.claims.own.undecidable import Undecidable
from history.frames import SCORE, dp_of, pointer_of, text_of, ticks_of
from history.names import AmbiguousEntry, UnknownEntry

Question = Callable[[Claim, OwnTable], Answer]
_MOST_CELLS = 40  # of a verdict's evidence
_APART = ("ineligible", "duplicate", "unreadable")  # of whom no place is asked


def drop_one(leaf: Leaf, version: int, full: bool) -> Answer:
    """What becomes of the mean of the parts without one of them."""
    return _by_table(leaf, version, dropping.drop_one, with_score=False)


def lead_set(leaf: Leaf, version: int, full: bool) -> Answer:
    """In which parts the subject leads by the most."""
    return _by_table(leaf, version, leads.lead_set, with_score=False)


def formula(leaf: Leaf, version: int, full: bool) -> Answer:
    """Whether the score is made of the parts as is said."""
    return _by_table(leaf, version, mixes.formula, with_score=True)


def ratio(leaf: Leaf, version: int, full: bool) -> Answer:
    """How many times one entry's score, or the mean of some parts, is another's."""
    return _by_table(leaf, version, ratios.ratio, with_score=True)


def _by_table(leaf: Leaf, version: int, ask: Question, *, with_score: bool) -> Answer:
    table = _table(leaf, version, with_score)
    claim = _in_its_names(leaf, version)
    if ask is mixes.formula and not claim.column:
        claim = replace(claim, column=SCORE)
    if ask is ratios.ratio and not claim.columns:
        claim = replace(claim, columns=(SCORE,))
    for said in (leaf.subject, leaf.other):
        if said is not None and not table.rows_named(leaf.shown(said, version)):
            row = leaf.rows.row(version, said)
            return leaf.without_number(version, said, row)
    named = [*claim.order, *(name for name, _ in claim.values)]
    if missing := [name for name in named if not table.rows_named(name)]:
        return _not_there(leaf, version, missing[0])
    if lacking := _lacking(leaf, claim, table):
        fact = f"{leaf.where} had no {lacking}"
        return undecided("MISSING_COMPONENT", fact, (Ref(leaf.history.name, version, None),))
    try:
        answer = ask(claim, table)
    except Undecidable as found:
        answer = found.answer
    own = tuple(dict.fromkeys(answer.own))[:_MOST_CELLS] or (table.whole,)
    return replace(answer, fact=f"{answer.fact}, on {leaf.where}", own=own)


def _not_there(leaf: Leaf, version: int, name: str) -> Answer:
    """The answer where an entry of an order or of values was not listed then.

    Raises:
        UnknownEntry: it never was.
    """
    entry = leaf.history.resolve_entry(name)
    ref = Ref(leaf.history.name, version, entry)
    return undecided("NOT_LISTED", f"{name} was not listed on {leaf.where}", (ref,))


def _lacking(leaf: Leaf, claim: Claim, table: OwnTable) -> str:
    """A part that the claim needs and that this version has for nobody.

    Raises:
        ClaimError: no version ever has it.
    """
    known = [*leaf.history.fields]
    for name in filter(None, [claim.column, *claim.columns]):
        if name not in known:
            fix = f"It has {', '.join(known)}"
            raise ClaimError(f'claim "{claim.id}", {leaf.history.name}', f'no part "{name}"', fix)
        if not table.has_column(name) or not table.column(name).is_numeric(table.entries):
            return name
    left = [one for one in table.numeric() if one.name != claim.column]
    return "" if left or claim.predicate == "formula" else "other part with numbers"


def _in_its_names(leaf: Leaf, version: int) -> Claim:
    """The claim with entries called as they were then."""

    def then(name: str) -> str:
        try:
            return leaf.shown(leaf.history.resolve_entry(name), version)
        except (UnknownEntry, AmbiguousEntry):
            return name  # the table says that it is not there

    claim = leaf.claim
    return replace(
        claim,
        subject=leaf.shown(leaf.subject, version) if leaf.subject else claim.subject,
        other=leaf.shown(leaf.other, version) if leaf.other else claim.other,
        order=tuple(map(then, claim.order)),
        values=tuple((then(name), text) for name, text in claim.values),
    )


def _table(leaf: Leaf, version: int, with_score: bool) -> OwnTable:
    """One version: a row per entry, a column per part, and the score where it is asked for."""
    history = leaf.history
    scores = history.part_scores([version])
    if leaf.rows.among:
        meets = [leaf.rows.meets(version, str(entry)) is True for entry in scores["entry"]]
        scores = scores[meets]
    scores = scores[~scores["unranked"].isin(_APART)]
    meaning = history.meaning_at(version)
    fields = [*meaning.table.parts, *([SCORE] if with_score else [])]
    if not fields:
        raise ClaimError(history.name, "its score has no parts", "Name them in [table.parts]")
    whole = history.cell(version, None)
    shown = [leaf.shown(str(entry), version) for entry in scores["entry"]]
    names = Column("entry", tuple(Cell(name, None, "", "not_a_number") for name in shown), ())
    columns = [
        _column(leaf, scores, field, lower=meaning.direction(field) == "lower") for field in fields
    ]
    return OwnTable(
        f'claim "{leaf.claim.id}", {history.name}',
        whole.path,
        whole.pointer or "",
        (names, *columns),
        tuple(range(len(scores))),
        source=whole,
    )


def _column(leaf: Leaf, scores: pd.DataFrame, field: str, *, lower: bool) -> Column:
    units = leaf.rows.units_of(scores, field).tolist()
    names = (text_of(field), ticks_of(field), dp_of(field), pointer_of(field))
    cells, pointers = [], []
    for (text, ticks, dp, pointer), unit in zip(
        zip(*(scores[name].tolist() for name in names), strict=True), units, strict=True
    ):
        measured = None if pd.isna(ticks) else Measured.of_ticks(int(ticks), int(dp), unit)
        cells.append(Cell(text if isinstance(text, str) else "", measured))
        pointers.append(pointer if isinstance(pointer, str) else "")
    return Column(field, tuple(cells), tuple(pointers), lower_is_better=lower)


def noise(leaf: Leaf, version: int, full: bool) -> Answer:
    """Within noise (=), or significantly better (>) or worse (<) than the other."""
    from history.uncertainty.comparison import CAUTION, compare

    said = (leaf.claim.subject, leaf.claim.other)
    if own := tuple(one for one in said if isinstance(one, Operand)):
        fact = f"no error of {own[0].value or own[0].formula} is known on {leaf.where}"
        where = (Ref(leaf.history.name, version, None),)
        return undecided("NO_SE", fact, where, operands=own)
    entries = [entry for entry in (leaf.subject, leaf.other) if entry is not None]
    refs = tuple(ref for entry in entries for ref in leaf.refs(version, entry))
    for entry in entries:
        row = leaf.rows.row(version, entry)
        if row is None or row.rank is None:
            return leaf.without_number(version, entry, row, refs)
    errors = {
        one.entry: one for one in leaf.history.score_errors(version, leaf.claim.split).entries
    }
    one, other = (errors[entry] for entry in entries)
    found = compare(one, other, leaf.rows.view(version).direction)
    names = " and ".join(leaf.shown(entry, version) for entry in entries)
    if found.difference is None:
        why = one.why or other.why
        return undecided("NO_SE", f"{names} on {leaf.where}: {why or 'no errors'}", refs)
    z, level = found.difference.z, float(number(leaf.claim.level) if leaf.claim.level else LEVEL)
    agreement = None if found.counts is None else found.counts.closest.agreement_needed
    answer: dict[str, Any] = {
        "gap": found.difference.value,
        "se": found.difference.error.value,
        "z": abs(z),
        "k": level,
        "agreement_needed": agreement,
    }
    fact = f"{names} were {abs(z):.2f} standard errors of the difference apart on {leaf.where}"
    notes = ["the two are taken as measured apart", CAUTION]
    beyond, could_be = abs(z) > level, agreement is not None
    word = verdict(leaf.claim.op, found.difference.value, beyond, could_be)
    if word == "not_decidable":
        return undecided("NO_PAIRED_RESULTS", fact, refs, answer=answer, notes=tuple(notes))
    if leaf.claim.op == "=" and not beyond and could_be:
        notes.append(COULD_STILL)
    return Answer(word, fact, None, "printed", answer, refs, notes=tuple(notes))
