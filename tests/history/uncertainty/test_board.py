from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from history.pipeline import open_board
from history.ranks import rank
from history.records.uncertainty_record import uncertainty as record
from history.uncertainty import board_uncertainty, rank_intervals, score_errors
from history.uncertainty.rank_intervals import MOST_ENTRIES
from tests.app.small_board import VERSIONS, plant
from tests.history import by_hand

EIGHT = ("0.762", "0.755", "0.749", "0.743", "0.736", "0.731", "0.718", "0.690")
NAMES = ("ash", "birch", "cedar", "dill", "elm", "fern", "gorse", "holly")


def ranks(rows: dict[str, dict[str, str | None]], direction: str = "higher") -> pd.DataFrame:
    return rank(by_hand.scores_of_fields(rows), direction=direction)


def eight(items: str | None = "2000", scores=EIGHT) -> dict[str, dict[str, str | None]]:
    return {
        name: {"score": score, "items": items} for name, score in zip(NAMES, scores, strict=True)
    }


def errors_of(rows, measures, **more) -> dict[str, tuple]:
    found = score_errors(ranks(rows), measures, **more)
    return {
        one.entry: (None if one.error is None else round(one.error, 4), one.source, one.why)
        for one in found.entries
    }


# --- where a standard error comes from ---------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "measures", "expected"),
    [
        pytest.param(
            {"score": "71.2", "se": "0.8", "low": "60", "high": "80", "items": "900"},
            ("low", "high", "se", "items"),
            (0.8, "se", ""),
            id="the file's own goes before all",
        ),
        pytest.param(
            {"score": "1250", "low": "1242", "high": "1258"},
            ("low", "high"),
            (4.0817, "interval", ""),
            id="half the width of an interval",
        ),
        pytest.param(
            {"score": "74.9", "items": "2000"},
            ("items",),
            (0.9695, "items", ""),
            id="percents of a number of items",
        ),
        pytest.param(
            {"score": "100.0", "items": "10"},
            ("items",),
            (7.08, "items_wilson", ""),
            id="all right is not beyond doubt",
        ),
        pytest.param(
            {"score": "72.50", "items": "173"},
            ("items",),
            (None, None, "the scores are no shares of right answers among the items"),
            id="no number of answers prints so",
        ),
        pytest.param(
            {"score": "1250", "items": "9000"},
            ("items",),
            (None, None, "the scores are no shares of right answers among the items"),
            id="votes behind a rating are no items",
        ),
        pytest.param(
            {"score": "0.5", "items": "100000"},
            ("items",),
            (
                None,
                None,
                "the scores can be percents and shares of 1, and the definition does not say",
            ),
            id="percents or shares, nobody knows",
        ),
        pytest.param(
            {"score": "74.9", "items": "2000.5"}, ("items",), (None, None, "no number of items"),
            id="half an item",
        ),
        pytest.param(
            {"score": "74.9", "se": "0"},
            ("se",),
            (None, None, "its standard error is not above 0, or its interval not around the score"),
            id="an error of 0",
        ),
        pytest.param(
            {"score": "74.9", "low": "75.0", "high": "76.0"},
            ("low", "high"),
            (None, None, "its standard error is not above 0, or its interval not around the score"),
            id="an interval of something else",
        ),
        pytest.param(
            {"score": "74.9", "se": None}, ("se",), (None, None, "no standard error or interval"),
            id="a gap",
        ),
        pytest.param(
            {"score": "74.9", "se": "0.9"},
            (),
            (None, None, "the board names no standard error, interval or number of items"),
            id="what the definition does not name does not count",
        ),
    ],
)  # fmt: skip
def test_where_a_standard_error_comes_from(row, measures, expected):
    assert errors_of({"fern": row}, measures) == {"fern": expected}


@pytest.mark.parametrize(
    ("scores", "per", "said"),
    [
        pytest.param(EIGHT, 1, "only as shares of 1", id="shares"),
        pytest.param(
            [f"{100 * float(s):.1f}" for s in EIGHT], 100, "only as percents", id="percents"
        ),
    ],
)
def test_percents_and_shares_are_told_apart_by_what_can_be(scores, per, said):
    found = score_errors(ranks(eight(scores=scores)), ["items"])
    assert (found.per, said in found.per_known) == (per, True)
    assert found.entries[0].error == pytest.approx(per * (0.762 * 0.238 / 2000) ** 0.5)


