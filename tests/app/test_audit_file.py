"""`audit --file`: a file that is not published yet, by the board's own definition."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest
from click.testing import Result

from tests.app.small_board import define, digest, run
from tests.histories import History
from tests.history.editions import board


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board of editions up to 0.4.1, without the version that has an override."""
    return board.build(tmp_path_factory.mktemp("index"), board.VERSIONS[:-1])


def audit(store: Path, folder: Path, text: str | bytes, *more: str, name: str = "v.json") -> Result:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return run(store, "audit", "index", "--file", str(file), *more)


def document(store: Path, folder: Path, text: str | bytes, *more: str) -> dict:
    return json.loads(audit(store, folder, text, "--json", *more).stdout)


def test_a_file_with_nothing_to_object_to(store, tmp_path):
    text = board.file("0.4.1", board.RESCORED)
    done = audit(store, tmp_path, text)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "no finding. Nothing was stored." in done.stdout
    found = document(store, tmp_path, text)
    (version,) = found["versions"]
    assert (version["commit"], version["committed_at"], version["reading"]) == (None, None, "read")
    assert (version["formula"]["ok"], version["formula"]["compared"]) == (True, 5)
    assert version["formula"]["computed_label"] == "reasoned"
    assert (found["edition"], found["changed"], found["entries"]) == ("Decision Index 0.4.1", [], 5)
    assert found["against"]["edition"] == "Decision Index 0.4.1"
    assert found["editions"][0]["last_commit"] is None


def test_a_score_that_the_formula_does_not_give(store, tmp_path):
    text = board.file("0.4.1", board.RESCORED, over={"vega": "72"})
    done = audit(store, tmp_path, text)
    assert done.exit_code == 5
    found = document(store, tmp_path, text)
    file = str(tmp_path / "v.json")
    (version,) = found["versions"]
    kinds = {one["kind"]: one for one in version["smells"]}
    assert kinds["off_formula"] | {"found": ""} == {
        "kind": "off_formula",
        "entry": "vega",
        "pointer": "/models/2/v",
        "found": "",
        "path": file,
    }
    assert kinds["changed_alone"]["found"] == (
        "'vega': 58.01 -> 72.0, and no part of it changed (public, same_skills, new_domains)"
    )
    assert all(one["path"] == file and one["pointer"] for one in version["smells"])
    (row,) = version["formula"]["rows"]
    assert row["kind"] == "formula_residual"
    assert (row["entry"], row["text"], row["path"]) == ("vega", "72.0", file)
    assert f"[{file} /models/2/v]" in " ".join(done.stdout.split())
    assert "vega: prints 72.0, computed 58.0" in done.stdout


