"""How are the bands drawn that explain tie ranks?"""

from __future__ import annotations

import pandas as pd
import pytest

from app.charts.band_bounds import band_bounds


def test_a_band_without_an_upper_end_reaches_the_right_edge():
    fits = pd.DataFrame(
        {
            "rule": ["anchored, inclusive", "chain, inclusive"],
            "low": [0.5, 0.2],
            "high": [0.9, None],
            "words": ["from 0.5 to 0.9", "from 0.2 on"],
        }
    )
    drawn = band_bounds(fits, 0.5, title="Bands").to_dict()
    bars = drawn["datasets"][drawn["layer"][0]["data"]["name"]]
    right = drawn["layer"][0]["encoding"]["x"]["scale"]["domain"][1]
    assert [(one["low"], one["high"]) for one in bars] == [(0.5, 0.9), (0.2, right)]
    assert right == pytest.approx(0.9 * 1.15)
    assert drawn["description"] == (
        "Bands: anchored, inclusive: from 0.5 to 0.9; chain, inclusive: from 0.2 on; declared 0.5."
    )


def test_without_a_declared_band_there_is_no_line():
    fits = pd.DataFrame(
        {"rule": ["chain"], "low": [0.2], "high": [0.4], "words": ["from 0.2 to 0.4"]}
    )
    drawn = band_bounds(fits, None, title="Bands").to_dict()
    assert [layer["mark"]["type"] for layer in drawn["layer"]] == ["bar", "text"]
