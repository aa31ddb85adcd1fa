"""What can `ranktrail add` not add, which reason does it give, and what does it leave behind?"""

from __future__ import annotations

import json

import pytest
from filelock import FileLock

from tests.app.leaderboard_files import TABLE
from tests.app.small_board import run
from tests.histories import History

CONFLICT = "Model,Score\n<<<<<<< HEAD\na,1\n=======\na,2\n>>>>>>> x\nb,3\n"

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"


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
        pytest.param(
            ["REPO", "--path", "result.csv"], "Did you mean results.csv?", id="nearly a file"
        ),
        pytest.param(["REPO", "--path", "*.json"], "no file is called so", id="an empty pattern"),
        pytest.param(["REPO", "--path", "**x"], "stands alone", id="no pattern"),
        pytest.param(
            ["mmmu-vall"],
            "mmmu-vall: no folder, bundle or address of that name. Did you mean mmmu-val?",
            id="nearly a ready-made board",
        ),
        pytest.param(
            ["mmmu-val", "--score", "x", "--path", "y"],
            "Leave out --path and --score, or edit board.toml afterwards.",
            id="a ready-made board with columns",
        ),
    ],
)
def test_what_cannot_be_added(repo, tmp_path, arguments, says):
    real = [str(repo.folder) if word == "REPO" else word for word in arguments]
    done = run(tmp_path / "s", "add", *real, "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("source", "says"),
    [
        pytest.param("http://[::1", "no address", id="half a bracket"),
        pytest.param("~nobody-of-that-name", "no folder, bundle or address", id="nobody's home"),
        pytest.param("x" * 5000, "(5,000 letters): no folder", id="a very long name"),
    ],
)
def test_what_is_no_source(tmp_path, source, says):
    done = run(tmp_path / "s", "add", source, "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_source_that_cannot_be_reached(tmp_path):
    gone = f"file://{tmp_path}/gone.git"
    done = run(tmp_path / "s", "add", gone, "--yes")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "nothing was written" in done.stderr
    assert "rawl again" not in done.stderr


def test_a_default_branch_that_is_gone(repo, tmp_path):
    repo.git("branch", "side")
    repo.git("branch", "other")
    repo.git("symbolic-ref", "HEAD", "refs/heads/gone")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "git symbolic-ref HEAD refs/heads/BRANCH" in done.stderr


def test_a_board_is_not_added_twice(repo, tmp_path):
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes").exit_code == 0
    again = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (again.exit_code, again.stdout) == (2, "")
    assert "already tracked" in again.stderr


def test_a_definition_without_a_version_is_to_be_crawled(repo, tmp_path):
    store = tmp_path / "s"
    assert run(store, "add", str(repo.folder), "--yes").exit_code == 0
    (store / "garden" / "versions.parquet").unlink()
    again = run(store, "add", str(repo.folder), "--yes")
    assert (again.exit_code, again.stdout) == (2, "")
    assert f"Give `ranktrail --store {store} crawl garden`" in again.stderr


def test_a_board_that_another_run_holds(repo, tmp_path):
    store = tmp_path / "s"
    (store / "garden").mkdir(parents=True)
    with FileLock(store / "garden" / ".lock"):
        done = run(store, "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (6, "")
    assert "another run is at work" in done.stderr
    assert not (store / "garden" / "board.toml").exists()
    assert run(store, "add", str(repo.folder), "--yes").exit_code == 0


def test_a_first_crawl_that_fails_leaves_nothing(repo, tmp_path):
    store = tmp_path / "s"
    seen = run(store, "add", str(repo.folder))  # fetched, and not written
    assert seen.exit_code == 2
    (store / "garden").mkdir()
    (store / "garden" / "versions.parquet").mkdir()  # a folder where a file has to go
    done = run(store, "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "Nothing was written." in done.stderr
    assert [file.name for file in (store / "garden").iterdir() if file.name != ".lock"] == [
        "versions.parquet"
    ]


def test_a_guess_that_reads_no_older_version_is_not_written(tmp_path):
    repo = History(tmp_path / "garden.git")
    for day in range(1, 5):
        old = TABLE.replace("Model", f"Old {day}")
        repo.commit({"r.csv": old}, f"2026-01-0{day}T00:00:00Z")
    repo.commit({"r.csv": TABLE}, "2026-01-09T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "none of 4 older ones that were looked at can be read this way: " in done.stderr
    assert "has a column 'Model'" in done.stderr
    assert "Nothing was written. Give --entry and --score" in done.stderr
    assert not (tmp_path / "s" / "garden").exists()
    said = ("--entry", "Model", "--score", "Overall")
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes", *said).exit_code == 0


def test_a_definition_that_is_refused_is_called_the_proposed_one(tmp_path):
    repo = History(tmp_path / "garden.git")
    text = TABLE.replace("Overall", '"$.[Score"')
    repo.commit({"r.csv": text}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("the proposed definition: ")
    assert "/tmp" not in done.stderr


def test_a_name_that_no_definition_can_hold(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"a\tb.csv": TABLE, "c.csv": TABLE}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--path", "a\tb.csv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no definition can hold that name" in done.stderr
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes").exit_code == 0


@pytest.mark.parametrize(
    ("files", "says"),
    [
        pytest.param({"b.csv": CONFLICT}, "b.csv: conflict_markers: line 2", id="a conflict"),
        pytest.param({"b.csv": POINTER}, "b.csv: lfs_pointer", id="a pointer"),
        pytest.param({"b.csv": ""}, "b.csv: empty", id="an empty file"),
        pytest.param({"b.md": "x" * (4 * 1024 * 1024 + 1)}, "b.md: too_large", id="too large"),
        pytest.param(
            {"b_20240101.csv": TABLE, "b_20240201.csv": CONFLICT},
            "b_20240201.csv: conflict_markers",
            id="the newest by its date",
        ),
        pytest.param({"a\tb.csv": TABLE}, "no file holds a table", id="a name for no definition"),
    ],
)
def test_the_reason_why_nothing_was_found(tmp_path, files, says):
    repo = History(tmp_path / "garden.git")
    repo.commit(files, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_cannot_be_read_is_said_beside_what_can(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"a.csv": TABLE, "b.csv": CONFLICT}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--json")
    assert done.exit_code == 0, done.stderr
    assert {
        "key": "not read",
        "value": "b.csv",
        "why": "conflict_markers: line 2: a merge conflict left in the file",
    } in json.loads(done.stdout)["guesses"]
