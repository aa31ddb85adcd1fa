"""Ties by overlapping intervals, and by standard errors."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.ranks import rank
from history.ties import Errors, Intervals, TieError, TieRule, needed, source_of, tie_groups
from tests.history.by_hand import scores_of_fields
from tests.reference import ranking

PLACES = ("entry", "tie_rank", "rank_low", "rank_high", "tied")
GAP = None


def ranked(board, rule="interval", direction="higher", band=None):
    table = rank(scores_of_fields(board), direction=direction, rule=TieRule(rule, band=band))
    assert table["tie_group"].isna().all()
    cells = table[list(PLACES)].astype(object)
    return [tuple(row) for row in cells.where(cells.notna(), None).values.tolist()]


def cells(score, low=None, high=None):
    return {"score": score, "low": low, "high": high}


ARENA = {
    "beech": cells("1310", "1302", "1318"),
    "birch": cells("1304", "1298", "1310"),
    "cedar": cells("1299", "1295", "1303"),
    "maple": cells("1296", "1290", "1301"),
    "spruce": cells("1288", "1283", "1293"),
}


def test_ranks_count_who_is_surely_better():
    """1301 is below 1302, and 1303 is not; the fourth by score is second by intervals."""
    assert ranked(ARENA) == [
        ("beech", 1, 1, 3, True),
        ("birch", 1, 1, 4, True),
        ("cedar", 1, 1, 4, True),
        ("maple", 2, 2, 5, True),
        ("spruce", 4, 4, 5, True),
    ]


def test_where_lower_is_better_the_ends_change_places():
    turned = {
        entry: cells(f"-{row['score']}", f"-{row['high']}", f"-{row['low']}")
        for entry, row in ARENA.items()
    }
    assert ranked(turned, direction="lower") == ranked(ARENA)


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        pytest.param(
            {"a": cells("2.0", "1.5", "2.5"), "b": cells("1", "0.5", "1.50")},
            [("a", 1, 1, 2, True), ("b", 1, 1, 2, True)],
            id="ends that touch are tied, whatever their decimals",
        ),
        pytest.param(
            {"a": cells("2.0", "1.501", "2.5"), "b": cells("1", "0.5", "1.50")},
            [("a", 1, 1, 1, False), ("b", 2, 2, 2, False)],
            id="a thousandth apart",
        ),
        pytest.param(
            {"a": cells("9", "8", "10"), "b": cells("5"), "c": cells("3", "2", "4")},
            [("a", 1, 1, GAP, False), ("b", GAP, GAP, GAP, False), ("c", GAP, GAP, 3, False)],
            id="who has no interval has no place, and leaves open those of others below",
        ),
        pytest.param(
            {"a": cells("9", "8", "10"), "b": cells("3.5"), "c": cells("3", "2", "4")},
            [("a", 1, 1, GAP, False), ("b", GAP, GAP, GAP, False), ("c", 2, 2, 3, True)],
            id="but not where its score lies inside the other's interval",
        ),
        pytest.param(
            {"a": cells("9"), "b": cells("9"), "c": cells("1", "0", "2")},
            [("a", GAP, GAP, GAP, True), ("b", GAP, GAP, GAP, True), ("c", GAP, GAP, 3, False)],
            id="equal scores are tied without intervals, too",
        ),
        pytest.param({}, [], id="an empty board"),
    ],
)  # fmt: skip
def test_places_by_intervals(board, expected):
    if not board:
        table = rank(scores_of_fields(ARENA).iloc[:0], rule=TieRule("interval"))
        assert len(table) == 0
        return
    assert ranked(board) == expected


def test_standard_errors_stand_for_intervals_where_there_are_no_others():
    """71.2 and 1.96 * 0.5 to each side: 70.22 to 72.18. Exactly: 70.22 is tied, 70.21 is not."""
    board = {"a": {"score": "71.2", "se": "0.5"}, "b": {"score": "69.24", "se": "0.5"}}
    assert [row[1] for row in ranked(board)] == [1, 1]
    board["b"]["score"] = "69.23"
    assert [row[1] for row in ranked(board)] == [1, 2]
    assert source_of(TieRule("interval"), ["se"]) == "se"


@pytest.mark.parametrize(
    ("rule", "measures", "split", "found"),
    [
        pytest.param("interval", ["low", "high", "se"], None, ["low", "high"], id="low and high"),
        pytest.param("interval", ["low", "se"], None, ["se"], id="half an interval is none"),
        pytest.param("interval", ["items"], None, None, id="items are no intervals"),
        pytest.param("se", ["items"], None, ["items"], id="items give standard errors"),
        pytest.param("se", ["low", "high"], None, None, id="intervals of unknown level do not"),
        pytest.param("interval", ["se"], "public", None, id="measures say nothing of a split"),
        pytest.param("anchored", [], "public", [], id="a band needs none"),
    ],
)
def test_what_a_rule_needs(rule, measures, split, found):
    asked = TieRule(rule, band=None if rule == "interval" else "1")
    if found is None:
        with pytest.raises(TieError):
            needed(asked, measures, split)
    else:
        assert needed(asked, measures, split) == found


def test_without_the_columns_the_rule_is_refused():
    with pytest.raises(TieError) as error:
        ranked({"a": {"score": "1"}})
    assert str(error.value).startswith(
        "tie rule: interval, and the definition does not name low and high, or se. Name"
    )


ENDS = st.tuples(st.integers(-9, 9), st.integers(0, 6), st.integers(0, 6), st.booleans())


@given(st.lists(st.lists(ENDS, max_size=8), max_size=4), st.sampled_from([1, 10**21]))
def test_intervals_as_the_reference(boards, scale):
    """Whole histories at once; a False says that the entry has no interval."""
    boards = [sorted(board, reverse=True) for board in boards]
    rows = [(v, *row) for v, board in enumerate(boards) for row in board]
    version = np.array([row[0] for row in rows], dtype=int)
    score, low, high = (
        np.array([scale * value for value in column], dtype=np.int64 if scale == 1 else object)
        for column in (
            [row[1] for row in rows],
            [row[1] - row[2] for row in rows],
            [row[1] + row[3] for row in rows],
        )
    )
    known = np.array([row[4] for row in rows], dtype=bool)
    low[~known] = high[~known] = 0
    found = tie_groups(
        version, score, np.zeros(len(rows), int), TieRule("interval"),
        measured=Intervals(low, high, score, known),
    )  # fmt: skip
    expected = []
    for board in boards:
        plain = {f"e{i:02}": Fraction(s) for i, (s, *_) in enumerate(board)}
        ends = {
            f"e{i:02}": (Fraction(s - down), Fraction(s + up))
            for i, (s, down, up, there) in enumerate(board)
            if there
        }
        table = ranking.interval_table(plain, ends)
        expected += [row for _, row in sorted(table.items())]
    cells = found[["tie_group", "rank_low", "rank_high", "tied"]].astype(object)
    assert [tuple(row) for row in cells.where(cells.notna(), None).values.tolist()] == expected


@given(st.lists(st.integers(-30, 30), max_size=10), st.integers(0, 8))
def test_intervals_of_one_width_are_the_pairwise_rule_with_twice_that_band(ticks, half):
    ticks = np.array(sorted(ticks, reverse=True), dtype=np.int64)
    version, dp = np.zeros(len(ticks), int), np.zeros(len(ticks), int)
    even = Intervals(ticks - half, ticks + half, ticks, np.ones(len(ticks), bool))
    by_interval = tie_groups(version, ticks, dp, TieRule("interval"), measured=even)
    by_band = tie_groups(version, ticks, dp, TieRule("pairwise", band=str(2 * half)))
    pd.testing.assert_frame_equal(by_interval, by_band)


# --- standard errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "k", "expected"),
    [
        pytest.param(
            {"a": {"score": "74", "se": "0.98"}, "b": {"score": "72", "se": "0.98"},
             "c": {"score": "70", "se": "0.98"}},
            "1.96",
            [("a", 1, 1, 2, True), ("b", 1, 1, 3, True), ("c", 2, 2, 3, True)],
            id="each pair for itself: 2 points are within 2.7, 4 are not",
        ),
        pytest.param(
            {"a": {"score": "74", "se": "0.98"}, "b": {"score": "72", "se": "0.98"}},
            "1",
            [("a", 1, 1, 1, False), ("b", 2, 2, 2, False)],
            id="at one standard error of the difference, 1.4 points, they are apart",
        ),
        pytest.param(
            {"a": {"score": "74.0", "items": "2000"}, "b": {"score": "71.3", "items": "2000"}},
            "1.96",
            [("a", 1, 1, 2, True), ("b", 1, 1, 2, True)],
            id="from items: 2.7 points of 2,000 items each",
        ),
        pytest.param(
            {"a": {"score": "74.0", "items": "2000"}, "b": {"score": "71.2", "items": "2000"}},
            "1.96",
            [("a", 1, 1, 1, False), ("b", 2, 2, 2, False)],
            id="and 2.8 are too many",
        ),
        pytest.param(
            {"a": {"score": "1.0", "items": "10"}, "b": {"score": "0.9", "items": "10"}},
            "1.96",
            [("a", 1, 1, 2, True), ("b", 1, 1, 2, True)],
            id="all right of ten is not without error",
        ),
        pytest.param(
            {"a": {"score": "74", "se": "0.1"}, "b": {"score": "72"}, "c": {"score": "60", "se": "0.1"}},
            "1.96",
            [("a", 1, 1, GAP, False), ("b", GAP, GAP, GAP, False), ("c", GAP, GAP, 3, False)],
            id="an entry without a standard error leaves places open",
        ),
        pytest.param(
            {"a": {"score": "1200", "items": "10"}, "b": {"score": "900", "items": "10"}},
            "1.96",
            [("a", 1, 1, GAP, False), ("b", GAP, GAP, 2, False)],
            id="items say nothing of a score that is no share",
        ),
    ],
)  # fmt: skip
def test_places_by_standard_errors(board, k, expected):
    assert ranked(board, "se", band=k) == expected


@given(st.lists(st.tuples(st.integers(-30, 30), st.integers(0, 9)), max_size=9), st.integers(0, 3))
def test_standard_errors_as_the_reference(rows, k):
    rows = sorted(rows, reverse=True)
    ticks = np.array([tick for tick, _ in rows], dtype=np.int64)
    se = np.array([error for _, error in rows], dtype=np.float64)
    n = len(rows)
    found = tie_groups(
        np.zeros(n, int), ticks, np.zeros(n, int), TieRule("se", band=str(k)),
        measured=Errors(se, np.ones(n, bool)),
    )  # fmt: skip

    def better(one: int, two: int) -> bool:  # exactly: gap^2 > K^2 (se^2 + se^2)
        gap = rows[one][0] - rows[two][0]
        return gap > 0 and gap**2 > k**2 * (rows[one][1] ** 2 + rows[two][1] ** 2)

    assert found["rank_low"].tolist() == [1 + sum(better(j, i) for j in range(n)) for i in range(n)]
    assert found["rank_high"].tolist() == [
        n - sum(better(i, j) for j in range(n)) for i in range(n)
    ]


@pytest.mark.parametrize("rule", ["interval", "se"])
def test_a_rule_that_goes_by_measurements_is_not_guessed_without_them(rule):
    with pytest.raises(ValueError, match=f"the rule {rule} goes by what is measured"):
        tie_groups(np.zeros(2, int), np.array([2, 1]), np.zeros(2, int), TieRule(rule, band="1"))


def test_a_test_of_significance_is_never_a_boards_rule():
    assert TieRule("se", band="1.96").statistical
    assert not any(
        TieRule(rule, band="0.9").statistical for rule in ("anchored", "chain", "pairwise")
    )
    assert not TieRule("interval").statistical
    # Places only grow with the number of standard errors that is asked for.
    board = {f"e{i}": {"score": str(70 - i), "se": "0.7"} for i in range(8)}
    wide = [[row[3] - row[2] for row in ranked(board, "se", band=str(k))] for k in range(5)]
    assert all(a <= b for one, two in pairwise(wide) for a, b in zip(one, two, strict=True))
