"""Which entries are found not to be what their name says?"""

from __future__ import annotations

import pytest

from tests.history.audit.audits import csv
from tests.history.audit.smells.tables import PARTS, WITH_PARTS, seven, what_is_found


@pytest.mark.parametrize(
    ("files", "table", "expected"),
    [
        pytest.param(
            [csv("ash,81.5,70.1,60.3", "bay,81.5,70.1,60.3", "cob,66.9,50,51", header=WITH_PARTS)],
            PARTS,
            [
                (
                    0,
                    "same_row",
                    "bay",
                    "'ash' and 'bay' print the same numbers, the score 81.5 and all 2 parts",
                )
            ],
            id="one row under two keys",
        ),
        pytest.param(
            [csv("ash,0,0,0", "bay,0,0,0", "cob,66.9,50,51", header=WITH_PARTS)],
            PARTS,
            [],
            id="rows of zeros are no copies",
        ),
        pytest.param(
            [csv("fern,81.5", "Fern,74.2", "jev-27b,60", "jev,50")],
            None,
            [(0, "look_alike", "Fern", "'Fern' and 'fern' differ only in case; both are listed")],
            id="look-alikes side by side, and a longer name that is none",
        ),
        pytest.param(
            [csv("fern,81.5", "lab/Fern,81", "lab/moss,70", "field/moss,69", "old/lab/fern,3")],
            None,
            [
                (
                    0,
                    "look_alike",
                    "lab/Fern",
                    "'lab/Fern' and 'fern' differ only in the prefix 'lab/'; both are listed",
                ),
                (
                    0,
                    "look_alike",
                    "old/lab/fern",
                    "'old/lab/fern' and 'fern' differ only in the prefix 'old/lab/'; both are listed",
                ),
            ],
            id="one name with and without a prefix; of two prefixes neither is doubtful",
        ),
        pytest.param(
            [csv("fern,81.5", "moss,1"), csv("lab/fern,60.5", "moss,1")],
            None,
            [],
            id="with a prefix, but not at one time",
        ),
        pytest.param(
            [csv("fern,81.5"), csv("f\u0435rn,70.1", "moss,1")],
            None,
            [
                (
                    1,
                    "rename",
                    "f\u0435rn",
                    "'fern' left and 'f\u0435rn' joined at commit 00000001 with the score 70.1 "
                    "after 81.5 and at the same place in the file (the names differ only in "
                    'U+0435 CYRILLIC SMALL LETTER IE): alias? [aliases] "fern" = "f\u0435rn"',
                )
            ],
            id="a Cyrillic letter in the place of a Latin one",
        ),
        pytest.param(
            [csv("moss,1", "fern,81.5"), csv("moss,1"), csv("moss,1", "oak,2", "FERN,60.0")],
            None,
            [
                (
                    2,
                    "look_alike",
                    "FERN",
                    "'FERN' and 'fern' differ only in case; the second was listed until 00000000",
                )
            ],
            id="a look-alike that comes long after",
        ),
        pytest.param(
            [csv("ash,80,70,60", "bay,75,,59", "cob,66,61,55", header=WITH_PARTS)],
            PARTS,
            [
                (
                    0,
                    "incomplete",
                    "bay",
                    "'bay' has the score 75 and no number for a, which the others have",
                )
            ],
            id="a mean over fewer parts",
        ),
        pytest.param(
            [csv("ash,80,70,", "bay,75,,59", "cob,66,61,", "elm,50,,", header=WITH_PARTS)],
            PARTS,
            [],
            id="a part that many lack is optional",
        ),
        pytest.param(
            [seven(), csv(), seven()],
            None,
            [
                (1, "emptied", None, "no entry is listed, after 7 in 00000000"),
                (
                    2,
                    "came_back",
                    None,
                    "all 7 entries of 00000000 left in 00000001 and came back unchanged",
                ),
            ],
            id="everybody left and came back",
        ),
        pytest.param(
            [seven(), seven(cob=""), seven()],
            None,
            [
                (
                    2,
                    "came_back",
                    "cob",
                    "'cob' left in 00000001 and came back with the same score 66.9",
                )
            ],
            id="one left and came back",
        ),
    ],
)
def test_what_is_found(files, table, expected, tmp_path):
    assert what_is_found(tmp_path, files, table) == expected
