from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.meaning.definition import Borda
from history.splits import SplitError, borda, compare, direction_of, made_of, split_scores
from tests.history.by_hand import scores_of_fields
from tests.history.definitions import TABLE, meaning_of

POINTS = {"sun": "higher", "shade": "higher"}
BOTH_WAYS = {"sun": "higher", "days": "lower"}
DEFINITION = """
[table.parts]
sun = "sun"
days = { column = "days", direction = "lower" }

[splits]
all = { borda = ["sun", "days"] }
"""


def by_hand(board, points, unranked):
    """Points from their definition: one per entry below, a half per equal one."""
    inside = [entry for entry in board if entry not in unranked]
    found = {}
    for entry in board:
        total, had = Fraction(0), False
        for part, direction in points.items():
            own = board[entry].get(part)
            if own is None or entry not in inside:
                continue
            had = True
            for other in inside:
                theirs = board[other].get(part)
                lead = None if theirs is None else float(own) - float(theirs)
                if other != entry and (
                    lead is None or lead * (-1 if direction == "lower" else 1) > 0
                ):
                    total += 1
                elif other != entry and lead == 0:
                    total += Fraction(1, 2)
        found[entry] = total if had else None
    return found


@pytest.mark.parametrize(
    ("board", "points", "unranked", "texts"),
    [
        pytest.param({"fern": {"sun": "9", "shade": "2"}, "moss": {"sun": "4", "shade": "8"}, "oak": {"sun": "3", "shade": "1"}}, POINTS, {}, ["3", "3", "0"], id="a point for each entry below"),
        pytest.param({"fern": {"sun": "9", "days": "2"}, "moss": {"sun": "4", "days": "8"}}, BOTH_WAYS, {}, ["2", "0"], id="each part has its direction"),
        pytest.param({"fern": {"sun": "9.0", "shade": "2"}, "moss": {"sun": "9", "shade": None}, "oak": {"sun": "3", "shade": "1"}}, POINTS, {}, ["3.5", "1.5", "1.0"], id="equal ones share, a gap gives none and is below"),
        pytest.param({"fern": {"sun": "9", "shade": None}, "moss": {"sun": None, "shade": None}}, POINTS, {}, ["1", None], id="no part at all"),
        pytest.param({"fern": {"sun": "9"}, "me": {"sun": "5"}, "oak": {"sun": "3"}}, {"sun": "higher"}, {"me": "ineligible"}, ["1", None, "0"], id="who is not ranked takes no part"),
        pytest.param({"fern": {"sun": "9007199254740993"}, "moss": {"sun": "9007199254740992"}}, {"sun": "higher"}, {}, ["1", "0"], id="more digits than a float has"),
        pytest.param({}, {"score": "higher"}, {}, [], id="nobody"),
    ],
)  # fmt: skip
def test_points(board, points, unranked, texts):
    found = borda.columns(scores_of_fields(board, unranked=unranked), points)
    printed = [None if pd.isna(text) else text for text in found["score.text"].tolist()]
    assert printed == texts
    assert found["score.pointer"].isna().all()


CELL = st.none() | st.integers(0, 4).map(str)
BOARDS = st.lists(st.fixed_dictionaries({"sun": CELL, "days": CELL}), max_size=6)


@settings(max_examples=60)
@given(st.lists(BOARDS, min_size=1, max_size=3), st.integers(0, 6))
def test_points_are_those_of_the_definition(versions, out):
    boards = [{f"e{n}": row for n, row in enumerate(rows)} for rows in versions]
    unranked = {f"e{out}": "ineligible"}
    scores = scores_of_fields(*boards, unranked=unranked)
    if "sun.ticks" not in scores:
        return
    found = borda.columns(scores, BOTH_WAYS)
    exact = [
        None if pd.isna(tick) else Fraction(tick) / 10**dp
        for tick, dp in zip(found["score.ticks"], found["score.dp"], strict=True)
    ]
    expected = [by_hand(board, BOTH_WAYS, unranked) for board in boards]
    assert exact == [one for points in expected for one in points.values()]


@pytest.mark.parametrize(
    ("texts", "units", "reach"),
    [
        pytest.param(["8.0", "7.9", "7.0"], [1, 1, 1], (1.5, 2), id="one tick apart can at most be equal"),
        pytest.param(["8.0", "7.8", "7.0"], [1, 1, 1], (2, 2), id="two ticks are certain"),
        pytest.param(["8.0", "7.8", "7.0"], [10, 1, 10], (0.5, 2), id="8 and 7 beside 7.8"),
        pytest.param(["8.0", "8.0", None], [1, 1, 1], (1, 2), id="equal ones can be anything, a gap is below"),
    ],
)  # fmt: skip
def test_what_rounding_leaves_open(texts, units, reach):
    board = {f"e{n}": {"sun": text} for n, text in enumerate(texts)}
    found = borda.reach(scores_of_fields(board), {"sun": "higher"}, {"sun": np.array(units)}, 0)
    assert found == reach


def test_a_split_of_points(tmp_path):
    meaning = meaning_of(tmp_path, TABLE + DEFINITION)
    assert made_of(meaning, "all") == Borda(("sun", "days"))
    assert direction_of(meaning, "all") == "higher"
    board = {
        "fern": {"score": "1", "sun": "9", "days": "5"},
        "moss": {"score": "2", "sun": "8", "days": "3"},
        "oak": {"score": "3", "sun": None, "days": None},
    }
    scores = scores_of_fields(board)
    split = split_scores(scores, meaning, "all")
    assert split["score.text"].tolist()[:2] == ["3", "3"]
    assert split["unranked"].tolist()[2] == "incomplete"
    compared = compare(scores, meaning)
    assert compared.names == ("all", "sun", "days")
    assert [(row.entry, row.ranks["all"]) for row in compared.entries] == [
        ("oak", None),
        ("moss", 1),
        ("fern", 1),
    ]
    with pytest.raises(SplitError, match="The board has: all, sun, days"):
        made_of(meaning, "none")
