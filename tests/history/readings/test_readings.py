from __future__ import annotations

import math

import pytest

from history.readings import Overrides, TableReader, read_table
from tests.history.definitions import TABLE, meaning_of

JSON = """
[table]
rows = "$.models"
entry = "engine"
name = "name"
score = "v"
direction = "higher"
published_rank = "rank"
[table.parts]
public = "pub"
[ties]
rule = "anchored"
band = "$.formula.band"
[edition]
label = "$.label"
"""
FILE = b"""{"label": "0.4", "formula": {"band": 0.90}, "models": [
 {"engine": "fern", "name": "Fern 1", "v": 67.30, "pub": 70, "rank": 1},
 {"engine": "moss", "v": "66.3", "pub": null, "rank": "2"}]}"""


def standing(reading):
    """Entry, printed score and why it is not ranked."""
    return list(zip(reading.entries, reading.fields["score"].texts, reading.unranked, strict=True))


def test_a_whole_reading(tmp_path):
    reading = read_table(meaning_of(tmp_path, JSON), "board.json", FILE)
    assert (reading.reading, reading.reason, reading.found) == ("read", None, None)
    assert (reading.edition, reading.band, reading.pointer) == ("0.4", "0.90", "/models")
    assert (list(reading.entries), list(reading.names)) == (["fern", "moss"], ["Fern 1", "moss"])
    assert (list(reading.rows), list(reading.unranked)) == ([0, 1], [None, None])
    assert (list(reading.ranks), list(reading.tie_ranks)) == ([1, 2], [None, None])
    score, public = reading.fields["score"], reading.fields["public"]
    assert (list(score.texts), score.ticks, score.dp) == (["67.30", "66.3"], [6730, 6630], 2)
    assert list(score.pointers) == ["/models/0/v", "/models/1/v"]
    assert (list(public.texts), public.ticks, public.dp) == (["70", None], [70, None], 0)
    assert public.values[0] == 70.0
    assert math.isnan(public.values[1])


