"""How firmly does first place stand?

In: RANKS of one version with parts, and the board's definition. Out: a Weighed, or why there is
none. Start at robustness() in `history.robustness.robustness`; what the score is made of is found
in `history.robustness.composite`.
"""

from history.robustness.composite import Composite, NoComposite, composite_of
from history.robustness.robustness import MISSING_COMPONENT, Weighed, robustness, weigh

__all__ = [
    "MISSING_COMPONENT",
    "Composite",
    "NoComposite",
    "Weighed",
    "composite_of",
    "robustness",
    "weigh",
]
