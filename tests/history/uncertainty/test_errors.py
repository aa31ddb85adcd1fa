from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from history.uncertainty import errors, items
from tests.reference import uncertainty as plain


@pytest.mark.parametrize(
    ("right", "n", "wilson", "exact"),
    [
        pytest.param(10, 10, (0.722, 1.0), (0.692, 1.0), id="all right: the normal one is [1, 1]"),
        pytest.param(0, 10, (0.0, 0.278), (0.0, 0.308), id="none right"),
        pytest.param(1498, 2000, (0.730, 0.768), (0.729, 0.768), id="in the middle all agree"),
    ],
)
def test_intervals_of_a_share(right, n, wilson, exact):
    assert errors.wilson(right, n) == pytest.approx(wilson, abs=0.0006)
    assert errors.exact_interval(right, n) == pytest.approx(exact, abs=0.0006)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_exact_intervals_leave_half_of_the_rest_on_each_side(case):
    right, n = case
    low, high = errors.exact_interval(right, n)
    at_most, at_least = binom.cdf(right, n, high), binom.sf(right - 1, n, low)
    assert (right == n and high == 1) or at_most == pytest.approx(0.025, abs=1e-6)
    assert (right == 0 and low == 0) or at_least == pytest.approx(0.025, abs=1e-6)
    assert low <= right / n <= high


# Five benchmarks of the card: right answers in percent, and items.
ITEMS = (1018, 873, 2600, 600, 1000)
CARBON = (74.9, 85.1, 63.6, 39.4, 70.4)
SOL = (71.0, 91.7, 67.2, 32.9, 74.9)


def average_error(scores) -> float:
    single = [100 * errors.of_share(p / 100, n) for p, n in zip(scores, ITEMS, strict=True)]
    return errors.of_mean([0.2] * 5, single)


def test_item_errors_of_two_averages_and_of_their_difference():
    one, other = average_error(CARBON), average_error(SOL)
    both = errors.of_difference(one, other)
    gap = sum(SOL) / 5 - sum(CARBON) / 5
    assert [round(number, 2) for number in (one, other, gap)] == [0.64, 0.61, 0.86]
    assert (round(both, 3), round(gap / both, 2)) == (0.884, 0.97)


def test_a_gap_is_inside_one_standard_error_and_outside_another():
    gap = 0.86
    low, high = errors.of_mean_between([0.2] * 5, [None, None, None, 1.0, 1.5], most=1.5)
    one_score = errors.StandardError(1.5, "run", "score", "as the card estimates")
    average = errors.StandardError(high, "run", "average", "unknown ones at most 1.5")
    assert (round(low, 2), round(high, 2)) == (0.36, 0.63)
    assert gap < one_score.value and gap > average.value
    assert one_score.count(gap) == "0.57 times the run-to-run standard error of one score"
    assert average.count(gap).endswith("run-to-run standard error of one average")


def test_a_gap_of_two_scores_in_single_errors_and_in_errors_of_the_difference():
    one, other = errors.of_share(0.749, 2000), errors.of_share(0.736, 2000)
    both = errors.of_difference(one, other)
    assert (round(one, 4), round(other, 4), round(both, 5)) == (0.0097, 0.0099, 0.01383)
    assert (round(0.013 / other, 2), round(0.013 / both, 2)) == (1.32, 0.94)
    assert round(0.013 / errors.clustered(both, 5, 0.2), 2) == 0.70


def test_items_that_a_band_and_a_gap_would_take():
    assert items.items_for_band(0.009, 0.7) == pytest.approx(19_900, rel=0.002)
    assert items.items_for_band(0.009, 0.7, 0.7) == pytest.approx(6_000, rel=0.005)
    assert items.items_to_separate(0.013, 0.74) == pytest.approx(17_900, rel=0.002)
    assert items.items_to_separate(0.013, 0.74, 0.7) == pytest.approx(5_400, rel=0.01)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        pytest.param(lambda: errors.of_share(1.2, 10), "share", id="no share"),
        pytest.param(lambda: errors.of_share(0.5, 0), "items", id="no items"),
        pytest.param(lambda: errors.of_mean([1, 1], [1, 1]), "add up", id="weights of a sum"),
        pytest.param(lambda: errors.of_mean([1], [1, 1]), "1 weights", id="a weight is missing"),
        pytest.param(lambda: errors.wilson(11, 10), "11", id="more right than items"),
        pytest.param(lambda: errors.of_difference(1, 1, 2), "covariance", id="too much in common"),
        pytest.param(lambda: items.possible_counts("n/a", 10), "n/a", id="no number"),
        pytest.param(lambda: items.items_for_band(0, 0.7), "gap 0", id="no band"),
    ],
)
def test_what_is_no_input_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()


# --- right answers behind a printed score ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "n", "per", "how", "expected"),
    [
        pytest.param("72.83", 173, 100, "rounded", [126], id="one number prints so"),
        pytest.param("72.50", 173, 100, "rounded", [], id="no number prints so"),
        pytest.param("0.749", 2000, 1, "rounded", [1497, 1498, 1499], id="shares; both edges"),
        pytest.param("72.8", 173, 100, "truncated", [126], id="cut off"),
        pytest.param("100.0", 10, 100, "rounded", [10], id="no more than all"),
        pytest.param("0", 7, 100, "rounded", [0], id="no fewer than none"),
    ],
)
def test_possible_counts(text, n, per, how, expected):
    assert list(items.possible_counts(text, n, per, how)) == expected


@given(
    st.integers(1, 400),
    st.integers(0, 1000),
    st.integers(0, 3),
    st.sampled_from([1, 100]),
    st.booleans(),
)
def test_possible_counts_are_those_that_print_so(n, tenths, places, per, truncated):
    text = f"{per * tenths / 1000:.{places}f}"
    how = "truncated" if truncated else "rounded"
    assert list(items.possible_counts(text, n, per, how)) == plain.counts(text, n, per, truncated)


def test_a_gap_in_items_is_a_range():
    one, other = items.possible_counts("74.9", 2000), items.possible_counts("73.6", 2000)
    assert items.gap_in_items(one, other) == (24, 28)
    assert items.gap_in_items(one, range(5, 5)) is None
