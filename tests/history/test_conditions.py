from __future__ import annotations

import pytest

from history.conditions import ConditionError, parse

ROW = {
    "model": "Human Expert (High)",
    "size": "7.0",
    "open": "TRUE",
    "date": "2026-10-07",
    "note": None,
    "blank": " ",
    "Team Name": "Host",
    "android": "1",
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


def test_columns_that_a_version_must_have():
    condition = parse("\"/info/type\" == 'x' and (not flag exists or flag == false)")
    assert (condition.names, condition.needed) == (("/info/type", "flag"), ("/info/type",))
