from __future__ import annotations

import pytest

from history.readers import Unreadable, markdown_reader, parse
from tests.history.readers.grids import shown, table, tables

HEAD = "| model | score |\n| --- | ---: |\n"


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        pytest.param("| fern | 81.20 |", ["fern", "81.20"], id="plain"),
        pytest.param("fern | 81.20", ["fern", "81.20"], id="without outer pipes"),
        pytest.param("|  fern\u00a0  v2 | 8 |", ["fern v2", "8"], id="white space"),
        pytest.param("| fern \\| v2 | 8 |", ["fern | v2", "8"], id="an escaped pipe"),
        pytest.param("| `a \\| b` | 8 |", ["a | b", "8"], id="an escaped pipe in code"),
        pytest.param("| [**fern**](https://x.org/a\\|b) | 8 |", ["fern", "8"], id="a link"),
        pytest.param("| [fern][1] | 8 |", ["fern", "8"], id="a link defined elsewhere"),
        pytest.param("| <https://x.org> | 8 |", ["https://x.org", "8"], id="a bare link"),
        pytest.param("| **_fern_** ~~x~~ | *8* |", ["fern x", "8"], id="emphasis"),
        pytest.param("| snake_case_name* | 8* |", ["snake_case_name*", "8*"], id="no emphasis"),
        pytest.param("| ![a **b**](x.png) fern | 8 |", ["a b fern", "8"], id="an image"),
        pytest.param("| fern &amp; &#x1F33F; &lt;b> | 8 |", ["fern & 🌿 <b>", "8"], id="entities"),
        pytest.param("| fern<br>v2<BR /> | 8 |", ["fern v2", "8"], id="a line break"),
        pytest.param("| <b>fern</b><!-- x --> | <i>8</i> |", ["fern", "8"], id="tags go"),
        pytest.param(
            "| fern<sup>1</sup> | 71.2<sup>1</sup> |",
            ["fern1", "71.2^1"],
            id="a raised footnote after a number",
        ),
        pytest.param(
            "| 1<sup>st</sup> | **8**<sup>[2](#f)</sup> |",
            ["1st", "8^2"],
            id="a raised link, and raised letters",
        ),
        pytest.param("| 🥇 fern | 8† |", ["🥇 fern", "8†"], id="medals and marks stay"),
        pytest.param("| fern | |", ["fern", ""], id="an empty cell"),
    ],
)
def test_text_of_a_cell(row, cells):
    assert tables("markdown", HEAD + row + "\n\n[1]: https://x.org\n") == [
        [["model", "score"], cells]
    ]


def test_a_pattern_sees_line_breaks():
    cells = table("markdown", HEAD + "| fern<br> by *moss* | 8 |\n| oak | 7 |\n").literal("model")
    assert cells == (
        ["fern by moss", "oak"],
        ["line=3;cell=1", "line=4;cell=1"],
        ["fern\nby moss", "oak"],
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param("| `oak|x` | 7 |", "line 4 has 3 cells, the header has 2", id="in code"),
        pytest.param("| oak | 7 | 6 |", "line 4 has 3 cells, the header has 2", id="too many"),
        pytest.param("| oak |", "line 4 has 1 cell, the header has 2", id="too few"),
        pytest.param("oak", "line 4 has 1 cell, the header has 2", id="text below the table"),
        pytest.param("| model | score |", "line 4 is the header again", id="a header"),
        pytest.param(
            "|---|---|", "line 4 divides a header from rows, inside the table", id="its rule"
        ),
    ],
)
def test_rows_that_are_left_out_and_reported(row, said):
    found = table("markdown", f"{HEAD}| fern | 8 |\n{row}\n| moss | 6 |\n| elm | 5 |\n")
    assert shown(found)[1:] == [["fern", "8"], ["moss", "6"], ["elm", "5"]]
    assert found.left_out == [said]
    assert list(found.places) == [0, 2, 3]
    assert list(found.literal("score").pointers) == [f"line={n};cell=2" for n in (3, 5, 6)]


def test_a_blank_cell_too_many_in_every_row_moves_nothing():
    assert tables("markdown", HEAD + "| fern | 8 | |\n| moss | 7 | |\n") == [
        [["model", "score"], ["fern", "8"], ["moss", "7"]]
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"<!--\n{HEAD}| fern | 8 |\n-->\n", id="a comment"),
        pytest.param(f"<!--\n\n{HEAD}| fern | 8 |\n\n-->\n", id="a comment with blank lines"),
        pytest.param(f"<div><!--\n\n{HEAD}| fern | 8 |\n\n--></div>\n", id="a comment in a block"),
        pytest.param(f"```\n{HEAD}| fern | 8 |\n```\n", id="a fence"),
        pytest.param(f"~~~md\n{HEAD}| fern | 8 |\n", id="a fence to the end"),
        pytest.param("    | a | b |\n    |---|---|\n    | 1 | 2 |\n", id="indented code"),
        pytest.param("<!-- <table><tr><td>x</td></tr></table> -->\n", id="HTML in a comment"),
        pytest.param("<template>\n<table><tr><td>x\n</template>\n", id="a template"),
        pytest.param("| a | b |\n| c | d |\n", id="no rule below the header"),
        pytest.param("a | b\n--- | --- | ---\n1 | 2\n", id="a rule of other width"),
        pytest.param("# Only a heading\n", id="no table"),
    ],
)
def test_what_is_no_table(text):
    assert tables("markdown", text) == []
    with pytest.raises(Unreadable, match="no_table: the file holds no table"):
        table("markdown", text)


