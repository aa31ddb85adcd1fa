"""Scores step at commits, and the band of ties hangs below the best as the version prints it."""

from __future__ import annotations

import pandas as pd
import pytest

from app.charts.score_stretches import scores, the_best
from history.moves import Banding
from history.ties import TieRule
from tests.app.hand_frames import readings_of

DAYS = [f"2026-03-0{day}T00:00:00Z" for day in range(1, 5)]
AS_OF = pd.Timestamp("2026-03-06T00:00:00Z")
ANCHORED = TieRule("anchored", "inclusive")


def ranks_of(*versions: dict[str, str]) -> pd.DataFrame:
    """RANKS by printed scores, the first of each version is the best."""
    rows = [
        {
            "version": version,
            "entry": entry,
            "name": entry.title(),
            "rank": rank,
            "score.text": text,
            "score.value": float(text),
            "score.ticks": int(text.replace(".", "")),
            "score.dp": len(text.partition(".")[2]),
            "n_ranked": len(listed),
            "tied": False,
        }
        for version, listed in enumerate(versions)
        for rank, (entry, text) in enumerate(listed.items(), 1)
    ]
    frame = pd.DataFrame(rows).astype({"rank": "Int64", "version": "int32"})
    return frame.astype({"entry": "category", "name": "category", "score.text": "category"})


def points_of(frame: pd.DataFrame, *columns: str) -> list[tuple]:
    days = frame["at"].dt.strftime("%d")
    return list(frame.assign(day=days)[["day", *columns]].itertuples(index=False, name=None))


def test_the_band_is_that_of_each_version_and_a_gap_stays_a_gap():
    ranks = ranks_of({"fern": "70.0"}, {"fern": "70.0"}, {}, {"moss": "71.25"})
    bandings = {
        n: Banding(ANCHORED, band) for n, band in enumerate(["0.5", "0.75", "0.75", "0.75"])
    }
    best, ribbon = the_best(ranks, readings_of(DAYS, {2: "unreadable"}), AS_OF, bandings)
    assert points_of(ribbon, "lead_text", "band", "edge_text", "edge", "segment", "ends") == [
        ("01", "70.0", "0.5", "69.5", 69.5, 1, False),
        ("02", "70.0", "0.75", "69.25", 69.25, 1, False),
        ("03", "70.0", "0.75", "69.25", 69.25, 1, True),
        ("04", "71.25", "0.75", "70.50", 70.5, 2, False),
        ("06", "71.25", "0.75", "70.50", 70.5, 2, True),
    ]
    assert points_of(best, "lead_text", "segment", "ends") == [
        ("01", "70.0", 1, False),
        ("03", "70.0", 1, True),
        ("04", "71.25", 2, False),
        ("06", "71.25", 2, True),
    ]


def test_where_the_lowest_is_best_the_band_lies_above_it():
    bandings = {0: Banding(ANCHORED, "0.1")}
    _, ribbon = the_best(
        ranks_of({"fern": "0.2"}), readings_of(DAYS[:1]), AS_OF, bandings, lower=True
    )
    assert ribbon["edge_text"].tolist() == ["0.3", "0.3"]


@pytest.mark.parametrize(
    "banding",
    [
        pytest.param(Banding(TieRule("none"), None), id="no ties"),
        pytest.param(Banding(ANCHORED, None), id="a file that prints no band"),
        pytest.param(
            Banding(TieRule("se", "inclusive", "1.96"), "1.96"), id="a multiple of an error"
        ),
    ],
)
def test_without_a_band_in_scores_there_is_none(banding):
    best, ribbon = the_best(ranks_of({"fern": "70.0"}), readings_of(DAYS[:1]), AS_OF, {0: banding})
    assert ribbon.empty
    assert points_of(best, "lead") == [("01", 70.0), ("06", 70.0)]


def test_a_score_is_a_point_where_its_text_changes():
    ranks = ranks_of({"fern": "70.0", "moss": "69.0"}, {"moss": "71.0", "fern": "70.0"})
    readings = readings_of(DAYS[:2])
    found = scores(ranks, readings, AS_OF, ["moss", "fern"], the_best(ranks, readings, AS_OF, {}))
    assert points_of(found.points, "entry", "line", "score", "ends") == [
        ("01", "fern", 1, 70.0, False),
        ("06", "fern", 1, 70.0, True),
        ("01", "moss", 0, 69.0, False),
        ("02", "moss", 0, 71.0, False),
        ("06", "moss", 0, 71.0, True),
    ]


def test_too_many_points_leave_the_newest_and_it_is_said():
    ranks = ranks_of({"fern": "70.0"}, {"fern": "70.1"}, {"fern": "70.2"}, {"fern": "70.3"})
    readings = readings_of(DAYS)
    best = the_best(ranks, readings, AS_OF, {})
    found = scores(ranks, readings, AS_OF, ["fern"], best, budget=3)
    assert found.note == (
        "Scores are shown from 2026-03-03 00:00 UTC on: all of them are 5 points, the chart holds 3."
    )
    assert points_of(found.points, "score") == [("03", 70.2), ("04", 70.3), ("06", 70.3)]
