"""What becomes of several rows with one key?

Rows that print the same score count once; for the others the definition's `keep` decides. Start
at Repeats.resolve().
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from history import numbers
from history.definition import Columns


@dataclass
class Repeats:
    """The rows of one file, some with the same key.

    Attributes:
        columns: says what to keep: apart (KEY, KEY#2 in file order), best, latest, or refuse
            (apart, and none of them ranked).
        entries: the key of every row.
        texts, ticks: the printed score of every row.
        latest: what says which row is latest, for keep = "latest".
        notes: for people, what was done.
    """

    columns: Columns
    entries: list[str]
    texts: Sequence[str | None]
    ticks: Sequence[int | None]
    latest: Sequence[str | None] | None
    notes: list[str] = field(default_factory=list)

    def resolve(self, kept: list[int], unranked: list[str | None]) -> list[int]:
        """The rows that stay; keys that are told apart, and `unranked`, change in place."""
        groups: dict[str, list[int]] = {}
        for row in kept:
            groups.setdefault(self.entries[row], []).append(row)
        gone: set[int] = set()
        for entry, rows in groups.items():
            if len(rows) == 1:
                continue
            differing = sorted({self.texts[row]: row for row in reversed(rows)}.values())
            if len(differing) < len(rows):
                self.notes.append(f"{entry!r} is repeated with the same score")
            if len(differing) > 1:
                scores = ", ".join(self.texts[row] or "none" for row in differing)
                self.notes.append(f"{entry!r} has different scores: {scores[:80]}")
                if self.columns.keep in ("best", "latest"):
                    differing = [self._one_of(differing)]
                else:
                    self._tell_apart(entry, differing, groups)
                    if self.columns.keep == "refuse":
                        for row in differing:
                            unranked[row] = "duplicate"
            gone.update(set(rows) - set(differing))
        return [row for row in kept if row not in gone]

    def _one_of(self, rows: list[int]) -> int:
        """The best or the latest row that has a score; the first if none has."""
        scored = [row for row in rows if self.ticks[row] is not None]
        if not scored:
            return rows[0]
        if self.latest is not None:
            return max(scored, key=self._lateness())
        sign = 1 if self.columns.direction == "higher" else -1
        return max(scored, key=lambda row: sign * (self.ticks[row] or 0))

    def _lateness(self) -> Any:
        """How late a row is: by number if the column holds nothing else, else by text."""
        latest = self.latest or ()
        if all(numbers.parse(text).value is not None for text in latest if text):
            return lambda row: numbers.parse(latest[row]).value or Decimal(0)
        return lambda row: latest[row] or ""

    def _tell_apart(self, entry: str, rows: list[int], taken: Mapping[str, Any]) -> None:
        number = 1
        for row in rows[1:]:
            number += 1
            while f"{entry}#{number}" in taken:
                number += 1
            self.entries[row] = f"{entry}#{number}"
