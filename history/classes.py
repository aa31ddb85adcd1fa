"""Which entries belong to a class, such as the open models under 8B?

In: a Board, its Meaning, and a condition over attributes, columns, `entry` and `name`. Out: for
every row of SCORES whether it meets the condition; None where the file does not say. Start at
members().
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

import pandas as pd

from crawler.board import Board
from crawler.store import Store
from history.frames import attribute_of, text_of
from history.meaning import Meaning, read_meaning
from history.meaning.conditions import Condition
from history.readings.stages import Stages
from history.scores import load_scores

_OF_SCORES = ("entry", "name")
MEETS = "meets"


class NoSuchColumn(ValueError):
    """A condition asks for a column that no version of the board has.

    Attributes:
        name: of the column.
        known: attributes that it could have asked for.
    """

    def __init__(self, name: str, known: Sequence[str]):
        self.name, self.known = name, tuple(known)
        super().__init__(f"no column {name}")


def members(store: Store, board: Board, meaning: Meaning, condition: Condition) -> pd.DataFrame:
    """Who meets a condition.

    Args:
        store, board, meaning: the board; columns that it does not keep are read from the bytes.
        condition: what an entry must meet.

    Returns:
        Columns `version`, `entry` and `meets` (True, False or None), a row per row of SCORES.

    Raises:
        NoSuchColumn: no version has a column that it needs.
    """
    stages = Stages(meaning)
    fields = [name for name in condition.names if name in stages.fields]
    others = [n for n in condition.names if n not in (*fields, *_OF_SCORES)]
    missing = [name for name in others if name not in stages.attributes]
    wider = _with_columns(board, missing) if missing else meaning
    table = load_scores(store, board, wider, fields, None, others)
    columns = {name: _column(table, name, fields) for name in condition.names}
    for name in condition.needed:
        if len(table) and table[columns[name]].isna().all():
            raise NoSuchColumn(name, stages.attributes)
    asked = table[list(columns.values())]
    seen: dict[tuple[object, ...], bool | None] = {}
    found = []
    for row in zip(*(asked[column] for column in asked), strict=True):
        if row not in seen:
            texts = (None if pd.isna(cell) else str(cell) for cell in row)
            seen[row] = condition(dict(zip(columns, texts, strict=True)))
        found.append(seen[row])
    return pd.DataFrame(
        {
            "version": table["version"].to_numpy(),
            "entry": table["entry"].astype(str).to_numpy(),
            MEETS: pd.Series(found, dtype=object),
        }
    )


def _column(table: pd.DataFrame, name: str, fields: Sequence[str]) -> str:
    if name in _OF_SCORES:
        return name
    return text_of(name) if name in fields else attribute_of(name)


def _with_columns(board: Board, names: Sequence[str]) -> Meaning:
    """The definition with more attributes: columns of these names."""
    rest = deepcopy(board.rest)
    attributes = rest["table"].setdefault("attributes", {})
    attributes |= {name: name for name in names}
    return read_meaning(replace(board, rest=rest))
