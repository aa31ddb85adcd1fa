"""Which rows does a file of objects and lists hold?

In: what a format's reader made of the bytes: dicts, lists, texts, True, False and None. Out: a
TreeDocument and its TreeTables. Start at TreeDocument. Numbers are the texts that were printed;
pointers are those of RFC 6901.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any

from history.counts import counted
from history.readers import Cells, Unreadable, text_of
from history.readers.column_memory import ColumnMemory
from history.readers.limits import MAX_DEPTH, MAX_ROWS, MAX_STEPS, check_rows

_NAME = r"(?:\.[^\W\d]\w*|\['[^'\\]*'\]|\[\"[^\"\\]*\"\])"
_SIMPLE = re.compile(rf"\$(?:{_NAME})*")
_PLAIN = re.compile(r"[^\W\d]\w*")
_GONE = object()
_TEXTS = {str, type(None)}
_DEPTH = 4  # of what tables() looks through
_TABLES = 100  # that it tells
_SHOWN = 60  # letters of a key or a value
_KEPT = 10_000  # rows whose pointers are kept for the next version


class RepeatedKey(ValueError):
    """An object has one key twice.

    Attributes:
        key: that key.
    """

    def __init__(self, key: str, found: str):
        self.key = key
        super().__init__(found)


class TreeDocument:
    """A file of objects and lists; see `history.readers.Document`.

    Args:
        value: what the file holds.
        left_out: what could not be read of it, for people.
        lines: where `value` is the list of the file's lines: the line of each, from 0.
        memory: the columns of the file before, whose unchanged rows are the very same objects.

    >>> document = TreeDocument({"label": "v2", "models": [{"id": "fern", "v": "81.20"}]})
    >>> document.find("$.label"), [rows for rows, _ in document.tables()]
    ('v2', ['$.models'])
    >>> document.table("$.models").literal("v")
    Cells(texts=['81.20'], pointers=('/models/0/v',), lines=None)
    """

    is_tree = True

    def __init__(
        self,
        value: Any,
        left_out: Sequence[str] = (),
        lines: Sequence[int] | None = None,
        memory: ColumnMemory | None = None,
    ):
        self.value = value
        self._left_out = list(left_out)
        self._lines = lines
        self._memory = memory

    def find(self, path: str) -> str | None:
        """The first value that a JSONPath finds in the whole file."""
        steps = simple_path(path)
        if steps is not None:
            value = _walk(self.value, steps)
            return None if value is _GONE else text_of(value)
        match = next(_matches(path, self.value, _Steps()), None)
        return text_of(match.obj) if match else None

    def table(self, rows: str = "") -> TreeTable:
        """The rows at a JSONPath (RFC 9535); without one, at the top.

        It leads to a list of rows, to an object of rows keyed by entry, or to each single row.
        Filters in it compare texts.

        Raises:
            Unreadable: no rows stand there.
        """
        table = self._table(rows or "$")
        table.left_out = list(self._left_out)
        table.memory = self._memory
        return table

    def row(self) -> TreeTable:
        """The whole file as the only row."""
        return TreeTable([self.value], "", ("",), whole=True)

    def tables(self) -> list[tuple[str, TreeTable]]:
        """Every list of objects, and every object of objects, with the JSONPath of it."""
        found = islice(_containers(self.value, "$", _DEPTH), _TABLES)
        return [(path, self.table(path)) for path in found]

    def _table(self, rows: str) -> TreeTable:
        steps = simple_path(rows)
        if steps is not None:
            return self._at(rows, steps)
        matches = _matches(rows, self.value, _Steps())
        found = [(match.obj, self._placed(str(match.pointer()))) for match in matches]
        if not found:
            raise self._nothing_at(rows)
        if _query(rows).singular_query():
            value, place = found[0]
            return _container(rows, value, place)
        if all(isinstance(value, list) for value, _ in found):
            found = [
                (row, f"{place}/{number}")
                for value, place in found
                for number, row in enumerate(value)
            ]
        return TreeTable([value for value, _ in found], "", tuple(place[1:] for _, place in found))

    def _at(self, rows: str, steps: Iterable[str]) -> TreeTable:
        """The rows at plain keys."""
        value, place = self.value, ""
        for step in steps:
            if not isinstance(value, dict) or step not in value:
                raise self._nothing_at(rows)
            value, place = value[step], f"{place}/{escaped(step)}"
        if self._lines is not None and not place:
            return TreeTable(value, place, self._lines)
        return _container(rows, value, place)

    def _placed(self, pointer: str) -> str:
        """A pointer whose first step is the line in the file, if lines are what is read."""
        if self._lines is None or not pointer:
            return pointer
        _, number, *deeper = pointer.split("/")
        return "/".join(["", str(self._lines[int(number)]), *deeper])

    def _nothing_at(self, rows: str) -> Unreadable:
        return Unreadable("no_table", f"{rows} finds nothing; {self._known()}")

    def _known(self) -> str:
        """What rows could have been asked for."""
        lists = [f"{path} ({counted(len(table.rows), 'row')})" for path, table in self.tables()[:5]]
        return f"lists of objects in the file: {', '.join(lists)}" if lists else "it holds no list"


class TreeTable:
    """Rows of a file of objects and lists; see `history.readers.Table`."""

    def __init__(
        self,
        rows: list[Any],
        pointer: str,
        steps: Sequence[str | int],
        keys: list[str] | None = None,
        *,
        whole: bool = False,
    ):
        check_rows(len(rows))
        self.rows, self.pointer, self.keys = rows, pointer, keys
        self.steps = steps
        self.places: Sequence[int] = range(len(rows))
        self.left_out: list[str] = []
        self.memory: ColumnMemory | None = None
        self._plain = set(map(type, rows)) == {dict}
        self._whole = whole

    def names(self) -> list[str]:
        """Keys of the rows, and paths of what stands one level deeper."""
        names: dict[str, None] = {}
        for row in self.rows:
            for key, value in row.items() if isinstance(row, dict) else ():
                names[key] = None
                if isinstance(value, dict):
                    names.update((f"/{escaped(key)}/{escaped(deeper)}", None) for deeper in value)
        return list(names)

    def literal(self, name: str) -> Cells | None:
        """The values under one key."""
        suffix = "/" + escaped(name)
        if known := self._known(name):
            return Cells(known, self._pointers(suffix))
        values = self._values(name)
        if values.count(None) == len(values) and not any(
            isinstance(row, dict) and name in row for row in self.rows
        ):
            return None
        cells = self._cells(values, suffix)
        if self.memory and self._plain and isinstance(cells.texts, list):
            self.memory.keep(self.pointer, name, self.rows, cells.texts)
        return cells

    def _known(self, name: str) -> list[str | None] | None:
        """A column of which most stood in the file before, if that has any text."""
        if not (self.memory and self._plain):
            return None
        texts = self.memory.texts(self.pointer, name, self.rows, lambda row: text_of(row.get(name)))
        return texts if texts and texts.count(None) < len(texts) else None

    def _values(self, name: str) -> list[Any]:
        if not self._plain:
            return [row.get(name) if isinstance(row, dict) else None for row in self.rows]
        try:
            return list(map(itemgetter(name), self.rows))
        except KeyError:
            return [row.get(name) for row in self.rows]

    def inside(self, path: str) -> Cells | None:
        """The values at a JSON pointer, or the first that a JSONPath finds, in each row."""
        steps = pointer_steps(path) if path.startswith("/") else simple_path(path)
        if steps is not None:
            found = [_walk(row, steps) for row in self.rows]
            if all(value is _GONE for value in found):
                return None
            values = [None if value is _GONE else value for value in found]
            return self._cells(values, "".join("/" + escaped(step) for step in steps))
        steps_left = _Steps()
        matches = [next(_matches(path, row, steps_left), None) for row in self.rows]
        if not any(matches):
            return None
        rows = self._pointers("")
        return Cells(
            [text_of(match.obj) if match else None for match in matches],
            [
                place + str(match.pointer()) if match else place
                for match, place in zip(matches, rows, strict=True)
            ],
        )

    def numbered(self, number: int) -> Cells | None:
        """The values at one place of rows that are lists."""
        return self.inside(f"/{number - 1}")

    def _cells(self, values: list[Any], suffix: str) -> Cells:
        texts = values if set(map(type, values)) <= _TEXTS else list(map(text_of, values))
        return Cells(texts, self._pointers(suffix))

    def _pointers(self, suffix: str) -> Sequence[str]:
        if self._whole:
            return (suffix,)
        if len(self.steps) > _KEPT:
            return _pointers.__wrapped__(self.pointer, self.steps, suffix)
        return _pointers(self.pointer, self.steps, suffix)


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of keys and values, in which no key may stand twice.

    Raises:
        RepeatedKey: one does.

    >>> without_repeats([("fern", "81"), ("fern", "12")])
    Traceback (most recent call last):
    history.readers.tree.RepeatedKey: key 'fern' stands twice in one object, with 81 and 12
    """
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if key in seen:
                raise RepeatedKey(key, twice(key, seen[key], value))
            seen[key] = value
    return made


