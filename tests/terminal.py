"""How does a test answer what the program asks at a terminal?

    said = at_terminal([program, "add", "board.bundle"], ["2", "y"])

stdin and stderr are a pseudo-terminal, stdout is a pipe, as in `ranktrail add X > file`.
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAM = str(Path(sys.executable).with_name("ranktrail"))
CTRL_C = "\x03"
_PROMPT = re.compile(r"(?:quits|\[Y/n\]): $")
_SECONDS = 60


@dataclass(frozen=True)
class Said:
    """What a command left behind.

    Attributes:
        exit_code: of the program.
        stdout: its answer.
        screen: what the terminal showed.
        asked: how many of the prompts were questions, how many asked for the yes.
    """

    exit_code: int
    stdout: str
    screen: str
    asked: tuple[int, int]


def at_terminal(command: Sequence[str], answers: Sequence[str]) -> Said:
    """Run a command, giving one answer at each prompt.

    Raises:
        AssertionError: it asks more than there are answers, or waits for a minute.
    """
    master, slave = pty.openpty()
    process = subprocess.Popen(
        list(command), stdin=slave, stderr=slave, stdout=subprocess.PIPE, start_new_session=True,
        preexec_fn=_own_terminal,
    )  # fmt: skip
    os.close(slave)
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    left, screen, shown, stdout = list(answers), "", "", b""
    end = time.monotonic() + _SECONDS
    asked = [0, 0]
    while True:
        assert time.monotonic() < end, f"it waits: {screen}"
        ready, _, _ = select.select([master, process.stdout], [], [], 0.05)
        if process.stdout in ready:
            stdout += process.stdout.read() or b""
        got = _read(master) if master in ready else ""
        screen += got
        shown += got
        if _PROMPT.search(shown):
            asked["[Y/n]" in shown[-8:]] += 1
            assert left, f"asked once more: {screen}"
            answer = left.pop(0)
            os.write(master, answer.encode() if answer == CTRL_C else f"{answer}\n".encode())
            shown = ""
        if not got and process.poll() is not None:
            break
    stdout += process.stdout.read() or b""
    process.stdout.close()
    os.close(master)
    return Said(process.returncode, stdout.decode(), screen, (asked[0], asked[1]))


def _own_terminal() -> None:
    """Make stdin the terminal from which Ctrl-C comes."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(master: int) -> str:
    try:
        return os.read(master, 65536).decode(errors="replace")
    except OSError:  # the other end was closed
        return ""
