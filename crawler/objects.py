"""How are the bytes of every version kept?

In: a bare git repository that this tool made. Out: the bytes, kinds and sizes of its objects.
Start at Objects. Nothing is ever checked out, no configuration but our own is read, and no
object is ever pruned.
"""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from crawler.errors import RanktrailError

MAX_BYTES = 64 * 1024 * 1024  # larger files are not read, and not fetched where that can be avoided
REMOTE = "source"  # the name of the other repository, for one call of git
# Settings for a call that must not take it for damage that larger files are absent. No other call
# has them: to it such a file is just missing, and git never thinks of fetching it.
ABSENT_ON_PURPOSE = {f"remote.{REMOTE}.promisor": "true"}
GONE = "000000"  # the mode of a path that a commit removes
_PIPE = 1 << 20  # git unpacks the next files while we read this one; the default is 65,536
_SAFE = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.quotePath": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "core.fsync": "objects,derived-metadata,reference",  # loose objects are not synced by default
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
}
# The only inherited settings that a machine needs to reach a server at all.
KEPT_VARIABLES = ("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_EXEC_PATH")


class StoreError(RanktrailError):
    """Something in the store is missing, damaged or cannot be written."""


@dataclass(frozen=True, slots=True)
class Info:
    """Kind ("blob", "tree", "commit", "missing") and size in bytes of one object."""

    kind: str
    size: int


def safe_environment(
    settings: dict[str, str] | None = None, protocols: str = "none"
) -> dict[str, str]:
    """The environment for every call of git: the machine's, without what could steer git.

    Args:
        settings: more git settings. They travel in the environment and not in the arguments,
            so that a token among them is not seen in the list of processes.
        protocols: by which git may reach other repositories, with colons between; "none" is the
            name of no protocol.
    """
    inherited = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith("GIT_") or key in KEPT_VARIABLES
    }
    environment = inherited | _SAFE | {"GIT_ALLOW_PROTOCOL": protocols}
    for number, (key, value) in enumerate((_SETTINGS | (settings or {})).items()):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
        environment["GIT_CONFIG_COUNT"] = str(number + 1)
    return environment


