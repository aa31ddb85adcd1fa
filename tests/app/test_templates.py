"""Do the templates in docs/templates work where they are put?"""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.schedule import Schedule
from tests.app.small_board import DEFINITION, VERSIONS, define, plant
from tests.app.workflows import (
    TEMPLATES,
    called,
    calls,
    environment,
    needs,
    refuse_unknown,
    run_step,
    steps,
    workflow,
)
from tests.histories import History
from tests.terminal import PROGRAM

ROOT = Path(__file__).parents[2]
INSTALLED = "/srv/ranktrail/.venv/bin/ranktrail"


def text(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def cron_lines() -> list[tuple[str, str]]:
    """Time and command of each line of the crontab."""
    lines = [line for line in text("ranktrail.cron").splitlines() if line and line[0] != "#"]
    settings = [line for line in lines if re.match(r"[A-Z_]+=", line)]
    jobs = [line.split(maxsplit=5) for line in lines if line not in settings]
    assert settings and jobs
    return [(" ".join(parts[:5]), parts[5]) for parts in jobs]


def test_the_crontab():
    commands = []
    for when, command in cron_lines():
        assert Schedule(when).after(datetime.now(UTC))
        assert "%" not in command  # cron would end the line there
        assert subprocess.run(["bash", "-n", "-c", command]).returncode == 0
        ((*words,),) = calls(command)
        refuse_unknown(words)
        commands.append(" ".join(words))
    assert commands == ["--log json crawl", "boards --fail-stale 6h"]


def unit(name: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(strict=True, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text(name))
    return {section: dict(parser[section]) for section in parser.sections()}


def test_the_units():
    service, timer = unit("ranktrail.service"), unit("ranktrail.timer")
    assert service.keys() == {"Unit", "Service"}
    assert timer.keys() == {"Unit", "Timer", "Install"}
    assert service["Service"]["Type"] == "oneshot"
    assert timer["Timer"].keys() == {"OnCalendar", "Persistent"}
    for key in ("ExecStart", "ExecStartPost"):
        program, *words = shlex.split(service["Service"][key])
        assert program == INSTALLED
        refuse_unknown(words)
    store = re.search(r"RANKTRAIL_STORE=(\S+)", service["Service"]["Environment"])
    assert store is not None and store[1] == service["Service"]["ReadWritePaths"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_understands_the_units(tmp_path):
    for name in ("ranktrail.service", "ranktrail.timer"):
        (tmp_path / name).write_text(text(name).replace(INSTALLED, PROGRAM))
    files = [str(tmp_path / name) for name in ("ranktrail.service", "ranktrail.timer")]
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "ranktrail" in line]
    assert ours == []  # an unknown key is a line, and no failure
    when = unit("ranktrail.timer")["Timer"]["OnCalendar"]
    said = subprocess.run(
        ["systemd-analyze", "calendar", "--iterations=2", when], capture_output=True, text=True
    )
    assert said.returncode == 0, said.stderr
    assert set(re.findall(r":(\d\d):00", said.stdout)) == {"07", "37"} or ":07,37:00" in said.stdout


CRAWL = workflow("crawl.yml")


def test_the_workflow_has_what_it_needs_and_no_more():
    needs(CRAWL, "crawl", {"schedule", "workflow_dispatch"}, {"contents": "write"})
    assert CRAWL["concurrency"] == {"group": "crawl", "cancel-in-progress": False}
    assert CRAWL["jobs"]["crawl"].keys() == {"runs-on", "timeout-minutes", "env", "steps"}
    # The job writes: its actions are whole repositories, none a part of one.
    assert all(one["uses"].count("/") == 1 for one in steps(CRAWL) if "uses" in one)


def test_the_scripts_of_the_workflow_are_bash_and_call_what_there_is():
    assert called(CRAWL) == ["watch --once", "boards --fail-stale 6h"]


@pytest.mark.parametrize(
    "words",
    [["crwal"], ["crawl", "--jbos", "4"], ["--lgo", "json", "crawl"], ["--log", "xml", "crawl"]],
)
def test_a_template_with_a_wrong_call_would_be_found(words):
    with pytest.raises(AssertionError, match="ranktrail"):
        refuse_unknown(words)


class Runner:
    """A machine that runs the scripts of the workflow in a clone of a repository."""

    def __init__(self, folder: Path, origin: History):
        self.folder = folder
        subprocess.run(["git", "clone", "--quiet", str(origin.folder), str(folder)], check=True)

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        return run_step(CRAWL, name, self.folder)

    def all(self) -> list[int]:
        """Exit codes of all steps but the installation, as the workflow would run them."""
        names = ["Take the store out of its branch", "Crawl", "Put the store back", "Alarm"]
        taken = self.run(names[0])
        if taken.returncode:
            return [taken.returncode]
        return [0, *(self.run(name).returncode for name in names[1:])]


@pytest.mark.long
def test_the_workflow_keeps_its_store_from_run_to_run(tmp_path):
    garden = plant(tmp_path / "x", VERSIONS[:1], crawl=False)
    absolute = DEFINITION.replace("../../upstream.git", garden.upstream.url)
    origin = History(tmp_path / "origin.git")
    origin.commit({"boards/garden/board.toml": absolute}, "2026-01-01T00:00:00Z")

    assert Runner(tmp_path / "first", origin).all() == [0, 0, 0, 0]
    garden.upstream.commit({"board.json": VERSIONS[1][1]}, VERSIONS[1][0])
    second = Runner(tmp_path / "second", origin)
    assert second.run("Take the store out of its branch").returncode == 0
    news = second.run("Crawl")
    assert news.stdout.splitlines()[0].startswith("garden: 1 new version, ")
    assert second.run("Put the store back").returncode == 0
    assert origin.git("rev-list", "--count", "store") == "1"

    garden.upstream.folder.rename(tmp_path / "gone.git")
    assert Runner(tmp_path / "third", origin).all() == [0, 0, 0, 5]
    fourth = Runner(tmp_path / "fourth", origin)
    fourth.run("Take the store out of its branch")
    command = [PROGRAM, "verify", "--json"]
    kept = subprocess.run(command, cwd=fourth.folder, env=environment(), capture_output=True)
    assert (kept.returncode, b'"versions": 2' in kept.stdout) == (0, True), kept.stderr


def test_the_workflow_pushes_nothing_where_the_store_could_not_be_fetched(tmp_path):
    origin = History(tmp_path / "origin.git")
    origin.commit({"boards/x": "x"}, "2026-01-01T00:00:00Z")
    runner = Runner(tmp_path / "first", origin)
    origin.folder.rename(tmp_path / "elsewhere.git")
    assert runner.all() == [128]


@pytest.mark.parametrize(
    ("command", "home"),
    [
        pytest.param(["crawl"], None, id="crawl without HOME"),
        pytest.param(["watch", "--once"], "file/home", id="watch with a HOME that cannot be made"),
        pytest.param(["boards", "--fail-stale", "2h"], None, id="boards without HOME"),
    ],
)
def test_a_bare_environment(tmp_path, command, home):
    garden = plant(tmp_path, crawl=command[0] == "boards")
    (tmp_path / "file").write_text("")
    settings = {"PATH": "/usr/bin:/bin", "TZ": "Asia/Tokyo"}
    settings |= {} if home is None else {"HOME": str(tmp_path / home)}
    done = subprocess.run(
        [sys.executable, "-m", "app", "--store", str(garden.store), *command],
        cwd="/",
        env=settings | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (status,) = garden.json("boards")["boards"]
    assert (status["versions"], status["last_change"]) == (4, "2026-03-03T10:00:00Z")
    age = datetime.now(UTC) - datetime.fromisoformat(status["last_success"])
    assert 0 <= age.total_seconds() < 60


def test_a_board_of_the_hub_needs_no_home_either(tmp_path):
    """What fails is the connection, and not a cache that has no place."""
    garden = plant(tmp_path, crawl=False)
    hub = DEFINITION.replace('kind = "git"', 'kind = "hub"').replace("../../upstream.git", "a/b")
    define(garden.store, "garden", hub)
    done = subprocess.run(
        [sys.executable, "-m", "app", "--store", str(garden.store), "crawl"],
        cwd="/",
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path / "nowhere"),
            "PYTHONPATH": str(ROOT),
            "HF_ENDPOINT": "http://127.0.0.1:9",
        },
        capture_output=True,
        text=True,
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr
    assert "cannot be reached" in done.stderr
