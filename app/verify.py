"""Is everything in the store still what was saved?

In: a store. Out: a Checked per board, with a sentence for each damage. Start at verify().
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.jobs import boards_of
from crawler.board import Board
from crawler.store import Store, StoreError


@dataclass
class Checked:
    """What verify found of one board.

    Attributes:
        board: its name.
        versions, blobs: how many were checked.
        damage: a sentence for each thing that is not as it was saved.
        stale: the derived files belong to another definition; they are not used.
    """

    board: str
    versions: int = 0
    blobs: int = 0
    damage: list[str] = field(default_factory=list)
    stale: bool = False


class _Apart(Store):
    """A store whose derived files are kept in another folder; the rest is the store's own."""

    def __init__(self, root: Path, derived: Path):
        super().__init__(root)
        self.derived = derived

    def readings_file(self, name: str) -> Path:
        return self.derived / name / "readings.parquet"

    def scores_dir(self, name: str) -> Path:
        return self.derived / name / "scores.parquet"


def verify(store: Store, names: Sequence[str] = ()) -> list[Checked]:
    """Compare a store with its own digests.

    Every file of every version is read again and hashed against its git id, looked up in
    its commit, and every derived table is compared with what deriving it again gives.

    Raises:
        UnknownBoard, BoardError: a name or a definition is wrong.
    """
    return [_check(store, board) for board in boards_of(store, names)]


def _check(store: Store, board: Board) -> Checked:
    checked = Checked(board.name)
    try:
        store.refuse_other_source(board)
        versions = store.files(board.name).to_pandas()
        store.refuse_lost_line(board, store.commits(board))
    except StoreError as error:
        checked.damage.append(str(error))
        return checked
    checked.versions = versions["version"].nunique()
    saved = versions[versions["blob"].notna() & versions["state"].isin(["published", "pointer"])]
    if versions.empty:
        if store.confirmed_until(board.name) is not None and _said_versions(store, board.name):
            where = store.versions_file(board.name)
            checked.damage.append(f"{where}: missing, though versions were saved. Crawl again")
        return checked
    ids = list(dict.fromkeys(saved["blob"]))
    checked.blobs = len(ids)
    checked.damage += _check_blobs(store, board, ids)
    checked.damage += _check_commits(store, board, saved)
    if not checked.damage:
        checked.damage += _check_derived(store, board, checked)
    return checked


def _said_versions(store: Store, name: str) -> bool:
    return any(attempt.get("new") for attempt in store.attempts(name))


def _check_blobs(store: Store, board: Board, ids: list[str]) -> Iterator[str]:
    """Read every file again; what cannot be read, or hashes to another id, is named."""
    rest = ids
    while rest:
        read = 0
        try:
            for blob, data in store.blobs(board, rest):
                read += 1
                if blob_id(data, len(blob)) != blob:
                    yield f"{store.source_folder(board)}, object {blob}: other bytes than saved"
            return
        except StoreError as error:
            broken = rest[read]
            text = str(error)
            yield text if broken in text else f"object {broken}: {text}"
            rest = rest[read + 1 :]


def blob_id(data: bytes, digits: int = 40) -> str:
    """The id that git gives to a file's bytes.

    >>> blob_id(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    hasher = hashlib.sha256 if digits == 64 else hashlib.sha1
    return hasher(b"blob %d\0" % len(data) + data).hexdigest()


def _check_commits(store: Store, board: Board, saved: Any) -> Iterator[str]:
    """Each version must be what its commit has at its path."""
    where = store.versions_file(board.name)
    asked = [f"{c}:{p}" for c, p in zip(saved["commit"], saved["path"], strict=True)]
    given = "".join(f"{name}\n" for name in asked).encode()
    try:
        answer = store.objects(board).run("cat-file", "--batch-check=%(objectname)", given=given)
    except StoreError as error:
        yield str(error)
        return
    found = answer.decode("utf-8", "replace").splitlines()
    for name, blob, there in zip(asked, saved["blob"], found, strict=True):
        if there != blob:
            yield f"{where}: {name} is saved as {blob}, the commit has {there.split()[-1]}"


def _check_derived(store: Store, board: Board, checked: Checked) -> Iterator[str]:
    """Derive everything again, apart, and compare the tables."""
    from history import meaning, scores
    from history.scores import derived

    meant = meaning.read_meaning(board)
    readings = store.readings_file(board.name)
    if _is_whole(readings) and not derived.made_by(readings, meant):
        checked.stale = True  # nobody reads such tables; the next crawl makes them anew
        return
    with tempfile.TemporaryDirectory(prefix="ranktrail-verify-") as folder:
        apart = _Apart(store.root, Path(folder))
        scores.derive(apart, board, meant, everything=True)
        pairs = [(readings, apart.readings_file(board.name))]
        again = {file.name: file for file in apart.scores_dir(board.name).glob("*.parquet")}
        kept = {file.name: file for file in store.scores_dir(board.name).glob("*.parquet")}
        pairs += [
            (store.scores_dir(board.name) / name, apart.scores_dir(board.name) / name)
            for name in sorted(again.keys() | kept.keys())
        ]
        for file, fresh in pairs:
            found = _difference(file, fresh)
            if found:
                yield f"{file}: {found}. Run `ranktrail rebuild {board.name}`"


def _is_whole(file: Path) -> bool:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.read_metadata(file)
    except (OSError, pa.ArrowException):
        return False
    return True


def _difference(file: Path, fresh: Path) -> str | None:
    """What is wrong with a derived table, beside the one that was derived again."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not file.exists():
        return "missing"
    if not fresh.exists():
        return "belongs to no version"
    try:
        table = pq.read_table(file, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        return f"damaged table ({str(error).splitlines()[0]})"
    other = pq.read_table(fresh, partitioning=None)
    if not _plain(table).equals(_plain(other)):
        return "differs from what the saved bytes give"
    return None


def _plain(table: Any) -> Any:
    """A table without dictionaries: their order says nothing."""
    import pyarrow as pa

    for i, column in enumerate(table.schema):
        if pa.types.is_dictionary(column.type):
            cast = table.column(i).cast(column.type.value_type)
            table = table.set_column(i, column.name, cast)
    return table
