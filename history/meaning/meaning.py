"""What do the cells of a board's file mean?

In: a Board. Out: a Meaning, everything in its definition but name and [source], checked. Start
at read_meaning(). Shapes and records stand in `history.meaning.definition`, the checks in
`history.meaning.checking`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawler.board import Board
from history import readers
from history.frames import MEASURES, SCORE
from history.meaning.checking import Checker
from history.meaning.columns import Column
from history.meaning.definition import (
    Alias,
    AliasTable,
    Borda,
    Columns,
    Direction,
    EditionTable,
    Ignore,
    IgnoreTable,
    Note,
    NoteTable,
    Since,
    TableTable,
    Ties,
    TiesTable,
)
from history.meaning.formula import Formula, Function

# Raised whenever the same definition would give other SCORES or READINGS.
READER_VERSION = 6
# Tables in which a [[since]] changes single keys; any other value is replaced as a whole.
_MERGED = frozenset({"table", "parts", "attributes", "splits", "ties", "edition", "formula"})


@dataclass(frozen=True)
class Meaning:
    """How to understand a board's file.

    Attributes:
        board: whose definition it is.
        table: which cells are what.
        splits: by name, a part, a formula over parts, a Borda count, or a list of parts.
        ties, edition_label: as in the definition; the label is a JSONPath, or a column in which
            all rows say the same.
        edition_block: JSONPath of what the file says of its formula; None if it is not named.
        formula: how the score is made, if known; functions: its helpers.
        aliases, timed_aliases, ignores, notes: as in the definition.
        since: what changes later; `history.readings.stages` knows what holds at a version.
        digest: changes whenever SCORES or READINGS could.
    """

    board: Board
    table: Columns
    splits: Mapping[str, str | list[str] | Borda]
    ties: Ties
    edition_label: str | Column | None
    edition_block: str | None
    formula: Formula | None
    functions: Mapping[str, Function]
    aliases: Mapping[str, str]
    timed_aliases: tuple[Alias, ...]
    ignores: tuple[Ignore, ...]
    notes: tuple[Note, ...]
    since: tuple[Since, ...]
    digest: str

    @property
    def fields(self) -> list[str]:
        """Names of the columns of numbers: the score, the parts, then what else is measured."""
        return [SCORE, *self.table.parts, *self.table.measures]

    def direction(self, field: str) -> Direction:
        """Whether a higher or a lower number of a field is better.

        Raises:
            KeyError: there is no such field.
        """
        return self.table.direction if field == SCORE else self.table.parts[field].direction


def read_meaning(board: Board) -> Meaning:
    """Understand a board's definition, as it is before any of its [[since]] holds.

    Raises:
        BoardError: with the line, what was found there, and what was expected.
    """
    check, rest = Checker(board), board.rest
    if "table" not in rest:
        fix = "Say what the columns mean: [table] with entry, score and direction"
        raise check.wrong((), "there is no [table]", fix)
    tables = _tables(check, rest)
    meaning = Meaning(
        board=board,
        **tables,
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
        since=tuple(check.since(n, one) for n, one in enumerate(rest.get("since", []))),
        digest=_digest(board),
    )
    for number in range(len(meaning.since)):
        changed(meaning, range(number + 1))
    return meaning


def changed(meaning: Meaning, since: Sequence[int]) -> Meaning:
    """The definition where some of its [[since]] hold.

    Args:
        meaning: before any holds.
        since: their numbers, in file order, from 0.

    Raises:
        BoardError: what they make together makes no sense.
    """
    rest = meaning.board.rest
    for number in since:
        rest = _merged(rest, meaning.since[number].changes)
    return replace(meaning, **_tables(Checker(meaning.board, since), rest)) if since else meaning


def _merged(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What a [[since]] makes of the tables before it; false takes a key out.

    >>> _merged({"table": {"score": "a", "parts": {"x": "1", "y": "2"}}},
    ...     {"table": {"score": "b", "parts": {"x": False}}})
    {'table': {'score': 'b', 'parts': {'y': '2'}}}
    """
    made = dict(before)
    for key, value in changes.items():
        if key in _MERGED and isinstance(value, dict):
            made[key] = _merged(made.get(key, {}), value)
        elif value is False:
            made.pop(key, None)
        else:
            made[key] = value
    return made


