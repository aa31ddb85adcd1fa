from __future__ import annotations

from time import process_time

import pytest

from crawler.board import BoardError
from history.readings import read_table
from history.readings.remarks import Remark
from tests.history.definitions import TABLE, meaning_of

LONG = """
[table]
entry = "plant"
score = "size/leaf"
direction = "higher"
layout = "long"
part = "organ"
"""
PARTS = """
[table.parts]
leaf = "size/leaf"
root = "size/root"
"""
HEAD = "plant,organ,size,day,garden\n"
TWICE = HEAD + "fern,leaf,4.0,2,kew\nfern,leaf,3.5,1,kew\nfern,root,7,1,kew\n"


def said(reading):
    """Key, place, printed score and pointer of every entry, and the notes; or why there is none."""
    if reading.reading == "unreadable":
        return reading.reason, reading.found
    score = reading.fields.get("score")
    cells = (score.texts, score.pointers) if score else ((), ())
    return list(zip(reading.entries, reading.rows, *cells, strict=True)), reading.found


@pytest.mark.parametrize(
    ("options", "data", "expected"),
    [
        pytest.param("", HEAD + "moss,leaf,2,1,kew\nfern,root,7,1,kew\nfern,leaf,3.5,1,kew\n", ([("moss", 0, "2", "cell=2,3"), ("fern", 1, "3.5", "cell=4,3")], None), id="entries in the order of their first rows"),
        pytest.param("", HEAD + "moss,root,2,1,kew\nfern,leaf,4,1,kew\n", ([("moss", 0, None, "row=2-*"), ("fern", 1, "4", "cell=3,3")], None), id="a part that an entry lacks is a gap"),
        pytest.param("", HEAD + "fern,leaf,4,1,kew\n fern ,leaf,4,2,kew\n", ([("fern", 0, "4", "cell=2,3")], "'fern/leaf' is repeated with the same value of 'size'"), id="the same value counts once"),
        pytest.param("", TWICE, ([("fern", 0, None, "row=2-*")], "'fern/leaf' has different values of 'size': 4.0, 3.5"), id="other values are a conflict"),
        pytest.param('keep = "refuse"', TWICE, ([("fern", 0, None, "row=2-*")], "'fern/leaf' has different values of 'size': 4.0, 3.5"), id="refuse is a conflict, too"),
        pytest.param('keep = "best"', TWICE, ([("fern", 0, "4.0", "cell=2,3")], "'fern/leaf' has different values of 'size': 4.0, 3.5; best counts: 4.0 in row 0 (from 0)"), id="the best"),
        pytest.param('keep = "latest"\nlatest_by = "day"', TWICE, ([("fern", 0, "4.0", "cell=2,3")], "'fern/leaf' has different values of 'size': 4.0, 3.5; latest counts: 4.0 in row 0 (from 0)"), id="the latest"),
        pytest.param('keep = "best"\n[table.parts]\nleaf = { column = "size/leaf", direction = "lower" }', TWICE, ([("fern", 0, "3.5", "cell=3,3")], "'fern/leaf' has different values of 'size': 4.0, 3.5; best counts: 3.5 in row 1 (from 0)"), id="best as its part has it"),
        pytest.param("where = \"day < 2\"", TWICE, ([("fern", 1, "3.5", "cell=3,3")], None), id="where is asked of the rows of the file"),
        pytest.param("where = \"day > 2\"", TWICE, ([], "3 rows, none takes part"), id="no row takes part"),
        pytest.param("", HEAD, ([], None), id="a header alone"),
        pytest.param("", HEAD + "fern,leaf,4,1,kew\n,leaf,5,1,kew\nmoss,,6,1,kew\n", ([("fern", 0, "4", "cell=2,3")], "row 1 (from 0) has no entry; row 2 (from 0) has no part"), id="rows without entry or part"),
        pytest.param("", HEAD + "fern,root,4,1,kew\n", ("no_table", "no row at row=2-* has a column 'size/leaf'; nearest: size"), id="a part that no row has"),
        pytest.param("", "plant,size\nfern,4\n", ("no_table", "no row at row=2-* has a column 'organ'; nearest: plant, size"), id="no column of the part"),
        pytest.param("", "plant,organ,size\nfern,leaf,4\na/b,c,5\na,b/c,6\n", ([("fern", 0, "4", "cell=2,3"), ("a/b", 1, None, "row=2-*"), ("a", 2, None, "row=2-*")], None), id="a slash joins no two pairs"),
    ],
)  # fmt: skip
def test_rows_of_one_entry(tmp_path, options, data, expected):
    reading = read_table(meaning_of(tmp_path, LONG + options, "b.csv"), "b.csv", data.encode())
    assert said(reading) == expected


