from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.splits.gaps import holm, items_needed, regression


@pytest.mark.parametrize(
    ("points", "items"),
    [
        pytest.param(4.71, 1576, id="public against the same skills"),
        pytest.param(7.62, 602, id="public against new domains"),
        pytest.param(3.13, 3568, id="vision"),
        pytest.param(-3.13, 3568, id="the other way round"),
    ],
)
def test_items_needed(points, items):
    assert round(items_needed(points / 100, 0.65)) == items


def test_no_difference_needs_no_number_of_items():
    assert items_needed(0, 0.65) is None


@pytest.mark.parametrize(
    ("public", "errors", "expected"),
    [
        pytest.param([60, 70], [3, 3], (41, 0.82), id="what is left of the variance is true"),
        pytest.param([60, 61], [3, 3], (0, 0), id="errors larger than all that is seen"),
        pytest.param([60, 60], [0, 0], (0, 0), id="no variance at all"),
    ],
)
def test_regression(public, errors, expected):
    found = regression(public, [50, 50], errors)
    assert (found.var_true, found.reliability) == pytest.approx(expected)


def test_one_entry_regresses_to_no_mean():
    assert regression([60], [50], [1]) is None


@settings(max_examples=60)
@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_between_the_p_values_and_bonferroni(values):
    for p, adjusted in zip(values, holm(values), strict=True):
        assert p <= adjusted <= min(1, len(values) * p) + 1e-12
