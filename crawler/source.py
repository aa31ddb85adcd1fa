"""What must a place that boards come from be able to do?

A source brings the published line of a board's branch into the object store and says where it
ends. What is done with it then (which commits, which versions) is the same for all sources and
stands in `crawler.line.line`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from crawler.board import Board
from crawler.errors import RanktrailError
from crawler.objects import Objects
from crawler.work import Work


class CrawlError(RanktrailError):
    """A board could not be fetched; what was saved before is untouched.

    >>> print(CrawlError("https://example.org/a.git", "no such repository", "Check the address"))
    https://example.org/a.git: no such repository. Check the address.

    Attributes:
        passing: whether the same may go well at the next crawl, without anybody doing anything.
    """

    def __init__(self, where: str, found: str, fix: str, *, passing: bool = False):
        super().__init__(redact(where), redact(found), redact(fix))
        self.passing = passing


@dataclass(frozen=True, slots=True)
class Pointer:
    """What Git LFS leaves in place of a file: SHA-256 and number of bytes of the real one."""

    sha256: str
    size: int

    def __str__(self) -> str:
        return f"a Git LFS pointer (sha256:{self.sha256[:12]}, {self.size} bytes), not the file"

    def written(self) -> bytes:
        """The pointer as Git LFS writes it.

        >>> len(Pointer("0" * 64, 7).written())
        126
        """
        head = "version https://git-lfs.github.com/spec/v1"
        return f"{head}\noid sha256:{self.sha256}\nsize {self.size}\n".encode()


_WORD = re.compile(r"""[^\s"'<>]+""")

# The content of a pointer that stands at a path in a commit. Raises CrawlError.
Find = Callable[[str, str, Pointer], bytes]
# Why bytes cannot be the file of a board at a path; None if they can.
Judge = Callable[[Board, str, bytes], str | None]


@dataclass(frozen=True, slots=True)
class Listed:
    """A commit of which only its id and time are known: not its parents, not its author's time."""

    commit: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Known:
    """What the last crawls brought of a branch.

    Attributes:
        tip: the newest commit of the published line; None before the first.
        line: gives all of it, oldest first; it can be long, and few need it.
        looked_at: start of the last successful look; None before the first.
    """

    tip: str | None = None
    line: Callable[[], Sequence[Listed]] = tuple
    looked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a source brought.

    Attributes:
        tip: full id of the newest commit of the branch; it, or a commit of our own with its
            files, is in the object store.
        seen_by: how its commits became known: "git" with their ancestry, "api" as a flat list,
            "poll" by looking at an address that has no history.
        listed: the commits behind the last common one, oldest first; only of a flat list.
        base: the last common one with the line before; None where there is none.
        not_before: of a commit that a look at an address made: the last look before it.
        trouble: what kept it from being all; what came before is whole.
        refused: boards of which nothing could be had, though others of this crawl have theirs.
    """

    tip: str
    seen_by: str = "git"
    listed: Sequence[Listed] = ()
    base: str | None = None
    not_before: Mapping[str, datetime] = field(default_factory=dict)
    trouble: CrawlError | None = None
    refused: Mapping[str, CrawlError] = field(default_factory=dict)


class SourceProtocol(Protocol):
    """A place that boards come from."""

    def fetch(self, boards: Sequence[Board], objects: Objects, known: Known, work: Work) -> Fetched:
        """Bring what is new of a branch into the object store.

        Args:
            boards: all boards of this crawl that read the branch.
            objects: the object store of its repository; made here at the first time.
            known: what is there.
            work: told what is being done, and asked whether to go on.

        Raises:
            CrawlError: the place cannot be reached, or does not hold what the boards name.
            Stopped: the job was stopped.
        """
        ...

    def large_files(self, board: Board, work: Work) -> Find | None:
        """How to get what Git LFS keeps beside the repository; None where there is no way."""
        ...


def redact(text: str) -> str:
    """A text without the secrets that addresses and messages may carry.

    >>> redact("fatal: https://me:pw@host/x: bad token hf_abcDEF123")
    'fatal: https://host/x: bad token hf_***'
    >>> redact("see https://host/board.csv?format=csv&key=abc, or https://host/x?abc")
    'see https://host/board.csv?format=***&key=***, or https://host/x?***'
    """
    text = re.sub(r"([A-Za-z][A-Za-z0-9+.-]{,40}://)[^/\s]*@", r"\1", text)
    text = _WORD.sub(lambda found: _without_values(found[0]), text)
    return re.sub(r"\bhf_[A-Za-z0-9]{6,}", "hf_***", text)


def _without_values(word: str) -> str:
    """An address without the values of its query, which may be secret; other words as they are."""
    scheme = word.find("://")
    begin = re.compile("[?#]").search(word, scheme) if scheme > 0 else None
    if begin is None:
        return word
    query = word[begin.start() :].rstrip(".,:;)?")
    rest = word[begin.start() + len(query) :]
    marked = re.sub(r"=[^&;?#]*", "=***", query)
    return word[: begin.start()] + re.sub(r"(?<=[?#&;])[^?#&;=]+(?=[?#&;]|$)", "***", marked) + rest
