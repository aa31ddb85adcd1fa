"""What does a source hold, and how did its files change?

In: a Place. Out: a Look at its newest commit. Start at look(). What is fetched stays in the store,
so that crawling the board afterwards does not fetch it again; but for what has no history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from crawler.address import Place, is_data_file
from crawler.board import Board, BoardError, Source, nearest
from crawler.crawl import fetch
from crawler.objects import GONE, MAX_BYTES, Objects, raw_changes
from crawler.paths import escaped
from crawler.source import CrawlError, redact
from crawler.store import Store
from crawler.work import Work

_COMMITS = 2_000  # looked through for changes
_FILES = 40  # of a bucket, that are looked into
_ANY = "x"  # a Source names a file; which one is not known yet


@dataclass(frozen=True, slots=True)
class File:
    """One file of the newest commit.

    Attributes:
        path: in the repository.
        size: bytes.
        blobs: its contents, newest first, one per change.
        changed_at: when it was last changed; None if that is further back than was looked.
        moved_from: names that it had before, newest first: files that went with the very
            bytes with which it came.
    """

    path: str
    size: int
    blobs: tuple[str, ...]
    changed_at: datetime | None
    moved_from: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """A source at its newest commit.

    Attributes:
        commit: full id; empty where there is no history.
        files: by path; links and folders of other repositories are left out.
        objects: where the bytes are.
        contents: the bytes themselves by blob, where there is no history: nothing is kept of what
            is perhaps no board.
    """

    commit: str
    files: tuple[File, ...]
    objects: Objects
    contents: Mapping[str, bytes] = field(default_factory=dict)

    def read(self, blobs: Iterable[str]) -> Iterator[bytes]:
        """The bytes of some contents, in their order."""
        if self.contents:
            yield from (self.contents[blob] for blob in blobs)
            return
        for _, data in self.objects.read(blobs):
            yield data


def look(store: Store, place: Place, work: Work) -> Look:
    """Fetch a source and list what it holds.

    Raises:
        CrawlError: it cannot be reached, or is empty; no board was written. BoardError: it is no
            address for git.
    """
    try:
        board = _nameless(place)
    except ValidationError as error:
        message = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise BoardError(redact(place.repo), message, "Give another address") from None
    try:
        if board.source.is_polled:
            return _look_now(store, board, place.path, work)
        tip = fetch(store, board, work)
    except CrawlError as error:
        again = re.sub(
            r"\b(c|C)rawl again", lambda m: {"c": "t", "C": "T"}[m[1]] + "ry again", error.fix
        )
        again = again.replace("Name a branch in board.toml", f"{_of_branch(place)}, one of")
        raise CrawlError(error.where, f"{error.found}; nothing was written", again) from None
    objects = store.objects(board)
    changes, times = _changes(objects, tip)
    listed = objects.run("ls-tree", "-r", "-z", "-l", "--full-tree", tip)
    entries = {}
    for row in filter(None, listed.decode("utf-8", "surrogateescape").split("\0")):
        entry, path = row.split("\t", 1)
        entries[path] = entry.split()
    gone = {blobs[0]: path for path, blobs in changes.items() if path not in entries}
    files = []
    for path, (mode, _, blob, size) in entries.items():
        if mode in ("100644", "100755"):
            names = _names_before(path, changes, gone)
            blobs = [one for name in (path, *names) for one in changes.get(name, [])] or [blob]
            # A file that is too large to be read was not fetched, and git does not know its size.
            bytes_ = int(size) if size.isdecimal() else MAX_BYTES + 1
            files.append(File(path, bytes_, tuple(blobs), times.get(path), names))
    if not files:
        raise CrawlError(place.repo, "the newest commit holds no file", "Give another branch")
    return Look(tip, tuple(files), objects)


def _look_now(store: Store, board: Board, path: str, work: Work) -> Look:
    """What is at an address, or in a bucket: one file, or all that could hold a board."""
    from crawler.chain.chain import blob_id
    from crawler.polled import Bucket, place_of

    with place_of(board.source, work) as there:
        work(f"looking at {there.where}")
        names = [path]
        if isinstance(there, Bucket) and not path:
            sizes = there.names()
            names = [name for name in sizes if is_data_file(name) and sizes[name] <= MAX_BYTES]
            if not names or len(names) > _FILES:
                found = f"{len(names)} files that could hold a board, of {len(sizes)}"
                fix = f"Give hf://buckets/{board.source.repo}/PATH"
                raise CrawlError(there.where, found, fix)
        look = there.look(names, {})
        contents = {name: found.data or b"" for name, found in look.files.items()}
        if not contents:
            near = nearest(path, there.names()) if isinstance(there, Bucket) else []
            fix = f"Did you mean {' or '.join(near)}?" if near else "Give another path"
            raise CrawlError(there.where, f"no file {path!r}", fix)
    files = [File(name, len(data), (blob_id(data),), None) for name, data in contents.items()]
    blobs = {file.blobs[0]: contents[file.path] for file in files}
    return Look("", tuple(files), store.objects(board), blobs)


def _of_branch(place: Place) -> str:
    """How to name a branch where no definition is written yet."""
    if place.kind == "hub":
        kind = "" if place.repo_type == "model" else f"{place.repo_type}s/"
        return f"Give https://huggingface.co/{kind}{place.repo}/tree/BRANCH"
    if place.repo.startswith(("http://", "https://")):
        return f"Give {redact(place.repo).removesuffix('.git').rstrip('/')}/tree/BRANCH"
    return "Let its HEAD name a branch (`git symbolic-ref HEAD refs/heads/BRANCH`)"


def _nameless(place: Place) -> Board:
    """A board of this source, as far as fetching needs one."""
    source = Source(
        kind=place.kind,
        repo=place.repo,
        repo_type=place.repo_type,
        branch=place.branch,
        paths=[escaped(place.path) or _ANY],
    )
    return Board(place.name, place.name, "", source, {}, Path.cwd(), "", "")


def _changes(objects: Objects, tip: str) -> tuple[dict[str, list[str]], dict[str, datetime]]:
    """Contents of each path along the published line, newest first, and the last change."""
    printed = objects.run(
        *("log", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--root"),
        *("--no-ext-diff", "--no-textconv", f"--max-count={_COMMITS}", "--format=%ct", tip),
    )
    blobs: dict[str, list[str]] = {}
    times: dict[str, datetime] = {}
    for seconds, path, mode, blob in raw_changes(printed):
        times.setdefault(path, datetime.fromtimestamp(int(seconds), UTC))
        if mode != GONE:
            blobs.setdefault(path, []).append(blob)
    return blobs, times


def _names_before(
    path: str, changes: dict[str, list[str]], gone: dict[str, str]
) -> tuple[str, ...]:
    """The names of a file before it was moved, newest first.

    Args:
        path: its name now.
        changes: contents of each path, newest first.
        gone: last content of the paths that are no more -> path.
    """
    names = [path]
    while (blobs := changes.get(names[-1])) and (before := gone.get(blobs[-1])):
        if before in names:
            break
        names.append(before)
    return tuple(names[1:])
