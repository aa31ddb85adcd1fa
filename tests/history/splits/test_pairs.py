from __future__ import annotations

from decimal import Decimal

import pytest

from history.splits import compare, pair
from tests.history.by_hand import scores_of_fields
from tests.history.splits.boards import BOARD, DEFINITION, FORMULA, LISTED, row

VISION = {
    "fern": row("70", "60.00", "40.00", None),
    "moss": row("69", "57.24", "40.37", None),
}


def beyond(found):
    return {one.split: one for one in found.beyond}


def test_a_lead_on_public_that_is_not_there_elsewhere(meaning_of):
    found = pair(compare(scores_of_fields(BOARD), meaning_of(LISTED)), "fern", "moss")
    assert {name: one.value for name, one in beyond(found).items()} == {
        "same": Decimal("4.71"),
        "new": Decimal("7.62"),
    }
    assert all(one.se is None and one.z is None for one in found.beyond)


def test_the_mix_of_both(meaning_of):
    found = pair(compare(scores_of_fields(BOARD), meaning_of(FORMULA)), "fern", "moss")
    mix = beyond(found)["private"]
    assert (found.differences["private"], mix.value) == (Decimal("0.296"), Decimal("5.874"))
    assert round(mix.share_public, 3) == 0.954
    assert beyond(found)["new"].share_public is None  # one lead is none


def test_vision(meaning_of):
    found = pair(compare(scores_of_fields(VISION), meaning_of(LISTED)), "fern", "moss")
    assert {name: one.value for name, one in beyond(found).items()} == {"same": Decimal("3.13")}


def test_with_a_number_of_items_it_has_a_standard_error(meaning_of):
    beside = compare(scores_of_fields(BOARD), meaning_of(LISTED), items=2000, draws=5)
    same = beyond(pair(beside, "fern", "moss"))["same"]
    four = (64.29, 58.12, 58.75, 57.29)
    se = sum(p * (100 - p) / 2000 for p in four) ** 0.5
    assert same.se == pytest.approx(se)
    assert same.z == pytest.approx(4.71 / se)
    p = sum(four) / 400
    assert same.items_needed == round(4 * p * (1 - p) * (1.96 / 0.0471) ** 2)


def test_who_lacks_the_public_score_leads_nobody(meaning_of):
    board = BOARD | {"ash": row("1", None, "50.00", "40.00")}
    found = pair(compare(scores_of_fields(board), meaning_of(LISTED)), "fern", "ash")
    assert found.beyond == ()
    assert found.differences["same"] == Decimal("8.75")


def test_who_is_not_listed(meaning_of):
    with pytest.raises(KeyError):
        pair(compare(scores_of_fields(BOARD), meaning_of(LISTED)), "fern", "yew")


def test_a_split_of_the_other_direction_is_not_set_against_public(meaning_of):
    board = {
        e: cells | {"errors": text} for (e, cells), text in zip(BOARD.items(), "12345", strict=True)
    }
    found = pair(compare(scores_of_fields(board), meaning_of(LISTED)), "fern", "moss")
    assert found.differences["errors"] == Decimal(-1)
    assert "errors" not in beyond(found)
    assert "errors" in DEFINITION
