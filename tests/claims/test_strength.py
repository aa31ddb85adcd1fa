"""Certain is said only of what holds for every unprinted digit."""

from __future__ import annotations

from typing import Any

import pytest

from history.frames import SCORE, ticks_of
from tests.claims.conftest import World


def ties(rule: str, band: str, edge: str = "inclusive") -> str:
    return f'\n[ties]\nrule = "{rule}"\nband = {band}\nedge = "{edge}"\n'


@pytest.mark.parametrize(
    ("rule", "pair", "verdict", "strength"),
    [
        pytest.param("anchored", ("oak", "ash"), "true", "certain", id="the band holds with room"),
        pytest.param("anchored", ("oak", "fern"), "true", "printed", id="at the edge of the head"),
        pytest.param(
            "anchored",
            ("ash", "fern"),
            "true",
            "printed",
            id="close to each other, but one is at the edge of the head",
        ),
        pytest.param("chain", ("oak", "fern"), "true", "certain", id="a chain of small steps"),
        pytest.param(
            "chain", ("oak", "yew"), "true", "printed", id="one step of it is at the edge"
        ),
        pytest.param("pairwise", ("ash", "fern"), "true", "certain", id="nobody else matters"),
        pytest.param(
            "anchored", ("oak", "elm"), "within_rounding", None, id="a tick too far from the head"
        ),
        pytest.param("anchored", ("oak", "yew"), "false", "certain", id="too far"),
    ],
)
def test_a_tie_is_certain_for_every_rounding(world, rule, pair, verdict, strength):
    world.board("b", more=ties(rule, "0.9"))
    rows = {"oak": "80.0", "ash": "79.5", "fern": "79.1", "elm": "79.0", "yew": "78.1"}
    world.commit("2024-03-01T00:00:00Z", b=rows)
    world.crawl()
    found = world.one(predicate="tie", subject=pair[0], **{"with": pair[1]}, board="b")
    assert (found.verdict, found.strength) == (verdict, strength)


@pytest.mark.parametrize("rule", ["pairwise", "anchored", "chain"])
@pytest.mark.parametrize("edge", ["inclusive", "exclusive", "float"])
@pytest.mark.parametrize("scores", [("1.1", "0.2"), ("1.0", "0.2"), ("1.2", "0.2"), ("0.2", "0.2")])
def test_a_claim_ties_whom_the_ranks_tie(world, rule, edge, scores):
    world.board("b", more=ties(rule, "0.9", edge))
    world.commit("2024-03-01T00:00:00Z", b=dict(zip(("fern", "moss"), scores, strict=True)))
    world.crawl()
    ranked = world.open("b").rank_history()
    found = world.one(predicate="tie", subject="fern", **{"with": "moss"}, board="b")
    assert (found.verdict == "true") == bool(ranked["tied"].all())


@pytest.mark.parametrize(
    ("edge", "verdict", "strength"),
    [
        pytest.param("inclusive", "true", "certain", id="at most the band: tied"),
        pytest.param("exclusive", "true", "printed", id="perhaps the band itself: not tied"),
        pytest.param("float", "true", "printed", id="floats decide it either way"),
    ],
)
def test_a_gap_that_may_be_exactly_the_band(world, edge, verdict, strength):
    world.board("b", more=ties("pairwise", "0.9", edge))
    world.commit("2024-03-01T00:00:00Z", b={"fern": "1.0", "moss": "0.2"})
    world.crawl()
    found = world.one(predicate="tie", subject="fern", **{"with": "moss"}, board="b")
    assert (found.verdict, found.strength) == (verdict, strength)


