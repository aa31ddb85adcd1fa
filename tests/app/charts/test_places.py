"""The places of the best entries as a chart: what it draws, and that names stay texts."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

from app.charts.places import MOST, places

HOSTILE = "it's </script> \\u0027 ]+alert(1)"


def frame(n: int = 3, **columns: list[int | None]) -> pd.DataFrame:
    gaps: list[int | None] = [None] * n
    kinds = ("tie_rank", "published", "best", "worst", "surely_best", "surely_worst")
    told = {"rank": list(range(1, n + 1))} | {kind: columns.get(kind, gaps) for kind in kinds}
    ranks = pd.DataFrame(told).astype("Int64")
    return ranks.assign(entry=[HOSTILE, *[f"e{k}" for k in range(2, n + 1)]])


def rows_with(spec: dict[str, Any], field: str) -> list[dict[str, Any]]:
    return [row for data in spec["datasets"].values() for row in data if field in row]


def test_each_kind_of_rank_has_a_mark_of_its_own_shape_and_colour():
    spec = places(frame(tie_rank=[1, 1, 3], published=[1, 3, 2]), title="A board").to_dict()
    marks = rows_with(spec, "kind")
    assert {(one["row"], one["kind"], one["place"]) for one in marks} == {
        *[(row, "rank by score", row + 1) for row in range(3)],
        *[(row, "tie rank", place) for row, place in enumerate((1, 1, 3))],
        *[(row, "published rank", place) for row, place in enumerate((1, 3, 2))],
    }
    encoding = spec["layer"][-1]["encoding"]
    assert encoding["shape"]["scale"]["range"] == ["circle", "diamond", "square"]
    assert len(set(encoding["color"]["scale"]["range"])) == 3
    assert encoding["shape"]["scale"]["domain"] == encoding["color"]["scale"]["domain"]


def test_only_kinds_that_there_are_stand_in_the_legend():
    spec = places(frame(tie_rank=[1, 1, 3]), title="A board").to_dict()
    scale = spec["layer"][-1]["encoding"]["shape"]["scale"]
    assert scale == {"domain": ["rank by score", "tie rank"], "range": ["circle", "diamond"]}


def test_bars_say_what_is_open_and_are_cut_at_the_edge():
    ranks = frame(best=[1, 1, 3], worst=[2, 2, 228], surely_best=[1] * 3, surely_worst=[3] * 3)
    spec = places(ranks, title="A board").to_dict()
    bars = {(one["row"], one["tip"], one["until"]) for one in rows_with(spec, "tip")}
    thin = {(row, "1 to 3", 3) for row in range(3)}
    assert bars == thin | {(0, "1 to 2", 2), (1, "1 to 2", 2), (2, "3 to 228", 6.5)}


@pytest.mark.parametrize("dark", [False, True])
def test_it_has_an_alternative_in_words_and_draws_no_more_than_the_best(dark):
    spec = places(frame(MOST + 5), title="A board", dark=dark).to_dict()
    assert len({one["row"] for one in rows_with(spec, "kind")}) == MOST
    assert spec["description"].startswith(f"A board. {HOSTILE}: rank by score 1; e2: rank by")


def test_a_name_cannot_leave_its_quotes_in_an_expression():
    spec = places(frame(), title="A board").to_dict()
    words = spec["layer"][0]["encoding"]["y"]["axis"]["labelExpr"]
    names = re.fullmatch(r"\[('[A-Za-z0-9 \\]*'(?:, '[A-Za-z0-9 \\]*')*)\]\[datum\.value\]", words)
    assert names is not None
    [first, *_] = names[1].split(", ")
    shown = first.strip("'").encode().decode("unicode_escape")
    assert shown == f"{HOSTILE[:23]}…"
