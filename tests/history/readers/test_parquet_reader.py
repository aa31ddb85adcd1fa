from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from history.readers import Unreadable, parquet_reader, parse


def written(table, **options):
    file = pa.BufferOutputStream()
    pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), file, **options)
    return file.getvalue().to_pybytes()


def read(table, rows="", **options):
    return parse("parquet", written(table, **options)).table(rows)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        pytest.param(pa.array(["fern", None, ""]), ["fern", None, ""], id="texts"),
        pytest.param(pa.array(["a"], pa.large_string()), ["a"], id="large texts"),
        pytest.param(pa.array([b"fern"]), ["fern"], id="bytes that are text"),
        pytest.param(
            pa.array(["b", "a", "b", None]).dictionary_encode(),
            ["b", "a", "b", None],
            id="a dictionary",
        ),
        pytest.param(pa.array([71, None, -3]), ["71", None, "-3"], id="whole numbers"),
        pytest.param(pa.array([2**64 - 1], pa.uint64()), [str(2**64 - 1)], id="huge ones"),
        pytest.param(
            pa.array([81.2, 0.1 + 0.2, 81.0, 1e20, 1e-7, None]),
            ["81.2", "0.30000000000000004", "81.0", "1e+20", "1e-07", None],
            id="floats by their shortest text",
        ),
        pytest.param(
            pa.array([float("nan"), float("inf"), -float("inf")]), ["nan", "inf", "-inf"], id="odd"
        ),
        pytest.param(pa.array([81.2, 0.1], pa.float32()), ["81.2", "0.1"], id="short floats"),
        pytest.param(pa.array(np.array([0.1], np.float16)), ["0.1"], id="shorter floats"),
        pytest.param(
            pa.array([Decimal("1.20"), Decimal("0.00")], pa.decimal128(9, 2)),
            ["1.20", "0.00"],
            id="decimals",
        ),
        pytest.param(
            pa.array([Decimal("0E-8")], pa.decimal128(20, 8)), ["0.00000000"], id="a decimal zero"
        ),
        pytest.param(pa.array([True, False, None]), ["true", "false", None], id="truths"),
        pytest.param(pa.array([date(2026, 3, 1)]), ["2026-03-01"], id="days"),
        pytest.param(
            pa.array([datetime(2026, 3, 1, 8, tzinfo=UTC)], pa.timestamp("s", "UTC")).cast(
                pa.timestamp("ms", "UTC")
            ),
            ["2026-03-01T08:00:00.000Z"],
            id="moments",
        ),
        pytest.param(pa.nulls(2), [None, None], id="nothing"),
    ],
)
def test_texts_of_columns(values, texts):
    found = read({"v": values}).literal("v")
    pointers = tuple(f"row={row};col=v" for row in range(len(texts)))
    assert found == (texts, pointers, None)


def test_a_column_may_change_its_type():
    rows = [pa.array([640, 700]), pa.array([640.0, 700.5]), pa.nulls(2), pa.array(["640", "x"])]
    assert [list(read({"v": values}).literal("v").texts) for values in rows] == [
        ["640", "700"],
        ["640.0", "700.5"],
        [None, None],
        ["640", "x"],
    ]


def test_columns_inside_columns():
    table = read(
        {
            "model": ["fern", "moss"],
            "test": [{"score": 81.2, "runs": [1]}, None],
            "a.b": [1, 2],
            "c/d": [{"e~f": "x"}, {"e~f": "y"}],
            "runs": [[1], [2, 3]],
        }
    )
    assert table.names() == ["model", "/test/score", "a.b", "/c~1d/e~0f"]
    asked = {
        path: table.inside(path)
        for path in ("/test/score", "$.test.score", "/c~1d/e~0f", "$.model")
    }
    assert {path: list(cells.texts) for path, cells in asked.items()} == {
        "/test/score": ["81.2", None],
        "$.test.score": ["81.2", None],
        "/c~1d/e~0f": ["x", "y"],
        "$.model": ["fern", "moss"],
    }
    assert asked["$.test.score"].pointers == ("row=0;col=/test/score", "row=1;col=/test/score")
    nothing = ["/test", "/test/runs", "/test/none", "/none", "/runs/0", "/model/x", "$.test[0]"]
    assert [table.inside(path) for path in nothing] == [None] * len(nothing)
    assert [table.literal(name) for name in ("test", "runs", "none")] == [None] * 3


