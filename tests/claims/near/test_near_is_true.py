"""Is every statement near a false claim true, when it is checked like any other claim?

Small random boards with ties, splits, attributes and editions; the check goes through the whole
history, which the search does not.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from history.claims.desk import Desk
from history.claims.language.claim import Claim, When
from history.claims.near.candidate import MOST
from history.claims.near.search import Nearby
from tests.claims.conftest import World

DEFINITION = """
[table.attributes]
open = "open"
size = "size"
"made by" = "lab"
[table.parts]
public = "public"
fresh = "fresh"
[splits]
private = "0.5*public + 0.5*fresh"
[edition]
label = "$.label"
[ties]
rule = "anchored"
band = 0.6
"""
NAMES = ("fern", "moss", "oak", "ash", "elm")
_ROW = {"score": "1.0", "public": "1.0", "fresh": "1.0", "open": "true", "size": "7B", "lab": "B"}
NUMBER = st.integers(0, 12).map(lambda n: f"{n / 4:.1f}")
ROW = st.fixed_dictionaries(
    {
        "score": st.one_of(NUMBER, NUMBER, st.none()),
        "public": NUMBER,
        "fresh": NUMBER,
        "open": st.sampled_from(["true", "false", None]),
        "size": st.sampled_from(["7B", "70B", "1.5B", None]),
        "lab": st.sampled_from(["Ann's", "B", None]),
    }
)
VERSION = st.tuples(st.sampled_from("12"), st.dictionaries(st.sampled_from(NAMES), ROW, min_size=2))
CLAIMS = (
    {"predicate": "first"},
    {"predicate": "first", "sole": True},
    {"predicate": "first", "rank_kind": "tie"},
    {"predicate": "first", "split": "private"},
    {"predicate": "first", "edition": "1"},
    {"predicate": "first_in_class", "filter": "open == true"},
    {"predicate": "rank", "n": 2},
    {"predicate": "rank", "n": 2, "of": 5, "op": "<="},
    {"predicate": "top_k", "k": 2},
    {"predicate": "ahead", "other": "oak"},
    {"predicate": "tie", "other": "oak"},
    {"predicate": "score", "value": "1.5"},
    {"predicate": "score", "value": "1.5", "op": ">="},
    {"predicate": "delta", "other": "oak", "value": "+1.0"},
    {"predicate": "average_of", "columns": ("public", "fresh"), "value": "1.0"},
    {"predicate": "count", "what": "ranked", "n": 3},
    {"predicate": "would_rank", "score": "1.5", "rank": 1},
)


def table(version: tuple[str, dict[str, dict[str, str | None]]]) -> str:
    label, rows = version
    models = [{"model": entry, **row} for entry, row in rows.items()]
    for row in models:
        for column in ("score", "public", "fresh"):
            row[column] = None if row[column] is None else float(row[column])
    return json.dumps({"label": label, "models": models})


def claims(chosen: list[int]) -> list[Claim]:
    found = []
    for n in chosen:
        said = CLAIMS[n]
        about = None if said["predicate"] in ("count", "would_rank") else "fern"
        found.append(Claim(str(n), subject=about, boards=("b",), **said))
    return found


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    st.lists(VERSION, min_size=1, max_size=3),
    st.lists(st.sampled_from(range(len(CLAIMS))), min_size=5, max_size=5, unique=True),
)
def test_what_is_near_is_true(versions, chosen):
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        world.board("b", "b.json", DEFINITION)
        world.board("plain")
        for day, version in enumerate(versions, 1):
            # All are listed once, so that no name is a stranger.
            rows = version[1]
            if day == 1:
                rows = {name: rows.get(name, _ROW) for name in NAMES}
            plain = {name: row["fresh"] for name, row in rows.items()}
            files = {"b.json": table((version[0], rows)), "plain": plain}
            world.commit(f"2024-03-0{day}T00:00:00Z", **files)
        world.crawl()
        desk = Desk(world.open, world.folder)
        nearby = Nearby(desk, ["plain", "b", "gone"])
        track = desk.track("b")
        found = [
            one
            for claim in claims(chosen)
            for time in dict.fromkeys((track.horizon, track.at[0]))
            for one in nearby.candidates(desk.leaf(claim), time)
        ]
        again = dict.fromkeys(replace(one.claim, when=When("as_of", one.time)) for one in found)
        verdicts = dict(zip(again, world.verdicts(list(again)), strict=True))
        for one in found:
            verdict = verdicts[replace(one.claim, when=When("as_of", one.time))]
            assert verdict.verdict == "true", (one.statement, verdict.sentence)
            assert one.refs
        whens = (None, When("over"))
        asked = [replace(claim, when=when) for claim in claims(chosen) for when in whens]
        for verdict in world.verdicts(asked):
            said = [near["statement"] for near in verdict.nearest]
            assert len(said) == len(set(said)) <= MOST
            assert all(near["evidence"] for near in verdict.nearest)
            assert not said or verdict.verdict not in ("true", "within_rounding")
