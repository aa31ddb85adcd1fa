"""Which numbers of items count, what a gap comes to in each way, and what a score is made of?"""

from __future__ import annotations

from math import sqrt

import pytest

from tests.claims.own.own_claims import numbers

SCORES = "p,x,y,items\nfern,70.0,60.0,200\nmoss,60.0,55.0,300\n"


def z(*pairs):
    """The mean gap in standard errors of its difference, written out: (p, n) of both per column."""
    m = len(pairs)
    gap = sum(one[0] - other[0] for one, other in pairs) / m
    variance = sum(p * (1 - p) / n for pair in pairs for p, n in pair) / m**2
    return pytest.approx(abs(gap) / sqrt(variance))


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        pytest.param(
            {"items": 500, "columns": ["x"]}, z(((0.7, 500), (0.6, 500))), id="one for all"
        ),
        pytest.param(
            {"items": {"x": 500, "y": 100}},
            z(((0.7, 500), (0.6, 500)), ((0.6, 100), (0.55, 100))),
            id="by column",
        ),
        pytest.param(
            {"items": {"fern": 500, "moss": 100}, "columns": ["x"]},
            z(((0.7, 500), (0.6, 100))),
            id="by entry",
        ),
        pytest.param({"columns": ["x"]}, z(((0.7, 200), (0.6, 300))), id="the table's own column"),
    ],
)
def test_which_items_count(folder, claim, expected):
    folder.write("a.csv", SCORES)
    verdict = folder.one("noise", subject="fern", other="moss", table="a.csv", **claim)
    assert verdict.answer["z"] == expected
    assert any(one.field == "items" for one in verdict.evidence)


def test_shares_and_percents_come_to_the_same(folder):
    shares, percents = (
        folder.one("noise", subject={"value": one}, other={"value": other}, items=2000, op="<")
        for one, other in [("0.736", "0.749"), ("73.6", "74.9")]
    )
    assert shares.code == percents.code == "NO_PAIRED_RESULTS"
    same = ("z", "best_z", "agreement_needed", "max_discordant")
    assert numbers(shares, *same) == numbers(percents, *same)
    assert numbers(percents, "gap", "se") == [-1.3, 1.3826]


@pytest.mark.parametrize(
    ("k", "op", "expected"),
    [
        ("0.9", "=", ("false", None)),
        ("0.9", "<", ("true", None)),
        ("0.9", ">", ("false", None)),
        ("1.96", "=", ("true", None)),
        ("6", "<", ("false", None)),
        ("2", "<", ("not_decidable", "NO_PAIRED_RESULTS")),
    ],
)
def test_how_many_standard_errors_count(folder, k, op, expected):
    verdict = folder.one(
        "noise", subject={"value": "0.736"}, other={"value": "0.749"}, items=2000, k=k, op=op
    )
    assert (verdict.verdict, verdict.code) == expected


def test_other_items_cannot_be_paired(folder):
    folder.write("a.csv", SCORES)
    verdict = folder.one(
        "noise", subject="moss", other="fern", table="a.csv", columns=["y"], op="<"
    )
    assert (verdict.verdict, verdict.answer["best_z"]) == ("false", None)


def test_lower_is_better_turns_the_gap(folder):
    folder.write("a.csv", "p,wrong ↓,items\nfern,10.0,900\nmoss,40.0,900\n")
    verdict = folder.one("noise", subject="fern", other="moss", table="a.csv", op=">")
    assert (verdict.verdict, verdict.answer["gap"]) == ("true", 30.0)


def test_scores_of_other_columns_can_be_compared(folder):
    folder.write("a.csv", SCORES)
    other = {"entry": "moss", "columns": ["x", "y"]}
    verdict = folder.one("noise", subject="fern", other=other, table="a.csv", columns=["x"])
    expected = abs(0.7 - 0.575) / sqrt(0.21 / 200 + (0.24 / 300 + 0.2475 / 300) / 4)
    assert verdict.answer["z"] == pytest.approx(expected)


# --- parts ---------------------------------------------------------------------------------------


