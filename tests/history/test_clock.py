from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.clock import (
    earliest_times,
    effective_times,
    faults,
    longest_non_decreasing,
    post_time,
    with_times,
)
from tests.reference import line

TIMES = st.lists(st.integers(0, 30), max_size=12)


def effective(seconds: list[int]) -> list[int]:
    clocks = pd.Series(pd.to_datetime(seconds, unit="s", utc=True)).astype("datetime64[us, UTC]")
    at = effective_times(clocks)
    assert at.dtype == clocks.dtype
    return (at.astype("int64") // 1_000_000).tolist()


@pytest.mark.parametrize(
    ("claimed", "at"),
    [
        pytest.param([], [], id="no versions"),
        pytest.param([5], [5], id="one version"),
        pytest.param([10, 12, 13], [10, 12, 13], id="clocks that agree are left alone"),
        pytest.param([10, 12, 99, 13, 14, 20], [10, 12, 13, 13, 14, 20], id="one clock ahead"),
        pytest.param([10, 12, 1, 13, 14], [10, 12, 12, 13, 14], id="one clock behind"),
        pytest.param([8, 9, 99, 1, 20, 21], [8, 9, 20, 20, 20, 21], id="moved ones stay in order"),
        pytest.param([99, 10, 11], [10, 10, 11], id="the first clock is ahead"),
        pytest.param([10, 11, 5], [10, 11, 11], id="the last clock is behind"),
        pytest.param([30, 20, 10], [10, 10, 10], id="backwards all the way: the newest is kept"),
        pytest.param([10, 10, 10], [10, 10, 10], id="equal times are no contradiction"),
    ],
)
def test_effective_times(claimed, at):
    assert effective(claimed) == at


def test_a_missing_time_is_refused():
    with pytest.raises(ValueError, match="versions without a commit time: 1"):
        effective_times(pd.Series(pd.to_datetime(["2026-03-01", None], utc=True)))


def test_the_index_is_kept():
    clocks = pd.Series(pd.to_datetime([20, 10], unit="s", utc=True), index=[7, 9])
    assert effective_times(clocks).index.tolist() == [7, 9]


@given(TIMES)
def test_as_the_reference(seconds):
    assert longest_non_decreasing(seconds) == (
        line.longest_non_decreasing(seconds) if seconds else []
    )
    assert effective(seconds) == line.effective_times(seconds)


@given(TIMES)
def test_times_never_run_backwards(seconds):
    at = effective(seconds)
    assert at == sorted(at)


@given(TIMES)
def test_a_monotone_history_is_kept_whole(seconds):
    assert longest_non_decreasing(sorted(seconds)) == list(range(len(seconds)))
    assert effective(sorted(seconds)) == sorted(seconds)


def test_a_long_history_takes_no_time():
    seconds = [(i * 7919) % 10_007 for i in range(20_000)]
    kept = [seconds[i] for i in longest_non_decreasing(seconds)]
    assert kept == sorted(kept)


@pytest.mark.parametrize(
    ("looks", "at", "earliest"),
    [
        pytest.param([None, 4, 9], [0, 5, 10], [0, 4, 9], id="the last look that saw another"),
        pytest.param([None, None, None], [0, 5, 10], [0, 5, 10], id="known to begin then"),
        pytest.param([7, None, 9], [0, 5, 10], [0, 5, 9], id="nothing is before the first"),
        pytest.param([None, 4, 3], [0, 5, 10], [0, 4, 5], id="the one before was seen at its time"),
        pytest.param(
            [None, 99, 9], [0, 5, 10], [0, 0, 9], id="a look of a wrong clock says nothing"
        ),
        pytest.param([None, 4, 5], [0, 5, 5], [0, 4, 4], id="equal times share theirs"),
    ],
)
def test_earliest_times(looks, at, earliest):
    def times(seconds):
        return pd.Series(pd.to_datetime(seconds, unit="s", utc=True))

    found = earliest_times(times(looks), times(at))
    assert found.name == "at_earliest"
    assert found.tolist() == times(earliest).tolist()


def test_a_post_says_its_time():
    assert post_time("2112343603209261092") == pd.Timestamp("2026-10-20T00:42:15.108Z")


@pytest.mark.parametrize(
    "post",
    [
        pytest.param("29700859246", id="older than the numbers that are times"),
        pytest.param("99999999999999999999", id="too large"),
        pytest.param("someone", id="no number"),
        pytest.param("٣٤٥٦٧٨٩٠١٢٣٤٥", id="no ASCII digits"),
    ],
)
def test_what_is_no_post(post):
    with pytest.raises(ValueError, match="no number of a post"):
        post_time(post)


@pytest.mark.parametrize(
    ("seconds", "seen", "expected"),
    [
        pytest.param([10, 12, 13], 100, [], id="clocks that agree"),
        pytest.param(
            [10, 12, 99, 13, 14, 20], 100, [(2, "backward"), (2, "equal")],
            id="one ahead: it counts as the time of the next one",
        ),
        pytest.param([10, 10, 20], 100, [(0, "equal")], id="equal times: the later one wins"),
        pytest.param([10, 5_000], 100, [(1, "future")], id="after the crawl that saw it: kept"),
        pytest.param([10, 150], 100, [], id="clocks of two machines may differ a little"),
    ],
)  # fmt: skip
def test_faults(seconds, seen, expected):
    times = pd.Series(pd.to_datetime(seconds, unit="s", utc=True))
    versions = pd.DataFrame(
        {
            "version": range(len(seconds)),
            "committed_at": times,
            "not_before": pd.Series(pd.NaT, index=times.index, dtype=times.dtype),
            "observed_at": pd.Timestamp(seen, unit="s", tz="UTC"),
        }
    )
    assert [(one.version, one.kind) for one in faults(with_times(versions))] == expected
