"""What happens to commands that are killed, or run beside each other?

In: a trial. Start at crawl_and_kill() or together().
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.tools.cases.trial import PROGRAM, Trial, Trouble, last_line

ROOT = Path(__file__).parents[3]  # where app and tests are found

# A git that ends the crawl which called it, at a chosen moment.
_DEADLY_GIT = """\
#!{python}
import os, signal, subprocess, sys
words = sys.argv[1:]
fetching, looking = "fetch" in words, "log" in words and "--raw" in words
if "{moment}" == "LINE" and looking:
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit(1)
ended = subprocess.run(["{git}", *words])
if "{moment}" == "BYTES" and fetching:
    os.kill(os.getppid(), signal.SIGKILL)
sys.exit(ended.returncode)
"""


class Killed(Enum):
    """When a crawl is killed."""

    BYTES = "after the bytes came"
    LINE = "after the published line was written"


def crawl_and_kill(trial: Trial, name: str, moment: Killed) -> None:
    """Start a crawl that is killed (SIGKILL) at one moment.

    Raises:
        Trouble: it was not killed.
    """
    real = shutil.which("git")
    folder = trial.folder / f"deadly-{moment.name.lower()}"
    folder.mkdir(exist_ok=True)
    script = folder / "git"
    script.write_text(
        _DEADLY_GIT.format(python=sys.executable, moment=moment.name, git=real), encoding="utf-8"
    )
    script.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    ended = trial.run("crawl", name, settings={"PATH": path}).returncode
    if ended != -9:
        raise Trouble(f"the crawl was not killed {moment.value}: exit {ended}")


@contextmanager
def reading_meanwhile(trial: Trial, name: str) -> Iterator[set[int]]:
    """Read a board again and again; the numbers of versions that were seen.

    Raises:
        Trouble: a reader failed, or saw half of a version.
    """
    seen: set[int] = set()
    wrong: list[str] = []
    enough = threading.Event()

    def read() -> None:
        while not enough.is_set():
            done = trial.run("history", name, "--csv")
            if done.returncode:
                wrong.append(done.stderr.strip())
                return
            rows = done.stdout.splitlines()[1:]
            commits = [row.split(",")[0] for row in rows]
            seen.add(len(set(commits)))
            if len(rows) != 2 * len(set(commits)):
                wrong.append(f"half of a version: {rows}")

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield seen
    finally:
        enough.set()
        reader.join()
    if wrong:
        raise Trouble(f"a reader meanwhile: {wrong[0]}")


def together(
    trial: Trial, *commands: Sequence[str], apart: float
) -> list[subprocess.CompletedProcess[str]]:
    """Start several commands, `apart` seconds after each other, and wait for all."""
    trial.store.mkdir(parents=True, exist_ok=True)
    started = []
    for command in commands:
        line = [str(PROGRAM), "--store", str(trial.store), *command]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(line, stdout=pipe, stderr=pipe, text=True))
        time.sleep(apart)
    ended = []
    for process in started:
        said, wrong = process.communicate(timeout=120)
        ended.append(subprocess.CompletedProcess(process.args, process.returncode, said, wrong))
    return ended


def children_called(pid: int, word: str) -> int:
    """How many processes below one have a name that begins with a word."""
    count = 0
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            below = task.read_text().split()
        except OSError:  # the thread has ended
            continue
        for child in below:
            try:
                named = Path(f"/proc/{child}/comm").read_text().strip()
            except OSError:
                continue
            count += named.startswith(word) + children_called(int(child), word)
    return count


@dataclass(frozen=True, slots=True)
class Sample:
    """A running crawl at one moment.

    Attributes:
        boards: done so far.
        files: that it has open.
        children: processes called git below it.
    """

    boards: int
    files: int
    children: int


@dataclass(frozen=True, slots=True)
class Sampled:
    """A crawl that was watched.

    Attributes:
        code: its exit code.
        boards: what it said of each.
        samples: after every so many boards.
        children_at_end: processes called git that outlived it.
    """

    code: int
    boards: list[dict[str, object]]
    samples: list[Sample]
    children_at_end: int


# One process that crawls, and counts what it holds after each tenth board.
_COUNTING = """\
import json, os, resource, sys
from pathlib import Path
store, limit, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
from app import jobs
from crawler.store import Store
from tests.tools.cases.processes import children_called
done, boards = [], []
for number, outcome in enumerate(jobs.crawl(Store(Path(store))), 1):
    boards.append({"board": outcome.board, "status": outcome.status, "error": outcome.error})
    if number % every == 0:
        files = len(os.listdir("/proc/self/fd"))
        done.append([number, files, children_called(os.getpid(), "git")])
print(json.dumps([boards, done, children_called(os.getpid(), "git")]))
"""


def sampled_crawl(trial: Trial, *, open_files: int, every: int) -> Sampled:
    """Crawl all boards in one process with few open files, and count as it goes.

    Raises:
        Trouble: it ended before it could tell.
    """
    command = [sys.executable, "-c", _COUNTING, str(trial.store), str(open_files), str(every)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT
    )
    if done.returncode:
        raise Trouble(f"60 boards with {open_files} open files: {last_line(done.stderr)}")
    boards, samples, left = json.loads(done.stdout)
    return Sampled(done.returncode, boards, [Sample(*one) for one in samples], left)
