from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.splits.shake_up import RBO_P, at_random, order
from tests.reference import splits as plain

WORKED = (
    {e: -i for i, e in enumerate("abcdef")},
    dict(zip("abcdef", (-2, -6, -1, -3, -4, -5), strict=True)),
)


def orders(public: dict, private: dict):
    places = plain.ranks(public), plain.ranks(private)
    return order(*([ranks[e] for e in sorted(public)] for ranks in places))


def test_the_worked_example():
    found = orders(*WORKED)
    rounded = (found.value, found.tau_b, found.spearman, found.rbo)
    assert [round(one, 3) for one in rounded] == [0.278, 0.333, 0.314, 0.797]
    assert dict(found.overlap)[3] == pytest.approx(2 / 3)
    assert (found.n, found.top_n) == (6, 1)
    assert found.top == pytest.approx(2 / 6)  # c is 3rd on public and 1st on private


@pytest.mark.parametrize(
    ("public", "private", "value", "tau"),
    [
        pytest.param([1], [1], 0, None, id="one entry has no order"),
        pytest.param([1, 1, 1], [1, 2, 3], 1 / 3, None, id="all equal on one part"),
        pytest.param([1, 2, 3], [3, 2, 1], 4 / 9, -1, id="turned round"),
        pytest.param([1, 2, 2], [1, 2, 2], 0, 1, id="the same ties"),
    ],
)
def test_small_boards(public, private, value, tau):
    found = order(public, private)
    assert found.value == pytest.approx(value)
    assert found.tau_b == (None if tau is None else pytest.approx(tau))


@pytest.mark.parametrize("n", [2, 3, 5])
def test_unrelated_orders_by_counting_all_of_them(n):
    from itertools import permutations

    first = range(1, n + 1)
    values = [order(list(first), list(second)).value for second in permutations(first)]
    assert sum(values) / len(values) == pytest.approx(at_random(n))


SCORES = st.integers(0, 6)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=9)


@settings(max_examples=60)
@given(PAIRS)
def test_as_the_reference(pairs):
    public = {chr(97 + i): one for i, (one, _) in enumerate(pairs)}
    private = {chr(97 + i): two for i, (_, two) in enumerate(pairs)}
    found = orders(public, private)
    assert found.value == pytest.approx(float(plain.shake_up(public, private)))
    assert found.top == pytest.approx(float(plain.shake_up_top(public, private)))
    assert found.rbo == pytest.approx(plain.rbo(public, private, RBO_P))
    for mine, theirs in (
        (found.tau_b, plain.tau_b(public, private)),
        (found.spearman, plain.spearman(public, private)),
    ):
        assert mine == (None if theirs is None else pytest.approx(theirs, abs=1e-12))
    assert 0 <= found.value < 1  # ties can move an order further than any order without them
    assert -1e-12 <= found.rbo <= 1 + 1e-12
