"""What does a repository do while its board is followed?

In: a trial. Out: an Upstream, a bare repository that shows the case's commits one after the other,
and is squashed or gets another branch as a publisher does it. Start at Upstream.show().
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.tools.cases.trial import Trial, Trouble

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A Publisher"), ("EMAIL", "publisher@example.org"))
    },
}


@dataclass(frozen=True, slots=True)
class Upstream:
    """A repository that grows.

    Attributes:
        trial: whose commits it shows.
        folder: the bare repository.
    """

    trial: Trial
    folder: Path

    @classmethod
    def of(cls, trial: Trial, branch: str = "main", name: str = "upstream") -> Upstream:
        """A repository that has no commit yet."""
        folder = trial.folder / f"{name}.git"
        git(trial.folder, "init", "--quiet", "--bare", f"--initial-branch={branch}", str(folder))
        return cls(trial, folder)

    def show(self, count: int, branch: str = "main") -> str:
        """Let a branch end at the case's commit number `count`, from 1; the commit."""
        built = self.trial.repository()
        commit = commits_of(built)[count - 1]
        git(built, "push", "--quiet", "--force", str(self.folder), f"{commit}:refs/heads/{branch}")
        return commit

    def squash(self, at: str, branch: str = "main") -> str:
        """Put one new root commit with the same files in place of a branch; the commit."""
        tree = git(self.folder, "rev-parse", f"{branch}^{{tree}}")
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        commit = git(self.folder, "commit-tree", tree, "-m", "squashed", settings=dates)
        git(self.folder, "update-ref", f"refs/heads/{branch}", commit)
        return commit

    def rename(self, old: str, new: str) -> None:
        """Rename a branch, and let HEAD name it."""
        git(self.folder, "branch", "-m", old, new)
        git(self.folder, "symbolic-ref", "HEAD", f"refs/heads/{new}")


def commits_of(repository: Path) -> list[str]:
    """The commits of a built case, oldest first: c1 is the first."""
    return git(repository, "rev-list", "--reverse", "--topo-order", "HEAD").split()


def labels(trial: Trial) -> dict[str, str]:
    """What the case calls its commits, as in c1, by commit."""
    found = commits_of(trial.repository())
    return {commit: f"c{number}" for number, commit in enumerate(found, 1)}


def git(folder: Path, *arguments: str, settings: dict[str, str] | None = None) -> str:
    """Run git as a publisher does.

    Raises:
        Trouble: it failed.
    """
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **_ENVIRONMENT, **(settings or {})},
    )
    if done.returncode:
        raise Trouble(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def build_up_to(trial: Trial, count: int) -> Path:
    """The case's repository with its first commits only, built by its own build_case.py."""
    built = trial.folder / f"first-{count}"
    case = trial.case
    command = [sys.executable, str(case.builder), case.id, str(built), "--upto", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"build_case.py: {done.stderr.strip()}")
    return built
