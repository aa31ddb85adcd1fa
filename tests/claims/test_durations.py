"""How long something held: in all, in one stretch, up to now, and through the dark."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims.conftest import World

CONFLICT = "model,score\n<<<<<<< HEAD\nfern,1\n=======\nfern,2\n>>>>>>> x\n"


def lasts(world: World, entry: str, value: str, unit: str = "hours", **more: Any):
    state = {"predicate": "first", "subject": entry, "boards": more.pop("boards", ["b"])}
    return world.one(predicate="duration", state=state, value=value, unit=unit, **more)


@pytest.fixture(scope="module")
def reigns(make_world) -> World:
    """Fern leads for 12 h, 17 h and 1 min; moss in between."""
    world = make_world("reigns")
    world.board("b")
    for at, fern, moss in (
        ("2024-03-01T00:00:00Z", 80, 79),
        ("2024-03-01T12:00:00Z", 80, 81),
        ("2024-03-01T15:00:00Z", 82, 81),
        ("2024-03-02T08:00:00Z", 82, 90),
        ("2024-03-02T08:30:00Z", 91, 90),
        ("2024-03-02T08:31:00Z", 91, 92),
    ):
        world.commit(at, b={"fern": fern, "moss": moss})
    world.crawl("2024-03-02T20:00:00Z")
    return world


@pytest.mark.parametrize(
    ("entry", "value", "unit", "more", "verdict", "seconds"),
    [
        pytest.param("fern", "29", "hours", {}, "true", 104460, id="in all"),
        pytest.param("fern", "29", "hours", {"span": "longest"}, "false", 61200, id="not in a row"),
        pytest.param("fern", "17", "hours", {"span": "longest"}, "true", 61200, id="in a row"),
        pytest.param("fern", "1", "hour", {"span": "current"}, "false", 0, id="not any more"),
        pytest.param(
            "moss", "11.5", "hours", {"span": "current"}, "true", 41340, id="up to the last look"
        ),
        pytest.param("fern", "30", "hours", {}, "false", 104460, id="an hour too many"),
        pytest.param("fern", "30", "hours", {"approx": True}, "true", 104460, id="about"),
        pytest.param("fern", "1", "day", {"op": ">="}, "true", 104460, id="at least a day"),
        pytest.param("fern", "1", "day", {}, "false", 104460, id="not a day exactly"),
        pytest.param("fern", "29", "hours", {"op": ">"}, "true", 104460, id="more than"),
        pytest.param(
            "moss", "3", "hours", {"when": {"over": ["", "2024-03-01"]}}, "true", 10800, id="cut"
        ),
        pytest.param(
            "fern",
            "21",
            "hours",
            {"when": {"over": ["", "2024-03-01"]}},
            "true",
            75600,
            id="at midnight",
        ),
    ],
)
def test_lengths(reigns, entry, value, unit, more, verdict, seconds):
    found = lasts(reigns, entry, value, unit, **more)
    assert (found.verdict, found.answer["seconds"]) == (verdict, seconds)
    assert all(e.commit and e.pointer is not None for e in found.evidence)
    assert found.evidence


def test_the_answer_says_how_exact_it_is(reigns):
    found = lasts(reigns, "fern", "29")
    assert (found.strength, found.answer) == (
        "certain",
        {
            "seconds": 104460,
            "seconds_low": 104457,
            "seconds_high": 104463,
            "longest": 61200,
            "claimed_low": 28.5 * 3600,
            "claimed_high": 29.5 * 3600,
        },
    )
    assert found.notes[0] == "in 3 stretches; the longest 17 h"
    assert len(found.intervals) == 3


def test_exactly_so_long_is_not_more(world):
    world.board("b")
    world.commit("2024-03-01T05:00:00Z", b={"fern": 80, "moss": 79})
    world.commit("2024-03-02T10:00:00Z", b={"fern": 80, "moss": 81})
    world.crawl("2024-03-03T00:00:00Z")
    verdicts = [lasts(world, "fern", "29", op=op).verdict for op in ("=", ">=", ">", "<=", "<")]
    assert verdicts == ["true", "true", "false", "true", "false"]


def test_what_was_never_so_lasted_no_time(reigns, world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": 1, "moss": 2})
    world.crawl()
    found = lasts(world, "fern", "1", "minute")
    assert (found.verdict, found.answer["seconds"], found.intervals) == ("false", 0, ())
    assert found.evidence


@pytest.mark.parametrize(
    ("value", "op", "verdict"),
    [
        pytest.param("24", ">=", "true", id="certain without the dark"),
        pytest.param("48", "=", "not_decidable", id="only if the dark counts"),
        pytest.param("72", ">", "false", id="impossible even with it"),
    ],
)
def test_what_is_not_known_counts_neither_way(world, value, op, verdict):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": 2, "moss": 1})
    world.commit("2024-03-02T00:00:00Z", b=CONFLICT)
    world.commit("2024-03-03T00:00:00Z", b={"fern": 2, "moss": 3})
    world.crawl("2024-03-04T00:00:00Z")
    found = lasts(world, "fern", value, op=op)
    assert found.verdict == verdict
    assert found.code == ("UNREADABLE_VERSION" if verdict == "not_decidable" else None)
    answer = found.answer
    assert (answer["seconds_low"], answer["seconds"], answer["seconds_high"]) == (
        86400,
        172800,
        172801,
    )


def test_a_window_beyond_the_last_look_is_open(reigns):
    window = {"over": ["2024-03-02T09:00:00Z", "2024-03-09"]}
    assert lasts(reigns, "moss", "24", when=window).code == "CENSORED"
    assert lasts(reigns, "moss", "10", op=">=", when=window).verdict == "true"


def test_on_several_boards_at_once(reigns, world):
    world.board("x")
    world.board("y")
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2, "moss": 1}, y={"fern": 1, "oak": 2})
    world.commit("2024-03-02T12:00:00Z", y={"fern": 2, "oak": 2})
    world.commit("2024-03-03T00:00:00Z", x={"fern": 2, "moss": 3})
    world.commit("2024-03-04T00:00:00Z", y={"fern": 3, "oak": 2})
    world.crawl("2024-03-05T00:00:00Z")
    both = lasts(world, "fern", "12", boards=["x", "y"])
    assert (both.verdict, both.answer["seconds"]) == ("true", 12 * 3600)


def test_sentences_about_durations(reigns):
    found = reigns.say("fern was first on b for more than 29 hours")
    assert found.verdict == "true"
    assert "29 h 1 min, 3 times" in found.sentence
