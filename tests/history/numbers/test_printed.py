from __future__ import annotations

import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        pytest.param("-.inf", "not_finite", id="minus infinity as YAML has it"),
        pytest.param(".nan", "missing", id="no number as YAML has it"),
        pytest.param("pending", "not_a_number", id="a word"),
        pytest.param("12 34", "not_a_number", id="two numbers with a space"),
        pytest.param("1e999", "not_a_number", id="an exponent beyond all measure"),
        pytest.param("1" * 300, "not_a_number", id="hundreds of digits"),
        pytest.param("0x10", "not_a_number", id="another base"),
        pytest.param("٣", "not_a_number", id="digits of another script"),
        pytest.param("1,234", "comma", id="a comma that could be either"),
        pytest.param("71,25", "comma", id="a decimal comma"),
        pytest.param("1,2k", "comma", id="a decimal comma before k"),
        pytest.param("TBD", "not_a_number", id="a word for later"),
        pytest.param("１２", "not_a_number", id="wide digits"),
        pytest.param("71.2a", "not_a_number", id="a letter that is no unit"),
        pytest.param("5 students", "not_a_number", id="a word that begins like a unit"),
        pytest.param("12/17", "not_a_number", id="a fraction"),
        pytest.param("70-75", "not_a_number", id="from one number to another"),
        pytest.param("71.2 (rank 3)", "not_a_number", id="words in brackets"),
        pytest.param("$5 €", "not_a_number", id="two units"),
        pytest.param("-$-5", "not_a_number", id="two signs"),
        pytest.param("+3/-5", "not_a_number", id="a spread alone"),
        pytest.param("↑", "not_a_number", id="an arrow alone"),
        pytest.param("1️⃣", "not_a_number", id="a picture of a digit"),
        pytest.param("<0.1", "bound", id="below a bound"),
        pytest.param("≥ 99%", "bound", id="at least"),
        pytest.param("1000+", "bound", id="and more"),
        pytest.param("~71", "about", id="about"),
        pytest.param("≈71.2 ms", "about", id="about, with a unit"),
        pytest.param("(0.4)", "ambiguous", id="in brackets, as accountants write what is below 0"),
        pytest.param("▼ 3", "ambiguous", id="a fall, or a number"),
        pytest.param("1 234.5", "ambiguous", id="with a plain space it may be two numbers"),
        pytest.param("10^6", "ambiguous", id="a power, or a footnote"),
        pytest.param("10²", "ambiguous", id="a power, or a raised footnote"),
    ],
)
def test_what_is_no_plain_number_says_why(text, reason):
    assert (parse(text).value, parse(text).reason) == (None, reason)


