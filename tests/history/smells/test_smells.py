"""Each kind of finding, and what looks like it and is none."""

from __future__ import annotations

import pytest

from history.smells.kinds import KINDS
from tests.history.audits import audit_of, csv, told

SEVEN = ("ash,81.5", "bay,74.2", "cob,66.9", "elm,59.3", "fir,52.8", "hop,47.1", "ivy,40.6")
PARTS = """
[table]
entry = "model"
score = "score"
direction = "higher"
[table.parts]
a = "a"
b = "b"
"""
WITH_PARTS = "model,score,a,b"
RANKED = """
[table]
entry = "model"
score = "score"
direction = "higher"
published_rank = "rank"
"""
INTERVALS = """
[table]
entry = "model"
score = "score"
direction = "higher"
low = "l"
high = "h"
items = "n"
"""
LOWER = """
[table]
entry = "model"
score = "score"
direction = "lower"
"""


def seven(**changes: str) -> str:
    """The seven rows with some scores changed; "" takes the row out."""
    rows = [row.split(",") for row in SEVEN]
    scores = {name: changes.pop(name, score) for name, score in rows} | changes
    return csv(*(f"{name},{score}" for name, score in scores.items() if score))


@pytest.mark.parametrize(
    ("files", "table", "expected"),
    [
        pytest.param([seven()], None, [], id="a plain board has no finding"),
        pytest.param([seven(), seven(oak="63.0")], None, [], id="nor has an entry that joins"),
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
        pytest.param(
            [seven(), seven(cob="") + "cob\n", seven()],
            None,
            [(1, "rows_left_out", None, "row 8 has 1 cell, the header has 2")],
            id="who is not listed where rows were left out may be in the file",
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
    more = {} if table is None else {"table": table}
    assert told(audit_of(tmp_path, *files, **more)) == expected


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


def test_many_of_one_kind_in_one_version_are_one_finding(tmp_path):
    rows = [f"m{n},{50 + n}" for n in range(40)]
    odd = [f"x{n},soon" for n in range(7)]
    assert told(audit_of(tmp_path, csv(*rows, *odd))) == [
        (
            0,
            "no_number",
            None,
            "7 times: the score of 'x0', soon, is no number; the score of 'x1', soon, is no number; "
            "the score of 'x2', soon, is no number; and 4 more",
        )
    ]


def test_what_lasts_is_found_in_every_version_and_an_event_once(tmp_path):
    files = [csv("a,1", "A,2"), csv("a,1", "A,2", "b,3")]
    found = [(version, kind) for version, kind, _, _ in told(audit_of(tmp_path, *files))]
    assert found == [(0, "look_alike"), (1, "look_alike")]
    assert KINDS["look_alike"].lasts and not KINDS["swapped"].lasts


def test_a_later_commit_adds_findings_to_itself_alone(tmp_path):
    files = [seven(), seven(cob=""), seven(), seven(ash="74.2", bay="81.5")]
    whole = told(audit_of(tmp_path / "all", *files))
    before = told(audit_of(tmp_path / "part", *files[:3]))
    assert [one for one in whole if one[0] < 3] == before
