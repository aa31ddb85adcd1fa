"""What would a definition make of the files that are there?

In: a Meaning and files. Out: the first rows of the standings, and how older versions fare. Nothing
is stored.
"""

from __future__ import annotations

from collections.abc import Iterable

from history import derived, ranks
from history.frames import SCORE, text_of
from history.meaning import Meaning
from history.readings import Reading, read_table
from history.score_table import ScoreTable


def top_rows(meaning: Meaning, reading: Reading, top: int) -> list[tuple[str, str, str]]:
    """Rank, display name and printed score of the first rows; rank is empty where there is none."""
    scores = ScoreTable(meaning.fields)
    scores.add(0, reading)
    frame = ranks.rank(derived.frame(scores.finish()), direction=meaning.table.direction)
    columns = zip(
        frame["rank"].astype("string").fillna(""),
        frame["name"].astype("string").fillna(""),
        frame[text_of(SCORE)].astype("string").fillna(""),
        strict=True,
    )
    return [(str(rank), str(name), str(text)) for rank, name, text in columns][:top]


def past(meaning: Meaning, path: str, newest: Reading, older: Iterable[bytes]) -> str:
    """How older versions read under the same definition, for people."""
    readings = [read_table(meaning, path, data) for data in older]
    if not readings:
        return "there are no older ones"
    read = [one for one in readings if one.entries]
    if not read:
        return f"none of {len(readings)} older ones that were looked at can be read this way"
    now = set(newest.entries)
    stay = [len(now & set(one.entries)) / len(set(one.entries)) for one in read]
    return (
        f"{len(read)} of {len(readings)} older ones that were looked at can be read this way; "
        f"{min(stay):.0%} to {max(stay):.0%} of their entries are there now"
    )
