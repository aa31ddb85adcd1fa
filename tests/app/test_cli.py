"""The commands, from what is typed to whole documents, on a real store."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from app.cli import cli
from tests.app.small_board import (
    DEFINITION,
    VERSIONS,
    Garden,
    board_json,
    define,
    digest,
    plant,
    run,
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    return plant(tmp_path_factory.mktemp("garden"))


def timeless(document: dict) -> dict:
    """A document without the time of the look, which is never the same twice."""
    assert document.pop("as_of")
    return document


def entry(key, name, score, text, rank, tie, group, tied, parts, unranked=None):
    return {
        "entry": key,
        "name": name,
        "score": score,
        "score_text": text,
        "rank": rank,
        "tie_rank": tie,
        "tie_group": group,
        "tied": tied,
        "rank_low": None,
        "rank_high": None,
        "rank_published": None,
        "tie_rank_published": None,
        **dict.fromkeys(("low", "high", "se", "items")),
        "parts": {
            name: {"value": value, "text": text}
            for name, (value, text) in zip(("public", "private"), parts, strict=True)
        },
        "attributes": {},
        "unranked": unranked,
        "unranked_why": None,
    }


FERN = ((80.25, "80.25"), (60.5, "60.5"))
MOSS = ((71.5, "71.5"), (72.5, "72.5"))
IVY = ((75.0, "75.0"), (71.2, "71.2"))


def test_standings_as_json(garden):
    assert timeless(garden.json("standings", "garden")) == {
        "board": "garden",
        "commit": garden.commits[3],
        "committed_at": "2026-03-03T10:00:00Z",
        "edition": "2",
        "split": None,
        "score_label": "measured",
        "n_ranked": 3,
        "n_unreadable": 0,
        "ties": {"rule": "anchored", "band": 0.5, "edge": "inclusive"},
        "also": [],
        "absent": False,
        "path": "board.json",
        "notes": [],
        "entries": [
            entry("=ivy", "\x1b[31mIvy", 73.1, "73.1", 1, 1, 1, False, IVY),
            entry("moss", "Moss 2", 72.0, "72.0", 2, 2, 2, True, MOSS),
            entry("fern", "Fern", 71.5, "71.5", 3, 2, 2, True, FERN),
        ],
        "reconstruction": "",
    }


def test_standings_of_a_split_at_a_commit_with_a_tie_rule_and_a_top(garden):
    found = garden.json(
        *("standings", "The gar", "--at", garden.commits[1][:9], "--split", "mix"),
        *("--tie", "pairwise:2", "--top", "1"),
    )
    assert timeless(found) == {
        "board": "garden",
        "commit": garden.commits[1],
        "committed_at": "2026-03-02T09:00:00Z",
        "edition": "1",
        "split": "mix",
        "score_label": "reasoned",
        "n_ranked": 2,
        "n_unreadable": 0,
        "ties": {"rule": "pairwise", "band": 2.0, "edge": "inclusive"},
        "also": [],
        "absent": False,
        "path": "board.json",
        "notes": [],
        "entries": [entry("moss", "Moss 2", 72.0, "72.000", 1, 1, None, True, MOSS)],
        "reconstruction": "",
    }


def test_an_entry_without_a_score_is_unranked_and_last(garden):
    listed = garden.json("standings", "garden", "--at", "2026-03-02T09:30:00Z")["entries"]
    oak = entry(
        "oak",
        "Oak",
        None,
        None,
        None,
        None,
        None,
        False,
        ((50.0, "50.0"), (None, None)),
        "no_score",
    )
    assert listed[-1] == oak


def test_history_as_json(garden):
    rows = [
        (0, "1", "Moss", 70.2, "70.2", 2, 2, False, 2),
        (1, "1", "Moss 2", 72.0, "72.0", 1, 1, True, 2),
        (3, "2", "Moss 2", 72.0, "72.0", 2, 2, True, 3),
    ]
    times = ["2026-03-01T08:00:00Z", "2026-03-02T09:00:00Z", None, "2026-03-03T10:00:00Z"]
    assert timeless(garden.json("history", "garden", "--entry", "Moss 2")) == {
        "board": "garden",
        "split": None,
        "rows": [
            {
                "commit": garden.commits[version],
                "committed_at": times[version],
                "edition": edition,
                "reading": "read",
                "entry": "moss",
                "name": name,
                "score": score,
                "score_text": text,
                "rank": rank,
                "tie_rank": tie,
                "tied": tied,
                "n_ranked": n,
            }
            for version, edition, name, score, text, rank, tie, tied, n in rows
        ],
        "notes": [],
        "reconstruction": "",
    }


@pytest.mark.parametrize(
    ("options", "versions"),
    [
        pytest.param(["--since", "2026-03-02"], [1, 3], id="a date begins with its first instant"),
        pytest.param(["--until", "2026-03-02"], [0, 1], id="a date ends with its last instant"),
        pytest.param(
            ["--since", "2026-03-02T09:00:01Z"], [3], id="a timestamp is meant to the second"
        ),
        pytest.param(["--since", "2026-03-09"], [], id="nothing happened"),
    ],
)
def test_history_of_a_time(garden, options, versions):
    rows = garden.json("history", "garden", "--entry", "moss", *options)["rows"]
    assert [row["commit"] for row in rows] == [garden.commits[version] for version in versions]


def test_history_up_to_a_commit(garden):
    rows = garden.json("history", "garden", "--entry", "moss", "--until", garden.commits[1])["rows"]
    assert [row["commit"] for row in rows] == garden.commits[:2]


def test_reigns_as_json(garden):
    found = garden.json("reigns", "garden")
    last = found["reigns"].pop()
    assert timeless(found) == {
        "board": "garden",
        "split": None,
        "reigns": [
            {
                "entries": ["fern"],
                "names": {"fern": "Fern", "moss": "Moss 2"},
                "stays": [],
                "score": 71.5,
                "score_text": "71.5",
                "from": "2026-03-01T08:00:00Z",
                "until": "2026-03-02T09:00:00Z",
                "until_earliest": "2026-03-02T09:00:00Z",
                "seconds": 25 * 3600,
                "seconds_certain": 25 * 3600,
                "open": False,
                "censored_start": True,
                "absent": False,
                "from_commit": garden.commits[0],
                "until_commit": garden.commits[1],
                "lost_to": [{"entry": "moss", "why": "re-scored"}],
                "definition_changed": False,
            },
            {
                "entries": ["moss"],
                "names": {"moss": "Moss 2", "=ivy": "\x1b[31mIvy"},
                "stays": [],
                "score": 72.0,
                "score_text": "72.0",
                "from": "2026-03-02T09:00:00Z",
                "until": "2026-03-03T10:00:00Z",
                "until_earliest": "2026-03-02T15:00:00Z",
                "seconds": 25 * 3600,
                "seconds_certain": 6 * 3600,
                "open": False,
                "censored_start": False,
                "absent": False,
                "from_commit": garden.commits[1],
                "until_commit": garden.commits[3],
                "lost_to": [{"entry": "=ivy", "why": "joined"}],
                "definition_changed": False,
            },
        ],
        "notes": [],
        "reconstruction": "",
    }
    assert (last["entries"], last["open"], last["until"]) == (["=ivy"], True, None)
    assert last["seconds"] > 0


def test_boards_as_json(garden):
    (found,) = garden.json("boards")["boards"]
    times = ("last_attempt", "last_success", "confirmed_until")
    assert all(found.pop(name).endswith("Z") for name in times)
    assert found.pop("bytes") > 1000
    assert found == {
        "board": "garden",
        "title": "The garden board",
        "source": "../../upstream.git",
        "versions": 4,
        "unreadable": 1,
        "vanished": 0,
        "last_change": "2026-03-03T10:00:00Z",
        "leader": ["=ivy"],
        "error": None,
        "stale": False,
        "reconstruction": "",
    }


def test_crawl_as_json(tmp_path):
    garden = plant(tmp_path, crawl=False)
    told = {
        "board": "garden",
        "status": "ok",
        "new_versions": 4,
        "versions": 4,
        "commits_seen": 4,
        "unreadable": 1,
        "vanished": 0,
        "tip": garden.commits[3],
        "error": None,
        "rewritten": False,
    }
    assert garden.json("crawl") == {"boards": [told]}
    assert garden.json("crawl", "garden") == {"boards": [told | {"new_versions": 0}]}


def test_a_crawl_of_which_some_failed_ends_with_4(tmp_path):
    garden = plant(tmp_path)
    definition = (garden.store / "garden" / "board.toml").read_text()
    for name, wrong in (
        ("gone", definition.replace("upstream.git", "nowhere.git")),
        ("wrong", definition.replace("score =", "scroe =")),
    ):
        (garden.store / name).mkdir()
        text = wrong.replace('name = "garden"', f'name = "{name}"', 1)
        (garden.store / name / "board.toml").write_text(text)
    result = garden.run("crawl", "--json")
    assert result.exit_code == 4
    found = {one["board"]: one["status"] for one in json.loads(result.stdout)["boards"]}
    assert found == {"garden": "ok", "gone": "failed", "wrong": "failed"}
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == ["wrong", "gone"]


def test_a_board_that_was_not_there_for_long_is_stale(garden, tmp_path):
    assert garden.run("boards", "--fail-stale", "1h").exit_code == 0
    stale = plant(tmp_path, crawl=False)
    result = stale.run("boards", "--fail-stale", "2d")
    assert (result.exit_code, "never" in result.stdout) == (5, True)


def test_an_empty_store_says_what_to_do(tmp_path):
    assert json.loads(run(tmp_path, "boards", "--json").stdout) == {"boards": []}
    for command in ("boards", "crawl"):
        result = run(tmp_path, command)
        assert (result.exit_code, "ranktrail demo" in result.stdout) == (0, True)


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


def test_a_day_with_several_versions_is_said_on_stderr(garden):
    # The last version of that day cannot be read, so the day's end is not known.
    result = garden.run("standings", "garden", "--at", "2026-03-02")
    assert result.exit_code == 1


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


def test_verify_finds_nothing_and_rebuild_changes_nothing(tmp_path):
    garden = plant(tmp_path)
    before = digest(garden.store)
    whole = {"board": "garden", "versions": 4, "blobs": 4, "stale": False}
    assert garden.json("verify") == {"boards": [whole]}
    assert digest(garden.store) == before
    assert garden.json("rebuild", "garden") == {
        "boards": [{"board": "garden", "versions": 4, "unreadable": 1}]
    }
    assert garden.run("verify").exit_code == 0


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


def test_a_name_cannot_steer_the_terminal(garden):
    found = run(garden.store, "check", "=ivy is first on garden")
    assert "Ivy was first" in found.stdout
    assert "\x1b" not in found.stdout


def test_a_crawl_says_why_a_new_version_cannot_be_read(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    definition = garden.store / "garden" / "board.toml"
    definition.write_text(definition.read_text("utf-8").replace("$.rows", "$.rose"), "utf-8")
    first = run(garden.store, "crawl")
    assert first.exit_code == 0
    (line,) = [said for said in first.stderr.splitlines() if "can be read" in said]
    assert line.startswith(f"garden: none of 1 versions can be read; {garden.commits[0][:8]} board")
    assert "$.rose finds nothing" in line


def test_a_crawl_says_from_where_to_where_versions_cannot_be_read(tmp_path):
    ruins = [(f"2026-03-0{day}T08:00:00Z", "{" * day) for day in (1, 2, 3)]
    garden = plant(tmp_path, [*VERSIONS[:1], *((at.replace("03-", "04-"), s) for at, s in ruins)])
    said = run(garden.store, "rebuild")
    assert said.exit_code == 0
    upstream = garden.upstream.commit({"board.json": "{" * 9}, "2026-05-01T08:00:00Z")
    first, last = garden.commits[1][:8], upstream[:8]
    (line,) = [line for line in run(garden.store, "crawl").stderr.splitlines() if "read" in line]
    assert f"1 of 5 versions can be read; 4 versions, {first} to {last}, board.json: " in line


def test_an_answer_has_one_form(garden):
    result = run(garden.store, "standings", "garden", "--json", "--csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "--json and --csv: an answer has one form. Give one of them.\n"


def test_boards_that_want_a_look_are_marked(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    text = DEFINITION.replace('name = "garden"', "")
    define(garden.store, "never", text)
    define(garden.store, "bare", text.replace("board.json", "no.json"))
    define(garden.store, "wrong", text.replace("[table.parts]", "[table.part]"))
    run(garden.store, "crawl", "bare")
    rows = [line.split() for line in run(garden.store, "boards").stdout.splitlines()[2:6]]
    assert {row[0]: " ".join(row[1:3]) for row in rows} == {
        "bare": "FAILED 0",
        "garden": "ok 1",
        "never": "never crawled",
        "wrong": "FAILED never",
    }


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


def test_columns_that_say_nothing_are_left_out(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    text = DEFINITION.partition("[splits]")[0].replace('public = "pub"', 'same = "s"')
    define(garden.store, "garden", text)
    assert run(garden.store, "crawl").exit_code == 0
    table = run(garden.store, "standings", "garden").stdout.splitlines()
    assert table[2].split() == ["rank", "entry", "name", "score", "private"]
    table = run(garden.store, "history", "garden").stdout.splitlines()
    assert table[1].split() == ["committed", "(UTC)", "commit", "entry", "score", "rank", "of"]


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


def test_an_alias_gives_its_entry_the_name_where_no_column_does(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    text = DEFINITION.replace('name = "name"\n', "") + '[aliases]\n"fern" = "Fern (May)"\n'
    define(garden.store, "garden", text)
    assert run(garden.store, "crawl").exit_code == 0
    entries = garden.json("standings", "garden")["entries"]
    assert [(one["entry"], one["name"]) for one in entries] == [
        ("Fern (May)", "Fern (May)"),
        ("moss", "moss"),
    ]


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
