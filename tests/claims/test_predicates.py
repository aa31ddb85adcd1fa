"""What is the verdict of every predicate, with which notes, answers and evidence?"""

from __future__ import annotations

import json

import pytest

from history.claims.language.claim import ClaimError
from tests.claims.conftest import claim

DAY_2, DAY_3 = {"as_of": "2024-03-02"}, {"as_of": "2024-03-03"}


@pytest.mark.parametrize(
    ("given", "verdict", "code"),
    [
        pytest.param(claim("rank", n=2, when=DAY_2), "true", None, id="rank"),
        pytest.param(claim("rank", n=2, of=3, when=DAY_2), "true", None, id="rank of so many"),
        pytest.param(
            claim("rank", n=2, of=4, when=DAY_2), "false", None, id="rank of another number"
        ),
        pytest.param(claim("rank", n=3, op="<=", when=DAY_2), "true", None, id="rank or better"),
        pytest.param(claim("top_k", k=1, when=DAY_2), "false", None, id="not in the top 1"),
        pytest.param(claim("top_k", k=2, when=DAY_2), "true", None, id="in the top 2"),
        pytest.param(claim("rank", "oak", n=3, when=DAY_3), "false", None, id="left: no place"),
        pytest.param(claim("first", "oak", when=DAY_3), "false", None, id="left: not first"),
        pytest.param(
            claim("ahead", "oak", other="fern", when=DAY_3), "false", None, id="left: not ahead"
        ),
        pytest.param(
            claim("ahead", other="oak", when=DAY_3), "false", None, id="not ahead of who left"
        ),
        pytest.param(
            claim("score", "oak", value="70", when=DAY_3),
            "not_decidable",
            "NOT_LISTED",
            id="left: no score",
        ),
        pytest.param(
            claim("delta", other="oak", value="10", when=DAY_3),
            "not_decidable",
            "NOT_LISTED",
            id="no delta",
        ),
        pytest.param(
            claim("tie", **{"with": "oak", "when": DAY_3}),
            "not_decidable",
            "NOT_LISTED",
            id="no tie",
        ),
        pytest.param(claim("rank", "ash", n=3), "false", None, id="without a score no place"),
        pytest.param(
            claim("score", "ash", value="1"),
            "not_decidable",
            "MISSING_COMPONENT",
            id="without a score",
        ),
        pytest.param(claim("ahead", other="moss"), "true", None, id="ahead"),
        pytest.param(claim("ahead", "moss", other="fern"), "false", None, id="behind"),
        pytest.param(claim("score", value="84"), "true", None, id="score"),
        pytest.param(claim("score", value="84.4", when=DAY_3), "false", None, id="another score"),
        pytest.param(claim("score", value="83", op=">="), "true", None, id="at least"),
        pytest.param(
            claim("score", value="82.4", when=DAY_3),
            "within_rounding",
            None,
            id="82.5 is hardly 82.4",
        ),
        pytest.param(
            claim("score", value="84.1", op=">"), "within_rounding", None, id="perhaps more than"
        ),
        pytest.param(
            claim("delta", other="moss", value="+1.5", when=DAY_3),
            "true",
            None,
            id="across decimals",
        ),
        pytest.param(
            claim("delta", other={"value": "81.25"}, value="+1.2", when=DAY_3),
            "true",
            None,
            id="own number",
        ),
        pytest.param(claim("count", None, what="ranked", n=2), "true", None, id="ranked ones"),
        pytest.param(claim("count", None, what="listed", n=3), "true", None, id="listed ones"),
        pytest.param(
            claim("count", None, what="ranked", n=2, op=">"), "false", None, id="not more"
        ),
        pytest.param(
            claim("first", "rowan"), "not_decidable", "UNKNOWN_ENTRY", id="never heard of"
        ),
        pytest.param(claim("first", "FERN"), "true", None, id="another case"),
        pytest.param(
            claim("first", split="public"), "not_decidable", "NO_SPLIT", id="no such split"
        ),
        pytest.param(
            claim("tie", **{"with": "moss"}), "not_decidable", "NO_TIE_RULE", id="no rule"
        ),
        pytest.param(
            claim("first", rank_kind="published"),
            "not_decidable",
            "MISSING_COMPONENT",
            id="no ranks",
        ),
        pytest.param(
            claim("tie", "ash", "bare", **{"with": "elm"}),
            "true",
            None,
            id="equal scores tie under any rule",
        ),
        pytest.param(
            claim("rank", "ash", "bare", n=4), "true", None, id="a shared place is the better one"
        ),
        pytest.param(
            claim("tie", "oak", "anchored", **{"with": "fern"}), "true", None, id="anchored"
        ),
        pytest.param(
            claim("tie", "fern", "anchored", **{"with": "moss"}),
            "false",
            None,
            id="anchored: groups hang on their best",
        ),
        pytest.param(claim("tie", "oak", "chain", **{"with": "moss"}), "true", None, id="chain"),
        pytest.param(
            claim("tie", "fern", "pairwise", **{"with": "moss"}), "true", None, id="pairwise"
        ),
        pytest.param(
            claim("tie", "oak", "pairwise", **{"with": "moss"}),
            "false",
            None,
            id="pairwise: too far",
        ),
        pytest.param(
            claim("first", "fern", "anchored"), "tied_not_first", None, id="anchored: tied"
        ),
        pytest.param(claim("first", "moss", "anchored"), "false", None, id="anchored: next group"),
        pytest.param(claim("first", "moss", "chain"), "tied_not_first", None, id="chain: tied"),
        pytest.param(
            claim("first", "fern", "pairwise"), "tied_not_first", None, id="pairwise: tied"
        ),
        pytest.param(claim("first", "moss", "pairwise"), "false", None, id="pairwise: tie rank 2"),
        pytest.param(claim("first", "fern", "bare"), "false", None, id="never tied without a rule"),
        pytest.param(
            claim("rank", "fern", "anchored", n=1), "tied_not_first", None, id="rank 1 is first"
        ),
        pytest.param(
            claim("rank", "fern", "anchored", n=3), "false", None, id="another rank is not"
        ),
        pytest.param(
            claim("first", "fern", "anchored", rank_kind="tie"),
            "true",
            None,
            id="first by tie rank",
        ),
        pytest.param(
            claim("first", "fern", "anchored", when={"over": ["", ""]}),
            "false",
            None,
            id="tied is not held",
        ),
        pytest.param(claim("first", "oak", "anchored", sole=True), "true", None, id="alone"),
    ],
)
def test_every_predicate(garden, given, verdict, code):
    found = garden.one(**given)
    assert (found.verdict, found.code) == (verdict, code)
    assert found.evidence
    for evidence in found.evidence:
        assert evidence.commit in garden.commits or evidence.board is None
        assert evidence.pointer is not None or evidence.board is None
        assert evidence.label == ("reported" if evidence.board is None else "measured")


