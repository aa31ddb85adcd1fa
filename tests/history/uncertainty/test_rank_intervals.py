from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import studentized_range

from history.uncertainty import unpaired
from history.uncertainty.draws import JointErrors, largest_differences, place_of_quantile
from history.uncertainty.rank_intervals import (
    DRAWN_METHODS,
    METHODS,
    MOST_ENTRIES,
    intervals_from_bounds,
    rank_intervals,
)
from tests.reference import ranking
from tests.reference import uncertainty as plain

EIGHT = np.array([0.762, 0.755, 0.749, 0.743, 0.736, 0.731, 0.718, 0.690])
EIGHT_ERRORS = np.sqrt(EIGHT * (1 - EIGHT) / 2000)


def ends(found) -> list[tuple[int, int]]:
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("overlap", "1-6 1-7 1-7 1-7 1-7 1-7 2-8 7-8"),
        ("pairwise", "1-5 1-6 1-6 1-7 1-7 2-7 4-8 7-8"),
        ("bonferroni", "1-6 1-7 1-7 1-7 1-7 1-8 2-8 6-8"),
        ("marginal", "1-6 1-6 1-7 1-7 1-7 1-7 3-8 7-8"),
        ("simultaneous", "1-6 1-7 1-7 1-7 1-7 1-8 2-8 6-8"),
        ("step_down", "1-6 1-7 1-7 1-7 1-7 1-8 2-8 6-8"),
    ],
)
def test_eight_entries_by_every_method(method, expected):
    found = rank_intervals(EIGHT, EIGHT_ERRORS, [method])[method]
    assert " ".join(f"{low}-{high}" for low, high in ends(found)) == expected


def test_critical_values_of_the_eight():
    found = rank_intervals(EIGHT, EIGHT_ERRORS)
    assert found["overlap"].critical is None
    assert found["pairwise"].critical == pytest.approx(1.96, abs=0.0005)
    assert found["bonferroni"].critical == pytest.approx(3.124, abs=0.0005)
    # the 95% quantile of 10,000 draws is off by about 0.02
    assert found["simultaneous"].critical == pytest.approx(3.009, abs=0.06)
    assert found["step_down"].critical < found["simultaneous"].critical
    assert max(found["marginal"].critical) < found["simultaneous"].critical


@pytest.mark.parametrize(
    ("level", "gap", "told_apart"),
    [
        pytest.param(0.95, 2.76, False, id="95% intervals still overlap at 2.76 errors of the gap"),
        pytest.param(0.95, 2.78, True, id="and no longer at 2.78"),
        pytest.param(0.834, 1.95, False, id="83.4% intervals overlap at 1.95"),
        pytest.param(0.834, 1.97, True, id="and no longer at 1.97: a test at 5%"),
    ],
)
def test_overlap_of_two_equal_errors_is_a_stricter_test(level, gap, told_apart):
    found = rank_intervals([gap * 2**0.5, 0.0], [1.0, 1.0], ["overlap"], level=level)["overlap"]
    assert ends(found) == ([(1, 1), (2, 2)] if told_apart else [(1, 2), (1, 2)])


def test_as_a_test_of_one_pair_overlap_has_a_small_p():
    assert round(unpaired(2.772 * 2**0.5, 0.0, 1.0, 1.0).p, 4) == 0.0056


def test_an_interval_says_how_it_was_made():
    found = rank_intervals(EIGHT, EIGHT_ERRORS, draws=500, seed=7)
    made = {method: (one.draws, one.seed) for method, one in found.items()}
    assert made == {
        method: (500, 7) if method in DRAWN_METHODS else (None, None) for method in METHODS
    }
    assert {one.level for one in found.values()} == {0.95}
    assert found["marginal"].guarantees.startswith(
        "the rank of one entry that was named in advance"
    )


def test_the_same_seed_gives_the_same_intervals_and_another_nearly():
    one, same = (rank_intervals(EIGHT, EIGHT_ERRORS, seed=3) for _ in range(2))
    other = rank_intervals(EIGHT, EIGHT_ERRORS, seed=4)
    assert one["marginal"].critical == same["marginal"].critical
    assert one["simultaneous"].critical != other["simultaneous"].critical
    assert one["simultaneous"].critical == pytest.approx(other["simultaneous"].critical, abs=0.1)


