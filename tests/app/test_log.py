"""What stands on stderr: lines for people, or one JSON object a line, and never a secret."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from app import log
from tests.app.small_board import DEFINITION, VERSIONS, Garden, define, plant, run
from tests.terminal import at_terminal

ROOT = Path(__file__).parents[2]
LEVELS = {"info", "warning", "error"}


def start(store: Path, *arguments: str, form: str = "json", **settings: str) -> subprocess.Popen:
    """`ranktrail --log FORM --store STORE ...` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "app", "--log", form, "--store", str(store), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | settings,
        cwd=ROOT,
        text=True,
        start_new_session=True,
    )


def said(stderr: str) -> list[dict[str, object]]:
    """The lines of a log, each of which must be a whole record."""
    records = [json.loads(line) for line in stderr.splitlines()]
    for record in records:
        assert record.keys() >= {"time", "level", "board", "text"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", record["time"])
        assert record["level"] in LEVELS
        assert isinstance(record["text"], str) and record["text"]
    return records


def logged(store: Path, *arguments: str, **settings: str) -> tuple[int, str, list[dict]]:
    process = start(store, *arguments, **settings)
    stdout, stderr = process.communicate(timeout=60)
    return process.returncode, stdout, said(stderr)


def test_a_good_crawl_is_told_in_records_and_stdout_is_untouched(tmp_path):
    garden = plant(tmp_path, crawl=False)
    code, stdout, records = logged(garden.store, "crawl", "--json")
    assert (code, json.loads(stdout)["boards"][0]["new_versions"]) == (0, 4)
    assert {(one["board"], one["level"]) for one in records} == {
        ("garden", "info"),
        ("garden", "warning"),
    }
    assert any(one["text"] == "4 new versions, 4 in all" for one in records)
    assert "3 of 4 versions can be read" in records[-1]["text"]


def test_a_failing_crawl_ends_in_an_error(tmp_path):
    garden = plant(tmp_path)
    garden.upstream.folder.rename(tmp_path / "elsewhere.git")
    code, stdout, records = logged(garden.store, "crawl")
    assert (code, stdout) == (1, "")
    assert (records[-1]["level"], records[-1]["board"]) == ("error", "garden")
    assert "no such folder" in records[-1]["text"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        pytest.param(["crawl", "gerden"], ["gerden", "garden"], id="a board"),
        pytest.param(["crwal"], ["crawl"], id="a command"),
        pytest.param(["crawl", "--jsn"], ["--json"], id="an option"),
        pytest.param(["crawl", "--jobs", "33"], ["33", "32"], id="a number"),
        pytest.param(["--stroe", "x", "crawl"], ["--store"], id="an option before the command"),
        pytest.param(["watch", "--cron", "61 * * * *"], ["minute '61'"], id="a cron expression"),
        pytest.param(["crawl", "--log", "json"], ["before the command"], id="a misplaced --log"),
    ],
)
def test_wrong_usage_is_one_record(garden, typed, words):
    code, stdout, records = logged(garden.store, *typed)
    assert (code, stdout, [one["level"] for one in records]) == (2, "", ["error"])
    assert all(word in records[0]["text"] for word in words), records


def test_an_unknown_form_is_wrong_usage(garden):
    process = start(garden.store, "boards", form="xml")
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, len(stderr.splitlines())) == (2, "", 1)
    assert "xml" in stderr and "json" in stderr


def test_ctrl_c_is_one_record(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the call and never answers
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/upstream.git"
        define(garden.store, "garden", DEFINITION.replace("../../upstream.git", address))
        process = start(garden.store, "crawl")
        silent.settimeout(60)
        silent.accept()
        os.killpg(process.pid, signal.SIGINT)
        try:
            stdout, stderr = process.communicate(timeout=10)
        finally:
            process.kill()
    assert (process.returncode, stdout) == (130, "")
    (*_, last) = said(stderr)
    told = "interrupted; what was reported as saved is safe"
    assert (last["level"], last["text"]) == ("error", told)


def test_the_environment_says_how_to_log(garden):
    command = [sys.executable, "-m", "app", "--store", str(garden.store), "crawl", "gerden"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"RANKTRAIL_LOG": "json"},
    )
    assert (done.returncode, len(said(done.stderr))) == (2, 1)


@pytest.mark.parametrize(
    ("form", "told"),
    [
        pytest.param("auto", [], id="nobody is watching"),
        pytest.param("text", ["garden: 0 new versions, 4 in all"], id="lines were asked for"),
    ],
)
def test_progress_where_stderr_is_no_terminal(garden, form, told):
    process = start(garden.store, "crawl", form=form)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr.splitlines()[-1:]) == (0, told)


def test_a_reconstruction_is_a_record_too(tmp_path):
    garden = plant(tmp_path)
    text = DEFINITION.replace('reconstruction = ""', 'reconstruction = "put together"')
    define(garden.store, "garden", text)
    code, stdout, records = logged(garden.store, "standings", "garden", "--json")
    assert (code, json.loads(stdout)["board"]) == (0, "garden")
    assert [one["text"] for one in records] == ["RECONSTRUCTION: put together"]


