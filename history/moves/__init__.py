"""Who moved, and exactly why?

In: RANKS of a whole history and how each version's score is made. Out: Moves and their causes.
Start at MoveHistory.between().
"""

from history.moves.making import Makings
from history.moves.move import Move, Moves, Step
from history.moves.moves import MoveHistory
from history.moves.tie_causes import Banding

__all__ = [
    "Banding",
    "Makings",
    "Move",
    "MoveHistory",
    "Moves",
    "Step",
]
