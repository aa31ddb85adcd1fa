"""`ranktrail add`, from an address to standings, on real repositories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from filelock import FileLock

from crawler.board import load_board, ready_made
from tests.app.small_board import run
from tests.histories import History
from tests.terminal import CTRL_C, PROGRAM, Said, at_terminal

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
    assert "a.csv (3 rows): which column is the score" in done.stderr
    assert "Give --score: 'pass_1'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "s" / "garden").exists()
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes", "--score", "pass_2").exit_code == 0


def test_without_a_yes_nothing_is_written(repo, tmp_path):
    done = run(tmp_path / "s", "add", str(repo.folder))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "give --yes to write this definition" in done.stderr
    assert "table.score = Overall (the published ranks follow it" in done.stderr
    assert done.stderr.count("\n") == 1
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


# --- one question ----------------------------------------------------------------------------

NESTED = json.dumps(
    {
        f"fern-{k}": {"link": "x", "pass": {"easy": k * 7 % 30, "hard": k * 3 % 31}}
        for k in range(30)
    }
)
WAYS = "model,x,y\na,3,7\nb,5,9\nc,4,8\nd,9,1\n"
EQUAL = "model,score\na,3\nb,2\nc,1\n"


def asked(tmp_path: Path, files: dict[str, str], answers: list[str], *options: str) -> Said:
    repo = History(tmp_path / "garden.git")
    repo.commit(files, "2026-01-01T00:00:00Z")
    command = [PROGRAM, "--store", str(tmp_path / "s"), "add", str(repo.folder), *options]
    return at_terminal(command, answers)


@pytest.mark.parametrize(
    ("files", "answer", "name", "says", "first"),
    [
        pytest.param(
            {"r.json": NESTED}, "/pass/hard", "garden", "r.json (30 rows): which column is the score?",
            "fern-10", id="a score inside rows that hold tables, by its text",
        ),
        pytest.param({"r.json": NESTED}, "1", "garden", "1  /pass/easy", "fern-17", id="by number"),
        pytest.param(
            {"r.csv": WAYS}, "x, lower is better", "garden", "which way is better?", "a",
            id="score and direction in one",
        ),
        pytest.param(
            {"a.csv": EQUAL, "b.csv": EQUAL.replace("a,3", "z,3")}, "b.csv", "garden-b",
            "which file is the leaderboard?", "z", id="a file",
        ),
    ],
)  # fmt: skip
def test_one_question_then_a_board(tmp_path, files, answer, name, says, first):
    said = asked(tmp_path, files, [answer, "y"], "--json")
    assert (said.exit_code, said.asked) == (0, (1, 1)), said.screen
    assert says in said.screen
    document = json.loads(said.stdout)
    assert (document["board"], document["standings"]["entries"][0]["entry"]) == (name, first)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(["--score", "/pass/hard"], id="as the definition has it"),
        pytest.param(["--score", "pass.hard"], id="with dots"),
        pytest.param(["--score", "hard", "--direction", "higher"], id="its last name"),
    ],
)
def test_an_option_answers_as_a_person_does(tmp_path, given):
    repo = History(tmp_path / "garden.git")
    repo.commit({"r.json": NESTED}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", *given, "--direction", "higher")
    assert done.exit_code == 0, done.stderr
    table = load_board(tmp_path / "s" / "garden" / "board.toml").rest["table"]
    assert table == {
        "format": "json", "entry": "@key", "score": "/pass/hard", "direction": "higher"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "code", "says"),
    [
        pytest.param(["q"], 0, "Nothing was written.", id="quit at the question"),
        pytest.param(["7", "1", "q"], 0, "'7' is none of them.", id="quit at the yes"),
        pytest.param(["1", "n"], 0, "Nothing was written.", id="no"),
        pytest.param([CTRL_C], 130, "interrupted; nothing was written", id="Ctrl-C at the question"),
        pytest.param(["1", CTRL_C], 130, "interrupted; nothing was written", id="Ctrl-C at the yes"),
    ],
)  # fmt: skip
def test_nothing_is_written(tmp_path, answers, code, says):
    said = asked(tmp_path, {"r.json": NESTED}, answers, "--json")
    assert (said.exit_code, said.stdout) == (code, "")
    assert says in said.screen
    assert "Traceback" not in said.screen
    assert not (tmp_path / "s" / "garden").exists()


# --- many files ------------------------------------------------------------------------------


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


# --- what is shown, and what is not written ---------------------------------------------------


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


def test_other_kinds_are_mentioned_and_stay(tmp_path):
    repo = History(tmp_path / "garden.git")
    rows = [("ann", "human_expert", 95)] + [(f"m{k}", "model", 80 - k) for k in range(9)]
    text = "model,kind,score\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    repo.commit({"r.csv": text}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert done.exit_code == 0, done.stderr
    assert "1 row is human_expert; without them: where = " in done.stdout
    board = load_board(tmp_path / "s" / "garden" / "board.toml")
    assert "# where = \"not kind == 'human_expert'\"" in board.text
    assert "where" not in board.rest["table"]
    stood = json.loads(run(tmp_path / "s", "standings", "garden", "--json").stdout)
    assert stood["entries"][0]["entry"] == "ann"


def test_numbers_with_all_their_bits_are_rounded_in_the_preview(tmp_path):
    exact = "model,elo\na,1492.0512345678901\nb,1300.5\nc,1200.25\nd,1100\n"
    said = asked(tmp_path, {"r.csv": exact}, ["n"])
    assert (said.exit_code, said.asked) == (0, (0, 1)), said.screen
    assert "1492.051 \n" not in said.stdout
    assert [line.split()[-1] for line in said.stdout.splitlines()[-4:]] == [
        "1492.051", "1300.5", "1200.25", "1100"
    ]  # fmt: skip


def test_a_ready_made_board_says_what_it_reads(tmp_path):
    done = run(tmp_path / "s", "add", "mmmu-val")
    assert (done.exit_code, done.stdout) == (2, "")
    for said in ("source.paths = leaderboard_data.json", "table.score = $.validation.overall",
                 "table.direction = higher", "(a ready-made definition)"):  # fmt: skip
        assert said in done.stderr
    assert "mmmu-val" in ready_made()


def test_a_source_that_cannot_be_reached(tmp_path):
    gone = f"file://{tmp_path}/gone.git"
    done = run(tmp_path / "s", "add", gone, "--yes")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "nothing was written" in done.stderr
    assert "rawl again" not in done.stderr


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


def test_a_board_that_another_run_holds(repo, tmp_path):
    store = tmp_path / "s"
    (store / "garden").mkdir(parents=True)
    with FileLock(store / "garden" / ".lock"):
        done = run(store, "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (6, "")
    assert "another run is at work" in done.stderr
    assert not (store / "garden" / "board.toml").exists()
    assert run(store, "add", str(repo.folder), "--yes").exit_code == 0


def test_a_definition_without_a_version_is_to_be_crawled(repo, tmp_path):
    store = tmp_path / "s"
    assert run(store, "add", str(repo.folder), "--yes").exit_code == 0
    (store / "garden" / "versions.parquet").unlink()
    again = run(store, "add", str(repo.folder), "--yes")
    assert (again.exit_code, again.stdout) == (2, "")
    assert f"Give `ranktrail --store {store} crawl garden`" in again.stderr


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


CONFLICT = "Model,Score\n<<<<<<< HEAD\na,1\n=======\na,2\n>>>>>>> x\nb,3\n"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"


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


def test_a_name_that_no_definition_can_hold(tmp_path):
    repo = History(tmp_path / "garden.git")
    repo.commit({"a\tb.csv": TABLE, "c.csv": TABLE}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--path", "a\tb.csv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no definition can hold that name" in done.stderr
    assert run(tmp_path / "s", "add", str(repo.folder), "--yes").exit_code == 0


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


def test_tables_with_the_same_columns_are_one_question(tmp_path):
    rows = "\n|Model|Acc|\n|---|---|\n|a|9|\n|b|8|\n|c|7|\n|d|6|\n|e|5|\n\n"
    files = {"README.md": f"## English\n{rows}## German\n{rows.replace('a|9', 'z|9')}"}
    said = asked(tmp_path, files, ["German", "y"], "--json")
    assert (said.exit_code, said.asked) == (0, (1, 1)), said.screen
    assert json.loads(said.stdout)["standings"]["entries"][0]["entry"] == "z"


def test_a_definition_that_is_refused_is_called_the_proposed_one(tmp_path):
    repo = History(tmp_path / "garden.git")
    text = TABLE.replace("Overall", '"$.[Score"')
    repo.commit({"r.csv": text}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("the proposed definition: ")
    assert "/tmp" not in done.stderr


def test_a_default_branch_that_is_gone(repo, tmp_path):
    repo.git("branch", "side")
    repo.git("branch", "other")
    repo.git("symbolic-ref", "HEAD", "refs/heads/gone")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "git symbolic-ref HEAD refs/heads/BRANCH" in done.stderr
