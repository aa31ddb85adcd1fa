"""Why did a claim about a place turn false?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.claims.conftest import CONFLICT, World

PARTS = """
[table.attributes]
open = "open"
[table.parts]
a = "a"
b = "b"
[edition]
label = "$.label"
[formula]
score = "0.5*a + 0.5*b"
[[since]]
when = "$.label == '2'"
formula.score = "a"
"""


def told(world: World, before: Any, after: Any, sentence: str) -> str:
    """What follows the length of the stretch in a verdict's sentence."""
    for day, rows in ((1, before), (2, after)):
        world.commit(f"2024-03-0{day}T00:00:00Z", b=rows)
    world.crawl()
    return clause(world, sentence)


def clause(world: World, sentence: str) -> str:
    said = world.say(sentence).sentence
    assert "(24 h)" in said, said
    return said.partition("(24 h)")[2].partition(". Last look")[0].lstrip(", ")


THREE = {"fern": "72.46", "moss": "72", "oak": "71.5", "ash": "60"}


@pytest.mark.parametrize(
    ("sentence", "after", "expected"),
    [
        pytest.param(
            "fern is in the top 2 on b",
            {**THREE, "new": "90", "moss": "80"},
            "passed by new (joined) and moss (re-scored)",
            id="others did it",
        ),
        pytest.param(
            "moss is in the top 2 on b",
            {"RBDash": "99", **THREE},
            "lost when RBDash joined",
            id="somebody joined",
        ),
        pytest.param(
            "fern is in the top 2 on b",
            {**THREE, "fern": "71.1"},
            "when its own score fell from 72.46 to 71.1, passed by moss and oak",
            id="its own score fell",
        ),
        pytest.param(
            "fern is in the top 1 on b",
            {**THREE, **{f"n{n}": f"9{n}" for n in range(5)}},
            "passed by n4 (joined), n3 (joined), n2 (joined) and 2 more",
            id="three are named",
        ),
        pytest.param(
            "fern is in the top 2 on b", {"moss": "72"}, "when it left", id="it left itself"
        ),
        pytest.param(
            "fern is in the top 2 on b",
            {**THREE, "fern": None},
            "when it lost its rank",
            id="its score is gone",
        ),
        pytest.param(
            "fern is in the top 2 on b", None, "when the file was removed", id="the file is gone"
        ),
        pytest.param(
            "moss is 2nd on b",
            {"moss": "72", "oak": "71.5"},
            "when it rose to first place",
            id="it did better",
        ),
        pytest.param(
            "moss is 2nd of 4 on b",
            {**THREE, "new": "1"},
            "when 5 were ranked",
            id="more were ranked",
        ),
        pytest.param(
            "fern is ahead of moss on b",
            {**THREE, "moss": "73", "oak": "99"},
            "passed by moss (re-scored)",
            id="only the other one counts",
        ),
        pytest.param(
            "fern is ahead of moss on b",
            {**THREE, "moss": "72.46"},
            "when moss drew level",
            id="level is not ahead",
        ),
        pytest.param(
            "fern is first on b",
            {**THREE, "new": "73"},
            "lost to new, which joined",
            id="first place is told by its reigns",
        ),
    ],
)
def test_how_a_place_was_lost(world, sentence, after, expected):
    world.board("b")
    assert told(world, THREE, after, sentence) == expected


OPEN = {"predicate": "first_in_class", "filter": "open == true"}


def rows(label: str, **models: tuple[float, float, str]) -> str:
    listed = [
        {
            "model": entry,
            "score": a if label == "2" else (a + b) / 2,
            "a": a,
            "b": b,
            "open": is_open,
        }
        for entry, (a, b, is_open) in models.items()
    ]
    return json.dumps({"label": label, "models": listed})


@pytest.mark.parametrize(
    ("asked", "after", "expected"),
    [
        pytest.param(
            {"predicate": "top_k", "k": 1},
            rows("2", fern=(4, 8, "true"), moss=(5, 1, "true"), oak=(1, 1, "false")),
            "with edition 2, whose formula changed, passed by moss",
            id="a formula",
        ),
        pytest.param(
            OPEN,
            rows("1", fern=(4, 8, "true"), moss=(5, 1, "true"), oak=(9, 9, "true")),
            "passed by oak (into the class)",
            id="into the class",
        ),
        pytest.param(
            OPEN,
            rows("1", fern=(4, 8, "true"), moss=(9, 9, "true"), new=(8, 8, "true")),
            "passed by moss (re-scored) and new (joined)",
            id="within a class",
        ),
        pytest.param(
            OPEN,
            rows("1", fern=(1, 2, "true"), moss=(5, 1, "true"), oak=(9, 9, "false")),
            "when its own score fell from 6.0 to 1.5, passed by moss",
            id="its own score, within a class",
        ),
        pytest.param(
            OPEN,
            rows("1", moss=(5, 1, "true"), oak=(9, 9, "false")),
            "when it left",
            id="it left a class",
        ),
    ],
)
def test_how_a_place_was_lost_with_parts_and_classes(world, asked, after, expected):
    world.board("b", "b.json", PARTS)
    before = rows("1", fern=(4, 8, "true"), moss=(5, 1, "true"), oak=(1, 1, "false"))
    for day, content in ((1, before), (2, after)):
        world.commit(f"2024-03-0{day}T00:00:00Z", **{"b.json": content})
    world.crawl()
    said = world.one(subject="fern", board="b", **asked).sentence
    assert said.partition("(24 h)")[2].partition(". Last look")[0].lstrip(", ") == expected


def test_what_nobody_could_read_does_not_end_a_place(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b=THREE)
    world.commit("2024-03-01T12:00:00Z", b=CONFLICT)
    world.commit("2024-03-02T00:00:00Z", b={**THREE, "moss": "80"})
    world.crawl()
    said = world.say("fern is in the top 1 on b").sentence
    assert "(24 h, 12 h of it not known), passed by moss (re-scored)" in said


def test_a_clause_names_what_a_hostile_name_is_called(world):
    world.board("b")
    name = "<b>x</b> " + "n" * 5000
    world.commit("2024-03-01T00:00:00Z", b=THREE)
    world.commit("2024-03-02T00:00:00Z", b={**THREE, name: "99"})
    world.crawl()
    assert f"lost when {name} joined" in world.say("fern is in the top 1 on b").sentence