def twice(key: str, one: Any, other: Any) -> str:
    """What is wrong where a key has two values in one object.

    >>> twice("fern", "81", None)
    "key 'fern' stands twice in one object, with 81 and null"
    """
    values = " and ".join((text_of(value) or "null")[:_SHOWN] for value in (one, other))
    shown = key if len(key) <= _SHOWN else f"{key[:_SHOWN]}..."
    return f"key {shown!r} stands twice in one object, with {values}"


@lru_cache(maxsize=256)
def simple_path(path: str) -> tuple[str, ...] | None:
    """The keys of a JSONPath that only names keys; None for any other.

    >>> simple_path("$.formula['tie band.']"), simple_path("$"), simple_path("$.models[*]")
    (('formula', 'tie band.'), (), None)
    """
    if not _SIMPLE.fullmatch(path):
        return None
    return tuple(
        step[1:] if step.startswith(".") else step[2:-2] for step in re.findall(_NAME, path)
    )


def first_key(path: str) -> str | None:
    """The key with which a JSONPath begins; None if it begins otherwise.

    >>> first_key("$.models[?@.v > 1]"), first_key("$['#2'].rows"), first_key("$[*].models")
    ('models', '#2', None)
    """
    found = re.match(rf"\$({_NAME})", path)
    steps = simple_path(f"${found[1]}") if found else None
    return steps[0] if steps else None


