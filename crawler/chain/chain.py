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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from crawler.chain.commit_stream import Stream, streaming
from crawler.objects import Objects, StoreError

_NO_BYTES = b"160000"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
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
        """All links by label, oldest first.

        Of links with one label that which lacks least; of equal ones that before the newest link.
        """
        tips: list[str] = []
        bases: list[str] = []
        for line in self._references():
            own, _, ref = line.partition(" ")
            if ref.startswith(f"{self._refs}/base/"):
                bases.append(own)
            elif ref == f"{self._refs}/tip":
                tips.append(own)
            else:
                tips.insert(0, own)
        links = self._before(tips, bases)
        if len(tips) > 1:
            links += self._before(tips[-1:], bases)
        found: dict[str, Link] = {}
        for link in links:
            if link.label not in found or len(link.lacking) <= len(found[link.label].lacking):
                found[link.label] = link
        return found

    def _before(self, tips: list[str], bases: list[str]) -> list[Link]:
        """Some links and all before them, oldest first."""
        if not tips:
            return []
        asked = "".join(f"{tip}\n" for tip in tips) + "".join(f"^{base}\n" for base in bases)
        printed = self.objects.run(
            *("log", "--stdin", "--topo-order", "--reverse", "-z", "--format=%H %ct %B"),
            given=asked.encode(),
        )
        return [link_of(text) for text in printed.decode("utf-8", "replace").split("\0") if text]

    def tip(self) -> Link | None:
        """The newest link; None where there is none yet."""
        ref = f"{self._refs}/tip"
        if not any(line.endswith(f" {ref}") for line in self._references()):
            return None
        printed = self.objects.run("log", "-1", "--format=%H %ct %B", ref, "--")
        return link_of(printed.decode("utf-8", "replace"))

    @contextmanager
    def adding(self, keep_open: Sequence[int] = ()) -> Iterator[Writer]:
        """Add links, oldest first; what was added is safe when this ends, also by an error.

        Args:
            keep_open: file handles that git is to hold as long as it lives.

        Raises:
            StoreError: git cannot write.
        """
        with streaming(self.objects, keep_open) as stream:
            yield self.writer(stream)

    def writer(self, stream: Stream) -> Writer:
        """Adds links through a stream, which other chains may share."""
        tip = self.tip()
        return Writer(stream, self._refs, tip.own if tip else None)

    def _references(self) -> list[str]:
        if not self.objects.folder.is_dir():
            return []
        asked = self.objects.run("for-each-ref", "--format=%(objectname) %(refname)", self._refs)
        return asked.decode().splitlines()


class Writer:
    """Adds links to one chain.

    Attributes:
        last: the newest link's commit; None before the first.
    """

    def __init__(self, stream: Stream, refs: str, tip: str | None):
        self._stream, self._refs, self.last = stream, refs, tip

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
            self._stream.keep(f"{self._refs}/base/{after}", after)
        if self.last and self.last != after:
            self._stream.keep(f"{self._refs}/seen/{self.last}", self.last)
        lacking = {kept.blob: kept.why for kept in files.values() if kept.why is not None}
        said = {"label": label, "notes": dict(notes or {}), "lacking": lacking}
        message = json.dumps({key: value for key, value in said.items() if value}).encode()
        seconds = max(int((at - EPOCH).total_seconds()), 0)
        entries = [_entry(path, kept) for path, kept in files.items()]
        self.last = self._stream.commit(f"{self._refs}/tip", after, seconds, message, entries)
        return self.last


def _entry(path: str, kept: Kept) -> bytes:
    """A line of a commit of fast-import."""
    quoted = "".join(_QUOTED.get(letter, letter) for letter in path)
    name = b'"%s"' % quoted.encode("utf-8", "surrogateescape")
    if kept.why is not None:
        return b"M %s %s %s\n" % (_NO_BYTES, kept.blob.encode(), name)
    if kept.data is None:
        return b"M 100644 %s %s\n" % (kept.blob.encode(), name)
    return b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(kept.data), kept.data)


def link_of(text: str) -> Link:
    """A link as `git log --format="%H %ct %B"` prints it.

    Raises:
        StoreError: the commit is none of ours.
    """
    own, seconds, message = text.strip().split(" ", 2)
    try:
        said = json.loads(message)
        return Link(
            own,
            said["label"],
            EPOCH + timedelta(seconds=int(seconds)),
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
