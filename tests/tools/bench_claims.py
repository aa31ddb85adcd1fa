"""What do a hundred claims cost on two boards with long histories?

In: a store with the crawled board `long`. Out: seconds. Start at hundred(). The second board ranks the same
files by another column.
"""

from __future__ import annotations

import json
import random
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any

from app import jobs
from crawler.store import Store
from history.claims.evaluate import check
from history.claims.language.claims_file import parse_claims
from history.pipeline import open_board

SEED = 20261130
MANY = 100
SECOND = "second"
BOTH = ("long", SECOND)
# Predicates with how many of the hundred they are.
SHARES = {
    "first": 15,
    "rank": 15,
    "top_k": 10,
    "tie": 10,
    "score": 10,
    "delta": 10,
    "ahead": 10,
    "count": 5,
    "duration": 5,
    "never": 5,
    "both": 5,
}


def hundred(store: Store, rows: int) -> float:
    """Seconds for a hundred claims of all kinds, with boards, ranks and reigns still to be read.

    The least of five: what else the machine does comes and goes.
    """
    board_file = store.board_file(SECOND)
    if not board_file.exists():
        board_file.parent.mkdir()
        text = store.board_file(BOTH[0]).read_text(encoding="utf-8")
        text = text.replace('"long"', f'"{SECOND}"').replace('score = "v"', 'score = "pub"')
        board_file.write_text(text, encoding="utf-8")
    (outcome,) = jobs.crawl(store, [SECOND])
    assert outcome.status == "ok", outcome.error
    claims = parse_claims(json.dumps(_claims(rows)), "claims.json", "json")
    check(claims[:1], partial(open_board, store), now=datetime.now(UTC))  # loads all modules
    took = []
    for _ in range(5):  # boards are opened anew each time
        begun = time.perf_counter()
        verdicts = check(claims, partial(open_board, store), now=datetime.now(UTC))
        took.append(time.perf_counter() - begun)
        assert len(verdicts) == MANY
    return min(took)


def _claims(rows: int) -> list[dict[str, Any]]:
    chance = random.Random(SEED)
    found: list[dict[str, Any]] = []
    for predicate, many in SHARES.items():
        for _ in range(many):
            one, other = (f"engine-{n:03d}" for n in chance.sample(range(rows), 2))
            common = {"subject": one, "boards": [chance.choice(BOTH)]}
            when = chance.choice(
                [{"latest": True}, {"as_of": "2026-05-01"}, {"over": ["", ""]}, {"ever": ["", ""]}]
            )
            found.append({"id": f"c{len(found)}", **_claim(predicate, common, other, when)})
    return found


def _claim(
    predicate: str, common: dict[str, Any], other: str, when: dict[str, Any]
) -> dict[str, Any]:
    state = {"predicate": "first", **common}
    if predicate == "duration":
        return {"predicate": predicate, "state": state, "value": "29", "unit": "hours"}
    if predicate == "never":
        return {"predicate": "not", "claims": [{**state, "when": {"ever": ["", ""]}}]}
    if predicate == "both":
        return {**state, "boards": list(BOTH), "when": when}
    if predicate == "count":
        return {"predicate": "count", "boards": common["boards"], "what": "ranked", "n": 229}
    more: dict[str, Any] = {
        "rank": {"n": 10},
        "top_k": {"k": 5},
        "tie": {"with": other},
        "score": {"value": "50.00"},
        "delta": {"other": other, "value": "+1.5"},
        "ahead": {"other": other},
    }.get(predicate, {})
    return {"predicate": predicate, **common, **more, "when": when}
