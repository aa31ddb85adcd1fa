"""Where does a repository on this machine keep a file of Git LFS?

In: the address of the repository and the file's SHA-256. Out: its path, or None; or its bytes.
Start at local_lfs().
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from crawler.objects import MAX_BYTES
from crawler.source import CrawlError, Find, Pointer


def finder(address: str) -> Find | None:
    """How to get the content of a pointer from a local repository; None where it has none at all.

    Args:
        address: as for local_lfs().
    """
    folder = _git_folder(_path(address))
    if folder is None or not _is(folder / "lfs", stat.S_ISDIR):
        return None

    def find(commit: str, path: str, pointer: Pointer) -> bytes:
        place = local_lfs(address, pointer.sha256)
        if place is None:
            fix = "Run `git lfs fetch --all` there, then crawl again with --repair"
            raise CrawlError(address, "its Git LFS has not fetched the content", fix)
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW)
        with open(handle, "rb") as file:
            if os.fstat(handle).st_size > MAX_BYTES:
                found = f"more than the {MAX_BYTES:,} bytes that are read at once"
                raise CrawlError(address, found, "Leave this file out")
            return file.read()

    return find


def local_lfs(address: str, sha256: str) -> Path | None:
    """The content of a Git LFS file in a local repository, if that has it.

    Only a file that is reached without following links inside the repository counts: a link
    could lead to any file of this machine. Whether the bytes have that digest is for the reader
    to see.

    Args:
        address: a folder with or without a work tree, a linked work tree, or a file:// address.
        sha256: 64 hex digits.
    """
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        return None
    folder = _git_folder(_path(address))
    if folder is None:
        return None
    place = folder
    for step in ("lfs", "objects", sha256[:2], sha256[2:4]):
        place /= step
        if not _is(place, stat.S_ISDIR):
            return None
    place /= sha256
    return place if _is(place, stat.S_ISREG) else None


def _path(address: str) -> Path:
    if address.lower().startswith("file://"):
        return Path(unquote(urlsplit(address).path))
    return Path(address).expanduser()


def _git_folder(folder: Path) -> Path | None:
    """Where git keeps the repository of a folder; of a linked work tree, the one that all share."""
    inner = folder / ".git"
    if _is(inner, stat.S_ISREG):
        pointer = _line_of(inner)
        if not pointer.startswith("gitdir: "):
            return None
        inner = folder / pointer.removeprefix("gitdir: ")
        if _is(inner / "commondir", stat.S_ISREG):
            inner /= _line_of(inner / "commondir")
    elif not _is(inner, stat.S_ISDIR):
        inner = folder
    # What git takes for a repository has these two.
    found = _is(inner / "HEAD", stat.S_ISREG) and _is(inner / "objects", stat.S_ISDIR)
    return inner if found else None


def _line_of(file: Path) -> str:
    """The only line of a small file."""
    with open(file, "rb") as opened:
        return opened.read(4096).decode("utf-8", "surrogateescape").strip()


def _is(place: Path, kind: Callable[[int], bool]) -> bool:
    """Whether a place itself, not what it may link to, is of a kind."""
    try:
        return kind(place.lstat().st_mode)
    except (OSError, ValueError):
        return False
