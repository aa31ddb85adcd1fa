"""Parts as voters: methods section 4, and the reference."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from history.robustness.social_choice import kemeny, social_choice
from history.splits import borda
from tests.history.robustness.carbon import CARBON, GEMINI, GPT, KIMI, OPUS, PARTS, composite
from tests.history.robustness.tables import composites, table_of
from tests.reference import robustness as reference

FOUND = social_choice(composite())
VOTES = {one.entry: one for one in FOUND.votes}


def test_condorcet():
    assert (FOUND.condorcet, FOUND.majority(GPT, CARBON)) == (GPT, (3, 2))


def test_points():
    points = {entry: VOTES[entry] for entry in (GPT, CARBON)}
    assert [one.borda for one in points.values()] == [26, 24]
    assert [round(float(one.win_rate), 3) for one in points.values()] == [0.867, 0.8]
    assert [one.copeland for one in points.values()] == [6, 5]


def test_kemeny_is_unique():
    best = FOUND.kemeny
    assert (best.agrees, best.of, best.orders) == (87, 105, 1)
    assert best.order[:5] == (GPT, CARBON, OPUS, GEMINI, KIMI)


def test_gemini_is_fourth_by_votes_and_fifth_by_mean():
    assert VOTES[GEMINI].borda_rank == 4
    assert VOTES[KIMI].borda_rank == 5


def test_borda_is_that_of_the_splits():
    made = composite()
    frame = pd.DataFrame(
        {"version": 0, "unranked": None}
        | {f"{part}.ticks": pd.array(made.ticks[:, n], "Int64") for n, part in enumerate(PARTS)}
    )
    points = borda.columns(frame, dict.fromkeys(PARTS, "higher"))["score.value"].tolist()
    assert points == [float(VOTES[entry].borda) for entry in made.entries]


def test_a_cycle_has_no_condorcet_winner():
    table = {"ash": ("3", "2", "1"), "bay": ("2", "1", "3"), "cob": ("1", "3", "2")}
    found = social_choice(composite(table, {}, ("u", "v", "w")))
    assert found.condorcet is None
    assert {one.copeland for one in found.votes} == {1}
    assert (found.kemeny.agrees, found.kemeny.of, found.kemeny.orders) == (5, 9, 3)


@pytest.mark.parametrize(
    ("n", "computed"),
    [
        pytest.param(16, True, id="sixteen entries are ordered"),
        pytest.param(17, False, id="seventeen are not"),
    ],
)
def test_kemeny_of_many(n, computed):
    table = {f"e{i:02}": (str(i), str(2 * i)) for i in range(n)}
    best = social_choice(composite(table, {}, ("u", "v"))).kemeny
    assert (best is not None) == computed
    if best is not None:
        assert best.order == tuple(sorted(table, reverse=True))
        assert (best.agrees, best.of, best.orders) == (n * (n - 1), n * (n - 1), 1)


def test_kemeny_counts_all_orders_of_equals():
    assert kemeny(np.zeros((4, 4), dtype=np.int64), tuple("abcd")).orders == 24


@settings(max_examples=60, deadline=None)
@given(composites(most_entries=5, most=3))
def test_as_the_reference(made):
    found, table = social_choice(made), table_of(made)
    assert {one.entry: one.borda for one in found.votes} == reference.borda(table)
    agrees, orders = reference.kemeny(table)
    assert (found.kemeny.agrees, found.kemeny.orders) == (agrees, len(orders))
    assert found.kemeny.order in orders
    assert sum((one.copeland for one in found.votes), Fraction(0)) == len(table) * (
        len(table) - 1
    ) / Fraction(2)
