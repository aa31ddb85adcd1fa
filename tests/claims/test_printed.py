"""Printed numbers against claimed ones: what rounding allows and what it does not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.claims.language.printed import Measured, check_span, check_value, number


def printed(*texts: str) -> Measured:
    """One printed number, or the difference of two."""
    first, *others = (Measured.printed(text) for text in texts)
    return first if not others else first - others[0]


@pytest.mark.parametrize(
    ("measured", "claimed", "op", "approx", "expected"),
    [
        pytest.param(("8.17",), "8.2", "=", False, ("true", "certain", ()), id="rounds to it"),
        pytest.param(
            ("81.62", "75.45"), "+6.2", "=", False, ("true", "certain", ()), id="a gap rounds to it"
        ),
        pytest.param(
            ("56.41", "57.86"), "-1.45", "=", False, ("true", "printed", ()), id="only as printed"
        ),
        pytest.param(
            ("81.5", "77.56"),
            "+4.0",
            "=",
            False,
            ("within_rounding", None, ()),
            id="printed digits deny what unrounded ones may allow",
        ),
        pytest.param(
            ("8.17",), "8.4", "=", False, ("false", "certain", ()), id="no digits save it"
        ),
        pytest.param(
            ("8.17",),
            "8.16",
            "=",
            False,
            ("within_rounding", None, ("understated",)),
            id="a hair less",
        ),
        pytest.param(
            ("15.538",),
            "15",
            "=",
            False,
            ("false", "certain", ("understated",)),
            id="cut, not rounded",
        ),
        pytest.param(
            ("119.48",),
            "120",
            "=",
            False,
            ("true", "certain", ("true at 2 significant figures, not at 3",)),
            id="a round number has fewer figures",
        ),
        pytest.param(
            ("2430.4",),
            "2,430",
            "=",
            False,
            ("true", "certain", ()),
            id="all figures of a round number",
        ),
        pytest.param(("60",), "100", "=", False, ("false", "certain", ()), id="60 is not 100"),
        pytest.param(("14.955",), "15", "=", True, ("true", "certain", ()), id="about, within 5%"),
        pytest.param(("14.1",), "15", "=", True, ("false", "certain", ()), id="about, beyond 5%"),
        pytest.param(("8.2",), "8.1", ">", False, ("true", "certain", ()), id="more than"),
        pytest.param(("8.2",), "8.2", ">=", False, ("true", "printed", ()), id="at least, just"),
        pytest.param(
            ("8.2",), "8.2", ">", False, ("within_rounding", None, ()), id="more than, perhaps"
        ),
        pytest.param(("8.2",), "8.3", ">=", False, ("false", "certain", ()), id="at least, no"),
        pytest.param(
            ("-0.4",), "\u22120.4", "=", False, ("true", "certain", ()), id="a true minus sign"
        ),
    ],
)
def test_check_value(measured, claimed, op, approx, expected):
    check = check_value(printed(*measured), claimed, op, approx)
    assert (check.outcome, check.strength, check.notes) == expected


@pytest.mark.parametrize(
    ("hours", "value", "unit", "op", "approx", "expected"),
    [
        pytest.param(29, "29", "hours", "=", False, "true", id="exactly"),
        pytest.param(
            29, "29", "hours", ">", False, "within_rounding", id="a second may be missing"
        ),
        pytest.param(29, "30", "hours", "=", False, "false", id="an hour more"),
        pytest.param(29, "30", "hours", "=", True, "true", id="about an hour more"),
        pytest.param(29, "1", "day", "=", False, "false", id="29 h are not a day"),
        pytest.param(29, "1", "day", ">=", False, "true", id="29 h are at least a day"),
        pytest.param(26, "1", "day", "=", False, "true", id="a day to a tenth"),
        pytest.param(29, "1740", "minutes", "<=", False, "true", id="in minutes"),
    ],
)
def test_check_span(hours, value, unit, op, approx, expected):
    measured = Measured.around(Fraction(hours * 3600), Fraction(op not in (">=", "<=")))
    assert check_span(measured, value, unit, op, approx).outcome == expected


@given(st.decimals(-1000, 1000, places=6), st.integers(0, 5))
def test_what_a_number_rounds_to_is_true(exact, places):
    claimed = f"{round(exact, places):f}"
    assert check_value(Measured.exact(Fraction(exact)), claimed).outcome == "true"


@pytest.mark.parametrize("text", ["", "70,0", "1e3", "x", "7 0", "12%", "+-3"])
def test_what_is_no_plain_number_is_refused(text):
    with pytest.raises(ValueError, match="no plain number"):
        number(text)
