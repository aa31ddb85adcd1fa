"""What does a ratio come to under the conditions that a claim leaves open, and along a curve?"""

from __future__ import annotations

import pytest

from history.claims.language.claim import ClaimError
from tests.claims.own.own_claims import numbers

SPEED = {"table": "speed.md", "columns": ["slow", "fast"]}
CURVE = {"table": "curve.csv", "curve": ["x", "y"], "per": "pot"}
FORTY = {"value": "40", "per": "pot"}


def test_a_ratio_that_holds_in_some_rows_says_in_which(folder):
    verdict = folder.one("ratio", **SPEED, value="3.4", approx=True)
    assert verdict.verdict == "true_under_other"
    assert verdict.sentence == (
        "True under another condition. It is from 0.5 to 3.448, depending on Size."
    )
    assert verdict.notes[:2] == (
        "holds in 1 of 4 rows: Size = 10",
        "the best of 4 is 3.448, the median 1.346",
    )
    assert numbers(verdict, "measured", "holds_in", "of", "best", "median") == [
        0.5, 1, 4, 3.4483, 1.3458,
    ]  # fmt: skip
    assert [row["verdict"] for row in verdict.answer["rows"]] == ["false"] * 3 + ["true"]
    # The row in which it holds stands first in the evidence.
    assert [one.pointer for one in verdict.evidence[:2]] == ["line=6;cell=2", "line=6;cell=3"]


def test_where_a_ratio_passes_the_claim(folder):
    verdict = folder.one("ratio", **SPEED, value="2")
    # From 400/230 at 4 to 1000/290 at 10, straight.
    at_4, at_10 = 400 / 230, 1000 / 290
    expected = 4 + 6 * (2 - at_4) / (at_10 - at_4)
    assert verdict.answer["crosses"] == {"Size": pytest.approx(expected)}
    (fitted,) = [note for note in verdict.notes if note.startswith("fitted")]
    assert fitted == (
        "fitted: (0 +0.1 × Size) over (0.19 +0.01 × Size) passes 2 at 4.75 and tends to 10"
    )


def test_a_curved_time_gets_no_line(folder):
    folder.write("a.csv", "n,slow,fast\n1,1.0,1.0\n2,16.0,1.0\n3,81.0,1.0\n4,256.0,1.0\n")
    verdict = folder.one("ratio", table="a.csv", columns=["slow", "fast"], value="20")
    assert verdict.answer["crosses"] and not any(n.startswith("fitted") for n in verdict.notes)


@pytest.mark.parametrize(
    ("rows", "value", "expected"),
    [
        pytest.param("a,2.0\nb,2.0\n", "2", ("true", "certain"), id="in all rows"),
        pytest.param("a,2.0\nb,2.51\n", "2.5", ("true_under_other", None), id="in one"),
        pytest.param("a,1.0\nb,3.0\n", "2", ("true_under_other", None), id="between the rows"),
        pytest.param("a,1.0\nb,3.0\n", "4", ("false", "certain"), id="beyond all"),
        pytest.param("a,1.0\nb,3.0\n", "3.1", ("within_rounding", None), id="nearly"),
        pytest.param("a,1.0\nb,\n", "1.0", ("true", "certain"), id="only one row has a number"),
        pytest.param("a,1.0\nb,3.0\n", "a third", ("false", "certain"), id="in words"),
    ],
)
def test_the_verdict_over_rows(folder, rows, value, expected):
    folder.write("a.csv", f"how,times\n{rows}")
    verdict = folder.one("ratio", table="a.csv", column="times", value=value)
    assert (verdict.verdict, verdict.strength) == expected
    assert ("1 row without a number" in verdict.notes) == (",\n" in rows)


@pytest.mark.parametrize("op", ["<", "<=", ">", ">="])
def test_a_bound_holds_in_the_rows_in_which_it_holds(folder, op):
    folder.write("a.csv", "how,times\na,1.0\nb,3.0\n")
    verdict = folder.one("ratio", table="a.csv", column="times", value="2", op=op)
    assert (verdict.verdict, verdict.answer["holds_in"]) == ("true_under_other", 1)


