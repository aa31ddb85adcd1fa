"""What somebody at a terminal sees of a long job."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app.small_board import plant
from tests.terminal import PROGRAM, at_terminal

ROOT = Path(__file__).parents[2]
JOB = """
import sys, threading, time
sys.path.insert(0, {root!r})
from app.bars import working

def fetch(work, name):
    board = work.of(name)
    for n in range(1, 11):
        board.count("files", n, 10)
        time.sleep(0.03)
    board("10 files")

with working() as work:
    threads = [threading.Thread(target=fetch, args=(work, name)) for name in {names!r}]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print("done")
"""
COLOUR = re.compile(r"\x1b\[[\d;]*m")
ANY_CODE = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


def watched(names: list[str], **settings: str) -> str:
    """The screen of a job, with the codes that were sent to it."""
    given = [f"{key}={value}" for key, value in settings.items()]
    code = JOB.format(root=str(ROOT), names=names)
    said = at_terminal(["env", *given, sys.executable, "-c", code], [])
    assert (said.exit_code, said.stdout) == (0, "done\n"), said.screen
    return said.screen


def test_several_bars_at_once_and_lines_above_them():
    screen = watched(["fern", "moss"], TERM="xterm-256color")
    plain = ANY_CODE.sub("", screen)
    assert re.search(r"fern: files +\S+ +\d+/10\s+moss: files|moss: files.*\s+fern: files", plain)
    assert {"fern: 10 files", "moss: 10 files"} <= {line.strip() for line in plain.splitlines()}
    assert screen.rstrip("\n").count("\x1b[?25l") == screen.count("\x1b[?25h") == 1  # the cursor


def test_no_colours_where_none_are_wanted():
    assert COLOUR.search(watched(["fern"], TERM="xterm-256color"))
    assert not COLOUR.search(watched(["fern"], TERM="xterm-256color", NO_COLOR="1"))


def test_a_dumb_terminal_gets_lines():
    screen = watched(["fern"], TERM="dumb")
    assert "\x1b" not in screen
    assert [line.strip() for line in screen.splitlines()] == [
        "fern: files 10 of 10",
        "fern: 10 files",
    ]


@pytest.mark.parametrize("name", ["[red]x[/red]", "x\x1b[2Jy", ":boom:", "{task.id}", "w" * 300])
def test_hostile_names_are_shown_and_not_obeyed(name):
    screen = watched([name], TERM="xterm-256color", NO_COLOR="1", COLUMNS="120")
    assert "\x1b[2J" not in screen
    shown = name.replace("\x1b", "\\x1b")[:40]
    assert shown in ANY_CODE.sub("", screen)


def test_a_crawl_at_a_terminal_says_what_it_does(tmp_path):
    garden = plant(tmp_path, crawl=False)
    command = ["env", "TERM=xterm", PROGRAM, "--store", str(garden.store), "crawl", "--json"]
    said = at_terminal(command, [])
    assert said.exit_code == 0
    assert "garden: 4 new versions, 4 in all" in said.screen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_is_what_ctrl_c_is(number):
    code = (
        "import sys, time; from app.bars import working\n"
        "try:\n"
        "    with working() as work: print('ready', flush=True); time.sleep(60)\n"
        "except KeyboardInterrupt: print(work.stop.__self__._stopped.is_set())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.1)
    process.send_signal(number)
    assert (process.communicate(timeout=10)[0], process.returncode) == ("True\n", 0)
