"""Which file does `audit --file` mean, and what is found in it?

In: a path that somebody typed. Out: what history.unpublished says. Start at audit_file(). The
file is read and nothing of it is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.faults import UsageProblem

if TYPE_CHECKING:
    from history.pipeline import BoardHistory
    from history.unpublished import Unpublished

MAX_BYTES = 64 * 1024 * 1024  # twice what any format is read up to


def audit_file(history: BoardHistory, file: Path) -> Unpublished:
    """Audit a file by a board's definition, as if it were published next.

    Raises:
        UsageProblem: there is no such file, or the board reads many files.
    """
    from history import unpublished

    data = bytes_of(file)
    if history.board.file_per_entry:
        raise UsageProblem(
            f"--file {file}: each file of {history.name} holds one entry, so that one is no board. "
            "Commit it to a branch of its own and crawl that."
        )
    return unpublished.audit_file(history, str(file), data)


def bytes_of(file: Path) -> bytes:
    """The bytes of a file.

    Raises:
        UsageProblem: there is none, or it is no file.
    """
    if not file.exists():
        raise UsageProblem(f"--file {file}: there is no such file. Give the path of one.")
    if not file.is_file():
        what = "a folder" if file.is_dir() else "no regular file"
        raise UsageProblem(f"--file {file}: this is {what}. Give the path of a file.")
    if (size := file.stat().st_size) > MAX_BYTES:
        raise UsageProblem(
            f"--file {file}: {size:,} bytes, at most {MAX_BYTES:,} are read. Give a smaller one."
        )
    return file.read_bytes()
