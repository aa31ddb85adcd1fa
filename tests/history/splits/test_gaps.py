from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.splits.gaps import fit, holm, items_needed, regression
from tests.reference import splits as plain

POINTS = [(60, 46), (59, 38), (58, 48), (57, 44), (56, 42), (55, 40)]


def fractions(points):
    return [(Fraction(x), Fraction(y)) for x, y in points]


def test_a_prediction_interval_as_by_hand():
    line = fit(fractions(POINTS))
    assert (line.slope, line.intercept) == (
        Fraction(22, 35),
        Fraction(43) - Fraction(22, 35) * Fraction(115, 2),
    )
    # residual sum of squares 70 - (22/35)^2 * 17.5 = 63.0857, sd = sqrt(63.0857 / 4) = 3.9713;
    # at 60: error 3.9713 * sqrt(1 + 1/6 + 6.25/17.5) = 4.9025; t(0.975, 4) = 2.7764
    assert line.sd == pytest.approx(3.97132, abs=1e-5)
    low, high = line.of_new(Fraction(60)).interval
    middle = 43 + 22 / 35 * 2.5
    assert (low, high) == (
        pytest.approx(middle - 2.77645 * 4.90253, abs=1e-3),
        pytest.approx(middle + 2.77645 * 4.90253, abs=1e-3),
    )


def test_the_interval_and_the_p_value_agree():
    found = fit(fractions(POINTS)).of_new(Fraction(57))
    for edge in found.interval:
        assert found.p_value(Fraction(edge)) == pytest.approx(0.05, abs=1e-9)


def test_points_on_one_line_are_as_predicted():
    line = fit(fractions([(1, 2), (2, 4), (3, 6), (4, 8)]))
    found = line.of_others(Fraction(2), Fraction(4))
    assert (found.interval, found.p_value(Fraction(4))) == ((4, 4), 1)
    assert line.of_new(Fraction(5)).p_value(Fraction(11)) == 0


@pytest.mark.parametrize("left_out", range(len(POINTS)))
def test_a_prediction_by_the_others_is_that_of_a_line_drawn_anew(left_out):
    x, y = fractions(POINTS)[left_out]
    anew = fit(fractions(POINTS[:left_out] + POINTS[left_out + 1 :])).of_new(x)
    found = fit(fractions(POINTS)).of_others(x, y)
    assert (found.middle, found.df) == (anew.middle, anew.df)
    assert found.error == pytest.approx(anew.error)


@pytest.mark.parametrize(
    ("points", "one"),
    [
        pytest.param([(1, 2), (2, 3), (3, 7)], (1, 2), id="two others fit any line"),
        pytest.param([(1, 2), (1, 3), (1, 4), (5, 5)], (5, 5), id="others with one public score"),
    ],
)
def test_where_the_others_make_no_line(points, one):
    assert fit(fractions(points)).of_others(*map(Fraction, one)) is None


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


NUMBERS = st.decimals(-99, 99, places=2)


@settings(max_examples=60)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=7))
def test_the_line_as_the_normal_equations(points):
    found, expected = fit(points), plain.line(points)
    assert (found and (found.intercept, found.slope)) == expected
    if found:
        residual = sum((Fraction(y) - found.at(x)) ** 2 for x, y in points)
        assert found.residual == residual


@settings(max_examples=60)
@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_between_the_p_values_and_bonferroni(values):
    for p, adjusted in zip(values, holm(values), strict=True):
        assert p <= adjusted <= min(1, len(values) * p) + 1e-12
