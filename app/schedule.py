"""When is the next crawl?

In: a cron expression of five fields, as in a crontab, in UTC. Out: its times, and a wait for one of
them that clocks which are set, and machines that sleep, do not lead astray. Start at Schedule.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from app.faults import UsageProblem

SLICE = 5.0  # seconds; so late at most after a machine slept or a clock was set
_LONGEST = 200  # letters
_FIELDS = (
    ("minute", "0 to 59"),
    ("hour", "0 to 23"),
    ("day-of-month", "1 to 31, or L"),
    ("month", "1 to 12, or JAN to DEC"),
    ("day-of-week", "0 to 7, or SUN to SAT"),
)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Clock:
    """The clocks of this machine.

    Attributes:
        wall: what time it is, UTC; somebody may set it.
        steady: seconds that only ever go on; they may stop while the machine sleeps.
        sleep: waits some seconds.
    """

    wall: Callable[[], datetime] = _now
    steady: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def wait_until(self, due: datetime) -> None:
        """Wait until a moment, or as long as it is away now, whichever is over first.

        So a clock that is set back does not make the wait longer, and after a sleep of the
        machine what is overdue begins at once.
        """
        end = self.steady() + (due - self.wall()).total_seconds()
        while self.wall() < due and (left := end - self.steady()) > 0:
            self.sleep(min(left, SLICE))


class Schedule:
    """The times of a cron expression.

    Args:
        expression: minute, hour, day of month, month, day of week.

    Raises:
        UsageProblem: it is none, or never comes.

    >>> hourly = Schedule("7 * * * *")
    >>> str(hourly.after(datetime(2026, 10, 20, 12, 7, tzinfo=UTC)))
    '2026-10-20 13:07:00+00:00'
    """

    def __init__(self, expression: str):
        fields = expression.split()
        if len(fields) != len(_FIELDS) or len(expression) > _LONGEST:
            from history.counts import counted

            names = ", ".join(name for name, _ in _FIELDS)
            raise _refused(
                expression, f"{counted(len(fields), 'field')}, not five", f"Write {names}"
            )
        self.expression = " ".join(fields)
        # A field alone may be right and the whole never come, so both are tried.
        for n, (name, range_) in enumerate(_FIELDS):
            alone = " ".join("*" if other != n else field for other, field in enumerate(fields))
            if _first(alone, _now()) is None:
                raise _refused(expression, f"{name} {fields[n]!r}", f"It takes {range_}")
        if _first(self.expression, _now()) is None:
            found = "there is no such day"
            raise _refused(expression, found, "Look at day-of-month, month and day-of-week")

    def after(self, moment: datetime) -> datetime:
        """The first time after a moment."""
        found = _first(self.expression, moment)
        assert found is not None  # it was tried
        return found

    def following(self, now: datetime, last: datetime | None) -> datetime:
        """The time to crawl at next.

        Args:
            now: what the clock says.
            last: the time that was crawled for; None before the first.

        A time is not crawled for twice because the clock was set back a little. Where it was set
        back by more than what lies between two times, it was wrong before, and is believed now.

        >>> def at(text): return datetime.fromisoformat(f"2026-10-20T{text}Z")
        >>> hourly = Schedule("7 * * * *")
        >>> [f"{hourly.following(at(now), at('12:07')):%H:%M}" for now in ("12:06", "12:08", "09:30")]
        ['13:07', '13:07', '10:07']
        """
        due = self.after(now)
        if last is None or due > last:
            return due
        new = self.after(last)
        return new if new - now <= 2 * (new - last) else due


def _first(expression: str, moment: datetime) -> datetime | None:
    """The first time after a moment; None where the expression is none, or never comes."""
    from cronsim import CronSim, CronSimError

    try:
        return next(CronSim(expression, moment.astimezone(UTC)), None)
    except (CronSimError, ValueError, OverflowError):
        return None


def _refused(expression: str, found: str, fix: str) -> UsageProblem:
    shown = expression if len(expression) <= _LONGEST else f"{expression[:_LONGEST]}..."
    return UsageProblem(f'--cron {shown!r}: {found}. {fix}, as in "7 * * * *".')