@pytest.mark.parametrize("n", [2, 8, 30])
def test_with_equal_errors_the_critical_value_is_that_of_the_range(n):
    found = rank_intervals(np.zeros(n), np.ones(n), ["simultaneous"], draws=40_000)
    expected = studentized_range.ppf(0.95, n, 1e6) / 2**0.5
    assert found["simultaneous"].critical == pytest.approx(expected, abs=0.035)


def test_errors_that_go_together_make_ranks_surer():
    together = 0.3 * np.diag(EIGHT_ERRORS**2) + 0.7 * np.outer(EIGHT_ERRORS, EIGHT_ERRORS)
    apart, shared = (
        rank_intervals(EIGHT, errors, ["simultaneous"])["simultaneous"]
        for errors in (EIGHT_ERRORS, together)
    )
    width = [int((one.high - one.low).sum()) for one in (apart, shared)]
    assert width[1] < width[0] / 1.5


def test_entries_of_unknown_error_may_stand_anywhere():
    known = rank_intervals([3.0, 2.0, 1.0], [0.1] * 3, ["bonferroni"])["bonferroni"]
    found = rank_intervals([3.0, 2.0, 1.0], [0.1] * 3, ["bonferroni"], anywhere=2)["bonferroni"]
    assert (ends(known), ends(found)) == ([(1, 1), (2, 2), (3, 3)], [(1, 3), (2, 4), (3, 5)])


@pytest.mark.parametrize("n", [0, 1])
def test_no_rivals_no_doubt(n):
    for found in rank_intervals([5.0] * n, [1.0] * n).values():
        assert (ends(found), found.critical) == ([(1, 1)] * n, None)


@pytest.mark.parametrize(
    ("scores", "errors", "said"),
    [
        pytest.param([1, 2], [0.1, 0], "above 0", id="an error of 0"),
        pytest.param([1, 2], [0.1, np.nan], "above 0", id="no error"),
        pytest.param([1, np.nan], [0.1, 0.1], "finite", id="no score"),
        pytest.param([1, 2, 3], [0.1, 0.1], "errors", id="a score without an error"),
        pytest.param([1, 2], [[1, 1], [1, 1]], "move together", id="no error of a difference"),
        pytest.param([1, 2], [[1, 0.5], [0.4, 1]], "symmetric", id="not symmetric"),
        pytest.param([1, 2], [[1, 2], [2, 1]], "eigenvalue", id="no covariance"),
        pytest.param([1, 2], [[[1]]], "shape", id="too many dimensions"),
        pytest.param([0] * (MOST_ENTRIES + 1), [1] * (MOST_ENTRIES + 1), "take", id="too many"),
    ],
)
def test_what_is_no_input_is_refused(scores, errors, said):
    with pytest.raises(ValueError, match=said):
        rank_intervals(scores, errors)


# --- properties ------------------------------------------------------------------------------

boards = st.lists(
    st.tuples(st.integers(-30, 30), st.sampled_from([0.5, 1.0, 1.5, 3.0])), min_size=2, max_size=6
)


@given(boards)
def test_intervals_contain_the_rank_and_wider_ones_the_narrower(board):
    """Property 14 of methods."""
    scores = [float(score) for score, _ in board]
    found = rank_intervals(scores, [error for _, error in board], draws=400)
    places = ranking.competition({str(i): score for i, score in enumerate(scores)})
    for method in METHODS:
        for i, (low, high) in enumerate(ends(found[method])):
            assert low <= places[str(i)] <= high
    for inner, outer in (
        ("marginal", "simultaneous"),
        ("step_down", "simultaneous"),
        ("pairwise", "bonferroni"),
        ("pairwise", "overlap"),
    ):
        assert (found[outer].low <= found[inner].low).all()
        assert (found[outer].high >= found[inner].high).all()


