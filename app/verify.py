"""Is everything in the store still what was saved?

In: a store. Out: a Checked per board, with a sentence for each damage. Start at verify(). What was
crawled is looked at by `crawler.repair.damage`; what was derived from it is derived again, apart.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.jobs import boards_of, damage_of
from crawler.board import Board
from crawler.store import Store, StoreError
from crawler.work import Work


@dataclass
class Checked:
    """What verify found of one board.

    Attributes:
        board: its name.
        versions, blobs: how many were checked.
        damage: a sentence for each thing that is not as it was saved.
        remarks: what is odd and cost nothing.
        stale: the derived files belong to another definition; they are not used.
    """

    board: str
    versions: int = 0
    blobs: int = 0
    damage: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
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


def verify(store: Store, names: Sequence[str] = (), work: Work | None = None) -> list[Checked]:
    """Compare a store with its own digests.

    Args:
        store: the store.
        names: boards; none: all.
        work: told how far it is.

    Raises:
        UnknownBoard, BoardError: a name or a definition is wrong.
    """
    work = work or Work()
    return [_check(store, board, work.of(board.name)) for board in boards_of(store, names)]


def _check(store: Store, board: Board, work: Work) -> Checked:
    found = damage_of(store, board, work)
    checked = Checked(board.name, found.versions, found.blobs, found.damage, found.remarks)
    if found.versions:
        try:
            checked.damage += _check_derived(store, board, checked, work)
        except StoreError as error:
            if not found.damage:  # else that is why
                checked.damage.append(str(error))
    return checked


def _check_derived(store: Store, board: Board, checked: Checked, work: Work) -> Iterator[str]:
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
        scores.derive(apart, board, meant, work, everything=True)
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
