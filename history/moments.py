"""Which version answers for a moment?

In: READINGS, the time of the last successful look, and what a person wrote: a commit,
a date, a timestamp or `latest`. Out: a Moment. Start at find(); state_at() answers
without objecting, also for times that the history does not cover.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal

import pandas as pd

from crawler.errors import TypedError
from history.frames import READABLE, UNKNOWN_STATES
from history.times import iso

State = Literal["known", "empty", "absent", "unknown", "before_first", "after_last_look"]
When = str | date

WAYS = "Give a commit (7 to 40 hex digits), YYYY-MM-DD, a timestamp such as 2026-01-31T15:13Z, or latest"
COMMIT = re.compile(r"[0-9a-fA-F]{7,40}")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:.*")
_LAST_OF_DAY = timedelta(days=1) - timedelta(microseconds=1)


class MomentError(TypedError):
    """What was written is no moment, or none that the history covers."""


class NotOnTheLine(MomentError):
    """A commit that is not on the board's published line."""

    def of_a_side_branch(self, branch: str) -> MomentError:
        """The same of a commit that is known, but from elsewhere."""
        line = f"the published line of {branch or 'the default branch'}"
        found = f"this commit is not on {line}, but on a side branch"
        return MomentError(self.where, found, "Give a commit of the published line")


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant of a board's history.

    Attributes:
        at: the instant, UTC. Of a date its last microsecond, of a commit the time
            from which its version held.
        state: known; empty (a file without entries); absent (no file); unknown (a file
            that cannot be read, or a time between two looks that saw different versions);
            before_first; after_last_look.
        version: which version held; None before the first, between two looks and after the last.
        commit: full commit id of that version.
        also: other versions published on the same UTC day, if a date was asked for.
    """

    at: pd.Timestamp
    state: State
    version: int | None = None
    commit: str | None = None
    also: tuple[int, ...] = ()


def find(
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    when: When = "latest",
    line: pd.DataFrame | None = None,
) -> Moment:
    """The moment that a person means.

    Args:
        readings: READINGS with `at`, by version.
        as_of: time of the last successful look, UTC; None if there was none.
        when: a commit (7 to 40 hex digits), a date (the state at the end of that UTC
            day), a timestamp (UTC if it names no zone), or `latest`.
        line: all commits of the published line (columns `commit`, `position`), so that
            a commit that left the file alone is found, too; `readings` then needs
            `position`.

    Raises:
        MomentError: nonsense, an unknown or ambiguous commit, a moment before the
            first version, between two looks that saw different versions, or after the last look.

    >>> times = pd.to_datetime(["2026-03-01T08:00Z", "2026-03-01T09:00Z"])
    >>> readings = pd.DataFrame({"version": [0, 1], "commit": ["ab" * 20, "cd" * 20],
    ...     "at": times, "state": "published", "reading": "read"})
    >>> moment = find(readings, pd.Timestamp("2026-03-05T00:00Z"), "2026-03-01")
    >>> moment.version, moment.state, moment.also
    (1, 'known', (0,))
    """
    if readings.empty:
        raise MomentError(str(when), "no version of this board is stored", "Crawl it first")
    if when == "latest":
        if as_of is None:
            raise MomentError("latest", "no crawl of this board has succeeded yet", "Crawl it")
        return _of_version(readings, len(readings) - 1, horizon(readings, as_of))
    if isinstance(when, str) and COMMIT.fullmatch(when.strip()):
        return _of_version(readings, _position_of_commit(readings, when.strip().lower(), line))

    moment = state_at(readings, as_of, instant(when))
    if moment.state == "before_first":
        first = iso(readings["at"].iloc[0])
        raise MomentError(str(when), f"before the first version ({first})", "Ask for a later one")
    if moment.state == "after_last_look":
        last = iso(horizon(readings, as_of))
        raise MomentError(
            str(when), f"later than the last look ({last})", "Ask for latest, or crawl again"
        )
    if gap := gap_at(readings, moment.at):
        found = f"nobody looked between {iso(gap[0])} and {iso(gap[1])}"
        fix = f"Ask for {iso(gap[0])}, or for {iso(gap[1])}, when another version was there"
        raise MomentError(str(when), found, fix)
    if not is_day(when):
        return moment
    midnight = moment.at - _LAST_OF_DAY
    that_day = readings["version"][readings["at"].between(midnight, moment.at)].tolist()
    return replace(moment, also=tuple(v for v in that_day if v != moment.version))


def state_at(readings: pd.DataFrame, as_of: pd.Timestamp | None, time: pd.Timestamp) -> Moment:
    """The state at an instant: the last version with `at` <= time.

    Args:
        readings: READINGS with `at`, by version.
        as_of: time of the last successful look.
        time: UTC. Nothing is known of a time after the last look.
    """
    if readings.empty or time < readings["at"].iloc[0]:
        return Moment(time, "before_first")
    if time > horizon(readings, as_of):
        return Moment(time, "after_last_look")
    if gap_at(readings, time):
        return Moment(time, "unknown")
    return _of_version(readings, int(readings["at"].searchsorted(time, side="right")) - 1, time)


def earliest(readings: pd.DataFrame) -> pd.Series:
    """Since when each version may have held; where that is not said, it is known: `at`."""
    return readings["at_earliest" if "at_earliest" in readings else "at"]


def gap_at(readings: pd.DataFrame, time: pd.Timestamp) -> tuple[pd.Timestamp, pd.Timestamp] | None:
    """The two looks round a time of which nobody knows what held then; None where it is known.

    Args:
        readings: READINGS with `at`, by version.
        time: UTC.

    >>> times = pd.to_datetime(["2026-03-01", "2026-03-03"], utc=True)
    >>> readings = pd.DataFrame({"at": times, "at_earliest": [times[0], times[0]]})
    >>> [gap_at(readings, times[0] + timedelta(days=days)) is not None for days in (0, 1, 2)]
    [False, True, False]
    """
    after = int(readings["at"].searchsorted(time, side="right"))
    if not 0 < after < len(readings):
        return None
    looked = earliest(readings).iloc[after]
    return (looked, readings["at"].iloc[after]) if looked < time else None


def instant(when: When) -> pd.Timestamp:
    """A date (its last microsecond, UTC) or a timestamp as an instant.

    Raises:
        MomentError: it is neither.

    >>> instant("2026-10-20"), instant("2026-10-21T17:13:00+02:00")
    (Timestamp('2026-10-20 23:59:59.999999+0000', tz='UTC'), Timestamp('2026-10-21 15:13:00+0000', tz='UTC'))
    """
    try:
        if not isinstance(when, str):
            time = pd.Timestamp(when)
        elif DAY.fullmatch(when.strip()) or TIMESTAMP.fullmatch(when.strip()):
            time = pd.Timestamp(datetime.fromisoformat(when.strip()))
        else:
            raise MomentError(f'"{when}"', "not a moment", WAYS)
        utc = time.tz_localize("UTC") if time.tzinfo is None else time.tz_convert("UTC")
        return utc.as_unit("us") + (_LAST_OF_DAY if is_day(when) else timedelta(0))
    except (ValueError, OverflowError) as error:
        raise MomentError(f'"{when}"', f"not a moment ({error})", WAYS) from None


def is_day(when: When) -> bool:
    """Whether this names a whole UTC day.

    >>> is_day("2026-10-20"), is_day(date(2026, 10, 20)), is_day("2026-10-20T00:00Z")
    (True, True, False)
    """
    if isinstance(when, str):
        return DAY.fullmatch(when.strip()) is not None
    return not isinstance(when, datetime)


def states(readings: pd.DataFrame) -> pd.Series:
    """What each version lets us know, indexed by version: known, empty, absent or unknown.

    >>> states(pd.DataFrame({"version": [0, 1, 2], "reading": ["partial", "empty", "unreadable"],
    ...     "state": "published"})).tolist()
    ['known', 'empty', 'unknown']
    """
    both = zip(readings["reading"].tolist(), readings["state"].tolist(), strict=True)
    return pd.Series([_state(*one) for one in both], index=readings["version"], dtype="str")


def horizon(readings: pd.DataFrame, as_of: pd.Timestamp | None) -> pd.Timestamp:
    """The last instant of which something is known, to the second.

    That is the last successful look. A committer's clock can be ahead of it: the
    version was seen nevertheless, so its own time is known at least.
    """
    last = readings["at"].iloc[-1]
    return last if as_of is None else max(last, as_of.floor("s"))


def readable_around(readings: pd.DataFrame, version: int) -> tuple[int | None, int | None]:
    """The last readable version before another one and the next after it.

    >>> readings = pd.DataFrame({"version": [0, 1, 2], "reading": ["read", "unreadable", "empty"],
    ...     "state": "published"})
    >>> readable_around(readings, 1), readable_around(readings, 2)
    ((0, 2), (0, None))
    """
    readable = states(readings).loc[lambda state: state != "unknown"].index.tolist()
    before = [v for v in readable if v < version]
    after = [v for v in readable if v > version]
    return (before[-1] if before else None, after[0] if after else None)


def _of_version(readings: pd.DataFrame, position: int, time: pd.Timestamp | None = None) -> Moment:
    def cell(column: str) -> Any:
        return readings[column].iat[position]

    at = cell("at") if time is None else time
    state = _state(cell("reading"), cell("state"))
    return Moment(at, state, int(cell("version")), str(cell("commit")))


def _state(reading: str, state: str) -> State:
    if reading not in READABLE or state in UNKNOWN_STATES:
        return "unknown"
    if reading == "empty":
        return "empty"
    return "absent" if reading == "absent" else "known"


def _position_of_commit(readings: pd.DataFrame, prefix: str, line: pd.DataFrame | None) -> int:
    """Row of the version that a commit published or, given the line, left as it was."""
    known = readings["commit"] if line is None else line["commit"]
    fits = known[known.str.startswith(prefix)].unique().tolist()
    if len(fits) > 1:
        raise MomentError(
            prefix, f"{len(fits)} commits begin so: {', '.join(fits[:3])}", "Give more digits"
        )
    if fits:
        own = (readings["commit"] == fits[0]).to_numpy().nonzero()[0]
        if len(own):
            return int(own[-1])
        assert line is not None  # without it, only versions fit
        position = line["position"][line["commit"] == fits[0]].iloc[-1]
        earlier = (readings["position"] <= position).to_numpy().nonzero()[0]
        if len(earlier):
            return int(earlier[-1])
        first = iso(readings["at"].iloc[0])
        raise MomentError(prefix, f"before the first version ({first})", "Ask for a later one")
    last = readings.iloc[-1]
    raise NotOnTheLine(
        prefix,
        f"no version of this board has this commit (the last one is {last['commit'][:10]}, "
        f"{iso(last['at'])})",
        WAYS,
    )
