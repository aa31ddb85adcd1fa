"""`ranktrail add`, from an address to standings, on real repositories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawler.board import load_board
from tests.app.small_board import run
from tests.histories import History

TABLE = "Rank,Model,Overall,Cost\n1,fern,81.2,9\n2,moss,80.1,3\n3,oak,79.5,5\n4,elm,70.0,1\n"
BEFORE = "Rank,Model,Overall,Cost\n1,moss,80.1,3\n2,oak,79.5,5\n3,elm,70.0,1\n4,ivy,1,1\n"


@pytest.fixture
def repo(tmp_path: Path) -> History:
    repo = History(tmp_path / "garden.git")
    repo.commit({"results.csv": BEFORE, "notes.txt": "x"}, "2026-01-01T00:00:00Z")
    repo.commit({"results.csv": TABLE}, "2026-01-02T00:00:00Z")
    return repo


def test_a_board_in_one_command(repo, tmp_path):
    store = tmp_path / "new" / "store"
    done = run(store, "add", str(repo.folder), "--yes")
    assert done.exit_code == 0, done.stderr
    board = load_board(store / "garden" / "board.toml")
    assert board.source.paths == ["results.csv"]
    assert board.rest["table"] == {
        "format": "csv",
        "entry": "Model",
        "score": "Overall",
        "direction": "higher",
        "published_rank": "Rank",
    }
    assert "the published ranks follow it" in done.stdout
    assert "2 contents of the file" in done.stdout
    assert f"Next: ranktrail --store {store} reigns garden" in done.stdout
    stood = json.loads(run(store, "standings", "garden", "--json").stdout)
    assert [row["entry"] for row in stood["entries"]] == ["fern", "moss", "oak", "elm"]


def test_as_json(repo, tmp_path):
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--json", "--name", "mine")
    document = json.loads(done.stdout)
    assert document["board"] == "mine"
    assert document["standings"]["entries"][0]["entry"] == "fern"
    assert {one["key"] for one in document["guesses"]} >= {"table.score", "table.entry", "history"}


def test_a_moved_file_keeps_its_history(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"old.csv": BEFORE}, "2026-01-01T00:00:00Z")
    repo.commit({"old.csv": None, "new.csv": BEFORE}, "2026-01-02T00:00:00Z")
    repo.commit({"new.csv": TABLE}, "2026-01-03T00:00:00Z")
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes").exit_code == 0
    board = load_board(tmp_path / "s" / "garden" / "board.toml")
    assert board.source.paths == ["new.csv", "old.csv"]
    reigns = json.loads(run(tmp_path / "s", "reigns", "garden", "--json").stdout)["reigns"]
    assert [reign["entries"] for reign in reigns] == [["moss"], ["fern"]]


def test_nobody_to_ask(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"a.csv": "model,pass_1,pass_2\na,3,9\nb,5,7\nc,4,8\n"}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "which column is the score" in done.stderr
    assert "Give --score: 'pass_1'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "s" / "garden").exists()
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes", "--score", "pass_2").exit_code == 0


def test_without_a_yes_nothing_is_written(repo, tmp_path):
    done = run(tmp_path / "s", "add", str(repo.folder))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "give --yes to write this definition" in done.stderr
    assert not (tmp_path / "s" / "garden").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["nowhere"], "no folder, bundle or address", id="no address"),
        pytest.param(["REPO", "--path", "x.csv"], "not in the newest commit", id="no such file"),
        pytest.param(
            ["REPO", "--name", "../x"], "no name of a board", id="a name out of the store"
        ),
        pytest.param(["REPO", "--score", "Overal"], "no column 'Overal'", id="no such column"),
        pytest.param(["REPO", "--path", "notes.txt"], "does not tell the format", id="no format"),
    ],
)
def test_what_cannot_be_added(repo, tmp_path, arguments, says):
    real = [str(repo.folder) if word == "REPO" else word for word in arguments]
    done = run(tmp_path / "s", "add", *real, "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_board_is_not_added_twice(repo, tmp_path):
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes").exit_code == 0
    again = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (again.exit_code, again.stdout) == (2, "")
    assert "already tracked" in again.stderr


def test_names_of_a_file_cannot_break_out_of_the_definition(tmp_path):
    repo = History(tmp_path / "garden.git")
    nasty = 'model,"sco""re\'\n# x = 1 \x7f avg"\na,3\nb,2\nc,1\nd,0.5\ne,0.25\n'
    repo.commit({"a.csv": nasty}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert done.exit_code == 0, done.stderr
    table = load_board(tmp_path / "s" / "garden" / "board.toml").rest["table"]
    assert table["score"] == "sco\"re'\n# x = 1 \x7f avg"
