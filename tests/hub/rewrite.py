"""How does a branch lose its past, so that no server can give it any more?

In: a repository. Out: the same files in one new commit, and the old objects deleted. Start at
squash().
"""

from __future__ import annotations

import os
import subprocess

from tests.histories import History


def squash(history: History, at: str, message: str = "squashed") -> str:
    """Replace a branch by one root commit of its present files, and delete what it had.

    Args:
        at: time of the new commit, ISO 8601 with a zone.

    Returns:
        The new commit's id.

    Raises:
        RuntimeError: another branch or tag still holds the old commits.
    """
    old = history.tip
    new = subprocess.run(
        ["git", "-C", str(history.folder), "commit-tree", f"{old}^{{tree}}", "-m", message],
        capture_output=True,
        check=True,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            **{f"GIT_{who}_NAME": "A Tester" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "tester@example.org" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_DATE": at for who in ("AUTHOR", "COMMITTER")},
        },
    ).stdout.strip()
    history.git("update-ref", f"refs/heads/{history.branch}", new)
    forget(history)
    if holds(history, old):
        raise RuntimeError(f"{old}: still there: delete the other branches and tags first")
    return new


def forget(history: History) -> None:
    """Delete every object that no branch or tag leads to."""
    history.git("reflog", "expire", "--expire=now", "--all")
    history.git("gc", "--quiet", "--prune=now")


def holds(history: History, name: str) -> bool:
    """Whether an object is there."""
    command = ["git", "-C", str(history.folder), "cat-file", "-e", name]
    return subprocess.run(command, capture_output=True).returncode == 0
