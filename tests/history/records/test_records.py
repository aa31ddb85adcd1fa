"""The JSON shapes: times, gaps, and states of a board that the commands' tests do not meet."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from history import times
from history.pipeline import open_board
from history.records import records, reign_record
from tests.app.small_board import VERSIONS, board_json, plant


@pytest.mark.parametrize(
    ("time", "text"),
    [
        pytest.param(pd.Timestamp("2026-10-21T15:13:00Z"), "2026-10-21T15:13:00Z", id="UTC"),
        pytest.param(
            pd.Timestamp("2026-10-22T00:13:00+09:00"), "2026-10-21T15:13:00Z", id="another zone"
        ),
        pytest.param(
            pd.Timestamp("2026-10-21T15:13:00.999Z"), "2026-10-21T15:13:00Z", id="cut to seconds"
        ),
        pytest.param(pd.NaT, None, id="a gap"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_time_text(time, text):
    assert times.time_text(time) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(pd.NA, None, id="a gap"),
        pytest.param(float("nan"), None, id="no number"),
        pytest.param(float("-inf"), None, id="infinity is no JSON"),
        pytest.param(np.int32(3), 3, id="an integer of numpy"),
        pytest.param(np.bool_(True), True, id="a truth of numpy"),
        pytest.param("NaN", "NaN", id="text stays text"),
    ],
)
def test_plain(value, expected):
    found = records.plain(value)
    assert (found, type(found)) == (expected, type(expected))


def test_an_absent_board_has_no_entries_and_says_why(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    gone = garden.upstream.commit({"board.json": None}, "2026-03-02T08:00:00Z")
    garden.run("crawl")
    board = open_board(garden.store, "garden")
    found = records.standings(board, board.standings())
    assert (found["commit"], found["absent"], found["entries"], found["n_ranked"]) == (
        gone,
        True,
        [],
        0,
    )
    reigned = reign_record.reigns(board, board.reigns())["reigns"]
    assert [(one["entries"], one["absent"], one["open"]) for one in reigned] == [
        (["fern"], False, False),
        ([], True, True),
    ]
    assert reigned[0]["until_commit"] == reigned[1]["from_commit"] == gone


def test_an_empty_board_is_not_an_absent_one(tmp_path):
    garden = plant(tmp_path, [*VERSIONS[:1], ("2026-03-02T08:00:00Z", board_json("1"))])
    board = open_board(garden.store, "garden")
    found = records.standings(board, board.standings())
    assert (found["absent"], found["entries"], found["edition"]) == (False, [], "1")


def test_a_day_with_several_versions_names_the_others(tmp_path):
    garden = plant(tmp_path, [VERSIONS[0], ("2026-03-01T09:00:00Z", VERSIONS[1][1]), VERSIONS[3]])
    board = open_board(garden.store, "garden")
    stood = board.standings("2026-03-01")
    found = records.standings(board, stood)
    assert (found["commit"], found["also"]) == (garden.commits[1], garden.commits[:1])
    result = garden.run("standings", "garden", "--at", "2026-03-01", "--json")
    assert (result.exit_code, garden.commits[0][:8] in result.stderr) == (0, True)
    assert len(result.stderr.splitlines()) == 1
    assert json.loads(result.stdout)["also"] == garden.commits[:1]


def test_top_counts_ranks_and_not_rows(tmp_path):
    rows = [("a", "A", 2.0, 1.0, 1.0), ("b", "B", 2.0, 1.0, 1.0), ("c", "C", None, 1.0, 1.0)]
    garden = plant(tmp_path, [("2026-03-01T08:00:00Z", board_json("1", *rows))])
    board = open_board(garden.store, "garden")
    found = records.standings(board, board.standings(), top=1)
    assert [(one["entry"], one["rank"]) for one in found["entries"]] == [("a", 1), ("b", 1)]
    assert found["n_ranked"] == 2


def test_what_a_file_says_besides_the_score(tmp_path):
    garden = plant(tmp_path, VERSIONS[:2])
    file = garden.store / "garden" / "board.toml"
    text = file.read_text(encoding="utf-8")
    text = text.replace("[table.parts]", 'low = "priv"\nhigh = "absent"\n\n[table.parts]')
    file.write_text(text, encoding="utf-8")
    garden.run("rebuild", "garden")
    for split, low in ((None, {"value": 72.5, "text": "72.5"}), ("public", None)):
        board = open_board(garden.store, "garden")
        entries = records.standings(board, board.standings(split=split))["entries"]
        moss = next(one for one in entries if one["entry"] == "moss")
        high = {"value": None, "text": None} if low else None
        assert [moss[name] for name in ("low", "high", "se", "items")] == [low, high, None, None]
