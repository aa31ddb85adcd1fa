"""Which columns do the two tables of the crawler have, and how is a table read?

What they mean stands in `history.frames` (versions), in Store.files (their files) and in
Store.commits (the published lines).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.objects import StoreError

if TYPE_CHECKING:
    import pyarrow as pa

# 1 had no `set`; 1 and 2 had no `pointer`, `not_before` and `seen_by`: all came by git, nothing of
# Git LFS was resolved, and each version was one file. Such tables are read as they are.
FORMAT = 3
_ADDED = {"set": None, "pointer": None, "not_before": None, "seen_by": "git"}


def read_table(
    path: Path, schema: pa.Schema, but: Sequence[str] = (), *, encoded: bool = False
) -> pa.Table:
    """A table of the store; empty if it was not written yet.

    Args:
        path: its file.
        schema: the columns that it has.
        but: columns that are not read.
        encoded: give texts as dictionaries, each of them once; ten times as fast for many rows.

    Raises:
        StoreError: it is damaged, or of a newer format.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = [name for name in schema.names if name not in but]
    if not path.exists():
        return schema.empty_table().select(wanted)
    try:
        # Opened once: the file may be replaced at any time.
        with pa.OSFile(str(path)) as source:
            said = pq.read_schema(source)
            names, notes = said.names, said.metadata or {}
            texts = [field.name for field in said if encoded and pa.types.is_string(field.type)]
            with pq.ParquetFile(source, read_dictionary=texts) as file:
                table = file.read([name for name in names if name not in but])
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None
    written = notes.get(b"ranktrail.format", b"").decode()
    if written not in [str(number) for number in range(1, FORMAT + 1)]:
        found = f"format {written or 'unknown'}; this version reads format {FORMAT}"
        raise StoreError(str(path), found, "Use the version of Ranktrail that wrote it")
    if int(written) < FORMAT:
        for name in wanted:
            if name in _ADDED and name not in names:
                column = pa.repeat(pa.scalar(_ADDED[name], schema.field(name).type), table.num_rows)
                is_text = encoded and pa.types.is_string(column.type)
                table = table.append_column(name, column.dictionary_encode() if is_text else column)
        names = table.schema.names
        table = table.select([name for name in wanted if name in names])
    if table.schema.names != wanted:
        raise _damaged(path, "other columns")
    return table


def notes_of(path: Path) -> dict[bytes, bytes]:
    """What stands in the metadata of a table; nothing if it was not written yet.

    Raises:
        StoreError: it is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.exists():
        return {}
    try:
        return pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, found: object) -> StoreError:
    name = "" if path.name == "commits.parquet" else f" {path.parent.name}"
    fix = f"Run `ranktrail crawl --repair{name}`"
    return StoreError(str(path), f"damaged table ({str(found).splitlines()[0]})", fix)


def files_schema() -> pa.Schema:
    """Columns of versions.parquet: a row per version and file."""
    import pyarrow as pa

    return versions_schema().append(pa.field("set", pa.string()))


def versions_schema() -> pa.Schema:
    """Columns of the versions of a board, a row each."""
    import pyarrow as pa

    time = pa.timestamp("us", tz="UTC")
    return pa.schema(
        [
            ("version", pa.int32()),
            ("commit", pa.string()),
            ("committed_at", time),
            ("authored_at", time),
            ("observed_at", time),
            ("position", pa.int32()),
            ("path", pa.string()),
            ("blob", pa.string()),
            ("size", pa.int64()),
            ("state", pa.string()),
            ("vanished", pa.bool_()),
            ("why", pa.string()),
            ("pointer", pa.string()),
            ("not_before", time),
        ]
    )


def one_per_version(files: pa.Table, paths: str) -> pa.Table:
    """The versions of a board of which each holds many files.

    Args:
        files: files_schema() without `path` and `blob`, texts encoded; rows in order of
            version.
        paths: what stands for the paths of all files.

    Returns:
        versions_schema(): `blob` is the id of the set, `size` the sum, and the version is
        published if one of its files is.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    ends = pc.run_end_encode(files["version"].combine_chunks()).run_ends.to_pylist()
    first = files.take(pa.array([0, *ends[:-1]][: len(ends)], pa.int64()))
    first = first.cast(pa.schema([files_schema().field(name) for name in first.column_names]))
    published = pc.equal(files["state"].cast(pa.string()), "published")
    every = pa.table({"version": files["version"], "size": files["size"], "published": published})
    sums = every.group_by("version", use_threads=False).aggregate(
        [("size", "sum"), ("published", "any")]
    )
    seen = sums["published_any"]
    made = {name: first[name] for name in first.column_names} | {
        "path": pa.array([paths] * len(ends), pa.string()),
        "blob": first["set"],
        "size": sums["size_sum"],
        "state": pc.if_else(seen, "published", first["state"]),
        "why": pc.if_else(seen, pa.scalar(None, pa.string()), first["why"]),
    }
    return pa.table([made[name] for name in versions_schema().names], schema=versions_schema())


def commits_schema() -> pa.Schema:
    """Columns of commits.parquet."""
    import pyarrow as pa

    time = pa.timestamp("us", tz="UTC")
    return pa.schema(
        [
            ("branch", pa.string()),
            ("commit", pa.string()),
            ("parents", pa.list_(pa.string())),
            ("position", pa.int32()),
            ("committed_at", time),
            ("authored_at", time),
            ("observed_at", time),
            ("vanished", pa.bool_()),
            ("seen_by", pa.string()),
            ("not_before", time),
        ]
    )
