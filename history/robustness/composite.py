"""What is a score made of, and with which weights?

In: RANKS of one version with parts, and the board's definition. Out: a Composite, the entries
that have every part and the weight of each part. Start at composite_of().

The weights are those of [formula] where it is a sum of multiples of parts above its floor; else
those of a split that is such a formula; else equal ones, which is an assumption and is called
one. Where there is no [formula], the first of these that gives every printed score is taken, and
the first of all where none does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from history import splits
from history.frames import OUTSIDE, SCORE, dp_of, ticks_of
from history.numbers import Interval, half_unit
from history.scores import precision
from history.ticks import numbers_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from history.meaning import Meaning
    from history.meaning.definition import Columns
    from history.meaning.formula import Formula

Label = Literal["formula", "split", "assumed"]
MEAN = "mean of the parts"
_INT64_SAFE = 2**62


class Reproduction(NamedTuple):
    """Whether weights give the printed scores.

    Attributes:
        of: entries whose printed score could be held against its parts.
        fits: how many of them the unprinted digits can explain.
        worst: largest distance between printed and computed, None where `of` is 0.
        off: entries that do not fit.
        bent: entries for which the formula is not the sum of multiples, as those at its floor.
    """

    of: int
    fits: int
    worst: Fraction | None
    off: tuple[str, ...]
    bent: tuple[str, ...]

    @property
    def ok(self) -> bool | None:
        """True if all fit, None where there was nothing to compare."""
        return None if not self.of else self.fits == self.of


NOT_TRIED = Reproduction(0, 0, None, (), ())


@dataclass(frozen=True)
class Composite:
    """A score as a weighted mean of parts.

    Attributes:
        entries: those that have every part, in code-point order.
        parts: what goes into the score with a weight above 0.
        weights: of the parts; they sum to 1.
        ticks: values in units of 10**-dp, turned so that higher is better, shape
            (n_entries, n_parts); int64, or object of int where those are too short.
        units: the last printed decimal of each value in ticks, same shape.
        dp: decimals of one tick.
        totals: what the file prints as the score of each entry, turned like the score, and what
            the unprinted digits leave open; None where it prints none.
        sign: -1 where a lower score is better, else 1.
        flipped: parts whose sign was turned.
        scale, rest: the score is rest + scale * (the weighted mean), before it is turned.
        label: where the weights come from; "assumed": from nowhere in the definition.
        source: the same in words.
        reproduction: whether the weights give the printed scores.
        incomplete: entries that would take part and lack a part; they are unranked here.
        left_out: parts of the board that do not go into the score.
        notes: what was odd, for people.
    """

    entries: tuple[str, ...]
    parts: tuple[str, ...]
    weights: tuple[Fraction, ...]
    ticks: NDArray[Any]
    units: NDArray[Any]
    dp: int
    totals: tuple[Interval | None, ...] = ()
    sign: int = 1
    flipped: tuple[str, ...] = ()
    scale: Fraction = Fraction(1)
    rest: Fraction = Fraction(0)
    label: Label = "assumed"
    source: str = MEAN
    reproduction: Reproduction = NOT_TRIED
    incomplete: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def whole_weights(self) -> tuple[list[int], int]:
        """The weights as whole numbers, and what they are shares of."""
        total = lcm(*(weight.denominator for weight in self.weights))
        return [int(weight * total) for weight in self.weights], total

    def values(self) -> NDArray[np.float64]:
        """The turned values as floats, for statistics only, shape (n_entries, n_parts)."""
        exact = [[float(Fraction(int(t), 10**self.dp)) for t in row] for row in self.ticks]
        return np.array(exact, dtype=np.float64).reshape(len(self.entries), len(self.parts))

    def difference(self, entry: int, other: int) -> list[Fraction]:
        """By part, how far one entry (by its place) is ahead of another, exactly."""
        pair = zip(self.ticks[entry], self.ticks[other], strict=True)
        return [Fraction(int(mine) - int(theirs), 10**self.dp) for mine, theirs in pair]

    def front(self) -> list[int]:
        """Places of the entries that no other one equals or beats in every part and beats in one.

        Only these can be first under weights that are all above 0.
        """
        kept = []
        for place, row in enumerate(self.ticks):
            no_worse = (self.ticks >= row).all(axis=1)
            better = (self.ticks > row).any(axis=1)
            if not (no_worse & better).any():
                kept.append(place)
        return kept


class NoComposite(NamedTuple):
    """Why a board's score cannot be taken apart.

    Attributes:
        found: what is missing, in words.
        would_decide: the missing datum.
    """

    found: str
    would_decide: str


class _Weights(NamedTuple):
    """score = rest + sum of factor * part."""

    rest: Fraction
    factors: Mapping[str, Fraction]
    label: Label
    source: str


def composite_of(
    frame: pd.DataFrame,
    meaning: Meaning,
    own: Mapping[int, Columns] | None = None,
    known: Mapping[str, Fraction | None] | None = None,
) -> Composite | NoComposite:
    """Take the score of one version apart.

    Args:
        frame: SCORES or RANKS of one version, with the score and all parts.
        meaning: the definition as it is at that version.
        own: [table] at the versions whose numbers have decimals of their own.
        known: the numbers at the paths of [formula] in that version's file.
    """
    decide = "the score of every entry in each part, and which parts make the score"
    table = meaning.table
    if not table.parts:
        return NoComposite("the board's definition names no parts of the score", decide)
    rows = frame[~frame["unranked"].isin(OUTSIDE)]
    rows = rows.iloc[sorted(range(len(rows)), key=rows["entry"].astype(str).tolist().__getitem__)]
    found = [one for one in _candidates(meaning, known or {}) if len(_counted(one)) > 1]
    if not found:
        itself = [name for name, part in table.parts.items() if part.column == table.score]
        why = f"the score is the part {itself[0]!r} itself" if itself else "the score has one part"
        return NoComposite(f"{why}: what it is made of is not in the file", decide)
    made = [_composite(rows, meaning, one, own or {}, known or {}) for one in found]
    chosen = made[0]
    if chosen.label != "formula":
        chosen = next((one for one in made if one.reproduction.ok), chosen)
        if meaning.formula is not None:
            odd = "the board's formula is no sum of multiples of parts, so its weights are not used"
            chosen = replace(chosen, notes=(*chosen.notes, odd))
    if len(chosen.entries) < 2:
        have = "1 entry has" if len(chosen.entries) else "no entry has"
        return NoComposite(f"{have} a number in every part ({', '.join(chosen.parts)})", decide)
    return chosen


def _candidates(meaning: Meaning, known: Mapping[str, Fraction | None]) -> Iterator[_Weights]:
    """Where weights can come from, the best source first."""
    if meaning.formula is not None:
        found = linear(meaning.formula, known)
        if found is not None:
            yield _Weights(*found, "formula", "[formula] of the definition")
            return
    for name, what in meaning.splits.items():
        made_by = splits.view(meaning, name).formula if isinstance(what, str) else None
        found = None if made_by is None else linear(made_by, known)
        if found is not None:
            yield _Weights(*found, "split", f"the formula of the split {name!r}")
    yield from _means(meaning)


def _means(meaning: Meaning) -> Iterator[_Weights]:
    """Equal weights, of the parts that are better the same way as the score and then of all.

    A part that is better when lower where the score is better when higher, as costs and times
    are, is rarely on the score's scale; it counts with its sign turned.
    """
    table = meaning.table
    if any(part.column == table.score for part in table.parts.values()):
        return
    same = [name for name, part in table.parts.items() if part.direction == table.direction]
    if len(same) > 1:
        share = Fraction(1, len(same))
        source = MEAN if len(same) == len(table.parts) else f"{MEAN} with the score's direction"
        yield _Weights(Fraction(0), dict.fromkeys(same, share), "assumed", source)
    if len(same) < len(table.parts):
        share = Fraction(1, len(table.parts))
        turned = {name: share if name in same else -share for name in table.parts}
        yield _Weights(Fraction(0), turned, "assumed", MEAN)


def linear(
    formula: Formula, known: Mapping[str, Fraction | None]
) -> tuple[Fraction, dict[str, Fraction]] | None:
    """Constant and factor per part of a formula above its floor; None if it is no such sum.

    Args:
        formula: over parts and paths of the file.
        known: the numbers at the paths.

    >>> from history.meaning.formula import parse
    >>> linear(parse('max(0, "$.w"*a + 0.4*b)'), {"$.w": Fraction(3, 5)})
    (Fraction(0, 1), {'a': Fraction(3, 5), 'b': Fraction(2, 5)})
    """
    numbers = {path: number for path, number in known.items() if number is not None}
    if not set(formula.paths) <= set(numbers):
        return None
    return formula.without_floor().coefficients(numbers)


def _sum(weights: _Weights, point: Mapping[str, Fraction]) -> Fraction:
    return sum((f * point[name] for name, f in weights.factors.items()), weights.rest)


def _points(rows: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Fraction] | None]:
    """The parts of each row, exactly; None where one is missing."""
    columns = [numbers_of(rows, name) for name in names]
    found: list[dict[str, Fraction] | None] = []
    for cells in zip(*columns, strict=True) if columns else [()] * len(rows):
        known = {n: cell for n, cell in zip(names, cells, strict=True) if cell is not None}
        found.append(known if len(known) == len(names) else None)
    return found


def _counted(weights: _Weights) -> list[str]:
    return [name for name, factor in weights.factors.items() if factor]


def _composite(
    rows: pd.DataFrame,
    meaning: Meaning,
    weights: _Weights,
    own: Mapping[int, Columns],
    known: Mapping[str, Fraction | None],
) -> Composite:
    """The entries that have every part, under some weights."""
    parts = [name for name in meaning.table.parts if weights.factors.get(name)]
    sign = -1 if meaning.table.direction == "lower" else 1
    there = rows[[ticks_of(name) for name in parts]].notna().all(axis=1).to_numpy()
    complete = rows[there]
    # What raises the turned score counts upwards.
    turns = {name: 1 if weights.factors[name] * sign > 0 else -1 for name in parts}
    scale = sum((abs(weights.factors[name]) for name in parts), Fraction(0))
    odd = [n for n in parts if (turns[n] > 0) != (meaning.direction(n) == "higher")]
    notes = [f"the weights count {name!r} the other way than its direction says" for name in odd]
    dp = max((int(complete[dp_of(name)].max()) for name in parts if len(complete)), default=0)
    ticks, units = [], []
    for name in parts:
        up = [10 ** (dp - int(places)) for places in complete[dp_of(name)]]
        numbers = [int(tick) for tick in complete[ticks_of(name)]]
        steps = precision.units(complete, name, {v: (t, name) for v, t in own.items()}).tolist()
        ticks.append([turns[name] * n * more for n, more in zip(numbers, up, strict=True)])
        units.append([step * more for step, more in zip(steps, up, strict=True)])
    steps = precision.units(complete, SCORE, {v: (t, SCORE) for v, t in own.items()}).tolist()
    scores = zip(numbers_of(complete, SCORE), complete[dp_of(SCORE)], steps, strict=True)
    totals = tuple(
        None if score is None else Interval.around(sign * score, u * half_unit(int(p)))
        for score, p, u in scores
    )
    entries = tuple(complete["entry"].astype(str))
    made = Composite(
        entries=entries,
        parts=tuple(parts),
        weights=tuple(abs(weights.factors[name]) / scale for name in parts),
        ticks=_whole(ticks, len(entries)),
        units=_whole(units, len(entries)),
        dp=dp,
        totals=totals,
        sign=sign,
        flipped=tuple(name for name in parts if turns[name] < 0),
        scale=scale,
        rest=weights.rest,
        label=weights.label,
        source=weights.source,
        incomplete=tuple(rows["entry"].astype(str)[~there]),
        left_out=tuple(name for name in meaning.table.parts if name not in parts),
        notes=tuple(notes),
    )
    bent = _bent(complete, meaning.formula, weights, known) if weights.label == "formula" else ()
    return _with_reproduction(made, bent)


def _bent(
    rows: pd.DataFrame,
    formula: Formula | None,
    weights: _Weights,
    known: Mapping[str, Fraction | None],
) -> tuple[str, ...]:
    """Entries at the floor of a formula: it is not the sum that it is for the others."""
    assert formula is not None  # its weights are there
    if formula.without_floor() == formula:
        return ()
    points = _points(rows, formula.parts)
    listed = zip(rows["entry"].astype(str), points, strict=True)
    return tuple(
        entry
        for entry, point in listed
        if point is not None and formula.evaluate({**known, **point}) != _sum(weights, point)
    )


def _with_reproduction(made: Composite, bent: Sequence[str]) -> Composite:
    """Hold the printed scores against what the weights give."""
    off, worst, of = [], None, 0
    unit = Fraction(1, 10**made.dp)
    for entry, total, row, steps in zip(
        made.entries, made.totals, made.ticks, made.units, strict=True
    ):
        if total is None or entry in bent:
            continue
        of += 1
        pairs = list(zip(made.weights, row, steps, strict=True))
        mean = sum((w * int(tick) * unit for w, tick, _ in pairs), Fraction(0))
        open_ = sum((w * int(step) * unit / 2 for w, _, step in pairs), Fraction(0))
        computed = Interval.around(made.sign * made.rest + made.scale * mean, made.scale * open_)
        away = abs(computed.middle - total.middle)
        worst = away if worst is None else max(worst, away)
        if not computed.meets(total):
            off.append(entry)
    told = Reproduction(of, of - len(off), worst, tuple(off), tuple(bent))
    return replace(made, reproduction=told)


def _whole(columns: Sequence[Sequence[int]], n: int) -> NDArray[Any]:
    """Whole numbers by column as a matrix, (n, n_columns): int64 where sums of them fit."""
    most = max((abs(number) for column in columns for number in column), default=0)
    kind = np.int64 if most * max(len(columns), 1) < _INT64_SAFE else object
    return np.array(columns, dtype=kind).reshape(len(columns), n).T
