from __future__ import annotations

import tracemalloc

import pytest

from history.readers import MAX_BYTES, Unreadable, format_of, parse

ROWS = b'[{"id": "fern", "v": 81.20, "n": 9007199254740993}, {"id": "moss", "v": null}]'


def read(format_, data, rows=""):
    return parse(format_, data).table(rows)


def columns(table, *names):
    return [list(table.literal(name).texts) for name in names]


@pytest.mark.parametrize(
    ("data", "rows", "expected"),
    [
        pytest.param(ROWS, "$", ["81.20", None], id="a list at the top"),
        pytest.param(b'{"a": {"b": %s}}' % ROWS, "$.a.b", ["81.20", None], id="a list inside"),
        pytest.param(b"\xef\xbb\xbf" + ROWS, "$", ["81.20", None], id="a byte order mark"),
        pytest.param(b'[{"v": NaN}, {"v": -Infinity}]', "$", ["NaN", "-Infinity"], id="NaN"),
        pytest.param(b'[{"v": "88.6"}, {"v": true}]', "$", ["88.6", "true"], id="texts"),
        pytest.param(b'[{"v": 1E5}, {"v": 1e-7}]', "$", ["1E5", "1e-7"], id="as it is printed"),
        pytest.param(b'[{"v": 1}, {"x": 2}, 3]', "$", ["1", None, None], id="odd rows have none"),
        pytest.param(b'{"x": {"v": 1}, "y": {"v": 2}}', "$", ["1", "2"], id="keyed by entry"),
        pytest.param(
            b'{"g": [{"m": [{"v": 1}]}, {"m": [{"v": 2}]}]}',
            "$.g[*].m[*]",
            ["1", "2"],
            id="rows in groups",
        ),
        pytest.param(
            b'{"g": [{"m": [{"v": 1}]}, {"m": [{"v": 2}]}]}',
            "$.g[*].m",
            ["1", "2"],
            id="lists in groups",
        ),
        pytest.param(b'{"g": [{"k": "a", "m": [{"v": 1}]}]}', "$.g[0].m", ["1"], id="by place"),
        pytest.param(b'{"a b": [{"v": 1}]}', "$['a b']", ["1"], id="a key in quotes"),
        pytest.param(b'{"m": [{"v": 1}]}', "$.m[*]", ["1"], id="one single row"),
        pytest.param(b'{".m]": [{"v": 1}]}', "$['.m]']", ["1"], id="a key of odd letters"),
        pytest.param(
            rb'[{"v": "moss \ud83c"}, {"v": "\ud83c\udf3f"}, {"v": ["\udf3f"]}]',
            "$",
            ["moss \ufffd", "\U0001f33f", '["\ufffd"]'],
            id="half of an emoji",
        ),
        pytest.param(rb'{"a\ud800": [{"v": "1"}]}', "$['a\ufffd']", ["1"], id="half of a key"),
    ],
)
def test_rows_of_json(data, rows, expected):
    assert list(read("json", data, rows).literal("v").texts) == expected


def test_big_numbers_stay_as_printed():
    assert columns(read("json", ROWS), "n") == [["9007199254740993", None]]


@pytest.mark.parametrize(
    ("data", "rows", "name", "pointers"),
    [
        pytest.param(ROWS, "$", "v", ["/0/v", "/1/v"], id="of a list"),
        pytest.param(b'{"a/b": [{"c~d": 1}]}', "$['a/b']", "c~d", ["/a~1b/0/c~0d"], id="escaped"),
        pytest.param(b'{"x/y": {"v": 1}}', "$", "v", ["/x~1y/v"], id="of keys"),
        pytest.param(
            b'{"g": [{"m": [{"v": 1}]}]}', "$.g[*].m[*]", "v", ["/g/0/m/0/v"], id="groups"
        ),
    ],
)
def test_pointers_of_json(data, rows, name, pointers):
    assert list(read("json", data, rows).literal(name).pointers) == pointers


@pytest.mark.parametrize(
    ("path", "texts", "pointers"),
    [
        pytest.param("/a/b", ["1", None], ["/0/a/b", "/1/a/b"], id="a pointer"),
        pytest.param("$.a.b", ["1", None], ["/0/a/b", "/1/a/b"], id="a path of keys"),
        pytest.param("$.l[?@.k == 'y'].v", ["5", None], ["/0/l/1/v", "/1"], id="a filter"),
        pytest.param("/l/1/v", ["5", None], ["/0/l/1/v", "/1/l/1/v"], id="a place in a list"),
    ],
)
def test_columns_inside_rows(path, texts, pointers):
    data = b'[{"a": {"b": 1}, "l": [{"k": "x", "v": 4}, {"k": "y", "v": 5}]}, {"a": {}}]'
    cells = read("json", data).inside(path)
    assert (list(cells.texts), list(cells.pointers)) == (texts, pointers)
    assert read("json", data).inside("/nowhere") is None


