"""Which content does a pointer of Git LFS stand for?

In: files of versions, some of which are pointers. Out: the same with their contents, where those
can be had: each is fetched once, held against its SHA-256 and kept. Start at resolve().
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from crawler.chain.chain import Chain, Kept, blob_id
from crawler.git.own_repository import pack_if_many, writing
from crawler.objects import MAX_BYTES, Objects
from crawler.source import CrawlError, Find, Pointer
from crawler.work import Work

if TYPE_CHECKING:
    import pyarrow as pa

CHAIN = "lfs"
_AT_ONCE = 32 * 1024 * 1024  # bytes that are held in memory
_ASKED_AGAIN = 10  # contents that were refused; they may have been pushed later than the pointers
_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:[^\n]*\n)*?"
    rb"oid sha256:([0-9a-f]{64})\n(?:[^\n]*\n)*?size (\d{1,18})\n"
)


def read_pointer(data: bytes) -> Pointer | None:
    """The pointer that a file is; None for any other file.

    >>> read_pointer(Pointer("0" * 64, 7).written()).size, read_pointer(b"entry,score")
    (7, None)
    """
    found = _POINTER.match(data) if len(data) < 1024 else None
    return Pointer(found[1].decode(), int(found[2])) if found else None


def resolve(
    objects: Objects, files: pa.Table, find: Find, work: Work, *, again: bool = False
) -> tuple[pa.Table, CrawlError | None]:
    """Put contents in the place of pointers.

    Args:
        objects: where both are kept.
        files: rows of versions.parquet.
        find: gets a content from where the repository has it.
        work: told how far it is.
        again: ask for all that was refused, and not only for the newest of it.

    Returns:
        The rows; where a content was found `blob` is its id and `pointer` that of the pointer.
        And the passing trouble that kept some from being found; they are asked for again at the
        next crawl.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = files.filter(pc.equal(files["state"], "pointer")).to_pylist()
    if not rows:
        return files, None
    pointers = {
        blob: read_pointer(data) for blob, data in objects.read({row["blob"]: 0 for row in rows})
    }
    links = Chain(objects, CHAIN).links()
    noted = [link.notes["blob"] for link in links.values()]
    # After damage a content can be gone though its link is not; then it has to come again.
    infos = zip(noted, objects.infos(noted), strict=True)
    here = {blob for blob, info in infos if info.kind == "blob"}
    kept = {label: blob for label, blob in zip(links, noted, strict=True) if blob in here}
    found: dict[str, str] = {}
    refused: dict[str, str] = {}
    trouble: CrawlError | None = None
    fresh = [row for row in rows if row["why"] == str(pointers[row["blob"]])]
    refused_before = [row for row in rows if row["why"] != str(pointers[row["blob"]])]
    asked = fresh + (refused_before if again else refused_before[-_ASKED_AGAIN:])
    wanted = {row["blob"]: row for row in asked}
    came = _Came(objects, work)
    for number, (blob, row) in enumerate(wanted.items()):
        pointer = pointers[blob]
        if pointer is None:
            continue
        if pointer.sha256 not in kept and trouble is None:
            work.count("large files", number, len(wanted))
            try:
                data = _checked(pointer, find(row["commit"], row["path"], pointer))
            except CrawlError as error:
                if error.passing:
                    trouble = error
                else:
                    refused[blob] = f"{pointer}: {error.found}"
                continue
            kept[pointer.sha256] = came.add(pointer, row["path"], data)
        if pointer.sha256 in kept:
            found[blob] = kept[pointer.sha256]
    came.save()
    sizes = dict(
        zip(found, (info.size for info in objects.infos(list(found.values()))), strict=True)
    )
    changed = [_resolved(row, found, sizes, refused) for row in files.to_pylist()]
    return pa.Table.from_pylist(changed, schema=files.schema), trouble


class _Came:
    """Contents that came; the repository is held only while they are written, not while they come."""

    def __init__(self, objects: Objects, work: Work):
        self._objects, self._work = objects, work
        self._contents: dict[str, tuple[str, Kept]] = {}
        self._size = 0

    def add(self, pointer: Pointer, path: str, data: bytes) -> str:
        """Keep a content soon; its id."""
        kept = Kept(blob_id(data), data)
        self._contents[pointer.sha256] = path.rpartition("/")[2], kept
        self._size += len(data)
        if self._size > _AT_ONCE:
            self.save()
        return kept.blob

    def save(self) -> None:
        """Write what came.

        Raises:
            CrawlError: somebody else is writing. StoreError: git cannot write.
        """
        if not self._contents:
            return
        where = str(self._objects.folder)
        with writing(self._objects, where, self._work) as handle:
            with Chain(self._objects, CHAIN).adding([handle]) as writer:
                for sha256, (name, kept) in self._contents.items():
                    now, notes = datetime.now(UTC), {"blob": kept.blob}
                    writer.add(sha256, now, {name: kept}, after=writer.last, notes=notes)
            pack_if_many(self._objects, self._work, handle)
        self._contents, self._size = {}, 0


def _checked(pointer: Pointer, data: bytes) -> bytes:
    """The bytes, if they are those that the pointer means."""
    if len(data) != pointer.size or hashlib.sha256(data).hexdigest() != pointer.sha256:
        found = f"{len(data):,} other bytes came than the pointer names"
        raise CrawlError("Git LFS", found, "Crawl again with --repair")
    return data


def too_large(where: str, size: int) -> CrawlError:
    """The trouble with a content that is not read."""
    found = f"{size:,} bytes, more than the {MAX_BYTES:,} that are read at once"
    return CrawlError(where, found, "Leave this file out")


def _resolved(
    row: dict[str, Any], found: dict[str, str], sizes: dict[str, int], refused: dict[str, str]
) -> dict[str, Any]:
    if row["state"] != "pointer":
        return row
    blob = row["blob"]
    if blob in found:
        content = {"blob": found[blob], "size": sizes[blob], "pointer": blob}
        return row | content | {"state": "published", "why": None}
    return row | {"why": refused.get(blob, row["why"])}
