"""Who was first, from when to when?

In: RANKS, READINGS and the time of the last look. Out: reigns, and what each entry has of them.
Start at reigns(); careers() says it entry by entry, intervals_where() answers for any fact.
"""

from history.reigns.careers import Career, careers
from history.reigns.first_place import (
    By,
    LostTo,
    Reign,
    Why,
    reigns,
    unknown_first,
    unreadable_entries,
)
from history.reigns.stretches import Stretch, intervals_where

__all__ = [
    "By",
    "Career",
    "LostTo",
    "Reign",
    "Stretch",
    "Why",
    "careers",
    "intervals_where",
    "reigns",
    "unknown_first",
    "unreadable_entries",
]
