"""How long does a server ask to wait, and how long may one wait in all?

In: the headers of an answer. Out: seconds. Start at asked_to_wait().
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_LONGEST = 999_999_999.0  # seconds; whoever asks for more is not believed, nor waited for


def asked_to_wait(headers: Mapping[str, str], limited: bool, now: datetime) -> float | None:
    """Seconds until the server wants to be asked again; None where it does not say.

    One second is added, as their clocks and ours do not tick together.

    Args:
        headers: of the answer, names in small letters.
        limited: whether it was refused for too many requests; then `RateLimit` counts, which
            good answers have as well.
        now: used where the answer has no `Date` of its own, so that a clock which is wrong here
            does not matter.

    >>> asked_to_wait({"ratelimit": '"api";r=0;t=55'}, True, datetime.now(UTC))
    56.0
    >>> asked_to_wait({"retry-after": "Sun, 01 Nov 2026 00:00:09 GMT"}, False,
    ...               datetime(2026, 11, 1, tzinfo=UTC))
    10.0
    """
    asked = [_retry_after(headers.get("retry-after", "").strip(), headers.get("date", ""), now)]
    if limited:
        asked.append(_rate_limit(headers.get("ratelimit", "")))
    known = [seconds for seconds in asked if seconds is not None]
    return min(max(known), _LONGEST) + 1 if known else None


def _retry_after(text: str, date: str, now: datetime) -> float | None:
    if re.fullmatch(r"[0-9]+", text):
        return float(text[:20])
    until = _moment(text)
    if until is None:
        return None
    return max(0.0, (until - (_moment(date) or now)).total_seconds())


def _rate_limit(text: str) -> float | None:
    """The longest time to a new window, of the limits that are used up; of all if none says so."""
    limits = [
        dict(part.strip().partition("=")[::2] for part in limit.split(";"))
        for limit in text.split(",")
    ]
    used_up = [limit for limit in limits if limit.get("r") == "0"] or limits
    times = [limit.get("t", "") for limit in used_up]
    return max((float(t[:20]) for t in times if re.fullmatch(r"[0-9]+", t)), default=None)


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class Allowance:
    """Seconds that may be waited in all, by any number of threads.

    >>> allowance = Allowance(10)
    >>> allowance.take(8), allowance.take(8), allowance.take(2)
    (True, False, True)
    """

    def __init__(self, seconds: float):
        self._left = seconds
        self._lock = threading.Lock()

    def take(self, seconds: float) -> bool:
        """Whether so much is left; then it is taken."""
        with self._lock:
            if seconds > self._left:
                return False
            self._left -= seconds
            return True
