"""Is the answer to a claim the same, asked of all versions at once and of each alone?"""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from history.claims.alike import learn
from history.claims.desk import Desk
from history.claims.evaluate import check
from history.claims.language.claims_file import parse_claims
from history.claims.rank_rows import RankRows
from tests.claims.conftest import NOW, World

ENTRIES = ("fern", "moss", "oak", "reed", "sedge")
CLAIMS = [
    {"predicate": "first"},
    {"predicate": "first", "sole": True},
    {"predicate": "rank", "n": 2},
    {"predicate": "rank", "n": 3, "op": "<=", "of": 4},
    {"predicate": "top_k", "k": 2},
    {"predicate": "first", "rank_kind": "tie"},
    {"predicate": "rank", "n": 2, "rank_kind": "published"},
    {"predicate": "tie", "with": "moss"},
    {"predicate": "score", "value": "71.0"},
    {"predicate": "score", "value": "70", "op": ">="},
    {"predicate": "delta", "other": "oak", "value": "+0.5"},
    {"predicate": "ahead", "other": "moss"},
    {"predicate": "ahead", "other": "moss", "rank_kind": "tie"},
    {"predicate": "count", "what": "ranked", "n": 4},
    {"predicate": "count", "what": "listed", "n": 4, "op": ">="},
    {"predicate": "first_in_class", "filter": "open == true"},
    {"predicate": "rank", "n": 2, "filter": "open == true"},
]
TIES = {
    "none": "",
    "anchored": '[ties]\nrule = "anchored"\nband = 0.5\n',
    "chain": '[ties]\nrule = "chain"\nband = 0.5\nedge = "exclusive"\n',
    "pairwise": '[ties]\nrule = "pairwise"\nband = 0.3\nedge = "float"\n',
}


def a_board(world: World, name: str, rule: str, direction: str, chance: random.Random) -> None:
    """Thirty versions in which entries join, leave, change, lose their number or their class."""
    more = f'published_rank = "place"\n[table.attributes]\nopen = "open"\n{TIES[rule]}'
    world.board(name, more=more)
    file = world.store.board_file(name)
    file.write_text(file.read_text().replace('"higher"', f'"{direction}"'))
    start = datetime(2024, 3, 1, 10, tzinfo=UTC)
    for day in range(30):
        rows = ["model,score,open,place"]
        for entry in ENTRIES:
            if chance.random() < 0.15:
                continue
            score = "" if chance.random() < 0.1 else f"{70 + chance.randint(0, 12) / 10:.1f}"
            open_ = chance.choice(["true", "true", "false", ""])
            rows.append(f"{entry},{score},{open_},{chance.randint(1, 4)}")
        text = "\n".join([*rows, f"extra{day},1.0,false,9", ""])
        if chance.random() < 0.1:
            text = "model,score\n<<<<<<< HEAD\n"
        at = (start + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
        world.commit(at, **{f"{name}.csv": text})
    world.crawl()


@pytest.mark.parametrize("rule", TIES)
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_all_at_once_is_one_by_one(tmp_path, rule, direction):
    world = World(tmp_path)
    a_board(world, "text", rule, direction, random.Random(f"{rule} {direction}"))
    for given in CLAIMS:
        for subject in ("fern", "reed"):
            entry = {} if given["predicate"] == "count" else {"subject": subject}
            raw = [{"id": "c", "boards": ["text"], **entry, **given}]
            (claim,) = parse_claims(json.dumps(raw), "claims.json", "json")
            desk = Desk(world.open, None)
            together, alone = desk.leaf(claim), Desk(world.open, None).leaf(claim)
            learn(together)
            for version in range(len(together.track.at)):
                moment = {"text": version}
                assert together.holds(moment) == alone.holds(moment), (given, subject, version)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_who_is_beside_an_entry_is_found_as_among_all_rows(tmp_path, direction):
    world = World(tmp_path)
    a_board(world, "text", "anchored", direction, random.Random(direction))
    rows = RankRows(world.open("text"), None)
    for version in range(len(rows.bounds) - 1):
        all_rows = rows.rows(version)
        ranked = [row for row in all_rows if row.rank]
        for at, row in enumerate(ranked):
            beside = [*ranked[max(at - 1, 0) : at], *ranked[at + 1 : at + 2]]
            assert rows.neighbours(version, row.entry) == beside
        for row in all_rows:
            assert row.rank or rows.neighbours(version, row.entry) == []
        for kind in ("score", "tie", "published"):
            places = [(row.place(kind), row.entry, row) for row in all_rows if row.place(kind)]
            for place in range(5):
                behind = [one for one in places if one[0] > place]
                best = min(behind, default=(0, "", None))[2]
                assert rows.below(version, place, kind) == best


def test_names_are_the_same_whether_or_not_ranks_are_there(tmp_path):
    world = World(tmp_path)
    a_board(world, "text", "none", "higher", random.Random(1))
    alone, ranked = world.open("text"), world.open("text")
    ranked.rank_history()
    assert alone.names.table.equals(ranked.names.table)
    assert alone.entries() == ranked.entries()


def test_a_board_that_cannot_be_read_ahead_is_judged_all_the_same(tmp_path):
    world = World(tmp_path)
    a_board(world, "text", "none", "higher", random.Random(2))
    raw = [
        {"id": "a", "predicate": "first", "boards": ["text"], "subject": "fern", "split": "none"},
        {"id": "b", "predicate": "first", "boards": ["gone"], "subject": "fern", "tracked": False},
        {"id": "c", "predicate": "first", "boards": ["text"], "subject": "fern"},
    ]
    found = check(parse_claims(json.dumps(raw), "claims.json", "json"), world.open, now=NOW)
    assert [one.code for one in found[:2]] == ["NO_SPLIT", "NO_BOARD"]
    assert found[2].verdict in ("true", "false")