@pytest.mark.parametrize(
    ("given", "note"),
    [
        pytest.param(claim("rank", "oak", n=3, when=DAY_3), "not listed", id="not listed"),
        pytest.param(claim("rank", "ash", n=3), "unranked: no_score", id="unranked"),
        pytest.param(
            claim("ahead", "oak", "anchored", other="fern"), "tied (anchored, band 0.6)", id="tied"
        ),
        pytest.param(
            claim("ahead", "oak", "anchored", other="fern", when={"over": ["", ""]}),
            "tied throughout",
            id="tied throughout",
        ),
        pytest.param(
            claim("ahead", "ash", "bare", other="elm"),
            "only rounding of the printed scores could make it so",
            id="only rounding",
        ),
        pytest.param(claim("rank", "ash", "bare", n=4), "shares its place with elm", id="shared"),
    ],
)
def test_notes(garden, given, note):
    assert note in garden.one(**given).notes


def test_rounding_does_not_change_how_many_were_ranked(garden):
    found = garden.one(**claim("rank", n=2, of=4, when=DAY_2))
    assert (found.verdict, found.strength) == ("false", "certain")
    assert [note for note in found.notes if "plain" not in note] == ["3 were ranked, not 4"]


def test_what_is_not_listed_points_to_the_rows(garden):
    found = garden.one(**claim("rank", "oak", n=3, when=DAY_3))
    evidence = found.evidence[0]
    assert (evidence.pointer, evidence.text, evidence.entry) == ("row=2-*", None, "oak")


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        pytest.param(
            claim("rank", "fern", "anchored", n=2),
            {
                "rank": 2,
                "of": 5,
                "leader": "oak",
                "gap": 0.5,
                "tie_rank": 1,
                "rank_low": 2,
                "rank_high": 2,
            },
            id="rank",
        ),
        pytest.param(
            claim(
                "delta",
                board="parts",
                other="moss",
                value="+6.2",
                split="public",
                when={"at": "C0"},
            ),
            {
                "measured": 6.17,
                "low": 6.16,
                "high": 6.18,
                "claimed_low": 6.15,
                "claimed_high": 6.25,
            },
            id="delta",
        ),
        pytest.param(
            claim("tie", "oak", "anchored", **{"with": "fern"}),
            {"gap": 0.5, "gap_low": 0.4, "gap_high": 0.6, "band": 0.6, "rule": "anchored"},
            id="tie",
        ),
        pytest.param(
            claim("score", board="parts", value="56.4", split="private"),
            {
                "measured": 56.4,
                "low": 56.368,
                "high": 56.432,
                "claimed_low": 56.35,
                "claimed_high": 56.45,
            },
            id="a formula's result is as wide as its parts allow",
        ),
        pytest.param(
            claim("average_of", board="parts", columns=["same", "fresh"], value="55.4"),
            {
                "measured": 55.375,
                "low": 55.3475,
                "high": 55.4025,
                "claimed_low": 55.35,
                "claimed_high": 55.45,
            },
            id="average of columns",
        ),
    ],
)
def test_answers(garden, given, answer):
    text = json.dumps(given).replace("C0", garden.commits[0])
    assert garden.one(**json.loads(text)).answer == answer


