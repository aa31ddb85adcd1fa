"""How do bytes that did not come by git get into the object store?

As commits of our own, one behind the other: a link stands for a commit of the Hub that only the
API told of, for a look at an address, or for a file of Git LFS, and holds the files that were
there. So git packs, checks and keeps them like all others, and versions are listed from them like
from any history. Start at Chain.

What a link stands for is its label. A file whose bytes could not be had is noted with the reason
in the link's message, and stands in its tree as an entry without bytes (as git has it for a
submodule).
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import IO, NoReturn

from crawler.objects import Objects, StoreError, safe_environment

_SAVE_EVERY = 32 * 1024 * 1024  # bytes that a kill may cost
_PERSON = b"Ranktrail <>"
_NO_BYTES = b"160000"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_QUOTED = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of a link.

    Attributes:
        blob: git id of its bytes.
        data: the bytes; None where they are in the object store, or could not be had.
        why: why they could not be had; None where they could.
    """

    blob: str
    data: bytes | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """One commit of a chain.

    Attributes:
        own: its id, a commit of our own.
        label: what it stands for.
        at: its time, UTC.
        notes: what else was written down.
        lacking: id of a file's bytes that could not be had -> why.
    """

    own: str
    label: str
    at: datetime
    notes: Mapping[str, str] = field(default_factory=dict)
    lacking: Mapping[str, str] = field(default_factory=dict)


class Chain:
    """The links of one name in an object store.

    Args:
        objects: the repository; it must exist before anything is written.
        name: letters, digits and hyphens.
    """

    def __init__(self, objects: Objects, name: str):
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            raise ValueError(f"{name!r} is no name of a chain")
        self.objects, self.name = objects, name
        self._refs = f"refs/chain/{name}"

    def links(self) -> dict[str, Link]:
        """All links by label, oldest first; of links with one label the newest."""
        tips: list[str] = []
        bases: list[str] = []
        for line in self._references():
            own, _, ref = line.partition(" ")
            (bases if ref.startswith(f"{self._refs}/base/") else tips).append(own)
        if not tips:
            return {}
        asked = "".join(f"{tip}\n" for tip in tips) + "".join(f"^{base}\n" for base in bases)
        printed = self.objects.run(
            *("log", "--stdin", "--topo-order", "--reverse", "-z", "--format=%H %ct %B"),
            given=asked.encode(),
        )
        links = (_link(text) for text in printed.decode("utf-8", "replace").split("\0") if text)
        return {link.label: link for link in links}

    def tip(self) -> Link | None:
        """The newest link; None where there is none yet."""
        ref = f"{self._refs}/tip"
        if not any(line.endswith(f" {ref}") for line in self._references()):
            return None
        printed = self.objects.run("log", "-1", "--format=%H %ct %B", ref, "--")
        return _link(printed.decode("utf-8", "replace"))

    @contextmanager
    def adding(self) -> Iterator[Writer]:
        """Add links, oldest first; what was added is safe when this ends, also by an error.

        Raises:
            StoreError: git cannot write.
        """
        tip = self.tip()
        writer = Writer(self.objects, self._refs, tip.own if tip else None)
        try:
            yield writer
        except BaseException:
            with suppress(StoreError):  # the first trouble is the one to tell
                writer.close()
            raise
        writer.close()

    def _references(self) -> list[str]:
        if not self.objects.folder.is_dir():
            return []
        asked = self.objects.run("for-each-ref", "--format=%(objectname) %(refname)", self._refs)
        return asked.decode().splitlines()


