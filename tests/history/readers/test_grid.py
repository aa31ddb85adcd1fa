from __future__ import annotations

import pytest

from history.readers import Unreadable
from history.readers.grid import GridDocument, GridTable, fitting


def fit(header, rows):
    return fitting(list(header), list(map(list, rows)), range(len(rows)), "line {}".format)


@pytest.mark.parametrize(
    ("header", "rows", "expected"),
    [
        pytest.param("ab", ["12", "34"], ("ab", ["12", "34"], []), id="all fit"),
        pytest.param("ab", ["12", "  ", ""], ("ab", ["12"], []), id="blank rows are nobody's"),
        pytest.param("ab", ["12 ", "34 "], ("ab", ["12", "34"], []), id="a blank end in all rows"),
        pytest.param(
            "ab",
            ["12 ", "34"],
            ("ab", ["34"], ["line 0 has 3 cells, the header has 2"]),
            id="a blank end in one row",
        ),
        pytest.param(["a", "b", ""], ["12"], ("ab", ["12"], []), id="a name that is blank"),
        pytest.param(["a", "", "b"], ["1 2"], (["a", "", "b"], ["1 2"], []), id="one between"),
        pytest.param(
            "ab", ["12", "ab"], ("ab", ["12"], ["line 1 is the header again"]), id="a header again"
        ),
        pytest.param(
            "ab",
            ["12", "3"],
            ("ab", ["12"], ["line 1 has 1 cell, the header has 2"]),
            id="half of the rows",
        ),
        pytest.param("ab", [], ("ab", [], []), id="no rows"),
    ],
)
def test_which_rows_fit(header, rows, expected):
    names, cells, left_out = expected
    found = fit(header, rows)
    assert (found.header, found.left_out) == (list(names), left_out)
    assert ["".join(one) for one in found.rows] == cells
    assert [
        rows[place][: len(one)] for place, one in zip(found.places, cells, strict=True)
    ] == cells


def test_more_than_half_of_the_rows_must_fit():
    with pytest.raises(Unreadable, match="misaligned: 2 of 3 rows: line 1 has 1 cell"):
        fit("ab", ["12", "3", "4"])


def grid(*named, header=("model", "score"), rows=("ab",)):
    return GridTable(
        header,
        list(map(list, rows)),
        range(len(rows)),
        lambda places, column: [f"{place}/{column}" for place in places],
        "all",
        "line {}".format,
        named=named,
    )


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        pytest.param("", 0, id="the first"),
        pytest.param("2", 1, id="a number"),
        pytest.param("results", 0, id="a heading"),
        pytest.param("RESULTS 2", 1, id="its letters"),
        pytest.param("of may", 2, id="a caption"),
    ],
)
def test_which_table_is_meant(rows, chosen):
    tables = [grid("Results"), grid("✨ Results (2)"), grid("Other", "Of May")]
    assert GridDocument(tables).table(rows) is tables[chosen]


@pytest.mark.parametrize(
    ("tables", "rows", "says"),
    [
        pytest.param([], "", "the file holds no table", id="none at all"),
        pytest.param(
            [grid("A"), grid()],
            "B",
            "no table is named 'B'; there are 1: A; 2: without a heading",
            id="none of that name",
        ),
        pytest.param([grid("A"), grid("a")], "A", "several tables are named 'A'", id="several"),
        pytest.param(
            [grid("1st"), grid("A!"), grid("A?")], "A", "several", id="several by letters"
        ),
    ],
)
def test_tables_that_are_not_there(tables, rows, says):
    with pytest.raises(Unreadable, match="no_table") as error:
        GridDocument(tables).table(rows)
    assert says in error.value.found


def test_a_file_that_is_one_row():
    assert GridDocument([grid()]).row().names() == ["model", "score"]
    with pytest.raises(Unreadable, match="1 table, 2 rows in the first; expected one"):
        GridDocument([grid(rows=("ab", "cd"))]).row()
    with pytest.raises(Unreadable, match="2 tables"):
        GridDocument([grid(), grid()]).row()


def test_columns():
    table = grid(header=("model", ""), rows=("ab", "cd"))
    assert table.literal("model") == (["a", "c"], ["0/1", "1/1"], None)
    assert table.numbered(2) == (["b", "d"], ["0/2", "1/2"], None)
    assert [table.names(), table.numbered(3), table.numbered(0), table.inside("/a")] == [
        ["model"],
        None,
        None,
        None,
    ]
