"""How does the board look by one part or formula, and how do public and private compare?

In: SCORES with the parts, and a board's Meaning. Out: SCORES in which the columns score.* hold
a split's own numbers (split_scores(), ready for ranks.rank()), or all splits of one version
side by side (compare()).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crawler.errors import TypedError
from history import numbers
from history.frames import SCORE, dp_of, pointer_of, text_of, ticks_of, value_of
from history.meaning import formula
from history.meaning.definition import Borda
from history.ranks import Direction, convention_ranks, rank
from history.splits import borda, computed
from history.ties import NO_TIES, TieRule, rule_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from history.meaning import Meaning

PUBLIC, PRIVATE = "public", "private"

_EXACT = Context(prec=500)  # no subtraction of printed numbers rounds


class SplitError(TypedError):
    """A board has no such split, or one without a single score."""


@dataclass(frozen=True, slots=True)
class View:
    """What a board's score, or a split, is made of, and how it ranks.

    Attributes:
        fields: the printed columns that its numbers come from; none where the definition, as it
            is at that version, has no such split.
        formula: what makes the number of several columns; None where it stands in one.
        direction: which end is best.
        rule: the tie rule; of splits none, as a board's rule is a policy about its score.
        points: of a Borda count, which end of each part is best; empty for all others.
    """

    fields: tuple[str, ...]
    formula: formula.Formula | None
    direction: Direction
    rule: TieRule
    points: Mapping[str, Direction] = field(default_factory=dict)

    @property
    def printed(self) -> bool:
        """Whether its numbers stand in the file, and are not computed from others."""
        return self.formula is None and not self.points


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
        noise_low, noise_high: what chance alone would give; None if that is not known.
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
    """

    names: tuple[str, ...]
    entries: tuple[SplitRow, ...]
    shake_up: ShakeUp

    def difference(self, entry: str, other: str) -> dict[str, Decimal | None]:
        """Score of one entry less that of another, per split, exactly; None where one lacks it.

        Raises:
            KeyError: one of them is not listed.
        """
        rows = {row.entry: row.scores for row in self.entries}
        mine, theirs = rows[entry], rows[other]
        return {name: _less(mine[name], theirs[name]) for name in self.names}


def view(meaning: Meaning, split: str | None) -> View:
    """How a definition looks at a split; None is the score itself."""
    if split is None:
        return View((SCORE,), None, meaning.direction(SCORE), rule_of(meaning))
    if split not in names_of(meaning):
        return View((), None, meaning.direction(SCORE), NO_TIES)
    what, made_by = made_of(meaning, split), None
    if isinstance(what, Borda):
        points = {part: meaning.direction(part) for part in what.parts}
        return View(what.parts, None, "higher", NO_TIES, points)
    if what not in meaning.table.parts:
        made_by = formula.parse(what, meaning.functions)
    fields = (what,) if made_by is None else made_by.names
    return View(fields, made_by, direction_of(meaning, split), NO_TIES)


def direction_of(meaning: Meaning, split: str | None) -> Direction:
    """Which end of a split is best: a part's own, for a formula the score's; more points."""
    what = SCORE if split is None else made_of(meaning, split)
    if isinstance(what, Borda):
        return "higher"
    return meaning.direction(what if what in meaning.table.parts else SCORE)


def names_of(meaning: Meaning) -> list[str]:
    """Every name that means one score per entry: splits that are no lists, and all parts."""
    single = [name for name, what in meaning.splits.items() if not isinstance(what, list)]
    return [*single, *(part for part in meaning.table.parts if part not in meaning.splits)]


def made_of(meaning: Meaning, split: str) -> str | Borda:
    """The part, the formula or the Borda count that a split stands for.

    Raises:
        SplitError: no such split, or one that is a list of parts.
    """
    what = meaning.splits.get(split, split if split in meaning.table.parts else None)
    where = f'{meaning.board.name}: split "{split}"'
    if isinstance(what, str | Borda):
        return what
    if what is not None:
        fix = f"Take one of its parts: {', '.join(what)}"
        raise SplitError(where, "a list of parts, it has no score of its own", fix)
    known = ", ".join(names_of(meaning)) or "none"
    raise SplitError(where, "not defined", f"The board has: {known}")


def single_splits(meaning: Meaning) -> list[str]:
    """Splits that give an entry one score: those defined, then the parts that are none of them.

    A split that lists several parts has no combined score: its parts stand for it.
    """
    defined = {n: what for n, what in meaning.splits.items() if not isinstance(what, list)}
    shown = set(defined) | set(defined.values())
    return [*defined, *(part for part in meaning.table.parts if part not in shown)]


def split_scores(scores: pd.DataFrame, meaning: Meaning, split: str) -> pd.DataFrame:
    """SCORES with a split's numbers in place of the board's.

    Args:
        scores: SCORES of any number of versions, with the columns of the parts needed.
        meaning: of the board.
        split: a part, or a name from [splits] that is a part, a formula or a Borda count.

    Returns:
        The same rows. score.text is what is printed of a part, and the exact result of a
        formula or a count; score.pointer is <NA> for both. Entries that lack a part, of a
        count all parts, are unranked as "incomplete", those with an infinite one or a division by 0 as
        "not_finite"; who is "ineligible" or a "duplicate" stays so. A result that does
        not end in decimals is rounded to nine (half to even).

    Raises:
        SplitError: no such split, or one that is a list of parts.
    """
    made_of(meaning, split)
    return scores_of(scores, view(meaning, split))


