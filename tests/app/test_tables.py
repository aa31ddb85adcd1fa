"""A table is as wide as the page, and never breaks a time or a number."""

from __future__ import annotations

import os
import pty
import struct
import subprocess
import sys
import termios
from fcntl import ioctl

import pytest

from app.output import PIPE_WIDTH, Paste, people_text, width
from app.tables import folded, readable, table, told_apart
from app.wording import wrapped
from tests.app.small_board import VERSIONS, plant

HEADER = ("rank", "at", "entry", "score", "part", "other part", "first")
ROWS = [
    (1, "2026-03-04T08:00:00Z", "org/fern-of-the-northern-bed", "81.25", "70.5", "1.0", "fern"),
    (2, "2026-03-04T18:00:00Z", "a moss, as people call it", "80.5", "71.25", "2.0", "moss, fern"),
]
WIDE = """\
rank  at (UTC)          entry                         score   part  other part  first
──────────────────────────────────────────────────────────────────────────────────────────
   1  2026-03-04 08:00  org/fern-of-the-northern-bed  81.25   70.5         1.0  fern
   2  2026-03-04 18:00  a moss, as people call it      80.5  71.25         2.0  moss, fern
"""
SPARED = """\
rank  at (UTC)          entry                         score   part  first
──────────────────────────────────────────────────────────────────────────────
   1  2026-03-04 08:00  org/fern-of-the-northern-bed  81.25   70.5  fern
   2  2026-03-04 18:00  a moss, as people call it      80.5  71.25  moss, fern
1 column left out (other part): --csv has all
"""
NARROW = """\
rank  at (UTC)          entry              score  first
────────────────────────────────────────────────────────────
   1  2026-03-04 08:00  org/fern-of-the-   81.25  fern
                        northern-bed
   2  2026-03-04 18:00  a moss, as people   80.5  moss, fern
                        call it
2 columns left out (part, other part): --csv has all
"""


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        pytest.param("", WIDE, id="a pipe has room for all"),
        pytest.param("90", WIDE, id="all of it fits exactly"),
        pytest.param("78", SPARED, id="the least important column is left out and named"),
        pytest.param("60", NARROW, id="the entries are folded last, behind their own marks"),
    ],
)
def test_a_table_on_a_page(columns, expected, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    made = table(
        HEADER,
        ROWS,
        right=("rank", "score", "part", "other part"),
        folds=("first", "entry"),
        spare=("other part", "part"),
    )
    assert people_text([made]) == expected


def test_a_name_that_comes_twice_is_two_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    made = table(("rank", "rank"), [("1", "2")], right=("rank",))
    assert people_text([made]).splitlines()[-1] == "   1     2"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["85.4", "71.25%", "n/a"], ["85.4", "71.25%", "n/a"], id="short ones stay"),
        pytest.param(["1492.0464937622653"], ["1492.05"], id="six digits at least"),
        pytest.param(
            ["1492.0464937622653", "1492.0464937999"],
            ["1492.04649376", "1492.04649380"],
            id="different ones stay different",
        ),
        pytest.param(
            ["71.20000000001", "71.2"], ["71.2000", "71.2"], id="a long one beside a short one"
        ),
        pytest.param(["0.00012345678912"], ["0.000123457"], id="a small one"),
        pytest.param(["12345678901"], ["12345678901"], id="a whole number is never rounded"),
    ],
)
def test_numbers_that_people_can_read(texts, expected):
    assert told_apart(texts) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param(
            "from 1400.123456789 to 1400.123456781 in v1.23.4567890123",
            "from 1400.12345679 to 1400.12345678 in v1.23.4567890123",
            id="what one of the last digits tells apart",
        ),
        pytest.param("a gap of 0.30000000000000004", "a gap of 0.300000", id="a float"),
        pytest.param("at commit 1234567890123456", "at commit 1234567890123456", id="a commit"),
    ],
)
def test_sentences_that_people_can_read(sentence, expected):
    assert readable(sentence) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a fern-2026-03-04", ["a", "fern-2026-03-04"], id="no date is broken"),
        pytest.param("模型模型 fern", ["模型模型", "fern"], id="wide letters count twice"),
        pytest.param("x" * 20, ["x" * 15, "x" * 5], id="a longer word has to be"),
    ],
)
def test_folded(text, expected):
    assert folded(text, 15 if len(text) > 9 else 9).split("\n") == expected


@pytest.mark.parametrize(
    ("columns", "expected"),
    [("72", 72), ("0", PIPE_WIDTH), ("-5", PIPE_WIDTH), ("wide", PIPE_WIDTH), ("", PIPE_WIDTH)],
)
def test_columns_says_how_wide_a_pipe_is(columns, expected, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert width() == expected


def test_sentences_are_wrapped_at_the_page_and_pastes_are_not(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    text = wrapped("seven words that are longer than a line", "", "  ")
    assert text == "seven words that are longer than a line"
    monkeypatch.setenv("COLUMNS", "20")
    assert wrapped("seven words that are longer", "", "  ") == "seven words that are\n  longer"
    assert (
        people_text([Paste('"a long key" = "a long entry"')]) == '"a long key" = "a long entry"\n'
    )


def on_a_terminal(columns: int, *words: str) -> str:
    """What a command prints on a real terminal of this width."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    child = subprocess.Popen(
        [sys.executable, "-m", "app", *words],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment | {"TERM": "dumb"},
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        said += chunk
    os.close(ours)
    child.wait()
    return said.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    "columns",
    [pytest.param(60, marks=pytest.mark.long), 80, pytest.param(100, marks=pytest.mark.long)],
)
@pytest.mark.parametrize("command", ["standings", "history", "reigns", "splits", "audit", "boards"])
def test_no_line_is_longer_than_the_terminal_and_no_time_is_broken(command, columns, tmp_path):
    store = plant(tmp_path, VERSIONS[:2]).store
    board = [] if command == "boards" else ["garden"]
    text = on_a_terminal(columns, "--store", str(store), command, *board)
    lines = text.splitlines()
    assert lines and max(map(len, lines)) <= columns
    if command in ("history", "reigns"):
        assert "2026-03-01 08:00" in text
