"""Which notes of the boards' definitions belong to a verdict?

In: the leaves of a State, and the time that the claim speaks of. Out: texts. Start at noted().
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from history.claims.elsewhen import decided_at
from history.claims.language.claim import RANK_PREDICATES
from history.claims.leaf import Leaf
from history.notes import meeting

# What is ignored of one entry changes these for all others.
_AMONG_OTHERS = (*RANK_PREDICATES, "count")


def noted(leaves: Iterable[Leaf], start: datetime | None, end: datetime | None) -> list[str]:
    """Notes of the entries and boards that a claim is about, each with its board.

    Args:
        leaves: the claims about single boards in it.
        start, end: the time that it speaks of, both ends included, the same twice for a moment;
            None: as far as the board is known.
    """
    found = []
    for leaf in leaves:
        board, track = leaf.history, leaf.track
        if not board.notes:
            continue
        if start is not None and start == end:
            first = last = decided_at(leaf, start)
        else:
            first, last = start or track.at[0], end or track.horizon
        shown = {entry for entry in (leaf.subject, leaf.other) if entry is not None}
        ranked = board.entries() if leaf.claim.predicate in _AMONG_OTHERS else ()
        found += [
            f"{board.name}: {note}" for note in meeting(board.notes, first, last, shown, ranked)
        ]
    return found
