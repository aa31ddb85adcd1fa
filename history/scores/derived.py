"""How are READINGS and SCORES kept on disk?

In: a Store. Out: Arrow tables. Start at stored(). Every file carries the digest of the definition
and reader that made it; one with another digest, or a damaged one, counts as not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from crawler.store import FORMAT, Store, StoreError
from history.meaning import Meaning
from history.readings import Reading
from history.readings.remarks import Remark, kept

if TYPE_CHECKING:
    import pandas as pd

PART = 1_000
DIGEST = b"ranktrail.digest"
# Small enough that one version is found without reading its whole part.
ROW_GROUP = 32_000

_REMARK = pa.struct([(name, pa.string()) for name in Remark._fields])
_REMARKS = pa.list_(pa.field("element", _REMARK))  # as Parquet names it
READINGS_SCHEMA = pa.schema(
    [
        ("version", pa.int32()),
        ("commit", pa.string()),
        ("path", pa.string()),
        ("blob", pa.string()),
        ("reading", pa.string()),
        ("reason", pa.string()),
        ("found", pa.string()),
        ("edition", pa.string()),
        ("band", pa.string()),
        ("rows_pointer", pa.string()),
        ("n_listed", pa.int64()),
        ("stage", pa.string()),
        ("remarks", _REMARKS),
    ]
)


@dataclass(frozen=True)
class Derived:
    """READINGS of the first versions of a board, and their SCORES.

    Attributes:
        readings: a row per version.
        parts: SCORES, as files of 1,000 versions each or as tables.
    """

    readings: pa.Table
    parts: tuple[Path | pa.Table, ...]


def stored(store: Store, meaning: Meaning, versions: pa.Table) -> Derived | None:
    """What is on disk; None if there is nothing that this definition and reader made."""
    name = meaning.board.name
    file = store.readings_file(name)
    if not made_by(file, meaning):
        return None
    try:
        readings = store.read_table(file, READINGS_SCHEMA)
    except StoreError:
        return None
    size = readings.num_rows
    of_these = ["commit", "path", "blob"]  # the definition may have come to name another file
    if not readings.select(of_these).equals(versions.select(of_these)[:size]):
        return None
    parts = [part_file(store, name, number) for number in range(-(-size // PART))]
    if not all(made_by(part, meaning) for part in parts):
        return None
    return Derived(readings, tuple(parts))


def part_file(store: Store, name: str, number: int) -> Path:
    """Where the SCORES of versions 1000*number and on stand."""
    return store.scores_dir(name) / f"part-{number:05}.parquet"


def drop_parts(store: Store, name: str, size: int) -> None:
    """Remove the parts beyond the last version: whoever reads the folder as it is would see them."""
    needed = {part_file(store, name, number) for number in range(-(-size // PART))}
    for file in set(store.scores_dir(name).glob("part-*.parquet")) - needed:
        file.unlink()


def write(store: Store, file: Path, table: pa.Table, meaning: Meaning) -> None:
    """Replace one derived file of the store."""
    store.replace(file, lambda place: write_apart(place, table, meaning))


def write_apart(place: Path, table: pa.Table, meaning: Meaning) -> None:
    """Write one derived file outside the store, where nothing waits for the disk."""
    marked = table.replace_schema_metadata(
        {b"ranktrail.format": str(FORMAT).encode(), DIGEST: meaning.digest.encode()}
    )
    texts = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
    pq.write_table(
        marked, place, compression="zstd", row_group_size=ROW_GROUP, use_dictionary=texts
    )


def read_part(
    part: Path | pa.Table, columns: Sequence[str] | None, versions: Sequence[int] | None = None
) -> pa.Table:
    """Some columns and versions of one part; None for all.

    Raises:
        StoreError: the file is damaged.
    """
    only = None if versions is None else pc.field("version").isin(pa.array(versions, pa.int32()))
    if isinstance(part, pa.Table):
        table = part if columns is None else part.select(columns)
        return table if only is None else table.filter(only)
    try:
        return pq.read_table(part, columns=columns, filters=only, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        said = str(error).splitlines()[0]
        fix = f"Run `ranktrail rebuild {part.parent.parent.name}`"
        raise StoreError(str(part), f"damaged table ({said})", fix) from None


def before(table: pa.Table, version: int) -> pa.Table:
    """The rows of earlier versions: a killed run may have left later ones in the last part."""
    if not table.num_rows or table["version"][-1].as_py() < version:
        return table
    return table.filter(pc.field("version") < version)


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Tables with the same columns, one after the other.

    Numbers that are texts in one of them, for their length, become texts in all.
    """
    wide = {
        field.name for table in tables for field in table.schema if pa.types.is_string(field.type)
    }
    same = []
    for table in tables:
        for place, field in enumerate(table.schema):
            if field.name in wide and pa.types.is_integer(field.type):
                table = table.set_column(place, field.name, table[field.name].cast(pa.string()))
        same.append(table.replace_schema_metadata(None))
    return pa.concat_tables(same).unify_dictionaries()


def readings_row(version: Mapping[str, Any], reading: Reading, stage: str) -> dict[str, Any]:
    """READINGS of one version."""
    return {
        "version": version["version"],
        "commit": version["commit"],
        "path": version["path"],
        "blob": version["blob"],
        "reading": reading.reading,
        "reason": reading.reason,
        "found": reading.found,
        "edition": reading.edition,
        "band": reading.band,
        "rows_pointer": reading.pointer,
        "n_listed": None if reading.reading == "unreadable" else len(reading.entries),
        "stage": stage,
        "remarks": [one._asdict() for one in kept(reading.remarks)],
    }


def readings_table(rows: list[dict[str, Any]]) -> pa.Table:
    """READINGS of some versions."""
    return pa.Table.from_pylist(rows, READINGS_SCHEMA)


def frame(table: pa.Table) -> pd.DataFrame:
    """A table as a frame: whole numbers with gaps as Int64, long ones as Python's.

    Remarks stay Arrow's until somebody looks at them: a long history has millions.
    """
    import pandas as pd

    types = {pa.int64(): pd.Int64Dtype(), _REMARKS: pd.ArrowDtype(_REMARKS)}
    made = table.to_pandas(types_mapper=types.get)
    for field in table.schema:
        if field.name.endswith(".ticks") and pa.types.is_string(field.type):
            whole = [pd.NA if pd.isna(text) else int(text) for text in made[field.name]]
            made[field.name] = pd.Series(whole, index=made.index, dtype=object)
    return made


def made_by(file: Path, meaning: Meaning) -> bool:
    """Whether this definition and reader made a file; False for one that cannot be read."""
    try:
        metadata = pq.read_metadata(file).metadata or {}
    except (OSError, pa.ArrowException):
        return False
    return bool(metadata.get(DIGEST) == meaning.digest.encode())
