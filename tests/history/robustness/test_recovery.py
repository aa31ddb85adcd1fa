"""Weights from printed numbers: the boards of methods section 4, and the edges."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.numbers import Interval
from history.robustness.recovery import Row, line_through, recover, rows_of
from tests.history.robustness.carbon import composite


def row(entry: str, total: str, *parts: str) -> Row:
    return Row(entry, tuple(Interval.printed(part) for part in parts), Interval.printed(total))


TEXT = [
    row("d3-turbo", "67.31", "71.62", "64.29", "56.41"),
    row("d3", "67.15", "65.45", "62.83", "57.86"),
]
TURBO, D3 = row("d3-turbo", "72.46", "76.84", "68.08"), row("d3", "71.26", "74.08", "68.45")


def test_the_text_board_is_no_mean():
    found = recover(TEXT)
    assert not found.possible
    assert [one.entry for one in found.forbidden] == ["d3"]
    assert found.forbidden[0].why == "its total 67.15 is above its largest part 65.45"
    assert found.weights == ()


def test_one_line_from_the_mix_to_the_text_board():
    """0.6 same + 0.4 new gives 61.138 and 60.842: slope 0.54, by rounding 0.49 to 0.59."""
    private = [Row(one.entry, one.parts[1:], one.total) for one in TEXT]
    found = line_through(private, [Fraction(3, 5), Fraction(2, 5)])
    assert (round(found.low, 2), round(found.high, 2)) == (0.49, 0.59)
    mixed = [
        sum(p.middle * w for p, w in zip(one.parts, (Fraction(3, 5), Fraction(2, 5)), strict=True))
        for one in private
    ]
    assert [float(one) for one in mixed] == [61.138, 60.842]
    assert round(float((Fraction("67.31") - Fraction("67.15")) / (mixed[0] - mixed[1])), 2) == 0.54


@pytest.mark.parametrize(
    ("one", "weight"),
    [
        pytest.param(TURBO, 0.5000, id="of the first"),
        pytest.param(D3, 0.4991, id="of the other"),
    ],
)
def test_the_vision_board_is_half_public(one, weight):
    (low, high), _ = recover([one]).weights
    assert (low + high) / 2 == pytest.approx(weight, abs=5e-5)
    assert (high - low) / 2 <= 0.002


def test_both_rows_pin_the_vision_weight_down():
    found = recover([TURBO, D3])
    (low, high), (rest_low, rest_high) = found.weights
    assert found.possible and low < 0.5 < high and high - low < 0.003
    assert (rest_low, rest_high) == (
        pytest.approx(1 - high, abs=1e-6),
        pytest.approx(1 - low, abs=1e-6),
    )


def test_carbon_x_is_the_plain_mean():
    found = recover(rows_of(composite()))
    assert found.possible and found.n == 7
    assert all(low < 0.2 < high and high - low < 0.05 for low, high in found.weights)


def test_rows_that_do_not_agree_are_named():
    rows = [row(f"e{n}", str(50 + n), str(40 + 2 * n), "60") for n in range(8)]
    rows[5] = row("e5", "58", "50", "60")
    found = recover(rows)
    assert [one.entry for one in found.forbidden] == ["e5"]
    assert "off by at least" in found.forbidden[0].why


def test_a_total_below_every_part():
    found = recover([row("ash", "10", "40", "60")])
    assert found.forbidden[0].why == "its total 10 is below its smallest part 40"


def test_one_entry_fits_any_line():
    found = recover(TEXT[:1], line=True)
    assert found.possible and found.slope.high == float("inf")


def test_a_line_is_found():
    """The total is 10 + 0.5 (u + v) / 2."""
    parts = [("10.0", "30.0"), ("50.0", "20.0"), ("80.0", "70.0"), ("35.0", "95.0")]
    rows = [
        row(f"e{n}", f"{10 + (float(u) + float(v)) / 4:.2f}", u, v)
        for n, (u, v) in enumerate(parts)
    ]
    assert not recover(rows).possible
    found = recover(rows, line=True)
    assert found.slope.low <= 0.5 <= found.slope.high < 0.51
    assert found.intercept.low <= 10 <= found.intercept.high
    assert all(low <= 0.25 <= high for low, high in found.weights)


def test_nothing_to_look_at():
    with pytest.raises(ValueError, match="no entry has all parts and a total"):
        recover([])


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_true_weights_are_among_those_found(data):
    k = data.draw(st.integers(2, 4))
    shares = data.draw(st.lists(st.integers(0, 9), min_size=k, max_size=k).filter(any))
    weights = [Fraction(one, sum(shares)) for one in shares]
    numbers = st.lists(st.integers(0, 1000), min_size=k, max_size=k)
    rows = []
    for n, ticks in enumerate(data.draw(st.lists(numbers, min_size=1, max_size=6))):
        total = sum(w * tick for w, tick in zip(weights, ticks, strict=True)) / 10
        printed = Fraction(round(total * 10), 10)
        rows.append(
            Row(
                f"e{n}",
                tuple(Interval.around(Fraction(tick, 10), Fraction(1, 20)) for tick in ticks),
                Interval.around(printed, Fraction(1, 20)),
            )
        )
    found = recover(rows)
    assert found.possible
    for (low, high), weight in zip(found.weights, weights, strict=True):
        assert low - 1e-5 <= float(weight) <= high + 1e-5