def test_a_split_has_its_own_cells(garden):
    found = garden.one(**claim("score", board="parts", value="84.00", split="public"))
    assert [(e.field, e.pointer, e.text) for e in found.evidence] == [
        ("public", "/models/0/pub", "84.00")
    ]
    formula = garden.one(**claim("score", board="parts", value="56.4", split="private"))
    assert [(e.field, e.text) for e in formula.evidence] == [("fresh", "50.25"), ("same", "60.5")]


def test_an_ambiguous_name_is_not_decided(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"Fern": "1", "FERN": "2", "moss": "3"})
    world.crawl()
    found = world.one(predicate="first", subject="fern", board="b")
    assert (found.verdict, found.code) == ("not_decidable", "AMBIGUOUS_ENTITY")


def test_an_empty_board_lists_nobody(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": "1"})
    world.commit("2024-03-02T00:00:00Z", b={})
    world.crawl()
    ranked = world.one(predicate="count", what="ranked", n=0, board="b")
    gone = world.one(predicate="first", subject="fern", board="b")
    assert (ranked.verdict, gone.verdict, gone.notes[0]) == ("true", "false", "not listed")


def test_a_lower_score_may_be_better(world):
    world.board("b", more="")
    file = world.store.board_file("b")
    file.write_text(file.read_text().replace('"higher"', '"lower"'))
    world.commit("2024-03-01T00:00:00Z", b={"fern": "4.9", "moss": "5.2"})
    world.crawl()
    ahead = world.one(predicate="ahead", subject="fern", other="moss", board="b")
    leader = world.one(predicate="first", subject="moss", board="b")
    assert (ahead.verdict, leader.verdict, leader.answer["gap"]) == ("true", "false", 0.3)


def test_a_column_that_is_not_there_is_refused_with_those_that_are(garden):
    with pytest.raises(ClaimError, match="It has score, public, same, fresh"):
        garden.one(**claim("average_of", board="parts", columns=["pub"], value="1"))


def test_a_reconstruction_gives_reports(world):
    world.board("b", more="")
    file = world.store.board_file("b")
    file.write_text(file.read_text().replace("[source]", 'reconstruction = "from notes"\n[source]'))
    world.commit("2024-03-01T00:00:00Z", b={"fern": "1"})
    world.crawl()
    found = world.one(predicate="first", subject="fern", board="b")
    assert {e.label for e in found.evidence} == {"reported"}
    assert found.reconstruction == {"b": "from notes"}
