"""At which moments is a claim judged, for how long did it hold, and what stands in the way?"""

from __future__ import annotations

from typing import Any

import pytest

from history.claims.verdict import Verdict
from history.moments import MomentError
from tests.claims.conftest import CONFLICT, World, claim


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


def test_an_edition_means_its_last_version(garden):
    old = garden.one(**claim("score", board="parts", value="81.62", edition="0.3"))
    none = garden.one(**claim("score", board="parts", value="81.62", edition="0.9"))
    assert (old.verdict, old.evidence[0].commit) == ("true", garden.commits[0])
    assert (none.verdict, none.code) == ("not_decidable", "OTHER_EDITION")


def test_a_history_that_cannot_be_read_decides_nothing(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b=CONFLICT)
    world.crawl()
    found = world.one(predicate="count", what="ranked", n=0, board="b")
    assert (found.verdict, found.code) == ("not_decidable", "NO_VERSION_READABLE")
    assert [(e.commit, e.text) for e in found.evidence] == [(world.commits[0], None)]


def test_of_versions_at_one_instant_the_later_one_holds(world):
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": "2", "moss": "1"})
    world.commit("2024-03-02T00:00:00Z", b={"fern": "2", "moss": "3"})
    world.commit("2024-03-02T00:00:00Z", b={"fern": "4", "moss": "3"})
    world.crawl()
    over = world.one(predicate="first", subject="fern", board="b", when={"over": ["", ""]})
    there = world.one(predicate="first", subject="fern", board="b", when={"at": world.commits[1]})
    assert (over.verdict, len(over.intervals), there.verdict) == ("true", 1, "false")
