"""Do the parts, errors and editions of a board decide a claim, with evidence?"""

from __future__ import annotations

import json

import pytest

from tests.claims.conftest import World

PARTS = """
[table.parts]
reading = "reading"
sums = "sums"
maps = { column = "maps", direction = "higher" }
[edition]
label = "$.label"
"""
HEAD = "model,score,reading,sums,maps,n"


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """fern, moss and oak with three parts each; reed lacks one. Two editions; items on `exam`."""
    world = World(tmp_path_factory.mktemp("parts"))
    world.board("text", path="text.json", more=PARTS)
    world.board("exam", more='items = "items"\n')
    rows = {
        "fern": (70.0, "80.0", "70.0", "60.0"),
        "moss": (71.0, "75.0", "75.0", "63.0"),
        "oak": (60.0, "90.0", "30.0", "60.0"),
        "reed": (50.0, "50.0", "50.0", None),
    }
    models = [
        {"model": name, "score": score, "reading": a, "sums": b, "maps": c}
        for name, (score, a, b, c) in rows.items()
    ]
    later = [{**one, "score": one["score"] / 2} for one in models]
    exam = "model,score,items\nfern,74.9,2000\nmoss,73.6,2000\noak,60.0,2000\nreed,60.0,\n"
    for day, label, content in (("01", "v1", models), ("02", "v2", later)):
        text = json.dumps({"label": label, "models": content})
        world.commit(f"2024-03-{day}T10:00:00Z", **{"text.json": text, "exam.csv": exam})
    world.crawl()
    return world


V1 = {"as_of": "2024-03-01"}
DROP = {"predicate": "drop_one", "boards": ["text"], "column": "sums", "when": V1}
LEADS = {"predicate": "lead_set", "boards": ["text"], "when": V1}
NOISE = {"predicate": "noise", "boards": ["exam"], "subject": "fern"}
RATIO = {"predicate": "ratio", "boards": ["text"], "when": V1}
FORMULA = {"predicate": "formula", "boards": ["text"], "when": V1}


@pytest.mark.parametrize(
    ("given", "verdict", "code"),
    [
        pytest.param({**DROP, "order": ["oak", "fern", "moss"]}, "true", None, id="order"),
        pytest.param({**DROP, "order": ["fern", "oak", "moss"]}, "false", None, id="other order"),
        pytest.param(
            {**DROP, "values": {"fern": "70.0", "oak": "75.0"}}, "true", None, id="values"
        ),
        pytest.param({**DROP, "subject": "moss", "rank": 3}, "true", None, id="rank"),
        pytest.param({**DROP, "subject": "reed", "rank": 4}, "false", None, id="lacks a part"),
        pytest.param({**LEADS, "subject": "oak", "columns": ["reading"]}, "true", None, id="lead"),
        pytest.param(
            {**LEADS, "subject": "fern", "columns": ["reading"]}, "false", None, id="none"
        ),
        pytest.param({**NOISE, "other": "moss"}, "true", None, id="within noise"),
        pytest.param({**NOISE, "other": "oak"}, "false", None, id="not within noise"),
        pytest.param({**NOISE, "other": "oak", "op": ">"}, "true", None, id="better"),
        pytest.param(
            {**NOISE, "other": "moss", "op": ">"}, "not_decidable", "NO_PAIRED_RESULTS", id="paired"
        ),
        pytest.param({**NOISE, "other": "moss", "op": "<"}, "false", None, id="the wrong way"),
        pytest.param({**NOISE, "other": "reed"}, "not_decidable", "NO_SE", id="no items"),
        pytest.param(
            {**RATIO, "subject": "fern", "other": "oak", "value": "1.17"}, "true", None, id="ratio"
        ),
        pytest.param(
            {**RATIO, "subject": "fern", "other": "oak", "value": "2"}, "false", None, id="no ratio"
        ),
        pytest.param(
            {**FORMULA, "formula": "(reading + sums + maps)/3", "subject": "fern"},
            "true",
            None,
            id="formula",
        ),
        pytest.param(
            {**FORMULA, "columns": ["sums"], "subject": "fern"}, "true", None, id="one part alone"
        ),
        pytest.param(
            {**FORMULA, "columns": ["maps"], "subject": "fern"}, "false", None, id="not this alone"
        ),
    ],
)
def test_parts_and_errors(parts, given, verdict, code):
    found = parts.one(**given)
    assert (found.verdict, found.code) == (verdict, code), found.sentence
    assert any(one.commit and one.pointer for one in found.evidence)


def test_a_difference_is_of_an_edition(parts):
    given = {"predicate": "delta", "subject": "fern", "other": "oak", "boards": ["text"]}
    found = parts.one(**given, value="10.0")
    assert found.verdict == "true_under_other", found.sentence
    assert "the claim names no edition: false in v2, true in v1" in found.notes
    assert {one.commit for one in found.evidence} == set(parts.commits)
    assert parts.one(**given, value="5.0").verdict == "true"
    assert parts.one(**given, value="7.0").verdict == "false"
    assert parts.one(**given, value="10.0", edition="v2").verdict == "false"
    assert parts.one(**given, value="10.0", when={"as_of": "2024-03-02"}).verdict == "false"
