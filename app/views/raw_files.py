"""Which bytes were published in a version, whether or not they can be read?

In: a board and a version. Out: its files as downloads, and how each begins, as text. Start at
show().
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

import pandas as pd
import streamlit as st

from app.charts.style import utc
from app.tables import clean
from app.views import answers, commits
from app.views.answers import Stamp
from app.views.texts import escaped
from history.pipeline import BoardHistory

MOST_FILES = 10  # of a version of a board with a file per entry
LINES, LETTERS = 20, 160  # of the beginning that is shown
HEAD = 20_000  # bytes that are looked at for it
MISSING = {
    "absent": "There was no file.",
    "pointer": "Only a Git LFS pointer is stored, not the file that it stands for.",
    "no_access": "The file may not be fetched: access to it was refused.",
    "unavailable": "The file could not be fetched.",
}


@dataclass(frozen=True)
class Held:
    """One file of a version.

    Attributes:
        path: in the repository. blob: object id of the bytes; None where there are none.
        size: bytes. state, why: as in VERSIONS.
    """

    path: str
    blob: str | None
    size: int | None
    state: str
    why: str


def show(board: BoardHistory, version: int) -> None:
    """What could not be read of a version, and its bytes."""
    row = board.reading(version)
    commit = commits.linked(board, row["commit"])
    at = utc(row["at"])
    st.markdown(f"{at}, commit {commit}: {escaped(str(row['found'] or row['reason'] or ''))}")
    files = held(board.name, version)
    for file in files[:MOST_FILES]:
        _file(board, row["commit"], file)
    if len(files) > MOST_FILES:
        st.caption(f"The first {MOST_FILES} of {len(files)} files of this version.")


def _file(board: BoardHistory, commit: str, file: Held) -> None:
    said = MISSING.get(file.state)
    if said:
        why = f" {escaped(file.why)}" if file.why else ""
        st.markdown(f"{commits.linked(board, commit, file.path)}: {said}{why}")
    if file.blob is None:
        return
    size = "size not known" if file.size is None else f"{file.size:,} bytes"
    if not said:
        st.markdown(f"{commits.linked(board, commit, file.path)}, {size}, as published:")
    begin = answers.attempt_quietly(partial(beginning, board.name, file.blob))
    if begin is None:
        st.warning("The bytes are not in the store, or damaged. Run `ranktrail verify`.")
        return
    if begin:
        st.code(begin, language=None, wrap_lines=True)  # whole: no key scrolls a box of it
        st.caption("The beginning, as text; nothing of it is shown as anything else.")
    else:
        st.caption("This is no text, so nothing of it is shown.")
    st.download_button(
        f"Download the file ({size})",
        partial(content, board.name, file.blob),
        f"{commit[:8]}-{PurePosixPath(file.path).name}",
        "application/octet-stream",
        key=f"raw {commit} {file.path}",
        on_click="ignore",
    )


def held(name: str, version: int) -> list[Held]:
    """The files of a version, by path."""
    return _held(name, answers.stamp(name), version)


@st.cache_data(max_entries=64, show_spinner=False)
def _held(name: str, stamp: Stamp, version: int) -> list[Held]:
    table = answers.store().files(name, [version])
    rows = table.to_pylist()
    return [
        Held(
            str(row["path"]),
            row["blob"] or None,
            row["size"],
            str(row["state"]),
            str(row.get("why") or ""),
        )
        for row in sorted(rows, key=lambda row: str(row["path"]))
    ]


def content(name: str, blob: str) -> bytes:
    """The bytes of a file, as they were published.

    Raises:
        StoreError: they are missing or damaged.
    """
    store = answers.store()
    ((_, data),) = store.objects(store.board(name)).read([blob])
    return data


@st.cache_data(max_entries=64, show_spinner=False)
def beginning(name: str, blob: str) -> str:
    """How a file begins, as text that steers nothing; "" for one that is no text."""
    return as_text(content(name, blob)[:HEAD])


def as_text(data: bytes) -> str:
    r"""The first lines of a text; "" for bytes that are none.

    >>> as_text(b"a,b\n\x1b[31mred,1\n")
    'a,b\n\\x1b[31mred,1'
    >>> as_text(b"PAR1\x00\x15")
    ''
    """
    if b"\x00" in data:
        return ""
    lines = data.decode("utf-8-sig", "replace").splitlines()[:LINES]
    return "\n".join(
        clean(line[:LETTERS]) + ("..." if len(line) > LETTERS else "") for line in lines
    )


def listed(board: BoardHistory) -> pd.DataFrame:
    """The versions that cannot be read, newest first: version, at, commit, reason, found, size."""
    readings = board.readings
    bad = readings[readings["reading"] == "unreadable"].iloc[::-1]
    columns = ["version", "at", "commit", "path", "reason", "found", "size", "state"]
    return bad[columns].reset_index(drop=True)