def test_the_definition_goes_before_what_could_be():
    rows = {"fern": {"score": "0.5", "items": "100000"}}
    assert errors_of(rows, ["items"], per=1)["fern"][:2] == (0.0016, "items")
    assert errors_of(rows, ["items"], per=100)["fern"][:2] == (0.0223, "items")


def test_a_number_with_decimals_of_its_own_leaves_more_counts():
    table = ranks(
        {"fern": {"score": "72.83", "items": "173"}, "moss": {"score": "72.5", "items": "173"}}
    )
    column, own = (
        {one.entry: one.right for one in score_errors(table, ["items"], 100, units).entries}
        for units in (None, [1, 10])
    )
    assert (column["fern"], column["moss"]) == (range(126, 127), None)
    assert own["moss"] is None and own["fern"] == range(126, 127)
    wide = score_errors(table, ["items"], 100, [1, 100]).entries[1]
    assert wide.right == range(125, 127)


# --- the whole board -------------------------------------------------------------------------


def test_a_board_with_item_counts():
    found = board_uncertainty(ranks(eight()), ["items"])
    assert found.undecided is None and found.left_out == {}
    assert list(found.ranks("simultaneous").values()) == [
        (1, 6), (1, 7), (1, 7), (1, 7), (1, 7), (1, 8), (2, 8), (6, 8),
    ]  # fmt: skip
    assert found.ranks("pairwise")["gorse"] == (4, 8)
    assert found.chances.first[:2] == pytest.approx([0.606, 0.250], abs=0.02)
    assert (found.curse.entries, round(found.curse.errors, 2)) == (6, 1.27)
    assert (round(found.shrunk.by, 3), round(found.shrunk.scores[0], 3)) == (0.183, 0.757)
    lead = found.lead
    assert (lead.one, lead.other, lead.significant) == ("ash", "birch", None)
    assert (lead.undecided.code, lead.counts.closest.one - lead.counts.closest.other) == (
        "NO_PAIRED_RESULTS", 12,
    )  # fmt: skip
    assert "named in advance" in lead.caution


@pytest.mark.parametrize(
    ("rows", "measures", "why"),
    [
        pytest.param(eight(None), ["items"], "no number of items", id="a column of gaps"),
        pytest.param(eight(), [], "names no standard error", id="a definition without measures"),
        pytest.param({}, ["se"], "no ranked entry", id="an empty board"),
        pytest.param({"fern": {"score": None}}, ["se"], "no ranked entry", id="nobody has a score"),
    ],
)
def test_without_errors_the_answer_is_a_code_and_no_number(rows, measures, why):
    found = board_uncertainty(ranks(rows), measures)
    assert (found.undecided.code, why in found.undecided.found) == ("NO_SE", True)
    assert found.undecided.would_decide.startswith("a standard error, an interval or a number of")
    assert found.intervals == {} and found.chances is None and found.curse is None
    if len(rows) > 1:
        assert (found.lead.significant, found.lead.undecided.code) == (None, "NO_ITEM_COUNT")


def test_an_entry_without_an_error_may_stand_anywhere():
    rows = eight() | {"moss": {"score": "0.741", "items": None}, "oak": {"score": None}}
    found, without = (board_uncertainty(ranks(some), ["items"]) for some in (rows, eight()))
    for entry, (low, high) in without.ranks("bonferroni").items():
        assert found.ranks("bonferroni")[entry] == (low, high + 1)
    assert "moss" not in found.ranks("bonferroni") and len(found.scores.entries) == 9
    assert found.chances is None
    assert str(found.chances_undecided).startswith(
        "not decidable from this file (1 of 9 have none)"
    )


