"""What do people see of a board, and what stands in its CSV?"""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from app.cli import cli
from tests.app.small_board import DEFINITION, VERSIONS, board_json, define, plant, run


def test_every_command_has_an_example():
    for name, command in cli.commands.items():
        example = inspect.cleandoc(command.help).partition("\b\nExample:\n    ranktrail ")[2]
        assert name in example, name


def test_help_without_a_command(tmp_path: Path):
    result = run(tmp_path)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        0,
        "Usage: ranktrail [OPTIONS] [COMMAND] [ARGS]...",
    )


def test_an_answer_has_one_form(garden):
    result = run(garden.store, "standings", "garden", "--json", "--csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "--json and --csv: an answer has one form. Give one of them.\n"


def test_the_table_for_people(garden):
    lines = garden.run("standings", "garden").stdout.splitlines()
    assert lines[0] == "garden, 2, 3 ranked, ties anchored 0.5 inclusive"
    assert lines[1] == f"2026-03-03T10:00:00Z, commit {garden.commits[3][:8]}, board.json"
    assert [line.split() for line in lines[2:-1] if "─" not in line] == [
        ["rank", "tie", "entry", "name", "score", "public", "private"],
        ["1", "1", "=ivy", r"\x1b[31mIvy", "73.1", "75.0", "71.2"],
        ["2", "2=", "moss", "Moss", "2", "72.0", "71.5", "72.5"],
        ["3", "2=", "fern", "Fern", "71.5", "80.25", "60.5"],
    ]
    assert lines[-1].startswith("All numbers measured. Last look 2")


def test_csv_cannot_be_taken_for_formulas(garden):
    lines = garden.run("standings", "garden", "--csv").stdout.splitlines()
    commit = garden.commits[3]
    assert lines == [
        "board,commit,committed_at,rank,tie_rank,tied,entry,name,score_text,rank_published,"
        "tie_rank_published,unranked,public,private",
        f"garden,{commit},2026-03-03T10:00:00Z,1,1,false,'=ivy,\x1b[31mIvy,73.1,,,,75.0,71.2",
        f"garden,{commit},2026-03-03T10:00:00Z,2,2,true,moss,Moss 2,72.0,,,,71.5,72.5",
        f"garden,{commit},2026-03-03T10:00:00Z,3,2,true,fern,Fern,71.5,,,,80.25,60.5",
    ]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["boards"], id="boards"),
        pytest.param(["history", "garden"], id="history"),
        pytest.param(["reigns", "garden"], id="reigns"),
        pytest.param(["splits", "garden"], id="splits"),
    ],
)
def test_every_table_has_a_csv_with_a_value_for_each_column(garden, command):
    import csv

    result = garden.run(*command, "--csv")
    rows = list(csv.reader(result.stdout.splitlines()))
    assert result.exit_code == 0
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}


def test_a_name_of_several_lines_stays_one_cell_of_the_csv():
    import csv
    import io

    from app.output import csv_text

    rows = [["entry", "score"], ["a\rb", "1"], ["c\nd", "2"], ["e\r\nf", "3"], ['g"h,i', "4"]]
    text = csv_text(rows[0], rows[1:])
    assert list(csv.reader(io.StringIO(text, newline=""))) == rows


