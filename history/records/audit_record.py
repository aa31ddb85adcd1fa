"""What does an audit look like as JSON?

In: a BoardHistory and its Audit. Out: the document of `audit`. Start at audit(); unpublished() is
that of a file which is not published yet.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import pandas as pd

from history.editions.comparable import transitions
from history.records import edition_record
from history.records.records import Record, about, column, plain
from history.times import time_text

if TYPE_CHECKING:
    from history.audit.audit import Audit
    from history.moments import Moment
    from history.pipeline import BoardHistory
    from history.ties import Inference
    from history.unpublished import Unpublished


_SMELL = ("kind", "entry", "pointer", "found")
_RANK = ("entry", "published", "computed", "contradicts")


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
    smells = _by_version(wanted, _SMELL)
    ranks = _published(found.published)
    scores = _by_version(found.formula, edition_record.FIELDS)
    readings = board.readings
    if moment is not None:
        readings = readings[readings["version"] == moment.version]
    versions = [
        {
            "commit": str(commit),
            "committed_at": time_text(committed_at),
            "reading": reading,
            "reason": plain(reason),
            "formula": edition_record.formula(
                scores.get(number, []),
                board.meaning_at(number),
                board.file_values.get(number),
                reading,
            ),
            "published_rank": ranks.get(number) or _not_published(),
            "tie_rule": tie_rule(found.tie_rules.get(number)),
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
        "editions": _editions(board, moment),
        **about(board),
    }


def unpublished(board: BoardHistory, file: Unpublished, ignored: Collection[str] = ()) -> Record:
    """The document of `audit --file`: that of `audit` with one version, which has no commit.

    Args:
        board: whose definition it was read by.
        file: what was found.
        ignored: kinds of findings to leave out.
    """
    smells, scores = (
        _by_version(frame, names).get(file.version, [])
        for frame, names in (
            (file.found.smells, _SMELL),
            (file.found.formula, edition_record.FIELDS),
        )
    )
    ranks = _published(file.found.published)
    reading, where = file.reading, {"path": file.path}
    formula = edition_record.formula(scores, file.meaning, file.values, reading.reading)
    version = {
        "commit": None,
        "committed_at": None,
        **where,
        "reading": reading.reading,
        "reason": reading.reason,
        "formula": formula | {"rows": [row | where for row in formula["rows"]]},
        "published_rank": ranks.get(file.version) or _not_published(),
        "tie_rule": tie_rule(file.found.tie_rules.get(file.version)),
        "smells": [
            one | where | {"pointer": one["pointer"] or reading.pointer or ""}
            for one in smells
            if one["kind"] not in ignored
        ],
    }
    against = None if file.against is None else board.reading(file.against)
    edition = file.edition
    return {
        "board": board.name,
        "file": file.path,
        "against": None
        if against is None
        else {
            "commit": str(against["commit"]),
            "committed_at": time_text(against["committed_at"]),
            "edition": plain(against["edition"]),
        },
        "edition": reading.edition,
        "changed": list(file.changed),
        "entries": len(reading.entries),
        "ignored": sorted(ignored),
        "versions": [version],
        "editions": [] if edition is None else [_without_own(edition_record.edition(edition))],
        **about(board),
    }


def _without_own(edition: Record) -> Record:
    """An edition that the file begins or goes on with; the file itself has no commit."""
    commits = {name: edition[name] or None for name in ("first_commit", "last_commit")}
    return edition | commits


def _editions(board: BoardHistory, moment: Moment | None) -> list[Record]:
    """All editions, each against the one before; of one moment, its own."""
    if moment is None:
        return edition_record.editions(board.editions.runs, transitions(board))
    own = board.editions.at(moment.version)
    return [] if own is None else edition_record.editions([own], {})


def tie_rule(found: Inference | None) -> Record:
    """Which tie rules explain the published tie ranks of a version; None: it prints none.

    Bands are numbers, and texts with the decimals of the scores. They are in [low, high) for an
    inclusive edge, in (low, high] for an exclusive one.
    """
    if found is None:
        return {"fits": None, "nearest": None, "declared": None, "edge": None}
    fits = [
        {
            "rule": fit.rule,
            "edge": fit.edge,
            "band_low": _number(fit.low),
            "band_high": _number(fit.high),
            "band_low_text": fit.texts[0],
            "band_high_text": fit.texts[1],
            "counts": fit.counts,
            "witnesses": fit.witnesses,
            "hidden": fit.hidden,
            "exact": fit.exact,
        }
        for fit in found.fits
    ]
    nearest = [
        {
            "rule": miss.rule,
            "band_low": _number(miss.low),
            "band_high": _number(miss.high),
            "misses": miss.misses,
            "witnesses": miss.witnesses,
        }
        for miss in found.nearest
    ]
    return {
        "fits": fits,
        "nearest": nearest or None,
        "declared": found.declared,
        "edge": found.edge,
    }


def _number(band: Fraction | None) -> float | None:
    return None if band is None else float(band)


def _by_version(frame: pd.DataFrame, names: tuple[str, ...]) -> Mapping[int, list[Record]]:
    rows: dict[int, list[Record]] = {}
    columns = [column(frame, name) for name in names]
    for version, *cells in zip(frame["version"].tolist(), *columns, strict=True):
        rows.setdefault(version, []).append(dict(zip(names, cells, strict=True)))
    return rows


def _published(frame: pd.DataFrame) -> dict[int, Record]:
    """By version whether no published rank contradicts its score; the rows that differ in any way.

    Of a long history with all its ranks only those rows become records.
    """
    differ = _by_version(frame[frame["published"] != frame["computed"]], _RANK)
    against = frame["contradicts"].groupby(frame["version"]).any()
    return {
        version: {"ok": not contradicts, "rows": differ.get(version, [])}
        for version, contradicts in zip(against.index.tolist(), against.tolist(), strict=True)
    }


def _not_published() -> Record:
    return {"ok": None, "rows": []}
