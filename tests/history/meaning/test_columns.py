from __future__ import annotations

import pytest

from history.meaning.columns import column
from history.readers import parse

CSV = b"Model,Size,folder,alias,Overall Accuracy,#2\n" + (
    b"fern (7B),7,f,,71.2,x\nmoss<br>(FC),,,m,70,y\n"
)
JSON = b'[{"$odd": 1, "/odd": 2, "a": {"b": 3}}, {"a": {}}]'


@pytest.mark.parametrize(
    ("data", "written", "texts", "pointers"),
    [
        pytest.param(CSV, "Size", ["7", ""], ["cell=2,2", "cell=3,2"], id="a header text"),
        pytest.param(CSV, "#3", ["f", ""], ["cell=2,3", "cell=3,3"], id="a number"),
        pytest.param(CSV, "#2", ["x", "y"], ["cell=2,6", "cell=3,6"], id="a literal name first"),
        pytest.param(
            CSV,
            ["Overall Acc", "Overall Accuracy"],
            ["71.2", "70"],
            ["cell=2,5", "cell=3,5"],
            id="the first that exists",
        ),
        pytest.param(
            CSV,
            {"join": ["Model", "Size"], "with": " "},
            ["fern (7B) 7", "moss<br>(FC)"],
            ["cell=2,1", "cell=3,1"],
            id="joined",
        ),
        pytest.param(
            CSV,
            {"first": ["folder", "alias"]},
            ["f", "m"],
            ["cell=2,3", "cell=3,4"],
            id="row by row",
        ),
        pytest.param(
            CSV,
            {"column": "Model", "pattern": r"^(.+?)\s*(\(|$)"},
            ["fern", "moss"],
            ["cell=2,1", "cell=3,1"],
            id="a pattern, where <br> ends a line",
        ),
        pytest.param(JSON, "$odd", ["1", None], ["/0/$odd", "/1/$odd"], id="a key like a path"),
        pytest.param(JSON, "/odd", ["2", None], ["/0/~1odd", "/1/~1odd"], id="like a pointer"),
        pytest.param(JSON, "$.a.b", ["3", None], ["/0/a/b", "/1/a/b"], id="a path"),
        pytest.param(JSON, "/a/b", ["3", None], ["/0/a/b", "/1/a/b"], id="a pointer"),
    ],
)
def test_a_column_gives_texts_and_pointers(data, written, texts, pointers):
    cells = column(written).cells(parse("csv" if data is CSV else "json", data).table())
    assert (list(cells.texts), list(cells.pointers)) == (texts, pointers)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("score", id="a name"),
        pytest.param(["score", "Score"], id="no alternative"),
        pytest.param("#9", id="a number too high"),
        pytest.param({"join": ["Model", "score"]}, id="one of the joined"),
        pytest.param({"first": ["score"]}, id="none of several"),
        pytest.param({"column": "score", "pattern": "(.)"}, id="under a pattern"),
    ],
)
def test_a_column_that_no_row_has(written):
    assert column(written).cells(parse("csv", CSV).table()) is None


@pytest.mark.parametrize(
    ("written", "says"),
    [
        pytest.param(7, "7 is no column", id="a number"),
        pytest.param([], "[] is no column", id="an empty list"),
        pytest.param("", "is empty", id="an empty name"),
        pytest.param({"join": "Model"}, "no list of columns", id="joining one name"),
        pytest.param({"joined": ["a"]}, "is no column; write", id="an unknown word"),
        pytest.param({"column": "a", "pattern": "a"}, "has no group", id="no group"),
        pytest.param({"column": "a", "pattern": "("}, "no regular expression", id="no pattern"),
        pytest.param("$.a[", "no JSONPath", id="a broken path"),
    ],
)
def test_what_is_no_column(written, says):
    with pytest.raises(ValueError) as error:
        column(written)
    assert says in str(error.value)
