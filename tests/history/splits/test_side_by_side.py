"""Public against private where errors are known: the noise floor, and what may be said."""

from __future__ import annotations

import numpy as np
import pytest

from history.splits import SplitError, compare, single_splits
from history.splits.wording import LEVEL_A, LEVEL_B, MANY, sentence
from tests.history.by_hand import scores_of_fields
from tests.history.splits.boards import DEFINITION, FORMULA, LISTED, row

PLAIN = 'public = "public"\nprivate = "same"'
WITH_ERRORS = DEFINITION.replace(
    'errors = {{ column = "err", direction = "lower" }}',
    'public_se = "a"\nsame_items = "b"',
)


def drawn(n: int, items: int, seed: int = 5, lift: float = 0.0) -> dict[str, dict]:
    """A board of n entries; the first one's public score is `lift` points too good."""
    random = np.random.default_rng(seed)
    true = random.normal(60, 5, n)
    parts = [random.binomial(items, true / 100) / items * 100 for _ in range(2)]
    parts[0][0] += lift
    return {
        f"e{i:02}": row(str(n - i), f"{public:.2f}", f"{private:.2f}", None)
        for i, (public, private) in enumerate(zip(*parts, strict=True))
    }


def test_levels_are_said_only_where_they_may_be(meaning_of):
    board = scores_of_fields(drawn(40, 2000, lift=12))
    meaning = meaning_of(PLAIN)
    without = compare(board, meaning)
    assert {one.level for one in without.judged.values()} == {"a", None}
    assert (without.code, without.shake_up.noise_low) == ("NO_ITEM_COUNT", None)
    found = compare(board, meaning, items=2000, draws=100)
    assert found.code is None
    assert [e for e, one in found.judged.items() if one.level == "b"] == ["e00"]
    assert found.judged["e00"].p_holm < 0.05
    assert found.back.reliability == pytest.approx(0.95, abs=0.03)


def test_nobody_is_flagged_where_only_chance_moves_them(meaning_of):
    meaning = meaning_of(PLAIN)
    flagged = 0
    for seed in range(20):
        found = compare(scores_of_fields(drawn(30, 500, seed)), meaning, items=500, draws=2)
        flagged += any(one.level == "b" for one in found.judged.values())
    assert flagged <= 3  # of 20 boards, at 5 % for each board as a whole


def test_the_shake_up_of_chance_is_within_its_noise_floor(meaning_of):
    meaning, inside = meaning_of(PLAIN), 0
    for seed in range(12):
        found = compare(scores_of_fields(drawn(60, 500, seed)), meaning, items=500, draws=100)
        inside += found.shake_up.noise_low <= found.shake_up.value <= found.shake_up.noise_high
    assert inside >= 9  # 95 % of 12, but for the rough estimate of the true scores


def test_what_the_noise_rests_on_is_said(meaning_of):
    found = compare(scores_of_fields(drawn(20, 500)), meaning_of(PLAIN), items=500, draws=7, seed=3)
    assert (found.noise.draws, found.noise.seed, found.errors.items) == (7, 3, 500)
    for words in (
        "20 entries",
        "n = 500 independent items",
        "given by the caller",
        "7 draws, seed 3",
    ):
        assert words in found.shake_up.assumes


@pytest.mark.parametrize(
    ("board", "settings", "code", "words"),
    [
        pytest.param(drawn(MANY - 1, 500), {"items": 500}, "TOO_FEW_ENTRIES", "draws", id="too few"),
        pytest.param(
            drawn(20, 500), {}, "NO_ITEM_COUNT", "neither the number of items", id="no errors"
        ),
        pytest.param(
            {e: cells | {"same": f"-{cells['same']}"} for e, cells in drawn(20, 500).items()},
            {"items": 500}, "NO_ITEM_COUNT", "not all scores are between 0 and 100",
            id="scores that are no shares have no such errors",
        ),
        pytest.param(
            {"a": row("1", "50", "50", None)}, {"items": 500}, "TOO_FEW_ENTRIES",
            "one entry has no order", id="one entry",
        ),
        pytest.param(
            {"a": row("1", "50", None, None)}, {"items": 500}, "NO_SPLIT",
            "no entry is ranked by both", id="nobody has both",
        ),
    ],
)  # fmt: skip
def test_why_it_cannot_be_said(meaning_of, board, settings, code, words):
    found = compare(scores_of_fields(board), meaning_of(PLAIN), draws=5, **settings)
    assert found.code == code
    assert words in found.shake_up.assumes
    assert not any(one.level == "b" for one in found.judged.values())


def test_a_list_is_no_private_split_and_another_name_can_be_given(meaning_of):
    meaning = meaning_of(LISTED)
    board = scores_of_fields(drawn(12, 500))
    assert compare(board, meaning).code == "NO_SPLIT"
    assert compare(board, meaning, private="same").order.n == 12
    with pytest.raises(SplitError, match='split "hidden": not defined'):
        compare(board, meaning, private="hidden")


def test_the_file_says_how_precise_its_parts_are(meaning_of):
    meaning = meaning_of(PLAIN, WITH_ERRORS)
    assert single_splits(meaning) == ["public", "private", "new"]
    board = {
        e: {k: v for k, v in cells.items() if k != "errors"}
        | {"public_se": "1.5", "same_items": "400"}
        for e, cells in drawn(20, 500).items()
    }
    found = compare(scores_of_fields(board), meaning, draws=5)
    assert found.errors.of["public"]["e00"] == 1.5
    p = float(board["e00"]["same"]) / 100
    assert found.errors.of["private"]["e00"] == pytest.approx(100 * (p * (1 - p) / 400) ** 0.5)
    assert found.code is None
    assert "that the file has" in found.shake_up.assumes


def test_errors_of_a_sum_add_up(meaning_of):
    text = WITH_ERRORS.replace('same_items = "b"', 'same_se = "b"\nnew_se = "c"')
    meaning = meaning_of(FORMULA, text)
    cells = {"score": "1", "public": "60", "same": "50", "new": "40"}
    board = {e: cells | {"public_se": "1", "same_se": "2", "new_se": "3"} for e in "ab"}
    found = compare(scores_of_fields(board), meaning, draws=5)
    assert found.errors.of["private"]["a"] == pytest.approx(
        ((0.6 * 2) ** 2 + (0.4 * 3) ** 2) ** 0.5
    )


def test_where_lower_is_better_more_errors_on_private_are_the_loss(meaning_of):
    text = DEFINITION.replace('direction = "higher"', 'direction = "lower"')
    board = {
        e: cells
        | {
            "public": f"{100 - float(cells['public']):.2f}",
            "same": f"{100 - float(cells['same']):.2f}",
        }
        for e, cells in drawn(40, 2000, lift=12).items()
    }
    found = compare(scores_of_fields(board), meaning_of(PLAIN, text), items=2000, draws=5)
    assert [e for e, one in found.judged.items() if one.level == "b"] == ["e00"]


def test_the_words_of_the_levels():
    numbers = ("pub 71.62", "priv 61.14", "62.10")
    told = "pub 71.62, priv 61.14, where 62.10 is usual"
    assert sentence("x", "a", *numbers) == f"x {LEVEL_A}: {told}"
    assert sentence("x", "b", *numbers) == f"x {LEVEL_B}: {told}"
    assert "trained" not in LEVEL_B
