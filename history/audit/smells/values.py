"""Which single numbers look wrong?

In: Steps. Out: smells about one cell each: a number outside the scale of its column, a zero
that stands for a gap, an interval beside its score, a number that jumped and went back, two numbers
swapped, a number corrected. Start at find().
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history import numbers
from history.audit.shifts import Shift
from history.audit.smells.smell import Smell, at_row
from history.audit.steps import Floats, Mask, Steps, differ
from history.frames import MEASURES, SCORE, dp_of, text_of, value_of

# Fewer numbers than this show no scale.
FEW = 5
# A number beyond the others' largest by this factor is no result on the same scale; a board
# whose own numbers spread wider than that (money, errors without a bound) needs as much again.
FAR_OUT = 5.0
# Where all others lie in 0..100 the bound is known, so that half as much again is enough.
OVER_A_HUNDRED = 1.5
# A column with more numbers below 0 than this share of all its history has a scale that goes there.
FEW_NEGATIVE = 0.02
# "Far below all others": less than this share of the others' median is left between 0 and them.
FAR_BELOW = 0.25
# Where more than this share of a column is 0, zero is a result like any other.
ZEROS = 0.1
# A swap in a commit that re-scores many others is a coincidence.
SWAP_AMONG = 10
# Where more than this share of the entries was ever re-scored, a few at a time (contests), a new
# score is no news. Batches do not count: they say something of one commit only.
RARELY = 0.35
# The same where those that were re-scored were so this many times on average.
AGAIN = 1.5
# What has two readings is named, with both, by the notes of the reading.
_SAYS = {
    "not_a_number": "is no number",
    "bound": "is a bound, no value",
    "about": "is no exact value",
}
# Where no score of a commit changed by more than this share of it, that is rounding.
CORRECTED = 0.01


def find(
    steps: Steps,
    higher: Mapping[str, Mask],
    missing: Collection[str],
    re_scored: Mask,
    many: Mask,
    shifted: Iterable[Shift],
) -> Iterator[Smell]:
    """All smells of single numbers.

    Args:
        steps: the rows of every entry.
        higher: by field, the rows where the higher number is better; others have no upper bound.
        missing: texts that mean "no score", besides the usual ones.
        re_scored: places at which nearly every row changed; what single numbers do there has
            another cause.
        many: the same where many rows changed: no score is corrected there.
        shifted: names that moved on from row to row: nor are the scores of those.
    """
    moved = {row for one in shifted for row in one.rows}
    numbers_of = {field: steps.values(field) for field in steps.fields}
    gaps = np.any([np.isnan(values) for values in numbers_of.values()], axis=0)
    zeros: set[tuple[int, str | None]] = set()
    for field, values in numbers_of.items():
        yield from _outside_scale(steps, field, values, higher[field])
        for smell in _zeros(steps, field, values, re_scored, gaps):
            if (smell.version, smell.entry) not in zeros:  # the score speaks for its parts
                zeros.add((smell.version, smell.entry))
                yield smell
    yield from _intervals(steps)
    yield from _changes(steps, re_scored, many, moved)
    yield from _no_number(steps, missing)


# --- one version at a time ---------------------------------------------------------------------


def _outside_scale(steps: Steps, field: str, values: Floats, bounded: Mask) -> Iterator[Smell]:
    rows, place = _numbers(steps, values)
    bounded = bounded[rows]
    if not len(rows) or np.nanmax(values) <= 0:
        return
    said = values[rows]
    by_place = pd.Series(said).groupby(place)
    size, top, least = (by_place.transform(how).to_numpy() for how in ("size", "max", "min"))
    below_top = pd.Series(np.where(said < top, said, np.nan)).groupby(place)
    rest = below_top.transform("max").to_numpy()
    low, high = (by_place.transform("quantile", q).to_numpy() for q in (0.1, 0.9))
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(low > 0, high / low, np.inf)
        ratio = np.where(rest > 0, said / rest, 0)
    # The others' bound is 100, as they are all below and some of them near it.
    hundred = bounded & (least >= 0) & (rest <= 100) & (rest > 50) & (ratio >= OVER_A_HUNDRED)
    far = ratio >= np.maximum(FAR_OUT, spread**2)
    percent = bounded & _percent(steps, field)[rows] & (said > 100)
    above = percent | ((said == top) & (size > FEW) & (far | (hundred & (said > 100))))
    for at in np.flatnonzero(above).tolist():
        most = "a percentage" if percent[at] else f"the others reach {rest[at]:g}"
        yield _cell(steps, int(rows[at]), "outside_scale", field, f"is out of scale: {most}")
    yield from _below_zero(steps, field, values, rows, place)


def _below_zero(
    steps: Steps, field: str, values: Floats, rows: NDArray[np.intp], place: NDArray[np.int64]
) -> Iterator[Smell]:
    negative = values[rows] < 0
    if not negative.any() or negative.mean() > FEW_NEGATIVE:
        return
    alone = pd.Series(negative).groupby(place).transform("sum").to_numpy() == 1
    size = pd.Series(negative).groupby(place).transform("size").to_numpy()
    for at in np.flatnonzero(negative & alone & (size > FEW) & (values[rows] != -1)).tolist():
        yield _cell(steps, int(rows[at]), "outside_scale", field, "is below 0, no other is")


def _zeros(
    steps: Steps, field: str, values: Floats, re_scored: Mask, gaps: Mask
) -> Iterator[Smell]:
    rows, place = _numbers(steps, values)
    said = values[rows]
    odd = (said == 0) | (said == -1)
    if not odd.any():
        return
    others = pd.Series(np.where(odd, np.nan, said)).groupby(place)
    least, middle, count = (others.transform(how).to_numpy() for how in ("min", "median", "count"))
    odd_ones = pd.Series(odd).groupby(place).transform("sum").to_numpy()
    few = (odd_ones == 1) | (odd_ones <= ZEROS * (odd_ones + count))
    before = steps.before(values, only_next=False)[rows]
    far = (least > FAR_BELOW * middle) & (count > 1)
    dropped = (before > FAR_BELOW * middle) & (before > 0) & (count > 1)
    # A part can be 0 in earnest where the rest of the row is there.
    alone = far & (gaps[rows] | (count >= FEW if field == SCORE else False))
    zero = (said == 0) & few & (alone | (dropped & (far | ~re_scored[place])))
    minus = (said == -1) & (least >= 0) & (count > 1) & few
    for at in np.flatnonzero(zero | minus).tolist():
        row = int(rows[at])
        why = f"the lowest of the others is {least[at]:g}"
        if dropped[at]:
            why = f"{steps.text(row - 1, field)} in {steps.commits[steps.place[row - 1]]}; {why}"
        yield _cell(steps, row, "zero_for_missing", field, f"may stand for a gap: {why}")


def _intervals(steps: Steps) -> Iterator[Smell]:
    """Ends on the wrong side of the score, by more than its rounding; errors and counts below 0."""
    score = steps.values(SCORE)
    rounding = 0.5 * 10.0 ** -steps.scores[dp_of(SCORE)].to_numpy(np.float64, na_value=np.nan)
    for field in (name for name in MEASURES if value_of(name) in steps.scores):
        values = steps.values(field)
        with np.errstate(invalid="ignore"):
            wrong, says = {
                "low": (values - score > rounding, "is above the score"),
                "high": (score - values > rounding, "is below the score"),
            }.get(field, (values < 0, "is below 0"))
        for row in np.flatnonzero(wrong).tolist():
            beside = f", {steps.text(row, SCORE)}" if field in ("low", "high") else ""
            yield _cell(steps, row, "interval_wrong", field, says + beside)


def _no_number(steps: Steps, missing: Collection[str]) -> Iterator[Smell]:
    texts = steps.scores[text_of(SCORE)].astype("category")
    says = {
        text: said
        for text in texts.cat.categories
        if text.strip() not in missing and (said := _SAYS.get(numbers.parse(text).reason or ""))
    }
    unranked = steps.scores["unranked"].eq("no_score").fillna(False).to_numpy(bool)
    for row in np.flatnonzero(texts.isin(list(says)).to_numpy() & unranked).tolist():
        yield _cell(steps, row, "no_number", SCORE, says[texts.iloc[row]])


# --- from version to version -------------------------------------------------------------------


def _changes(steps: Steps, re_scored: Mask, many: Mask, moved: Collection[int]) -> Iterator[Smell]:
    swapped: set[int] = set()
    told: set[tuple[int, str]] = set()
    for field in steps.fields:
        values = steps.values(field)
        if field == SCORE:
            for rows, smell in _swapped(steps, values):
                swapped.update(rows)
                yield smell
        for row, smell in _jumped_back(steps, field, values, re_scored):
            seen = (smell.version, str(smell.entry))
            if row not in swapped and seen not in told:
                told.add(seen)
                yield smell
    yield from _corrected(steps, many, swapped.union(moved), told)


def _jumped_back(
    steps: Steps, field: str, values: Floats, re_scored: Mask
) -> Iterator[tuple[int, Smell]]:
    between = steps.before(values, only_next=False)
    first = np.full(len(values), np.nan)
    first[2:] = np.where(steps.same[1:-1], values[:-2], np.nan)
    first[~steps.same] = np.nan
    back = ~np.isnan(first) & ~differ(first, values) & differ(between, values)
    changed = steps.count(differ(between, values))
    went = steps.count(back)
    # Where all ratings are estimated anew some come back by chance; a file that goes back does
    # so for most of them.
    chance = re_scored & (went * 2 < changed)
    for row in np.flatnonzero(back & ~chance[steps.place]).tolist():
        here, odd, old = (
            f"{steps.text(at, field)} in {steps.commits[steps.place[at]]}"
            for at in (row, row - 1, row - 2)
        )
        what = "" if field == SCORE else f" in {field}"
        found = f"{steps.entry(row)!r} jumped and went back{what}: {old}, {odd}, {here}"
        yield int(row), at_row(steps, int(row), "jumped_back", field, found)


def _swapped(steps: Steps, values: Floats) -> Iterator[tuple[tuple[int, int], Smell]]:
    before = steps.before(values)
    changed = differ(before, values)
    rows = np.flatnonzero(changed)
    if len(rows) < 2:
        return
    pairs = pd.DataFrame(
        {
            "row": rows,
            "place": steps.place[rows],
            "low": np.minimum(before, values)[rows],
            "high": np.maximum(before, values)[rows],
            "up": (values > before)[rows],
        }
    )
    keys = ["place", "low", "high"]
    sizes = pairs.groupby(keys)["up"].agg(["size", "sum"])
    exact = sizes[(sizes["size"] == 2) & (sizes["sum"] == 1)].index
    found = pairs.set_index(keys).loc[exact].reset_index().sort_values([*keys, "row"])
    many = (
        steps.count(changed)
        - found.groupby("place").size().reindex(range(len(steps.versions)), fill_value=0).to_numpy()
    )
    for place, one, other in zip(
        found["place"][::2].tolist(),
        found["row"][::2].tolist(),
        found["row"][1::2].tolist(),
        strict=True,
    ):
        if many[place] > SWAP_AMONG:
            continue
        a, b = (
            f"{steps.entry(row)!r} {steps.text(row - 1, SCORE)} -> {steps.text(row, SCORE)}"
            for row in (one, other)
        )
        since = max(_since(steps, values, row - 1) for row in (one, other))
        text = f"two scores were swapped: {a}, {b}; the old ones stood since {steps.commits[since]}"
        yield (one, other), at_row(steps, one, "swapped", SCORE, text)


def _since(steps: Steps, values: Floats, row: int) -> int:
    """The place from which on an entry printed the number of one of its rows."""
    while steps.same[row] and values[row - 1] == values[row]:
        row -= 1
    return int(steps.place[row])


def _corrected(
    steps: Steps, many: Mask, swapped: set[int], told: set[tuple[int, str]]
) -> Iterator[Smell]:
    values = steps.values(SCORE)
    before = steps.before(values)
    changed = differ(before, values) & ~(many | steps.announced)[steps.place]
    entries = steps.scores["entry"]
    a_few = changed & (steps.count(changed) <= FEW)[steps.place]
    again = changed.sum() > max(FEW, AGAIN * entries[changed].nunique())
    if again or entries[a_few].nunique() > RARELY * entries.nunique():
        return
    size = np.abs(values - before)
    large = steps.count(changed & (size > CORRECTED * np.abs(before))) > 0
    rows = np.flatnonzero(changed & large[steps.place])
    for row in rows[np.argsort(-size[rows], kind="stable")].tolist():
        smell = at_row(
            steps,
            int(row),
            "corrected",
            SCORE,
            f"the score of {steps.entry(row)!r} was changed: {steps.text(row - 1, SCORE)} in "
            f"{steps.commits[steps.place[row - 1]]}, {steps.text(row, SCORE)} now",
        )
        if row not in swapped and (smell.version, str(smell.entry)) not in told:
            yield smell


# --- helpers -----------------------------------------------------------------------------------


def _numbers(steps: Steps, values: Floats) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Rows that hold a number, and their places."""
    rows = np.flatnonzero(~np.isnan(values))
    return rows, steps.place[rows]


def _percent(steps: Steps, field: str) -> Mask:
    """Where a number is printed with a percent sign."""
    texts = steps.scores[text_of(field)].astype("category")
    signs = [text for text in texts.cat.categories if text.rstrip().endswith("%")]
    return texts.isin(signs).to_numpy() if signs else np.zeros(len(texts), dtype=bool)


def _cell(steps: Steps, row: int, kind: str, field: str, says: str) -> Smell:
    """A finding about what one cell prints."""
    what = "the score" if field == SCORE else field
    found = f"{what} of {steps.entry(row)!r}, {steps.text(row, field)}, {says}"
    return at_row(steps, row, kind, field, found)