@pytest.mark.parametrize(
    ("options", "data", "expected"),
    [
        pytest.param(
            "",
            "model,score\nNA,71.5\nnull,70.0\nnan,67\nfern,NA\nmoss,\noak,pending\nelm,inf\n",
            [("NA", "71.5", None), ("null", "70.0", None), ("nan", "67", None), ("fern", "NA", "no_score"), ("moss", "", "no_score"), ("oak", "pending", "no_score"), ("elm", "inf", "not_finite")],
            id="words for nothing are names of entries, but no scores",
        ),
        pytest.param(
            "",
            "model,score\n1e3,80\n1000,79\n007,78\n7,77\n",
            [("1e3", "80", None), ("1000", "79", None), ("007", "78", None), ("7", "77", None)],
            id="keys are text",
        ),
        pytest.param(
            "",
            "model,score\nfern\u200b ,81\n\u00a0moss,80\n",
            [("fern", "81", None), ("moss", "80", None)],
            id="what cannot be seen round a key is no part of it",
        ),
        pytest.param(
            "where = \"not model ~ '^Human'\"",
            "model,score\nHuman Expert,88\nfern,80\n",
            [("fern", "80", None)],
            id="rows that do not take part are not listed",
        ),
        pytest.param(
            "where = \"kind == 'open'\"",
            "model,score,kind\nfern,81,open\nmoss,80,\n",
            [("fern", "81", None)],
            id="nor are those of which it is unknown",
        ),
        pytest.param(
            "eligible = 'not flagged exists or flagged in (false, 0)'",
            "model,score,flagged\nfern,90,TRUE\nmoss,80,False\noak,70,0\nelm,60,\n",
            [("fern", "90", "ineligible"), ("moss", "80", None), ("oak", "70", None), ("elm", "60", None)],
            id="rows that are not eligible are listed without a rank",
        ),
        pytest.param(
            "attributes = { size = \"#3\" }\nwhere = 'size < 10'",
            "model,score,Parameters (B)\nfern,90,7\nmoss,80,70\n",
            [("fern", "90", None)],
            id="attributes by name",
        ),
        pytest.param(
            "",
            "model,score\nfern,90\nfern,90\nmoss,80\n",
            [("fern", "90", None), ("moss", "80", None)],
            id="the same row twice counts once",
        ),
        pytest.param(
            "",
            "model,score\nfern,90\nmoss,80\nfern,78\nfern#2,1\n",
            [("fern", "90", None), ("moss", "80", None), ("fern#3", "78", None), ("fern#2", "1", None)],
            id="different scores stand apart",
        ),
        pytest.param(
            'keep = "best"',
            "model,score\nfern,8\nfern,9\nfern,\nmoss,1\n",
            [("fern", "9", None), ("moss", "1", None)],
            id="the best",
        ),
        pytest.param(
            'keep = "latest"\nlatest_by = "day"',
            "model,score,day\nnorth,0.91,2026-02-03\nnorth,0.85,2026-02-05\nnorth,,2026-02-06\n",
            [("north", "0.85", None)],
            id="the latest that has a score",
        ),
        pytest.param(
            'keep = "latest"\nlatest_by = "try"',
            "model,score,try\nnorth,1,9\nnorth,2,10\n",
            [("north", "2", None)],
            id="the latest by number",
        ),
        pytest.param(
            'keep = "refuse"',
            "model,score\nfern,90\nfern,78\nmoss,80\n",
            [("fern", "90", "duplicate"), ("fern#2", "78", "duplicate"), ("moss", "80", None)],
            id="refused: neither is ranked",
        ),
        pytest.param(
            '[aliases]\n"fern v1.1" = "fern"',
            "model,score\nfern v1.1,90\nmoss,80\n",
            [("fern", "90", None), ("moss", "80", None)],
            id="aliases name the entry",
        ),
    ],
)  # fmt: skip
def test_rows_of_a_table(tmp_path, options, data, expected):
    meaning = meaning_of(tmp_path, TABLE + options, "board.csv")
    assert standing(read_table(meaning, "board.csv", data.encode())) == expected


def test_the_best_where_lower_is_better(tmp_path):
    text = TABLE.replace("higher", "lower") + 'keep = "best"'
    meaning = meaning_of(tmp_path, text, "board.csv")
    reading = read_table(meaning, "board.csv", b"model,score\nfern,9\nfern,8\n")
    assert standing(reading) == [("fern", "8", None)]


PRICED = TABLE + '[table.parts]\nvotes = "votes"\n'


@pytest.mark.parametrize(
    ("data", "votes"),
    [
        pytest.param("fern;81,5;2.400\nmoss;9,75;310\n", [2400, 310], id="a comma elsewhere"),
        pytest.param("fern;81.5;2.400\nmoss;9.75;310\n", [2.4, 310], id="a point elsewhere"),
        pytest.param("fern;81,5;2.400\nmoss;9,75;0.31\n", [2.4, 0.31], id="a point here"),
        pytest.param("fern;81,5;2.400\nmoss;9,75;12,5\n", [2400, 12.5], id="a comma here"),
        pytest.param("fern;815;2.400\nmoss;975;310\n", [2.4, 310], id="no mark elsewhere"),
    ],
)
def test_a_file_has_one_decimal_mark(tmp_path, data, votes):
    reader = TableReader(meaning_of(tmp_path, PRICED, "b.csv"))
    for _ in range(2):
        reading = reader.read("b.csv", b"model;score;votes\n" + data.encode())
        assert list(reading.fields["votes"].values) == votes


