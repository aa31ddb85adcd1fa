from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from history.meaning import formula
from history.ranks import rank
from history.splits import (
    ShakeUp,
    SplitError,
    SplitRow,
    compare,
    computed,
    direction_of,
    single_splits,
    split_scores,
)
from tests.history.by_hand import scores_of_fields
from tests.history.splits.boards import BOARD, DEFINITION, FORMULA, LISTED, row


def cells(table: pd.DataFrame, *columns: str) -> list[tuple]:
    kinds = [table[c].astype(object).where(table[c].notna(), None).tolist() for c in columns]
    return list(zip(*kinds, strict=True))


def test_a_part(meaning_of):
    table = split_scores(scores_of_fields(BOARD), meaning_of(LISTED), "same")
    assert cells(rank(table), "entry", "rank", "score.text", "score.pointer", "unranked") == [
        ("fern", 1, "58.75", "/rows/0/same", None),
        ("moss", 2, "57.29", "/rows/1/same", None),
        ("oak", 3, "56.88", "/rows/2/same", None),
        ("reed", None, None, "/rows/3/same", "incomplete"),
        ("sage", None, "inf", "/rows/4/same", "not_finite"),
    ]


def test_a_formula_is_exact(meaning_of):
    table = split_scores(scores_of_fields(BOARD), meaning_of(FORMULA), "private")
    columns = ("entry", "rank", "score.text", "score.ticks", "score.dp", "unranked")
    assert cells(rank(table), *columns) == [
        ("oak", 1, "55.732", 55732, 3, None),
        ("fern", 2, "53.850", 53850, 3, None),
        ("moss", 3, "53.554", 53554, 3, None),
        ("reed", None, None, None, 3, "incomplete"),
        ("sage", None, None, None, 3, "not_finite"),
    ]
    assert table["score.pointer"].isna().all()
    assert table["score.value"].tolist()[:3] == [53.85, 53.554, 55.732]


def test_who_may_not_be_ranked_is_not_ranked_in_a_split(meaning_of):
    board = scores_of_fields(BOARD, unranked={"fern": "ineligible", "sage": "no_score"})
    table = rank(split_scores(board, meaning_of(LISTED), "public"))
    assert cells(table, "entry", "rank", "unranked") == [
        ("moss", 1, None),
        ("oak", 2, None),
        ("reed", 3, None),
        ("sage", 4, None),
        ("fern", None, "ineligible"),
    ]


@pytest.mark.parametrize(
    ("split", "message"),
    [
        pytest.param(
            "private",
            'garden: split "private": a list of parts, it has no score of its own. '
            "Take one of its parts: same, new.",
            id="a list has no combined score",
        ),
        pytest.param(
            "secret",
            'garden: split "secret": not defined. The board has: public, same, new, errors.',
            id="unknown",
        ),
    ],
)
def test_what_is_no_single_split(meaning_of, split, message):
    with pytest.raises(SplitError) as error:
        split_scores(scores_of_fields(BOARD), meaning_of(LISTED), split)
    assert str(error.value) == message


def test_names_and_directions(meaning_of):
    meaning = meaning_of(FORMULA + '\nfaults = "errors"')
    assert single_splits(meaning) == ["public", "private", "faults", "same", "new"]
    assert {name: direction_of(meaning, name) for name in [None, *single_splits(meaning)]} == {
        None: "higher",
        "public": "higher",
        "private": "higher",
        "faults": "lower",
        "same": "higher",
        "new": "higher",
    }


# --- side by side ----------------------------------------------------------------------------


def test_differences_are_exact(meaning_of):
    compared = compare(scores_of_fields(BOARD), meaning_of(LISTED))
    assert compared.names == ("public", "same", "new", "errors")
    assert compared.difference("fern", "moss") == {
        "public": Decimal("6.17"),
        "same": Decimal("1.46"),
        "new": Decimal("-1.45"),
        "errors": None,
    }


def test_a_list_of_parts_has_no_gap(meaning_of):
    compared = compare(scores_of_fields(BOARD), meaning_of(LISTED))
    assert {(row.gap, row.excess) for row in compared.entries} == {(None, None)}
    assert compared.shake_up == ShakeUp(
        None, None, None,
        "not computed: this board has no public and private split with one score each",
    )  # fmt: skip


SIX = {  # public order a to f; private ranks 2 6 1 3 4 5
    e: {"score": str(90 - i), "public": str(60 - i), "same": None, "new": None, "errors": None}
    | {"same": str(50 - 2 * place), "new": str(50 - 2 * place)}
    for i, (e, place) in enumerate(zip("abcdef", (2, 6, 1, 3, 4, 5), strict=True))
}


