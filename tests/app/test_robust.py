"""The `robust` command on a real store: the Carbon-X table, and boards without parts or errors."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import robust_report
from app.output import people_text
from history.numbers import Interval
from history.records import robust_record
from history.robustness import weigh
from tests.app.small_board import DEFINITION as GARDEN
from tests.app.small_board import Garden, board_json, define, run
from tests.histories import History
from tests.history.robustness.carbon import AVERAGES, CARBON, GPT, OPUS, PARTS, PRINTED
from tests.history.robustness.tables import composites

TABLE = """
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["{path}"]

[table]
entry = "model"
score = "{score}"
direction = "higher"
"""
PARTS_OF = "[table.parts]\n" + "".join(f'{part} = "{part}"\n' for part in PARTS)
CARBON_CSV = "\n".join(
    [
        f"model,{','.join(PARTS)},average",
        *[f"{entry},{','.join(row)},{AVERAGES[entry]}" for entry, row in PRINTED.items()],
        f"half a run,1.0,,,,,{1.0}",
    ]
)
ERRORS_CSV = "model,score,se\nash,80.0,1.0\nbay,79.5,1.0\ncob,60.0,1.0\n"


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    folder = tmp_path_factory.mktemp("robust")
    upstream = History(folder / "upstream.git")
    plants = [
        board_json("1", ("fern", "Fern", 70.4, 80.3, 60.5), ("moss", "Moss", 70.2, 70.5, 69.9)),
        board_json("2", ("fern", "Fern", 71.5, None, None), ("moss", "Moss", 70.2, None, None)),
    ]
    files = {"carbon.csv": CARBON_CSV, "errors.csv": ERRORS_CSV, "board.json": plants[0]}
    commits = [
        upstream.commit(files, "2026-10-22T08:00:00Z"),
        upstream.commit({"board.json": plants[1]}, "2026-10-23T08:00:00Z"),
        upstream.commit({"board.json": '{"label": '}, "2026-10-24T08:00:00Z"),
    ]
    store = folder / "store"
    define(store, "carbon-x", TABLE.format(path="carbon.csv", score="average") + PARTS_OF)
    define(store, "errors", TABLE.format(path="errors.csv", score="score") + 'se = "se"\n')
    define(store, "garden", GARDEN)
    assert run(store, "crawl").exit_code == 0
    return Garden(store, upstream, commits)


@pytest.fixture(scope="module")
def carbon(garden: Garden) -> dict:
    return garden.json("robust", "carbon-x")


def test_what_was_looked_at(carbon, garden):
    names = ("board", "commit", "committed_at", "edition", "split", "n_ranked", "rank_convention")
    assert [carbon[name] for name in names] == [
        "carbon-x",
        garden.commits[0],
        "2026-10-22T08:00:00Z",
        None,
        None,
        8,
        "competition",
    ]
    assert carbon["ties"] == {"rule": "none", "band": None, "edge": None}
    assert (carbon["score_label"], carbon["label"]) == ("measured", "reasoned")
    assert (carbon["first"], carbon["code"]) == ([GPT], None)


def test_weights(carbon):
    weights = carbon["weights"]
    assert (weights["label"], weights["source"]) == ("assumed", "mean of the parts")
    assert [one["weight"] for one in weights["parts"]] == [0.2] * 5
    told = weights["reproduces"]
    assert (told["ok"], told["of"], told["fits"]) == (True, 7, 7)
    assert (carbon["n_compared"], carbon["incomplete"]) == (7, ["half a run"])
    assert weights["recovery"]["possible"]


def test_drop_one(carbon):
    firsts = {one["dropped"]: one["first"] for one in carbon["drop_one"]}
    assert firsts == {
        None: [GPT],
        "coding": [GPT],
        "non_snv": [CARBON],
        "genome_qa": [GPT],
        "next_base": [GPT],
        "frontier_vep": [CARBON],
    }
    last = carbon["drop_one"][-1]
    assert (last["gap"], last["gap_low"], last["gap_high"]) == (0.05, -0.05, 0.15)
    assert (last["decidable"], last["code"]) == (False, "WITHIN_ROUNDING")
    assert [one["rank"] for one in last["entries"]] == [1, 2, 3, 4, 5, 6, 7]
    assert {one["entry"]: one["alone"] for one in carbon["subsets"]["leads"]} == {
        GPT: 14,
        CARBON: 11,
        OPUS: 6,
    }


def test_reweighting(carbon):
    moved = carbon["reweighting"]
    assert moved["sentence"] == (
        f"The lead of {GPT} survives until 6.6% of the weight moves: 6.6% from non_snv to next_base "
        f"makes {CARBON} level."
    )
    assert round(moved["least_movement"], 4) == 0.0656
    rivals = {one["entry"]: one for one in moved["rivals"]}
    assert [entry for entry, one in rivals.items() if one["can_be_first"]] == [CARBON, OPUS]
    assert round(rivals[CARBON]["share"], 4) == 0.6628
    assert [one["entry"] for one in carbon["share_of_weightings"]] == [GPT, CARBON, OPUS]
    assert (carbon["draws"], carbon["seed"]) == (400_000, 20261022)


def test_votes_scales_and_parts_as_a_sample(carbon):
    votes = carbon["social_choice"]
    assert votes["says"].endswith("never the fair rank")
    assert (votes["condorcet"], votes["first_second"]["votes"]) == (GPT, [3, 2])
    assert (votes["kemeny"]["agrees"], votes["kemeny"]["of"]) == (87, 105)
    swapped = {one["scale"]: one["swapped_by_entrant"] for one in carbon["equating"]}
    assert swapped == {"raw": False, "z-score": True, "min-max": True}
    assert round(carbon["over_parts"]["test"]["t"], 2) == 0.34


def test_no_errors_no_rank_intervals(carbon):
    assert carbon["rank_intervals"] is None
    missing = carbon["rank_intervals_undecided"]
    assert missing["code"] == "NO_SE"
    assert missing["would_decide"].startswith("a standard error, an interval or a number of items")


def test_for_people(garden, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    done = garden.run("robust", "carbon-x")
    text = " ".join(done.stdout.split())
    for said in (
        "(assumed); they give all 7 printed scores",
        "Compared are the 7 entries that have every part; 1 lacks one.",
        "survives until 6.6% of the weight moves",
        "not decidable",
        "No weights bring the other 4 level.",
        "(a sensitivity, not the fair rank)",
        "Kemeny's order (the only best, 87 of 105 votes on pairs): GPT-6.1 Sol > Carbon-X",
        "Rank intervals: not decidable from this file (NO_SE)",
    ):
        assert said in text
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    assert len(done.stdout.splitlines()) < 50


def test_as_csv(garden):
    rows = list(csv.DictReader(io.StringIO(garden.run("robust", "carbon-x", "--csv").stdout)))
    assert len(rows) == 6 * 7
    first = {row["dropped"]: row["entry"] for row in rows if row["rank"] == "1"}
    assert (first[""], first["non_snv"]) == (GPT, CARBON)


def test_rank_intervals_where_the_file_has_errors(garden):
    document = garden.json("robust", "errors")
    assert (document["code"], document["weights"], document["drop_one"]) == (
        "MISSING_COMPONENT",
        None,
        None,
    )
    ranks = {one["entry"]: one["ranks"] for one in document["rank_intervals"]["entries"]}
    assert ranks["ash"]["simultaneous"] == [1, 2] and ranks["cob"]["simultaneous"] == [3, 3]
    text = " ".join(garden.run("robust", "errors").stdout.split())
    assert "2 entries of 3 may truly be first" in text
    assert "Other weights: not decidable from this file (MISSING_COMPONENT)" in text


def test_at_an_older_version(garden):
    document = garden.json("robust", "garden", "--at", garden.commits[0])
    assert document["edition"] == "1"
    assert document["weights"]["label"] == "split"
    assert document["weights"]["source"] == "the formula of the split 'mix'"


def test_nobody_has_every_part(garden):
    document = garden.json("robust", "garden", "--at", "2026-10-23")
    assert document["code"] == "MISSING_COMPONENT"
    assert document["why"] == "no entry has a number in every part (public, private)"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["garden"], 1, "this version cannot be read", id="an unreadable version"),
        pytest.param(["nothing"], 2, "nothing", id="no such board"),
        pytest.param(["garden", "--at", "yesterday"], 2, "yesterday", id="no moment"),
    ],
)
def test_refusals(arguments, code, said, garden):
    done = garden.run("robust", *arguments, "--json")
    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr


def test_the_documents_fields_are_those_of_the_docstring(carbon):
    said = robust_record.__doc__ or ""
    own = {"as_of", "reconstruction"}
    assert [name for name in carbon if f'"{name}"' not in said and name not in own] == []
    assert json.loads(json.dumps(carbon)) == carbon


@settings(max_examples=40, deadline=None)
@given(composites(most=2), st.booleans(), st.integers(0, 3), st.booleans())
def test_whatever_the_numbers_are_they_can_be_told(made, long, times, turned):
    """Ties everywhere, numbers longer than int64, totals that no weights give, parts turned."""
    if long:
        ticks = made.ticks.astype(object) * 10**30 + 1
        made = replace(made, ticks=ticks, units=made.units.astype(object))
    if times:
        sums = [Fraction(int(row.sum()) * times, 10 * len(row)) for row in made.ticks]
        made = replace(made, totals=tuple(Interval.around(s, Fraction(1, 20)) for s in sums))
    if turned:
        made = replace(made, flipped=made.parts[:1], sign=-1)
    document = robust_record.of_parts(weigh(made, draws=500)) | {"first": ["a"]}
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["reweighting"]["sentence"] in " ".join(
        people_text(robust_report.blocks(document)).split()
    )


def test_a_board_whose_file_is_gone(tmp_path: Path):
    upstream = History(tmp_path / "upstream.git")
    upstream.commit({"carbon.csv": CARBON_CSV}, "2026-10-22T08:00:00Z")
    upstream.commit({"carbon.csv": None, "other": "x"}, "2026-10-23T08:00:00Z")
    define(
        tmp_path / "store", "carbon-x", TABLE.format(path="carbon.csv", score="average") + PARTS_OF
    )
    assert run(tmp_path / "store", "crawl").exit_code == 0
    done = run(tmp_path / "store", "robust", "carbon-x")
    assert done.exit_code == 0
    assert "The board's file was absent at this moment." in done.stdout