def scores_of(scores: pd.DataFrame, seen: View) -> pd.DataFrame:
    """SCORES with the numbers of a View in place of the board's; see split_scores().

    A split that there is not leaves everybody unranked, as "incomplete".
    """
    if seen.fields == (SCORE,):
        return scores
    if not seen.fields:
        columns = _no_numbers(scores)
    elif seen.points:
        columns = borda.columns(scores, seen.points)
    elif seen.formula is None:
        cells = (text_of, value_of, ticks_of, dp_of, pointer_of)
        columns = {of(SCORE): scores[of(seen.fields[0])] for of in cells}
    else:
        columns = computed.columns(scores, seen.formula)
    reasons = _reasons(scores, seen.fields, columns[ticks_of(SCORE)].isna().to_numpy())
    return scores.assign(**columns, unranked=reasons)


def compare(scores: pd.DataFrame, meaning: Meaning) -> Splits:
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
    """
    names = single_splits(meaning)
    tables = {
        name: rank(split_scores(scores, meaning, name), direction=direction_of(meaning, name))
        for name in names
    }
    exact = {name: _exact(table) for name, table in tables.items()}
    texts = {name: _texts(table) for name, table in tables.items()}
    places = {name: _places(table) for name, table in tables.items()}
    both = _ranked_by_both(places)
    line = _line([(exact[PUBLIC][entry], exact[PRIVATE][entry]) for entry in both])
    rows = []
    for entry in rank(scores, direction=direction_of(meaning, None))["entry"].tolist():
        values = {name: exact[name][entry] for name in names}
        gap = _less(values.get(PUBLIC), values.get(PRIVATE))
        rows.append(
            SplitRow(
                entry=entry,
                scores=values,
                texts={name: texts[name][entry] for name in names},
                ranks={name: places[name][entry] for name in names},
                gap=gap,
                excess=None if gap is None or line is None else _excess(line, values),
            )
        )
    return Splits(tuple(names), tuple(rows), _shake_up(tables, both, meaning))


def _no_numbers(scores: pd.DataFrame) -> dict[str, pd.Series]:
    """The columns of a split that there is not."""
    gaps = pd.Series(pd.Categorical([None] * len(scores)), index=scores.index)
    return {
        text_of(SCORE): gaps,
        value_of(SCORE): pd.Series(np.nan, index=scores.index),
        ticks_of(SCORE): pd.Series(pd.NA, index=scores.index, dtype="Int64"),
        dp_of(SCORE): pd.Series(0, index=scores.index, dtype="int8"),
        pointer_of(SCORE): gaps,
    }


def _reasons(scores: pd.DataFrame, parts: Sequence[str], missing: NDArray[np.bool_]) -> pd.Series:
    """Why a row has no rank in a split; <NA> if it has one."""
    infinite, lacking = np.zeros(len(scores), dtype=bool), np.zeros(len(scores), dtype=bool)
    for part in parts:
        texts = scores[text_of(part)]
        printed = [text for text in texts.unique() if not pd.isna(text)]
        endless = [text for text in printed if numbers.parse(text).reason == "not_finite"]
        infinite |= texts.isin(endless).to_numpy()
        lacking |= scores[ticks_of(part)].isna().to_numpy()
    own = scores["unranked"].astype(object)
    reasons = own.where(own.isin(["ineligible", "duplicate", "unreadable"]), None)
    unexplained = missing & reasons.isna().to_numpy()
    # all parts are there and still no result: a division by 0
    no_number = infinite | (~lacking if len(parts) else False)
    reasons = reasons.mask(unexplained & no_number, "not_finite")
    return reasons.mask(unexplained & ~no_number, "incomplete").astype("category")


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


def _ranked_by_both(places: Mapping[str, Mapping[str, int | None]]) -> list[str]:
    public, private = places.get(PUBLIC, {}), places.get(PRIVATE, {})
    return [entry for entry in public if public[entry] and private.get(entry)]


def _less(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    return None if one is None or other is None else _EXACT.subtract(one, other)


def _line(
    points: Sequence[tuple[Decimal | None, Decimal | None]],
) -> tuple[Fraction, Fraction] | None:
    """Intercept and slope of the least-squares line, exactly."""
    known = [(Fraction(x), Fraction(y)) for x, y in points if x is not None and y is not None]
    if len(known) < 3:
        return None
    mean_x = sum((x for x, _ in known), Fraction(0)) / len(known)
    mean_y = sum((y for _, y in known), Fraction(0)) / len(known)
    spread = sum(((x - mean_x) ** 2 for x, _ in known), Fraction(0))
    if not spread:
        return None
    slope = sum(((x - mean_x) * (y - mean_y) for x, y in known), Fraction(0)) / spread
    return mean_y - slope * mean_x, slope


def _excess(line: tuple[Fraction, Fraction], values: Mapping[str, Decimal | None]) -> float:
    public, private = values[PUBLIC], values[PRIVATE]
    assert public is not None and private is not None  # there is a gap
    return float(line[0] + line[1] * Fraction(public) - Fraction(private))


def _shake_up(tables: Mapping[str, pd.DataFrame], both: Sequence[str], meaning: Meaning) -> ShakeUp:
    if not both:
        found = (
            "no entry is ranked by both"
            if PRIVATE in tables and PUBLIC in tables
            else (f"this board has no {PUBLIC} and {PRIVATE} split with one score each")
        )
        return ShakeUp(None, None, None, f"not computed: {found}")
    places = [
        convention_ranks(
            tables[name].set_index("entry")[ticks_of(SCORE)].loc[list(both)],
            direction=direction_of(meaning, name),
        ).tolist()
        for name in (PUBLIC, PRIVATE)
    ]
    moved = sum(abs(public - private) for public, private in zip(*places, strict=True))
    return ShakeUp(
        moved / len(both) ** 2,
        None,
        None,
        f"{len(both)} entries that are ranked by both; the file has neither the number of items "
        "nor standard errors, so how much of it is chance is not known",
    )
