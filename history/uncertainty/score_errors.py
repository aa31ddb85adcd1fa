"""What does a file say of how far each of its scores may be off?

In: RANKS of one version with the measures low, high, se, items. Out: ScoreErrors: a standard error
for every entry that has one, where it comes from, and why the others have none. Start at
score_errors(). What stands in the file goes before what is computed: se, then low and high, then
items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from history.frames import SCORE, dp_of, ticks_of, value_of
from history.sampling import Z
from history.uncertainty.errors import Noise, of_share, wilson
from history.uncertainty.items import counts_of_ticks

Source = Literal["se", "interval", "items", "items_wilson"]

SOURCES: dict[Source, str] = {
    "se": "the file's own standard error",
    "interval": "half the width of the printed interval / 1.96, taken as one of 95%",
    "items": "sqrt(p (1 - p) / n): the score as a share of right answers among n independent items",
    "items_wilson": "half of Wilson's interval / 1.96, as fewer than 5 answers are right or wrong",
}
NOISES: dict[Source, Noise] = {
    "se": "unstated",
    "interval": "unstated",
    "items": "item",
    "items_wilson": "item",
}

_FEW = 5  # right or wrong answers, below which sqrt(p (1 - p) / n) is too short
_ODD = 0.1  # share of scores that no number of answers gives, at which they are no such shares


@dataclass(frozen=True, slots=True)
class ScoreError:
    """How far one score may be off.

    Attributes:
        entry: its key.
        name: display name, or None.
        rank: of the board.
        score: the number, in the board's units.
        error: standard error in the same units; None where the file does not tell.
        source: where it comes from.
        items: number of items behind the score, if the file says.
        right: numbers of right answers that print as the score, where it is such a share.
        why: why there is no error; empty if there is one.
    """

    entry: str
    name: str | None
    rank: int
    score: float
    error: float | None
    source: Source | None
    items: int | None
    right: range | None
    why: str


@dataclass(frozen=True, slots=True)
class ScoreErrors:
    """What a version says of all its ranked scores.

    Attributes:
        entries: best first.
        per: what all right counts as: 100 for percents, 1 for shares; None if that does not
            matter or is not known.
        per_known: how `per` is known, or why it is not.
    """

    entries: tuple[ScoreError, ...]
    per: int | None
    per_known: str


def score_errors(
    ranks: pd.DataFrame,
    measures: Sequence[str],
    per: int | None = None,
    units: Sequence[int] | None = None,
) -> ScoreErrors:
    """Standard errors of the ranked scores of one version.

    Args:
        ranks: RANKS of one version, with the columns of the measures.
        measures: which of low, high, se, items the definition names; none for a split, of whose
            numbers they say nothing.
        per: 100 or 1 if the definition says whether scores are percents or shares.
        units: how many ticks the last printed decimal of each row of `ranks` is; None: one.

    >>> table = pd.DataFrame({"entry": ["fern", "moss"], "rank": pd.array([1, 2], "Int64"),
    ...     "score.ticks": pd.array([749, 736], "Int64"), "score.dp": 3,
    ...     "items.ticks": pd.array([2000, None], "Int64"), "items.dp": 0})
    >>> found = score_errors(table, ["items"], per=1).entries
    >>> [(one.error and round(one.error, 4), one.why) for one in found]
    [(0.0097, ''), (None, 'no number of items')]
    """
    ranked = ranks["rank"].notna().to_numpy()
    rows = ranks[ranked]
    sized = [1] * len(ranks) if units is None else list(units)
    ticks = [int(tick) for tick in rows[ticks_of(SCORE)].tolist()]
    dps = [int(dp) for dp in rows[dp_of(SCORE)].tolist()]
    units_of = [unit for unit, has_rank in zip(sized, ranked.tolist(), strict=True) if has_rank]
    cells = list(zip(ticks, dps, units_of, strict=True))
    items = _whole(rows, "items" if "items" in measures else None)
    found, known = (per, "said by the board's definition") if per else _found_per(cells, items)
    values = {name: _values(rows, name, name in measures) for name in ("low", "high", "se")}
    names = rows["name"].tolist() if "name" in rows.columns else [None] * len(rows)
    made = []
    for i, (entry, rank) in enumerate(zip(rows["entry"], rows["rank"], strict=True)):
        tick, dp, unit = cells[i]
        right = None if found is None else _right(tick, dp, unit, items[i], found)
        low, high, se = (values[name][i] for name in ("low", "high", "se"))
        score = tick / 10**dp if dp >= 0 else float(tick * 10**-dp)
        spread = None if low is None or high is None else (low, score, high)
        error, source, why = _error(spread, se, items[i], right, found, known, measures)
        made.append(
            ScoreError(
                str(entry),
                None if pd.isna(names[i]) else str(names[i]),
                int(rank),
                score,
                error,
                source,
                items[i],
                right or None,
                why,
            )
        )
    return ScoreErrors(tuple(made), found, known)


def _error(
    spread: tuple[float, float, float] | None,
    se: float | None,
    items: int | None,
    right: range | None,
    per: int | None,
    known: str,
    measures: Sequence[str],
) -> tuple[float | None, Source | None, str]:
    """The standard error of one score, its source, or why there is none."""
    if se is not None and se > 0:
        return se, "se", ""
    if spread is not None and spread[0] < spread[2] and sorted(spread) == list(spread):
        return (spread[2] - spread[0]) / 2 / Z, "interval", ""
    if items is not None and right and per is not None:
        middle = right[len(right) // 2]
        if min(middle, items - middle) >= _FEW:
            return per * of_share(middle / items, items), "items", ""
        bounds = wilson(middle, items)
        return per * (bounds[1] - bounds[0]) / 2 / Z, "items_wilson", ""
    if not measures:
        return None, None, "the board names no standard error, interval or number of items"
    if se is not None or spread is not None:
        return None, None, "its standard error is not above 0, or its interval not around the score"
    if "items" not in measures:
        return None, None, "no standard error or interval"
    if items is None:
        return None, None, "no number of items"
    if per is None:
        return None, None, known
    return None, None, f"no number of right answers out of {items} prints as this score"


def _found_per(
    cells: Sequence[tuple[int, int, int]], items: Sequence[int | None]
) -> tuple[int | None, str]:
    """Whether scores are percents or shares, as far as only one of them can be."""
    counted = [(cell, n) for cell, n in zip(cells, items, strict=True) if n is not None]
    if not counted:
        return None, "there is no number of items"
    fits = []
    for per in (100, 1):
        odd = sum(not _right(*cell, n, per) for cell, n in counted)
        if odd <= _ODD * len(counted):
            fits.append(per)
    if len(fits) == 1:
        said = "percents" if fits[0] == 100 else "shares of 1"
        return fits[0], f"found: only as {said} are the scores numbers of right answers"
    if fits:
        return None, "the scores can be percents and shares of 1, and the definition does not say"
    return None, "the scores are no shares of right answers among the items"


def _right(tick: int, dp: int, unit: int, items: int | None, per: int) -> range | None:
    """Numbers of right answers that print as a score, rounded or else cut; None without items."""
    if items is None:
        return None
    rounded = counts_of_ticks(tick, dp, items, per, "rounded", unit)
    return rounded or counts_of_ticks(tick, dp, items, per, "truncated", unit)


def _whole(rows: pd.DataFrame, field: str | None) -> list[int | None]:
    """A column of counts from 1 up; None for what is none."""
    if field is None or ticks_of(field) not in rows.columns:
        return [None] * len(rows)
    counts: list[int | None] = []
    for tick, dp in zip(rows[ticks_of(field)].tolist(), rows[dp_of(field)].tolist(), strict=True):
        if pd.isna(tick):
            counts.append(None)
            continue
        whole, rest = divmod(int(tick), 10**dp) if dp >= 0 else (int(tick) * 10**-dp, 0)
        counts.append(None if rest or whole < 1 else whole)
    return counts


def _values(rows: pd.DataFrame, field: str, wanted: bool) -> list[float | None]:
    if not wanted or value_of(field) not in rows.columns:
        return [None] * len(rows)
    return [None if pd.isna(value) else float(value) for value in rows[value_of(field)]]
