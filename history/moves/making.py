"""How is the score of each version made, and what would its formula make of another one's data?

In: READINGS, the definition at each version, and SCORES of single versions. Out: a Making per
version, and Applied formulas. Start at Makings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from history.editions.file_values import NOTHING, FileValues
from history.editions.recompute import against_formula
from history.frames import SCORE, ticks_of
from history.scores import precision
from history.ticks import numbers_of

if TYPE_CHECKING:
    from history.meaning import Meaning
    from history.meaning.formula import Formula, Function
    from history.ranks import Direction
    from history.splits import View

_INELIGIBLE = "ineligible"  # has a score, though no place


class Making(NamedTuple):
    """How the score of one version is made.

    Attributes:
        edition: the label that the file gives itself, or None.
        fields: the columns that it comes from.
        formula: what makes it of parts; None if nobody knows.
        written: the same as text, with its helpers; equal for equal formulas.
        direction: which end is best.
        printed: whether the scores stand in the file, so that the formula has to prove itself.
    """

    edition: str | None
    fields: tuple[str, ...]
    formula: Formula | None
    written: str
    direction: Direction
    printed: bool

    def is_other(self, than: Making) -> bool:
        """Whether scores may be made in another way than those of another version."""
        alike = ("fields", "written", "direction")
        if any(getattr(self, name) != getattr(than, name) for name in alike):
            return True
        computed_here = not self.printed and not than.printed
        labels = {self.edition, than.edition}
        return not computed_here and len(labels) == 2 and None not in labels


class Applied(NamedTuple):
    """A formula on the data of one version.

    Attributes:
        scores: the exact result by entry; None if some entry lacks what it needs.
        proven: it gives the printed scores of its own version, within their rounding.
    """

    scores: Mapping[str, Fraction] | None
    proven: bool


class Makings:
    """How the scores of a board, or of a split, are made, through time.

    Args:
        readings: READINGS.
        split: None for the board's own score.
        meaning_at: the definition at a version.
        view_at: what the score or the split is made of at a version.
        scores_at: SCORES of one version with the score and all parts.
        said: what the files say at the paths of the formulas, by version.
    """

    def __init__(
        self,
        readings: pd.DataFrame,
        split: str | None,
        meaning_at: Callable[[int], Meaning],
        view_at: Callable[[int], View],
        scores_at: Callable[[int], pd.DataFrame],
        said: Callable[[], Mapping[int, FileValues]],
    ):
        self._readings, self._split, self._said = readings, split, said
        self._meaning_at, self._view_at, self._scores_at = meaning_at, view_at, scores_at
        self._proven: dict[int, bool] = {}

    @cached_property
    def all(self) -> dict[int, Making]:
        """By version."""
        known: dict[tuple[str, str | None], Making] = {}
        found = {}
        columns = (self._readings[name].tolist() for name in ("version", "stage", "edition"))
        for version, stage, label in zip(*columns, strict=True):
            edition = None if pd.isna(label) else str(label)
            if (stage, edition) not in known:
                known[stage, edition] = self._making(int(version), edition)
            found[int(version)] = known[stage, edition]
        return found

    def _making(self, version: int, edition: str | None) -> Making:
        view, meaning = self._view_at(version), self._meaning_at(version)
        formula = view.formula if self._split is not None else meaning.formula
        written = "" if formula is None else _written(formula, meaning.functions)
        if view.points:
            written = f"borda {sorted(view.points.items())}"
        return Making(edition, view.fields, formula, written, view.direction, view.printed)

    def apply(self, data: int, formula: int) -> Applied:
        """The formula of one version on the data of another."""
        made = self.all[formula]
        if made.formula is None:
            return Applied(None, proven=False)
        if not self._is_proven(formula):
            return Applied(None, proven=False)
        said = self._said().get(formula, NOTHING) if made.formula.paths else NOTHING
        return Applied(_results(self._scores_at(data), made.formula, said), proven=True)

    def _is_proven(self, version: int) -> bool:
        made = self.all[version]
        if not made.printed:
            return True
        if version not in self._proven:
            row = self._readings[self._readings["version"] == version]
            own = precision.own_decimals(row, {version: self._meaning_at(version)})
            scores = self._scores_at(version)
            compared = against_formula(scores, made.formula, own, self._said())
            self._proven[version] = len(compared) > 0 and bool(compared["fits"].all())
        return self._proven[version]


def _results(
    scores: pd.DataFrame, formula: Formula, said: FileValues
) -> dict[str, Fraction] | None:
    """What a formula gives each entry that has a score; None if it lacks something for one."""
    if any(ticks_of(name) not in scores.columns for name in formula.parts):
        return None
    why = scores["unranked"].astype(object)
    counts = scores[scores["unranked"].isna() | (why == _INELIGIBLE)]
    counts = counts[counts[ticks_of(SCORE)].notna()]
    parts = [numbers_of(counts, name) for name in formula.parts]
    found = {}
    for entry, *cells in zip(counts["entry"].tolist(), *parts, strict=True):
        values = dict(zip(formula.parts, cells, strict=True)) | dict(said.numbers)
        result = formula.evaluate(values)
        if not isinstance(result, Fraction):
            return None
        found[str(entry)] = result
    return found


def _written(formula: Formula, functions: Mapping[str, Function]) -> str:
    """A formula and its helpers as one text."""
    helpers = (f"{name}={function.formula.text}" for name, function in sorted(functions.items()))
    return "; ".join([formula.text, *helpers])
