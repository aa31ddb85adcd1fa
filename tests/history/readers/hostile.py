"""What do readers get that they must survive?

In: nothing; a fixed seed. Out: small valid files of every format (SEEDS), damaged copies of them
(damaged()), and read_all(), which asks a document everything. Start at read_all().
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import islice

import pyarrow as pa
import pyarrow.parquet as pq

from history.meaning.columns import Named
from history.readers import FORMATS, File, Nested, Table, Unreadable, choose, no_column, parse

# What a definition may ask for; most of it is in no file.
ROWS = ("", "$", "$.models", "$.models[*]", "$..models[?@.v > 1]", "$.d", "$.board.rows", "2")
COLUMNS = ("model", "v", "score", "a/b", "\ufffd")
INSIDE = (
    "$.p.x",
    "/p/x",
    "/p/l",
    "/p/z",
    "/model",
    "/model/x",
    "/0",
    "$..x",
    "$.l[?@.k == 'y'].v",
    "$['a/b']",
)


def read_all(format_: str, data: bytes) -> bool:
    """Ask everything of one file; whether it could be read at all.

    Raises:
        AssertionError: an answer contradicts another.
    """
    file = File(f"board.{FORMATS[format_].endings[0]}", data)
    document = _tried(file.document)
    assert _tried(file.document) is document
    if document is None:
        _tried(File("board", data).document)
        return False
    for needed in (("model", "v"), ("modell", "gone"), ("#9",)):
        _tried(choose, document, "", {name: Named(name).cells for name in needed})
    for path in ("$.label", "$..label", "$[0].v", "$.d[0].v"):
        _tried(document.find, path)
    _tried(lambda: _read(document.row()))
    for rows in ROWS:
        _tried(lambda rows=rows: _read(document.table(rows)))
    for rows, told in islice(_tried(document.tables) or (), 5):
        asked = _tried(document.table, rows)
        if asked is not None:
            assert list(asked.places) == list(told.places), rows
            assert asked.pointer == told.pointer, rows
    return True


def read_once(format_: str, data: bytes) -> bool:
    """Ask of one file what a reading asks, and what else there is to choose from."""
    try:
        document = parse(format_, data)
        document.tables()
        document.find("$.label")
        table = document.table("$.d" if format_ == "js" else "")
        table.names()
        for name in ("model", "v"):
            table.literal(name)
        table.inside("$.p.x")
    except Unreadable as error:
        assert error.reason and error.found
        return False
    return True


def _tried(ask: Callable, *arguments):
    try:
        return ask(*arguments)
    except Unreadable as error:
        assert error.reason and error.found
        str(error).encode()
        return None


def _read(table: Table) -> None:
    size = len(table.places)
    assert table.keys is None or len(table.keys) == size
    str(table.left_out).encode()
    names = table.names()[:4]
    assert no_column("\ufffd", table).reason == "no_table"
    for ask, argument in (
        *((table.literal, name) for name in (*names, *COLUMNS)),
        *((table.inside, path) for path in INSIDE),
        *((table.numbered, number) for number in (1, 2, 99)),
    ):
        cells = _tried(ask, argument)
        if cells is None:
            continue
        assert len(cells.texts) == len(cells.pointers) == size
        assert {str, Nested, type(None)} >= set(map(type, cells.texts))
        assert {str} >= set(map(type, cells.pointers))
        assert cells.lines is None or len(cells.lines) == size
        for text in set(cells.texts):
            (text or "").encode()


# --- seeds ------------------------------------------------------------------------------------

ROWS_OF_SEEDS = [
    {"model": "fern", "v": "81.20", "score": "7", "p": {"x": "1.5"}, "a/b": "yes"},
    {"model": "moss 2|x", "v": "80", "score": None, "p": {"x": "-1e-7"}, "a/b": "no"},
    {"model": "lichen \U0001f33f", "v": "NaN", "score": "9007199254740993", "p": {}, "a/b": ""},
    {"model": "oak, old", "v": "7.0", "score": "6.50%", "p": {"x": "∞"}, "a/b": "'q\"'"},
]

_JSON = [
    json.dumps(ROWS_OF_SEEDS),
    json.dumps({"label": "v2", "models": ROWS_OF_SEEDS}, indent=1, ensure_ascii=False),
    '{"models": {"fern": {"v": 81.20}, "moss": {"v": 1e5, "l": [{"k": "y", "v": 2}]}}}',
    '[["fern", 81.2], ["moss", NaN], [null, -Infinity]]',
    r'[{"v": "\ud83c", "w": "\ud83c\udf3f\n\"", "x": "\u0041\/"}]',
    '{"fern": 81, "moss": 80}',
    '{"a": 1, "a": 2}',
    '{"models": [{"v": 1}, {"v": [1, {"x": true}]}, 3, "x", null]}',
]
_JSONL = [
    "".join(json.dumps(row) + "\n" for row in ROWS_OF_SEEDS),
    '\ufeff{"v": 1}\r\n\r\n{"v": 2}\n{"v',
    '{"v": 1}\n{"v": 2, "l": [{"k": "y", "v": 3}]}\nx\n[1]\n"t"\n',
    '{"v": 1, "v": 2}\n',
    '{\n"v": 1\n}\n',
    '{"v": 1}\n<<<<<<< HEAD\n{"v": 2}\n=======\n{"v": 3}\n>>>>>>> x\n',
]
_YAML = [
    "- model: fern\n  v: 81.20\n  p: {x: 007}\n- model: moss\n  v: ~\n  p: {x: 1_000}\n",
    "label: v2\nmodels:\n  - &a {model: fern, v: 1}\n  - <<: *a\n    v: 2\n  - *a\n",
    "%YAML 1.2\n---\nmodels: # x\n  fern: {v: 'no', w: \"\\u00e9\\n\"}\n  moss: {v: .nan}\n...\n",
    "- v: |\n    a\n    b\n- v: >-\n    c\n\n    d\n- ? v\n  : !!str ~\n- {v: !!int 1, w: [a, b,]}\n",
    "- {v: 1, w: !x 2}\n- !!python/object/apply:os.system [echo]\n",
    "fern: 81\nmoss: 80\nfern: 12\n",
    "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n<<: [{d: 1}, {d: 2}]\n",
    "# nothing\n",
    "a: 1\n---\nb: 2\n",
    "a: &a [*a]\n",
    "a: *b\n",
    "'<<': 1\n",
    "<<: 1\n<<: 2\n",
    "? [a]\n: 1\n",
    "a: \x01\n",
    "- &k model\n- {*k : fern}\n",
]
_JS = [
    "const models = " + json.dumps(ROWS_OF_SEEDS) + ";\nexport default {label: 'v2'};\n",
    "window.d = [{v: 7.10, 'p': {x: .5}, 3: -1e3,}, {v: `t`, w: undefined, n: NaN},];\n",
    r"var d = JSON.parse('[{\"v\": 7.10, \"w\": \"it\'s\"}]'), e = Object.freeze([1, (2)]);",
    "let d = [/* a */ {v: 0x1F}]; d = []; (function () { const x = [...y, f(1), `${z}`]; })();\n",
    "exports['d'] = [{v: 1, v: 2}]; module.exports.models = [{s}, {[k]: 1}, {f() {}}, [1, , 2]];",
    r"const d = ['\'\n\x41\u00e9\u{1F33F}\ud83c\101\q', 'a" + "\\\n" + r"b', +Infinity, -x, !1]",
    "const d = [1], e = [2]; d = [3]; if (x) { y = d.map(m => m.v) } /re/g; // end\n",
    "const d = JSON.parse('[1'), models = JSON.parse(x), label = JSON.parse('{\"a\":1,\"a\":2}');",
]
_SCRIPTS = (
    '<script type="application/json" id="board">{"rows": [{"v": 81.20}]}</script>'
    '<script src="x.js"></script><script>const models = [{v: 7, h: "</td>"}]; if (</script>'
    '<script>window.d = [{"v": "1"}]</script><script type="application/json">{"a":</script>'
    '<script id="twice" type="application/json">{"a": 1, "a": 2}</script>'
    '<script type="text/template"><td></script><!-- <script>const no = [1]</script> -->'
)
_HTML = [
    "<table><tr><th>model<th>v</tr><tr><td>fern<td>81.20</tr><tr><td>moss<td>80</table>",
    "<h2>Main</h2><table><caption>Best</caption><thead><tr><th rowspan=2>model<th colspan=2>test"
    "<tr><th>v<th>cost</thead><tbody><tr><td colspan=3><b>Open</b><tr><td>fern<td>71.5<td>3"
    "<tr><th>model<th>v<th>cost<tr><td rowspan=0>moss<br>2<td colspan=2>74</tbody></table>"
    "<h3>Other</h3><table><tr><td>model<td>v<tr><td>a<td>1<table><tr><td>x</table></table>",
    f"<!doctype html><html><head>{_SCRIPTS}</head><body><!-- <table><tr><td>no</table> -->"
    "<table><tr><td>model<td>v<tr><td><a href=x>f&amp;n</a><td>&minus;1&nbsp;%</table></body>",
    "<thead><tr><th>model<th>v</thead><td>a<td>1<table><td>b<td>2<tr><td>c<td>3</table>",
    "<!-- nothing -->",
    "<p>no table</p>",
    "<table></table><table><tr></tr></table>",
]
_MARKDOWN = [
    "# Board\n\n| model | v |\n| --- | ---: |\n| fern | 81.20 |\n| **moss** | [80](x) |\n",
    "---\ntitle: x\n---\n## A\n\nmodel|v\n:-|-:\na \\| b|1\n`c|d`|2<br>3\n\ntext\n\n## B\n\n"
    "| model | v |\n|--|--|\n| a | 1 | 2 |\n| b |\n\n```\n| no | v |\n|--|--|\n| x | 1 |\n```\n",
    "> | model | v |\n> |--|--|\n> | a | ~~1~~ 2[^1] |\n\n- | model | v |\n  |--|--|\n  | b | 3 |\n",
    "Text\n\n" + _HTML[1] + "\n\n<!--\n| no | v |\n|--|--|\n| x | 1 |\n-->\n\n| v |\n|--|\n| 1 |\n",
    "Title\n=====\n\n| model | v |\n|:-:|:-:|\n| ![i](x.png) fern | $1$ &pm; 2 |\r\n| <b>b</b> | |\n",
    "no table\n",
]
_CSV = [
    "model,v,score\nfern,81.20,7\n\nmoss,80,\nlichen,NaN,9007199254740993\n",
    '\ufeff"model";"v"\r\n"fern, ""old""";"71,25"\r\n"a\nb";"80"\r\n',
    "sep=;\nmodel;v\nfern;1\nmoss;2\n",
    "model,v\nfern,1,\nmoss,2,\n",
    "model,v\nfern,1\nx\nmodel,v\nmoss,2\noak,3,4\n",
    "model,v,v\nfern,1,2\n",
    ",,\n1,2,3\n",
    'model,v\n"a"b,1\nc,"2\n',
    "model|v\nfern|1\n",
    "\n\nmodel\nfern\n",
    "model,v\n<<<<<<< HEAD\na,1\n=======\na,2\n>>>>>>> x\n",
]


_POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n"


def _encoded(texts: list[str]) -> list[bytes]:
    return [text.encode() for text in (*texts, _POINTER)]


def _parquet(table: pa.Table, **options) -> bytes:
    out = pa.BufferOutputStream()
    pq.write_table(table, out, **options)
    return out.getvalue().to_pybytes()


@lru_cache(maxsize=1)
def seeds() -> dict[str, list[bytes]]:
    """Small files of every format; most are valid."""
    texts = pa.table({"model": ["fern", "moss", None], "v": [81.2, float("nan"), None]})
    kinds = pa.table(
        {
            "model": pa.array(["a", "b", "a"]).dictionary_encode(),
            "v": pa.array([1.1, -0.0, None], pa.float32()),
            "score": pa.array([2**53 + 1, None, -1], pa.int64()),
            "d": pa.array([Decimal("7.10"), None, Decimal("0.05")], pa.decimal128(6, 2)),
            "t": pa.array([date(2026, 1, 1), None, None], pa.date32()),
            "b": pa.array([True, None, False]),
            "p": pa.array([{"x": 1, "l": [1]}, None, {"x": 2, "l": []}]),
            "l": pa.array([[1], None, []], pa.list_(pa.int8())),
            "n": pa.nulls(3),
            "u": pa.array([b"\0" * 16, None, b"\1" * 16], pa.uuid()),
            "when": pa.array([0, None, 1], pa.timestamp("ms", tz="UTC")),
            "raw": pa.array([b"a", None, b"\xff"], pa.binary()),
            "a/b": pa.array([0.5, None, 1.5], pa.float16()),
        }
    )
    return {
        "json": [*_encoded(_JSON), rb'{"\u0076": {"v": "}"}, "v": 2}}', b'[{"v": 1,\n"v": 2}]'],
        "jsonl": _encoded(_JSONL),
        "yaml": _encoded(_YAML),
        "js": _encoded(_JS),
        "html": [*_encoded(_HTML), _HTML[0].encode("utf-16")],
        "markdown": _encoded(_MARKDOWN),
        "csv": [*_encoded(_CSV), _CSV[0].encode("utf-16"), "model,v\nfougère,1\n".encode("cp1252")],
        "tsv": _encoded([text.replace(",", "\t") for text in _CSV]),
        "parquet": [
            _parquet(texts),
            _parquet(texts, compression="zstd", use_dictionary=False, row_group_size=1),
            _parquet(kinds, compression="gzip"),
            _parquet(
                pa.table({"v": ["1"]}).rename_columns(["model"]).append_column("model", [["2"]])
            ),
        ],
    }


