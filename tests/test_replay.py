"""The main job on the sample, through the commands: build, crawl, rank, judge.

Expected places come from the sample's facts.csv, verdicts from worked claims; names are read from
the sample's own files.
"""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from app.sample import SAMPLE, build_sample
from tests.app.small_board import run

VERDICTS = {
    "C01": "false",
    "C02": "true",
    "C03": "true",
    "C05": "true",
    "C06": "true",
    "C07": "true",
    "C08": "true",
    "C09": "true_then_false",
    "C10": "true",
    "C11": "true",
    "C12": "false",
    "C13": "false_then_true",
    "C20": "true",
}
WHOLE_BOARD = "2026-10-07"  # the one text version that is known row by row
NUMBER = r'("(?:{keys})": )(-?\d+(?:\.\d+)?)'


@dataclass(frozen=True)
class Replay:
    """A copy of the sample, crawled.

    Attributes:
        store: the store.
        sample: the copy.
    """

    store: Path
    sample: Path

    def json(self, *command: str) -> Any:
        """The document that a command prints."""
        return json.loads(run(self.store, *command, "--json").stdout)

    @property
    def boards(self) -> list[str]:
        """Names of the boards, text before vision."""
        return sorted(path.name for path in (self.sample / "boards").iterdir())

    def verdicts(self) -> dict[str, Any]:
        """Claim -> its verdict."""
        found = self.json("check", str(self.sample / "claims.toml"))["claims"]
        return {one["id"]: one for one in found}


def replay(sample: Path, store: Path) -> Replay:
    """Crawl a copy of the sample."""
    build_sample(sample, store / "_upstream" / "replay.git")
    shutil.copytree(sample / "boards", store, dirs_exist_ok=True)
    assert run(store, "crawl").exit_code == 0
    return Replay(store, sample)


def copy_of_sample(folder: Path) -> Path:
    shutil.copytree(SAMPLE, folder)
    return folder


def claim(name: str) -> dict[str, Any]:
    listed = tomllib.loads((SAMPLE / "claims.toml").read_text(encoding="utf-8"))["claim"]
    return next(one for one in listed if one["id"] == name)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """The sample as it ships."""
    return replay(SAMPLE, tmp_path_factory.mktemp("told"))


def test_known_places_hold(told):
    with (SAMPLE / "facts.csv").open(encoding="utf-8", newline="") as file:
        facts = list(csv.DictReader(file))
    found = []
    for fact in facts:
        moment = re.sub(r"^\d+-(\S+)T(\d\d)(\d\d)(\d\d)Z$", r"\1T\2:\3:\4Z", fact["folder"])
        stood = told.json("standings", fact["board"], "--at", moment)
        row = next(one for one in stood["entries"] if one["entry"] == fact["entry"])
        of = str(stood["n_ranked"]) if fact["of"] else ""
        found.append({**fact, "score": row["score_text"], "rank": str(row["rank"]), "of": of})
    assert found == facts


def test_the_reign_between_two_commits_is_exact_to_the_second(told):
    subject, (board,) = claim("C09")["subject"], claim("C09")["boards"]
    (reign,) = [r for r in told.json("reigns", board)["reigns"] if r["entries"] == [subject]]
    assert (reign["from"], reign["until"], reign["seconds"], reign["seconds_certain"]) == (
        "2026-10-21T15:13:00Z",
        "2026-10-22T20:12:00Z",
        28 * 3600 + 59 * 60,
        28 * 3600 + 59 * 60,
    )
    assert [lost["why"] for lost in reign["lost_to"]] == ["joined"]


def test_parts_differ_as_printed(told):
    delta = claim("C05")
    rows = {r["entry"]: r["parts"] for r in told.json("standings", *delta["boards"])["entries"]}
    one, two = rows[delta["subject"]], rows[delta["other"]]
    assert {part: str(Decimal(one[part]["text"]) - Decimal(two[part]["text"])) for part in one} == {
        "public": "6.17",
        "same_skills": "1.46",
        "new_domains": "-1.45",
    }


def test_every_claim_gets_its_worked_verdict_with_a_sentence_and_evidence(told):
    found = told.verdicts()
    assert {name: one["verdict"] for name, one in found.items()} == VERDICTS
    for one in found.values():
        assert one["sentence"].endswith(".")
        assert one["evidence"], one["id"]
        for cell in one["evidence"]:
            assert cell["label"] == "reported"
            if cell["entry"] is None and cell["field"] == "value":
                continue  # the number of would_rank, which stands on no board
            assert (cell["commit"] and cell["pointer"].startswith("/")) or (
                cell["path"].endswith(".csv") and cell["pointer"].startswith("cell=")
            )


