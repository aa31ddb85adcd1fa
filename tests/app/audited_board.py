"""A small board with everything that an audit can find.

Versions of `hedge`: one that agrees with itself, one with a score that its formula does not give
and a rank that contradicts its score, one that cannot be read, a Git LFS pointer, and one more.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.app.small_board import Garden, define, run
from tests.histories import History

DEFINITION = """\
name = "hedge"
title = "The hedge board"

[source]
kind = "git"
repo = "../../upstream.git"
paths = ["board.json"]

[table]
rows = "$.rows"
entry = "id"
score = "s"
direction = "higher"
published_rank = "rank"
published_tie_rank = "tie"

[table.parts]
public = "pub"
private = "priv"

[formula]
score = "0.5*public + 0.5*private"

[ties]
rule = "anchored"
band = 0.5
edge = "inclusive"
"""

Row = tuple[str, float, float, float, int, int]
GOOD: tuple[Row, ...] = (
    ("fern", 70.5, 71.0, 70.0, 1, 1),
    ("moss", 70.3, 70.2, 70.4, 2, 1),
    ("<b>oak</b>", 68.1, 68.0, 68.1, 3, 3),
    ("ivy", 66.0, 66.4, 65.6, 4, 4),
)
# oak's score is 1.5 above what its parts give, and the first two ranks are exchanged.
OFF = (
    ("fern", 70.5, 71.0, 70.0, 2, 1),
    ("moss", 70.0, 69.8, 70.2, 1, 1),
    ("<b>oak</b>", 69.6, 68.0, 68.1, 3, 3),
    ("ivy", 66.0, 66.4, 65.6, 4, 4),
)
BROKEN = '<<<<<<< HEAD\n{"rows": [<script>alert(1)</script>\n=======\n>>>>>>> **other**\n'
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'1f' * 32}\nsize 4096\n"


def hedge_json(rows: tuple[Row, ...]) -> str:
    """The board's file."""
    keys = ("id", "s", "pub", "priv", "rank", "tie")
    return json.dumps({"rows": [dict(zip(keys, row, strict=True)) for row in rows]}, indent=1)


VERSIONS = (
    hedge_json(GOOD),
    hedge_json(OFF),
    BROKEN,
    POINTER,
    hedge_json((*GOOD[:3], GOOD[3])) + "\n",
)


def plant_hedge(folder: Path, versions: tuple[str, ...] = VERSIONS) -> Garden:
    """Make the upstream repository and the store in a folder."""
    upstream = History(folder / "upstream.git")
    commits = [
        upstream.commit({"board.json": text}, f"2026-03-0{day}T08:00:00Z")
        for day, text in enumerate(versions, start=1)
    ]
    define(folder / "store", "hedge", DEFINITION)
    result = run(folder / "store", "crawl")
    assert result.exit_code == 0, result.stderr
    return Garden(folder / "store", upstream, commits)