@pytest.mark.parametrize(
    ("data", "kind", "found"),
    [
        pytest.param(
            "model,score\nfern,1\nmoss\noak,3\n", "partial", "row 3 has 1 cell,", id="ragged"
        ),
        pytest.param(
            "model,score\nfern,1\n,2\n", "partial", "row 1 (from 0) has no entry", id="no key"
        ),
        pytest.param("model,score\nfern,1\nfern,1\n", "read", "'fern' is repeated", id="repeated"),
        pytest.param(
            "model,score\nfern,1\nfern,2\n", "read", "different scores: 1, 2", id="differ"
        ),
        pytest.param("model,score\nfern,soon\n", "read", "no number: 'soon'", id="no number"),
        pytest.param(f"model,score\nfern,{'x' * 999}\n", "read", "xxx...", id="cut where long"),
        pytest.param("model,score\n", "empty", None, id="a header alone"),
    ],
)
def test_what_is_reported(tmp_path, data, kind, found):
    reading = read_table(meaning_of(tmp_path, TABLE, "b.csv"), "b.csv", data.encode())
    assert reading.reading == kind
    assert (reading.found is None) if found is None else (found in reading.found)


@pytest.mark.parametrize(
    ("text", "data", "reason", "says"),
    [
        pytest.param(TABLE, b'[{"model": "a", "Score": 1}]', "no_table", "column 'score'; nearest: Score", id="score"),
        pytest.param(TABLE, b'[{"modl": "a", "score": 1}]', "no_table", "nearest: modl", id="key"),
        pytest.param(TABLE + '[table.parts]\npub = "pub"', b'[{"model": "a", "score": 1}]', "no_table", "column 'pub'", id="a part"),
        pytest.param(TABLE + "where = 'kind == 1'", b'[{"model": "a", "score": 1}]', "no_table", "column 'kind'", id="a condition's column"),
        pytest.param(TABLE.replace('"model"', '"@key"'), b'[{"score": 1}]', "no_table", "a list, not an object", id="no keys"),
        pytest.param(TABLE, b"[", "invalid_json", "line 1", id="no JSON"),
    ],
)  # fmt: skip
def test_a_version_that_cannot_be_read(tmp_path, text, data, reason, says):
    reading = read_table(meaning_of(tmp_path, text), "board.json", data)
    assert (reading.reading, reading.reason, len(reading.entries)) == ("unreadable", reason, 0)
    assert says in reading.found


@pytest.mark.parametrize(
    ("text", "data", "found"),
    [
        pytest.param(TABLE, b"[]", "no rows", id="an empty list is a state of the board"),
        pytest.param(TABLE + "where = 'score > 5'", b'[{"model": "a", "score": 1}]', "1 row, none takes part", id="nobody takes part"),
    ],
)  # fmt: skip
def test_a_board_without_entries_is_empty(tmp_path, text, data, found):
    reading = read_table(meaning_of(tmp_path, text), "board.json", data)
    assert (reading.reading, reading.reason, reading.found) == ("empty", None, found)


def test_scores_in_an_object_keyed_by_entry(tmp_path):
    text = TABLE.replace('"model"', '"@key"').replace('"score"', '"$"')
    reading = read_table(meaning_of(tmp_path, text), "board.json", b'{"fern": 81, "a/b": 80}')
    assert standing(reading) == [("fern", "81", None), ("a/b", "80", None)]
    assert list(reading.fields["score"].pointers) == ["/fern", "/a~1b"]


def test_known_errors(tmp_path):
    meaning = meaning_of(tmp_path)
    data = b'[{"model": "fern", "score": 9000}, {"model": "moss", "score": 80}]'
    reading = read_table(meaning, "b.json", data, Overrides({}, {"fern": "a count"}))
    assert standing(reading) == [("fern", "9000", "no_score"), ("moss", "80", None)]
    assert reading.fields["score"].ticks == [None, 80]
    assert reading.found == "the score of 'fern' is ignored: a count"
    whole = read_table(meaning, "b.json", data, Overrides({}, {None: "a test"}))
    assert (whole.reading, whole.reason, whole.found) == ("unreadable", "ignored", "a test")


def test_a_missing_published_rank_is_no_reason_to_give_up(tmp_path):
    data = b'{"models": [{"engine": "fern", "name": "F", "v": 1, "pub": 1}]}'
    reading = read_table(meaning_of(tmp_path, JSON), "b.json", data)
    assert (reading.reading, list(reading.ranks), reading.band) == ("read", [None], None)


