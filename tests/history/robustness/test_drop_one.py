"""Who is first without a part: methods section 4, and the reference."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from history.robustness import Composite
from history.robustness.drop_one import Leads, drop_one, subsets
from tests.history.robustness.carbon import CARBON, GEMINI, GPT, OPUS, composite
from tests.history.robustness.tables import composites, table_of
from tests.reference import robustness as reference

CASES = {case.dropped: case for case in drop_one(composite())}


@pytest.mark.parametrize(
    ("dropped", "top", "carbon_x"),
    [
        pytest.param(None, [(GPT, 67.54), (CARBON, 66.68), (OPUS, 60.92)], 2, id="with all"),
        pytest.param(
            "coding", [(GPT, 66.675), (CARBON, 64.625), (GEMINI, 60.65)], 2, id="without Coding"
        ),
        pytest.param(
            "non_snv", [(CARBON, 62.075), (GPT, 61.5), (OPUS, 52.45)], 1, id="without Non-SNV"
        ),
        pytest.param(
            "genome_qa", [(GPT, 67.625), (CARBON, 67.45), (OPUS, 60.6)], 2, id="without GenomeQA"
        ),
        pytest.param(
            "next_base", [(GPT, 76.2), (OPUS, 75.875), (CARBON, 73.5)], 3, id="without NextBase"
        ),
        pytest.param(
            "frontier_vep",
            [(CARBON, 65.75), (GPT, 65.7), (OPUS, 57.1)],
            1,
            id="without FrontierVEP",
        ),
    ],
)
def test_the_carbon_x_table(dropped, top, carbon_x):
    case = CASES[dropped]
    assert [(place.entries, float(place.mean)) for place in case.top] == [
        ((entry,), mean) for entry, mean in top
    ]
    assert case.ranks[composite().entries.index(CARBON)] == carbon_x


def test_rounding_leaves_the_gap_open():
    """Inputs of one decimal: 0.05 on each mean, 0.1 on each gap."""
    case = CASES["frontier_vep"]
    gap = case.gap, case.gap_range.low, case.gap_range.high
    assert [float(one) for one in gap] == [0.05, -0.05, 0.15]
    assert [name for name, one in CASES.items() if not one.decidable] == ["frontier_vep"]


def test_all_sets_of_parts():
    found = subsets(composite())
    assert found.n == 31
    assert found.leads == (Leads(GPT, 14, 0), Leads(CARBON, 11, 0), Leads(OPUS, 6, 0))


def small(ticks, units=None, weights=(Fraction(1, 2), Fraction(1, 2))):
    table = np.array(ticks)
    return Composite(
        entries=("ash", "bay", "cob")[: len(ticks)],
        parts=("u", "v"),
        weights=weights,
        ticks=table,
        units=np.ones_like(table) if units is None else np.array(units),
        dp=0,
    )


@pytest.mark.parametrize(
    ("made", "first", "gap", "decidable"),
    [
        pytest.param(
            small([[50, 50], [60, 40], [1, 1]]),
            ("ash", "bay"),
            0,
            False,
            id="first place is shared",
        ),
        pytest.param(small([[51, 50], [50, 50]]), ("ash",), 0.5, False, id="half a unit ahead"),
        pytest.param(
            small([[52, 50], [50, 50]]), ("ash",), 1, False, id="exactly what rounds away"
        ),
        pytest.param(small([[53, 50], [50, 50]]), ("ash",), 1.5, True, id="more than rounds away"),
        pytest.param(
            small([[55, 50], [51, 50], [50, 50]], [[1, 1], [1, 1], [10, 10]]),
            ("ash",),
            2,
            False,
            id="the third prints fewer digits and may be first",
        ),
        pytest.param(
            small([[10**20 + 8, 0], [10**20, 0]]), ("ash",), 4, True, id="numbers longer than int64"
        ),
    ],
)
def test_decidable(made, first, gap, decidable):
    case = drop_one(made)[0]
    assert (case.first, case.gap, case.decidable) == (first, Fraction(gap), decidable)


def test_too_many_parts_for_all_sets():
    assert subsets(composite(), most_parts=4) is None


@settings(max_examples=60, deadline=None)
@given(composites())
def test_as_the_reference(made):
    table, every = table_of(made), range(len(made.parts))
    for case, gone in zip(drop_one(made), [None, *every], strict=True):
        kept = [k for k in every if k != gone]
        means = reference.means(table, made.weights, kept)
        assert dict(zip(made.entries, case.means, strict=True)) == means
        assert dict(zip(made.entries, case.ranks, strict=True)) == reference.ranks(means)
    led = {one.entry: one.alone + one.shared for one in subsets(made).leads}
    assert led == reference.leads(table, made.weights)
