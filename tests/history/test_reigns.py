"""Who was first, from when to when, in histories written by hand?"""

from __future__ import annotations

import pandas as pd
import pytest

from history import reigns as subject
from history.ranks import rank
from history.reigns import LostTo, intervals_where
from history.ties import TieRule
from tests.history.by_hand import instant, readings, scores
from tests.history.reigned import AB, LOST_A, LOST_B, A, B, reign, reigns_of


@pytest.mark.parametrize(
    ("times", "kinds", "boards", "end", "expected"),
    [
        pytest.param(
            [0, 10, 20], [], [A, B, B], 50,
            [
                reign("a", "2", 0, 10, 50, v=0, w=1, censored_start=True, lost_to=LOST_B),
                reign("b", "3", 10, None, 50, v=1),
            ],
            id="from its own commit to the one that ends it, the last one open",
        ),
        pytest.param(
            [0, 10, 20], [], [A, AB, B], 50,
            [
                reign("a", "2", 0, 10, 50, v=0, w=1, censored_start=True, lost_to=LOST_B),
                reign("a b", "2", 10, 20, 50, v=1, w=2),
                reign("b", "3", 20, None, 50, v=2),
            ],
            id="shared first place is a reign of its own",
        ),
        pytest.param(
            [0, 10, 20], ["read", "unreadable", "read"], [A, {}, A], 50,
            [reign("a", "2", 0, None, 50, v=0, censored_start=True, seconds_certain=40)],
            id="it runs on across an unreadable version, but not for certain",
        ),
        pytest.param(
            [0, 10, 15, 20], ["read", "unreadable", "unreadable", "read"], [A, {}, {}, B], 50,
            [
                reign("a", "2", 0, 20, 50, v=0, w=3, censored_start=True, lost_to=LOST_B,
                      until_earliest=instant(10), seconds_certain=10),
                reign("b", "3", 20, None, 50, v=3, from_earliest=instant(10)),
            ],
            id="others hold it after the unreadable ones: until the next readable one",
        ),
        pytest.param(
            [0, 10, 20], ["unreadable", "read", "unreadable"], [{}, A, {}], 50,
            [reign("a", "2", 10, None, 50, v=1, censored_start=True, seconds_certain=10,
                   until_earliest=instant(20))],
            id="unreadable at both ends",
        ),
        pytest.param(
            [0, 10, 20, 30], ["read", "empty", "absent", "read"], [A, {}, {}, A], 50,
            [
                reign("a", "2", 0, 10, 50, v=0, w=1, censored_start=True),
                reign("", None, 10, 20, 50, v=1, w=2),
                reign("", None, 20, 30, 50, v=2, w=3, absent=True,
                      lost_to=(LostTo("a", "joined"),)),
                reign("a", "2", 30, None, 50, v=3),
            ],
            id="an empty and an absent board are reigns of nobody",
        ),
        pytest.param(
            [0, 10], [], [{"a": None}, A], 50,
            [
                reign("", None, 0, 10, 50, v=0, w=1, censored_start=True,
                      lost_to=(LostTo("a", "re-scored"),)),
                reign("a", "2", 10, None, 50, v=1),
            ],
            id="nobody has a score",
        ),
        pytest.param(
            [0, 10, 10], [], [A, B, A], 50,
            [
                reign("a", "2", 0, 10, 50, v=0, w=1, censored_start=True, lost_to=LOST_B),
                reign("b", "3", 10, 10, 50, v=1, w=2, lost_to=LOST_A),
                reign("a", "2", 10, None, 50, v=2),
            ],
            id="a version that held for no time is listed",
        ),
        pytest.param(
            [0, 10], [], [A, B], 10,
            [
                reign("a", "2", 0, 10, 10, v=0, w=1, censored_start=True, lost_to=LOST_B),
                reign("b", "3", 10, None, 10, v=1),
            ],
            id="the newest version was seen at the instant of its commit",
        ),
        pytest.param(
            [0, 100], [], [A, B], 50,
            [
                reign("a", "2", 0, 100, 100, v=0, w=1, censored_start=True, lost_to=LOST_B),
                reign("b", "3", 100, None, 100, v=1),
            ],
            id="a committer's clock ahead of the last look",
        ),
        pytest.param([0], ["unreadable"], [{}], 50, [], id="nothing was ever readable"),
    ],
)  # fmt: skip
def test_reigns(times, kinds, boards, end, expected):
    assert reigns_of(times, boards, end, kinds) == expected


@pytest.mark.parametrize(
    ("before", "after", "editions", "expected"),
    [
        pytest.param(
            {"h": "9"}, {"h": "9", "x": "10"}, ("1", "2"), [("x", "joined")],
            id="joined comes before edition",
        ),
        pytest.param(
            {"h": "9", "x": "8"}, {"h": "7", "x": "8"}, ("1", "2"), [("x", "edition")],
            id="another edition",
        ),
        pytest.param(
            {"h": "9", "x": "8"}, {"h": "7", "x": "8"}, (None, "2"), [("x", "holder re-scored")],
            id="a label that only one of the two has says nothing",
        ),
        pytest.param(
            {"h": "9", "x": "8"}, {"h": "7", "x": "10"}, (), [("x", "re-scored")],
            id="its own score changed, whatever the holder's did",
        ),
        pytest.param(
            {"h": "9", "x": None}, {"h": "9", "x": "10"}, (), [("x", "re-scored")],
            id="listed before without a score",
        ),
        pytest.param(
            {"h": "9", "x": "8"}, {"x": "8.0"}, (), [("x", "holder left")],
            id="the same score in other words",
        ),
        pytest.param(
            {"h": "9", "x": "8", "y": "8"}, {"h": "7", "x": "8", "y": "8", "z": "8"}, (),
            [("x", "holder re-scored"), ("y", "holder re-scored"), ("z", "joined")],
            id="each for itself, in key order",
        ),
        pytest.param(
            {"h": "9", "x": "9"}, {"h": "7", "x": "9"}, (), [],
            id="who shared first place before lost nothing",
        ),
    ],
)  # fmt: skip
def test_lost_to(before, after, editions, expected):
    first, _ = reigns_of([0, 10], [before, after], 20, editions=editions)
    assert [(lost.entry, lost.why) for lost in first.lost_to] == expected


