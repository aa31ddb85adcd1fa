"""Can these bytes be a board's file at all?

In: a Meaning and the bytes of one file. Out: why not, or None. Start at why_not(). Of a file in a
repository every state is a version, also one that cannot be read. What comes from an address may
be an error page, a login page or a file that was cut off instead: it is asked here first.
"""

from __future__ import annotations

from history import readers
from history.meaning import Meaning
from history.readers import File
from history.readers.folder import FileRows, FolderDocument
from history.readings.readings import Reading, TableReader
from history.readings.stages import Stages

_LINES = frozenset({"csv", "tsv", "jsonl", "markdown"})  # what is cut off of them still parses


def why_not(meaning: Meaning, path: str, data: bytes) -> str | None:
    """Why bytes cannot be the file of a board, by its definition at any time.

    Args:
        meaning: the definition before any of its [[since]] holds.
        path: the file's name.
        data: what came.

    Returns:
        Reason and what stands there; None if at least one stage of the definition can read it.
    """
    why: str | None = None
    for stage in Stages(meaning).all():
        said = _read(stage, path, data)
        if said.reading != "unreadable":
            return _cut_off(stage, path, data, said)
        why = why or f"{said.reason}: {said.found}"
    return why


def _read(meaning: Meaning, path: str, data: bytes) -> Reading:
    reader, columns = TableReader(meaning), meaning.table
    if not meaning.board.file_per_entry:
        return reader.read(path, data)
    rows = FileRows(lambda: File(path, data).document(columns.format), columns.rows)
    if rows.trouble is not None:
        return Reading("unreadable", "no_table", rows.trouble)
    return reader.read_folder(FolderDocument([(path, rows)]))


def _cut_off(meaning: Meaning, path: str, data: bytes, said: Reading) -> str | None:
    """Whether nothing is wrong but the last line, and that has no end."""
    format_ = meaning.table.format or readers.format_of(path)
    head, end, _ = data.rpartition(b"\n")
    if said.reading != "partial" or format_ not in _LINES or not end or data.endswith(b"\n"):
        return None
    if _read(meaning, path, head + end).reading != "read":
        return None
    return f"cut off: its last line has no end ({said.found})"
