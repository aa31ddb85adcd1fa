"""Other weights: methods section 4, property 11 of section 10, and the edges."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from history.robustness.reweighting import (
    Move,
    epsilon,
    first_movement,
    first_shares,
    least_movement,
    margin,
    reweighting,
    share,
)
from tests.history.robustness.carbon import CARBON, GPT, OPUS, PRINTED, composite
from tests.history.robustness.tables import composites
from tests.reference import robustness as reference

FOUND = reweighting(composite())
RIVALS = {one.entry: one for one in FOUND.rivals}
EQUAL = (Fraction(1, 5),) * 5


def fractions(*texts: str) -> list[Fraction]:
    return [Fraction(text) for text in texts]


def test_gpt_against_carbon_x():
    d = composite().difference(composite().entries.index(GPT), composite().entries.index(CARBON))
    assert d == fractions("-3.9", "6.6", "3.6", "-6.5", "4.5")
    assert margin(d, EQUAL) == Fraction("0.86")
    rival = RIVALS[CARBON]
    assert rival.least_movement == Fraction("0.86") / Fraction("13.1")
    assert round(float(rival.least_movement), 4) == 0.0656
    assert rival.moves == (Move("non_snv", "next_base", rival.least_movement),)
    assert (round(float(rival.epsilon), 3), round(float(rival.share), 4)) == (0.117, 0.6628)


def test_who_can_be_first():
    """The linear programme: 0.066, 0.190, and no weighting for the four others."""
    moved = {one.entry: one.first_movement for one in FOUND.rivals}
    assert moved.pop(CARBON) == pytest.approx(0.0656, abs=5e-5)
    assert moved.pop(OPUS) == pytest.approx(0.190, abs=5e-4)
    assert list(moved.values()) == [None] * 4


def test_gpt_against_opus():
    assert round(float(RIVALS[OPUS].epsilon), 3) == 0.681
    assert round(float(RIVALS[OPUS].share), 3) == 0.956


def test_the_lead_as_a_whole():
    assert (FOUND.leader, FOUND.nearest) == ((GPT,), CARBON)
    assert FOUND.least_movement == RIVALS[CARBON].least_movement
    assert FOUND.epsilon == RIVALS[CARBON].epsilon


def test_who_is_first_in_how_many_weightings():
    """61.9, 33.8 and 4.4 %, each within four standard errors, which are below 0.0008."""
    assert (FOUND.draws, FOUND.seed) == (400_000, 20261022)
    assert [one.entry for one in FOUND.first_shares] == [GPT, CARBON, OPUS]
    for one, expected in zip(FOUND.first_shares, (0.619, 0.338, 0.044), strict=True):
        assert one.standard_error < 0.0008
        # The published shares have one decimal of a percent.
        assert one.share == pytest.approx(expected, abs=4 * one.standard_error + 0.0005)
    assert sum(one.share for one in FOUND.first_shares) == pytest.approx(1)


def test_the_same_seed_gives_the_same_shares():
    assert first_shares(composite(), 10_000, 1) == first_shares(composite(), 10_000, 1)
    assert first_shares(composite(), 10_000, 1) != first_shares(composite(), 10_000, 2)


@pytest.mark.parametrize(
    ("d", "total", "moves"),
    [
        pytest.param(("3", "-1"), Fraction(1, 4), 1, id="one move is enough"),
        pytest.param(("9", "9", "-1"), Fraction(17, 30), 2, id="the first part's weight is not"),
        pytest.param(("2", "0"), Fraction(1, 2), 1, id="level in one part: all weight goes there"),
        pytest.param(("2", "1"), None, 0, id="ahead in every part: never level"),
        pytest.param(("1", "-1"), Fraction(0), 0, id="level already"),
        pytest.param(("0", "0"), Fraction(0), 0, id="the same numbers"),
    ],
)
def test_least_movement(d, total, moves):
    weights = (Fraction(1, len(d)),) * len(d)
    found = least_movement(fractions(*d), weights)
    assert (None, 0) if found is None else (found[0], len(found[1])) == (total, moves)


@pytest.mark.parametrize(
    ("d", "expected"),
    [
        pytest.param(("1", "1"), Fraction(1), id="ahead everywhere"),
        pytest.param(("1", "0"), Fraction(1), id="level in one part"),
        pytest.param(("0", "0", "0"), Fraction(0), id="level everywhere is not ahead"),
        pytest.param(("-1", "-1", "-1"), Fraction(0), id="behind everywhere"),
        pytest.param(("1", "-1"), Fraction(1, 2), id="even"),
        pytest.param(("1", "1", "-1"), Fraction(3, 4), id="two equal leads"),
        pytest.param(("1", "-1", "-1"), Fraction(1, 4), id="two equal lags"),
        pytest.param(("1", "0", "0", "-1"), Fraction(1, 2), id="equal zeros"),
    ],
)
def test_share_of_equal_leads(d, expected):
    assert share(fractions(*d)) == expected


leads = st.lists(st.integers(-8, 8), min_size=2, max_size=6)


@settings(max_examples=100, deadline=None)
@given(leads, st.data())
def test_the_closed_form_equals_the_programme(d, data):
    parts = data.draw(st.lists(st.integers(1, 9), min_size=len(d), max_size=len(d)))
    weights = [Fraction(part, sum(parts)) for part in parts]
    found = least_movement([Fraction(one) for one in d], weights)
    programme = reference.least_movement([float(one) for one in d], [float(w) for w in weights])
    assert (found is None) == (programme is None)
    if found is not None:
        total, moves = found
        assert float(total) == pytest.approx(programme, abs=1e-7)
        moved = list(weights)
        for start, end, weight in moves:
            moved[start] -= weight
            moved[end] += weight
        assert min(moved) >= 0 and sum(moved) == 1
        after = margin([Fraction(one) for one in d], moved)
        assert after == (0 if margin(d, weights) > 0 else margin(d, weights))


@settings(max_examples=200, deadline=None)
@given(leads)
def test_share_of_a_lead_and_of_its_opposite(d):
    exact = [Fraction(one) for one in d]
    both = share(exact) + share([-one for one in exact])
    assert both == (1 if any(d) else 0)
    if len(set(d)) == len(d):
        assert share(exact) == reference.share(exact)


@settings(max_examples=25, deadline=None)
@given(leads)
def test_share_equals_draws(d):
    exact = float(share([Fraction(one) for one in d]))
    draws = 20_000
    error = sqrt(exact * (1 - exact) / draws)
    assert abs(reference.drawn_share(d, draws, 5) - exact) <= 4 * error + 1e-12


@settings(max_examples=50, deadline=None)
@given(leads, st.integers(0, 100))
def test_within_epsilon_the_lead_stays(d, promille):
    exact = [Fraction(one) for one in d]
    weights = (Fraction(1, len(d)),) * len(d)
    assume(margin(exact, weights) > 0)
    reach = epsilon(exact, weights)
    lowest = min(range(len(d)), key=d.__getitem__)
    moved = [(1 - reach) * w + reach * (place == lowest) for place, w in enumerate(weights)]
    assert margin(exact, moved) >= 0
    less = reach * Fraction(promille, 1000)
    inside = [(1 - less) * w + less * (place == lowest) for place, w in enumerate(weights)]
    assert margin(exact, inside) > 0 or less == reach


@settings(max_examples=40, deadline=None)
@given(composites(most_entries=5, most_parts=4))
def test_first_needs_at_least_as_much_as_level(made):
    found = reweighting(made, draws=500, seed=1)
    drawn = {one.entry for one in found.first_shares}
    for rival in found.rivals:
        if rival.first_movement is not None:
            assert rival.least_movement is not None
            assert rival.first_movement >= float(rival.least_movement) - 1e-6
        if rival.dominated:
            assert rival.share == 1 and rival.entry not in drawn
        if rival.entry in drawn:
            assert rival.first_movement is not None


def test_first_against_all_is_more_than_level_with_the_leader():
    """dew is level with ash when two thirds of the weight are on v, with bay at five sixths."""
    table = {"ash": ("10", "5"), "bay": ("6", "8.5"), "cob": ("0", "9"), "dew": ("1", "9.5")}
    made = composite(table, {}, ("u", "v"))
    moved = {one.entry: one for one in reweighting(made, 1_000).rivals}
    assert moved["dew"].least_movement == Fraction(1, 6)
    assert moved["dew"].first_movement == pytest.approx(1 / 3)
    assert moved["cob"].least_movement is not None
    assert (moved["cob"].first_movement, moved["cob"].asked) == (None, True)


def test_shared_first_place_needs_no_movement():
    table = {"ash": ("9", "5"), "bay": ("5", "9"), "cob": ("1", "1")}
    found = reweighting(composite(table, {}, ("u", "v")), 1_000)
    assert (found.leader, found.least_movement, found.nearest) == (("ash", "bay"), 0, "bay")
    assert found.epsilon == 0
    assert [one.entry for one in found.rivals] == ["cob"]


def test_twins_are_first_together():
    table = {"ash": ("9", "5"), "bay": ("9", "5"), "cob": ("1", "1")}
    shares = first_shares(composite(table, {}, ("u", "v")), 1_000, 1)
    assert [(one.entry, one.share) for one in shares] == [("ash", 1.0), ("bay", 1.0)]


def test_first_movement_of_the_leader_is_none_at_all():
    made = composite()
    place = made.entries.index(GPT)
    assert first_movement(made.values(), place, made.front(), made.weights) == pytest.approx(0)


def test_the_front_of_the_table():
    made = composite()
    assert {made.entries[n] for n in made.front()} == {GPT, CARBON, OPUS}
    assert len(PRINTED) == len(made.entries) == np.shape(made.ticks)[0]
