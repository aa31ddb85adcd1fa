"""How are printed scores drawn against those that the formula gives?"""

from __future__ import annotations

import pandas as pd
import pytest

from app.charts.residual_course import residual_course
from app.charts.residuals import half_unit, residuals

DAY = pd.Timedelta(days=1)
START = pd.Timestamp("2026-03-01T00:00:00Z")


def data_of(drawn: dict, layer: int) -> list[dict]:
    return drawn["datasets"][drawn["layer"][layer]["data"]["name"]]


@pytest.mark.parametrize(
    ("texts", "half"),
    [
        pytest.param(["61.1", "60.25"], 0.005, id="the most decimals count"),
        pytest.param(["61", "7"], 0.5, id="whole numbers"),
        pytest.param(["61.1 %"], 0.05, id="with a sign behind"),
    ],
)
def test_half_a_printed_digit(texts, half):
    assert half_unit(pd.Series(texts)) == pytest.approx(half)


def test_rows_are_told_apart_by_colour_and_shape():
    rows = pd.DataFrame(
        {
            "place": [1, 2, 3],
            "entry": ["fern", "<b>moss</b>", "oak"],
            "text": ["70.5", "70.0", "69.6"],
            "computed": [70.5, 70.08, 68.05],
            "difference": [0.0, 0.08, -1.55],
            "fits": [True, True, False],
            "exact": [True, False, False],
        }
    )
    drawn = residuals(rows, 0.05, title="Computed minus printed").to_dict()
    dots = data_of(drawn, 2)
    assert [(one["who"], one["off"], one["how"]) for one in dots] == [
        ("fern", 0.0, "to the printed digit"),
        ("<b>moss</b>", 0.08, "within rounding of the parts"),
        ("oak", -1.55, "not what the formula gives"),
    ]
    encoding = drawn["layer"][2]["encoding"]
    assert len(set(encoding["color"]["scale"]["range"])) == 3
    assert encoding["shape"]["scale"]["range"] == ["circle", "triangle-up", "cross"]
    assert data_of(drawn, 0) == [{"low": -0.05, "high": 0.05}]
    assert drawn["description"] == (
        "Computed minus printed: 1 to the printed digit; 1 within rounding of the parts; "
        "1 not what the formula gives."
    )


def test_the_course_has_a_gap_where_nothing_could_be_computed():
    course = pd.DataFrame(
        {
            "at": [START, START + DAY, START + 3 * DAY],
            "until": [START + DAY, START + 2 * DAY, START + 9 * DAY],
            "commit": ["a" * 40, "b" * 40, "c" * 40],
            "worst": [0.05, 1.55, 0.05],
            "wrong": [0, 1, 0],
            "compared": [4, 4, 4],
        }
    )
    drawn = residual_course(course, end=START + 5 * DAY, title="Farthest off").to_dict()
    day = 86_400_000
    first = START.timestamp() * 1000
    steps = sorted(
        (one["segment"], (one["t"] - first) / day, one["worst"]) for one in data_of(drawn, 1)
    )
    assert steps == [(1, 0, 0.05), (1, 1, 1.55), (1, 2, 1.55), (2, 3, 0.05), (2, 5, 0.05)]
    assert [one["how"] for one in data_of(drawn, 2)] == [
        "all scores are what it gives",
        "some are not",
        "all scores are what it gives",
    ]
    assert (
        "3 versions, in 1 of them some score is not what the formula gives" in drawn["description"]
    )
