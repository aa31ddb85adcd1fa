"""Are reigns those of the plain reference, in any history?"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history import reigns as subject
from history.ranks import rank
from history.reigns import Reign, intervals_where
from tests.history.by_hand import instant, readings, scores
from tests.history.reigned import AB, LOST_A, LOST_B, A, B, reign
from tests.reference import line

# --- against the reference -------------------------------------------------------------------

BOARDS = {"a": A, "b": B, "a b": AB, "": {"a": None, "b": None}, None: {}}
STATES = st.sampled_from(list(BOARDS))
HISTORIES = st.lists(st.tuples(st.integers(0, 4), STATES), min_size=1, max_size=8)


few = settings(max_examples=25)  # the same with many: test_many_histories()


RANKED = rank(scores(*BOARDS.values()))
ROWS = {name: RANKED[RANKED["version"] == i] for i, name in enumerate(BOARDS)}


def history(steps: list[tuple[int, str | None]]) -> tuple[list[int], list[str], pd.DataFrame]:
    """Times, readings and RANKS of a drawn history."""
    times = [sum(step for step, _ in steps[: i + 1]) for i in range(len(steps))]
    kinds = ["unreadable" if holders is None else "read" for _, holders in steps]
    rows = [ROWS[holders] for _, holders in steps]
    versions = np.repeat(np.arange(len(steps)), [len(one) for one in rows])
    return times, kinds, pd.concat(rows, ignore_index=True).assign(version=versions)


def reigns_in(times, kinds, ranks, end) -> list[Reign]:
    return subject.reigns(ranks, readings(times, kinds), instant(end))


@few
@given(HISTORIES, st.integers(0, 5))
def test_intervals_as_the_reference(steps, rest):
    times, kinds, _ = history(steps)
    end = times[-1] + rest
    expected = line.held([(t, h) for t, (_, h) in zip(times, steps, strict=True)], end)
    for holders in ("a", "b", "a b", ""):
        marks = pd.Series([None if h is None else h == holders for _, h in steps], dtype="boolean")
        found = intervals_where(marks, readings(times, kinds), instant(end))
        lasting = [s for s in found if s.seconds]
        assert [(s.start, s.seconds, s.seconds_certain) for s in lasting] == [
            (instant(start), until - start, certain)
            for held, start, until, certain in expected
            if held == holders
        ]


@few
@given(HISTORIES, st.integers(0, 5))
def test_reigns_partition_the_span(steps, rest):
    times, kinds, ranks = history(steps)
    end = times[-1] + rest
    found = reigns_in(times, kinds, ranks, end)
    known = [t for t, (_, holders) in zip(times, steps, strict=True) if holders is not None]
    assert sum(r.seconds for r in found) == (end - known[0] if known else 0)
    assert [r.until for r in found[:-1]] == [r.start for r in found[1:]]
    assert [r.open for r in found] == [False] * (len(found) - 1) + [True] * bool(found)
    for one, following in pairwise(found):
        assert one.entries != following.entries
        assert one.seconds_certain <= one.seconds
        assert one.start <= one.until_earliest <= one.until


@few
@given(HISTORIES, st.data())
def test_a_version_said_twice_changes_nothing(steps, data):
    at = data.draw(st.integers(0, len(steps) - 1))
    delay = data.draw(st.integers(0, steps[at + 1][0])) if at + 1 < len(steps) else 0
    twice = [*steps[: at + 1], (delay, steps[at][1]), *steps[at + 1 :]]
    if at + 1 < len(steps):
        twice[at + 2] = (steps[at + 1][0] - delay, steps[at + 1][1])
    found = []
    for one in (steps, twice):
        times, kinds, ranks = history(one)
        found.append(
            [
                (
                    r.entries,
                    r.start,
                    r.until,
                    r.until_earliest,
                    r.seconds,
                    r.seconds_certain,
                    r.lost_to,
                )
                for r in reigns_in(times, kinds, ranks, 40)
            ]
        )
    assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("one", "drawn"),
    [
        pytest.param(test_intervals_as_the_reference, st.integers(0, 5), id="intervals"),
        pytest.param(test_reigns_partition_the_span, st.integers(0, 5), id="partition"),
        pytest.param(test_a_version_said_twice_changes_nothing, st.data(), id="said twice"),
    ],
)
def test_many_histories(one, drawn):
    many = settings(max_examples=300, deadline=None)
    many(given(HISTORIES, drawn)(one.hypothesis.inner_test))()


def test_only_the_first_reign_is_censored_also_when_the_next_begins_at_the_same_instant():
    boards = scores({"a": "2", "b": "1"}, {"a": "1", "b": "2"})
    found = subject.reigns(rank(boards), readings([0, 0]), instant(9))
    assert [(one.entries, one.censored_start) for one in found] == [
        (("a",), True),
        (("b",), False),
    ]


def test_a_reign_that_ends_with_a_new_definition_says_so():
    table = readings([0, 10, 20, 30]).assign(stage=["", "1", "1", "1"])
    found = subject.reigns(rank(scores(A, B, A, A)), table, instant(40))
    assert [(r.entries, r.definition_changed) for r in found] == [
        (("a",), True),
        (("b",), False),
        (("a",), False),
    ]


def test_while_a_file_cannot_be_read_a_reign_is_not_certain():
    table = rank(scores({"a": "2", "b": "1", "c": "0"}, A, A, B))
    lost = table.iloc[[2]].assign(version=1, rank=pd.NA, unranked="unreadable")
    table = pd.concat([table, lost]).sort_values("version", kind="stable")
    first, _ = subject.reigns(table, readings([0, 10, 30, 40]), instant(50))
    assert (first.entries, first.seconds, first.seconds_certain) == (("a",), 40, 20)
    assert first.until_earliest == instant(40)


@pytest.mark.parametrize(
    ("times", "looked", "kinds", "boards", "expected"),
    [
        pytest.param(
            [0, 20, 40], [0, 0, 30], [], [A, B, A],
            [
                reign("a", "2", 0, 20, 50, v=0, w=1, censored_start=True, lost_to=LOST_B,
                      until_earliest=instant(0), seconds_certain=0),
                reign("b", "3", 20, 40, 50, v=1, w=2, from_earliest=instant(0),
                      until_earliest=instant(30), seconds_certain=10, lost_to=LOST_A),
                reign("a", "2", 40, None, 50, v=2, from_earliest=instant(30)),
            ],
            id="others hold it: from the last look that saw the one nobody knows",
        ),
        pytest.param(
            [0, 20, 40], [0, 10, 20], [], [A, A | {"c": "1"}, B],
            [
                reign("a", "2", 0, 40, 50, v=0, w=2, censored_start=True, lost_to=LOST_B,
                      until_earliest=instant(20), seconds_certain=20),
                reign("b", "3", 40, None, 50, v=2, from_earliest=instant(20)),
            ],
            id="between two looks that both saw it, it held",
        ),
        pytest.param(
            [0, 20, 40], [0, 10, 30], ["read", "unreadable", "read"], [A, {}, A],
            [reign("a", "2", 0, None, 50, v=0, censored_start=True, seconds_certain=20)],
            id="an unreadable version may have come right after the last look before it",
        ),
        pytest.param(
            [0, 20, 40], [0, 20, 40], [], [A, B, A],
            [
                reign("a", "2", 0, 20, 50, v=0, w=1, censored_start=True, lost_to=LOST_B),
                reign("b", "3", 20, 40, 50, v=1, w=2, lost_to=LOST_A),
                reign("a", "2", 40, None, 50, v=2),
            ],
            id="without a gap nothing is uncertain",
        ),
    ],
)  # fmt: skip
def test_reigns_of_a_polled_board(times, looked, kinds, boards, expected):
    table = readings(times, kinds, ())
    table["at_earliest"] = [instant(second) for second in looked]
    assert subject.reigns(rank(scores(*boards)), table, instant(50)) == expected


def test_the_bounds_of_a_fact_that_was_polled():
    table = readings([0, 6, 12, 18], (), ())
    table["at_earliest"] = [instant(second) for second in (0, 0, 6, 12)]
    holds = pd.Series([False, True, True, False], dtype="boolean")
    (held,) = intervals_where(holds, table, instant(30))
    # last seen yes - first seen yes; first seen no after - last seen no before
    assert held.seconds_certain == 6
    assert held.until - held.from_earliest == pd.Timedelta(seconds=18)
