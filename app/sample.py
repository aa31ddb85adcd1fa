"""How does the sample history become a repository?

In: `snapshots/sample/`, one folder of files per commit, and `commits.toml` with order, times
and messages. Out: a bare git repository whose commit ids are the same on every machine.
Start at build_sample().
"""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from crawler.errors import RanktrailError

SAMPLE = Path(__file__).resolve().parent.parent / "snapshots" / "sample"
COMMITS_FILE = "commits.toml"


class SampleError(RanktrailError):
    """The sample repository could not be built.

    >>> print(SampleError("sample/commits.toml", "no [[commit]]", "Add one per folder"))
    sample/commits.toml: no [[commit]]. Add one per folder.
    """


@dataclass(frozen=True, slots=True)
class SampleCommit:
    """One commit of the sample.

    Attributes:
        folder: holds the files that changed, laid out as in the repository.
        at: author's and committer's time, with its zone.
        message: without a line end.
    """

    folder: Path
    at: datetime
    message: str


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """All that the commit ids depend on.

    Attributes:
        author, email: of every commit, also as its committer.
        branch: the one branch.
        commits: oldest first.
    """

    author: str
    email: str
    branch: str
    commits: list[SampleCommit]


def read_plan(folder: Path) -> SamplePlan:
    """What `commits.toml` says, checked against the folders beside it.

    Raises:
        SampleError: a key is missing or of another type, a time has no zone, or the folders
            are not those that the file names.
    """
    path = folder / COMMITS_FILE
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SampleError(str(path), str(error), "Restore it from the project") from error

    def take(table: dict[str, Any], key: str, kind: type, where: str) -> Any:
        value = table.get(key)
        if not isinstance(value, kind):
            raise SampleError(where, f"{key} is {value!r}", f"Give a {kind.__name__}")
        return value

    commits = []
    for number, table in enumerate(take(content, "commit", list, str(path)), start=1):
        where = f"{path}, commit {number}"
        at = take(table, "at", datetime, where)
        if at.tzinfo is None:
            raise SampleError(where, f"at is {at}, without a zone", "End it in Z")
        name = take(table, "folder", str, where)
        commits.append(SampleCommit(folder / name, at, take(table, "message", str, where)))
    named = [commit.folder for commit in commits]
    there = sorted(path for path in folder.glob("[0-9]*") if path.is_dir())
    if named != there:
        odd = sorted(path.name for path in set(named) ^ set(there)) or ["their order"]
        found = f"it and the folders beside it differ in {', '.join(odd)}"
        raise SampleError(str(path), found, "Name each folder once, oldest first")
    return SamplePlan(
        author=take(content, "author", str, str(path)),
        email=take(content, "email", str, str(path)),
        branch=take(content, "branch", str, str(path)),
        commits=commits,
    )


def build_sample(folder: Path, repo: Path) -> str:
    """Write the sample history into a bare git repository.

    Building again gives the same repository; a changed sample moves its branch. No setting,
    hook or template of the person who runs it takes part.

    Args:
        folder: `snapshots/sample/`, or a copy of it.
        repo: the repository to make; folders above it are made, too.

    Returns:
        Full id of the newest commit.

    Raises:
        SampleError: the sample is not complete, or git is missing or refuses.
    """
    plan = read_plan(folder)
    stream = b"".join(_fast_import(plan))
    try:
        repo.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SampleError(str(repo), str(error), "Name a folder that can be written") from error
    _git(
        repo,
        "init",
        "--quiet",
        "--bare",
        "--template=",
        "--object-format=sha1",
        f"--initial-branch={plan.branch}",
        str(repo),
    )
    _git(repo, f"--git-dir={repo}", "fast-import", "--quiet", "--force", stdin=stream)
    tip = _git(repo, f"--git-dir={repo}", "rev-parse", f"refs/heads/{plan.branch}")
    return tip.decode("ascii").strip()


def _fast_import(plan: SamplePlan) -> Iterator[bytes]:
    """The history as a stream for `git fast-import`, which reads bytes as they are."""
    person = f"{plan.author} <{plan.email}>"
    for number, commit in enumerate(plan.commits):
        when = f"{int(commit.at.timestamp())} +0000"
        if number == 0:
            # The branch may hold an earlier build; without this it would be added to.
            yield f"reset refs/heads/{plan.branch}\n".encode()
        yield f"commit refs/heads/{plan.branch}\n".encode()
        yield f"author {person} {when}\ncommitter {person} {when}\n".encode()
        yield _data(f"{commit.message}\n".encode())
        # A file manager's .DS_Store must not change the commit ids.
        files = sorted(
            path
            for path in commit.folder.rglob("*")
            if path.is_file() and not path.name.startswith(".")
        )
        if not files:
            raise SampleError(str(commit.folder), "it holds no files", "Restore them")
        for path in files:
            name = path.relative_to(commit.folder).as_posix()
            yield f"M 100644 inline {name}\n".encode()
            yield _data(path.read_bytes())


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _git(repo: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    alone = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    try:
        done = subprocess.run(
            ["git", *arguments], input=stdin, capture_output=True, env=kept | alone, check=False
        )
    except FileNotFoundError as error:
        raise SampleError("git", "it is not installed", "Install git 2.28 or newer") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise SampleError(str(repo), f"git refused: {said[-1]}", "Remove it and build again")
    return done.stdout
