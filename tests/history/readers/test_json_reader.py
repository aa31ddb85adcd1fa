from __future__ import annotations

import pytest

from history.readers import FORMATS, Unreadable, parse

ROWS = b'[{"id": "fern", "v": 81.20, "n": 9007199254740993}, {"id": "moss", "v": null}]'


def read(data, rows=""):
    return parse("json", data).table(rows)


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
    assert list(read(data, rows).literal("v").texts) == expected


def test_big_numbers_stay_as_printed():
    assert columns(read(ROWS), "n") == [["9007199254740993", None]]


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
    assert list(read(data, rows).literal(name).pointers) == pointers


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
    cells = read(data).inside(path)
    assert (list(cells.texts), list(cells.pointers)) == (texts, pointers)
    assert read(data).inside("/nowhere") is None


def test_rows_that_are_lists():
    cells = read(b'[["fern", 81.2], ["moss", 80]]').numbered(2)
    assert (list(cells.texts), list(cells.pointers)) == (["81.2", "80"], ["/0/1", "/1/1"])


def test_values_that_are_the_scores():
    table = read(b'{"fern": 81, "moss": 80}')
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
            b'{"models": [{"v": 1}]}', "$.model", "no_table", "$.models (1 row)", id="where"
        ),
        pytest.param(
            b'{"models": 7}', "$.models", "no_table", "'7', neither a list", id="a number"
        ),
        pytest.param(b'{"models": []}', "$.models[*]", "no_table", "finds nothing", id="no match"),
        pytest.param(
            b'{"a": 81, "a": 12}',
            "$",
            "repeated_key",
            "line 1: key 'a' stands twice in one object, with 81 and 12",
            id="twice",
        ),
        pytest.param(
            b'[{"v": {"v": null}, "x": "\\"}, v"},\n{"v":\n"}", "w": {},\n"v" : 2}]',
            "$",
            "repeated_key",
            "line 4: key 'v' stands twice in one object, with } and 2",
            id="twice in a later line",
        ),
        pytest.param(
            b'{"%s": 1, "%s": 2}' % (b"k" * 99, b"k" * 99),
            "$",
            "repeated_key",
            f"line 1: key '{'k' * 60}...' stands twice in one object, with 1 and 2",
            id="a long key twice",
        ),
        pytest.param(
            b'{"\\u0061": null, "a": 12}} "a',
            "$",
            "repeated_key",
            "key 'a' stands twice in one object, with null and 12",
            id="twice, once in other letters",
        ),
        pytest.param(
            rb'[{"\ud83c": 1, "\ud83d": 2}]',
            "$",
            "repeated_key",
            "stands twice",
            id="twice by halves",
        ),
        pytest.param(
            b"[" + b"{}," * 1_000_000 + b"{}]", "$", "too_large", "2,000,002 of , [ {", id="many"
        ),
        pytest.param(b"[" * 100_000, "$", "too_large", "nested too deep", id="a bomb"),
        pytest.param(b'["\xff"]', "$", "not_text", "not UTF-8 at byte 2", id="another encoding"),
        pytest.param(
            b"1" * (FORMATS["json"].max_bytes + 1), "$", "too_large", "at most", id="too many bytes"
        ),
    ],
)
def test_json_that_cannot_be_read(data, rows, reason, says):
    with pytest.raises(Unreadable) as error:
        read(data, rows)
    assert error.value.reason == reason
    assert says in error.value.found


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
        read(text.encode(), "$")
    assert error.value.reason == "repeated_key"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[{"id": "x\\": y", "v": "1"}]', id="a text that looks like a key"),
        pytest.param('[{"id" : "x", "v" : "1"}]', id="white space before colons"),
    ],
)
def test_what_only_looks_like_a_repeated_key_is_read(text):
    assert columns(read(text.encode(), "$"), "v") == [["1"]]


@pytest.mark.parametrize("depth", range(900, 1_000, 3))
def test_what_is_nested_deep_is_shown_or_refused(depth):
    data = b'[{"v": ' + b"[" * depth + b"]" * depth + b"}]"
    try:
        cells = read(data).literal("v")
    except Unreadable as error:
        assert (error.reason, error.found) == ("too_large", "nested too deep")
    else:
        assert list(cells.texts) == ["[" * depth + "]" * depth]
