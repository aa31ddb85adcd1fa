"""The document of `splits`, and what is asked for besides."""

from __future__ import annotations

from history import times
from history.pipeline import open_board
from history.records import split_record
from tests.app.small_board import board_json, plant


def test_splits(tmp_path):
    rows = [("a", "A", 3.0, 80.25, 60.5), ("b", "B", 2.0, 70.0, 71.0), ("c", "C", 1.0, 65.0, None)]
    garden = plant(tmp_path, [("2026-03-01T08:00:00Z", board_json("1", *rows))])
    board = open_board(garden.store, "garden")
    found = split_record.splits(board, board.find(), board.splits())
    assumes = found["shake_up"].pop("assumes")
    assert isinstance(assumes, str)
    assert assumes
    more = {one["entry"]: one for one in found["entries"]}
    contract = ("entry", "scores", "texts", "ranks", "gap", "excess")
    found["entries"] = [{name: one[name] for name in contract} for one in found["entries"]]
    found["shake_up"] = {name: found["shake_up"][name] for name in list(found["shake_up"])[:3]}
    for name in ("public", "private", "orders", "line", "regression", "overfitting"):
        found.pop(name)
    assert (found.pop("pair"), found.pop("ladder"), found.pop("listing")) == (None, None, None)
    assert more["a"]["level"] is None  # no line through two entries
    assert found == {
        "board": "garden",
        "commit": garden.commits[0],
        "committed_at": "2026-03-01T08:00:00Z",
        "edition": "1",
        "splits": ["public", "private", "mix"],
        "also": [],
        "absent": False,
        "notes": [],
        "entries": [
            {
                "entry": "a",
                "scores": {"public": 80.25, "private": 60.5, "mix": 70.375},
                "texts": {"public": "80.25", "private": "60.5", "mix": "70.375"},
                "ranks": {"public": 1, "private": 2, "mix": 2},
                "gap": 19.75,
                "excess": None,
            },
            {
                "entry": "b",
                "scores": {"public": 70.0, "private": 71.0, "mix": 70.5},
                "texts": {"public": "70.0", "private": "71.0", "mix": "70.500"},
                "ranks": {"public": 2, "private": 1, "mix": 1},
                "gap": -1.0,
                "excess": None,
            },
            {
                "entry": "c",
                "scores": {"public": 65.0, "private": None, "mix": None},
                "texts": {"public": "65.0", "private": None, "mix": None},
                "ranks": {"public": 3, "private": None, "mix": None},
                "gap": None,
                "excess": None,
            },
        ],
        "shake_up": {"value": 0.5, "noise_low": None, "noise_high": None},
        "as_of": times.time_text(board.as_of),
        "reconstruction": "",
    }
