"""In which form do lines reach stderr?

As text for people, or as one JSON object a line for machines (`--log json`). All that the program
says on stderr passes through line(), which leaves secrets out. Start at listening().
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from app.tables import clean

Level = Literal["info", "warning", "error"]

FORMS = ("auto", "text", "json")
VARIABLE = "RANKTRAIL_LOG"
_BOARD = re.compile(r"([\w.-]+): (.+)")
_SECRETS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
_SHORTEST_SECRET = 8


@dataclass
class _Log:
    """Where lines go.

    Attributes:
        form: one of FORMS.
        store: folder of the boards: says which first words of a line are boards.
        stream: stderr behind what catches the lines of others; None where there is no catching.
        above: prints a line above the bars, while there are bars.
        lock: lines of several threads do not mix.
    """

    form: str = "auto"
    store: Path | None = None
    stream: TextIO | None = None
    above: Callable[[str], None] | None = None
    lock: Any = field(default_factory=threading.RLock)


_log = _Log()


def chosen(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The form that somebody asked for, before the command line is taken apart.

    What is wrong with the command line has to be said in that form, too.

    >>> chosen(["--store", "x", "--log", "json", "crawl"], {}), chosen(["crawl", "--log=json"], {})
    ('json', 'auto')
    >>> chosen(["crawl"], {"RANKTRAIL_LOG": "text"}), chosen(["--log", "xml"], {})
    ('text', 'auto')
    """
    found = environment.get(VARIABLE) or FORMS[0]
    left = iter(arguments)
    for argument in left:
        if not argument.startswith("-"):
            break
        name, given, value = argument.partition("=")
        if name in ("--log", "--store") and not given:
            value = next(left, "")
        if name == "--log":
            found = value
    return found if found in FORMS else FORMS[0]


@contextmanager
def listening(form: str) -> Iterator[None]:
    """While this lasts, lines have a form; as JSON, those that others write to stderr have it too."""
    before = (_log.form, _log.store, _log.stream, _log.above)
    stderr, handlers = sys.stderr, logging.root.handlers[:]
    _log.form, _log.store, _log.stream, _log.above = form, None, None, None
    try:
        if form == "json" and stderr is not None:
            _log.stream = stderr
            sys.stderr = _Others()
            logging.root.addHandler(_FromLogging(logging.WARNING))
            logging.captureWarnings(True)
        yield
    finally:
        if sys.stderr is not stderr:
            sys.stderr.flush()
            sys.stderr = stderr
            logging.root.handlers[:] = handlers
            logging.captureWarnings(False)
        _log.form, _log.store, _log.stream, _log.above = before


def form() -> str:
    """One of FORMS."""
    return _log.form


def boards_are_in(folder: Path) -> None:
    """From here on the first word of a line may be a board of this store."""
    _log.store = folder


def bars_are_below(above: Callable[[str], None] | None) -> None:
    """From here on lines are printed by `above`; None: there are no bars any more."""
    _log.above = above


def line(text: str, level: Level = "info", **more: Any) -> None:
    """Say one line on stderr, whatever it holds; may be called from any thread.

    Args:
        text: runs of white space become one space, secrets are left out.
        level: info, warning or error.
        more: further fields, in JSON only.
    """
    said = clean(without_secrets(" ".join(text.split())))
    if _log.form != "json":
        _write(said)
        return
    board, rest = _board_of(said)
    record = {"time": _now(), "level": level, "board": board, "text": rest}
    _write(json.dumps(record | {name: _safe(value, board) for name, value in more.items()}))


def without_secrets(text: str) -> str:
    """A text without logins in addresses, and without tokens."""
    from crawler.source import redact

    for name in _SECRETS:
        secret = os.environ.get(name, "").strip()
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "***")
    return redact(text)


def _safe(value: Any, board: str | None) -> Any:
    if not isinstance(value, str):
        return value
    return clean(without_secrets(value)).removeprefix(f"{board}: ")


def _board_of(text: str) -> tuple[str | None, str]:
    """The board that a line is about, and the rest of the line."""
    match = _BOARD.fullmatch(text)
    if match is None or _log.store is None:
        return None, text
    there = (_log.store / match[1] / "board.toml").is_file()
    return (match[1], match[2]) if there else (None, text)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _write(said: str) -> None:
    """One whole line; a stderr that takes nothing must not end what was going well."""
    with _log.lock:
        stream = _log.stream or sys.stderr
        with suppress(OSError):
            if _log.above is not None:
                _log.above(said)
            elif stream is not None:
                stream.write(f"{said}\n")
                stream.flush()


class _Others(io.TextIOBase):
    """What stderr is for libraries, warnings and tracebacks while lines are JSON."""

    def __init__(self) -> None:
        self._rest = ""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """What is written is ASCII."""
        return "utf-8"

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, text: str) -> int:
        """Keep a text until its line is whole."""
        with _log.lock:
            *lines, self._rest = (self._rest + text).split("\n")
            for one in lines:
                if one.strip():
                    line(one, "warning")
        return len(text)

    def flush(self) -> None:
        """Say what is no whole line."""
        with _log.lock:
            rest, self._rest = self._rest, ""
            if rest.strip():
                line(rest, "warning")


class _FromLogging(logging.Handler):
    """Takes what libraries log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Say it as a line of ours."""
        line(record.getMessage(), "error" if record.levelno >= logging.ERROR else "warning")
