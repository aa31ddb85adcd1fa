from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.uncertainty import (
    as_sample,
    chances,
    expected_maximum,
    first_over_benchmarks,
    shrunk,
    winners_curse,
)
from tests.reference import uncertainty as plain

EIGHT = np.array([0.762, 0.755, 0.749, 0.743, 0.736, 0.731, 0.718, 0.690])
EIGHT_ERRORS = np.sqrt(EIGHT * (1 - EIGHT) / 2000)


@pytest.mark.parametrize(
    ("correlation", "expected"),
    [
        pytest.param(0.0, [0.606, 0.250, 0.100, 0.034], id="independent errors"),
        pytest.param(0.7, [0.808, 0.165, 0.025], id="errors that go together"),
    ],
)
def test_the_chance_of_being_first_moves_with_sigma(correlation, expected):
    sigma = (1 - correlation) * np.diag(EIGHT_ERRORS**2)
    found = chances(EIGHT, sigma + correlation * np.outer(EIGHT_ERRORS, EIGHT_ERRORS))
    assert found.first[: len(expected)] == pytest.approx(expected, abs=0.02)
    assert found.first.sum() == pytest.approx(1)
    assert found.sigma == "Sigma: the covariance of the errors, as given"
    assert "not the probability that a claim is true" in found.warning
    assert found.sampling_error[0] == pytest.approx(
        (found.first[0] * (1 - found.first[0]) / 10_000) ** 0.5
    )


def test_chances_name_their_seed():
    one, other = (chances(EIGHT, EIGHT_ERRORS, draws=300, seed=seed) for seed in (1, 2))
    assert (one.draws, one.seed) == (300, 1)
    assert one.first.tolist() != other.first.tolist()
    assert one.first.tolist() == chances(EIGHT, EIGHT_ERRORS, draws=300, seed=1).first.tolist()


@pytest.mark.parametrize(
    ("m", "expected"), [(2, 0.56), (5, 1.16), (10, 1.54), (27, 2.00), (55, 2.29), (229, 2.79)]
)
def test_the_largest_of_equal_entries(m, expected):
    assert round(expected_maximum(m), 2) == expected
    assert expected_maximum(m) == pytest.approx(plain.expected_maximum(m), abs=1e-6)


def test_known_values_of_the_largest():
    assert expected_maximum(2) == pytest.approx(np.pi**-0.5, abs=1e-7)
    assert expected_maximum(3) == pytest.approx(1.5 * np.pi**-0.5, abs=1e-7)


def test_what_the_leader_owes_to_luck():
    assert round(winners_curse(229, 0.98).points, 1) == 2.7
    assert [round(winners_curse(m, 5 / 1.96).points, 1) for m in (27, 10)] == [5.1, 3.9]
    assert winners_curse(1, 3.0).points == pytest.approx(0, abs=1e-12)
    with pytest.raises(ValueError, match="0 numbers"):
        winners_curse(0, 1.0)


def test_scores_shrink_by_the_share_of_their_noise():
    found = shrunk(EIGHT, EIGHT_ERRORS)
    assert (round(found.by, 3), round(found.scores[0], 3)) == (0.183, 0.757)
    assert found.scores.mean() == pytest.approx(EIGHT.mean())
    assert shrunk([1, 2, 3], [9, 9, 9]).scores.tolist() == [2, 2, 2]
    assert shrunk([1, 1, 1], [1, 1, 1]) is None
    assert shrunk([1, 2], [1, 1]) is None


# --- benchmarks as the sample ----------------------------------------------------------------

# Five benchmarks in tenths of a point: Sol, Carbon-X, Opus, and the others.
CARD = [
    [710, 917, 672, 329, 749],
    [749, 851, 636, 394, 704],
    [703, 948, 622, 11, 762],
    [65, 903, 631, 312, 580],
    [539, 653, 520, 306, 501],
    [514, 559, 497, 272, 513],
    [521, 601, 446, 97, 327],
]


def test_a_mean_difference_over_five_benchmarks():
    found = as_sample(np.array(CARD[0]) / 10, np.array(CARD[1]) / 10)
    numbers = [round(number, 2) for number in (found.mean, found.sd, found.t, found.p)]
    assert numbers == [0.86, 5.71, 0.34, 0.75]
    assert (found.n, "too few" in found.caution) == (5, True)


def test_who_is_first_when_five_benchmarks_are_drawn_anew():
    found = first_over_benchmarks(CARD)
    assert (100 * found.first).round(1).tolist() == [53.8, 33.0, 13.2, 0, 0, 0, 0]
    assert (found.resamples, found.seed) == (3125, None)
    assert "too few for a confidence statement" in found.caution


@given(
    st.integers(1, 4).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(-3, 3), min_size=k, max_size=k), min_size=1, max_size=4
        )
    )
)
def test_all_resamples_are_counted(table):
    found = first_over_benchmarks(table)
    assert found.first.tolist() == pytest.approx(
        [float(share) for share in plain.first_over_benchmarks(table)]
    )
    assert found.resamples == len(table[0]) ** len(table[0])


def test_many_benchmarks_are_drawn():
    table = np.random.default_rng(1).integers(0, 100, (3, 12))
    found = first_over_benchmarks(table, draws=2000, seed=9)
    assert (found.resamples, found.seed, found.caution) == (2000, 9, "")
    assert found.first.sum() == pytest.approx(1)
    exact = first_over_benchmarks(np.hstack([table[:, :5], table[:, :5]]))
    assert exact.resamples == 10**10 and exact.seed is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param([1.0], [2.0], id="one benchmark"),
        pytest.param([0.3, 0.5], [0.1, 0.3], id="the same gap everywhere"),
    ],
)
def test_no_spread_no_test(one, other):
    assert as_sample(one, other) is None


def test_scores_of_benchmarks_are_whole_ticks():
    with pytest.raises(ValueError, match="whole"):
        first_over_benchmarks([[0.5, 0.25]])
