"""How is a time written?

In: a moment with a zone. Out: its text as every document has it, UTC with seconds. Start at
time_text(). Times for people stand in the wording of the faces.
"""

from __future__ import annotations

from datetime import UTC, datetime


def time_text(time: datetime | None) -> str | None:
    """A time as every document writes it; None for a gap (None or NaT).

    >>> from datetime import timedelta, timezone
    >>> time_text(datetime(2026, 10, 21, 17, 13, 0, 900, timezone(timedelta(hours=2))))
    '2026-10-21T15:13:00Z'
    """
    return None if time is None or time != time else iso(time)


def iso(time: datetime) -> str:
    """A time that is no gap.

    >>> iso(datetime(2026, 3, 21, 15, 13, tzinfo=UTC))
    '2026-03-21T15:13:00Z'
    """
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
