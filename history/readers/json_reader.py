"""Which rows does a JSON file hold?

In: bytes and the JSONPath of the rows. Out: a JsonTable. Start at read(). Numbers stay the text
that was printed; pointers are those of RFC 6901.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NoReturn

from history.readers import Cells, Unreadable, conflict_line, text_of

_NAME = r"(?:\.[^\W\d]\w*|\['[^'\\]*'\]|\[\"[^\"\\]*\"\])"
_SIMPLE = re.compile(rf"\$(?:{_NAME})*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_GONE = object()
_TEXTS = {str, type(None)}


class RepeatedKey(ValueError):
    """An object has one key twice."""


def read(data: bytes, rows: str) -> JsonTable:
    """Read a JSON file.

    Args:
        data: the file as published, UTF-8, with or without a byte order mark.
        rows: JSONPath (RFC 9535) to a list of rows, to an object of rows keyed by entry, or to
            each single row. Filters in it compare texts.

    Raises:
        Unreadable: no JSON, or no rows at that place.

    >>> table = read(b'{"models": [{"id": "fern", "v": 81.20}]}', "$.models")
    >>> table.literal("v")
    Cells(texts=['81.20'], pointers=('/models/0/v',))
    """
    document = _parsed(data)
    steps = simple_path(rows)
    if steps is not None:
        return _at(document, document, rows, steps)
    matches = _query(rows).finditer(document)
    found = [(match.obj, str(match.pointer())) for match in matches]
    if not found:
        raise _nothing_at(rows, document)
    if _query(rows).singular_query():
        value, place = found[0]
        return _container(document, rows, value, place)
    if all(isinstance(value, list) for value, _ in found):
        found = [
            (row, f"{place}/{number}") for value, place in found for number, row in enumerate(value)
        ]
    return JsonTable(
        document, [value for value, _ in found], "", tuple(place[1:] for _, place in found)
    )


class JsonTable:
    """Rows of a JSON file; see `history.readers.Table`."""

    def __init__(
        self,
        document: Any,
        rows: list[Any],
        pointer: str,
        steps: Sequence[str | int],
        keys: list[str] | None = None,
    ):
        self.document, self.rows, self.pointer, self.keys = document, rows, pointer, keys
        self.steps = steps
        self.places: Sequence[int] = range(len(rows))
        self.left_out: list[str] = []
        self._plain = set(map(type, rows)) == {dict}

    def names(self) -> list[str]:
        """Keys of the rows, and paths of what stands one level deeper."""
        names: dict[str, None] = {}
        for row in self.rows:
            for key, value in row.items() if isinstance(row, dict) else ():
                names[key] = None
                if isinstance(value, dict):
                    names.update((f"/{_escaped(key)}/{_escaped(deeper)}", None) for deeper in value)
        return list(names)

    def literal(self, name: str) -> Cells | None:
        """The values under one key."""
        values = self._values(name)
        if values.count(None) == len(values) and not any(
            isinstance(row, dict) and name in row for row in self.rows
        ):
            return None
        return self._cells(values, "/" + _escaped(name))

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
            return self._cells(values, "".join("/" + _escaped(step) for step in steps))
        query = _query(path)
        matches = [query.match(row) for row in self.rows]
        if not any(matches):
            return None
        rows = _pointers(self.pointer, self.steps, "")
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

    def find(self, path: str) -> str | None:
        """The first value that a JSONPath finds in the whole file."""
        steps = simple_path(path)
        if steps is not None:
            value = _walk(self.document, steps)
            return None if value is _GONE else text_of(value)
        match = _query(path).match(self.document)
        return text_of(match.obj) if match else None

    def _cells(self, values: list[Any], suffix: str) -> Cells:
        texts = values if set(map(type, values)) <= _TEXTS else list(map(text_of, values))
        return Cells(texts, _pointers(self.pointer, self.steps, suffix))


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


def _parsed(data: bytes) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("not_text", f"not UTF-8 at byte {error.start}") from None
    try:
        document = json.loads(
            text,
            parse_float=str,
            parse_int=str,
            parse_constant=str,
            object_pairs_hook=_without_repeats,
        )
        return _encodable(document) if _SURROGATE_ESCAPE.search(data) else document
    except json.JSONDecodeError as error:
        _refuse(data, text, error)
    except RepeatedKey as error:
        raise Unreadable("repeated_key", str(error)) from None
    except RecursionError:
        raise Unreadable("too_large", "nested too deep") from None


def _encodable(value: Any) -> Any:
    """A value in which each half of a letter (an emoji that was cut in two) is U+FFFD.

    JSON can write such a half as an escape; no encoding has a place for it.
    """
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    if isinstance(value, dict):
        return _without_repeats([(_encodable(key), _encodable(one)) for key, one in value.items()])
    return value


def _refuse(data: bytes, text: str, error: json.JSONDecodeError) -> NoReturn:
    if line := conflict_line(data):
        raise Unreadable("conflict_markers", f"line {line}: a merge conflict left in the file")
    line_text = text.splitlines()[error.lineno - 1 : error.lineno]
    shown = line_text[0].strip()[:60] if line_text else ""
    raise Unreadable(
        "invalid_json",
        f"line {error.lineno}, column {error.colno}: {error.msg}"
        + (f", at {shown!r}" if shown else ""),
    )


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if key in seen:
                values = f"{text_of(seen[key])} and {text_of(value)}"
                raise RepeatedKey(f"key {key!r} stands twice in one object, with {values[:120]}")
            seen[key] = value
    return made


def _at(document: Any, value: Any, rows: str, steps: Iterable[str]) -> JsonTable:
    """The rows at plain keys."""
    place = ""
    for step in steps:
        if not isinstance(value, dict) or step not in value:
            raise _nothing_at(rows, document)
        value, place = value[step], f"{place}/{_escaped(step)}"
    return _container(document, rows, value, place)


def _container(document: Any, rows: str, value: Any, place: str) -> JsonTable:
    if isinstance(value, list):
        return JsonTable(document, value, place, range(len(value)))
    if isinstance(value, dict):
        keys = list(value)
        escaped = tuple(_escaped(key) for key in keys)
        return JsonTable(document, list(value.values()), place, escaped, keys)
    shown = (text_of(value) or "null")[:40]
    raise Unreadable("no_table", f"{rows} is {shown!r}, neither a list nor an object")


def _nothing_at(rows: str, document: Any) -> Unreadable:
    lists = [f"{path} ({size} rows)" for path, size in _lists(document, "$", 3)][:5]
    known = f"lists of objects in the file: {', '.join(lists)}" if lists else "it holds no list"
    return Unreadable("no_table", f"{rows} finds nothing; {known}")


def _lists(value: Any, path: str, depth: int) -> Iterable[tuple[str, int]]:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        yield path, len(value)
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            plain = re.fullmatch(r"[^\W\d]\w*", key)
            yield from _lists(inner, f"{path}.{key}" if plain else f"{path}[{key!r}]", depth - 1)


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


@lru_cache(maxsize=256)
def _query(path: str) -> Any:
    from jsonpath import JSONPathEnvironment

    return JSONPathEnvironment(strict=True).compile(path)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
