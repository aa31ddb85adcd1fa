"""Locks and leftovers in our own repository."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from crawler.git import own_repository
from crawler.git_source import fetch_branch
from crawler.objects import Objects
from crawler.source import CrawlError
from crawler.work import Stopped, Work

TWO_DAYS = 2 * 86400
NAMES = ("shallow.lock", "packed-refs.lock", "refs/line/HEAD.lock", "refs/heads/main.lock")


@pytest.fixture
def objects(tmp_path):
    return Objects(tmp_path / "source" / "objects.git")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    repo.commit({"board.json": "1"}, "2026-10-01T12:00:00Z")
    return repo


@pytest.fixture
def _hasty(monkeypatch):
    monkeypatch.setattr(own_repository, "PATIENCE", 0.3)


def lock(objects, name: str, age: float = 0):
    place = objects.folder / name
    place.parent.mkdir(exist_ok=True, parents=True)
    place.touch()
    os.utime(place, (time.time() - age,) * 2)
    return place


def fetch(objects, repo) -> str:
    return fetch_branch(objects, str(repo.folder), "", Work())


def test_what_was_left_behind_long_ago_goes(objects, repo):
    fetch(objects, repo)
    left = [lock(objects, name, TWO_DAYS) for name in NAMES]
    left += [
        lock(objects, f"objects/{name}", TWO_DAYS) for name in ("pack/tmp_pack_a", "ab/tmp_obj_b")
    ]
    kept = lock(objects, "objects/pack/tmp_pack_c")
    repo.commit({"board.json": "2"}, "2026-10-02T12:00:00Z")
    assert fetch(objects, repo) == repo.tip
    assert not any(place.exists() for place in left)
    assert kept.exists()


@pytest.mark.usefixtures("_hasty")
@pytest.mark.parametrize("name", NAMES)
def test_a_fresh_lock_is_waited_for_named_and_left(objects, repo, name):
    fetch(objects, repo)
    place = lock(objects, name)
    with pytest.raises(CrawlError) as caught:
        fetch(objects, repo)
    assert f"our own repository is locked ({place}: it exists)" in str(caught.value)
    assert caught.value.passing
    assert place.exists()


def test_a_lock_that_goes_while_we_wait_is_no_trouble(objects, repo, monkeypatch):
    monkeypatch.setattr(own_repository, "PATIENCE", 10)
    fetch(objects, repo)
    place = lock(objects, "shallow.lock")
    subprocess.Popen(["sh", "-c", 'sleep 0.4; rm "$0"', str(place)])
    begun = time.monotonic()
    assert fetch(objects, repo) == repo.tip
    assert 0.3 < time.monotonic() - begun < 8


def test_waiting_for_a_lock_can_be_stopped(objects, repo):
    fetch(objects, repo)
    lock(objects, "shallow.lock")
    work = Work()
    work.stop()
    with pytest.raises(Stopped):
        fetch_branch(objects, str(repo.folder), "", work)


@pytest.mark.usefixtures("_hasty")
def test_a_git_that_outlived_its_crawl_is_not_disturbed(objects, repo):
    """It holds our lock through the handle that it inherited; its locks are its own."""
    fetch(objects, repo)
    mark = objects.folder / own_repository._MARK
    script = "import fcntl, sys; f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX);"
    script += "print(flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(mark)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    holder.stdout.readline()
    place = lock(objects, "refs/line/HEAD.lock", TWO_DAYS)
    with pytest.raises(CrawlError, match="a git of an earlier crawl is at work"):
        fetch(objects, repo)
    assert place.exists()
    holder.communicate()
    assert fetch(objects, repo) == repo.tip


def test_what_a_killed_run_left_behind_goes_at_once(objects, repo):
    """The mark says that it did not end well; that nobody holds it, that all of it is dead."""
    fetch(objects, repo)
    (objects.folder / own_repository._MARK).write_text("123\n")
    left = [lock(objects, name, -1) for name in NAMES]
    repo.commit({"board.json": "2"}, "2026-10-02T12:00:00Z")
    assert fetch(objects, repo) == repo.tip
    assert not any(place.exists() for place in left)
    assert (objects.folder / own_repository._MARK).read_text() == ""
