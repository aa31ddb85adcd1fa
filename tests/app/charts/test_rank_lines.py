"""A chart says what the frames say, in UTC, under safe names, for every eye."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from app.charts.held_strip import held_strip
from app.charts.stretches import basis_of, trail
from app.charts.style import ON_DARK, ON_LIGHT, dodged
from app.charts.trail_picture import trail_picture
from tests.app.hand_frames import ranks_of, readings_of

AS_OF = pd.Timestamp("2026-03-04T00:00:00Z")
HOSTILE = 'it\'s <b>"x"</b> [5-shot]: a.b </script>'


def spec_of(focus: list[str], claims: pd.DataFrame | None = None, **options: Any) -> dict[str, Any]:
    times = ["2026-03-01T00:30:00Z", "2026-03-02T23:30:00Z", "2026-03-03T12:00:00Z"]
    ranks = ranks_of([{"fern": 1, HOSTILE: 2}, {"fern": 2, HOSTILE: 1}, {}])
    readings = readings_of(times, {2: "unreadable"}, {1: HOSTILE})
    drawn = trail(basis_of(ranks, readings, AS_OF), focus)
    return trail_picture(drawn, claims, title="A board", **options).to_dict()


def claims_of(*verdicts: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "at": pd.to_datetime(["2026-03-02T00:00:00Z"] * len(verdicts), utc=True),
            "rank": 1,
            "verdict": verdicts,
            "text": HOSTILE,
            "sentence": "False.",
            "id": "c&1",
            "board": "a=b",
        }
    )


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of a spec but for the data."""
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key != "datasets":
                yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


def rows_with(spec: dict[str, Any], field: str) -> list[dict[str, Any]]:
    return [row for data in spec["datasets"].values() for row in data if field in row]


def test_fields_are_our_own_names_and_exist_in_the_data():
    spec = spec_of(["fern", HOSTILE], claims_of("false"))
    fields = {node["field"] for node in walk(spec) if "field" in node}
    assert all(re.fullmatch("[a-z]+", field) for field in fields)
    made = {calculated["as"] for node in walk(spec) for calculated in node.get("transform", ())}
    assert made == {"yours"}
    assert fields <= made | {
        key for data in spec["datasets"].values() for row in data for key in row
    }


def test_every_scale_of_time_is_utc_and_times_are_numbers():
    spec = spec_of(["fern"], claims_of("true"))
    axes = [node["x"] for node in walk(spec) if "scale" in node.get("x", {})]
    assert len(axes) >= 6
    assert {axis["scale"]["type"] for axis in axes} == {"utc"}
    assert all(isinstance(row["t"], int) for row in rows_with(spec, "t"))


def test_tooltips_are_texts_in_utc():
    said = {row["tip"] for row in rows_with(spec_of(["fern"]), "score")}
    assert said == {"2026-03-01 00:30 UTC", "2026-03-02 23:30 UTC"}


def test_the_picture_is_the_same_for_every_clock():
    vl_convert = pytest.importorskip("vl_convert")
    pictures = set()
    before = os.environ.get("TZ")
    try:
        for zone in ("America/Los_Angeles", "Pacific/Auckland"):
            os.environ["TZ"] = zone
            time.tzset()
            picture = vl_convert.vegalite_to_svg(spec_of(["fern"], width=600))
            pictures.add(re.sub(r"clip\d+|gradient_\d+", "", picture))
    finally:
        os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
        time.tzset()
    assert len(pictures) == 1
    assert ">02 Mar<" in pictures.pop()


def test_lines_step_and_rank_one_is_on_top_in_whole_numbers():
    spec = spec_of(["fern"])
    lines = [node["mark"] for node in walk(spec) if node.get("mark", {}).get("type") == "line"]
    assert {line["interpolate"] for line in lines} == {"step-after"}
    y = next(node["y"] for node in walk(spec) if "scale" in node.get("y", {}))
    assert (y["scale"]["type"], y["scale"]["reverse"], y["axis"]["values"]) == (
        "log",
        True,
        [1, 2, 3],
    )


def test_a_name_is_data_never_part_of_the_spec():
    spec = spec_of([HOSTILE], claims_of("false"))
    without_data = {
        key: value for key, value in spec.items() if key not in ("datasets", "description")
    }
    assert HOSTILE not in json.dumps(without_data)
    assert {row["name"] for row in rows_with(spec, "score")} == {HOSTILE.capitalize()}


def test_claims_differ_in_shape_and_open_by_their_address():
    spec = spec_of(["fern"], claims_of("false", "true", "not_decidable"))
    shape = next(node["shape"] for node in walk(spec) if "scale" in node.get("shape", {}))
    assert shape["scale"]["domain"] == ["true", "false", "not decidable"]
    assert len(set(shape["scale"]["range"])) == 3
    assert {row["link"] for row in rows_with(spec, "link")} == {"claims?board=a%3Db&claim=c%261"}


