"""The machine around a command: its zone, its terminal, its memory make no other answer."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

import pytest

from tests.app.small_board import define, run
from tests.histories import History
from tests.hub.server import HubServer
from tests.terminal import PROGRAM, at_terminal

GIGABYTE = 1 << 30
BOARD = """\
[source]
kind = "git"
repo = "{repo}"
paths = ["{path}"]
[table]
entry = "id"
score = "s"
direction = "higher"
"""


@pytest.fixture
def zone(monkeypatch):
    """Set the clock's zone of this process."""

    def change(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield change
    monkeypatch.undo()
    time.tzset()


def test_a_day_is_the_same_in_all_zones(tmp_path, zone):
    upstream = History(tmp_path / "upstream.git")
    times = ["09T23:59:59", "10T00:00:00", "10T23:30:00", "11T00:00:00"]
    for number, at in enumerate(times):
        upstream.commit({"board.csv": f"id,s\nfern,{number}\n"}, f"2026-03-{at}Z")
    store = tmp_path / "store"
    define(store, "board", BOARD.format(repo="../../upstream.git", path="board.csv"))
    day = ("--since", "2026-03-10", "--until", "2026-03-10")
    for name in ("UTC", "Pacific/Auckland", "America/Los_Angeles"):
        zone(name)
        assert run(store, "crawl").exit_code == 0
        rows = json.loads(run(store, "history", "board", *day, "--json").stdout)["rows"]
        assert [row["committed_at"] for row in rows] == [
            "2026-03-10T00:00:00Z",
            "2026-03-10T23:30:00Z",
        ]


def test_a_private_repository_asks_nothing_at_a_terminal(tmp_path):
    store = tmp_path / "store"
    private = History(tmp_path / "private.git")
    private.commit({"board.csv": "id,s\nfern,1\n"}, "2026-03-01T08:00:00Z")
    with HubServer() as server:
        server.add("lab/board.git", private, private=True)
        address = f"{server.url}/lab/board.git"
        define(store, "board", BOARD.format(repo=address, path="board.csv"))
        began = time.monotonic()
        said = at_terminal([PROGRAM, "--store", str(store), "crawl"], [])
    assert time.monotonic() - began < 30
    assert (said.exit_code, said.asked, said.stdout) == (1, (0, 0), "")
    assert "authentication needed" in said.screen
    assert "Username" not in said.screen and "Password" not in said.screen


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a limit of address space")
def test_files_that_explode_leave_the_others_be(tmp_path):
    """Several sources at a time, in little memory: each bomb is refused by itself."""
    laughs = "\n".join(
        ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    )
    wide = "<table><tr><th>id</th><th>s</th></tr><tr><td colspan=90000000>a</td></tr></table>"
    columns = f"id,s,{','.join(f'c{n}' for n in range(20000))}\nfern,1{',1' * 20000}\n"
    files = {
        "deep.json": "[" * 100_000,
        "laughs.yaml": laughs,
        "wide.html": wide,
        "columns.csv": columns,
        "good.csv": "id,s\nfern,80\n",
    }
    store = tmp_path / "store"
    for path, text in files.items():
        repo = tmp_path / f"{path}.git"
        History(repo).commit({path: text}, "2026-03-01T08:00:00Z")
        define(store, path.partition(".")[0], BOARD.format(repo=repo, path=path))
    done = subprocess.run(
        [PROGRAM, "--store", str(store), "crawl", "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE)),
    )
    boards = {one["board"]: one for one in json.loads(done.stdout or '{"boards": []}')["boards"]}
    assert {name: one["unreadable"] for name, one in boards.items()} == {
        "columns": 1,
        "deep": 1,
        "good": 0,
        "laughs": 1,
        "wide": 0,  # a cell over the whole width is a heading, whatever it claims
    }, done.stderr[-300:]
    stood = json.loads(run(store, "standings", "good", "--json").stdout)
    assert [(one["entry"], one["score_text"]) for one in stood["entries"]] == [("fern", "80")]
