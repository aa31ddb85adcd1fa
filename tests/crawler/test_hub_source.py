"""The real huggingface_hub client and the real git against a Hub on this machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from crawler.store import Store
from tests.crawler.tracked import run, states, texts, track
from tests.hub.server import TOKEN, Fault, HubServer


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    repo.commit({"board.json": "1"}, day(1))
    repo.commit({"board.json": "2"}, day(2))
    return repo


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


@pytest.mark.parametrize(
    ("repo_type", "prefix"), [("space", "spaces/"), ("dataset", "datasets/"), ("model", "")]
)
def test_requests_of_a_whole_history_and_of_nothing_new(store, repo, hub, repo_type, prefix):
    hub.add(f"{prefix}lab/board", repo)
    track(store, "text", "lab/board", kind="hub", repo_type=repo_type)
    track(store, "other", "lab/board", kind="hub", repo_type=repo_type)
    assert [outcome.new_versions for outcome in run(store)] == [2, 2]
    assert [request.path.split("?")[0] for request in hub.requests] == [
        f"/api/{prefix or 'models/'}lab/board",
        f"/{prefix}lab/board/info/refs",
        f"/{prefix}lab/board/git-upload-pack",
        f"/{prefix}lab/board/git-upload-pack",
    ]
    hub.count()
    assert [outcome.new_versions for outcome in run(store)] == [0, 0]
    assert hub.count() == 1
    repo.commit({"board.json": "3"}, day(3))
    assert [outcome.new_versions for outcome in run(store)] == [1, 1]
    assert hub.count() == 4
    assert all(request.authorization == "" for request in hub.requests)


def test_a_renamed_repository_is_followed(store, repo, hub):
    hub.add("spaces/lab/board", repo)
    track(store, "text", "lab/board", kind="hub")
    run(store)
    hub.repos["spaces/lab/board"].moved_to = "spaces/grove/board"
    hub.add("spaces/grove/board", repo)
    repo.commit({"board.json": "3"}, day(3))
    said: list[str] = []
    assert run(store, said=said)[0].new_versions == 1
    assert any("lab/board is now called grove/board" in line for line in said)
    track(store, "text", "grove/board", kind="hub")
    outcome = run(store)[0]
    assert (outcome.new_versions, texts(store, "text")) == (0, ["1", "2", "3"])


def test_pull_requests_are_not_the_board(store, repo, hub):
    proposed = repo.commit({"board.json": "99"}, day(3), branch="proposal", parents=[repo.tip])
    repo.git("update-ref", "refs/pr/1", proposed)
    repo.git("update-ref", "-d", "refs/heads/proposal")
    hub.add("spaces/lab/board", repo)
    track(store, "text", "lab/board", kind="hub")
    run(store)
    assert texts(store, "text") == ["1", "2"]


def test_a_squashed_space_keeps_what_was_seen(store, repo, hub):
    hub.add("spaces/lab/board", repo)
    track(store, "text", "lab/board", kind="hub")
    run(store)
    repo.commit({"board.json": "2"}, day(8), parents=[])
    outcome = run(store)[0]
    assert (outcome.new_versions, outcome.rewritten) == (0, True)
    assert states(store, "text") == [("1", "published", True), ("2", "published", True)]


@pytest.mark.parametrize(
    ("guards", "source", "token", "said"),
    [
        ({"private": True}, {}, "", "no such repository, or a private one"),
        ({}, {"repo": "lab/bored"}, "", "no such repository, or a private one"),
        ({}, {"repo": "lab/bored"}, TOKEN, "no such repository, or a private one"),
        ({"gated": "all"}, {}, "", "gated: access has to be granted"),
        ({"gated": "files"}, {}, "", "gated or private: its files are refused"),
        ({"disabled": True}, {}, "", "disabled by the Hub"),
        ({}, {}, "hf_stale0TOKEN0stale", "token is not valid (401)"),
        ({}, {"branch": "mian"}, "", "no branch 'mian'"),
    ],
    ids=[
        "private",
        "unknown",
        "unknown to one with a token",
        "gated",
        "gated files",
        "disabled",
        "a stale token",
        "a branch that is none",
    ],
)
def test_no_access_is_one_line_and_no_deletion(
    store, repo, hub, monkeypatch, guards, source, token, said
):
    hub.add("spaces/lab/board", repo)
    track(store, "text", "lab/board", kind="hub")
    run(store)
    hub.add("spaces/lab/board", repo, **guards)
    repo.commit({"board.json": "3"}, day(3))
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    named = source.pop("repo", "lab/board")
    if named == "lab/board" and not source:
        outcome = run(store)[0]
        assert texts(store, "text") == ["1", "2"]
    else:
        track(store, "text", named, kind="hub", **source)
        outcome = run(store)[0]
    assert (outcome.status, said in outcome.error) == ("failed", True), outcome.error
    assert outcome.versions == 2
    assert "\n" not in outcome.error
    assert store.attempts("text")[0]["outcome"] == "ok"
    assert store.attempts("text")[1]["error"] == outcome.error
    if token:
        assert token not in outcome.error


def test_a_token_goes_to_the_hub_and_is_never_kept(store, repo, hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    hub.add("spaces/lab/board", repo, private=True)
    track(store, "text", "lab/board", kind="hub")
    said: list[str] = []
    assert run(store, said=said)[0].error is None
    schemes = [request.authorization.split(" ")[0] for request in hub.requests]
    assert schemes == ["Bearer", "Basic", "Basic", "Basic"]
    assert any("your Hugging Face token goes to" in line for line in said)
    stored = b"".join(path.read_bytes() for path in store.root.rglob("*") if path.is_file())
    assert TOKEN.encode() not in stored and TOKEN not in "".join(said)


@pytest.mark.parametrize(
    ("faults", "requests", "said"),
    [
        pytest.param([Fault(503)], 2, None, id="a short trouble"),
        pytest.param([Fault(429, {"Retry-After": "1"})], 2, None, id="asked to wait"),
        pytest.param([Fault(429, {"Retry-After": "900"})], 1, "901 seconds", id="for too long"),
        pytest.param(
            [Fault(429, {"RateLimit": '"api";r=0;t=299'})], 1, "300 seconds", id="by RateLimit"
        ),
        pytest.param([Fault(500)] * 4, 4, "has trouble (status 500)", id="for ever"),
        pytest.param([Fault(418)], 1, "refused with status 418", id="something else"),
        pytest.param([Fault(200, body=b"<html>")], 1, "no JSON: an HTML page", id="a page"),
        pytest.param([Fault(200, body=b"[]")], 1, "no repository information", id="other JSON"),
    ],
)
def test_trouble_of_the_hub(store, repo, hub, faults, requests, said):
    hub.add("spaces/lab/board", repo)
    track(store, "text", "lab/board", kind="hub")
    run(store)
    hub.count()
    hub.faults.extend(faults)
    outcome = run(store)[0]
    assert hub.count() == requests
    assert outcome.versions == 2
    if said is None:
        assert outcome.error is None
    else:
        assert said in outcome.error


def test_an_empty_space(store, git_repo, hub):
    hub.add("spaces/lab/board", git_repo())
    track(store, "text", "lab/board", kind="hub")
    assert "the repository is empty" in run(store)[0].error


ONE = """
import sys
from pathlib import Path
from crawler.crawl import crawl
from crawler.store import Store
from crawler.work import Work

store = Store(Path(sys.argv[1]))
for outcome in crawl(store, [store.board("text")], work=Work(), derive=lambda _: 0):
    print(outcome.status, outcome.error)
"""


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({}, "ok None", id="reachable"),
        pytest.param({"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE is set", id="offline"),
        pytest.param({"HF_ENDPOINT": "http://127.0.0.1:9"}, "cannot be reached", id="no Hub"),
    ],
)
def test_a_process_of_its_own(store, repo, hub, settings, said):
    """What huggingface_hub reads at import, with almost nothing in the environment."""
    hub.add("spaces/lab/board", repo)
    track(store, "text", "lab/board", kind="hub")
    clean = {"PATH": os.environ["PATH"], "NO_PROXY": "127.0.0.1", "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, "-c", ONE, str(store.root)],
        env=clean | {"HF_ENDPOINT": hub.url} | settings,
        capture_output=True,
        text=True,
    )
    assert said in done.stdout.splitlines()[-1], done.stderr
    assert "Traceback" not in done.stderr
    expected = 4 if not settings else 0
    assert hub.count() == expected
