"""How are many short commands run as processes of their own, without waiting for imports?

`Forks` starts one process that imports the program once, and forks it for each command. A fork is
a process like any other: it has its own session, its own output, and it can be killed.

Run as a program, this module is that process: it reads a request a line, and answers with the
process id, and with the exit status when it has ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NoReturn

_ROOT = Path(__file__).parent.parent
_IMPORTED = (
    *("app.cli", "crawler.repair.damage", "crawler.hub_api", "crawler.look", "crawler.url_source"),
    *("crawler.web.web", "history.pipeline", "history.scores.derived", "pandas", "git"),
    "huggingface_hub.utils._http",
)


@dataclass(frozen=True)
class Ended:
    """A command that has ended.

    Attributes:
        code: exit code; negative if it was killed.
        seconds: how long it ran.
    """

    code: int
    stdout: str
    stderr: str
    seconds: float


class Forks:
    """Runs commands; a context manager.

    Args:
        folder: for their output.
    """

    def __init__(self, folder: Path):
        self._out, self._err = folder / "stdout", folder / "stderr"
        self._begun = 0.0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
            text=True,
        )

    def __enter__(self) -> Forks:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:
            self._process.kill()

    def start(self, *arguments: str) -> int:
        """Begin a command; its process id."""
        asked = {"arguments": arguments, "out": str(self._out), "err": str(self._err)}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        self._begun = time.monotonic()
        return int(self._answer())

    def wait(self) -> Ended:
        """Wait for the command."""
        code = int(self._answer())
        seconds = time.monotonic() - self._begun
        return Ended(code, self._out.read_text(), self._err.read_text(), seconds)

    def run(self, *arguments: str) -> Ended:
        """Run a command to its end."""
        self.start(*arguments)
        return self.wait()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def children(pid: int) -> list[int]:
    """All processes below a process that are alive, in whichever session."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            if after_name[0] != "Z":
                parents[int(folder.name)] = int(after_name[1])
    found, ahead = [], [pid]
    while ahead:
        one = ahead.pop()
        below = [child for child, parent in parents.items() if parent == one]
        found += below
        ahead += below
    return found


def _main() -> None:
    from crawler import safe_files

    for name in _IMPORTED:
        import_module(name)
    for line in sys.stdin:
        asked = json.loads(line)
        pid = os.fork()
        if not pid:
            safe_files._STARTED = time.time()
            _become(asked)
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def _become(asked: dict[str, object]) -> NoReturn:
    from app.cli import cli

    code = 1
    try:
        os.setsid()
        for number, name in ((1, "out"), (2, "err")):
            handle = os.open(str(asked[name]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(handle, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        try:
            cli(asked["arguments"], prog_name="ranktrail")
        except SystemExit as ended:
            code = int(ended.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _main()
