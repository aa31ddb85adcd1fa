"""What must a workflow be that somebody copies from docs/templates?"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from app.cli import cli
from app.schedule import Schedule
from tests.terminal import PROGRAM

TEMPLATES = Path(__file__).parents[2] / "docs" / "templates"
Workflow = dict[Any, Any]


def workflow(name: str) -> Workflow:
    """A workflow as GitHub reads it."""
    return yaml.safe_load((TEMPLATES / name).read_text(encoding="utf-8"))


def steps(found: Workflow) -> list[dict[str, Any]]:
    """The steps of the only job."""
    (job,) = found["jobs"].values()
    return job["steps"]


def environment() -> dict[str, str]:
    """What the variables of a job are, whose store is in its folder."""
    return os.environ | {
        "PATH": f"{Path(PROGRAM).parent}:{os.environ['PATH']}",
        "RANKTRAIL_STORE": "snapshots",
        "RANKTRAIL_LOG": "json",
    }


def run_step(
    found: Workflow, name: str, folder: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the step of a name in a folder, as the workflow would; `more` is of its environment."""
    (script,) = [step["run"] for step in steps(found) if step.get("name") == name]
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=environment() | more,
        capture_output=True,
        text=True,
    )


def needs(found: Workflow, job: str, triggers: set[str], permissions: dict[str, str]) -> None:
    """Fail where a workflow starts otherwise, may do more, or could be led astray."""
    starts = found[True]  # YAML 1.1 takes `on` for a truth
    assert starts.keys() == triggers
    for one in starts["schedule"]:
        Schedule(one["cron"])
    assert found["permissions"] == permissions
    assert found["defaults"]["run"]["shell"] == "bash"
    assert found["jobs"].keys() == {job}
    for step in steps(found):
        assert step.keys() & {"uses", "run"}
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+(?:/[a-z]+)?@v\d+", step["uses"])
        else:
            assert "${{" not in step["run"]  # nothing is pasted into a script


def called(found: Workflow) -> list[str]:
    """The calls of ranktrail in the scripts of a workflow, which must be bash and known."""
    said = []
    for step in steps(found):
        text = step.get("run", "")
        done = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        for words in calls(text):
            refuse_unknown(words)
            said.append(" ".join(words))
    return said


def refuse_unknown(words: list[str]) -> None:
    """Fail where a call of ranktrail has a command or an option that there is not."""
    done = CliRunner().invoke(cli, [*words, "--help"], prog_name="ranktrail")
    assert done.exit_code == 0, done.stderr


def calls(text: str) -> list[list[str]]:
    """The calls of ranktrail in a shell script, without what the shell takes for itself."""
    found = []
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        if words and Path(words[0]).name == "ranktrail":
            end = next(
                (n for n, word in enumerate(words) if re.match(r"[0-9]*>|\||&&|;", word)), None
            )
            found.append(words[1:end])
    return found