def test_public_against_private(meaning_of):
    compared = compare(scores_of_fields(SIX), meaning_of(FORMULA))
    # y on x over the points (60, 46) (59, 38) (58, 48) (57, 44) (56, 42) (55, 40): the mean
    # is (57.5, 43), the slope 11/17.5
    slope = Fraction(22, 35)
    expected = []
    for place, (entry, public) in enumerate(zip("abcdef", range(60, 54, -1), strict=True), 1):
        private = 50 - 2 * (2, 6, 1, 3, 4, 5)[place - 1]
        on_line = 43 + slope * (public - Fraction(115, 2))
        expected.append(
            SplitRow(
                entry,
                {
                    "public": Decimal(public),
                    "private": Decimal(private),
                    "same": Decimal(private),
                    "new": Decimal(private),
                    "errors": None,
                },
                {
                    "public": str(public),
                    "private": f"{private}.0",
                    "same": str(private),
                    "new": str(private),
                    "errors": None,
                },
                {
                    "public": place,
                    "private": (2, 6, 1, 3, 4, 5)[place - 1],
                    "same": (2, 6, 1, 3, 4, 5)[place - 1],
                    "new": (2, 6, 1, 3, 4, 5)[place - 1],
                    "errors": None,
                },
                Decimal(public - private),
                float(on_line - private),
            )
        )
    assert list(compared.entries) == expected
    assert sum(row.excess for row in compared.entries) == pytest.approx(0, abs=1e-12)
    assert compared.shake_up.value == pytest.approx(10 / 36)
    assert (compared.shake_up.noise_low, compared.shake_up.noise_high) == (None, None)
    assert compared.shake_up.assumes == (
        "6 entries that are ranked by both; the file has neither the number of items nor "
        "standard errors, so how much of it is chance is not known"
    )


def test_ranks_of_the_shake_up_are_those_among_the_common_entries(meaning_of):
    board = {
        "a": row("3", "30", None, None),
        "b": row("2", "20", "5", "5"),
        "c": row("1", "10", "4", "4"),
    }
    compared = compare(scores_of_fields(board), meaning_of(FORMULA))
    assert compared.shake_up.value == 0
    assert [(r.entry, r.ranks["public"], r.ranks["private"]) for r in compared.entries] == [
        ("a", 1, None),
        ("b", 2, 1),
        ("c", 3, 2),
    ]


@pytest.mark.parametrize(
    "board",
    [
        pytest.param({"a": row("2", "9", "8", "8"), "b": row("1", "7", "7", "7")}, id="two"),
        pytest.param(
            {e: row("1", "9", str(i), str(i)) for i, e in enumerate("abcd")}, id="one public score"
        ),
    ],
)
def test_no_line_no_excess(meaning_of, board):
    compared = compare(scores_of_fields(board), meaning_of(FORMULA))
    assert all(r.gap is not None and r.excess is None for r in compared.entries)


def test_a_board_without_entries(meaning_of):
    compared = compare(scores_of_fields(BOARD).iloc[:0], meaning_of(FORMULA))
    assert (compared.names, compared.entries) == (
        ("public", "private", "same", "new", "errors"),
        (),
    )
    assert compared.shake_up.assumes == "not computed: no entry is ranked by both"


def test_a_board_without_parts(meaning_of):
    text = DEFINITION.partition("[table.parts]")[0]
    board = scores_of_fields({"a": {"score": "1"}})
    compared = compare(board, meaning_of("", text))
    assert compared.names == ()
    assert compared.entries == (SplitRow("a", {}, {}, {}, None, None),)


# --- formulas against plain fractions ---------------------------------------------------------

TEXTS = st.one_of(
    st.none(),
    st.decimals(-99, 99, places=2).map(str),
    st.decimals(-9, 9, places=1).map(str),
    st.just("98765432109876.54"),
)
BOARDS = st.dictionaries(
    st.sampled_from("abcde"), st.fixed_dictionaries({"p": TEXTS, "q": TEXTS}), max_size=5
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(BOARDS, min_size=1, max_size=3),
    st.sampled_from(
        [
            "0.6*p + 0.4*q",
            "p - q + 1.5",
            "-(p/4) + 0.125*q",
            "p",
            "max(0, p) + q",
            "p*q",
            "p/q",
            "p/3 + q",
            "123456.789*p - q",
        ]
    ),
)
def test_formulas_as_fractions(boards, text):
    read = formula.parse(text)
    frames = [board for board in boards if board]
    if not frames:
        return
    table = scores_of_fields(*frames)
    columns = computed.columns(table, read)
    assert columns["score.dp"].groupby(table["version"]).nunique().tolist() == [1] * len(frames)
    for i, cell in enumerate(
        zip(columns["score.ticks"].tolist(), columns["score.dp"].tolist(), strict=True)
    ):
        tick, dp = cell
        printed = {name: table[f"{name}.text"][i] for name in ("p", "q")}
        known = {n: None if pd.isna(t) else Fraction(t) for n, t in printed.items()}
        exact = read.evaluate(known)
        if exact is None:
            assert pd.isna(tick)
            continue
        found = Fraction(tick, 10**dp)
        assert abs(found - exact) <= Fraction(1, 2 * 10**9)
        if exact.denominator in (1, 2, 4, 5, 10, 100, 1000):
            assert found == exact
        assert Decimal(columns["score.text"][i]) == Decimal(f"{tick}E-{dp}")
