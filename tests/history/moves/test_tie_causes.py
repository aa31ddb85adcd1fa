"""Are the causes of a tie rank's change those of all hybrid boards?"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.moves.tie_causes import Banding, tie_causes, tie_ranks
from history.ties import TieRule
from tests.history.moves.test_causes import NAMES, pair, ranked_in_both, versions
from tests.reference import moves as reference
from tests.reference import ranking
from tests.reference.moves import Row

F = Fraction


def banding(rule: str, band: str) -> Banding:
    return Banding(TieRule(rule, band=band), band)


def told(before, after, bandings) -> dict[str, dict[str, Fraction]]:
    compared = pair(before, after)
    targets = np.flatnonzero(compared.ranked_in_both)
    return {
        NAMES[compared.entries[place]]: shares
        for place, shares in tie_causes(compared, bandings, targets)
    }


def test_a_score_and_a_band_that_change_together():
    before = {n: Row((s, s)) for n, s in zip("abcde", (6910, 6870, 6830, 6800, 6720), strict=True)}
    after = before | {"d": Row((6820, 6820))}
    bandings = banding("anchored", "0.9"), banding("anchored", "0.5")
    compared = pair(before, after)
    assert tie_ranks(compared, bandings)[:, 3].tolist() == [4, 3]
    assert told(before, after, bandings)["d"] == {"own": F(-3, 2), "band": F(1, 2)}


@pytest.mark.parametrize("rule", ["anchored", "chain", "pairwise"])
@settings(max_examples=25)
@given(both=versions(changes_formula=False), bands=st.tuples(*[st.integers(0, 4)] * 2))
def test_causes_of_tie_ranks_are_those_of_all_hybrid_boards(rule, both, bands):
    before, after = both
    if pair(before, after).rescaled:
        return

    def tie_rank(board, entry, later):
        ties = ranking.within(bands[later], False)
        return ranking.tie_table(board, rule, ties)[entry][1]

    texts = [f"0.0{band}" for band in bands]
    found = told(before, after, (banding(rule, texts[0]), banding(rule, texts[1])))
    for name in ranked_in_both(before, after):
        expected = reference.tie_causes(before, after, name, tie_rank)
        assert found[name] == {cause: share for cause, share in expected.items() if share}
