"""A repository of the Hub by its API alone: the same as by git, with every content asked for once."""

from __future__ import annotations

import hashlib

import pytest

from crawler.crawl import How, crawl
from crawler.store import Store
from crawler.work import Work
from tests.crawler.tracked import run, states, texts, track
from tests.hub.server import HubServer

SAME = ["version", "commit", "committed_at", "position", "path", "blob", "size", "state", "why"]


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


@pytest.fixture
def by_git(tmp_path):
    return Store(tmp_path / "by-git")


@pytest.fixture
def by_api(tmp_path):
    return Store(tmp_path / "by-api")


def by_the_api(store, *names):
    boards = [store.board(name) for name in names or store.names()]
    how = How(via="api")
    return list(crawl(store, boards, work=Work(), derive=lambda _: 0, how=how))


def told(store, name="text"):
    """What the versions say, but for what the API does not know."""
    return store.versions(name).select(SAME).to_pylist()


@pytest.fixture
def repo(git_repo):
    """Changes, an odd name, a file that moves, goes, comes back, and commits of no concern."""
    repo = git_repo()
    repo.commit({"README.md": "hello"}, day(1))
    repo.commit({"a b/top 5%?#1 – été.json": "1"}, day(2))
    repo.commit({"README.md": "typo"}, day(3))
    repo.commit({"a b/top 5%?#1 – été.json": None, "board.json": "1"}, day(4))
    repo.commit({"board.json": "2"}, day(5))
    repo.commit({"board.json": None}, day(6))
    repo.commit({"board.json": "1"}, day(7))
    return repo


PATHS = ("board.json", "a b/top 5%[?]#1 – été.json")


def test_both_ways_give_the_same_versions(by_git, by_api, repo, hub):
    hub.add("spaces/lab/board", repo)
    for store in (by_git, by_api):
        track(store, "text", "lab/board", "board.json", "a b/top 5%[?]#1 – été.json", kind="hub")
    assert run(by_git)[0].new_versions == 5
    outcome = by_the_api(by_api)[0]
    assert (outcome.status, outcome.new_versions, outcome.commits_seen) == ("ok", 5, 7)
    assert (outcome.seen.history, outcome.tip) == ("flat", repo.tip)
    assert told(by_api) == told(by_git)
    assert states(by_api, "text") == states(by_git, "text")


def test_no_content_is_asked_for_twice(by_api, repo, hub):
    hub.add("spaces/lab/board", repo)
    track(by_api, "text", "lab/board", kind="hub")
    by_the_api(by_api)
    files = [r.path for r in hub.requests if "/resolve/" in r.path]
    assert len(files) == len(set(files)) == 2  # "1" and "2"
    hub.count()
    assert by_the_api(by_api)[0].new_versions == 0
    assert hub.count() == 1
    repo.commit({"board.json": "3"}, day(8))
    assert by_the_api(by_api)[0].new_versions == 1
    # is there news, the list, the files at the new commit, and the new content where it moved to
    assert hub.count() == 5
    assert texts(by_api, "text") == ["1", "2", "", "1", "3"]


def test_a_second_board_of_the_repository(by_git, by_api, repo, hub):
    """Its files are asked for at all commits; contents that are here are not."""
    hub.add("spaces/lab/board", repo)
    track(by_api, "text", "lab/board", kind="hub")
    by_the_api(by_api)
    for store in (by_git, by_api):
        track(store, "notes", "lab/board", "*.md", kind="hub")
    hub.count()
    assert by_the_api(by_api)[0].new_versions == 2
    run(by_git, "notes")
    assert told(by_api, "notes") == told(by_git, "notes")
    assert texts(by_api, "notes") == ["hello", "typo"]
    assert len(by_api.commits(by_api.board("notes"))) == 7


def test_a_squashed_branch_keeps_what_was_seen(by_api, repo, hub):
    hub.add("spaces/lab/board", repo)
    track(by_api, "text", "lab/board", kind="hub")
    by_the_api(by_api)
    repo.commit({"board.json": "1"}, day(9), parents=[])
    outcome = by_the_api(by_api)[0]
    assert (outcome.new_versions, outcome.rewritten, outcome.versions) == (0, True, 4)
    repo.commit({"board.json": "5"}, day(10))
    assert by_the_api(by_api)[0].new_versions == 1
    assert texts(by_api, "text") == ["1", "2", "", "1", "5"]


def test_a_branch_that_is_set_back(by_git, by_api, repo, hub):
    hub.add("spaces/lab/board", repo)
    for store in (by_git, by_api):
        track(store, "text", "lab/board", kind="hub")
    run(by_git)
    by_the_api(by_api)
    repo.git("update-ref", "refs/heads/main", repo.git("rev-parse", "main~2"))
    run(by_git)
    assert by_the_api(by_api)[0].rewritten
    assert told(by_api) == told(by_git)
    assert texts(by_api, "text") == ["1", "2", "", "1", "2"]


@pytest.mark.parametrize("first", ["git", "api"])
def test_one_way_after_the_other(by_git, by_api, repo, hub, first):
    hub.add("spaces/lab/board", repo)
    for store in (by_git, by_api):
        track(store, "text", "lab/board", kind="hub")
    ways = {"git": run, "api": by_the_api}
    second = "api" if first == "git" else "git"
    assert ways[first](by_api)[0].new_versions == 4
    repo.commit({"board.json": "7"}, day(9))
    outcome = ways[second](by_api)[0]
    assert (outcome.new_versions, outcome.rewritten) == (1, False)
    assert outcome.seen.history == ("line" if second == "git" else "flat")
    repo.commit({"board.json": "8"}, day(10))
    assert ways[first](by_api)[0].new_versions == 1
    run(by_git)
    assert told(by_api) == told(by_git)
    assert texts(by_api, "text") == ["1", "2", "", "1", "7", "8"]


def test_a_pointer_and_its_content_by_either_way(by_git, by_api, git_repo, hub):
    content = b"the real table"
    digest = hashlib.sha256(content).hexdigest()
    pointer = (
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(content)}\n"
    )
    repo = git_repo()
    repo.commit({"board.json": "1"}, day(1))
    repo.commit({"board.json": pointer}, day(2))
    hub.add("spaces/lab/board", repo)
    for store in (by_git, by_api):
        track(store, "text", "lab/board", kind="hub")
    run(by_git)
    by_the_api(by_api)
    assert states(by_git, "text")[1][1] == "pointer"
    assert told(by_api) == told(by_git)
    hub.lfs[digest] = content
    run(by_git)
    by_the_api(by_api)
    assert texts(by_git, "text") == ["1", "the real table"]
    assert told(by_api) == told(by_git)
