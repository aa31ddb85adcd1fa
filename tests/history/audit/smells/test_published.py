"""Which published ranks are found to disagree with the scores?"""

from __future__ import annotations

import pytest

from tests.history.audit.audits import csv
from tests.history.audit.smells.tables import RANKED, what_is_found


@pytest.mark.parametrize(
    ("files", "table", "expected"),
    [
        pytest.param(
            [csv("1,ash,50.0", "2,bay,90.0", "3,cob,80.0", header="rank,model,score")],
            RANKED,
            [
                (
                    0,
                    "rank_contradicts_score",
                    "ash",
                    "3 published ranks contradict the scores: 'ash' with 50.0 is printed as rank "
                    "1, its score as rank 3",
                )
            ],
            id="a published rank that contradicts the score",
        ),
        pytest.param(
            [csv("1,ash,90", "2,bay,80", "3,cob,80", "4,elm,70", header="rank,model,score")],
            RANKED,
            [],
            id="ranks counted on through a tie",
        ),
        pytest.param(
            [csv("1,ash,12.5", "2,bay,18", "3,cob,30", header="rank,model,score")],
            RANKED,
            [
                (
                    0,
                    "direction_looks_wrong",
                    None,
                    "the published ranks are exactly the reverse of the computed ones: the "
                    "direction looks wrong",
                )
            ],
            id="published ranks the other way round",
        ),
    ],
)
def test_what_is_found(files, table, expected, tmp_path):
    assert what_is_found(tmp_path, files, table) == expected
