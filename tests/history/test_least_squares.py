from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.least_squares import fit
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


NUMBERS = st.decimals(-99, 99, places=2)


@settings(max_examples=60)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=7))
def test_the_line_as_the_normal_equations(points):
    found, expected = fit(points), plain.line(points)
    assert (found and (found.intercept, found.slope)) == expected
    if found:
        residual = sum((Fraction(y) - found.at(x)) ** 2 for x, y in points)
        assert found.residual == residual