def test_lower_is_better_is_the_same_board_upside_down():
    rows = eight()
    wrong = {name: row | {"score": f"{1 - float(row['score']):.3f}"} for name, row in rows.items()}
    up = board_uncertainty(ranks(rows), ["items"])
    down = board_uncertainty(ranks(wrong, "lower"), ["items"], "lower")
    assert [one.entry for one in down.scores.entries] == list(NAMES)
    for method in up.intervals:
        assert up.ranks(method) == down.ranks(method)
    assert down.chances.first[0] == pytest.approx(up.chances.first[0])
    assert down.lead.difference.z == pytest.approx(up.lead.difference.z)
    assert down.shrunk.scores == pytest.approx(1 - up.shrunk.scores)


def test_printed_intervals_overlap_as_printed():
    """0.1 + 0.2 is not 0.3 in floats: ends that touch are compared as they are printed."""
    rows = {
        "fern": {"score": "71.30", "low": "71.3", "high": "72.00"},
        "moss": {"score": "70.9", "low": "70.1", "high": "71.30"},
        "oak": {"score": "69.5", "low": "69.0", "high": "70.09"},
    }
    found = board_uncertainty(ranks(rows), ["low", "high"])
    assert found.overlap_printed
    assert found.ranks("overlap") == {"fern": (1, 2), "moss": (1, 2), "oak": (3, 3)}
    assert found.intervals["overlap"].guarantees.startswith("none: printed intervals")


def test_many_entries_are_not_drawn_for():
    rows = {f"e{i}": {"score": f"{i}.0", "se": "9.0"} for i in range(MOST_ENTRIES + 1)}
    found = board_uncertainty(ranks(rows), ["se"])
    assert list(found.intervals) == ["overlap", "pairwise", "bonferroni"]
    assert list(found.left_out) == ["marginal", "simultaneous", "step_down"]
    assert f"{MOST_ENTRIES + 1} entries" in found.left_out["marginal"] and found.curse.entries > 1


def test_an_analyst_gets_the_same_from_plain_numbers():
    found = board_uncertainty(ranks(eight()), ["items"], draws=300, seed=4)
    scores = np.array([float(score) for score in EIGHT])
    errors = np.sqrt(scores * (1 - scores) / 2000)
    plain = rank_intervals(scores, errors, draws=300, seed=4)
    for method, one in plain.items():
        assert (found.intervals[method].low == one.low).all()
        assert (found.intervals[method].high == one.high).all()


# --- from a file to JSON -----------------------------------------------------------------------


def test_a_document_holds_no_gap_that_looks_like_a_number():
    rows = eight() | {"moss": {"score": "0.741", "items": None}}
    document = json.loads(
        json.dumps(record(board_uncertainty(ranks(rows), ["items"])), allow_nan=False)
    )
    first, moss = document["entries"][0], document["entries"][4]
    assert (first["se_source"], first["items"], first["ranks"]["bonferroni"]) == (
        "items",
        2000,
        [1, 7],
    )
    assert (moss["entry"], moss["se"], moss["ranks"], moss["why"]) == (
        "moss", None, {}, "no number of items",
    )  # fmt: skip
    assert document["assumes"]["scale"] == 1 and list(document["assumes"]["sources"]) == ["items"]
    assert document["methods"]["simultaneous"]["draws"] == 10_000
    assert len(document["methods"]["marginal"]["critical"]) == 8
    assert (document["first"], document["first_undecided"]["code"]) == (None, "NO_SE")
    assert document["lead"]["difference"]["se_is"] == "item standard error of a difference"
    assert document["lead"]["counts"]["closest"]["items"] == 2000


def test_a_board_says_what_its_definition_names(tmp_path):
    garden = plant(tmp_path, VERSIONS[:2])
    board = open_board(garden.store, "garden")
    assert board.uncertainty().undecided.code == "NO_SE"
    file = garden.store / "garden" / "board.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[table.parts]", 'se = "priv"\n\n[table.parts]'), encoding="utf-8")
    garden.run("rebuild", "garden")
    board = open_board(garden.store, "garden")
    known = board.uncertainty()
    assert known.undecided is None and known.scores.entries[0].source == "se"
    assert known.lead.difference.error.name.startswith("standard error (of items or of runs: not")
    assert board.uncertainty(split="public").undecided.code == "NO_SE"
    first = board.readings["commit"].iloc[0]
    assert record(board.uncertainty(first))["assumes"]["sigma"].startswith("Sigma: ")
