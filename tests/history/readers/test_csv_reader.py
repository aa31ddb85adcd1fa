from __future__ import annotations

import codecs

import pytest

from history.readers import Unreadable
from tests.history.readers.grids import shown, table

FERN = [["model", "score"], ["fern", "81.2"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("model,score\nfern,81.2\n", FERN, id="commas"),
        pytest.param("model;score\nfern;81.2\n", FERN, id="semicolons"),
        pytest.param("model\tscore\nfern\t81.2\n", FERN, id="tabs"),
        pytest.param("model|score\nfern|81.2\n", FERN, id="pipes"),
        pytest.param(
            "model, size;score\nfern, 7B;81.2\n",
            [["model, size", "score"], ["fern, 7B", "81.2"]],
            id="semicolons where names have commas",
        ),
        pytest.param(
            "model, size;score\nfern;81.2\n",
            [["model, size", "score"], ["fern", "81.2"]],
            id="a comma in the header of semicolons",
        ),
        pytest.param(
            "model;a;b\nfern;1,5;2,5\n",
            [["model", "a", "b"], ["fern", "1,5", "2,5"]],
            id="semicolons where numbers have commas",
        ),
        pytest.param(
            "model,score,rank;old\nfern,81.2,1;2\n",
            [["model", "score", "rank;old"], ["fern", "81.2", "1;2"]],
            id="a semicolon in a cell",
        ),
        pytest.param(
            "model|a,score\nfern,81.2\n",
            [["model|a", "score"], ["fern", "81.2"]],
            id="a pipe in the header of commas",
        ),
        pytest.param(
            '"model, all";score\n"fern;v2";81.2\n',
            [["model, all", "score"], ["fern;v2", "81.2"]],
            id="delimiters in quotes",
        ),
        pytest.param("sep=;\r\nmodel;score\r\nfern;81.2\r\n", FERN, id="a line that says it"),
        pytest.param("model,score\rfern,81.2\r", FERN, id="line ends of old"),
        pytest.param(
            "model,score\r\nfern,81.2\nmoss,80\relm,79",
            [*FERN, ["moss", "80"], ["elm", "79"]],
            id="mixed line ends",
        ),
        pytest.param("\n\r\nmodel,score\n\n\nfern,81.2\n", FERN, id="blank lines"),
        pytest.param("model,score,\nfern,81.2,\n", FERN, id="a blank column"),
        pytest.param("model,score,,\nfern,81.2\n", FERN, id="blank names alone"),
        pytest.param(
            "model,score,\nfern,81.2,\nmoss,80\n",
            [*FERN, ["moss", "80"]],
            id="a blank column that some rows have",
        ),
        pytest.param("\u200bmodel\u00a0, score \nfern,81.2\n", FERN, id="invisible letters"),
        pytest.param(
            "model,score\nnan,81.2\n1e3,80\n007,79\n",
            [["model", "score"], ["nan", "81.2"], ["1e3", "80"], ["007", "79"]],
            id="names that look like numbers",
        ),
        pytest.param(
            "model,$ per run\nfern,81.2\n",
            [["model", "$ per run"], ["fern", "81.2"]],
            id="a dollar sign",
        ),
    ],
)
def test_rows(text, expected):
    found = table("csv", text)
    assert (shown(found), found.left_out) == (expected, [])


def test_the_name_of_the_file_tells_the_delimiter():
    assert shown(table("tsv", "model\tscore, all\nfern\t81,2\n"))[1] == ["fern", "81,2"]
    assert shown(table("tsv", "model,score\nfern,81.2\n")) == FERN


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("model,score\nfougère,81\n".encode("utf-8-sig"), id="UTF-8 with a mark"),
        pytest.param("model,score\nfougère,81\n".encode("cp1252"), id="Windows-1252"),
        pytest.param("model,score\nfougère,81\n".encode("utf-16"), id="UTF-16"),
        pytest.param(
            codecs.BOM_UTF16_BE + "model,score\nfougère,81\n".encode("utf-16-be"), id="big-endian"
        ),
        pytest.param("model,score\nfougère,81\n".encode("utf-32"), id="UTF-32"),
    ],
)
def test_encodings(data):
    cells = table("csv", data).literal("model")
    assert cells == (["fougère"], ("cell=2,1",), None)


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        pytest.param(
            "model,score\nfern,1\nmodel,score\nmoss,2\n",
            ["row 3 is the header again"],
            id="two files put together",
        ),
        pytest.param(
            "model,score\nfern,1\noak\nmoss,2\n", ["row 3 has 1 cell, the header has 2"], id="short"
        ),
        pytest.param(
            "model,score,\nfern,1,\noak,2,3,4\nmoss,2,\n",
            ["row 3 has 4 cells, the header has 2"],
            id="long",
        ),
    ],
)
def test_rows_that_are_left_out_and_reported(text, left_out):
    found = table("csv", text)
    assert (shown(found)[1:], found.left_out) == ([["fern", "1"], ["moss", "2"]], left_out)


def test_a_column_without_a_name_has_its_number():
    found = table("csv", ",model,score,\n0,fern,81,x\n1,moss,80,y\n")
    assert shown(found) == [["model", "score"], ["fern", "81"], ["moss", "80"]]
    assert [list(found.numbered(n).texts) for n in (1, 4)] == [["0", "1"], ["x", "y"]]


@pytest.mark.parametrize(
    ("data", "reason", "says"),
    [
        pytest.param(
            b"model,score\nfern,v1,81\nmoss,v1,80\n",
            "misaligned",
            "2 of 2 rows: row 2 has 3 cells, the header has 2",
            id="a header out of step",
        ),
        pytest.param(
            b"model,score,votes\nfern,81\nmoss,80\n",
            "misaligned",
            "2 of 2 rows: row 2 has 2 cells, the header has 3",
            id="a name too many",
        ),
        pytest.param(b"\xef\xbb\xbf\n", "empty", "blank (4 bytes)", id="a mark alone"),
        pytest.param(b"\xff\xfea", "not_text", "marked as UTF-16", id="half a letter"),
        pytest.param("a\0b".encode("utf-16"), "not_text", "letter 1 ", id="a 0 in UTF-16"),
        pytest.param(
            "a,b\n<<<<<<< x\n1,2\n>>>>>>> y\n".encode("utf-16"),
            "conflict_markers",
            "line 2",
            id="a conflict in UTF-16",
        ),
        pytest.param(b"a\n" + b"1\n" * 100_001, "too_large", "100,001 rows", id="rows"),
        pytest.param(
            b",".join(b"%d" % n for n in range(1_000)) + b"\n" + (b"1," * 999 + b"1\n") * 2_001,
            "too_large",
            "2,001,000 cells",
            id="cells",
        ),
    ],
)
def test_files_that_cannot_be_read(data, reason, says):
    with pytest.raises(Unreadable) as error:
        table("csv", data)
    assert error.value.reason == reason
    assert says in error.value.found
