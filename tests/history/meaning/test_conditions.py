from __future__ import annotations

import pytest

from history.meaning.conditions import ConditionError, parse
from history.readings import read_table
from tests.history.definitions import TABLE, meaning_of

ROW = {
    "model": "Human Expert (High)",
    "size": "7.0",
    "open": "TRUE",
    "date": "2026-10-07",
    "note": None,
    "blank": " ",
    "Team Name": "Host",
    "android": "1",
    "params": "7B",
    "time": "45 ms",
    "unclear": "unknown",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("size == 7", True, id="numbers compare as decimals"),
        pytest.param("size < 10.2", True, id="and never as text"),
        pytest.param("size != 7.00", False, id="equal whatever the decimals"),
        pytest.param("model > 7", None, id="a text is neither above nor below a number"),
        pytest.param("date >= '2026-01-01'", True, id="texts compare letter by letter"),
        pytest.param("open == true", True, id="true in any spelling"),
        pytest.param("open == false", False, id="which is not false"),
        pytest.param("model ~ '^Human'", True, id="a regular expression is found"),
        pytest.param("not model ~ '^Human' and size == 7", False, id="not binds before and"),
        pytest.param("model ~ 'x' or size == 7 and open == true", True, id="and before or"),
        pytest.param("(model ~ 'x' or size == 7) and open == false", False, id="parentheses"),
        pytest.param("\"Team Name\" != 'Host'", False, id="a column in double quotes"),
        pytest.param("\"Team Name\" in ('Guest', 'Host')", True, id="one of several"),
        pytest.param("size in [1, 2]", False, id="none of several"),
        pytest.param("note == 'x'", None, id="an unknown value is unknown"),
        pytest.param("not note == 'x'", None, id="and so is its opposite"),
        pytest.param("note == 'x' or size == 7", True, id="unknown or true is true"),
        pytest.param("note == 'x' and size == 8", False, id="unknown and false is false"),
        pytest.param("note == 'x' and size == 7", None, id="unknown and true is unknown"),
        pytest.param("blank == 'x'", None, id="an empty cell is unknown"),
        pytest.param("note exists", False, id="exists is never unknown"),
        pytest.param("not note exists and size exists", True, id="exists of both"),
        pytest.param("android == 1 and not note exists", True, id="words that begin like and"),
        pytest.param("model == 'it''s'", False, id="a quote inside a text is doubled"),
        pytest.param("unclear < 8", None, id="what is no number is neither below one"),
        pytest.param("not unclear < 8", None, id="nor not below one"),
        pytest.param("unclear == 8", None, id="nor equal to one, as far as is known"),
        pytest.param("unclear in (7, 8)", None, id="nor one of several"),
        pytest.param("unclear == '8'", False, id="but another text than the text 8"),
        pytest.param("unclear == true", None, id="and neither true nor false"),
        pytest.param("not size == true", None, id="as a number is neither"),
        pytest.param("params < '8B'", True, id="7B is a number"),
        pytest.param("params == 7e9", True, id="namely 7000000000"),
        pytest.param("params < 8", None, id="a bare 8 beside it could mean 8B"),
        pytest.param("not params < 8", None, id="so the opposite is unknown, too"),
        pytest.param("params > 1000000", True, id="1000000 is no short form"),
        pytest.param("size < '8B'", None, id="a bare cell beside 8B could be short, too"),
        pytest.param("android < '1.5k'", True, id="beside k, people write whole numbers out"),
        pytest.param("params > 0", True, id="0 is the same in any unit"),
        pytest.param("time < 50", True, id="a unit that only one side names"),
        pytest.param("time < '2 s'", None, id="two units are not compared"),
    ],
)
def test_a_condition_on_a_row(text, expected):
    assert parse(text)(ROW) is expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("size =", "at letter 6, '='; expected", id="where it stopped"),
        pytest.param("size ==", "at its end; expected a column, a number", id="what is missing"),
        pytest.param("(size == 7", "at its end; expected ')'", id="an open parenthesis"),
        pytest.param("size", "expected '~', == != < <= > >=, exists, in", id="a column alone"),
        pytest.param("", "at its end; expected '('", id="nothing at all"),
        pytest.param("size == 7 8", "at letter 11, '8'; expected and, or", id="too much"),
        pytest.param("size ~ '('", "no regular expression", id="a broken pattern"),
        pytest.param("size == ''", "use `exists`", id="an empty text equals nothing"),
    ],
)
def test_a_condition_that_makes_no_sense(text, says):
    with pytest.raises(ConditionError) as error:
        parse(text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_path_needs_no_quotes():
    condition = parse("$.a == '0.4' and $.b[0]['c d'] exists and not \"$.e f\" exists")
    assert condition.names == ("$.a", "$.b[0]['c d']", "$.e f")


def test_columns_that_a_version_must_have():
    condition = parse("\"/info/type\" == 'x' and (not flag exists or flag == false)")
    assert (condition.names, condition.needed) == (("/info/type", "flag"), ("/info/type",))


SIZES = b"model,params,score\na,7B,1\nb,70 B,2\nc,,3\nd,unknown,4\ne,-,5\nf,350M,6\n"


@pytest.mark.parametrize(
    ("options", "listed", "ranked"),
    [
        pytest.param("where = \"size < '8B'\"", "af", "af", id="small"),
        pytest.param("where = \"not size < '8B'\"", "b", "b", id="not small, as far as is known"),
        pytest.param("where = \"size < 8\"", "", "", id="in no unit"),
        pytest.param("where = \"size exists and not size < '8B'\"", "b", "b", id="a text is no size"),
        pytest.param("where = \"size < '8B' or score > 3\"", "adef", "adef", id="unknown or true"),
        pytest.param("eligible = \"size < '8B'\"", "abcdef", "af", id="listed all the same"),
    ],
)  # fmt: skip
def test_an_unknown_attribute_is_unknown_and_not_false(tmp_path, options, listed, ranked):
    meaning = meaning_of(
        tmp_path, f"{TABLE}{options}\nattributes = {{ size = 'params' }}\n", "b.csv"
    )
    reading = read_table(meaning, "b.csv", SIZES)
    assert "".join(reading.entries) == listed
    who = zip(reading.entries, reading.unranked, strict=True)
    assert "".join(entry for entry, why in who if why is None) == ranked
