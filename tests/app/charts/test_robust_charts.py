"""Charts of firmness: a ring for the first, rules for intervals, names that stay text."""

from __future__ import annotations

import pandas as pd

from app.charts import picture
from app.charts.drop_one import drop_one
from app.charts.forest import forest
from tests.app.charts.test_rank_lines import HOSTILE, rows_with, walk

CASES = pd.DataFrame(
    [
        (HOSTILE, 0, "all parts", 0, 70.25, 1),
        ("Moss", -1, "all parts", 0, 69.5, 2),
        (HOSTILE, 0, "without $x$", 1, 60.0, 2),
        ("Moss", -1, "without $x$", 1, 61.0, 1),
    ],
    columns=["name", "line", "case", "column", "mean", "rank"],
)
SCORES = pd.DataFrame(
    [(HOSTILE, 80.0, 78.0, 82.0, "1 to 2", 0), ("Moss", 79.0, None, None, "not known", -1)],
    columns=["name", "score", "low", "high", "ranks", "line"],
)


def test_a_dot_for_each_entry_and_a_ring_for_the_first():
    spec = drop_one(CASES, title="A board").to_dict()
    rings = next(node for node in walk(spec) if node.get("mark", {}).get("filled") is False)
    ringed = spec["datasets"][rings["data"]["name"]]
    assert [(row["case"], row["name"], row["mean"]) for row in ringed] == [
        ("all parts", HOSTILE, 70.25),
        ("without $x$", "Moss", 61.0),
    ]
    assert spec["description"] == (
        f"A board: averages of entries in 2 cases. First: all parts: {HOSTILE}; without $x$: Moss."
    )


def test_coloured_entries_differ_in_shape_too_and_cases_keep_their_order():
    rows = pd.concat([CASES[:1], CASES[1:2].assign(line=1), CASES[2:]])
    spec = drop_one(rows, title="A board").to_dict()
    marks = next(node for node in walk(spec) if "scale" in node.get("shape", {}))
    assert marks["shape"]["scale"]["domain"] == marks["color"]["scale"]["domain"]
    assert len(set(marks["shape"]["scale"]["range"])) == 2
    assert marks["y"]["scale"]["domain"] == ["all parts", "without $x$"]


def test_intervals_points_and_rank_intervals():
    spec = forest(SCORES, leader=(78.0, 82.0), title="A board").to_dict()
    rules = next(node for node in walk(spec) if node.get("mark", {}).get("type") == "rule")
    assert [(r["name"], r["low"], r["high"]) for r in spec["datasets"][rules["data"]["name"]]] == [
        (HOSTILE, 78.0, 82.0)
    ]
    assert {(row["name"], row["ranks"]) for row in rows_with(spec, "ranks")} == {
        (HOSTILE, "1 to 2"),
        ("Moss", "not known"),
    }
    assert rows_with(spec, "from") == [{"from": 78.0, "to": 82.0}]
    assert spec["description"] == (
        "A board: scores of 2 entries with their intervals. "
        f"Ranks: {HOSTILE} 1 to 2; Moss not known."
    )


def test_they_become_pictures():
    for chart in (
        drop_one(CASES, title="A board", width=600, dark=True),
        forest(SCORES, leader=None, title="A board", width=600, dark=True),
    ):
        assert picture.svg(chart).startswith(b"<svg")
