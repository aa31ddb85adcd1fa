"""What would a definition make of the files that are there?

In: a Meaning and files. Out: the first rows of the standings, and how older versions fare. Nothing
is stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from history import ranks
from history.frames import SCORE, text_of
from history.meaning import Meaning
from history.readings import Reading, read_table
from history.scores import derived
from history.scores.score_table import ScoreTable

_FULL = 16  # letters of a number that a program printed with all its bits
_DIGITS = 7


def top_rows(meaning: Meaning, reading: Reading, top: int) -> list[tuple[str, str, str]]:
    """Rank, display name and score of the first rows; rank is empty where there is none."""
    scores = ScoreTable(meaning.fields)
    scores.add(0, reading)
    frame = ranks.rank(derived.frame(scores.finish()), direction=meaning.table.direction)
    columns = zip(
        frame["rank"].astype("string").fillna(""),
        frame["name"].astype("string").fillna(""),
        frame[text_of(SCORE)].astype("string").fillna(""),
        strict=True,
    )
    return [(str(rank), str(name), _short(str(text))) for rank, name, text in columns][:top]


@dataclass(frozen=True, slots=True)
class Past:
    """How older versions read under the same definition.

    Attributes:
        looked, read: how many were looked at, and how many can be read.
        why: what is wrong with the newest of those that cannot; empty if all can.
        text: all that, for people.
    """

    looked: int
    read: int
    why: str
    text: str


def past(meaning: Meaning, path: str, newest: Reading, older: Iterable[bytes]) -> Past:
    """Read older versions, the newest of them first."""
    readings = [read_table(meaning, path, data) for data in older]
    read = [one for one in readings if one.entries]
    why = next((one.found or one.reading for one in readings if not one.entries), "")
    if not readings:
        return Past(0, 0, "", "there are no older ones")
    if not read:
        text = f"none of {len(readings)} older ones that were looked at can be read this way"
        return Past(len(readings), 0, why, text)
    now = set(newest.entries)
    stay = [len(now & set(one.entries)) / len(set(one.entries)) for one in read]
    low, high = f"{min(stay):.0%}", f"{max(stay):.0%}"
    text = (
        f"{len(read)} of {len(readings)} older ones that were looked at can be read this way; "
        f"{low if low == high else f'{low} to {high}'} of their entries are there now"
    )
    return Past(len(readings), len(read), why, text)


def _short(text: str) -> str:
    """A printed number as people read it: one with all its bits is rounded.

    >>> _short("71.25"), _short("1492.0512345678901"), _short("0.30000000000000004")
    ('71.25', '1492.051', '0.3000000')
    """
    if not re.fullmatch(r"-?\d+\.\d+", text) or len(text) < _FULL:
        return text
    value = Decimal(text)
    return f"{value:.{max(_DIGITS - max(value.adjusted() + 1, 0), 0)}f}"
