from __future__ import annotations

import pytest

from history.readers import Unreadable, parse
from history.readers.js_reader import parse_html


@pytest.mark.parametrize(
    ("written", "value"),
    [
        pytest.param(written, value, id=written)
        for written, value in {
            'const d = [{"v": 7.10}];': [{"v": "7.10"}],
            "let d = [{v: 7.10, 'a b': .5, 3: -1e3,},];": [{"v": "7.10", "a b": ".5", "3": "-1e3"}],
            "var a = 1, d = [1]": ["1"],
            "export const d = [0x1F, 1_000, 9n, +7]": ["0x1F", "1_000", "9n", "+7"],
            "d = [true, false, null, undefined, NaN, -Infinity]": [
                True, False, None, None, "NaN", "-Infinity"
            ],
            "window.d = {a: {b: `c`}};": {"a": {"b": "c"}},
            "globalThis['d'] = ([/* none */]);": [],
            "module.exports.d = Object.freeze([1]);": ["1"],
            "const d = JSON.parse(`[7.10]`)": ["7.10"],
            r"""const d = ['\'\n\x41\u00e9\u{1F33F}\ud83c\udf3f\101\q', "\ud83c"]""": [
                "'\nAé\U0001f33f\U0001f33fAq", "\ufffd"
            ],
            "const d = 'a\\\nb';": "ab",
            "(function () { const d = [{v: 1}]; })();": [{"v": "1"}],
            "let d = []; d = [1];": ["1"],
            "const x = {init() { var d = [1]; }};": ["1"],
            "// const d = [2]\nconst d = [1]; /* d = [3] */": ["1"],
        }.items()
    ],
)  # fmt: skip
def test_what_stands_under_a_name(written, value):
    assert parse("js", written.encode()).value["d"] == value


def test_a_text_of_json():
    document = parse("js", rb"""const d = JSON.parse('[{"v": 7.10, "w": "it\'s \"x\""}]')""")
    with pytest.raises(Unreadable, match="of no JSON, Expecting"):
        document.table("$.d")
    document = parse("js", rb"""const d = JSON.parse('[{"v": 7.10, "w": "it\'s \\"x\\""}]')""")
    assert document.value == {"d": [{"v": "7.10", "w": 'it\'s "x"'}]}


@pytest.mark.parametrize(
    ("data", "name"),
    [
        pytest.param(b"export default [{v: 1}]", "default", id="the default"),
        pytest.param(b"module.exports = [{v: 1}];", "exports", id="a module"),
        pytest.param(b"\xef\xbb\xbfvar x = [{v: 1}];", "x", id="a byte order mark"),
    ],
)
def test_rows_and_their_pointers(data, name):
    document = parse("js", data)
    for rows in ("", f"$.{name}"):
        cells = document.table(rows).literal("v")
        assert (list(cells.texts), list(cells.pointers)) == (["1"], [f"/{name}/0/v"])
    assert [rows for rows, _ in document.tables()] == [f"$.{name}"]


@pytest.mark.parametrize(
    ("written", "reason", "says"),
    [
        pytest.param("[{v: f(1)}]", "no_table", "line 1: 'f(1)' is not written out", id="a call"),
        pytest.param("[...x]", "no_table", "'...x' is not written out", id="a spread"),
        pytest.param("[{v}]", "no_table", "'v' is not written out", id="a name"),
        pytest.param("[{[v]: 1}]", "no_table", "'[v]' is not written out", id="a computed key"),
        pytest.param("[`a${b}`]", "no_table", "'${b}' is not written out", id="a template"),
        pytest.param("[1, , 2]", "no_table", "'[1, , 2]' is not written out", id="a hole"),
        pytest.param("[1 + 1]", "no_table", "'1 + 1' is not written out", id="a sum"),
        pytest.param("[-x, ~1]", "no_table", "'-x' is not written out", id="the opposite of"),
        pytest.param("{f() {}}", "no_table", "'f() {}' is not written out", id="a method"),
        pytest.param("{v: 1, 'v': 2}", "repeated_key", "'v' stands twice in one object, with 1 and"
                     " 2", id="a key twice"),
        pytest.param('{"v": 1, "v": 2}', "repeated_key", "line 1: key 'v'", id="twice in JSON"),
        pytest.param("JSON.parse('{\"v\": 1, \"v\": 2}')", "repeated_key", "'v'", id="in a text"),
        pytest.param("JSON.parse('[1')", "no_table", "JSON.parse of no JSON, Expecting", id="cut"),
        pytest.param("JSON.parse(x)", "no_table", "'JSON.parse(x)' is not", id="of a name"),
        pytest.param("[1]; d = [2]", "repeated_key", "'d' is given several values, at line 1 and"
                     " line 1", id="a name twice"),
        pytest.param("fetch('x')", "no_table", "$.d finds nothing", id="what is fetched"),
        pytest.param("1; var d = 2", "no_table", "$.d finds nothing", id="numbers twice"),
    ],
)  # fmt: skip
def test_names_that_hold_no_literal(written, reason, says):
    document = parse("js", f"var d = {written}; const other = 7;".encode())
    assert document.find("$.other") == "7"
    assert document.find("$.d") is None
    with pytest.raises(Unreadable) as error:
        document.table("$.d")
    assert error.value.reason == reason
    assert says in error.value.found


