"""Where do claims stand on the rank chart of a board?

In: claims and their verdicts. Out: a mark at (time, claimed rank) for each claim that
names a rank of an entry of this board at one time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from history.claims.language.claim import Claim, last_instant
from history.moments import MomentError
from history.names import AmbiguousEntry, UnknownEntry
from history.pipeline import BoardHistory

COLUMNS = ["at", "rank", "entry", "verdict", "text", "sentence", "id", "board"]


def claim_marks(
    claims: Sequence[Claim], verdicts: Mapping[str, Mapping[str, Any]], board: BoardHistory
) -> pd.DataFrame:
    """Marks of claims on one board: at, rank, entry, verdict, text, sentence, id, board.

    Args:
        claims: of a claims file.
        verdicts: their records as in the JSON of `check`, by id.
        board: whose chart it is.

    Returns:
        One row per claim, entry and rank; none for claims about no rank, about an entry
        that the board never listed, about a stretch of time, or without a verdict.
    """
    rows = [
        (
            at,
            rank,
            entry,
            verdict["verdict"],
            verdict["text"],
            verdict["sentence"],
            claim.id,
            board.name,
        )
        for claim in claims
        if (verdict := verdicts.get(claim.id)) is not None
        for part in _parts(claim)
        if board.name in part.boards and (rank := claimed_rank(part)) is not None
        if (at := claimed_time(part, claim, board)) is not None
        if (entry := _entry(part, board)) is not None
    ]
    marks = pd.DataFrame(rows, columns=COLUMNS)
    return marks.drop_duplicates(["at", "rank", "entry", "id"], ignore_index=True)


def claimed_rank(claim: Claim) -> int | None:
    """The rank that a claim gives its subject; None if it speaks of none.

    >>> claimed_rank(Claim("a", "first")), claimed_rank(Claim("b", "rank", n=10))
    (1, 10)
    """
    if claim.predicate == "first":
        return 1
    return {"rank": claim.n, "top_k": claim.k}.get(claim.predicate)


def claimed_time(part: Claim, whole: Claim, board: BoardHistory) -> pd.Timestamp | None:
    """The moment that a claim is about, on the chart's axis; of a day or a stretch none but
    its end is a moment, and a stretch is no mark."""
    when, said = part.when or whole.when, part.said_at or whole.said_at
    if when is None:
        return _utc(last_instant(said)) if said is not None else board.as_of
    if when.kind == "latest":
        return board.as_of
    if when.kind in ("as_of", "on") and when.start is not None:
        return _utc(last_instant(when.start))
    if when.kind == "at":
        try:
            return board.find(when.commit).at
        except MomentError:
            return None
    return None


def _entry(claim: Claim, board: BoardHistory) -> str | None:
    """The entry that a claim is about; None if the board does not know it."""
    try:
        return board.resolve_entry(claim.subject) if isinstance(claim.subject, str) else None
    except (UnknownEntry, AmbiguousEntry):
        return None


def _parts(claim: Claim) -> Iterator[Claim]:
    """The claim itself, or the members of a compound; what a `not` denies was not claimed."""
    if claim.predicate in ("all_of", "any_of"):
        for member in claim.members:
            yield from _parts(member)
    elif claim.predicate != "not":
        yield claim


def _utc(time: Any) -> pd.Timestamp:
    return pd.Timestamp(time).tz_convert("UTC")
