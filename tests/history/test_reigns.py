from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history import reigns as subject
from history.ranks import rank
from history.reigns import LostTo, Reign, intervals_where
from history.ties import TieRule
from tests.history.by_hand import instant, readings, scores
from tests.reference import line


def commit(version: int | None) -> str | None:
    return None if version is None else f"{version:02x}" * 20


def reigns_of(times, boards, end, kinds=(), editions=()) -> list[Reign]:
    table = readings(times, kinds, editions)
    listed = rank(scores(*boards)) if any(boards) else rank(scores({"a": "1"}).iloc[:0])
    return subject.reigns(listed, table, None if end is None else instant(end))


def reign(entries: str, text: str | None, start: int, until: int | None, end: int, **more) -> Reign:
    """The reign that one expects: certain from end to end unless `more` says otherwise."""
    versions = {"from_version": more.pop("v"), "until_version": more.pop("w", None)}
    last = end if until is None else until
    plain = {
        "entries": tuple(entries.split()),
        "score": None if text is None else float(text),
        "score_text": text,
        "start": instant(start),
        "from_earliest": instant(start),
        "until": None if until is None else instant(until),
        "until_earliest": None if until is None else instant(until),
        "seconds": last - start,
        "seconds_certain": last - start,
        "open": until is None,
        "censored_start": False,
        "absent": False,
        "lost_to": (),
        "from_commit": commit(versions["from_version"]),
        "until_commit": commit(versions["until_version"]),
    }
    return Reign(**(plain | versions | more))


A, B, AB = {"a": "2", "b": "1"}, {"a": "2", "b": "3"}, {"a": "2", "b": "2"}
LOST_B = (LostTo("b", "re-scored"),)
LOST_A = (LostTo("a", "holder re-scored"),)


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
