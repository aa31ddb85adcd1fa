"""How long something held: in all, in one stretch, up to now, and through the dark."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims.conftest import CONFLICT, World


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
        pytest.param(
            "fern", "21", "hours", {"when": {"on": "2024-03-01"}}, "true", 75600, id="on a day"
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


@pytest.mark.parametrize(
    ("files", "span", "least", "seconds", "most"),
    [
        pytest.param("+?", "total", 1, 2, 2, id="in all, and it ends in the dark"),
        pytest.param("+?", "current", 0, 2, 2, id="up to now, perhaps not any more"),
        pytest.param("+?", "longest", 1, 2, 2, id="in a row, and it ends in the dark"),
        pytest.param("-?", "current", 0, 0, 1, id="perhaps again"),
        pytest.param("+-?", "longest", 1, 1, 1, id="the dark is no longer than that"),
        pytest.param("+?+", "total", 2, 3, 3, id="in all, the dark inside"),
        pytest.param("+?+", "longest", 1, 3, 3, id="in a row, or broken by the dark"),
        pytest.param("+?+", "current", 1, 3, 3, id="up to now, or since the dark"),
        pytest.param("+?-", "current", 0, 0, 0, id="known to be over"),
        pytest.param("?+", "total", 1, 1, 2, id="the dark at the beginning"),
        pytest.param("+?-+", "longest", 1, 2, 2, id="each gap is counted once"),
        pytest.param("+0+", "longest", 1, 1, 1, id="no file ends it for certain"),
        pytest.param("+0", "current", 0, 0, 0, id="no file now"),
    ],
)
def test_the_least_and_the_most_that_the_dark_leaves_possible(
    world, files, span, least, seconds, most
):
    tables = {"+": {"fern": 2, "moss": 1}, "-": {"fern": 1, "moss": 2}, "?": CONFLICT, "0": None}
    world.board("b")
    for day, kind in enumerate(files, start=1):
        world.commit(f"2024-03-0{day}T00:00:00Z", b=tables[kind])
    world.crawl(f"2024-03-0{len(files) + 1}T00:00:00Z")
    answer = lasts(world, "fern", "9", "weeks", span=span).answer
    found = (answer["seconds_low"], answer["seconds"], answer["seconds_high"])
    # Of each stretch a second is open, since commits keep whole ones.
    assert found == pytest.approx([86400 * days for days in (least, seconds, most)], abs=2)


@pytest.mark.parametrize(
    ("files", "who", "value", "said"),
    [
        pytest.param("?-+", "fern", "1", None, id="far from the stretch"),
        pytest.param("?+-", "fern", "3", "24 h", id="directly before it"),
        pytest.param("+?+", "fern", "9", "24 h", id="inside"),
        pytest.param("+?-", "fern", "9", "24 h", id="directly after it"),
        pytest.param("+-?", "fern", "9", None, id="after another entry"),
        pytest.param("-?-", "fern", "9", "24 h", id="it never held, as far as is known"),
    ],
)
def test_only_the_dark_at_a_stretch_is_told(world, files, who, value, said):
    world.board("b")
    tables = {"+": {"fern": 2, "moss": 1}, "-": {"fern": 1, "moss": 2}, "?": CONFLICT}
    for day, kind in enumerate(files, start=1):
        world.commit(f"2024-03-0{day}T00:00:00Z", b=tables[kind])
    world.crawl(f"2024-03-0{len(files) + 1}T00:00:00Z")
    notes = lasts(world, who, value, "weeks").notes
    told = [note for note in notes if note.startswith("nothing is known")]
    assert told == ([] if said is None else [f"nothing is known of {said} in that time"])


def test_up_to_now_is_not_decided_in_the_dark(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": 2, "moss": 1})
    world.commit("2024-03-02T00:00:00Z", b=CONFLICT)
    world.crawl("2024-03-10T00:00:00Z")
    found = lasts(world, "fern", "1", "day", span="current", op=">=")
    assert (found.verdict, found.code) == ("not_decidable", "UNREADABLE_VERSION")
    assert lasts(world, "fern", "3", "weeks", span="current", op="<").verdict == "true"


@pytest.mark.parametrize("entry", ["rowan", "fern"])
def test_of_whom_nothing_is_known_it_is_not_said_that_it_never_held(world, entry):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b=CONFLICT)
    world.crawl()
    found = lasts(world, entry, "1")
    assert found.verdict == "not_decidable"
    assert "never first" not in found.sentence
