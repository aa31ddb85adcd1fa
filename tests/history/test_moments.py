from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.moments import Moment, MomentError, find, horizon, instant, readable_around, state_at
from tests.history.by_hand import instant as seconds_in
from tests.history.by_hand import readings

KINDS = ["read", "empty", "absent", "unreadable", "partial"]
FIVE = readings(
    [
        "2026-03-09T23:59:59Z",
        "2026-03-10T00:00:00Z",
        "2026-03-10T23:30:00Z",
        "2026-03-11T00:00:00Z",
        "2026-03-12T08:00:00Z",
    ],
    KINDS,
)
AS_OF = pd.Timestamp("2026-03-20T12:00:00Z")
COMMIT = FIVE["commit"].tolist()


def at(text: str) -> pd.Timestamp:
    return pd.Timestamp(text)


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        pytest.param("latest", Moment(AS_OF, "known", 4, COMMIT[4]), id="latest: the last look"),
        pytest.param(
            "2026-03-10",
            Moment(at("2026-03-10T23:59:59.999999Z"), "absent", 2, COMMIT[2], (1,)),
            id="a date: the end of that UTC day, and what else the day saw",
        ),
        pytest.param(
            date(2026, 3, 15),
            Moment(at("2026-03-15T23:59:59.999999Z"), "known", 4, COMMIT[4]),
            id="a date as TOML gives it, without a version of its own",
        ),
        pytest.param(
            "2026-03-10T00:00:00Z",
            Moment(at("2026-03-10T00:00Z"), "empty", 1, COMMIT[1]),
            id="at its own instant the new version holds",
        ),
        pytest.param(
            "2026-03-10T08:59+09:00",
            Moment(at("2026-03-09T23:59Z"), "before_first"),
            id="another zone",
        ),
        pytest.param(
            "2026-03-11 12:30",
            Moment(at("2026-03-11T12:30Z"), "unknown", 3, COMMIT[3]),
            id="without a zone it is UTC",
        ),
        pytest.param(
            datetime(2026, 3, 12, 17, tzinfo=timezone(timedelta(hours=9))),
            Moment(at("2026-03-12T08:00Z"), "known", 4, COMMIT[4]),
            id="a datetime as TOML gives it",
        ),
        pytest.param(
            COMMIT[2][:7], Moment(FIVE["at"][2], "absent", 2, COMMIT[2]), id="a short commit"
        ),
        pytest.param(
            COMMIT[3].upper(), Moment(FIVE["at"][3], "unknown", 3, COMMIT[3]), id="a full commit"
        ),
    ],
)
def test_find(when, expected):
    if expected.state == "before_first":
        with pytest.raises(MomentError):
            find(FIVE, AS_OF, when)
        assert state_at(FIVE, AS_OF, instant(when)) == expected
    else:
        assert find(FIVE, AS_OF, when) == expected


@pytest.mark.parametrize(
    ("when", "message"),
    [
        pytest.param(
            "2026-03-08",
            "2026-03-08: before the first version (2026-03-09T23:59:59Z). Ask for a later one.",
            id="before the first version",
        ),
        pytest.param(
            "2026-03-20",
            "2026-03-20: later than the last look (2026-03-20T12:00:00Z). "
            "Ask for latest, or crawl again.",
            id="a day that was not over at the last look",
        ),
        pytest.param(
            "2026-03-20T12:00:01Z",
            "2026-03-20T12:00:01Z: later than the last look (2026-03-20T12:00:00Z). "
            "Ask for latest, or crawl again.",
            id="after the last look",
        ),
        pytest.param(
            "fffffff",
            "fffffff: no version of this board has this commit (the last one is 0404040404, "
            "2026-03-12T08:00:00Z). Give a commit (7 to 40 hex digits), YYYY-MM-DD, "
            "a timestamp such as 2026-01-31T15:13Z, or latest.",
            id="a commit that is not known",
        ),
        pytest.param(
            "yesterday",
            '"yesterday": not a moment. Give a commit (7 to 40 hex digits), YYYY-MM-DD, '
            "a timestamp such as 2026-01-31T15:13Z, or latest.",
            id="nonsense",
        ),
        pytest.param(
            "2026-02-30",
            '"2026-02-30": not a moment (day is out of range for month). Give a commit '
            "(7 to 40 hex digits), YYYY-MM-DD, a timestamp such as 2026-01-31T15:13Z, or latest.",
            id="a day that does not exist",
        ),
        pytest.param(
            "abcdef",
            '"abcdef": not a moment. Give a commit (7 to 40 hex digits), YYYY-MM-DD, '
            "a timestamp such as 2026-01-31T15:13Z, or latest.",
            id="six digits are too few for a commit",
        ),
        pytest.param(
            "10.03.2026",
            '"10.03.2026": not a moment. Give a commit (7 to 40 hex digits), YYYY-MM-DD, '
            "a timestamp such as 2026-01-31T15:13Z, or latest.",
            id="a date with the day first",
        ),
    ],
)
def test_what_is_refused(when, message):
    with pytest.raises(MomentError) as error:
        find(FIVE, AS_OF, when)
    assert str(error.value) == message