def test_a_formula_names_columns_in_many_ways(folder):
    folder.write(
        "a.md", "| p | Same skills | New (b) | Total |\n|--|--|--|--|\n| fern | 80 | 60 | 72 |\n"
    )
    for formula in ('0.6*"Same skills" + 0.4*"New (b)"', "0.6*same_skills + 0.4*new_b"):
        verdict = folder.one("formula", table="a.md", column="total", formula=formula)
        assert (verdict.verdict, verdict.answer["recomputed"]) == ("true", {"fern": 72.0})


def test_columns_alone_may_have_any_weights(folder):
    verdict = folder.one("formula", table="parts.csv", column="score", columns=["a", "b"])
    low, high = verdict.answer["weights"]["a"]
    assert low <= 0.5 <= high and high - low < 0.01
    assert verdict.notes == ("the weights are not said: 0.5 to 0.5 a and 0.5 to 0.5 b",)
    assert verdict.strength == "printed"


def test_rounding_can_save_a_formula(folder):
    folder.write("a.csv", "p,a,b,score\nfern,1,2,1.9\n")
    claim = {"table": "a.csv", "column": "score"}
    assert folder.one("formula", **claim, formula="0.5*a + 0.5*b").verdict == "true"
    assert folder.one("formula", **claim, formula="0.5*a + 0.5*b - 1").verdict == "false"


def test_a_row_without_a_part_is_left_out(folder):
    folder.write("a.csv", "p,a,b,score\nfern,1.0,2.0,1.5\nmoss,,2.0,9.0\n")
    verdict = folder.one("formula", table="a.csv", column="score", formula="0.5*a + 0.5*b")
    assert (verdict.verdict, list(verdict.answer["published"])) == ("true", ["fern"])


# --- one column less -----------------------------------------------------------------------------


def test_ranks_without_each_column(folder):
    folder.write("a.csv", "p,x,y,z\nfern,9.0,1.0,5.0\nmoss,1.0,9.0,5.0\noak,4.0,4.0,\n")
    verdict = folder.one(
        "drop_one", table="a.csv", column="x", subject="fern", rank=2, order=["moss", "fern"]
    )
    assert verdict.verdict == "true"
    assert verdict.answer == {
        "values": {"moss": 7.0, "fern": 3.0},
        "rank": 2,
        "order": ["moss", "fern"],
        "rank_for_each_dropped": {"x": 2, "y": 1, "z": 1},
    }


@pytest.mark.parametrize(
    ("claim", "verdict", "note"),
    [
        pytest.param({"order": ["fern", "moss"]}, "false", "rounding", id="only rounding"),
        pytest.param({"order": ["moss", "oak"]}, "true", "others stand above", id="not the top"),
        pytest.param({"order": ["oak", "fern"]}, "false", None, id="far apart"),
        pytest.param({"subject": "fern", "rank": 2}, "false", "rounding", id="rank by rounding"),
        pytest.param(
            {"values": {"fern": "7.0"}, "order": ["oak", "fern"]}, "false", None, id="one part"
        ),
    ],
)
def test_parts_of_a_claim_about_one_column_less(folder, claim, verdict, note):
    folder.write("a.csv", "p,x,y\nelm,1,8.0\nfern,1,7.0\nmoss,1,7.1\noak,1,2.0\n")
    found = folder.one("drop_one", table="a.csv", column="x", columns=["y"], **claim)
    assert found.verdict == verdict
    assert note is None or any(note in one for one in found.notes)


def test_leads_where_lower_is_better(folder):
    folder.write("a.csv", "p,x,errors (lower is better)\nfern,5.0,2.0\nmoss,4.0,9.0\n")
    verdict = folder.one(
        "lead_set", table="a.csv", subject="fern", columns=["errors (lower is better)"]
    )
    assert (verdict.verdict, verdict.strength) == ("true", "certain")
    assert verdict.answer["leads"] == {"x": 1.0, "errors (lower is better)": 7.0}


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ("5.0", "4.0", ("true", "certain")),
        ("4.1", "4.0", ("true", "printed")),
        ("4.0", "4.1", ("within_rounding", None)),
        ("4.0", "5.0", ("false", "certain")),
        ("-1.0", "-2.0", ("false", "certain")),
    ],
)
def test_rounding_of_leads(folder, x, y, expected):
    folder.write("a.csv", f"p,x,y\nfern,{x},{y}\nmoss,0.0,0.0\n")
    verdict = folder.one("lead_set", table="a.csv", subject="fern", columns=["x"])
    assert (verdict.verdict, verdict.strength) == expected
