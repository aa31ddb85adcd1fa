"""A waterfall starts at the rank before, ends at the rank after, and its labels add up."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from app.charts.picture import png
from app.charts.style import ON_DARK, ON_LIGHT
from app.charts.waterfall import PICK, TELLS, bars_of, cause_waterfall
from tests.app.charts.test_rank_lines import rows_with, walk

# The worked example of a fall from 6th to 9th: exact shares of every cause.
SHARES = {
    "its own score": Fraction(-5, 3),
    "scores of others": Fraction(1),
    "who joined": Fraction(11, 6),
    "who left": Fraction(-1, 2),
    "the formula": Fraction(4, 3),
    "who may be ranked": Fraction(1),
}


def test_each_bar_goes_on_where_the_one_above_ended():
    bars = bars_of(SHARES, 6)
    assert bars["a"].iloc[0] == 6
    assert bars["a"].tolist()[1:] == bars["b"].tolist()[:-1]
    assert bars["b"].iloc[-1] == pytest.approx(9)


def test_labels_are_signed_exact_in_words_and_add_up_as_drawn():
    bars = bars_of(SHARES, 6)
    assert bars["label"].tolist() == [
        "-1.66 its own score: gained 5/3",
        "+1 scores of others: lost 1",
        "+1.83 who joined: lost 11/6",
        "-0.50 who left: gained 1/2",
        "+1.33 the formula: lost 4/3",
        "+1 who may be ranked: lost 1",
    ]
    assert sum(Fraction(number) for number in bars["drawn"]) == 3
    assert sum(Fraction(share) for share in bars["exact"]) == 3


@pytest.mark.parametrize(("dark", "colours"), [(False, ON_LIGHT), (True, ON_DARK)])
def test_what_gained_is_blue_and_what_lost_is_orange(dark, colours):
    spec = cause_waterfall(SHARES, 6, 9, title="A board, fern", dark=dark).to_dict()
    (found,) = [node["color"] for node in walk(spec) if "condition" in node.get("color", {})]
    (lost,) = found["condition"] if isinstance(found["condition"], list) else [found["condition"]]
    assert (lost["test"], lost["value"]) == ("datum.b > datum.a", colours[1])
    assert found["value"] == colours[0]


def test_the_chart_says_itself_in_words():
    spec = cause_waterfall({"who joined": Fraction(1)}, 1, 2, title="A board, fern").to_dict()
    assert spec["description"] == (
        "A board, fern: rank 1 before, rank 2 after. +1 who joined: lost 1."
    )
    kept = cause_waterfall({}, 3, 3, title="A board, fern").to_dict()["description"]
    assert kept == "A board, fern: rank 3 before, rank 3 after. nothing was worth a place."


def test_every_field_is_our_own_name_and_the_words_stand_in_a_row_each():
    spec = cause_waterfall(SHARES, 6, 9, title="x").to_dict()
    fields = {node["field"] for node in walk(spec) if "field" in node}
    assert all(re.fullmatch("[a-z]+", field) for field in fields)
    labels = {row["label"] for row in rows_with(spec, "label")}
    assert {"Before: rank 6", "After: rank 9"} <= labels
    assert len(png(cause_waterfall(SHARES, 6, 9, title="x", width=320))) > 1000


def test_shares_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match="add up to 1, ranks to 2"):
        cause_waterfall({"who joined": Fraction(1)}, 1, 3, title="x")


@pytest.mark.parametrize(
    ("picked", "rims"),
    [pytest.param("joined", ["joined"], id="the one picked"), pytest.param(None, [], id="none")],
)
def test_a_bar_tells_the_page_what_was_clicked_and_has_a_rim_when_it_is(picked, rims):
    told = {"who joined": "joined", "its own score": "own"}
    chart = cause_waterfall(SHARES, 6, 9, title="A board, fern", told=told, picked=picked)
    spec = chart.to_dict()
    bars = rows_with(spec, TELLS)
    heard = {row["cause"]: row[TELLS] for row in bars if row[TELLS] is not None}
    assert heard == told
    assert [row[TELLS] for row in bars if row["rim"] is not None] == rims
    (param,) = [one for node in walk(spec) for one in node.get("params", []) if "select" in one]
    assert (param["name"], param["select"]["fields"]) == (PICK, [TELLS])


def test_a_file_listens_to_nobody():
    chart = cause_waterfall(
        SHARES, 6, 9, title="A board, fern", told={"who joined": "joined"}, width=600
    )
    assert not rows_with(chart.to_dict(), TELLS)
    assert png(chart)
