"""What is said to be true near a false claim?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from history.claims.desk import Desk
from history.claims.language.claim import Claim
from history.claims.language.claims_file import parse_claims
from history.claims.near.search import Nearby
from tests.claims.conftest import World

DEFINITION = """
[table.attributes]
open = "open"
size = "size"
"made by" = "lab"
[table.parts]
public = "public"
fresh = "fresh"
[splits]
private = "0.5*public + 0.5*fresh"
[ties]
rule = "anchored"
band = 0.6
"""
COLUMNS = ("score", "public", "fresh", "open", "size", "lab")
FIRST = {
    "fern": (9.0, 9.0, 1.0, True, "7B", "Ann's"),
    "moss": (8.0, 2.0, 2.0, True, "70B", "B"),
    "oak": (7.0, 1.0, 3.0, False, "70B", "B"),
    "ash": (6.0, 1.0, 1.0, True, "1.5B", "B"),
    "elm": (5.0, 0.0, 0.0, None, "1.5B", "Ann's"),
    "yew": (4.0, 0.0, 0.0, True, "3B", "Ann's"),
}
SECOND = {
    **FIRST,
    "fern": (7.5, 9.0, 1.0, True, "7B", "Ann's"),
    "oak": (8.0, 1, 3, False, "70B", "B"),
}
LOOK = "At the last look "


def table(rows: dict[str, tuple[Any, ...]]) -> str:
    return json.dumps(
        {"models": [{"model": e, **dict(zip(COLUMNS, row))} for e, row in rows.items()]}  # noqa: B905
    )


@pytest.fixture(scope="module")
def forest(make_world) -> World:
    """A board with splits, attributes and a tie band, and a plain one of the same entries."""
    world = make_world("forest")
    world.board("b", "b.json", DEFINITION)
    world.board("other")
    others = {"oak": "3", "fern": "2", "moss": "1"}
    world.commit("2024-03-01T00:00:00Z", **{"b.json": table(FIRST)}, other=others)
    world.commit("2024-03-02T00:00:00Z", **{"b.json": table(SECOND)})
    world.crawl("2024-03-04T00:00:00Z")
    return world


def near(world: World, others: tuple[str, ...] = (), **given: Any) -> list[str]:
    """Statements near one claim, as of the last look at its board."""
    (claim,) = parse_claims(json.dumps([{"id": "c", "board": "b", **given}]), "c.json", "json")
    desk = Desk(world.open, world.folder)
    found = Nearby(desk, others).search(desk.leaf(claim), desk.track("b").horizon)
    return [one.statement for one in found]


@pytest.mark.parametrize(
    ("given", "statements"),
    [
        pytest.param(
            {"predicate": "first", "subject": "fern"},
            [
                f"{LOOK}fern was first of 6 on b, private (5.00, 3 ahead of moss)",
                f"{LOOK}fern was first of 4 on b (only size <= '7B') (7.5, 1.5 ahead of ash)",
                f"{LOOK}fern was first of 6 on b by its tie rank (7.5; moss led with 8.0, 0.5 ahead)",
                "fern was first on b from 1 Mar 00:00 to 2 Mar 2024 00:00 UTC (24 h), lost to moss when "
                "fern was re-scored and oak, which was re-scored",
                f"{LOOK}fern was 3rd of 6 on b (7.5; moss led with 8.0, 0.5 ahead), in the top 5",
            ],
            id="each kind once before any twice",
        ),
        pytest.param(
            {"predicate": "first", "subject": "moss", "sole": True},
            [
                f"{LOOK}moss was first of 6 on b (8.0)",
                f"{LOOK}moss was first of 4 on b (only open == true) (8.0, 0.5 ahead of fern)",
                f"{LOOK}moss was 0.5 ahead of fern on b (8.0 and 7.5)",
            ],
            id="first, though not alone",
        ),
        pytest.param(
            {"predicate": "ahead", "subject": "fern", "other": "oak"},
            [
                f"{LOOK}fern was 3 ahead of oak on b, private (5.00 and 2.00)",
                "fern was ahead of oak on b from 1 Mar 00:00 to 2 Mar 2024 00:00 UTC (24 h), when "
                "its own score fell from 9.0 to 7.5, passed by oak (re-scored)",
                f"{LOOK}fern was 1.5 ahead of ash on b (7.5 and 6.0)",
                f"{LOOK}fern was 8 ahead of oak on b, public (9.0 and 1)",
            ],
            id="ahead of somebody else, elsewhere and once",
        ),
        pytest.param(
            {"predicate": "tie", "subject": "fern", "with": "ash"},
            [
                f"{LOOK}fern and ash had the same score on b, fresh (1.0 and 1.0)",
                f"{LOOK}fern and oak were 0.5 apart on b (7.5 and 8.0, band 0.6, anchored)",
                f"{LOOK}fern was 1.5 ahead of ash on b (7.5 and 6.0)",
            ],
            id="tied with somebody else, and who is ahead",
        ),
        pytest.param(
            {"predicate": "tie", "subject": "ash", "with": "oak"},
            [
                f"{LOOK}ash and oak had the same score on b, public (1.0 and 1)",
                f"{LOOK}oak was 2 ahead of ash on b (8.0 and 6.0)",
            ],
            id="behind",
        ),
        pytest.param(
            {"predicate": "score", "subject": "fern", "value": "9"},
            [
                f"{LOOK}fern had 9.0 on b, public",
                f"{LOOK}fern had 7.5 on b",
                "fern was at 9 on b from 1 Mar 00:00 to 2 Mar 2024 00:00 UTC (24 h)",
            ],
            id="another number, another split, another time",
        ),
        pytest.param(
            {"predicate": "delta", "subject": "fern", "other": "moss", "value": "+7.0"},
            [
                f"{LOOK}fern was +7 against moss on b, public (9.0 - 2.0)",
                f"{LOOK}fern was -0.5 against moss on b (7.5 - 8.0)",
            ],
            id="the difference on a part",
        ),
        pytest.param(
            {"predicate": "average_of", "subject": "fern", "columns": ["public"], "value": "1"},
            [f"{LOOK}the mean of 1 columns of fern was 9 on b"],
            id="a mean",
        ),
        pytest.param(
            {"predicate": "count", "what": "ranked", "n": 7},
            [f"{LOOK}6 entries were ranked on b"],
            id="a count",
        ),
        pytest.param(
            {"predicate": "rank", "subject": "ash", "n": 3, "filter": "size <= '70B'"},
            [
                f"{LOOK}ash was 3rd of 4 on b (only (size <= '70B') and open == true) "
                "(6.0; moss led with 8.0, 2 ahead)",
                f"{LOOK}ash was 4th of 6 on b (only size <= '70B') (6.0; moss led with 8.0, 2 ahead), "
                "in the top 5",
                f"{LOOK}ash was 1 ahead of elm on b (only size <= '70B') (6.0 and 5.0)",
                f"{LOOK}ash was 3rd of 3 on b (only (size <= '70B') and \"made by\" == 'B') "
                "(6.0; moss led with 8.0, 2 ahead)",
            ],
            id="a class within a class",
        ),
    ],
)
def test_what_is_near(forest, given, statements):
    assert near(forest, **given) == statements


def test_another_board_is_near(forest):
    given = {"predicate": "first", "subject": "oak", "sole": True}
    said = "At the last look oak was first of 3 on other (3, 1 ahead of fern)"
    assert said in near(forest, ("gone", "b", "other"), **given)
    assert said not in near(forest, **given)


def test_what_is_true_of_one_board_is_near_a_claim_about_two(forest):
    found = forest.one(predicate="first", subject="oak", boards=["b", "other"], sole=True)
    assert found.verdict == "false"
    assert found.nearest[0]["statement"].startswith("At the last look oak was first of 3 on other")


@pytest.mark.parametrize(
    ("when", "said"),
    [
        pytest.param({"as_of": "2024-03-03"}, "At the end of 3 Mar 2024 (UTC) fern", id="a day"),
        pytest.param(
            {"as_of": "2024-03-02T10:30:00Z"}, "On 2 Mar 2024 at 10:30 UTC fern", id="a time"
        ),
        pytest.param({"latest": True}, "At the last look fern", id="the last look"),
        pytest.param({"over": ["2024-03-01", "2024-03-02"]}, "At the end of 2 Mar", id="a window"),
        pytest.param({"over": ["", ""]}, "At the last look fern", id="an open window"),
    ],
)
def test_a_statement_says_its_time(forest, when, said):
    found = forest.one(predicate="first", subject="fern", board="b", when=when)
    assert found.verdict in ("tied_not_first", "true_then_false")
    assert found.nearest[0]["statement"].startswith(said)
    assert all(near["evidence"][0]["pointer"] for near in found.nearest)


@pytest.mark.parametrize(
    "when",
    [
        pytest.param({"as_of": "2024-03-01"}, id="true"),
        pytest.param({"ever": ["", ""]}, id="ever true"),
    ],
)
def test_nothing_is_near_what_is_true(forest, when):
    assert forest.one(predicate="first", subject="fern", board="b", when=when).nearest == ()


def test_the_list_is_the_same_every_time(forest):
    given = {"predicate": "top_k", "subject": "ash", "k": 3}
    assert near(forest, ("other",), **given) == near(forest, ("other",), **given)


@pytest.mark.parametrize(
    "version",
    [
        pytest.param(json.dumps({"models": []}), id="an empty board"),
        pytest.param(None, id="no file"),
        pytest.param("<<<<<<< HEAD", id="an unreadable file"),
    ],
)
def test_where_nobody_is_listed_only_times_are_near(world, version):
    world.board("b", "b.json", DEFINITION)
    world.commit("2024-03-01T00:00:00Z", **{"b.json": table(FIRST)})
    world.commit("2024-03-02T00:00:00Z", **{"b.json": version})
    world.crawl()
    found = near(world, predicate="first", subject="fern")
    assert len(found) <= 1
    assert all(said.startswith("fern was first on b from 1 Mar") for said in found)


def test_attributes_can_say_anything(world):
    lab = "o'x\" or open == true"
    world.board("b", "b.json", DEFINITION.replace('"made by"', '"not"'))
    rows = {
        **{f"n{n}": (n, 1, 1, "x" * 5000, "\x00", lab) for n in range(4)},
        "top": (9, 1, 1, "", "  ", "z"),
    }
    world.commit("2024-03-01T00:00:00Z", **{"b.json": table(rows)})
    world.crawl()
    found = near(world, predicate="first", subject="n3")
    said = f"only \"not\" == '{lab.replace(chr(39), chr(39) * 2)}'"
    assert [said in one for one in found].count(True) == 1
    assert not any("xxxxx" in one for one in found)


def test_an_edition_that_held_instead_is_near(world):
    world.board("b", "b.json", DEFINITION + '[edition]\nlabel = "$.label"\n')
    for day, (label, rows) in enumerate((("1", SECOND), ("2", FIRST)), 1):
        content = json.loads(table(rows)) | {"label": label}
        world.commit(f"2024-03-0{day}T00:00:00Z", **{"b.json": json.dumps(content)})
    world.crawl()
    desk = Desk(world.open, None)
    leaf = desk.leaf(Claim("c", "first", subject="fern", boards=("b",), edition="1"))
    found = list(Nearby(desk).candidates(leaf, leaf.track.horizon))
    (edition,) = [one for one in found if one.kind == "edition"]
    assert edition.statement.endswith("on b (9.0, 1 ahead of moss), in edition 2")
    assert replace(leaf.claim, edition="2") == edition.claim
