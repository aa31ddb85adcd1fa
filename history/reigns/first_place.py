"""Who was first, from when to when, and how was first place lost?

In: RANKS, READINGS and the time of the last look. Out: reigns, half-open [start, until).
Start at reigns().
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import pandas as pd

from history import moments
from history.frames import SCORE, dp_of, text_of, ticks_of, value_of
from history.reigns.stretches import Stretch, runs
from history.ticks import exact

By = Literal["score", "tie"]
Why = Literal["joined", "edition", "re-scored", "holder left", "holder re-scored", "unknown"]


@dataclass(frozen=True, slots=True)
class LostTo:
    """An entry that is first after a reign and was not before.

    Attributes:
        entry: its key.
        why: what made it first: joined (not listed before), edition (the file's label
            changed), re-scored (its own score changed), holder left, holder re-scored,
            or unknown. The first that applies.
    """

    entry: str
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Reign(Stretch):
    """A stretch in which first place was held by the same entries.

    Attributes:
        entries: all that shared rank 1, in code-point order; none on an empty board.
        score: best score when the reign began, as a number for charts.
        score_text: the same as printed (of the first entry that has it).
        absent: there was no file at all.
        lost_to: who took first place, in code-point order.
        definition_changed: it ended where the board's definition changed, by a [[since]].
    """

    entries: tuple[str, ...]
    score: float | None
    score_text: str | None
    absent: bool
    lost_to: tuple[LostTo, ...]
    definition_changed: bool = False

    @property
    def sole(self) -> bool:
        """Exactly one entry held first place."""
        return len(self.entries) == 1


def reigns(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    field: str = SCORE,
    by: By = "score",
) -> list[Reign]:
    """First place through time.

    Reigns follow one another without a gap from the first readable version to the last
    look. A version that another one replaced at the same instant is listed with
    0 seconds if its holders differ.

    Args:
        ranks: RANKS of the whole history, by version.
        readings: READINGS with `at`, by version.
        as_of: time of the last successful look.
        field: which score the ranks rest on.
        by: who is first: rank 1 by score, or tie rank 1, which all of the first tie group have. In
            a version whose tie rule or band is not known, nobody knows the latter.

    Returns:
        Oldest first. A reign runs on across versions that cannot be read if the same
        entries hold first place after them; if others do, it ends at the next
        readable version, at the earliest at the first unreadable one.

    >>> readings = pd.DataFrame({"version": [0, 1], "commit": ["aa", "bb"], "state": "published",
    ...     "reading": "read", "edition": None, "stage": "",
    ...     "at": pd.to_datetime(["2026-10-21T15:13Z", "2026-10-22T20:12Z"])})
    >>> ranks = pd.DataFrame({"version": [0, 1, 1], "entry": ["fern", "moss", "fern"],
    ...     "rank": [1, 1, 2], "score.text": ["71.6", "73.3", "71.6"],
    ...     "score.value": [71.6, 73.3, 71.6], "score.ticks": [716, 733, 716], "score.dp": 1})
    >>> first, second = reigns(ranks, readings, pd.Timestamp("2026-10-23T00:00Z"))
    >>> first.entries, first.seconds, first.lost_to
    (('fern',), 104340, (LostTo(entry='moss', why='joined'),))
    >>> second.entries, second.open, second.until
    (('moss',), True, None)
    """
    boards = _Boards(ranks, readings, field, by)
    states = moments.states(readings)
    unknown = unknown_first(ranks, by)
    marks = [
        None
        if state == "unknown" or version in unknown
        else (boards.holders(version), state == "absent")
        for version, state in zip(states.index.tolist(), states.tolist(), strict=True)
    ]
    found = []
    unsure = unreadable_entries(ranks)
    for (holders, absent), stretch, last in runs(marks, readings, as_of, unsure):
        score, text = boards.first_score(stretch.from_version)
        lost_to: tuple[LostTo, ...] = ()
        if stretch.until_version is not None:
            lost_to = boards.lost_to(holders, last, stretch.until_version)
        facts = {name: getattr(stretch, name) for name in Stretch.__dataclass_fields__}
        found.append(
            Reign(
                **facts,
                entries=holders,
                score=score,
                score_text=text,
                absent=absent,
                lost_to=lost_to,
                definition_changed=boards.redefined(last, stretch.until_version),
            )
        )
    return found


def unknown_first(ranks: pd.DataFrame, by: By = "score") -> frozenset[int]:
    """Versions of which nobody can say who is first.

    Of a board with a file per entry one file may be unreadable. While that is the file of an
    entry that was first when all was last known, the first of the others may not be the first.

    Where ties count, that is also a version without a known tie rule or band.

    >>> ranks = pd.DataFrame({"version": [0, 0, 1, 1], "entry": ["fern", "moss", "moss", "fern"],
    ...     "rank": [1, 2, 1, None], "unranked": [None, None, None, "unreadable"]})
    >>> sorted(unknown_first(ranks))
    [1]
    """
    unread = unreadable_entries(ranks)
    top = (ranks["rank"] == 1).fillna(False)
    found: set[int] = set()
    if by == "tie":
        found |= set(ranks.loc[top & ranks["tie_rank"].isna(), "version"].tolist())
    if not unread:
        return frozenset(found)
    holders = _entries_of(ranks[first_rows(ranks, by)])
    known: set[str] = set()
    for version in sorted(holders.keys() | unread.keys()):
        if not known.isdisjoint(unread.get(version, [])):
            found.add(version)
        else:
            known = set(holders.get(version, []))
    return frozenset(found)


def first_rows(ranks: pd.DataFrame, by: By) -> pd.Series:
    """Which rows of RANKS hold first place."""
    return (ranks["tie_rank" if by == "tie" else "rank"] == 1).fillna(False).astype(bool)


def unreadable_entries(ranks: pd.DataFrame) -> dict[int, list[str]]:
    """By version, the entries whose own file could not be read."""
    if "unranked" not in ranks:
        return {}
    return _entries_of(ranks[ranks["unranked"] == "unreadable"])


def _entries_of(ranks: pd.DataFrame) -> dict[int, list[str]]:
    """The entries of each version."""
    found: dict[int, list[str]] = {}
    for version, entry in zip(ranks["version"].tolist(), ranks["entry"].tolist(), strict=True):
        found.setdefault(version, []).append(entry)
    return found


class _Boards:
    """What reigns need from RANKS: the holders of every version, and single scores of some."""

    def __init__(self, ranks: pd.DataFrame, readings: pd.DataFrame, field: str, by: By):
        self._editions = dict(zip(readings["version"], readings["edition"], strict=True))
        self._stages = dict(zip(readings["version"], readings["stage"], strict=True))
        self._versions = ranks["version"].to_numpy()
        entries = ranks["entry"].astype("category").cat
        self._codes = entries.codes.to_numpy()
        self._code_of = {entry: code for code, entry in enumerate(entries.categories.tolist())}
        columns = (text_of, value_of, ticks_of, dp_of)
        self._text, self._value, self._ticks, self._dp = (ranks[of(field)].array for of in columns)
        self._holders = _entries_of(ranks[first_rows(ranks, by)])
        self._best = self._holders if by == "score" else _entries_of(ranks[ranks["rank"] == 1])

    def holders(self, version: int) -> tuple[str, ...]:
        return tuple(sorted(self._holders.get(version, [])))

    def first_score(self, version: int) -> tuple[float | None, str | None]:
        """The best score, as a number and as printed by the first entry that has it."""
        best = sorted(self._best.get(version, []))
        row = self._row(version, best[0]) if best else None
        if row is None:
            return None, None
        value, text = self._value[row], self._text[row]
        return (None if pd.isna(value) else float(value)), (None if pd.isna(text) else str(text))

    def lost_to(self, before: tuple[str, ...], last: int, ended: int) -> tuple[LostTo, ...]:
        """Who is first in version `ended` and was not in version `last`, and why."""
        newcomers = [entry for entry in self.holders(ended) if entry not in before]
        return tuple(LostTo(entry, self._why(entry, before, last, ended)) for entry in newcomers)

    def _why(self, entry: str, holders: tuple[str, ...], last: int, ended: int) -> Why:
        if self._row(last, entry) is None:
            return "joined"
        if self._relabelled(last, ended):
            return "edition"
        if self._rescored(entry, last, ended):
            return "re-scored"
        if any(self._row(ended, holder) is None for holder in holders):
            return "holder left"
        if any(self._rescored(holder, last, ended) for holder in holders):
            return "holder re-scored"
        return "unknown"

    def redefined(self, last: int, ended: int | None) -> bool:
        """Whether another stage of the definition holds in version `ended` than in `last`."""
        return ended is not None and self._stages[last] != self._stages[ended]

    def _row(self, version: int, entry: str) -> int | None:
        """Where an entry stands in RANKS; None if that version does not list it."""
        low, high = np.searchsorted(self._versions, [version, version + 1])
        found = np.flatnonzero(self._codes[low:high] == self._code_of[entry])
        return int(low + found[0]) if len(found) else None

    def _rescored(self, entry: str, last: int, ended: int) -> bool:
        """Whether the exact score changed; 70.1 and 70.10 are the same."""
        return self._number(last, entry) != self._number(ended, entry)

    def _number(self, version: int, entry: str) -> Fraction | None:
        row = self._row(version, entry)
        if row is None or pd.isna(self._ticks[row]):
            return None
        return exact(self._ticks[row], self._dp[row])

    def _relabelled(self, last: int, ended: int) -> bool:
        labels = {self._editions[last], self._editions[ended]}
        return len(labels) == 2 and not any(pd.isna(label) for label in labels)
