"""Several claims as one: at one moment, each at its own, and over stretches of time."""

from __future__ import annotations

from typing import Any

import pytest

from history.claims.answer import Answer, combine
from history.claims.verdict import Verdict
from tests.claims.conftest import OVER, World, first, neither

ANY = {"ever": ["", ""]}


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


@pytest.fixture(scope="module")
def apart(make_world) -> World:
    """On x fern leads from 1 to 5 March, on y since 3 March; both are seen on 20 March."""
    world = make_world("apart")
    world.board("x")
    world.board("y")
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2, "moss": 1}, y={"fern": 1, "oak": 2})
    world.commit("2024-03-03T00:00:00Z", y={"fern": 3, "oak": 2})
    world.commit("2024-03-05T00:00:00Z", x={"fern": 2, "moss": 3})
    world.crawl("2024-03-20T00:00:00Z")
    return world


def over(board: str, start: str, end: str, **more: Any) -> dict[str, Any]:
    return first(board, when={"over": [start, end]}, **more)


def days(verdict: Verdict) -> list[tuple[int, int | None]]:
    return [(i.start.day, None if i.until is None else i.until.day) for i in verdict.intervals]


@pytest.mark.parametrize(
    ("kind", "members", "verdict", "when"),
    [
        pytest.param(
            "any_of",
            [over("x", "2024-03-01", "2024-03-10"), over("x", "2024-03-06", "2024-03-10")],
            "true_then_false",
            [(1, 5)],
            id="any of: each speaks of its own window, and one held in a part of its",
        ),
        pytest.param(
            "any_of",
            [over("x", "2024-03-01", "2024-03-10"), over("y", "", "2024-03-04")],
            "true_then_false",
            [(1, 5)],
            id="any of: united, and the end is that of the later window",
        ),
        pytest.param(
            "any_of",
            [over("x", "2024-03-04", "2024-03-10"), over("y", "2024-03-01", "")],
            "false_then_true",
            [(3, None)],
            id="any of: united, up to the last look",
        ),
        pytest.param(
            "any_of",
            [over("x", "2024-03-01", "2024-03-04"), over("y", "2024-03-01", "2024-03-01")],
            "true",
            [],
            id="any of: a member that is true outweighs one that is false",
        ),
        pytest.param(
            "all_of",
            [over("x", "2024-03-01", "2024-03-10"), over("y", "2024-03-02", "2024-03-10")],
            "true_then_false",
            [(1, 2), (3, 5)],
            id="all of: before its window begins a member does not speak",
        ),
        pytest.param(
            "all_of",
            [over("x", "2024-03-01", "2024-03-04"), over("y", "2024-03-01", "2024-03-10")],
            "false_then_true",
            [(3, 11)],
            id="all of: nor after it has ended; what is cut ends with the window",
        ),
        pytest.param(
            "all_of",
            [
                over("x", "2024-03-01", "2024-03-02"),
                neither(over("x", "2024-03-08", "2024-03-10")),
            ],
            "true",
            [],
            id="all of: windows that do not meet, each true in its own",
        ),
        pytest.param(
            "all_of",
            [
                over("x", "2024-03-01", "2024-03-02"),
                neither(over("x", "2024-03-04", "2024-03-10")),
            ],
            "false_then_true",
            [(1, 3), (5, 11)],
            id="all of: a member turned round inside its own window",
        ),
        pytest.param(
            "all_of",
            [over("x", "2024-03-01", "2024-03-10"), over("y", "2024-03-03", "2024-04-10")],
            "not_decidable",
            [(1, 5), (11, None)],
            id="all of: one window ends after the last look",
        ),
    ],
)
def test_members_speak_inside_their_own_windows(apart, kind, members, verdict, when):
    found = apart.one(predicate=kind, claims=members)
    assert found.verdict == verdict
    assert days(found) == when
    assert found.code == ("CENSORED" if verdict == "not_decidable" else None)


def test_what_a_window_cuts_keeps_the_commits_that_changed_it(apart):
    members = [over("x", "2024-03-01", "2024-03-10"), over("y", "2024-03-02", "2024-03-10")]
    found = apart.one(predicate="all_of", claims=members)
    commits = apart.commits
    ends = [(i.from_commit, i.until_commit) for i in found.intervals]
    assert ends == [(commits[0], commits[0]), (commits[1], commits[2])]


OWN = {
    "predicate": "delta",
    "subject": {"value": "70.2"},
    "other": {"value": "66.2"},
    "value": "+4.0",
}


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        pytest.param({"predicate": "all_of", "claims": [OWN, OWN]}, "true", id="all of"),
        pytest.param({"predicate": "any_of", "claims": [OWN, OWN]}, "true", id="any of"),
        pytest.param({"predicate": "not", "claims": [OWN]}, "false", id="not"),
        pytest.param({"predicate": "all_of", "claims": [OWN, first("x")]}, "false", id="mixed"),
    ],
)
@pytest.mark.parametrize(
    "when", [{"latest": True}, {"on": "2024-03-04"}, {"always": ["2024-03-03", ""]}], ids=str
)
def test_numbers_of_a_claims_own_are_what_they_are_at_any_time(two, given, verdict, when):
    assert two.one(**given).verdict == verdict
    found = two.one(**given, when=when)
    assert (found.verdict, bool(found.evidence)) == (verdict, True)


def test_the_intervals_of_both_are_cut_with_each_other(two):
    found = two.one(predicate="first", subject="fern", boards=["x", "y"], when=OVER)
    assert [(f"{i.start:%dT%H}", f"{i.until:%dT%H}") for i in found.intervals] == [
        ("02T12", "03T00")
    ]
    assert (found.intervals[0].from_commit, found.intervals[0].until_commit) == (
        two.commits[1],
        two.commits[2],
    )


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
