"""Which files are much more than they seem?

In: nothing. Out: BOMBS: by format, what each does -> its bytes, within the format's size limit.
Each must be read or refused within 5 seconds and 1 GB.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq

from history.readers import FORMATS
from history.readers.limits import MAX_ROWS, MAX_VALUES

CHANCE = 20261130


def _full(format_: str, piece: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    """As many pieces as the format's limit lets in."""
    room = FORMATS[format_].max_bytes - len(before) - len(after)
    return before + piece * (room // len(piece)) + after


def _noise(format_: str, letters: bytes) -> bytes:
    return bytes(random.Random(CHANCE).choices(letters, k=FORMATS[format_].max_bytes))


def _laughs() -> bytes:
    lines = [b"a: &a [x,x,x,x,x,x,x,x,x]"]
    for name in b"bcdefghijkl":
        again = b",".join([b"*%c" % (name - 1)] * 9)
        lines.append(b"%c: &%c [%s]" % (name, name, again))
    return b"\n".join(lines)


def _merges() -> bytes:
    lines = [b"a0: &a0 {k: 1}"]
    lines += [b"a%d: &a%d {<<: *a%d, k%d: 1}" % (n, n, n - 1, n) for n in range(1, 150_000)]
    return b"\n".join(lines)


def _names(format_: str, piece: str) -> bytes:
    """Pieces with a number each."""
    count = FORMATS[format_].max_bytes // (len(piece) + 6)
    return "".join(piece % number for number in range(count)).encode()[: FORMATS[format_].max_bytes]


def _again(text: str, count: int) -> pa.Table:
    """A column that holds one text often, and the file holds it once."""
    places = pa.array([0] * count, pa.int32())
    return pa.table({"v": pa.DictionaryArray.from_arrays(places, [text])})


def _parquet(table: pa.Table, **options) -> bytes:
    out = pa.BufferOutputStream()
    pq.write_table(table, out, **options)
    return out.getvalue().to_pybytes()


BOMBS: dict[str, dict[str, Callable[[], bytes]]] = {
    "json": {
        "lists": lambda: b"[" + b"[]," * (MAX_VALUES // 2 - 2) + b"[]]",
        "objects": lambda: b"[" + b'{"":{}},' * (MAX_VALUES // 3 - 2) + b"{}]",
        "numbers": lambda: b"[" + b"12," * (MAX_VALUES - 2) + b"1]",
        "too many lists": lambda: _full("json", b"[],", b"[", b"1]"),
        "names": lambda: b"{" + _names("json", '"k%d":[{}],')[:7_000_000] + b'"":1}',
        "rows": lambda: b"[" + b'{"v":1,"p":{"x":1}},' * (MAX_ROWS - 1) + b"{}]",
        "a long text": lambda: _full("json", b"a", '["\U0001f33f'.encode(), b'"]'),
        "halves of letters": lambda: _full("json", rb"\ud800", b'["', b'"]'),
        "a long number": lambda: _full("json", b"1"),
        "depth": lambda: b"[" * 900 + b"]" * 900,
        "too much depth": lambda: _full("json", b"["),
        "a key twice": lambda: _full("json", b"a", b'{"v":1,"v":"', b'"}'),
        "white space": lambda: _full("json", b" ", b"[", b"]"),
    },
    "jsonl": {
        "rows": lambda: b'{"v":1,"p":{"x":1}}\n' * MAX_ROWS,
        "lists": lambda: b"[" + b"[]," * (MAX_VALUES // 2 - 9) + b"[]]\n{}",
        "blank lines": lambda: b"\n" * (MAX_VALUES - 2) + b"{}",
        "too many lines": lambda: _full("jsonl", b"1\n"),
        "damaged lines": lambda: b"{}\n" * (MAX_ROWS // 2) + b'{"\n' * (MAX_ROWS // 2),
        "a long text": lambda: _full("jsonl", b"a", b'"', b'"'),
    },
    "yaml": {
        "laughs": _laughs,
        "merges": _merges,
        "values": lambda: _full("yaml", b"- a\n"),
        "flow": lambda: _full("yaml", b"a,", b"[", b"]"),
        "objects": lambda: _full("yaml", b"{},", b"[", b"]"),
        "rows": lambda: b"- {v: 1, p: {x: 1}}\n" * MAX_ROWS,
        "names": lambda: _names("yaml", "k%d:\n"),
        "anchors": lambda: _names("yaml", "- &a%d x\n"),
        "tags": lambda: _names("yaml", "%%TAG !a%d! b\n") + b"--- a",
        "depth": lambda: _full("yaml", b"["),
        "steps": lambda: b"\n".join(b" " * n + b"a:" for n in range(4_000)),
        "a long text": lambda: _full("yaml", rb"\n", b'"', b'"'),
        "lines of a text": lambda: _full("yaml", b" a\n\n", b"a: >\n"),
        "comments": lambda: _full("yaml", b"#\n", b"a:\n"),
        "questions": lambda: _full("yaml", b"? "),
        "a text again": lambda: b"a: &a " + b"x" * 4_000_000 + b"\nb: [" + b"*a," * 900_000 + b"]",
    },
    "js": {
        "numbers": lambda: _full("js", b"1,", b"d=[", b"];"),
        "names": lambda: _full("js", b"a,", b"d=[", b"];"),
        "objects": lambda: _full("js", b"{a:1},", b"d=[", b"];"),
        "gifts": lambda: _full("js", b"a=1;"),
        "gifts in gifts": lambda: _full("js", b"a=", b"", b"1"),
        "lists in gifts": lambda: b"a=[" * 500_000 + b"]" * 500_000,
        "depth": lambda: b"d=" + b"[" * 1_000_000 + b"]" * 1_000_000,
        "open lists": lambda: _full("js", b"["),
        "open templates": lambda: _full("js", b"`${"),
        "functions": lambda: _full("js", b"a=>"),
        "tags": lambda: _full("js", b"<a>"),
        "noise": lambda: _noise("js", b'{}[]()=;,:abc"1 \n'),
        "more noise": lambda: _noise("js", bytes(range(32, 127))),
        "escapes": lambda: _full("js", rb"\x41", b"d='", b"'"),
        "JSON": lambda: _full("js", b"[],", b"d=[", b"1]"),
        "calls": lambda: _full("js", b"()", b"d=a"),
    },
    "csv": {
        "rows": lambda: b"model,v\n" + b"fern,1\n" * MAX_ROWS,
        "too many rows": lambda: _full("csv", b"1\n", b"v\n"),
        "blank cells": lambda: _full("csv", b","),
        "blank lines": lambda: _full("csv", b"\n", b"v\n1\n", b"2\n"),
        "columns": lambda: b",".join(b"c%d" % n for n in range(5_000)) + b"\n" + b"1," * 4_999,
        "quotes": lambda: _full("csv", b'"', b"v\n"),
        "long cells": lambda: _full("csv", b"x" * 130_000 + b"\n", b"v\n"),
        "marks": lambda: _full("csv", b",;|\t", b"", b"\n1\n"),
        "misfits": lambda: b"a,b\n" + b"1\n" * 100_000 + b"1,2\n" * 99_999,
    },
    "tsv": {
        "rows": lambda: b"model\tv\n" + b"fern\t1\n" * MAX_ROWS,
        "tabs": lambda: _full("tsv", b"\t"),
    },
    "html": {
        "spans": lambda: b"<table><tr><td>v" + b"<tr><td colspan=1000 rowspan=65534>1" * 100_000,
        "rows": lambda: _full("html", b"<tr><td>1", b"<table><tr><td>v"),
        "tables": lambda: _full("html", b"<table><tr><td>"),
        "many tables": lambda: _full("html", b"<table><tr><td>v</table>"),
        "depth": lambda: _full("html", b"<b>"),
        "headings": lambda: _full("html", b"<h1>x</h1><table>"),
        "attributes": lambda: _names("html", " a%d=1").join((b"<table", b"><tr><td>v</table>")),
        "entities": lambda: _full("html", b"&amp;", b"<table><tr><td>v<tr><td>"),
        "comments": lambda: _full("html", b"<!-- --"),
        "lines": lambda: _full("html", b"\n", b"<table><tr><td>v", b"<tr><td>1</table>"),
        "scripts": lambda: b"<script>d=[1]</script>" * 80_000,
        "a script": lambda: b"<script>" + b"a=1;" * 500_000 + b"</script>",
        "open tags": lambda: _full("html", b"<"),
        "breaks": lambda: _full("html", b"<br>", b"<table><tr><td>v<tr><td>"),
    },
    "markdown": {
        "rows": lambda: b"|v|w|\n|--|--|\n" + b"|1|2|\n" * MAX_ROWS,
        "tables": lambda: _full("markdown", b"|v|\n|--|\n|1|\n\n"),
        "pipes": lambda: _full("markdown", b"|"),
        "columns": lambda: b"|v" * 4_999 + b"|\n" + b"|--" * 4_999 + b"|\n" + b"|1\n" * 100_000,
        "stars": lambda: _full("markdown", b"*a ", b"|v|\n|--|\n|"),
        "brackets": lambda: _full("markdown", b"[", b"|v|\n|--|\n|"),
        "pictures": lambda: _full("markdown", b"![a](", b"|v|\n|--|\n|"),
        "ticks": lambda: _names("markdown", "`%d").join((b"|v|\n|--|\n|", b"|")),
        "quotes": lambda: _full("markdown", b"> "),
        "quoted lines": lambda: b">" * 100 + (b"\n" + b">" * 100 + b" a") * 20_000,
        "lists": lambda: b"\n".join(b"  " * n + b"- a" for n in range(1_900)),
        "items": lambda: _full("markdown", b"- a\n"),
        "references": lambda: _names("markdown", "[a%d]: b\n"),
        "comments": lambda: _full("markdown", b"<!--"),
        "pages": lambda: _full("markdown", b"<table>\n\n"),
        "front matter": lambda: _full("markdown", b"a\n", b"---\n"),
        "entities": lambda: _full("markdown", b"&amp;"),
        "links": lambda: _full("markdown", b"<a@b.c>", b"|v|\n|--|\n|"),
        "lines": lambda: _full("markdown", b"a\n"),
    },
    "parquet": {
        "one text": lambda: _parquet(pa.table({"v": ["x" * 150_000_000]})),
        "a text again": lambda: _parquet(_again("x" * 100_000, MAX_ROWS)),
        "rows": lambda: _parquet(pa.table({"v": pa.nulls(MAX_ROWS), "w": range(MAX_ROWS)})),
        "too many rows": lambda: _parquet(pa.table({"v": pa.nulls(50_000_000, pa.int64())})),
        "columns": lambda: _parquet(pa.table({f"c{n}": [n] for n in range(6_000)})),
        "groups": lambda: _parquet(pa.table({"v": range(5_000)}), row_group_size=1),
        "small numbers": lambda: _parquet(pa.table({"v": [5e-324] * MAX_ROWS})),
        "lists": lambda: _parquet(pa.table({"v": [1], "l": [[0] * 20_000_000]})),
        "packed": lambda: _parquet(pa.table({"v": ["\0" * 1000] * MAX_ROWS}), compression="zstd"),
    },
}
