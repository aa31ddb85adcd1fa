from __future__ import annotations

import json

import pytest

from crawler.board import BoardError
from history.readings import read_table
from tests.history.definitions import TABLE, meaning_of

COLUMNS = TABLE + 'layout = "columns"\n'
WIDE = """
[table]
direction = "higher"
layout = "wide"
row = "last"
not_entries = ["date"]
"""


def said(reading):
    """Key, printed score and pointer of every row; or why there are none."""
    if reading.reading == "unreadable":
        return reading.reason, reading.found
    score = reading.fields.get("score")
    if score is None:
        return []
    return list(zip(reading.entries, score.texts, score.pointers, strict=True))


@pytest.mark.parametrize(
    ("options", "data", "expected"),
    [
        pytest.param("", '{"model": ["fern", "moss"], "score": [81.50, null]}', [("fern", "81.50", "/score/0"), ("moss", None, "/score/1")], id="an object of lists"),
        pytest.param("", '{"model": {"0": "fern", "7": "moss"}, "score": {"7": 80, "0": 81}}', [("fern", "81", "/score/0"), ("moss", "80", "/score/7")], id="as pandas writes it, whatever the order"),
        pytest.param('rows = "$.table"', '{"table": {"model": ["fern"], "score": [1], "note": "x"}, "model": [1, 2]}', [("fern", "1", "/table/score/0")], id="inside the file, beside what is no column"),
        pytest.param("", '{"model": [], "score": []}', [], id="columns without rows"),
        pytest.param("", "{}", [], id="nothing at all"),
        pytest.param("", '{"model": ["fern", "moss"], "score": [81]}', ("misaligned", "'score' has 1 value, 'model' has 2 values"), id="a list too short"),
        pytest.param("", '{"model": {"0": "fern"}, "score": {"1": 81}}', ("misaligned", "'score' has 1 key, 'model' has 1 key, and they differ"), id="other rows"),
        pytest.param("", '{"model": ["fern"], "score": {"0": 81}}', ("misaligned", "'score' has 1 key, 'model' has 1 value"), id="a list beside an object"),
        pytest.param("", '[{"model": "fern", "score": 81}]', ("no_table", "no object of columns stands at the top"), id="rows after all"),
        pytest.param("", '{"model": "fern", "score": 81}', ("no_table", "'model' is neither a list nor an object"), id="a single row"),
        pytest.param("", '{"model": ["fern"], "scores": [81]}', ("no_table", "no row at the top has a column 'score'; nearest: scores"), id="a column is missing"),
        pytest.param('where = "size < 8"\nattributes = { size = "/info/b" }', '{"model": ["fern", "moss"], "info": [{"b": 7}, {"b": 70}], "score": [1, 2]}', [("fern", "1", "/score/0")], id="conditions and paths inside a cell"),
    ],
)  # fmt: skip
def test_columns(tmp_path, options, data, expected):
    reading = read_table(meaning_of(tmp_path, COLUMNS + options), "board.json", data.encode())
    assert said(reading) == expected


@pytest.mark.parametrize(
    ("entry", "score", "expected"),
    [
        pytest.param("@key", "score", [("a/b", "81", "/score/a~1b"), ("moss", "80", "/score/moss")], id="the index is the key"),
        pytest.param("#2", "/m/acc", [("81", "7", "/m/a~1b/acc"), ("80", None, "/m/moss/acc")], id="by number, and inside a cell"),
        pytest.param("#2", "$.m['acc']", [("81", "7", "/m/a~1b/acc"), ("80", None, "/m/moss/acc")], id="a path"),
        pytest.param("#2", "$.m[?@ == '7']", [("81", "7", "/m/a~1b/acc"), ("80", None, "")], id="any path"),
    ],
)  # fmt: skip
def test_cells_of_columns(tmp_path, entry, score, expected):
    text = COLUMNS.replace('"model"', f'"{entry}"').replace('"score"', f'"{score}"')
    file = {"m": {"a/b": {"acc": "7"}, "moss": {}}, "score": {"a/b": "81", "moss": "80"}}
    reading = read_table(meaning_of(tmp_path, text), "board.json", json.dumps(file).encode())
    assert said(reading) == expected


