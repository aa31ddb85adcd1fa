"""The command `check`: codes, what it prints, what it keeps, what it saves."""

from __future__ import annotations

import json
import tomllib

import pytest

from tests.app.small_board import VERSIONS, board_json, digest, plant


@pytest.mark.parametrize(
    ("sentence", "verdict", "code"),
    [
        pytest.param("=ivy is first on garden now", "true", 0, id="true"),
        pytest.param("fern is first on garden now", "false", 5, id="false"),
        pytest.param(
            "fern is first on garden at 2026-03-02T10:00:00Z",
            "tied_not_first",
            5,
            id="tied and not first",
        ),
        pytest.param(
            "moss was first on garden from 2026-03-01 to 2026-03-03",
            "true_then_false",
            3,
            id="true, then false",
        ),
        pytest.param(
            "moss is first on garden at 2026-03-02T16:00:00Z",
            "not_decidable",
            3,
            id="in a version that cannot be read",
        ),
    ],
)
def test_a_sentence_and_its_exit_code(garden, sentence, verdict, code):
    result = garden.run("check", sentence, "--json")
    (claim,) = json.loads(result.stdout)["claims"]
    assert (claim["verdict"], claim["text"], result.exit_code) == (verdict, sentence, code)
    assert result.stderr == ""


def test_a_verdict_for_people(garden):
    result = garden.run("check", "fern is first on garden now")
    lines = result.stdout.splitlines()
    last = garden.commits[3][:8]
    assert lines[:2] == ['sentence  "fern is first on garden now"', "  false, certain"]
    assert lines[2].startswith("  False. At the last look Fern was 3rd of 3 on garden")
    assert f"    measured  garden @ {last} board.json /rows/0/s: fern score 71.5" in lines
    assert "    held      2026-03-01T08:00:00Z to 2026-03-02T09:00:00Z" in lines
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("version", "sentence", "line"),
    [
        pytest.param(0, "oak is first on garden", "/rows: oak not listed", id="not listed"),
        pytest.param(1, "oak is first on garden", "/rows/2/s: oak no number", id="without a score"),
        pytest.param(2, "moss is first on garden", "board.json: as a whole", id="unreadable"),
    ],
)
def test_what_is_not_there_is_told_apart(garden, version, sentence, line):
    said = garden.run("check", f"{sentence} at {garden.commits[version]}").stdout
    found = [text for text in said.splitlines() if text.startswith("    measured ")]
    assert found[0].endswith(line)


def test_verdicts_are_kept_beside_their_board(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    given = [
        json.loads(garden.run("check", sentence, "--json").stdout)
        for sentence in ("fern is first on garden now", "moss is first on garden now")
    ]
    kept = (garden.store / "garden" / "verdicts.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in kept] == [
        {"checked_at": document["checked_at"], **document["claims"][0]} for document in given
    ]


def test_a_store_that_cannot_be_written_to_is_left_alone(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    # A folder in place of the file: root, too, cannot append to it.
    (garden.store / "garden" / "verdicts.jsonl").mkdir()
    before = digest(garden.store)
    assert garden.run("check", "fern is first on garden now").exit_code == 0
    assert digest(garden.store) == before


def test_what_was_understood_is_saved_and_reads_back(tmp_path):
    garden = plant(tmp_path, VERSIONS[:2])
    file = tmp_path / "claims.toml"
    sentence = "fern is first on garden on 2026-03-01"
    first = garden.run("check", sentence, "--save", str(file), "--json")
    again = garden.run("check", str(file), "--json")
    assert tomllib.loads(file.read_text())["claim"][0]["predicate"] == "first"
    words = [json.loads(result.stdout)["claims"][0]["verdict"] for result in (first, again)]
    assert words[0] == words[1]


@pytest.mark.parametrize(
    ("name", "word"),
    [
        pytest.param("claims.json", ".toml", id="another ending"),
        pytest.param("taken.toml", "there already", id="a file that is there"),
        pytest.param("no/folder.toml", "folder", id="a folder that is not there"),
    ],
)
def test_where_nothing_can_be_saved(garden, tmp_path, name, word):
    (tmp_path / "taken.toml").write_text("mine")
    before = digest(garden.store)
    result = garden.run("check", "fern is first on garden now", "--save", str(tmp_path / name))
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert word in result.stderr
    assert (tmp_path / "taken.toml").read_text() == "mine"
    assert digest(garden.store) == before


def test_crawl_first(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    sentence = "oak is first on garden now"
    garden.upstream.commit(
        {"board.json": board_json("1", ("oak", "Oak", 99.5, 1.0, 1.0))}, "2026-03-04T08:00:00Z"
    )
    assert garden.run("check", sentence).exit_code == 2  # nobody knows oak yet
    assert garden.run("check", sentence, "--crawl").exit_code == 0


def test_a_crawl_that_fails_leaves_the_last_look(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    garden.upstream.folder.rename(tmp_path / "elsewhere.git")
    result = garden.run("check", "fern is first on garden now", "--crawl", "--json")
    assert (result.exit_code, json.loads(result.stdout)["claims"][0]["verdict"]) == (0, "true")
    assert result.stderr.startswith("garden: not crawled, the last look stays: ")


def test_an_unknown_entry_in_a_file_is_a_verdict(garden, tmp_path):
    file = tmp_path / "claims.toml"
    file.write_text(
        '[[claim]]\nid = "a"\npredicate = "first"\nsubject = "elm"\nboards = ["garden"]\n'
    )
    result = garden.run("check", str(file), "--json")
    (claim,) = json.loads(result.stdout)["claims"]
    assert (result.exit_code, claim["verdict"], claim["code"]) == (
        3,
        "not_decidable",
        "UNKNOWN_ENTRY",
    )


def test_the_same_claims_file_as_json(garden, tmp_path):
    file = tmp_path / "claims.json"
    file.write_text(
        json.dumps([{"id": "a", "predicate": "first", "subject": "=ivy", "boards": ["garden"]}])
    )
    assert garden.run("check", str(file)).exit_code == 0


def test_a_reconstruction_is_said_with_its_verdict(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    file = garden.store / "garden" / "board.toml"
    file.write_text(file.read_text().replace('tion = ""', 'tion = "made by hand"'))
    people = garden.run("check", "fern is first on garden now")
    assert people.stdout.startswith("RECONSTRUCTION: made by hand\n")
    assert "    reported  garden @ " in people.stdout
    assert garden.run("check", "fern is first on garden now", "--json").stderr == (
        "RECONSTRUCTION: made by hand\n"
    )
