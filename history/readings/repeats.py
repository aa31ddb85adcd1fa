"""What becomes of several rows with one key?

In: the keys and scores of the rows of a file. Out: the rows that stay, and Remarks. Start at
Repeats.resolve(). Rows that print the same score count once; for the others the definition's
`keep` decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from history import numbers
from history.dates import Moments, read_dates
from history.meaning.definition import Columns
from history.readings.remarks import Remark


class _Times(NamedTuple):
    """What says which row is latest, as numbers or as dates.

    Attributes:
        readings: the times of all rows, once for each way to read them.
        either: why there are two ways, for people.
        odd: why there is none.
    """

    readings: Sequence[Sequence[Decimal | None] | Moments]
    either: str | None = None
    odd: str | None = None


@dataclass
class Repeats:
    """The rows of one file, some with the same key.

    Attributes:
        columns: says what to keep: apart (KEY, KEY#2 in file order), best, latest, or refuse
            (apart, and none of them ranked). Where `latest` does not tell which row is latest, it
            is refused, too.
        entries: the key of every row.
        places: where each row stands in the file, from 0.
        texts, ticks, pointers: the printed score of every row, and where it stands.
        latest: what says which row is latest, for keep = "latest".
        column: whose texts they are, where it is not the score.
        remarks: what was done; each points to the second row of its key.
    """

    columns: Columns
    entries: list[str]
    places: Sequence[int]
    texts: Sequence[str | None]
    ticks: Sequence[int | None]
    pointers: Sequence[str]
    latest: Sequence[str | None] | None
    column: str | None = None
    remarks: list[Remark] = field(default_factory=list)

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
                self._remark(entry, rows, f"is repeated with the same {what}")
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
        found, why = f"has different {what}: {texts[:80]}", None
        if self.columns.keep in ("best", "latest"):
            row, why = self._one_of(rows)
            if row is not None:
                self._remark(entry, rows, f"{found}; {self._what_counts(row, rows)}")
                return [row]
        self._remark(entry, rows, f"{found}; none counts, {why}" if why else found)
        self._tell_apart(entry, differing, taken)
        if self.columns.keep != "apart":
            for row in differing:
                unranked[row] = "duplicate"
        return differing

    def _remark(self, entry: str, rows: list[int], said: str) -> None:
        text = f"{entry!r} {said}"
        self.remarks.append(Remark("duplicate_entry", entry, self.pointers[rows[1]], text))

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
            return self._latest(scored)
        sign = 1 if self.columns.direction == "higher" else -1
        return max(scored, key=lambda row: sign * (self.ticks[row] or 0)), None

    def _latest(self, rows: list[int]) -> tuple[int | None, str | None]:
        """The latest row, by number or by date; None and the reason if that is not certain."""
        times = self._times
        if times.odd:
            return None, times.odd
        chosen = {self._last(rows, one) for one in times.readings}
        if len(chosen) > 1:
            return None, f"as {times.either}"
        (row,) = chosen
        if row is None:
            return None, "as no single row is the latest"
        return row, None

    @cached_property
    def _times(self) -> _Times:
        """The whole column decides how its texts are read, so they are read together, once."""
        texts = self.latest or ()
        parsed = [numbers.parse(text) for text in texts]
        if all(one.unit == numbers.NO_UNIT or one.reason == "missing" for one in parsed):
            return _Times([[one.value for one in parsed]])
        dates = read_dates(texts)
        if dates.readings:
            return _Times(dates.readings, dates.either)
        odd = next(text for text in texts if text and not read_dates([text]).readings)
        return _Times((), odd=f"as {odd[:40]!r} is no date")

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
