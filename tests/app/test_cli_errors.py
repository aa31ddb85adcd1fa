"""Bad input: one line that says what to do, the right code, and a store that stays as it was."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import cli
from tests.app.small_board import DEFINITION, VERSIONS, Garden, define, digest, plant, run


def assert_refused(result, code: int, *words: str) -> None:
    """One line on stderr with these words, nothing on stdout, no traceback."""
    assert result.exit_code == code, result.stdout + result.stderr
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    for word in words:
        assert word in lines[0], lines[0]


TYPED = [
    pytest.param(["standngs"], ["'standngs'", "standings"], id="a command nearly right"),
    pytest.param(["frobnicate"], ["'frobnicate'", "--help"], id="a command quite wrong"),
    pytest.param(["reigns", "garden", "--jsn"], ["--jsn", "--json"], id="an option nearly right"),
    pytest.param(
        ["reigns", "--store", "x", "garden"], ["before the command"], id="a misplaced store"
    ),
    pytest.param(["--stroe", "x", "boards"], ["--stroe", "--store"], id="an option of the group"),
    pytest.param(["standings"], ["BOARD"], id="a missing board"),
    pytest.param(["standings", "garden", "--top", "0"], ["--top", "0"], id="a top of none"),
    pytest.param(["standings", "garden", "--top", "x"], ["--top", "x"], id="a top in words"),
    pytest.param(["standings", "gerden"], ["gerden", "garden"], id="a board nearly right"),
    pytest.param(["crawl", "gerden"], ["gerden", "garden"], id="a board to crawl"),
    pytest.param(["verify", "gerden"], ["gerden", "garden"], id="a board to verify"),
    pytest.param(["rebuild", "gerden"], ["gerden", "garden"], id="a board to rebuild"),
    pytest.param(
        ["history", "garden", "--entry", "mos"], ["mos", "moss"], id="an entry nearly right"
    ),
    pytest.param(
        ["standings", "garden", "--split", "pubic"], ["pubic", "public"], id="a split nearly right"
    ),
    pytest.param(["standings", "garden", "--tie", "anchord:1"], ["anchord"], id="a tie rule"),
    pytest.param(["standings", "garden", "--tie", "anchored:x"], ["x"], id="a tie band"),
    pytest.param(["standings", "garden", "--at", "yesterday"], ["yesterday"], id="no moment"),
    pytest.param(["standings", "garden", "--at", "2026-02-30"], ["2026-02-30"], id="no such day"),
    pytest.param(
        ["standings", "garden", "--at", "2026-02-28"],
        ["2026-03-01T08:00:00Z"],
        id="before the first version",
    ),
    pytest.param(
        ["standings", "garden", "--at", "2126-01-01"], ["last look"], id="after the last look"
    ),
    pytest.param(["reigns", "garden", "--split", "x"], ["x", "mix"], id="a split of reigns"),
    pytest.param(["splits", "garden", "--at", "fffffff"], ["fffffff"], id="an unknown commit"),
    pytest.param(
        ["history", "garden", "--since", "soon"], ["soon", "YYYY-MM-DD"], id="a time of history"
    ),
    pytest.param(["boards", "--fail-stale", "old"], ["old", "36h"], id="an age"),
    pytest.param(["check"], ["TEXT"], id="nothing to check"),
    pytest.param(["check", "fern rules garden"], ["fern"], id="a sentence"),
    pytest.param(
        ["check", "fernn is first on garden"], ["fernn", "fern"], id="an entry in a sentence"
    ),
    pytest.param(["check", "fern is first on gerden"], ["gerden"], id="a board in a sentence"),
    pytest.param(["check", "nowhere.toml"], ["nowhere.toml"], id="a claims file that is not there"),
    pytest.param(["dashboard", "--port", "99999999"], ["--port"], id="a port"),
]


WITHOUT_JSON = (
    "a port",
    "an option of the group",
    "a command quite wrong",
    "a command nearly right",
)
WITH_JSON = [
    pytest.param([*case.values[0], "--json"], case.values[1], id=f"{case.id}, as JSON")
    for case in TYPED
    if case.id not in WITHOUT_JSON
]


@pytest.mark.parametrize(("typed", "words"), [*TYPED, *WITH_JSON])
def test_what_was_typed_is_wrong(garden, typed, words):
    before = digest(garden.store)
    assert_refused(garden.run(*typed), 2, *words)
    assert digest(garden.store) == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param("[[claim]\n", ["claims.toml"], id="no TOML"),
        pytest.param('[[claim]]\nid = "a"\n', ["predicate"], id="no predicate"),
        pytest.param(
            '[[claim]]\nid = "a"\npredicate = "frist"\nsubject = "fern"\nboards = ["garden"]\n',
            ["frist", "first"],
            id="a predicate nearly right",
        ),
        pytest.param(
            '[[claim]]\nid = "a"\npredicate = "rank"\nsubject = "fern"\nboards = ["garden"]\nn = "x"\n',
            ["n"],
            id="a wrong type",
        ),
    ],
)
def test_a_claims_file_that_cannot_be_read(garden, tmp_path, content, words):
    file = tmp_path / "claims.toml"
    file.write_text(content)
    before = digest(garden.store)
    assert_refused(garden.run("check", str(file), "--json"), 2, "claims.toml", *words)
    assert digest(garden.store) == before


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        pytest.param('name = "name"', 'nmae = "name"', ["board.toml:13", "nmae"], id="unknown key"),
        pytest.param('["board.json"]', "7", ["board.toml:8", "paths"], id="wrong type"),
        pytest.param('"higher"', '"up"', ["board.toml:15", "up", "higher"], id="wrong word"),
        pytest.param("[table]", "[table", ["board.toml"], id="no TOML"),
    ],
)
@pytest.mark.parametrize("command", ["crawl", "standings", "reigns", "verify", "rebuild"])
def test_a_definition_is_wrong(tmp_path, before, after, words, command):
    garden = plant(tmp_path)
    define(garden.store, "garden", DEFINITION.replace(before, after, 1))
    saved = digest(garden.store)
    assert_refused(garden.run(command, "garden"), 2, *words)
    assert digest(garden.store) == saved


def test_a_wrong_definition_is_wrong_usage_also_when_all_boards_are_crawled(tmp_path):
    garden = plant(tmp_path)
    define(garden.store, "garden", DEFINITION.replace("direction =", "dierction =", 1))
    assert_refused(garden.run("crawl", "--json"), 2, "board.toml")


def cut(file: Path) -> None:
    """Leave half of a file, as a full disk does."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def lose_objects(store: Path) -> None:
    """Take the stored bytes away."""
    (objects,) = store.glob("_sources/*/objects.git")
    for file in [*objects.glob("objects/??/*"), *objects.glob("objects/pack/*")]:
        file.unlink()