def test_claims_stand_in_a_ring_of_no_lines_colour_with_their_id():
    spec = spec_of(["fern"], claims_of("false", "true"))
    ring = next(node for node in walk(spec) if node.get("type") == "point" and "stroke" in node)
    assert ring["stroke"] not in ON_LIGHT and ring["fill"] == "#FFFFFF"
    shape = next(node["shape"] for node in walk(spec) if "scale" in node.get("shape", {}))
    assert len(set(shape["scale"]["range"])) == 2
    labels = [row for row in rows_with(spec, "id") if "verdict" not in row]
    assert [(row["rank"], row["id"]) for row in labels] == [(1, "c&1, c&1")]


def test_each_coloured_line_differs_in_colour_and_dash():
    names = [f"e{n}" for n in range(6)]
    ranks = ranks_of([{name: n + 1 for n, name in enumerate(names)}])
    drawn = trail(basis_of(ranks, readings_of(["2026-03-01T00:00:00Z"]), AS_OF), names)
    spec = trail_picture(drawn, title="A board").to_dict()
    line = next(node for node in walk(spec) if "field" in node.get("strokeDash", ()))
    pairs = zip(line["color"]["scale"]["range"], line["strokeDash"]["scale"]["range"], strict=True)
    assert len({json.dumps(pair) for pair in pairs}) == 6
    assert line["color"]["scale"]["range"] == list(ON_LIGHT)


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_stands_out_from_its_ground(dark):
    ground = "#0E1117" if dark else "#FFFFFF"
    pale = [c for c in (ON_DARK if dark else ON_LIGHT) if contrast(c, ground) < 3]
    assert pale == []


def contrast(one: str, other: str) -> float:
    """Contrast of two colours after WCAG 2."""

    def light(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dim = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_the_description_says_it_in_words():
    ranks = ranks_of([{"fern": 1, "moss": 2}])
    drawn = trail(basis_of(ranks, readings_of(["2026-03-01T00:00:00Z"]), AS_OF), ["moss"])
    assert trail_picture(drawn, title="A board").to_dict()["description"] == (
        "A board: rank over time from 2026-03-01 00:00 UTC to 2026-03-04 00:00 UTC, rank 1 on top, "
        "logarithmic. In colour 1, in grey 1 of the entries. At the last look: Moss is 2 of 2."
    )


def test_seven_thousand_points_are_no_error():
    names = [f"e{n:02}" for n in range(60)]
    ranks = [{name: 1 + (n + 7 * v) % 60 for n, name in enumerate(names)} for v in range(120)]
    times = [f"2026-03-{1 + v // 12:02}T{v % 12:02}:00:00Z" for v in range(120)]
    drawn = trail(
        basis_of(ranks_of(ranks), readings_of(times), pd.Timestamp("2026-03-20T00:00Z")), ["e00"]
    )
    spec = trail_picture(drawn, title="A board").to_dict()
    assert len(rows_with(spec, "segment")) > 2 * 60 * 60
    assert len(json.dumps(spec)) < 2 * 1024 * 1024


@pytest.mark.parametrize(
    "focus", [pytest.param([], id="nobody chosen"), pytest.param(["fern"], id="one chosen")]
)
def test_a_board_that_nobody_could_ever_read_is_a_chart_all_the_same(focus):
    ranks = ranks_of([{"fern": 1}]).iloc[:0]
    drawn = trail(
        basis_of(ranks, readings_of(["2026-03-01T00:00:00Z"], {0: "unreadable"}), AS_OF), focus
    )
    assert trail_picture(drawn, title="A board").to_dict()["layer"]


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        pytest.param([1, 100], [0, 200], id="labels far apart stay where they are"),
        pytest.param([1, 1, 1], [0, 20, 40], id="equal ranks go down one by one"),
        pytest.param([100, 100], [180, 200], id="at the lower edge they go up"),
        pytest.param([100, 1], [200, 0], id="the order of the lines is kept"),
        pytest.param([], [], id="nothing to place"),
    ],
)
def test_dodged(ranks, expected):
    import math

    placed = dodged(ranks, 1, 100, 200, 20)
    assert [round(200 * math.log(rank) / math.log(100)) for rank in placed] == expected


def test_held_strip_names_every_state_in_words():
    times = pd.to_datetime(["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"], utc=True)
    spans = pd.DataFrame(
        {
            "start": times[:3],
            "end": times[1:],
            "row": "claim",
            "state": ["held", "unknown", "not held"],
            "text": ["a to b", "b to c", "c to d"],
        }
    )
    marks = pd.DataFrame({"at": times[:1], "label": ["claimed"]})
    spec = held_strip(spans, marks, start=times[0], end=times[3], title="When it held").to_dict()
    assert spec["description"] == "When it held. held: a to b; unknown: b to c; not held: c to d."
    assert {node["type"] for node in walk(spec) if node.get("type") in ("bar", "rule")} == {
        "bar",
        "rule",
    }
