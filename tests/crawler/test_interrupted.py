"""Ctrl-C at any moment: it ends at once, leaves no process behind, and the store is whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import cli
from crawler.store import Store
from tests.crawler.tracked import texts
from tests.histories import History
from tests.hub.faults import silent
from tests.hub.server import ALWAYS, Bucket, HubServer

TABLE = '[table]\nentry = "entry"\nscore = "score"\ndirection = "higher"\n'
AT_ONCE = 2.5  # seconds; one is meant, the machine may be busy


def content(number: int, rows: int = 20) -> str:
    lines = (f"model-{row:03},{(row * 7919 + number * 31) % 1000 / 10}" for row in range(rows))
    return "\n".join(["entry,score", *lines, ""])


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


def define(store: Path, name: str, kind: str, repo: str, repo_type: str = "space") -> None:
    folder = store / name
    folder.mkdir(parents=True)
    source = f'[source]\nkind = "{kind}"\nrepo = "{repo}"\npaths = ["board.csv"]\n'
    typed = f'repo_type = "{repo_type}"\n' if kind == "hub" else ""
    (folder / "board.toml").write_text(source + typed + TABLE)


def command(store: Path, *arguments: str):
    return CliRunner().invoke(cli, ["--store", str(store), *arguments])


def start(store: Path, *arguments: str) -> subprocess.Popen[str]:
    call = [sys.executable, "-m", "app", "--store", str(store), *arguments]
    return subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until, "it never came so far"
        time.sleep(0.01)


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Send Ctrl-C; what was printed and said."""
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)
    assert time.monotonic() - begun < AT_ONCE
    assert process.returncode == 130, said
    return said


def processes_of(folder: Path) -> list[str]:
    """Processes that are at work in a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (place / "cmdline").read_bytes().decode(errors="replace")
            where = os.readlink(place / "cwd")
        except OSError:
            continue
        if (
            str(folder) in arguments or where.startswith(str(folder))
        ) and "pytest" not in arguments:
            found.append(arguments.replace("\0", " "))
    return found


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


@pytest.fixture
def publish(hub, tmp_path) -> Callable[[int], None]:
    """Publish the next state everywhere."""
    repo, large = History(tmp_path / "repo.git"), History(tmp_path / "large.git")
    hub.add("spaces/lab/board", repo)
    hub.add("lab/board.git", repo)
    hub.add("spaces/lab/large", large)
    bucket = hub.buckets["lab/board"] = Bucket()

    def at(number: int) -> None:
        repo.commit({"board.csv": content(number)}, day(number))
        pointer = hub.keep_large(content(number).encode())
        large.commit({"board.csv": pointer}, day(number))
        hub.files["/board.csv"] = content(number).encode()
        bucket.put("board.csv", content(number).encode())

    return at


STALLS = [
    pytest.param("hub", "lab/board", "space", "git", [], id="git"),
    pytest.param("hub", "lab/board", "space", "api", [], id="the first question"),
    pytest.param("hub", "lab/board", "space", "*/paths-info/*", ["--via", "api"], id="the API"),
    pytest.param("hub", "lab/board", "space", "resolve", ["--via", "api"], id="a file by the API"),
    pytest.param("url", "/board.csv", "", "file", [], id="an address"),
    pytest.param("hub", "lab/board", "bucket", "*/resolve/*", [], id="a bucket"),
    pytest.param("hub", "lab/large", "space", "cdn", [], id="a large file"),
]


@pytest.mark.parametrize(("kind", "repo", "repo_type", "on", "via"), STALLS)
def test_where_a_server_is_silent_it_ends_at_once(
    hub, publish, tmp_path, kind, repo, repo_type, on, via
):
    store = tmp_path / "store"
    define(store, "board", kind, hub.url + repo if kind == "url" else repo, repo_type)
    publish(1)
    assert command(store, "crawl", *via).exit_code == 0
    publish(2)
    hub.faults.append(silent(on=on))
    process = start(store, "crawl", *via, "--json")
    wait_for(lambda: not hub.faults)
    time.sleep(0.2)
    stdout, stderr = interrupt(process)
    assert stdout == ""
    assert stderr.splitlines() == ["interrupted; what was reported as saved is safe"]
    assert processes_of(store) == []
    last = Store(store).attempts("board")[-1]
    assert (last["outcome"], last["error"]) == ("interrupted", "interrupted")
    assert texts(Store(store), "board")[0] == content(1)
    assert command(store, "crawl", *via).exit_code == 0
    assert texts(Store(store), "board") == [content(1), content(2)]
    assert command(store, "verify").exit_code == 0


def test_four_that_wait_end_together_and_what_is_done_stays(hub, publish, tmp_path):
    store = tmp_path / "store"
    publish(1)
    define(store, "done", "git", str(tmp_path / "repo.git"))
    define(store, "git", "git", f"{hub.url}/lab/board.git")
    define(store, "space", "hub", "lab/board")
    define(store, "file", "url", f"{hub.url}/board.csv")
    define(store, "later", "hub", "lab/large")
    hub.faults += [silent(on=on, times=ALWAYS) for on in ("git", "api", "file")]
    process = start(store, "crawl", "--jobs", "4", "--json")
    wait_for(lambda: len(hub.requests) >= 3 and bool(Store(store).attempts("done")))
    interrupt(process)
    assert processes_of(store) == []
    outcomes = {
        name: [one["outcome"] for one in Store(store).attempts(name)]
        for name in Store(store).names()
    }
    assert outcomes["done"] == ["ok"]
    assert {tuple(outcomes[name]) for name in ("git", "space", "file")} == {("interrupted",)}
    hub.faults.clear()
    after = command(store, "crawl", "--json")
    assert after.exit_code == 0, after.stderr
    assert [one["versions"] for one in json.loads(after.stdout)["boards"]] == [1] * 5
    assert command(store, "verify").exit_code == 0


def test_while_it_reads_it_ends_at_once(tmp_path):
    store, repo = tmp_path / "store", History(tmp_path / "repo.git")
    stream = b"".join(
        b"commit refs/heads/main\ncommitter A Tester <tester@example.org> %d +0000\ndata 1\nm\n"
        b"M 100644 inline board.csv\ndata %d\n%s\n" % (1790000000 + number, len(text), text)
        for number in range(400)
        if (text := content(number, 400).encode())
    )
    subprocess.run(
        ["git", "-C", str(repo.folder), "fast-import", "--quiet"], input=stream, check=True
    )
    define(store, "board", "git", str(repo.folder))
    process = start(store, "--log", "text", "crawl")
    wait_for(lambda: Store(store).versions_file("board").exists())
    interrupt(process)
    assert processes_of(store) == []
    assert Store(store).attempts("board")[-1]["outcome"] == "interrupted"
    assert command(store, "crawl").exit_code == 0
    assert Store(store).versions("board").num_rows == 400
    assert command(store, "verify").exit_code == 0
