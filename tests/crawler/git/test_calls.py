"""A git that is stopped, stalls, talks without an end or is one of very many."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from crawler.git import calls as git_calls
from crawler.git_source import fetch_branch
from crawler.objects import _SETTINGS, Objects
from crawler.source import CrawlError
from crawler.work import Stopped, Work
from tests.crawler.tracked import add_many
from tests.hub import faults
from tests.hub.server import HubServer

ROOT = Path(__file__).parents[3]


@pytest.fixture
def objects(tmp_path):
    return Objects(tmp_path / "source" / "objects.git")


@pytest.fixture
def silent():
    """Address of a server that takes every connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"git://127.0.0.1:{listening.getsockname()[1]}/a.git"


def sessions_of_git(mark: str) -> list[int]:
    """Processes whose arguments or environment name a folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def stop_soon(work: Work, seconds: float = 0.5) -> list[float]:
    """Stop a job after a while; the list is given the moment."""
    at: list[float] = []

    def stop() -> None:
        at.append(time.monotonic())
        work.stop()

    threading.Timer(seconds, stop).start()
    return at


@pytest.mark.parametrize("how", ["git", "http", "inside a pack"])
def test_a_stopped_fetch_ends_within_a_second_and_leaves_no_process(objects, silent, git_repo, how):
    repo = git_repo()
    add_many(repo, [f"{number}" * 50 for number in range(50)])
    with HubServer() as server:
        server.add("lab/board.git", repo)
        if how == "http":
            server.faults.append(faults.silent(on="git", times=faults.ALWAYS))
        elif how == "inside a pack":
            on = "POST */git-upload-pack"
            server.faults.append(faults.silent(0.5, on=on, after=1, times=faults.ALWAYS))
        address = silent if how == "git" else f"{server.url}/lab/board.git"
        work = Work()
        at = stop_soon(work)
        with pytest.raises(Stopped):
            fetch_branch(objects, address, "", work)
        assert time.monotonic() - at[0] < 1
        assert sessions_of_git(str(objects.folder)) == []
        server.faults.clear()
        assert fetch_branch(objects, f"{server.url}/lab/board.git", "", Work()) == repo.tip
    assert not list(objects.folder.glob("objects/pack/tmp_*"))


def test_ctrl_c_in_the_main_thread_ends_git_too(objects, silent):
    """Without threads there is nobody who calls stop()."""
    script = textwrap.dedent(
        f"""
        from crawler.git_source import fetch_branch
        from crawler.objects import Objects
        from crawler.work import Work
        from pathlib import Path
        print("begun", flush=True)
        fetch_branch(Objects(Path({str(objects.folder)!r})), {silent!r}, "", Work())
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    process.stdout.readline()
    until = time.monotonic() + 20
    while not sessions_of_git(f"--git-dir={objects.folder}") and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(2)
    begun = time.monotonic()
    _, said = process.communicate(timeout=20)
    assert time.monotonic() - begun < 1.5
    assert said.splitlines()[-1] == b"KeyboardInterrupt"
    assert sessions_of_git(f"--git-dir={objects.folder}") == []


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("LONGEST_SILENCE", "cannot be reached (nothing was heard for 1 s)"),
        ("LONGEST", "it takes too long (no end after 1 s)"),
    ],
)
def test_a_server_that_says_nothing(objects, silent, monkeypatch, limit, said):
    monkeypatch.setattr(git_calls, limit, 1.0)
    begun = time.monotonic()
    with pytest.raises(CrawlError) as caught:
        fetch_branch(objects, silent, "", Work())
    assert said in str(caught.value)
    assert caught.value.passing
    assert time.monotonic() - begun < 3
    assert sessions_of_git(str(objects.folder)) == []


def test_a_stalled_http_server_is_left(objects, git_repo, monkeypatch):
    monkeypatch.setitem(_SETTINGS, "http.lowSpeedTime", "1")
    repo = git_repo()
    add_many(repo, ["1", "2"])
    with HubServer() as server:
        server.add("lab/board.git", repo)
        server.faults.append(faults.silent(on="git", times=faults.ALWAYS))
        begun = time.monotonic()
        with pytest.raises(CrawlError, match=r"cannot be reached .*too slow"):
            fetch_branch(objects, f"{server.url}/lab/board.git", "", Work())
        assert time.monotonic() - begun < 5


def test_more_than_the_largest_fetch_is_refused(objects, git_repo, monkeypatch):
    monkeypatch.setattr(git_calls, "LARGEST_FETCH", 100_000)
    repo = git_repo()
    repo.commit({"board.json": os.urandom(3_000_000)}, "2026-10-01T12:00:00Z")
    with HubServer() as server:
        server.add("lab/board.git", repo)
        with pytest.raises(CrawlError, match="it sends too much"):
            fetch_branch(objects, f"{server.url}/lab/board.git", "", Work())


def test_how_far_a_fetch_is_is_told(objects, git_repo):
    repo = git_repo()
    add_many(repo, [f"{number}\n" * 100 for number in range(200)])
    told: list[tuple[str, int, int | None]] = []
    fetch_branch(objects, str(repo.folder), "", Work(count=lambda *one: told.append(one)))
    assert ("receiving objects", 600, 600) in told
    assert {what for what, _, _ in told} <= {"receiving objects", "resolving deltas"}


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (b"fatal: \x1b[2Jgone\n", "fatal: ?[2Jgone\n"),
        (
            b"remote: \xe2\x80\xaeabc\rReceiving objects:  45% (9/20)\rfatal: x",
            "remote: ?abc\nfatal: x",
        ),
        (b"a" * 200_000 + b"\nfatal: x\n", "a" * 1024 + "\nfatal: x\n"),
        (b"a\n" * 200_000, "a\n" * 32 * 1024),
    ],
    ids=["control codes", "progress is no remark", "an endless line", "endless lines"],
)
def test_remarks(written, kept):
    listener = git_calls._Listener(Work())
    for start in range(0, len(written), 999):
        listener.hear_remarks(written[start : start + 999])
    assert git_calls.GitFailed(listener.remarks()).said == kept


def test_sixty_repositories_in_one_process(tmp_path, git_repo):
    """No open file and no process is left of any; 128 open files would be passed soon."""
    repo = git_repo()
    add_many(repo, ["1", "2", "3"])
    folders = [str(shutil.copytree(repo.folder, tmp_path / f"{n}.git")) for n in range(60)]
    script = textwrap.dedent(
        """
        import json, os, resource, sys
        from pathlib import Path
        from crawler.git_source import fetch_branch
        from crawler.objects import Objects
        from crawler.work import Work

        resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
        root, *folders = sys.argv[1:]
        def children():
            stats = [p.read_text() for p in Path("/proc").glob("[0-9]*/stat") if p.exists()]
            return sum(s.rpartition(")")[2].split()[1] == str(os.getpid()) for s in stats)
        counts = []
        for number, folder in enumerate(folders, 1):
            objects = Objects(Path(root) / str(number) / "objects.git")
            tip = fetch_branch(objects, folder, "", Work())
            list(objects.read([objects.run("rev-parse", f"{tip}:board.json").decode().strip()]))
            if number % 10 == 0:
                counts.append([len(os.listdir("/proc/self/fd")), children()])
        print(json.dumps(counts))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "stores"), *folders],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    counts = json.loads(done.stdout)
    assert counts == [counts[0]] * 6
    assert counts[0][1] == 0
