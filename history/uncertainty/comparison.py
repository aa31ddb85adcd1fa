"""Is one entry of a board really better than another?

In: what a file says of two scores. Out: Comparison: a test, what the counts allow, or what would
decide it. Start at compare(). Methods 3.2 and 3.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from history.uncertainty.pairs import Difference, PairRange, unpaired, without_items_printed
from history.uncertainty.score_errors import NOISES, ScoreError
from history.uncertainty.undecided import Undecided, undecided

Direction = Literal["higher", "lower"]

CAUTION = (
    "a test of one pair that was named in advance; of entries that were chosen for their places "
    "the simultaneous rank intervals speak"
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One entry against another.

    Attributes:
        one, other: keys.
        difference: as if measured apart, positive if `one` is better; None without errors.
        counts: what the numbers of right answers allow on the same items; None where the scores
            are no such numbers, or the items are not the same in number.
        significant: whether the difference is more than chance: by `counts` where there are any,
            for every way in which the answers can overlap, else by `difference`.
        undecided: why that is not known; None where it is.
        caution: what to say beside it.
    """

    one: str
    other: str
    difference: Difference | None
    counts: PairRange | None
    significant: bool | None
    undecided: Undecided | None
    caution: str = CAUTION


def compare(one: ScoreError, other: ScoreError, direction: Direction = "higher") -> Comparison:
    """Compare two entries as far as the file tells.

    Args:
        one, other: what it says of them; the better one first gives a positive difference.
        direction: which end of the score is best.

    >>> of_items = {"items": 2000, "source": "items", "name": None, "why": ""}
    >>> fern = ScoreError("fern", rank=1, score=74.9, error=0.97, right=range(1497, 1500), **of_items)
    >>> moss = ScoreError("moss", rank=2, score=73.6, error=0.99, right=range(1471, 1474), **of_items)
    >>> found = compare(fern, moss)
    >>> found.significant, found.undecided.code, round(found.difference.z, 2)
    (None, 'NO_PAIRED_RESULTS', 0.94)
    """
    difference = counts = None
    if one.error is not None and other.error is not None:
        sign = 1.0 if direction == "higher" else -1.0
        noises = {NOISES[side.source] for side in (one, other) if side.source is not None}
        noise = noises.pop() if len(noises) == 1 else "unstated"
        scores = (sign * one.score, sign * other.score)
        difference = unpaired(*scores, one.error, other.error, noise)
    if one.right and other.right and one.items is not None and one.items == other.items:
        counts = without_items_printed(one.right, other.right, one.items)
        significant, unclear = counts.significant, counts.undecided
    elif difference is not None:
        significant, unclear = difference.significant, None
    else:
        significant, unclear = None, undecided("NO_ITEM_COUNT", one.why or other.why)
    return Comparison(one.entry, other.entry, difference, counts, significant, unclear)
