"""Where does everything stand on disk?

Start at Store. This module alone knows how the store's folder is laid out:

    _sources/<slug>/objects.git        bytes of every version, one bare repository per source
    _sources/<slug>/commits.parquet    the published lines of its branches
    <board>/board.toml                 the definition
    <board>/versions.parquet           one row per version and file
    <board>/readings.parquet, scores.parquet/    derived by history
    <board>/crawls.jsonl               one line per attempt
    <board>/verdicts.jsonl             verdicts given

Raw bytes are written once; tables are replaced atomically; lines are appended and synced.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler import safe_files
from crawler.board import FILE_NAME, Board, BoardError, is_board_name, load_board, nearest
from crawler.objects import Objects, StoreError
from crawler.paths import is_pattern
from crawler.safe_files import Locked
from crawler.tables import (
    FORMAT,
    commits_schema,
    files_schema,
    notes_of,
    one_per_version,
    read_table,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from crawler.seen import Seen

__all__ = ["FORMAT", "Locked", "Store", "StoreError", "UnknownBoard"]

_SOURCES = "_sources"


class UnknownBoard(BoardError):
    """No board of the store, or more than one, answers to a name."""


class Store:
    """All boards and sources under one folder. Nothing is created before something is written.

    Attributes:
        root: the folder, `./snapshots` by default.
    """

    def __init__(self, root: Path):
        self.root = Path(root)

    # Boards

    def names(self) -> list[str]:
        """Names of all boards, sorted."""
        if not self.root.is_dir():
            return []
        folders = (folder.name for folder in self.root.iterdir() if (folder / FILE_NAME).is_file())
        return sorted(name for name in folders if is_board_name(name))

    def board(self, name: str) -> Board:
        """The board of exactly this name.

        Raises:
            UnknownBoard: there is none.
            BoardError: its definition is wrong.
        """
        if not is_board_name(name) or not self.board_file(name).is_file():
            raise self._unknown(name)
        return load_board(self.board_file(name))

    def find(self, text: str) -> Board:
        """The board that a name, a title or a unique beginning of either means.

        Raises:
            UnknownBoard: none or several fit; the message names the nearest.
        """
        names = self.names()
        if text in names:
            return self.board(text)
        titles = {name: self._title(name) for name in names}
        wanted = text.casefold()
        for fits in (
            lambda word: word.casefold() == wanted,
            lambda word: bool(wanted) and word.casefold().startswith(wanted),
        ):
            found = [name for name in names if fits(name) or fits(titles[name])]
            if len(found) == 1:
                return self.board(found[0])
            if found:
                listed = ", ".join(found)
                raise UnknownBoard(
                    f"board {text!r}", f"it could be {listed}", "Write more of the name"
                )
        raise self._unknown(text)

    def _title(self, name: str) -> str:
        try:
            return self.board(name).title
        except BoardError:
            return name  # a broken definition must not hide the other boards

    def _unknown(self, text: str) -> UnknownBoard:
        where = f"board {text!r}"
        names = self.names()
        if not names:
            fix = (
                "Run `ranktrail add SOURCE`, or write a definition to "
                f"{self.root}/NAME/{FILE_NAME} and run `ranktrail crawl`"
            )
            return UnknownBoard(where, f"there are no boards in {self.root}", fix)
        near = nearest(text, names)
        fix = f"Did you mean {' or '.join(near)}?" if near else f"Known are {', '.join(names[:10])}"
        return UnknownBoard(where, f"no such board in {self.root}", fix)

    # Places

    def folder(self, name: str) -> Path:
        """Folder of a board."""
        return self.root / name

    def board_file(self, name: str) -> Path:
        """The definition of a board."""
        return self.folder(name) / FILE_NAME

    def versions_file(self, name: str) -> Path:
        """The table of a board's versions."""
        return self.folder(name) / "versions.parquet"

    def readings_file(self, name: str) -> Path:
        """What could be read of each version; derived."""
        return self.folder(name) / "readings.parquet"

    def scores_dir(self, name: str) -> Path:
        """Folder of `part-00000.parquet` ..., 1,000 versions each; derived."""
        return self.folder(name) / "scores.parquet"

    def crawls_file(self, name: str) -> Path:
        """The attempts of a board."""
        return self.folder(name) / "crawls.jsonl"

    def verdicts_file(self, name: str) -> Path:
        """The verdicts given about a board."""
        return self.folder(name) / "verdicts.jsonl"

    def source_folder(self, board: Board) -> Path:
        """Folder of the source of a board, shared by all boards of that repository."""
        return self.root / _SOURCES / self._slug(board)

    def commits_file(self, board: Board) -> Path:
        """The table of the published lines of a board's source."""
        return self.source_folder(board) / "commits.parquet"

    def objects(self, board: Board) -> Objects:
        """The bytes of a board's source."""
        return Objects(self.source_folder(board) / "objects.git")

    def _slug(self, board: Board) -> str:
        """A readable folder name; the hash keeps two addresses apart that read alike."""
        source = board.source
        if source.kind == "hub":
            address = f"hf://{source.repo_type}s/{source.repo}"
        elif board.is_local and not Path(source.repo).expanduser().is_absolute():
            # Relative to the store, so that a store can be moved together with its sources.
            address = os.path.relpath(board.address, self.root.resolve())
        else:
            address = without_login(board.address)
        plain = re.sub(r"\.(git|bundle)/?$|[?#].*", "", address)  # a query may hold a key
        words = re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")
        return f"{words[-60:].strip('-')}-{hashlib.sha256(address.encode()).hexdigest()[:8]}"

    # Tables

    def versions(self, name: str) -> pa.Table:
        """VERSIONS of a board, oldest first, without `at`; no rows before the first crawl.

        Columns: version, commit, committed_at, authored_at, observed_at, position, path, blob,
        size, state, vanished, why (text where the state is not published or absent).

        Where every file holds one entry, a version is all of them (see files()): `path` are the
        patterns, `blob` is an id that is equal for equal sets of files only, `size` their sum,
        and the version is published if one of them is.
        """
        place = self.versions_file(name)
        paths = notes_of(place).get(b"paths")
        if paths is None:
            return read_table(place, files_schema()).drop_columns("set")
        files = read_table(place, files_schema(), but=("path", "blob"), encoded=True)
        return one_per_version(files, paths.decode()).replace_schema_metadata(files.schema.metadata)

    def files(self, name: str, versions: Iterable[int] | None = None) -> pa.Table:
        """The files of a board's versions, by version and path.

        Columns: those of versions(), of one file each, and `set`: the id of all files of the
        version; a gap where a version is one file. Texts are dictionaries: each is kept once.

        Args:
            name: the board.
            versions: numbers of some; None for all.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        table = read_table(self.versions_file(name), files_schema(), encoded=True)
        if versions is None:
            return table
        return table.filter(pc.is_in(table["version"], pa.array(versions, pa.int32())))

    def commits(self, board: Board) -> pa.Table:
        """The published line of a board's branch, by position.

        Columns: branch, commit, parents, position, committed_at, authored_at, observed_at,
        vanished. A rewritten branch goes on behind what was there; what is no longer on it is
        marked `vanished`.
        """
        import pyarrow.compute as pc

        table = read_table(self.commits_file(board), commits_schema())
        return table.filter(pc.equal(table["branch"], board.source.branch))

    def seen(self, board: Board) -> Seen | None:
        """What is known of the history of a board's branch at all; None before the first look."""
        from crawler.seen import seen_of

        return seen_of(self.commits(board))

    def looked_through(self, board: Board) -> pa.Table:
        """The part of commits() in which a board's versions were looked for.

        A run that was killed can have saved commits whose files nobody has compared yet.
        """
        notes = notes_of(self.versions_file(board.name))
        return self.commits(board).slice(0, int(notes.get(b"listed", b"0")))

    def selection(self, board: Board) -> str:
        """A digest of what decides which commits are versions of a board."""
        source = board.source
        parts: list[Any] = [self._slug(board), source.branch, source.paths, str(source.starts)]
        if board.file_per_entry or any(is_pattern(path) for path in source.paths):
            parts += [source.newest, board.file_per_entry]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def refuse_other_source(self, board: Board) -> None:
        """Object to versions that were listed from another source than the definition names now.

        Raises:
            StoreError: its repository, branch, paths or start were changed since the last crawl.
        """
        said = notes_of(self.versions_file(board.name)).get(b"selection")
        if said is not None and said.decode() != self.selection(board):
            raise StoreError(
                str(self.board_file(board.name)),
                "[source] names another file than the one whose versions are stored",
                f"Run `ranktrail crawl {board.name}`, or change it back",
            )

    def refuse_lost_line(self, board: Board, line: pa.Table) -> None:
        """Object to a published line that lacks commits of which versions are stored.

        What vanished upstream stands in the old line only; listed from one that was fetched
        anew, its versions would go.

        Raises:
            StoreError: it lacks some; the old line is gone.
        """
        versions = self.versions(board.name)
        notes = versions.schema.metadata or {}
        if notes.get(b"selection", b"").decode() != self.selection(board):
            return
        lacking = set(versions["commit"].to_pylist()) - set(line["commit"].to_pylist())
        if lacking:
            raise StoreError(
                str(self.commits_file(board)),
                f"{len(lacking)} commits of the versions of {board.name} are not in it",
                f"Run `ranktrail crawl --repair {board.name}`; where that does not help, restore it "
                f"from a copy, or move {self.versions_file(board.name)} away and crawl again, which "
                "lists what the source still has",
            )

    def read_table(self, path: Path, schema: pa.Schema) -> pa.Table:
        """A table of the store; empty if it was not written yet.

        Raises:
            StoreError: it is damaged, or of a newer format.
        """
        return read_table(path, schema)

    def write_table(self, path: Path, table: pa.Table, notes: dict[str, str] | None = None) -> None:
        """Replace a table; `notes` go into its metadata beside the format."""
        import pyarrow.parquet as pq

        marked = {"ranktrail.format": str(FORMAT)} | (notes or {})
        marked_table = table.replace_schema_metadata(marked)
        self.replace(path, lambda place: pq.write_table(marked_table, place, compression="zstd"))

    def save_commits(self, board: Board, line: pa.Table) -> None:
        """Replace the line of a board's branch; lines of other branches stay as they are."""
        import pyarrow as pa
        import pyarrow.compute as pc

        path = self.commits_file(board)
        table = read_table(path, commits_schema())
        others = table.filter(pc.not_equal(table["branch"], board.source.branch))
        self.write_table(path, pa.concat_tables([others, line]))

    # Attempts

    def attempts(self, name: str) -> list[dict[str, Any]]:
        """Every attempt to crawl a board, oldest first; a torn or damaged line is left out."""
        lines = self.lines(self.crawls_file(name))
        return [attempt for attempt in lines if _is_time(attempt.get("started"))]

    def lines(self, file: Path) -> Iterator[dict[str, Any]]:
        """The objects of a file to which lines are added; a torn or damaged line is left out."""
        try:
            lines = file.read_bytes().splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            try:
                one = json.loads(line)
            except ValueError:
                continue
            if isinstance(one, dict):
                yield one

    def confirmed_until(self, name: str) -> datetime | None:
        """When the last successful look at a board began, UTC, to the second; None before it."""
        for attempt in reversed(self.attempts(name)):
            if attempt.get("outcome") == "ok":
                return to_the_second(attempt["started"])
        return None

    # Bytes

    def blobs(self, board: Board, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of versions, streamed from one git process in the order of `ids`.

        Raises:
            StoreError: one is missing or damaged.
        """
        return self.objects(board).read(ids)

    # Writing

    def replace(self, path: Path, write: Callable[[Path], None]) -> None:
        """Replace a file in one step; see crawler.safe_files."""
        safe_files.replace(path, write)

    def append_line(self, path: Path, line: dict[str, Any]) -> None:
        """Append one JSON object to a file of lines; see crawler.safe_files."""
        safe_files.append_line(path, line)

    @contextmanager
    def lock_board(self, name: str) -> Iterator[None]:
        """Hold a board while its tables are written.

        Raises:
            Locked: another run holds it.
        """
        with safe_files.lock(self.folder(name), f"board {name!r}"):
            yield

    @contextmanager
    def lock_source(self, board: Board) -> Iterator[None]:
        """Hold the source of a board while it is fetched.

        Raises:
            Locked: another run holds it.
        """
        with safe_files.lock(self.source_folder(board), f"source of board {board.name!r}"):
            yield


def without_login(address: str) -> str:
    """An address without the name and password that may stand in it.

    >>> without_login("https://me:se@cret@example.org/a/b.git")
    'https://example.org/a/b.git'
    """
    return re.sub(r"^([A-Za-z][A-Za-z0-9+.-]*://)[^/]*@", r"\1", address)


def to_the_second(text: str) -> datetime:
    """A time of an attempt as everybody is told it, UTC.

    >>> to_the_second("2026-03-01T01:00:00.250000+01:00").isoformat()
    '2026-03-01T00:00:00+00:00'
    """
    return datetime.fromisoformat(text).astimezone(UTC).replace(microsecond=0)


def _is_time(text: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return False
