"""Does every verdict on every predicate carry a commit or a named file, and a pointer?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from history.claims.language.predicates import PREDICATES
from tests.claims.conftest import World

BOARD = {"boards": ["text"], "subject": "fern"}
FIRST = {"predicate": "first", **BOARD}
CURVE = {"table": "curve.csv", "curve": ["x", "y"], "per": "GPU"}
BASE = {"value": "50", "per": "GPU"}

# predicate -> claims that come out true, false and not decidable, where they can.
CLAIMS: dict[str, list[dict[str, Any]]] = {
    "rank": [{**BOARD, "n": 2}, {**BOARD, "n": 3}, {**BOARD, "n": 2, "subject": "nobody"}],
    "top_k": [{**BOARD, "k": 2}, {**BOARD, "k": 1}, {**BOARD, "k": 2, "subject": "nobody"}],
    "first": [{"subject": "moss"}, {}, {"when": {"as_of": "2020-01-01"}}],
    "first_in_class": [
        {"filter": "entry != 'moss'"},
        {"filter": "name exists"},
        {"filter": "size < '8B'"},
    ],
    "tie": [{"with": "twin"}, {"with": "nobody"}, {"with": "oak"}],
    "score": [{"value": "70.0"}, {"value": "71"}, {"value": "70.0", "subject": "nobody"}],
    "delta": [
        {"other": "oak", "value": "10.0"},
        {"other": "oak", "value": "9"},
        {"other": "nobody", "value": "1"},
    ],
    "ahead": [{"other": "oak"}, {"other": "moss"}, {"other": "nobody"}],
    "average_of": [
        {"columns": ["reading", "sums"], "value": "75.0"},
        {"columns": ["reading", "sums"], "value": "70"},
        {"columns": ["reading"], "value": "1", "subject": "nobody"},
    ],
    "drop_one": [
        {"column": "sums", "order": ["oak", "fern"]},
        {"column": "sums", "rank": 1},
        {"column": "sums", "values": {"reed": "1"}},
    ],
    "ratio": [
        {"other": "oak", "value": "1.17"},
        {"other": "oak", "value": "3"},
        {"other": "nobody", "value": "1"},
    ],
    "ratio_at": [
        {**CURVE, "x": "1.5", "other": BASE, "value": "3.0"},
        {**CURVE, "x": "1.5", "other": BASE, "value": "9"},
        {**CURVE, "x": "9", "other": BASE, "value": "3.0"},
    ],
    "would_rank": [
        {"score": "99", "snapshot": {"latest": True}, "rank": 1},
        {"score": "1", "snapshot": {"latest": True}, "rank": 1},
        {"score": "1", "snapshot": {"as_of": "2020-01-01"}, "rank": 1},
    ],
    "lead_set": [{"columns": ["sums"], "subject": "moss"}, {"columns": ["sums"]}],
    "noise": [{"other": "oak"}, {"other": "moss", "op": ">"}],
    "formula": [
        {"formula": "(reading + sums + maps)/3"},
        {"formula": "reading"},
        {"formula": "reading", "subject": "nobody"},
    ],
    "count": [
        {"what": "ranked", "n": 5},
        {"above": "65", "n": 9},
        {"what": "ranked", "n": 5, "when": {"as_of": "2020-01-01"}},
    ],
    "duration": [
        {"state": FIRST, "value": "1", "unit": "day", "op": ">="},
        {"state": {**FIRST, "subject": "moss"}, "value": "1", "unit": "second"},
        {"state": {**FIRST, "subject": "nobody"}, "value": "1", "unit": "day"},
    ],
    "all_of": [{"claims": [{**FIRST, "subject": "moss"}]}, {"claims": [FIRST]}],
    "any_of": [{"claims": [FIRST, {**FIRST, "subject": "moss"}]}, {"claims": [FIRST]}],
    "not": [{"claims": [FIRST]}, {"claims": [{**FIRST, "subject": "moss"}]}],
}
ANYBODY = ("count", "would_rank", "ratio_at", "all_of", "any_of", "not", "duration")


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("evidence"))
    parts = '[table.parts]\nreading = "reading"\nsums = "sums"\nmaps = "maps"\n'
    world.board("text", more=parts)
    rows = ["fern,70.0,80.0,70.0,60.0", "twin,70.0,60.0,70.0,60.0", "moss,71.0,75.0,75.0,63.0"]
    rows += ["oak,60.0,90.0,30.0,60.0", "reed,50.0,50.0,,50.0"]
    text = "\n".join(["model,score,reading,sums,maps", *rows, ""])
    world.commit("2024-03-01T10:00:00Z", **{"text.csv": text})
    world.crawl()
    (world.folder / "curve.csv").write_text("name,x,y\na,1,100\nb,2,200\n")
    return world


def test_every_predicate_is_here():
    assert set(CLAIMS) == set(PREDICATES)


@pytest.mark.parametrize(
    ("predicate", "given"),
    [
        pytest.param(name, one, id=f"{name} {number}")
        for name, claims in CLAIMS.items()
        for number, one in enumerate(claims)
    ],
)
def test_a_verdict_says_where_its_numbers_stand(board, predicate, given):
    base = {} if predicate in ANYBODY else BOARD
    base = {"boards": ["text"]} if predicate in ("count", "would_rank") else base
    found = board.verdicts(_parsed({"predicate": predicate, **base, **given}))[0]
    assert found.evidence, found.sentence
    placed = [one for one in found.evidence if one.pointer is not None]
    assert placed and all(one.commit or one.path for one in placed), found.evidence
    if found.verdict == "not_decidable":
        assert found.code and found.would_decide
    json.dumps(found.as_dict())


def _parsed(claim: dict[str, Any]):
    from history.claims.language.claims_file import parse_claims

    return parse_claims(json.dumps([{"id": "c", **claim}]), "claims.json", "json")


def test_each_predicate_comes_out_in_several_ways(board):
    words = {}
    for predicate, claims in CLAIMS.items():
        base = {} if predicate in ANYBODY else BOARD
        base = {"boards": ["text"]} if predicate in ("count", "would_rank") else base
        given = [_parsed({"predicate": predicate, **base, **one}) for one in claims]
        words[predicate] = {board.verdicts(one)[0].verdict for one in given}
    assert {name for name, found in words.items() if len(found) < 2} <= {"noise"}
