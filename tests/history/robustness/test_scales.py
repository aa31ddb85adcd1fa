"""Parts on other scales: methods section 4."""

from __future__ import annotations

import numpy as np
import pytest

from history.robustness.scales import equated, last_place, on_scale
from tests.history.robustness.carbon import CARBON, GEMINI, GPT, KIMI, composite, with_entrant

# Last in every part but two; made up in methods section 4.
ENTRANT = (60, 0, 0, 30, 0)
BEFORE = {one.scale: one for one in equated(composite())}
AFTER = {one.scale: one for one in equated(with_entrant(composite(), "new", ENTRANT))}


@pytest.mark.parametrize(
    ("scale", "before", "after", "first"),
    [
        pytest.param("raw", 0.860, 0.860, GPT, id="raw means do not change"),
        pytest.param("min-max", 0.041, -0.009, CARBON, id="min-max turns the first two round"),
        pytest.param("z-score", 0.100, -0.028, CARBON, id="z-scores do, too"),
    ],
)
def test_an_entrant_in_last_place(scale, before, after, first):
    assert round(BEFORE[scale].gap, 3) == before
    assert BEFORE[scale].first == (GPT,)
    made = with_entrant(composite(), "new", ENTRANT)
    places = {entry: n for n, entry in enumerate(made.entries)}
    scores = AFTER[scale].scores
    assert round(scores[places[GPT]] - scores[places[CARBON]], 3) == after
    assert AFTER[scale].first == (first,)
    assert min(scores) == scores[places["new"]]


def test_the_entrant_that_is_tried():
    swapped = {scale: one.swapped_by_entrant for scale, one in BEFORE.items()}
    assert swapped == {"raw": False, "z-score": True, "min-max": True}
    assert round(BEFORE["min-max"].entrant_gap, 3) == -0.009


def test_it_is_last():
    made = composite()
    first, second = made.entries.index(GPT), made.entries.index(CARBON)
    entrant = last_place(made, first, second)
    assert entrant.tolist() == [6.5, 0, 0, 1.1, 0]
    assert entrant.mean() < made.values().mean(axis=1).min()


def test_gemini_and_kimi_change_places():
    places = {entry: n for n, entry in enumerate(composite().entries)}
    gemini = {scale: one.scores[places[GEMINI]] for scale, one in BEFORE.items()}
    kimi = {scale: one.scores[places[KIMI]] for scale, one in BEFORE.items()}
    ahead = {scale: gemini[scale] > kimi[scale] for scale in BEFORE}
    assert ahead == {"raw": False, "z-score": True, "min-max": True}


def test_a_part_in_which_all_are_equal_counts_nothing():
    for scale in ("z-score", "min-max"):
        assert on_scale(np.array([[5.0, 1.0], [5.0, 3.0]]), scale)[:, 0].tolist() == [0.0, 0.0]


def test_no_entrant_where_0_is_not_the_end():
    table = {"ash": ("9", "-5"), "bay": ("5", "3")}
    assert last_place(composite(table, {}, ("u", "v")), 0, 1) is None
