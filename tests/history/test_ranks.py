from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.ranks import convention_ranks, rank
from history.ties import TieRule
from tests.history.by_hand import scores
from tests.reference import ranking

WORKED = [713, 691, 691, 680, 680, 680, None]


def rows(table: pd.DataFrame, *columns: str) -> list[tuple]:
    cells = [table[c].astype(object).where(table[c].notna(), None).tolist() for c in columns]
    return list(zip(*cells, strict=True))


@pytest.mark.parametrize(
    ("convention", "expected"),
    [
        pytest.param("competition", [1, 2, 2, 4, 4, 4, None], id="competition"),
        pytest.param("max", [1, 3, 3, 6, 6, 6, None], id="max"),
        pytest.param("dense", [1, 2, 2, 3, 3, 3, None], id="dense"),
        pytest.param("fractional", [1, 2.5, 2.5, 5, 5, 5, None], id="fractional"),
        pytest.param("ordinal", [1, 2, 3, 4, 5, 6, None], id="ordinal"),
    ],
)
def test_conventions(convention, expected):
    places = convention_ranks(pd.Series(WORKED, dtype="Int64"), convention)
    assert places.astype(object).where(places.notna(), None).tolist() == expected


@pytest.mark.parametrize("convention", ["competition", "max", "dense", "fractional", "ordinal"])
def test_conventions_of_an_empty_board(convention):
    assert convention_ranks(pd.Series([], dtype="Int64"), convention).tolist() == []


@pytest.mark.parametrize(
    ("board", "direction", "expected"),
    [
        pytest.param(
            {"a": "71.3", "b": "69.1", "c": "69.1", "d": "68.0", "e": None}, "higher",
            [("a", 1), ("b", 2), ("c", 2), ("d", 4), ("e", None)],
            id="equal ones share the better rank, one without a score has none",
        ),
        pytest.param(
            {"a": "5.2", "b": "4.9", "c": "5.2", "d": None}, "lower",
            [("b", 1), ("a", 2), ("c", 2), ("d", None)],
            id="lower is better, and a missing score is still not first",
        ),
        pytest.param(
            {"a": "67.3149", "b": "67.3051", "c": "67.2951"}, "higher",
            [("a", 1), ("b", 2), ("c", 3)],
            id="printed digits decide",
        ),
        pytest.param(
            {"a": "67.31", "b": "67.31", "c": "67.30"}, "higher",
            [("a", 1), ("b", 1), ("c", 3)],
            id="two decimals leave a tie",
        ),
        pytest.param(
            {"a": "0", "b": "-0.0", "c": "-1"}, "lower",
            [("c", 1), ("a", 2), ("b", 2)],
            id="there is no negative zero",
        ),
        pytest.param(
            {"b": "1", "a": "1", "B": "1", "é": "1", "10": "1", "9": "1"}, "higher",
            [("10", 1), ("9", 1), ("B", 1), ("a", 1), ("b", 1), ("é", 1)],
            id="equal ones in code-point order",
        ),
        pytest.param({"a": None}, "higher", [("a", None)], id="nobody has a score"),
    ],
)  # fmt: skip
def test_rank(board, direction, expected):
    table = rank(scores(board), direction=direction)
    assert rows(table, "entry", "rank") == expected
    assert set(table["n_ranked"]) == {sum(text is not None for text in board.values())}
    assert rows(table, "unranked") == [(None if r else "no_score",) for _, r in expected]


def test_reasons_stay_and_take_the_rank():
    board = {"a": "90", "b": "80", "c": "70"}
    table = rank(scores(board, unranked={"a": "ineligible"}))
    assert rows(table, "entry", "rank", "score.text", "unranked", "n_ranked") == [
        ("b", 1, "80", None, 2),
        ("c", 2, "70", None, 2),
        ("a", None, "90", "ineligible", 2),
    ]


def test_versions_are_apart():
    history = scores({"a": "1.5", "b": "1.25"}, {"b": "2", "c": "3"}, {"a": None})
    shuffled = history.sample(frac=1, random_state=3)
    found = rows(rank(shuffled), "version", "entry", "rank", "tie_rank", "tied", "n_ranked")
    assert found == [
        (0, "a", 1, 1, False, 2),
        (0, "b", 2, 2, False, 2),
        (1, "c", 1, 1, False, 2),
        (1, "b", 2, 2, False, 2),
        (2, "a", None, None, False, 0),
    ]


