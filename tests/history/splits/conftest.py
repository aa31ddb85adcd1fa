from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from crawler.board import load_board
from history.meaning import Meaning, read_meaning
from tests.history.splits.boards import DEFINITION


@pytest.fixture
def meaning_of(tmp_path: Path) -> Callable[..., Meaning]:
    def read(splits: str, definition: str = DEFINITION) -> Meaning:
        path = tmp_path / "garden.toml"
        path.write_text(definition.format(splits=splits), encoding="utf-8")
        return read_meaning(load_board(path))

    return read
