"""How does the board look by one part or formula of it?

In: SCORES. Out: SCORES of a split, and splits compared. Start at view() and compare(); pair() is
about two entries, `ladder` and `listing` about a whole history.
"""

from history.splits.pairs import Pair, pair
from history.splits.side_by_side import ShakeUp, SplitRow, Splits, compare
from history.splits.splits import (
    SplitError,
    View,
    direction_of,
    made_of,
    names_of,
    needed,
    scores_of,
    single_splits,
    split_scores,
    view,
)

__all__ = [
    "Pair",
    "ShakeUp",
    "SplitError",
    "SplitRow",
    "Splits",
    "View",
    "compare",
    "direction_of",
    "made_of",
    "names_of",
    "needed",
    "pair",
    "scores_of",
    "single_splits",
    "split_scores",
    "view",
]
