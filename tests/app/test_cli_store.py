"""What do `crawl`, `boards`, `verify` and `rebuild` say of a store, and with which exit code?"""

from __future__ import annotations

import json

from tests.app.small_board import DEFINITION, VERSIONS, define, digest, plant, run


def test_crawl_as_json(tmp_path):
    garden = plant(tmp_path, crawl=False)
    told = {
        "board": "garden",
        "status": "ok",
        "new_versions": 4,
        "versions": 4,
        "commits_seen": 4,
        "unreadable": 1,
        "vanished": 0,
        "tip": garden.commits[3],
        "error": None,
        "rewritten": False,
        "history": "line",
        "history_complete": True,
    }
    assert garden.json("crawl") == {"boards": [told]}
    assert garden.json("crawl", "garden") == {"boards": [told | {"new_versions": 0}]}


def test_a_crawl_of_which_some_failed_ends_with_4(tmp_path):
    garden = plant(tmp_path)
    definition = (garden.store / "garden" / "board.toml").read_text()
    for name, wrong in (
        ("gone", definition.replace("upstream.git", "nowhere.git")),
        ("wrong", definition.replace("score =", "scroe =")),
    ):
        (garden.store / name).mkdir()
        text = wrong.replace('name = "garden"', f'name = "{name}"', 1)
        (garden.store / name / "board.toml").write_text(text)
    result = garden.run("crawl", "--json")
    assert result.exit_code == 4
    found = {one["board"]: one["status"] for one in json.loads(result.stdout)["boards"]}
    assert found == {"garden": "ok", "gone": "failed", "wrong": "failed"}
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == ["gone", "wrong"]


def test_a_crawl_says_why_a_new_version_cannot_be_read(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    definition = garden.store / "garden" / "board.toml"
    definition.write_text(definition.read_text("utf-8").replace("$.rows", "$.rose"), "utf-8")
    first = run(garden.store, "crawl")
    assert first.exit_code == 0
    (line,) = [said for said in first.stderr.splitlines() if "can be read" in said]
    assert line.startswith(f"garden: none of 1 versions can be read; {garden.commits[0][:8]} board")
    assert "$.rose finds nothing" in line


def test_a_crawl_says_from_where_to_where_versions_cannot_be_read(tmp_path):
    ruins = [(f"2026-03-0{day}T08:00:00Z", "{" * day) for day in (1, 2, 3)]
    garden = plant(tmp_path, [*VERSIONS[:1], *((at.replace("03-", "04-"), s) for at, s in ruins)])
    said = run(garden.store, "rebuild")
    assert said.exit_code == 0
    upstream = garden.upstream.commit({"board.json": "{" * 9}, "2026-05-01T08:00:00Z")
    first, last = garden.commits[1][:8], upstream[:8]
    (line,) = [line for line in run(garden.store, "crawl").stderr.splitlines() if "read" in line]
    assert f"1 of 5 versions can be read; 4 versions, {first} to {last}, board.json: " in line


def test_boards_as_json(garden):
    (found,) = garden.json("boards")["boards"]
    times = ("last_attempt", "last_success", "confirmed_until")
    assert all(found.pop(name).endswith("Z") for name in times)
    assert found.pop("bytes") > 1000
    assert found == {
        "board": "garden",
        "title": "The garden board",
        "source": "../../upstream.git",
        "versions": 4,
        "unreadable": 1,
        "vanished": 0,
        "last_change": "2026-03-03T10:00:00Z",
        "leader": ["=ivy"],
        "error": None,
        "stale": False,
        "reconstruction": "",
        "history": "line",
        "history_complete": True,
    }


def test_boards_that_want_a_look_are_marked(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    text = DEFINITION.replace('name = "garden"', "")
    define(garden.store, "never", text)
    define(garden.store, "bare", text.replace("board.json", "no.json"))
    define(garden.store, "wrong", text.replace("[table.parts]", "[table.part]"))
    run(garden.store, "crawl", "bare")
    rows = [line.split() for line in run(garden.store, "boards").stdout.splitlines()[2:6]]
    assert {row[0]: " ".join(row[1:3]) for row in rows} == {
        "bare": "FAILED 0",
        "garden": "ok 1",
        "never": "never crawled",
        "wrong": "FAILED never",
    }


def test_a_board_that_was_not_there_for_long_is_stale(garden, tmp_path):
    assert garden.run("boards", "--fail-stale", "1h").exit_code == 0
    stale = plant(tmp_path, crawl=False)
    result = stale.run("boards", "--fail-stale", "2d")
    assert (result.exit_code, "never" in result.stdout) == (5, True)


def test_an_empty_store_says_what_to_do(tmp_path):
    assert json.loads(run(tmp_path, "boards", "--json").stdout) == {"boards": []}
    for command in ("boards", "crawl"):
        result = run(tmp_path, command)
        assert (result.exit_code, "ranktrail demo" in result.stdout) == (0, True)


def test_verify_finds_nothing_and_rebuild_changes_nothing(tmp_path):
    garden = plant(tmp_path)
    before = digest(garden.store)
    whole = {"board": "garden", "versions": 4, "blobs": 4, "stale": False}
    assert garden.json("verify") == {"boards": [whole]}
    assert digest(garden.store) == before
    assert garden.json("rebuild", "garden") == {
        "boards": [{"board": "garden", "versions": 4, "unreadable": 1}]
    }
    assert garden.run("verify").exit_code == 0
