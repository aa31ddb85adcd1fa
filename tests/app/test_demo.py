"""The demo, on the sample that ships with the project. What it says is read from its own data."""

from __future__ import annotations

import contextlib
import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import cli
from app.sample import SAMPLE
from tests.app.small_board import digest, run


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Folder and output of a demo."""
    with contextlib.chdir(tmp_path_factory.mktemp("demo")):
        result = CliRunner(catch_exceptions=False).invoke(cli, ["demo"])
        assert result.exit_code == 0, result.stderr
        return Path(".demo").resolve(), result.stdout


def test_it_says_that_it_is_a_reconstruction(demo):
    _, text = demo
    assert "RECONSTRUCTION: " in text.split("\n\n")[0]


def test_it_gives_each_claim_its_verdict_sentence_and_evidence(demo):
    folder, text = demo
    claims = SAMPLE / "claims.toml"
    found = json.loads(run(folder, "check", str(claims), "--json").stdout)["claims"]
    assert [one["id"] for one in found] == [
        c["id"] for c in tomllib.loads(claims.read_text())["claim"]
    ]
    blocks = dict(
        zip(
            [one["id"] for one in found],
            text.split("What was claimed")[1].split("\n\n"),
            strict=False,
        )
    )
    for one in found:
        block = blocks[one["id"]].split()
        assert one["verdict"] in " ".join(block)
        assert one["sentence"].split(". Last look")[0].split()[0] in block
        assert ("reported" in block) == bool(one["evidence"])


def test_it_shows_first_place_over_time(demo):
    folder, text = demo
    for board in (
        one["board"] for one in json.loads(run(folder, "boards", "--json").stdout)["boards"]
    ):
        for reign in json.loads(run(folder, "reigns", board, "--json").stdout)["reigns"]:
            if not reign["open"]:
                assert f"{reign['from']} to {reign['until']} (" in text


def test_it_is_pleasant_to_read_at_100_columns(demo):
    _, text = demo
    assert max(map(len, text.splitlines())) <= 100


def test_a_second_demo_in_the_same_folder_changes_nothing_but_the_attempts(demo):
    folder, _ = demo
    before = digest(folder)
    result = CliRunner().invoke(cli, ["demo", "--no-serve", "--folder", str(folder)])
    assert (result.exit_code, ", 0 of them new." in result.stdout) == (0, True)
    after = digest(folder)
    same = [name for name in before if not name.endswith(".jsonl") and "upstream" not in name]
    assert [name for name in same if before[name] != after.get(name)] == []


def test_without_the_sample_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("app.demo.SAMPLE", tmp_path)
    result = CliRunner().invoke(cli, ["demo", "--folder", str(tmp_path / "x")])
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert "checkout" in result.stderr
