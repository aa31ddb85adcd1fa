"""What do editions and recomputed scores look like as JSON?

In: a BoardHistory and FORMULA rows. Out: the parts `formula` and `editions` of the document of
`audit`, and what `audit --file` says of one file besides. Start at formula() and editions().
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from history.records.records import Record, plain
from history.times import time_text

if TYPE_CHECKING:
    from history.editions.comparable import Comparable
    from history.editions.editions import Edition
    from history.editions.file_values import FileValues
    from history.meaning import Meaning

FIELDS = ("entry", "text", "computed", "off", "pointer", "fits", "exact")
# What is not what the formula gives; it may be an override, and is never corrected.
RESIDUAL = "formula_residual"


def formula(
    rows: list[Record], meaning: Meaning, values: FileValues | None, reading: str
) -> Record:
    """Whether the formula can give every score of a version; the rows of which it cannot.

    Args:
        rows: its FORMULA rows with FIELDS.
        meaning: the definition there.
        values: what its file says at the paths of the formula.
        reading: what could be read of it.
    """
    wrong = [
        {name: row[name] for name in FIELDS[:5]} | {"kind": RESIDUAL}
        for row in rows
        if not row["fits"]
    ]
    return {
        "ok": not wrong if rows else None,
        "worst": max((row["off"] for row in rows), default=None),
        "rows": wrong,
        "compared": len(rows),
        "exact": sum(bool(row["exact"]) for row in rows),
        "computed_label": "reasoned",
        "why": None if rows else _why_not(meaning, values, reading),
    }


def editions(runs: Sequence[Edition], compared: Mapping[int, Comparable]) -> list[Record]:
    """EDITIONS, a record each.

    Args:
        runs: in order of time.
        compared: by number, against the one before; not of the first, nor of very many.
    """
    return [
        edition(one)
        | {"against_previous": comparison(compared[one.number]) if one.number in compared else None}
        for one in runs
    ]


def comparison(found: Comparable) -> Record:
    """Whether scores of two editions can be compared; that a part was measured anew is reasoned."""
    return {
        "comparable": found.ok,
        "kind": found.kind,
        "redrawn": list(found.redrawn),
        "kept": list(found.kept),
        "parts": [
            {"part": one.part, "common": one.common, "moved": one.moved} for one in found.parts
        ],
        "replay": found.replay,
        "code": found.code,
        "words": found.words(),
    }


def edition(one: Edition) -> Record:
    """One run of versions whose scores are made in one way; the weights are reasoned."""
    from history.editions.editions import decimal_text

    weights = one.weights
    return {
        "edition": one.number,
        "label": one.label,
        "stage": one.stage,
        "block": one.block,
        "versions": one.versions,
        "first_commit": one.first_commit,
        "last_commit": one.last_commit,
        "from": time_text(one.start),
        "until": None if one.end is None else time_text(one.end),
        "formula": one.formula_text(),
        "constants": dict(one.constants),
        "weights": None
        if weights is None
        else {name: decimal_text(weight) for name, weight in weights.items()},
        "tie_rule": one.tie_rule,
        "changed": list(one.changed),
    }


def _why_not(meaning: Meaning, values: FileValues | None, reading: str) -> str | None:
    """Why nothing was recomputed; None where the definition has no formula."""
    if meaning.formula is None:
        return None
    if reading not in ("read", "partial"):
        return "no entry is listed" if reading in ("empty", "absent") else "it cannot be read"
    if meaning.formula.paths:
        found: Mapping[str, object] = {} if values is None else values.numbers
        if any(plain(found.get(path)) is None for path in meaning.formula.paths):
            said = None if values is None else values.missing()
            return said or f"{meaning.formula.paths[0]} finds nothing"
    return "no entry has a score and all the parts, or a divisor is 0"
