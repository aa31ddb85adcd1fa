from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.uncertainty import (
    mcnemar,
    paired_bootstrap,
    possible_counts,
    unpaired,
    without_items,
    without_items_printed,
)
from history.uncertainty.errors import of_share
from tests.reference import uncertainty as plain

counts = st.integers(1, 60).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))
)


def test_two_scores_over_the_same_items_without_results_item_by_item():
    found = without_items(1498, 1472, 2000)
    rows = [
        (w.name, w.test.b, w.test.c, round(100 * w.agreement, 1), round(w.test.z, 2))
        for w in found.overlaps
    ]
    assert rows == [
        ("largest", 26, 0, 98.7, 5.1),
        ("independent", 395, 369, 61.8, 0.94),
        ("smallest", 528, 502, 48.5, 0.81),
    ]
    assert [w.test.p for w in found.overlaps] == pytest.approx([3e-8, 0.37, 0.44], rel=0.02)
    assert found.agreement_needed == pytest.approx(0.912, abs=0.0005)
    assert found.significant is None
    assert str(found.undecided) == (
        "not decidable from this file (1498 and 1472 right of 2000, not which): "
        "it would take the results of both entries item by item"
    )


def test_the_exact_test_needs_a_little_more_agreement():
    """164 of 2,000 items that differ, 91.8% agreement, give p = 0.0506; 162 give 0.0492."""
    assert without_items(1498, 1472, 2000).agreement_needed_exact == 1 - 162 / 2000
    assert [mcnemar(95, 69).significant, mcnemar(94, 68).significant] == [False, True]


def test_rounding_leaves_a_range_of_agreements():
    one, other = possible_counts("0.749", 2000, per=1), possible_counts("0.736", 2000, per=1)
    found = without_items_printed(one, other, 2000)
    ends = [found.closest, found.farthest]
    assert [end.one - end.other for end in ends] == [24, 28]
    assert [end.agreement_needed for end in ends] == pytest.approx([0.925, 0.898], abs=0.0005)
    assert (found.significant, found.undecided.code) == (None, "NO_PAIRED_RESULTS")


def test_the_unpaired_difference_says_which_error_it_counts_in():
    found = unpaired(0.749, 0.736, of_share(0.749, 2000), of_share(0.736, 2000))
    assert (round(found.z, 2), round(found.p, 2), found.significant) == (0.94, 0.35, False)
    assert found.error.name == "item standard error of a difference"
    assert found.error.assumes == "both scores measured apart (unpaired)"


@pytest.mark.parametrize(
    ("one", "other", "n", "significant"),
    [
        pytest.param(1900, 1000, 2000, True, id="more apart than any overlap explains"),
        pytest.param(1002, 1000, 2000, False, id="two items apart, however they overlap"),
        pytest.param(1000, 1000, 2000, False, id="equal counts"),
        pytest.param(1040, 1000, 2000, None, id="between them it hangs on the items"),
        pytest.param(0, 0, 1, False, id="nobody is right"),
    ],
)
def test_some_gaps_are_decided_without_the_items(one, other, n, significant):
    found = without_items(one, other, n)
    assert found.significant is significant
    assert (found.undecided is None) == (significant is not None)


@given(counts)
def test_the_true_pair_is_inside_the_bounds(case):
    """Property 12 of methods: b + c of every possible overlap is between the ends."""
    one, other, n = case
    first, middle, last = (w.test.b + w.test.c for w in without_items(one, other, n).overlaps)
    sums = [b + c for b, c in plain.overlaps(one, other, n)]
    assert (first, last) == (min(sums), max(sums))
    assert middle in sums


@given(counts, st.data())
def test_agreement_needed_falls_with_the_gap_and_rises_with_the_items(case, data):
    one, other, n = case
    needed = without_items(one, other, n).agreement_needed
    if needed is None:
        assert one == other
        return
    more = data.draw(st.integers(n, 200))
    assert without_items(one, other, more).agreement_needed >= needed
    if (one > other and one < n) or (one < other and one > 0):
        wider = one + (1 if one > other else -1)
        assert without_items(wider, other, n).agreement_needed <= needed


@given(counts)
def test_every_overlap_is_tested_as_its_definition_says(case):
    one, other, n = case
    found, ways = without_items(one, other, n), plain.overlaps(one, other, n)
    tests = [mcnemar(b, c) for b, c in ways]
    exact = [float(plain.exact_p(b, c)) for b, c in ways]
    assert [test.p for test in tests] == pytest.approx(exact)
    said = {p <= 0.05 for p in exact}
    assert found.significant is (said.pop() if len(said) == 1 else None)
    needed = plain.agreement_needed(one, other, n, 0.95)
    assert found.agreement_needed_exact == (
        None if needed is None else pytest.approx(float(needed))
    )


@given(
    st.integers(2, 25).flatmap(
        lambda n: st.tuples(*[st.integers(0, n)] * 2, *[st.integers(0, 3)] * 2, st.just(n))
    )
)
def test_a_range_of_counts_is_decided_only_if_all_of_them_are(case):
    low_one, low_other, more_one, more_other, n = case
    one = range(low_one, min(n, low_one + more_one) + 1)
    other = range(low_other, min(n, low_other + more_other) + 1)
    found = without_items_printed(one, other, n)
    each = {without_items(x, y, n).significant for x, y in product(one, other)}
    signs = {x > y for x, y in product(one, other)}
    if found.significant is not None:
        assert each == {found.significant}
    if found.significant:
        assert len(signs) == 1
    gaps = [abs(x - y) for x, y in product(one, other)]
    ends = (found.closest, found.farthest)
    assert [abs(end.one - end.other) for end in ends] == [min(gaps), max(gaps)]


def test_a_paired_bootstrap_draws_whole_clusters():
    """Ten items of each cluster always go together, so the interval is sqrt(10) times wider."""
    rng = np.random.default_rng(5)
    single = rng.integers(0, 2, (2, 200))
    one, other = np.repeat(single, 10, axis=1)
    apart = paired_bootstrap(one, other)
    together = paired_bootstrap(one, other, np.repeat(np.arange(200), 10))
    assert (apart.units, together.units, together.draws) == (2000, 200, 10_000)
    assert apart.value == together.value == pytest.approx((one - other).mean())
    wider = (together.high - together.low) / (apart.high - apart.low)
    assert wider == pytest.approx(10**0.5, rel=0.05)
    assert together.low < together.value < together.high


@pytest.mark.parametrize(
    ("call", "said"),
    [
        pytest.param(lambda: mcnemar(-1, 0), "b = -1", id="a negative count"),
        pytest.param(lambda: without_items(11, 5, 10), "11 and 5", id="more right than items"),
        pytest.param(lambda: unpaired(1, 2, 0, 0), "above 0", id="no error at all"),
        pytest.param(lambda: without_items_printed(range(0), range(1), 9), "no number", id="odd"),
        pytest.param(lambda: paired_bootstrap([1, 0], [1, 0], [1]), "each", id="no cluster"),
    ],
)
def test_what_is_no_pair_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