PAGE = f"""---
title: Garden
---
# 🏆 Leaderboard:

Some text with `a | b`.

{HEAD}| fern | 8 |

Old results
-----------

<table>
<tr><th>model</th><th>score</th></tr>
<tr><td>

**moss** &amp; co

</td><td> 7 </td></tr>
</table>

> ## In [detail](x)
>
> | model | score |
> |---|---|
> | elm | 6 |

- a list

  model | score
  --- | ---
  oak | 5
"""


def test_tables_stand_in_file_order():
    assert tables("markdown", PAGE) == [
        [["model", "score"], ["fern", "8"]],
        [["model", "score"], ["moss & co", "7"]],
        [["model", "score"], ["elm", "6"]],
        [["model", "score"], ["oak", "5"]],
    ]


@pytest.mark.parametrize(
    ("rows", "entry", "pointer"),
    [
        pytest.param("", "fern", "line=10;cell=1", id="the first"),
        pytest.param("2", "moss & co", "line=17;cell=1", id="a number"),
        pytest.param("🏆 Leaderboard:", "fern", "line=10;cell=1", id="a heading"),
        pytest.param(" 🏆 LEADERBOARD: ", "fern", "line=10;cell=1", id="in capitals"),
        pytest.param("Leaderboard", "fern", "line=10;cell=1", id="its letters"),
        pytest.param("old results", "moss & co", "line=17;cell=1", id="an underlined heading"),
    ],
)
def test_rows_names_a_table(rows, entry, pointer):
    cells = table("markdown", PAGE, rows).literal("model")
    assert (cells.texts, cells.pointers) == ([entry], [pointer])


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        pytest.param("5", "no table is named '5'; there are 1: 🏆 Leaderboard:;", id="a number"),
        pytest.param("results", "no table is named 'results'", id="a part of a heading"),
        pytest.param("In detail", "several tables are named 'In detail'", id="two below one"),
        pytest.param("!", "no table is named '!'", id="no letters"),
    ],
)
def test_rows_that_name_no_table(rows, says):
    with pytest.raises(Unreadable, match="no_table") as error:
        table("markdown", PAGE, rows)
    assert says in error.value.found


def test_a_table_that_cannot_be_read_hides_no_other():
    document = parse("markdown", f"{HEAD}| a |\n| b |\n\n# Two\n\n{HEAD}| fern | 8 |\n".encode())
    first, second = (one for _, one in document.tables())
    assert (first.names(), shown(second)) == (
        ["model", "score"],
        [["model", "score"], ["fern", "8"]],
    )
    with pytest.raises(Unreadable, match="misaligned: 2 of 2 rows: line 3 has 1 cell"):
        first.literal("model")
    with pytest.raises(Unreadable, match="misaligned"):
        document.table("1")
    assert first.literal("other") is None


def test_line_ends_of_all_kinds():
    lines = f"# B\n\n{HEAD}| fern | 8 |\n"
    for end in ("\r\n", "\r"):
        cells = table("markdown", lines.replace("\n", end)).literal("score")
        assert cells == (["8"], ["line=5;cell=2"], None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(f"{HEAD}<<<<<<< HEAD\n| a | 1 |\n>>>>>>> x\n", "conflict_markers", id="merge"),
        pytest.param(" \n\n", "empty", id="blank"),
        pytest.param("\ufeff", "empty", id="a mark alone"),
        pytest.param("a\0b", "not_text", id="binary"),
        pytest.param("|" + "a|" * 6_000 + "\n|" + "-|" * 6_000 + "\n", "too_large", id="too wide"),
        pytest.param(HEAD + "[](" * 30_000, "too_large", id="links that never end"),
        pytest.param(HEAD + "| a_" + "a_" * 40_000, "too_large", id="emphasis that never ends"),
        pytest.param("a\n\n" * 60_000, "too_large", id="too many lines"),
        pytest.param(HEAD + "\\|" * 1_500_000, "too_large", id="escaped pipes on one line"),
    ],
)
def test_markdown_that_cannot_be_read(text, reason):
    with pytest.raises(Unreadable) as error:
        table("markdown", text)
    assert error.value.reason == reason


def test_the_clock_stops_the_library(monkeypatch):
    late = markdown_reader.Deadline
    monkeypatch.setattr(markdown_reader, "Deadline", lambda: late(seconds=-1))
    with pytest.raises(Unreadable, match="too_slow: the text is cut into blocks and cells"):
        table("markdown", HEAD)


def test_marks_of_a_conflict_in_code_are_an_example():
    assert len(tables("markdown", f"```\n<<<<<<< HEAD\n```\n\n{HEAD}| fern | 8 |\n")) == 1
