"""What does a board's definition mean, and does it make sense?

In: a Board, with its definition. Out: a Meaning. Start at read_meaning(). What may be written
stands in `history.meaning.definition`.
"""

from history.meaning.meaning import (
    Meaning,
    changed,
    read_meaning,
)

__all__ = [
    "Meaning",
    "changed",
    "read_meaning",
]
