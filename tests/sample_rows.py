"""What do the files of the sample hold: which folders, boards and rows, and which claims?"""

from __future__ import annotations

import json
import tomllib
from decimal import Decimal
from typing import Any

import pytest

from app.sample import SAMPLE

FOLDERS = sorted(path.name for path in SAMPLE.glob("[0-9]*"))
TEXT, VISION = "data/v03.json", "data/vision.json"
BOARDS = {"replay-text": (TEXT, "models", "v"), "replay-vision": (VISION, "entries", "full")}
FILES = [
    pytest.param(folder, board, id=f"{folder} {board}")
    for folder in FOLDERS
    for board, (path, _, _) in BOARDS.items()
    if (SAMPLE / folder / path).exists()
]

Row = dict[str, Any]


def load(folder: str, board: str) -> dict[str, Any]:
    path = SAMPLE / folder / BOARDS[board][0]
    content: dict[str, Any] = json.loads(path.read_text("utf-8"), parse_float=Decimal)
    return content


def rows_of(folder: str, board: str) -> list[Row]:
    rows: list[Row] = load(folder, board)[BOARDS[board][1]]
    return rows


def scores_of(folder: str, board: str) -> dict[str, Decimal]:
    """Score of every ranked entry."""
    score = BOARDS[board][2]
    rows = rows_of(folder, board)
    return {
        row["engine"]: Decimal(row[score])
        for row in rows
        if row[score] is not None and not row.get("ref")
    }


def rank(scores: dict[str, Decimal], entry: str) -> int:
    return 1 + sum(score > scores[entry] for score in scores.values())


def versions_with(board: str, *entries: str) -> list[str]:
    folders = [folder for folder in FOLDERS if (SAMPLE / folder / BOARDS[board][0]).exists()]
    return [folder for folder in folders if set(entries) <= set(scores_of(folder, board))]


def claimed(number: str) -> dict[str, Any]:
    """One of the sample's claims, by its id."""
    claims = tomllib.loads((SAMPLE / "claims.toml").read_text("utf-8"))["claim"]
    return next(claim for claim in claims if claim["id"] == number)
