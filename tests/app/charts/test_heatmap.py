"""A cell for each stretch or case: its class, its number, its ground, and names that stay text."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

from app.charts import heatmap, picture
from app.charts.heatmap import CIVIDIS, CLASSES, by_class, case_heatmap, rank_heatmap

HOSTILE = 'it\'s <b>"x"</b> [5-shot]: a.b </script>'


def day(number: int) -> pd.Timestamp:
    return pd.Timestamp(f"2026-03-{number:02}T00:00:00Z")


def runs_of(*rows: tuple[str, int, int, int, int]) -> pd.DataFrame:
    """Rows of name, line, first day, last day, rank."""
    frame = pd.DataFrame(rows, columns=["entry", "line", "start", "end", "rank"])
    return frame.assign(start=frame["start"].map(day), end=frame["end"].map(day))


def drawn(runs: pd.DataFrame, **options: Any) -> dict[str, Any]:
    return rank_heatmap(runs, start=day(2), end=day(9), title="A board", **options).to_dict()


def rows_with(spec: dict[str, Any], field: str) -> list[dict[str, Any]]:
    return [row for data in spec["datasets"].values() for row in data if field in row]


def test_cells_last_as_long_as_their_ranks_and_stay_on_the_axis():
    spec = drawn(runs_of(("Fern", 0, 1, 4, 1), ("Fern", 0, 4, 9, 12), (HOSTILE, 1, 6, 9, 101)))
    cells = [
        (row["name"], row["tip"], row["told"], row["class"]) for row in rows_with(spec, "told")
    ]
    assert cells == [
        ("Fern", "2026-03-01 00:00 UTC to 2026-03-04 00:00 UTC", "1", "1"),
        ("Fern", "2026-03-04 00:00 UTC to 2026-03-09 00:00 UTC", "12", "11 to 30"),
        (HOSTILE, "2026-03-06 00:00 UTC to 2026-03-09 00:00 UTC", "101", "over 100"),
    ]
    times = {(row["t"], row["u"]) for row in rows_with(spec, "told")}
    ms = {number: int(day(number).timestamp() * 1000) for number in (2, 4, 6, 9)}
    assert times == {(ms[2], ms[4]), (ms[4], ms[9]), (ms[6], ms[9])}
    assert spec["description"] == (
        "A board: rank over time of 2 entries from 2026-03-02 00:00 UTC to 2026-03-09 00:00 UTC, "
        f"a row each. At the end: Fern is 12; {HOSTILE} is 101."
    )


@pytest.mark.parametrize(
    ("dark", "best"),
    [
        pytest.param(False, CIVIDIS[0], id="dark on white"),
        pytest.param(True, CIVIDIS[-1], id="bright on black"),
    ],
)
def test_the_best_rank_stands_out_from_its_ground(dark, best):
    spec = drawn(runs_of(("Fern", 0, 1, 9, 1)), dark=dark)
    scale = spec["layer"][1]["encoding"]["color"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True))[CLASSES[0]] == best


def test_two_entries_of_one_name_have_a_row_each():
    spec = drawn(runs_of(("Fern", 0, 1, 9, 1), ("Fern", 1, 1, 9, 2)))
    domain = spec["layer"][1]["encoding"]["y"]["scale"]["domain"]
    assert [name.replace("\u2060", "") for name in domain] == ["Fern", "Fern"]
    assert len(set(domain)) == 2


def test_neighbours_of_one_class_run_together_and_gaps_stay():
    runs = runs_of(
        ("Fern", 0, 1, 2, 5), ("Fern", 0, 2, 3, 9), ("Fern", 0, 4, 5, 9), ("Moss", 1, 1, 5, 2)
    )
    found = by_class(runs)[["line", "start", "end", "rank", "last"]]
    assert [tuple(row) for row in found.itertuples(index=False)] == [
        (0, day(1), day(3), 5, 9),
        (0, day(4), day(5), 9, 9),
        (1, day(1), day(5), 2, 2),
    ]


def test_more_runs_than_a_chart_holds_are_drawn_by_class(monkeypatch):
    monkeypatch.setattr(heatmap, "MOST_RUNS", 1)
    spec = drawn(runs_of(("Fern", 0, 2, 4, 5), ("Fern", 0, 4, 9, 8)))
    assert [row["told"] for row in rows_with(spec, "told")] == ["5 to 8"]


def test_a_cell_for_each_case_in_order():
    cells = pd.DataFrame(
        [("Fern", 0, "The board", 0, 1), ("Fern", 0, HOSTILE, 1, 2), (HOSTILE, 1, HOSTILE, 1, 1)],
        columns=["entry", "line", "case", "column", "rank"],
    )
    spec = case_heatmap(cells, title="A board").to_dict()
    encoding = spec["layer"][0]["encoding"]
    assert encoding["x"]["scale"]["domain"] == ["The board", HOSTILE]
    assert encoding["y"]["scale"]["domain"] == ["Fern", HOSTILE]
    assert [(row["name"], row["case"], row["told"]) for row in rows_with(spec, "told")] == [
        ("Fern", "The board", "1"),
        ("Fern", HOSTILE, "2"),
        (HOSTILE, HOSTILE, "1"),
    ]
    assert spec["description"].endswith(f"First: The board: Fern; {HOSTILE}: {HOSTILE}.")


def test_names_are_values_and_never_fields():
    spec = drawn(runs_of((HOSTILE, 0, 1, 9, 1)))
    fields = re.findall(r"'field': '([^']*)'", str({**spec, "datasets": {}}))
    assert set(fields) == {"t", "u", "m", "name", "told", "tip", "yours", "class", "ink"}


@pytest.mark.parametrize(
    ("options", "opened"),
    [
        pytest.param({"here": "trail?entry="}, {"fern", "it%27s%26at%3Dx%20%23"}, id="on a page"),
        pytest.param({"here": "trail?entry=", "width": 600}, set(), id="in a file"),
        pytest.param({}, set(), id="nowhere to go"),
    ],
)
def test_a_cell_opens_its_entry(options, opened):
    runs = runs_of(("Fern", 0, 1, 4, 1), (HOSTILE, 1, 4, 9, 2), ("Endless", 2, 4, 9, 3))
    spec = drawn(runs.assign(key=["fern", "it's&at=x #", "m" * 5000]), **options)
    assert {row["full"] for row in rows_with(spec, "full")} - {""} == opened
    assert ("href" in spec["layer"][1]["encoding"]) == bool(opened)


def test_it_becomes_a_picture():
    chart = rank_heatmap(
        runs_of((HOSTILE, 0, 1, 9, 1)), start=day(1), end=day(9), title="A board", width=600
    )
    assert "11 to 30" in picture.svg(chart).decode()