def lose_repository(store: Path) -> None:
    (objects,) = store.glob("_sources/*/objects.git")
    objects.rename(objects.with_name("elsewhere"))


def scores(store: Path) -> Path:
    (part,) = store.glob("garden/scores.parquet/*.parquet")
    return part


@pytest.mark.parametrize("command", ["standings", "verify"])
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        pytest.param(
            lambda store: cut(store / "garden" / "versions.parquet"),
            ["versions.parquet"],
            id="half of the versions",
        ),
    ],
)
def test_a_damaged_table(tmp_path, damage, words, command):
    garden = plant(tmp_path)
    damage(garden.store)
    before = digest(garden.store)
    assert_refused(garden.run(command, "garden"), 1, *words)
    assert digest(garden.store) == before


@pytest.mark.parametrize("damage", [lose_objects, lose_repository])
@pytest.mark.parametrize("command", ["verify", "rebuild"])
def test_lost_bytes(tmp_path, damage, command):
    garden = plant(tmp_path)
    damage(garden.store)
    before = digest(garden.store)
    assert_refused(garden.run(command), 1, "objects.git")
    assert digest(garden.store) == before


def test_verify_names_each_damage(tmp_path):
    garden = plant(tmp_path)
    derived = [garden.store / "garden" / "readings.parquet", scores(garden.store)]
    import pyarrow.parquet as pq

    table = pq.read_table(derived[1]).to_pandas()
    table.loc[0, "score.text"] = "99.9" if "99.9" in table["score.text"].astype(str) else "72.0"
    import pyarrow as pa

    kept = pq.read_schema(derived[1]).metadata
    pq.write_table(pa.Table.from_pandas(table).replace_schema_metadata(kept), derived[1])
    cut(derived[0])
    assert_refused(garden.run("verify"), 1, "2 damaged", "readings.parquet", "part-00000")
    assert garden.run("rebuild").exit_code == 0
    assert garden.run("verify").exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["standings", "garden"], id="standings"),
        pytest.param(["reigns", "garden"], id="reigns"),
        pytest.param(["check", "moss is first on garden"], id="check"),
        pytest.param(["verify"], id="verify"),
    ],
)
def test_versions_of_another_source_answer_nothing(tmp_path, command):
    garden = plant(tmp_path)
    text = DEFINITION.replace("board.json", "other.json")
    define(garden.store, "garden", text)
    before = digest(garden.store)
    assert_refused(garden.run(*command), 1, "[source]", "crawl garden")
    assert digest(garden.store) == before
    assert "[source]" in garden.json("boards")["boards"][0]["error"]
    garden.upstream.commit({"other.json": VERSIONS[0][1]}, "2026-03-04T10:00:00Z")
    assert garden.json("crawl")["boards"][0]["versions"] == 1
    assert garden.run(*command).exit_code in (0, 5)


