"""How is a JSON file read that is mostly the one before?

In: the text of one file after the other. Out: their values. Start at JsonMemory.value_of().

A board publishes its file again and again, and a few of its rows differ. What begins and ends
with a bracket means the same wherever it stands, so the text of a row that stood in the file
before needs no parsing: its value is known. Values are shared between files; nobody may change
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]  # the stubs lack it
from typing import Any, NamedTuple

Scan = Callable[[str, int], tuple[Any, int]]
MakeObject = Callable[[list[tuple[str, Any]]], Any]

_SPACE = re.compile(r"[ \t\n\r]*")
_BEGINNING = 60  # letters by which an element of a list is looked up
_STEP = 32  # elements that are compared at once
_DEEPEST = 2  # how deep rows are looked for; deeper, whole values are compared


class NotRead(Exception):
    """This text is no JSON of the usual form; a parser that explains errors has to read it."""


class _Known(NamedTuple):
    text: str
    value: Any
    size: int


class _List:
    """A list of the last file.

    Args:
        text: the file.
        starts: where each element begins; that of the next one ends it, so the last has no end.
        values: the elements.
    """

    def __init__(self, text: str, starts: list[int], values: list[Any]):
        self.text, self.starts, self.values = text, starts, values
        self._places: dict[str, int] | None = None

    def same(self, here: int, text: str, at: int) -> int:
        """The first element from `here` on that does not stand in another text, from `at` on."""
        starts, step, begin = self.starts, _STEP, at
        while step:
            if (stop := here + step) < len(starts):
                block = self.text[starts[here] : starts[stop]]
                if text.startswith(block, begin):
                    here, begin = stop, begin + len(block)
                    continue
            step >>= 1
        return here

    def find(self, text: str, at: int, here: int) -> int | None:
        """Which element begins as the one that stands in another text at `at`; mostly `here`."""
        if here + 1 < len(self.starts):
            start = self.starts[here]
            if text.startswith(self.text[start : start + _BEGINNING], at):
                return here
        if self._places is None:
            places = enumerate(self.starts[:-1])
            self._places = {self.text[s : s + _BEGINNING]: number for number, s in places}
        return self._places.get(text[at : at + _BEGINNING])


_NOTHING = _List("", [], [])


class JsonMemory:
    """Reads files, and remembers the lists and objects of the last one.

    Args:
        scan: reads one value from a place on, and says where it ends, as JSONDecoder.scan_once.
        make_object: an object of keys and values, in the order of the file.

    >>> import json
    >>> memory = JsonMemory(json.JSONDecoder().scan_once, dict)
    >>> memory.value_of('{"weights": {"v": 1}, "n": 1}'), memory.value_of('{"weights": {"v": 1}}')
    ({'weights': {'v': 1}, 'n': 1}, {'weights': {'v': 1}})
    """

    def __init__(self, scan: Scan, make_object: MakeObject):
        self._scan, self._make_object = scan, make_object
        self._last: dict[str, _Known] = {}
        self._now: dict[str, _Known] = {}
        self._lists: dict[str, _List] = {}
        self._lists_now: dict[str, _List] = {}

    def value_of(self, text: str) -> Any:
        """The value of one file.

        Raises:
            NotRead: it has to be read otherwise. ValueError: what `make_object` refuses.
            RecursionError: nested too deep.
        """
        try:
            value, end = self._container(text, _after_space(text, 0), 0)
            if _after_space(text, end) != len(text):
                raise NotRead
        except (StopIteration, IndexError):  # as `scan` says that there is no value
            raise NotRead from None
        finally:
            self._last, self._now = self._now, {}
            self._lists, self._lists_now = self._lists_now, {}
        return value

    def _container(self, text: str, at: int, depth: int, key: str = "") -> tuple[Any, int]:
        if text[at] == "[":
            return self._list(text, at + 1, key)
        if text[at] == "{":
            return self._object(text, at + 1, depth)
        return self._scan(text, at)

    def _list(self, text: str, at: int, key: str) -> tuple[list[Any], int]:
        values: list[Any] = []
        starts: list[int] = []
        begin = _after_space(text, at)
        if text[begin] == "]":
            return values, begin + 1
        before, here = self._lists.get(key) or _NOTHING, 0
        while True:
            same = before.same(here, text, begin)
            if same > here:
                moved = begin - before.starts[here]
                values += before.values[here:same]
                starts += [start + moved for start in before.starts[here:same]]
                here, begin = same, before.starts[same] + moved
                continue
            stood = before.find(text, begin, here)
            if stood is not None and stood != here:  # others joined, left or changed places
                here = stood
                continue
            value, end = self._scan(text, begin)
            values.append(value)
            starts.append(begin)
            end = _after_space(text, end)
            if text[end] == "]":
                self._lists_now[key] = _List(text, starts, values)
                return values, end + 1
            begin = _after_comma(text, end)
            here += stood is not None

    def _object(self, text: str, at: int, depth: int) -> tuple[Any, int]:
        pairs: list[tuple[str, Any]] = []
        at = _after_space(text, at)
        if text[at] == "}":
            return self._make_object(pairs), at + 1
        while True:
            if text[at] != '"':
                raise NotRead
            key, at = scanstring(text, at + 1)
            at = _after_space(text, at)
            if text[at] != ":":
                raise NotRead
            value, at = self._member(text, key, _after_space(text, at + 1), depth)
            pairs.append((key, value))
            at = _after_space(text, at)
            if text[at] == "}":
                return self._make_object(pairs), at + 1
            at = _after_comma(text, at)

    def _member(self, text: str, key: str, at: int, depth: int) -> tuple[Any, int]:
        if text[at] not in "[{":
            return self._scan(text, at)
        known = self._last.get(key)
        if known is None or not text.startswith(known.text, at):
            read = self._scan(text, at) if depth >= _DEEPEST else None
            value, end = read or self._container(text, at, depth + 1, key)
            known = _Known(text[at:end], value, end - at)
        elif key in self._lists:
            self._lists_now[key] = self._lists[key]
        self._now[key] = known
        return known.value, at + known.size


def _after_space(text: str, at: int) -> int:
    if text[at : at + 1] > " ":  # mostly there is none
        return at
    found = _SPACE.match(text, at)
    assert found
    return found.end()


def _after_comma(text: str, at: int) -> int:
    if text[at] != ",":
        raise NotRead
    return _after_space(text, at + 1)
