"""Tables in which every kind of finding is easy to make, and how to ask what is found in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.history.audit.audits import audit_of, csv, told

SEVEN = ("ash,81.5", "bay,74.2", "cob,66.9", "elm,59.3", "fir,52.8", "hop,47.1", "ivy,40.6")
PARTS = """
[table]
entry = "model"
score = "score"
direction = "higher"
[table.parts]
a = "a"
b = "b"
"""
WITH_PARTS = "model,score,a,b"
RANKED = """
[table]
entry = "model"
score = "score"
direction = "higher"
published_rank = "rank"
"""
INTERVALS = """
[table]
entry = "model"
score = "score"
direction = "higher"
low = "l"
high = "h"
items = "n"
"""
LOWER = """
[table]
entry = "model"
score = "score"
direction = "lower"
"""


def seven(**changes: str) -> str:
    """The seven rows with some scores changed; "" takes the row out."""
    rows = [row.split(",") for row in SEVEN]
    scores = {name: changes.pop(name, score) for name, score in rows} | changes
    return csv(*(f"{name},{score}" for name, score in scores.items() if score))


def what_is_found(
    folder: Path, files: Sequence[str], table: str | None
) -> list[tuple[int, str, str | None, str]]:
    """The smells of versions of a file; without a table it is the usual one."""
    more = {} if table is None else {"table": table}
    return told(audit_of(folder, *files, **more))
