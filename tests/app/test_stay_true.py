"""Claims that stay true: what has changed since a check, and at which commit."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.app.small_board import PLAIN, define, digest, run
from tests.app.workflows import called, needs, run_step, steps, workflow
from tests.histories import History

CLAIMS = """
[[claim]]
id = "first"
text = "fern is #1 on ponds"
predicate = "first"
subject = "fern"
boards = ["ponds"]

[[claim]]
id = "top"
text = "fern is in the top 3"
predicate = "top_k"
k = 3
subject = "fern"
boards = ["ponds"]
"""
FERN = "model,score\nfern,81.2\nmoss,80.1\n"
OAK = "model,score\nfern,81.2\nmoss,80.1\noak,90.5\n"
BROKEN = "<<<<<<< HEAD\nmodel,score\n=======\n>>>>>>> x\n"


class Own:
    """A model's repository with a claims file, the store of its job, and a board elsewhere."""

    def __init__(self, folder, claims=CLAIMS):
        self.upstream = History(folder / "upstream.git")
        self.first = self.upstream.commit({"board.csv": FERN}, "2026-03-01T08:00:00Z")
        self.store = folder / "store"
        define(self.store, "ponds", PLAIN)
        self.file = folder / "claims.toml"
        self.file.write_text(claims)

    def check(self, *arguments):
        return run(self.store, "check", str(self.file), "--crawl", *arguments)

    def changed(self, *arguments):
        result = self.check("--since", "last", "--json", *arguments)
        return result.exit_code, json.loads(result.stdout)["changed"]


@pytest.fixture
def own(tmp_path):
    return Own(tmp_path)


def test_first_place_is_lost_at_a_commit(own):
    before = own.check("--since", "last")
    assert before.exit_code == 0, before.stderr
    assert "no verdict of the last check is kept for first, top" in before.stderr
    assert own.check().exit_code == 0
    own.upstream.commit({"other.txt": "x"}, "2026-03-02T08:00:00Z")
    lost = own.upstream.commit({"board.csv": OAK}, "2026-03-03T08:00:00Z")
    own.upstream.commit({"board.csv": OAK + "ivy,1\n"}, "2026-03-04T08:00:00Z")
    code, (change,) = own.changed()
    assert code == 5
    wanted = {"id": "first", "before": "true", "after": "false", "at_commit": lost}
    assert wanted.items() <= change.items()
    assert (change["at"], change["board"]) == ("2026-03-03T08:00:00Z", "ponds")
    assert own.changed() == (0, [])  # told once; without --since it stays an objection
    assert own.check().exit_code == 5


def test_for_people_only_what_changed(own):
    own.check()
    lost = own.upstream.commit({"board.csv": OAK}, "2026-03-03T08:00:00Z")
    result = own.check("--since", "last")
    assert (
        f"changed   true -> false with ponds @ {lost[:8]} of 2026-03-03T08:00:00Z" in result.stdout
    )
    assert "top 3" not in result.stdout
    assert own.check("--since", "last").stdout == "No verdict has changed (2 claims).\n"


def test_regained(own):
    own.check()
    own.upstream.commit({"board.csv": OAK}, "2026-03-03T08:00:00Z")
    own.check()
    again = own.upstream.commit({"board.csv": FERN}, "2026-03-04T08:00:00Z")
    code, (change,) = own.changed()
    assert (code, change["before"], change["after"]) == (0, "false", "true")
    assert change["at_commit"] == again


def test_undecided_and_then_lost_is_lost(own):
    own.check()
    broken = own.upstream.commit({"board.csv": BROKEN}, "2026-03-03T08:00:00Z")
    code, changes = own.changed()
    assert (code, {one["after"] for one in changes}) == (3, {"not_decidable"})
    assert {one["at_commit"] for one in changes} == {broken}
    lost = own.upstream.commit({"board.csv": OAK}, "2026-03-04T08:00:00Z")
    code, changes = own.changed()
    (first,) = [one for one in changes if one["id"] == "first"]
    assert (code, first["before"], first["last_decided"], first["after"]) == (
        5,
        "not_decidable",
        "true",
        "false",
    )
    assert first["at_commit"] in (broken, lost)


def test_since_a_time(own):
    own.check()
    file = own.store / "ponds" / "verdicts.jsonl"
    lines = [
        json.loads(line) | {"checked_at": "2026-03-02T00:00:00Z"}
        for line in file.read_text().splitlines()
    ]
    file.write_text("torn {\n" + "".join(json.dumps(line) + "\n" for line in lines))
    own.upstream.commit({"board.csv": OAK}, "2026-03-03T08:00:00Z")
    assert own.check().exit_code == 5
    assert own.changed() == (0, [])
    for when, code in (("2026-03-02", 5), ("2026-03-02T00:00:00Z", 5), ("2026-03-01", 0)):
        result = own.check("--since", when, "--json")
        assert result.exit_code == code, when
    assert "no verdict from before 2026-03-01 is kept" in result.stderr


