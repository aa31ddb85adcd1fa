"""Which files does `ranktrail add` take: folders, dated ones, moved ones, renamed columns?"""

from __future__ import annotations

import json

import pytest

from crawler.board import load_board
from tests.app.leaderboard_files import BEFORE, EQUAL, TABLE
from tests.app.small_board import run
from tests.histories import History


def results(**scores: float) -> dict[str, str]:
    return {
        f"results/lab/{name}.json": json.dumps({"model": name.title(), "config": {"n": 5}, "acc": acc})
        for name, acc in scores.items()
    }  # fmt: skip


def dated(month: int, **scores: float) -> dict[str, str]:
    rows = "".join(f"{name},{score}\n" for name, score in scores.items())
    return {f"data/board_2026-0{month}-01.csv": f"model,score\n{rows}"}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], id="found"),
        pytest.param(["--path", "results/**/*.json"], id="named by a pattern"),
    ],
)
def test_a_folder_with_a_file_per_entry(tmp_path, options):
    repo = History(tmp_path / "garden.git")
    site = {"package.json": '{"name": "site", "version": "1"}'}
    repo.commit(site | results(fern=71.5, moss=80.25, oak=60), "2026-01-01T00:00:00Z")
    repo.commit(results(ivy=90.5), "2026-01-02T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--name", "garden", *options)
    assert done.exit_code == 0, done.stderr
    board = load_board(tmp_path / "s" / "garden" / "board.toml")
    assert board.source.paths == [options[1] if options else "results/lab/*.json"]
    assert board.rest["table"] == {
        "format": "json", "entry": "@file", "name": "model", "score": "acc", "direction": "higher"
    }  # fmt: skip
    assert "4 files of one shape" in done.stdout
    reigns = json.loads(run(tmp_path / "s", "reigns", "garden", "--json").stdout)["reigns"]
    assert [reign["entries"] for reign in reigns] == [["moss"], ["ivy"]]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], id="found"),
        pytest.param(["--path", "data/board_*.csv"], id="named by a pattern"),
    ],
)
def test_dated_files_side_by_side(tmp_path, options):
    repo = History(tmp_path / "garden.git")
    repo.commit(dated(2, fern=3, moss=2, oak=1), "2026-02-01T00:00:00Z")
    repo.commit(dated(3, moss=4, fern=3, oak=1), "2026-03-01T00:00:00Z")
    repo.commit(dated(2, fern=3.5, moss=2, oak=1), "2026-03-02T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--name", "garden", *options)
    assert done.exit_code == 0, done.stderr
    source = load_board(tmp_path / "s" / "garden" / "board.toml").source
    assert (source.paths, source.newest) == (["data/board_*.csv"], "date in the file name")
    assert "1 of 1 older ones" in done.stdout
    stood = json.loads(run(tmp_path / "s", "standings", "garden", "--json").stdout)
    assert stood["entries"][0]["entry"] == "moss"


def test_files_side_by_side_without_dates(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"b-x.csv": EQUAL}, "2026-02-01T00:00:00Z")
    repo.commit({"b-a.csv": EQUAL.replace("a,3", "z,3")}, "2026-03-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--path", "b-*.csv")
    assert done.exit_code == 0, done.stderr
    (file,) = (tmp_path / "s").glob("garden*/board.toml")
    assert load_board(file).source.newest == "commit"
    stood = json.loads(run(tmp_path / "s", "standings", "garden", "--json").stdout)
    assert stood["entries"][0]["entry"] == "z"


def test_many_files_that_are_no_board(tmp_path):
    repo = History(tmp_path / "garden.git")
    files = {f"x/{k}.json": json.dumps({f"k{k}": "a"}) for k in range(9)}
    repo.commit(files, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "docs/board.md#several-files" in done.stderr


def test_a_path_may_be_the_end_of_one(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"a/x.csv": TABLE, "b/y.csv": TABLE, "c/y.csv": TABLE}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--path", "x.csv")
    assert done.exit_code == 0, done.stderr
    assert load_board(tmp_path / "s" / "garden-x" / "board.toml").source.paths == ["a/x.csv"]
    assert "you chose it" in done.stdout
    twice = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--path", "y.csv")
    assert (twice.exit_code, twice.stdout) == (2, "")
    assert "several files are called so: b/y.csv, c/y.csv" in twice.stderr


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


def test_a_column_that_was_renamed(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"r.csv": BEFORE.replace("Overall", "Total")}, "2026-01-01T00:00:00Z")
    repo.commit({"r.csv": TABLE}, "2026-01-02T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert done.exit_code == 0, done.stderr
    assert load_board(tmp_path / "s" / "garden" / "board.toml").rest["table"]["score"] == [
        "Overall",
        "Total",
    ]
    reigns = json.loads(run(tmp_path / "s", "reigns", "garden", "--json").stdout)["reigns"]
    assert [reign["entries"] for reign in reigns] == [["moss"], ["fern"]]
