"""What holds of own numbers whatever their unprinted digits and however many there are?"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from history.claims.language.claim import Claim
from history.claims.language.printed import Measured
from history.claims.own import own_numbers
from history.claims.own.arithmetic import computed, quotient
from history.claims.own.crossings import crossings
from history.claims.own.curves import Point, between
from tests.claims.own.own_claims import Folder

FEW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
PARTS = st.fractions(-1, 1, max_denominator=1000)  # of half a unit


@st.composite
def printed(draw: Any, low: int = -9999, high: int = 9999) -> tuple[str, Fraction]:
    """A printed number, and one that prints so."""
    decimals = draw(st.integers(0, 3))
    whole = draw(st.integers(low, high))
    digits = f"{abs(whole):0{decimals + 1}d}"
    cut = len(digits) - decimals
    text = f"{'-' if whole < 0 else ''}{digits[:cut]}{'.' if decimals else ''}{digits[cut:]}"
    half = Fraction(1, 2) / 10**decimals
    return text, Fraction(whole, 10**decimals) + draw(PARTS) * half


@given(printed(), printed())
def test_a_quotient_holds_every_quotient_of_unrounded_numbers(one, other):
    above, below = (Measured.printed(text) for text, _ in (one, other))
    if below.low <= 0 <= below.high:
        with pytest.raises(ZeroDivisionError):
            quotient(above, below)
        return
    found = quotient(above, below)
    assert found.low <= one[1] / other[1] <= found.high
    assert found.low <= found.value <= found.high


@given(st.lists(printed(low=0), min_size=2, max_size=4), st.sampled_from(["+", "-", "*"]))
def test_a_formula_holds_every_result_of_unrounded_numbers(numbers, operation):
    text = f" {operation} ".join(f"({text})" for text, _ in numbers)
    found = computed(text)
    result = numbers[0][1]
    for _, number in numbers[1:]:
        change = {"+": result + number, "-": result - number, "*": result * number}
        result = change[operation]
    assert found is not None
    assert found.low <= result <= found.high
    exactly = computed(text, exact=True)
    assert exactly is not None and exactly.low == exactly.high == found.value


@given(printed(0, 400), printed(500, 900), printed(), printed(), st.fractions(0, 1))
def test_a_place_on_a_line_holds_every_unrounded_one(x1, x2, y1, y2, part):
    """Whatever the unrounded points are, the line through them passes within the ends."""
    if Fraction(x1[0]) >= Fraction(x2[0]) or x1[1] >= x2[1]:
        return
    x = Fraction(x1[0]) + part * (Fraction(x2[0]) - Fraction(x1[0]))
    one, other = (
        Point(Measured.printed(x), Measured.printed(y), ())
        for (x, _), (y, _) in [(x1, y1), (x2, y2)]
    )
    along = min(max((x - x1[1]) / (x2[1] - x1[1]), Fraction(0)), Fraction(1))
    found = between(one, other, x)
    assert found.low <= y1[1] + along * (y2[1] - y1[1]) <= found.high
    assert found.low <= found.value <= found.high


@given(
    st.dictionaries(st.integers(0, 50), st.integers(-20, 20), min_size=2, max_size=8),
    st.integers(-20, 20),
)
def test_between_crossings_a_ratio_stays_on_one_side(points, value):
    dots = [(Fraction(x), Fraction(y)) for x, y in points.items()]
    places = crossings(dots, Fraction(value))
    for (x1, y1), (x2, y2) in pairwise(sorted(dots)):
        inside = [place for place in places if x1 <= place <= x2]
        assert ((y1 - value) * (y2 - value) <= 0) == bool(inside) or y1 == y2 != value


TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 999), min_size=width, max_size=width), min_size=2, max_size=5
    )
)


def written(rows: list[list[int]]) -> str:
    """A table with one decimal; columns c0, c1; rows r0, r1."""
    header = ",".join(["p", *(f"c{n}" for n in range(len(rows[0])))])
    lines = [",".join([f"r{n}", *(f"{x / 10:.1f}" for x in row)]) for n, row in enumerate(rows)]
    return "\n".join([header, *lines, ""])


@FEW
@given(TABLES)
def test_ranks_without_a_column_are_those_of_the_other_sums(tmp_path, rows):
    (tmp_path / "a.csv").write_text(written(rows), encoding="utf-8")
    claim = Claim("c", "drop_one", subject="r0", column="c0", rank=1, table="a.csv")
    answer = own_numbers.judge(claim, tmp_path).answer
    for column in range(len(rows[0])):
        sums = [sum(row) - row[column] for row in rows]
        rank = 1 + sum(other > sums[0] for other in sums)
        assert answer["rank_for_each_dropped"][f"c{column}"] == rank
    assert answer["rank"] == answer["rank_for_each_dropped"]["c0"]


@FEW
@given(TABLES, st.data())
def test_a_certain_set_of_leads_survives_every_unprinted_digit(tmp_path, rows, data):
    width = len(rows[0])
    size = data.draw(st.integers(1, width))
    claimed = tuple(f"c{n}" for n in data.draw(st.permutations(range(width)))[:size])
    (tmp_path / "a.csv").write_text(written(rows), encoding="utf-8")
    answer = own_numbers.judge(
        Claim("c", "lead_set", subject="r0", columns=claimed, table="a.csv"), tmp_path
    )
    exact = [[x + data.draw(PARTS) / 2 for x in row] for row in rows]
    leads = {f"c{n}": exact[0][n] - max(row[n] for row in exact[1:]) for n in range(width)}
    others = [lead for name, lead in leads.items() if name not in claimed]
    least = min(leads[name] for name in claimed)
    holds = least > 0 and all(least >= other for other in others)
    if answer.strength == "certain":
        assert holds == (answer.word == "true")
    if holds:
        assert answer.word != "false"


@FEW
@given(
    st.lists(st.lists(st.integers(0, 9999), min_size=3, max_size=3), min_size=1, max_size=4),
    st.integers(0, 10),
    st.integers(0, 10),
)
def test_a_mix_that_was_made_is_never_refused(tmp_path, rows, first, second):
    """Scores that are mixes of two of three parts: of those two it is true, of the formula too."""
    a, b = Fraction(first, first + second or 1), Fraction(second, first + second or 1)
    if a + b != 1:
        return
    lines = ["p,x,y,z,score"]
    for n, (x, y, other) in enumerate(rows):
        score = a * x + b * y
        cells = [f"{value / 100:.2f}" for value in (x, y, other)]
        lines.append(",".join([f"r{n}", *cells, f"{float(score) / 100:.6f}"]))
    (tmp_path / "a.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    made = {"column": "score", "table": "a.csv"}
    alone = own_numbers.judge(Claim("c", "formula", columns=("x", "y"), **made), tmp_path)
    assert alone.word == "true"
    low, high = alone.answer["weights"]["x"]
    assert low - 1e-6 <= float(a) <= high + 1e-6
    formula = f"({first}*x + {second}*y)/{first + second}"
    said = own_numbers.judge(Claim("c", "formula", formula=formula, **made), tmp_path)
    assert said.word == "true"


# --- hostile content -----------------------------------------------------------------------------

NASTY = [
    "x" * 5000,
    "<script>alert(1)</script>",
    "\u200bfern\u200b",
    "= 1 + 1",
    "**b**",
    "🌱",
    "ITEMS ",
]


@pytest.mark.parametrize("name", NASTY)
def test_any_name_can_be_asked_for_and_no_sentence_is_long(tmp_path: Path, name: str):
    folder = Folder(tmp_path)
    folder.write("a.csv", f"p,{name},y\n{name},5.0,1.0\noak,4.0,1.0\n")
    claims = [
        ("average_of", {"subject": name, "columns": [name, "y"], "value": "3"}),
        ("ahead", {"subject": name, "other": "oak", "columns": [name]}),
        ("lead_set", {"subject": name, "columns": [name]}),
        ("drop_one", {"column": name, "values": {name: "1"}, "order": [name, "oak"]}),
        ("ratio", {"columns": [name, "y"], "value": "5"}),
        ("formula", {"column": name, "columns": ["y"]}),
        ("noise", {"subject": name, "other": "oak", "columns": [name], "items": 100}),
    ]
    for predicate, claim in claims:
        verdict = folder.one(predicate, table="a.csv", **claim)
        assert verdict.evidence and len(verdict.sentence) < 600
        assert all(len(note) < 600 for note in verdict.notes)


@pytest.mark.parametrize(
    "formula",
    ["9**9**9", "9" * 3000, "1+" * 900 + "1", "max(" * 300 + "1" + ")" * 300, "__import__('os')", "a", "1;2", "1_000", "0x10"],
)  # fmt: skip
def test_a_formula_is_arithmetic_or_refused(tmp_path: Path, formula: str):
    from history.claims.language.claim import ClaimError

    with pytest.raises(ClaimError) as caught:
        Folder(tmp_path).one("score", subject={"formula": formula}, value="1")
    assert len(str(caught.value)) < 400


def test_numbers_too_large_for_a_float_are_refused(tmp_path: Path):
    from history.claims.language.claim import ClaimError

    with pytest.raises(ClaimError, match="a number of 400 letters"):
        Folder(tmp_path).one("ratio", subject={"value": "9" * 400}, other={"value": "3"}, value="3")
    with pytest.raises(ClaimError, match="`items` has 14 digits"):
        Folder(tmp_path).one(
            "noise", subject={"value": "0.5"}, other={"value": "0.6"}, items=10**13
        )


def test_a_wide_table_takes_no_long_time(tmp_path: Path):
    folder, width = Folder(tmp_path), 200
    header = ",".join(["p", *(f"c{n}" for n in range(width))])
    rows = [",".join([f"r{n}", *(str((n * k) % 97) for k in range(width))]) for n in range(200)]
    folder.write("a.csv", "\n".join([header, *rows, ""]))
    verdict = folder.one("drop_one", table="a.csv", column="c0", subject="r1", rank=1)
    assert len(verdict.answer["rank_for_each_dropped"]) == width and len(verdict.evidence) == 40