def test_every_part_is_a_column_and_what_is_the_same_keeps_its_name(tmp_path):
    text = LONG.replace("size/leaf", "garden_score") + PARTS + '[table.attributes]\nin = "garden"\n'
    data = "plant,organ,size,garden_score,garden\n" + (
        "fern,leaf,4,71.0,kew\nfern,root,7,71.0,kew\nmoss,leaf,2,60.5,kew\nmoss,root,3,60,rhs\n"
    )
    reading = read_table(meaning_of(tmp_path, text, "b.csv"), "b.csv", data.encode())
    assert {name: (one.texts, one.pointers) for name, one in reading.fields.items()} == {
        "score": (["71.0", None], ["cell=2,4", "row=2-*"]),
        "leaf": (["4", "2"], ["cell=2,3", "cell=4,3"]),
        "root": (["7", "3"], ["cell=3,3", "cell=5,3"]),
    }
    assert reading.attributes == {"in": ["kew", None]}
    assert reading.found == (
        "'moss' has different values of 'garden_score': 60.5, 60; "
        "'moss' has different values of 'garden': kew, rhs"
    )


@pytest.mark.parametrize("score", ["m/acc/q/1", "/m/acc/q/1"])
def test_objects_and_parts_with_a_slash(tmp_path, score):
    data = b'[{"plant": "fern", "organ": "q/1", "m/acc": 5, "m": {"acc": 5}},'
    data += b'{"plant": "fern", "organ": "q/2", "m/acc": 6, "m": {"acc": 6}}]'
    text = LONG.replace("size/leaf", score)
    reading = read_table(meaning_of(tmp_path, text), "board.json", data)
    pointer = "/0/m/acc" if score.startswith("/") else "/0/m~1acc"
    assert said(reading) == ([("fern", 0, "5", pointer)], None)


def test_of_several_tables_the_one_with_entry_and_part(tmp_path):
    page = b"| a | b |\n|---|---|\n| 1 | 2 |\n\n| plant | organ | size |\n|--|--|--|\n| fern | leaf | 4 |\n"
    reading = read_table(meaning_of(tmp_path, LONG, "b.md"), "b.md", page)
    assert said(reading) == ([("fern", 0, "4", "line=7;cell=3")], None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(LONG.replace('part = "organ"\n', ""), "layout and part do not go together", id="long without a part"),
        pytest.param(TABLE + 'part = "organ"', 'layout = "long" goes with part = the column', id="a part without long"),
        pytest.param(LONG.replace('"plant"', '"@key"'), 'entry = "@key" in layout "long". Name the column', id="keyed rows"),
    ],
)  # fmt: skip
def test_a_long_layout_that_makes_no_sense(tmp_path, text, says):
    with pytest.raises(BoardError) as error:
        meaning_of(tmp_path, text)
    assert says in str(error.value)


def test_many_rows_that_disagree_end_in_time(tmp_path):
    rows = [f"m{n // 4},leaf,{n},{n},kew" for n in range(80_000)]
    text = LONG + '[table.aliases]\nm7 = "fern"\n'.replace("table.", "")
    start = process_time()
    data = (HEAD + "\n".join(rows)).encode()
    reading = read_table(meaning_of(tmp_path, text, "b.csv"), "b.csv", data)
    assert process_time() - start < 20
    assert (len(reading.entries), len(reading.remarks)) == (20_000, 20_000)
    assert reading.remarks[7] == Remark(
        "duplicate_entry",
        "fern",
        "cell=31,3",
        "'m7/leaf' has different values of 'size': 28, 29, 30, 31",
    )
