"""What does the second process do, that reads at the same time as the first?

In: a line that names a store, a board and a version; the versions, in a folder. Out: Parts, as
files beside them. Start at main(). Nobody imports this module: `history.scores.bulk` runs it as a
command.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from functools import partial
from pathlib import Path
from threading import Thread

from crawler.store import Store
from history.meaning import read_meaning
from history.scores.bulk import SharedFiles
from history.scores.light_start import without_pandas
from history.scores.parts import no_collecting, read_parts


def main(folder: str) -> None:
    """Be the second process: read the versions of a board from one on, into a folder."""
    without_pandas()
    from history.scores import derived  # noqa: F401  # loads what takes long, before there is work

    told = _line()
    if not told:  # the first process has ended
        shutil.rmtree(folder, ignore_errors=True)
        return
    Thread(target=_end_with_the_first, args=(folder,)).start()
    root, name, start = json.loads(told)
    try:
        _read_into(SharedFiles(Path(folder)), Store(Path(root)), name, start)
    finally:
        os.close(sys.stdout.fileno())  # nothing more is to come


def _line() -> bytes:
    """What the first process says; byte by byte, as what follows is waited for by a thread."""
    line = b""
    while (one := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        line += one
    return line


def _read_into(files: SharedFiles, store: Store, name: str, start: int) -> None:
    import pyarrow.parquet as pq

    from history.scores import derived

    board = store.board(name)
    meaning = read_meaning(board)
    if not derived.made_by(files.versions, meaning):
        return
    versions = pq.ParquetFile(files.versions).read()
    stop, step = versions.num_rows, partial(os.write, sys.stdout.fileno(), b".")
    readings = []
    with no_collecting():
        for part in read_parts(store, board, meaning, versions, start, stop, step):
            derived.write_apart(files.scores(part.number), part.scores, meaning)
            readings.append(part.readings)
        derived.write_apart(files.readings, derived.joined(readings), meaning)


def _end_with_the_first(folder: str) -> None:
    """Wait until the first process has ended, however that came; then leave nothing behind."""
    os.read(sys.stdin.fileno(), 1)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
