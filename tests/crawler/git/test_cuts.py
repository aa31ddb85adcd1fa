"""Histories that are cut off: had as far as they go, marked, and completed when more is there."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import pytest

from crawler.git_source import fetch_branch
from crawler.objects import Objects
from crawler.work import Work
from tests.hub.server import HubServer


@pytest.fixture
def objects(tmp_path):
    return Objects(tmp_path / "source" / "objects.git")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    for number in range(1, 6):
        repo.commit({"board.json": str(number)}, day(number))
    return repo


@pytest.fixture
def clone(repo, tmp_path):
    repo.git("clone", "--quiet", "--depth=2", repo.url, str(tmp_path / "clone"))
    return tmp_path / "clone"


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


def git(folder, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def fetch(objects, address, branch: str = "") -> str:
    return fetch_branch(objects, str(address), branch, Work())


def line(objects, tip: str) -> list[str]:
    """The history of a commit here, newest first."""
    return objects.run("rev-list", "--first-parent", tip).decode().split()


def commits(repo) -> list[str]:
    return repo.git("rev-list", "main").split()


@pytest.mark.parametrize("by", ["folder", "server", "bundle"])
def test_a_shallow_source_is_had_with_its_cut_and_completed(objects, repo, clone, tmp_path, by):
    all_of_it = commits(repo)
    with HubServer() as server:
        server.add("lab/board.git", SimpleNamespace(folder=clone / ".git", git=None))
        bundle = tmp_path / "clone.bundle"
        address = {"folder": clone, "server": f"{server.url}/lab/board.git", "bundle": bundle}[by]

        def offer() -> None:
            git(clone, "bundle", "create", "--quiet", str(bundle), "HEAD", "main")

        offer()
        assert fetch(objects, address) == repo.tip
        assert line(objects, repo.tip) == all_of_it[:2]
        assert objects.is_cut
        assert objects.cut_at(all_of_it) == {all_of_it[1]}
        assert objects.parents(all_of_it[:3]) == {
            all_of_it[0]: (all_of_it[1],),
            all_of_it[1]: (all_of_it[2],),
        }

        repo.commit({"board.json": "6"}, day(6))
        git(clone, "fetch", "--quiet", "origin", "+main:refs/remotes/origin/main")
        git(clone, "reset", "--quiet", "--hard", "origin/main")
        offer()
        assert fetch(objects, address) == repo.tip
        assert line(objects, repo.tip) == commits(repo)[:3]
        assert objects.cut_at(all_of_it) == {all_of_it[1]}
        assert fetch(objects, address) == repo.tip

        untouched = (clone / ".git/shallow").read_bytes()
        assert untouched.decode().split() == [all_of_it[1]]  # the user's clone stays as it was

        git(clone, "fetch", "--quiet", "--unshallow")
        offer()
        assert fetch(objects, address) == repo.tip
        assert line(objects, repo.tip) == commits(repo)
        assert (objects.is_cut, objects.cut_at(all_of_it)) == (False, set())
        objects.run("fsck", "--strict")
        assert fetch(objects, address) == repo.tip


def test_ours_stays_whole_when_the_source_is_cut_off_later(objects, repo, tmp_path):
    """git would cut off ours as well: of a branch that only grew, nothing vanishes."""
    fetch(objects, repo.folder)
    repo.commit({"board.json": "6"}, day(6))
    repo.git("clone", "--quiet", "--depth=1", repo.url, str(tmp_path / "later"))
    assert fetch(objects, tmp_path / "later") == repo.tip
    assert line(objects, repo.tip) == commits(repo)
    assert not objects.is_cut


def test_what_is_missing_between_stays_cut_off(objects, repo, tmp_path):
    """Ours ends at 5, the source begins at 7."""
    old = commits(repo)
    fetch(objects, repo.folder)
    for number in (6, 7, 8):
        repo.commit({"board.json": str(number)}, day(number))
    repo.git("clone", "--quiet", "--depth=2", repo.url, str(tmp_path / "later"))
    assert fetch(objects, tmp_path / "later") == repo.tip
    assert line(objects, repo.tip) == commits(repo)[:2]
    assert line(objects, old[0]) == old
    assert objects.cut_at(commits(repo)) == {commits(repo)[1]}
    assert fetch(objects, repo.folder) == repo.tip
    assert line(objects, repo.tip) == commits(repo)


def test_two_branches_of_which_one_is_completed(objects, repo, clone):
    repo.commit({"board.json": "draft"}, day(6), branch="draft", parents=[commits(repo)[2]])
    git(clone, "fetch", "--quiet", "--depth=1", "origin", "draft:draft")
    fetch(objects, clone, "main")
    draft = fetch(objects, clone, "draft")
    assert objects.cut_at([draft, *commits(repo)]) == {draft, commits(repo)[1]}
    git(clone, "fetch", "--quiet", "--unshallow", "origin", "main")
    fetch(objects, clone, "main")
    fetch(objects, clone, "draft")
    assert line(objects, repo.tip) == commits(repo)
    assert line(objects, draft) == [draft, *commits(repo)[2:]]
    assert not objects.is_cut


def test_a_bundle_of_a_clone_that_lacks_more_than_history_is_refused(objects, repo, tmp_path):
    from crawler.source import CrawlError

    first = commits(repo)[-1]
    repo.git("bundle", "create", "--quiet", str(tmp_path / "end.bundle"), f"{first}..main")
    with pytest.raises(CrawlError, match="a part of a history only"):
        fetch(objects, tmp_path / "end.bundle")
    assert not objects.is_cut
