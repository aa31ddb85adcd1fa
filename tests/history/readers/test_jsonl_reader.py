from __future__ import annotations

import pytest

from history.readers import Unreadable, parse

LINES = b'{"id": 9007199254740993, "v": 71.0}\n{"id": "9007199254740992", "v": NaN}\n'


@pytest.mark.parametrize(
    ("data", "texts", "pointers"),
    [
        pytest.param(LINES, ["71.0", "NaN"], ["/0/v", "/1/v"], id="numbers as printed"),
        pytest.param(b"\xef\xbb\xbf" + LINES, ["71.0", "NaN"], ["/0/v", "/1/v"], id="a mark"),
        pytest.param(
            b'{"v": 1}\r\n\r\n{"v": 2}\r{"v": 3}', ["1", "2", "3"], ["/0/v", "/2/v", "/3/v"],
            id="blank lines and mixed line ends",
        ),
        pytest.param(
            b'{"v": 1}\n{"v": -Infinity}\n\n[2]\n', ["1", "-Infinity", None],
            ["/0/v", "/1/v", "/3/v"], id="a line that is no object",
        ),
        pytest.param(
            '{"v": "a\u2028b"}\n'.encode(), ["a\u2028b"], ["/0/v"], id="a line end that is none"
        ),
    ],
)  # fmt: skip
def test_lines(data, texts, pointers):
    cells = parse("jsonl", data).table().literal("v")
    assert (list(cells.texts), list(cells.pointers)) == (texts, pointers)


def test_ids_stay_apart():
    ids = parse("jsonl", LINES).table("$").literal("id").texts
    assert list(ids) == ["9007199254740993", "9007199254740992"]


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        pytest.param(
            b'{"id": "oak", "v', "line 4 is no JSON: column 15: Unterminated string", id="cut off"
        ),
        pytest.param(b'{"id": "o\xc3', "line 4 is not UTF-8 at byte 9 of it", id="in a letter"),
        pytest.param(b"\0\0\0\0", "line 4 is no JSON: column 1: Expecting value", id="not written"),
        pytest.param(b"{'id': 1}", "line 4 is no JSON: column 2: Expecting property name enclosed"
                     " in double quotes", id="no JSON"),
    ],
)  # fmt: skip
def test_a_damaged_line_is_left_out_and_named(damaged, said):
    table = parse("jsonl", LINES + b"\n" + damaged + b'\n{"v": 5}\n').table()
    assert list(table.literal("v").texts) == ["71.0", "NaN", "5"]
    assert list(table.literal("v").pointers) == ["/0/v", "/1/v", "/4/v"]
    assert table.left_out == [said]


@pytest.mark.parametrize(
    ("data", "reason", "says"),
    [
        pytest.param(b'{"v": 1, "v": 2}\n', "repeated_key", "line 1: key 'v'", id="a key twice"),
        pytest.param(b'{\n"v": 1\n}\n', "invalid_json", "3 of 3 lines are damaged: line 1", id="one"
                     " object over several lines"),
        pytest.param(b'{"v": 1}\nx\ny\n', "invalid_json", "2 of 3 lines", id="mostly damaged"),
        pytest.param(
            LINES + b"<<<<<<< HEAD\n" + LINES + b"=======\n" + LINES + b">>>>>>> x\n",
            "conflict_markers", "line 3", id="a conflict",
        ),
        pytest.param(b"[" * 5_000, "too_large", "nested too deep", id="a bomb"),
        pytest.param(b"{}\n" * 100_001, "too_large", "100,001 rows", id="too many lines"),
        pytest.param(b"\n" * 1_000_001 + b"{}", "too_large", r"of , [ { \r \n", id="blank ones"),
        pytest.param(b" \n\n", "empty", "the file is empty (3 bytes)", id="nothing"),
    ],
)  # fmt: skip
def test_lines_that_cannot_be_read(data, reason, says):
    with pytest.raises(Unreadable) as error:
        parse("jsonl", data)
    assert error.value.reason == reason
    assert says in error.value.found
