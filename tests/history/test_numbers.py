from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.numbers import ColumnReader, Interval, half_unit, mean, parse, read_column


@pytest.mark.parametrize(
    ("text", "value", "dp"),
    [
        pytest.param("67.30", Decimal("67.30"), 2, id="trailing zeros are printed decimals"),
        pytest.param("640.0", Decimal("640.0"), 1, id="a float that is whole"),
        pytest.param("-0.5", Decimal("-0.5"), 1, id="negative"),
        pytest.param("−0.5", Decimal("-0.5"), 1, id="a typographic minus"),
        pytest.param("+6.17", Decimal("6.17"), 2, id="a plus sign"),
        pytest.param(".5", Decimal("0.5"), 1, id="no whole part"),
        pytest.param("5.", Decimal("5"), 0, id="no decimals behind the point"),
        pytest.param("8.9 %", Decimal("8.9"), 1, id="a percent sign after a space"),
        pytest.param("1.00E+15", Decimal("1E15"), 0, id="a large exponent has no decimals"),
        pytest.param("1.5e-3", Decimal("0.0015"), 4, id="a small exponent adds decimals"),
        pytest.param("1,234.5", Decimal("1234.5"), 1, id="thousands before a point"),
        pytest.param("1,234,567", Decimal("1234567"), 0, id="two groups can only be thousands"),
        pytest.param("9" * 30, Decimal("9" * 30), 0, id="more digits than any float holds"),
    ],
)
def test_a_number_is_read_exactly(text, value, dp):
    printed = parse(text)
    assert (printed.value, printed.dp, printed.reason) == (value, dp, None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(None, "missing", id="no cell"),
        pytest.param("", "missing", id="an empty cell"),
        pytest.param("N/A", "missing", id="not available"),
        pytest.param("-", "missing", id="a dash"),
        pytest.param("NaN", "missing", id="not a number is missing, never zero"),
        pytest.param("inf", "not_finite", id="infinity"),
        pytest.param("-Infinity", "not_finite", id="minus infinity as JSON has it"),
        pytest.param("pending", "not_a_number", id="a word"),
        pytest.param("66.3 ± 0.4", "not_a_number", id="two numbers are not guessed at"),
        pytest.param("12 34", "not_a_number", id="two numbers with a space"),
        pytest.param("1e999", "not_a_number", id="an exponent beyond all measure"),
        pytest.param("1" * 300, "not_a_number", id="hundreds of digits"),
        pytest.param("0x10", "not_a_number", id="another base"),
        pytest.param("٣", "not_a_number", id="digits of another script"),
        pytest.param("1,234", "comma", id="a comma that could be either"),
        pytest.param("71,25", "comma", id="a decimal comma"),
    ],
)
def test_what_is_no_plain_number_says_why(text, reason):
    assert (parse(text).value, parse(text).reason) == (None, reason)


@pytest.mark.parametrize(
    ("texts", "ticks", "dp"),
    [
        pytest.param(["66.3", "70", "66.26"], [6630, 7000, 6626], 2, id="the most decimals count"),
        pytest.param(["640", "640.0"], [6400, 6400], 1, id="640 and 640.0 are one value"),
        pytest.param(["-0.0", "0"], [0, 0], 1, id="minus zero is zero"),
        pytest.param([], [], 0, id="no rows"),
        pytest.param(["N/A", "inf", "x"], [None, None, None], 0, id="no number at all"),
        pytest.param(
            ["0.1", "0.30000000000000004"],
            [100_000_000, 300_000_000],
            9,
            id="noise of full floats goes",
        ),
        pytest.param(
            ["0.9742381205", "0.97424"],
            [9742381205, 9742400000],
            10,
            id="ten decimals that are printed on purpose stay",
        ),
        pytest.param(
            ["1e15", "0.000000000001"],
            [10**27, 1],
            12,
            id="beyond 18 digits ticks are Python's integers",
        ),
        pytest.param(["71,25", "71,3"], [7125, 7130], 2, id="decimal commas throughout"),
        pytest.param(["71,25", "1.200"], [7125, 120000], 2, id="then a point groups thousands"),
        pytest.param(["1,234", "71.3"], [12340, 713], 1, id="beside a point a comma groups"),
        pytest.param(["1,234", "950"], [None, 950], 0, id="alone it stays unread"),
        pytest.param(["71,25", "71.3"], [None, 713], 1, id="both marks: the commas stay unread"),
    ],
)
def test_a_column_in_ticks(texts, ticks, dp):
    column = read_column(texts)
    assert (column.ticks, column.dp) == (ticks, dp)