@settings(max_examples=40)
@given(boards, st.sampled_from([0.0, 0.6]), st.sampled_from([0.8, 0.95]))
def test_intervals_are_those_of_the_plain_double_loop(board, correlation, level):
    scores, single = ([float(x) for x in column] for column in zip(*board, strict=True))
    errors = np.diag(np.square(single)) * (1 - correlation) + correlation * np.outer(single, single)
    sigma, draws = errors.tolist(), np.vstack(list(JointErrors.of(errors).drawn(60, 11))).tolist()
    found = rank_intervals(scores, errors, DRAWN_METHODS, level=level, draws=60, seed=11)
    expected = {
        "marginal": plain.marginal(scores, sigma, draws, level),
        "simultaneous": plain.simultaneous(scores, sigma, draws, level),
        "step_down": plain.step_down(scores, sigma, draws, level),
    }
    assert {method: ends(found[method]) for method in DRAWN_METHODS} == expected


@given(
    st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 12)), max_size=12),
    st.sampled_from([1, 0.1]),
)
def test_intervals_are_compared_end_to_end(rows, unit):
    lows = [low * unit for low, _ in rows]
    highs = [(low + length) * unit for low, length in rows]
    expected = plain.overlap(lows, highs)
    found = intervals_from_bounds(np.array(lows), np.array(highs))
    assert list(zip(*(side.tolist() for side in found), strict=True)) == expected


def test_draws_do_not_hang_on_the_size_of_the_blocks():
    errors = JointErrors.of(EIGHT_ERRORS)
    small, large = (np.vstack(list(errors.drawn(1000, 5, block))) for block in (7, 1000))
    assert (small == large).all()


def test_the_largest_differences_are_those_of_all_pairs():
    errors = JointErrors.of([1.0, 2.0, 0.5, 1.5])
    drawn = largest_differences(errors, draws=700, seed=2)
    gaps = (
        np.abs(drawn.scores[:, None] - drawn.scores[None])
        / np.where((apart := errors.differences()) > 0, apart, 1)[:, :, None]
    )
    assert np.allclose(drawn.largest, gaps.max(axis=0), rtol=1e-5)


@given(st.integers(1, 500), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_a_quantile_has_the_share_below_it(draws, level):
    numbers = list(range(draws))
    assert numbers[place_of_quantile(level, draws)] == plain.quantile(numbers, level)


# --- what the methods are worth --------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "overlap", "pairwise", "bonferroni"),
    [
        (5, 0.965, 0.72, 0.97),
        (10, 0.84, 0.35, 0.98),
        (30, 0.44, 0.02, 0.96),
        (100, 0.01, 0.00, 0.96),
        (229, 0.00, 0.00, 0.96),
    ],
)
def test_how_often_equal_entries_are_not_told_apart(n, overlap, pairwise, bonferroni):
    runs, rng = 200, np.random.default_rng(229)
    silent = dict.fromkeys(("overlap", "pairwise", "bonferroni"), 0)
    for _ in range(runs):
        scores = rng.binomial(2000, 0.74, n) / 2000
        errors = np.sqrt(scores * (1 - scores) / 2000)
        for method, found in rank_intervals(scores, errors, list(silent)).items():
            silent[method] += bool((found.low == 1).all() and (found.high == n).all())
    for method, expected in (
        ("overlap", overlap),
        ("pairwise", pairwise),
        ("bonferroni", bonferroni),
    ):
        chance = max(expected, 0.02)  # four standard errors of both simulations, 200 and 400 runs
        tolerance = 4 * (chance * max(1 - chance, 0.02) * (1 / runs + 1 / 400)) ** 0.5
        assert silent[method] / runs == pytest.approx(expected, abs=tolerance), method


@pytest.mark.long
def test_simultaneous_intervals_cover_all_true_ranks_together():
    runs, rng = 300, np.random.default_rng(6)
    true = np.array([0.76, 0.76, 0.75, 0.74, 0.74, 0.74, 0.73, 0.70])
    best = 1 + (true[None] > true[:, None]).sum(axis=1)
    worst = len(true) - (true[None] < true[:, None]).sum(axis=1)
    covered = dict.fromkeys(("simultaneous", "step_down"), 0)
    for run in range(runs):
        scores = rng.binomial(2000, true) / 2000
        errors = np.sqrt(scores * (1 - scores) / 2000)
        found = rank_intervals(scores, errors, list(covered), draws=2000, seed=run)
        for method, one in found.items():
            covered[method] += bool((one.low <= best).all() and (one.high >= worst).all())
    assert min(covered.values()) / runs > 0.95 - 4 * (0.95 * 0.05 / runs) ** 0.5
