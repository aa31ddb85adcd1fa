"""Which single numbers are found wrong, and what looks like it and is not?"""

from __future__ import annotations

import pytest

from tests.history.audit.audits import csv
from tests.history.audit.smells.tables import INTERVALS, LOWER, seven, what_is_found


@pytest.mark.parametrize(
    ("files", "table", "expected"),
    [
        pytest.param(
            [seven(cob="1250")],
            None,
            [
                (
                    0,
                    "outside_scale",
                    "cob",
                    "the score of 'cob', 1250, is out of scale: the others reach 81.5",
                )
            ],
            id="a count among scores of 0 to 100",
        ),
        pytest.param(
            [csv("ash,71.5%", "bay,104.0%")],
            None,
            [
                (
                    0,
                    "outside_scale",
                    "bay",
                    "the score of 'bay', 104.0%, is out of scale: a percentage",
                )
            ],
            id="more than a hundred per cent",
        ),
        pytest.param([seven(ash="100")], None, [], id="a hundred is on the scale"),
        pytest.param(
            [csv("a,1.1", "b,3", "c,20", "d,150", "e,999", "f,2400", "g,90000")],
            LOWER,
            [],
            id="errors without a bound spread wide",
        ),
        pytest.param(
            [seven(), seven(cob="-12.5")] + [seven(cob="66.9", oak="63")] * 10,
            None,
            [
                (1, "outside_scale", "cob", "the score of 'cob', -12.5, is below 0, no other is"),
                (
                    1,
                    "corrected",
                    "cob",
                    "the score of 'cob' was changed: 66.9 in 00000000, -12.5 now",
                ),
                (
                    2,
                    "jumped_back",
                    "cob",
                    "'cob' jumped and went back: 66.9 in 00000000, -12.5 in 00000001, 66.9 in "
                    "00000002",
                ),
            ],
            id="the only number below 0, which goes back",
        ),
        pytest.param(
            [csv("a,0.2", "b,-0.1", "c,-0.3", "d,0.4", "e,0.1", "f,0.3")],
            None,
            [],
            id="a scale that goes below 0",
        ),
        pytest.param(
            [seven(cob="0.0")],
            None,
            [
                (
                    0,
                    "zero_for_missing",
                    "cob",
                    "the score of 'cob', 0.0, may stand for a gap: the lowest of the others is 40.6",
                )
            ],
            id="a zero far below all others",
        ),
        pytest.param(
            [seven(cob="-1")],
            None,
            [
                (
                    0,
                    "zero_for_missing",
                    "cob",
                    "the score of 'cob', -1, may stand for a gap: the lowest of the others is 40.6",
                )
            ],
            id="-1 for a gap",
        ),
        pytest.param(
            [csv("a,0", "b,0.5", "c,1.5", "d,4", "e,22", "f,61")],
            None,
            [],
            id="a zero where others are nearly so",
        ),
        pytest.param(
            [csv("a,0", "b,0", "c,0", "d,44", "e,52", "f,61")],
            None,
            [],
            id="where many have 0 it is a result",
        ),
        pytest.param(
            [
                "model,score,l,h,n\nash,71.2,72.0,73,200\nbay,70.0,69,69.5,-5\n"
                "cob,60.2,60.24,60.16,3\noak,50,?,?,?\n"
            ],
            INTERVALS,
            [
                (0, "interval_wrong", "ash", "low of 'ash', 72.0, is above the score, 71.2"),
                (0, "interval_wrong", "bay", "high of 'bay', 69.5, is below the score, 70.0"),
                (0, "interval_wrong", "bay", "items of 'bay', -5, is below 0"),
            ],
            id="intervals beside their scores; rounding explains a little",
        ),
        pytest.param(
            [csv("a,pending", "b,50", "c,N/A")],
            None,
            [(0, "no_number", "a", "the score of 'a', pending, is no number")],
            id="a text in the place of a score",
        ),
        pytest.param(
            [csv("a,>49", "b,~50", "c,5 or 6", 'd,"(4)"', "e,40")],
            None,
            [
                (0, "no_number", "a", "the score of 'a', >49, is a bound, no value"),
                (0, "no_number", "b", "the score of 'b', ~50, is no exact value"),
                (0, "no_number", "c", "the score of 'c', 5 or 6, is no number"),
                (
                    0,
                    "no_number",
                    "d",
                    "the score of 'd' is ambiguous, -4 or 4 in brackets: '(4)'",
                ),
            ],
            id="each kind of score without a number",
        ),
        pytest.param(
            [csv("a,not run", "b,50", "c,40")],
            '[table]\nentry = "model"\nscore = "score"\ndirection = "higher"\nmissing = ["not run"]\n',
            [],
            id="a text that the definition names",
        ),
        pytest.param(
            [seven(), seven(ash="74.2", bay="81.5")],
            None,
            [
                (
                    1,
                    "swapped",
                    "ash",
                    "two scores were swapped: 'ash' 81.5 -> 74.2, 'bay' 74.2 -> 81.5; the old ones "
                    "stood since 00000000",
                )
            ],
            id="two scores swapped",
        ),
        pytest.param(
            [seven(), seven(cob="44.0")],
            None,
            [
                (
                    1,
                    "corrected",
                    "cob",
                    "the score of 'cob' was changed: 66.9 in 00000000, 44.0 now",
                )
            ],
            id="a score corrected",
        ),
        pytest.param(
            [seven(ash="82", bay="75"), seven(ash="83", bay="76"), seven(cob="67.9", elm="60")],
            None,
            [],
            id="in a contest a better score is no correction",
        ),
    ],
)
def test_what_is_found(files, table, expected, tmp_path):
    assert what_is_found(tmp_path, files, table) == expected
