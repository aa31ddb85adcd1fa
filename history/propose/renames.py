"""Was the score called otherwise in older versions?

In: a Proposal, the newest file and older ones. Out: the Proposal with all names of the score. Start
at with_old_names().
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from history.meaning.columns import Named
from history.propose.candidates import Proposal
from history.propose.facts import Fact, facts_of, named
from history.propose.guesses import Guess
from history.propose.roles import FEW
from history.readers import Document, Table, Unreadable, choose, parse

_EQUAL = 0.5  # share of the entries in both files whose numbers are the same


def with_old_names(proposal: Proposal, newest: Document, older: Iterable[bytes]) -> Proposal:
    """Name what the score was called before, where an older version shows it.

    It does if it has exactly one column that the newest lacks, lacks the score, and has the same
    number for most entries.

    Args:
        proposal: what was found in the newest file.
        newest: that file.
        older: contents that it had before, newest first.
    """
    entry, score = proposal.roles.entry, proposal.roles.score
    needed = {} if entry.startswith("@") else {entry: Named(entry).cells}
    try:
        table = choose(newest, proposal.rows, needed | {score: Named(score).cells})
    except Unreadable:
        return proposal
    facts = facts_of(table, (score,))
    now = _numbers(table, facts, entry, named(facts, score))
    names = [score]
    for data in older:
        try:
            before = choose(parse(proposal.format, data), proposal.rows, needed)
        except Unreadable:
            continue
        columns = facts_of(before, tuple(names))
        lacking = [one for one in columns if named(facts, one.column) is None]
        if len(lacking) != 1 or any(named(columns, name) for name in names):
            continue
        if _agree(now, _numbers(before, columns, entry, lacking[0])):
            names.append(lacking[0].column)
    if len(names) == 1:
        return proposal
    called = ", ".join(map(repr, names[1:]))
    guesses = [
        replace(one, value=names, why=f"{one.why}; in older versions {called} has its values")
        if one.key == "table.score"
        else one
        for one in proposal.guesses
    ]
    return replace(proposal, guesses=tuple[Guess, ...](guesses))


def _numbers(
    table: Table, facts: Iterable[Fact], entry: str, score: Fact | None
) -> dict[str, float]:
    """Entry -> number; empty where the entries are not found."""
    column = named(list(facts), entry)
    entries = table.keys if entry == "@key" else column.texts if column else None
    if entries is None or score is None:
        return {}
    pairs = zip(entries, score.numbers, strict=True)
    return {one: number for one, number in pairs if one and number is not None}


def _agree(now: Mapping[str, float], before: Mapping[str, float]) -> bool:
    """Whether most entries that are in both have the same number."""
    both = now.keys() & before.keys()
    equal = sum(now[entry] == before[entry] for entry in both)
    return len(both) >= FEW and equal >= _EQUAL * len(both)
