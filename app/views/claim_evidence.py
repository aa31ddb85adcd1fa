"""Where does each number of a verdict stand?

In: evidence as in the JSON of `check`. Out: its table, or lines, with links to commit and file.
Start at table().
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from app.given import gap_text
from app.links import Links, is_web, links_of
from app.views import answers, claims_of
from app.views.texts import escaped, say
from app.wording import short
from crawler.errors import RanktrailError
from history.claims.language.claim import Claim
from history.claims.language.files import read_file

Cell = Mapping[str, Any]
MOST = 40
LABELS = (
    "*measured*: read from the file at that commit. *reported*: somebody's statement, or a "
    "reconstruction. *reasoned*: computed from the other two."
)
NOWHERE = "-"


def show(claim: Claim, found: Mapping[str, Any]) -> None:
    """The numbers that a verdict rests on, and the files that they stand in."""
    st.subheader("Evidence", anchor=False)
    rows = found["evidence"]
    if not rows:
        say("No number could be read.")
        return
    st.table(table(rows[:MOST], gap_text(dict(found))), border="horizontal", hide_index=True)
    if len(rows) > MOST:
        st.caption(f"The first {MOST} of {len(rows)} cells; the JSON below has them all.")
    st.caption(f"{LABELS} A link opens the commit, or the file as it was at it.")
    _own_files(claim)


def table(rows: Sequence[Cell], gap: str) -> pd.DataFrame:
    """Evidence as a table whose cells are Markdown.

    Args:
        rows: as in the JSON of `check`.
        gap: what is said of an entry whose number is not there.
    """
    known = {name: _links(name) for name in {one["board"] for one in rows} if name}
    return pd.DataFrame(
        {
            "Label": [one["label"] for one in rows],
            "Entry": [escaped(one["entry"] or NOWHERE) for one in rows],
            "Field": [escaped(one["field"] or NOWHERE) for one in rows],
            "Printed": [_printed(one, gap) for one in rows],
            "Board": [escaped(one["board"] or NOWHERE) for one in rows],
            "Commit": [_commit(one, known.get(one["board"])) for one in rows],
            "Of (UTC)": [_time(one["committed_at"]) for one in rows],
            "File": [_file(one, known.get(one["board"])) for one in rows],
            "Place in it": [escaped(one["pointer"] or NOWHERE) for one in rows],
        }
    )


def line(one: Cell, gap: str) -> str:
    """One cell of evidence as a line of Markdown."""
    links = _links(one["board"]) if one["board"] else None
    words = [escaped(text) for text in (one["entry"], one["field"]) if text]
    said = f"{one['label']}: {' '.join([*words, _printed(one, gap)])}"
    where = [escaped(one["board"])] if one["board"] else []
    where += [f"commit {_commit(one, links)}"] if one["commit"] else []
    where += [_file(one, links)] if one["path"] else []
    return f"{said} ({', '.join(where)})" if where else said


def _printed(one: Cell, gap: str) -> str:
    if one["text"] is not None:
        return f"**{escaped(one['text'])}**"
    return gap if one["entry"] else "as a whole"


def _links(board: str) -> Links | None:
    """Where commits of a board can be seen; a board that another store held is in none."""
    try:
        return links_of(answers.store().board(board).source)
    except RanktrailError:
        return None


def _commit(one: Cell, links: Links | None) -> str:
    if not one["commit"]:
        return NOWHERE
    return linked(f"`{short(one['commit'])}`", links.commit(one["commit"]) if links else None)


def _file(one: Cell, links: Links | None) -> str:
    if not one["path"]:
        return NOWHERE
    page = one["path"] if is_web(one["path"]) else None
    if links and one["commit"]:
        page = links.file(one["commit"], one["path"])
    return linked(escaped(one["path"]), page)


def linked(words: str, page: str | None) -> str:
    """Words, already Markdown, that lead to a page if there is one."""
    if page is None:
        return words
    signs = {"(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", " ": "%20"}
    return f"[{words}]({''.join(signs.get(sign, sign) for sign in page)})"


def _time(text: str | None) -> str:
    return NOWHERE if text is None else f"{text[:10]} {text[11:16]}"


def _own_files(claim: Claim) -> None:
    """The tables that a claim of the claims file brought along: they lie beside that file."""
    folder = claims_of.folder()
    named = dict.fromkeys(leaf.table.partition("#")[0] for leaf in claim.leaves if leaf.table)
    for name in named:
        if folder is None or Path(name).is_absolute() or ".." in Path(name).parts:
            continue
        try:
            data = read_file(Path(folder, name))
        except (OSError, ValueError):
            continue  # it has gone since it was read
        st.download_button(
            f"Download {escaped(name)}", data, Path(name).name, "text/plain", on_click="ignore"
        )
