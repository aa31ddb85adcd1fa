"""Which version answers when somebody types a commit."""

from __future__ import annotations

import shutil

import pyarrow.parquet as pq
import pytest

from tests.app.small_board import VERSIONS, Garden, plant


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """The first two versions, each followed by a commit that leaves the board's file alone."""
    folder = tmp_path_factory.mktemp("quiet")
    garden = plant(folder, (), crawl=False)
    garden.upstream.commit({"README.md": "soon"}, "2026-02-01T08:00:00Z")
    for at, content in VERSIONS[:2]:
        garden.commits.append(garden.upstream.commit({"board.json": content}, at))
        garden.upstream.commit({"README.md": at}, at.replace(":00Z", ":30Z"))
    assert garden.run("crawl").exit_code == 0
    return garden


@pytest.mark.parametrize(
    ("back", "version"),
    [
        pytest.param(0, 1, id="the tip holds the newest version"),
        pytest.param(2, 0, id="a commit between two versions holds the older"),
        pytest.param(3, 0, id="the commit of a version holds it"),
    ],
)
def test_a_commit_that_left_the_file_alone_has_the_version_before_it(quiet, back, version):
    typed = quiet.upstream.git("rev-parse", f"main~{back}")[:9]
    assert quiet.json("standings", "garden", "--at", typed)["commit"] == quiet.commits[version]
    until = quiet.json("history", "garden", "--entry", "moss", "--until", typed)["rows"]
    assert [row["commit"] for row in until] == quiet.commits[: version + 1]
    verdict = quiet.run("check", f"moss is first on garden at {typed}")
    assert verdict.exit_code == (0 if version else 5), verdict.stdout


def test_a_commit_before_the_first_version_is_refused(quiet):
    result = quiet.run("standings", "garden", "--at", quiet.upstream.git("rev-parse", "main~4"))
    assert (result.exit_code, "before the first version" in result.stderr) == (2, True)


def test_a_commit_that_was_fetched_but_not_looked_through_is_refused(quiet, tmp_path):
    shutil.copytree(quiet.store.parent, tmp_path, dirs_exist_ok=True)
    killed = Garden(tmp_path / "store", quiet.upstream, quiet.commits)
    file = killed.store / "garden" / "versions.parquet"
    table = pq.read_table(file)
    pq.write_table(table.replace_schema_metadata({**table.schema.metadata, b"listed": b"4"}), file)
    result = killed.run("standings", "garden", "--at", quiet.upstream.tip)
    assert (result.exit_code, quiet.upstream.tip in result.stderr) == (2, True)


def test_a_commit_of_a_side_branch_is_said_to_be_one(tmp_path):
    garden = plant(tmp_path, VERSIONS[:2], crawl=False)
    side = garden.upstream.commit(
        {"other.txt": "x"}, "2026-03-02T10:00:00Z", parents=garden.commits[:1], branch="side"
    )
    garden.upstream.commit(
        {"readme": "x"}, "2026-03-02T11:00:00Z", parents=[garden.upstream.tip, side]
    )
    assert garden.run("crawl").exit_code == 0
    asked = garden.run("standings", "garden", "--at", side)
    assert (asked.exit_code, asked.stdout) == (2, "")
    assert "not on the published line of the default branch, but on a side branch" in asked.stderr