@pytest.mark.parametrize(
    ("text", "value", "unit", "spread"),
    [
        pytest.param("71.2%", "71.2", "%", None, id="percent"),
        pytest.param("3.0 %", "3.0", "%", None, id="percent after a space"),
        pytest.param("12.3s", "12.3", "s", None, id="a unit"),
        pytest.param("45\u00a0msec", "45", "ms", None, id="a unit of another spelling"),
        pytest.param("$0.12", "0.12", "$", None, id="money"),
        pytest.param("-$5", "-5", "$", None, id="a loss"),
        pytest.param("5 €", "5", "€", None, id="money behind"),
        pytest.param("1.2k", "1200", "", None, id="thousands"),
        pytest.param("8B", "8E9", "", None, id="billions"),
        pytest.param("$1.2M", "1.2E6", "$", None, id="millions of something"),
        pytest.param("1.2×10^-3", "0.0012", "", None, id="a power of ten"),
        pytest.param("1\u2009234.5", "1234.5", "", None, id="groups with thin spaces"),
        pytest.param("1’234’567", "1234567", "", None, id="groups with apostrophes"),
        pytest.param("71.2†", "71.2", "", None, id="a footnote mark"),
        pytest.param("*71.2 [1]", "71.2", "", None, id="footnote marks on both sides"),
        pytest.param("71.2¹²", "71.2", "", None, id="raised digits"),
        pytest.param("71.2^1", "71.2", "", None, id="a raised digit as people type it"),
        pytest.param("🥇 91.2", "91.2", "", None, id="a medal"),
        pytest.param("#1", "1", "", None, id="a rank"),
        pytest.param("▲ 3", "3", "", None, id="a rise"),
        pytest.param("91.2 ▼", "91.2", "", None, id="an arrow behind"),
        pytest.param("48.0% (108/225)", "48.0", "%", None, id="a share and its counts"),
        pytest.param("71.2 ± 0.8", "71.2", "", ("even", "0.8", "0.8"), id="plus or minus"),
        pytest.param("71.2% +/- 0.8", "71.2", "%", ("even", "0.8", "0.8"), id="typed"),
        pytest.param("71.2 (±0.8)", "71.2", "", ("even", "0.8", "0.8"), id="in brackets"),
        pytest.param("1.2k ± 0.1k", "1200", "", ("even", "0.1e3", "0.1e3"), id="both in thousands"),
        pytest.param("71.2 ± 0.8%", "71.2", "", None, id="a spread in another unit is none"),
        pytest.param("1285 +3/-5", "1285", "", ("uneven", "5", "3"), id="up and down"),
        pytest.param("1285 (−5/+3)", "1285", "", ("uneven", "5", "3"), id="down and up"),
        pytest.param("69 [68,70]", "69", "", ("ends", "68", "70"), id="an interval of whole ends"),
        pytest.param("71.2 [70.4, 72.0]", "71.2", "", ("ends", "70.4", "72.0"), id="an interval"),
        pytest.param("71.2 (70.4-72.0)", "71.2", "", ("ends", "70.4", "72.0"), id="with a dash"),
        pytest.param("71.2 (0.4)", "71.2", "", ("bracket", "0.4", "0.4"), id="who knows what"),
        pytest.param("71.2 (+0.4)", "71.2", "", None, id="a change"),
        pytest.param("71.2 (9.0, 9.5)", "71.2", "", None, id="two numbers, not round it"),
    ],
)
def test_what_stands_round_a_number(text, value, unit, spread):
    printed = parse(text)
    assert (printed.value, printed.unit.name, printed.reason) == (Decimal(value), unit, None)
    assert printed.spread == spread


@pytest.mark.parametrize("text", ["+3/-5", "(-5/+3)", "±0.8", "[70.4,72.0]"])
def test_a_spread_alone_is_kept_though_it_is_no_number(text):
    assert (parse(text).value, parse(text).spread is None) == (None, False)


DECORATED = [
    "{}%", "{} %", "{} ± 0.8", "{}±0.8", "{} (±0.8)", "{} +/- 0.8", "{} +3/-5", "{} (0.4)", "{}ms",
    "{} s", "{} x", "{}†", "{}*", "**{}**", "{}¹", "{} [1]", "{}^2", "🥇 {}", "▲ {}", "{} ↓",
    "{} (3/7)", "\u00a0{} ", "{} GB", "{}% (±0.8)†",
]  # fmt: skip


@given(st.decimals(-(10**9), 10**9, allow_nan=False), st.sampled_from(DECORATED))
def test_decoration_does_not_change_a_number(number, decoration):
    bare, decorated = parse(f"{number:f}"), parse(decoration.format(f"{number:f}"))
    assert (decorated.digits, decorated.dp) == (bare.digits, bare.dp)
    assert (decorated.significant, decorated.number) == (bare.significant, bare.number)


_PIECES = (
    st.text() | st.text("0123456789.,+-−±()[]% kMe^×$£†▼🥇 \u2009/<~ ") | st.sampled_from(DECORATED)
)


@given(st.lists(_PIECES, max_size=12).map("".join), st.integers(1, 10_000))
def test_no_text_is_too_much(text, times):
    text = (text * times)[:10_000]
    start = time.process_time()
    printed = parse(text)
    assert time.process_time() - start < 0.05
    assert (printed.value is None) == (printed.reason is not None) == (printed.unit is None)
    assert (printed.either is None) == (printed.reason != "ambiguous")


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
    for text in ("pending", "71.2 ± 0.8", "45 ms"):
        with pytest.raises(ValueError, match="no number"):
            Interval.printed(text)
    with pytest.raises(ValueError, match="upwards"):
        Interval(Fraction(1), Fraction(0))