def test_an_ambiguous_commit_is_refused():
    twins = FIVE.assign(commit=[f"abcdef1{i}" + "0" * 32 for i in range(5)])
    with pytest.raises(MomentError, match="5 commits begin so: abcdef10"):
        find(twins, AS_OF, "abcdef1")
    assert find(twins, AS_OF, "abcdef13").version == 3


def test_a_commit_that_left_the_file_alone():
    table = FIVE.assign(position=[2, 5, 6, 7, 9])
    line = pd.DataFrame({"commit": [f"{i:02x}" * 20 for i in range(16, 28)], "position": range(12)})
    asked = {position: line["commit"][position][:10] for position in (1, 2, 4, 11)}
    assert find(table, AS_OF, asked[2], line).version == 0
    assert find(table, AS_OF, asked[4], line).version == 0
    assert find(table, AS_OF, asked[11], line).version == 4
    with pytest.raises(MomentError, match="before the first version"):
        find(table, AS_OF, asked[1], line)


def test_nothing_stored_and_nothing_seen():
    with pytest.raises(MomentError, match="no version of this board is stored"):
        find(FIVE.iloc[:0], AS_OF, "latest")
    with pytest.raises(MomentError, match="no crawl of this board has succeeded yet"):
        find(FIVE, None, "latest")
    assert find(FIVE, None, "2026-03-11").version == 3
    assert state_at(FIVE, None, at("2026-03-12T08:00:01Z")).state == "after_last_look"


def test_a_version_from_the_future_was_seen_nevertheless():
    early = pd.Timestamp("2026-03-11T00:00Z")
    assert horizon(FIVE, early) == FIVE["at"][4]
    assert find(FIVE, early, "latest").version == 4


@pytest.mark.parametrize("state", ["pointer", "unavailable", "no_access"])
def test_what_was_not_fetched_is_unknown(state):
    table = FIVE.assign(state=[state] * 5)
    assert state_at(table, AS_OF, AS_OF).state == "unknown"


def test_of_two_versions_at_one_instant_the_later_holds():
    table = readings([0, 10, 10, 20])
    assert state_at(table, None, seconds_in(10)).version == 2
    assert find(table, None, table["commit"][1]).version == 1


def test_readable_neighbours():
    assert [readable_around(FIVE, version) for version in range(5)] == [
        (None, 1),
        (0, 2),
        (1, 4),
        (2, 4),
        (2, None),
    ]


@given(st.lists(st.integers(0, 300), min_size=1, max_size=9, unique=True).map(sorted))
def test_each_version_holds_from_its_own_instant(seconds):
    table = readings(seconds)
    for version, second in enumerate(seconds):
        assert state_at(table, None, seconds_in(second)).version == version
        before = state_at(table, None, seconds_in(second - 1))
        assert (before.version, before.state) == (
            (version - 1, "known") if version else (None, "before_first")
        )


def test_instants_are_utc():
    assert instant(date(2026, 3, 1)) == datetime(2026, 3, 1, 23, 59, 59, 999999, tzinfo=UTC)


def polled():
    """Two versions, a look at 4 s that still saw the first."""
    table = readings([0, 10])
    table["at_earliest"] = [seconds_in(0), seconds_in(4)]
    return table


@pytest.mark.parametrize(
    ("second", "state", "version"),
    [
        pytest.param(4, "known", 0, id="at the last look it was still there"),
        pytest.param(5, "unknown", None, id="after it nobody knows"),
        pytest.param(10, "known", 1, id="at the next look another was there"),
    ],
)
def test_between_two_looks(second, state, version):
    found = state_at(polled(), AS_OF, seconds_in(second))
    assert (found.state, found.version) == (state, version)


def test_a_moment_between_two_looks_is_refused():
    with pytest.raises(MomentError) as raised:
        find(polled(), AS_OF, "2026-03-01T00:00:05Z")
    said = "nobody looked between 2026-03-01T00:00:04Z and 2026-03-01T00:00:10Z"
    assert raised.value.found == said