def test_versions_in_a_row_read_as_each_alone(tmp_path):
    meaning = meaning_of(tmp_path, TABLE + "where = 'score < 90'", "b.csv")
    files = [
        b"model,score\nfern,81\nmoss,80\n oak,70\n",
        b"model,score\nfern,81\nmoss,80.5\n oak,70\n",
        b"model,score\nfern,81\nmoss,80.5\n",
        b"nothing",
        b"model,score\nfern,81\nmoss,95\n oak,n/a\n",
        b"model,score\nfern,81\nmoss,80\n oak,70\n",
    ]
    reader = TableReader(meaning)
    for data in files:
        together, alone = reader.read("b.csv", data), read_table(meaning, "b.csv", data)
        assert standing(together) == standing(alone) if alone.fields else not together.fields
        assert (together.reading, together.found) == (alone.reading, alone.found)


MEASURED = TABLE + 'low = "score"\nhigh = "high"\nse = "score"\nitems = "votes"\n'


def measures(reading):
    """Every measure: text, value, decimals and pointer of each entry."""
    found = {}
    for name in ("low", "high", "se", "items"):
        field = reading.fields[name]
        values = [None if math.isnan(value) else value for value in field.values]
        found[name] = list(field.texts), values, field.dp, list(field.pointers)
    return found


def test_interval_error_and_items_of_a_score(tmp_path):
    data = b'model,score,high,votes\nfern,71.2 +/- 0.8,72.5,"1,234,567"\nmoss,70,,n/a\n'
    reading = read_table(meaning_of(tmp_path, MEASURED, "b.csv"), "b.csv", data)
    scores = ["71.2 +/- 0.8", "70"]
    assert (reading.reading, reading.found, reading.fields["score"].ticks) == (
        "read",
        None,
        [712, 700],
    )
    assert measures(reading) == {
        "low": (scores, [70.4, None], 1, ["cell=2,2", "cell=3,2"]),
        "high": (["72.5", ""], [72.5, None], 1, ["cell=2,3", "cell=3,3"]),
        "se": (scores, [0.8, None], 1, ["cell=2,2", "cell=3,2"]),
        "items": (["1,234,567", "n/a"], [1234567, None], 0, ["cell=2,4", "cell=3,4"]),
    }


def test_a_version_without_the_column_of_a_measure_has_gaps(tmp_path):
    reading = read_table(
        meaning_of(tmp_path, MEASURED, "b.csv"), "b.csv", b"model,score\nfern,71\n"
    )
    assert reading.reading == "read"
    assert measures(reading)["high"] == ([None], [None], 0, [None])
    assert measures(reading)["low"] == (["71"], [None], 0, ["cell=2,2"])


def test_measures_in_a_file_with_decimal_commas(tmp_path):
    data = "model;score;high;votes\nfern;71,2 ± 0,8;72,5;1.234\nmoss;70;71;950\n".encode()
    reading = read_table(meaning_of(tmp_path, MEASURED, "b.csv"), "b.csv", data)
    assert [measures(reading)[name][1] for name in ("low", "high", "se", "items")] == [
        [70.4, None],
        [72.5, 71.0],
        [0.8, None],
        [1234, 950],
    ]


TWO_SCALES = "model,score,flag\nfern,0.712,\nmoss,69.8,x\nlichen,0.703,\n"


@pytest.mark.parametrize(
    ("options", "data", "expected"),
    [
        pytest.param("", TWO_SCALES, "mixed_scale", id="two scales"),
        pytest.param("scale = 1", TWO_SCALES, None, id="the definition says that it is one"),
        pytest.param("where = 'not flag exists'", TWO_SCALES, None, id="the other takes no part"),
        pytest.param("eligible = 'not flag exists'", TWO_SCALES, None, id="nor is it ranked"),
        pytest.param("", "model,score\nfern,0.6\nmoss,29.9\n", None, id="a small percentage"),
        pytest.param("", "model;score\nfern;0,712\nmoss;69,8\n", "mixed_scale", id="with commas"),
    ],
)
def test_two_scales_are_not_ranked_together(tmp_path, options, data, expected):
    meaning = meaning_of(tmp_path, TABLE + options, "b.csv")
    assert read_table(meaning, "b.csv", data.encode()).reason == expected


