"""Published scores from their parts, with facts of the Decision Index."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.editions.clamped_line import ClampedLine
from history.editions.file_values import FileValues
from history.editions.recompute import against_formula, in_fractions
from history.editions.score_change import split
from history.meaning.formula import helpers, parse
from history.meaning.meaning import Meaning
from history.readings import read_table
from history.scores.derived import frame
from history.scores.score_table import ScoreTable
from tests.history.definitions import meaning_of
from tests.history.editions.frames import by_name, scores
from tests.reference import editions as plain

SAMPLE = Path(__file__).parents[3] / "snapshots" / "sample"
EQ = helpers({"eq": "eq(x, m, s) = 23.4973 + 16.539081*(x - m)/s"})
TEXT_03 = parse(
    "max(0, 0.2*public + 0.5*eq(same_skills, 24.268626, 16.350451)"
    " + 0.3*eq(new_domains, 23.682619, 12.286109))",
    EQ,
)
TEXT_04 = parse(
    "0.6*eq(same_skills, 24.268626, 16.350451) + 0.4*(2.6468 + 1.23498*new_domains)", EQ
)
FIELDS = ("score", "public", "same_skills", "new_domains")

# v, pub, same_skills, new_domains on 7 October 2026.
ROWS_03 = {
    "pplx-decider-v1.1-27b": ("62.75", "62.25", "61.1", "55.57"),
    "jev": ("60.11", "57.96", "58.04", "54.98"),
    "torchcast-decision-27b": ("59.91", "65.1", "58.13", "50.83"),
    "kev-27b": ("58.78", "56.69", "55.51", "55.49"),
    "decision-2.0-vega-27b": ("55.88", "56.97", "55.71", "47.91"),
    "kev-0.8b-r15": ("13.66", "16.78", "15.84", "13.2"),
}
# The same at 0.4.1, 21 and 22 October; the last three took no part in fitting the line.
ROWS_04 = {
    "decider-chat-gemma4-31b": ("61.63", "57.79", "56.88", "54.01"),
    "rune-26b-a4b-v3": ("56.42", "58.28", "57.09", "43.2"),
    "decision-2.0-vega-27b": ("58.01", "56.97", "55.71", "48.12"),
    "kev-27b": ("59.56", "56.69", "55.51", "51.51"),
    "blink-v0.3-26b-a4b-nvfp4": ("55.92", "58.21", "57.21", "42.05"),
    "d3-turbo": ("67.31", "71.62", "64.29", "56.41"),
    "d3": ("67.15", "65.45", "62.83", "57.86"),
}
# eq.O and eq.S as the file prints them, of the first four.
EQUATED = {
    "decider-chat-gemma4-31b": ("56.48", "69.35"),
    "rune-26b-a4b-v3": ("56.7", "56"),
    "decision-2.0-vega-27b": ("55.3", "62.07"),
    "kev-27b": ("55.1", "66.26"),
}


def test_formula_of_03():
    made = against_formula(by_name(ROWS_03, *FIELDS), TEXT_03)
    expected = [float(plain.text_score_03(*row[1:])) for row in ROWS_03.values()]
    assert made["computed"].tolist() == pytest.approx(expected, abs=1e-12)
    assert made["fits"].all()
    assert made["off"].max() < 0.0105


def test_every_score_of_7_october_recomputes():
    """115 rows within 0.009, 91 of them to the printed digit."""
    file = json.loads(
        (SAMPLE / "03-2026-10-07T182558Z" / "data" / "v03.json").read_text(), parse_float=str
    )
    keys = ("v", "pub", "same_skills", "new_domains")
    rows = {
        row["engine"]: [str(row[key]) for key in keys]
        for row in file["models"]
        if all(row.get(key) is not None for key in keys)
    }
    made = against_formula(by_name(rows, *FIELDS), TEXT_03)
    assert (len(made), bool(made["fits"].all()), int(made["exact"].sum())) == (115, True, 91)
    assert round(made["off"].max(), 4) == 0.0088


def test_the_floor_of_a_formula():
    """Computed below zero and stored as 0.0."""
    rows = {"below": ("0", "1.55", "1.79", "3.88"), "above": ("13.66", "16.78", "15.84", "13.2")}
    made = against_formula(by_name(rows, *FIELDS), TEXT_03)
    assert made["computed"].tolist()[0] == 0
    assert made["fits"].all()
    without = parse(TEXT_03.without_floor().text, EQ).without_floor()
    assert against_formula(by_name(rows, *FIELDS), without)["fits"].tolist() == [False, True]


@pytest.mark.parametrize(
    ("entry", "computed"),
    [("blink-v0.3-26b-a4b-nvfp4", 55.922), ("d3-turbo", 67.313), ("d3", 67.143)],
    ids=["a row of the excerpt", "a row of the article", "its rival"],
)
def test_formula_of_04_predicts_rows_that_were_not_fitted(entry, computed):
    made = against_formula(by_name(ROWS_04, *FIELDS), TEXT_04).set_index("entry")
    assert round(made.loc[entry, "computed"], 3) == computed
    assert made.loc[entry, "computed"] == pytest.approx(
        float(plain.text_score_04(*ROWS_04[entry][2:]))
    )
    assert made["fits"].all()


@pytest.mark.parametrize("entry", list(EQUATED))
def test_equated_parts_of_04(entry):
    eq_s, eq_o = EQUATED[entry]
    _, _, same, new = ROWS_04[entry]
    assert abs(plain.equated(same, plain.M_S, plain.S_S) - Decimal(eq_s)) < Decimal("0.0055")
    assert abs(Decimal("2.6468") + Decimal("1.23498") * Decimal(new) - Decimal(eq_o)) <= Decimal(
        "0.0045"
    )
    assert abs(plain.equated(new, plain.M_O, plain.S_O) - Decimal(eq_o)) > 3  # the old constants


VISION = {"full": "(pub + priv)/2"}
CELLS = ("a", "b", "c", "r_bench", "mmmu_pro")
WEIGHTS = ("1", "1", "1", ".5", ".25")


def test_vision_is_half_and_half():
    rows = {"d3-turbo": ("72.46", "76.84", "68.08"), "off": ("72.9", "76.84", "68.08")}
    made = against_formula(by_name(rows, "score", "pub", "priv"), parse(VISION["full"]))
    assert made["computed"].tolist() == [72.46, 72.46]
    assert made["fits"].tolist() == [True, False]


def test_a_weighted_mean_with_negative_cells_as_0():
    cells = ("71.3", "-4.2", "60.0", "55.5", "-0.1")
    total = "+".join(f"{w}*max(0, {c})" for c, w in zip(CELLS, WEIGHTS, strict=True))
    formula = parse(f"({total})/({'+'.join(WEIGHTS)})")
    exact = plain.weighted_mean(cells, WEIGHTS)
    rows = {"x": (f"{float(exact):.2f}", *cells)}
    made = against_formula(by_name(rows, "score", *CELLS), formula)
    assert made["computed"].tolist() == [float(exact)]
    assert made["exact"].tolist() == [True]


def test_a_hard_coded_average_is_listed_and_not_corrected():
    rows = {"free": ("50.0", "40.0", "60.0"), "fixed": ("72", "40.0", "60.0")}
    made = against_formula(by_name(rows, "score", "a", "b"), parse("(a + b)/2"))
    wrong = made[~made["fits"]]
    assert wrong[["entry", "text", "computed", "off"]].values.tolist() == [["fixed", "72", 50, 22]]


WEIGHED = parse('"$.weights.a"*a + "$.weights.b"*b')


def said(a: str | None, b: str | None) -> FileValues:
    texts = {"$.weights.a": a, "$.weights.b": b}
    return FileValues(
        texts, {path: None if text is None else Fraction(text) for path, text in texts.items()}
    )


def test_weights_of_the_file_count_as_exact_and_by_version():
    rows = {"x": ("61.134", "64.29", "56.40")}
    both = [by_name(rows, "score", "a", "b", version=version) for version in (0, 1, 2)]
    made = [
        against_formula(one, WEIGHED, said={0: said("0.6", "0.4"), 1: said("0.5", "0.5")})
        for one in both
    ]
    assert [one["fits"].tolist() for one in made] == [[True], [False], []]
    # the part may be off by 0.005, a weight of one decimal by nothing
    near = by_name({"x": ("61.138", "64.29", "56.40")}, "score", "a", "b")
    assert against_formula(near, WEIGHED, said={0: said("0.6", "0.4")})["fits"].tolist() == [True]
    far = by_name({"x": ("61.141", "64.29", "56.40")}, "score", "a", "b")
    assert against_formula(far, WEIGHED, said={0: said("0.6", "0.4")})["fits"].tolist() == [False]


def test_a_path_without_a_number_recomputes_nothing():
    made = against_formula(
        by_name({"x": ("1", "1", "1")}, "score", "a", "b"), WEIGHED, said={0: said("0.6", None)}
    )
    assert made.empty


@pytest.mark.parametrize(
    ("formula", "row", "fits"),
    [
        pytest.param("a/b", ("2", "1", "0"), [], id="a divisor of 0 leaves the row out"),
        pytest.param("1/(a - b)", ("7", "1.0", "0.9"), [True], id="one near 0 leaves it open"),
        pytest.param("a*1e99*1e99*1e99*1e99", ("7", "1", "0"), [False], id="larger than a float"),
        pytest.param("0*a", ("0.00", "1", "0"), [True], id="a part that counts nothing"),
    ],
)
def test_odd_divisors_and_sizes(formula, row, fits):
    table = by_name({"x": row}, "score", "a", "b")
    assert against_formula(table, parse(formula))["fits"].tolist() == fits


def test_a_column_of_percentages(tmp_path):
    meaning = meaning_of(
        tmp_path,
        '[table]\nentry = "model"\nscore = "score"\ndirection = "higher"\nscale = "percent"\n'
        '[table.parts]\na = "a"\nb = "b"\n[formula]\nscore = "0.6*a + 0.4*b"\n',
        "board.csv",
    )
    text = "model,score,a,b\nhen,61.13%,64.29%,56.40%\nowl,0.6084,62.83%,57.86%\n"
    assert _compare(meaning, text)["fits"].tolist() == [True, True]


def _compare(meaning: Meaning, text: str):
    table = ScoreTable(meaning.fields)
    table.add(0, read_table(meaning, "board.csv", text.encode()))
    return against_formula(frame(table.finish()), meaning.formula)


def test_data_and_formula_have_a_closed_form():
    old, new = {"a": "63.00", "b": "57.00"}, {"a": "64.29", "b": "56.41"}
    shares = split(parse("0.6*a + 0.4*b"), parse("0.5*a + 0.5*b"), old, new)
    assert shares is not None
    assert tuple(shares) == plain.two_factors(
        {"a": "0.6", "b": "0.4"}, {"a": "0.5", "b": "0.5"}, old, new
    )
    assert [round(float(one), 3) for one in (*shares, shares.total)] == [0.444, -0.694, -0.250]
    assert split(parse("a"), parse("a + c"), old, new) is None  # a part that there was not


PRINTED = st.integers(0, 10_000).map(lambda n: str(Decimal(n).scaleb(-2)))


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(PRINTED, PRINTED, PRINTED), min_size=1, max_size=8),
    weights=st.tuples(*[st.integers(0, 100)] * 3),
    digits=st.integers(0, 4),
)
def test_a_board_that_follows_its_formula_is_never_off(rows, weights, digits):
    paths = [f"$.w.{name}" for name in "abc"]
    formula = parse(" + ".join(f'"{p}"*{n}' for p, n in zip(paths, "abc", strict=True)))
    printed = [Decimal(weight).scaleb(-2) for weight in weights]
    exact = [
        sum((w * Decimal(x) for w, x in zip(printed, row, strict=True)), Decimal(0)) for row in rows
    ]
    texts = [str(round(one, digits)) for one in exact]
    names = [f"e{n}" for n in range(len(rows))]
    a, b, c = (list(column) for column in zip(*rows, strict=True))
    table = scores(names, score=texts, a=a, b=b, c=c)
    values = FileValues(
        {p: str(w) for p, w in zip(paths, printed, strict=True)},
        {p: Fraction(w) for p, w in zip(paths, printed, strict=True)},
    )
    made = against_formula(table, formula, said={0: values})
    assert made["fits"].all() and made["exact"].all()
    whole = scores(names, score=[str(one) for one in exact], a=a, b=b, c=c)
    assert (against_formula(whole, formula, said={0: values})["off"] == 0).all()


CELLS_OF_ONE = st.tuples(st.integers(-(10**5), 10**5), st.integers(0, 4), st.sampled_from([1, 10]))


@settings(max_examples=60)
@given(
    cells=st.lists(CELLS_OF_ONE, min_size=3, max_size=3),
    factors=st.tuples(st.integers(-30, 30), st.integers(-30, 30), st.integers(1, 9)),
    clamp=st.sampled_from(["{}", "max(0, {})", "min(50, max(-3.25, {}))", "max(min({}, 9), 1)"]),
)
def test_whole_numbers_say_what_fractions_say(cells, factors, clamp):
    a, b, under = factors
    formula = parse(clamp.format(f"({a}*a + {b}*b - 1.5)/{under}"))
    flat = [number for cell in cells for number in cell]
    line = ClampedLine.of(formula, {})
    assert line is not None
    assert line.compare(flat) == in_fractions(formula, {}, flat)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a*b", id="a product"),
        pytest.param("max(a, b)", id="the larger of two parts"),
        pytest.param("1/a", id="a quotient"),
        pytest.param("max(1/0, a)", id="a floor that is no number"),
    ],
)
def test_what_is_no_line(text):
    assert ClampedLine.of(parse(text), {}) is None


def test_a_part_that_stands_twice_is_rounded_once():
    """2*a - a is a: 50.04 cannot be 50.2, whatever was not printed."""
    cells = [502, 1, 1, 500, 1, 1]
    formula = parse("2*a - a")
    line = ClampedLine.of(formula, {})
    assert line is not None and not line.compare(cells).fits
    apart = in_fractions(formula, {}, cells)  # as if they were two parts
    assert apart is not None and apart.fits
