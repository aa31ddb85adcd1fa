"""Worked numbers of simulations: within their sampling error, with fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

from history.splits import noise
from history.splits.gaps import Regression, regression

ENTRIES, SD, MEAN = 229, 5.0, 60.0


def floor(items: int, seed: int, draws: int = 50) -> noise.Noise:
    true = np.random.default_rng(seed).normal(MEAN, SD, ENTRIES)
    errors = noise.standard_errors(true, items, 100)
    return noise.noise_floor(true, errors, errors, draws, seed)


@pytest.mark.parametrize(
    ("items", "shake_up", "tau"),
    [
        pytest.param(2000, 0.069, 0.81, id="2,000 items in each part"),
        pytest.param(500, 0.130, 0.64, id="500 items in each part"),
    ],
)
def test_the_noise_floor_of_229_entries(items, shake_up, tau):
    found = [floor(items, seed) for seed in range(8)]
    assert np.mean([one.mean for one in found]) == pytest.approx(shake_up, abs=0.004)
    assert np.mean([one.tau for one in found]) == pytest.approx(tau, abs=0.02)
    if items == 2000:
        assert np.mean([one.low for one in found]) == pytest.approx(0.061, abs=0.004)
        assert np.mean([one.high for one in found]) == pytest.approx(0.079, abs=0.004)


def test_the_same_seed_gives_the_same_answer_and_says_so():
    one, again, other = floor(500, 1), floor(500, 1), floor(500, 2)
    assert one == again
    assert (one.seed, one.draws, one.tau_draws) == (1, 50, 50)
    assert one.mean != other.mean


def test_without_errors_nobody_moves():
    found = noise.noise_floor(np.arange(30.0), np.zeros(30), np.zeros(30), 10)
    assert (found.mean, found.low, found.high, found.top, found.tau) == (0, 0, 0, 0, 1)


def test_equal_entries_are_in_random_order():
    found = noise.noise_floor(np.zeros(100), np.ones(100), np.ones(100), 200)
    assert found.mean == pytest.approx((100**2 - 1) / (3 * 100**2), abs=0.005)
    assert found.tau == pytest.approx(0, abs=0.02)


def test_true_scores_are_as_far_apart_as_the_board_less_its_errors():
    random = np.random.default_rng(3)
    true = random.normal(0, 5, 5000)
    errors = np.full(5000, 4.0)
    public = 60 + true + random.normal(0, 4, 5000)
    private = 50 + true + random.normal(0, 4, 5000)
    found = noise.true_scores(public, private, errors, errors)
    assert found.std() == pytest.approx(5, abs=0.2)


def test_errors_larger_than_what_is_seen_leave_nothing_true():
    found = noise.true_scores(*np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), *np.full((2, 3), 9.0))
    assert found.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "runs", [pytest.param(500, id="some"), pytest.param(20_000, id="many", marks=pytest.mark.long)]
)
def test_the_public_leader_falls_without_any_overfitting(runs):
    random = np.random.default_rng(2026)
    seen = []
    for _ in range(runs):
        true = np.clip(random.normal(0.60, 0.05, ENTRIES), 0, 1)
        public, private = random.binomial(500, true, (2, ENTRIES)) / 500
        leader = int(np.argmax(public + random.random(ENTRIES) * 1e-9))
        errors = noise.standard_errors(public, 500, 1)
        back: Regression = regression(public.tolist(), private.tolist(), errors.tolist())
        seen.append(
            (
                public[leader],
                private[leader],
                true[leader],
                private[leader] == private.max(),
                true[leader] == true.max(),
                back.reliability,
            )
        )
    expected = (0.7505, 0.7297, 0.7293, 0.38, 0.50, 0.84)
    found, spread = np.mean(seen, axis=0), np.std(seen, axis=0)
    # four standard errors of this simulation, and what the rounding and size of the other leave
    for value, sd, wanted in zip(found, spread, expected, strict=True):
        assert value == pytest.approx(wanted, abs=4 * sd / runs**0.5 + 0.015 * wanted)