CSV = "date,fern,moss\n2026-03-01,81.5,80\n2026-03-02,82.0,\n"


@pytest.mark.parametrize(
    ("options", "path", "data", "expected"),
    [
        pytest.param({}, "b.csv", CSV, [("fern", "82.0", "cell=3,2"), ("moss", "", "cell=3,3")], id="the last row"),
        pytest.param({"last": "date == '2026-03-01'"}, "b.csv", CSV, [("fern", "81.5", "cell=2,2"), ("moss", "80", "cell=2,3")], id="the row of a condition"),
        pytest.param({"last": "date ~ '^2026'"}, "b.csv", CSV, ("no_table", "row = \"date ~ '^2026'\" is true of 2 of 2 rows: 0, 1 (from 0); expected one"), id="two rows"),
        pytest.param({"last": "date == '2027'"}, "b.csv", CSV, ("no_table", "row = \"date == '2027'\" is true of 0 of 2 rows; expected one"), id="no row"),
        pytest.param({"last": "day == '2027'"}, "b.csv", CSV, ("no_table", "no row at row=2-* has a column 'day'; nearest: date"), id="a condition on no column"),
        pytest.param({}, "b.csv", "date,fern\n", [], id="no rows"),
        pytest.param({}, "b.csv", "date,fern,fern\n1,2,3\n", ("no_table", "columns 2 and 3 are both named 'fern'; name one as '#2' or '#3'"), id="an entry twice"),
        pytest.param({}, "b.json", '[{"date": 1, "fern": 7, "oak": 3}, {"date": 2, "fern": 8.10, "moss": null}]', [("fern", "8.10", "/1/fern"), ("moss", None, "/1/moss")], id="objects: those of that row"),
        pytest.param({}, "b.json", '{"1": {"fern": 7}, "2": {"fern": 8}}', [("fern", "8", "/2/fern")], id="rows keyed by day"),
        pytest.param({}, "b.json", "[[1, 2]]", ("no_table", "row 0 (from 0) is no object with a key per entry"), id="lists have no names"),
    ],
)  # fmt: skip
def test_wide(tmp_path, options, path, data, expected):
    text = WIDE
    for old, new in options.items():
        text = text.replace(f'"{old}"', json.dumps(new))
    assert said(read_table(meaning_of(tmp_path, text, path), path, data.encode())) == expected


def test_an_entry_of_a_wide_table_is_ranked_as_any_other(tmp_path):
    reading = read_table(meaning_of(tmp_path, WIDE, "b.csv"), "b.csv", CSV.encode())
    assert (list(reading.names), list(reading.unranked)) == (["fern", "moss"], [None, "no_score"])
    assert reading.fields["score"].ticks == [820, None]


@pytest.mark.parametrize(
    ("text", "path", "line", "says"),
    [
        pytest.param(COLUMNS, "b.csv", 12, 'layout "columns" in a file of format csv. Take it out', id="columns of a CSV file"),
        pytest.param(WIDE + "score = 'x'", "b.csv", 13, 'score in layout "wide". Take it out: every column', id="a score"),
        pytest.param(WIDE + "[table.parts]\na = 'x'", "b.csv", 13, 'parts in layout "wide"', id="parts"),
        pytest.param(WIDE.replace('row = "last"\n', ""), "b.csv", 10, 'layout "wide" without row. Say which row counts: row = "last"', id="no row"),
        pytest.param(WIDE.replace('"last"', '"date ="'), "b.csv", 11, "stops making sense", id="a broken condition"),
        pytest.param(TABLE + 'row = "last"', "b.csv", 12, 'row without layout "wide"', id="a row of rows"),
    ],
)  # fmt: skip
def test_a_layout_that_makes_no_sense(tmp_path, text, path, line, says):
    with pytest.raises(BoardError) as error:
        meaning_of(tmp_path, text, path)
    assert error.value.where == f"{tmp_path / 'garden' / 'board.toml'}:{line}"
    assert says in str(error.value)
