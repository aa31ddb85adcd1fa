"""Does a board's definition make sense?

In: values as written. Out: what they mean, or a BoardError that names the line, what was found
there and what was expected. One Checker per definition; `history.meaning` asks it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from crawler.board import FILE_NAME, Board, BoardError, line_of, nearest
from history import formula, frames, readers
from history.columns import Column, column
from history.definition import (
    Bound,
    Direction,
    Ignore,
    IgnoreTable,
    Part,
    PartTable,
    TableTable,
    Ties,
    TiesTable,
)

Keys = tuple[str | int, ...]
_Model = TypeVar("_Model", bound=BaseModel)
_Understood = TypeVar("_Understood")


class Checker:
    """Turns what a definition says into what it means, and knows the lines for errors."""

    def __init__(self, board: Board):
        self.board = board
        inside = board.folder / FILE_NAME
        self.file: Path = inside if inside.exists() else board.folder / f"{board.name}.toml"

    def wrong(self, keys: Keys, found: str, fix: str) -> BoardError:
        """An error at the line of a key."""
        line = line_of(self.board.text, *keys)
        return BoardError(f"{self.file}:{line}" if line else str(self.file), found, fix)

    def understand(
        self, keys: Keys, read: Callable[[Any], _Understood], written: Any
    ) -> _Understood:
        """Read a value with a function that raises ValueError."""
        try:
            return read(written)
        except ValueError as error:
            raise self.wrong(keys, f"{keys[-1]}: {error}", "Mend it") from None

    def table(self, model: type[_Model], content: Any, keys: Keys) -> _Model:
        """One table of the definition, its keys and types checked."""
        title = "[[" + str(keys[0]) + "]]" if len(keys) > 1 else f"[{keys[0]}]"
        try:
            return model.model_validate(content)
        except ValidationError as error:
            # A misspelt key is unknown and makes another one missing: the first says more.
            problems = error.errors(include_url=False)
            problem = min(problems, key=lambda one: one["type"] != "extra_forbidden")
        loc = [part for part in problem["loc"] if isinstance(part, str)]
        key = loc[0] if loc else ""
        known = [field.alias or name for name, field in model.model_fields.items()]
        if problem["type"] == "extra_forbidden":
            near = nearest(key, known)
            fix = f"Did you mean {' or '.join(near)}?" if near else f"Known are {', '.join(known)}"
            raise self.wrong((*keys, key), f"unknown key {key!r} in {title}", fix)
        if problem["type"] == "missing":
            raise self.wrong(keys, f"{title} has no {key!r}", f"Add it{_HINTS.get(key, '')}")
        expected = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
        found = f"{key} = {_shown(problem['input'])}"
        raise self.wrong((*keys, *loc), found, f"It {expected}")

    def tables(self, model: type[_Model], key: str) -> list[_Model]:
        """All tables of one list."""
        return [
            self.table(model, one, (key, n)) for n, one in enumerate(self.board.rest.get(key, []))
        ]

    def layout(self, table: TableTable, format_: str | None) -> None:
        """Formats and layouts, and keys that do not go together."""
        known = ", ".join(readers.FORMATS)
        if format_ is not None and format_ not in readers.FORMATS:
            fix = f"This version reads {known}"
            raise self.wrong(("table", "format"), f"no format {format_!r}", fix)
        unnamed = [p for p in self.board.source.paths if readers.format_of(p) is None]
        if format_ is None and unnamed:
            found = f"the name {unnamed[0]!r} does not tell the format"
            raise self.wrong(("table",), found, f"Write format = ..., one of {known}")
        if table.layout != "rows":
            found = f"layout {table.layout!r} is not read yet"
            raise self.wrong(("table", "layout"), found, 'This version reads layout "rows"')
        for key in ("row", "not_entries"):
            if getattr(table, key) is not None:
                found = f'{key} belongs to layout "wide", which is not read yet'
                raise self.wrong(("table", key), found, "Take it out")
        if table.entry == "@file":
            found = 'entry "@file" goes with patterns of files, which are not read yet'
            raise self.wrong(("table", "entry"), found, "Name the column of the key")
        if table.entry == "@key" and format_ in ("csv", "tsv"):
            fix = "Name the column of the key"
            raise self.wrong(("table", "entry"), "a CSV file has no object keyed by entry", fix)
        if table.rows:
            self.path(("table", "rows"), table.rows, format_)
        if (table.keep == "latest") != (table.latest_by is not None):
            fix = 'keep = "latest" goes with latest_by = the column that says which is latest'
            raise self.wrong(("table", "keep"), "keep and latest_by do not go together", fix)
        for key in ("low", "high", "se", "items"):
            self.optional(key, getattr(table, key))

    def path(self, keys: Keys, path: str, format_: str | None) -> None:
        """A JSONPath in the whole file."""
        if format_ in ("csv", "tsv"):
            fix = "Take it out: a CSV file holds nothing but its rows"
            raise self.wrong(keys, f"{keys[-1]} = {path!r} in a CSV file", fix)
        from history.readers.tree import check_path

        wrong = "it begins with $" if not path.startswith("$") else check_path(path)
        if wrong:
            found = f"{keys[-1]} = {path!r} is no JSONPath"
            raise self.wrong(keys, found, f"Write one such as $.models ({wrong})")

    def column(self, keys: Keys, written: Any) -> Column:
        """A column."""
        return self.understand(keys, column, written)

    def optional(self, key: str, written: Any) -> Column | None:
        """A column of [table] that need not be named."""
        return None if written is None else self.column(("table", key), written)

    def part(self, name: str, written: Any, direction: Direction) -> Part:
        """A part of the score: a column, or a table with its own direction."""
        keys = ("table", "parts", name)
        if not name.strip() or name in frames.RESERVED_FIELDS:
            taken = ", ".join(sorted(frames.RESERVED_FIELDS))
            raise self.wrong(keys, f"a part cannot be named {name!r}", f"Taken are {taken}")
        if isinstance(written, dict) and "direction" in written:
            table = self.table(PartTable, written, keys)
            return Part(self.column(keys, table.column), table.direction)
        if isinstance(written, dict) and set(written) == {"column"}:
            written = written["column"]
        return Part(self.column(keys, written), direction)

    def shift(self, scale: int | float) -> int:
        """The power of ten that printed values are multiplied by."""
        number = Decimal(repr(scale)).normalize()
        shift = number.adjusted() if number.is_finite() else 0
        if number != Decimal(1).scaleb(shift) or abs(shift) > 12:
            fix = "Use a power of ten, such as 100 or 0.01, so that decimals stay decimals"
            raise self.wrong(("table", "scale"), f"scale = {scale}", fix)
        return shift

    def ties(self, table: TiesTable, format_: str | None) -> Ties:
        """The tie rule."""
        keys = ("ties", "band")
        if table.rule == "interval":
            fix = "This version knows anchored, chain, pairwise, none"
            raise self.wrong(("ties", "rule"), "rule 'interval' is not read yet", fix)
        if (table.rule == "none") != (table.band is None):
            found = (
                f"rule {table.rule!r} "
                + ("with" if table.rule == "none" else "without")
                + " a band"
            )
            raise self.wrong(keys, found, "Every rule but none has a band")
        if isinstance(table.band, str):
            self.path(keys, table.band, format_)
            return Ties(table.rule, None, table.band, table.edge)
        if table.band is None:
            return Ties(table.rule, edge=table.edge)
        if not 0 <= table.band < float("inf"):
            raise self.wrong(keys, f"band = {table.band}", "Write a number from 0 on")
        return Ties(table.rule, repr(table.band), None, table.edge)

    def splits(
        self, written: Any, parts: Mapping[str, Part], functions: Mapping[str, formula.Function]
    ) -> dict[str, str | list[str]]:
        """Named views: parts, formulas over parts, lists of parts."""
        splits: dict[str, str | list[str]] = {}
        for name, value in written.items():
            keys = ("splits", name)
            if not name.strip() or name == frames.SCORE:
                raise self.wrong(keys, f"a split cannot be named {name!r}", "Take another name")
            if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
                for one in value:
                    self._known_part(keys, one, parts)
            elif not isinstance(value, str) or not value.strip():
                fix = "Write a part, a formula over parts, or a list of parts"
                raise self.wrong(keys, f"{name} = {_shown(value)}", fix)
            elif value not in parts:
                self.arithmetic(keys, value, parts, functions)
            if name in parts and value != name:
                fix = f'Write {name} = "{name}", or take another name'
                raise self.wrong(keys, f"{name!r} is a part and a split of something else", fix)
            splits[name] = value
        return splits

    def _known_part(self, keys: Keys, name: str, parts: Mapping[str, Part]) -> None:
        if name not in parts:
            near = nearest(name, parts) or list(parts)
            fix = f"Parts are {', '.join(near)}" if near else "Name the parts in [table.parts]"
            raise self.wrong(keys, f"{keys[-1]}: there is no part {name!r}", fix)

    def arithmetic(
        self,
        keys: Keys,
        text: str,
        parts: Mapping[str, Part],
        functions: Mapping[str, formula.Function],
        *,
        paths: bool = False,
    ) -> formula.Formula:
        """A formula over parts, and over paths in the file where these may stand."""
        read = self.understand(keys, lambda one: formula.parse(one, functions), text)
        for name in read.names:
            if not (paths and name.startswith("$")):
                self._known_part(keys, name, parts)
        return read

    def formula(
        self, written: Mapping[str, Any], parts: Mapping[str, Part]
    ) -> tuple[formula.Formula | None, dict[str, formula.Function]]:
        """How the score is made, and the helpers for saying so."""
        for key, text in written.items():
            if not isinstance(text, str):
                fix = "Write a formula as a text in quotes"
                raise self.wrong(("formula", key), f"{key} = {_shown(text)}", fix)
        helpers = {key: text for key, text in written.items() if key != frames.SCORE}
        try:
            functions = formula.helpers(helpers)
        except formula.FormulaError as error:
            raise self.wrong(("formula", str(error).split(":")[0]), str(error), "Mend it") from None
        if frames.SCORE not in written:
            return None, functions
        keys = ("formula", frames.SCORE)
        return self.arithmetic(keys, written[frames.SCORE], parts, functions, paths=True), functions

    def aliases(self, written: Mapping[str, Any]) -> dict[str, str]:
        """Other keys of an entry."""
        for key, entry in written.items():
            if not isinstance(entry, str) or not entry.strip() or not key.strip():
                fix = 'Write "key in the file" = "entry"'
                raise self.wrong(("aliases", key), f"{key} = {_shown(entry)}", fix)
            if entry in written and written[entry] != entry:
                fix = f"Write {key!r} = {written[entry]!r}"
                raise self.wrong(("aliases", key), f"{entry!r} is itself an alias", fix)
        return dict(written)

    def ignore(self, number: int, table: IgnoreTable) -> Ignore:
        """One [[ignore]]: at a commit, or for a time."""
        keys = ("ignore", number)
        timed = table.start is not None or table.end is not None
        if timed == (table.commit is not None):
            fix = "Write commit = ..., or from and until"
            raise self.wrong(keys, "[[ignore]] names a commit and a time, or neither", fix)
        commit, _ = self.bounds(keys, table.commit, None, ("commit", "commit"))
        if isinstance(commit, datetime):
            raise self.wrong((*keys, "commit"), "commit is a date", "Write a commit id")
        return Ignore(commit, *self.bounds(keys, table.start, table.end), table.entry, table.why)

    def bounds(
        self, keys: Keys, start: Any, end: Any, names: tuple[str, str] = ("from", "until")
    ) -> tuple[Bound, Bound]:
        """Commits in lower case, or times in UTC; a date is the beginning of that UTC day."""
        found = tuple(
            self.understand((*keys, name), _bound, value)
            for name, value in zip(names, (start, end), strict=True)
        )
        return found[0], found[1]


_HINTS = {
    "direction": ': direction = "higher" or "lower" says which score is better',
    "entry": ": the column of the stable key",
    "score": ": the column that is ranked",
    "why": ": what is wrong there",
}


def _bound(written: str | date | datetime | None) -> Bound:
    """A commit or a time.

    >>> _bound("2026-10-20"), _bound("ABCDEF1")
    (datetime.datetime(2026, 10, 20, 0, 0, tzinfo=datetime.timezone.utc), 'abcdef1')
    """
    if written is None:
        return None
    if isinstance(written, str):
        folded = written.strip().lower()
        if 7 <= len(folded) <= 40 and set(folded) <= set("0123456789abcdef"):
            return folded
        try:
            written = datetime.fromisoformat(written.strip())
        except ValueError:
            raise ValueError(
                f"{written!r} is neither a commit (7 to 40 hex digits) nor a date"
            ) from None
    if not isinstance(written, datetime):
        written = datetime.combine(written, time())
    if written.tzinfo is None:
        return written.replace(tzinfo=UTC)
    try:
        return written.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{written} is no time of the years 1 to 9999 in UTC") from None


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
