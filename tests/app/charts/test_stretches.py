"""What is drawn is what held, from when to when, and nothing where nobody knows."""

from __future__ import annotations

import pandas as pd
import pytest

from app.charts.stretches import basis_of, blanks, editions, points, stretches, thinned, trail
from tests.app.hand_frames import ranks_of, readings_of

DAYS = [f"2026-03-0{day}T00:00:00Z" for day in range(1, 6)]
AS_OF = pd.Timestamp("2026-03-06T00:00:00Z")
SOON = pd.Timestamp("2026-03-02T02:00:00Z")


def day(time: pd.Timestamp) -> str:
    return time.strftime("%d")


def rows_of(frame: pd.DataFrame, *columns: str) -> list[tuple]:
    return list(frame[list(columns)].itertuples(index=False, name=None))


@pytest.mark.parametrize(
    ("ranks", "times", "states", "expected"),
    [
        pytest.param(
            [{"fern": 1}, {"fern": 1}, {"fern": 2}],
            DAYS[:3],
            {},
            [("fern", "01", "03", 1, 1), ("fern", "03", "06", 2, 1)],
            id="equal neighbours run together and the last one reaches the last look",
        ),
        pytest.param(
            [{"fern": 1, "moss": 2}, {"moss": 1}, {"fern": 2, "moss": 1}],
            DAYS[:3],
            {},
            [
                ("fern", "01", "02", 1, 1),
                ("fern", "03", "06", 2, 2),
                ("moss", "01", "02", 2, 3),
                ("moss", "02", "06", 1, 3),
            ],
            id="while an entry is off the board its line is interrupted",
        ),
        pytest.param(
            [{"fern": 1}, {}, {"fern": 1}],
            DAYS[:3],
            {1: "unreadable"},
            [("fern", "01", "02", 1, 1), ("fern", "03", "06", 1, 2)],
            id="nobody holds a rank while the file cannot be read",
        ),
        pytest.param(
            [{"fern": 1}, {"fern": None}, {"fern": 1}],
            DAYS[:3],
            {},
            [("fern", "01", "02", 1, 1), ("fern", "03", "06", 1, 2)],
            id="an entry without a score holds no rank",
        ),
        pytest.param(
            [{"fern": 1}, {"fern": 5}, {"fern": 2}],
            [DAYS[0], DAYS[1], DAYS[1]],
            {},
            [("fern", "01", "02", 1, 1), ("fern", "02", "06", 2, 1)],
            id="what held for no time is not drawn",
        ),
    ],
)
def test_stretches(ranks, times, states, expected):
    found = stretches(ranks_of(ranks), readings_of(times, states), AS_OF)
    found = found.assign(start=found["start"].map(day), end=found["end"].map(day))
    assert rows_of(found, "entry", "start", "end", "rank", "segment") == expected


def test_a_line_has_a_point_per_change_and_one_where_each_segment_ends():
    ranks = [{"fern": 1}, {"fern": 1}, {"fern": 2}, {}, {"fern": 2}]
    found = points(stretches(ranks_of(ranks), readings_of(DAYS), AS_OF))
    found["at"] = found["at"].map(day)
    assert rows_of(found, "at", "rank", "ends") == [
        ("01", 1, False),
        ("03", 2, False),
        ("04", 2, True),
        ("05", 2, False),
        ("06", 2, True),
    ]


def test_an_edition_begins_at_its_first_commit_and_survives_what_cannot_be_read():
    readings = readings_of(DAYS, {1: "unreadable"}, {3: "2", 4: "2"})
    found = editions(readings)
    found["at"] = found["at"].map(day)
    assert rows_of(found, "at", "label") == [
        ("01", "1"),
        ("04", "2"),
    ]


def test_a_new_definition_is_a_rule_of_its_own_unless_an_edition_begins_with_it():
    readings = readings_of(DAYS, {}, {3: "2", 4: "2"}).assign(stage=["", "1", "1", "1 2", "1 2"])
    found = editions(readings)
    found["at"] = found["at"].map(day)
    assert rows_of(found, "at", "label") == [
        ("01", "1"),
        ("02", "new definition"),
        ("04", "2"),
    ]


def test_blanks_tell_a_missing_file_from_one_that_cannot_be_read():
    readings = readings_of(DAYS, {1: "unreadable", 2: "unreadable", 4: "absent"})
    found = blanks(readings, AS_OF)
    found = found.assign(start=found["start"].map(day), end=found["end"].map(day))
    assert rows_of(found, "start", "end", "why", "found") == [
        ("02", "04", "unreadable", "line 3: not JSON"),
        ("05", "06", "absent", ""),
    ]