def _tables(check: Checker, rest: Mapping[str, Any]) -> dict[str, Any]:
    """What a [[since]] can change, understood: some attributes of a Meaning."""
    table = _columns(check, check.table(TableTable, rest["table"], ("table",)))
    ties = check.table(TiesTable, rest.get("ties", {}), ("ties",))
    edition = check.table(EditionTable, rest.get("edition", {}), ("edition",))
    if edition.block is not None:
        check.path(("edition", "block"), edition.block, table.format)
    score, functions = check.formula(rest.get("formula", {}), table.parts, table.format)
    return {
        "table": table,
        "splits": check.splits(rest.get("splits", {}), table.parts, functions),
        "ties": check.ties(ties, table.format, table.measures),
        "edition_label": _edition_label(check, edition.label, table.format),
        "edition_block": edition.block,
        "formula": score,
        "functions": functions,
    }


def _edition_label(
    check: Checker, written: str | dict[str, Any] | None, format_: str | None
) -> str | Column | None:
    """Where the file says which edition it is: a JSONPath, or a column of its rows."""
    keys = ("edition", "label")
    if isinstance(written, dict):
        return check.column(keys, written["column"] if set(written) == {"column"} else written)
    if written is not None and not written.startswith("$"):
        column = f"{{ column = {json.dumps(written, ensure_ascii=False)} }}"
        found = f"label = {written!r} is no JSONPath"
        raise check.wrong(keys, found, f"Write one such as $.label, or label = {column}")
    if written is not None:
        check.path(keys, written, format_)
    return written


def _columns(check: Checker, table: TableTable) -> Columns:
    format_ = table.format or _one_format(check.board)
    check.layout(table, format_)
    wide = table.layout == "wide"
    keyed = wide or table.entry in ("@key", "@file")
    return Columns(
        format=format_,
        rows=table.rows,
        layout=table.layout,
        part=check.optional("part", table.part),
        entry=None if keyed else check.column(("table", "entry"), table.entry),
        name=check.optional("name", table.name),
        score=check.column(("table", "score"), "#1" if wide else table.score),
        direction=table.direction,
        decimals=table.decimals,
        rounding=table.rounding,
        shift=check.shift(table),
        shares=table.scale == "percent",
        scaled="scale" in table.model_fields_set,
        missing=frozenset(text.strip() for text in table.missing),
        parts={
            name: check.part(name, written, table.direction)
            for name, written in table.parts.items()
        },
        measures={
            name: check.column(("table", name), written)
            for name in MEASURES
            if (written := getattr(table, name)) is not None
        },
        published_rank=check.optional("published_rank", table.published_rank),
        published_tie_rank=check.optional("published_tie_rank", table.published_tie_rank),
        tie_rank_counts=table.tie_rank_counts,
        where=check.condition("where", table.where),
        eligible=check.condition("eligible", table.eligible),
        keep=table.keep,
        latest_by=check.optional("latest_by", table.latest_by),
        attributes={
            name: check.column(("table", "attributes", name), written)
            for name, written in table.attributes.items()
        },
        row=check.condition("row", None if table.row == "last" else table.row),
        not_entries=frozenset(table.not_entries or ()),
    )


def _digest(board: Board) -> str:
    """Of everything in a definition that SCORES and READINGS depend on, and of the reader."""
    deciding = {
        key: board.rest.get(key)
        for key in ("table", "edition", "aliases", "alias", "ignore", "since")
    }
    deciding["band"] = board.rest.get("ties", {}).get("band")
    text = json.dumps([READER_VERSION, deciding], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _one_format(board: Board) -> str | None:
    """The format that the names of all files tell, if it is one."""
    formats = {readers.format_of(path) for path in board.source.paths}
    return formats.pop() if len(formats) == 1 else None
