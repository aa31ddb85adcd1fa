"""What in a board's store is not as it was saved?

In: a store and a board. Out: a sentence for each damage. Start at find_damage(). The bytes are held
against their ids, the published line against the commits, the versions against both. What is
derived from them is not looked at here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.board import Board
from crawler.chain.chain import EPOCH, Chain, blob_id
from crawler.chain.lfs import CHAIN as LFS
from crawler.chain.lfs import read_pointer
from crawler.line.line import known_of, line_digest, told_of
from crawler.line.stand_ins import stand_ins
from crawler.line.versions import list_versions
from crawler.objects import Objects, StoreError
from crawler.repair.repair import tips_of
from crawler.repair.salvage import complaints
from crawler.source import CrawlError
from crawler.store import Store
from crawler.tables import files_schema
from crawler.url_source import CHAIN as POLL
from crawler.work import Work

if TYPE_CHECKING:
    import pyarrow as pa

_MOST = 20  # sentences of one kind; a lost pack is one damage, and not one for each of its files


@dataclass
class Found:
    """What was found.

    Attributes:
        damage: a sentence for each thing that is not as it was saved.
        remarks: what is odd and cost nothing.
        versions, blobs: how many were looked at.
    """

    damage: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    versions: int = 0
    blobs: int = 0


def find_damage(store: Store, board: Board, work: Work) -> Found:
    """Hold all that was crawled of a board against its own digests."""
    found = Found()
    found.remarks += _torn_lines(store, board)
    files, line = _tables(store, board, found)
    is_whole, fix = not found.damage, _fix(board)
    if files is not None and not files.num_rows and _saved_versions(store, board):
        where = store.versions_file(board.name)
        found.damage.append(f"{where}: missing, though versions were saved. {fix}")
    objects = store.objects(board)
    check = _Check(store, board, objects, work)
    if objects.folder.is_dir():
        found.damage += _capped(check.repository())
    if line is not None and line.num_rows:
        found.damage += _capped(check.line(line))
    if files is not None and files.num_rows:
        found.versions = files["version"][-1].as_py() + 1
        rows = [row for row in files.to_pylist() if row["state"] in ("published", "pointer")]
        found.blobs = len({row["blob"] for row in rows})
        found.damage += _capped(check.contents(rows))
        if line is not None and is_whole:
            found.damage += _capped(check.versions(files, line))
    return found


def _tables(store: Store, board: Board, found: Found) -> tuple[pa.Table | None, pa.Table | None]:
    """The versions and the published line; None for what cannot be used, which is told."""
    files = line = None
    try:
        files = store.files(board.name)
        store.refuse_other_source(board)
    except StoreError as error:
        found.damage.append(str(error))
        files = None
    try:
        line = store.commits(board)
        if files is not None:
            store.refuse_lost_line(board, line)
    except StoreError as error:
        found.damage.append(str(error))
    return files, line


def _saved_versions(store: Store, board: Board) -> bool:
    return any(attempt.get("new") for attempt in store.attempts(board.name))


def _torn_lines(store: Store, board: Board) -> list[str]:
    """Lines of crawls.jsonl that a killed run, or a full disk, left unfinished."""
    place = store.crawls_file(board.name)
    try:
        count = len([line for line in place.read_bytes().splitlines() if line.strip()])
    except FileNotFoundError:
        return []
    torn = count - len(store.attempts(board.name))
    if not torn:
        return []
    said = "1 line is" if torn == 1 else f"{torn} lines are"
    return [f"{place}: {said} torn and left out; the attempt is not known. Nothing else is lost."]


def _fix(board: Board) -> str:
    return f"Run `ranktrail crawl --repair {board.name}`."


def _capped(sentences: Iterator[str]) -> list[str]:
    """The first sentences, and how many more there are."""
    told = list(dict.fromkeys(sentences))
    if len(told) <= _MOST:
        return told
    return [*told[:_MOST], f"and {len(told) - _MOST} more like these."]


class _Check:
    """The looks at one board, a sentence for each damage that they find."""

    def __init__(self, store: Store, board: Board, objects: Objects, work: Work):
        self._store, self._board, self._objects, self._work = store, board, objects, work
        self._fix = _fix(board)

    def repository(self) -> Iterator[str]:
        """All objects of the source, read and hashed."""
        for line in complaints(self._objects, self._work):
            yield f"{self._objects.folder}: {line}. {self._fix}"

    def line(self, line: pa.Table) -> Iterator[str]:
        """The published line against its commits, and these against their references."""
        where = self._store.commits_file(self._board)
        rows = line.to_pylist()
        try:
            known = {one.commit for one in known_of(line, None).line()}
            here = told_of(self._objects, [row["commit"] for row in rows])
            standing = stand_ins(self._objects, self._board, line)
            held = self._reachable()
        except StoreError as error:
            yield _mendable(error, self._fix)
            return
        for position, row in enumerate(rows):
            commit, told = row["commit"], here.get(row["commit"])
            at = standing.listed_at(commit) if row["seen_by"] == "api" else None
            if row["position"] != position or row["vanished"] != (commit not in known):
                yield f"{where}: row {position} ({commit}) is not in its place. {self._fix}"
            if told is None and at is None:
                yield f"{where}: commit {commit} is not in {self._objects.folder}. {self._fix}"
                continue
            if at is not None and at != max(row["committed_at"], EPOCH):
                yield f"{where}: {commit} has another time than the Hub told. {self._fix}"
            elif told and row["seen_by"] != "api" and (wrong := _other(row, told)):
                yield f"{where}: {commit} has other {wrong} than the commit. {self._fix}"
            if standing.of(commit) not in held:
                yield f"{self._objects.folder}: no reference leads to {commit}. {self._fix}"
        yield from self._lost_references(line)

    def _reachable(self) -> set[str]:
        return set(self._objects.run("rev-list", "--all").decode().split())

    def _lost_references(self, line: pa.Table) -> Iterator[str]:
        listed = self._objects.run("for-each-ref", "--format=%(refname)").decode().split()
        expected = {f"refs/seen/{tip}" for tip in tips_of(self._store, self._board, self._objects)}
        if "poll" in line["seen_by"].to_pylist():
            expected.add(f"refs/chain/{POLL}/tip")
        for name in sorted(expected - set(listed)):
            yield f"{self._objects.folder}: the reference {name} is missing. {self._fix}"

    def contents(self, rows: Sequence[dict[str, Any]]) -> Iterator[str]:
        """Every file of every version against its id, size and pointer."""
        sizes: dict[str, set[int]] = {}
        pointers: dict[str, str] = {}
        for row in rows:
            sizes.setdefault(row["blob"], set()).add(row["size"])
            if row["pointer"]:
                sizes.setdefault(row["pointer"], set())
                pointers[row["blob"]] = row["pointer"]
        written = set(pointers.values())
        digests: dict[str, str] = {}
        meant: dict[str, str] = {}
        for number, (blob, data) in enumerate(self._read(list(sizes))):
            if number % 100 == 0:
                self._work.check()
                self._work.count("files", number, len(sizes))
            if isinstance(data, str):
                yield data
                continue
            where = f"{self._objects.folder}, object {blob}"
            if blob_id(data, len(blob)) != blob:
                yield f"{where}: other bytes than saved. {self._fix}"
            if sizes[blob] - {len(data)}:
                place = self._store.versions_file(self._board.name)
                found = f"the size of {blob} is not {len(data):,} bytes in it"
                yield f"{place}: {found}. {self._fix}"
            if blob in pointers:
                digests[blob] = hashlib.sha256(data).hexdigest()
            if blob in written and (pointer := read_pointer(data)):
                meant[blob] = pointer.sha256
        for blob, of in pointers.items():
            if blob in digests and digests[blob] != meant.get(of):
                where = f"{self._objects.folder}, object {blob}"
                yield f"{where}: not the content that the pointer {of} means. {self._fix}"
        if pointers:
            yield from self._unnamed_contents(set(pointers))

    def _unnamed_contents(self, contents: set[str]) -> Iterator[str]:
        try:
            kept = {link.notes.get("blob") for link in Chain(self._objects, LFS).links().values()}
        except StoreError as error:
            yield _mendable(error, self._fix)
            return
        if contents - kept:
            found = f"no reference leads to {len(contents - kept)} large files"
            yield f"{self._objects.folder}: {found}. {self._fix}"

    def _read(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes | str]]:
        """The bytes of files; a sentence where they cannot be read."""
        rest = list(ids)
        while rest:
            count = 0
            try:
                for blob, data in self._objects.read(rest):
                    yield blob, data
                    count += 1
                return
            except StoreError as error:
                broken, text = rest[count], _mendable(error, self._fix)
                yield broken, text if broken in text else f"object {broken}: {text}"
                rest = rest[count + 1 :]

    def versions(self, files: pa.Table, line: pa.Table) -> Iterator[str]:
        """The versions against what the commits of the line give when they are listed again."""
        listed = int((files.schema.metadata or {}).get(b"listed", b"0")) or line.num_rows
        said = (files.schema.metadata or {}).get(b"line", b"").decode()
        through = line.slice(0, listed)
        if listed > line.num_rows or (said and said != line_digest(through)):
            return  # a run was killed after it had learned more; the next one lists them anew
        self._work("listing the versions again")
        try:
            again = list_versions(
                self._objects, through, self._board, files_schema().empty_table(), 0
            )
        except StoreError as error:
            yield _mendable(error, self._fix)
            return
        except CrawlError as error:
            yield str(error)
            return
        columns = [name for name in _LISTED if name != "vanished" or listed == line.num_rows]
        where = self._store.versions_file(self._board.name)
        was, now = _keyed(files, columns), _keyed(again, columns)
        for key in sorted(was.keys() | now.keys()):
            old, new = was.get(key), now.get(key)
            if old and new and new["state"] == "unavailable" and old["blob"]:
                old["state"] = new["state"]  # its bytes are lost, which is told of them
            name = f"{(old or new or {})['commit']}:{key[1]}"
            if old is None:
                yield f"{where}: {name} is missing. {self._fix}"
            elif new is None:
                yield f"{where}: {name} is no version. {self._fix}"
            elif old != new:
                yield f"{where}: {name} {_differing(old, new)}. {self._fix}"


_LISTED = (
    *("version", "position", "commit", "path", "blob", "set", "vanished"),
    *("committed_at", "authored_at", "observed_at", "not_before"),
)


def _keyed(files: pa.Table, columns: Sequence[str]) -> dict[tuple[int, str], dict[str, Any]]:
    """What is listed of each file of each version: `blob` is what git has at the path."""
    found = {}
    for row in files.select([*columns, "pointer", "state"]).to_pylist():
        if pointer := row.pop("pointer"):
            row |= {"blob": pointer, "state": "pointer"}
        found[row["version"], row["path"]] = row
    return found


def _differing(old: dict[str, Any], new: dict[str, Any]) -> str:
    """In what a saved row differs from the one that is listed again."""
    if old["commit"] == new["commit"] and old["blob"] != new["blob"]:
        return f"is saved as {old['blob']}, the commit has {new['blob']}"
    names = [name for name in old if old[name] != new[name]]
    said = ", ".join(f"{name} {old[name]} where {new[name]} is listed" for name in names)
    return f"has {said}"


def _other(row: dict[str, Any], told: dict[str, Any]) -> str:
    """Which columns say something else than the commit."""
    return ", ".join(name for name in told if told[name] != row[name])


def _mendable(error: StoreError, fix: str) -> str:
    return f"{error.where}: {error.found}. {fix}"
