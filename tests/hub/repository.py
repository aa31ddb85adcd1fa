"""What is in a served repository: revisions, entries, blobs?

In: the folder of a bare repository that may change at any time. Out: what git says of it now,
from two git processes that stay (a request each would be too slow for thousands of them). Start
at Repository.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

from tests.hub.lfs import LONGEST, Pointer, pointer_of

_REVISION = re.compile(r"[\w./+-]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Entry:
    """One file or folder of a commit.

    Attributes:
        kind: file or directory.
        pointer: of a file whose content is kept elsewhere.
    """

    path: str
    kind: str
    oid: str
    size: int
    pointer: Pointer | None = None


class Repository:
    """Reads a bare repository by git."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._ids = _Batch(folder, "--batch-check")
        self._bytes = _Batch(folder, "--batch")

    def close(self) -> None:
        """End the processes."""
        self._ids.close()
        self._bytes.close()

    def git(self, *arguments: str) -> str:
        """Run git in the repository and give its output."""
        command = ["git", "-C", str(self.folder), *arguments]
        done = subprocess.run(command, capture_output=True, check=True, env=environment())
        return done.stdout.decode(errors="replace")

    def head(self) -> str:
        """The branch that HEAD names."""
        named = (self.folder / "HEAD").read_text(encoding="utf-8").strip()
        return named.removeprefix("ref: refs/heads/")

    def commit_of(self, revision: str) -> str | None:
        """The full commit id of an id, a branch, a tag or a ref; None where there is none."""
        if not _REVISION.fullmatch(revision) or ".." in revision:
            return None
        if _COMMIT.fullmatch(revision):
            names = [revision]
        else:
            names = [f"refs/heads/{revision}", f"refs/tags/{revision}"]
            names += [revision] if revision.startswith("refs/") else []
        for name in names:
            if found := self._ids.ask(f"{name}^{{commit}}"):
                return found[0]
        return None

    def entry(self, commit: str, path: str) -> Entry | None:
        """What a commit holds at a path."""
        if "\n" in path or any(part in ("", ".", "..") for part in path.split("/")):
            return None
        found = self._ids.ask(f"{commit}:{path}")
        if not found or found[1] not in ("blob", "tree"):
            return None
        return self._entry(path, *found[:3])

    def entries(self, commit: str, folder: str, recursive: bool) -> list[Entry] | None:
        """What a folder of a commit holds; None where there is no such folder."""
        if folder and ((at := self.entry(commit, folder)) is None or at.kind != "directory"):
            return None
        options = ["-r", "-t"] if recursive else []
        listed = self.git("ls-tree", "-z", "-l", *options, f"{commit}:{folder}")
        found = []
        for line in filter(None, listed.split("\0")):
            about, _, name = line.partition("\t")
            _, kind, oid, size = about.split()
            if kind in ("blob", "tree"):
                path = f"{folder}/{name}" if folder else name
                found.append(self._entry(path, oid, kind, 0 if size == "-" else int(size)))
        return found

    def blob(self, oid: str) -> bytes:
        """The bytes of a blob."""
        found = self._bytes.ask(oid)
        if not found:
            raise KeyError(oid)
        return found[3]

    def _entry(self, path: str, oid: str, kind: str, size: int) -> Entry:
        if kind == "tree":
            return Entry(path, "directory", oid, 0)
        pointer = pointer_of(self.blob(oid)) if size <= LONGEST else None
        return Entry(path, "file", oid, size, pointer)


class _Batch:
    """A `git cat-file` that stays, and starts anew when packs came or went."""

    def __init__(self, folder: Path, option: str):
        self._folder, self._option = folder, option
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._seen = 0

    def ask(self, name: str) -> tuple[str, str, int, bytes] | None:
        """Id, type, size and, with --batch, the bytes of one object."""
        with self._lock:
            process = self._running()
            assert process.stdin and process.stdout
            process.stdin.write(name.encode() + b"\n")
            process.stdin.flush()
            told = process.stdout.readline().decode(errors="replace").rstrip("\n")
            words = told.rsplit(" ", 2)
            if len(words) != 3 or not _COMMIT.fullmatch(words[0]):
                return None
            size, data = int(words[2]), b""
            if self._option == "--batch":
                data = process.stdout.read(size + 1)[:-1]
            return words[0], words[1], size, data

    def close(self) -> None:
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        # A process would go on to read from a pack that was deleted under it.
        seen = (self._folder / "objects" / "pack").stat().st_mtime_ns
        if self._process is None or seen != self._seen:
            self._end()
            self._seen = seen
            command = ["git", "-C", str(self._folder), "cat-file", self._option]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
            )
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None


def environment(**more: str) -> dict[str, str]:
    """What git may see of this machine: nobody's settings."""
    own = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}
    return {"PATH": os.environ["PATH"], **own, **more}
