"""Which day, month or time do words say?

In: a date as people write it, and the day on which it was said. Out: a Time. A date without a
year is the latest such date up to that day. Start at moment() and month_of().
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from history.claims.language.claim import Time
from history.claims.language.claim_fields import parse_time

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|\s?UTC|\s?GMT|[+-]\d{2}:?\d{2})?"
DAY = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{4}}/\d{{2}}/\d{{2}}"
    rf"|(?:the\s)?{_DAY}(?:\sof)?\s{_MONTH}(?:,?\s\d{{4}})?|{_MONTH}\s(?:the\s)?{_DAY}(?:,?\s\d{{4}})?)"
)
STAMP = rf"(?:(?:\d{{4}}-\d{{2}}-\d{{2}}T|{DAY},?\s(?:at\s)?){_CLOCK}|{_CLOCK},?\son\s{DAY})"
# Two days of one month: "1 to 9 October".
DAYS = (
    rf"({_DAY})\s?(?:to|and|until|through|-|\u2013)\s?({_DAY}(?:\sof)?(\s{_MONTH}(?:,?\s\d{{4}})?))"
)
MONTH = rf"(?:\d{{4}}-\d{{2}}|{_MONTH},?\s\d{{4}})"
MONTH_ALONE = _MONTH
# What can be read in two ways.
UNSURE = r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"


def moment(text: str, said_on: date | None) -> Time | None:
    """The day or the time that a text names; None: no year is known, or it is only a month.

    Raises:
        ValueError: there is no such day.

    >>> moment("the 19th of October", date(2026, 10, 23)), moment("Dec. 1", date(2026, 10, 23))
    (datetime.date(2026, 10, 19), datetime.date(2025, 12, 1))
    >>> moment("Oct 20, 2026, 00:42 UTC", None).isoformat()
    '2026-10-20T00:42:00+00:00'
    """
    first = re.match(rf"({_CLOCK}),?\son\s(.*)$", text, re.IGNORECASE)
    if first:
        text = f"{first[2]} {first[1]}"
    clock = re.search(rf"(?:T|\s){_CLOCK}$", text, re.IGNORECASE)
    before = text[: clock.start()] if clock else text
    if not re.fullmatch(DAY, re.sub(r",?(\sat)?$", "", before), re.IGNORECASE):
        return None
    parts = _parts(before)
    if len(parts) == 2:
        parts = _with_year(parts, said_on)
    if not parts:
        return None
    iso = f"{parts[0]:04}-{parts[1]:02}-{parts[2]:02}"
    if clock is None:
        return parse_time(iso)
    time = re.sub(r"\s?(?:UTC|GMT)$", "Z", clock[0][1:], flags=re.IGNORECASE)
    return parse_time(f"{iso}T{time.zfill(len(time) + (time[1] == ':'))}")


def _parts(text: str) -> list[int]:
    """Year if there is one, month and day."""
    words = re.findall(r"[a-z]+|\d+", text.lower())
    month = next((_MONTHS.index(word[:3]) + 1 for word in words if word[:3] in _MONTHS), 0)
    numbers = [int(word) for word in words if word.isdigit()]
    if not month:
        return numbers
    day, *year = numbers
    return [*year, month, day]


def _with_year(parts: list[int], said_on: date | None) -> list[int]:
    """The latest such day that was not after `said_on`; 29 February may be years before."""
    if said_on is None:
        return []
    for year in range(said_on.year, max(said_on.year - 9, 0), -1):
        try:
            if date(year, *parts) <= said_on:
                return [year, *parts]
        except ValueError:
            continue
    raise ValueError(f"{parts[1]}.{parts[0]}.")


def month_of(text: str, said_on: date | None) -> tuple[date, date] | None:
    """The first and the last day of a month; None: no year is known, or it is no month.

    Raises:
        ValueError: there is no such month.

    >>> month_of("Feb. 2024", None), month_of("November", date(2026, 10, 23))[0]
    ((datetime.date(2024, 2, 1), datetime.date(2024, 2, 29)), datetime.date(2025, 11, 1))
    """
    if re.fullmatch(MONTH_ALONE, text, re.IGNORECASE):
        if said_on is None:
            return None
        month = _MONTHS.index(text[:3].lower()) + 1
        year = said_on.year - (month > said_on.month)
    elif re.fullmatch(MONTH, text, re.IGNORECASE):
        words = re.findall(r"[a-z]+|\d+", text.lower())
        named = words[0][:3] in _MONTHS
        month = _MONTHS.index(words[0][:3]) + 1 if named else int(words[1])
        year = int(words[1] if named else words[0])
    else:
        return None
    first = date(year, month, 1)
    return first, first.replace(day=monthrange(year, month)[1])
