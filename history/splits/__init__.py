"""How does the board look by one part or formula of it?

In: SCORES. Out: SCORES of a split, and splits compared. Start at view() and compare().
"""

from history.splits.splits import (
    ShakeUp,
    SplitError,
    SplitRow,
    Splits,
    View,
    compare,
    direction_of,
    made_of,
    names_of,
    scores_of,
    single_splits,
    split_scores,
    view,
)

__all__ = [
    "ShakeUp",
    "SplitError",
    "SplitRow",
    "Splits",
    "View",
    "compare",
    "direction_of",
    "made_of",
    "names_of",
    "scores_of",
    "single_splits",
    "split_scores",
    "view",
]
