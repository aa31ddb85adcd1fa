from __future__ import annotations

import pandas as pd
import pytest

from history.readings import read_table
from history.scores import precision
from history.scores.derived import frame
from history.scores.score_table import ScoreTable
from tests.history.definitions import TABLE, meaning_of

PARTS = '[table.parts]\nscore2 = "score"\n'


@pytest.mark.parametrize(
    ("options", "texts", "units"),
    [
        pytest.param("", ["71.25", "70", "0.5"], [1, 100, 10], id="fewer decimals than the column"),
        pytest.param("", ["71.2%", "70 %"], [1, 10], id="percentages"),
        pytest.param("", ["71,25", "70", "1.200"], [1, 100, 100], id="decimal commas"),
        pytest.param("", ["1,234.5", "1,200"], [1, 10], id="thousands"),
        pytest.param("", ["71.2 ± 0.8", "🥇 70†"], [1, 10], id="with marks"),
        pytest.param("", ["71.25", "0", "-", "1e1"], [1, 100, 1, 100], id="0, and no number"),
        pytest.param("", ["0.12345678901234567", "0.5"], [1, 100_000_000], id="a float in full is rounded"),
        pytest.param("scale = 100", ["0.7125", "0.7"], [1, 1000], id="times 100"),
        pytest.param("scale = 0.01", ["7125", "70.5"], [10, 1], id="by 100"),
        pytest.param('scale = "percent"', ["0.71", "69.8", "1"], [10, 1, 10], id="shares of 1"),
        pytest.param("decimals = 2", ["71.25", "70"], [1, 1], id="decimals say it"),
    ],
)  # fmt: skip
def test_units_of_a_markdown_table(tmp_path, options, texts, units):
    meaning = meaning_of(tmp_path, TABLE + options, "b.md")
    rows = [f"| e{n} | {text} |" for n, text in enumerate(texts)]
    page = "\n".join(["| model | score |", "| --- | --- |", *rows])
    table = ScoreTable(["score"])
    table.add(0, read_table(meaning, "b.md", page.encode()))
    own = {0: (meaning.table, "score")}
    assert precision.units(frame(table.finish()), "score", own).tolist() == units


@pytest.mark.parametrize(
    ("options", "path", "own"),
    [
        pytest.param("", "README.md", True, id="Markdown"),
        pytest.param("", "index.html", True, id="HTML"),
        pytest.param('rows = "$.rows"', "index.html", False, id="JSON in HTML"),
        pytest.param("", "board.csv", False, id="CSV"),
        pytest.param('format = "markdown"', "board", True, id="the definition tells the format"),
    ],
)
def test_whose_decimals_are_their_own(tmp_path, options, path, own):
    meaning = meaning_of(tmp_path, TABLE + options, path)
    readings = pd.DataFrame({"version": [3], "path": [path]})
    found = precision.own_decimals(readings, {3: meaning})
    assert found == ({3: meaning.table} if own else {})
