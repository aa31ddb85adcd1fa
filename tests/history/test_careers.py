"""What each entry had of first place, against the reference; and moments at a version's edge."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history import moments
from history.ranks import rank
from history.reigns import careers
from history.ties import TieRule
from tests.history.by_hand import instant, readings, scores
from tests.reference import line

A, B, AB = {"a": "2", "b": "1"}, {"a": "2", "b": "3"}, {"a": "2", "b": "2"}


def told(times, boards, end, kinds=(), **more):
    table = rank(scores(*boards), rule=more.pop("rule", TieRule("none")))
    return {one.entry: one for one in careers(table, readings(times, kinds), instant(end), **more)}


def spans(stretches):
    return [
        (int((one.start - instant(0)).total_seconds()), one.seconds, one.open) for one in stretches
    ]


def test_a_shared_first_place_counts_in_full_and_is_not_one_alone():
    found = told([0, 10, 20, 30], [A, AB, B, B], 50)
    a, b = found["a"], found["b"]
    assert (spans(a.first), spans(a.sole)) == ([(0, 20, False)], [(0, 10, False)])
    assert (spans(b.first), spans(b.sole)) == ([(10, 40, True)], [(20, 30, True)])
    assert (a.seconds, a.seconds_sole, b.seconds, b.seconds_sole) == (20, 10, 40, 30)
    assert (a.current, b.current.seconds) == (None, 40)


@pytest.mark.parametrize(
    ("boards", "peak", "at_peak"),
    [
        pytest.param(
            [{"a": "3", "b": "2", "c": "1"}, {"a": "3", "b": "1", "c": "2"}, {"a": "3", "c": "2"}],
            2, [(10, 40, True)], id="from the second version on",
        ),
        pytest.param(
            [{"a": "1", "c": "1"}, {"a": "2", "c": "1"}, {"a": "1", "c": "1"}],
            1, [(0, 10, False), (20, 30, True)], id="every time that it was at its best",
        ),
        pytest.param([{"a": "1", "c": None}] * 3, None, [], id="never ranked"),
    ],
)  # fmt: skip
def test_peak(boards, peak, at_peak):
    c = told([0, 10, 20], boards, 50)["c"]
    assert (c.peak, spans(c.at_peak)) == (peak, at_peak)


def test_a_board_that_never_listed_anybody_has_no_careers():
    assert told([0, 10], [{}, {}], 30, kinds=["empty", "empty"]) == {}


def test_a_version_that_held_for_no_time_is_no_peak():
    found = told([0, 10, 10], [A, B, A], 30)
    assert (found["b"].peak, found["b"].first) == (2, ())
    assert spans(found["a"].first) == [(0, 30, True)]


def test_the_longest_is_the_earliest_of_equal_ones_and_may_go_on():
    found = told([0, 10, 20], [A, B, A], 30)
    assert spans([found["a"].longest]) == [(0, 10, False)]
    found = told([0, 10, 20], [A, B, A], 31)
    assert spans([found["a"].longest]) == [(20, 11, True)]


def test_the_order_is_by_peak_and_then_by_when():
    boards = [{"a": "3", "b": "2", "z": None}, {"a": "3", "b": "4", "y": "1", "z": None}]
    assert list(told([0, 10], boards, 30)) == ["a", "b", "y", "z"]


def test_by_tie_group():
    boards = [{"a": "70.0", "b": "69.5"}, {"a": "70.0", "b": "70.8"}]
    found = told([0, 10], boards, 30, rule=TieRule("anchored", band="0.5"), by="tie")
    assert (spans(found["a"].first), spans(found["b"].first)) == ([(0, 10, False)], [(0, 30, True)])
    assert (spans(found["a"].sole), spans(found["b"].sole)) == ([], [(10, 20, True)])


def test_only_those_that_are_asked_for():
    assert list(told([0], [A], 30, entries=["b"])) == ["b"]


def test_while_its_own_file_cannot_be_read_nothing_is_known_of_an_entry():
    table = rank(scores({"a": "1", "b": "2"}, {"b": "2"}, {"a": "1", "b": "2"}))
    lost = table.iloc[[1]].assign(version=1, rank=pd.NA, unranked="unreadable")
    table = pd.concat([table, lost]).sort_values("version", kind="stable")
    found = careers(table, readings([0, 10, 20]), instant(30))
    a = next(one for one in found if one.entry == "a")
    assert [(one.seconds, one.seconds_certain) for one in a.at_peak] == [(30, 20)]


BOARDS = {("a",): A, ("b",): B, ("a", "b"): AB, (): {"a": None, "b": None}, None: {}}
HISTORIES = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(list(BOARDS))), min_size=1, max_size=8
)


@settings(max_examples=30)
@given(HISTORIES, st.integers(0, 5))
def test_as_the_reference(steps, rest):
    times = [sum(step for step, _ in steps[: i + 1]) for i in range(len(steps))]
    kinds = ["unreadable" if who is None else "read" for _, who in steps]
    end = times[-1] + rest
    if not any(kind == "read" for kind in kinds):
        return
    found = told(times, [BOARDS[who] for _, who in steps], end, kinds)
    versions = [(time, who) for time, (_, who) in zip(times, steps, strict=True)]
    for entry, one in found.items():
        for alone, stretches in ((False, one.first), (True, one.sole)):
            assert [
                (stretch.start, stretch.seconds, stretch.seconds_certain)
                for stretch in stretches
                if stretch.seconds
            ] == [
                (instant(start), until - start, sure)
                for start, until, sure in line.first_for(versions, end, entry, alone)
            ]


@settings(max_examples=50)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.integers(-3, 45))
def test_a_moment_is_the_last_version_that_had_begun(steps, when):
    times = [sum(steps[: i + 1]) for i in range(len(steps))]
    table = readings(times)
    found = moments.state_at(table, instant(50), instant(when))
    assert found.version == line.as_of(times, when)


@settings(max_examples=50)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_at_its_instant_a_version_holds_and_a_second_before_the_one_before(steps):
    times = [sum(steps[: i + 1]) for i in range(len(steps))]
    table = readings(times)
    for k, time in enumerate(times):
        assert moments.state_at(table, instant(50), instant(time)).version == k
        before = moments.state_at(table, instant(50), instant(time - 1))
        assert before.version == (k - 1 if k else None)
