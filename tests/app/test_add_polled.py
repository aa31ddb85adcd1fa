"""`ranktrail add` of what has no history: a file at an address, a bucket of the Hub."""

from __future__ import annotations

import json

import pytest

from crawler.board import load_board
from tests.app.small_board import run
from tests.hub.faults import web_page
from tests.hub.server import Bucket, HubServer

ROWS = "model,score\nfern,81.2\nmoss,80.4\noak,79.9\nelm,70.1\n"
LATER = ROWS.replace("80.4", "82.4")


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def test_a_file_at_an_address(hub, tmp_path):
    hub.files["/data/board.csv"] = ROWS.encode()
    done = run(tmp_path, "add", f"{hub.url}/data/board.csv", "--yes")
    assert done.exit_code == 0, done.stderr
    source = load_board(tmp_path / "board" / "board.toml").source
    assert (source.kind, source.repo, source.paths) == (
        "url",
        f"{hub.url}/data/board.csv",
        ["board.csv"],
    )
    assert "1 content of the file" in done.stdout
    hub.files["/data/board.csv"] = LATER.encode()
    assert run(tmp_path, "crawl").exit_code == 0
    stood = json.loads(run(tmp_path, "standings", "board", "--json").stdout)
    assert [row["entry"] for row in stood["entries"]][:2] == ["moss", "fern"]
    reigns = json.loads(run(tmp_path, "reigns", "board", "--json").stdout)["reigns"]
    assert [one["entries"] for one in reigns] == [["fern"], ["moss"]]


def test_a_file_of_a_bucket_and_a_whole_bucket(hub, tmp_path):
    bucket = hub.buckets["lab/rows"] = Bucket()
    bucket.put("data/board.csv", ROWS.encode())
    bucket.put("weights.bin", b"\0" * 10)
    for name, source in (
        ("one", "hf://buckets/lab/rows/data/board.csv"),
        ("all", "hf://buckets/lab/rows"),
    ):
        done = run(tmp_path, "add", source, "--yes", "--name", name)
        assert done.exit_code == 0, done.stderr
        source = load_board(tmp_path / name / "board.toml").source
        assert (source.kind, source.repo_type, source.repo) == ("hub", "bucket", "lab/rows")
        assert source.paths == ["data/board.csv"]
    assert "/buckets/lab/rows/resolve/weights.bin" not in [one.path for one in hub.requests]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param("{url}/login.csv", "login.csv", id="a login page"),
        pytest.param("{url}/none.csv", "no such file (status 404)", id="nothing there"),
        pytest.param("hf://buckets/lab/none", "no such repository, or a private one", id="no bucket"),
        pytest.param("hf://buckets/lab/rows/data/bord.csv", "Did you mean data/board.csv?", id="a slip"),
        pytest.param("hf://buckets/lab/empty", "0 files that could hold a board, of 1", id="no data"),
    ],
)  # fmt: skip
def test_what_is_no_board_leaves_nothing(hub, tmp_path, source, words):
    hub.files["/login.csv"] = b"<!doctype html><h1>Sign in</h1>"
    hub.buckets["lab/rows"] = Bucket()
    hub.buckets["lab/rows"].put("data/board.csv", ROWS.encode())
    hub.buckets["lab/empty"] = Bucket()
    hub.buckets["lab/empty"].put("weights.bin", b"1")
    done = run(tmp_path, "add", source.format(url=hub.url), "--yes")
    assert done.exit_code in (1, 2) and done.stdout == ""
    assert words in done.stderr
    assert not list(tmp_path.rglob("*.toml")) and not list(tmp_path.rglob("*.parquet"))


def test_an_error_page_at_the_first_crawl_writes_no_board(hub, tmp_path):
    hub.files["/board.csv"] = ROWS.encode()
    hub.faults.append(web_page("<h1>Sign in</h1>", on="file", after=1))
    done = run(tmp_path, "add", f"{hub.url}/board.csv?key=geheim123", "--yes")
    assert done.exit_code == 1
    assert "not the file of board board, but an HTML page" in done.stderr
    assert "geheim123" not in done.stderr
    assert not list(tmp_path.rglob("*.toml")) and not list(tmp_path.rglob("*.parquet"))
