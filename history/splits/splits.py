"""How does the board look by one part or formula of it?

In: SCORES with the parts, and a board's Meaning. Out: SCORES in which the columns score.* hold
a split's own numbers, ready for ranks.rank(). Start at split_scores().
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crawler.errors import TypedError
from history import numbers, ties
from history.frames import MEASURES, OUTSIDE, SCORE, dp_of, pointer_of, text_of, ticks_of, value_of
from history.meaning import formula
from history.meaning.definition import Borda
from history.ranks import Direction
from history.splits import borda, computed
from history.ties import NO_TIES, TieRule, rule_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from history.meaning import Meaning

PUBLIC, PRIVATE = "public", "private"
ERRORS = ("_se", "_items")  # PART_se, PART_items: how precise the numbers of PART are


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


def needed(
    views: Sequence[View],
    fields: Sequence[str],
    split: str | None,
    tie: TieRule | None,
    *,
    whole: bool,
) -> list[str]:
    """The columns of numbers that have to be read to rank by a split.

    Args:
        views: of the split, at each version.
        fields: all there are: the score, parts, then what else is measured.
        split: None is the score.
        tie: another tie rule than those of the views.
        whole: whether everything that is printed beside is wanted, too.

    Raises:
        TieError: a tie rule needs a measure that is not there.
    """
    if whole:
        found = list(fields)
    elif not all(view.printed for view in views):
        found = [name for name in fields if name not in MEASURES]
    else:
        found = list(dict.fromkeys(field for view in views for field in view.fields))
    measures = [name for name in fields if name in MEASURES]
    for rule in {tie} if tie else {view.rule for view in views}:
        found += [one for one in ties.needed(rule, measures, split) if one not in found]
    return found


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

    A split that lists several parts has no combined score: its parts stand for it. A part that
    says how precise another one is (public_se, public_items beside public) is no split.
    """
    defined = {n: what for n, what in meaning.splits.items() if not isinstance(what, list)}
    shown = set(defined) | set(defined.values())
    shown |= {part + ending for part in meaning.table.parts for ending in ERRORS}
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
    reasons = own.where(own.isin(OUTSIDE), None)
    unexplained = missing & reasons.isna().to_numpy()
    # all parts are there and still no result: a division by 0
    no_number = infinite | (~lacking if len(parts) else False)
    reasons = reasons.mask(unexplained & no_number, "not_finite")
    return reasons.mask(unexplained & ~no_number, "incomplete").astype("category")