@pytest.mark.parametrize(
    ("tie", "all_of_them"),
    [
        pytest.param("anchored:0.9", True, id="anchored gives every published tie rank"),
        pytest.param("chain:0.9", False, id="chain does not"),
    ],
)
def test_published_tie_ranks_of_7_october(told, tie, all_of_them):
    stood = told.json("standings", told.boards[0], "--at", WHOLE_BOARD, "--tie", tie)
    published = [
        (one["tie_rank"], one["tie_rank_published"])
        for one in stood["entries"]
        if one["tie_rank_published"] is not None
    ]
    assert len(published) == 115
    assert len({printed for _, printed in published}) == 43
    assert all(computed == printed for computed, printed in published) is all_of_them


def test_one_changed_score_changes_standings_reign_and_verdict(told, tmp_path):
    sample = copy_of_sample(tmp_path / "sample")
    subject, (board,) = claim("C12")["subject"], claim("C12")["boards"]
    newest = sorted(sample.glob("*/data/vision.json"))[-1]
    text = newest.read_text(encoding="utf-8")
    row = re.search(rf'{{[^{{}}]*"engine": "{re.escape(subject)}"[^{{}}]*}}', text)
    assert row is not None
    raised = re.sub(NUMBER.format(keys="full"), r"\g<1>99.99", row[0])
    newest.write_text(text.replace(row[0], raised), encoding="utf-8")
    changed = replay(sample, tmp_path / "store")

    (before,) = told.json("standings", board, "--top", "1")["entries"]
    (after,) = changed.json("standings", board, "--top", "1")["entries"]
    assert (before["entry"] != subject, after["entry"], after["score_text"]) == (
        True,
        subject,
        "99.99",
    )
    assert changed.json("reigns", board)["reigns"][-1]["entries"] == [subject]
    assert told.verdicts()["C12"]["verdict"] == "false"
    assert changed.verdicts()["C12"]["verdict"] == "true"
    assert changed.verdicts()["C09"]["verdict"] == "false_then_true"


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Replay, dict[str, str]]:
    """Every entry and both boards under another name, all scores up by 7; new name -> old name."""
    folder = tmp_path_factory.mktemp("renamed")
    sample = copy_of_sample(folder / "sample")
    files = sorted(sample.glob("*/data/*.json"))
    key = re.compile(r'"engine": "([^"]+)"')
    entries = sorted({name for file in files for name in key.findall(file.read_text("utf-8"))})
    numbers = random.Random(20261021).sample(range(len(entries)), len(entries))
    new = {entry: f"plant-{n:03d}" for entry, n in zip(entries, numbers, strict=True)}
    boards = {"replay-text": "words", "replay-vision": "pictures"}
    scores = re.compile(NUMBER.format(keys="v|pub|same_skills|new_domains|full|priv"))
    for file in files:
        text = key.sub(lambda m: f'"engine": "{new[m[1]]}"', file.read_text("utf-8"))
        text = re.sub(r'"name": "[^"]+"', '"name": null', text)
        file.write_text(scores.sub(lambda m: f"{m[1]}{Decimal(m[2]) + 7}", text), "utf-8")
    known = {**new, **boards}
    for file in (*sample.glob("boards/*/board.toml"), sample / "claims.toml"):
        text = file.read_text("utf-8")
        text = re.sub(r'"([^"]*)"', lambda m: f'"{known.get(m[1], m[1])}"', text)
        own = re.compile(r'^(score = ")(\d+\.\d+)(")$', re.MULTILINE)  # of would_rank
        file.write_text(own.sub(lambda m: f"{m[1]}{Decimal(m[2]) + 7}{m[3]}", text), "utf-8")
    for old, name in boards.items():
        (sample / "boards" / old).rename(sample / "boards" / name)
    return replay(sample, folder / "store"), {v: k for k, v in known.items()}


def test_other_names_and_shifted_scores_change_no_rank_and_no_tie(told, renamed):
    other, old = renamed
    for name in other.boards:
        rows = [
            {
                (row["commit"] and row["committed_at"], old.get(row["entry"], row["entry"])): (
                    row["rank"],
                    row["tie_rank"],
                    row["tied"],
                    row["n_ranked"],
                )
                for row in which.json("history", board)["rows"]
            }
            for which, board in ((told, old[name]), (other, name))
        ]
        assert rows[0] == rows[1]
        assert len(rows[0]) > 200


def test_other_names_and_shifted_scores_change_no_reign(told, renamed):
    other, old = renamed
    kept = ("from", "until", "until_earliest", "censored_start", "open", "absent")
    for name in other.boards:
        found = [
            [
                (
                    {old.get(entry, entry) for entry in one["entries"]},
                    {
                        (old.get(lost["entry"], lost["entry"]), lost["why"])
                        for lost in one["lost_to"]
                    },
                    *[one[key] for key in kept],
                )
                for one in which.json("reigns", board)["reigns"]
            ]
            for which, board in ((told, old[name]), (other, name))
        ]
        assert found[0] == found[1]


def test_other_names_and_shifted_scores_change_no_verdict(told, renamed):
    kept = ("verdict", "strength", "code")
    found = [
        {name: [one[key] for key in kept] for name, one in which.verdicts().items()}
        for which in (told, renamed[0])
    ]
    assert found[0] == found[1]
