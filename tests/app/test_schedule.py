"""When the next crawl is, on clocks that are set and machines that sleep."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from app.faults import UsageProblem
from app.schedule import SLICE, Clock, Schedule


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("expression", "moment", "due"),
    [
        pytest.param("7 * * * *", "2026-10-20T12:06:59", "2026-10-20T12:07", id="each hour"),
        pytest.param("7 * * * *", "2026-10-20T12:07", "2026-10-20T13:07", id="not the same again"),
        pytest.param("*/20 6-8 * * *", "2026-10-20T08:50", "2026-10-21T06:00", id="steps in hours"),
        pytest.param("0 9 * * MON-FRI", "2026-10-23T10:00", "2026-10-26T09:00", id="workdays"),
        pytest.param("0 0 29 2 *", "2026-10-20T00:00", "2028-02-29T00:00", id="a rare day"),
        pytest.param("0 0 L * *", "2026-10-20T00:00", "2026-10-31T00:00", id="a month's end"),
        pytest.param(" 7   *  * * * ", "2026-10-20T12:00", "2026-10-20T12:07", id="wide spaces"),
    ],
)
def test_the_first_time_after_a_moment(expression, moment, due):
    assert Schedule(expression).after(at(moment)) == at(due)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        pytest.param("61 * * * *", ["minute '61'", "0 to 59"], id="a minute"),
        pytest.param("* 24 * * *", ["hour '24'", "0 to 23"], id="an hour"),
        pytest.param("* * 0 * *", ["day-of-month '0'"], id="a day"),
        pytest.param("* * * FOO *", ["month 'FOO'", "JAN"], id="a month"),
        pytest.param("* * * * MON#6", ["day-of-week 'MON#6'"], id="a day of the week"),
        pytest.param("*/0 * * * *", ["minute '*/0'"], id="a step of nothing"),
        pytest.param("30-10 * * * *", ["minute '30-10'"], id="a range backwards"),
        pytest.param("* * *", ["3 fields, not five"], id="too few fields"),
        pytest.param("0 7 * * * *", ["6 fields, not five"], id="seconds"),
        pytest.param("@hourly", ["1 field, not five"], id="a word"),
        pytest.param("", ["0 fields"], id="nothing"),
        pytest.param("0 0 30 2 *", ["no such day"], id="a day that never comes"),
        pytest.param("0 0 31 4,6,9,11 *", ["no such day"], id="a day of no such month"),
        pytest.param("9" * 5000 + " * * * *", ["not five"], id="endless digits"),
        pytest.param("٣ * * * *", ["minute"], id="digits of another script"),
        pytest.param("7 * * * *; reboot", ["6 fields"], id="a command"),
    ],
)
def test_what_is_no_time(expression, words):
    with pytest.raises(UsageProblem) as refused:
        Schedule(expression)
    said = refused.value.format_message()
    assert all(word in said for word in ["--cron", *words]), said
    assert len(said) < 500 and "\n" not in said


@pytest.mark.parametrize(
    ("now", "last", "due"),
    [
        pytest.param("12:08", "12:07", "13:07", id="as usual"),
        pytest.param("12:06:59", "12:07", "13:07", id="a second too early is not twice"),
        pytest.param("11:40", "12:07", "13:07", id="set back by less than an hour is not twice"),
        pytest.param("09:30", "12:07", "10:07", id="set back by hours is not hours of waiting"),
        pytest.param("15:50", "12:07", "16:07", id="what passed meanwhile is left out"),
        pytest.param("12:00", None, "12:07", id="the first"),
    ],
)
def test_the_time_after_a_crawl(now, last, due):
    day = "2026-10-20T"
    given = None if last is None else at(day + last)
    assert Schedule("7 * * * *").following(at(day + now), given) == at(day + due)


@dataclass
class Machine:
    """A machine whose clocks do what a test says.

    Attributes:
        now: of its wall clock.
        steady: seconds of its other clock.
        jumps: what happens when the steady clock has reached some seconds: the wall clock is set
            by so much, or the machine sleeps for so long, which only the wall clock sees.
    """

    now: datetime
    steady: float = 0.0
    jumps: dict[float, timedelta] = field(default_factory=dict)

    def sleep(self, seconds: float) -> None:
        assert 0 < seconds <= SLICE
        self.steady += seconds
        self.now += timedelta(seconds=seconds)
        for when in [when for when in self.jumps if when <= self.steady]:
            self.now += self.jumps.pop(when)

    def clock(self) -> Clock:
        return Clock(lambda: self.now, lambda: self.steady, self.sleep)


@pytest.mark.parametrize(
    ("jumps", "waited", "ended"),
    [
        pytest.param({}, 3600, "13:07", id="nothing happens"),
        pytest.param({600: -3}, 3600, "10:07", id="set back by three hours: no longer wait"),
        pytest.param({600: 5}, 600, "17:17", id="set forward, or asleep, past the time: at once"),
        pytest.param({600: 0.5}, 1800, "13:07", id="asleep for a while: at the time"),
    ],
)
def test_a_wait_ends_in_time(jumps, waited, ended):
    hours = {when: timedelta(hours=value) for when, value in jumps.items()}
    machine = Machine(at("2026-10-20T12:07"), jumps=hours)
    machine.clock().wait_until(at("2026-10-20T13:07"))
    assert abs(machine.steady - waited) <= SLICE
    late = machine.now - at(f"2026-10-20T{ended}")
    assert timedelta(0) <= late <= timedelta(seconds=SLICE)


def test_a_time_that_has_passed_is_not_waited_for():
    machine = Machine(at("2026-10-20T12:07"))
    machine.clock().wait_until(at("2026-10-20T12:07"))
    assert machine.steady == 0


@pytest.mark.parametrize("jump", [-0.1, -0.6, -2.0, -30.0, 0.3, 7.0])
@pytest.mark.parametrize("when", [300.0, 3599.0, 3601.0, 5000.0])
def test_whatever_happens_to_a_clock_there_is_one_crawl_an_hour(jump, when):
    """Ten crawls of an hourly schedule: none sooner than is right, none hours late."""
    schedule, last, begun = Schedule("7 * * * *"), None, []
    machine = Machine(at("2026-10-20T12:07"), jumps={when: timedelta(hours=jump)})
    for _ in range(10):
        due = schedule.following(machine.now, last)
        machine.clock().wait_until(due)
        begun.append((machine.steady, due))
        last = due
        machine.sleep(1)  # the crawl
    gaps = [b - a for (a, _), (b, _) in pairwise(begun)]
    assert max(gaps) <= 2 * 3600 + 2 * SLICE
    dues = [due for _, due in begun]
    assert all(a != b for a, b in pairwise(dues))
    assert sum(gap < 1700 for gap in gaps) <= 1  # after the jump the schedule is met anew