def test_rows_that_are_lists():
    cells = read("json", b'[["fern", 81.2], ["moss", 80]]').numbered(2)
    assert (list(cells.texts), list(cells.pointers)) == (["81.2", "80"], ["/0/1", "/1/1"])


def test_values_that_are_the_scores():
    table = read("json", b'{"fern": 81, "moss": 80}')
    cells = table.inside("$")
    assert (table.keys, list(cells.texts)) == (["fern", "moss"], ["81", "80"])
    assert list(cells.pointers) == ["/fern", "/moss"]


def test_texts_elsewhere_in_the_file():
    document = parse("json", b'{"label": "0.4", "f": [{"band": 0.90}], "m": [{}]}')
    assert [document.find(path) for path in ("$.label", "$.f[0].band", "$.no")] == [
        "0.4",
        "0.90",
        None,
    ]


@pytest.mark.parametrize(
    ("data", "rows", "reason", "says"),
    [
        pytest.param(b" \n", "$", "empty", "the file is empty (2 bytes)", id="blank"),
        pytest.param(b'{"a": 1,}', "$", "invalid_json", "line 1, column 9", id="a comma too many"),
        pytest.param(b'[{"v": 1}, {"v"', "$", "invalid_json", "line 1", id="cut off"),
        pytest.param(b"<html>", "$", "invalid_json", "'<html>'", id="a page in its place"),
        pytest.param(b"Entry not found", "$", "invalid_json", "line 1", id="an error in its place"),
        pytest.param(
            b"[\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> x\n]",
            "$",
            "conflict_markers",
            "line 2",
            id="conflict",
        ),
        pytest.param(
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n",
            "$",
            "lfs_pointer",
            "a Git LFS pointer (64 bytes)",
            id="a pointer",
        ),
        pytest.param(
            b'{"models": [{"v": 1}]}', "$.model", "no_table", "$.models (1 rows)", id="where"
        ),
        pytest.param(
            b'{"models": 7}', "$.models", "no_table", "'7', neither a list", id="a number"
        ),
        pytest.param(b'{"models": []}', "$.models[*]", "no_table", "finds nothing", id="no match"),
        pytest.param(
            b'{"a": 81, "a": 12}',
            "$",
            "repeated_key",
            "'a' stands twice in one object, with 81 and 12",
            id="twice",
        ),
        pytest.param(
            rb'[{"\ud83c": 1, "\ud83d": 2}]',
            "$",
            "repeated_key",
            "stands twice",
            id="twice by halves",
        ),
        pytest.param(b"[" * 100_000, "$", "too_large", "nested too deep", id="a bomb"),
        pytest.param(b'["\xff"]', "$", "not_text", "not UTF-8 at byte 2", id="another encoding"),
        pytest.param(b"1" * (MAX_BYTES + 1), "$", "too_large", "at most", id="too many bytes"),
    ],
)
def test_json_that_cannot_be_read(data, rows, reason, says):
    with pytest.raises(Unreadable) as error:
        read("json", data, rows)
    assert error.value.reason == reason
    assert says in error.value.found


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
    assert table.left_out == ["row 4 has 1 cells, the header has 2"]


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


def test_the_format_is_told_by_the_name():
    names = ["a/b.json", "b.CSV", "c.tsv", "README.md", ".json", "json"]
    assert [format_of(name) for name in names] == ["json", "csv", "tsv", None, "json", None]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[{"id": "a", "v": 1, "v": 2}]', id="side by side"),
        pytest.param('[{"id": "a", "v" : 1, "v" : 2}]', id="white space before the colon"),
        pytest.param('[{"id": "a", "v"\n: 1, "v": 2}]', id="a line end before one of them"),
        pytest.param('[{"id": "\\":", "v": 1, "v": 2}]', id="a text with a colon after a quote"),
        pytest.param('[{"id": "a", "p": {"v": 1, "v": 2}}]', id="inside another"),
        pytest.param('[[[{"v": 1, "v": 2}]]]', id="inside lists"),
        pytest.param('[{"\\u0076": 1, "v": 2}]', id="one of them written as an escape"),
    ],
)
def test_a_key_that_stands_twice_is_always_seen(text):
    with pytest.raises(Unreadable) as error:
        read("json", text.encode(), "$")
    assert error.value.reason == "repeated_key"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[{"id": "x\\": y", "v": "1"}]', id="a text that looks like a key"),
        pytest.param('[{"id" : "x", "v" : "1"}]', id="white space before colons"),
    ],
)
def test_what_only_looks_like_a_repeated_key_is_read(text):
    assert columns(read("json", text.encode(), "$"), "v") == [["1"]]
