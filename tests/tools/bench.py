"""How long does Ranktrail take, and how much memory, on a long history?

In: nothing; a repository with 2,000 versions of a 229-row board is made in build/bench/ with a
fixed seed. Out: a table of figures with their limits. Start at main().

The yardstick is the least that anyone has to do: read every version with one
`git cat-file --batch` and parse it with `json.loads`, in the same run on the same machine. That of
commands is the start of Python with pandas and Arrow.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from crawler.store import Store
from tests.tools import bench_app, bench_claims, bench_crawl, bench_ranks, bench_reading
from tests.tools.bench_board import FILE, BenchError, SyntheticBoard, make_history

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "build" / "bench"
BOARD = "long"
LOOKS = 3  # visits of each page that count

DEFINITION = """\
name = "{name}"
title = "A long history"

[source]
kind = "git"
repo = {repo}
branch = "main"
paths = ["{file}"]

[table]
format = "json"
rows = "$.models"
entry = "engine"
name = "name"
score = "v"
direction = "higher"
decimals = 2
published_rank = "rank_v"

[table.parts]
public = "pub"
same_skills = "same_skills"
new_domains = "new_domains"

[splits]
public = "public"
private = "0.6*same_skills + 0.4*new_domains"

[ties]
rule = "anchored"
band = "$.formula.tie_band"
edge = "inclusive"

[edition]
label = "$.label"
"""

BASELINE = """\
import json, subprocess, sys
repo, requests = sys.argv[1:]
with open(requests, "rb") as asked:
    git = subprocess.Popen(
        ["git", "-C", repo, "cat-file", "--batch"], stdin=asked, stdout=subprocess.PIPE
    )
rows = 0
while header := git.stdout.readline():
    rows += len(json.loads(git.stdout.read(int(header.split()[2])))["models"])
    git.stdout.read(1)
print(rows)
"""

# The least that a command which reads a table has to do before it can begin.
START = "import pandas, pyarrow.parquet"
STARTED = "yardstick: Python, pandas and Arrow start"
# Seconds of it on a quiet machine of the kind that the limits are meant for.
QUIET_START = 0.4

# At its end a command says how much memory it took, and the largest process that it started.
PEAKS = """\
import atexit, sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
whose = RUSAGE_SELF, RUSAGE_CHILDREN
atexit.register(lambda: print(*(getrusage(one).ru_maxrss for one in whose), file=sys.stderr))
"""

CRAWL = f"""{PEAKS}
from app.cli import main
sys.exit(main())
"""

RANKS = f"""{PEAKS}
from history.pipeline import open_board
print(len(open_board(*sys.argv[1:]).rank_history()))
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure.

    Attributes:
        what: what was measured, for people.
        value: as measured.
        limit: the most it may be; None where it is only told.
        unit: s, MB, or x for a ratio.
    """

    what: str
    value: float
    limit: float | None
    unit: str

    @property
    def ok(self) -> bool:
        """Whether the limit holds."""
        return self.limit is None or self.value <= self.limit

    def __str__(self) -> str:
        limit = "" if self.limit is None else f"{self.limit:g} {self.unit}"
        state = "" if self.limit is None else "ok" if self.ok else "OVER"
        return f"{self.what:<52} {self.value:>9.2f} {self.unit:<3} {limit:>8}  {state}"


@dataclass(frozen=True, slots=True)
class Run:
    """One finished command: seconds of wall time, what it printed."""

    seconds: float
    stdout: str
    stderr: str

    @property
    def peak(self) -> float:
        """Peak of resident memory in MB, of a command that says its PEAKS.

        Its own and that of the largest process that it started, added up as if they came at once.
        """
        unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes on a Mac, kilobytes on Linux
        return sum(map(int, self.stderr.splitlines()[-1].split())) / unit


# --- measuring ---------------------------------------------------------------------------------


def run(*command: str, accept: Sequence[int] = (0,)) -> Run:
    """Run a command to its end and measure it."""
    # A start with compiled modules is what people have after the installation.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as trouble:
        start = time.perf_counter()
        done = subprocess.run(
            command, stdout=out, stderr=trouble, env=environment, cwd=ROOT, check=False
        )
        seconds = time.perf_counter() - start
        out.seek(0)
        trouble.seek(0)
        run = Run(seconds, out.read().decode(), trouble.read().decode(errors="replace"))
        if done.returncode not in accept:
            said = run.stderr.strip()[-2000:]
            raise BenchError(f"{' '.join(command)[:200]}: exit {done.returncode}\n{said}")
        return run


def ranktrail(*arguments: str, accept: Sequence[int] = (0,)) -> Run:
    """Run the project's command as people do."""
    return run(str(Path(sys.executable).with_name("ranktrail")), *arguments, accept=accept)


