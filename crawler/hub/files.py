"""Which files does the Hub's API say are there at a commit, and what is in them?

In: commits and paths. Out: Files, and their bytes held against the id that was told. Start at
HubFiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from crawler.board import can_be_path
from crawler.chain.chain import Kept, blob_id
from crawler.hub.repo import HubRepo, is_commit, refuse
from crawler.objects import MAX_BYTES
from crawler.paths import Paths, escaped, folder_of, is_pattern
from crawler.source import CrawlError, Pointer

_CAP = 64 * 1024 * 1024  # bytes of one answer
_MOST_FILES = 100_000
_SMALL = 1024
_TOO_LARGE = f"more than {MAX_BYTES:,} bytes"


@dataclass(frozen=True, slots=True)
class File:
    """A file at a commit.

    Attributes:
        path: in the repository.
        blob: git id of what git has there.
        size: bytes of that; of a pointer, of what it stands for.
        pointer: where Git LFS or Xet keep the content.
    """

    path: str
    blob: str
    size: int
    pointer: Pointer | None = None


def is_gap(why: str) -> bool:
    """Whether what could not be had might be had when it is asked for again."""
    return why != _TOO_LARGE


class Lost(Exception):
    """A commit that is listed, but cannot be had: its history was rewritten."""


class HubFiles:
    """Asks for the files of some boards.

    Args:
        repo: where.
        paths: what the boards read.
    """

    def __init__(self, repo: HubRepo, paths: Sequence[Paths]):
        self._repo, self._paths = repo, paths
        written = {path for one in paths for path in one.written}
        self._plain = sorted(path for path in written if not is_pattern(path))
        folders = {folder_of(path) for path in written if is_pattern(path)}
        self._folders = [] if not folders else [""] if "" in folders else sorted(folders)

    def at(self, commit: str) -> dict[str, File]:
        """The files at a commit, by path: one request, and one for each folder of patterns.

        Raises:
            Lost: the commit is gone. CrawlError: no answer, or none that can be used.
        """
        told: list[Any] = []
        if self._plain:
            told += self._ask(f"{self._repo.api}/paths-info/{commit}", commit, self._plain)
        for folder in self._folders:
            place = f"/{quote(folder, safe='')}" if folder else ""
            url = f"{self._repo.api}/tree/{commit}{place}?recursive=true&expand=false"
            told += self._pages(url, commit)
        files = {}
        for one in told:
            if isinstance(one, dict) and one.get("type") == "directory":
                continue
            file = self._file(one)
            if can_be_path(escaped(file.path)) and any(
                p.item(file.path) is not None for p in self._paths
            ):
                files[file.path] = file
        return files

    def content(self, commit: str, file: File) -> Kept:
        """What git has of a file: its bytes, or the pointer to them.

        Raises:
            CrawlError: no answer, or other bytes than the Hub said.
        """
        if file.pointer and blob_id(file.pointer.written()) == file.blob:
            return Kept(file.blob, file.pointer.written())
        if file.size > MAX_BYTES and not file.pointer:
            return Kept(file.blob, why=_TOO_LARGE)
        where = f"{self._repo.where} @ {commit[:8]}: {file.path}"
        # A pointer that was written in another way is had from where no content replaces it.
        kind, cap = ("raw", _SMALL) if file.pointer else ("resolve", file.size + 1)
        answer = self._repo.web.fetch(self._repo.file(commit, file.path, kind), cap=cap)
        if answer.status == 404:
            return Kept(file.blob, why="listed, but its bytes cannot be had (404)")
        refuse(answer, where)
        if blob_id(answer.body, len(file.blob)) != file.blob:
            found = f"other bytes than the Hub lists: {answer.seen()}"
            raise CrawlError(where, found, "Crawl again later", passing=True)
        return Kept(file.blob, answer.body)

    def _ask(self, url: str, commit: str, paths: Sequence[str]) -> list[Any]:
        answer = self._repo.web.post(url, data={"paths": paths, "expand": "false"}, cap=_CAP)
        if answer.status == 404 and answer.headers.get("x-error-code") == "RevisionNotFound":
            raise Lost
        refuse(answer, self._repo.where, commit)
        return self._list(answer.json())

    def _pages(self, url: str | None, commit: str) -> Iterator[Any]:
        from crawler.web.answer import next_link

        count = 0
        while url:
            answer = self._repo.web.get(url, cap=_CAP)
            code = answer.headers.get("x-error-code")
            if answer.status == 404 and code == "EntryNotFound":
                return
            if answer.status == 404 and code == "RevisionNotFound":
                raise Lost
            refuse(answer, self._repo.where, commit)
            page = self._list(answer.json())
            yield from page
            count += len(page)
            url = next_link(answer)
            if url and (not page or count > _MOST_FILES):
                found = f"more than {_MOST_FILES:,} files, or a list without an end"
                raise CrawlError(self._repo.where, found, "Name the files one by one in `paths`")

    def _list(self, said: Any) -> list[Any]:
        if not isinstance(said, list):
            raise self._nonsense()
        return said

    def _file(self, said: Any) -> File:
        try:
            path, blob, size = said["path"], said["oid"], said["size"]
            large = said.get("lfs")
            pointer = Pointer(large["oid"], large["size"]) if large else None
        except (TypeError, KeyError, AttributeError):
            raise self._nonsense() from None
        sizes = [size, *([pointer.size] if pointer else [])]
        is_hash = pointer is None or (is_commit(pointer.sha256) and len(pointer.sha256) == 64)
        if not (isinstance(path, str) and is_commit(blob) and is_hash):
            raise self._nonsense()
        if not all(type(number) is int and 0 <= number < 2**60 for number in sizes):
            raise self._nonsense()
        return File(path, blob, size, pointer)

    def _nonsense(self) -> CrawlError:
        fix = "Check HF_ENDPOINT, or crawl again later"
        return CrawlError(self._repo.where, "the answer is no list of files", fix)
