"""Do the claims of four articles that no board decides come out as worked out by hand?

The tables and claims lie in seeds/; verdicts and numbers are those of methods 3.2 and 8.3 to 8.5.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from history.claims.verdict import Verdict
from tests.claims.own.own_claims import Folder

SEEDS = Path(__file__).parent / "seeds"

# id -> verdict, strength, code, and numbers by their place in the answer.
EXPECTED: dict[str, tuple[str, str | None, str | None, dict[str, Any]]] = {
    "C04": (
        "within_rounding",
        None,
        None,
        {
            "measured": 3.94,
            "low": 3.885,
            "high": 3.995,
            "claimed_low": 3.95,
            "claimed_high": 4.05,
        },
    ),
    "C05": ("true", "certain", None, {"measured": 6.17, "low": 6.16, "high": 6.18}),
    "C14": ("true", "printed", None, {"measured": -1.45, "low": -1.46, "high": -1.44}),
    "C15": (
        "not_decidable",
        None,
        "UNKNOWN_FORMULA",
        {
            "recomputed.d3-turbo": 61.138,
            "recomputed.d3": 60.842,
            "published.d3-turbo": 67.31,
            "published.d3": 67.15,
        },
    ),
    "C16": (
        "false",
        "certain",
        None,
        {"weights.Public.0": 0.49886, "weights.Public.1": 0.50089, "published.d3": 71.26},
    ),
    "C17": (
        "true_under_other",
        None,
        None,
        {
            "rows.0.ratio": 0.51,
            "rows.1.ratio": 1.65,
            "rows.2.ratio": 4.86,
            "rows.3.ratio": 9.53,
            "rows.4.ratio": 12.79,
            "rows.5.ratio": 15.54,
            "holds_in": 0,
            "of": 6,
            "best": 15.54,
            "crosses.Questions": 230.1,
        },
    ),
    "C18": ("true", "printed", None, {"measured": 15.538, "low": 15.499, "high": 15.577}),
    "C19": (
        "not_decidable",
        None,
        "NO_PAIRED_RESULTS",
        {"z": 0.94, "max_discordant": 176.0, "agreement_needed": 0.912, "se": 0.01383},
    ),
    "C20": ("true", "printed", None, {"measured": 66.68, "low": 66.63, "high": 66.73}),
    "C21": ("true", "certain", None, {"gap": -0.86, "se": 0.884, "z": 0.972}),
    "C22": (
        "true",
        "printed",
        None,
        {
            "values.GPT-6.1 Sol": 76.2,
            "values.Opus 5.5": 75.875,
            "values.Carbon-X": 73.5,
            "rank": 3,
            "rank_for_each_dropped.BioReason Coding": 2,
            "rank_for_each_dropped.BioReason Non-SNV": 1,
            "rank_for_each_dropped.GenomeQA": 2,
            "rank_for_each_dropped.NextBase": 3,
            "rank_for_each_dropped.FrontierVEP": 1,
        },
    ),
    "C23": (
        "false",
        "certain",
        None,
        {
            "leads.BioReason Coding": 3.9,
            "leads.BioReason Non-SNV": -9.7,
            "leads.GenomeQA": -3.6,
            "leads.NextBase": 6.5,
            "leads.FrontierVEP": -5.8,
            "top.0": "NextBase",
            "top.1": "BioReason Coding",
        },
    ),
    "C24": (
        "true",
        "certain",
        None,
        {
            "y": 24317.5,
            "measured": 1.5535,
            "ratio_log": 1.5497,
            "bound.0": 1.457,
            "bound.1": 1.678,
        },
    ),
    "C25": ("true_under_other", None, None, {"rows.0.ratio": 5.21, "rows.1.ratio": 1.94}),
    "X01": ("within_rounding", None, None, {"measured": 0.86, "low": 0.76, "high": 0.96}),
    "X02": ("true", "certain", None, {"measured": 14.955}),
    "X03": ("true", "certain", None, {"measured": 119.483, "low": 119.262, "high": 119.706}),
    "X04": ("true", "printed", None, {"measured": 2430.376, "low": 2425.899, "high": 2434.871}),
    "X05": (
        "true_under_other",
        None,
        None,
        {
            "rows.0.ratio": 119.5,
            "rows.1.ratio": 2430.4,
            "rows.2.ratio": 408.6,
            "rows.3.ratio": 14860.5,
        },
    ),
    "X06": ("true_under_other", None, None, {"rows.0.ratio": 4.27, "rows.1.ratio": 1.55}),
    "X07": (
        "true",
        "certain",
        None,
        {
            "y": 20928.9,
            "measured": 2.9993,
            "ratio_log": 2.9617,
            "bound.0": 2.257,
            "bound.1": 3.268,
        },
    ),
    "X08": (
        "not_decidable",
        None,
        "NO_EXTRAPOLATION",
        {"x": 90.0, "curve_range.0": 103.1, "curve_range.1": 325.2},
    ),
    "X09": (
        "true",
        "certain",
        None,
        {"members.0.answer.measured": 3.2881, "members.1.answer.measured": 2.7344},
    ),
    "X10": ("true", "certain", None, {"measured": 0.1692}),
    "X11": ("not_decidable", None, "DIFFERENT_BASELINES", {}),
    "X12": ("true", "printed", None, {"measured": 1.46, "low": 1.45, "high": 1.47}),
    "X13": ("true", "certain", None, {"measured": 7365.971, "low": 7365.956, "high": 7365.985}),
}
NOTES = {
    "C17": "fitted: (0.01049 +0.1291 × Questions) over (0.329 +0.007177 × Questions) "
    "passes 15 at 230.1 and tends to 17.98",
    "C19": "a paired test finds it if both agree on at least 89.8 to 92.5 % of the items",
    "C24": "assumes piecewise linear; whatever the curve between its points, 1.457 to 1.678",
    "C25": "holds in 1 of 2 rows: Users = 1 and Workload = one greedy user replaying sessions",
    "X03": "true at 2 significant figures, not at 3",
    "X05": "the best of 4 is 14,860.5, the median 1,419.5",
}


def verdicts(folder: Path) -> dict[str, Verdict]:
    text = (folder / "claims.toml").read_text(encoding="utf-8")
    return {verdict.id: verdict for verdict in Folder(folder).check(text)}


@pytest.fixture(scope="module")
def found() -> dict[str, Verdict]:
    return verdicts(SEEDS)


def test_every_claim_has_an_expected_verdict(found):
    assert list(found) == list(EXPECTED)


@pytest.mark.parametrize("claim", EXPECTED)
def test_verdicts(found, claim):
    verdict = found[claim]
    assert (verdict.verdict, verdict.strength, verdict.code) == EXPECTED[claim][:3]
    assert bool(verdict.would_decide) == (verdict.code is not None)


@pytest.mark.parametrize("claim", EXPECTED)
def test_numbers(found, claim):
    expected = EXPECTED[claim][3]
    got = {path: at(found[claim].answer, path) for path in expected}
    assert got == {path: near(number) for path, number in expected.items()}


@pytest.mark.parametrize("claim", NOTES)
def test_notes(found, claim):
    assert NOTES[claim] in found[claim].notes


@pytest.mark.parametrize("claim", EXPECTED)
def test_every_number_says_where_it_stands(found, claim):
    assert found[claim].evidence
    for one in found[claim].evidence:
        if one.pointer is None:
            assert one.text and one.label in ("reported", "measured", "reasoned")
        else:
            assert one.text == cell(SEEDS / str(one.path), one.pointer)


SPEED_AT = [(15, 230.1), (14.5, 190.5), (1, 2.613)]


@pytest.mark.parametrize(("value", "size"), SPEED_AT)
def test_where_the_fitted_lines_pass_a_ratio(value, size):
    verdict = Folder(SEEDS).one(
        "ratio", table="speed.md", columns=["d3-flash p50", "d3-turbo p50"], value=str(value)
    )
    (note,) = [note for note in verdict.notes if note.startswith("fitted")]
    assert f"passes {value} at {size} and" in note


# --- other names, other sizes ------------------------------------------------------------------

NAMES = {
    "d3-turbo": "Elm 2",
    "d3-flash": "Yew",
    "d3": "Elm 1",
    "Carbon-X": "Moss & Co",
    "GPT-6.1 Sol": "<b>Fern</b>",
    "Opus 5.5": "Oak",
    "NextBase": "Rain | Snow".replace("|", "/"),
    "FrontierVEP": "Wind",
    "Questions": "Leaves",
    "Private same": "Own same",
    "private_new": "own_new",
    "Private new": "Own new",
}
TENFOLD = {
    "curve.csv": lambda text: re.sub(r",(\d+)$", r",\g<1>0", text, flags=re.MULTILINE),
    "costs.csv": lambda text: re.sub(r",(\d+)(?=,|$)", r",\g<1>0", text, flags=re.MULTILINE),
    "claims.toml": lambda text: text.replace('"15653"', '"156530"').replace('"6,978"', '"69,780"'),
}


def renamed(text: str) -> str:
    names = re.compile("|".join(map(re.escape, sorted(NAMES, key=len, reverse=True))))
    return names.sub(lambda name: NAMES[name[0]], text)


def changed(folder: Path, change: Mapping[str, Callable[[str], str]]) -> dict[str, Verdict]:
    for seed in SEEDS.iterdir():
        text = seed.read_text(encoding="utf-8")
        made = change.get(seed.name, change.get("", lambda same: same))(text)
        (folder / seed.name).write_text(made, encoding="utf-8")
    return verdicts(folder)


def words(given: Mapping[str, Verdict]) -> dict[str, tuple[str, str | None]]:
    return {name: (verdict.verdict, verdict.code) for name, verdict in given.items()}


def test_other_names_change_no_verdict(found, tmp_path):
    other = changed(tmp_path, {"": renamed})
    assert words(other) == words(found)
    assert {n: v.strength for n, v in other.items()} == {n: v.strength for n, v in found.items()}


def test_ten_times_as_much_on_both_sides_changes_no_verdict(found, tmp_path):
    other = changed(tmp_path, TENFOLD)
    assert (tmp_path / "curve.csv").read_text() != (SEEDS / "curve.csv").read_text()
    assert words(other) == words(found)


def test_more_for_every_entry_changes_no_lead_and_no_gap(found, tmp_path):
    """Three points more in every cell: no average keeps its value, every comparison does."""

    def more(text: str) -> str:
        return re.sub(r",(\d+\.\d)", lambda cell: f",{float(cell[1]) + 3:.1f}", text)

    other = words(changed(tmp_path, {"benchmarks.csv": more}))
    before = words(found)
    assert {name for name in before if before[name] != other[name]} == {"C20", "C22"}


# --- reading answers and cells -------------------------------------------------------------------


def at(answer: Any, path: str) -> Any:
    """A number in an answer; names hold points, so that the longest key counts."""
    if not path:
        return answer
    if isinstance(answer, list | tuple):
        number, _, rest = path.partition(".")
        return at(answer[int(number)], rest)
    key = max((key for key in answer if f"{path}.".startswith(f"{key}.")), key=len)
    return at(answer[key], path[len(key) + 1 :])


def near(number: Any) -> Any:
    """The number, to as many digits as it was written down with."""
    if not isinstance(number, float):
        return number
    return pytest.approx(number, abs=0.51 * 10 ** -len(str(number).partition(".")[2]))


def cell(path: Path, pointer: str) -> str:
    """What stands at a pointer, read by other means than the reader under test."""
    numbers = list(map(int, re.findall(r"\d+", pointer)))
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))[numbers[0] - 1][numbers[1] - 1]
    line = path.read_text(encoding="utf-8").splitlines()[numbers[0] - 1]
    return reduce(
        lambda text, mark: text.replace(mark, ""), ["**"], line.split("|")[numbers[1]]
    ).strip()
