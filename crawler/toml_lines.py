"""On which line of a TOML file does a key stand?

The TOML reader of the standard library does not say. Start at line_of().
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_DOTTED = rf"({_PART}(?:\s*\.\s*{_PART})*)"
_HEADER = re.compile(rf"\s*(\[\[?)\s*{_DOTTED}\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(rf"\s*{_DOTTED}\s*=")


def line_of(text: str, *keys: str | int) -> int | None:
    """Line of a key in a TOML text, from 1; of the deepest table around it if it is missing.

    An integer counts the tables of an array, from 0.

    >>> line_of("[source]\\nkind = 'git'\\n[[note]]\\n[[note]]\\ntext = 'x'", "note", 1, "text")
    5
    >>> line_of("[source]\\nkind = 'git'", "source", "branch")
    1
    """
    places = list(_places(text))
    for depth in range(len(keys), 0, -1):
        for place, line in places:
            if place[:depth] == keys[:depth]:
                return line
    return None


def _places(text: str) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Every key and table header of a TOML text, with its line."""
    table: tuple[str | int, ...] = ()
    counts: dict[tuple[str | int, ...], int] = {}
    quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        inside = bool(quotes)
        for mark in re.findall(r'"""|\'\'\'', line):
            quotes = "" if quotes == mark else quotes or mark
        if inside:
            continue
        if found := _HEADER.fullmatch(line):
            table = _split_key(found[2])
            if found[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            else:
                for depth in range(len(table) - 1, 0, -1):
                    if table[:depth] in counts:
                        table = (*table[:depth], counts[table[:depth]], *table[depth:])
                        break
            yield table, number
        elif found := _KEY.match(line):
            yield (*table, *_split_key(found[1])), number


def _split_key(dotted: str) -> tuple[str | int, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_PART, dotted))
