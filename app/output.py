"""In which form does an answer leave the program?

An Answer is made completely before anything is written, so that a command that
fails leaves stdout empty. Start at show().
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
PIPE_WIDTH = 100_000  # a pipe has no edge: nothing is folded


@dataclass(frozen=True)
class Answer:
    """What a command found.

    Attributes:
        document: the JSON document.
        people: makes the blocks for people: texts, and rich tables.
        header, rows: the same as a table, for --csv; no header where it is none.
        banner: what to know before reading (reconstructions); "" if nothing.
        notes: lines for stderr.
    """

    document: dict[str, Any]
    people: Callable[[], Iterable[Any]]
    header: Sequence[str] = ()
    rows: Iterable[Sequence[Any]] = ()
    banner: str = ""
    notes: Sequence[str] = field(default_factory=tuple)


def show(answer: Answer, form: str | None) -> None:
    """Write an answer: data to stdout, notes to stderr.

    Args:
        answer: what to write.
        form: "json", "csv", or None for people.
    """
    if form == "json":
        text = json_text(answer.document)
    elif form == "csv":
        text = csv_text(answer.header, answer.rows)
        if sys.stdout.isatty():
            text = "\n".join(clean(line) for line in text.split("\n"))
    else:
        text = people_text(answer.people())
    if answer.banner:
        line = f"RECONSTRUCTION: {clean(answer.banner)}"
        if form is None:
            text = f"{line}\n{text}"
        else:
            complain(line)
    for note in answer.notes:
        complain(note)
    write(text)


def write(text: str) -> None:
    """Write to stdout; a reader that has gone away (`| head`) is no trouble."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        close_quietly()


def complain(message: str) -> None:
    """Write one line to stderr, whatever the message holds."""
    click.echo(clean(" ".join(message.split())), err=True)


def close_quietly() -> None:
    """After a broken pipe: let nothing complain about the lost reader at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def progress(message: str) -> None:
    """Say on stderr what is going on, if somebody is watching."""
    if sys.stderr.isatty():
        click.echo(clean(message), err=True)


def json_text(document: dict[str, Any]) -> str:
    """One JSON document; pure ASCII where stdout is no UTF-8.

    >>> json_text({"leader": ["a"]})
    '{\\n  "leader": [\\n    "a"\\n  ]\\n}\\n'
    """
    ascii_only = not (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
    return json.dumps(document, indent=2, ensure_ascii=ascii_only, allow_nan=False) + "\n"


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""A table as CSV that a spreadsheet cannot take for formulas.

    >>> csv_text(["entry", "gain"], [["=1+1", "-1.45"], ["b", None]])
    "entry,gain\n'=1+1,-1.45\nb,\n"
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([safe_cell(name) for name in header])
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def safe_cell(cell: Any) -> Any:
    """A cell that no spreadsheet runs: text that looks like a formula gets an apostrophe.

    >>> [safe_cell(cell) for cell in ("=A1", "-2.5", "-two", "@x", True, -3, None)]
    ["'=A1", '-2.5', "'-two", "'@x", 'true', -3, '']
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r") and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def people_text(blocks: Iterable[Any]) -> str:
    """Blocks of text and tables as one text, as wide as the terminal."""
    from rich.console import Console
    from rich.text import Text

    terminal = sys.stdout.isatty()
    raw = io.BytesIO()
    encoding = sys.stdout.encoding or "utf-8"
    target = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", newline="\n")
    console = Console(
        file=target,
        width=None if terminal else PIPE_WIDTH,
        force_terminal=terminal,
        markup=False,
        emoji=False,
        highlight=False,
    )
    for block in blocks:
        lines = block.split("\n") if isinstance(block, str) else []
        console.print(Text("\n".join(map(clean, lines))) if isinstance(block, str) else block)
    target.flush()
    text = raw.getvalue().decode(encoding)
    return "\n".join(line.rstrip() for line in text.split("\n"))


def table(
    header: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Iterable[str] = ()
) -> Any:
    """A table for people.

    Args:
        header: column names.
        rows: cells; None is shown as an empty cell.
        right: names of the columns to align to the right (numbers).
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    to_right = set(right)
    for name in header:
        made.add_column(
            Text(clean(name)),
            justify="right" if name in to_right else "left",
            overflow="fold",
        )
    for row in rows:
        made.add_row(*[Text("" if cell is None else clean(str(cell))) for cell in row])
    return made


def clean(text: str) -> str:
    r"""Text that cannot steer a terminal: control and direction marks become escapes.

    >>> clean("a\x1b[31mb\u202ec")
    'a\\x1b[31mb\\u202ec'
    """
    if text.isprintable():
        return text
    return "".join(
        char
        if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or char == "\u200d"
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