def test_columns_that_say_nothing_are_left_out(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    text = DEFINITION.partition("[splits]")[0].replace('public = "pub"', 'same = "s"')
    define(garden.store, "garden", text)
    assert run(garden.store, "crawl").exit_code == 0
    table = run(garden.store, "standings", "garden").stdout.splitlines()
    assert table[2].split() == ["rank", "entry", "name", "score", "private"]
    table = run(garden.store, "history", "garden").stdout.splitlines()
    assert table[1].split() == ["committed", "(UTC)", "commit", "entry", "score", "rank", "of"]


def test_splits_without_a_split_say_how_to_name_one(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    bare = DEFINITION.partition("[table.parts]")[0]
    define(garden.store, "garden", bare)
    assert run(garden.store, "crawl").exit_code == 0
    lines = run(garden.store, "splits", "garden").stdout.splitlines()
    assert lines[0] == "garden: no splits; name them in [splits]"


def test_splits_without_public_and_private_have_no_gap(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    parts = '[table.parts]\nnorth = "pub"\n'
    define(garden.store, "garden", DEFINITION.partition("[table.parts]")[0] + parts)
    assert run(garden.store, "crawl").exit_code == 0
    lines = run(garden.store, "splits", "garden").stdout.splitlines()
    assert lines[1].split() == ["entry", "north", "rank", "north"]
    assert lines[3].split() == ["fern", "80.25", "1"]


def test_first_place_that_becomes_shared_is_not_lost(tmp_path):
    garden = plant(
        tmp_path,
        [
            ("2026-03-01T08:00:00Z", board_json("1", ("fern", "Fern", 71.5, 1, 1))),
            (
                "2026-03-02T08:00:00Z",
                board_json("1", ("fern", "Fern", 71.5, 1, 1), ("moss", "Moss", 71.5, 1, 1)),
            ),
        ],
    )
    assert "shared with Moss (joined)" in run(garden.store, "reigns", "garden").stdout


def test_a_day_with_several_versions_is_said_on_stderr(tmp_path):
    row = ("fern", "Fern", 71.5, 80.25, 60.5)
    times = ("2026-03-02T09:00:00Z", "2026-03-02T15:00:00Z")
    garden = plant(tmp_path, [(at, board_json(str(n), row)) for n, at in enumerate(times)])
    result = garden.run("standings", "garden", "--at", "2026-03-02")
    assert result.exit_code == 0
    said = "this day saw 2 versions; shown is the last, {1}; the others are {0}"
    assert said.format(*(commit[:8] for commit in garden.commits)) in result.stderr


def test_a_day_whose_last_version_cannot_be_read_has_no_end(garden):
    result = garden.run("standings", "garden", "--at", "2026-03-02")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "this version cannot be read" in result.stderr


def test_standings_say_why_an_entry_has_no_rank(tmp_path):
    scores = {"fern": "70.5", "moss": "<0.1", "oak": "n/a", "ivy": "(0.4)", "elm": "soon"}
    rows = [
        {"id": key, "name": key, "s": text, "pub": 1, "priv": 1} for key, text in scores.items()
    ]
    garden = plant(tmp_path, [("2026-03-01T08:00:00Z", json.dumps({"label": "1", "rows": rows}))])
    listed = garden.json("standings", "garden")["entries"]
    assert {one["entry"]: one["unranked_why"] for one in listed} == {
        "fern": None,
        "elm": "the score of 'elm' is no number: 'soon'",
        "ivy": "the score of 'ivy' is ambiguous, -0.4 or 0.4 in brackets: '(0.4)'",
        "moss": "the score of 'moss' is a bound, no value: '<0.1'",
        "oak": None,
    }
    line = (
        "3 entries are not ranked: the score of 'elm' is no number: 'soon'; the score of 'ivy' is "
        "ambiguous, -0.4 or 0.4 in brackets: '(0.4)'; and 1 more (see `audit`)"
    )
    said = garden.run("standings", "garden").stdout
    assert " ".join(said.split()).endswith(line)
    assert line in garden.run("standings", "garden", "--csv").stderr


def test_a_reconstruction_says_so_everywhere(tmp_path):
    garden = plant(tmp_path)
    file = garden.store / "garden" / "board.toml"
    file.write_text(
        file.read_text().replace('reconstruction = ""', 'reconstruction = "made by hand"')
    )
    banner = "RECONSTRUCTION: made by hand"
    for command in ("standings", "history", "reigns", "splits"):
        people = garden.run(command, "garden")
        assert people.stdout.splitlines()[0] == banner, command
        assert "All numbers reported" in people.stdout
        for form in ("--json", "--csv"):
            result = garden.run(command, "garden", form)
            assert (result.stderr, banner in result.stdout) == (f"{banner}\n", False)
        assert garden.json(command, "garden")["reconstruction"] == "made by hand"
    assert f"garden: {banner}" in garden.run("boards").stdout


def test_a_name_cannot_steer_the_terminal(garden):
    found = run(garden.store, "check", "=ivy is first on garden")
    assert "Ivy was first" in found.stdout
    assert "\x1b" not in found.stdout


def test_a_label_of_several_lines_stays_on_its_line(tmp_path):
    rows = [{"id": "fern", "name": "a\nb", "s": 70.5, "pub": 1, "priv": 1}]
    label = "1\n1 ranked: moss\r\u2028x"
    garden = plant(tmp_path, [("2026-03-01T08:00:00Z", json.dumps({"label": label, "rows": rows}))])
    shown = garden.run("standings", "garden").stdout.splitlines()
    assert shown[0].startswith("garden, 1\\n1 ranked: moss\\r\\u2028x, 1 ranked, ")
    assert shown[1].startswith("2026-03-01T08:00:00Z, commit ")
    assert any("a\\nb" in line for line in shown)
    for command in ("history", "reigns", "splits", "audit"):
        assert "\nb" not in garden.run(command, "garden").stdout