def test_conditions_can_be_given_in_part(folder):
    folder.write("a.csv", "who,effort,cost,base\nfern,low,20,10\nfern,max,80,10\noak,low,50,10\n")
    claim = {"table": "a.csv", "columns": ["cost", "base"], "value": "2.0"}
    assert folder.one("ratio", **claim, at={"effort": "low"}).answer["of"] == 2
    assert folder.one("ratio", **claim, at={"effort": "LOW", "who": "fern"}).verdict == "true"
    assert folder.one("ratio", **claim, subject="fern").answer["of"] == 2
    with pytest.raises(ClaimError, match='no column "Effort level"'):
        folder.one("ratio", **claim, at={"Effort level": "low"})


def test_names_of_columns_are_what_is_divided(folder):
    verdict = folder.one(
        "ratio", table="speed.md", subject="slow", other="fast", at={"Size": "10.0"}, value="3.4"
    )
    assert numbers(verdict, "measured") == [3.4483]


def test_rows_are_divided_by_the_mean_of_their_columns(folder):
    verdict = folder.one(
        "ratio", table="parts.csv", subject="fern", other="moss", columns=["a"], value="1.33"
    )
    assert verdict.verdict == "true"
    assert [one.pointer for one in verdict.evidence] == ["cell=2,2", "cell=3,2"]


@pytest.mark.parametrize(
    ("predicate", "claim"),
    [
        ("ratio", {"columns": ["disk", "memory"], "value": "2"}),
        ("average_of", {"subject": "fern", "columns": ["disk", "memory"], "value": "2"}),
        (
            "delta",
            {
                "subject": {"entry": "fern", "columns": ["disk"]},
                "other": {"entry": "fern", "columns": ["memory"]},
                "value": "2",
            },
        ),
        ("drop_one", {"column": "rest", "values": {"fern": "2"}}),
    ],
)
def test_numbers_in_two_units_are_not_put_together(folder, predicate, claim):
    folder.write("a.csv", "p,disk,memory,rest\nfern,2 GB,1 MB,1\n")
    assert folder.one(predicate, table="a.csv", **claim).code == "MIXED_SCALE"


# --- curves --------------------------------------------------------------------------------------


def test_a_place_on_a_curve(folder):
    verdict = folder.one("ratio_at", **CURVE, subject="fern", x="2", other=FORTY, value="2")
    assert numbers(verdict, "y", "measured", "ratio_log", "bound") == [
        80.0,
        2.0,
        1.9365,
        [1.5, 2.5],
    ]
    assert verdict.notes == (
        "assumes piecewise linear; whatever the curve between its points, 1.5 to 2.5",
    )
    assert [one.pointer for one in verdict.evidence[:4]] == [
        "cell=2,2", "cell=2,3", "cell=3,2", "cell=3,3",
    ]  # fmt: skip


def test_a_measured_point_needs_no_line(folder):
    verdict = folder.one("ratio_at", **CURVE, subject="fern", x="3.0", other=FORTY, value="1.5")
    assert (verdict.verdict, verdict.answer["bound"]) == ("true", [1.5, 1.5])


def test_the_other_curve_of_a_table(folder):
    verdict = folder.one("ratio_at", **CURVE, subject="fern", x="2", other="moss", value="1.78")
    assert numbers(verdict, "y", "measured") == [80.0, 1.7778]
    assert {one.entry for one in verdict.evidence} == {"fern", "moss"}


def test_a_curve_that_rises_and_falls_has_no_bound(folder):
    folder.write("a.csv", "x,y\n1,10\n2,30\n3,20\n")
    verdict = folder.one("ratio_at", **{**CURVE, "table": "a.csv"}, x="1.5", other=FORTY, value="1")
    assert verdict.notes[-1].endswith("nothing: it rises and falls")


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"x": "2"}, "two points at x 1. Say whose curve is meant: give `subject`."),
        ({"x": "2", "subject": "oak"}, 'no points of "oak". It has fern, moss.'),
        ({"x": "2", "curve": ["x", "z"]}, 'no column "z"'),
    ],
)
def test_whose_curve_is_meant_is_not_guessed(folder, claim, message):
    with pytest.raises(ClaimError) as caught:
        folder.one("ratio_at", **{**CURVE, **claim}, other=FORTY, value="1")
    assert message in str(caught.value)
