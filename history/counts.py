"""How is a number of things said?

In: a number and a word. Out: a text. Start at counted().
"""

from __future__ import annotations


def counted(number: int, word: str) -> str:
    """So many of something.

    >>> counted(1, "row"), counted(12_000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
