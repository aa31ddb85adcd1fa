"""Which numbers of a model stand in the tables of its card?

In: the Markdown of a card and the names of the model. Out: Found: a result for every number in
the model's row, and every cell that says it is the mean of the others. Start at tables().
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from history import readers
from history.claims.cards.card import Average, CardFile, Found, Result
from history.claims.cards.words import LETTERS, folded, plain, printed

MOST_TABLES = 50
_OURS = re.compile(r"(?i)\s*[(\[]\s*(?:ours|this model|our model)\s*[)\]]|^(?:ours|this model)$")
_AVERAGE = re.compile(r"(?i)^(?:(?:macro|overall|total|task)[\s-])?(?:average|avg\.?|mean)\b")
# Numbers that describe a model and are no results.
_TRAIT = re.compile(
    r"(?i)^(?:#|rank|n|year|date|(?:active\s+|total\s+)?(?:params?|parameters)|"
    r"(?:model\s+|context\s+)?(?:size|length|window)|context|layers?|tokens|"
    r"price|cost|latency|memory|vram|epochs?|steps?)\b"
)


@dataclass(frozen=True, slots=True)
class _Row:
    """The model's row of one table: its first cell, and column name -> printed number."""

    subject: str
    line: str
    numbers: dict[str, str]


def tables(card: CardFile, names: Sequence[str]) -> Found:
    """What the tables of a card say of a model.

    Args:
        card: Markdown.
        names: what the model is called, the most exact first.

    >>> card = b"| Model | Ponds | Sums | Average |\\n|-|-|-|-|\\n| fern (ours) | 60.1 | 70.25 | 65.2 |"
    >>> found = tables(CardFile(card, ""), ["lab/fern", "fern"])
    >>> [(one.dataset, one.value) for one in found.results]
    [('Ponds', '60.1'), ('Sums', '70.25')]
    >>> found.averages[0].columns, found.averages[0].value
    (('Ponds', 'Sums'), '65.2')
    """
    try:
        listed = readers.parse("markdown", card.data).tables()
    except readers.Unreadable as error:
        return Found(left_out=(f"tables of README.md: {plain(error.found)}",))
    found = Found()
    for rows, table in listed[:MOST_TABLES]:
        found += _of_table(rows, table, names, card.address)
    if len(listed) > MOST_TABLES:
        said = f"{len(listed):,} tables; the first {MOST_TABLES} are read"
        found += Found(left_out=(f"README.md: {said}",))
    return found


def _of_table(rows: str, table: readers.Table, names: Sequence[str], address: str) -> Found:
    row = _row(table, names)
    if isinstance(row, str):
        return Found(left_out=(f"table at {table.pointer}: {row}",))
    averages = [name for name in row.numbers if _AVERAGE.match(name)]
    traits = tuple(name for name in row.numbers if _TRAIT.match(name))
    scores = tuple(name for name in row.numbers if name not in (*averages, *traits))
    results = tuple(
        Result(plain(name), (plain(name),), "", row.numbers[name], (), address) for name in scores
    )
    left_out = []
    if traits:
        shown = ", ".join(map(plain, traits[:5]))
        left_out.append(f"table at {row.line}: taken for no result: {shown}")
    if averages and len(scores) < 2:
        left_out.append(f"table at {row.line}: {plain(averages[0])} of fewer than two numbers")
        averages = []
    made = tuple(
        Average(row.subject, name, scores, row.numbers[name], row.line, rows) for name in averages
    )
    return Found(results, made, tuple(left_out))


def _row(table: readers.Table, names: Sequence[str]) -> _Row | str:
    """The model's row, or why there is none."""
    try:
        first = table.numbered(1)
    except readers.Unreadable as error:
        return plain(error.found)
    keys = [] if first is None else [readers.trimmed(text or "") for text in first.texts]
    place = _place(keys, names)
    if isinstance(place, str):
        heads = [folded(name) for name in table.names()[1:]]
        if any(folded(name) in heads for name in names):
            return "the model is a column of it; only rows are read"
        return place
    if len(keys[place]) > LETTERS:
        return "the name in its row is too long"
    return _Row(keys[place], table.pointer, dict(_numbers(table, place)))


def _place(keys: Sequence[str], names: Sequence[str]) -> int | str:
    """Which row is the model's; or why that is not known."""
    bare = [folded(_OURS.sub("", key)) for key in keys]
    for name in names:
        places = [number for number, key in enumerate(bare) if key and key == folded(name)]
        if len(places) == 1 and keys.count(keys[places[0]]) == 1:
            return places[0]
        if places:
            return f"{len(places)} rows are named {plain(name)}"
    places = [number for number, key in enumerate(keys) if _OURS.search(key)]
    if len(places) == 1:
        return places[0]
    return f"no row of it is named {plain(names[-1])}"


def _numbers(table: readers.Table, place: int) -> Iterator[tuple[str, str]]:
    """Name and printed number of each column in which the row has one."""
    for name in table.names()[1:]:
        try:
            cells = table.literal(name)
        except readers.Unreadable:  # two columns of one name: nobody could say which is meant
            continue
        text = None if cells is None else printed(cells.texts[place])
        if text is not None and len(name) <= LETTERS:
            yield name, text
