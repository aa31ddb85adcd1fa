"""A strip of reigns shows each of them, whoever many there are, and says it in words."""

from __future__ import annotations

import json
import re
from typing import Any

import pandas as pd
import pytest

from app.charts.picture import png
from app.charts.reign_strip import MOST_ROWS, OPEN, reign_strip
from app.charts.style import ON_DARK, ON_LIGHT
from tests.app.charts.test_rank_lines import rows_with, walk

START = pd.Timestamp("2026-03-01T00:00:00Z")
HOSTILE = 'it\'s <b>"x"</b> [5-shot]: a.b </script>'


def reign(
    day: float, days: float, *entries: str, open: bool = False, earlier: float = 0, **more: Any
) -> dict[str, Any]:
    """A reign as in the JSON of `reigns`; it may have ended some days `earlier`."""
    start, end = START + pd.Timedelta(days=day), START + pd.Timedelta(days=day + days)
    until = None if open else end.isoformat()
    return {
        "entries": list(entries),
        "names": {entry: entry for entry in entries},
        "stays": [],
        "sole": len(entries) == 1,
        "from": start.isoformat(),
        "from_commit": f"{round(day):040x}",
        "until": until,
        "until_earliest": until and (end - pd.Timedelta(days=earlier)).isoformat(),
        "seconds": int(days * 86400),
        "seconds_certain": int(days * 86400),
        "open": open,
        "censored_start": False,
        "absent": False,
        "lost_to": [],
        "definition_changed": False,
    } | more


def spec_of(reigns: list[dict[str, Any]], days: float, **options: Any) -> dict[str, Any]:
    end = START + pd.Timedelta(days=days)
    return reign_strip(reigns, start=START, end=end, title="A board", **options).to_dict()