@lru_cache(maxsize=256)
def pointer_steps(pointer: str) -> tuple[str, ...]:
    """The keys of a JSON pointer.

    >>> pointer_steps("/validation/a~1b")
    ('validation', 'a/b')
    """
    return tuple(s.replace("~1", "/").replace("~0", "~") for s in pointer.split("/")[1:])


def check_path(path: str) -> str | None:
    """What is wrong with a JSONPath; None if nothing is.

    >>> check_path("$.models[*]") is None, check_path("$.models[")
    (True, 'unexpected end of query')
    """
    if simple_path(path) is not None:
        return None
    from jsonpath import JSONPathError

    try:
        _query(path)
    except JSONPathError as error:
        return str(error).splitlines()[0]
    return None


def _container(rows: str, value: Any, place: str) -> TreeTable:
    if isinstance(value, list):
        return TreeTable(value, place, range(len(value)))
    if isinstance(value, dict):
        keys = list(value)
        steps = tuple(map(escaped, keys))
        return TreeTable(list(value.values()), place, steps, keys)
    shown = (text_of(value) or "null")[:40]
    raise Unreadable("no_table", f"{rows} is {shown!r}, neither a list nor an object")


def _containers(value: Any, path: str, depth: int) -> Iterator[str]:
    inner: Iterable[Any] = ()
    if isinstance(value, list):
        inner = value
    elif isinstance(value, dict):
        inner = value.values()
    if any(isinstance(one, dict) for one in inner) and len(value) <= MAX_ROWS:
        yield path
    if isinstance(value, dict) and depth:
        for key, one in value.items():
            step = f".{key}" if _PLAIN.fullmatch(key) else f"[{key!r}]"
            yield from _containers(one, path + step, depth - 1)


def _walk(value: Any, steps: Iterable[str]) -> Any:
    for step in steps:
        if type(value) is dict:
            value = value.get(step, _GONE)
        elif type(value) is list and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return _GONE
    return value


@lru_cache(maxsize=256)
def _pointers(prefix: str, steps: Sequence[str | int], suffix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}/{step}{suffix}" for step in steps)


class _Steps:
    """How many more values one JSONPath may look at; the library takes 5 microseconds for each."""

    def __init__(self) -> None:
        self.left = MAX_STEPS


def _matches(path: str, value: Any, steps: _Steps) -> Iterator[Any]:
    """What a JSONPath finds in a value.

    Raises:
        Unreadable: the file is too large or nested too deep for it, or it is no JSONPath.
    """
    from jsonpath import JSONPathError
    from jsonpath.exceptions import JSONPathRecursionError

    try:
        segments = _query(path).segments
        # What the library's own finditer() does, but for texts, which that reads as JSON.
        first = _counted()(filter_context={"steps": steps}, obj=value, root=value, path="$")
        matches = iter([first])
        for segment in segments:
            matches = segment.resolve(matches)
        yield from matches
    except (JSONPathRecursionError, RecursionError):
        raise Unreadable("too_large", f"nested too deep for {path}") from None
    except JSONPathError as error:
        raise Unreadable("no_table", f"{path}: {str(error).splitlines()[0]}") from None


@lru_cache(maxsize=256)
def _query(path: str) -> Any:
    from jsonpath import JSONPathEnvironment

    class Environment(JSONPathEnvironment):
        max_recursion_depth = MAX_DEPTH + 10

    return Environment(strict=True).compile(path)


@lru_cache(maxsize=1)
def _counted() -> Any:
    """The class of the values that a JSONPath has looked at."""
    from jsonpath import JSONPathMatch

    class Match(JSONPathMatch):
        __slots__ = ()

        def __init__(
            self, *, filter_context: Any, parent: Any = None, parts: Any = (), **rest: Any
        ):
            super().__init__(filter_context=filter_context, parent=parent, parts=parts, **rest)
            steps = filter_context["steps"]
            steps.left -= 1
            if steps.left < 0:
                said = f"the JSONPath looks at more than {MAX_STEPS:,} values"
                raise Unreadable("too_slow", said)

    return Match


def escaped(key: str) -> str:
    """A key as a step of a JSON pointer.

    >>> escaped("a/b")
    'a~1b'
    """
    return key.replace("~", "~0").replace("/", "~1")
