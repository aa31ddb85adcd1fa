"""Large files are not fetched, and nothing but a fetch ever asks for them."""

from __future__ import annotations

import os
import random
import subprocess

import pytest

from crawler.git import calls as git_calls
from crawler.git_source import fetch_branch, login_settings
from crawler.objects import ABSENT_ON_PURPOSE, Info, Objects, StoreError, safe_environment
from crawler.store import Store
from crawler.work import Work
from tests.crawler.tracked import run, track
from tests.hub.server import TOKEN, HubServer

LARGE = random.Random(4).randbytes(50_000)


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch):
    monkeypatch.setattr(git_calls, "MAX_BYTES", 10_000)


@pytest.fixture
def objects(tmp_path):
    return Objects(tmp_path / "source" / "objects.git")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    repo.commit({"board.json": "1", "weights.bin": LARGE}, day(1))
    repo.commit({"board.json": "2", "weights.bin": LARGE + b"2"}, day(2))
    return repo


@pytest.fixture
def server(repo):
    with HubServer() as server:
        server.add("lab/board.git", repo)
        yield server


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


def ids(repo, name: str) -> list[str]:
    """The contents of a file, oldest first."""
    commits = repo.git("rev-list", "--reverse", "main").split()
    return [repo.git("rev-parse", f"{commit}:{name}") for commit in commits]


def fetch(objects, server) -> str:
    return fetch_branch(objects, f"{server.url}/lab/board.git", "", Work())


def test_a_large_file_stays_there_and_is_missing_here(objects, server, repo):
    tip = fetch(objects, server)
    assert tip == repo.tip
    assert server.count() == 3
    names = [*ids(repo, "board.json"), *ids(repo, "weights.bin"), f"{tip}:weights.bin"]
    small, absent = Info("blob", 1), Info("missing", 0)
    assert objects.infos(names) == [small, small, absent, absent, absent]
    assert [data for _, data in objects.read(names[:2])] == [b"1", b"2"]
    with pytest.raises(StoreError, match="the bytes are missing"):
        list(objects.read(names[2:3]))
    listed = objects.run("log", "--raw", "--no-abbrev", "--no-renames", "-t", "--format=", tip)
    assert all(name.encode() in listed for name in names[:4])
    assert server.count() == 0  # nobody asked for what is absent
    size = sum(file.stat().st_size for file in objects.folder.rglob("*") if file.is_file())
    assert size < 20_000
    assert objects.is_partial


def test_our_configuration_names_no_address(objects, server, repo):
    server.repos["lab/board.git"].private = True
    address = f"{server.url}/lab/board.git"
    fetch_branch(objects, address, "", Work(), login_settings(address, "me", TOKEN))
    assert b"remote" not in (objects.folder / "config").read_bytes()
    stored = b"".join(path.read_bytes() for path in objects.folder.rglob("*") if path.is_file())
    assert TOKEN.encode() not in stored
    assert server.url.encode() not in stored


