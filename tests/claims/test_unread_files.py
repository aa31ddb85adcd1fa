"""A board with a file per entry, and one of the files cannot be read: what is still certain?"""

from __future__ import annotations

import json

import pytest

from tests.claims.conftest import World

DEFINITION = """
[source]
kind = "git"
repo = "{repo}"
paths = ["r/*.json"]
[table]
entry = "@file"
score = "score"
direction = "higher"
[table.parts]
wet = "wet"
[splits]
points = {{ borda = ["wet"] }}
[ties]
rule = "{rule}"
band = 2
"""
UNREAD = ("not_decidable", "UNREADABLE_VERSION")
TRUE, FALSE = ("true", None), ("false", None)
SCORES = {"fern": 80, "moss": 78, "oak": 70, "ash": 60}


def board(world: World, name: str = "b", rule: str = "anchored", more: str = "") -> None:
    file = world.store.board_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(DEFINITION.format(repo=world.repo.folder, rule=rule) + more, encoding="utf-8")


def publish(world: World, day: int, **scores: float | str) -> None:
    """Files by entry; a text is the file as it is."""
    files = {
        f"r/{entry}.json": score
        if isinstance(score, str)
        else json.dumps({"score": score, "wet": 1})
        for entry, score in scores.items()
    }
    world.commit(f"2024-03-0{day}T00:00:00Z", **files)


@pytest.fixture(scope="module")
def torn(make_world) -> World:
    """All four files on 1 March; since 2 March that of oak, the third, is torn."""
    world = make_world("torn")
    board(world)
    board(world, "chained", "chain")
    board(world, "pairs", "pairwise")
    board(world, "without", more='[[ignore]]\nentry = "oak"\nfrom = 2024-03-02\nwhy = "torn"\n')
    publish(world, 1, **SCORES)
    publish(world, 2, oak='{"score"')
    world.crawl("2024-03-04T00:00:00Z")
    return world


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("fern is first", UNREAD, id="it may be better than the first"),
        pytest.param("fern is in the top 2", TRUE, id="one more above changes nothing"),
        pytest.param("moss is in the top 2", UNREAD, id="one more above would"),
        pytest.param("moss is first", FALSE, id="another is better in any case"),
        pytest.param("moss is second", UNREAD, id="second, or third"),
        pytest.param("ash is second", FALSE, id="no better than third"),
        pytest.param("fern is first of 4", UNREAD, id="perhaps four are ranked"),
        pytest.param("fern is first of 5", FALSE, id="never five"),
        pytest.param("ash is sole first", FALSE, id="nor alone"),
        pytest.param("fern is ahead of moss", TRUE, id="between two others it says nothing"),
        pytest.param("oak is ahead of moss", UNREAD, id="of itself neither"),
        pytest.param("fern is tied with moss", UNREAD, id="a group hangs on its best"),
        pytest.param("fern scores 80", TRUE, id="a score is a score"),
    ],
)
def test_what_an_unread_entry_could_change_is_open(torn, said, expected):
    found = torn.say(f"{said} on b")
    assert (found.verdict, found.code) == expected
    assert found.strength == (None if expected == UNREAD else "certain")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param({"what": "ranked", "n": 3}, UNREAD, id="three, or four"),
        pytest.param({"what": "ranked", "n": 3, "op": ">="}, TRUE, id="at least three"),
        pytest.param({"what": "ranked", "n": 2}, FALSE, id="two are too few"),
        pytest.param({"what": "listed", "n": 4}, TRUE, id="its file is there"),
    ],
)
def test_how_many_are_ranked(torn, more, expected):
    found = torn.one(predicate="count", board="b", **more)
    assert (found.verdict, found.code) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"board": "chained"}, UNREAD, id="it may be a link of the chain"),
        pytest.param({"board": "pairs"}, TRUE, id="pairs know no third"),
        pytest.param({"board": "b", "predicate": "rank", "n": 1, "rank_kind": "tie"}, UNREAD,
                     id="a tie rank"),
        pytest.param({"board": "b", "predicate": "ahead", "other": "ash", "rank_kind": "tie"}, UNREAD,
                     id="ahead by tie rank"),
        pytest.param({"board": "b", "predicate": "score", "value": "0.5", "split": "points"}, UNREAD,
                     id="points count who stands below"),
    ],
)  # fmt: skip
def test_ties_and_points_hang_on_who_else_is_there(torn, given, expected):
    tie = {"predicate": "tie", "with": "moss"} if "predicate" not in given else {}
    found = torn.one(**{"subject": "fern", **tie, **given})
    assert (found.verdict, found.code) == expected


def test_a_stretch_ends_where_certainty_ends(torn):
    found = torn.say("fern is first on b")
    assert found.sentence.startswith(
        "Not decidable. At the last look the file of 1 entry on b could not be read; among the "
        "others fern was first of 3 on b (80, 2 ahead of moss). It was first on b from 1 Mar 00:00 "
        "to 2 Mar 2024 00:00 UTC (24 h), and nothing is known of it since."
    )
    assert [(i.start.day, i.until.day, i.until_commit) for i in found.intervals] == [(1, 2, None)]
    assert {(one.entry, one.path) for one in found.evidence if one.text is None} == {
        ("oak", "r/oak.json")
    }


def test_how_long_is_open_at_both_ends(torn):
    found = torn.one(
        predicate="duration",
        state={"predicate": "first", "subject": "fern", "board": "b"},
        value="2",
        unit="days",
    )
    assert (found.verdict, found.code) == UNREAD
    assert found.answer["seconds_low"] == pytest.approx(86_400, abs=2)
    assert found.answer["seconds_high"] == pytest.approx(3 * 86_400, abs=2)
    assert (
        "for 24 h to 3 days: from 1 Mar 00:00 to 2 Mar 2024 00:00 UTC, and nothing"
        in found.sentence
    )


def test_who_is_ignored_changes_nothing(torn):
    found = torn.say("fern is first of 3 on without")
    assert (found.verdict, found.strength) == ("true", "certain")


def test_what_ends_in_the_dark_ends_there_in_a_compound_too(torn):
    claims = [
        {"predicate": "first", "subject": who, "board": "b", "when": {"over": [start, ""]}}
        for who, start in (("fern", "2024-03-01"), ("moss", "2024-03-02"))
    ]
    found = torn.one(predicate="any_of", claims=claims)
    assert [(i.start.day, i.until.day) for i in found.intervals] == [(1, 2)]
