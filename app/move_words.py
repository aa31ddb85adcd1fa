"""What happened to one entry between two versions, in sentences?

In: a move of the document of `changes`. Out: plain text. Start at sentence().
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from app.changes_report import WORDS
from app.wording import Document, ordinal


def sentence(move: Document, words: Mapping[str, str] = WORDS, kind: str = "rank") -> str:
    """What happened to an entry, and why.

    Args:
        move: of `changes`.
        words: every cause in words.
        kind: what its places are called: "rank" or "tie rank".

    >>> print(sentence({"name": "Fern", "status": "moved", "rank_before": 6, "rank_after": 9,
    ...     "causes": {"own": "-5/3", "joined": "14/3"}, "edition": None, "by_ends": False}))
    Fern fell from rank 6 to rank 9, by 3 places. Lost: 14/3 by who joined. Gained: 5/3 by its own score.
    >>> print(sentence({"name": "Ivy", "status": "joined", "rank_before": None, "rank_after": 1,
    ...     "causes": None, "edition": None, "by_ends": False, "would_have_been": 2}))
    Ivy joined, at rank 1. With its score it would have been 2nd before.
    """
    name, old, new = move["name"], move["rank_before"], move["rank_after"]
    if move["status"] in ("joined", "left"):
        joined = move["status"] == "joined"
        rank, when = (new, "before") if joined else (old, "now")
        said = f"{name} joined, " if joined else f"{name} left; it had been "
        said += "unranked." if rank is None else f"at {kind} {rank}."
        would = move["would_have_been"]
        held = f" With its score it would {'have been' if joined else 'be'}"
        return said if would is None else f"{said}{held} {ordinal(would)} {when}."
    if move["causes"] is None:
        ends = " and ".join(
            f"{'unranked' if rank is None else f'at {kind} {rank}'} {when}"
            for rank, when in ((old, "before"), (new, "after"))
        )
        return f"{name} was {ends}, so its places cannot be compared."
    if old == new:
        said = f"{name} kept {kind} {new}."
    else:
        places = abs(new - old)
        went = "fell" if new > old else "rose"
        said = f"{name} {went} from {kind} {old} to {kind} {new}, by {places} place{'s' * (places > 1)}."
    worth = worths(move)
    for verb, sign in (("Lost", 1), ("Gained", -1)):
        listed = [(cause, share) for cause, share in worth.items() if share * sign > 0]
        listed.sort(key=lambda one: -abs(one[1]))
        if listed:
            said += f" {verb}: {', '.join(f'{abs(s)} by {words[c]}' for c, s in listed)}."
    if not worth:
        said += " Nothing was worth a place to it."
    if move["by_ends"]:
        said += " It was not ranked in every version between, so only the ends are compared."
    return said


def worths(move: Document) -> dict[str, Fraction]:
    """What each cause was worth in places, those that were worth any; positive is worse.

    >>> worths({"causes": {"own": None, "joined": "1", "left": "0"}, "edition": "-1/2"})
    {'edition': Fraction(-1, 2), 'joined': Fraction(1, 1)}
    """
    causes = {"edition": move["edition"], **(move["causes"] or {})}
    return {cause: Fraction(share) for cause, share in causes.items() if share and Fraction(share)}
