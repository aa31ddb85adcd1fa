"""What stands behind the stores that meet faults, and how are they crawled?

A World has the servers, the repositories behind them, and a store for each way to the board in
question, with a calm board beside it. Before holds what such a store had.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from app.cli import cli
from crawler.store import Store
from tests.crawler.tracked import texts
from tests.hub.server import ALWAYS, Fault, HubServer

TABLE = '[table]\nentry = "entry"\nscore = "score"\ndirection = "higher"\n'

Make = Callable[[HubServer, str], Fault]


def content(number: int) -> str:
    """A table of a few thousand bytes, another one for each number."""
    rows = (f"model-{row:03},{(row * 7919 + number * 31) % 1000 / 10}" for row in range(250))
    return "\n".join(["entry,score", *rows, ""])


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


def define(store: Path, name: str, kind: str, repo: str, repo_type: str = "space") -> None:
    folder = store / name
    folder.mkdir(parents=True)
    typed = f'repo_type = "{repo_type}"\n' if kind == "hub" else ""
    source = f'[source]\nkind = "{kind}"\nrepo = "{repo}"\n{typed}paths = ["board.csv"]\n'
    (folder / "board.toml").write_text(source + TABLE)


@dataclass
class World:
    """The servers, the repositories behind them, and a store for each way, crawled once."""

    hub: HubServer
    bases: dict[str, Path]


def crawl(store: Path, way: str, *boards: str):
    via = ["--via", "api"] if way == "api" else []
    return command(store, "crawl", *boards, *via, "--json")


def command(store: Path, *arguments: str):
    return CliRunner().invoke(cli, ["--store", str(store), *arguments])


def outcome(result) -> dict[str, object]:
    """What the document says of the board in question."""
    said = {one["board"]: one for one in json.loads(result.stdout)["boards"]}
    assert said["calm"]["status"] == "ok", "one broken board must not fail the others"
    return said["board"]


class Before:
    """What a store held of the board before a crawl."""

    def __init__(self, store: Path):
        self.store = Store(store)
        self.versions = self.store.versions("board").to_pylist()
        self.line = self.store.commits(self.store.board("board")).to_pylist()
        self.files = self._files()
        attempts = json.loads(command(store, "boards", "--json").stdout)["boards"][0]
        self.last_success = attempts["last_success"]

    def _files(self) -> dict[str, bytes]:
        folder = self.store.folder("board")
        return {
            str(file.relative_to(folder)): file.read_bytes()
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name not in ("crawls.jsonl", ".lock")
        }

    def all_kept(self, *, untouched: bool = False) -> None:
        """Assert that all is as it was, or that something stands behind it at most."""
        versions = self.store.versions("board").to_pylist()
        line = self.store.commits(self.store.board("board")).to_pylist()
        assert versions[: len(self.versions)] == self.versions
        assert line[: len(self.line)] == self.line
        assert texts(self.store, "board")[0] == content(1)
        if untouched:
            assert self._files() == self.files


def always(make: Callable[..., Fault], *given, **more) -> Make:
    return lambda hub, on: make(*given, on=on, times=ALWAYS, **more)


def once(make: Callable[..., Fault], *given, **more) -> Make:
    return lambda hub, on: make(*given, on=on, **more)
