"""Tie bands that stand in the file itself: what is printed there may be no band at all."""

from __future__ import annotations

import json

import pytest

from tests.app.small_board import DEFINITION, Garden, define, plant

ROWS = [{"id": "fern", "name": "Fern", "s": 71.5, "pub": 1, "priv": 1}]
ROWS += [{**ROWS[0], "id": "moss", "name": "Moss", "s": 71.0}]
BANDS = [0.5, "0.5", 0, "half a point", "NaN", -1, [1], None]


@pytest.fixture(scope="module")
def banded(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """One version for each of BANDS, day by day."""
    files = [json.dumps({"label": "1", "band": band, "rows": ROWS}) for band in BANDS]
    versions = [(f"2026-03-{day:02}T08:00:00Z", file) for day, file in enumerate(files, 1)]
    garden = plant(tmp_path_factory.mktemp("banded"), versions, crawl=False)
    define(garden.store, "garden", DEFINITION.replace("band = 0.5", 'band = "$.band"'))
    garden.json("crawl")
    return garden


@pytest.mark.parametrize(
    ("version", "band", "tie_ranks", "verdict", "code"),
    [
        pytest.param(0, 0.5, [1, 1], "true", None, id="a number"),
        pytest.param(1, 0.5, [1, 1], "true", None, id="a number as text"),
        pytest.param(2, 0.0, [1, 2], "false", None, id="a band of nothing is a band"),
        pytest.param(3, None, [None] * 2, "not_decidable", "NO_TIE_RULE", id="words"),
        pytest.param(4, None, [None] * 2, "not_decidable", "NO_TIE_RULE", id="no number"),
        pytest.param(5, None, [None] * 2, "not_decidable", "NO_TIE_RULE", id="below nothing"),
        pytest.param(6, None, [None] * 2, "not_decidable", "NO_TIE_RULE", id="a list"),
        pytest.param(7, None, [None] * 2, "not_decidable", "NO_TIE_RULE", id="a gap"),
    ],
)
def test_a_band_in_the_file(banded, version, band, tie_ranks, verdict, code):
    commit = banded.commits[version]
    found = banded.json("standings", "garden", "--at", commit)
    assert found["ties"] == {"rule": "anchored", "band": band, "edge": "inclusive"}
    assert [entry["tie_rank"] for entry in found["entries"]] == tie_ranks
    said = banded.run("check", f"fern is tied with moss on garden at {commit}", "--json")
    (claim,) = json.loads(said.stdout)["claims"]
    assert (claim["verdict"], claim["code"]) == (verdict, code)
