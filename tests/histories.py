"""How does a test get a repository with exactly the history it needs?

`History` writes commits straight into a bare repository: no work tree, fixed people, the given
times, so that commit ids are the same on every machine.

    repo = History(tmp_path / "upstream.git")
    first = repo.commit({"data.json": "[]"}, "2026-10-01T12:00:00Z")
    repo.commit({"data.json": None}, "2026-10-02T12:00:00Z")       # removed
    repo.commit({"data.json": "[1]"}, "2026-10-03T12:00:00Z", parents=[first])  # a force push
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

PERSON = b"A Tester <tester@example.org>"


class History:
    """A bare git repository that grows commit by commit.

    Args:
        folder: where to make it; must not exist yet.
        branch: the branch that HEAD names.
    """

    def __init__(self, folder: Path, branch: str = "main"):
        self.folder = folder
        self.branch = branch
        folder.parent.mkdir(parents=True, exist_ok=True)
        _run("git", "init", "--quiet", "--bare", f"--initial-branch={branch}", str(folder))

    @property
    def url(self) -> str:
        """Address that git fetches from."""
        return self.folder.as_uri()

    @property
    def tip(self) -> str:
        """Commit that the branch points to."""
        return self.git("rev-parse", f"refs/heads/{self.branch}")

    def commit(
        self,
        files: Mapping[str, str | bytes | None],
        at: str | datetime,
        message: str = "update",
        *,
        parents: Sequence[str] | None = None,
        branch: str | None = None,
        authored_at: str | datetime | None = None,
    ) -> str:
        """Add one commit and move the branch to it.

        Args:
            files: path -> content; None removes the file, what is not named stays.
            at: committer's time, ISO 8601 with a zone.
            parents: full commit ids; the first one's files are built upon. None: the branch's
                tip; an empty list: a root commit.
            branch: another branch than the repository's own.
            authored_at: the author's time, where it differs.

        Returns:
            The full commit id.
        """
        ref = f"refs/heads/{branch or self.branch}"
        if parents is None:
            tip = self.git("for-each-ref", "--format=%(objectname)", ref)
            parents = [tip] if tip else []
        text = message.encode()
        lines = [
            b"commit %s\nmark :1" % ref.encode(),
            b"author %s %s" % (PERSON, _stamp(authored_at or at)),
            b"committer %s %s" % (PERSON, _stamp(at)),
            b"data %d\n%s" % (len(text), text),
        ]
        if parents:
            lines.append(b"from %s" % parents[0].encode())
            lines.extend(b"merge %s" % parent.encode() for parent in parents[1:])
        else:
            lines.insert(0, b"reset %s\n" % ref.encode())
        for path, content in files.items():
            name = path.encode()
            if content is None:
                lines.append(b"D %s" % name)
            else:
                data = content.encode() if isinstance(content, str) else content
                lines.append(b"M 100644 inline %s\ndata %d\n%s" % (name, len(data), data))
        lines.append(b"\nget-mark :1\n")
        command = ["git", "-C", str(self.folder), "fast-import", "--quiet", "--force"]
        return _run(*command, data=b"\n".join(lines)).strip()

    def bundle(self, path: Path) -> Path:
        """Write the whole repository into one file."""
        self.git("bundle", "create", "--quiet", str(path), "HEAD", "--all")
        return path

    def git(self, *arguments: str) -> str:
        """Run git in the repository and give its output, stripped."""
        return _run("git", "-C", str(self.folder), *arguments).strip()


def _stamp(at: str | datetime) -> bytes:
    """Time as git writes it: seconds and zone."""
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    if moment.tzinfo is None:
        raise ValueError(f"{at}: a commit's time needs a zone, as in 2026-10-01T12:00:00Z")
    return f"{int(moment.timestamp())} {moment:%z}".encode()


def _run(*command: str, data: bytes | None = None) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(command, input=data, capture_output=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode()