def test_an_entry_that_becomes_eligible_took_first_place_for_no_visible_reason():
    board = {"h": "9", "x": "10"}
    table = pd.concat(
        [scores(board, unranked={"x": "ineligible"}), scores({}, board)], ignore_index=True
    ).astype({"entry": "category", "unranked": "category"})
    first, _ = subject.reigns(rank(table), readings([0, 10]), instant(20))
    assert (first.entries, first.lost_to) == (("h",), (LostTo("x", "unknown"),))


def test_the_last_look_counts_in_whole_seconds():
    table = readings([0])
    last = instant(10) + pd.Timedelta(milliseconds=900)
    (only,) = subject.reigns(rank(scores(A)), table, last)
    assert (only.seconds, only.seconds_certain) == (10, 10)


def test_a_holder_that_comes_back_has_two_reigns():
    found = reigns_of(
        [0, 10, 20], [{"a": "70", "b": "65"}, {"b": "65"}, {"a": "74", "b": "65"}], 30
    )
    assert [(r.entries, r.seconds, r.lost_to) for r in found] == [
        (("a",), 10, (LostTo("b", "holder left"),)),
        (("b",), 10, (LostTo("a", "joined"),)),
        (("a",), 10, ()),
    ]


@pytest.mark.parametrize(
    ("times", "holds", "expected"),
    [
        pytest.param([0, 10, 20], [True, False, True], [(0, 10), (20, None)], id="twice"),
        pytest.param([0, 10, 20], [True, True, False], [(0, 20)], id="touching ones are one"),
        pytest.param([0, 10, 20], [True, None, True], [(0, None)], id="across the unknown"),
        pytest.param([0, 10, 20], [True, None, False], [(0, 20)], id="until the next known"),
        pytest.param([0, 10, 10], [True, False, True], [(0, None)], id="no time is no gap"),
        pytest.param([0, 10, 10], [False, True, False], [], id="for no time is never"),
        pytest.param([0, 10], [None, None], [], id="nothing is known"),
        pytest.param([0, 10], [False, True], [(10, None)], id="since the last version"),
    ],
)
def test_intervals_where(times, holds, expected):
    found = intervals_where(pd.Series(holds, dtype="boolean"), readings(times), instant(30))
    assert [(s.start, s.until) for s in found] == [
        (instant(start), None if until is None else instant(until)) for start, until in expected
    ]


# --- worked examples -------------------------------------------------------------------------

VISION = [
    "2026-10-20T13:53:00Z",
    "2026-10-21T15:13:00Z",
    "2026-10-22T20:12:00Z",
]
HOUR = 3600


def vision(times, looks=None):
    """Three versions; the second has another holder."""
    table = readings(times)
    if looks:
        table["at_earliest"] = pd.to_datetime(looks, utc=True).astype(table["at"].dtype)
    found = subject.reigns(rank(scores(A, B, A)), table, pd.Timestamp("2026-10-23T00:00Z"))
    return found[1]


def test_the_reign_of_the_vision_board():
    held = vision(VISION)
    assert held.seconds == held.seconds_certain == held.seconds_high == 28 * HOUR + 59 * 60
    assert round(held.seconds / 86_400, 2) == 1.21


def test_times_cut_to_minutes_leave_a_minute_on_either_side():
    first, start, end = VISION
    shortest = vision([first, start.replace("13:00Z", "13:59Z"), end])
    longest = vision([first, start, end.replace("12:00Z", "12:59Z")])
    assert (shortest.seconds, longest.seconds) == (28 * HOUR + 58 * 60 + 1, 29 * HOUR - 1)


def test_from_polls_alone_it_may_have_been_no_time_or_two_days():
    held = vision(VISION, [VISION[0], VISION[0], VISION[1]])
    assert (held.seconds_certain, held.seconds_high) == (0, 54 * HOUR + 19 * 60)


# --- by tie group ----------------------------------------------------------------------------

BANDED = scores({"a": "70.0", "b": "69.5"}, {"a": "70.0", "b": "69.5", "c": "70.4"}, {"c": "72.0"})


def by_tie(bands):
    table = rank(BANDED, rule=TieRule("anchored"), bands=bands)
    found = subject.reigns(table, readings([0, 10, 20]), instant(30), by="tie")
    return [(one.entries, one.sole, one.score_text, one.seconds_certain) for one in found]


def test_a_reign_of_the_first_tie_group_is_shared():
    assert by_tie({0: "0.5", 1: "0.5", 2: "0.5"}) == [
        (("a", "b"), False, "70.0", 10),
        (("a", "c"), False, "70.4", 10),
        (("c",), True, "72.0", 10),
    ]


def test_without_a_band_nobody_knows_who_is_in_the_first_group():
    assert by_tie({0: "0.5", 2: "0.5"}) == [
        (("a", "b"), False, "70.0", 10),
        (("c",), True, "72.0", 10),
    ]
