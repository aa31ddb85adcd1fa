"""Who moved, and exactly why?

In: RANKS of a whole history and how each version's score is made. Out: Moves and their causes.
Start at move_history() and MoveHistory.between().
"""

from history.moves.move import Move, Moves
from history.moves.moves import MoveHistory, move_history
from history.moves.tie_causes import Banding

__all__ = [
    "Banding",
    "Move",
    "MoveHistory",
    "Moves",
    "move_history",
]