def medians(times: int, *commands: Callable[[], Run]) -> list[float]:
    """Median seconds of each command, after one run that does not count.

    They take turns: what else the machine does comes and goes.
    """
    for command in commands:
        command()
    turns = [[command().seconds for command in commands] for _ in range(times)]
    return [statistics.median(took) for took in zip(*turns, strict=True)]


def slowness(figures: Sequence[Figure]) -> float:
    """How many times longer this machine took, in this run, than the seconds of limits are meant for.

    At least 1. It is told by what our code has no part in, so that code which becomes slower
    shows on any machine.
    """
    (start,) = (figure.value for figure in figures if figure.what == STARTED)
    return max(1.0, start / QUIET_START)


def put_definition(store: Path, repo: Path | str) -> None:
    """A new store with nothing but the board's definition."""
    shutil.rmtree(store, ignore_errors=True)
    (store / BOARD).mkdir(parents=True)
    text = DEFINITION.format(name=BOARD, repo=json.dumps(str(repo)), file=FILE)
    (store / BOARD / "board.toml").write_text(text, encoding="utf-8")


def measure(folder: Path, versions: int, rows: int, times: int) -> list[Figure]:
    """All figures of one run."""
    folder.mkdir(parents=True, exist_ok=True)
    repo = make_history(folder, versions, rows)
    store = folder / "store"
    listed = subprocess.run(
        ["git", "-C", str(repo), "log", "--reverse", f"--format=%H:{FILE}", "main"],
        capture_output=True,
        check=True,
    )
    requests = folder / "requests.txt"
    requests.write_bytes(listed.stdout)
    asked = ("--store", str(store))
    # Twice in turn, and the better of each: what else the machine does comes and goes.
    yardsticks, crawls, rankings = [], [], []
    for _ in range(2):
        yardsticks.append(run(sys.executable, "-c", BASELINE, str(repo), str(requests)))
        put_definition(store, repo)
        crawls.append(run(sys.executable, "-c", CRAWL, *asked, "crawl", BOARD, "--json"))
        rankings.append(run(sys.executable, "-c", RANKS, str(store), BOARD))
    read, ranked = int(yardsticks[0].stdout), int(rankings[0].stdout)
    if not read == ranked == versions * rows:
        raise BenchError(f"{versions * rows} rows in the history, {read} read, {ranked} ranked")
    yardstick, crawl, ranks = (min(r.seconds for r in x) for x in (yardsticks, crawls, rankings))

    claim = f"engine-001 is #1 on {BOARD}"
    start, help_, standings, check = medians(
        times,
        partial(run, sys.executable, "-c", START),
        partial(ranktrail, "--help"),
        partial(ranktrail, *asked, "standings", BOARD),
        partial(ranktrail, *asked, "check", claim, accept=(0, 3, 5)),
    )
    return [
        Figure("yardstick: cat-file and json.loads", yardstick, None, "s"),
        Figure("crawl: fetch, read, write Parquet", crawl, None, "s"),
        Figure("ranks of the whole history", ranks, None, "s"),
        Figure(
            "crawl and ranks against the yardstick",
            (crawl + ranks) / yardstick,
            4,
            "x",
        ),
        Figure(
            "peak memory of crawl, its two processes added up",
            max(r.peak for r in crawls),
            600,
            "MB",
        ),
        Figure("peak memory of ranks", max(r.peak for r in rankings), 600, "MB"),
        Figure(STARTED, start, None, "s"),
        Figure("ranktrail --help", help_, 0.5, "s"),
        Figure("ranktrail standings", standings, 1.5, "s"),
        Figure("ranktrail check", check, 1.5, "s"),
    ]


def crawling(folder: Path, versions: int, rows: int, times: int) -> list[Figure]:
    """What a crawl costs beside git, and whether it grows with the history; see bench_crawl."""
    repo, store = make_history(folder, versions, rows), folder / "store-http"
    requests = folder / "requests.txt"

    def parse(clone: Path) -> float:
        return run(sys.executable, "-c", BASELINE, str(clone), str(requests)).seconds

    def crawl(address: str) -> float:
        put_definition(store, address)
        return ranktrail("--store", str(store), "crawl", BOARD, "--json").seconds

    took = bench_crawl.first_crawl(folder, repo, parse, crawl)
    costs = bench_crawl.one_more(folder, times)
    few, many = min(costs), max(costs)
    return [
        Figure("git clone --bare over HTTP", took["clone"], None, "s"),
        Figure("crawl over HTTP", took["crawl"], None, "s"),
        Figure(
            "crawl over HTTP against clone and parse",
            took["crawl"] / (took["clone"] + took["parse"]),
            1.5,
            "x",
        ),
        *(
            Figure(f"crawl of one new commit after {size:,} versions", seconds, None, "s")
            for size, (seconds, _) in costs.items()
        ),
        Figure(
            f"the same at {many:,} against {few:,}, less reading the tables",
            (costs[many][0] - costs[many][1]) / (costs[few][0] - costs[few][1]),
            1.25,
            "x",
        ),
    ]


