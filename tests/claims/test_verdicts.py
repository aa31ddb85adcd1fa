"""Verdicts on one board: every predicate, every `when`, every reason why there is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from history.claims.claim import ClaimError
from history.claims.verdict import Verdict
from history.moments import MomentError
from history.pipeline import UnknownEntry
from tests.claims.conftest import World

CONFLICT = "model,score\n<<<<<<< HEAD\nfern,1\n=======\nfern,2\n>>>>>>> x\n"


@pytest.fixture(scope="module")
def garden(make_world: Callable[[str], World]) -> World:
    """A board that lives through everything, and small ones for single questions."""
    world = make_world("garden")
    world.board("plain")
    for rule in ("anchored", "chain", "pairwise"):
        more = f'\n[ties]\nrule = "{rule}"\nband = 0.6\n'
        world.board(rule, "bands.csv", more)
    world.board("bare", "bands.csv")
    world.board(
        "parts",
        "parts.json",
        '\n[table.parts]\npublic = "pub"\nsame = "same"\nfresh = "fresh"\n'
        '[splits]\nprivate = "0.6*same + 0.4*fresh"\n[edition]\nlabel = "$.label"\n',
    )
    bands = {"oak": "10.0", "fern": "9.5", "moss": "9.0", "ash": "7.4", "elm": "7.4"}
    world.commit(
        "2024-03-01T00:00:00Z",
        plain={"fern": "80", "moss": "79"},
        bands=bands,
        **{"parts.json": _parts("0.3", fern="81.62", moss="75.45")},
    )
    world.commit("2024-03-02T12:00:00Z", plain={"fern": "80", "moss": "81", "oak": "70"})
    world.commit(
        "2024-03-03T00:00:00Z",
        plain={"fern": "82.5", "moss": "81"},
        **{"parts.json": _parts("0.4", fern="84.00", moss="75.45")},
    )
    world.commit("2024-03-04T00:00:00Z", plain=CONFLICT)
    world.commit("2024-03-05T00:00:00Z", plain={"fern": "82.5", "moss": "83"})
    world.commit("2024-03-06T00:00:00Z", plain=None)
    world.commit("2024-03-07T00:00:00Z", plain={"fern": "84", "moss": "83", "ash": None})
    world.crawl("2024-03-10T00:00:00Z")
    return world


def _parts(label: str, **publics: str) -> str:
    rows = ",".join(
        f'{{"model": "{entry}", "score": {public}, "pub": {public}, "same": 60.5, "fresh": 50.25}}'
        for entry, public in publics.items()
    )
    return f'{{"label": "{label}", "models": [{rows}]}}'


def first(world: World, when: dict[str, Any], subject: str = "fern") -> Verdict:
    return world.one(predicate="first", subject=subject, board="plain", when=when)


def lasted(verdict: Verdict) -> list[tuple[str, str | None]]:
    """Intervals as days and hours."""
    return [
        (f"{i.start:%dT%H}", None if i.until is None else f"{i.until:%dT%H}")
        for i in verdict.intervals
    ]


@pytest.mark.parametrize(
    ("when", "verdict", "code"),
    [
        pytest.param({"latest": True}, "true", None, id="at the last look"),
        pytest.param({"as_of": "2024-03-01T12:00:00Z"}, "true", None, id="before it was passed"),
        pytest.param(
            {"as_of": "2024-03-02T12:00:00Z"}, "false", None, id="the new version holds at once"
        ),
        pytest.param(
            {"as_of": "2024-03-02T11:59:59Z"}, "true", None, id="a second earlier the old one"
        ),
        pytest.param({"as_of": "2024-03-03"}, "true", None, id="a date is that day's end"),
        pytest.param(
            {"as_of": "2024-02-01"}, "not_decidable", "BEFORE_FIRST_SNAPSHOT", id="before the first"
        ),
        pytest.param(
            {"as_of": "2024-04-01"}, "not_decidable", "CENSORED", id="after the last look"
        ),
        pytest.param(
            {"as_of": "2024-03-04"}, "not_decidable", "UNREADABLE_VERSION", id="a broken file"
        ),
        pytest.param({"as_of": "2024-03-06"}, "not_decidable", "BOARD_ABSENT", id="no file"),
        pytest.param({"on": "2024-03-01"}, "true", None, id="all of a day"),
        pytest.param({"on": "2024-03-02"}, "true_then_false", None, id="passed during the day"),
        pytest.param({"on": "2024-03-05"}, "false", None, id="all of a day behind"),
        pytest.param(
            {"on": "2024-03-04"}, "not_decidable", "UNREADABLE_VERSION", id="a day in the dark"
        ),
        pytest.param(
            {"on": "2024-03-06"}, "not_decidable", "BOARD_ABSENT", id="a day without the file"
        ),
        pytest.param(
            {"on": "2024-02-01"}, "not_decidable", "BEFORE_FIRST_SNAPSHOT", id="a day too early"
        ),
        pytest.param(
            {"on": "2024-03-10"}, "not_decidable", "CENSORED", id="a day that is not over"
        ),
        pytest.param({"ever": ["", ""]}, "true", None, id="ever"),
        pytest.param(
            {"ever": ["2024-03-05", "2024-03-05"]}, "false", None, id="not ever, all known"
        ),
        pytest.param(
            {"ever": ["2024-03-04", "2024-03-05"]},
            "not_decidable",
            "UNREADABLE_VERSION",
            id="ever, unless then",
        ),
        pytest.param({"ever": ["", "2024-04-01"]}, "true", None, id="one example is enough"),
        pytest.param(
            {"over": ["0001-01-01", "9999-12-31"]},
            "not_decidable",
            "CENSORED",
            id="all years",
        ),
        pytest.param({"always": ["", ""]}, "false", None, id="one counterexample is enough"),
        pytest.param({"always": ["2024-03-07", ""]}, "true", None, id="always since"),
        pytest.param(
            {"always": ["2024-03-03", "2024-03-04"]},
            "not_decidable",
            "UNREADABLE_VERSION",
            id="always, unless then",
        ),
        pytest.param(
            {"always": ["2024-02-01", "2024-03-01"]},
            "not_decidable",
            "BEFORE_FIRST_SNAPSHOT",
            id="always, as far as known",
        ),
        pytest.param({"over": ["", "2024-03-01"]}, "true", None, id="throughout"),
        pytest.param(
            {"over": ["", "2024-03-02"]},
            "true_then_false",
            None,
            id="held, and does not at the end",
        ),
        pytest.param(
            {"over": ["", "2024-03-03"]}, "false_then_true", None, id="failed, and holds at the end"
        ),
        pytest.param({"over": ["", ""]}, "false_then_true", None, id="however often it changed"),
        pytest.param({"over": ["2024-03-05", "2024-03-05"]}, "false", None, id="never"),
        pytest.param(
            {"over": ["2024-03-07", "2024-04-01"]},
            "not_decidable",
            "CENSORED",
            id="an end not seen",
        ),
        pytest.param(
            {"over": ["2024-03-03", "2024-03-04"]},
            "not_decidable",
            "UNREADABLE_VERSION",
            id="an end in the dark",
        ),
    ],
)
def test_first_at_every_when(garden, when, verdict, code):
    found = first(garden, when)
    assert (found.verdict, found.code) == (verdict, code)
    assert (found.would_decide is not None) == (verdict == "not_decidable")


@pytest.mark.parametrize(
    ("when", "said"),
    [
        pytest.param(
            {"over": ["2024-03-03", "2024-04-01"]},
            "plain: known from 1 Mar 00:00 to 10 Mar 2024 00:00 UTC.",
            id="an end not seen, also after a stretch in the dark",
        ),
        pytest.param(
            {"always": ["2024-02-01", "2024-03-01"]},
            "plain: known from 1 Mar 00:00 to 10 Mar 2024 00:00 UTC.",
            id="a beginning not seen",
        ),
        pytest.param(
            {"on": "2024-03-04"},
            "On 4 Mar 2024 the file of plain could not be read (conflict_markers).",
            id="a day in the dark",
        ),
        pytest.param({"on": "2024-03-06"}, "On 6 Mar 2024 plain had no file.", id="no file"),
    ],
)
def test_what_stands_in_the_way_is_said(garden, when, said):
    assert first(garden, when).sentence.startswith(f"Not decidable. {said} Last look: ")


@pytest.mark.parametrize(
    ("n", "verdict"), [(0, "true"), (1, "false"), (2, "true"), (4, "false"), (6, "true")]
)
def test_at_a_commit_its_own_version_answers(garden, n, verdict):
    assert first(garden, {"at": garden.commits[n][:8]}).verdict == verdict


def test_a_commit_that_no_board_of_the_claim_has_is_a_slip(garden):
    with pytest.raises(MomentError):
        first(garden, {"at": "0123456789"})


def test_intervals_are_whole_and_run_on_across_the_dark(garden):
    every = [("01T00", "02T12"), ("03T00", "05T00"), ("07T00", None)]
    assert lasted(first(garden, {"over": ["", ""]})) == every
    assert lasted(first(garden, {"on": "2024-03-02"})) == every[:1]
    assert lasted(first(garden, {"latest": True})) == every
    commits = garden.commits
    ends = [(i.from_commit, i.until_commit) for i in first(garden, {"over": ["", ""]}).intervals]
    assert ends == [(commits[0], commits[1]), (commits[2], commits[4]), (commits[6], None)]


def claim(
    predicate: str, subject: str | None = "fern", board: str = "plain", **more: Any
) -> dict[str, Any]:
    given = {"predicate": predicate, "board": board, **more}
    return given if subject is None else {"subject": subject, **given}


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


def test_an_edition_means_its_last_version(garden):
    old = garden.one(**claim("score", board="parts", value="81.62", edition="0.3"))
    none = garden.one(**claim("score", board="parts", value="81.62", edition="0.9"))
    assert (old.verdict, old.evidence[0].commit) == ("true", garden.commits[0])
    assert (none.verdict, none.code) == ("not_decidable", "OTHER_EDITION")


def test_an_ambiguous_name_is_not_decided(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"Fern": "1", "FERN": "2", "moss": "3"})
    world.crawl()
    found = world.one(predicate="first", subject="fern", board="b")
    assert (found.verdict, found.code) == ("not_decidable", "AMBIGUOUS_ENTITY")


def test_a_history_that_cannot_be_read_decides_nothing(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b=CONFLICT)
    world.crawl()
    found = world.one(predicate="count", what="ranked", n=0, board="b")
    assert (found.verdict, found.code) == ("not_decidable", "NO_VERSION_READABLE")
    assert [(e.commit, e.text) for e in found.evidence] == [(world.commits[0], None)]


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


def test_of_versions_at_one_instant_the_later_one_holds(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": "2", "moss": "1"})
    world.commit("2024-03-02T00:00:00Z", b={"fern": "2", "moss": "3"})
    world.commit("2024-03-02T00:00:00Z", b={"fern": "4", "moss": "3"})
    world.crawl()
    over = world.one(predicate="first", subject="fern", board="b", when={"over": ["", ""]})
    there = world.one(predicate="first", subject="fern", board="b", when={"at": world.commits[1]})
    assert (over.verdict, len(over.intervals), there.verdict) == ("true", 1, "false")


def test_a_sentence_about_a_stranger_is_refused_with_the_nearest_name(garden):
    with pytest.raises(UnknownEntry, match="fern"):
        garden.say("fernn is first on plain")


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


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        pytest.param(
            claim("first", when={"as_of": "2024-02-01"}),
            "Not decidable. plain is known from 1 Mar 2024 00:00 UTC on, not at the end of 1 Feb 2024 (UTC).",
            id="too early",
        ),
        pytest.param(
            claim("score", value="84", when={"as_of": "2024-03-04"}),
            "Not decidable. At the end of 4 Mar 2024 (UTC) the file of plain could not be read "
            "(conflict_markers).",
            id="in the dark",
        ),
        pytest.param(
            claim("score", "rowan", value="84"),
            "Not decidable. plain never listed rowan.",
            id="a stranger",
        ),
        pytest.param(
            claim("score", value="84"),
            "True. At the last look fern had 84 on plain.",
            id="a number",
        ),
        pytest.param(
            claim("ahead", other="moss", when={"on": "2024-03-05"}),
            "False. fern was never ahead of moss on plain on 5 Mar 2024; on 5 Mar 2024 00:00 UTC fern was "
            "0.5 behind moss on plain (82.5 and 83).",
            id="a day",
        ),
    ],
)
def test_sentences(garden, given, sentence):
    found = garden.one(**given).sentence
    assert found.startswith(sentence)
    assert found.endswith(" Last look: 10 Mar 2024 00:00 UTC, 227 days 12 h ago.")


def test_a_sentence_says_names_as_they_were_then(world):
    world.board("b", "b.json")
    file = world.store.board_file("b")
    file.write_text(file.read_text().replace('entry = "model"', 'entry = "model"\nname = "name"'))
    for day, name in ((1, "Fern one"), (2, "Fern two")):
        rows = [{"model": "fern", "name": name, "score": 2}, {"model": "moss", "score": 1}]
        world.commit(f"2024-03-0{day}T00:00:00Z", **{"b.json": json.dumps({"models": rows})})
    world.crawl()
    given = {"predicate": "first", "subject": "fern", "board": "b"}
    said = [world.one(**given, when={"as_of": f"2024-03-0{day}"}).sentence for day in (1, 2)]
    assert ["Fern one" in said[0], "Fern two" in said[1]] == [True, True]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        pytest.param(
            "FERN scores 80 on Plain on 1 March 2024",
            "True. On 1 Mar 2024, throughout, fern had 80 on plain.",
            id="of one version it is said once",
        ),
        pytest.param(
            "fern was first on plain from 2024-03-03 to 2024-03-03",
            "True. On 3 Mar 2024, throughout, fern was first of 2 on plain (82.5, 1.5 ahead of moss).",
            id="also of a place",
        ),
        pytest.param(
            "Fern was ahead of MOSS on PLAIN from 2024-03-07 to 2024-03-09",
            "True. From 7 Mar 00:00 to 9 Mar 2024 23:59 UTC, throughout, fern was 1 ahead of moss "
            "on plain (84 and 83).",
            id="names as the board writes them",
        ),
        pytest.param(
            "ash is tied with Elm on Bare",
            "True. At the last look ash and elm had the same score on bare (7.4 and 7.4). It was "
            "tied with elm on bare from 1 Mar 2024 00:00 UTC up to the last look (9 days).",
            id="equal scores are the same",
        ),
        pytest.param(
            "fern is first on plain as of 2024-03-03",
            "True. At the end of 3 Mar 2024 (UTC) fern was first of 2 on plain (82.5, 1.5 ahead of "
            "moss). It was first on plain from 3 Mar 00:00 to 5 Mar 2024 00:00 UTC (48 h, 24 h of "
            "it not known), lost to moss, which was re-scored.",
            id="what is not known inside a stretch",
        ),
    ],
)
def test_each_thing_is_said_once_and_by_the_boards_own_names(garden, said, sentence):
    assert garden.say(said).sentence.startswith(sentence)


def test_names_that_begin_with_what_was_said_are_the_nearest(world):
    world.board("b")
    names = ["gp-5", "gpt-50", *(f"gpt-5 ({effort})" for effort in ("high", "low", "medium"))]
    world.commit("2024-03-01T00:00:00Z", b=dict.fromkeys([*names, "fern", "moss"], 1))
    world.crawl()
    with pytest.raises(UnknownEntry) as caught:
        world.say("GPT-5 is first on b")
    assert str(caught.value) == (
        'b: no entry "GPT-5". Nearest: gpt-5 (high), gpt-5 (low), gpt-5 (medium), gpt-50, gp-5.'
    )


def test_a_place_lost_with_a_new_definition_says_so(world):
    more = '[[since]]\ndate = 2024-03-02\ntable.score = "wet"\n'
    world.board("b", more=f"\n{more}")
    for day in (1, 2):
        table = f"model,score,wet\nfern,8{day},2\nmoss,70,3\n"
        world.commit(f"2024-03-0{day}T00:00:00Z", **{"b.csv": table})
    world.crawl()
    found = world.say("fern was ever first on b")
    assert "lost to moss, which was re-scored, with a new definition." in found.sentence