# --- damage ------------------------------------------------------------------------------------

_MARKS = {
    "json": [b'{"', b'":', b"[", b"]", b"}", b",", b"null", b"1e999", rb"\ud800", b'"v": 1, '],
    "jsonl": [b"\n", b"\r", b"{", b"}", b'{"v": 1}\n', b"\n\n", b'"', b"NaN"],
    "yaml": [
        b"- ",
        b": ",
        b"&a ",
        b"*a",
        b"<<: ",
        b"\n  ",
        b"|\n",
        b"!!x ",
        b"!!str ",
        b"? ",
        b"---\n",
        b"~",
    ],
    "js": [
        b"{",
        b"}",
        b"[",
        b"]",
        b"`",
        b"${",
        b"//",
        b"/*",
        b"d = ",
        b"...",
        b"JSON.parse(",
        b"'",
    ],
    "html": [
        b"<table>",
        b"</table>",
        b"<tr>",
        b"<td colspan=9>",
        b"<th rowspan=0>",
        b"<!--",
        b"-->",
    ]
    + [b"<script>", b"</script>", b"&nbsp;", b"<br>", b"<thead>"],
    "markdown": [b"|", b"\n", b"|--|--|\n", b"`", b"**", b"<!--", b"-->", b"# ", b"\\|", b"```\n"],
    "csv": [b",", b";", b'"', b"\n", b"\r\n", b"\t", b'""', b"|", b"sep=;\n"],
    "tsv": [b"\t", b'"', b"\n", b"\r\n", b",", b"\0"],
    "parquet": [b"PAR1", b"\x15\x04", b"\x00\x00\x00\x00", b"\x19\x1c", b"\xff\xff\xff\x7f"],
}
_ALL_MARKS = [b"\0", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", "\U0001f33f".encode(), b"\x1b[0m"]
_ALL_MARKS += [b"9" * 30, b"-0", b"<<<<<<< HEAD\n", b"\xc2\xa0", b"\xe2\x80\x8b", b"%", b"\xff\xfe"]


def damaged(format_: str, chance: random.Random) -> bytes:
    """A seed that some steps have damaged."""
    known = seeds()[format_]
    data = bytearray(chance.choice(known))
    marks = _MARKS[format_]
    for _ in range(int(chance.expovariate(1)) + 1):
        size = len(data)
        place = int(chance.random() * (size + 1))
        step = chance.random()
        if step < 0.3:
            data[place:place] = chance.choice(marks if chance.random() < 0.7 else _ALL_MARKS)
        elif step < 0.45 and size:
            data[place % size] = chance.getrandbits(8)
        elif step < 0.6:
            del data[place : place + int(chance.expovariate(0.1)) + 1]
        elif step < 0.7:
            data[place:place] = data[place : place + 20] * chance.choice((1, 2, 9))
        elif step < 0.8:
            other = chance.choice(known)
            start = int(chance.random() * len(other))
            data[place:] = other[start:]
        elif step < 0.9:
            start = int(chance.random() * (size + 1))
            data[place : place + 9] = data[start : start + 9]
        elif step < 0.95:
            data = data[:place]
        else:
            data[place:place] = chance.randbytes(4)
    return bytes(data[:20_000])