class Writer:
    """Writes links through one `git fast-import`.

    Attributes:
        last: the newest link's commit; None before the first.
    """

    def __init__(self, objects: Objects, refs: str, tip: str | None):
        self._objects, self._refs, self.last = objects, refs, tip
        self._number = self._unsaved = 0
        self._marks: dict[str, int] = {}
        self._git = subprocess.Popen(
            ["git", f"--git-dir={objects.folder}", "fast-import", "--quiet", "--force", "--done"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=safe_environment(),
            start_new_session=True,  # Ctrl-C must not end it before what it has is safe
        )

    def add(
        self,
        label: str,
        at: datetime,
        files: Mapping[str, Kept],
        *,
        after: str | None,
        ours: bool = True,
        notes: Mapping[str, str] | None = None,
    ) -> str:
        """Add a link.

        Args:
            label: what it stands for.
            at: its time; git has none before 1970.
            files: all files there, by path.
            after: the commit that it follows; None where it follows none.
            ours: whether `after` is a link too, and did not come by git.
            notes: more to write down.

        Returns:
            The id of the commit.

        Raises:
            StoreError: git cannot write.
        """
        if after and not ours:
            self._keep("base", after)
        if self.last and self.last != after:
            self._keep("seen", self.last)
        lacking = {kept.blob: kept.why for kept in files.values() if kept.why is not None}
        said = {"label": label, "notes": dict(notes or {}), "lacking": lacking}
        message = json.dumps({key: value for key, value in said.items() if value}).encode()
        self._number += 1
        seconds = max(int((at - _EPOCH).total_seconds()), 0)
        self._write(
            b"commit %s/tip\nmark :%d\n" % (self._refs.encode(), self._number),
            b"committer %s %d +0000\n" % (_PERSON, seconds),
            b"data %d\n%s\n" % (len(message), message),
            b"from %s\ndeleteall\n" % self._name(after).encode(),
            *(_entry(path, kept) for path, kept in files.items()),
            b"\nget-mark :%d\n" % self._number,
        )
        self.last = self._answer()
        self._marks[self.last] = self._number
        self._unsaved += sum(len(kept.data or b"") for kept in files.values())
        if self._unsaved > _SAVE_EVERY:
            self.save()
        return self.last

    def save(self) -> None:
        """Make sure that all links so far outlive a kill."""
        self._write(b"checkpoint\nprogress saved\n")
        self._answer()
        self._unsaved = 0

    def close(self) -> None:
        """Save, and end git.

        Raises:
            StoreError: git could not write all of it.
        """
        with suppress(BrokenPipeError, ValueError):
            self._stdin.write(b"done\n")
            self._stdin.close()
        said = b"" if self._git.stderr is None else self._git.stderr.read()
        code = self._git.wait()
        for pipe in (self._git.stdout, self._git.stderr):
            if pipe:
                pipe.close()
        if code:
            raise self._failed(said)

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._git.stdin is not None
        return self._git.stdin

    def _name(self, commit: str | None) -> str:
        """How to name a commit in the stream: what is written in it is not on disk yet."""
        if commit is None:
            return "0" * 40
        return f":{self._marks[commit]}" if commit in self._marks else commit

    def _keep(self, kind: str, commit: str) -> None:
        ref = f"{self._refs}/{kind}/{commit}"
        self._write(f"reset {ref}\nfrom {self._name(commit)}\n\n".encode())

    def _write(self, *parts: bytes) -> None:
        try:
            for part in parts:
                self._stdin.write(part)
            self._stdin.flush()
        except BrokenPipeError:
            self._end()

    def _answer(self) -> str:
        assert self._git.stdout is not None
        line = self._git.stdout.readline()
        if not line:
            self._end()
        return line.decode().strip()

    def _end(self) -> NoReturn:
        """Say why git is gone."""
        self._git.kill()
        assert self._git.stderr is not None
        raise self._failed(self._git.stderr.read())

    def _failed(self, said: bytes) -> StoreError:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        for report in self._objects.folder.glob("fast_import_crash_*"):
            report.unlink(missing_ok=True)
        why = next((line for line in lines if line.startswith("fatal:")), "git gave no reason")
        fix = "Look at its rights and the disk, then crawl again"
        return StoreError(str(self._objects.folder), f"cannot be written ({why})", fix)


def _entry(path: str, kept: Kept) -> bytes:
    """A line of a commit of fast-import."""
    quoted = "".join(_QUOTED.get(letter, letter) for letter in path)
    name = b'"%s"' % quoted.encode("utf-8", "surrogateescape")
    if kept.why is not None:
        return b"M %s %s %s\n" % (_NO_BYTES, kept.blob.encode(), name)
    if kept.data is None:
        return b"M 100644 %s %s\n" % (kept.blob.encode(), name)
    return b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(kept.data), kept.data)


def _link(text: str) -> Link:
    own, seconds, message = text.strip().split(" ", 2)
    try:
        said = json.loads(message)
        return Link(
            own,
            said["label"],
            _EPOCH + timedelta(seconds=int(seconds)),
            said.get("notes", {}),
            said.get("lacking", {}),
        )
    except (ValueError, KeyError, TypeError):
        fix = "Restore the folder from a copy, or move it away and crawl again"
        raise StoreError(own, "this commit of our own says not what it stands for", fix) from None


def blob_id(data: bytes, digits: int = 40) -> str:
    """The id that git gives to a file's bytes.

    >>> blob_id(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    hasher = hashlib.sha256 if digits == 64 else hashlib.sha1
    return hasher(b"blob %d\0" % len(data) + data).hexdigest()