@pytest.fixture
def shuffled() -> tuple[pd.DataFrame, pd.DataFrame]:
    """40 entries over 50 versions, all ranks changing at each."""
    names = [f"e{n:02}" for n in range(40)]
    ranks = [{name: 1 + (n + 7 * v) % 40 for n, name in enumerate(names)} for v in range(50)]
    times = [f"2026-03-01T{v // 2:02}:{v % 2 * 30:02}:00Z" for v in range(48)]
    return ranks_of(ranks), readings_of([*times, "2026-03-02T00:00:00Z", "2026-03-02T01:00:00Z"])


def test_the_whole_history_is_drawn_while_it_fits(shuffled):
    ranks, readings = shuffled
    drawn = trail(basis_of(ranks, readings, SOON), ["e00"])
    assert (len(drawn.focus), len(drawn.context), drawn.note) == (51, 39 * 51, "")


def test_grey_lines_go_first_when_it_does_not_and_the_note_says_which(shuffled):
    ranks, readings = shuffled
    drawn = trail(basis_of(ranks, readings, SOON), ["e00"], budget=500)
    assert (len(drawn.focus), len(drawn.context)) == (51, 8 * 51)
    assert drawn.note == (
        "In grey the 8 of 39 entries with the best ranks that ever reached the top 30; all of "
        "them would be 1,989 points, the chart holds 500."
    )


def test_a_focus_that_alone_is_too_much_is_drawn_from_a_later_time_on(shuffled):
    ranks, readings = shuffled
    drawn = trail(basis_of(ranks, readings, SOON), ["e00"], budget=20)
    assert drawn.start > readings["at"].min()
    assert 18 <= len(drawn.focus) <= 20 and len(drawn.context) == 0
    assert drawn.focus["at"].max() == SOON
    assert "Shown from 2026-03-01" in drawn.note


def test_grey_are_only_those_that_ever_came_near_the_top(shuffled):
    ranks, readings = shuffled
    few = ranks[ranks["version"] == 0]
    drawn = trail(basis_of(few, readings[:1], SOON), ["e39"], reach=3)
    assert sorted(drawn.context["entry"].unique()) == ["e00", "e01", "e02"]
    assert drawn.last["entry"].tolist() == ["e39"]


def test_more_colours_than_there_are_is_refused(shuffled):
    with pytest.raises(ValueError, match="at most 6"):
        trail(basis_of(*shuffled, SOON), [f"e0{n}" for n in range(7)])


def test_an_axis_does_not_run_on_for_long_after_the_last_change(shuffled):
    drawn = trail(basis_of(*shuffled, AS_OF), ["e00"])
    assert drawn.shown_until == pd.Timestamp("2026-03-02T06:00Z")
    assert drawn.end == AS_OF and len(drawn.last) == 1
    assert drawn.note == (
        "Nothing has changed since 2026-03-02 01:00 UTC, so the axis is cut soon after it."
    )


@pytest.mark.parametrize(
    ("sizes", "states", "expected"),
    [
        pytest.param([4, 2, 4], {}, "", id="half is not fewer than half"),
        pytest.param([5, 2, 5], {}, "2026-03-02 00:00 UTC (2 after 5)", id="fewer than half"),
        pytest.param(
            [5, 0, 2],
            {1: "unreadable"},
            "2026-03-03 00:00 UTC (2 after 5)",
            id="unreadable between",
        ),
        pytest.param([5, 0, 5], {1: "absent"}, "", id="no file is said otherwise"),
        pytest.param([5, 0, 5], {1: "empty"}, "2026-03-02 00:00 UTC (0 after 5)", id="nobody left"),
        pytest.param(
            [81, 27, 9, 3, 1],
            {},
            "2026-03-02 00:00 UTC (27 after 81), 2026-03-03 00:00 UTC (9 after 27), "
            "2026-03-04 00:00 UTC (3 after 9), 1 more",
            id="three are named",
        ),
    ],
)
def test_versions_that_rank_fewer_than_half_of_the_one_before_are_named(sizes, states, expected):
    ranks = ranks_of([{f"e{n}": n + 1 for n in range(size)} for size in sizes])
    found = thinned(ranks, readings_of(DAYS[: len(sizes)], states))
    assert found.rpartition("lines have gaps: ")[2] == expected
