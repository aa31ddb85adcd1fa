"""What does a verdict say where several share a place, by score or by the board's ties?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.claims.conftest import World, claim

FULL = {"elm": 100, "fir": 100, "oak": 100, "yew": 95}
INTERVALS = (
    "model,score,lo,hi\nelm,131,129,134\nfir,130,128,132\noak,128,126,129.5\nyew,120,118,122\n"
)
BY_INTERVALS = '\nlow = "lo"\nhigh = "hi"\n[ties]\nrule = "interval"\n'


@pytest.fixture(scope="module")
def full(make_world: Callable[[str], World]) -> World:
    """Three share the best score; and a board that ranks by intervals."""
    world = make_world("full")
    world.board("full")
    world.board("arena", "arena.csv", BY_INTERVALS)
    world.commit("2024-03-01T00:00:00Z", full=FULL, **{"arena.csv": INTERVALS})
    world.crawl()
    return world


@pytest.mark.parametrize(
    ("given", "verdict", "noted"),
    [
        pytest.param(
            claim("first", "elm"), "true", "shares its place with fir, oak", id="shared counts"
        ),
        pytest.param(
            claim("first", "elm", sole=True),
            "false",
            "shares its place with fir, oak",
            id="but not alone",
        ),
        pytest.param(
            claim("rank", "oak", n=3), "false", "shares its place with elm, fir", id="shown third"
        ),
        pytest.param(claim("rank", "yew", n=4), "true", "", id="after three that share"),
        pytest.param(
            claim("rank", "yew", n=2),
            "false",
            "2nd only in dense counting, by distinct scores",
            id="the second-best score",
        ),
        pytest.param(claim("rank", "yew", n=3), "false", "", id="third by no counting"),
    ],
)
def test_places_that_are_shared(full, given, verdict, noted):
    found = full.one(**{**given, "board": "full"})
    assert found.verdict == verdict
    notes = [note for note in found.notes if "shares" in note or "dense" in note]
    assert notes == [noted] * bool(noted)


@pytest.mark.parametrize(
    ("given", "verdict", "shared"),
    [
        pytest.param(claim("first", "elm", rank_kind="tie"), "true", "fir, oak", id="first"),
        pytest.param(
            claim("first", "elm", rank_kind="tie", sole=True), "false", "fir, oak", id="not alone"
        ),
        pytest.param(claim("first", "elm", sole=True), "true", "", id="alone by score"),
        pytest.param(claim("rank", "yew", rank_kind="tie", n=4), "true", "", id="surely worse"),
        pytest.param(claim("rank", "oak", rank_kind="tie", n=3), "false", "elm, fir", id="third"),
    ],
)
def test_who_shares_a_place_by_intervals(full, given, verdict, shared):
    found = full.one(**{**given, "board": "arena"})
    assert found.verdict == verdict
    notes = [note for note in found.notes if note.startswith("shares")]
    assert notes == [f"shares its place with {shared}"] * bool(shared)
    by_ties = " by its tie rank (" in found.sentence
    assert by_ties is ("rank_kind" in given)
