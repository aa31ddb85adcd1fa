from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from history.numbers import Interval, half_unit, mean, parse


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
