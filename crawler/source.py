"""What must a place that boards come from be able to do?

A source brings the published line of a board's branch into the object store and says where it
ends. What is done with it then (which commits, which versions) is the same for all sources and
stands in `crawler.line`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from crawler.board import Board
from crawler.errors import RanktrailError
from crawler.objects import Objects

Progress = Callable[[str], None]


class CrawlError(RanktrailError):
    """A board could not be fetched; what was saved before is untouched.

    >>> print(CrawlError("https://example.org/a.git", "no such repository", "Check the address"))
    https://example.org/a.git: no such repository. Check the address.
    """

    def __init__(self, where: str, found: str, fix: str):
        super().__init__(redact(where), redact(found), redact(fix))


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a source brought.

    Attributes:
        tip: full id of the newest commit of the branch; it is in the object store.
        fetched: whether bytes were asked for; False where the source said before that
            nothing moved.
    """

    tip: str
    fetched: bool


class SourceProtocol(Protocol):
    """A place that boards come from."""

    def fetch(
        self, board: Board, objects: Objects, known: str | None, progress: Progress
    ) -> Fetched:
        """Bring what is new of the board's branch into the object store.

        Args:
            board: one of the boards that read this branch.
            objects: the object store of its repository; made here at the first time.
            known: the tip at the last crawl; None at the first.
            progress: told what is being done.

        Raises:
            CrawlError: the place cannot be reached, or does not hold what the board names.
        """
        ...


def redact(text: str) -> str:
    """A text without the secrets that addresses and messages may carry.

    >>> redact("fatal: https://me:pw@host/x: bad token hf_abcDEF123")
    'fatal: https://host/x: bad token hf_***'
    """
    text = re.sub(r"([A-Za-z][A-Za-z0-9+.-]*://)[^/\s]*@", r"\1", text)
    return re.sub(r"\bhf_[A-Za-z0-9]{6,}", "hf_***", text)
