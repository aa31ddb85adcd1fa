"""What is to be said of a file, from the bytes to READINGS."""

from __future__ import annotations

import pytest

from history import readings
from history.readings import remarks
from history.scores import derived
from tests.history.definitions import TABLE, meaning_of

VERSION = {"version": 3, "commit": "c", "path": "b.csv", "blob": "b"}


@pytest.mark.parametrize(
    ("options", "data", "expected"),
    [
        pytest.param("", "fern,1\nmoss,2\n", [], id="nothing"),
        pytest.param(
            "",
            "fern\n,2\noak,soon\n",
            [
                ("rows_left_out", None, None, "row 2 has 1 cell, the header has 2"),
                ("rows_left_out", None, "cell=3,2", "row 1 (from 0) has no entry"),
                ("odd_score", "oak", "cell=4,2", "the score of 'oak' is no number: 'soon'"),
            ],
            id="rows and cells",
        ),
        pytest.param(
            "",
            'fern,"1,200"\nmoss,950\n',
            [
                (
                    "ambiguous",
                    "fern",
                    "cell=2,2",
                    "the score of 'fern' is ambiguous, 1200 or 1.200: '1,200'",
                )
            ],
            id="two readings",
        ),
        pytest.param(
            "",
            "fern,93.15\nmoss,80.22\nivy,77.51\noak,0.712\nelm,65.14\n",
            [
                (
                    "scale_mixed",
                    "oak",
                    "cell=5,2",
                    "one value at most 1 among values up to 93.15: 0.712 is 0.712 or 71.2. Write "
                    'scale = 1 if all are right, "percent" if up to 1 are shares',
                )
            ],
            id="a share of 1 among percentages",
        ),
        pytest.param(
            "scale = 1",
            "fern,93.15\nmoss,80.22\nivy,77.51\noak,0.712\nelm,65.14\n",
            [],
            id="the definition says that it is none",
        ),
        pytest.param(
            '[aliases]\n"f\u200bern" = "fern"\n',
            "f\u200bern,1\n",
            [
                (
                    "hidden_letter",
                    "fern",
                    "cell=2,2",
                    "'f\\u200bern' is written with U+200B ZERO WIDTH SPACE",
                )
            ],
            id="a key of an alias",
        ),
        pytest.param(
            "[[ignore]]\nfrom = 2020-01-01\nwhy = 'a slip'\nentry = 'fern'\n",
            "fern,1\n",
            [],
            id="what is ignored is known by the rules of the version",
        ),
        pytest.param(
            "where = 'score > 5'",
            "fern,1\nmoss,2\n",
            [("none_takes_part", None, None, "2 rows, none takes part")],
            id="nobody",
        ),
    ],
)
def test_remarks_come_back_from_readings(tmp_path, options, data, expected):
    meaning = meaning_of(tmp_path, TABLE + options, "b.csv")
    reading = readings.read_table(meaning, "b.csv", ("model,score\n" + data).encode())
    assert list(reading.remarks) == expected
    table = derived.readings_table([derived.readings_row(VERSION, reading, "")])
    (found,) = derived.frame(table)["remarks"].tolist()
    assert [remarks.Remark(**one) for one in found] == expected


def test_so_many_are_kept_and_all_are_counted(tmp_path):
    data = "model,score\n" + "".join(f"{'m' * 1500}{n},soon\n" for n in range(1_200))
    reading = readings.read_table(meaning_of(tmp_path, TABLE, "b.csv"), "b.csv", data.encode())
    kept = derived.readings_row(VERSION, reading, "")["remarks"]
    assert (len(reading.remarks), len(kept)) == (1_200, 1_000)
    assert {len(one["text"]) for one in kept} == {1_003}
    assert reading.found.endswith("...; and 1195 more")
    assert len(reading.found) == 5 * 203 + 4 * 2 + len("; and 1195 more")
