"""The loop: what is kept when boards share, fail, meet or are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.crawl import Outcome, crawl
from crawler.seen import Seen
from crawler.store import Store, StoreError
from crawler.work import Work
from tests.crawler.tracked import add_many, everything_in, run, texts, track

ONE = """
import sys, time
from pathlib import Path
from crawler.crawl import crawl
from crawler.store import Store
from crawler.work import Work

store = Store(Path(sys.argv[1]))
def derive(board):
    print("derive", flush=True)
    time.sleep(float(sys.argv[2]))
    return 0
def progress(text):
    print(text, flush=True)
for outcome in crawl(store, [store.board("text")], work=Work(progress), derive=derive):
    print(outcome.status, outcome.locked, outcome.new_versions, flush=True)
"""


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    for number in range(1, 6):
        repo.commit({"board.json": str(number), "other.json": str(number % 2)}, day(number))
    return repo


def start(store, seconds=0.0):
    return subprocess.Popen(
        [sys.executable, "-c", ONE, str(store.root), str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )


def open_files():
    """How many files this process holds open; 0 where the system does not say."""
    return sum(1 for _ in Path("/proc/self/fd").glob("*"))


def test_the_outcome_of_a_board(store, repo):
    track(store, "text", repo.folder)
    whole = Seen("line", complete=True)
    assert run(store) == [Outcome("text", "ok", 5, 5, 5, 0, 0, repo.tip, seen=whole)]
    again = Outcome("text", "ok", 0, 5, 5, 0, 0, repo.tip, seen=whole, tip_before=repo.tip)
    assert run(store) == [again]


def test_every_attempt_is_a_line(store, repo):
    before = datetime.now(UTC) - timedelta(seconds=1)
    track(store, "text", repo.folder)
    first = repo.tip
    run(store)
    repo.commit({"board.json": "6"}, day(6), parents=[])
    run(store)
    repo.folder.rename(repo.folder.with_name("away"))
    run(store)
    attempts = store.attempts("text")
    facts = ("tip_before", "tip_after", "new", "vanished", "rewritten", "outcome")
    second = attempts[1]["tip_after"]
    assert [tuple(attempt[fact] for fact in facts) for attempt in attempts] == [
        (None, first, 5, 0, False, "ok"),
        (first, second, 1, 5, True, "ok"),
        (second, second, 0, 0, False, "failed"),
    ]
    assert "no such folder" in attempts[2]["error"]
    confirmed = store.confirmed_until("text")
    assert confirmed == datetime.fromisoformat(attempts[1]["started"]).replace(microsecond=0)
    assert before <= confirmed <= datetime.fromisoformat(attempts[1]["finished"])


def test_one_failure_does_not_stop_the_others(store, repo):
    track(store, "a", "/nowhere/at all")
    track(store, "b", repo.folder)
    track(store, "c", repo.folder, "none.json")
    track(store, "d", repo.folder, "other.json")

    def derive(board):
        if board.name == "b":
            raise StoreError("b", "disk full", "Make room")
        return 7

    boards = [store.board(name) for name in "abcd"]
    outcomes = list(crawl(store, boards, work=Work(), derive=derive))
    assert [(o.board, o.status, o.versions) for o in outcomes] == [
        ("a", "failed", 0),
        ("b", "failed", 5),
        ("c", "failed", 0),
        ("d", "ok", 5),
    ]
    assert (outcomes[1].error, outcomes[3].unreadable) == ("b: disk full. Make room.", 7)
    assert run(store, "b")[0].status == "ok"


def test_no_programs_and_files_stay_open(store, git_repo):
    for number in range(8):
        repo = git_repo()
        repo.commit({"board.json": str(number)}, day(1))
        track(store, f"b{number}", repo.folder)
    run(store, "b0")
    before = open_files()
    run(store)
    assert open_files() <= before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.parametrize("moment", ["fetching", "looking", "derive"])
def test_a_killed_crawl_is_picked_up(store, repo, moment):
    track(store, "text", repo.folder)
    process = start(store, seconds=60)
    for line in process.stdout:
        if moment in line:
            process.send_signal(signal.SIGKILL)
            break
    process.stdout.close()
    process.wait()
    assert store.attempts("text") == []
    assert store.versions("text").num_rows in (0, 5)
    run(store)
    assert texts(store, "text") == list("12345")
    assert store.commits(store.board("text")).num_rows == 5
    assert [path for path in store.folder("text").iterdir() if path.suffix == ".new"] == []


def test_what_is_lost_between_two_steps_is_made_again(store, repo):
    track(store, "text", repo.folder)
    run(store)
    whole = store.versions("text")
    board = store.board("text")
    for place in (store.versions_file("text"), store.commits_file(board)):
        place.unlink()
        assert run(store)[0].status == "ok"
        assert (
            store.versions("text")
            .drop_columns("observed_at")
            .equals(whole.drop_columns("observed_at"))
        )


def test_a_lost_line_takes_nothing_along_that_vanished_upstream(store, repo):
    track(store, "text", repo.folder)
    run(store)
    repo.commit({"board.json": "6"}, "2027-10-01T12:00:00Z", parents=[])
    run(store)
    whole = everything_in(store.root)
    line = store.commits_file(store.board("text"))
    kept = line.read_bytes()
    line.unlink()
    outcome = run(store)[0]
    assert (outcome.status, outcome.versions) == ("failed", 6)
    assert "5 commits of the versions of text are not in it" in outcome.error
    line.write_bytes(kept)
    assert everything_in(store.root) == whole
    assert run(store)[0].status == "ok"
    assert texts(store, "text") == list("123456")


def test_an_interrupted_crawl_says_so(store, repo):
    track(store, "text", repo.folder)

    def derive(board):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(crawl(store, [store.board("text")], work=Work(), derive=derive))
    assert store.attempts("text")[-1]["outcome"] == "interrupted"
    assert run(store)[0].versions == 5


def test_two_crawls_at_once(store, repo):
    track(store, "text", repo.folder)
    first = start(store, seconds=5)
    lines = iter(first.stdout)
    assert any("derive" in line for line in lines)
    second = run(store)[0]
    rest = [*lines, first.wait()]
    first.stdout.close()
    assert rest == ["text: 5 new versions, 5 in all\n", "ok False 5\n", 0]
    assert (second.status, second.locked, second.versions) == ("failed", True, 5)
    assert "another run is at work on it" in second.error
    assert [attempt["outcome"] for attempt in store.attempts("text")] == ["locked", "ok"]
    assert run(store)[0].new_versions == 0


def test_many_versions_take_little_beyond_git(store, git_repo):
    """2,000 commits are listed in seconds, whatever the machine does beside it."""
    repo = git_repo()
    add_many(repo, [str(number) for number in range(2000)])
    track(store, "text", repo.folder)
    began = time.perf_counter()
    assert run(store)[0].new_versions == 2000
    assert time.perf_counter() - began < 10
    repo.commit({"board.json": "x"}, "2027-10-01T12:00:00Z")
    assert run(store)[0].new_versions == 1
