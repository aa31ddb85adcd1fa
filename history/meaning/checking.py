"""Does a board's definition make sense?

In: values as written. Out: what they mean, or a BoardError that names the line, what was found
there and what was expected. One Checker per definition, and one for each [[since]] added to it;
`history.meaning.meaning` asks it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from crawler.board import FILE_NAME, Board, BoardError, did_you_mean, line_of, nearest
from history import frames, readers
from history.meaning import conditions, formula
from history.meaning.columns import Column, column
from history.meaning.definition import (
    Borda,
    Bound,
    Direction,
    Ignore,
    IgnoreTable,
    Part,
    PartTable,
    Since,
    SinceTable,
    TableTable,
    Ties,
    TiesTable,
)

Keys = tuple[str | int, ...]
_Model = TypeVar("_Model", bound=BaseModel)
_Understood = TypeVar("_Understood")


class Checker:
    """Turns what a definition says into what it means, and knows the lines for errors."""

    def __init__(self, board: Board, since: Sequence[int] = ()):
        self.board, self._since = board, since
        inside = board.folder / FILE_NAME
        self.file: Path = inside if inside.exists() else board.folder / f"{board.name}.toml"

    def wrong(self, keys: Keys, found: str, fix: str) -> BoardError:
        """An error at the line of a key."""
        line = line_of(self.board.text, *self._place(keys))
        return BoardError(f"{self.file}:{line}" if line else str(self.file), found, fix)

    def _place(self, keys: Keys) -> Keys:
        """Where to look for a key: in the last [[since]], as without it all made sense."""
        if not self._since:
            return keys
        number = self._since[-1]
        inside: Any = self.board.rest["since"][number]
        for key in keys:
            inside = inside.get(key) if isinstance(inside, dict) else None
        return ("since", number) if inside is None else ("since", number, *keys)

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
            fix = did_you_mean(key, known, "Known are")
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
        self._of_layout(table, format_)
        if (table.entry == "@file") != self.board.file_per_entry:
            found = 'a [[since]] changes entry to or from "@file"'
            fix = "Track the two times as two boards, with starts = ..."
            raise self.wrong(("since",), found, fix)
        if table.entry == "@file" and table.layout != "rows":
            found = f'layout "{table.layout}" where every file holds one entry'
            raise self.wrong(("table", "layout"), found, "Take it out")
        if (table.layout == "long") != (table.part is not None):
            fix = 'layout = "long" goes with part = the column that says of which part a row is'
            raise self.wrong(("table", "layout"), "layout and part do not go together", fix)
        if table.layout == "long" and table.entry == "@key":
            fix = "Name the column of the key: an object has one row per key"
            raise self.wrong(("table", "entry"), 'entry = "@key" in layout "long"', fix)
        if table.entry == "@key" and format_ is not None and format_ not in readers.TREES:
            found = f"a file of format {format_} has no object keyed by entry"
            raise self.wrong(("table", "entry"), found, "Name the column of the key")
        # A heading, a caption or a number is as good in a text.
        if table.rows and (format_ not in readers.TEXTS or table.rows.startswith("$")):
            self.path(("table", "rows"), table.rows, format_)
        if (table.keep == "latest") != (table.latest_by is not None):
            fix = 'keep = "latest" goes with latest_by = the column that says which is latest'
            raise self.wrong(("table", "keep"), "keep and latest_by do not go together", fix)

    def _of_layout(self, table: TableTable, format_: str | None) -> None:
        """Keys that a layout needs, and those that mean nothing in it."""
        if table.layout == "wide":
            for key in sorted(table.model_fields_set - _OF_WIDE):
                fix = "Take it out: every column but those in not_entries is an entry"
                raise self.wrong(("table", key), f'{key} in layout "wide"', fix)
            if table.row is None:
                fix = 'Say which row counts: row = "last", or a condition such as row = "day == \'7\'"'
                raise self.wrong(("table", "layout"), 'layout "wide" without row', fix)
            return
        for key in ("row", "not_entries"):
            if getattr(table, key) is not None:
                fix = 'Write layout = "wide", or take it out'
                raise self.wrong(("table", key), f'{key} without layout "wide"', fix)
        for key in ("entry", "score"):
            if getattr(table, key) is None:
                fix = f"Add it{_HINTS[key]}"
                raise self.wrong(("table",), f"[table] has no {key!r}", fix)
        if table.layout == "columns" and format_ is not None and format_ not in readers.TREES:
            found = f'layout "columns" in a file of format {format_}'
            fix = "Take it out: it is for objects of lists, as JSON and YAML can hold"
            raise self.wrong(("table", "layout"), found, fix)

    def condition(self, key: str, written: str | None) -> conditions.Condition | None:
        """A condition of [table] on a row; None if there is none."""
        if written is None or not written.strip():
            return None
        condition = self.understand(("table", key), conditions.parse, written)
        for name in condition.names:
            self.column(("table", key), name)
        return condition

    def path(self, keys: Keys, path: str, format_: str | None) -> None:
        """A JSONPath in the whole file."""
        if format_ in readers.FORMATS and format_ not in readers.TREES | readers.TEXTS:
            found = f"{keys[-1]} = {path!r} in a file of format {format_}"
            label = 'Write label = { column = "NAME" }, for a column in which all rows say the same'
            fix = label if keys == ("edition", "label") else "Take it out"
            raise self.wrong(keys, found, f"{fix}: it holds nothing but its rows")
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

    def shift(self, table: TableTable) -> int:
        """The power of ten that all printed values are multiplied by."""
        scale = table.scale
        if isinstance(scale, str):
            for key in ("low", "high", "se"):
                if getattr(table, key) is not None:
                    found = f'{key} beside scale = "percent"'
                    fix = "Take it out: it would not tell which of its numbers are shares of 1"
                    raise self.wrong(("table", key), found, fix)
            return 0
        number = Decimal(repr(scale)).normalize()
        shift = number.adjusted() if number.is_finite() else 0
        if number != Decimal(1).scaleb(shift) or abs(shift) > 12:
            fix = "Use a power of ten, such as 100 or 0.01, so that decimals stay decimals"
            raise self.wrong(("table", "scale"), f"scale = {scale}", fix)
        return shift

    def ties(self, table: TiesTable, format_: str | None, measures: Collection[str] = ()) -> Ties:
        """The tie rule; interval goes by what the table says of low and high, or of se."""
        keys = ("ties", "band")
        bandless = table.rule in ("none", "interval")
        if table.rule == "interval" and not ({"low", "high"} <= {*measures} or "se" in measures):
            fix = "Name the columns low and high in [table], or se"
            raise self.wrong(("ties", "rule"), "rule 'interval' without intervals", fix)
        if bandless != (table.band is None):
            found = f"rule {table.rule!r} " + ("with" if bandless else "without") + " a band"
            raise self.wrong(keys, found, "Every rule but interval and none has a band")
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
    ) -> dict[str, str | list[str] | Borda]:
        """Named views: parts, formulas over parts, Borda counts, lists of parts."""
        splits: dict[str, str | list[str] | Borda] = {}
        for name, value in written.items():
            keys = ("splits", name)
            if not name.strip() or name == frames.SCORE:
                raise self.wrong(keys, f"a split cannot be named {name!r}", "Take another name")
            counted = (
                value["borda"] if isinstance(value, dict) and set(value) == {"borda"} else None
            )
            listed = value if counted is None else counted
            if isinstance(listed, list) and listed and all(isinstance(one, str) for one in listed):
                for one in listed:
                    self._known_part(keys, one, parts)
                if counted is not None:
                    value = Borda(tuple(dict.fromkeys(counted)))
            elif not isinstance(value, str) or not value.strip():
                fix = "Write a part, a formula over parts, { borda = [...] }, or a list of parts"
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
            if later := self._later_with(name):
                moved = ".".join(map(str, keys))
                fix = f"Only [[since]] number {later} has it: move {moved} into that [[since]], too"
            raise self.wrong(keys, f"{keys[-1]}: there is no part {name!r}", fix)

    def _later_with(self, part: str) -> int | None:
        """The first [[since]], from 1, of those that do not hold yet, that brings a part."""
        for number, one in enumerate(self.board.rest.get("since", [])):
            table = one.get("table") if isinstance(one, dict) else None
            parts = table.get("parts") if isinstance(table, dict) else None
            if number not in self._since and isinstance(parts, dict) and parts.get(part):
                return number + 1
        return None

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
        self, written: Mapping[str, Any], parts: Mapping[str, Part], format_: str | None = None
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
        score = self.arithmetic(keys, written[frames.SCORE], parts, functions, paths=True)
        for path in score.paths:
            self.path(keys, path, format_)
        return score, functions

    def since(self, number: int, written: Mapping[str, Any]) -> Since:
        """One [[since]]: when it begins, and what it changes."""
        keys: Keys = ("since", number)
        for key, fix in _NOT_IN_SINCE.items():
            if key in written:
                raise self.wrong((*keys, key), f"{key} in [[since]]", fix)
        table = self.table(SinceTable, written, keys)
        if [table.commit, table.date, table.when].count(None) != 2:
            found = "[[since]] does not say, in one way, where it begins"
            raise self.wrong(keys, found, "Write one of commit = ..., date = ..., when = ...")
        changes = {
            key: getattr(table, key) for key in SinceTable.model_fields if key in _CHANGED_BY_SINCE
        }
        if not any(changes.values()):
            fix = "Write what, such as table.score = ..."
            raise self.wrong(keys, "[[since]] changes nothing", fix)
        if table.when is not None and self.board.file_per_entry:
            found = "when is asked of one file, and here every file holds one entry"
            raise self.wrong((*keys, "when"), found, "Write commit = ... or date = ...")
        when = None if table.when is None else self._when((*keys, "when"), table.when)
        commit, date = self.bounds(keys, table.commit, table.date, ("commit", "date"))
        for key, bound, other in (("commit", commit, datetime), ("date", date, str)):
            if isinstance(bound, other):
                fix = f"Write {'date' if key == 'commit' else 'commit'} = ..."
                raise self.wrong((*keys, key), f"{key} is no {key}", fix)
        return Since(commit or date, when, changes)

    def _when(self, keys: Keys, written: str) -> conditions.Condition:
        """A condition on a file: what stands at its paths, and which columns exist."""
        condition = self.understand(keys, conditions.parse, written)
        for name in condition.names:
            if name.startswith("$"):
                self.column(keys, name)
            elif name in condition.compared:
                found = f"when: {name!r} is a column, which has as many values as rows"
                fix = f'Ask whether there is one, "{name}" exists, or for a path such as $.{name}'
                raise self.wrong(keys, found, fix)
        return condition

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


_CHANGED_BY_SINCE = frozenset({"table", "splits", "ties", "edition", "formula"})
_NOT_IN_SINCE = {
    "source": 'Write all files into [source], paths = ["old.csv", "new.json"]: the first that '
    "exists at a commit counts",
    "aliases": "Write [[alias]] with from = ...",
}
_OF_WIDE = frozenset(
    ("format", "rows", "direction", "decimals", "rounding", "scale", "missing", "layout")
) | {"row", "not_entries"}
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