def bars(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of the bars; those of brief reigns stand in the spec twice."""
    found = {json.dumps(row, sort_keys=True) for row in rows_with(spec, "held") if row["y"] or "v"}
    return [json.loads(row) for row in found if json.loads(row)["y"] > 0]


@pytest.mark.parametrize("rows", ["one", "holders"])
def test_a_bar_reaches_from_the_beginning_to_the_end(rows):
    spec = spec_of([reign(0, 2, "fern"), reign(2, 3, "moss", open=True)], 5, rows=rows)
    day = 86_400_000
    first = int(START.timestamp() * 1000)
    found = sorted((row["who"], row["t"], row["u"], row["open"]) for row in bars(spec))
    assert found == [
        ("fern", first, first + 2 * day, False),
        ("moss", first + 2 * day, first + 5 * day, True),
    ]
    paler = [node for node in walk(spec) if node.get("value") == OPEN]
    assert paler


def test_each_holder_has_a_colour_and_a_name():
    spec = spec_of([reign(0, 2, "fern"), reign(2, 3, "moss", open=True)], 5, rows="holders")
    assert {row["who"]: row["colour"] for row in bars(spec)} == {
        "moss": ON_LIGHT[0],
        "fern": ON_LIGHT[1],
    }
    assert [row["label"] for row in rows_with(spec, "label")] == ["moss: 3 d", "fern: 48 h"]
    dark = spec_of([reign(0, 2, "fern")], 5, dark=True)
    assert {row["colour"] for row in bars(dark)} == {ON_DARK[0]}


def test_a_shared_reign_is_cut_into_slices():
    spec = spec_of([reign(0, 2, "fern", "moss"), reign(2, 2, "moss", open=True)], 4)
    shared = sorted((row["y"], row["v"], row["colour"]) for row in bars(spec) if not row["open"])
    (_, middle, one), (begins, _, other) = shared
    assert middle == begins
    assert {one, other} == set(ON_LIGHT[:2])


def test_of_many_reigns_none_is_lost_and_the_most_important_are_named():
    many = [reign(day, 1, f"entry {day:03}") for day in range(199)]
    many.append(reign(199, 0.001, "brief"))
    spec = spec_of(many, 200, rows="holders")
    assert len({row["who"] for row in bars(spec)}) == 200
    labels = [row["label"] for row in rows_with(spec, "label")]
    assert len(labels) == MOST_ROWS
    assert labels[-1] == f"{200 - MOST_ROWS + 1} others"
    rules = [layer for layer in spec["layer"] if layer["mark"]["type"] == "rule"]
    thin = [spec["datasets"][layer["data"]["name"]] for layer in rules]
    assert [[row["who"] for row in rows] for rows in thin] == [["brief"]]
    assert len(json.dumps(spec)) < 200_000
    assert len(png(reign_strip(many, start=START, end=START, title="x", width=380))) > 1000


def test_what_nobody_knows_is_hatched_once():
    blanks = pd.DataFrame(
        {
            "start": [START + pd.Timedelta(days=1), START + pd.Timedelta(days=3)],
            "end": [START + pd.Timedelta(days=2), START + pd.Timedelta(days=4)],
            "why": ["unreadable", "absent"],
        }
    )
    reigns = [reign(0, 2, "fern", earlier=1), reign(2, 4, "moss", earlier=0.5)]
    spec = spec_of([*reigns, reign(6, 1, "fern", open=True)], 7, blanks=blanks)
    tips = {row["tip"] for row in rows_with(spec, "tip")}
    assert tips == {
        "2026-03-02 00:00 UTC to 2026-03-03 00:00 UTC",
        "2026-03-06 12:00 UTC to 2026-03-07 00:00 UTC",
    }


def test_while_there_is_no_file_nothing_is_drawn():
    spec = spec_of([reign(0, 2, "fern"), reign(2, 1, absent=True), reign(3, 1, "fern")], 4)
    assert {row["who"] for row in bars(spec)} == {"fern"}
    assert len(bars(spec)) == 2
    assert spec_of([], 4)["height"] > 0


def test_fields_are_our_own_names_and_times_are_utc():
    editions = pd.DataFrame({"at": [START + pd.Timedelta(days=1)], "label": [HOSTILE]})
    spec = spec_of(
        [reign(0, 2, HOSTILE), reign(2, 3, "moss", open=True)],
        5,
        rows="holders",
        editions=editions,
    )
    fields = {node["field"] for node in walk(spec) if "field" in node}
    assert all(re.fullmatch("[a-z]+", field) for field in fields)
    axes = [node["x"] for node in walk(spec) if "scale" in node.get("x", {})]
    assert {axis["scale"]["type"] for axis in axes} == {"utc"}
    assert {row["label"] for row in rows_with(spec, "label")} >= {HOSTILE}
    tips = [
        tip["title"] for node in walk(spec) for tip in node.get("tooltip", []) if "title" in tip
    ]
    assert "Your time" in tips


def test_words_say_who_held_it_longest_and_who_holds_it():
    said = spec_of([reign(0, 4, "fern"), reign(4, 1, "moss", open=True)], 5)["description"]
    assert said == (
        "A board: who held first place. Reigns: 2, of 2 entries. Longest in all: fern 4 d; "
        "moss 24 h. At the last look: moss, since 2026-03-05 00:00 UTC."
    )


@pytest.mark.parametrize(
    ("options", "opened"),
    [
        pytest.param({"here": "standings?board=a&at="}, [f"{0:040x}", f"{2:040x}"], id="on a page"),
        pytest.param({"here": "standings?at=", "width": 600}, [], id="in a file"),
        pytest.param({}, [], id="nowhere to go"),
    ],
)
def test_a_bar_opens_the_commit_with_which_its_reign_began(options, opened):
    spec = spec_of([reign(0, 2, "fern"), reign(2, 3, "moss", open=True)], 5, **options)
    assert sorted(row["full"] for row in bars(spec) if "full" in row) == opened
    links = [node["href"] for node in walk(spec) if "href" in node]
    assert bool(links) == bool(opened)
    assert [one["value"] for one in spec["params"]] == (["standings?board=a&at="] if opened else [])


def test_who_shares_first_place_from_then_on_has_not_come_anew():
    reigns = [
        reign(0, 1, "fern"),
        reign(1, 1, "fern", "moss"),
        reign(2, 1, "moss"),
        reign(3, 1, "fern"),
        reign(5, 1, "fern", open=True),
    ]
    labels = {row["label"] for row in rows_with(spec_of(reigns, 6, rows="holders"), "label")}
    assert labels == {"fern: 4 d, 3 times", "moss: 48 h"}
