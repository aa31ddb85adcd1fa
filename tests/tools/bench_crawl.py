"""What does a crawl cost, beside what git itself takes, and does it grow with the history?

In: a long repository; shorter and longer ones of a small board are made here. Out: seconds and
ratios, named. Start at first_crawl() and one_more().
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from crawler.store import Store
from history.scores import derived
from tests.histories import History
from tests.hub.server import HubServer

SIZES = (200, 2_000, 20_000)
ROWS = 20
SEED = 20261130
START = 1_700_000_000
BOARD = "long"

DEFINITION = """\
[source]
kind = "git"
repo = {repo}
branch = "main"
paths = ["data/board.json"]

[table]
format = "json"
rows = "$.models"
entry = "engine"
score = "v"
direction = "higher"
decimals = 2
"""


def first_crawl(
    folder: Path, repo: Path, parse: Callable[[Path], float], crawl: Callable[[str], float]
) -> dict[str, float]:
    """Clone, parse and crawl one repository over HTTP, in turn; the least seconds of each.

    Args:
        folder: where to work.
        repo: a bare repository.
        parse: reads all versions of a clone, and says how long that took.
        crawl: crawls an address into an empty store, and says how long that took.
    """
    clone = folder / "clone.git"
    seconds: dict[str, list[float]] = {"clone": [], "parse": [], "crawl": []}
    with _served(repo) as address:
        for _ in range(3):
            shutil.rmtree(clone, ignore_errors=True)
            began = time.perf_counter()
            subprocess.run(["git", "clone", "-q", "--bare", address, str(clone)], check=True)
            seconds["clone"].append(time.perf_counter() - began)
            seconds["parse"].append(parse(clone))
            seconds["crawl"].append(crawl(address))
    return {name: min(times) for name, times in seconds.items()}


def one_more(folder: Path, times: int) -> dict[int, tuple[float, float]]:
    """What one new commit costs, by the number of versions before it.

    The sizes take turns, so that a slow minute of the machine meets them all.

    Returns:
        Seconds of the crawl, and of reading the tables by commit and version alone; the least of some runs each.
    """
    grown = {size: _grown(folder, size) for size in SIZES}
    costs: dict[int, list[tuple[float, float]]] = {size: [] for size in SIZES}
    for _ in range(times):
        for size, (small, root) in grown.items():
            small.grow(1)
            costs[size].append((_crawl(root), _read(Store(root))))
    return {
        size: (min(c for c, _ in runs), min(r for _, r in runs)) for size, runs in costs.items()
    }


def _grown(folder: Path, size: int) -> tuple[_Small, Path]:
    """A repository of a small board, and a store that has all of it."""
    repo, root = folder / f"small-{size}.git", folder / f"small-{size}"
    shutil.rmtree(repo, ignore_errors=True)
    shutil.rmtree(root, ignore_errors=True)
    small = _Small(repo)
    small.grow(size)
    (root / BOARD).mkdir(parents=True)
    text = DEFINITION.format(repo=json.dumps(str(repo)))
    (root / BOARD / "board.toml").write_text(text, encoding="utf-8")
    _crawl(root)
    return small, root


class _Small:
    """A repository of a board with few rows, of which one changes at every commit."""

    def __init__(self, folder: Path):
        History(folder)
        self._folder, self._random, self._count = folder, random.Random(SEED), 0
        self._rows = [
            {"engine": f"engine-{n:02d}", "v": round(self._random.uniform(5, 75), 2)}
            for n in range(ROWS)
        ]

    def grow(self, commits: int) -> None:
        """Add commits."""
        asked = b"".join(self._commits(commits))
        command = ["git", "-C", str(self._folder), "fast-import", "--quiet"]
        subprocess.run(command, input=asked, check=True)

    def _commits(self, commits: int) -> Iterator[bytes]:
        for number in range(commits):
            self._rows[self._random.randrange(ROWS)]["v"] = round(self._random.uniform(5, 75), 2)
            data = json.dumps({"number": self._count, "models": self._rows}).encode()
            after = "from refs/heads/main^0\n" if self._count and not number else ""
            yield (
                (
                    "commit refs/heads/main\n"
                    f"committer Bench <bench@example.org> {START + 60 * self._count} +0000\n"
                    f"data 1\nu\n{after}M 100644 inline data/board.json\ndata {len(data)}\n"
                ).encode()
                + data
                + b"\n"
            )
            self._count += 1


@contextmanager
def _served(repo: Path) -> Iterator[str]:
    """The address of a repository on a server of this machine."""
    known = History.__new__(History)  # it is there already, and nothing is committed
    known.folder, known.branch = repo, "main"
    with HubServer() as hub:
        hub.add("lab/long.git", known)
        yield f"{hub.url}/lab/long.git"


def _crawl(root: Path) -> float:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    program = Path(sys.executable).with_name("ranktrail")
    command = [str(program), "--store", str(root), "crawl", "--json"]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - began


def _read(store: Store) -> float:
    """Seconds of reading the tables that have a row per commit or version."""
    board = store.board(BOARD)
    began = time.perf_counter()
    store.commits(board)
    store.versions(board.name)
    store.read_table(store.readings_file(board.name), derived.READINGS_SCHEMA)
    return time.perf_counter() - began
