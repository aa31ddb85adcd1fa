"""Which board does `ranktrail add` make of a repository, and what is written?"""

from __future__ import annotations

import json

from crawler.board import load_board
from tests.app.small_board import run
from tests.histories import History


def test_a_board_in_one_command(repo, tmp_path):
    store = tmp_path / "new" / "store"
    done = run(store, "add", str(repo.folder), "--yes")
    assert done.exit_code == 0, done.stderr
    board = load_board(store / "garden" / "board.toml")
    assert board.source.paths == ["results.csv"]
    assert board.rest["table"] == {
        "format": "csv",
        "entry": "Model",
        "score": "Overall",
        "direction": "higher",
        "published_rank": "Rank",
    }
    assert "the published ranks follow it" in done.stdout
    assert "2 contents of the file" in done.stdout
    assert f"Next: ranktrail --store {store} reigns garden" in done.stdout
    stood = json.loads(run(store, "standings", "garden", "--json").stdout)
    assert [row["entry"] for row in stood["entries"]] == ["fern", "moss", "oak", "elm"]


def test_as_json(repo, tmp_path):
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes", "--json", "--name", "mine")
    document = json.loads(done.stdout)
    assert document["board"] == "mine"
    assert document["standings"]["entries"][0]["entry"] == "fern"
    assert {one["key"] for one in document["guesses"]} >= {"table.score", "table.entry", "history"}


def test_names_of_a_file_cannot_break_out_of_the_definition(tmp_path):
    repo = History(tmp_path / "garden.git")
    nasty = 'model,"sco""re\'\n# x = 1 \x7f avg"\na,3\nb,2\nc,1\nd,0.5\ne,0.25\n'
    repo.commit({"a.csv": nasty}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert done.exit_code == 0, done.stderr
    table = load_board(tmp_path / "s" / "garden" / "board.toml").rest["table"]
    assert table["score"] == "sco\"re'\n# x = 1 \x7f avg"


def test_other_kinds_are_mentioned_and_stay(tmp_path):
    repo = History(tmp_path / "garden.git")
    rows = [("ann", "human_expert", 95)] + [(f"m{k}", "model", 80 - k) for k in range(9)]
    text = "model,kind,score\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    repo.commit({"r.csv": text}, "2026-01-01T00:00:00Z")
    done = run(tmp_path / "s", "add", str(repo.folder), "--yes")
    assert done.exit_code == 0, done.stderr
    assert "1 row is human_expert; without them: where = " in done.stdout
    board = load_board(tmp_path / "s" / "garden" / "board.toml")
    assert "# where = \"not kind == 'human_expert'\"" in board.text
    assert "where" not in board.rest["table"]
    stood = json.loads(run(tmp_path / "s", "standings", "garden", "--json").stdout)
    assert stood["entries"][0]["entry"] == "ann"
