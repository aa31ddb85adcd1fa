"""Do the readers survive a million damaged files?

In: nothing; a fixed seed. Out: a table of executions, slowest file, peak memory and branch
coverage by reader. Start at main(). Workers read the files in processes of their own, each with
a limit on its memory; one that does not come back within 5 seconds is ended and its file named.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from history.readers import FORMATS
from tests.history.readers.bombs import BOMBS
from tests.history.readers.hostile import damaged, read_all, read_once, seeds

ROOT = Path(__file__).parent.parent.parent
READERS = ROOT / "history" / "readers"
SEED = 20261130
SHARD = 20_000  # files of one worker
MOST_SECONDS, MOST_MB = 5.0, 1_000
LEAST_COVERAGE = 90.0
# A worker has this much on top of what Python and the libraries take themselves.
ROOM = 1_000_000_000
STAT = Path("/proc/self/statm")
STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class Job:
    """What one worker does.

    Attributes:
        format_: the format of its files.
        first: number of its first damaged file; None for a bomb.
        count: how many there are.
        bomb: the name of the only file, if it is a bomb.
    """

    format_: str
    first: int | None
    count: int
    bomb: str = ""


@dataclass(slots=True)
class Tally:
    """What came of the files of one format."""

    executions: int = 0
    read: int = 0
    slowest: float = 0.0
    slowest_file: str = "-"
    peak: float = 0.0
    failures: list[str] = field(default_factory=list)


def data_of(format_: str, number: int) -> bytes:
    """A damaged file; the first numbers are the seeds as they are."""
    known = seeds()[format_]
    if number < len(known):
        return known[number]
    return damaged(format_, random.Random(SEED * 1_000_000_007 + number))


# --- in a worker -------------------------------------------------------------------------------


def work(job: Job, beat: mmap.mmap) -> dict:
    """Read the files of a job.

    Args:
        job: what to read.
        beat: where the number of each file is written before it is read.
    """
    bomb = made(job.format_, job.bomb) if job.bomb else b""
    _limit_memory()
    slowest, slowest_number, read, failures = 0.0, -1, 0, []
    first = job.first or 0
    for number in range(first, first + job.count):
        data = bomb or data_of(job.format_, number)
        beat[:8] = struct.pack("q", number)
        # What this thread computes: the machine may have other things to do.
        start = time.process_time()
        try:
            read += (read_once if job.bomb else read_all)(job.format_, data)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}: {error}"
            failures.append(f"{job.format_} {job.bomb or number}: {said[:200]}")
        took = time.process_time() - start
        if took > slowest:
            slowest, slowest_number = took, number
    peak = _peak()
    return {
        "read": read,
        "slowest": slowest,
        "slowest_file": job.bomb or str(slowest_number),
        "peak": peak,
        "failures": failures,
    }


def _peak() -> float:
    """The most memory that this process held, in MB.

    What getrusage() says begins with what the process held that started this one.
    """
    if STATUS.exists():
        lines = (line.split() for line in STATUS.read_text().splitlines())
        return next(int(words[1]) for words in lines if words[0] == "VmHWM:") / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _limit_memory() -> None:
    """Let this process take ROOM more than it has; Linux only, elsewhere the peak alone tells."""
    if STAT.exists():
        size = int(STAT.read_text().split()[0]) * resource.getpagesize() + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def made(format_: str, bomb: str) -> bytes:
    """The bytes of a bomb; made in another process, since that alone takes memory."""
    command = [sys.executable, "-m", "tests.tools.fuzz", "--make", format_, bomb]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def cover(format_: str, count: int, folder: Path) -> None:
    """Read the first files of a format, and bombs, and note which branches were taken."""
    import coverage

    tool = coverage.Coverage(
        data_file=str(folder / f"{format_}.coverage"),
        branch=True,
        include=[f"{READERS}/*"],
        config_file=False,
    )
    for name in [name for name in sys.modules if name.startswith("history.readers")]:
        del sys.modules[name]
    for name in [name for name in sys.modules if name.startswith("tests.history.readers")]:
        del sys.modules[name]
    tool.start()
    from tests.history.readers import hostile

    for number in range(count):
        hostile.read_all(format_, data_of(format_, number))
    for make in BOMBS[format_].values():
        hostile.read_once(format_, make())
    tool.stop()
    tool.save()


# --- in the one that watches -------------------------------------------------------------------


class Watch:
    """One worker, and when it last began a file."""

    def __init__(self, job: Job):
        self.job = job
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._file.write(struct.pack("q", -1))
        self._file.flush()
        self._beat = mmap.mmap(self._file.fileno(), 8)
        self._out = tempfile.TemporaryFile()  # noqa: SIM115
        self._last, self._since = -1, time.monotonic()
        first = "" if job.first is None else str(job.first)
        told = [job.format_, first, str(job.count), job.bomb, str(self._file.fileno())]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.tools.fuzz", "--work", *told],
            cwd=ROOT,
            stdout=self._out,
            pass_fds=[self._file.fileno()],
            env={**os.environ, "ARROW_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )

    @property
    def number(self) -> int:
        """The file that it reads, or read last; -1 before the first."""
        return struct.unpack("q", self._beat[:8])[0]

    def done(self) -> bool:
        """Whether it has ended; one that hangs is ended here."""
        if self._process.poll() is not None:
            return True
        if self.number != self._last:
            self._last, self._since = self.number, time.monotonic()
        # Twice the time: what counts is what it computes, and that it says itself.
        if self._last >= 0 and time.monotonic() - self._since > 4 * MOST_SECONDS:
            self._process.kill()
            self._process.wait()
            return True
        return False

    def result(self, tally: Tally) -> Job | None:
        """Add what came of it; the job that is left, if it did not come to its end."""
        job = self.job
        self._out.seek(0)
        said = self._out.read()
        if self._process.returncode == 0:
            told = json.loads(said)
            tally.executions += job.count
            tally.read += told["read"]
            tally.peak = max(tally.peak, told["peak"])
            tally.failures += told["failures"]
            if told["slowest"] > tally.slowest:
                tally.slowest, tally.slowest_file = told["slowest"], told["slowest_file"]
            if told["slowest"] > MOST_SECONDS:
                tally.failures.append(
                    f"{job.format_} {told['slowest_file']}: {told['slowest']:.1f} s"
                )
            if told["peak"] > MOST_MB:
                tally.failures.append(f"{job.format_} {job.bomb}: {told['peak']:.0f} MB")
            return None
        number = self.number
        code = self._process.returncode
        tally.failures.append(f"{job.format_} {job.bomb or number}: the worker ended with {code}")
        if job.first is None or number < 0:
            return None
        tally.executions += number - job.first + 1
        left = job.first + job.count - number - 1
        return Job(job.format_, number + 1, left) if left else None


def run(jobs: Sequence[Job], workers: int) -> dict[str, Tally]:
    """Do all jobs, so many at a time."""
    waiting = list(jobs)[::-1]
    tallies = {job.format_: Tally() for job in jobs}
    running: list[Watch] = []
    total, start, told = sum(job.count for job in jobs), time.monotonic(), 0.0
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(Watch(waiting.pop()))
        time.sleep(0.05)
        for watch in [one for one in running if one.done()]:
            running.remove(watch)
            left = watch.result(tallies[watch.job.format_])
            if left:
                waiting.append(left)
        if sys.stderr.isatty() and time.monotonic() - told > 1:
            told = time.monotonic()
            done = sum(tally.executions for tally in tallies.values())
            print(f"\r{done:,} of {total:,}, {told - start:.0f} s", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return tallies


def covered(formats: Sequence[str], count: int, workers: int) -> dict[str, float]:
    """Percent of the branches of each module that the first files of the formats take."""
    import coverage

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        waiting, running = list(formats), []
        while waiting or running:
            while waiting and len(running) < workers:
                told = ["--cover", waiting.pop(0), str(count), name]
                command = [sys.executable, "-m", "tests.tools.fuzz", *told]
                running.append(subprocess.Popen(command, cwd=ROOT))
            time.sleep(0.05)
            running = [process for process in running if process.poll() is None]
        tool = coverage.Coverage(
            data_file=str(folder / "all"), branch=True, config_file=False, messages=False
        )
        tool.combine([str(path) for path in folder.glob("*.coverage")])
        tool.json_report(outfile=str(folder / "report.json"))
        report = json.loads((folder / "report.json").read_text())
    return {
        Path(file).stem: told["summary"]["percent_branches_covered"]
        for file, told in sorted(report["files"].items())
        if told["summary"]["num_branches"]
    }


def jobs_of(formats: Sequence[str], count: int) -> Iterator[Job]:
    """The damaged files of all formats, in shares for workers."""
    share, more = divmod(count, len(formats))
    for place, format_ in enumerate(formats):
        size = share + (place < more)
        for first in range(0, size, SHARD):
            yield Job(format_, first, min(SHARD, size - first))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, print, and say with the exit code whether the readers survived."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--work"]:
        format_, first, count, bomb, descriptor = given[1:]
        job = Job(format_, int(first) if first else None, int(count), bomb)
        print(json.dumps(work(job, mmap.mmap(int(descriptor), 8))))
        return 0
    if given[:1] == ["--make"]:
        sys.stdout.buffer.write(BOMBS[given[1]][given[2]]())
        return 0
    if given[:1] == ["--cover"]:
        cover(given[1], int(given[2]), Path(given[3]))
        return 0
    parser = argparse.ArgumentParser(prog="make fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=1_000_000, help="damaged files in all")
    parser.add_argument("--cover", type=int, default=20_000, help="files of a format for coverage")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--formats", nargs="*", default=sorted(FORMATS))
    parser.add_argument("--no-bombs", action="store_true", help="damaged files only")
    chosen = parser.parse_args(given)

    start = time.monotonic()
    tallies = run(list(jobs_of(chosen.formats, chosen.count)), chosen.workers)
    bombs = [] if chosen.no_bombs else [(n, bomb) for n in chosen.formats for bomb in BOMBS[n]]
    blasts = run([Job(name, None, 1, bomb) for name, bomb in bombs], chosen.workers)
    branches = covered(chosen.formats, chosen.cover, chosen.workers) if chosen.cover else {}
    failures = [
        one for told in (tallies, blasts) for tally in told.values() for one in tally.failures
    ]

    print(
        f"{'reader':<10}{'files':>10}{'read':>7}{'slowest':>12}{'bombs':>7}{'slowest':>9}{'peak':>9}"
    )
    for name in chosen.formats:
        tally, bomb = tallies[name], blasts.get(name, Tally())
        part = 100 * tally.read / max(tally.executions, 1)
        print(
            f"{name:<10}{tally.executions:>10,}{part:>6.0f}%{tally.slowest * 1e3:>9.1f} ms"
            f"{bomb.executions:>7}{bomb.slowest:>7.2f} s{max(tally.peak, bomb.peak):>6.0f} MB"
            f"  {bomb.slowest_file}"
        )
    executions = sum(tally.executions for tally in (*tallies.values(), *blasts.values()))
    print(f"{executions:,} executions in {time.monotonic() - start:.0f} s")
    print(f"branch coverage of the first {chosen.cover:,} files of each format, and the bombs:")
    for module, percent in branches.items():
        low = percent < LEAST_COVERAGE
        print(f"  {module:<18}{percent:>6.1f}%{'  LOW' if low else ''}")
        if low:
            failures.append(f"{module}: {percent:.1f}% of its branches, not {LEAST_COVERAGE:g}%")
    print("\n".join(failures[:50]) or "no crash, no hang, no memory over the limit")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
