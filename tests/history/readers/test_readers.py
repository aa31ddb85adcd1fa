from __future__ import annotations

import tracemalloc

import pytest

from history.readers import File, Unreadable, format_of, parse


def read(format_, data, rows=""):
    return parse(format_, data).table(rows)


def columns(table, *names):
    return [list(table.literal(name).texts) for name in names]


@pytest.mark.parametrize(
    ("format_", "data", "expected"),
    [
        pytest.param("csv", b"model,score\nfern,81.20\nmoss,\n", ["81.20", ""], id="commas"),
        pytest.param("tsv", b"model\tscore\nfern, the first\t81\n", ["81"], id="tabs"),
        pytest.param("csv", b"model;score;c\nfern;71,25;1,2\n", ["71,25"], id="semicolons"),
        pytest.param("csv", b"\xef\xbb\xbfscore,model\r\n81,fern\r\n", ["81"], id="mark and CRLF"),
        pytest.param("csv", b" model , score \nfern,81\n", ["81"], id="spaces round the header"),
        pytest.param("csv", b'model,score\n"a\nb",81\n"c ""d""",80\n', ["81", "80"], id="quotes"),
        pytest.param(
            "csv", b"model,score\n\nfern,81\n,\n\nmoss,80\n", ["81", "80"], id="blank lines"
        ),
        pytest.param("csv", "model,score\nfougère,81\n".encode("cp1252"), ["81"], id="cp1252"),
        pytest.param("csv", b'model,score\n"a"b,81\n', ["81"], id="letters after a quote"),
        pytest.param("csv", b"score\n81\n", ["81"], id="a single column"),
        pytest.param("csv", b"model,score\n", [], id="a header alone"),
        pytest.param(
            "csv",
            b"score;" + b"x" * 99_000 + b";" + b"y" * 99_000 + b"\n1;2;3\n",
            ["1"],
            id="long names",
        ),
    ],
)
def test_rows_of_separated_values(format_, data, expected):
    assert list(read(format_, data).literal("score").texts) == expected


def test_pointers_count_records():
    data = b'model,score\n\n"a\nb",81\nshort\nc,80\nd,79\n'
    table = read("csv", data)
    assert list(table.literal("score").pointers) == ["cell=3,2", "cell=5,2", "cell=6,2"]
    assert list(table.places) == [1, 3, 4]
    assert table.left_out == ["row 4 has 1 cell, the header has 2"]


def test_blank_lines_take_no_memory():
    data = b"score\n81\n" + b"\n" * 1_000_000 + b"80\n"
    tracemalloc.start()
    table = read("csv", data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert list(table.literal("score").texts) == ["81", "80"]
    assert list(table.places) == [0, 1_000_001]
    assert peak < 20_000_000


def test_what_does_not_fit_in_memory_is_a_fact_about_the_version(monkeypatch):
    def too_much(*_):
        raise MemoryError

    monkeypatch.setattr("history.readers.json_reader.parse", too_much)
    with pytest.raises(Unreadable, match="too_large: what it holds does not fit in memory"):
        read("json", b"[]")


def test_a_blank_cell_too_many_in_every_row_moves_nothing():
    table = read("csv", b"model,score\nfern,81,\n\nmoss,80,\n")
    assert columns(table, "model", "score") == [["fern", "moss"], ["81", "80"]]
    assert (table.left_out, list(table.numbered(2).pointers)) == ([], ["cell=2,2", "cell=4,2"])


def test_two_columns_with_one_name_are_refused_only_if_used():
    table = read("csv", b"model,score,score.1,score\nfern,70,1,90\n")
    assert columns(table, "model", "score.1") == [["fern"], ["1"]]
    assert list(table.numbered(4).texts) == ["90"]
    with pytest.raises(Unreadable, match="columns 2 and 4 are both named 'score'"):
        table.literal("score")


@pytest.mark.parametrize(
    ("data", "reason", "says"),
    [
        pytest.param(b"", "empty", "0 bytes", id="no bytes"),
        pytest.param(
            b"a,b\n1,2,x\n3,4,\n", "misaligned", "2 of 2 rows: row 2 has 3 cells", id="shifted"
        ),
        pytest.param(
            b"a,b\n<<<<<<< HEAD\n1,2\n=======\n1,3\n>>>>>>> x\n",
            "conflict_markers",
            "line 2",
            id="conflict",
        ),
        pytest.param(b"PAR1\0\0", "not_text", "byte 4 is 0", id="binary"),
        pytest.param(b"a\n\x81\xff\n", "not_text", "byte", id="no known encoding"),
        pytest.param(b'a,b\n1,"2\n3,4\n', "invalid_csv", "does not end", id="an open quote"),
        pytest.param(b",,\n1,2,3\n", "no_table", "header row is blank", id="no names"),
        pytest.param(b"x," * 6_000 + b"x\n", "too_large", "6,001 columns", id="too wide"),
        pytest.param(b"a\n" + b"x" * 200_000 + b"\n", "too_large", "line 2", id="a huge cell"),
        pytest.param(b"x," * 90_000 + b"x\n", "too_large", "90,001 columns", id="a long header"),
        pytest.param(
            b'a\n"b"c\n' + b"x" * 200_000 + b"\n", "too_large", "line 3", id="and a quote before"
        ),
    ],
)
def test_separated_values_that_cannot_be_read(data, reason, says):
    with pytest.raises(Unreadable) as error:
        read("csv", data)
    assert error.value.reason == reason
    assert says in error.value.found


@pytest.mark.parametrize(
    ("path", "written", "says"),
    [
        pytest.param(
            "board.data",
            None,
            "no_table: the name 'board.data' does not tell the format; write format = \"json\", or "
            "another one, in [table]",
            id="nothing tells the format",
        ),
        pytest.param("b.json", None, "invalid_json: line 1, column 1", id="as its name tells"),
        pytest.param("b.json", "yaml", None, id="as the definition tells"),
    ],
)
def test_a_file_says_the_same_each_time_it_is_asked(path, written, says):
    file = File(path, b"- model: fern\n")
    if says is None:
        assert file.document(written) is file.document(written)
        assert file.document(written).table().literal("model").texts == ["fern"]
        return
    for _ in range(2):
        with pytest.raises(Unreadable) as error:
            file.document(written)
        assert str(error.value).startswith(says)


def test_the_format_is_told_by_the_name():
    names = ["a/b.json", "b.CSV", "c.tsv", "README.md", ".json", "json"]
    assert [format_of(name) for name in names] == ["json", "csv", "tsv", "markdown", "json", None]
    names = ["a.ndjson", "b.jsonl", "c.yml", "c.YAML", "d.js", "e.mjs", "f.htm", "g.parquet"]
    assert [format_of(name) for name in names] == [
        "jsonl", "jsonl", "yaml", "yaml", "js", "js", "html", "parquet"
    ]  # fmt: skip
