"""What does an audit look like as JSON?

In: a BoardHistory and its Audit. Out: the document of `audit`. Start at audit().
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from history.records.records import Record, about, column, plain
from history.times import time_text

if TYPE_CHECKING:
    from history.audit.audit import Audit
    from history.moments import Moment
    from history.pipeline import BoardHistory


def audit(
    board: BoardHistory,
    found: Audit,
    moment: Moment | None = None,
    ignored: Collection[str] = (),
) -> Record:
    """The document of `audit`.

    Args:
        board: the board.
        found: what was found in its whole history.
        moment: only its version; None: all.
        ignored: kinds of findings to leave out.
    """
    wanted = found.smells[~found.smells["kind"].isin(list(ignored))]
    smells = _by_version(wanted, ("kind", "entry", "pointer", "found"))
    ranks = _by_version(found.published, ("entry", "published", "computed", "contradicts"))
    scores = _by_version(found.formula, ("entry", "text", "computed", "off", "pointer", "fits"))
    readings = board.readings
    if moment is not None:
        readings = readings[readings["version"] == moment.version]
    versions = [
        {
            "commit": str(commit),
            "committed_at": time_text(committed_at),
            "reading": reading,
            "reason": plain(reason),
            "formula": _formula(scores.get(number, [])),
            "published_rank": _published(ranks.get(number, [])),
            "tie_rule": {"fits": None},
            "smells": smells.get(number, []),
        }
        for number, commit, committed_at, reading, reason in zip(
            *(
                readings[name].tolist()
                for name in ("version", "commit", "committed_at", "reading", "reason")
            ),
            strict=True,
        )
    ]
    return {
        "board": board.name,
        "ignored": sorted(ignored),
        "versions": versions,
        **about(board),
    }


def _by_version(frame: pd.DataFrame, names: tuple[str, ...]) -> Mapping[int, list[Record]]:
    rows: dict[int, list[Record]] = {}
    columns = [column(frame, name) for name in names]
    for version, *cells in zip(frame["version"].tolist(), *columns, strict=True):
        rows.setdefault(version, []).append(dict(zip(names, cells, strict=True)))
    return rows


def _published(rows: list[Record]) -> Record:
    """Whether no published rank contradicts its score; the rows that differ in any way."""
    if not rows:
        return {"ok": None, "rows": []}
    differ = [row for row in rows if row["published"] != row["computed"]]
    return {"ok": not any(row["contradicts"] for row in rows), "rows": differ}


def _formula(rows: list[Record]) -> Record:
    """Whether the formula can give every score; the rows of which it cannot."""
    if not rows:
        return {"ok": None, "worst": None, "rows": []}
    wrong: list[dict[str, Any]] = [
        {name: row[name] for name in ("entry", "text", "computed", "off", "pointer")}
        for row in rows
        if not row["fits"]
    ]
    return {"ok": not wrong, "worst": max(row["off"] for row in rows), "rows": wrong}
