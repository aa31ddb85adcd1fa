"""The definitions of the compared and counted boards read what such files look like.

Small files in the boards' own formats, made here, with the oddities that the real ones have.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawler.board import load_board
from history.meaning import read_meaning
from tests.histories import History
from tests.tools.bundles import bundle_of, tracked
from tests.tools.compare_leaders import (
    COMPARED,
    definition,
    our_periods,
    put_definition,
    ranktrail,
)

DEFINITIONS = dict(tracked())


def mmmu(*rows: tuple[str, str, dict[str, str]]) -> str:
    """A file of the first format: name, type, and the overall score per part as text."""
    return json.dumps(
        {
            "leaderboardData": [
                {
                    "info": {"name": name, "size": "-", "type": kind},
                    **{part: {"overall": score} for part, score in scores.items()},
                }
                for name, kind, scores in rows
            ]
        }
    )


def algotrade(*rows: str) -> str:
    """A file of the second format: rows of team, public, private."""
    return "\n".join([",team,Data Cleaning - public,Data Cleaning - private", *rows, ""])


EXPERT = ("Human Expert (High)", "human_expert", {"validation": "88.6", "pro": "85.4"})
HEN = ("Hen", "proprietary", {"validation": "70.1", "test": "58.0"})
OWL = ("Owl", "open_source", {"validation": "69.9", "pro": "52.0"})
OWL_2 = ("Owl 2", "open_source", {"validation": "70.10", "test": "59.5", "pro": "53.0"})

HISTORIES = {
    "mmmu": (
        "leaderboard_data.json",
        [
            ("2026-01-01T00:00:00Z", mmmu(EXPERT, HEN, OWL)),
            ("2026-01-02T00:00:00Z", mmmu(EXPERT, HEN, OWL_2).replace("]}", ",]}")),
            ("2026-01-02T00:10:00Z", mmmu(EXPERT, HEN, OWL_2)),
        ],
    ),
    "algotrade": (
        "result.csv",
        [
            ("2026-01-01T00:00:00Z", algotrade("0,ant,5.25,-inf", "1,bee,inf,9", "2,cat,,")),
            ("2026-01-02T00:00:00Z", "<<<<<<< HEAD\n0,ant,5.25,8\n=======\n>>>>>>> other\n"),
            ("2026-01-03T00:00:00Z", algotrade("0,ant,5.25,8", "1,bee,5.25,9", "2,cat,6,7.5")),
            ("2026-01-04T00:00:00Z", algotrade()),
        ],
    ),
}

FIRST, SECOND, THIRD, FOURTH = (f"2026-01-0{day}T00:00:00Z" for day in (1, 2, 3, 4))
REPAIRED = "2026-01-02T00:10:00Z"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All boards, crawled from bundles."""
    folder = tmp_path_factory.mktemp("boards")
    for name, (path, versions) in HISTORIES.items():
        repo = History(folder / f"{name}.git")
        for at, content in versions:
            repo.commit({path: content}, at)
        repo.bundle(folder / f"{name}.bundle")
    for name, bundle in {(name, bundle) for name, bundle, _ in COMPARED.values()}:
        if bundle in HISTORIES:
            put_definition(folder / "store", name, folder / f"{bundle}.bundle", definition(name))
    ranktrail(folder / "store", "crawl")
    return folder / "store"


@pytest.mark.parametrize("name", DEFINITIONS)
def test_the_definition_is_valid(name, tmp_path):
    put_definition(tmp_path, name, tmp_path / "some.bundle", DEFINITIONS[name])
    board = load_board(tmp_path / name / "board.toml")
    assert read_meaning(board).ties.rule == "none"
    assert board.name == name


def test_every_compared_board_has_a_definition():
    boards = {name for name, _, _ in COMPARED.values()}
    assert boards <= set(DEFINITIONS)
    assert {bundle_of(name) for name in boards} == {bundle for _, bundle, _ in COMPARED.values()}


@pytest.mark.parametrize(
    ("compared", "expected"),
    [
        pytest.param(
            "mmmu-val",
            [(FIRST, REPAIRED, ("Hen",)), (REPAIRED, "", ("Hen", "Owl 2"))],
            id="people do not compete, and 70.1 is 70.10",
        ),
        pytest.param(
            "mmmu-test",
            [(FIRST, REPAIRED, ("Hen",)), (REPAIRED, "", ("Owl 2",))],
            id="the holders change at the first readable version",
        ),
        pytest.param(
            "mmmu-pro",
            [(FIRST, REPAIRED, ("Owl",)), (REPAIRED, "", ("Owl 2",))],
            id="an entry without the part is not ranked",
        ),
        pytest.param(
            "algotrade-dataclean-public",
            [
                (FIRST, THIRD, ("ant",)),
                (THIRD, FOURTH, ("ant", "bee")),
                (FOURTH, "", ()),
            ],
            id="lower is better, and a header alone is an empty board",
        ),
        pytest.param(
            "algotrade-dataclean-private",
            [(FIRST, THIRD, ("bee",)), (THIRD, FOURTH, ("cat",)), (FOURTH, "", ())],
            id="an infinite score is no score",
        ),
    ],
)
def test_periods_of_first_place(store, compared, expected):
    board, _, split = COMPARED[compared]
    periods = our_periods(store, board, split)
    assert [(one.since, one.until, one.who) for one in periods] == expected


def test_public_and_private_ranks_stand_side_by_side(store):
    document = ranktrail(store, "splits", "algotrade-dataclean", "--at", THIRD)
    ranks = {row["entry"]: row["ranks"] for row in document["entries"]}
    assert ranks == {
        "ant": {"public": 1, "private": 2},
        "bee": {"public": 1, "private": 3},
        "cat": {"public": 3, "private": 1},
    }
