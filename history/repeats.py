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
from history.dates import Moments, read_dates
from history.definition import Columns


@dataclass
class Repeats:
    """The rows of one file, some with the same key.

    Attributes:
        columns: says what to keep: apart (KEY, KEY#2 in file order), best, latest, or refuse
            (apart, and none of them ranked). Where `latest` does not tell which row is latest, it
            is refused, too.
        entries: the key of every row.
        places: where each row stands in the file, from 0.
        texts, ticks: the printed score of every row.
        latest: what says which row is latest, for keep = "latest".
        column: whose texts they are, where it is not the score.
        notes: for people, what was done.
    """

    columns: Columns
    entries: list[str]
    places: Sequence[int]
    texts: Sequence[str | None]
    ticks: Sequence[int | None]
    latest: Sequence[str | None] | None
    column: str | None = None
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
                what = f"value of {self.column!r}" if self.column else "score"
                self.notes.append(f"{entry!r} is repeated with the same {what}")
            if len(differing) > 1:
                differing = self._decided(entry, rows, differing, groups, unranked)
            gone.update(set(rows) - set(differing))
        return [row for row in kept if row not in gone]

    def _decided(
        self,
        entry: str,
        rows: list[int],
        differing: list[int],
        taken: Mapping[str, Any],
        unranked: list[str | None],
    ) -> list[int]:
        """The rows of one key that stay, of those with other scores."""
        what = f"values of {self.column!r}" if self.column else "scores"
        texts = ", ".join(self.texts[row] or "none" for row in differing)
        found, why = f"{entry!r} has different {what}: {texts[:80]}", None
        if self.columns.keep in ("best", "latest"):
            row, why = self._one_of(rows)
            if row is not None:
                self.notes.append(f"{found}; {self._what_counts(row, rows)}")
                return [row]
        self.notes.append(f"{found}; none counts, {why}" if why else found)
        self._tell_apart(entry, differing, taken)
        if self.columns.keep != "apart":
            for row in differing:
                unranked[row] = "duplicate"
        return differing

    def _what_counts(self, row: int, rows: list[int]) -> str:
        """The rule, what it chose, and the rows that cannot count at all."""
        said = f"{self.columns.keep} counts: {self.texts[row] or 'none'} in row {self.places[row]}"
        failed = [str(self.places[n]) for n in rows if self.ticks[n] is None and n != row]
        return f"{said} (from 0)" + (
            f", not row {', '.join(failed)} without a {self.column or 'score'}" * bool(failed)
        )

    def _one_of(self, rows: list[int]) -> tuple[int | None, str | None]:
        """The best or the latest row that has a score, the first if none has; else why not."""
        scored = [row for row in rows if self.ticks[row] is not None]
        if not scored:
            return rows[0], None
        if self.latest is not None:
            return self._latest(scored, self.latest)
        sign = 1 if self.columns.direction == "higher" else -1
        return max(scored, key=lambda row: sign * (self.ticks[row] or 0)), None

    def _latest(
        self, rows: list[int], latest: Sequence[str | None]
    ) -> tuple[int | None, str | None]:
        """The latest row, by number or by date; None and the reason if that is not certain."""
        times = [numbers.parse(text) for text in latest]
        if all(time.unit == numbers.NO_UNIT or time.reason == "missing" for time in times):
            readings: tuple[Sequence[Decimal | None] | Moments, ...] = (
                [time.value for time in times],
            )
            either = None
        else:
            dates = read_dates(latest)
            readings, either = dates.readings, dates.either
        if not readings:
            odd = next(text for text in latest if text and not read_dates([text]).readings)
            return None, f"as {odd[:40]!r} is no date"
        chosen = {self._last(rows, times) for times in readings}
        if len(chosen) > 1:
            return None, f"as {either}"
        (row,) = chosen
        if row is None:
            return None, "as no single row is the latest"
        return row, None

    def _last(self, rows: list[int], times: Sequence[Any]) -> int | None:
        """The row with the highest time, None if several have it with different scores."""
        known = [row for row in rows if times[row] is not None]
        last = max((times[row] for row in known), default=None)
        fitting = [row for row in known if times[row] == last]
        return fitting[0] if len({self.texts[row] for row in fitting}) == 1 else None

    def _tell_apart(self, entry: str, rows: list[int], taken: Mapping[str, Any]) -> None:
        number = 1
        for row in rows[1:]:
            number += 1
            while f"{entry}#{number}" in taken:
                number += 1
            self.entries[row] = f"{entry}#{number}"
