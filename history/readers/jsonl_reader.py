"""What does a file of JSON lines hold?

In: bytes. Out: a TreeDocument whose value is the list of the lines' values. Start at parse().
The first step of a pointer is the line in the file, from 0: what is left out moves nothing, and
`/2/score` stands in line 3.
"""

from __future__ import annotations

import json
from typing import Any

from history.readers import Unreadable, refuse_conflict
from history.readers.json_reader import said_of, value_of
from history.readers.limits import check_rows, check_values
from history.readers.tree import RepeatedKey, TreeDocument

_BOM = b"\xef\xbb\xbf"


def parse(data: bytes) -> TreeDocument:
    """Read a file with one JSON value in each line.

    Blank lines are nobody's. A damaged line (often the last, half written) is left out.

    Args:
        data: the file as published, UTF-8, with or without a byte order mark.

    Raises:
        Unreadable: more than half of the lines are damaged, or a key stands twice in one.

    >>> document = parse(b'{"id": "fern", "v": 81.20}\\n{"id": "mo')
    >>> document.value, document.table().left_out
    ([{'id': 'fern', 'v': '81.20'}], ['line 2 is no JSON: column 8: Unterminated string'])
    """
    check_values(data, marks=b",[{\r\n")
    values: list[Any] = []
    lines: list[int] = []
    left_out: list[str] = []
    for number, line in enumerate(data.removeprefix(_BOM).splitlines()):
        if not line.strip():
            continue
        check_rows(len(values) + len(left_out) + 1)
        try:
            values.append(value_of(line.decode()))
            lines.append(number)
        except RepeatedKey as error:
            raise Unreadable("repeated_key", f"line {number + 1}: {error}") from None
        except json.JSONDecodeError as error:
            left_out.append(f"line {number + 1} is no JSON: {said_of(error, within_line=True)}")
        except UnicodeDecodeError as error:
            left_out.append(f"line {number + 1} is not UTF-8 at byte {error.start} of it")
    if left_out:
        refuse_conflict(data)
    if len(left_out) > len(values):
        count = f"{len(left_out)} of {len(values) + len(left_out)} lines are damaged"
        raise Unreadable("invalid_json", f"{count}: {left_out[0]}")
    return TreeDocument(values, left_out, tuple(lines))
