"""The ready-made boards give the golden ranks.

`tests/boards/` holds, for each file of `crawler/boards/`, three small versions in the board's own
format and the ranks worked out by other means; its HOW.md says how.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from crawler.board import load_board, ready_made
from history.meaning import read_meaning
from tests.app.small_board import run
from tests.histories import History

GOLDEN = Path(__file__).parent / "boards"
NAMES = list(ready_made())

needs_sqlite = pytest.mark.skipif(
    shutil.which("sqlite3") is None, reason="no sqlite3 found: install it to run this"
)


def versions(name: str) -> list[Path]:
    """The folders of a board's versions, oldest first."""
    return sorted(path for path in (GOLDEN / name).iterdir() if path.is_dir())


def files(version: Path) -> dict[str, bytes]:
    """What the repository holds at a version, by path."""
    return {
        path.relative_to(version).as_posix(): path.read_bytes()
        for path in version.rglob("*")
        if path.is_file()
    }


def crawled(name: str, folder: Path) -> tuple[Path, list[str]]:
    """A store with one ready-made board, and its commits: only the source is another one."""
    branch = load_board(ready_made()[name]).source.branch or "main"
    upstream = History(folder / "upstream.git", branch)
    commits, held = [], {}
    for version in versions(name):
        gone = dict.fromkeys(held)
        held = files(version)
        commits.append(upstream.commit(gone | held, f"{version.name}T12:00:00Z"))
    text = ready_made()[name].read_text(encoding="utf-8")
    for key, line in (
        ("kind", 'kind = "git"\n'),
        ("repo", f'repo = "{upstream.url}"\n'),
        ("repo_type", ""),
    ):
        text = re.sub(rf"^{key} = .*\n", line, text, count=1, flags=re.MULTILINE)
    board = folder / "store" / name / "board.toml"
    board.parent.mkdir(parents=True)
    board.write_text(text, encoding="utf-8")
    done = run(folder / "store", "crawl")
    assert done.exit_code == 0, done.output
    return folder / "store", commits


def text_of(value: object) -> str:
    """As golden.csv writes it."""
    return "" if value is None else str(value)


@pytest.mark.parametrize("name", NAMES)
def test_a_ready_made_board_gives_the_golden_ranks(name, tmp_path):
    with (GOLDEN / name / "golden.csv").open(encoding="utf-8", newline="") as file:
        golden = list(csv.DictReader(file))
    store, commits = crawled(name, tmp_path)
    found = []
    for version, commit in zip(versions(name), commits, strict=True):
        done = run(store, "standings", name, "--at", commit, "--json")
        assert done.exit_code == 0, done.output
        found += [
            {"version": version.name}
            | {key: text_of(row[key]) for key in golden[0].keys() - {"version"}}
            for row in json.loads(done.stdout)["entries"]
        ]
    assert in_order(found) == in_order(golden)


def in_order(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Rows of one order, whoever wrote them."""
    return sorted(rows, key=lambda row: (row["version"], row["entry"]))


@pytest.mark.parametrize("name", NAMES)
def test_a_ready_made_board_is_a_definition_with_golden_ranks(name):
    board = load_board(ready_made()[name])
    assert board.name == name
    assert read_meaning(board).table.direction == ("lower" if name == "vectara" else "higher")
    assert ready_made()[name].read_text(encoding="utf-8").startswith("# ")
    assert len(versions(name)) == 3
    assert all(files(version) for version in versions(name))


def test_golden_ranks_are_those_of_ready_made_boards():
    assert sorted(path.name for path in GOLDEN.iterdir() if path.is_dir()) == NAMES


@needs_sqlite
@pytest.mark.parametrize("name", NAMES)
def test_golden_ranks_are_what_sqlite_gives(name):
    script = (GOLDEN / name / "golden.sql").read_bytes()
    given = subprocess.run(
        ["sqlite3", "-bail"], input=script, cwd=GOLDEN / name, capture_output=True, check=True
    )
    assert given.stdout.decode() == (GOLDEN / name / "golden.csv").read_text(encoding="utf-8")


TEXT = "decision-index-text"
VISION = "decision-index-vision"


@pytest.mark.parametrize(
    ("name", "formula", "ranks"),
    [
        pytest.param(
            TEXT,
            [(True, []), (True, []), (False, ["myna-2b"])],
            [(True, ["myna-2b"]), (True, ["stork-3b"]), (True, [])],
            id="two editions have a formula each, and a score that is off is named",
        ),
        pytest.param(
            VISION,
            [(True, [])] * 3,
            [(True, ["intern-0.8b"]), (True, ["jay-vl"]), (True, ["amazon-1"])],
            id="ranks that go on through ties do not contradict the scores",
        ),
    ],
)
def test_the_decision_index_agrees_with_itself(name, formula, ranks, tmp_path):
    store, _ = crawled(name, tmp_path)
    audited = json.loads(run(store, "audit", name, "--json").stdout)["versions"]
    assert [
        (one["formula"]["ok"], [row["entry"] for row in one["formula"]["rows"]]) for one in audited
    ] == formula
    assert [
        (one["published_rank"]["ok"], [row["entry"] for row in one["published_rank"]["rows"]])
        for one in audited
    ] == ranks
