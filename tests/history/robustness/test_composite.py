"""What a score is made of, from the definition, and whether that gives the printed scores."""

from __future__ import annotations

from fractions import Fraction

import pytest

from history.robustness import NoComposite, composite_of
from tests.history.by_hand import scores_of_fields
from tests.history.definitions import TABLE, meaning_of

PARTS = """
[table.parts]
u = "u"
v = "v"
"""
COSTLY = """
[table.parts]
u = "u"
v = "v"
cost = { column = "cost", direction = "lower" }
"""
MIX = '[splits]\nmix = "0.75*u + 0.25*v"\n'
# score, u, v: the plain mean but for what is printed of it
MEANS = {
    "ash": {"score": "60.0", "u": "70.0", "v": "50.0"},
    "bay": {"score": "55.0", "u": "40.0", "v": "70.0"},
    "cob": {"score": "20.0", "u": "10.0", "v": "30.0"},
}


def made(folder, text, board=MEANS, known=None, unranked=None):
    meaning = meaning_of(folder, TABLE + text)
    return composite_of(scores_of_fields(board, unranked=unranked), meaning, None, known)


@pytest.mark.parametrize(
    ("text", "label", "source", "weights", "fits"),
    [
        pytest.param(PARTS, "assumed", "mean of the parts", "1/2 1/2", 3, id="nothing is said"),
        pytest.param(
            PARTS + '[formula]\nscore = "0.5*u + 0.5*v"',
            "formula",
            "[formula] of the definition",
            "1/2 1/2",
            3,
            id="a formula",
        ),
        pytest.param(
            PARTS + '[formula]\nscore = "0.8*u + 0.2*v"',
            "formula",
            "[formula] of the definition",
            "4/5 1/5",
            0,
            id="a formula that is not that of the scores is the board's all the same",
        ),
        pytest.param(
            PARTS + '[formula]\nscore = "max(0, 0.5*u + 0.5*v)"',
            "formula",
            "[formula] of the definition",
            "1/2 1/2",
            3,
            id="a formula with a floor",
        ),
        pytest.param(
            PARTS + MIX, "assumed", "mean of the parts", "1/2 1/2", 3, id="a split that gives none"
        ),
        pytest.param(
            PARTS + '[splits]\nmix = "0.5*u + 0.5*v"\n',
            "split",
            "the formula of the split 'mix'",
            "1/2 1/2",
            3,
            id="a split that gives the scores",
        ),
        pytest.param(
            PARTS + '[formula]\nscore = "u*v"',
            "assumed",
            "mean of the parts",
            "1/2 1/2",
            3,
            id="a formula that is no sum",
        ),
    ],
)
def test_weights(text, label, source, weights, fits, tmp_path):
    found = made(tmp_path, text)
    assert (found.label, found.source) == (label, source)
    assert found.weights == tuple(Fraction(one) for one in weights.split())
    assert (found.reproduction.fits, found.reproduction.of) == (fits, 3)
    assert found.reproduction.ok == (fits == 3)


def test_a_formula_that_is_no_sum_is_noted(tmp_path):
    (note,) = made(tmp_path, PARTS + '[formula]\nscore = "u*v"').notes
    assert note.startswith("the board's formula is no sum of multiples of parts")


def test_weights_that_stand_in_the_file(tmp_path):
    text = PARTS + '[formula]\nscore = \'"$.w.u"*u + "$.w.v"*v\''
    found = made(tmp_path, text, known={"$.w.u": Fraction(1, 4), "$.w.v": Fraction(3, 4)})
    assert (found.label, found.weights) == ("formula", (Fraction(1, 4), Fraction(3, 4)))
    unknown = made(tmp_path, text, known={"$.w.u": Fraction(1, 4), "$.w.v": None})
    assert unknown.label == "assumed"


def test_without_any_that_fits_a_split_goes_before_the_mean(tmp_path):
    board = {entry: row | {"score": "99.0"} for entry, row in MEANS.items()}
    found = made(tmp_path, PARTS + MIX, board)
    assert (found.label, found.weights) == ("split", (Fraction(3, 4), Fraction(1, 4)))
    assert found.reproduction.off == ("ash", "bay", "cob")


def test_scale_and_rest(tmp_path):
    """The edition of October: equated parts, whose constants are in the formula."""
    text = PARTS + '[formula]\nscore = "max(0, 0.6*eq(u) + 0.4*v)"\neq = "eq(x) = 10 + 2*(x - 5)"'
    board = {
        "ash": {"score": "104.0", "u": "70.0", "v": "50.0"},
        "bay": {"score": "0.0", "u": "-40.0", "v": "1.0"},
    }
    found = made(tmp_path, text, board)
    assert (found.scale, found.rest) == (Fraction(8, 5), 0)
    assert found.weights == (Fraction(3, 4), Fraction(1, 4))
    assert found.reproduction == (1, 1, 0, (), ("bay",))  # bay stands at the floor


