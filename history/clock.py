"""When did each version begin to hold?

Commits are in order of ancestry; their clocks need not be. In: the committers' times
along the published line. Out: times that never run backwards. Start at effective_times();
earliest_times() says since when each version may have held, where somebody only looked from time
to time.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["backward", "equal", "future"]

_SLACK = pd.Timedelta(minutes=5)  # clocks of two machines are rarely nearer than that
_POST_EPOCH = 1_288_834_974_657  # milliseconds since 1970
_FIRST_POST = 29_700_859_247  # numbers below it say nothing of time


@dataclass(frozen=True, slots=True)
class Fault:
    """A commit time that cannot be taken as it stands.

    Attributes:
        version: whose it is.
        kind: backward, it does not fit between its neighbours, so that it was moved; equal, the
            next version has the same time and holds from then on, so that this one held for no
            time; future, later than the crawl that first saw it, which is kept.
        committed_at: as written.
        at: as it counts.
    """

    version: int
    kind: Kind
    committed_at: pd.Timestamp
    at: pd.Timestamp


def faults(versions: pd.DataFrame) -> list[Fault]:
    """Clock faults along a line, by version. None is a reason to drop a version.

    Args:
        versions: VERSIONS with `at`.

    >>> times = pd.to_datetime([10, 12, 99, 13, 13], unit="s", utc=True)
    >>> versions = pd.DataFrame({"version": range(5), "committed_at": times, "not_before": pd.NaT,
    ...     "observed_at": pd.Timestamp("1970-01-01T01:00Z")})
    >>> [(fault.version, fault.kind) for fault in faults(with_times(versions))]
    [(2, 'backward'), (2, 'equal'), (3, 'equal')]
    """
    committed, at = versions["committed_at"], versions["at"]
    # a file that is polled has the time of the look itself
    future = committed > versions["observed_at"] + _SLACK
    found: list[tuple[Kind, pd.Series]] = [
        ("backward", committed != at),
        ("equal", at == at.shift(-1)),
        ("future", future & versions["not_before"].isna()),
    ]
    faulty = [
        Fault(int(version), kind, written, counted)
        for kind, marks in found
        for version, written, counted in zip(
            versions.loc[marks, "version"], committed[marks], at[marks], strict=True
        )
    ]
    return sorted(faulty, key=lambda one: (one.version, one.kind))


def with_times(versions: pd.DataFrame) -> pd.DataFrame:
    """VERSIONS with the columns `at` and `at_earliest`."""
    at = effective_times(versions["committed_at"])
    return versions.assign(at=at, at_earliest=earliest_times(versions["not_before"], at))


def effective_times(committed_at: pd.Series) -> pd.Series:
    """Make the committers' times monotone, changing as few as possible.

    The commits of a longest non-decreasing subsequence keep their time. Another one
    is moved to the nearest time between its kept neighbours (and never before another
    one that was moved): a single clock that was years ahead costs one commit its time,
    where a running maximum would freeze all that follow.

    Args:
        committed_at: datetime64, UTC, one per version, in order of ancestry.

    Returns:
        `at`, indexed like the input. Of two versions with equal times the later one
        wins; the earlier holds for no time at all.

    Raises:
        ValueError: a time is missing.

    >>> clocks = pd.to_datetime([10, 12, 99, 13, 14, 20], unit="s", utc=True)
    >>> effective_times(pd.Series(clocks)).dt.second.tolist()
    [10, 12, 13, 13, 14, 20]
    """
    if committed_at.isna().any():
        raise ValueError(f"versions without a commit time: {int(committed_at.isna().sum())}")
    if committed_at.empty:
        return committed_at.rename("at")
    claimed = committed_at.astype("int64").to_numpy()
    kept = np.zeros(len(claimed), dtype=bool)
    kept[longest_non_decreasing(claimed.tolist())] = True
    bounds = np.iinfo(np.int64)
    lowest = np.maximum.accumulate(np.where(kept, claimed, bounds.min))
    highest = np.minimum.accumulate(np.where(kept, claimed, bounds.max)[::-1])[::-1]
    at = np.maximum.accumulate(np.clip(claimed, lowest, highest))
    return pd.Series(at, index=committed_at.index, name="at").astype(committed_at.dtype)


def earliest_times(not_before: pd.Series, at: pd.Series) -> pd.Series:
    """The earliest that each version can have begun to hold.

    Between the last look that saw another version and the first that saw this one, both excluded,
    nobody knows which of them held, or whether a third did. Where a clock was set back and the
    two looks are in the wrong order, that is all the time since the version before.

    Args:
        not_before: datetime64, UTC: the last look that saw another version; a gap where it is
            known when this one began, and for the first.
        at: of effective_times().

    Returns:
        `at_earliest`, indexed like `at`: equal to it where that is certain. Versions with equal
        times, of which the last one wins, share theirs.

    >>> times = pd.to_datetime(["2026-10-20T14:00Z", "2026-10-22T20:00Z"])
    >>> looks = pd.Series(pd.to_datetime([None, "2026-10-21T15:00Z"], utc=True))
    >>> earliest_times(looks, pd.Series(times)).dt.day.tolist()
    [20, 21]
    """
    earliest = at.rename("at_earliest")
    if not_before.isna().all():
        return earliest
    before = _times_before(at)
    looks = not_before.astype(at.dtype)
    early = looks.where(looks <= at, before).clip(lower=before).where(looks.notna(), at)
    early.iloc[0] = at.iloc[0]
    return early.groupby(at).transform("min").rename("at_earliest")


def _times_before(at: pd.Series) -> pd.Series:
    """Of each time the one before it that differs; of the first itself."""
    new = at != at.shift()
    return at.shift().where(new).ffill().fillna(at.iloc[0])


def longest_non_decreasing(times: Sequence[int]) -> list[int]:
    """Positions of a longest non-decreasing subsequence, in O(n log n).

    Where several are equally long it takes, from the end backwards, the latest
    position that still fits.

    >>> longest_non_decreasing([10, 12, 99, 13, 14, 20])
    [0, 1, 3, 4, 5]
    >>> longest_non_decreasing([7, 7])
    [0, 1]
    """
    ends: list[int] = []  # ends[k]: smallest time that ends a subsequence of k + 1
    end_at: list[int] = []  # and its position
    before: list[int] = []  # the position before each in its own best subsequence
    for position, time in enumerate(times):
        length = bisect_right(ends, time)
        before.append(end_at[length - 1] if length else -1)
        ends[length : length + 1] = [time]
        end_at[length : length + 1] = [position]
    found: list[int] = []
    position = end_at[-1] if end_at else -1
    while position >= 0:
        found.append(position)
        position = before[position]
    return found[::-1]


def post_time(post: str) -> pd.Timestamp:
    """When a post on X was made, by its own number: the upper bits count milliseconds.

    Args:
        post: the number, or an address that ends with it.

    Raises:
        ValueError: no number of a post since November 2010, when they became times.

    Source: Twitter's Snowflake; milliseconds since 2010-11-04T01:42:54.657Z.

    >>> post_time("https://x.com/someone/status/2112343603209261092").isoformat()
    '2026-10-20T00:42:15.108000+00:00'
    """
    number = post.rstrip("/").rpartition("/")[2].partition("?")[0]
    if not (number.isascii() and number.isdigit() and _FIRST_POST <= int(number) < 2**63):
        raise ValueError(f"{post!r}: no number of a post that says its time")
    return pd.Timestamp((int(number) >> 22) + _POST_EPOCH, unit="ms", tz="UTC")
