from __future__ import annotations

import pytest

from history.readers import Unreadable, parse
from tests.history.readers.grids import shown, table, tables

HEAD = "<tr><th>model</th><th>score</th></tr>"
FERN = "<tr><td>fern</td><td>8</td></tr>"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        pytest.param("<td> fern\n\n v2 </td>", "fern v2", id="white space"),
        pytest.param("<td>&nbsp;fern&amp;&#8203;</td>", "fern&", id="entities and blanks"),
        pytest.param("<td>fern<br>v2<br/></td>", "fern v2", id="a line break"),
        pytest.param("<td><a href=x><b>fe</b>rn</a> <i>2</i></td>", "fern 2", id="elements"),
        pytest.param("<td><p>fern</p><p>2</p><div>x</div></td>", "fern 2 x", id="blocks"),
        pytest.param("<td>fe<!-- no -->rn</td>", "fern", id="a comment"),
        pytest.param("<td>fern<script>no()</script><style>no</style></td>", "fern", id="a script"),
        pytest.param("<td>fern<template>no</template>!</td>", "fern!", id="a template"),
        pytest.param("<td>fern<table><tr><td>no</table></td>", "fern", id="a table inside"),
        pytest.param("<td><img alt=no>fern</td>", "fern", id="an image"),
        pytest.param("<td>&xxe;</td>", "&xxe;", id="an entity that nobody defined"),
        pytest.param("<td>🌿</td>", "🌿", id="an emoji"),
        pytest.param("<td>71.2<sup>1</sup></td>", "71.2^1", id="a raised footnote after a number"),
        pytest.param("<td><b>71%</b><sup><a href=x>a</a></sup></td>", "71%^a", id="a raised link"),
        pytest.param("<td>fern<sup>2</sup></td>", "fern2", id="a raised digit after a word"),
        pytest.param("<td>1<sup>st</sup> 2<sup>+3</sup></td>", "1st 2+3", id="other raised texts"),
    ],
)
def test_text_of_a_cell(cell, text):
    found = tables("html", f"<table>{HEAD}<tr>{cell}<td>8</td></tr></table>")
    assert found[0] == [["model", "score"], [text, "8"]]


def test_a_pattern_sees_line_breaks():
    cells = table("html", f"<table>{HEAD}<tr><td>fern\n<br>2</td><td>8</td></table>").literal(
        "model"
    )
    assert cells == (["fern 2"], ["line=1;cell=1"], ["fern\n2"])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(f"<thead>{HEAD}</thead><tbody>{FERN}</tbody>", [["fern", "8"]], id="sections"),
        pytest.param(
            "<tr><td>model<td>score<tr><td>fern<td>8", [["fern", "8"]], id="without end tags"
        ),
        pytest.param(f"{HEAD}<td>fern<td>8", [["fern", "8"]], id="without a row"),
        pytest.param(
            f"{HEAD}<tr><th>fern</th><td>8</td></tr>", [["fern", "8"]], id="rows with a heading"
        ),
        pytest.param(
            f"<tr><th colspan=2>Garden board</th></tr>{HEAD}{FERN}", [["fern", "8"]], id="a title"
        ),
        pytest.param(
            f"{HEAD}<tr><td colspan=2>Open</td></tr>{FERN}<tr><td colspan=99>Closed</td></tr>",
            [["fern", "8"]],
            id="titles of sections",
        ),
        pytest.param(f"{HEAD}{FERN}{HEAD}", [["fern", "8"]], id="the header again"),
        pytest.param(f"{HEAD}{FERN}<tr></tr><tr><td><td></tr>", [["fern", "8"]], id="blank rows"),
        pytest.param(
            f"{HEAD}<tr style='display:none'><td>fern<td>8</tr>", [["fern", "8"]], id="hidden rows"
        ),
        pytest.param(
            f"{HEAD}<tr><td rowspan=2>fern<td>8<tr><td>7<tr><td>moss<td>6",
            [["fern", "8"], ["fern", "7"], ["moss", "6"]],
            id="a cell over two rows",
        ),
        pytest.param(
            f"{HEAD}<tr><td rowspan=0>fern<td>8<tr><td>7",
            [["fern", "8"], ["fern", "7"]],
            id="a cell over the rest",
        ),
        pytest.param(
            f"{HEAD}<tr><td>fern<td rowspan=3>8<tr><td>moss",
            [["fern", "8"], ["moss", "8"]],
            id="a cell that reaches too far down",
        ),
        pytest.param(
            f"{HEAD}<tr><td colspan=x>fern<td colspan=-3>8", [["fern", "8"]], id="odd spans"
        ),
        pytest.param(f"<TABLE><TR><TD>x</TABLE>{HEAD}{FERN}", [["fern", "8"]], id="capitals"),
    ],
)
def test_rows(rows, expected):
    found = [one for one in tables("html", f"<table>{rows}</table>") if len(one[0]) == 2]
    assert found == [[["model", "score"], *expected]]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        pytest.param(
            "<tr><th rowspan=2>model<th colspan=2>test<tr><th>score<th>cost",
            ["model", "score", "cost"],
            id="the lowest text counts",
        ),
        pytest.param(
            "<tr><th rowspan=2>model<th>dev<th>test<tr><th>score<th>score",
            ["model", "dev score", "test score"],
            id="names that repeat are joined",
        ),
        pytest.param(
            "<tr><th>model<th>score<th>cost<tr><th><th><th>USD",
            ["model", "score", "USD"],
            id="blank cells below name nothing",
        ),
    ],
)
def test_names_of_two_header_rows(header, names):
    body = "<tbody><tr><td>fern<td>8<td>3"
    for page in (f"<table><thead>{header}</thead>{body}</table>", f"<table>{header}{body}</table>"):
        assert tables("html", page) == [[names, ["fern", "8", "3"]]]


