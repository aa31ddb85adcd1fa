"""What does one version of a board say of its entries besides numbers?

In: SCORES of one version with attributes. Out: an Attribute per name. Start at read(). A column is
of dates where all its texts are, and only one order of day and month fits them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from history.dates import read_dates
from history.frames import attribute_of
from history.times import iso

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of the entries of one version; sequences run as the rows do.

    Attributes:
        texts: as printed; None where there is none.
        dates: the same as ISO dates, with a time in UTC where one is printed; None throughout
            where the column is not of dates, or has two readings.
        either: for people, both readings of one of its texts, where there are two.
    """

    texts: Sequence[str | None]
    dates: Sequence[str | None]
    either: str | None = None


def read(scores: pd.DataFrame, names: Sequence[str]) -> dict[str, Attribute]:
    """The attributes of the entries of one version.

    Args:
        scores: SCORES of one version.
        names: attributes of the definition.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"attribute.day": ["05.02.2026", "21.06.2026", None]})
    >>> read(scores, ["day"])["day"].dates
    ['2026-02-05', '2026-06-21', None]
    >>> read(scores[:1], ["day"])["day"].either
    "'05.02.2026' is 5 Feb 2026 or 2 May 2026"
    """
    return {name: _attribute(scores[attribute_of(name)].tolist()) for name in names}


def _attribute(cells: Sequence[object]) -> Attribute:
    texts = [cell if isinstance(cell, str) and cell.strip() else None for cell in cells]
    read = read_dates(texts)
    if len(read.readings) != 1:
        return Attribute(texts, [None] * len(texts), read.either)
    return Attribute(
        texts, [None if one is None else _date_or_time(one) for one in read.readings[0]]
    )


def _date_or_time(moment: datetime) -> str:
    """A moment in ISO 8601.

    >>> from datetime import UTC
    >>> _date_or_time(datetime(2026, 2, 5, tzinfo=UTC)), _date_or_time(datetime(2026, 2, 5, 9, 30, tzinfo=UTC))
    ('2026-02-05', '2026-02-05T09:30:00Z')
    """
    if (moment.hour, moment.minute, moment.second) == (0, 0, 0):
        return f"{moment:%Y-%m-%d}"
    return iso(moment)