@pytest.mark.parametrize(
    ("written", "reason", "found"),
    [
        pytest.param(
            "const n = 7;\nconst d = [{v: 1, v: 2}];",
            "repeated_key",
            "line 2: key 'v' stands twice in one object, with 1 and 2",
            id="the only data has a key twice",
        ),
        pytest.param(
            "let d = [{v: 1}];\nd = [{v: 2}];",
            "repeated_key",
            "'d' is given several values, at line 1 and line 2",
            id="the only data is given twice",
        ),
        pytest.param(
            "const d = [f()];",
            "no_table",
            "no rows are named; it holds no list; d: line 1: 'f()' is not written out",
            id="the only data is computed",
        ),
    ],
)
def test_why_there_are_no_rows(written, reason, found):
    with pytest.raises(Unreadable) as error:
        parse("js", written.encode()).table()
    assert (error.value.reason, error.value.found) == (reason, found)


def test_one_of_several_must_be_named():
    document = parse("js", b"const a = [{v: 1}], b = [{v: 2}], c = [f()];")
    assert [rows for rows, _ in document.tables()] == ["$.a", "$.b"]
    with pytest.raises(Unreadable) as error:
        document.table()
    assert error.value.found == (
        "no rows are named; lists of objects in the file: $.a (1 row), "
        "$.b (1 row); c: line 1: 'f()' is not written out"
    )


@pytest.mark.parametrize(
    ("data", "reason", "says"),
    [
        pytest.param(b"const a = 1;\nconst d = [{v: 1}, {v", "invalid_js", "line 2", id="cut off"),
        pytest.param(b"<html><body>", "invalid_js", "'<html><body>'", id="a page in its place"),
        pytest.param(b"a = [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> x\n]", "conflict_markers",
                     "line 2", id="a conflict"),
        pytest.param(b"a = \0", "not_text", "0", id="no text"),
        pytest.param(b"a=" + b"[" * 200 + b"x" + b"]" * 200, "too_large", "too deep", id="a bomb"),
        pytest.param(b"a=" + b"[" * 5000 + b"]" * 5000, "too_large", "too deep", id="of JSON"),
        pytest.param(b"a=[" + b"1" * 2_200_000, "too_large", "at most", id="many bytes"),
        pytest.param(b"{a:" * 300_000, "too_large", "300,000 brackets are open", id="open blocks"),
        pytest.param(b"{a:/*}*/" * 150_000, "invalid_js", "line 1", id="closed in comments only"),
    ],
)  # fmt: skip
def test_scripts_that_cannot_be_read(data, reason, says):
    with pytest.raises(Unreadable) as error:
        parse("js", data)
    assert error.value.reason == reason
    assert says in error.value.found


def test_a_million_values_are_too_many_or_take_too_long():
    """Which comes first depends on the machine."""
    with pytest.raises(Unreadable) as error:
        parse("js", b"a=[" + b"1," * 1_000_002 + b"]")
    assert error.value.reason in ("too_large", "too_slow")


PAGE = b"""<!doctype html><html><head><title>x</title>
<script src="https://example.org/x.js">const no = [1]</script>
<script id="__NEXT_DATA__" type="application/json">{"props": {"rows": [{"v": 81.20}]}}</script>
<script type="application/ld+json">{"a": "b"}</script>
<!-- <script>const hidden = [{v: 1}]</script> -->
<script>const models = [{v: 7, html: "</td><b>&amp;"}];</script>
<script type="module">window.other = 1</script>
<script type="text/template"><p>const t = [1]</p></script>
<script type="application/json" id="cut">{"a": </script>
<script type="application/json" id="twice">{"a": 1, "a": 2}</script>
<script>if (</script></head><body><p>const text = [1]</body></html>"""


def test_scripts_of_a_page():
    document = parse_html(PAGE)
    assert document.value == {
        "__NEXT_DATA__": {"props": {"rows": [{"v": "81.20"}]}},
        "#3": {"a": "b"},
        "models": [{"v": "7", "html": "</td><b>&amp;"}],
        "other": "1",
    }
    cells = document.table("$.__NEXT_DATA__.props.rows").literal("v")
    assert list(cells.pointers) == ["/__NEXT_DATA__/props/rows/0/v"]


@pytest.mark.parametrize(
    ("rows", "reason", "says"),
    [
        pytest.param("$.cut", "invalid_json", "script #7: line 1, column 7: Expecting", id="cut"),
        pytest.param(
            "$.twice", "repeated_key", "script #8: key 'a' stands twice", id="a key twice"
        ),
        pytest.param(
            "$.no", "no_table", "script #9, line 1, column 1: no JavaScript", id="damaged"
        ),
    ],
)
def test_scripts_of_a_page_that_hold_no_rows(rows, reason, says):
    with pytest.raises(Unreadable) as error:
        parse_html(PAGE).table(rows)
    assert error.value.reason == reason
    assert says in error.value.found


def test_a_page_of_too_many_scripts():
    with pytest.raises(Unreadable, match="letters of scripts in the page"):
        parse_html(b"<script>/*" + b"x" * 2_200_000 + b"*/</script>")


def test_a_page_of_nothing_but_comments_has_no_scripts():
    assert parse_html(b"<!-- x -->").value == {}
