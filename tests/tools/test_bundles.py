"""The expectations of bundles.py are compared as they are written."""

from __future__ import annotations

import json

import pytest

from tests.tools.bundles import Seen, named, unmet

SEEN = Seen(
    reading="partial",
    reason="",
    found="line 7 has 6 cells, the header has 5",
    path="README.md",
    scores={"Hen": "70.1", "Owl": "-"},
    unranked={"Owl": "no_score"},
    first=["Hen"],
    smells=["rows_left_out", "rows_left_out: "],
    notes=["Hen: called Chick before"],
)


@pytest.mark.parametrize(
    ("expected", "wrong"),
    [
        pytest.param({}, [], id="nothing expected is met"),
        pytest.param(
            {
                "reading": "partial",
                "found": ["line 7"],
                "listed": 2,
                "first": ["Hen"],
                "scores": {"Hen": "70.1"},
                "unranked": {"Owl": "no_score"},
                "not_listed": ["Emu"],
                "smells": ["rows_left_out"],
                "no_smells": ["rename"],
                "notes": ["called Chick"],
            },
            [],
            id="all that is so is met",
        ),
        pytest.param(
            {"reading": "read", "path": "board.md"},
            ["reading is 'partial', not 'read'", "path is 'README.md', not 'board.md'"],
            id="the reading of the version",
        ),
        pytest.param(
            {"scores": {"Hen": "70.10", "Emu": "1"}},
            ["'Hen' has '70.1', not '70.10'", "'Emu' has None, not '1'"],
            id="a score is compared as printed",
        ),
        pytest.param(
            {"first": ["Hen", "Owl"], "listed": 3, "not_listed": ["Owl"]},
            ["'Owl' is listed", "2 entries, not 3", "first is ['Hen'], not ['Hen', 'Owl']"],
            id="who is listed, and first",
        ),
        pytest.param(
            {"smells": ["rename"], "no_smells": ["rows_left_out"]},
            [
                "no finding 'rename' among ['rows_left_out', 'rows_left_out: ']",
                "a finding 'rows_left_out'",
            ],
            id="findings",
        ),
    ],
)
def test_unmet(expected, wrong):
    assert list(unmet(expected, SEEN)) == wrong


def test_commits_that_the_catalog_names(tmp_path):
    facts = ["0123abcd4 born, 20240907 is a date, 4567ef01 not", {"bundle": "89abcdef"}]
    (tmp_path / "catalog.json").write_text(
        json.dumps([{"facts": facts[:1], "bundle": facts[1]}]), encoding="utf-8"
    )
    assert named(tmp_path) == {"0123abcd", "4567ef01"}
