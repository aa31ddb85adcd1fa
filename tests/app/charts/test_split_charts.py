"""Charts of two splits: two columns and no time between them, bands, and steps through time."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pandas as pd
import pytest

from app.charts import picture
from app.charts.excess_dots import excess_dots
from app.charts.slopegraph import GAP, sloped, slopegraph
from app.charts.split_lines import split_lines
from app.charts.stretches import basis_of, trail
from tests.app.charts.test_rank_lines import AS_OF, HOSTILE, rows_with, walk
from tests.app.hand_frames import ranks_of, readings_of


def ranks_by(*rows: tuple[str, int, int]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["entry", "left", "right"])
    return frame.assign(name=frame["entry"])


@pytest.mark.parametrize(
    ("chosen", "reach", "expected"),
    [
        pytest.param([], 2, [("a", "mover"), ("b", "mover"), ("d", "mover")], id="the first two of either"),
        pytest.param(["c"], 1, [("a", "mover"), ("c", "chosen"), ("d", "mover")], id="the chosen in any place"),
        pytest.param(["a", "b"], 9, [("a", "chosen"), ("b", "chosen"), ("c", "rest"), ("d", "mover")], id="who does not move is not dark"),
    ],
)  # fmt: skip
def test_which_lines_are_drawn(chosen, reach, expected):
    ranks = ranks_by(("a", 1, 4), ("b", 2, 1), ("c", 3, 3), ("d", 4, 2))
    if reach == 1:
        ranks = ranks_by(("a", 1, 4), ("b", 2, 2), ("c", 3, 3), ("d", 4, 1))
    drawn = sloped(ranks, chosen, reach)
    assert list(zip(drawn["entry"], drawn["kind"], strict=True)) == expected


def slopes(**options: Any) -> dict[str, Any]:
    rows = sloped(ranks_by((HOSTILE, 1, 3), ("fern", 2, 1), ("moss", 3, 2)), ["fern"])
    return slopegraph(
        rows, left="public", right="<b>", n_ranked=3, title="A board", **options
    ).to_dict()


def test_names_stand_at_both_ends_with_their_ranks():
    spec = slopes()
    labels = {(row["side"], row["label"]) for row in rows_with(spec, "label")}
    assert labels == {
        ("public", f"{HOSTILE}  1"),
        ("public", "fern  2"),
        ("public", "moss  3"),
        ("<b>", "1  fern"),
        ("<b>", "2  moss"),
        ("<b>", f"3  {HOSTILE}"),
    }
    assert spec["description"] == (
        f"A board: ranks by public and by <b> of 3 entries. {HOSTILE} is 1 by public and 3 by <b>; "
        "fern is 2 by public and 1 by <b>; moss is 3 by public and 2 by <b>."
    )


def test_there_is_no_time_between_the_columns():
    xs = [node["x"] for node in walk(slopes()) if "field" in node.get("x", {})]
    assert {x["field"] for x in xs} == {"side"}
    assert all(x["scale"]["domain"] == ["public", "<b>"] for x in xs)


def test_no_name_covers_another():
    ranks = ranks_by(*[(f"e{n:02}", n, 31 - n) for n in range(1, 31)])
    spec = slopegraph(
        sloped(ranks, [], 30), left="a", right="b", n_ranked=30, title="A board"
    ).to_dict()
    height, top, bottom = spec["height"], 0.9, 33
    places = sorted({row["place"] for row in rows_with(spec, "place") if row["side"] == "a"})
    pixels = [height * math.log(place / top) / math.log(bottom / top) for place in places]
    assert len(pixels) == 30
    assert min(b - a for a, b in pairwise(pixels)) >= GAP - 0.001
    assert pixels[0] >= 0 and pixels[-1] <= height + 0.001


def dots_of(*rows: tuple[str, float, float | None]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["name", "excess", "high"]).astype({"high": float})
    return frame.assign(low=-frame["high"], gap="+1", line=-1)


def test_who_is_outside_the_band_is_said_and_filled():
    rows = dots_of((HOSTILE, 3.0, 2.0), ("moss", 1.0, 2.0), ("oak", -2.5, 2.0))
    spec = excess_dots(rows, band="noise", title="A board").to_dict()
    assert spec["description"] == (
        "A board: excess of 3 entries, the largest on top. Band: noise. "
        f"Outside it: {HOSTILE} +3.00; oak -2.50."
    )
    told = {(row["name"], row["says"]) for row in rows_with(spec, "says")}
    assert told == {(HOSTILE, "outside"), ("moss", "inside"), ("oak", "outside")}


def test_without_a_band_nothing_is_shaded_and_nobody_is_outside():
    spec = excess_dots(dots_of(("moss", 1.0, None)), band="none", title="A board").to_dict()
    assert [node["mark"]["type"] for node in walk(spec) if "mark" in node].count("bar") == 0
    assert spec["description"].endswith("Outside it: nobody.")


def both_trails() -> tuple[Any, Any]:
    times = ["2026-03-01T00:30:00Z", "2026-03-02T23:30:00Z", "2026-03-03T12:00:00Z"]
    readings = readings_of(times, {1: "unreadable"}, {2: HOSTILE})
    public = ranks_of([{"fern": 1, "moss": 2}, {}, {"fern": 2, "moss": 1}])
    private = ranks_of([{"fern": 2, "moss": 1}, {}, {"fern": 1, "moss": 2}])
    return tuple(trail(basis_of(ranks, readings, AS_OF), ["fern"]) for ranks in (public, private))


def test_colour_says_whose_and_dash_says_by_which_split():
    spec = split_lines(*both_trails(), names=("public", "private"), title="A board").to_dict()
    line = next(node for node in walk(spec) if "field" in node.get("strokeDash", ()))
    assert line["strokeDash"]["scale"]["domain"] == ["public", "private"]
    assert line["color"]["scale"]["domain"] == [0]
    assert {n["mark"]["interpolate"] for n in walk(spec) if n.get("mark", {}).get("type") == "line"} == {"step-after"}  # fmt: skip
    points = {(r["split"], r["rank"], r["tip"], r["ends"]) for r in rows_with(spec, "segment")}
    assert points == {
        ("public", 1, "2026-03-01 00:30 UTC", False),
        ("public", 1, "2026-03-02 23:30 UTC", True),
        ("public", 2, "2026-03-03 12:00 UTC", False),
        ("public", 2, "2026-03-04 00:00 UTC", True),
        ("private", 2, "2026-03-01 00:30 UTC", False),
        ("private", 2, "2026-03-02 23:30 UTC", True),
        ("private", 1, "2026-03-03 12:00 UTC", False),
        ("private", 1, "2026-03-04 00:00 UTC", True),
    }
    assert spec["description"].endswith(
        "At the last look: Fern is 2 by public; Fern is 1 by private."
    )
    assert {row["why"] for row in rows_with(spec, "why")} == {"not readable"}
    assert {row["label"] for row in rows_with(spec, "label")} >= {HOSTILE, "2 Fern, public"}


def test_they_become_pictures():
    rows = dots_of((HOSTILE, 3.0, 2.0))
    drawn = sloped(ranks_by((HOSTILE, 1, 3), ("fern", 2, 1), ("moss", 3, 2)), ["fern"])
    charts = [
        slopegraph(drawn, left="a", right="b", n_ranked=3, title="A board", width=600),
        excess_dots(rows, band="noise", title="A board", width=600),
        split_lines(*both_trails(), names=("a", "b"), title="A board", width=600),
    ]
    for chart in charts:
        assert picture.svg(chart).startswith(b"<svg")