@pytest.mark.parametrize(
    ("options", "texts", "ticks", "dp", "values"),
    [
        pytest.param({"decimals": 2}, ["70", "66.3"], [7000, 6630], 2, [70.0, 66.3], id="more"),
        pytest.param(
            {"decimals": 1}, ["66.25", "-66.25"], [663, -663], 1, [66.3, -66.3], id="fewer: half up"
        ),
        pytest.param({"shift": 2}, ["0.571", "0.5"], [571, 500], 1, [57.1, 50.0], id="times 100"),
        pytest.param({"shift": 2}, ["5"], [5], -2, [500.0], id="hundreds are no units"),
        pytest.param({"shift": -2}, ["57.1"], [571], 3, [0.571], id="a hundredth"),
        pytest.param(
            {"shift": 2, "decimals": 2}, ["0.57126"], [5713], 2, [57.13], id="both: of the product"
        ),
        pytest.param(
            {"missing": frozenset({"--"})}, ["--", "1"], [None, 1], 0, [math.nan, 1.0], id="missing"
        ),
    ],
)
def test_options_of_a_column(options, texts, ticks, dp, values):
    column = read_column(texts, **options)
    assert (column.ticks, column.dp) == (ticks, dp)
    assert column.values == pytest.approx(values, nan_ok=True)


def test_reasons_stand_beside_the_gaps():
    column = read_column(["1", None, "inf", "soon"])
    assert column.reasons == [None, "missing", "not_finite", "not_a_number"]
    assert read_column(["1", "2"]).reasons is None


_CELLS = st.one_of(
    st.none(),
    st.decimals(-1000, 1000, places=2).map(str),
    st.floats(0, 1).map(repr),
    st.sampled_from(["", "inf", "71,25", "1,234", "1.200", "n/a", "7", "7.0", "--", "1e20"]),
)


@given(
    st.lists(st.lists(_CELLS, max_size=8), max_size=6),
    st.sampled_from([None, 0, 2]),
    st.sampled_from([0, 2, -2]),
)
def test_version_by_version_gives_what_each_alone_gives(versions, decimals, shift):
    missing = frozenset({"--"})
    reader = ColumnReader(missing, decimals, shift)
    grown = list(versions)
    for texts in versions:  # neighbours that differ in one cell, too
        grown += [[*texts[:-1], "3.5"] if texts else texts, texts]
    for texts in grown:
        got = reader.read(texts)
        alone = read_column(texts, missing=missing, decimals=decimals, shift=shift)
        assert (got.dp, got.ticks, got.reasons) == (alone.dp, alone.ticks, alone.reasons)
        assert got.values == pytest.approx(alone.values, nan_ok=True, rel=0, abs=0)


@given(st.decimals(-(10**6), 10**6, places=3))
def test_a_tick_is_the_printed_number(number):
    column = read_column([str(number), "0.0001"])
    assert Fraction(column.ticks[0], 10**column.dp) == Fraction(number)


def test_half_units():
    assert [half_unit(dp) for dp in (0, 2, -1)] == [Fraction(1, 2), Fraction(1, 200), 5]


def test_intervals_of_printed_numbers():
    exact = Interval.printed
    gain = exact("70.2") - exact("66.26")
    ratio = exact("32.94") / exact("2.12")
    claimed = Interval.around(Decimal("4.0"), half_unit(1))
    assert (gain.low, gain.high) == (Fraction("3.885"), Fraction("3.995"))
    assert gain.meets(claimed)
    assert not claimed.holds(gain)
    assert not claimed.holds(gain.middle)
    assert [round(float(end), 3) for end in (ratio.low, ratio.high)] == [15.499, 15.577]
    assert exact("67.31") == Interval(Fraction("67.305"), Fraction("67.315"))
    assert exact("70", dp=2) == Interval.around(70, Fraction(1, 200))


def test_arithmetic_of_intervals():
    one, two = Interval(Fraction(1), Fraction(2)), Interval(Fraction(-1), Fraction(3))
    assert one + two == Interval(Fraction(0), Fraction(5))
    assert one - two == Interval(Fraction(-2), Fraction(3))
    assert one * two == Interval(Fraction(-2), Fraction(6))
    assert 1 / one == Interval(Fraction(1, 2), Fraction(1))
    assert 3 - one == Interval(Fraction(1), Fraction(2))
    assert mean([one, two]) == Interval(Fraction(0), Fraction(5, 2))
    with pytest.raises(ZeroDivisionError):
        one / two
    with pytest.raises(ValueError, match="no number"):
        Interval.printed("pending")
    with pytest.raises(ValueError, match="upwards"):
        Interval(Fraction(1), Fraction(0))
