"""What does a JSON file hold?

In: bytes. Out: a TreeDocument, in which numbers are the texts that were printed. Start at parse().
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from history.readers import Memory, Unreadable, refuse_conflict
from history.readers.column_memory import ColumnMemory
from history.readers.json_memory import JsonMemory, NotRead, Scan
from history.readers.limits import check_values
from history.readers.tree import RepeatedKey, TreeDocument, without_repeats

_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_KEY_OR_BRACE = re.compile(r'("(?:[^"\\]++|\\.)*+"?)(\s*:)?|[{}]', re.DOTALL)
_DECODER = json.JSONDecoder(
    parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=without_repeats
)
_SCAN: Scan = _DECODER.scan_once  # type: ignore[attr-defined]  # the stubs lack it


def parse(data: bytes, memory: Memory | None = None) -> TreeDocument:
    """Read a JSON file.

    Args:
        data: the file as published, UTF-8, with or without a byte order mark.
        memory: see `history.readers.parse`.

    Raises:
        Unreadable: it is no JSON.

    >>> parse(b'{"models": [{"id": "fern", "v": 81.20}]}').value
    {'models': [{'id': 'fern', 'v': '81.20'}]}
    """
    check_values(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("not_text", f"not UTF-8 at byte {error.start}") from None
    try:
        return TreeDocument(_value(text, memory), memory=_columns(memory))
    except json.JSONDecodeError as error:
        _refuse(data, text, error)
    except RepeatedKey as error:
        line = _line_of_second(error.key, text)
        raise Unreadable("repeated_key", f"line {line}: {error}" if line else str(error)) from None


def value_of(text: str) -> Any:
    """One JSON value; numbers are the texts that were printed.

    Raises:
        json.JSONDecodeError: it is none.
        RepeatedKey: a key stands twice in one object.
        Unreadable: nested too deep.

    >>> value_of('[81.20, 1e3, NaN, true]')
    ['81.20', '1e3', 'NaN', True]
    """
    try:
        value = _DECODER.decode(text)
        return _encodable(value) if _SURROGATE_ESCAPE.search(text) else value
    except RecursionError:
        raise Unreadable("too_large", "nested too deep") from None


def _value(text: str, memory: Memory | None) -> Any:
    """What value_of() gives, with less work where the file before was much the same."""
    if memory is None or _SURROGATE_ESCAPE.search(text):
        return value_of(text)
    kept = memory.get("json")
    if kept is None:
        kept = memory["json"] = JsonMemory(_SCAN, without_repeats)
    try:
        return kept.value_of(text)
    except (NotRead, ValueError, RecursionError):
        return value_of(text)


def _columns(memory: Memory | None) -> ColumnMemory | None:
    if memory is None:
        return None
    kept: ColumnMemory = memory.setdefault("columns", ColumnMemory())
    return kept


def said_of(error: json.JSONDecodeError, *, within_line: bool = False) -> str:
    """What is no JSON, and where.

    >>> try: _ = json.loads('{"id": "mo')
    ... except json.JSONDecodeError as error: said_of(error)
    'line 1, column 8: Unterminated string'
    """
    line = "" if within_line else f"line {error.lineno}, "
    return f"{line}column {error.colno}: {error.msg.removesuffix(' starting at')}"


def _line_of_second(key: str, text: str) -> int | None:
    """The first line in which a key stands again in one object; None if it is written otherwise.

    >>> _line_of_second("v", '[{"v": {"v": 1}},\\n{"v": "}",\\n"v": 2}]')
    3
    """
    forms = {json.dumps(key), json.dumps(key, ensure_ascii=False)}
    seen: list[bool] = []  # by open object, whether it has the key
    for found in _KEY_OR_BRACE.finditer(text):
        if found[0] == "{":
            seen.append(False)
        elif not seen:  # behind what was read
            break
        elif found[0] == "}":
            seen.pop()
        elif found[2] and found[1] in forms:
            if seen[-1]:
                return text.count("\n", 0, found.start()) + 1
            seen[-1] = True
    return None


def _encodable(value: Any) -> Any:
    """A value in which each half of a letter (an emoji that was cut in two) is U+FFFD.

    JSON can write such a half as an escape; no encoding has a place for it.
    """
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    if isinstance(value, dict):
        return without_repeats([(_encodable(key), _encodable(one)) for key, one in value.items()])
    return value


def _refuse(data: bytes, text: str, error: json.JSONDecodeError) -> NoReturn:
    refuse_conflict(data)
    line_text = text.splitlines()[error.lineno - 1 : error.lineno]
    shown = line_text[0].strip()[:60] if line_text else ""
    raise Unreadable(
        "invalid_json",
        said_of(error) + (f", at {shown!r}" if shown else ""),
    )
