"""`claims from-card`: a model's card becomes a claims file, through the real client."""

from __future__ import annotations

import json
import tomllib

import pytest
import yaml
from huggingface_hub import EvalResult, EvalResultEntry, ModelCard, ModelCardData
from huggingface_hub._eval_results import eval_result_entries_to_yaml

from crawler.hub.model_card import MOST_BYTES
from tests.app.small_board import define, digest, run
from tests.histories import History
from tests.hub.faults import refuse
from tests.hub.server import STRANGER, HubServer

AT = "2026-03-01T12:00:00Z"
BOARD = """
title = "Pond Words"
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["board.csv"]
[table]
entry = "model"
score = "score"
direction = "higher"
"""
TABLE = """
| Model | Ponds | Sums | Average |
| --- | --- | --- | --- |
| **fern** | 60.10 | 73.3 | 66.7 |
| moss | 50.0 | 60.0 | 55.0 |
"""


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


@pytest.fixture
def store(tmp_path):
    """A store without boards."""
    folder = tmp_path / "store"
    folder.mkdir()
    return folder


@pytest.fixture
def model(tmp_path):
    """A model's repository, as the Hub's own library writes cards and results."""
    result = EvalResult("text-classification", "lab/words", "Pond Words", "accuracy", 81.25)
    data = ModelCardData(model_name="fern", eval_results=[result], license="mit")
    text = str(ModelCard.from_template(data, template_str="---\n{{ card_data }}\n---\n# Fern\n"))
    text += "\n| Setting | Value |\n| --- | --- |\n| epochs | 3 |\n"
    entries = eval_result_entries_to_yaml([EvalResultEntry("lab/hle", "default", 20.5)])
    files = {"README.md": text + TABLE, ".eval_results/hle.yaml": yaml.safe_dump(entries)}
    history = History(tmp_path / "model.git")
    history.commit({"README.md": "# Fern\n"}, "2026-02-01T12:00:00Z")
    history.commit(files | {"model.bin": b"\x80\x04."}, AT)
    return history


def test_claims_are_printed(hub, model, store, tmp_path):
    hub.add("lab/fern", model)
    result = run(store, "claims", "from-card", "lab/fern")
    assert result.exit_code == 0, result.stderr
    claims = tomllib.loads(result.stdout)["claim"]
    assert [(one["predicate"], one.get("boards"), one["value"]) for one in claims] == [
        ("score", ["pond-words"], "81.25"),
        ("score", ["lab-hle"], "20.5"),
        ("score", ["ponds"], "60.10"),
        ("score", ["sums"], "73.3"),
        ("average_of", None, "66.7"),
    ]
    first = claims[0]
    assert first["source"] == f"{hub.url}/lab/fern/blob/{model.tip}/README.md"
    assert (first["said_at"].isoformat(), first["tracked"]) == ("2026-03-01T12:00:00+00:00", False)
    assert claims[1]["source"].endswith(f"/blob/{model.tip}/.eval_results/hle.yaml")
    lines = result.stderr.splitlines()
    assert lines[0] == (
        f"lab/fern @ {model.tip[:8]}: 5 claims drafted, 0 on tracked boards, 1 average of a table"
    )
    assert "model.bin" not in " ".join(one.path for one in hub.requests)


@pytest.mark.parametrize("start", ["hf://lab/fern", "https://huggingface.co/lab/fern"])
def test_the_card_of_an_address(hub, model, store, start):
    hub.add("lab/fern", model)
    plain = run(store, "claims", "from-card", "lab/fern")
    assert plain.stdout and run(store, "claims", "from-card", start).stdout == plain.stdout


def test_the_card_of_a_permalink_is_that_of_its_commit(hub, model, store):
    hub.add("lab/fern", model)
    first = model.git("rev-list", "--max-parents=0", "HEAD").strip()
    page = f"https://huggingface.co/lab/fern/blob/{first}/README.md"
    result = run(store, "claims", "from-card", page)
    assert (result.exit_code, result.stdout) == (1, "")  # it said nothing yet
    assert f"lab/fern @ {first[:8]}: no number" in result.stderr


