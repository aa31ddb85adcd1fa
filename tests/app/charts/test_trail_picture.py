"""First place, ranks and scores stand one beneath the other on one axis of time."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd
import pytest
from lxml import etree

from app.charts import picture
from app.charts.score_stretches import scores, the_best
from app.charts.stretches import basis_of, trail
from app.charts.trail_picture import trail_picture
from history.moves import Banding
from history.ties import TieRule
from tests.app.charts.test_rank_lines import AS_OF, HOSTILE, claims_of, rows_with, walk
from tests.app.charts.test_score_stretches import ranks_of
from tests.app.hand_frames import readings_of

TIMES = ["2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"]


def reign(who: list[str], start: str, until: str | None) -> dict[str, Any]:
    return {
        "entries": who,
        "names": {entry: entry.title() for entry in who},
        "from": start,
        "until": until,
        "open": until is None,
        "absent": False,
        "seconds": 86400,
        "seconds_certain": 86400,
        "censored_start": False,
        "from_commit": "ab" * 20,
    }


FIRST = [reign(["moss"], TIMES[0], TIMES[1]), reign(["fern", HOSTILE], TIMES[1], None)]


def spec_of(focus: list[str], width: int | str = "container", **options: Any) -> dict[str, Any]:
    ranks = ranks_of({"moss": "70.0", "fern": "69.8"}, {"fern": "71.0", HOSTILE: "71.0"})
    readings = readings_of(TIMES)
    bandings = {n: Banding(TieRule("anchored", "inclusive", "0.5"), "0.5") for n in (0, 1)}
    scored = scores(ranks, readings, AS_OF, focus, the_best(ranks, readings, AS_OF, bandings))
    drawn = trail(basis_of(ranks, readings, AS_OF), focus)
    return trail_picture(
        drawn, title="A board", first=FIRST, scores=scored, width=width, **options
    ).to_dict()


def test_the_layers_that_are_put_together_are_a_valid_chart():
    spec = spec_of(["fern", HOSTILE], claims=claims_of("false"), here="trail?at=")
    alt.LayerChart.from_dict(spec).to_dict()


def test_panels_do_not_overlap_and_fill_the_picture():
    spec = spec_of(["fern"])
    scales = [node["y"]["scale"]["range"] for node in walk(spec) if "scale" in node.get("y", {})]
    strip, ranks, scored = sorted({(top, bottom) for bottom, top in scales})
    assert strip[1] < ranks[0] and ranks[1] < scored[0]
    assert scored[1] == spec["height"]
    assert {node["x"]["scale"]["type"] for node in walk(spec) if "scale" in node.get("x", {})} == {
        "utc"
    }


def test_a_reign_has_the_colour_of_its_holder_and_a_shared_one_is_split():
    spec = spec_of(["fern"])
    bars = rows_with(spec, "fill")
    bars = [
        {k: bar[k] for k in ("name", "who", "line", "high", "low")} for bar in bars if "who" in bar
    ]
    assert bars == [
        {"name": "Moss", "who": "Moss", "line": -1, "high": 1.0, "low": 0.0},
        {"name": "", "who": f"Fern, {HOSTILE.title()}", "line": 0, "high": 1.0, "low": 0.5},
        {"name": "", "who": f"Fern, {HOSTILE.title()}", "line": -1, "high": 0.5, "low": 0.0},
    ]
    fills = {bar["who"][:4]: bar["fill"] for bar in rows_with(spec, "fill") if bar["line"] == 0}
    assert fills == {"Fern": "#0072B2"}


def test_a_point_opens_its_commit_on_a_page_and_nothing_in_a_file():
    here = "trail?board=a%26b&at="
    on_a_page = spec_of(["fern"], here=here)
    linked = [node for node in walk(on_a_page) if node.get("href", {}).get("field") == "link"]
    assert len(linked) == 3  # first place, ranks, scores
    assert {"name": "here", "value": here} in on_a_page["params"]
    made = {t["calculate"] for node in walk(on_a_page) for t in node.get("transform", ())}
    assert "here + datum.full" in made
    in_a_file = spec_of(["fern"], 600, here=here)
    assert not any("href" in node for node in walk(in_a_file))


def test_one_part_makes_the_selection_that_every_line_follows():
    spec = spec_of(["fern"])
    made = [param["name"] for node in walk(spec) for param in node.get("params", ())]
    assert sorted(made) == ["hover", "zoom"]
    widths = [node["strokeWidth"] for node in walk(spec) if "strokeWidth" in node]
    followed = [width for width in widths if isinstance(width, dict) and "condition" in width]
    assert len(followed) == 3  # ranks, the grey ones, scores


@pytest.mark.parametrize("focus", [pytest.param([], id="nobody"), pytest.param(["fern"], id="one")])
def test_it_is_a_picture_with_its_words(focus):
    drawn = etree.fromstring(picture.svg(_Spec(spec_of(focus, 600))))
    words = {text.strip() for text in drawn.itertext()}
    assert {"First place", "Rank, 1 on top", "02 Mar"} <= words
    assert ("Score" in words) == bool(focus)


def test_the_description_tells_of_all_panels():
    said = spec_of(["fern"])["description"]
    assert said.endswith(
        f"At the last look: Fern is 1 of 2. First at the last look: Fern, {HOSTILE.title()}. "
        "Beneath, the scores of those in colour, and the band in which they tie with the best."
    )


class _Spec:
    def __init__(self, spec: dict[str, Any]):
        self._spec = spec

    def to_dict(self) -> dict[str, Any]:
        return self._spec


def test_times_of_the_rows_are_whole_milliseconds():
    assert all(isinstance(row["t"], int) for row in rows_with(spec_of(["fern"]), "t"))
    assert pd.Timestamp(TIMES[0]).timestamp() * 1000 in {
        row["t"] for row in rows_with(spec_of(["fern"]), "fill")
    }