def test_two_header_rows_with_titles_and_repeats():
    text = """<table>
<thead><tr><th rowspan=2>plant</th><th colspan=2>spring</th></tr>
<tr><th>height</th><th>leaves</th></tr></thead>
<tr><td colspan=3><b>Wild</b></td></tr>
<tr><td>fern</td><td>71.5</td><td>3</td></tr>
<tr><th>plant</th><th>height</th><th>leaves</th></tr>
<tr><th>plant</th><th>spring</th><th>spring</th></tr>
<tr><td>moss</td><td colspan=2>9</td></tr>
</table>"""
    found = table("html", text)
    assert shown(found) == [
        ["plant", "height", "leaves"],
        ["fern", "71.5", "3"],
        ["moss", "9", "9"],
    ]
    assert list(found.literal("leaves").pointers) == ["line=5;cell=3", "line=8;cell=2"]
    assert (found.left_out, list(found.places), found.pointer) == ([], [1, 4], "line=1")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param("<tr><td>oak</td></tr>", "line 2 has 1 cell, the header has 2", id="too few"),
        pytest.param(
            "<tr><td>oak<td>7<td>6</tr>", "line 2 has 3 cells, the header has 2", id="too many"
        ),
        pytest.param(
            "<tr><th>model<th>cost</tr>",
            "line 2 holds another header, 'model | cost'",
            id="another header",
        ),
    ],
)
def test_rows_that_are_left_out_and_reported(row, said):
    found = table("html", f"<table>{HEAD}{FERN}\n{row}\n<tr><td>moss<td>6</table>")
    assert shown(found)[1:] == [["fern", "8"], ["moss", "6"]]
    assert found.left_out == [said]


PAGE = f"""<!doctype html>
<h1>Garden <em>board</em></h1>
<!-- <table>{HEAD}{FERN}</table> -->
<script>"<table>{HEAD}{FERN}</table>"</script>
<template><table>{HEAD}{FERN}</table></template>
<table>{HEAD}{FERN}</table>
<h2>Old</h2>
<table><caption>Last <b>year</b></caption>{HEAD}
<tr><td>moss</td>
<td>7</td></tr></table>
<table>{HEAD}<tr><td>elm<table>{HEAD}<tr><td>oak<td>5</table><td>6</table>
"""


