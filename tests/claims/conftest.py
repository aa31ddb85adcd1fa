"""How does a claims test get boards whose history it knows to the last cell?

`world()` makes an empty store and a git repository; the test commits small tables, crawls
them on the real path, and checks claims about them. `garden` is one such history that many tests share;
none of them may commit to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from crawler.board import Board
from crawler.crawl import crawl
from crawler.store import Store
from crawler.work import Work
from history.claims.evaluate import check
from history.claims.language.claim import Claim
from history.claims.language.claims_file import parse_claims
from history.claims.sentences.sentence import read_sentence
from history.claims.verdict import Verdict
from history.meaning import read_meaning
from history.pipeline import BoardHistory, open_board
from history.scores import derive
from tests.histories import History

LOOK = "2024-10-23T10:00:00Z"
OVER = {"over": ["", ""]}  # all of the time that is known
NOW = datetime(2024, 10, 23, 12, tzinfo=UTC)
CONFLICT = "model,score\n<<<<<<< HEAD\nfern,1\n=======\nfern,2\n>>>>>>> x\n"


class World:
    """A repository, a store that crawls it, and the claims about its boards."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.repo = History(folder / "upstream.git")
        self.store = Store(folder / "store")
        self.commits: list[str] = []
        self._open: dict[str, BoardHistory] = {}

    def board(self, name: str, path: str = "", more: str = "", score: str = "score") -> None:
        """Track a file of the repository; a .csv unless `path` says otherwise."""
        path = path or f"{name}.csv"
        rows = 'rows = "$.models"\n' if path.endswith(".json") else ""
        text = f"""
            name = "{name}"
            [source]
            kind = "git"
            repo = "{self.repo.folder}"
            paths = ["{path}"]
            [table]
            {rows}
            entry = "model"
            score = "{score}"
            direction = "higher"
        """
        lines = [line.strip() for line in text.splitlines()]
        file = self.store.board_file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + more, encoding="utf-8")

    def commit(self, at: str, **files: Mapping[str, Any] | str | None) -> str:
        """Publish tables: {entry: score}, or a text as it is, or None to remove the file."""
        content = {
            name if "." in name else f"{name}.csv": _csv(rows)
            if isinstance(rows, Mapping)
            else rows
            for name, rows in files.items()
        }
        self.commits.append(self.repo.commit(content, at))
        return self.commits[-1]

    def crawl(self, look: str = LOOK) -> None:
        """Crawl all boards, at a set time."""
        boards = [self.store.board(name) for name in self.store.names()]
        for outcome in crawl(self.store, boards, work=Work(), derive=self._derive):
            assert outcome.status == "ok", outcome.error
        for board in boards:
            file = self.store.crawls_file(board.name)
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            lines[-1]["started"] = lines[-1]["finished"] = look
            file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self._open.clear()

    def crawl_only(self, name: str) -> None:
        """Crawl one board, now."""
        board = self.store.board(name)
        list(crawl(self.store, [board], work=Work(), derive=self._derive))
        self._open.clear()

    def open(self, name: str) -> BoardHistory:
        """The history of a board."""
        if name not in self._open:
            self._open[name] = open_board(self.store, name)
        return self._open[name]

    def check(self, text: str) -> list[Verdict]:
        """Verdicts on a claims file."""
        return self.verdicts(parse_claims(text, "claims.toml"))

    def one(self, **claim: Any) -> Verdict:
        """The verdict on one claim of a file, given as JSON would give it."""
        text = json.dumps([{"id": "c", **claim}], default=str)
        return self.verdicts(parse_claims(text, "claims.json", "json"))[0]

    def say(self, sentence: str) -> Verdict:
        """The verdict on a sentence."""
        return self.verdicts([read_sentence(sentence)])[0]

    def verdicts(self, claims: list[Claim]) -> list[Verdict]:
        """Verdicts on claims."""
        return check(claims, self.open, now=NOW, folder=self.folder)

    def _derive(self, board: Board) -> int:
        return derive(self.store, board, read_meaning(board))


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty world."""
    return World(tmp_path)


@pytest.fixture(scope="session")
def make_world(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], World]:
    """Empty worlds for tests that share one."""
    return lambda name: World(tmp_path_factory.mktemp(name))


@pytest.fixture(scope="session")
def garden(make_world: Callable[[str], World]) -> World:
    """A board that lives through everything, and small ones for single questions."""
    world = make_world("garden")
    world.board("plain")
    for rule in ("anchored", "chain", "pairwise"):
        more = f'\n[ties]\nrule = "{rule}"\nband = 0.6\n'
        world.board(rule, "bands.csv", more)
    world.board("bare", "bands.csv")
    world.board(
        "parts",
        "parts.json",
        '\n[table.parts]\npublic = "pub"\nsame = "same"\nfresh = "fresh"\n'
        '[splits]\nprivate = "0.6*same + 0.4*fresh"\n[edition]\nlabel = "$.label"\n',
    )
    bands = {"oak": "10.0", "fern": "9.5", "moss": "9.0", "ash": "7.4", "elm": "7.4"}
    world.commit(
        "2024-03-01T00:00:00Z",
        plain={"fern": "80", "moss": "79"},
        bands=bands,
        **{"parts.json": _parts("0.3", fern="81.62", moss="75.45")},
    )
    world.commit("2024-03-02T12:00:00Z", plain={"fern": "80", "moss": "81", "oak": "70"})
    world.commit(
        "2024-03-03T00:00:00Z",
        plain={"fern": "82.5", "moss": "81"},
        **{"parts.json": _parts("0.4", fern="84.00", moss="75.45")},
    )
    world.commit("2024-03-04T00:00:00Z", plain=CONFLICT)
    world.commit("2024-03-05T00:00:00Z", plain={"fern": "82.5", "moss": "83"})
    world.commit("2024-03-06T00:00:00Z", plain=None)
    world.commit("2024-03-07T00:00:00Z", plain={"fern": "84", "moss": "83", "ash": None})
    world.crawl("2024-03-10T00:00:00Z")
    return world


def claim(
    predicate: str, subject: str | None = "fern", board: str = "plain", **more: Any
) -> dict[str, Any]:
    """One claim as a file gives it; about fern on plain unless it says otherwise."""
    given = {"predicate": predicate, "board": board, **more}
    return given if subject is None else {"subject": subject, **given}


def _csv(rows: Mapping[str, Any]) -> str:
    lines = ["model,score"]
    lines += [f'"{entry}",{"" if score is None else score}' for entry, score in rows.items()]
    return "\n".join(lines) + "\n"


def _parts(label: str, **publics: str) -> str:
    rows = ",".join(
        f'{{"model": "{entry}", "score": {public}, "pub": {public}, "same": 60.5, "fresh": 50.25}}'
        for entry, public in publics.items()
    )
    return f'{{"label": "{label}", "models": [{rows}]}}'


@pytest.fixture(scope="module")
def two(make_world) -> World:
    """On x fern leads until 3 March; on y it shares from 2 March 12:00 and leads from 4 March."""
    world = make_world("two")
    world.board("x")
    world.board("y")
    world.board("again", "x.csv")
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2, "moss": 1}, y={"fern": 1, "oak": 2})
    world.commit("2024-03-02T12:00:00Z", y={"fern": 2, "oak": 2})
    world.commit("2024-03-03T00:00:00Z", x={"fern": 2, "moss": 3})
    world.commit("2024-03-04T00:00:00Z", y={"fern": 3, "oak": 2})
    world.crawl("2024-03-05T00:00:00Z")
    return world


def first(board: str, **more: Any) -> dict[str, Any]:
    return {"predicate": "first", "subject": "fern", "board": board, **more}


def neither(member: dict[str, Any]) -> dict[str, Any]:
    return {"predicate": "not", "claims": [member]}
