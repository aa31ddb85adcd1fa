"""What goes wrong between a list of commits and their files: nothing is asked twice or made up."""

from __future__ import annotations

from itertools import pairwise

import pytest

from crawler.crawl import How, crawl
from crawler.store import Store
from crawler.work import Work
from tests.crawler.tracked import states, track
from tests.hub.faults import ALWAYS, refuse, too_many
from tests.hub.server import HubServer


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


@pytest.fixture
def repo(git_repo, hub):
    repo = git_repo()
    hub.add("spaces/lab/board", repo)
    return repo


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "store")
    track(store, "text", "lab/board", kind="hub")
    return store


def by_the_api(store):
    how = How(via="api")
    return next(iter(crawl(store, [store.board("text")], work=Work(), derive=lambda _: 0, how=how)))


def test_commits_from_before_the_file_are_asked_about_once(store, repo, hub):
    for number in (1, 2):
        repo.commit({"README.md": str(number)}, day(number))
    repo.commit({"board.json": "1"}, day(3))
    asked = []
    for number in range(3):
        if number == 2:
            repo.commit({"board.json": "2"}, day(4))
        hub.count()
        assert by_the_api(store).status == "ok"
        paths = [request.path for request in hub.requests]
        asked.append(
            (sum("/paths-info/" in path for path in paths), sum("/resolve/" in p for p in paths))
        )
    assert asked == [(3, 1), (0, 0), (1, 1)]
    assert [text for text, _, _ in states(store, "text")] == ["1", "2"]


def test_a_listed_commit_that_is_gone_is_no_absence(store, repo, hub):
    repo.commit({"board.json": "1"}, day(1))
    gone = repo.commit({"board.json": "2"}, day(2))
    for place in ("paths-info", "tree", "resolve"):
        hub.faults.append(refuse(404, "RevisionNotFound", on=f"*/{place}/{gone}*", times=ALWAYS))
    assert by_the_api(store).status == "ok"
    assert states(store, "text") == [
        ("1", "published", False),
        ("the commit is listed, but cannot be had", "unavailable", False),
    ]


def test_a_pause_that_the_server_names_holds_for_all_downloads(store, repo, hub):
    commits = [repo.commit({"board.json": str(number)}, day(number)) for number in range(1, 9)]
    hub.faults.append(too_many(retry_after=1, on=f"*/resolve/{commits[3]}/*", times=2))
    outcome = by_the_api(store)
    assert (outcome.status, outcome.versions) == ("ok", 8)
    loads = [request for request in hub.requests if "/resolve/" in request.path]
    assert len([one for one in loads if one.status != 429]) == 8
    limited = [one for one in loads if one.status == 429]
    again = [one for one in loads if one.path == limited[0].path]
    assert all(after.at - before.at >= 1 for before, after in pairwise(again))
    # What was under way when the server spoke may still come; nothing new is begun.
    late = [one for one in loads if limited[0].at + 0.3 < one.at < limited[0].at + 1]
    assert late == []


def test_a_limit_that_stays_ends_the_crawl_and_keeps_what_came(store, repo, hub):
    commits = [repo.commit({"board.json": str(number)}, day(number)) for number in range(1, 9)]
    for commit in commits[3:]:
        hub.faults.append(too_many(retry_after=0, on=f"*/resolve/{commit}/*", times=ALWAYS))
    outcome = by_the_api(store)
    assert outcome.status == "failed"
    assert "too many requests" in outcome.error
    refused = [one for one in hub.requests if one.status == 429]
    assert 1 <= len(refused) <= 8  # each download that was under way, and the tries of one
    hub.count()
    hub.faults.clear()
    assert (by_the_api(store).versions, len(states(store, "text"))) == (8, 8)
    loads = [request.path for request in hub.requests if "/resolve/" in request.path]
    assert not any(commit in path for commit in commits[:3] for path in loads)
