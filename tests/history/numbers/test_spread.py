from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.numbers.column import read_column
from history.numbers.spread import SpreadReader

SCORES = ["71.2", "70", "1285"]


def measured(field, texts, scores=SCORES, *, own=False, shift=0):
    score = read_column(scores, shift=shift)
    numbers = SpreadReader(field, frozenset({"?"}), shift, own=own).read(texts, score)
    return [None if math.isnan(value) else value for value in numbers.values], numbers.dp


@pytest.mark.parametrize(
    ("field", "texts", "expected"),
    [
        pytest.param("low", ["70.4", "69.25", "?"], ([70.4, 69.25, None], 2), id="bare numbers"),
        pytest.param("low", ["±0.8", "±0.75", "-"], ([70.4, 69.25, None], 2), id="from the score"),
        pytest.param("high", ["±0.8", "±0.75", "-"], ([72.0, 70.75, None], 2), id="up to"),
        pytest.param("low", ["+1/-2", "-", "+3/-5"], ([69.2, None, 1280.0], 1), id="down"),
        pytest.param("high", ["+1/-2", "-", "-5/+3"], ([72.2, None, 1288.0], 1), id="up"),
        pytest.param("low", ["[70.4, 72]", "-", "-"], ([70.4, None, None], 1), id="an interval"),
        pytest.param("high", ["[70.4, 72]", "-", "-"], ([72.0, None, None], 1), id="its other end"),
        pytest.param("low", ["[70,72]", "[5,3]", "[-1,1]"], ([70.0, None, -1.0], 1), id="whole"),
        pytest.param(
            "low", ["±0.8", "0.75", "-"], ([70.4, None, None], 1), id="0.75 may be either"
        ),
        pytest.param("se", ["0.8", "0.75", "5"], ([0.8, 0.75, 5.0], 2), id="errors of their own"),
        pytest.param("se", ["±0.8", "±0.75", "+3/-5"], ([0.8, 0.75, None], 2), id="plus or minus"),
    ],
)
def test_a_column_of_its_own(field, texts, expected):
    assert measured(field, texts) == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        pytest.param("low", [70.4, None, 1280.0, None, None], id="low"),
        pytest.param("high", [72.0, None, 1288.0, None, None], id="high"),
        pytest.param("se", [0.8, None, None, 0.4, None], id="se"),
    ],
)
def test_the_column_of_the_score(field, expected):
    texts = ["71.2 ± 0.8", "70", "1285 +3/-5", "66.1 (0.4)", "0.712(4)"]
    assert measured(field, texts, texts, own=True)[0] == expected


def test_the_scale_of_the_score_holds_for_all():
    texts = ["0.712 ± 0.008"]
    assert measured("low", texts, texts, own=True, shift=2) == ([70.4], 1)
    assert measured("se", texts, texts, own=True, shift=2) == ([0.8], 1)
    assert measured("low", ["0.7"], ["0.712"], shift=3) == ([700.0], -2)


@given(st.decimals(-1000, 1000, places=2), st.decimals(0, 50, places=3))
def test_ends_are_exact(score, spread):
    texts = [f"{score} ± {spread}"]
    reading = read_column(texts)
    low, high = (
        SpreadReader(field, frozenset(), 0, own=True).read(texts, reading)
        for field in ("low", "high")
    )
    assert (low.ticks, high.ticks) == (
        [int((score - spread) * 1000)],
        [int((score + spread) * 1000)],
    )