def test_no_secret_is_said(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    address = f"http://user:s3cr3tTok@127.0.0.1:{port}/x.git"
    define(garden.store, "garden", DEFINITION.replace("../../upstream.git", address))
    code, stdout, records = logged(garden.store, "crawl", HF_TOKEN="hf_S3CR3Thidden")
    assert (code, bool(records)) == (1, True)
    assert f"127.0.0.1:{port}/x.git" in records[-1]["text"]
    everything = stdout + json.dumps(records) + (garden.store / "garden/crawls.jsonl").read_text()
    assert "s3cr3tTok" not in everything and "S3CR3T" not in everything


SCRIPT = """
import logging, sys, warnings
from app import log
from app.bars import working
with log.listening("json"):
    {body}
"""


def script(body: Sequence[str], **settings: str) -> list[dict]:
    """What some lines of Python leave in the log."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(body="\n    ".join(body))],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | settings,
    )
    assert done.returncode == 0, done.stderr
    return said(done.stderr)


def test_what_libraries_write_are_records():
    records = script(
        [
            "logging.getLogger('moss').warning('take %s', 'care')",
            "warnings.warn('old')",
            "print('half', end=' ', file=sys.stderr); print('a line', file=sys.stderr)",
            "sys.stderr.write('no end of line')",
        ]
    )
    told = [one["text"] for one in records]
    assert told[0] == "take care"
    assert "UserWarning: old" in told[1]
    assert told[-2:] == ["half a line", "no end of line"]


def test_what_was_not_foreseen_is_one_record_with_its_traceback(garden, monkeypatch):
    monkeypatch.setattr("app.report.reigns", None)
    result = run(garden.store, "--log", "json", "reigns", "garden")
    (record,) = said(result.stderr)
    assert (result.exit_code, result.stdout, record["level"]) == (1, "", "error")
    assert "TypeError" in record["text"] and "Traceback" in record["traceback"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("a\x1b[31mb\nc", r"a\x1b[31mb c", id="control marks"),
        pytest.param("x\ud800y", r"x\ud800y", id="half a letter"),
        pytest.param("see https://me:pw@host/a", "see https://host/a", id="a login"),
        pytest.param("token tok-12345678 is bad", "token *** is bad", id="a token of ours"),
    ],
)
def test_a_text_is_harmless(capsys, monkeypatch, text, kept):
    monkeypatch.setenv("HF_TOKEN", "tok-12345678")
    with log.listening("json"):
        log.line(text, what=text)
    (record,) = said(capsys.readouterr().err)
    assert (record["text"], record["what"]) == (kept, kept if "\n" not in text else record["what"])


def test_counts_are_told_seldom_and_at_their_end():
    records = script(
        [
            "with working() as work:",
            "    board = work.of('garden')",
            "    for n in range(1, 1903): board.count('files', n, 1902)",
            "    board.count('files', 1902, 1902)",
            "    board.count('bytes', 7)",
        ]
    )
    assert [(one["what"], one["done"], one["total"]) for one in records] == [
        ("garden: files", 1902, 1902)
    ]


def test_a_count_says_its_board_once(garden, capsys):
    with log.listening("json"):
        log.boards_are_in(garden.store)
        log.line("garden: files 7 of 7", what="garden: files", done=7, total=7)
    (record,) = said(capsys.readouterr().err)
    assert (record["board"], record["text"], record["what"]) == ("garden", "files 7 of 7", "files")


def test_a_long_count_is_told_every_ten_seconds(capsys, monkeypatch):
    from app import bars

    now = [0.0]
    monkeypatch.setattr(bars.time, "monotonic", lambda: now[0])
    with log.listening("json"), bars.working() as work:
        for second in range(26):
            now[0] = second
            work.count("files", second, None)
    records = said(capsys.readouterr().err)
    assert [one["done"] for one in records] == [10, 20]


def test_a_log_that_takes_nothing_ends_no_crawl(garden):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "app",
                "--log",
                "json",
                "--store",
                str(garden.store),
                "crawl",
                "--json",
            ],
            stdout=subprocess.PIPE,
            stderr=full,
            cwd=ROOT,
        )
    assert (done.returncode, json.loads(done.stdout)["boards"][0]["status"]) == (0, "ok")


def test_nothing_is_asked_where_a_machine_reads(repo, tmp_path):
    command = [sys.executable, "-m", "app", "--log", "json", "--store", str(tmp_path / "s"), "add"]
    result = at_terminal([*command, str(repo.folder)], [])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--yes" in said(result.screen)[-1]["text"]


def test_the_log_leaves_everything_as_it_was(garden: Garden):
    before = (sys.stderr, log.form())
    garden.run("--log", "json", "boards")
    assert (sys.stderr, log.form()) == before