def test_the_input_is_left_as_it_was():
    board = scores({"a": "1", "b": None})
    before = board.copy(deep=True)
    rank(board, rule=TieRule("anchored", band="1"))
    pd.testing.assert_frame_equal(board, before)


def test_types_are_those_of_the_table():
    table = rank(scores({"a": "1", "b": None}), rule=TieRule("chain", band="1"))
    kinds = table[["rank", "tie_group", "tie_rank", "tied", "n_ranked"]].dtypes.astype(str)
    assert kinds.tolist() == ["Int64", "Int64", "Int64", "bool", "int32"]


def test_a_history_without_rows():
    table = rank(scores({"a": "1"}).iloc[:0])
    assert len(table) == 0
    assert {"rank", "tie_group", "tie_rank", "tied", "n_ranked"} <= set(table.columns)


def test_the_order_of_rows_carries_no_information():
    names = [f"m{i:02}" for i in range(40)]
    history = scores(dict.fromkeys(names, "50"), dict.fromkeys(reversed(names), "50"))
    table = rank(history)
    assert set(table["rank"]) == {1}
    assert table["entry"].tolist() == names * 2


# --- against the reference -------------------------------------------------------------------

TEXTS = st.one_of(
    st.none(), st.decimals(-3, 3, places=1).map(str), st.decimals(-3, 3, places=2).map(str)
)
BOARDS = st.dictionaries(st.sampled_from("abcdefghij"), TEXTS, max_size=8)


def exact(board: dict, sign: int = 1) -> dict:
    return {e: None if text is None else sign * Fraction(text) for e, text in board.items()}


@given(
    st.lists(BOARDS, min_size=1, max_size=4),
    st.sampled_from(["higher", "lower"]),
    st.sampled_from(["anchored", "chain", "pairwise", "none"]),
    st.sampled_from(["inclusive", "exclusive"]),
    st.sampled_from(["0", "0.3", "0.25", "1"]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_whole_histories_as_the_reference(boards, direction, rule, edge, band, big, random):
    table = scores(*boards)
    if big:  # the same numbers with more digits than an int64 holds
        ticks = [None if pd.isna(t) else t * 10**18 for t in table["score.ticks"].tolist()]
        table["score.ticks"] = pd.Series(ticks, dtype=object)
        table["score.dp"] = table["score.dp"] + 18
    order = random.sample(range(len(table)), len(table))
    found = rank(table.iloc[order], direction=direction, rule=TieRule(rule, edge, band))
    got = rows(found, "version", "entry", "rank", "tie_group", "tie_rank", "tied", "n_ranked")
    expected = []
    for version, printed in enumerate(boards):
        board = exact(printed, 1 if direction == "higher" else -1)
        places = ranking.competition(board)
        ties = ranking.tie_table(board, rule, ranking.within(Fraction(band), edge == "exclusive"))
        order = [*ranking.ranked(board), *sorted(set(board) - set(places))]
        expected += [
            (version, e, places.get(e), *ties.get(e, (None, None, False)), len(places))
            for e in order
        ]
    assert got == expected


def places(board: dict[str, int]) -> dict[str, int]:
    if not board:
        return {}
    table = rank(scores({e: str(v) for e, v in board.items()}))
    return dict(zip(table["entry"], table["rank"], strict=True))


NUMBERS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-9, 9), max_size=8)


@given(NUMBERS)
def test_only_the_order_of_scores_matters(board):
    assert places({e: 3 * v**3 + v - 5 for e, v in board.items()}) == places(board)


@given(NUMBERS)
def test_one_that_joins_below_changes_nobody(board):
    joined = places({**board, "last": -10})
    assert {e: joined[e] for e in board} == places(board)


@given(NUMBERS.filter(bool), st.data())
def test_one_that_leaves_makes_nobody_worse(board, data):
    gone = data.draw(st.sampled_from(sorted(board)))
    before, after = places(board), places({e: v for e, v in board.items() if e != gone})
    assert all(after[e] <= before[e] for e in after)


@given(st.lists(st.one_of(st.none(), st.integers(-5, 5)), max_size=9))
def test_conventions_agree_with_each_other(ticks):
    column = pd.Series(ticks, dtype="Int64")
    found = {
        c: convention_ranks(column, c).dropna().to_numpy(float)
        for c in ("competition", "max", "dense", "fractional", "ordinal")
    }
    assert (found["dense"] <= found["competition"]).all()
    assert (found["competition"] <= found["ordinal"]).all()
    assert (found["ordinal"] <= found["max"]).all()
    assert np.array_equal(found["fractional"], (found["competition"] + found["max"]) / 2)
