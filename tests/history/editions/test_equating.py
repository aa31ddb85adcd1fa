"""Lines between two scales, and the most that is known of each."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.editions.equating import EquatingError, fit, fit_versions, linear
from tests.history.editions.frames import by_name
from tests.reference import editions as plain

NEW_DOMAINS = {"decider-chat": "54.01", "rune": "43.2", "vega": "48.12", "kev": "51.51"}
EQ_O = {"decider-chat": "69.35", "rune": "56", "vega": "62.07", "kev": "66.26"}


def test_the_line_of_new_domains_at_04():
    line = fit(NEW_DOMAINS, EQ_O, "linear")
    assert (round(float(line.shift), 4), round(float(line.slope), 5)) == (2.6468, 1.23498)
    assert max(abs(float(one)) for one in line.residuals.values()) <= 0.004
    assert line.label == "fitted"
    # with the mean and deviation of the public scale kept: sO and mO of the new tests
    sd = Fraction("16.539081") / line.slope
    assert round(float(sd), 2) == 13.39
    assert round(float(sd * (Fraction("23.4973") - line.shift) / Fraction("16.539081")), 2) == 16.88


def test_constants_of_the_file_are_no_fit():
    line = linear("24.268626", "16.350451", "23.4973", "16.539081")
    assert (line.label, line.n, line.worst, line.spread) == ("from the file", 0, None, None)
    assert [round(float(line(raw)), 2) for raw in ("56.88", "57.09", "55.71", "55.51")] == [
        56.48,
        56.70,
        55.30,
        55.10,
    ]
    assert line.words() == "y = 1.01154*x - 1.05131 (from the file)"


# Rows of methods 6.2 that are listed in both, under old data and formula, and new ones.
BEFORE = {"d3": "69.06", "r1": "71.90", "r2": "70.80", "r3": "70.10", "fm": "68.90", "el": "70.00"}
AFTER = {"d3": "67.15", "r1": "70.40", "r2": "69.30", "r3": "68.60", "fm": "67.40", "el": "68.20"}


def test_a_shift_is_the_median_difference():
    line = fit(BEFORE, AFTER)
    assert (line.slope, line.shift, line.n) == (1, Fraction("-1.5"), 6)
    assert line.worst == ("d3", Fraction("-0.41"))
    assert line.words() == (
        "y = x - 1.5 (fitted on 6 common entries by the median shift, farthest off: d3 by -0.41)"
    )


def test_a_line_between_two_versions():
    old, new = ({e: (text,) for e, text in one.items()} for one in (BEFORE, AFTER | {"new": "50"}))
    table = pd.concat([by_name(old, "score"), by_name(new, "score", version=4)])
    assert fit_versions(table, 0, 4) == fit(BEFORE, AFTER)
    assert fit_versions(table, 0, 4, "linear") == fit(BEFORE, AFTER, "linear")


@pytest.mark.parametrize(
    ("before", "after", "method"),
    [
        pytest.param({"a": 1}, {"b": 1}, "shift", id="nobody in common"),
        pytest.param({"a": 1, "b": 2}, {"a": 1, "b": 2}, "linear", id="two points fit any line"),
        pytest.param(dict.fromkeys("abc", 1), dict.fromkeys("abc", 2), "linear", id="all equal"),
    ],
)
def test_what_cannot_be_fitted(before, after, method):
    with pytest.raises(EquatingError) as error:
        fit(before, after, method)
    assert error.value.code == "TOO_FEW_ENTRIES"


def test_a_standard_deviation_of_0_equates_nothing():
    with pytest.raises(EquatingError, match="deviation of 0"):
        linear(1, 0, 1, 1)


NUMBERS = st.decimals(0, 100, places=2, allow_nan=False, allow_infinity=False).map(Fraction)
ENTRIES = [f"e{n}" for n in range(12)]


@settings(max_examples=40)
@given(xs=st.lists(NUMBERS, min_size=3, max_size=12, unique=True), slope=NUMBERS, shift=NUMBERS)
def test_a_planted_line_is_found(xs, slope, shift):
    before = dict(zip(ENTRIES, xs, strict=False))
    line = fit(before, {e: slope * x + shift for e, x in before.items()}, "linear")
    assert (line.slope, line.shift) == (slope, shift)
    assert set(line.residuals.values()) == {0}


@settings(max_examples=40)
@given(points=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=12))
def test_lines_are_those_of_the_plain_way(points):
    before = {e: x for e, (x, _) in zip(ENTRIES, points, strict=False)}
    after = {e: y for e, (_, y) in zip(ENTRIES, points, strict=False)}
    assert fit(before, after).shift == plain.median_shift(points)
    if len({x for x, _ in points}) > 1:
        line = fit(before, after, "linear")
        assert (line.slope, line.shift) == plain.least_squares(points)
        assert sum(line.residuals.values()) == 0


@settings(max_examples=40)
@given(xs=st.lists(NUMBERS, min_size=5, max_size=12), shift=NUMBERS, wild=NUMBERS)
def test_one_re_scored_entry_does_not_pull_the_shift(xs, shift, wild):
    before = dict(zip(ENTRIES, xs, strict=False))
    after = {entry: x + shift for entry, x in before.items()} | {"e0": wild}
    assert fit(before, after).shift == shift
