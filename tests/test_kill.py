"""SIGKILL at random moments: the next crawl completes, and nothing that was said to be saved is gone."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from crawler.store import Store
from tests.forked import Ended, Forks, children
from tests.four_sources import BOARDS, Upstream
from tests.hub.server import HubServer

SEED = 20261004
COMMANDS = {
    "crawl": ("crawl", "--via", "api", "--json"),
    "repair": ("crawl", "--via", "api", "--repair", "--json"),
    "rebuild": ("rebuild", "--json"),
}
WEIGHTS = {"crawl": 6, "repair": 3, "rebuild": 1}
LEFTOVERS = (
    *("tmp_*", ".tmp-*", "*.new", "*.lock", "*.keep", "*.new-*", "fast_import_crash_*"),
    *("damaged-*", "shallow.ranktrail"),
)
SAME = ["version", "commit", "committed_at", "path", "blob", "size", "state", "vanished", "pointer"]


class Victim:
    """A store whose crawls are killed."""

    def __init__(self, folder: Path, upstream: Upstream, forks: Forks, seed: int):
        self.store = Store(folder)
        self.random = random.Random(seed)
        self.landed = 0
        self._forks = forks
        self._saved: dict[str, list[tuple[object, ...]]] = {}
        self._takes: dict[str, float] = {}
        upstream.define(folder)

    def run(self, command: str) -> Ended:
        """Run a command to its end, which must be a good one."""
        ended = self._forks.run("--store", str(self.store.root), *COMMANDS[command])
        assert ended.code == 0, ended.stderr
        self._takes[command] = ended.seconds
        self._remember(command, ended)
        return ended

    def kill(self, command: str) -> str:
        """Begin a command and kill it some time later; says how."""
        until = self.random.uniform(0, 1.1 * self._takes[command])
        way = self.random.choice(("alone", "group", "all"))
        pid = self._forks.start("--store", str(self.store.root), *COMMANDS[command])
        time.sleep(until)
        below = children(pid) if way == "all" else []
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL) if way == "alone" else os.killpg(pid, signal.SIGKILL)
        for one in below:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        ended = self._forks.wait()
        assert ended.code in (0, -signal.SIGKILL), ended.stderr
        self.landed += ended.code < 0
        self._remember(command, ended)
        return f"{command} killed ({way}) after {until:.3f} s of {self._takes[command]:.3f} s"

    def check(self, *, verified: bool) -> None:
        """The next crawl, and what must hold after it."""
        self.run("crawl")
        for name, saved in self._saved.items():
            assert self._rows(name)[: len(saved)] == saved, name
        found = [file for one in LEFTOVERS for file in self.store.root.rglob(one)]
        left = [str(file.relative_to(self.store.root)) for file in found if file.name != ".lock"]
        assert left == []
        if verified:
            said = self._forks.run("--store", str(self.store.root), "verify", "--json")
            assert (said.code, said.stderr) == (0, "")

    def told(self, name: str) -> list[dict[str, object]]:
        """The versions of a board."""
        return self.store.files(name).select(SAME).to_pylist()

    def _remember(self, command: str, ended: Ended) -> None:
        """The versions that a crawl said are saved."""
        if command == "rebuild":
            return
        with suppress(ValueError):
            for board in json.loads(ended.stdout)["boards"]:
                rows = self._rows(board["board"])
                assert board["status"] == "ok"
                assert len(rows) >= board["versions"]
                self._saved[board["board"]] = rows

    def _rows(self, name: str) -> list[tuple[object, ...]]:
        columns = ["version", "commit", "path", "blob", "state"]
        return [tuple(row.values()) for row in self.store.files(name).select(columns).to_pylist()]


def run_kills(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    kills: int,
    seed: int,
    *,
    rewrite_every: int,
    verify_every: int,
) -> None:
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        upstream = Upstream(folder, hub, rows=10)
        upstream.grow()
        with Forks(folder) as forks:
            twin = Victim(folder / "twin", upstream, forks, seed)
            victim = Victim(folder / "store", upstream, forks, seed)
            for command in ("crawl", "rebuild", "repair"):
                victim.run(command)
            upstream.grow()
            victim.run("crawl")
            for number in range(kills):
                rewritten = number % rewrite_every == rewrite_every - 1
                if rewritten:
                    twin.run("crawl")
                upstream.grow(2, rewritten=rewritten)
                (command,) = victim.random.choices([*WEIGHTS], [*WEIGHTS.values()])
                how = victim.kill(command)
                try:
                    victim.check(verified=number % verify_every == verify_every - 1)
                except AssertionError as error:
                    raise AssertionError(f"kill {number}: {how}: {error}") from error
            twin.run("crawl")
        for name in set(BOARDS) - {"poll"}:
            assert victim.told(name) == twin.told(name), name
        states = [row["state"] for row in victim.told("poll")]
        assert states == ["published"] * (kills + 2)  # a look or two at each state of the address
        assert victim.landed > kills / 3


@pytest.mark.timeout(400)
def test_twenty_kills(tmp_path, monkeypatch):
    run_kills(tmp_path, monkeypatch, 20, SEED, rewrite_every=7, verify_every=7)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(4))
def test_fifty_kills(tmp_path, monkeypatch, part):
    run_kills(tmp_path, monkeypatch, 50, SEED + 1 + part, rewrite_every=8, verify_every=1)
