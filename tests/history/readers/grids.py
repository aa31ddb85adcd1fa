"""What a document of cells holds, in a form that a test can compare."""

from __future__ import annotations

from history.readers import Table, parse


def shown(table: Table) -> list[list[str | None]]:
    """Names and rows."""
    names = table.names()
    cells = [table.literal(name) or table.inside(name) for name in names]
    return [names, *map(list, zip(*(column.texts for column in cells), strict=True))]


def tables(format_: str, text: str | bytes) -> list[list[list[str | None]]]:
    """All tables of a file."""
    data = text.encode() if isinstance(text, str) else text
    return [shown(table) for _, table in parse(format_, data).tables()]


def table(format_: str, text: str | bytes, rows: str = "") -> Table:
    """One table."""
    return parse(format_, text.encode() if isinstance(text, str) else text).table(rows)