@pytest.mark.parametrize(
    ("rows", "entry", "pointer"),
    [
        pytest.param("", "fern", "line=6;cell=2", id="the first"),
        pytest.param("Garden board", "fern", "line=6;cell=2", id="a heading"),
        pytest.param("last year", "moss", "line=10;cell=2", id="a caption"),
        pytest.param("3", "elm", "line=11;cell=2", id="a number"),
        pytest.param("4", "oak", "line=11;cell=2", id="a table inside another"),
    ],
)
def test_rows_names_a_table(rows, entry, pointer):
    found = table("html", PAGE, rows)
    assert found.literal("model").texts == [entry]
    assert found.literal("score").pointers == [pointer]


def test_tables_of_other_pages():
    assert tables("html", "<p>no table</p>") == []
    assert tables("html", "<!-- only a comment -->") == []
    assert tables("html", "<table></table>") == []
    with pytest.raises(Unreadable, match="several tables are named 'old'"):
        table("html", PAGE, "old")


def test_lines_past_those_that_the_library_counts():
    text = "\n" * 70_000 + f"<table title='<td>'>{HEAD}\n<tr><td>fern\n<td>8</table>"
    cells = table("html", text).literal("score")
    assert cells == (["8"], ["line=70003;cell=2"], None)


def test_lines_of_all_kinds_of_line_ends():
    for end in ("\n", "\r\n", "\r"):
        text = f"<table>\n{HEAD}\n<tr>\n<td>fern\n<td\n>8</table>".replace("\n", end)
        assert table("html", text).literal("score").pointers == ["line=6;cell=2"]


def test_other_encodings():
    page = f"<table>{HEAD}<tr><td>fougère<td>8</table>"
    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        assert table("html", page.encode(encoding)).literal("model").texts == ["fougère"]


@pytest.mark.parametrize(
    ("text", "reason", "says"),
    [
        pytest.param("<div>" * 100_000, "too_large", "depth", id="elements in each other"),
        pytest.param(
            "<table><tr><td>" * 300, "too_large", "inside each", id="tables in each other"
        ),
        pytest.param(
            "<table><tr>" + "<td><div>" * 900 + "x" * 10_000,
            "too_large",
            "more than 4,000,000 letters in one table",
            id="cells in each other",
        ),
        pytest.param("<b></b>" * 400_000, "too_large", "800,000 tags", id="many tags"),
        pytest.param(
            "<p " + " ".join(f"a{n}" for n in range(90_000)) + ">",
            "too_large",
            "90,000 attributes",
            id="many attributes",
        ),
        pytest.param(
            "<table>" + "<tr><td rowspan=9999 colspan=1000>a<td>b" * 9_000,
            "too_large",
            "cells; at most",
            id="cells that cover millions",
        ),
        pytest.param(
            f"<table>{HEAD}<tr><td colspan=1000000>fern<td>8</table>",
            "misaligned",
            "1 of 1 rows: line 1 has 1,001 cells",
            id="a cell that is too wide",
        ),
        pytest.param(
            "<table><tr>" + "<th colspan=1000>a" * 6 + "</table>",
            "too_large",
            "6,000 columns",
            id="a header that is too wide",
        ),
        pytest.param(
            f"<table>\n<<<<<<< HEAD\n{HEAD}\n>>>>>>> x\n", "conflict_markers", "line 2", id="merge"
        ),
        pytest.param("<table>\0", "not_text", "is 0", id="binary"),
    ],
)
def test_pages_that_cannot_be_read(text, reason, says):
    with pytest.raises(Unreadable) as error:
        table("html", text)
    assert error.value.reason == reason
    assert says in error.value.found


def test_nothing_is_fetched(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    page = (
        f'<!DOCTYPE html [<!ENTITY xxe SYSTEM "file://{secret}">]>'
        f"<table>{HEAD}<tr><td>&xxe;</td><td>8</td></tr></table>"
    )
    assert table("html", page).literal("model").texts == ["&xxe;"]


def test_scripts_hold_rows_too():
    page = f"""<table>{HEAD}{FERN}</table>
<script type="application/json">{{"edition": "v2", "models": [{{"id": "moss", "v": 7.50}}]}}</script>
"""
    document = parse("html", page.encode())
    found = document.table("$['#1'].models").literal("v")
    assert (list(found.texts), document.find("$['#1'].edition")) == (["7.50"], "v2")
    assert [rows for rows, _ in document.tables()] == ["", "$['#1'].models"]
    assert parse("html", b"<p>").find("$.edition") is None