def test_two_scales_are_told_with_both_readings(tmp_path):
    reading = read_table(meaning_of(tmp_path, TABLE, "b.csv"), "b.csv", TWO_SCALES.encode())
    assert (reading.reading, reading.found) == (
        "unreadable",
        "score mixes values up to 1 (2 rows) with values up to 69.8 (1 row: moss): "
        '0.712 is 0.712 or 71.2. Write scale = 1 if all are right, "percent" if up to 1 are shares',
    )
    ignored = Overrides({}, {"moss": "not in percent"})
    assert (
        read_table(
            meaning_of(tmp_path, TABLE, "b.csv"), "b.csv", TWO_SCALES.encode(), ignored
        ).reason
        is None
    )


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        pytest.param(
            ["(0.4)", "71"], "is ambiguous, -0.4 or 0.4 in brackets: '(0.4)'", id="brackets"
        ),
        pytest.param(["12 s", "450 ms"], "is ambiguous, 12 s or 12 ms: '12 s'", id="units"),
        pytest.param(["<0.1", "71"], "is a bound, no value: '<0.1'", id="a bound"),
        pytest.param(["~70", "71"], "is no exact value: '~70'", id="about"),
        pytest.param(['"1,234"', "950"], "is ambiguous, 1234 or 1.234: '1,234'", id="a comma"),
    ],
)
def test_a_score_with_two_readings_is_not_ranked(tmp_path, cells, found):
    data = "model,score\nfern,{}\nmoss,{}\n".format(*cells)
    reading = read_table(meaning_of(tmp_path, TABLE, "b.csv"), "b.csv", data.encode())
    assert reading.unranked[0] == "no_score"
    assert reading.fields["score"].ticks[0] is None
    assert f"the score of 'fern' {found}" in reading.found


SEVERAL = (
    "| version | date |\n| --- | --- |\n| 1 | May |\n\n"
    "| model | speed |\n| --- | --- |\n| fern | 9 |\n\n"
    "| model | score |\n| --- | --- |\n| fern | 81 |\n"
)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(
            'entry = "model"\nscore = "scoer"',
            "no row at line=9 has a column 'scoer'; nearest: score",
            id="the table that has the key and a score of nearly that name",
        ),
        pytest.param(
            'entry = "modle"\nscore = "speed"',
            "no row at line=5 has a column 'modle'; nearest: model",
            id="the table that has the score",
        ),
        pytest.param(
            'entry = "plant"\nscore = "height"',
            "no row at line=1 has a column 'height'; nearest: version, date",
            id="the first where none fits",
        ),
    ],
)
def test_of_several_tables_the_one_that_fits_best_lacks_a_column(tmp_path, options, expected):
    text = f'[table]\n{options}\ndirection = "higher"\n'
    reading = read_table(meaning_of(tmp_path, text, "b.md"), "b.md", SEVERAL.encode())
    assert (reading.reason, reading.found) == ("no_table", expected)


def test_a_list_or_an_object_is_no_key(tmp_path):
    text = '[table]\nentry = "m"\nscore = "s"\ndirection = "higher"\n'
    data = b'[{"m": "fern", "s": 3}, {"m": ["a"], "s": 2}, {"m": {"a": 1}, "s": 1}, {"m": "[b]", "s": 0}]'
    reading = read_table(meaning_of(tmp_path, text), "board.json", data)
    assert list(reading.entries) == ["fern", "[b]"]
    assert reading.found == "row 1 (from 0) has no entry; row 2 (from 0) has no entry"
