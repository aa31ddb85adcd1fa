"""Does `boards` tell a quiet board from one that nobody gets to see any more?"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from crawler.store import Store
from tests.app.small_board import DEFINITION, VERSIONS, Garden, define, digest, plant


def stand(garden: Garden) -> dict:
    return garden.json("boards")["boards"][0]


def test_failed_runs_change_the_attempt_and_nothing_else(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    good = stand(garden)
    tables = {name: one for name, one in digest(garden.store).items() if "jsonl" not in name}
    elsewhere = garden.upstream.folder.rename(tmp_path / "elsewhere.git")
    for _ in range(2):
        age(garden, hours=1)
        before = stand(garden)
        assert garden.run("crawl").exit_code == 1
        failed = stand(garden)
        assert failed["last_attempt"] > before["last_attempt"]
        assert failed["last_success"] == before["last_success"]
        assert "no such folder" in failed["error"]
        changed = ("last_attempt", "last_success", "confirmed_until", "error", "bytes")
        assert {name: one for name, one in failed.items() if name not in changed} == {
            name: one for name, one in good.items() if name not in changed
        }
    after = {name: one for name, one in digest(garden.store).items() if "jsonl" not in name}
    assert after == tables
    elsewhere.rename(garden.upstream.folder)
    assert garden.run("crawl").exit_code == 0
    mended = stand(garden)
    assert (mended["error"], mended["last_success"]) == (None, mended["last_attempt"])
    assert mended["last_change"] == good["last_change"]
    log = (garden.store / "garden" / "crawls.jsonl").read_text().splitlines()
    assert [json.loads(line)["outcome"] for line in log] == ["ok", "failed", "failed", "ok"]


def age(garden: Garden, **by: float) -> None:
    """Make all attempts older."""
    file = garden.store / "garden" / "crawls.jsonl"
    lines = []
    for line in file.read_text().splitlines():
        attempt = json.loads(line)
        for name in ("started", "finished"):
            at = datetime.fromisoformat(attempt[name]) - timedelta(**by)
            attempt[name] = at.isoformat(timespec="seconds")
        lines.append(json.dumps(attempt))
    file.write_text("\n".join(lines) + "\n")


def attempt(garden: Garden, outcome: str, error: str | None) -> None:
    """Add an attempt as a crawl writes it."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    line = {"started": now, "finished": now, "outcome": outcome, "error": error}
    store = Store(garden.store)
    store.append_line(store.crawls_file("garden"), line)


@pytest.mark.parametrize(
    ("attempts", "error", "code"),
    [
        pytest.param(["failed"], True, 5, id="failed"),
        pytest.param(["failed", "ok"], False, 0, id="failed, then good"),
        pytest.param(["locked"], False, 0, id="another was at work"),
        pytest.param(["interrupted"], False, 0, id="somebody stopped it"),
        pytest.param(["failed", "locked"], True, 5, id="a lock does not hide a failure"),
        pytest.param(["failed", "interrupted"], True, 5, id="nor does Ctrl-C"),
        pytest.param(["locked", "ok"], False, 0, id="a lock, then good"),
    ],
)
def test_what_counts_as_failing(tmp_path, attempts, error, code):
    garden = plant(tmp_path, VERSIONS[:1])
    for outcome in attempts:
        attempt(garden, outcome, None if outcome == "ok" else f"it {outcome}")
    assert (stand(garden)["error"] == "it failed") == error
    result = garden.run("boards", "--fail-stale", "1h")
    assert result.exit_code == code
    assert ("it failed" in result.stderr) == error


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
def test_the_alarm_says_which_and_why(tmp_path, form):
    garden = plant(tmp_path, VERSIONS[:1])
    for name in ("gone", "never"):
        text = DEFINITION.replace("upstream", "nowhere").replace('"garden"', f'"{name}"', 1)
        define(garden.store, name, text)
    garden.run("crawl", "gone")
    age(garden, hours=30)
    seen = stand(garden)["last_success"]
    result = garden.run("boards", "--fail-stale", "26h", *form)
    assert (result.exit_code, bool(result.stdout)) == (5, True)
    lines = result.stderr.splitlines()
    assert lines[0] == f"garden: STALE: last success {seen}, longer than 26h ago"
    assert re.fullmatch(
        r"gone: FAILED: .*no such folder.*; last attempt 2\S+Z, last success never", lines[1]
    )
    assert lines[2:] == ["never: STALE: last success never"]
    relaxed = garden.run("boards", "--fail-stale", "31h", *form)
    assert [line.split(":")[0] for line in relaxed.stderr.splitlines()] == ["gone", "never"]


def test_without_an_age_the_table_says_what_fails(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    attempt(garden, "failed", "no answer")
    result = garden.run("boards")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1].startswith("garden: FAILED: no answer; last attempt 2")


@pytest.mark.parametrize("columns", [80, 120])
def test_the_table_fits(garden, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = garden.run("boards").stdout.splitlines()
    assert max(map(len, lines)) <= columns
    assert ("last attempt (UTC)" in lines[0]) == (columns == 120)
    assert "last success (UTC)" in lines[0] and "last change (UTC)" in lines[0]


def test_the_monitor_may_look_while_files_come_and_go(tmp_path):
    from threading import Event, Thread

    garden = plant(tmp_path, VERSIONS[:1])
    (objects,) = garden.store.glob("_sources/*/objects.git")
    done = Event()

    def work() -> None:
        while not done.is_set():
            folder = objects / "coming-and-going"
            folder.mkdir()
            (folder / "x").write_text("x")
            (folder / "x").unlink()
            folder.rmdir()

    busy = Thread(target=work)
    busy.start()
    try:
        codes = {garden.run("boards", "--fail-stale", "1h").exit_code for _ in range(20)}
    finally:
        done.set()
        busy.join()
    assert codes == {0}
