"""In which form does an answer leave the program?

An Answer is made completely before anything is written, so that a command that
fails leaves stdout empty. Start at show().
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app import log
from app.tables import Grid, clean, table

__all__ = ["Answer", "Paste", "clean", "complain", "show", "table", "width", "write"]
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
        foot: lines below the answer for people; they are in the document, and go to stderr
            beside a CSV.
    """

    document: dict[str, Any]
    people: Callable[[], Iterable[Any]]
    header: Sequence[str] = ()
    rows: Iterable[Sequence[Any]] = ()
    banner: str = ""
    notes: Sequence[str] = field(default_factory=tuple)
    foot: Sequence[str] = field(default_factory=tuple)


def show(answer: Answer, form: str | None) -> None:
    """Write an answer: data to stdout, notes to stderr.

    Args:
        answer: what to write.
        form: "json", "csv", or None for people.
    """
    banner = f"RECONSTRUCTION: {clean(answer.banner)}" if answer.banner else ""
    if form == "json":
        text = json_text(answer.document)
    elif form == "csv":
        text = csv_text(answer.header, answer.rows)
        if sys.stdout.isatty():
            text = "\n".join(clean(line) for line in text.split("\n"))
        for line in answer.foot:
            complain(line, "info")
    else:
        above = [banner] if banner else []
        text = people_text([*above, *answer.people(), *answer.foot])
    if banner and form is not None:
        complain(banner)
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


def complain(message: str, level: log.Level = "warning") -> None:
    """Write one line to stderr, whatever the message holds."""
    log.line(message, level)


def close_quietly() -> None:
    """After a broken pipe: let nothing complain about the lost reader at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    lines: list[str] = []
    buffer = io.StringIO()
    # A writer quotes the letters of its own line end alone; a bare CR in a name needs quotes too.
    writer = csv.writer(buffer, lineterminator="\r\n")
    for row in itertools.chain([header], rows):
        writer.writerow([safe_cell(cell) for cell in row])
        lines.append(buffer.getvalue().removesuffix("\r\n") + "\n")
        buffer.seek(0)
        buffer.truncate()
    return "".join(lines)


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
    """Blocks of text, pastes and tables as one text, as wide as the page."""
    from rich.console import Console
    from rich.text import Text

    wide = width()
    raw = io.BytesIO()
    encoding = sys.stdout.encoding or "utf-8"
    target = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", newline="\n")
    console = Console(
        file=target,
        width=wide,
        height=50,  # without one, a dumb terminal has 80 columns
        force_terminal=sys.stdout.isatty(),
        markup=False,
        emoji=False,
        highlight=False,
    )
    for block in blocks:
        for one in block.blocks(wide) if isinstance(block, Grid) else [block]:
            if isinstance(one, str):
                console.width = wide
                lines = [clean(line) for line in one.split("\n")]
                console.print(Text("\n".join(lines)), soft_wrap=isinstance(one, Paste))
            else:
                console.width = PIPE_WIDTH  # its columns have their widths
                console.print(one)
    target.flush()
    text = raw.getvalue().decode(encoding)
    return "\n".join(line.rstrip() for line in text.split("\n"))


class Paste(str):
    """A text to be copied as it stands: no line of it is broken."""


def width() -> int:
    """How many letters a line has: $COLUMNS, else the terminal's, else (in a pipe) any number."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said) > 0:
        return min(int(said), PIPE_WIDTH)
    if not sys.stdout.isatty():
        return PIPE_WIDTH
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except OSError:
        return 80
