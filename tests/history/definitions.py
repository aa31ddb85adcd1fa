"""Definitions for tests: the shortest that is valid, and more where a test needs it."""

from __future__ import annotations

from pathlib import Path

from crawler.board import load_board
from history.meaning import Meaning, read_meaning

SOURCE = """
# A board of plants.
[source]
kind = "git"
repo = "upstream.git"
paths = ["{path}"]
"""
TABLE = """
[table]
entry = "model"
score = "score"
direction = "higher"
"""


def meaning_of(folder: Path, text: str = TABLE, path: str = "board.json") -> Meaning:
    """The meaning of a definition: a [source] with one file, then `text`."""
    place = folder / "garden"
    place.mkdir(parents=True, exist_ok=True)
    (place / "board.toml").write_text(SOURCE.format(path=path) + text, encoding="utf-8")
    return read_meaning(load_board(place / "board.toml"))
