"""Which commits are found to have changed a whole column, and which only some of it?"""

from __future__ import annotations

import pytest

from tests.history.audit.audits import audit_of, csv, told
from tests.history.audit.smells.tables import seven, what_is_found


@pytest.mark.parametrize(
    ("files", "table", "expected"),
    [
        pytest.param(
            [
                seven(),
                seven(ash="81", bay="74.6", cob="66", elm="59.9", fir="53", hop="47", ivy="41"),
            ],
            None,
            [
                (
                    1,
                    "all_rescored",
                    None,
                    "7 of 7 scores that stayed changed in one commit, by 0.4 in the middle, most "
                    "'cob' 66.9 -> 66",
                )
            ],
            id="every row re-scored a little",
        ),
        pytest.param(
            [seven(), csv("ash,82", "bay,74", "cob,67", "elm,59", "fir,53", "hop,47", "ivy,41")],
            None,
            [
                (
                    1,
                    "all_rescored",
                    None,
                    "all 7 scores are printed with 0 decimals instead of 1, and else the same",
                )
            ],
            id="every row printed with fewer decimals",
        ),
        pytest.param(
            [
                seven(),
                seven(ash="60.1", bay="55", cob="45", elm="39", fir="31", hop="28", ivy="20.2"),
            ],
            None,
            [
                (
                    1,
                    "meaning_changed",
                    None,
                    "7 of 7 scores went down, by 20.4 in the middle, such as 'cob' 66.9 -> 45: does "
                    "the column mean the same as before?",
                )
            ],
            id="another benchmark under the same name",
        ),
        pytest.param(
            [seven(), csv(*(f"{name},{20 + n}.1" for n, name in enumerate("mnopqr")))],
            None,
            [
                (
                    1,
                    "meaning_changed",
                    None,
                    "of 7 entries 0 stayed, 6 joined: another table under the same name?",
                )
            ],
            id="another table under the same name",
        ),
    ],
)
def test_what_is_found(files, table, expected, tmp_path):
    assert what_is_found(tmp_path, files, table) == expected


FERN, OAK = csv("fern,81.5", "moss,74.2"), csv("oak,66.9", "elm,59.3")
BROKEN = (
    "after the absence in 00000001, of 2 entries in 00000000 0 stayed, 2 joined: another table "
    "under the same name?"
)


@pytest.mark.parametrize(
    ("files", "editions", "expected"),
    [
        pytest.param([FERN, None, OAK], (), [(2, BROKEN)], id="a name freed and used again"),
        pytest.param([FERN, None, csv(), OAK, FERN], (), [(3, BROKEN)], id="back, empty at first"),
        pytest.param([FERN, None, csv("oak,66.9", "fern,80")], (), [], id="one entry stayed"),
        pytest.param([FERN, OAK], (), [], id="few entries replaced without an absence"),
        pytest.param([FERN, csv(), OAK], (), [], id="an empty file is no absence"),
        pytest.param([None, OAK], (), [], id="nothing was there before"),
        pytest.param([FERN, None, csv("oak,1.0", "elm")], (), [], id="who left may be there"),
        pytest.param([FERN, None, OAK], ("1", None, "2"), [], id="a new edition explains it"),
        pytest.param([FERN, None, OAK], ("1", None, "1"), [(2, BROKEN)], id="the same edition"),
    ],
)
def test_other_entries_after_an_absence(files, editions, expected, tmp_path):
    found = told(audit_of(tmp_path, *files, editions=editions))
    assert [(one[0], one[3]) for one in found if one[1] == "meaning_changed"] == expected


def test_a_board_that_always_re_scores_everything_is_not_told_each_time(tmp_path):
    files = [
        seven(**{n: f"{60 + 3 * i + v}.5" for i, n in enumerate("ash bay cob elm fir".split())})
        for v in range(6)
    ]
    assert told(audit_of(tmp_path, *files)) == []


def forty(step: int, *changed: int) -> str:
    """Forty rows of which some have other scores than usual, by a step of 2 points."""
    return csv(*(f"m{n},{30 + 1.1 * n + 2 * step * (n in changed):.1f}" for n in range(40)))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            [forty(0), forty(1, *range(11))],
            [
                (
                    1,
                    "corrected",
                    "11 times: the score of ",
                )
            ],
            id="eleven of forty in one commit are corrections",
        ),
        pytest.param(
            [forty(0), forty(1, *range(15))],
            [
                (
                    1,
                    "all_rescored",
                    "15 of 40 scores that stayed changed in one commit, by 2 in the middle, most ",
                )
            ],
            id="more than a third are no corrections",
        ),
        pytest.param(
            [
                forty(0),
                forty(1, *range(10)),
                forty(1, *range(19)),
                forty(1, *range(28)),
                forty(1, *range(28), 30),
            ],
            [
                (1, "corrected", "10 times: the score of "),
                (2, "corrected", "9 times: the score of "),
                (3, "corrected", "9 times: the score of "),
                (4, "corrected", "the score of 'm30' was changed: 63.0 in 00000003, 65.0 now"),
            ],
            id="batches do not make a contest",
        ),
        pytest.param(
            [forty(0), *(forty(1, *range(n)) for n in range(1, 16))],
            [],
            id="one after the other they do",
        ),
    ],
)
def test_each_commit_is_judged_by_its_own_share(files, expected, tmp_path):
    found = told(audit_of(tmp_path, *files))
    assert [(version, kind) for version, kind, _, _ in found] == [one[:2] for one in expected]
    for (_, _, _, text), (_, _, begins) in zip(found, expected, strict=True):
        assert text.startswith(begins)


def test_a_new_edition_explains_new_scores(tmp_path):
    files = [seven(), seven(ash="60", bay="55", cob="45", elm="39", fir="31", hop="28", ivy="20")]
    assert told(audit_of(tmp_path, *files, editions=["1", "2"])) == []