def test_a_new_edition_is_read_by_what_it_will_be(store, tmp_path):
    """The [[since]] that the file itself brings holds for it."""
    start = board.build(tmp_path, board.VERSIONS[:2])
    found = document(start, tmp_path, board.file("0.4", board.NEW))
    assert found["versions"][0]["formula"]["ok"] is True
    assert found["editions"][0]["stage"] == "1"
    assert found["changed"][0] == "label Decision Index 0.3 -> Decision Index 0.4"
    assert "changed_alone" not in [one["kind"] for one in found["versions"][0]["smells"]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("{", "invalid_json", id="no JSON"),
        pytest.param("", "empty", id="nothing"),
        pytest.param("<<<<<<< HEAD\n{}\n", "conflict_markers", id="a conflict"),
        pytest.param('{"models": [{"a": 1}]}', "no_table", id="other columns"),
        pytest.param(b"\xff\xfe\x00", "not_text", id="no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding(store, tmp_path, text, reason):
    done = audit(store, tmp_path, text, "--json")
    found = json.loads(done.stdout)
    (version,) = found["versions"]
    assert (done.exit_code, version["reading"]) == (5, "unreadable")
    assert version["reason"] == reason or reason == "not_text"
    (smell,) = version["smells"]
    assert (smell["kind"], smell["path"]) == ("unreadable", str(tmp_path / "v.json"))
    assert version["formula"]["why"] == "it cannot be read"
    assert found["editions"] == []


def test_weights_that_are_no_numbers_are_said(store, tmp_path):
    text = board.file("0.4.1", board.RESCORED).replace('"same_skills": 0.6', '"same_skills": "x"')
    done = audit(store, tmp_path, text, "--ignore", "changed_alone")
    assert "Not recomputed: $.weights.same_skills finds 'x', no number" in " ".join(
        done.stdout.split()
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--file", "none.json"], "there is no such file", id="no file"),
        pytest.param(["--file", "."], "this is a folder", id="a folder"),
        pytest.param(["--file", os.devnull], "no regular file", id="a device"),
        pytest.param(
            ["--file", "x", "--at", "latest"], "a file stands in no version", id="a version, too"
        ),
        pytest.param(["--file", "x", "--ignore", "stael"], "no such kind", id="no such kind"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_what_is_typed_wrong(store, arguments, said, form):
    done = run(store, "audit", "index", *arguments, *form)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_nothing_is_stored(store, tmp_path):
    before = digest(store)
    audit(store, tmp_path, board.file("0.4.1", board.NEW))
    assert digest(store) == before


def test_the_name_need_not_tell_the_format(store, tmp_path):
    done = audit(store, tmp_path, board.file("0.4.1", board.RESCORED), name="built")
    assert done.exit_code == 0


def test_findings_as_csv(store, tmp_path):
    text = board.file("0.4.1", board.RESCORED, over={"vega": "72"})
    rows = list(csv.DictReader(io.StringIO(audit(store, tmp_path, text, "--csv").stdout)))
    assert {row["path"] for row in rows} == {str(tmp_path / "v.json")}
    assert {row["commit"] for row in rows} == {""}


def test_an_ignored_kind_changes_the_exit_code(store, tmp_path):
    text = board.file("0.4.1", board.RESCORED, over={"vega": "58.02"})
    kinds = {one["kind"] for one in document(store, tmp_path, text)["versions"][0]["smells"]}
    assert kinds == {"changed_alone"}
    assert audit(store, tmp_path, text, "--ignore", "changed_alone").exit_code == 0


def test_editions_and_residuals_of_the_published_history(tmp_path):
    whole = board.build(tmp_path)
    done = run(whole, "audit", "index")
    assert done.exit_code == 5
    text = " ".join(done.stdout.split())
    assert (
        "edition 2: measured anew: new_domains (another value for 5 of 5), while public, "
        "same_skills stayed. A replay under the formula before is impossible."
    ) in text
    assert "All fit in 4 of 5 versions. Numbers that the formula takes from the file" in text
    assert "4 of 5 scores are what it gives within rounding" in text
    assert "All fit in 4 of 5 versions. Numbers that the formula takes from the file" in text
    assert "vega: prints 72.0, computed 58.0" in text
    found = json.loads(run(whole, "audit", "index", "--json").stdout)
    assert [one["label"] for one in found["editions"]] == [
        "Decision Index 0.3",
        "Decision Index 0.4",
        "Decision Index 0.4.1",
    ]
    assert [
        one["against_previous"] and one["against_previous"]["kind"] for one in found["editions"]
    ] == [
        None,
        "inputs_redrawn",
        "same_formula",
    ]
    assert found["editions"][0]["weights"]["public"] == "0.2"
    assert [one["formula"]["ok"] for one in found["versions"]] == [
        True,
        True,
        True,
        None,
        True,
        False,
    ]
    one = json.loads(run(whole, "audit", "index", "--at", "2026-10-06", "--json").stdout)
    assert [edition["label"] for edition in one["editions"]] == ["Decision Index 0.3"]


FOLDER = """
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["results/*.json"]

[table]
entry = "@file"
score = "s"
direction = "higher"
"""


def test_a_board_of_many_files_takes_no_file(tmp_path):
    upstream = History(tmp_path / "upstream.git")
    upstream.commit({"results/a.json": '{"s": 1}'}, "2026-03-01T08:00:00Z")
    define(tmp_path / "store", "index", FOLDER)
    assert run(tmp_path / "store", "crawl").exit_code == 0
    done = audit(tmp_path / "store", tmp_path, '{"s": 2}')
    assert (done.exit_code, done.stdout) == (2, "")
    assert "each file of index holds one entry" in done.stderr