@pytest.mark.parametrize(
    ("board", "fits"),
    [
        pytest.param({"score": "60.1", "u": "70.0", "v": "50.0"}, True, id="a tenth off: rounding"),
        pytest.param({"score": "60.2", "u": "70.0", "v": "50.0"}, False, id="two tenths are not"),
    ],
)
def test_what_rounding_explains(board, fits, tmp_path):
    found = made(tmp_path, PARTS, {"ash": board, "bay": MEANS["bay"]})
    assert ("ash" not in found.reproduction.off) == fits


def test_parts_that_are_better_when_lower(tmp_path):
    """A cost is on another scale: it counts only where that gives the scores."""
    board = {entry: row | {"cost": "12.5"} for entry, row in MEANS.items()}
    found = made(tmp_path, COSTLY, board)
    assert (found.parts, found.left_out, found.flipped) == (("u", "v"), ("cost",), ())
    assert found.source == "mean of the parts with the score's direction"
    less = {
        entry: row | {"cost": "9.0", "score": f"{(float(row['u']) + float(row['v']) - 9) / 3:.1f}"}
        for entry, row in MEANS.items()
    }
    found = made(tmp_path, COSTLY, less)
    assert (found.parts, found.flipped) == (("u", "v", "cost"), ("cost",))
    assert found.ticks[:, 2].tolist() == [-90, -90, -90]


def test_a_formula_decides_which_way_a_part_counts(tmp_path):
    found = made(tmp_path, PARTS + '[formula]\nscore = "u - 0.25*v"')
    assert (found.flipped, found.weights) == (("v",), (Fraction(4, 5), Fraction(1, 5)))
    assert found.notes == ("the weights count 'v' the other way than its direction says",)


def test_a_score_that_is_better_when_lower(tmp_path):
    text = TABLE.replace("higher", "lower") + (
        '[table.parts]\nu = { column = "u", direction = "lower" }\n'
        'v = { column = "v", direction = "lower" }\n'
    )
    found = composite_of(scores_of_fields(MEANS), meaning_of(tmp_path, text))
    assert (found.sign, found.flipped, found.label) == (-1, ("u", "v"), "assumed")
    assert found.ticks[0].tolist() == [-700, -500]
    assert found.totals[0].middle == -60
    assert found.reproduction.ok


def test_who_lacks_a_part_is_unranked(tmp_path):
    board = MEANS | {
        "dew": {"score": "99.0", "u": "99.0", "v": None},
        "elm": {"score": None, "u": "1.0", "v": "2.0"},
        "fir": {"score": "98.0", "u": "98.0", "v": "98.0"},
    }
    found = made(tmp_path, PARTS, board, unranked={"elm": "no_score", "fir": "ineligible"})
    assert found.entries == ("ash", "bay", "cob", "elm")
    assert found.incomplete == ("dew",)
    assert found.totals[3] is None and found.reproduction.of == 3


def test_parts_of_different_decimals(tmp_path):
    board = {
        "ash": {"score": "60", "u": "70.25", "v": "50"},
        "bay": {"score": "55", "u": "40.50", "v": "70"},
    }
    found = made(tmp_path, PARTS, board)
    assert found.dp == 2
    assert found.ticks.tolist() == [[7025, 5000], [4050, 7000]]
    assert found.units.tolist() == [[1, 100], [1, 100]]


@pytest.mark.parametrize(
    ("text", "board", "found"),
    [
        pytest.param(
            "", MEANS, "the board's definition names no parts of the score", id="no parts"
        ),
        pytest.param(
            '[table.parts]\nu = "u"\n', MEANS, "the score has one part: what", id="one part"
        ),
        pytest.param(
            '[table.parts]\nu = "u"\nwhole = "score"\n',
            {entry: row | {"whole": row["score"]} for entry, row in MEANS.items()},
            "the score is the part 'whole' itself: what",
            id="the score is one of the parts",
        ),
        pytest.param(
            PARTS,
            {"ash": MEANS["ash"], "bay": {"score": "1.0", "u": None, "v": "1.0"}},
            "1 entry has a number in every part (u, v)",
            id="one entry is complete",
        ),
        pytest.param(
            PARTS,
            {"ash": {"score": "1.0", "u": None, "v": None}},
            "no entry has a number in every part (u, v)",
            id="nobody is complete",
        ),
    ],
)
def test_no_composite(text, board, found, tmp_path):
    missing = made(tmp_path, text, board)
    assert isinstance(missing, NoComposite)
    assert missing.found.startswith(found)
    assert missing.would_decide.startswith("the score of every entry in each part")


def test_numbers_too_long_for_int64(tmp_path):
    long = "1" + "0" * 20
    board = {"ash": MEANS["ash"] | {"u": long}, "bay": MEANS["bay"]}
    frame = scores_of_fields(MEANS | {"ash": MEANS["ash"]})
    frame["u.ticks"] = frame["u.ticks"].astype(object)
    frame.loc[0, "u.ticks"] = int(board["ash"]["u"])
    found = composite_of(frame, meaning_of(tmp_path, TABLE + PARTS))
    assert found.ticks.dtype == object
    assert int(found.ticks[0][0]) == 10**20
