"""What do the commands say to the cases of the area "ops"?

Each function defines the boards of one case as a user would, runs the commands as a scheduler
would, and gives what they say in the shape of the case's expected answer.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.tools.cases.changes import leaders
from tests.tools.cases.expectation import Said, Shown
from tests.tools.cases.hub_trial import served
from tests.tools.cases.processes import ROOT
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import PROGRAM, REFUSED, BoardOf, Trial, Trouble, last_line


@answers("ops-failed-run-is-not-no-change")
def _(trial: Trial) -> Any:
    with served(trial) as here:
        here.history.commit({"board.csv": "model,score\nfern,81\n"}, "2026-03-01T08:00:00Z")
        good = here.token
        name = here.define("board")
        codes, successes, errors, data = [], [], [], set()
        times: dict[str, str] = {}
        for run in range(4):
            time.sleep(1.1)  # `boards` tells times to the second
            here.token = "hf_EXPIRED" if run in (1, 2) else good
            done = here.crawl(name, "git")
            codes.append("!=0" if done.returncode else "0")
            status = here.status(name)
            times[status["last_attempt"]] = f"T{run}"
            successes.append(times[status["last_success"]])
            errors.append(status["error"] or "none")
            entries = BoardOf(trial, name, {}).entries()
            data |= {f"{key} {one['score_text']}" for key, one in entries.items()}
        lines = (trial.store / name / "crawls.jsonl").read_text(encoding="utf-8").splitlines()
        earlier = [json.loads(line)["error"] for line in lines]
        trial.notes.append(f"crawls.jsonl keeps each attempt: {earlier}")
        listed = trial.run("boards", "--fail-stale", "36h")
        trial.notes.append(f"`boards --fail-stale 36h` after run 4: exit {listed.returncode}")
        order = [errors[0] == "none", errors[1] != "none", errors[2] != "none", errors[3] == "none"]
        kept = f" (earlier: {earlier[2]})" if earlier[2] else ""
        return {
            "exit": codes,
            "last_success": successes,
            "last_error": Said(
                f"{'; '.join(errors)}{kept}" if all(order) else f"in another order: {errors}",
                ("none", "401", "earlier"),
            ),
            "data": f"{' and '.join(sorted(data))} throughout",
        }


@answers("ops-missed-run-and-deltas")
def _(trial: Trial) -> Any:
    from tests.histories import History

    history = History(trial.folder / "daily.git")
    for day, score in ((10, 100), (12, 130), (13, 140)):
        history.commit(
            {"board.csv": f"model,score\nfern,{score}\nmoss,1\n"}, f"2026-06-{day}T08:00:00Z"
        )
    board = trial.board(repository=history.folder)
    scores = {
        row["committed_at"][:10]: row["score"] for row in board.history() if row["entry"] == "fern"
    }
    eleventh = trial.ask("standings", board.name, "--at", "2026-06-11")["committed_at"]
    trial.notes.append(
        "no command shows changes per day: a later issue. A repository's state holds up to its "
        "next commit, so the 11th is no gap there; of a polled file `not_before` tells gaps."
    )

    def between(first: str, last: str) -> Shown:
        move = scores[last] - scores[first]
        return Shown(
            f"`history`: {scores[first]:g} on {first}, {scores[last]:g} on {last}: {move:+g}"
        )

    return {
        "on_12": between("2026-06-10", "2026-06-12"),
        "on_13": between("2026-06-12", "2026-06-13"),
        "on_11": Shown(f"`standings --at 2026-06-11` shows the version of {eleventh}"),
        "seven_days": between("2026-06-10", "2026-06-13"),
    }


@answers("ops-bare-environment")
def _(trial: Trial) -> Any:
    name = trial.define()
    shell = BoardOf(trial, name, trial.ask("crawl", name)["boards"][0])
    bare = trial.folder / "bare"
    definition = bare / name / "board.toml"
    definition.parent.mkdir(parents=True)
    definition.write_bytes((trial.store / name / "board.toml").read_bytes())
    command = [sys.executable, "-m", "app", "--store", str(bare), "crawl"]
    least = {"PATH": "/usr/bin:/bin", "TZ": "Asia/Tokyo"} | _where_the_program_is()
    first = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=os.sep, env=least
    )
    if first.returncode:
        raise Trouble(f"a bare environment: {last_line(first.stderr)}")
    same = _kept(trial.store, name) == _kept(bare, name)
    # A home below a file cannot be written by anyone, not even by root.
    no_home = trial.folder / "a-file"
    no_home.write_text("", encoding="utf-8")
    second = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=os.sep,
        env=least | {"HOME": str(no_home / "home")},
    )
    trial.notes.append(f"leads: {leaders(shell.history())}")
    told = last_line(second.stderr)
    return {
        "first": Said(
            f"works, {'same' if same else 'other'} stored bytes as in a shell",
            ("works, same stored bytes as in a shell",),
        ),
        "second": Said(
            "works" if second.returncode == 0 else f"exit code non-zero: {told}",
            ("works",) if second.returncode == 0 else ("non-zero",),
        ),
    }


def _where_the_program_is() -> dict[str, str]:
    """The same code as the other commands run, where that is not what is installed."""
    return (
        {"PYTHONPATH": os.environ["PYTHONPATH"]}
        if "PYTHONPATH" in os.environ
        else {"PYTHONPATH": str(ROOT)}
    )


def _kept(store: Path, name: str) -> Any:
    """What is stored of a board but the times of the looks."""
    import pandas as pd

    tables = [
        pd.read_parquet(file).drop(columns=["observed_at"], errors="ignore").to_csv()
        for file in sorted((store / name).rglob("*.parquet"))
        if file.is_file()
    ]
    objects = {
        subprocess.run(
            ["git", f"--git-dir={folder}", "rev-list", "--objects", "--all"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for folder in store.glob("_sources/*/objects.git")
    }
    return tables, objects


@answers("ops-no-prompt-for-passwords")
def _(trial: Trial) -> Any:
    class Guarded(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="guarded"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Keep the terminal free."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Guarded) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/x.git"
        name = trial.define(source={"repo": address})
        began = time.monotonic()
        code, shown = _on_a_terminal(trial, "crawl", name)
        took = time.monotonic() - began
        server.shutdown()
        thread.join()
    said = next((line for line in shown.splitlines() if "authentication" in line), shown)
    return {
        "time": Said(f"{'under 30 s' if took < 30 else 'longer'}: {took:.1f} s", ("under 30 s",)),
        "exit": "non-zero" if code in REFUSED else str(code),
        "message": Said(" ".join(said.split()), ("authentication needed",)),
        "asked_on_terminal": bool(re.search(r"(?i)username for|password for|login:", shown)),
    }


def _on_a_terminal(trial: Trial, *arguments: str) -> tuple[int, str]:
    """Exit code and all that was shown of a command with a terminal of its own."""
    ours, theirs = pty.openpty()

    def take_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    command = [str(PROGRAM), "--store", str(trial.store), *arguments]
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=take_terminal,
        close_fds=True,
    )
    os.close(theirs)
    shown = b""
    until = time.monotonic() + 60
    try:
        while time.monotonic() < until:
            if not select.select([ours], [], [], 0.2)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            shown += part
        else:
            process.kill()
        return process.wait(10), shown.decode("utf-8", "replace")
    finally:
        os.close(ours)


@answers("ops-secrets-stay-out-of-logs")
def _(trial: Trial) -> Any:
    (address,) = [word for word in trial.case.snippets if word.startswith("https:")]
    secrets = [re.findall(r":([^:@/]+)@", address)[0], "hf_S3CR3T"]
    plain = trial.define(called="plain", source={"repo": address})
    on_hub = trial.define(called="on-hub", source={"kind": "hub", "repo": "lab/board"})
    home = trial.folder / "home"
    home.mkdir()
    settings = {
        "HF_TOKEN": secrets[1],
        "HF_ENDPOINT": "http://127.0.0.1:9",
        "HF_HOME": str(home),
        "HF_DEBUG": "1",
        "GIT_TRACE": "2",
        "GIT_CURL_VERBOSE": "1",
    }
    texts, codes, messages = [], [], []
    logged = _has_option(trial, "--log")
    for name in (plain, on_hub):
        for extra in ([], *([["--log", "json"]] if logged else [])):
            done = trial.run(*extra, "crawl", name, settings=settings)
            texts += [done.stdout, done.stderr]
            codes.append(done.returncode)
            messages.append(last_line(done.stderr))
    texts += [trial.run("boards", *form, settings=settings).stdout for form in ([], ["--json"])]
    trial.notes += messages
    written = [
        path.read_bytes().decode("utf-8", "replace")
        for folder in (trial.store, home)
        for path in folder.rglob("*")
        if path.is_file() and path.name != "board.toml"  # what the user wrote
    ]
    found = sum(text.count(secret) for text in [*texts, *written] for secret in secrets)
    host = re.findall(r"@([^/]+)(/\S*)", address)[0]
    names_it = all(part in messages[0] for part in host)
    return {
        "occurrences": found,
        "exit": Said(
            f"{'non-zero' if all(codes) else codes}, message "
            f"{'names host and path' if names_it else 'does not name them'}: {messages[0]}",
            ("non-zero, message names host and path",),
        ),
    }


def _has_option(trial: Trial, option: str) -> bool:
    return option in trial.run("--help").stdout
