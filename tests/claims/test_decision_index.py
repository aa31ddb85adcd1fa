"""Do fifty public claims about one family of boards come out as worked out by hand?

The claims and the verdicts that were expected lie in decision_index/; the boards are the sample's.
"""

from __future__ import annotations

import shutil
import tomllib
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from app.sample import SAMPLE, build_sample
from crawler.store import Store
from history.claims.evaluate import check
from history.claims.language.claims_file import read_claims
from history.claims.language.claims_text import to_toml
from history.claims.verdict import Verdict
from history.pipeline import open_board
from tests.app.small_board import run

FOLDER = Path(__file__).parent / "decision_index"
CLAIMS = read_claims(FOLDER / "claims.toml")
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict[str, Verdict]:
    store = tmp_path_factory.mktemp("sample") / "store"
    build_sample(SAMPLE, store / "_upstream" / "replay.git")
    shutil.copytree(SAMPLE / "boards", store, dirs_exist_ok=True)
    assert run(store, "crawl").exit_code == 0
    opened = partial(open_board, Store(store))
    verdicts = check(CLAIMS, opened, now=datetime.now(UTC), folder=FOLDER)
    return {one.id: one for one in verdicts}


def test_there_are_fifty():
    assert [claim.id for claim in CLAIMS] == list(EXPECTED) == [f"D{n:02}" for n in range(1, 51)]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_claim_gets_the_verdict_that_was_worked_out_by_hand(found, name):
    one, expected = found[name], EXPECTED[name]
    assert (one.verdict, one.code) == (expected["verdict"], expected.get("code")), one.sentence
    assert one.would_decide if one.verdict == "not_decidable" else one.evidence
    assert one.evidence, one.sentence
    for cell in one.evidence:
        stands = cell.commit and cell.pointer is not None
        assert stands or cell.label == "reported", cell


def test_the_claims_can_be_written_and_read_again(tmp_path):
    file = tmp_path / "again.toml"
    file.write_text(to_toml(CLAIMS), encoding="utf-8")
    assert read_claims(file) == CLAIMS
