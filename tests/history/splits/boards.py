"""A board with parts, and definitions of its splits."""

from __future__ import annotations

DEFINITION = """\
name = "garden"

[source]
kind = "git"
repo = "upstream.git"
paths = ["board.json"]

[table]
rows = "$.rows"
entry = "id"
score = "s"
direction = "higher"

[table.parts]
public = "pub"
same = "same"
new = "new"
errors = {{ column = "err", direction = "lower" }}

[splits]
{splits}
"""
FORMULA = 'public = "public"\nprivate = "0.6*same + 0.4*new"'
LISTED = 'public = "public"\nprivate = ["same", "new"]'


def row(score: str | None, public: str | None, same: str | None, new: str | None) -> dict:
    return {"score": score, "public": public, "same": same, "new": new, "errors": None}


BOARD = {
    "fern": row("67.31", "64.29", "58.75", "46.50"),
    "moss": row("67.15", "58.12", "57.29", "47.95"),
    "oak": row("61.63", "57.79", "56.88", "54.01"),
    "reed": row("10.00", "40.00", None, "20.00"),
    "sage": row(None, "30.00", "inf", "20.00"),
}