@pytest.mark.parametrize(
    ("split", "fern", "moss", "strength", "low_high"),
    [
        pytest.param("mix", (80.0, 80.0), (80.0, 79.9), "printed", (1, 2), id="0.04 in 0.1"),
        pytest.param("mix", (80.0, 80.0), (79.9, 79.9), "printed", (1, 1), id="could be equal"),
        pytest.param("mix", (80.0, 80.0), (79.8, 79.9), "certain", (1, 1), id="0.16 in 0.1"),
        pytest.param(
            "worst", (80.0, 80.0), (80.0, 79.9), "printed", (1, 1), id="not linear, close"
        ),
        pytest.param(
            "worst", (80.0, 80.0), (80.0, 79.5), "certain", (1, 1), id="not linear, clear"
        ),
    ],
)
def test_a_computed_score_is_as_wide_as_its_parts(world, split, fern, moss, strength, low_high):
    splits = '[splits]\nmix = "0.6*p + 0.4*q"\nworst = "min(p, q)"\n'
    world.board("b", more=f'\n[table.parts]\np = "p"\nq = "q"\n{splits}')
    lines = [f"{name},1,{p},{q}" for name, (p, q) in {"fern": fern, "moss": moss}.items()]
    world.commit("2024-03-01T00:00:00Z", **{"b.csv": "\n".join(["model,score,p,q", *lines, ""])})
    world.crawl()
    given: dict[str, Any] = {"subject": "fern", "board": "b", "split": split}
    first = world.one(predicate="first", **given)
    assert (first.verdict, first.answer["rank_low"], first.answer["rank_high"]) == (
        "true",
        *low_high,
    )
    assert world.one(predicate="first", sole=True, **given).strength == strength
    assert world.one(predicate="ahead", other="moss", **given).strength == strength


@pytest.fixture(scope="module")
def leads(make_world) -> World:
    """fern is far ahead on a, level on b, behind by what rounding can hide on c, far behind on d."""
    world = make_world("leads")
    others = {"a": 60, "b": 80, "c": 81, "d": 99}
    for name in others:
        world.board(name)
    tables = {name: {"fern": 80, "moss": score} for name, score in others.items()}
    world.commit("2024-03-01T00:00:00Z", **tables)
    world.crawl()
    return world


@pytest.mark.parametrize(
    ("kind", "boards", "verdict", "strength"),
    [
        pytest.param("all_of", "ab", "true", "printed", id="all of: every yes counts"),
        pytest.param("all_of", "acd", "false", "certain", id="all of: one certain no is enough"),
        pytest.param("all_of", "abc", "false", "printed", id="all of: the only no is as printed"),
        pytest.param("any_of", "ab", "true", "certain", id="any of: one certain yes is enough"),
        pytest.param("any_of", "bc", "true", "printed", id="any of: the only yes is as printed"),
        pytest.param("any_of", "dc", "false", "printed", id="any of: every no counts"),
    ],
)
def test_of_several_claims_that_one_counts_which_decides(leads, kind, boards, verdict, strength):
    claims = [{"predicate": "first", "subject": "fern", "board": name} for name in boards]
    for when in ({"latest": True}, {"over": ["", ""]}, {"always": ["", ""]}):
        found = leads.one(predicate=kind, claims=claims, when=when)
        assert (found.verdict, found.strength) == (verdict, strength)


@pytest.mark.parametrize(
    ("when", "strength"),
    [
        pytest.param({"latest": True}, "certain", id="now"),
        pytest.param({"over": ["", ""]}, "printed", id="throughout: the closest version counts"),
        pytest.param({"always": ["", ""]}, "printed", id="always, too"),
        pytest.param({"ever": ["", ""]}, "certain", id="ever: the clearest"),
        pytest.param({"over": ["2024-03-02", ""]}, "certain", id="only the clear one inside"),
    ],
)
def test_a_stretch_is_as_certain_as_what_decides_it(world, when, strength):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": "80", "moss": "80"})
    world.commit("2024-03-02T00:00:00Z", b={"fern": "80", "moss": "60"})
    world.crawl()
    found = world.one(predicate="first", subject="fern", board="b", when=when)
    assert (found.verdict, found.strength) == ("true", strength)