def ranking(versions: int, rows: int) -> list[Figure]:
    """What ranks, ties, causes and rank intervals cost; see bench_ranks."""
    took = bench_ranks.histories(versions, rows) | bench_ranks.intervals(rows)
    seconds, gigabytes = bench_ranks.ten_million()
    return [
        Figure("all tie rules of the whole history", took["ties"], 0.3, "s"),
        Figure("  one sort of the same by numpy", took["ties, one sort by numpy"], None, "s"),
        Figure("ranks of the whole history, without reading", took["ranks"], None, "s"),
        Figure("  pandas groupby.rank", took["ranks, pandas groupby.rank"], None, "s"),
        Figure("all causes from version to version", took["causes"], 10, "s"),
        Figure(
            "  the same against twice half the versions",
            took["causes"] / (2 * took["causes, half the versions"]),
            1.25,
            "x",
        ),
        Figure(
            "  one move by all hybrid boards, in Python",
            took["causes of one move, all hybrid boards"],
            None,
            "s",
        ),
        Figure("rank intervals of one version, 10,000 draws", took["intervals"], 3, "s"),
        Figure(
            "  draws of all pairs one by one",
            took["intervals, plain draws of all pairs"],
            None,
            "s",
        ),
        Figure("10 million rows ranked", seconds, 8, "s"),
        Figure("  peak memory", 1000 * gigabytes, 4000, "MB"),
    ]


def claiming(folder: Path, rows: int) -> list[Figure]:
    """What a hundred claims on two boards cost; see bench_claims."""
    seconds = bench_claims.hundred(Store(folder / "store"), rows)
    return [Figure("check of 100 claims on two boards, after start-up", seconds, 3, "s")]


def looking(folder: Path, times: int) -> list[Figure]:
    """What the dashboard takes in a Chromium; see bench_app."""
    store, claim = folder / "store", f"engine-001 is #1 on {BOARD}"
    figures = []
    for page in bench_app.pages(store, BOARD, claim, min(times, LOOKS)):
        figures.append(Figure(f"dashboard: {page.path}, first paint, warm", page.seconds, 2.5, "s"))
        figures.append(Figure("  in a fresh browser", min(page.fresh), None, "s"))
        if page.reaction is not None:
            figures.append(Figure("  another entry or moment", page.reaction, 0.7, "s"))
        figures.append(Figure("  over the WebSocket", page.megabytes, 1, "MB"))
        figures.append(Figure("  files besides Streamlit's own", len(page.files), 0, ""))
    used = bench_app.memory(store, BOARD, claim)
    return [*figures, Figure("dashboard: memory with ten people on its pages", used, 700, "MB")]


def reading(rows: int) -> list[Figure]:
    """What reading one file costs, by format; see bench_reading."""
    board = SyntheticBoard(rows)
    return [
        Figure(f"reading {format_}, against the library alone", ratio, 2.5, "x")
        for format_, ratio in bench_reading.ratios(board.rows).items()
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and say with the exit code whether all limits hold."""
    parser = argparse.ArgumentParser(prog="make bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one document instead of a table")
    parser.add_argument("--versions", type=int, default=2000, help="length of the history")
    parser.add_argument("--rows", type=int, default=229, help="entries of the board")
    parser.add_argument("--times", type=int, default=5, help="runs behind each median")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where it is made")
    chosen = parser.parse_args(arguments)
    try:
        figures = measure(chosen.folder, chosen.versions, chosen.rows, chosen.times)
        figures += crawling(chosen.folder, chosen.versions, chosen.rows, chosen.times)
        figures += claiming(chosen.folder, chosen.rows)
        figures += ranking(chosen.versions, chosen.rows)
        figures += reading(chosen.rows)
        figures += looking(chosen.folder, chosen.times)
    except BenchError as error:
        print(error, file=sys.stderr)
        return 1
    if chosen.json:
        shown = [{**asdict(figure), "ok": figure.ok} for figure in figures]
        settings = {"versions": chosen.versions, "rows": chosen.rows}
        print(json.dumps({**settings, "figures": shown}, indent=1))
    else:
        print(f"{chosen.versions} versions of {chosen.rows} entries")
        print("\n".join(map(str, figures)))
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
