from __future__ import annotations

from time import process_time

import pytest

from history.readings import read_table
from history.readings.remarks import Remark
from tests.history.definitions import TABLE, meaning_of

TRIES = """model,score,day
north,0.88,2026-02-01
north,0.91,2026-02-03
north,0.85,2026-02-05
north,,2026-02-06
south,0.90,2026-02-02
south,0.87,2026-02-04
"""
LATEST = 'keep = "latest"\nlatest_by = "day"'


def read(tmp_path, options, data):
    reading = read_table(meaning_of(tmp_path, TABLE + options, "b.csv"), "b.csv", data.encode())
    texts = reading.fields["score"].texts
    return list(zip(reading.entries, texts, reading.unranked, strict=True)), reading.found


@pytest.mark.parametrize(
    ("options", "rows", "found"),
    [
        pytest.param(
            'keep = "best"',
            [("north", "0.91", None), ("south", "0.90", None)],
            "'north' has different scores: 0.88, 0.91, 0.85, none; best counts: 0.91 in row 1 "
            "(from 0), not row 3 without a score; 'south' has different scores: 0.90, 0.87; "
            "best counts: 0.90 in row 4 (from 0)",
            id="the best",
        ),
        pytest.param(
            LATEST,
            [("north", "0.85", None), ("south", "0.87", None)],
            "'north' has different scores: 0.88, 0.91, 0.85, none; latest counts: 0.85 in row 2 "
            "(from 0), not row 3 without a score; 'south' has different scores: 0.90, 0.87; "
            "latest counts: 0.87 in row 5 (from 0)",
            id="the latest",
        ),
    ],
)
def test_the_rule_and_what_does_not_count_are_told(tmp_path, options, rows, found):
    assert read(tmp_path, options, TRIES) == (rows, found)


@pytest.mark.parametrize(
    ("days", "kept", "says"),
    [
        pytest.param(["03.04.2026", "21.02.2026"], "1", "latest counts", id="day first"),
        pytest.param(["9 Feb 2026", "10 Jan 2026"], "1", "latest counts", id="months by name"),
        pytest.param(["2026-02-03T01:00:00+02:00", "2026-02-02T23:30:00"], "2", "counts", id="UTC"),
        pytest.param(["9", "10"], "2", "latest counts", id="numbers"),
        pytest.param(["", "2026-02-03"], "2", "latest counts", id="one without a date"),
        pytest.param(["02.03.2026", "01.02.2026"], "1", "counts", id="later in both orders"),
        pytest.param(
            ["05.02.2026", "03.04.2026"], None,
            "none counts, as '05.02.2026' is 5 Feb 2026 or 2 May 2026", id="the order is open",
        ),
        pytest.param(["2026-02-03", "soon"], None, "none counts, as 'soon' is no date", id="text"),
        pytest.param(["2026-02-03"] * 2, None, "as no single row is the latest", id="one day"),
        pytest.param(["", ""], None, "as no single row is the latest", id="no date at all"),
    ],
)  # fmt: skip
def test_which_is_latest(tmp_path, days, kept, says):
    data = "model,score,day\n" + "".join(f"fern,{n},{day}\n" for n, day in enumerate(days, 1))
    rows, found = read(tmp_path, LATEST, data)
    apart = [("fern", "1", "duplicate"), ("fern#2", "2", "duplicate")]
    assert rows == (apart if kept is None else [("fern", kept, None)])
    assert says in found


def test_a_score_that_came_back_is_the_latest(tmp_path):
    data = "model,score,day\nfern,1,2026-01-01\nfern,2,2026-01-02\nfern,1,2026-01-03\n"
    assert read(tmp_path, LATEST, data)[0] == [("fern", "1", None)]


def test_the_latest_of_many_keys_ends_in_time(tmp_path):
    rows = [f"m{n % 5_000},{n},2026-{n % 12 + 1:02}-{n // 5_000 + 1:02}" for n in range(20_000)]
    data = "\n".join(["model,score,day", *rows])
    start = process_time()
    kept, found = read(tmp_path, LATEST, data)
    assert process_time() - start < 10
    assert len(kept) == 5_000
    assert found.endswith("; and 4995 more")


def test_what_is_said_of_a_key_points_to_its_second_row(tmp_path):
    data = "model,score\nfern,1\nmoss,4\n'a; b',7\nmoss,4\n'a; b',8\n"
    reading = read_table(meaning_of(tmp_path, TABLE, "b.csv"), "b.csv", data.encode())
    assert reading.remarks == [
        Remark("duplicate_entry", "moss", "cell=5,2", "'moss' is repeated with the same score"),
        Remark("duplicate_entry", "'a; b'", "cell=6,2", "\"'a; b'\" has different scores: 7, 8"),
    ]
