from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from history.meaning.formula import FormulaError, helpers, parse
from history.numbers import Interval

VALUES = {"a": Decimal("1.5"), "b": 2, "new domains": Fraction(1, 3), "none": None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("0.1 + 0.2", Fraction(3, 10), id="decimals are exact"),
        pytest.param("a - b*2", Fraction(-5, 2), id="products before sums"),
        pytest.param("-(a + b) / 7", Fraction(-1, 2), id="unary minus and parentheses"),
        pytest.param("max(0, a - b)", Fraction(0), id="a floor"),
        pytest.param("min(a, b, 1)", Fraction(1), id="the least of several"),
        pytest.param('3*"new domains"', Fraction(1), id="a quoted name"),
        pytest.param("a + none", None, id="a missing value leaves no result"),
        pytest.param("a / (b - 2)", None, id="a divisor of zero leaves no result"),
        pytest.param("1.5e2", Fraction(150), id="an exponent"),
        pytest.param("a +\n  b", Fraction(7, 2), id="over several lines"),
    ],
)
def test_a_formula_has_an_exact_value(text, expected):
    assert parse(text).evaluate(VALUES) == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "1 to 2000 letters", id="empty"),
        pytest.param("a +", "'a +' is no formula", id="cut off"),
        pytest.param("a ** 9", "'a ** 9' is no arithmetic", id="powers"),
        pytest.param("a.b", "'a.b' is no arithmetic", id="attributes"),
        pytest.param("a[0]", "no arithmetic", id="places"),
        pytest.param("(lambda: 1)()", "no arithmetic", id="code"),
        pytest.param("__import__('os')", "no function '__import__'", id="calls of anything else"),
        pytest.param("mxa(a, b)", "there is max", id="a misspelt function"),
        pytest.param("max()", "at least one", id="the greatest of nothing"),
        pytest.param("0x10*a", "no decimal number", id="another base"),
        pytest.param("a < b", "no arithmetic", id="comparisons"),
        pytest.param("True", "no arithmetic", id="truth values"),
        pytest.param("(" * 300 + "a" + ")" * 300, "no formula", id="nested without end"),
    ],
)
def test_a_formula_that_makes_no_sense(text, says):
    with pytest.raises(FormulaError) as error:
        parse(text)
    assert says in str(error.value)


def test_helpers():
    functions = helpers({"eq": "eq(x, m, s) = 10 + (x - m)/s", "two": "two(x) = 2*eq(x, 0, 1)"})
    assert parse("two(a) + eq(b, 1, 4)", functions).evaluate(VALUES) == Fraction(133, 4)
    assert parse("two(a)", functions).coefficients() == (20, {"a": 2})


@pytest.mark.parametrize(
    ("written", "says"),
    [
        pytest.param({"eq": "x - m"}, "write eq(x) = ...", id="no function"),
        pytest.param({"eq": "qe(x) = x"}, "write eq(x) = ...", id="another name than its key"),
        pytest.param({"eq": "eq(x) = x - m"}, "'m' is no parameter", id="a name from outside"),
        pytest.param({"eq": "eq(x, x) = x"}, "named twice", id="a parameter twice"),
        pytest.param({"eq": "eq(x) = eq(x)"}, "no function 'eq'", id="itself"),
        pytest.param({"max": "max(x) = x"}, "write max(x) = ...", id="a built-in"),
    ],
)
def test_a_helper_that_makes_no_sense(written, says):
    with pytest.raises(FormulaError) as error:
        helpers(written)
    assert says in str(error.value)
    assert str(error.value).startswith(next(iter(written)))


def test_intervals_go_through():
    values = {"a": Interval.printed("1.5"), "b": Interval.printed("2")}
    assert parse("2*a + 1").evaluate(values) == Interval(Fraction("3.9"), Fraction("4.1"))
    assert parse("max(a, 1.5)").evaluate(values) == Interval(Fraction("1.5"), Fraction("1.55"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("0.6*a + 0.4*b", (0, {"a": Fraction(3, 5), "b": Fraction(2, 5)}), id="a mix"),
        pytest.param("a - a + 1", (1, {"a": 0}), id="a name that cancels out"),
        pytest.param("max(1, 2)*a/4", (0, {"a": Fraction(1, 2)}), id="constants fold"),
        pytest.param("a*b", None, id="a product of names"),
        pytest.param("1/a", None, id="a divisor"),
        pytest.param("min(a, b)", None, id="the lesser of two"),
    ],
)
def test_coefficients_of_linear_formulas(text, expected):
    assert parse(text).coefficients() == expected


def test_a_formula_nested_without_end_is_refused():
    with pytest.raises(FormulaError, match="deep"):
        parse("-" * 1500 + "x")
