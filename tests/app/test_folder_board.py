"""A board with a file per entry, through the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.compute as pc
import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.views.standings import headline
from crawler.store import Store
from history.pipeline import open_board
from tests.histories import History

DEFINITION = """
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["results/**/*.json"]
[table]
entry = "@file"
score = "score"
direction = "higher"
"""


class Shop:
    """A store with that board, crawled."""

    def __init__(self, folder: Path):
        self.repo = History(folder / "upstream.git")
        self.store = Store(folder / "store")
        self.publish(1, {"results/fern.json": 81.5, "results/x/moss.json": 80.25})
        self.publish(2, {"results/x/moss.json": 82})
        self.store.folder("garden").mkdir(parents=True)
        self.store.board_file("garden").write_text(DEFINITION, encoding="utf-8")
        self.run("crawl")

    def publish(self, day: int, scores: dict[str, float]) -> str:
        files = {path: json.dumps({"score": score}) for path, score in scores.items()}
        return self.repo.commit(files, f"2026-03-{day:02}T12:00:00Z")

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(cli, ["--store", str(self.store.root), *arguments])

    def json(self, *arguments: str):
        return json.loads(self.run(*arguments, "--json").stdout)


@pytest.fixture
def shop(tmp_path):
    return Shop(tmp_path)


def test_standings_and_evidence(shop):
    document = shop.json("standings", "garden")
    assert document["path"] == "results/**/*.json"
    assert [(one["entry"], one["score_text"]) for one in document["entries"]] == [
        ("moss", "82"),
        ("fern", "81.5"),
    ]
    (claim,) = shop.json("check", "moss is #1 on garden")["claims"]
    assert claim["verdict"] == "true"
    assert [(one["path"], one["pointer"], one["text"]) for one in claim["evidence"]] == [
        ("results/x/moss.json", "/score", "82")
    ]


def test_standings_say_how_many_files_could_not_be_read(shop):
    assert shop.json("standings", "garden")["n_unreadable"] == 0
    assert "could not be read" not in shop.run("standings", "garden").stdout
    shop.repo.commit({"results/fern.json": "[{"}, "2026-03-03T12:00:00Z")
    shop.run("crawl")
    said = "1 entry could not be read; ranks are those of the others."
    for more in ([], ["--top", "1"]):
        document = shop.json("standings", "garden", *more)
        assert (document["n_ranked"], document["n_unreadable"]) == (1, 1)
        assert said in shop.run("standings", "garden", *more).stdout
    stood = open_board(shop.store, "garden").standings()
    assert headline(stood) == f"1 ranked; by score. {said}"


def test_a_crawl_reads_what_is_new(shop):
    shop.publish(3, {"results/oak.json": 90})
    (board,) = shop.json("crawl")["boards"]
    assert (board["new_versions"], board["versions"], board["unreadable"]) == (1, 3, 0)
    assert shop.json("standings", "garden")["entries"][0]["entry"] == "oak"
    (status,) = shop.json("boards")["boards"]
    assert (status["versions"], status["leader"]) == (3, ["oak"])


def test_every_file_is_verified_and_read_again(shop):
    assert shop.run("verify").stdout == "garden: 2 versions, 3 files, all as saved\n"
    assert shop.run("rebuild").exit_code == 0
    assert shop.run("verify").exit_code == 0


def test_verify_finds_a_changed_file(shop):
    place = shop.store.versions_file("garden")
    table = shop.store.read_table(place, shop.store.files("garden").schema)
    moss, fern = sorted(set(table["blob"].to_pylist()))[:2]
    texts = table["blob"].cast("string")
    column = table.schema.get_field_index("blob")
    swapped = pc.replace_substring(texts, moss, fern)
    notes = {k.decode(): v.decode() for k, v in table.schema.metadata.items()}
    shop.store.write_table(place, table.set_column(column, "blob", swapped), notes)
    said = shop.run("verify")
    assert said.exit_code == 1
    assert "is saved as" in said.stdout + said.stderr
