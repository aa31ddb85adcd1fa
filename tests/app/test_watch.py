"""Crawls on a schedule: what is told of them, what ends them, and what does not."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.schedule import Clock, Schedule
from app.watch import Plan, run
from crawler.store import Store
from tests.app.small_board import DEFINITION, VERSIONS, Garden, board_json, define, plant

ROOT = Path(__file__).parents[2]
FERN, MOSS = ("fern", "Fern", 71.5, 1.0, 1.0), ("moss", "Moss", 70.2, 1.0, 1.0)
CLAIM = '[[claim]]\nid = "{0}"\ntext = "{0} leads"\npredicate = "first"\nsubject = "{0}"\nboards = ["{1}"]\n'


def claim(garden: Garden, *claims: tuple[str, str]) -> None:
    text = "\n".join(CLAIM.format(entry, board) for entry, board in claims)
    (garden.store / "claims.toml").write_text(text)


def once(garden: Garden, *options: str) -> tuple[list[str], list[str]]:
    """One round in this process: lines of stdout, lines of stderr."""
    result = garden.run("watch", "--once", *options)
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines(), result.stderr.splitlines()


def grow(garden: Garden, *versions: tuple[str, str]) -> list[str]:
    return [garden.upstream.commit({"board.json": content}, at) for at, content in versions]


def test_news_of_a_board(growing):
    commits = grow(growing, *VERSIONS[1:])
    out, err = once(growing)
    assert out == [
        f"garden: 3 new versions, the newest {commits[2][:8]} of 2026-03-03T10:00:00Z",
        f"garden: first place: Fern -> Moss 2, {commits[0][:8]} of 2026-03-02T09:00:00Z",
        rf"garden: first place: Moss 2 -> \x1b[31mIvy, {commits[2][:8]} of 2026-03-03T10:00:00Z",
    ]
    assert [line for line in err if "can be read" not in line] == []


def test_no_news_is_no_line(growing):
    assert once(growing) == ([], [])


def test_a_first_crawl_tells_no_old_changes(tmp_path):
    out, _ = once(plant(tmp_path, crawl=False))
    assert len(out) == 1
    assert out[0].startswith("garden: 4 new versions, ") and out[0].endswith(
        r"first is \x1b[31mIvy"
    )


def test_new_versions_without_a_change_of_first_place(growing):
    (commit,) = grow(growing, ("2026-03-05T00:00:00Z", board_json("1", FERN)))
    out, _ = once(growing)
    newest = f"the newest {commit[:8]} of 2026-03-05T00:00:00Z"
    assert out == [f"garden: 1 new version, {newest}; first is Fern"]


def test_another_definition_changes_first_place(growing):
    lower = DEFINITION.replace('direction = "higher"', 'direction = "lower"')
    outcomes = [
        document["news"] for document in documents(growing, lambda: define_again(growing, lower))
    ]
    assert outcomes[0] == []
    ((one,),) = outcomes[1:]
    assert (one["new_versions"], one["first_place"][0]["from"]) == (0, ["fern"])
    assert (one["first_place"][0]["to"], one["first_place"][0]["commit"]) == (
        ["moss"],
        growing.commits[0],
    )


def define_again(garden: Garden, text: str) -> None:
    define(garden.store, "garden", text)


def test_a_verdict_that_changes(growing):
    claim(growing, ("fern", "garden"), ("moss", "garden"))
    grow(growing, VERSIONS[1])
    out, _ = once(growing)
    told = [line.partition(": ")[2].partition(":")[0] for line in out if line.startswith("claim")]
    assert told == ["true -> tied_not_first", "false -> true"]
    kept = (growing.store / "garden" / "verdicts.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in kept] == ["fern", "moss"]
    assert once(growing) == ([], [])


def test_claims_with_faults_are_told_and_the_others_answered(growing):
    claim(growing, ("fern", "garden"), ("moss", "nowhere"))
    grow(growing, VERSIONS[1])
    out, err = once(growing)
    assert sum("claim fern" in line and "true -> tied_not_first" in line for line in out) == 1
    assert err == [line for line in err if "claims.toml, 'moss'" in line and "nowhere" in line]
    assert len(err) == 1  # once, though it was looked at twice
    (growing.store / "claims.toml").write_text("[[claim]\n")
    assert [line.split(":")[0] for line in once(growing)[1]] == ["claims.toml"]


def test_a_failed_crawl_is_told_and_ends_nothing(growing):
    define(
        growing.store,
        "gone",
        DEFINITION.replace("upstream", "nowhere").replace('"garden"', '"gone"', 1),
    )
    define(growing.store, "wrong", "name = 1")
    grow(growing, VERSIONS[1])
    out, err = once(growing)
    assert out[0].startswith("garden: 1 new version")
    assert {line.partition(" not crawled: ")[0] for line in err} >= {"gone:", "wrong:"}
    (document,) = json.loads("[" + growing.run("watch", "--once", "--json").stdout + "]")
    assert [one["status"] for one in document["boards"]].count("failed") == 2
    assert len(document["errors"]) >= 2


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        pytest.param(["gerden"], ["gerden", "garden"], id="a board"),
        pytest.param(["--cron", "0 0 30 2 *"], ["--cron", "no such day"], id="a day"),
        pytest.param(["--once", "--wait"], ["--once"], id="nothing to do"),
        pytest.param(["--jobs", "0"], ["--jobs"], id="no jobs"),
        pytest.param(["--via", "pigeon"], ["--via"], id="a way"),
    ],
)
def test_what_was_typed_is_wrong(garden, typed, words):
    result = garden.run("watch", *typed)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert all(word in result.stderr for word in words)


# --- the loop, on clocks of a test -----------------------------------------------------------


@dataclass
class Ticks:
    """Clocks on which a wait takes no time; each wait ends with something happening.

    Attributes:
        now: of the wall clock.
        happens: what happens in each wait; after the last the watch is interrupted.
    """

    happens: list[Any]
    now: datetime = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
    waits: list[timedelta] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        if self.now.minute == 7 and self.now.second < 5:
            if not self.happens:
                raise KeyboardInterrupt
            self.happens.pop(0)()

    def clock(self) -> Clock:
        return Clock(lambda: self.now, lambda: self.now.timestamp(), self.sleep)


def documents(garden: Garden, *happens: Any, wait: bool = False) -> list[dict[str, Any]]:
    """What `watch --json` prints of a watch in which one thing after the other happens."""
    import contextlib
    import io

    plan = Plan((), Schedule("7 * * * *"), wait=wait, form="json")
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(KeyboardInterrupt):
        run(Store(garden.store), plan, Ticks(list(happens)).clock())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_rounds_go_on_after_failures(growing):
    elsewhere = growing.upstream.folder.with_name("elsewhere.git")
    found = documents(
        growing,
        lambda: growing.upstream.folder.rename(elsewhere),
        lambda: define(growing.store, "garden", "name = 1"),
        lambda: (
            define(growing.store, "garden", DEFINITION),
            elsewhere.rename(growing.upstream.folder),
            grow(growing, VERSIONS[1]),
        ),
        lambda: None,
    )
    assert [len(one["errors"]) > 0 for one in found] == [False, True, True, False, False]
    assert [[news["new_versions"] for news in one["news"]] for one in found] == [
        [],
        [],
        [],
        [1],
        [],
    ]
    assert [one["next"][11:16] for one in found] == ["12:07", "13:07", "14:07", "15:07", "16:07"]


def test_what_another_crawl_brought_is_news_too(growing):
    def crawl() -> None:
        grow(growing, VERSIONS[1])
        growing.json("crawl")

    found = documents(growing, crawl)
    assert [[one["new_versions"] for one in document["news"]] for document in found] == [[], [1]]
    assert found[1]["boards"][0]["new_versions"] == 0


def test_a_board_that_is_added_meanwhile_is_crawled(growing):
    shade = DEFINITION.replace('"garden"', '"shade"', 1)
    found = documents(growing, lambda: define(growing.store, "shade", shade))
    assert [one["board"] for one in found[1]["news"]] == ["shade"]


def test_a_locked_board_is_told_and_crawled_at_the_next_time(growing):
    import contextlib

    held = contextlib.ExitStack()
    found = documents(
        growing,
        lambda: held.enter_context(Store(growing.store).lock_board("garden")),
        held.close,
    )
    assert ["another run" in " ".join(one["errors"]) for one in found] == [False, True, False]


def test_it_can_wait_for_the_first_time(growing):
    assert documents(growing, wait=True) == []


# --- the program ------------------------------------------------------------------------------


def program(garden: Garden, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "app", "--store", str(garden.store), "watch", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        cwd=ROOT,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_a_second(growing, number):
    process = program(growing, "--cron", "0 0 29 2 *")
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith("next crawl at 2028-02-29T00:00:00Z, in ")
    begun = time.monotonic()
    process.send_signal(number)
    _, rest = process.communicate(timeout=10)
    assert time.monotonic() - begun < 1
    assert process.returncode == 130
    assert rest == "interrupted; what was reported as saved is safe\n"
    assert growing.run("verify").exit_code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_a_second_in_the_middle_of_a_crawl(growing, number):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the call and never answers
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/upstream.git"
        define(growing.store, "garden", DEFINITION.replace("../../upstream.git", address))
        process = program(growing)
        silent.settimeout(60)
        silent.accept()
        begun = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
    assert time.monotonic() - begun < 1
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "interrupted; what was reported as saved is safe"
    define(growing.store, "garden", DEFINITION)
    assert growing.run("crawl").exit_code == growing.run("verify").exit_code == 0


@pytest.mark.long
@pytest.mark.timeout(300)
def test_it_crawls_at_the_minute(growing):
    process = program(growing, "--cron", "* * * * *", "--json")
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    (commit,) = grow(growing, VERSIONS[1])
    second = json.loads(process.stdout.readline())
    process.terminate()
    process.communicate(timeout=10)
    assert (first["news"], second["news"][0]["commit"]) == ([], commit)
    late = datetime.fromisoformat(second["started"]) - datetime.fromisoformat(first["next"])
    assert timedelta(0) <= late < timedelta(seconds=3)