def test_claims_are_saved_with_the_card_beside_them(hub, model, store, tmp_path):
    hub.add("lab/fern", model)
    file = tmp_path / "out" / "claims.toml"
    file.parent.mkdir()
    result = run(store, "claims", "from-card", "lab/fern", "--save", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert len(tomllib.loads(file.read_text())["claim"]) == 5
    card = file.with_name("CARD.md").read_text()
    assert card == model.git("show", "HEAD:README.md") + "\n"
    again = run(store, "claims", "from-card", "lab/fern", "--save", str(file))
    assert (again.exit_code, again.stdout, len(again.stderr.splitlines())) == (2, "", 1)


def test_what_was_saved_can_be_checked(hub, model, store, tmp_path):
    hub.add("lab/fern", model)
    file = tmp_path / "claims.toml"
    assert run(store, "claims", "from-card", "lab/fern", "--save", str(file)).exit_code == 0
    checked = run(store, "check", str(file), "--json")
    verdicts = {one["id"]: one for one in json.loads(checked.stdout)["claims"]}
    average = verdicts.pop("average-fern")
    assert (average["verdict"], checked.exit_code) == ("true", 3)
    cells = [(one["path"], one["field"], one["text"]) for one in average["evidence"]]
    assert ("CARD.md", "Ponds", "60.10") in cells and ("CARD.md", "Sums", "73.3") in cells
    assert {one["verdict"] for one in verdicts.values()} == {"not_decidable"}


def test_a_dataset_that_is_a_tracked_board(hub, model, store, tmp_path):
    hub.add("lab/fern", model)
    upstream = History(tmp_path / "upstream.git")
    upstream.commit({"board.csv": "model,score\nfern,81.2\nmoss,80.1\n"}, "2026-02-01T12:00:00Z")
    define(store, "words", BOARD)
    assert run(store, "crawl").exit_code == 0
    result = run(store, "claims", "from-card", "lab/fern")
    first = tomllib.loads(result.stdout)["claim"][0]
    assert (first["boards"], first["subject"], "tracked" in first) == (["words"], "fern", False)
    file = tmp_path / "claims.toml"
    file.write_text(result.stdout.split("\n\n")[0] + "\n")
    checked = run(store, "check", str(file))
    assert (checked.exit_code, "81.25" in checked.stdout) == (3, True), checked.stdout


def test_a_revision(hub, model, store, tmp_path):
    hub.add("lab/fern", model)
    first = model.git("rev-parse", "HEAD~1")
    given = ["claims", "from-card", "lab/fern", "--revision", first]
    result = run(store, *given)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"lab/fern @ {first[:8]}: no number that could be a claim" in result.stderr


@pytest.mark.parametrize(
    ("guards", "token", "words"),
    [
        pytest.param({"gated": "files"}, None, "gated", id="gated files"),
        pytest.param({"gated": "all"}, STRANGER, "gated", id="gated to a stranger"),
        pytest.param({"private": True}, None, "no such repository", id="private"),
        pytest.param({"disabled": True}, None, "disabled", id="disabled"),
    ],
)
def test_what_may_not_be_seen_is_one_line(
    hub, model, store, tmp_path, monkeypatch, guards, token, words
):
    hub.add("lab/fern", model, **guards)
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    result = run(store, "claims", "from-card", "lab/fern")
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert words in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(["lab/oak"], 1, "no such repository", id="no such model"),
        pytest.param(["lab/fern", "--revision", "nope"], 1, "--revision", id="no such revision"),
        pytest.param(["fern"], 2, "OWNER/MODEL", id="no owner"),
        pytest.param(["../../etc"], 2, "OWNER/MODEL", id="a path"),
        pytest.param(["datasets/lab/fern"], 2, "OWNER/MODEL", id="a data set"),
        pytest.param(["lab/fern/more"], 2, "OWNER/MODEL", id="a file"),
        pytest.param(["https://example.org/lab/fern"], 2, "OWNER/MODEL", id="another site"),
        pytest.param(["lab/fern", "--revision", "-x"], 2, "--revision", id="an option"),
        pytest.param(["lab/fern", "--save", "claims.json"], 2, ".toml", id="another ending"),
        pytest.param(["lab/fern", "--save", "no/where.toml"], 2, "folder", id="no folder"),
        pytest.param([], 2, "Missing", id="nothing"),
    ],
)
def test_what_cannot_be_asked(hub, model, store, tmp_path, arguments, code, words):
    hub.add("lab/fern", model)
    before = digest(tmp_path)
    result = run(store, "claims", "from-card", *arguments)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (code, "", 1)
    assert words in result.stderr
    assert digest(tmp_path) == before


def test_a_hub_that_does_not_answer(monkeypatch, store, tmp_path):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    result = run(store, "claims", "from-card", "lab/fern")
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert "cannot be reached" in result.stderr


def test_a_time_that_is_not_known_is_left_out(hub, model, store, tmp_path):
    hub.add("lab/fern", model)
    hub.faults.append(refuse(404, "EntryNotFound", on="*/commits/*"))
    result = run(store, "claims", "from-card", "lab/fern")
    assert result.exit_code == 0
    assert "said_at" not in tomllib.loads(result.stdout)["claim"][0]


def test_a_card_that_is_too_large_or_kept_elsewhere(hub, model, store, tmp_path):
    large = "x" * (MOST_BYTES + 1)
    model.commit({"README.md": large, ".eval_results/a.yaml": hub.keep_large(b"- {}")}, AT)
    hub.add("lab/fern", model)
    result = run(store, "claims", "from-card", "lab/fern")
    assert len(tomllib.loads(result.stdout)["claim"]) == 1  # of hle.yaml
    assert "left out: README.md: 1,000,001 bytes; at most 1,000,000 are read" in result.stderr
    assert "left out: .eval_results/a.yaml: Git LFS keeps it" in result.stderr