def test_verify_misses_the_published_line(tmp_path):
    garden = plant(tmp_path)
    (line,) = garden.store.glob("_sources/*/commits.parquet")
    line.unlink()
    assert_refused(garden.run("verify"), 1, "commits.parquet", "4 commits", "crawl --repair")


def test_lost_objects_are_not_laid_at_the_sources_door(tmp_path):
    garden = plant(tmp_path)
    lose_objects(garden.store)
    assert_refused(garden.run("crawl"), 1, "objects.git", "crawl --repair")
    lose_repository(garden.store)
    assert garden.run("crawl").exit_code == 0
    assert garden.run("verify").exit_code == 0


def test_a_torn_line_is_not_damage(tmp_path):
    garden = plant(tmp_path)
    with (garden.store / "garden" / "crawls.jsonl").open("a") as file:
        file.write('{"started": "2026-')
    assert garden.run("verify").exit_code == 0
    assert garden.json("boards")["boards"][0]["error"] is None
    assert garden.json("crawl")["boards"][0]["new_versions"] == 0


def test_a_version_that_cannot_be_read(garden):
    result = garden.run("standings", "garden", "--at", "2026-03-02", "--json")
    before, broken, after = (commit[:8] for commit in garden.commits[1:])
    assert_refused(result, 1, broken, before, after, "--at")


def test_a_board_that_was_never_crawled(tmp_path):
    garden = plant(tmp_path, crawl=False)
    assert_refused(garden.run("standings", "garden"), 1, "ranktrail crawl garden")


def test_a_crawl_that_fails_as_a_whole(tmp_path):
    garden = plant(tmp_path)
    garden.upstream.folder.rename(tmp_path / "elsewhere.git")
    tables = {name: found for name, found in digest(garden.store).items() if "jsonl" not in name}
    assert_refused(garden.run("crawl", "--json"), 1, "garden")
    after = digest(garden.store)
    assert {name: found for name, found in after.items() if "jsonl" not in name} == tables
    status = garden.json("boards")["boards"][0]
    assert status["error"]
    assert status["leader"] == ["=ivy"]
    assert garden.run("boards", "--fail-stale", "2d").exit_code == 5


def test_a_locked_store(tmp_path):
    from crawler.store import Store

    garden = plant(tmp_path)
    with Store(garden.store).lock_board("garden"):
        for command in ("crawl", "rebuild"):
            assert_refused(garden.run(command), 6, "another run")
    assert garden.run("crawl").exit_code == 0


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("nowhere", id="no such folder"),
        pytest.param("file", id="a file"),
    ],
)
def test_the_store_is_no_folder(tmp_path, path):
    (tmp_path / "file").write_text("")
    for command in ("boards", "crawl", "verify"):
        assert_refused(run(tmp_path / path, command), 2, path, "folder")


def test_the_store_comes_from_the_environment(garden):
    environment = {"RANKTRAIL_STORE": str(garden.store)}
    result = CliRunner().invoke(cli, ["boards", "--json"], env=environment)
    assert [one["board"] for one in json.loads(result.stdout)["boards"]] == ["garden"]


def test_surprises_keep_their_traceback(garden, monkeypatch):
    monkeypatch.setattr("app.report.reigns", None)
    with pytest.raises(TypeError):
        garden.run("reigns", "garden")


def program(garden: Garden, *arguments: str, **settings: str) -> subprocess.Popen[bytes]:
    """The program in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "app", "--store", str(garden.store), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | settings,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
    )


def test_a_reader_that_goes_away_is_no_trouble(garden):
    process = program(garden, "standings", "garden")
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 0)


def test_a_terminal_that_knows_only_ascii(garden):
    out, err = program(garden, "standings", "garden", PYTHONIOENCODING="ascii").communicate()
    assert (err, out.isascii(), b"ivy" in out) == (b"", True, True)


def test_ctrl_c(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1])
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the call and never answers
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/upstream.git"
        define(garden.store, "garden", DEFINITION.replace("../../upstream.git", address))
        process = program(garden, "crawl")
        silent.settimeout(60)
        silent.accept()
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=10)
        finally:
            process.kill()
    assert (process.returncode, out, len(err.splitlines())) == (130, b"", 1), err


def test_help_is_quick_and_imports_nothing_heavy():
    code = (
        "import sys; from app.cli import cli\n"
        "try: cli(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('pandas','pyarrow','rich','streamlit','pydantic','git') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=Path(__file__).parents[2]
    )
    assert done.stdout.splitlines()[-1] == b"[]"
