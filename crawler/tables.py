"""Which columns do the two tables of the crawler have?

What they mean stands in `history.frames` (versions) and in Store.commits (the published lines).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def versions_schema() -> pa.Schema:
    """Columns of versions.parquet."""
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
        ]
    )


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
        ]
    )