def test_columns_by_number():
    table = read(
        pa.Table.from_arrays([pa.array([1]), pa.array([[1]]), pa.array([3])], ["v", "v", "v"])
    )
    assert [cells and list(cells.texts) for cells in map(table.numbered, range(5))] == [
        None,
        ["1"],
        None,
        ["3"],
        None,
    ]
    with pytest.raises(Unreadable, match="columns 1 and 2 and 3 are all named 'v'"):
        table.literal("v")


def test_one_file_is_one_table():
    document = parse("parquet", written({"v": [1, 2]}))
    assert [rows for rows, _ in document.tables()] == [""]
    assert (list(document.table("1").places), document.table("").pointer) == ([0, 1], "row=0-*")
    assert document.find("$.v") is None
    with pytest.raises(Unreadable, match="no table is named '2'"):
        document.table("2")
    with pytest.raises(Unreadable, match="2 rows in the first; expected one"):
        document.row()
    assert list(parse("parquet", written({"v": [1]})).row().places) == [0]


def test_a_file_without_rows_has_names():
    table = read({"v": pa.array([], pa.float64())})
    assert (table.names(), list(table.literal("v").texts)) == (["v"], [])


def test_row_groups_are_one_table():
    table = read({"v": [str(n % 3) for n in range(10)]}, row_group_size=3)
    assert list(table.literal("v").texts) == [str(n % 3) for n in range(10)]


def test_a_long_text_that_all_rows_share_takes_no_memory():
    shared = pa.DictionaryArray.from_arrays(pa.array([0] * 90_000, pa.int32()), ["x" * 1_000_000])
    texts = read({"v": shared}).literal("v").texts
    assert (len(texts), len({id(text) for text in texts})) == (90_000, 1)


def test_text_that_is_none():
    with pytest.raises(Unreadable, match="invalid_parquet: column 'v'"):
        read({"v": pa.array([b"\xff"])}).literal("v")


GOOD = written({"v": [1.5, 2.5], "m": ["fern", "moss"]})


@pytest.mark.parametrize(
    ("data", "reason", "says"),
    [
        pytest.param(b"model,score\n", "invalid_parquet", "magic bytes", id="another format"),
        pytest.param(GOOD[:100], "invalid_parquet", "magic bytes", id="cut off"),
        pytest.param(b"PAR1", "invalid_parquet", "smaller than", id="too short"),
        pytest.param(GOOD[:4] + b"\0" * 60 + GOOD[64:], "invalid_parquet", "", id="damaged"),
        pytest.param(GOOD[:-4] + b"PARE", "invalid_parquet", "encrypted", id="encrypted"),
        pytest.param(
            written({"v": pa.nulls(100_001)}), "too_large", "100,001 rows", id="too many rows"
        ),
        pytest.param(
            written({f"v{n}": pa.nulls(50_000) for n in range(41)}),
            "too_large",
            "2,050,000 cells",
            id="too many cells",
        ),
    ],
)
def test_files_that_cannot_be_read(data, reason, says):
    with pytest.raises(Unreadable) as error:
        parse("parquet", data).table()
    assert error.value.reason == reason
    assert says in error.value.found


def test_what_is_too_large_when_unpacked(monkeypatch):
    monkeypatch.setattr(parquet_reader, "MAX_UNPACKED", 100_000)
    data = written({"v": ["x" * 200_000]}, compression="zstd", use_dictionary=False)
    assert len(data) < 10_000
    with pytest.raises(Unreadable, match=r"too_large: 200,\d+ bytes when unpacked"):
        parse("parquet", data)


def test_a_wrong_place_in_a_dictionary_is_no_other_text():
    """Change each byte in turn: what is read is right or refused, and never crashes."""
    data = written({"m": ["fern", "moss", "fern"]}, compression="none", use_dictionary=True)
    outcomes = set()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0xFF
        try:
            table = parse("parquet", bytes(changed)).table()
            outcomes |= {type(cells) for cells in map(table.literal, table.names())}
        except Unreadable as error:
            outcomes.add(error.reason)
    assert "invalid_parquet" in outcomes
