"""Which keys and names of a file hold letters that nobody sees, in every format."""

from __future__ import annotations

import html
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from history.readers import FORMATS
from history.readings import read_table
from tests.history.definitions import TABLE, meaning_of

KEY, NAME = "\x01fern", "Fern\x7f\x9f7b"


def as_csv(mark):
    return f"model{mark}label{mark}score\n{KEY}{mark}{NAME}{mark}81.5\nmoss{mark}Moss{mark}74.2\n"


def as_html():
    rows = ([KEY, NAME, "81.5"], ["moss", "Moss", "74.2"])
    cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows]
    head = "<tr><th>model</th><th>label</th><th>score</th></tr>"
    return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def as_parquet():
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(OBJECTS), out)
    return out.getvalue()


OBJECTS = [
    {"model": KEY, "label": NAME, "score": "81.5"},
    {"model": "moss", "label": "Moss", "score": "74.2"},
]
FILES = {
    "json": (json.dumps(OBJECTS), "/0/score", "/0/label"),
    "jsonl": ("\n".join(map(json.dumps, OBJECTS)), "/0/score", "/0/label"),
    "yaml": (json.dumps(OBJECTS), "/0/score", "/0/label"),
    "js": (f"const rows = {json.dumps(OBJECTS)};", "/rows/0/score", "/rows/0/label"),
    "csv": (as_csv(","), "cell=2,3", "cell=2,2"),
    "tsv": (as_csv("\t"), "cell=2,3", "cell=2,2"),
    "markdown": (
        f"| model | label | score |\n| --- | --- | --- |\n| {KEY} | {NAME} | 81.5 |\n",
        "line=3;cell=3",
        "line=3;cell=2",
    ),
    "html": (as_html(), "line=1;cell=3", "line=1;cell=2"),
    "parquet": (as_parquet(), "row=0;col=score", "row=0;col=label"),
}


def remarks_of(folder, format_, data, more='name = "label"\n'):
    meaning = meaning_of(folder, f'{TABLE}{more}format = "{format_}"\n', "board")
    data = data if isinstance(data, bytes) else data.encode()
    return list(read_table(meaning, "board", data).remarks)


@pytest.mark.parametrize("format_", sorted(FORMATS))
def test_control_characters_of_a_key_and_of_a_name(tmp_path, format_):
    data, at_score, at_name = FILES[format_]
    assert remarks_of(tmp_path, format_, data) == [
        (
            "hidden_letter",
            KEY,
            at_score,
            "'\\x01fern' is written with U+0001 control character",
        ),
        (
            "hidden_letter",
            KEY,
            at_name,
            "the name of '\\x01fern' is 'Fern\\x7f\\x9f7b', written with U+007F control character, "
            "U+009F control character",
        ),
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        pytest.param({"model": "\0x"}, "'\\x00x' is written with U+0000 control character", id="0"),
        pytest.param(
            {"model": "\0"}, "'\\x00' is written with U+0000 control character", id="only"
        ),
        pytest.param(
            {"model": "a\nb"}, "'a\\nb' is written with U+000A control character", id="two lines"
        ),
        pytest.param({"model": "fern\n"}, None, id="a line end at the end"),
        pytest.param({"label": "\tFern\r\n"}, None, id="white space round a name"),
        pytest.param({"label": "Fe\u200brn\u00ad"}, None, id="no width in a name is no other name"),
        pytest.param({"label": ["F", "\0"]}, None, id="a name that is a list"),
        pytest.param({"label": None}, None, id="no name"),
    ],
)
def test_what_is_said(tmp_path, row, expected):
    rows = [{"model": "fern", "label": "Fern", "score": 81.5} | row, {"model": "é", "score": 7}]
    found = remarks_of(tmp_path, "json", json.dumps(rows))
    assert [one.text for one in found] == ([expected] if expected else [])


def test_a_key_that_is_the_name_is_told_once(tmp_path):
    more = 'name = "model"\n'
    data = json.dumps([{"model": "\0x", "score": 1}, {"model": "", "score": 2}])
    assert [one[0] for one in remarks_of(tmp_path, "json", data, more)] == [
        "rows_left_out",
        "hidden_letter",
    ]


def test_rows_that_take_no_part_are_not_looked_at(tmp_path):
    data = json.dumps([{"model": "\0x", "label": "\0", "score": 1}, {"model": "fern", "score": 9}])
    more = 'name = "label"\nwhere = "score > 5"\n'
    assert remarks_of(tmp_path, "json", data, more) == []
