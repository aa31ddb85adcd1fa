"""Is a file read the same with and without the memory of the one before?"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.readers import Unreadable
from history.readers.json_reader import parse

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("}],[{")
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)
ROWS = st.lists(VALUES, min_size=3, max_size=3)
LAYOUTS = st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"indent": "\t"}])
WRAPS = st.sampled_from(
    [
        lambda rows: rows,
        lambda rows: {"label": "v1", "models": rows},
        lambda rows: {"data": {"all": {"deep": rows}, "old": rows[:1]}, "models": rows},
        lambda rows: {f"row{n}": row for n, row in enumerate(rows)},
    ]
)


@st.composite
def histories(draw):
    """Files that hold rows of one small pool, some of them damaged by one letter."""
    pool, wrap, layout = draw(ROWS), draw(WRAPS), draw(LAYOUTS)
    files = []
    for _ in range(draw(st.integers(2, 4))):
        rows = [pool[n] for n in draw(st.lists(st.integers(0, 2), min_size=1, max_size=5))]
        text = json.dumps(wrap(rows), **layout)
        if draw(st.booleans()):
            at = draw(st.integers(0, len(text)))
            text = text[:at] + draw(st.sampled_from(list(',:{}[]"0 \\') + [""])) + text[at + 1 :]
        files.append(text.encode())
    return files


def outcome(data: bytes, memory=None):
    try:
        return repr(parse(data, memory).value)  # NaN differs from itself, its text does not
    except Unreadable as error:
        return error.reason, error.found


@given(histories())
def test_memory_changes_no_answer(files):
    memory = {}
    for data in files:
        assert outcome(data, memory) == outcome(data)


@st.composite
def boards(draw):
    """Files of many rows: some change, join, leave or change places, some begin alike."""
    names = [f"{'long name ' * 8}{n // 2}" if n % 5 == 0 else f"m{n}" for n in range(70)]
    rows = [{"model": name, "v": f"{n}.0"} for n, name in enumerate(names)]
    files = []
    for _ in range(draw(st.integers(2, 4))):
        for change in draw(st.lists(st.integers(0, 3), max_size=4)):
            at = draw(st.integers(0, len(rows) - 1))
            if change == 0:
                rows[at] = {**rows[at], "v": draw(st.sampled_from(["1.5", None, "-", 7]))}
            elif change == 1:
                rows.insert(at, {"model": draw(st.sampled_from(names)), "w": "1"})
            elif change == 2 and len(rows) > 1:
                del rows[at]
            else:
                rows.insert(draw(st.integers(0, len(rows) - 1)), rows.pop(at))
        files.append(json.dumps({"models": rows}, indent=draw(st.sampled_from([None, 1]))).encode())
    return files


def columns(data: bytes, memory=None):
    table = parse(data, memory).table("$.models")
    return [table.literal(name) for name in ("model", "v", "w")]


@given(boards())
def test_memory_changes_no_column_of_many_rows(files):
    memory, apart = {}, {}
    for data in files:
        assert outcome(data, memory) == outcome(data)
        assert columns(data, apart) == columns(data)


def test_a_column_without_changes_is_the_very_same():
    memory = {}

    def read(v):
        rows = [{"model": f"m{n}", "v": "1" if n else v} for n in range(9)]
        table = parse(json.dumps(rows).encode(), memory).table()
        return [table.literal(name).texts for name in ("model", "v")]

    (names, scores), (names_after, scores_after) = read("71.20"), read("69.30")
    assert names_after is names
    assert scores_after[:2] == ["69.30", "1"] and scores[:2] == ["71.20", "1"]


@pytest.mark.parametrize(
    ("before", "data"),
    [
        pytest.param('[{"v": 1}, {"v": 2}]', '[{"v": 1}, ]', id="a comma before the end"),
        pytest.param('[{"v": 1}, {"v": 2}]', '[{"v": 1}, {"v": 2}', id="cut off"),
        pytest.param('[{"v": 1}, {"v": 2}]', '[{"v": 1}, {"v": 2}] x', id="more behind it"),
        pytest.param('{"a": {"v": 1}}', '{"a": {"v": 1}, "a": {"v": 1}}', id="a key twice"),
        pytest.param('{"a": {"v": 1}}', '{"a": {"v": 1}x}', id="rubbish after a known value"),
        pytest.param('[{"v": 1}]', '{"v": 1}', id="another shape"),
        pytest.param('[{"v": "\\ud83d"}]', '[{"v": "\\ud83d"}]', id="half a letter"),
        pytest.param("[1]", "[" * 50_000, id="nested too deep"),
        pytest.param("[1]", '{"a":' * 50_000, id="objects nested too deep"),
    ],
)
def test_odd_files_after_good_ones(before, data):
    memory = {}
    parse(before.encode(), memory)
    assert outcome(data.encode(), memory) == outcome(data.encode())


def test_what_stood_before_is_not_read_again():
    def read(label, second):
        rows = [{"model": "a" * 60, "v": "71.20"}, {"model": "b" * 60, "v": second}, {"v": label}]
        return parse(json.dumps({"label": label, "models": rows}).encode(), memory).value

    memory = {}
    one, two = read("1", "69.10"), read("2", "69.30")
    assert two["label"] == "2" and two["models"][1]["v"] == "69.30"
    assert two["models"][0] is one["models"][0]