def test_even_git_that_would_fetch_it_may_not(objects, server, repo):
    """The worst case: the address is in the settings, and git is told that it may fetch."""
    fetch(objects, server)
    server.count()
    named = ABSENT_ON_PURPOSE | {"remote.source.url": f"{server.url}/lab/board.git"}
    done = subprocess.run(
        ["git", f"--git-dir={objects.folder}", "cat-file", "-p", ids(repo, "weights.bin")[0]],
        env=safe_environment(named) | {"GIT_NO_LAZY_FETCH": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert b"transport 'http' not allowed" in done.stderr
    assert server.count() == 0


def test_later_fetches_build_on_what_is_here(objects, server, repo):
    fetch(objects, server)
    server.count()
    assert fetch(objects, server) == repo.tip
    assert server.count() == 2
    repo.commit({"board.json": "3"}, day(3))
    assert fetch(objects, server) == repo.tip
    assert server.count() == 3
    repo.commit({"weights.bin": LARGE}, day(4))  # back to what was left out before
    assert fetch(objects, server) == repo.tip
    draft = repo.commit({"board.json": "draft", "b.bin": LARGE[:20_000]}, day(5), branch="draft")
    address = f"{server.url}/lab/board.git"
    assert fetch_branch(objects, address, "draft", Work()) == draft
    server.add("grove/board.git", repo)
    repo.commit({"board.json": "4"}, day(6))
    assert fetch_branch(objects, f"{server.url}/grove/board.git", "", Work()) == repo.tip
    sizes = {info.size for info in objects.infos(ids(repo, "weights.bin"))}
    assert sizes == {0}
    assert b"missing" not in objects.run("fsck", "--connectivity-only", settings=ABSENT_ON_PURPOSE)


def test_a_file_that_becomes_small_enough_is_had(objects, server, repo):
    """It comes as what changed in the large one, which git then asks for."""
    fetch(objects, server)
    repo.commit({"weights.bin": LARGE[:9_000]}, day(3))
    assert fetch(objects, server) == repo.tip
    assert [info.size for info in objects.infos(ids(repo, "weights.bin")[-1:])] == [9_000]


def test_packing_keeps_all_that_is_here(objects, server, repo, monkeypatch):
    monkeypatch.setattr("crawler.git.own_repository._MOST_PACKS", 2)
    for number in range(3, 9):
        fetch(objects, server)
        repo.commit(
            {"board.json": str(number), "weights.bin": LARGE + bytes([number])}, day(number)
        )
    fetch(objects, server)
    assert len(list((objects.folder / "objects/pack").glob("*.pack"))) <= 3
    read = [data for _, data in objects.read(ids(repo, "board.json"))]
    assert read == [str(number).encode() for number in range(1, 9)]
    assert {info.kind for info in objects.infos(ids(repo, "weights.bin"))} == {"missing"}
    assert b"missing" not in objects.run("fsck", settings=ABSENT_ON_PURPOSE)


def test_a_server_that_leaves_nothing_out_sends_all(objects, server, repo):
    server.allows_filters = False
    fetch(objects, server)
    assert [info.size for info in objects.infos(ids(repo, "weights.bin"))] == [50_000, 50_001]


def test_a_folder_on_this_machine_gives_all(objects, repo):
    fetch_branch(objects, str(repo.folder), "", Work())
    assert not objects.is_partial
    assert [info.size for info in objects.infos(ids(repo, "weights.bin"))] == [50_000, 50_001]


def test_by_ssh_large_files_stay_there_too(objects, repo, tmp_path, monkeypatch):
    """The ssh of this test runs on this machine what it was to run on the other."""
    repo.git("config", "uploadpack.allowFilter", "true")
    (tmp_path / "bin").mkdir()
    ssh = tmp_path / "bin" / "ssh"
    ssh.write_text('#!/bin/sh\nfor last; do :; done\nexec env -u GIT_PROTOCOL sh -c "$last"\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert fetch_branch(objects, f"git@example.org:{repo.folder}", "", Work()) == repo.tip
    assert {info.kind for info in objects.infos(ids(repo, "weights.bin"))} == {"missing"}
    assert fetch_branch(objects, f"ssh://example.org{repo.folder}", "", Work()) == repo.tip


def test_a_server_that_only_has_files_sends_all(objects, server, repo):
    """The oldest way to offer a repository: a folder behind any web server."""
    repo.git("repack", "-a", "-d", "-q")
    repo.git("update-server-info")
    for file in repo.folder.rglob("*"):
        if file.is_file():
            server.files.put(f"/plain/board.git/{file.relative_to(repo.folder)}", file.read_bytes())
    assert fetch_branch(objects, f"{server.url}/plain/board.git", "", Work()) == repo.tip
    assert {info.kind for info in objects.infos(ids(repo, "weights.bin"))} == {"blob"}


def test_a_board_whose_file_is_too_large(tmp_path, server, repo):
    store = Store(tmp_path / "store")
    track(store, "text", f"{server.url}/lab/board.git", "weights.bin")
    repo.commit({"weights.bin": b"small"}, day(3))
    assert run(store)[0].error is None
    rows = store.versions("text").to_pylist()
    too_large = ("unavailable", "more than 67,108,864 bytes", None)
    assert [(row["state"], row["why"], row["size"]) for row in rows] == [
        too_large,
        too_large,
        ("published", None, 5),
    ]
    assert server.log("resolve") == []


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("git version 2.39.5", True),
        ("git version 2.39.3", False),
        ("git version 2.43.0", False),
        ("git version 2.45.0", True),
        ("git version 2.50.1 (Apple Git-155)", True),
        ("git version 2.44.1.windows.1", True),
        ("git version 2.30.2", False),
        ("git version 3.0", True),
        ("nonsense", False),
    ],
)
def test_a_git_that_could_fetch_for_ever_leaves_nothing_out(tmp_path, monkeypatch, said, known):
    """Older ones fetch what is absent in the middle of a fetch, and in the middle of that."""
    fake = tmp_path / "git"
    fake.write_text(f"#!/bin/sh\necho '{said}'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    git_calls._never_fetches_later.cache_clear()
    try:
        assert (git_calls.Remote("https://h/a").largest is not None) == known
    finally:
        git_calls._never_fetches_later.cache_clear()
