"""When are two names one board, so that a claim on both is one on one?"""

from __future__ import annotations

import shutil

import pytest

from tests.claims.conftest import OVER, first, neither
from tests.histories import History

BOTH = {"predicate": "first", "subject": "fern", "boards": ["x", "again"]}


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(BOTH, id="boards"),
        pytest.param({"predicate": "all_of", "claims": [first("x"), first("again")]}, id="members"),
        pytest.param(neither(BOTH), id="turned round"),
        pytest.param({**neither(BOTH), "when": {"latest": True}}, id="turned round, at a moment"),
        pytest.param(
            {"predicate": "any_of", "claims": [first("y"), neither(BOTH)]}, id="deeper inside"
        ),
        pytest.param(
            {"predicate": "duration", "state": BOTH, "value": "1", "unit": "hour"}, id="a duration"
        ),
        pytest.param({**BOTH, "when": OVER}, id="through time"),
    ],
)
def test_two_names_of_one_file_are_no_two_boards(two, given):
    found = two.one(**given)
    assert (found.verdict, found.code, len(found.evidence)) == ("not_decidable", "SAME_BOARD", 2)


def test_each_of_two_names_shows_a_version_of_its_own(world):
    world.board("x")
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2})
    world.crawl("2024-03-02T00:00:00Z")
    world.commit("2024-03-03T00:00:00Z", x={"fern": 3})
    world.board("again", "x.csv")
    world.crawl_only("again")
    found = world.one(predicate="first", subject="fern", boards=["x", "again"])
    assert found.code == "SAME_BOARD"
    assert {one.board: one.commit for one in found.evidence} == {
        "x": world.commits[0],
        "again": world.commits[1],
    }


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("{folder}/../{folder.name}", id="a roundabout path"),
        pytest.param("../../{folder.name}", id="a path as seen from the definition"),
    ],
)
def test_another_way_to_write_an_address_makes_no_other_board(world, written):
    world.board("x")
    world.board("again", "x.csv")
    file, folder = world.store.board_file("again"), world.repo.folder
    file.write_text(file.read_text().replace(str(folder), written.format(folder=folder)))
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2})
    world.crawl()
    found = world.one(predicate="first", subject="fern", boards=["x", "again"])
    assert found.code == "SAME_BOARD"


@pytest.mark.parametrize(
    ("forked", "code"),
    [
        pytest.param(False, "SAME_BOARD", id="a mirror, or the old name of a renamed repository"),
        pytest.param(True, None, id="a fork that went its own way is another board"),
    ],
)
def test_the_same_commits_elsewhere(world, tmp_path, forked, code):
    world.board("x")
    world.board("again", "x.csv")
    world.commit("2024-03-01T00:00:00Z", x={"fern": 2})
    mirror = tmp_path / "mirror.git"
    shutil.copytree(world.repo.folder, mirror)
    file = world.store.board_file("again")
    file.write_text(file.read_text().replace(str(world.repo.folder), str(mirror)))
    world.commit("2024-03-02T00:00:00Z", x={"fern": 3})
    if forked:
        theirs = History.__new__(History)
        theirs.folder, theirs.branch = mirror, "main"
        theirs.commit({"x.csv": "model,score\nfern,4\n"}, "2024-03-03T00:00:00Z")
    world.crawl()
    assert world.one(predicate="first", subject="fern", boards=["x", "again"]).code == code


CHANGES = '[[since]]\ndate = 2024-03-02\ntable.score = "wet"\n'
SPLITS = '[table.parts]\nwet = "wet"\ndry = "score"\n'


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("", "", True, id="nothing differs"),
        pytest.param("score = 'score'", "score = 'wet'", False, id="another column"),
        pytest.param("", "where = 'wet > 1'", False, id="other rows"),
        pytest.param("", "eligible = 'wet > 1'", False, id="others are ranked"),
        pytest.param("", "direction = 'lower'", False, id="the other way round"),
        pytest.param("", CHANGES, False, id="another column later on"),
        pytest.param(CHANGES, CHANGES, True, id="both change alike"),
        pytest.param("", CHANGES.replace("wet", "score"), False, id="at other stages"),
        pytest.param("", "[ties]\nrule = 'anchored'\nband = 1", True, id="other ties"),
        pytest.param("", SPLITS, True, id="parts beside it"),
    ],
)
def test_two_boards_of_one_file_differ_in_what_they_rank(world, one, other, same):
    for name, more in (("one", one), ("other", other)):
        world.board(name, "b.csv")
        file, keys = world.store.board_file(name), more.partition(" =")[0]
        text = file.read_text()
        if keys in ("score", "direction"):
            text = "\n".join(line for line in text.splitlines() if not line.startswith(keys))
        file.write_text(f"{text}\n{more}\n")
    world.commit("2024-03-01T00:00:00Z", **{"b.csv": "model,score,wet\nfern,3,2\nmoss,2,3\n"})
    world.crawl()
    found = world.one(predicate="first", subject="fern", boards=["one", "other"])
    assert (found.code == "SAME_BOARD") == same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("wet", "wet", True, id="one part of both"),
        pytest.param("wet", "dry", False, id="two parts"),
        pytest.param("", "dry", True, id="a part that is the score"),
        pytest.param("mix", "mix", True, id="one formula"),
        pytest.param("mix", "dry", False, id="a formula and a part"),
    ],
)
def test_two_splits_of_one_file_are_two_boards(world, one, other, same):
    for name in ("one", "other"):
        world.board(name, "b.csv", f"\n{SPLITS}[splits]\nmix = 'wet + dry'\n")
    world.commit("2024-03-01T00:00:00Z", **{"b.csv": "model,score,wet\nfern,3,2\nmoss,2,3\n"})
    world.crawl()
    claims = [
        {**first(name), **({"split": split} if split else {})}
        for name, split in (("one", one), ("other", other))
    ]
    found = world.one(predicate="all_of", claims=claims)
    assert (found.code == "SAME_BOARD") == same


def test_one_board_under_two_spellings_is_one(two):
    found = two.one(predicate="first", subject="fern", boards=["x", "X"], when=OVER)
    assert "on x " in found.sentence
    assert "X" not in found.sentence
