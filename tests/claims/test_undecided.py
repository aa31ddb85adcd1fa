"""What nobody can know, at a moment and through a stretch of time: one rule for both."""

from __future__ import annotations

import json
from typing import Any

import pytest

from history.claims.answer import WOULD_DECIDE
from history.names import UnknownEntry
from tests.claims.conftest import World


@pytest.fixture(scope="module")
def rounded(make_world) -> World:
    """fern is printed as 81.52, then 81.5, then 81.52, then 60.0 and 81.5."""
    world = make_world("rounded")
    world.board("b")
    for day, score in enumerate(("81.52", "81.5", "81.52", "60.0", "81.5"), start=1):
        world.commit(f"2024-03-0{day}T00:00:00Z", b={"fern": score})
    world.crawl("2024-03-06T00:00:00Z")
    return world


@pytest.mark.parametrize(
    ("when", "verdict", "code"),
    [
        pytest.param({"as_of": "2024-03-02"}, "within_rounding", None, id="a moment"),
        pytest.param({"on": "2024-03-02"}, "within_rounding", None, id="a day of one version"),
        pytest.param(
            {"over": ["2024-03-01", "2024-03-02"]},
            "not_decidable",
            "WITHIN_ROUNDING",
            id="a stretch that ends on it",
        ),
        pytest.param(
            {"over": ["2024-03-01", "2024-03-03"]},
            "not_decidable",
            "WITHIN_ROUNDING",
            id="a stretch that crosses it held throughout or not",
        ),
        pytest.param(
            {"always": ["2024-03-01", "2024-03-03"]},
            "not_decidable",
            "WITHIN_ROUNDING",
            id="always, but for rounding",
        ),
        pytest.param({"always": ["", ""]}, "false", None, id="a counterexample outweighs it"),
        pytest.param(
            {"ever": ["2024-03-04", "2024-03-05"]},
            "not_decidable",
            "WITHIN_ROUNDING",
            id="ever, if rounding says so",
        ),
        pytest.param({"ever": ["", ""]}, "true", None, id="an example outweighs it"),
        pytest.param(
            {"over": ["2024-03-03", "2024-03-04"]}, "true_then_false", None, id="none of it inside"
        ),
    ],
)
def test_rounding_leaves_open_what_it_could_change(rounded, when, verdict, code):
    found = rounded.one(predicate="score", subject="fern", value="81.52", board="b", when=when)
    assert (found.verdict, found.code) == (verdict, code)
    assert found.would_decide == (None if code is None else WOULD_DECIDE[code])
    if verdict in ("not_decidable", "within_rounding"):
        assert "throughout" not in found.sentence
        assert found.strength is None


def test_a_number_that_only_rounding_could_save_ends_a_stretch(rounded):
    found = rounded.one(predicate="score", subject="fern", value="81.52", board="b")
    days = [(i.start.day, None if i.until is None else i.until.day) for i in found.intervals]
    assert days == [(1, 2), (3, 4)]


@pytest.fixture(scope="module")
def gone(make_world) -> World:
    """fern leads on 1 March, there is no file on 2 March, and it leads again on 3 March; no file since."""
    world = make_world("gone")
    world.board("b")
    world.commit("2024-03-01T00:00:00Z", b={"fern": 80, "moss": 70})
    world.commit("2024-03-02T00:00:00Z", b=None)
    world.commit("2024-03-03T00:00:00Z", b={"fern": 81, "moss": 70})
    world.commit("2024-03-04T00:00:00Z", b=None)
    world.crawl("2024-03-05T00:00:00Z")
    return world


FIRST = {"predicate": "first", "subject": "fern", "board": "b"}
SECOND = {"predicate": "rank", "subject": "fern", "n": 2, "board": "b"}
SCORE = {"predicate": "score", "subject": "fern", "value": "80", "board": "b"}
ABSENT = ("not_decidable", "BOARD_ABSENT")


@pytest.mark.parametrize(
    ("claim", "when", "expected"),
    [
        pytest.param(FIRST, {"latest": True}, ABSENT, id="a moment without a file"),
        pytest.param(SCORE, {"latest": True}, ABSENT, id="also for a score"),
        pytest.param(FIRST, {"on": "2024-03-02"}, ABSENT, id="a day without a file"),
        pytest.param(FIRST, {"over": ["", ""]}, ABSENT, id="a stretch that ends without one"),
        pytest.param(SCORE, {"over": ["", ""]}, ABSENT, id="a score, and it ends without one"),
        pytest.param(
            FIRST,
            {"over": ["", "2024-03-03"]},
            ABSENT,
            id="it held before and after, perhaps not then",
        ),
        pytest.param(FIRST, {"always": ["", ""]}, ABSENT, id="always, as far as there was a file"),
        pytest.param(
            SECOND, {"always": ["", ""]}, ("false", None), id="a counterexample is enough"
        ),
        pytest.param(FIRST, {"ever": ["", ""]}, ("true", None), id="an example is enough"),
        pytest.param(SECOND, {"ever": ["", ""]}, ABSENT, id="never, as far as there was a file"),
        pytest.param(FIRST, {"over": ["", "2024-03-01"]}, ("true", None), id="not inside"),
    ],
)
def test_while_there_is_no_file_nothing_is_decided(gone, claim, when, expected):
    found = gone.one(**claim, when=when)
    assert (found.verdict, found.code) == expected


