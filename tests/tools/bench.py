"""How long does Ranktrail take, and how much memory, on a long history?

In: nothing; a repository with 2,000 versions of a 229-row board is made in build/bench/ with a
fixed seed. Out: a table of figures with their limits. Start at main().

The yardstick is the least that anyone has to do: read every version with one
`git cat-file --batch` and parse it with `json.loads`, in the same run on the same machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.tools import bench_crawl, bench_reading

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "build" / "bench"
BOARD = "long"
FILE = "data/board.json"
SEED = 20261021
START, STEP = 1_767_225_600, 10_800  # 2026-01-01, a version every three hours

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


class BenchError(Exception):
    """A measured command did not do what it should."""


# --- the board ---------------------------------------------------------------------------------


class SyntheticBoard:
    """A board in the Decision Index's schema whose rows change a little at each version."""

    def __init__(self, rows: int, seed: int = SEED):
        self.random = random.Random(seed)
        self.rows = [self._new_row(number) for number in range(rows)]
        self.texts = [self._text(row) for row in self.rows]

    def step(self) -> None:
        """Score one to five rows anew."""
        for number in self.random.sample(range(len(self.rows)), self.random.randint(1, 5)):
            row = self.rows[number]
            for part in ("pub", "same_skills", "new_domains"):
                row[part] = round(min(99.0, max(1.0, row[part] + self.random.gauss(0, 1.5))), 2)
            self._score(row)
            self.texts[number] = self._text(row)

    def file(self, version: int) -> bytes:
        """The whole file, as published in `version`."""
        order = sorted(range(len(self.rows)), key=lambda n: (-self.rows[n]["v"], n))
        ranks = {number: rank for rank, number in enumerate(order, 1)}
        models = ",\n".join(
            before + str(ranks[number]) + after for number, (before, after) in enumerate(self.texts)
        )
        return (
            f'{{\n "generated_utc": "{_clock(version)}",\n "edition": "1.{version // 500}",\n'
            f' "label": "Edition 1.{version // 500}",\n'
            ' "weights": {"public": 0.0, "same_skills": 0.6, "new_domains": 0.4},\n'
            f' "models": [\n{models}\n ],\n "formula": {{"tie_band": 0.9}}\n}}\n'
        ).encode()

    def _new_row(self, number: int) -> dict:
        level = self.random.uniform(5, 75)
        row = {
            "engine": f"engine-{number:03d}",
            "name": f"Engine {number:03d} {self.random.choice(('base', 'large', 'flash'))}",
            "lab": self.random.random() < 0.1,
        }
        for part in ("pub", "same_skills", "new_domains"):
            row[part] = round(level + self.random.uniform(-5, 5), 2)
        self._score(row)
        return row

    @staticmethod
    def _score(row: dict) -> None:
        row["eq"] = {
            "S": round(23.5 + 1.01 * (row["same_skills"] - 24.27), 3),
            "O": round(23.5 + 1.23 * (row["new_domains"] - 23.68), 3),
        }
        row["parts"] = {
            "public": 0.0,
            "same_skills": round(0.6 * row["eq"]["S"], 3),
            "new_domains": round(0.4 * row["eq"]["O"], 3),
        }
        row["v"] = round(max(0.0, 0.6 * row["eq"]["S"] + 0.4 * row["eq"]["O"]), 2)

    @staticmethod
    def _text(row: dict) -> tuple[str, str]:
        """One row as printed, cut where its rank goes."""
        shown = {
            key: row[key]
            for key in ("engine", "pub", "same_skills", "new_domains", "v", "lab", "name")
        }
        shown |= {"rank_v": "@", "tied": False, "eq": row["eq"], "parts": row["parts"]}
        shown["page"] = f"https://example.org/engines/{row['engine']}"
        text = json.dumps(shown, indent=2).replace("\n", "\n  ")
        before, after = text.split('"@"')
        return f"  {before}", after


def make_history(folder: Path, versions: int, rows: int) -> Path:
    """A bare repository with `versions` commits of one board of `rows` rows.

    Made once and kept: the same seed gives the same commits.
    """
    repo = folder / f"{versions}x{rows}.git"
    if repo.exists():
        return repo
    unfinished = Path(f"{repo}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(unfinished)], check=True)
    with subprocess.Popen(
        ["git", "-C", str(unfinished), "fast-import", "--quiet"], stdin=subprocess.PIPE
    ) as git:
        assert git.stdin
        for piece in _fast_import(versions, rows):
            git.stdin.write(piece)
        git.stdin.close()
        if git.wait():
            raise BenchError("git fast-import failed")
    unfinished.rename(repo)
    return repo


def _fast_import(versions: int, rows: int) -> Iterator[bytes]:
    board = SyntheticBoard(rows)
    for version in range(versions):
        if version:
            board.step()
        data = board.file(version)
        when = START + STEP * version
        yield (
            f"commit refs/heads/main\ncommitter Bench <bench@example.org> {when} +0000\n"
            f"data 6\nupdate\nM 100644 inline {FILE}\ndata {len(data)}\n"
        ).encode()
        yield data + b"\n"


def _clock(version: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + STEP * version))


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


def median(times: int, *arguments: str, accept: Sequence[int] = (0,)) -> float:
    """Median seconds of a command, after one run that does not count."""
    ranktrail(*arguments, accept=accept)
    return statistics.median(ranktrail(*arguments, accept=accept).seconds for _ in range(times))


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
        Figure("ranktrail --help", median(times, "--help"), 0.5, "s"),
        Figure("ranktrail standings", median(times, *asked, "standings", BOARD), 1.5, "s"),
        Figure(
            "ranktrail check",
            median(times, *asked, "check", claim, accept=(0, 3, 5)),
            1.5,
            "s",
        ),
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
        figures += reading(chosen.rows)
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
