from __future__ import annotations

import csv
import html
import io
import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from history.readers import FORMATS, parse
from tests.history.readers.hostile import damaged, read_all, seeds

quick = settings(
    max_examples=40,
    deadline=5_000,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("format_", sorted(FORMATS))
def test_seeds_are_answered(format_):
    for data in seeds()[format_]:
        read_all(format_, data)


@pytest.mark.parametrize("format_", sorted(FORMATS))
@quick
@given(st.binary(max_size=300))
def test_any_bytes(format_, data):
    read_all(format_, data)


@pytest.mark.parametrize("format_", sorted(FORMATS))
@quick
@given(st.integers(0, 2**32))
def test_damaged_files(format_, number):
    read_all(format_, damaged(format_, random.Random(number)))


# --- valid files of hostile content ------------------------------------------------------------

# Every letter that a file can hold; those that end a line or are not text are left to each format.
LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co", "Zl", "Zp"])
NAMES = st.text(LETTERS, min_size=1, max_size=12).map(str.strip).filter(bool)
HOSTILE = st.sampled_from(
    [
        "|",
        "a|b",
        "\\|",
        '"',
        "'",
        ",",
        ";",
        "<td>",
        "&amp;",
        "<!--",
        "-->",
        "${x}",
        "`",
        "*a*",
        "_b_",
    ]
    + ["no", "~", "null", "007", "1e3", "2024-05-01", "<<", "- a", "a: b", "# a", "[x](y)", "NaN"]
    + [
        "=1+1",
        "@SUM(A1)",
        "</script>",
        "\\",
        "\\n",
        "\U0001f33f",
        "e\u0301",
        "---",
        "%",
        "!x",
        "&a",
    ]
)
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=2).map(str) | st.sampled_from(
    ["9007199254740993", "1E+5", "-0.00", "7.10", "0", "1e-7", "100.0%", "71.2 ± 0.8"]
)
TABLES = st.lists(st.tuples(NAMES | HOSTILE, NUMBERS), min_size=1, max_size=6)


def as_csv(rows, delimiter=","):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows([("model", "v"), *rows])
    return out.getvalue()


def as_objects(rows):
    return [{"model": name, "v": number} for name, number in rows]


def as_markdown(rows):
    marks = "\\`*_{}[]<>()#+-.!|~&$@:^=\"'/%"
    lines = ["| model | v |", "| --- | --- |"]
    for cells in rows:
        escaped = ["".join("\\" + c if c in marks else c for c in cell) for cell in cells]
        lines.append(f"| {' | '.join(escaped)} |")
    return "\n".join(lines) + "\n"


def as_html(rows):
    cells = [[html.escape(cell) for cell in row] for row in rows]
    lines = "".join(f"<tr><td>{name}</td><td>{number}</td></tr>" for name, number in cells)
    return f"<table><tr><th>model</th><th>v</th></tr>{lines}</table>"


def as_parquet(rows):
    out = pa.BufferOutputStream()
    names, numbers = zip(*rows, strict=True)
    pq.write_table(pa.table({"model": list(names), "v": list(numbers)}), out)
    return out.getvalue().to_pybytes()


WRITERS = {
    "json": lambda rows: json.dumps(as_objects(rows)),
    "jsonl": lambda rows: "\n".join(json.dumps(o, ensure_ascii=False) for o in as_objects(rows)),
    "yaml": lambda rows: yaml.safe_dump(as_objects(rows), allow_unicode=True),
    "js": lambda rows: f"const d = {json.dumps(as_objects(rows), ensure_ascii=False)};",
    "csv": as_csv,
    "tsv": lambda rows: as_csv(rows, "\t"),
    "markdown": as_markdown,
    "html": as_html,
    "parquet": as_parquet,
}


def as_shown(text):
    """What stays of a text on a page: white space is one space."""
    return " ".join(text.split())


@pytest.mark.parametrize("format_", sorted(FORMATS))
@quick
@given(TABLES)
def test_cells_come_back_as_printed(format_, rows):
    written = WRITERS[format_](rows)
    table = parse(format_, written if isinstance(written, bytes) else written.encode()).table()
    shown = as_shown if format_ in ("markdown", "html") else str
    back = [table.literal(name).texts for name in ("model", "v")]
    assert [list(map(shown, texts)) for texts in back] == [
        list(map(shown, texts)) for texts in zip(*rows, strict=True)
    ]
    assert table.left_out == []
    read_all(format_, written if isinstance(written, bytes) else written.encode())
