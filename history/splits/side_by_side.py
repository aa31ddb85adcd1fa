"""How do the splits of one version compare, public against private first of all?

In: SCORES of one version with all parts, and the board's Meaning. Out: Splits. Start at
compare().
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from history.frames import SCORE, dp_of, text_of, ticks_of
from history.least_squares import FittedLine, fit
from history.ranks import Direction, convention_ranks, rank
from history.splits import noise, wording
from history.splits.errors import SplitErrors, errors_of
from history.splits.gaps import Regression, regression
from history.splits.noise import Noise
from history.splits.shake_up import Order, order
from history.splits.splits import (
    PRIVATE,
    PUBLIC,
    direction_of,
    made_of,
    single_splits,
    split_scores,
)

if TYPE_CHECKING:
    from history.meaning import Meaning

_EXACT = Context(prec=500)  # no subtraction of printed numbers rounds


@dataclass(frozen=True, slots=True)
class SplitRow:
    """One entry under every split.

    Attributes:
        entry: its key.
        scores: exact number per split, None where it has none.
        texts: the same as it stands in the file, of what is computed every digit.
        ranks: competition rank per split among those ranked there, or None.
        gap: public - private, exactly as printed; None unless both are there.
        excess: gap less the gap that the least-squares line of private on public
            predicts, see compare(); None where there is no line.
    """

    entry: str
    scores: Mapping[str, Decimal | None]
    texts: Mapping[str, str | None]
    ranks: Mapping[str, int | None]
    gap: Decimal | None
    excess: float | None


@dataclass(frozen=True, slots=True)
class ShakeUp:
    """How much the order changes from public to private.

    Attributes:
        value: mean of |rank by public - rank by private| / n over the n entries that are
            ranked by both, ranks taken among these; about 1/3 for unrelated orders.
            None if there are no such entries.
        noise_low, noise_high: 95 % of what chance alone gives is between these; None if that
            is not known.
        assumes: what the noise rests on, or what is missing.
    """

    value: float | None
    noise_low: float | None
    noise_high: float | None
    assumes: str


@dataclass(frozen=True, slots=True)
class Splits:
    """All splits of one version side by side.

    Attributes:
        names: the splits, each with one score per entry.
        entries: by the board's own rank, then key; unranked last.
        shake_up: public against private.
        public, private: the splits that are compared with one another.
        directions: which end of each split is best.
        order: both orders of the entries that are ranked by both; None without such entries.
        line: of private on public; None where there is none.
        noise: what chance alone gives; None where no errors are known.
        back: regression to the mean; None where no errors are known.
        errors: what is known of the precision of each split.
        judged: what may be said of each entry.
        code: why "more than noise explains" can be said of nobody; None where it can.
    """

    names: tuple[str, ...]
    entries: tuple[SplitRow, ...]
    shake_up: ShakeUp
    public: str = PUBLIC
    private: str = PRIVATE
    directions: Mapping[str, Direction] = field(default_factory=dict)
    order: Order | None = None
    line: FittedLine | None = None
    noise: Noise | None = None
    back: Regression | None = None
    errors: SplitErrors | None = None
    judged: Mapping[str, wording.Judgement] = field(default_factory=dict)
    code: str | None = wording.NO_SPLIT

    def difference(self, entry: str, other: str) -> dict[str, Decimal | None]:
        """Score of one entry less that of another, per split, exactly; None where one lacks it.

        Raises:
            KeyError: one of them is not listed.
        """
        rows = {row.entry: row.scores for row in self.entries}
        mine, theirs = rows[entry], rows[other]
        return {name: less(mine[name], theirs[name]) for name in self.names}


def compare(
    scores: pd.DataFrame,
    meaning: Meaning,
    *,
    public: str = PUBLIC,
    private: str = PRIVATE,
    items: int | None = None,
    draws: int = noise.DRAWS,
    seed: int = noise.SEED,
) -> Splits:
    """Every split of one version: scores, ranks, and public against private.

    With x = public, y = private, and the least-squares line y = a + b x over all entries
    that are ranked by both, an entry's

        gap    = x - y
        excess = gap - (x - (a + b x)) = a + b x - y

    so a positive excess means: worse on private than entries with the same public score
    usually are (for scores where higher is better). It describes and proves nothing. No
    line is drawn through fewer than three entries, or if all have one public score.

    Args:
        scores: SCORES of one version, with the score and all parts.
        meaning: of the board.
        public, private: the names of the splits to compare with one another.
        items: how many items each part has, where the file does not say it.
        draws, seed: of the simulation of noise.

    Raises:
        SplitError: another split than the usual ones is named, and there is none.
    """
    for name, usual in ((public, PUBLIC), (private, PRIVATE)):
        if name != usual:
            made_of(meaning, name)  # objects where there is no such split
    names = [*single_splits(meaning)]
    names += [name for name in (public, private) if name not in names and _is_there(meaning, name)]
    directions = {name: direction_of(meaning, name) for name in names}
    tables = {
        name: rank(split_scores(scores, meaning, name), direction=directions[name])
        for name in names
    }
    exact = {name: _exact(table) for name, table in tables.items()}
    places = {name: _places(table) for name, table in tables.items()}
    both = _ranked_by_both(places.get(public, {}), places.get(private, {}))
    points = {
        entry: (_known(exact, public, entry), _known(exact, private, entry)) for entry in both
    }
    line = fit(list(points.values()))
    entries = rank(scores, direction=direction_of(meaning, None))["entry"].tolist()
    texts = {name: _texts(table) for name, table in tables.items()}
    beside = Splits(
        names=tuple(names),
        entries=tuple(
            _row(entry, exact, texts, places, line, (public, private)) for entry in entries
        ),
        shake_up=ShakeUp(None, None, None, ""),
        public=public,
        private=private,
        directions=directions,
        line=line,
        errors=errors_of(scores, meaning, exact, items, (public, private)),
    )
    if not both:
        there = public in tables and private in tables
        found = (
            "no entry is ranked by both"
            if there
            else f"this board has no {public} and {private} split with one score each"
        )
        return replace(beside, shake_up=ShakeUp(None, None, None, f"not computed: {found}"))
    ranks = [
        convention_ranks(
            tables[name].set_index("entry")[ticks_of(SCORE)].loc[both], direction=directions[name]
        ).tolist()
        for name in (public, private)
    ]
    return _with_order(beside, points, order(*ranks), draws, seed)


def _row(
    entry: str,
    exact: Mapping[str, Mapping[str, Decimal | None]],
    texts: Mapping[str, Mapping[str, str | None]],
    places: Mapping[str, Mapping[str, int | None]],
    line: FittedLine | None,
    compared: tuple[str, str],
) -> SplitRow:
    """One entry under every split, from what each split says of each entry."""
    one, other = (exact.get(name, {}).get(entry) for name in compared)
    excess = None
    if line is not None and one is not None and other is not None:
        excess = float(line.at(one) - Fraction(other))
    return SplitRow(
        entry=entry,
        scores={name: of[entry] for name, of in exact.items()},
        texts={name: of[entry] for name, of in texts.items()},
        ranks={name: of[entry] for name, of in places.items()},
        gap=less(one, other),
        excess=excess,
    )


def _with_order(
    beside: Splits,
    points: Mapping[str, tuple[Decimal, Decimal]],
    found: Order,
    draws: int,
    seed: int,
) -> Splits:
    """Splits with both orders compared, the noise floor, and what may be said of each entry."""
    assert beside.errors is not None
    public, private = beside.public, beside.private
    pairs = beside.errors.pairs(public, private)
    one_way = beside.directions[public] == beside.directions[private]
    known = one_way and len(points) > 1 and pairs.keys() >= points.keys()
    sign = 1 if beside.directions[public] == "higher" else -1
    values = np.array([[float(one), float(two)] for one, two in points.values()])
    back = floor = None
    if known:
        errors = np.array([pairs[entry] for entry in points])
        back = regression(values[:, 0].tolist(), values[:, 1].tolist(), errors[:, 0].tolist())
        ones, others = errors[:, 0], errors[:, 1]
        true = noise.true_scores(sign * values[:, 0], sign * values[:, 1], ones, others)
        floor = noise.noise_floor(true, ones, others, draws, seed)
    judged: Mapping[str, wording.Judgement] = {}
    if beside.line is not None and one_way:
        judged = wording.judge(beside.line, points, sign, back, pairs if known else None)
    shake = ShakeUp(
        found.value,
        None if floor is None else floor.low,
        None if floor is None else floor.high,
        _assumes(beside.errors, public, private, found.n, floor),
    )
    code = wording.why_not(found.n, one_way, known)
    return replace(
        beside, shake_up=shake, order=found, noise=floor, back=back, judged=judged, code=code
    )


def _assumes(errors: SplitErrors, public: str, private: str, n: int, floor: Noise | None) -> str:
    """What a noise floor rests on, or what is missing for one."""
    who = f"{n} entries that are ranked by both; "
    if floor is None:
        why = next((errors.why[name] for name in (public, private) if name in errors.why), "")
        why = why or ("one entry has no order" if n == 1 else "the two have different directions")
        return f"{who}{why}, so how much of it is chance is not known"
    return (
        f"{who}noise, if every entry is equally good on both parts but for a shift of all: "
        f"independent normal errors, from {errors.says}; true scores as far apart as those of "
        f"this board less its errors; {floor.draws} draws, seed {floor.seed}"
    )


def _is_there(meaning: Meaning, name: str) -> bool:
    what = meaning.splits.get(name)
    return name in meaning.table.parts if what is None else not isinstance(what, list)


def _known(exact: Mapping[str, Mapping[str, Decimal | None]], name: str, entry: str) -> Decimal:
    value = exact[name][entry]
    assert value is not None  # it is ranked
    return value


def _exact(table: pd.DataFrame) -> dict[str, Decimal | None]:
    """The number of each entry."""
    columns = (table["entry"].tolist(), table[ticks_of(SCORE)].tolist(), table[dp_of(SCORE)])
    return {
        entry: None if pd.isna(tick) else Decimal(f"{tick}E{-places}")
        for entry, tick, places in zip(*columns, strict=True)
    }


def _texts(table: pd.DataFrame) -> dict[str, str | None]:
    """What is printed of each entry's number; a text that is no number is none."""
    columns = (table["entry"].tolist(), table[ticks_of(SCORE)].tolist(), table[text_of(SCORE)])
    return {
        entry: None if pd.isna(tick) or pd.isna(text) else str(text)
        for entry, tick, text in zip(*columns, strict=True)
    }


def _places(table: pd.DataFrame) -> dict[str, int | None]:
    """The rank of each entry."""
    return {
        entry: None if pd.isna(place) else int(place)
        for entry, place in zip(table["entry"].tolist(), table["rank"].tolist(), strict=True)
    }


def _ranked_by_both(
    public: Mapping[str, int | None], private: Mapping[str, int | None]
) -> list[str]:
    return [entry for entry in public if public[entry] and private.get(entry)]


def less(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """An exact difference; None where one is missing."""
    return None if one is None or other is None else _EXACT.subtract(one, other)
