"""Formulas and files that mean harm, or nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from crawler.board import BoardError
from history.editions.file_values import number, values_of
from history.meaning.formula import FormulaError, helpers, parse
from history.readers import parse as read
from tests.history.definitions import TABLE, meaning_of


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("a**9**9", "no arithmetic", id="powers"),
        pytest.param("__import__('os')", "no function", id="a call"),
        pytest.param("a.b", "no arithmetic", id="an attribute"),
        pytest.param("a if b else c", "no arithmetic", id="a condition"),
        pytest.param("[a for a in b]", "no arithmetic", id="a loop"),
        pytest.param("a" + "+a" * 1500, "1 to 2000 letters", id="too long"),
        pytest.param("(" * 900 + "a" + ")" * 900, "no formula", id="brackets without end"),
        pytest.param("-" * 500 + "a", "nested more than 100", id="nested too deep"),
        pytest.param("1e999*a", "no decimal number", id="a number without end"),
        pytest.param(
            "*".join(["(a" + "*a" * 49 + ")"] * 5), "more than 200 values", id="a long product"
        ),
        pytest.param("0x10*a", "no decimal number", id="another base"),
        pytest.param("max()", "at least one", id="the largest of nothing"),
    ],
)
def test_formulas_that_are_refused(text, said):
    with pytest.raises(FormulaError, match=said):
        parse(text)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param("{0}(x) + {0}(x)", "steps", id="a sum that doubles"),
        pytest.param("{0}(x) * {0}(x)", "values", id="a power of a power"),
        pytest.param("{0}({0}(x))", "values", id="a helper of itself"),
        pytest.param("1/(1 + {0}(x)) + {0}(x)", "values|steps", id="fractions of fractions"),
    ],
)
def test_helpers_that_grow_are_refused(body, said):
    written = {"f0": "f0(x) = x * x"}
    for n in range(1, 40):
        written[f"f{n}"] = f"f{n}(x) = {body.format(f'f{n - 1}')}"
    with pytest.raises(FormulaError, match=said):
        helpers(written)


def test_a_long_but_honest_formula_is_read():
    """37 weighted cells with a floor each, over a sum of weights, equated."""
    cells = " + ".join(f"0.{n + 10}*max(0, b{n})" for n in range(37))
    formula = parse(
        f"eq(({cells})/12.34)", helpers({"eq": "eq(x) = 23.4973 + 16.539081*(x - 24.27)/16.35"})
    )
    assert formula.evaluate(dict.fromkeys(formula.names, 1)) is not None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("0.60", Fraction(3, 5), id="a number"),
        pytest.param("60%", Fraction(3, 5), id="a percentage is a share"),
        pytest.param("-0.5", Fraction(-1, 2), id="below 0"),
        pytest.param("1e-3", Fraction(1, 1000), id="an exponent"),
        pytest.param("1e999999999", None, id="a number without end"),
        pytest.param("0.6 ± 0.1", None, id="a number and its spread"),
        pytest.param("~0.6", None, id="about"),
        pytest.param("NaN", None, id="not a number"),
        pytest.param("Infinity", None, id="not finite"),
        pytest.param("true", None, id="a truth"),
        pytest.param("", None, id="an empty text"),
        pytest.param('{"a": "1"}', None, id="an object"),
        pytest.param("1,234", None, id="a comma that means two things"),
        pytest.param("=1+1", None, id="what a sheet would compute"),
    ],
)
def test_numbers_at_paths(text, value):
    assert number(text) == value


FILE = b"""{"models": [{"model": "x", "score": 1, "a": 1}], "weights": {"a": %s}}"""
DEFINITION = TABLE.replace("[table]", '[table]\nrows = "$.models"') + (
    '[table.parts]\na = "a"\n[formula]\nscore = \'"$.weights.a"*a\'\n'
)


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        pytest.param(b"0.5", None, id="a number"),
        pytest.param(b'"half"', "$.weights.a finds 'half', no number", id="a text"),
        pytest.param(b"null", "$.weights.a finds nothing", id="nothing"),
        pytest.param(b"[1]", "$.weights.a finds '[\"1\"]', no number", id="a list"),
    ],
)
def test_what_a_path_finds(value, missing, tmp_path):
    meaning = meaning_of(tmp_path, DEFINITION)
    assert values_of(read("json", FILE % value), meaning).missing() == missing


@pytest.mark.parametrize(
    ("formula", "file", "said"),
    [
        pytest.param('"$.weights["', "board.json", "is no JSONPath", id="no path"),
        pytest.param('"$.w"*a', "board.csv", "format csv|no part", id="a path in a CSV"),
        pytest.param("nobody", "board.json", "there is no part 'nobody'", id="an unknown name"),
    ],
)
def test_definitions_that_are_refused(formula, file, said, tmp_path):
    form = 'format = "csv"\n' if file.endswith("csv") else ""
    text = TABLE.replace("[table]", f"[table]\n{form}") + '[table.parts]\na = "a"\n'
    with pytest.raises(BoardError, match=said):
        meaning_of(tmp_path, f"{text}[formula]\nscore = '{formula}'\n", file)


def test_blocks_are_equal_in_any_order_of_keys(tmp_path):
    meaning = meaning_of(
        tmp_path, TABLE.replace("[table]", '[table]\nrows = "$.m"') + '[edition]\nblock = "$.f"\n'
    )
    digests = {
        values_of(read("json", b'{"m": [], "f": %s}' % block), meaning).digest
        for block in (b'{"a": 1, "b": [2]}', b'{"b":[2],"a":1}')
    }
    assert len(digests) == 1
    other = values_of(read("json", b'{"m": [], "f": {"a": 2, "b": [2]}}'), meaning).digest
    assert other not in digests
    assert values_of(read("json", b'{"m": []}'), meaning).digest is None
