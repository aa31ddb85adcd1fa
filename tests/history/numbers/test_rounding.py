"""Does each way of rounding give what the language that it is named after gives?"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history import ranks
from history.numbers.column import read_column
from history.numbers.rounding import rounded
from tests.history.definitions import TABLE, meaning_of

EVERY = range(5, 100_000, 10)  # x.xx5 in thousandths, from 0 to 100


@pytest.mark.parametrize(
    ("digits", "own", "dp", "expected"),
    [
        pytest.param(125, 3, 2, (13, 12, 13, 12), id="a half that is binary, too"),
        pytest.param(25, 1, 0, (3, 2, 3, 2), id="two and a half"),
        pytest.param(-25, 1, 0, (-3, -2, -3, -2), id="below 0"),
        pytest.param(1005, 3, 2, (101, 100, 100, 100), id="its binary number is a little less"),
        pytest.param(71_2449, 4, 2, (7124, 7124, 7124, 7124), id="once, not twice"),
        pytest.param(15, 1, 0, (2, 2, 2, 2), id="to the even digit above"),
        pytest.param(10**400 + 5, 1, 0, (10**399 + 1, 10**399, 10**399 + 1, 10**399), id="large"),
    ],
)
def test_ways_of_rounding(digits, own, dp, expected):
    modes = ("half up", "half even", "toFixed", "printf")
    assert tuple(rounded(digits, own, dp, mode) for mode in modes) == expected


def test_printf_is_python_and_half_up_is_school():
    """The counts of every number x.xx5 below 100."""
    python = [int(f"{n / 1000:.2f}".replace(".", "")) for n in EVERY]
    assert [rounded(n, 3, 2, "printf") for n in EVERY] == python
    school = [rounded(n, 3, 2) for n in EVERY]
    numpy = np.rint(np.round(np.array(EVERY) / 1000, 2) * 100).astype(int).tolist()
    assert sum(one != other for one, other in zip(school, python, strict=True)) == 5_000
    assert sum(one != other for one, other in zip(numpy, python, strict=True)) == 4_227


@given(st.integers(-(10**9), 10**9), st.integers(1, 6))
def test_decimal_rounding_is_that_of_decimal(digits, own):
    exact = Decimal(digits).scaleb(-own)
    for mode, name in (("half up", ROUND_HALF_UP), ("half even", ROUND_HALF_EVEN)):
        assert rounded(digits, own, 0, mode) == int(exact.quantize(Decimal(1), name))


def test_ranks_after_rounding():
    def ranked(decimals):
        column = read_column(["67.3149", "67.3051", "67.2951"], decimals=decimals)

        return ranks.convention_ranks(pd.Series(column.ticks, dtype="Int64")).tolist()

    assert [ranked(None), ranked(2), ranked(1)] == [[1, 2, 3], [1, 1, 3], [1, 1, 1]]


def test_a_definition_names_the_way(tmp_path):
    said = meaning_of(tmp_path, TABLE + 'decimals = 2\nrounding = "toFixed"\n')
    assert said.table.rounding == "toFixed"
    column = read_column(["1.005", "0.125"], decimals=2, rounding=said.table.rounding)
    assert column.ticks == [100, 13]
