"""A small board with everything that a command can meet.

Versions of `garden`: two states, one that cannot be read, one without the file, two on one day.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from app.cli import cli
from tests.histories import History

DEFINITION = """\
name = "garden"
title = "The garden board"
reconstruction = ""

[source]
kind = "git"
repo = "../../upstream.git"
paths = ["board.json"]

[table]
rows = "$.rows"
entry = "id"
name = "name"
score = "s"
direction = "higher"

[table.parts]
public = "pub"
private = "priv"

[splits]
public = "public"
private = "private"
mix = "0.5*public + 0.5*private"

[ties]
rule = "anchored"
band = 0.5
edge = "inclusive"

[edition]
label = "$.label"
"""

PLAIN = """
[source]
kind = "git"
repo = "../../upstream.git"
paths = ["board.csv"]
[table]
entry = "model"
score = "score"
direction = "higher"
"""  # of the table that a test writes: model,score

Row = tuple[str, str, float | None, float | None, float | None]


def board_json(label: str, *rows: Row) -> str:
    """The board's file: label, and id, name, score, public, private of each row."""
    keys = ("id", "name", "s", "pub", "priv")
    return json.dumps({"label": label, "rows": [dict(zip(keys, row, strict=True)) for row in rows]})


VERSIONS = (
    (
        "2026-03-01T08:00:00Z",
        board_json("1", ("fern", "Fern", 71.5, 80.25, 60.5), ("moss", "Moss", 70.2, 70.5, 69.9)),
    ),
    (
        "2026-03-02T09:00:00Z",
        board_json(
            "1",
            ("fern", "Fern", 71.5, 80.25, 60.5),
            ("moss", "Moss 2", 72.0, 71.5, 72.5),
            ("oak", "Oak", None, 50.0, None),
        ),
    ),
    ("2026-03-02T15:00:00Z", '{"label": "1", "rows": ['),
    (
        "2026-03-03T10:00:00Z",
        board_json(
            "2",
            ("fern", "Fern", 71.5, 80.25, 60.5),
            ("moss", "Moss 2", 72.0, 71.5, 72.5),
            ("=ivy", "\x1b[31mIvy", 73.1, 75.0, 71.2),
        ),
    ),
)


@dataclass(frozen=True)
class Garden:
    """A store with the board `garden`, crawled.

    Attributes:
        store: its folder.
        upstream: the repository that it was crawled from.
        commits: ids of the versions, oldest first.
    """

    store: Path
    upstream: History
    commits: list[str]

    def run(self, *arguments: str) -> Result:
        """Run the program on this store."""
        return run(self.store, *arguments)

    def json(self, *arguments: str) -> dict[str, Any]:
        """What a command prints with --json, which must end with 0."""
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)


def run(store: Path, *arguments: str) -> Result:
    """Run the program in this process; a surprise is raised."""
    return CliRunner(catch_exceptions=False).invoke(
        cli, ["--store", str(store), *arguments], prog_name="ranktrail"
    )


def plant(
    folder: Path, versions: Sequence[tuple[str, str]] = VERSIONS, crawl: bool = True
) -> Garden:
    """Make the upstream repository and the store in a folder."""
    upstream = History(folder / "upstream.git")
    commits = [upstream.commit({"board.json": content}, at) for at, content in versions]
    store = folder / "store"
    define(store, "garden", DEFINITION)
    if crawl:
        result = run(store, "crawl")
        assert result.exit_code == 0, result.stderr
    return Garden(store, upstream, commits)


def define(store: Path, name: str, definition: str) -> None:
    """Write the definition of a board."""
    (store / name).mkdir(parents=True, exist_ok=True)
    (store / name / "board.toml").write_text(definition)


def digest(folder: Path) -> dict[str, str]:
    """Hash of every file below a folder; lock files say nothing."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != ".lock"
    }
