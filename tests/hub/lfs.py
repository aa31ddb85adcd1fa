"""What does a Git LFS pointer say, and how is one written?

In: a blob's bytes, or a content. Out: the content's sha256 and size, or the pointer's text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

LONGEST = 1024
_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]*\n)*"
    rb"oid sha256:([0-9a-f]{64})\nsize (\d+)\n"
)


@dataclass(frozen=True)
class Pointer:
    """Which content a pointer names, and how long both are."""

    sha256: str
    size: int
    pointer_size: int


def pointer_of(data: bytes) -> Pointer | None:
    """What a blob points to; None where it is no pointer."""
    found = _POINTER.fullmatch(data)
    return Pointer(found[1].decode(), int(found[2]), len(data)) if found else None


def pointer_text(content: bytes) -> bytes:
    """The pointer that stands for a content.

    >>> pointer_text(b"1,2").splitlines()[-1]
    b'size 3'
    """
    digest = hashlib.sha256(content).hexdigest()
    head = "version https://git-lfs.github.com/spec/v1"
    return f"{head}\noid sha256:{digest}\nsize {len(content)}\n".encode()


def xet_hash(sha256: str) -> str:
    """The id that a content has in the other store: 64 hex digits that are no sha256 of it."""
    return hashlib.sha256(f"xet {sha256}".encode()).hexdigest()