def test_large_scores_are_compared_exactly(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": str(10**30 + 2), "moss": str(10**30)})
    world.crawl()
    assert world.open("b").rank_history()[ticks_of(SCORE)].dtype == object
    found = world.one(predicate="first", subject="fern", board="b")
    assert (found.verdict, found.strength) == ("true", "certain")


MARKDOWN = "| model | score |\n| --- | --- |\n| fern | 71.25 |\n| moss | 71 |\n| oak | 70.4 |\n"


@pytest.mark.parametrize(
    ("path", "more", "claim", "verdict", "strength", "reach"),
    [
        pytest.param("b.md", "", {"predicate": "score", "subject": "moss", "value": "71.3"}, "within_rounding", None, (70.5, 71.5), id="71 in Markdown is 70.5 to 71.5"),
        pytest.param("b.md", "\ndecimals = 2", {"predicate": "score", "subject": "moss", "value": "71.3"}, "false", "certain", (70.995, 71.005), id="decimals say how precise it is"),
        pytest.param("b.csv", "", {"predicate": "score", "subject": "moss", "value": "71.3"}, "false", "certain", (70.995, 71.005), id="71 in CSV is 71.00"),
        pytest.param("b.md", "", {"predicate": "rank", "subject": "fern", "n": 1}, "true", "printed", (1, 2), id="71 could be ahead of 71.25"),
        pytest.param("b.md", "", {"predicate": "rank", "subject": "oak", "n": 3}, "true", "certain", (3, 3), id="70.4 is behind 70.5"),
        pytest.param("b.csv", "", {"predicate": "rank", "subject": "fern", "n": 1}, "true", "certain", (1, 1), id="71.00 could not"),
        pytest.param("b.md", ties("anchored", "0.5"), {"predicate": "tie", "subject": "fern", "with": "moss"}, "true", "printed", (-0.255, 0.755), id="a tie for most of their digits"),
        pytest.param("b.md", ties("chain", "0.5"), {"predicate": "tie", "subject": "moss", "with": "oak"}, "within_rounding", None, (0.05, 1.15), id="no tie, but for rounding"),
        pytest.param("b.csv", ties("anchored", "0.5"), {"predicate": "tie", "subject": "fern", "with": "moss"}, "true", "certain", (0.24, 0.26), id="a tie whatever the third decimals"),
    ],
)  # fmt: skip
def test_in_texts_a_number_is_as_precise_as_it_is_printed(
    world, path, more, claim, verdict, strength, reach
):
    world.board("b", path=path, more=more)
    table = MARKDOWN if path == "b.md" else {"fern": "71.25", "moss": "71", "oak": "70.4"}
    world.commit("2024-03-01T00:00:00Z", **{path: table if path == "b.md" else _lines(table)})
    world.crawl()
    found = world.one(board="b", **claim)
    names = {"score": ("low", "high"), "rank": ("rank_low", "rank_high")}
    low, high = names.get(claim["predicate"], ("gap_low", "gap_high"))
    assert (found.verdict, found.strength) == (verdict, strength)
    assert (found.answer[low], found.answer[high]) == pytest.approx(reach)


def _lines(rows: dict[str, str]) -> str:
    return "model,score\n" + "".join(f"{entry},{score}\n" for entry, score in rows.items())


def test_points_are_certain_if_no_digit_changes_a_place(world):
    parts = "\n[table.parts]\nsun = 'sun'\nshade = 'shade'\n[splits]\nall = { borda = ['sun', 'shade'] }"
    world.board("b", more=parts)
    table = "model,score,sun,shade\nfern,1,9.5,3.0\nmoss,1,9.4,2.0\noak,1,1.0,1.0\n"
    world.commit("2024-03-01T00:00:00Z", **{"b.csv": table})
    world.crawl()

    def judged(**claim):
        found = world.one(board="b", split="all", **claim)
        return found.verdict, found.strength

    assert judged(predicate="first", subject="fern") == ("true", "certain")
    assert judged(predicate="score", subject="fern", value="4") == ("true", "certain")
    assert judged(predicate="score", subject="moss", value="2.5") == ("within_rounding", None)
    assert judged(predicate="score", subject="oak", value="0") == ("true", "certain")
