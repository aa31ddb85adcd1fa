"""How does a text from a board get onto a page?

As text: a name is never markup. st.text, st.dataframe and select boxes show text as
it is; where only Markdown will do, escaped() comes in between.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pandas as pd
import streamlit as st

from app.charts.style import LINE, short, utc
from app.faults import line_of_error
from app.views import setting
from history.frames import READABLE

PROSE = 2000  # letters that are shown of what is written in sentences
GRACE = 0.25  # of the time between two crawls; so long one may be at work
# Streamlit makes links and typographic arrows of these even behind backslashes. A word
# joiner between the signs has no width and keeps them apart.
_JOINER = "\u2060"
_LOOKS_LIKE_A_LINK = re.compile(r"(?i)(?<=:)(?=//)|(?<=www)(?=\.)|(?<=mailto)(?=:)|(?=@)")
_LOOKS_LIKE_AN_ARROW = re.compile(r"(?<=[-<>=~])(?=[-<>=~])")


def plain(text: str, most: int = LINE) -> str:
    r"""A text on one line of a page, where text is text: for st.text, options and cells.

    Marks that turn the direction of what follows become escapes, as at the terminal; words and
    texts of more letters than anybody reads are cut.

    Args:
        text: from a board. most: letters that are left of it.

    >>> plain("a\u202eb\nc"), plain("x" * 5000)[78:], len(plain("word " * 500))
    ('a\\u202eb c', 'xx…', 400)
    """
    return short(text, most)


def say(text: str) -> None:
    """Lines on a page that are text; whatever comes from a board may stand in them."""
    st.text("\n".join(plain(line, PROSE) for line in text.splitlines()))


def escaped(text: str, most: int = PROSE) -> str:
    r"""A text as Markdown that shows exactly that text, on one line; what is too long is cut.

    >>> print(escaped(":red[x] **b** $y$ <i>"))
    \:red\[x\] \*\*b\*\* \$y\$ \<i\>
    """
    line = plain(text, most)
    line = _LOOKS_LIKE_AN_ARROW.sub(_JOINER, _LOOKS_LIKE_A_LINK.sub(_JOINER, line))
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", line)


def error_text(error: Exception) -> str:
    """One of our errors as Markdown, as this server may tell it."""
    return escaped(setting.told(line_of_error(error)))


def age_text(then: pd.Timestamp, now: pd.Timestamp) -> str:
    """How long ago, in its largest whole unit.

    >>> age_text(pd.Timestamp("2026-03-04T08:00Z"), pd.Timestamp("2026-03-06T09:00Z"))
    '2 days ago'
    >>> age_text(pd.Timestamp("2026-03-04T08:00Z"), pd.Timestamp("2026-03-04T08:00:30Z"))
    'less than a minute ago'
    """
    minutes = int((now - then).total_seconds() // 60)
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "less than a minute ago" if minutes == 0 else "in the future"


def local_text(time: pd.Timestamp, zone: str | None) -> str | None:
    """A time on the reader's own clock, for a hover; None where that says nothing new.

    >>> local_text(pd.Timestamp("2026-03-04T08:00Z"), "Pacific/Auckland")
    '2026-03-04 21:00 in Pacific/Auckland'
    >>> local_text(pd.Timestamp("2026-03-04T08:00Z"), "no/where")
    """
    if zone in (None, "UTC", "Etc/UTC"):
        return None
    try:
        there = pd.Timestamp(time).tz_convert(zone)
    except (KeyError, ValueError, OSError):  # a zone that only the browser knows
        return None
    return f"{there:%Y-%m-%d %H:%M} in {zone}"


def overdue_text(as_of: pd.Timestamp | None, now: pd.Timestamp, every: timedelta | None) -> str:
    """How many crawls there should have been since the last look; "" if none is missing.

    Args:
        as_of: start of the last look, UTC. now: what time it is.
        every: how often the board is crawled; None where nobody said it.

    >>> looked, hours = pd.Timestamp("2026-03-04T08:00Z"), timedelta(hours=6)
    >>> overdue_text(looked, looked + 4 * hours, hours)
    'overdue: 4 runs missed or failed'
    >>> overdue_text(looked, looked + timedelta(hours=7), hours)  # one may still be at work
    ''
    """
    if as_of is None or every is None or now - as_of < every * (1 + GRACE):
        return ""
    runs = (now - as_of) // every
    return f"overdue: {runs:,} run{'' if runs == 1 else 's'} missed or failed"


def look_text(
    as_of: pd.Timestamp | None, changed: pd.Timestamp | None, versions: int, now: pd.Timestamp
) -> str:
    """When the source was last looked at, and when the board last changed: two facts.

    Where somebody said how often the board is crawled, also whether that was kept to.

    >>> look_text(pd.Timestamp("2026-03-04T08:00Z"), pd.Timestamp("2026-03-01T08:00Z"), 1,
    ...           pd.Timestamp("2026-03-06T08:00Z"))
    'As of 2026-03-04 08:00 UTC (2 days ago). Last changed 2026-03-01 08:00 UTC. 1 version.'
    """
    late = overdue_text(as_of, now, setting.every())
    looked = "Never looked at"
    if as_of is not None:
        looked = f"As of {utc(as_of)} ({age_text(as_of, now)})" + (f", {late}" if late else "")
    moved = "No version yet" if changed is None else f"Last changed {utc(changed)}"
    return f"{looked}. {moved}. {versions:,} version{'' if versions == 1 else 's'}."


def unreadable_text(readings: pd.DataFrame) -> str:
    """How many versions cannot be read; "" if all can.

    >>> unreadable_text(pd.DataFrame({"reading": ["read", "absent", "unreadable"]}))
    '1 of 3 versions cannot be read.'
    >>> unreadable_text(pd.DataFrame({"reading": ["read"]}))
    ''
    """
    bad = int((~readings["reading"].isin(READABLE)).sum())
    return f"{bad:,} of {len(readings):,} versions cannot be read." if bad else ""


def version_text(at: pd.Timestamp, edition: str | None, reading: str, commit: str) -> str:
    """One version in a list to choose from.

    >>> version_text(pd.Timestamp("2026-03-04T08:00Z"), "0.4", "read", "3f9c1ab7" * 5)
    '2026-03-04 08:00 UTC, 0.4, 3f9c1ab7'
    """
    known = edition if isinstance(edition, str) else None
    what = known if reading in ("read", "partial") else reading
    return ", ".join(word for word in (utc(at), what, commit[:8]) if word)
