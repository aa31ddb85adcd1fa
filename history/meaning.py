"""What do the cells of a board's file mean?

In: a Board. Out: a Meaning, everything in its definition but name and [source], checked. Start
at read_meaning(). Shapes and records stand in `history.definition`, the checks in
`history.checking`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from crawler.board import Board
from history import conditions, readers
from history.checking import Checker
from history.definition import (
    Alias,
    AliasTable,
    Columns,
    Direction,
    EditionTable,
    Ignore,
    IgnoreTable,
    Note,
    NoteTable,
    TableTable,
    Ties,
    TiesTable,
)
from history.formula import Formula, Function
from history.frames import SCORE

# Raised whenever the same definition would give other SCORES or READINGS.
READER_VERSION = 2


@dataclass(frozen=True)
class Meaning:
    """How to understand a board's file.

    Attributes:
        board: whose definition it is.
        table: which cells are what.
        splits: by name, a part, a formula over parts, or a list of parts.
        ties, edition_label: as in the definition; the label is a JSONPath.
        formula: how the score is made, if known; functions: its helpers.
        aliases, timed_aliases, ignores, notes: as in the definition.
        digest: changes whenever SCORES or READINGS could.
    """

    board: Board
    table: Columns
    splits: Mapping[str, str | list[str]]
    ties: Ties
    edition_label: str | None
    formula: Formula | None
    functions: Mapping[str, Function]
    aliases: Mapping[str, str]
    timed_aliases: tuple[Alias, ...]
    ignores: tuple[Ignore, ...]
    notes: tuple[Note, ...]
    digest: str

    @property
    def fields(self) -> list[str]:
        """Names of the columns of numbers: the score, then the parts."""
        return [SCORE, *self.table.parts]

    def direction(self, field: str) -> Direction:
        """Whether a higher or a lower number of a field is better.

        Raises:
            KeyError: there is no such field.
        """
        return self.table.direction if field == SCORE else self.table.parts[field].direction


def read_meaning(board: Board) -> Meaning:
    """Understand a board's definition.

    Raises:
        BoardError: with the line, what was found there, and what was expected.
    """
    check = Checker(board)
    rest = board.rest
    if "table" not in rest:
        fix = "Say what the columns mean: [table] with entry, score and direction"
        raise check.wrong((), "there is no [table]", fix)
    table = _columns(check, check.table(TableTable, rest["table"], ("table",)))
    ties = check.table(TiesTable, rest.get("ties", {}), ("ties",))
    edition = check.table(EditionTable, rest.get("edition", {}), ("edition",))
    if edition.label is not None:
        check.path(("edition", "label"), edition.label, table.format)
    score, functions = check.formula(rest.get("formula", {}), table.parts)
    return Meaning(
        board=board,
        table=table,
        splits=check.splits(rest.get("splits", {}), table.parts, functions),
        ties=check.ties(ties, table.format),
        edition_label=edition.label,
        formula=score,
        functions=functions,
        aliases=check.aliases(rest.get("aliases", {})),
        timed_aliases=tuple(
            Alias(one.key, one.entry, *check.bounds(("alias", n), one.start, one.end))
            for n, one in enumerate(check.tables(AliasTable, "alias"))
        ),
        ignores=tuple(
            check.ignore(n, one) for n, one in enumerate(check.tables(IgnoreTable, "ignore"))
        ),
        notes=tuple(
            Note(one.text, one.source, one.entry, *check.bounds(("note", n), one.start, one.end))
            for n, one in enumerate(check.tables(NoteTable, "note"))
        ),
        digest=_digest(board),
    )


def _columns(check: Checker, table: TableTable) -> Columns:
    format_ = table.format or _one_format(check.board)
    check.layout(table, format_)
    where, eligible = (
        check.understand(("table", key), conditions.parse, text) if text.strip() else None
        for key, text in (("where", table.where), ("eligible", table.eligible))
    )
    for key, condition in (("where", where), ("eligible", eligible)):
        for name in condition.names if condition else ():
            check.column(("table", key), name)
    return Columns(
        format=format_,
        rows=table.rows,
        entry=None if table.entry == "@key" else check.column(("table", "entry"), table.entry),
        name=check.optional("name", table.name),
        score=check.column(("table", "score"), table.score),
        direction=table.direction,
        decimals=table.decimals,
        shift=check.shift(table.scale),
        missing=frozenset(text.strip() for text in table.missing),
        parts={
            name: check.part(name, written, table.direction)
            for name, written in table.parts.items()
        },
        published_rank=check.optional("published_rank", table.published_rank),
        published_tie_rank=check.optional("published_tie_rank", table.published_tie_rank),
        tie_rank_counts=table.tie_rank_counts,
        where=where,
        eligible=eligible,
        keep=table.keep,
        latest_by=check.optional("latest_by", table.latest_by),
        attributes={
            name: check.column(("table", "attributes", name), written)
            for name, written in table.attributes.items()
        },
    )


def _digest(board: Board) -> str:
    """Of everything in a definition that SCORES and READINGS depend on, and of the reader."""
    deciding = {
        key: board.rest.get(key) for key in ("table", "edition", "aliases", "alias", "ignore")
    }
    deciding["band"] = board.rest.get("ties", {}).get("band")
    text = json.dumps([READER_VERSION, deciding], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _one_format(board: Board) -> str | None:
    """The format that the names of all files tell, if it is one."""
    formats = {readers.format_of(path) for path in board.source.paths}
    return formats.pop() if len(formats) == 1 else None