def test_what_held_ends_where_the_file_goes(gone):
    found = gone.one(**FIRST, when={"ever": ["", ""]})
    assert [(i.start.day, i.until.day if i.until else None) for i in found.intervals] == [
        (1, 2),
        (3, 4),
    ]
    lasted = gone.one(predicate="duration", state=FIRST, value="2", unit="days")
    assert (lasted.verdict, lasted.answer["seconds_high"]) == ("true", 2 * 86400 + 2)
    assert (
        gone.one(predicate="duration", state=FIRST, value="1", unit="hour", span="current").answer[
            "seconds"
        ]
        == 0
    )


@pytest.fixture(scope="module")
def editions(make_world) -> World:
    """Edition 0.3 on 1 March, where fern leads; 0.4 since 2 March, where it does not."""
    world = make_world("editions")
    world.board("b", "b.json", '\n[edition]\nlabel = "$.label"\n')
    for day, label, fern in ((1, "0.3", 81), (2, "0.4", 60)):
        rows = [{"model": "fern", "score": fern}, {"model": "moss", "score": 70}]
        content = json.dumps({"label": label, "models": rows})
        world.commit(f"2024-03-0{day}T00:00:00Z", **{"b.json": content})
    world.crawl("2024-03-05T00:00:00Z")
    return world


def of(edition: str, when: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**FIRST, "edition": edition, "when": when, **more}


@pytest.mark.parametrize(
    ("given", "verdict", "code"),
    [
        pytest.param(of("0.3", {"latest": True}), "true", None, id="its last version answers"),
        pytest.param(of("0.3", {"as_of": "2024-03-04"}), "true", None, id="at any later moment"),
        pytest.param(of("0.4", {"latest": True}), "false", None, id="the edition of that moment"),
        pytest.param(
            of("0.4", {"as_of": "2024-03-01"}),
            "not_decidable",
            "OTHER_EDITION",
            id="before it began",
        ),
        pytest.param(
            of("0.3", {"on": "2024-03-02"}),
            "not_decidable",
            "OTHER_EDITION",
            id="a day of another edition",
        ),
        pytest.param(of("0.3", {"over": ["", ""]}), "true", None, id="only its versions count"),
        pytest.param(
            of("0.3", {"over": ["", ""]}, predicate="rank", n=2), "false", None, id="and no others"
        ),
    ],
)
def test_an_edition_is_decided_by_its_own_versions(editions, given, verdict, code):
    found = editions.one(**given)
    assert (found.verdict, found.code) == (verdict, code)


def test_the_sentence_says_which_version_of_an_edition_decided(editions):
    found = editions.one(**of("0.3", {"latest": True}))
    assert found.sentence.startswith(
        "True. At the last look fern was first of 2 on b (81, 11 ahead of moss), in the last version "
        "of edition 0.3, of 1 Mar 2024 00:00 UTC. It was first on b from 1 Mar 00:00 to 2 Mar 2024 "
        "00:00 UTC (24 h), lost to moss with a new edition."
    )
    assert {one.commit for one in found.evidence} == {editions.commits[0]}


@pytest.mark.parametrize(
    ("when", "said"),
    [
        pytest.param(["", ""], False, id="other editions lie inside"),
        pytest.param(["", "2024-03-01"], True, id="nothing else inside"),
    ],
)
def test_throughout_is_said_only_where_nothing_is_silent(editions, when, said):
    found = editions.one(**of("0.3", {"over": when}))
    assert found.verdict == "true"
    assert ("throughout" in found.sentence) == said


@pytest.mark.parametrize(
    ("given", "code"),
    [
        pytest.param({"predicate": "score", "value": "1"}, "MISSING_COMPONENT", id="score"),
        pytest.param(
            {"predicate": "delta", "other": "fern", "value": "1"}, "MISSING_COMPONENT", id="delta"
        ),
        pytest.param(
            {"predicate": "score", "value": "1", "split": "mix"},
            "INCOMPLETE_RUN",
            id="a part short",
        ),
    ],
)
def test_who_is_listed_without_a_number_is_not_unlisted(world, given, code):
    world.board("b", more='\n[table.parts]\np = "p"\nq = "q"\n[splits]\nmix = "p + q"\n')
    world.commit("2024-03-01T00:00:00Z", **{"b.csv": "model,score,p,q\nfern,1,1,1\nash,,1,\n"})
    world.crawl()
    found = world.one(subject="ash", board="b", **given)
    assert (found.verdict, found.code) == ("not_decidable", code)
    assert found.notes[0].startswith("unranked: ")


def test_a_name_is_no_slip_where_nothing_could_be_read(world):
    """Nobody knows whom such a board lists."""
    world.board("b")
    world.board("other")
    world.commit(
        "2024-03-01T00:00:00Z",
        b={"fern": "0.712", "moss": "69.8", "oak": "0.703", "ash": "0.69"},
        other={"ivy": "1"},
    )
    world.crawl()
    found = world.say("moss is first on b")
    assert (found.verdict, found.code) == ("not_decidable", "NO_VERSION_READABLE")
    assert "the file of b could not be read (mixed_scale)" in found.sentence
    with pytest.raises(UnknownEntry, match='no entry "moss"'):
        world.say("moss is first on other")
