"""Which versions are found wrong as files, and what follows from a row left out?"""

from __future__ import annotations

import pytest

from tests.history.audit.audits import audit_of, csv, told
from tests.history.audit.smells.tables import seven, what_is_found
from tests.history.definitions import TABLE


@pytest.mark.parametrize(
    ("files", "table", "expected"),
    [
        pytest.param(
            [csv("ash,81.5", "ash,80.0", "bay,74.2")],
            None,
            [(0, "duplicate_entry", "ash", "'ash' has different scores: 81.5, 80.0")],
            id="one key with two scores",
        ),
        pytest.param(
            [csv("ash,81.5", "ash,81.5", "bay,74.2")],
            None,
            [(0, "duplicate_entry", "ash", "'ash' is repeated with the same score")],
            id="one key twice with the same score",
        ),
        pytest.param(
            [csv("fern\u200b,81.5"), csv("fe\u2060rn,81.5")],
            None,
            [
                (0, "hidden_letter", "fern", "'fern' is written with U+200B ZERO WIDTH SPACE"),
                (
                    1,
                    "hidden_letter",
                    "fe\u2060rn",
                    "'fe\\u2060rn' is written with U+2060 WORD JOINER",
                ),
                (
                    1,
                    "rename",
                    "fe\u2060rn",
                    "'fern' left and 'fe\\u2060rn' joined at commit 00000001 with the same score "
                    "81.5 and at the same place in the file (the names differ only in U+2060 WORD "
                    'JOINER): alias? [aliases] "fern" = "fe\u2060rn"',
                ),
            ],
            id="letters of no width, round a key and inside",
        ),
        pytest.param(
            [seven(), seven(cob="") + "cob\n", seven()],
            None,
            [(1, "rows_left_out", None, "row 8 has 1 cell, the header has 2")],
            id="who is not listed where rows were left out may be in the file",
        ),
        pytest.param(
            [
                csv("ash,81.5,no", "bay,74.2,no", header="model,score,flagged"),
                csv("ash,81.5,", "bay,74.2,", header="model,score,flagged"),
                csv("ash,81.6,", "bay,74.2,", header="model,score,flagged"),
            ],
            TABLE + "eligible = \"not flagged == 'yes'\"\n",
            [
                (
                    1,
                    "emptied",
                    None,
                    "nobody is eligible: 2 entries are listed, and 2 were ranked in 00000000",
                )
            ],
            id="a flag that nobody wrote takes all ranks away",
        ),
        pytest.param(
            [seven(), "not a table", seven()],
            None,
            [
                (
                    1,
                    "unreadable",
                    None,
                    "cannot be read: no_table: no row at row=2-* has a column 'score'; nearest: "
                    "not a table",
                )
            ],
            id="an unreadable version takes nobody away",
        ),
        pytest.param(
            [csv("ash,81.5", "bay", "cob,66.9", "elm,59.3")],
            None,
            [(0, "rows_left_out", None, "row 3 has 1 cell, the header has 2")],
            id="a row that does not fit the header",
        ),
        pytest.param(
            [seven(), seven().replace(",66.9", ""), seven()],
            None,
            [(1, "rows_left_out", None, "row 4 has 1 cell, the header has 2")],
            id="who stands in such a row has not left",
        ),
    ],
)
def test_what_is_found(files, table, expected, tmp_path):
    assert what_is_found(tmp_path, files, table) == expected


@pytest.mark.parametrize(
    ("days", "looked", "stale"),
    [
        pytest.param([0, 1, 2, 3, 4, 5], 40, True, id="silent for much longer than ever before"),
        pytest.param([0, 20, 21, 22, 23, 24], 60, False, id="it has been silent before"),
        pytest.param([0, 0.1, 0.2, 0.3, 0.4, 0.5], 5, False, id="a few days are not long"),
        pytest.param([0, 1, 2], 400, False, id="three versions have no rhythm"),
        pytest.param([0, 1, 2, 3, 4, 5], None, False, id="nobody has looked"),
    ],
)
def test_a_board_that_fell_silent(days, looked, stale, tmp_path):
    files = [seven(oak=f"{60 + n}") for n in range(len(days))]
    kinds = [kind for _, kind, _, _ in told(audit_of(tmp_path, *files, days=days, looked=looked))]
    assert ("stale" in kinds) == stale


def test_each_remark_of_a_file_is_a_finding_with_its_entry_and_cell(tmp_path):
    long = "ivy" * 80
    text = csv("a; b,1", "a; b,2", f"{long},3", f"{long},3", ",4", "oak", "m\u200boss,5")
    found = audit_of(tmp_path, text).smells
    assert found[["kind", "entry", "pointer"]].astype(object).to_numpy().tolist() == [
        ["rows_left_out", None, "row=2-*"],
        ["rows_left_out", None, "cell=6,2"],
        ["duplicate_entry", "a; b", "cell=3,2"],
        ["duplicate_entry", long, "cell=5,2"],
        ["hidden_letter", "m\u200boss", "cell=8,2"],
    ]
