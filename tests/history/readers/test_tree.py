from __future__ import annotations

import pytest

from history.readers import Unreadable, parse
from history.readers.limits import MAX_ROWS
from history.readers.tree import TreeDocument, TreeTable


def test_every_list_of_objects_can_be_asked_for():
    document = TreeDocument(
        {"a b": [{}], "c": {"d": [["x"], {}], "e": {"f": {"v": "1"}}}, "g": ["x"], "h": "7"}
    )
    told = [rows for rows, _ in document.tables()]
    assert told == ["$", "$['a b']", "$.c", "$.c.d", "$.c.e"]
    assert [document.table(rows).pointer for rows in told] == ["", "/a b", "/c", "/c/d", "/c/e"]


@pytest.mark.parametrize(
    ("rows", "pointers"),
    [
        pytest.param("$", ["/0/v", "/3/v"], id="all lines"),
        pytest.param("$[?@.k == 'y']", ["/3/v"], id="those of a filter"),
        pytest.param("$[*]", ["/0/v", "/3/v"], id="each of them"),
        pytest.param("$[1].l", ["/3/l/0/v"], id="a list in the second"),
        pytest.param("$[*].l[*]", ["/3/l/0/v"], id="rows in groups"),
    ],
)
def test_pointers_begin_with_the_line_where_lines_are_read(rows, pointers):
    value = [{"k": "x", "v": "1"}, {"k": "y", "v": "2", "l": [{"v": "3"}]}]
    document = TreeDocument(value, ["line 2 is no JSON"], lines=(0, 3))
    table = document.table(rows)
    assert list(table.literal("v").pointers) == pointers
    assert table.left_out == ["line 2 is no JSON"]


def test_texts_that_look_like_json_stay_texts():
    document = TreeDocument([{"a": "[1, 2]"}, "[3]", "x", None])
    table = document.table()
    assert list(table.inside("$[*]").texts) == ["[1, 2]", None, None, None]
    assert TreeDocument("[1]").find("$[0]") is None


@pytest.mark.parametrize(
    ("value", "rows", "reason", "says"),
    [
        pytest.param([{}] * (MAX_ROWS + 1), "$", "too_large", "100,001 rows", id="many rows"),
        pytest.param([{}] * 500_000, "$..v", "too_slow", "more than 400,000", id="many values"),
        pytest.param(
            {"a": {"b": "1"}}, "$.a[*].c[*]", "no_table", "objects in the file: $", id="nothing"
        ),
    ],
)
def test_rows_that_are_too_much(value, rows, reason, says):
    with pytest.raises(Unreadable) as error:
        TreeDocument(value).table(rows)
    assert error.value.reason == reason
    assert says in error.value.found


def test_a_path_into_all_depths_ends_where_the_library_does():
    deep = parse("json", b'{"a":' * 300 + b"1" + b"}" * 300)
    with pytest.raises(Unreadable, match="nested too deep for"):
        deep.find("$..v")


def test_a_list_too_long_to_be_a_board_is_not_offered():
    value = {"long": [{}] * (MAX_ROWS + 1), "short": [{}]}
    assert [rows for rows, _ in TreeDocument(value).tables()] == ["$.short"]


def test_pointers_of_many_rows_are_not_kept():
    table = TreeTable([{"v": "1"}] * 20_000, "/m", range(20_000))
    assert list(table.literal("v").pointers)[-1] == "/m/19999/v"
