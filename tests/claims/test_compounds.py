"""Several claims as one: at one moment, each at its own, and over stretches of time."""

from __future__ import annotations

from typing import Any

import pytest

from history.claims.answer import Answer, combine
from tests.claims.conftest import World


@pytest.fixture(scope="module")
def two(make_world) -> World:
    """On x fern leads until 3 March; on y it shares from 2 March 12:00 and leads from 4 March."""
    world = make_world("two")
    world.board("x")
    world.board("y")
    world.board("again", "x.csv")
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2, "moss": 1}, y={"fern": 1, "oak": 2})
    world.commit("2024-03-02T12:00:00Z", y={"fern": 2, "oak": 2})
    world.commit("2024-03-03T00:00:00Z", x={"fern": 2, "moss": 3})
    world.commit("2024-03-04T00:00:00Z", y={"fern": 3, "oak": 2})
    world.crawl("2024-03-05T00:00:00Z")
    return world


def first(board: str, **more: Any) -> dict[str, Any]:
    return {"predicate": "first", "subject": "fern", "board": board, **more}


ANY = {"ever": ["", ""]}
OVER = {"over": ["", ""]}


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        pytest.param(
            {"predicate": "all_of", "claims": [first("x", when=ANY), first("y", when=ANY)]},
            "true",
            id="on each, at some time",
        ),
        pytest.param(
            {**first("x"), "board": None, "boards": ["x", "y"], "when": ANY},
            "true",
            id="at one time",
        ),
        pytest.param(
            {
                "predicate": "all_of",
                "when": ANY,
                "claims": [first("x", sole=True), first("y", sole=True)],
            },
            "false",
            id="never alone on both at one time",
        ),
        pytest.param({**first("x"), "board": None, "boards": ["x", "y"]}, "false", id="not now"),
        pytest.param(
            {"predicate": "any_of", "claims": [first("x"), first("y")]},
            "true",
            id="on one of them now",
        ),
        pytest.param(
            {"predicate": "not", "claims": [first("x", when=ANY)]}, "false", id="it was, once"
        ),
        pytest.param({"predicate": "not", "claims": [first("x")]}, "true", id="it is not"),
        pytest.param(
            {"predicate": "not", "claims": [first("x", when=OVER)]},
            "false_then_true",
            id="the other way round",
        ),
        pytest.param(
            {"predicate": "all_of", "claims": [first("x", when=OVER), first("y", when=OVER)]},
            "true_then_false",
            id="stretches of both, intersected",
        ),
        pytest.param(
            {"predicate": "any_of", "claims": [first("x", when=OVER), first("y", when=OVER)]},
            "true",
            id="stretches of either, united",
        ),
        pytest.param(
            {"predicate": "all_of", "claims": [first("x", when=OVER), first("y")]},
            "true_then_false",
            id="a stretch and a moment",
        ),
        pytest.param(
            {
                "predicate": "all_of",
                "claims": [first("x"), first("x", when={"as_of": "2025-01-01"})],
            },
            "false",
            id="a no outweighs what is not known",
        ),
        pytest.param(
            {
                "predicate": "all_of",
                "claims": [first("y"), first("y", when={"as_of": "2025-01-01"})],
            },
            "not_decidable",
            id="a yes does not",
        ),
    ],
)
def test_compounds(two, given, verdict):
    found = two.one(**{key: value for key, value in given.items() if value is not None})
    assert found.verdict == verdict
    assert found.evidence
    assert all(e.commit in two.commits and e.pointer is not None for e in found.evidence)


def test_the_intervals_of_both_are_cut_with_each_other(two):
    found = two.one(predicate="first", subject="fern", boards=["x", "y"], when=OVER)
    assert [(f"{i.start:%dT%H}", f"{i.until:%dT%H}") for i in found.intervals] == [
        ("02T12", "03T00")
    ]
    assert (found.intervals[0].from_commit, found.intervals[0].until_commit) == (
        two.commits[1],
        two.commits[2],
    )


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(
            {"predicate": "first", "subject": "fern", "boards": ["x", "again"]}, id="boards"
        ),
        pytest.param({"predicate": "all_of", "claims": [first("x"), first("again")]}, id="members"),
    ],
)
def test_two_names_of_one_file_are_no_two_boards(two, given):
    found = two.one(**given)
    assert (found.verdict, found.code, len(found.evidence)) == ("not_decidable", "SAME_BOARD", 2)


def test_one_board_may_be_asked_two_things(two):
    given = [first("y"), {"predicate": "rank", "subject": "oak", "board": "y", "n": 2}]
    assert two.one(predicate="all_of", claims=given).verdict == "true"


def test_an_entry_that_one_board_never_listed_is_not_decided_there(two):
    given = {"predicate": "first", "subject": "oak", "boards": ["x", "y"]}
    found = two.one(**given)
    assert [m["code"] for m in found.answer["members"]] == ["UNKNOWN_ENTRY", None]
    assert (found.verdict, two.say("oak is first on x and y").verdict) == ("false", "false")


def test_of_boards_seen_at_different_times_the_earlier_look_counts(world):
    world.board("x")
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2}, y={"fern": 2})
    world.crawl("2024-03-02T00:00:00Z")
    world.board("y")
    world.commit("2024-03-03T00:00:00Z", y={"fern": 2, "oak": 3})
    world.crawl("2024-03-04T00:00:00Z")
    lines = world.store.crawls_file("x").read_text().splitlines()
    world.store.crawls_file("x").write_text(lines[0] + "\n")
    found = world.one(predicate="first", subject="fern", boards=["x", "y"])
    assert found.verdict == "true"
    assert "all boards as of 2 Mar 2024 00:00 UTC, the oldest last look" in found.notes


@pytest.mark.parametrize(
    ("kind", "words", "expected"),
    [
        ("all_of", ["true", "true"], "true"),
        ("all_of", ["true", "tied_not_first"], "false"),
        ("all_of", ["within_rounding", "not_decidable"], "not_decidable"),
        ("all_of", ["true", "within_rounding"], "within_rounding"),
        ("all_of", ["not_decidable", "false"], "false"),
        ("any_of", ["false", "true"], "true"),
        ("any_of", ["false", "tied_not_first"], "false"),
        ("any_of", ["false", "not_decidable"], "not_decidable"),
        ("not", ["true"], "false"),
        ("not", ["tied_not_first"], "true"),
        ("not", ["within_rounding"], "within_rounding"),
        ("not", ["true_then_false"], "false_then_true"),
    ],
)
def test_three_valued_logic(kind, words, expected):
    answers = [Answer(word, word) for word in words]
    assert combine(kind, answers, words, words).word == expected
