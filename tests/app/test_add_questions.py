"""What does `ranktrail add` ask, and what does it do where nobody answers?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawler.board import load_board, ready_made
from tests.app.leaderboard_files import EQUAL
from tests.app.small_board import run
from tests.histories import History
from tests.terminal import CTRL_C, PROGRAM, Said, at_terminal

NESTED = json.dumps(
    {
        f"fern-{k}": {"link": "x", "pass": {"easy": k * 7 % 30, "hard": k * 3 % 31}}
        for k in range(30)
    }
)

WAYS = "model,x,y\na,3,7\nb,5,9\nc,4,8\nd,9,1\n"


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


def test_tables_with_the_same_columns_are_one_question(tmp_path):
    rows = "\n|Model|Acc|\n|---|---|\n|a|9|\n|b|8|\n|c|7|\n|d|6|\n|e|5|\n\n"
    files = {"README.md": f"## English\n{rows}## German\n{rows.replace('a|9', 'z|9')}"}
    said = asked(tmp_path, files, ["German", "y"], "--json")
    assert (said.exit_code, said.asked) == (0, (1, 1)), said.screen
    assert json.loads(said.stdout)["standings"]["entries"][0]["entry"] == "z"


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


def test_numbers_with_all_their_bits_are_rounded_in_the_preview(tmp_path):
    exact = "model,elo\na,1492.0512345678901\nb,1300.5\nc,1200.25\nd,1100\n"
    said = asked(tmp_path, {"r.csv": exact}, ["n"])
    assert (said.exit_code, said.asked) == (0, (0, 1)), said.screen
    assert "1492.051 \n" not in said.stdout
    assert [line.split()[-1] for line in said.stdout.splitlines()[-4:]] == [
        "1492.051", "1300.5", "1200.25", "1100"
    ]  # fmt: skip


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


def test_a_ready_made_board_says_what_it_reads(tmp_path):
    done = run(tmp_path / "s", "add", "mmmu-val")
    assert (done.exit_code, done.stdout) == (2, "")
    for said in ("source.paths = leaderboard_data.json", "table.score = $.validation.overall",
                 "table.direction = higher", "(a ready-made definition)"):  # fmt: skip
        assert said in done.stderr
    assert "mmmu-val" in ready_made()
