"""Faults that people met in pages of reigns, announcements and trackers, and the right answers.

A length is exact between two commits and has bounds between two looks; "on both" is at once, alone
or ever; equal is as stored or as shown; a per cent is no point; and a move has its causes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest

from tests.claims.conftest import World
from tests.claims.test_polled import Looks

MakeWorld = Callable[[str], World]


def led(subject: str, *boards: str, **more: Any) -> dict[str, Any]:
    return {"predicate": "first", "subject": subject, "boards": list(boards), **more}


# --- how long --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def handed_on(make_world: MakeWorld) -> World:
    """Fern leads for 26 h; moss for 5 h; fern for 40 min; moss from then on."""
    world = make_world("handed on")
    world.board("b")
    for at, fern, moss in (
        ("2024-05-03T07:00:00Z", 50, 49),
        ("2024-05-04T09:00:00Z", 50, 51),
        ("2024-05-04T14:00:00Z", 52, 51),
        ("2024-05-04T14:40:00Z", 52, 53),
    ):
        world.commit(at, b={"fern": fern, "moss": moss})
    world.crawl("2024-05-05T00:00:00Z")
    return world


@pytest.mark.parametrize(
    ("length", "verdict", "seconds"),
    [
        pytest.param("27 hours", "true", 96000, id="26 h 40 min are 27 hours"),
        pytest.param("26 hours", "false", 96000, id="and not 26"),
        pytest.param("26 hours in a row", "true", 93600, id="the longest stretch"),
        pytest.param("more than 26 hours in a row", "false", 93600, id="is exactly that"),
        pytest.param("27 hours in a row", "false", 93600, id="and no hour more"),
        pytest.param("1 day", "false", 96000, id="a day and 2 h 40 min are no day"),
        pytest.param("at least 1 day", "true", 96000, id="but they are at least one"),
        pytest.param("less than 2 days", "true", 96000, id="and less than two"),
    ],
)
def test_a_length_is_exact(handed_on, length, verdict, seconds):
    found = handed_on.say(f"fern was first on b for {length}")
    assert (found.verdict, found.answer["seconds"]) == (verdict, seconds)
    assert {(one.path, one.field) for one in found.evidence} == {("b.csv", "score")}


def test_total_longest_and_latest_are_three_lengths(handed_on):
    reigns = [one for one in handed_on.open("b").reigns() if one.entries == ("fern",)]
    in_all = handed_on.say("fern was first on b for 27 hours").answer
    assert [one.seconds for one in reigns] == [93600, 2400]
    assert (in_all["seconds"], in_all["longest"]) == (96000, 93600)


def test_a_reign_of_one_version_lasts_to_the_next(handed_on):
    latest = handed_on.say("fern was first on b from 2024-05-04T12:00Z to 2024-05-05T00:00Z")
    (stretch,) = latest.intervals
    assert (stretch.start.isoformat(), stretch.until.isoformat()) == (
        "2024-05-04T14:00:00+00:00",
        "2024-05-04T14:40:00+00:00",
    )
    days = [date(2024, 5, 3) + timedelta(days=n) for n in range(2)]
    held = [handed_on.say(f"moss was first on b on {day}").verdict for day in days]
    # Of the morning before the first version nobody knows.
    assert held == ["not_decidable", "false_then_true"]


def test_looks_give_bounds_and_the_upper_one_is_never_reached(world):
    lead, lag = {"fern": 9, "moss": 8}, {"fern": 7, "moss": 8}
    looks = Looks(world)
    looks.at(
        ("2024-05-03T00:00:00+00:00", lag),
        ("2024-05-03T04:00:00+00:00", lead),
        ("2024-05-03T06:00:00+00:00", lead | {"oak": 1}),
        ("2024-05-03T13:00:00+00:00", lag),
    )
    verdicts = [
        world.say(f"fern was first on b for {length}").verdict
        for length in ("at least 2 hours", "7 hours", "more than 13 hours", "at least 13 hours")
    ]
    # It began after the look that still saw moss: 13 hours would be a moment too much.
    assert verdicts == ["true", "not_decidable", "false", "false"]
    lost = world.say("moss was first on b from 2024-05-03T00:00Z to 2024-05-03T04:00Z")
    assert lost.verdict == "true_then_false"


# --- on both ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both(make_world: MakeWorld) -> World:
    """Fern leads alone on x on 3 and 4 May, shares y from 4 May 09:00, has it alone from 6 May."""
    world = make_world("both")
    world.board("x")
    world.board("y")
    world.commit("2024-05-03T00:00:00Z", x={"fern": 5, "moss": 4}, y={"oak": 5, "fern": 4})
    world.commit("2024-05-04T09:00:00Z", y={"oak": 5, "fern": 5})
    world.commit("2024-05-05T00:00:00Z", x={"fern": 5, "moss": 6})
    world.commit("2024-05-06T00:00:00Z", y={"oak": 5, "fern": 6})
    world.crawl("2024-05-07T00:00:00Z")
    return world


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        pytest.param("fern was ever #1 on x and y", "true", id="at the same time"),
        pytest.param("fern was ever sole #1 on x and y", "false", id="alone at the same time"),
        pytest.param("fern is #1 on x and y", "false", id="now"),
        pytest.param("fern was first on x and y for 15 hours", "true", id="for so long"),
        pytest.param("fern was first on x and y for 16 hours", "false", id="and no longer"),
    ],
)
def test_on_both(both, sentence, verdict):
    found = both.say(sentence)
    assert found.verdict == verdict
    assert {one.board for one in found.evidence} == {"x", "y"}


def test_on_both_but_not_at_one_time(both):
    alone = [led("fern", name, sole=True, when={"ever": ["", ""]}) for name in ("x", "y")]
    assert both.one(predicate="all_of", claims=alone).verdict == "true"
    same = both.one(**led("fern", "x", "y", sole=True, when={"ever": ["", ""]}))
    assert same.verdict == "false"


def test_at_the_same_time_names_the_stretch_and_who_shares(both):
    found = both.say("fern was ever #1 on x and y")
    (stretch,) = found.intervals
    assert (stretch.start.day, stretch.start.hour, stretch.until.day) == (4, 9, 5)
    assert found.notes == ("y: shares its place with oak",)


def test_now_says_on_which_board_it_fails(both):
    assert "moss led with 6" in both.say("fern is #1 on x and y").sentence


# --- what is equal ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def digits(make_world: MakeWorld) -> World:
    """One file, ranked by its digits and by the single decimal that a page shows."""
    world = make_world("digits")
    equal = '[ties]\nrule = "anchored"\nband = 0\n'
    world.board("stored", "b.csv", f"\n{equal}")
    world.board("shown", "b.csv", f'decimals = 1\nrounding = "half up"\n{equal}')
    world.commit(
        "2024-05-03T00:00:00Z", b={"fern": "61.40", "moss": 61.4, "oak": 61.36, "ash": 61.34}
    )
    world.crawl()
    return world


@pytest.mark.parametrize(
    ("board", "verdicts", "places"),
    [
        pytest.param("stored", ["true", "false", "false"], [1, 1, 3, 4], id="as stored"),
        pytest.param("shown", ["true", "true", "false"], [1, 1, 1, 4], id="as shown"),
    ],
)
def test_tied_depends_on_the_digits(digits, board, verdicts, places):
    pairs = (("fern", "moss"), ("fern", "oak"), ("oak", "ash"))
    found = [digits.say(f"{one} is tied with {other} on {board}") for one, other in pairs]
    assert [one.verdict for one in found] == verdicts
    frame = digits.open(board).standings().frame.set_index("entry")
    assert frame["rank"][["fern", "moss", "oak", "ash"]].tolist() == places


def test_a_tie_by_shown_digits_says_so(digits):
    shown = digits.say("fern is tied with oak on shown").sentence
    assert "had the same score on shown (61.40 and 61.36, at 1 decimal, band 0" in shown
    assert "decimal" not in digits.say("fern is tied with moss on stored").sentence


# --- how much --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(make_world: MakeWorld) -> World:
    """Fern stopped after 50 of 80 cases; moss and oak ran all of them."""
    world = make_world("runs")
    parts = '[table.parts]\npassed = "passed"\ndone = "done"\ntotal = "total"\n'
    splits = (
        '[splits]\nof_all = "100*passed/total"\nfailed = "done - passed"\n'
        'at_best = "100*(passed + total - done)/total"\n'
    )
    world.board("b", more=f'eligible = "done == total"\n{parts}{splits}', score="rate")
    table = (
        "model,passed,done,total,rate\nfern,40,50,80,80.0\nmoss,60,80,80,75.0\noak,50,80,80,62.5\n"
    )
    world.commit("2024-05-03T00:00:00Z", **{"b.csv": table})
    world.crawl()
    return world


def test_an_incomplete_run_has_a_number_and_no_place(runs):
    first, scored = runs.say("fern is #1 on b"), runs.say("fern scores 80.0 on b")
    assert (first.verdict, scored.verdict) == ("false", "true")
    assert "without a rank (ineligible)" in first.sentence
    together = runs.one(
        predicate="all_of",
        claims=[
            led("fern", "b"),
            {"predicate": "score", "subject": "fern", "value": "80.0", "board": "b"},
        ],
    )
    assert together.verdict == "false"
    assert runs.say("moss is #1 on b").verdict == "true"


@pytest.mark.parametrize(
    ("split", "value"),
    [
        pytest.param("of_all", "50.0", id="what is missing failed"),
        pytest.param("at_best", "87.5", id="what is missing passed"),
    ],
)
def test_bounds_of_an_incomplete_run(runs, split, value):
    said = {"predicate": "score", "subject": "fern", "value": value, "split": split}
    assert runs.one(board="b", **said).verdict == "true"


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        pytest.param("moss is +12.5 over oak on b", "true", id="points"),
        pytest.param("moss is +20 over oak on b", "false", id="a per cent is no point"),
        pytest.param("moss is +10 over oak on the passed split of b", "true", id="cases solved"),
        pytest.param("moss is +10 over oak on the failed split of b", "false", id="the other way"),
    ],
)
def test_points_and_cases(runs, sentence, verdict):
    assert runs.say(sentence).verdict == verdict


@pytest.mark.parametrize(
    ("above", "below", "value", "verdict", "measured"),
    [
        pytest.param("100*(60-50)", "50", "20", "true", Fraction(20), id="per cent more"),
        pytest.param(
            "100*(60-50)", "50", "12.5", "false", Fraction(20), id="a point is no per cent"
        ),
        pytest.param("30-20", "30", "a third", "true", Fraction(1, 3), id="a third fewer failures"),
        pytest.param("30-20", "30", "a half", "false", Fraction(1, 3), id="not a half"),
        pytest.param("30-20", "20", "half", "true", Fraction(1, 2), id="of the other it is half"),
    ],
)
def test_ratios_of_counts(runs, above, below, value, verdict, measured):
    found = runs.one(
        predicate="ratio",
        subject={"formula": above, "exact": True},
        other={"value": below, "exact": True},
        value=value,
    )
    assert (found.verdict, found.answer["measured"]) == (verdict, float(measured))
    assert [(one.text, one.label) for one in found.evidence] == [
        (above, "reasoned"),
        (below, "reported"),
    ]


# --- up or down ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def climbers(make_world: MakeWorld) -> World:
    """Oak leaves from the top; fern passes elm, yew and ash; moss does nothing."""
    world = make_world("climbers")
    world.board("b")
    rest = {"moss": 18, "ash": 16, "yew": 14, "elm": 12}
    world.commit("2024-05-03T00:00:00Z", b={"oak": 20, **rest, "fern": 10})
    world.commit("2024-05-04T00:00:00Z", b={**rest, "fern": 17})
    world.crawl()
    return world


@pytest.mark.parametrize(
    ("entry", "before", "after", "verdict"),
    [
        pytest.param("fern", 6, 2, "true", id="four places up"),
        pytest.param("fern", 2, 6, "false", id="and not down"),
        pytest.param("moss", 2, 1, "true", id="to first without a change of its own"),
    ],
)
def test_a_climb_is_two_places_at_two_commits(climbers, entry, before, after, verdict):
    places = [
        {"predicate": "rank", "subject": entry, "board": "b", "n": n, "when": {"at": commit}}
        for n, commit in zip((before, after), climbers.commits, strict=True)
    ]
    found = climbers.one(predicate="all_of", claims=places)
    assert found.verdict == verdict
    assert {one.commit for one in found.evidence} == set(climbers.commits)


@pytest.mark.parametrize(
    ("entry", "own", "left", "same_score"),
    [
        pytest.param("fern", -3, -1, False, id="three by its score, one by who left"),
        pytest.param("moss", 0, -1, True, id="none by its score"),
    ],
)
def test_a_climb_has_causes(climbers, entry, own, left, same_score):
    moves = climbers.open("b").moves().between(0, 1).moves
    move = next(one for one in moves if one.entry == entry)
    assert (move.causes["own"], move.causes["left"]) == (own, left)
    assert move.same_score is same_score
