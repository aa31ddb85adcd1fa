"""When is a column of dates?

In: the texts of one column of one version. Out: Dates, one reading for the whole column. Start at
read_dates(). ISO dates and months with names are read as they are; 05.02.2026 is read as the rest
of its column demands: beside 21.06.2026 the day comes first. Where both orders fit, the column has
two readings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Moments = list[datetime | None]

MAX_TEXT = 60
_TIME = r"(?:[T\s,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?)?"
_ORDERED = re.compile(
    rf"(?P<first>\d{{1,2}})(?P<mark>[./-])(?P<other>\d{{1,2}})(?P=mark)(?P<year>\d{{4}}){_TIME}",
    re.ASCII,
)
_YEAR_FIRST = re.compile(
    rf"(?P<year>\d{{4}})[./-](?P<month>\d{{1,2}})[./-](?P<day>\d{{1,2}}){_TIME}", re.ASCII
)
_NAME = r"(?P<name>[A-Za-z]{3,9})\.?"
_NAMED = [
    re.compile(rf"(?P<day>\d{{1,2}})[\s-]+{_NAME}[\s,-]+(?P<year>\d{{4}}){_TIME}", re.ASCII),
    re.compile(rf"{_NAME}\s+(?P<day>\d{{1,2}})(?:,\s*|\s+)(?P<year>\d{{4}}){_TIME}", re.ASCII),
]
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)


@dataclass(frozen=True, slots=True)
class Dates:
    """One column of dates.

    Attributes:
        readings: by row, in UTC, None where the cell is empty; one column for each reading that
            fits: none where some text is no date, two where the order of day and month is open.
        either: for people, both readings of a text, where there are two.
    """

    readings: tuple[Moments, ...]
    either: str | None = None


def read_dates(texts: Sequence[str | None]) -> Dates:
    """Read one column of dates; a time without a zone is taken as UTC.

    >>> column = read_dates(["05.02.2026", "03.04.2026", "21.06.2026"])
    >>> [f"{moment:%d %b}" for moment in column.readings[0]]
    ['05 Feb', '03 Apr', '21 Jun']
    >>> read_dates(["05.02.2026", "03.04.2026"]).either
    "'05.02.2026' is 5 Feb 2026 or 2 May 2026"
    >>> read_dates(["5 Feb 2026", "soon"]).readings
    ()
    """
    printed = ["" if text is None else text.strip() for text in texts]
    readings = []
    for order in ("day", "month"):
        moments = [_moment(text, order) if text else None for text in printed]
        if all(moment or not text for moment, text in zip(moments, printed, strict=True)):
            readings.append(moments)
    if len(readings) < 2 or readings[0] == readings[1]:
        return Dates(tuple(readings[:1]))
    row = next(n for n, pair in enumerate(zip(*readings, strict=True)) if pair[0] != pair[1])
    first, second = (_shown(moments[row]) for moments in readings)
    return Dates(tuple(readings), f"{printed[row]!r} is {first} or {second}")


def _moment(text: str, first: Literal["day", "month"]) -> datetime | None:
    """The moment that a text names if the day, or the month, comes first; None if it names none."""
    if len(text) > MAX_TEXT:
        return None
    try:
        if found := _ORDERED.fullmatch(text):
            day, month = found["first"], found["other"]
            return (
                _at(found, int(month), int(day))
                if first == "day"
                else _at(found, int(day), int(month))
            )
        if found := _YEAR_FIRST.fullmatch(text):
            return _at(found, int(found["month"]), int(found["day"]))
        for pattern in _NAMED:
            if found := pattern.fullmatch(text):
                return _at(found, _month(found["name"]), int(found["day"]))
        if not text[:4].isdecimal() or not text.isascii():
            return None
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _at(found: re.Match[str], month: int, day: int) -> datetime:
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    return datetime(int(found["year"]), month, day, hour, minute, second, tzinfo=UTC)


def _month(name: str) -> int:
    """The number of a month, by its English name or its beginning.

    Raises:
        ValueError: there is no such month.
    """
    fitting = [n for n, month in enumerate(_MONTHS, 1) if month.startswith(name.lower())]
    if len(fitting) != 1:
        raise ValueError(name)
    return fitting[0]


def _shown(moment: datetime | None) -> str:
    return f"{moment.day} {moment:%b %Y}" if moment else ""
