from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.numbers import parse
from history.numbers.column import ColumnReader, read_column


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
            {"shares": True},
            ["0.712", "69.8", "-0.05", "1", "0"],
            [712, 698, -50, 1000, 0],
            1,
            [71.2, 69.8, -5.0, 100.0, 0.0],
            id="shares of 1 among percentages",
        ),
        pytest.param(
            {"shares": True},
            ["0.5%", "0.005", "70"],
            [5, 5, 700],
            1,
            [0.5, 0.5, 70.0],
            id="a percentage below 1 says so",
        ),
        pytest.param(
            {"shares": True, "decimals": 0},
            ["0.715", "69.4"],
            [72, 69],
            0,
            [72.0, 69.0],
            id="decimals of the percentage",
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
    st.sampled_from([(0, False), (2, False), (-2, False), (0, True)]),
)
def test_version_by_version_gives_what_each_alone_gives(versions, decimals, scale):
    missing, (shift, shares) = frozenset({"--"}), scale
    reader = ColumnReader(missing, decimals, shift, shares)
    grown = list(versions)
    for texts in versions:  # neighbours that differ in one cell, too
        grown += [[*texts[:-1], "3.5"] if texts else texts, texts]
    for texts in grown:
        got = reader.read(texts)
        alone = read_column(texts, missing=missing, decimals=decimals, shift=shift, shares=shares)
        assert (got.dp, got.ticks, got.reasons) == (alone.dp, alone.ticks, alone.reasons)
        assert got.values == pytest.approx(alone.values, nan_ok=True, rel=0, abs=0)


@given(
    st.lists(
        st.text("0123459.-", max_size=6) | st.sampled_from(["7.25", "-0.0", "12345678901234"]),
        min_size=1,
    ),
    st.sampled_from([None, 1, 3]),
    st.sampled_from([0, 2, -2]),
)
def test_plain_columns_are_read_as_any_other(texts, decimals, shift):
    plain = read_column(texts, decimals=decimals, shift=shift)
    gap = read_column([*texts, None], decimals=decimals, shift=shift)
    assert (plain.dp, plain.ticks) == (gap.dp, gap.ticks[:-1])
    assert list(map(repr, plain.values)) == list(map(repr, gap.values[:-1]))
    for text, reason in zip(texts, plain.reasons or [None] * len(texts), strict=True):
        assert reason == parse(text).reason


@given(st.decimals(-(10**6), 10**6, places=3))
def test_a_tick_is_the_printed_number(number):
    column = read_column([str(number), "0.0001"])
    assert Fraction(column.ticks[0], 10**column.dp) == Fraction(number)
