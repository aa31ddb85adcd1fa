"""What does reading one file cost, against the library alone?

In: rows of a board. Out: by format, our time over that of the library call which keeps the
printed texts and refuses repeated keys, on the same bytes. Start at ratios().
"""

from __future__ import annotations

import csv
import gc
import io
import json
import time
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa
import pyarrow.parquet as pq
import tree_sitter
import tree_sitter_javascript
import yaml
from lxml import etree
from markdown_it import MarkdownIt

from history.readers import parse
from history.readers.tree import without_repeats

ENTRY, SCORE = "engine", "v"
COLUMNS = ("engine", "name", "pub", "same_skills", "new_domains", "v")
ROUNDS = 12
_ROWS = {"json": "$.models", "js": "$.models", "yaml": "$.models"}


def ratios(rows: Sequence[Mapping[str, object]]) -> dict[str, float]:
    """Our time over the library's, by format; the best of several rounds of each, in turn.

    Args:
        rows: the board's rows, each with the COLUMNS and more.
    """
    gc.collect()
    gc.disable()  # as while a history is read
    try:
        return {name: _ratio(name, data, LIBRARY[name]) for name, data in files(rows).items()}
    finally:
        gc.enable()


def _ratio(format_: str, data: bytes, library: Callable[[bytes], object]) -> float:
    ours, theirs = [], []
    rows = _ROWS.get(format_, "")

    def read() -> None:
        table = parse(format_, data).table(rows)
        assert table.literal(ENTRY) and table.literal(SCORE)

    for _ in range(ROUNDS):
        for call, times in ((read, ours), (lambda: library(data), theirs)):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
    return min(ours) / min(theirs)


# --- one board in every format -----------------------------------------------------------------


def files(rows: Sequence[Mapping[str, object]]) -> dict[str, bytes]:
    """The bytes of a board in each format."""
    cells = [[str(row.get(name, "")) for name in COLUMNS] for row in rows]
    flat = [dict(zip(COLUMNS, row, strict=True)) for row in cells]
    document = {"label": "v1", "models": [dict(row) for row in rows]}
    out = pa.BufferOutputStream()
    typed = {name: [row.get(name) for row in rows] for name in COLUMNS}
    pq.write_table(pa.table(typed), out)
    return {
        "json": json.dumps(document, indent=1).encode(),
        "jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode(),
        "yaml": yaml.safe_dump(document, sort_keys=False).encode(),
        "js": f"const models = {json.dumps(document['models'], indent=1)};\n".encode(),
        "csv": _separated(flat, ","),
        "tsv": _separated(flat, "\t"),
        "markdown": _markdown(cells),
        "html": _html(cells),
        "parquet": out.getvalue().to_pybytes(),
    }


def _separated(rows: Sequence[Mapping[str, str]], delimiter: str) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def _markdown(cells: Sequence[Sequence[str]]) -> bytes:
    lines = [COLUMNS, ["---"] * len(COLUMNS), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines).encode()


def _html(cells: Sequence[Sequence[str]]) -> bytes:
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>\n" for row in cells)
    page = f"<html><body><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    return page.encode()


# --- the library alone -------------------------------------------------------------------------


class _TextLoader(yaml.CBaseLoader):
    """Keeps texts, and refuses repeated keys."""

    def construct_mapping(self, node, deep=False):
        pairs = [
            (self.construct_object(k, deep), self.construct_object(v, deep)) for k, v in node.value
        ]
        return without_repeats(pairs)


_TextLoader.add_constructor(
    "tag:yaml.org,2002:map", lambda loader, node: loader.construct_mapping(node, deep=True)
)


def _json(data: bytes) -> object:
    return json.loads(
        data, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=without_repeats
    )


def _jsonl(data: bytes) -> object:
    decoder = json.JSONDecoder(
        parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=without_repeats
    )
    return [decoder.decode(line) for line in data.decode().splitlines()]


def _js(data: bytes) -> object:
    language = tree_sitter.Language(tree_sitter_javascript.language())
    tree = tree_sitter.Parser(language).parse(data)
    value = tree.root_node.children[0].children[1].child_by_field_name("value")
    return _json(data[value.start_byte : value.end_byte])


def _rows(data: bytes, delimiter: str = ",") -> object:
    header, *rows = csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter)
    assert all(len(row) == len(header) for row in rows)
    return rows


def _html_cells(data: bytes) -> object:
    """The elements, and the texts of their cells: elements alone are no text in Python yet."""
    root = etree.fromstring(data, etree.HTMLParser(encoding="utf-8"))
    return [["".join(c.itertext()) for c in row.iter("td", "th")] for row in root.iter("tr")]


def _parquet(data: bytes) -> object:
    table = pq.read_table(pa.BufferReader(data))
    return [column.cast(pa.string()).to_pylist() for column in table.columns]


LIBRARY: dict[str, Callable[[bytes], object]] = {
    "json": _json,
    "jsonl": _jsonl,
    "yaml": lambda data: yaml.load(data, Loader=_TextLoader),
    "js": _js,
    "csv": _rows,
    "tsv": lambda data: _rows(data, "\t"),
    "markdown": lambda data: MarkdownIt("commonmark").enable("table").parse(data.decode()),
    "html": _html_cells,
    "parquet": _parquet,
}
