"""Does every question about own numbers answer yes, no and "not decidable", each with evidence?"""

from __future__ import annotations

from typing import Any

import pytest

SUN, SHADE = ["sun"], ["shade"]
TABLE = {"table": "garden.csv"}
RATIO = {"table": "speed.md", "columns": ["slow", "fast"]}
PER = {"per": "pot"}
CURVE = {"table": "curve.csv", "subject": "fern", "curve": ["x", "y"], **PER}
MIX = {"table": "parts.csv", "column": "score"}


def own(value: str, **more: Any) -> dict[str, Any]:
    return {"value": value, **more}


CASES = {
    "score": [
        ({**TABLE, "subject": "fern", "columns": SUN, "value": "81.5"}, "true"),
        ({**TABLE, "subject": "fern", "columns": SUN, "value": "81.4"}, "within_rounding"),
        ({**TABLE, "subject": "fern", "columns": SUN, "value": "80"}, "false"),
        ({**TABLE, "subject": "oak", "columns": SHADE, "value": "80"}, "MISSING_COMPONENT"),
        ({"subject": own("81.5"), "value": "81", "op": ">"}, "true"),
        ({"subject": {"formula": "2*3"}, "value": "7"}, "within_rounding"),
        ({"subject": {"formula": "2*3", "exact": True}, "value": "7"}, "false"),
        ({"subject": {"formula": "1/(2 - 2)"}, "value": "7"}, "MISSING_COMPONENT"),
    ],
    "average_of": [
        ({**TABLE, "subject": "fern", "columns": ["sun", "shade"], "value": "75.85"}, "true"),
        ({**TABLE, "subject": "fern", "columns": ["sun", "shade"], "value": "76"}, "true"),
        ({**TABLE, "subject": "fern", "columns": ["sun", "shade"], "value": "77"}, "false"),
        (
            {**TABLE, "subject": "oak", "columns": ["sun", "shade"], "value": "77"},
            "MISSING_COMPONENT",
        ),
    ],
    "delta": [
        ({**TABLE, "subject": "fern", "other": "moss", "columns": SUN, "value": "+3.5"}, "true"),
        ({**TABLE, "subject": "fern", "other": "moss", "columns": SUN, "value": "-3.5"}, "false"),
        (
            {**TABLE, "subject": "fern", "other": "oak", "columns": SHADE, "value": "1"},
            "MISSING_COMPONENT",
        ),
        ({"subject": own("81.5"), "other": own("80"), "value": "1.5"}, "true"),
        (
            {
                "subject": own("81.5", per="pot"),
                "other": own("80", per="garden"),
                "value": "1.5",
            },
            "DIFFERENT_BASELINES",
        ),
        (
            {
                "subject": own("81.5", under={"soil": "wet"}),
                "other": own("80"),
                "value": "1.5",
            },
            "DIFFERENT_BASELINES",
        ),
    ],
    "ahead": [
        ({**TABLE, "subject": "fern", "other": "moss", "columns": SUN}, "true"),
        ({**TABLE, "subject": "moss", "other": "fern", "columns": SUN}, "false"),
        (
            {
                **TABLE,
                "subject": "moss",
                "other": "fern",
                "columns": ["wind (lower is better)"],
            },
            "true",
        ),
        ({**TABLE, "subject": "moss", "other": "fern"}, "MIXED_SCALE"),
        ({**TABLE, "subject": "oak", "other": "fern", "columns": SHADE}, "MISSING_COMPONENT"),
        ({"subject": own("81.5"), "other": own("81.5")}, "false"),
    ],
    "tie": [
        ({"subject": own("81.5"), "with": own("81.50")}, "true"),
        ({"subject": own("81.5"), "with": own("81.4")}, "NO_TIE_RULE"),
    ],
    "drop_one": [
        ({**TABLE, "column": "shade", "columns": ["sun", "shade"], "order": ["fern", "moss", "oak"]}, "true"),
        ({**TABLE, "column": "shade", "columns": ["sun", "shade"], "order": ["moss", "fern"]}, "false"),
        ({**TABLE, "column": "sun", "columns": ["sun", "shade"], "values": {"moss": "75.25"}}, "true"),
        ({**TABLE, "column": "sun", "columns": ["sun", "shade"], "values": {"moss": "75.26"}}, "within_rounding"),
        ({**TABLE, "column": "sun", "columns": ["sun", "shade"], "values": {"oak": "75"}}, "MISSING_COMPONENT"),
        ({**TABLE, "column": "sun", "columns": ["sun", "shade"], "subject": "oak", "rank": 3}, "false"),
        ({**TABLE, "column": "sun", "columns": ["sun", "shade"], "subject": "moss", "rank": 1}, "true"),
        ({**TABLE, "column": "sun", "subject": "moss", "rank": 1}, "MIXED_SCALE"),
    ],
    "lead_set": [
        ({**TABLE, "subject": "fern", "columns": SUN}, "true"),
        ({"table": "parts.csv", "subject": "fern", "columns": ["a", "score"]}, "true"),
        ({"table": "parts.csv", "subject": "fern", "columns": ["b"]}, "false"),
        ({**TABLE, "subject": "oak", "columns": SHADE}, "MISSING_COMPONENT"),
    ],
    "ratio": [
        ({"subject": own("300"), "other": own("150"), "value": "2.00"}, "true"),
        ({"subject": own("300"), "other": own("150"), "value": "2.1"}, "false"),
        ({"subject": own("300"), "other": own("0"), "value": "2"}, "MISSING_COMPONENT"),
        ({"subject": "fern", "other": "moss", "value": "15", "of": "speed"}, "MISSING_COMPONENT"),
        (
            {
                "subject": own("3.59", under={"soil": "wet"}),
                "other": own("3.56", under={"soil": "dry"}),
                "value": "1",
            },
            "DIFFERENT_BASELINES",
        ),
        ({"value": "15"}, "MISSING_COMPONENT"),
        ({"subject": own("3", per="pot"), "other": own("2"), "value": "1.5"}, "DIFFERENT_BASELINES"),
        ({"subject": own("3", per="pot"), "other": own("2"), "value": "1.5", **PER}, "true"),
        ({**RATIO, "value": "0.5", "at": {"Size": "1"}}, "true"),
        ({**RATIO, "value": "0.5", "at": {"Size": "10"}}, "false"),
        ({**RATIO, "value": "0.5", "at": {"Size": "5"}}, "MISSING_COMPONENT"),
        ({**RATIO, "value": "3.4"}, "true_under_other"),
        ({**RATIO, "value": "9"}, "false"),
        ({**RATIO, "value": "0.1", "op": ">"}, "true"),
        ({**TABLE, "subject": "moss", "other": "fern", "columns": SUN, "value": "0.957"}, "true"),
        ({**TABLE, "columns": ["sun", "shade"], "at": {"plant": "oak"}, "value": "1"}, "MISSING_COMPONENT"),
    ],
    "ratio_at": [
        ({**CURVE, "x": "2", "other": own("40", per="garden"), "value": "2.0"}, "DIFFERENT_BASELINES"),
        ({**CURVE, "x": "2", "other": own("40", **PER), "value": "2.0"}, "true"),
        ({**CURVE, "x": "2", "other": own("40", **PER), "value": "3.0"}, "false"),
        ({**CURVE, "x": "5", "other": own("40", **PER), "value": "3.0"}, "NO_EXTRAPOLATION"),
        ({**CURVE, "x": "2", "other": own("40"), "value": "2.0"}, "DIFFERENT_BASELINES"),
        ({**CURVE, "x": "2", "other": own("0", **PER), "value": "2.0"}, "MISSING_COMPONENT"),
        ({**CURVE, "x": "2", "other": "moss", "value": "1.8"}, "true"),
        ({**CURVE, "x": "4", "other": "moss", "value": "1.8"}, "NO_EXTRAPOLATION"),
    ],
    "noise": [
        ({**TABLE, "subject": "fern", "other": "moss", "columns": SUN}, "true"),
        ({**TABLE, "subject": "fern", "other": "oak", "columns": SUN}, "false"),
        ({**TABLE, "subject": "fern", "other": "oak", "columns": SUN, "op": ">"}, "true"),
        ({**TABLE, "subject": "fern", "other": "oak", "columns": SUN, "op": "<"}, "false"),
        ({**TABLE, "subject": "fern", "other": "moss", "columns": SUN, "op": ">"}, "NO_PAIRED_RESULTS"),
        ({**TABLE, "subject": "moss", "other": "fern", "columns": SUN, "op": "<"}, "NO_PAIRED_RESULTS"),
        ({"subject": own("0.81"), "other": own("0.80"), "op": ">", "items": 100}, "false"),
        ({"subject": own("0.81"), "other": own("0.80"), "op": ">"}, "NO_ITEM_COUNT"),
        ({"subject": own("0.81"), "other": own("80"), "items": 100}, "MIXED_SCALE"),
        ({"subject": own("1285"), "other": own("1280"), "items": 100}, "NO_SE"),
        ({"subject": own("1"), "other": own("0"), "items": 100}, "NO_SE"),
        ({**TABLE, "subject": "fern", "other": "moss", "columns": ["wind (lower is better)"]}, "NO_ITEM_COUNT"),
    ],
    "formula": [
        ({**MIX, "formula": "0.5*a + 0.5*b", "subject": "fern"}, "true"),
        ({**MIX, "formula": "max(a, b) - 10", "subject": "fern"}, "true"),
        ({**MIX, "columns": ["a", "b"]}, "true"),
        ({**MIX, "columns": ["b", "c"]}, "false"),
        ({**MIX, "formula": "0.9*a + 0.1*b"}, "false"),
        ({**MIX, "formula": "a/(b - 60)", "subject": "fern"}, "false"),
        ({"table": "parts.csv", "column": "a", "columns": ["b"]}, "UNKNOWN_FORMULA"),
        ({**TABLE, "column": "shade", "columns": ["sun"], "subject": "oak"}, "MISSING_COMPONENT"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("predicate", "claim", "expected"),
    [
        pytest.param(predicate, claim, expected, id=f"{predicate} {n}: {expected}")
        for predicate, cases in CASES.items()
        for n, (claim, expected) in enumerate(cases, 1)
    ],
)
def test_the_answer_and_its_evidence(folder, predicate, claim, expected):
    verdict = folder.one(predicate, **claim)
    if expected.isupper():
        assert (verdict.verdict, verdict.code) == ("not_decidable", expected)
        assert verdict.would_decide
    else:
        assert (verdict.verdict, verdict.code) == (expected, None)
    assert verdict.evidence
    for one in verdict.evidence:
        assert (one.path and one.pointer) or one.text
    assert verdict.sentence.endswith(".")


def test_what_would_decide_names_what_is_missing(folder):
    verdict = folder.one("ratio", subject="fern", other="moss", value="15", of="speed")
    expected = "a table of the speed of fern and moss under the conditions that are meant"
    assert verdict.would_decide == expected
    per = folder.one("ratio_at", **{**CURVE, "per": "pot"}, x="2", other={"value": "4"}, value="2")
    assert per.sentence == 'Not decidable. The curve is per "pot", 4 per what is not said.'