class Objects:
    """One bare repository of the store.

    Attributes:
        folder: `_sources/<slug>/objects.git`.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def run(
        self,
        *arguments: str,
        given: bytes | None = None,
        settings: dict[str, str] | None = None,
    ) -> bytes:
        """What a git command prints.

        Args:
            given: what it reads.
            settings: more git settings, as ABSENT_ON_PURPOSE for `fsck` and `repack`.

        Raises:
            StoreError: git failed, or there is no repository.
        """
        done = subprocess.run(
            ["git", f"--git-dir={self.folder}", *arguments],
            input=given,
            capture_output=True,
            env=safe_environment(settings),
            check=False,
        )
        if done.returncode:
            raise self._damaged(done.stderr)
        return done.stdout

    def infos(self, names: Sequence[str]) -> list[Info]:
        """Kind and size of objects, in the order of `names` (ids, or `commit:path`).

        A file that was too large to be fetched is "missing", as is what was lost.
        """
        if not names:
            return []
        given = "".join(f"{name}\n" for name in names).encode()
        asked = self.run("cat-file", "--batch-check=%(objecttype) %(objectsize)", given=given)
        answers = asked.decode("utf-8", "replace").splitlines()
        return [_info(line) for line in answers]

    def blobs(self) -> set[str]:
        """Ids of the bytes of all files that are here."""
        options = (
            "--batch-all-objects",
            "--unordered",
            "--batch-check=%(objecttype) %(objectname)",
        )
        listed = self.run("cat-file", *options).decode().splitlines()
        return {line[5:] for line in listed if line.startswith("blob ")}

    @property
    def is_cut(self) -> bool:
        """Whether a history in it is cut off, since its source was a shallow clone."""
        return (self.folder / "shallow").exists()

    @property
    def is_partial(self) -> bool:
        """Whether files that are too large were left out when it was fetched."""
        return any((self.folder / "objects" / "pack").glob("*.promisor"))

    def cuts(self) -> set[str]:
        """The commits at which a history is cut off: their parents are not here."""
        try:
            return set((self.folder / "shallow").read_text("ascii").split())
        except FileNotFoundError:
            return set()

    def cut_at(self, commits: Iterable[str]) -> set[str]:
        """Those of some commits whose parents are not here, though they name some."""
        return self.cuts().intersection(commits)

    def parents(self, commits: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The parents that commits name, also where the history is cut off.

        Returns:
            By full commit id; without those that are not here.
        """
        wanted = list(commits)
        if not wanted:
            return {}
        given = "".join(f"{commit}\n" for commit in wanted).encode()
        printed = self.run("cat-file", "--batch", given=given)
        answers = io.BytesIO(printed)
        found = {}
        for _ in wanted:
            name, kind, *size = answers.readline().decode().split()
            if not size:
                continue  # missing
            head = answers.read(int(size[0]) + 1).partition(b"\n\n")[0].decode("latin-1")
            if kind == "commit":
                parents = (line.split(" ")[1] for line in head.split("\n") if line[:7] == "parent ")
                found[name] = tuple(parents)
        return found

    def holds(self, commit: str) -> bool:
        """Whether a commit is here."""
        return self.folder.is_dir() and self.infos([commit])[0].kind == "commit"

    def read(self, ids: Iterable[str], cap: int = MAX_BYTES) -> Iterator[tuple[str, bytes]]:
        """The bytes of blobs, one after the other, from one git process, in the order of `ids`.

        Args:
            ids: full object ids; one may be asked for several times.
            cap: bytes; a larger blob is an error and is not held in memory.

        Raises:
            StoreError: a blob is missing, damaged or larger than `cap`.
        """
        wanted = list(ids)
        if not wanted:
            return
        process = subprocess.Popen(
            ["git", f"--git-dir={self.folder}", "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=safe_environment(),
            pipesize=_PIPE,
        )
        # A thread asks while we read: with both in one hand the two full pipes wait for each other.
        asking = Thread(target=_ask, args=(process, wanted), daemon=True)
        asking.start()
        try:
            assert process.stdout is not None and process.stderr is not None
            for blob in wanted:
                header = process.stdout.readline().split()
                if len(header) != 3 or header[1] != b"blob":
                    raise self._missing(blob, header, process)
                size = int(header[2])
                if size > cap:
                    found = f"{size:,} bytes, more than the {cap:,} that are read at once"
                    raise StoreError(f"{self.folder}, object {blob}", found, "Leave this file out")
                data = process.stdout.read(size)
                if len(data) < size or process.stdout.read(1) != b"\n":
                    raise self._damaged(process.stderr.read())
                yield blob, data
        finally:
            process.kill()
            asking.join()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    with suppress(BrokenPipeError):
                        pipe.close()
            process.wait()

    def _missing(
        self, blob: str, header: list[bytes], process: subprocess.Popen[bytes]
    ) -> StoreError:
        where = f"{self.folder}, object {blob}"
        if header[1:] == [b"missing"]:
            return StoreError(where, "the bytes are missing", "Run `ranktrail crawl --repair`")
        if header:
            found = f"a {header[1].decode()}, not a file"
            return StoreError(where, found, "Run `ranktrail crawl --repair`")
        process.kill()
        assert process.stderr is not None
        return self._damaged(process.stderr.read())

    def _damaged(self, stderr: bytes) -> StoreError:
        lines = stderr.decode("utf-8", "replace").strip().splitlines()
        said = next(
            (line for line in lines if line.startswith(("fatal:", "error:"))), "git gave no reason"
        )
        if not self.folder.is_dir():
            said = "there is no such folder"
        fix = "Run `ranktrail crawl --repair`, or restore the folder from a copy"
        return StoreError(str(self.folder), f"the stored bytes cannot be read ({said})", fix)


def raw_changes(printed: bytes) -> Iterator[tuple[str, str, str, str]]:
    """What `git log --raw -z` tells, change by change, in its order.

    Args:
        printed: of one line of history; `--format` gives a single field.

    Yields:
        That field of the commit, a path, and the mode and blob that the commit leaves there.

    >>> list(raw_changes(b"c1\\0\\n:000000 100644 0000 abcd A\\0a.csv\\0c2\\0"))
    [('c1', 'a.csv', '100644', 'abcd')]
    """
    field = ""
    tokens = iter(printed.decode("utf-8", "surrogateescape").split("\0"))
    for token in tokens:
        head = token.lstrip("\n")
        if head.startswith(":"):
            _, mode, _, blob, _ = head.split(" ")
            yield field, next(tokens), mode, blob
        elif head:
            field = head


def _ask(process: subprocess.Popen[bytes], wanted: list[str]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # git has ended; the reading side says why
        for start in range(0, len(wanted), 500):
            lines = "".join(f"{blob}\n" for blob in wanted[start : start + 500])
            process.stdin.write(lines.encode())
        process.stdin.close()


def _info(line: str) -> Info:
    kind, _, size = line.rpartition(" ")
    return (
        Info(kind, int(size)) if kind in ("blob", "tree", "commit", "tag") else Info("missing", 0)
    )