def test_a_report(own, tmp_path):
    own.check()
    lost = own.upstream.commit({"board.csv": OAK}, "2026-03-03T08:00:00Z")
    file = tmp_path / "report.md"
    assert own.check("--since", "last", "--report", str(file)).exit_code == 5
    lines = file.read_text().splitlines()
    assert lines[:2] == ["# Claims", ""]
    assert lines[2].startswith("1 verdict changed since the last check. Checked 20")
    assert lines[4:] == [
        "| claim | verdict | since when | what changed |",
        "| --- | --- | --- | --- |",
        "| fern is #1 on ponds | False | 2026-03-03T08:00:00Z "
        f"| true -\\> false with ponds @ {lost[:8]} of 2026-03-03T08:00:00Z |".replace(
            "#1", "#\u20601"
        ),
        "| fern is in the top 3 | True | 2026-03-01T08:00:00Z |  |",
    ]
    assert own.check("--report", str(file)).exit_code == 5  # written anew, without --since
    assert "0 verdicts changed" in file.read_text()


def test_a_report_shows_no_markup_of_a_claim(tmp_path):
    hostile = CLAIMS.replace("fern is #1 on ponds", "<img src=x> | [a](b) @you\u202e `x`")
    own = Own(tmp_path, hostile)
    file = tmp_path / "report.md"
    own.check("--report", str(file))
    row = file.read_text().splitlines()[6]
    assert row.startswith("| \\<img src=x\\> \\| \\[a\\](b) @\u2060you")
    assert row.replace("\\|", "").count("|") == 5


def test_a_claim_about_a_board_that_is_not_tracked_here_is_not_crawled(tmp_path):
    more = '\n[[claim]]\nid = "x"\npredicate = "first"\nsubject = "fern"\nboards = ["elsewhere"]\n'
    own = Own(tmp_path, CLAIMS + more + "tracked = false\n")
    result = own.check("--json")
    assert [one["verdict"] for one in json.loads(result.stdout)["claims"]] == [
        "true",
        "true",
        "not_decidable",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--since", "yesterday"], "not a moment", id="no time"),
        pytest.param(["--since", ""], "not a moment", id="nothing"),
        pytest.param(["--report", "report.txt"], "--report", id="another ending"),
        pytest.param(["--report", "no/report.md"], "no folder", id="no folder"),
        pytest.param(["--save", "other.toml"], "--save is for sentences", id="saving a file"),
    ],
)
def test_what_cannot_be_meant(own, tmp_path, arguments, words):
    before = digest(tmp_path)
    result = own.check(*arguments)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert words in result.stderr
    assert digest(tmp_path) == before


# --- the workflow of a model's own repository --------------------------------------------------


README = workflow("readme-claims.yml")


def test_the_workflow_has_what_it_needs_and_no_more():
    triggers = {"push", "schedule", "workflow_dispatch"}
    needs(README, "claims", triggers, {"contents": "read"})
    keys = [step["with"]["key"] for step in steps(README) if "cache/" in step.get("uses", "")]
    assert len(keys) == 2 and keys[0] == keys[1]


def test_the_scripts_of_the_workflow_are_bash_and_call_what_there_is():
    assert called(README) == ["check claims.toml --crawl --since last --report report.md"]


class Job:
    """One run of the workflow in a folder of its own, with the store that the cache gave."""

    def __init__(self, folder, own, cache):
        self.folder, self.summary = folder, folder / "summary.md"
        (folder / "boards" / "ponds").mkdir(parents=True)
        definition = PLAIN.replace("../../upstream.git", own.upstream.url)
        (folder / "boards" / "ponds" / "board.toml").write_text(definition)
        (folder / "claims.toml").write_text(CLAIMS)
        if cache.exists():
            shutil.copytree(cache, folder / "snapshots")
        names = ["Definitions", "Check", "Report"]
        self.codes = [self.run(name) for name in names]
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(folder / "snapshots", cache)

    def run(self, name):
        told = {"GITHUB_STEP_SUMMARY": str(self.summary)}
        return run_step(README, name, self.folder, **told).returncode


@pytest.mark.long
def test_the_workflow_fails_once_and_names_the_commit(own, tmp_path):
    cache = tmp_path / "cache"
    assert Job(tmp_path / "a", own, cache).codes == [0, 0, 0]
    assert Job(tmp_path / "b", own, cache).codes == [0, 0, 0]
    lost = own.upstream.commit({"board.csv": OAK}, "2026-03-03T08:00:00Z")
    failed = Job(tmp_path / "c", own, cache)
    assert failed.codes == [0, 5, 0]
    assert f"ponds @ {lost[:8]}" in failed.summary.read_text()
    assert Job(tmp_path / "d", own, cache).codes == [0, 0, 0]
