"""Who stood where, then and now?

In: one board at two moments. Out: one table. Start at compared().
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from history.frames import SCORE, dp_of, text_of, ticks_of
from history.standing import Standings

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

JOINED, LEFT, SAME = "joined", "left", "same"
RANKED, UNRANKED = "ranked now", "unranked now"
_KINDS = {"up": "up", "down": "down", SAME: SAME, JOINED: JOINED, LEFT: LEFT}
_KINDS |= {RANKED: "ranked only now", UNRANKED: "unranked now"}


def compared(then: Standings, now: Standings) -> pd.DataFrame:
    """All entries of two moments, by their rank now; who left comes last, by its rank then.

    Returns:
        Texts but for Now and Then: the ranks, <NA> where there is none. Entry, and Name where any
        differs from it. Change: in words. Score, Score then: as printed. Score change: exact; not
        there between two editions, whose scores may be made in different ways.
    """
    before, after = _rows(then.frame), _rows(now.frame)
    told = []
    for entry in [*after, *(entry for entry in before if entry not in after)]:
        old, new = before.get(entry), after.get(entry)
        told.append(
            {
                "Now": pd.NA if new is None else new["rank"],
                "Entry": entry,
                "Name": str((new or old or {})["name"]),
                "Change": _change(old, new),
                "Then": pd.NA if old is None else old["rank"],
                "Score": _text(new),
                "Score then": _text(old),
                "Score change": _difference(old, new),
            }
        )
    columns = ("Now", "Entry", "Name", "Change", "Then", "Score", "Score then", "Score change")
    table = pd.DataFrame(told, columns=list(columns))
    table[["Now", "Then"]] = table[["Now", "Then"]].astype("Int64")
    if (table["Name"] == table["Entry"]).all():
        del table["Name"]
    return table.drop(columns="Score change") if editions_differ(then, now) else table


def sortable(table: pd.DataFrame) -> Styler:
    """The same for the screen: texts that sort as the numbers that they say.

    Whoever gained most has the largest change. Words that are no number, such as "joined", have a
    column of their own: a cell without a number shows nothing.
    """
    numbers, texts = table.copy(), table.copy()
    words = table["Change"].where(~table["Change"].str.contains(r"\d|same", regex=True), "")
    if words.any():
        place = list(table.columns).index("Then") + 1
        for frame in (numbers, texts):
            frame.insert(place, "Status", words)
    titles = table.columns.intersection(["Change", "Score", "Score then", "Score change"])
    for title in titles:
        said = table[title].str.replace("up ", "").str.replace("down ", "-").replace(SAME, "0")
        numbers[title] = pd.to_numeric(said, errors="coerce")
    styled = numbers.style
    for title in titles:
        known = numbers[title].notna()
        looks = dict(zip(numbers.loc[known, title], texts.loc[known, title], strict=True))
        styled.format(partial(_looked_up, looks), subset=[title], na_rep="")
    return styled


def editions_differ(then: Standings, now: Standings) -> bool:
    """Whether the file says of both moments which edition it is, and they are not the same."""
    return None not in (then.edition, now.edition) and then.edition != now.edition


def line(table: pd.DataFrame) -> str:
    """How many rose, fell, joined and left.

    >>> line(pd.DataFrame({"Change": ["same", "up 2", "joined", "up 1", "left"]}))
    '2 up, 1 same, 1 joined, 1 left.'
    """
    kinds = table["Change"].str.replace(r" \d+$", "", regex=True).value_counts()
    said = [f"{kinds[kind]:,} {words}" for kind, words in _KINDS.items() if kind in kinds]
    return f"{', '.join(said)}." if said else ""


def _looked_up(texts: Mapping[Any, str], number: object) -> str:
    return texts[number]


def _rows(frame: pd.DataFrame) -> dict[str, dict[Hashable, Any]]:
    wanted = ["entry", "name", "rank", text_of(SCORE), ticks_of(SCORE), dp_of(SCORE)]
    columns = [column for column in wanted if column in frame]
    return {str(row["entry"]): row for row in frame[columns].to_dict("records")}


def _change(old: dict[Hashable, Any] | None, new: dict[Hashable, Any] | None) -> str:
    """What became of an entry, in words.

    >>> _change({"rank": 5}, {"rank": 2}), _change({"rank": 2}, {"rank": 2}), _change(None, {})
    ('up 3', 'same', 'joined')
    """
    if old is None:
        return JOINED
    if new is None:
        return LEFT
    if pd.isna(old["rank"]) or pd.isna(new["rank"]):
        if pd.isna(old["rank"]) and pd.isna(new["rank"]):
            return SAME
        return UNRANKED if pd.isna(new["rank"]) else RANKED
    places = int(old["rank"]) - int(new["rank"])
    return f"up {places}" if places > 0 else f"down {-places}" if places < 0 else SAME


def _text(row: dict[Hashable, Any] | None) -> str:
    text = None if row is None else row.get(text_of(SCORE))
    return "" if text is None or pd.isna(text) else str(text)


def _difference(old: dict[Hashable, Any] | None, new: dict[Hashable, Any] | None) -> str:
    """How far a score moved, to the last printed digit."""
    values = [_value(row) for row in (old, new)]
    if values[0] is None or values[1] is None:
        return ""
    moved = values[1] - values[0]
    return f"{moved:+f}" if moved else "0"


def _value(row: dict[Hashable, Any] | None) -> Decimal | None:
    ticks = None if row is None else row[ticks_of(SCORE)]
    if row is None or pd.isna(ticks):
        return None
    return Decimal(int(ticks)).scaleb(-int(row[dp_of(SCORE)]))
