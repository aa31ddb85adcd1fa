"""How does a test put a claim to a table of its own?

A Folder is where claims and tables lie. No board is open: whoever asks for one has made a mistake.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from history.claims.evaluate import check
from history.claims.language.claims_file import parse_claims
from history.claims.verdict import Verdict
from history.pipeline import BoardHistory

NOW = datetime(2026, 10, 23, 12, tzinfo=UTC)


class Folder:
    """A folder with the tables that claims name."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, name: str, text: str) -> None:
        """Put a table there."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def one(self, predicate: str, **claim: Any) -> Verdict:
        """The verdict on one claim, given as JSON would give it."""
        text = json.dumps([{"id": "c", "predicate": predicate, **claim}])
        return self.check(text, "json")[0]

    def check(self, text: str, form: Any = "toml") -> list[Verdict]:
        """Verdicts on a claims file."""
        claims = parse_claims(text, f"claims.{form}", form)
        return check(claims, no_board, now=NOW, folder=self.folder)


def no_board(name: str) -> BoardHistory:
    """Refuse a board."""
    raise AssertionError(f"board {name} was asked for")


def numbers(verdict: Verdict, *names: str) -> list[Any]:
    """Some numbers of an answer, rounded to four decimals."""
    found = [verdict.answer[name] for name in names]
    return [round(one, 4) if isinstance(one, float) else one for one in found]
