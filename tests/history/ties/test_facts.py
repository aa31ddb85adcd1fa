"""Facts about tie rules that hold on every board, and the worked numbers of the methods."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from history.ties import TieRule, tie_groups, tied

RULES = ("chain", "pairwise", "anchored", "none")


def ranks(ticks, rule, band="0.9", dp=2, edge="inclusive"):
    """Tie ranks of boards of one size, a row each."""
    boards, size = np.atleast_2d(ticks).shape
    version = np.repeat(np.arange(boards), size)
    places = np.full(boards * size, dp, np.int8)
    of_rule = TieRule(rule, edge, None if rule == "none" else band)
    found = tie_groups(version, np.ravel(ticks), places, of_rule)["tie_rank"]
    return found.to_numpy(np.int64).reshape(boards, size)


def boards(n, size, seed, spread=500):
    rng = np.random.default_rng(seed)
    return -np.sort(-np.rint(rng.normal(5000, spread, (n, size))).astype(np.int64), axis=1)


@pytest.mark.parametrize("size", [5, 40])
def test_no_board_breaks_the_order_of_the_rules(size):
    """20,000 boards: chained <= pairwise <= anchored <= competition for every entry."""
    ticks = boards(20_000 // 2, size, seed=3)
    chain, pairwise, anchored, competition = (ranks(ticks, rule) for rule in RULES)
    assert (chain <= pairwise).all()
    assert (pairwise <= anchored).all()
    assert (anchored <= competition).all()
    assert (chain < pairwise).any()
    assert (pairwise < anchored).any()
    assert (anchored < competition).any()


def test_of_two_decimals_a_naive_band_gets_almost_half_of_the_edges_wrong():
    """The pairs that are exactly 0.90 apart, as floats and as ticks."""
    pairs = [(tick, tick - 90) for tick in range(90, 10_001)]
    floats = [(better / 100, worse / 100) for better, worse in pairs]
    assert len(pairs) == 9_911
    assert sum(not better - worse <= 0.9 for better, worse in floats) == 4_382
    assert sum(better - worse < 0.9 for better, worse in floats) == 5_485
    band = Fraction(9, 10)
    assert sum(tied(*pair, 2, band, "inclusive") for pair in pairs) == 9_911
    assert sum(tied(*pair, 2, band, "exclusive") for pair in pairs) == 0
    assert sum(not tied(*pair, 2, band, "float") for pair in pairs) == 4_382
    assert 69.06 - 68.16 == 0.9000000000000057


def test_one_joiner_moves_others_by_at_most_one_place_pairwise_and_any_number_anchored():
    """Anchors move all the way down; a pairwise rank counts one more entry, or none."""
    rng = np.random.default_rng(8)
    most = {"pairwise": 0, "anchored": 0}
    for before in boards(60, 30, seed=5):
        joined = int(rng.integers(before.min() - 100, before.max() + 300))
        after = np.sort(np.append(before, joined))[::-1]
        stayed = np.delete(np.arange(31), np.flatnonzero(after == joined)[0])
        for rule in most:
            moved = ranks(after, rule)[0][stayed] - ranks(before, rule)[0]
            most[rule] = max(most[rule], int(np.abs(moved).max()))
    assert most["pairwise"] == 1
    assert most["anchored"] > 1


@pytest.mark.parametrize(
    ("better", "worse", "dp", "within"),
    [
        pytest.param(6906, 6904, 2, True, id="text on 20 October: 0.02 apart"),
        pytest.param(6731, 6715, 2, True, id="text on 22 October: 0.16 apart"),
        pytest.param(7330, 7246, 2, True, id="vision on 22 October: inside a band it has not"),
        pytest.param(729, 724, 1, True, id="an estimate for vision: inside a band it has not"),
        pytest.param(7020, 6912, 2, False, id="an estimate for text: outside"),
    ],
)
def test_the_pairs_of_the_seed_against_a_band_of_0_9(better, worse, dp, within):
    assert tied(better, worse, dp, Fraction(9, 10), "inclusive") is within
    assert (ranks([better, worse], "anchored", dp=dp)[0].tolist() == [1, 1]) is within
    # The vision board has no rule: the second is second.
    assert ranks([better, worse], "none", dp=dp)[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("ticks", "rule", "low", "high"),
    [
        pytest.param([100, 95, 90], "anchored", [1, 1, 3], [2, 2, 3], id="a group of two, then one"),
        pytest.param([100, 95, 90], "chain", [1, 1, 1], [3, 3, 3], id="one chain"),
        pytest.param([100, 95, 90], "pairwise", [1, 1, 2], [2, 3, 3], id="the middle ties with both"),
        pytest.param([100, 95, 95], "none", [1, 2, 2], [1, 3, 3], id="equal scores"),
    ],
)  # fmt: skip
def test_places_that_a_rule_leaves_open(ticks, rule, low, high):
    of_rule = TieRule(rule, band=None if rule == "none" else "0.6")
    found = tie_groups(np.zeros(3, int), np.array(ticks), np.full(3, 1), of_rule)
    assert (found["rank_low"].tolist(), found["rank_high"].tolist()) == (low, high)
