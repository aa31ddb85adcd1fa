"""Does each version of a board agree with itself?

In: RANKS with all parts, READINGS, and the definition. Out: an Audit: smells, the published ranks
and the formula, row by row. Start at audit().
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from history.audit import smells
from history.audit.smells import published
from history.audit.smells.smell import Smell, farthest
from history.editions import recompute
from history.editions.file_values import FileValues
from history.frames import SCORE
from history.meaning import Meaning
from history.scores import precision
from history.ties import Inference, infer, rule_of


@dataclass(frozen=True)
class Audit:
    """What was found in a whole history.

    Attributes:
        smells: SMELLS.
        published: published against computed ranks, as history.audit.smells.published gives them.
        formula: printed against computed scores, as history.editions.recompute gives them. No
            rows where the definition has no formula.
        tie_rules: by version, the rules that explain the tie ranks that it prints; only those
            that print some.
    """

    smells: pd.DataFrame
    published: pd.DataFrame
    formula: pd.DataFrame
    tie_rules: Mapping[int, Inference]


def audit(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    meanings: Mapping[int, Meaning],
    as_of: pd.Timestamp | None,
    said: Mapping[int, FileValues] | None = None,
) -> Audit:
    """Audit a whole history.

    Args:
        ranks: RANKS of the score, with all parts.
        readings: READINGS with `at`.
        meanings: the board's definition as it is at each version.
        as_of: time of the last successful look; None: nothing is called stale.
        said: by version, what its file says at the paths of the formula.
    """
    compared = published.compare(ranks)
    of_stage: dict[str, list[int]] = {}
    for version, stage in zip(readings["version"].tolist(), readings["stage"], strict=True):
        of_stage.setdefault(stage, []).append(version)
    stages = [(meanings[versions[0]], versions) for versions in of_stage.values()]
    own = precision.own_decimals(readings, meanings)
    formula = recompute.recompute(ranks, meanings, said or {}, own)
    missing = {text for meaning, _ in stages for text in meaning.table.missing}
    found = [
        *smells.find(ranks, readings, compared, _higher(stages), missing, as_of),
        *_off_formula(formula),
    ]
    return Audit(smells.frame(found), compared, formula, _tie_rules(ranks, readings, meanings))


def _tie_rules(
    ranks: pd.DataFrame, readings: pd.DataFrame, meanings: Mapping[int, Meaning]
) -> dict[int, Inference]:
    """What published tie ranks say of the tie rule, held against that of the definition."""
    bands = readings["band"] if "band" in readings else [None] * len(readings)
    declared = {}
    for version, printed in zip(readings["version"].tolist(), bands, strict=True):
        rule = rule_of(meanings[version])
        declared[version] = rule, rule.band or (None if pd.isna(printed) else str(printed))
    return infer(
        ranks,
        {version: meaning.table.tie_rank_counts for version, meaning in meanings.items()},
        declared,
        lambda version: meanings[version].direction(SCORE) == "lower",
    )


def _higher(stages: Iterable[tuple[Meaning, Sequence[int]]]) -> dict[str, set[int]]:
    """The score and the parts, and the versions in which the higher number of each is better.

    A part that is the score itself, as on boards with a part per split, says nothing new.
    """
    higher: dict[str, set[int]] = {SCORE: set()}
    for meaning, versions in stages:
        parts = meaning.table.parts.items()
        own = [name for name, part in parts if part.column != meaning.table.score]
        for field in (SCORE, *own):
            better = versions if meaning.direction(field) == "higher" else ()
            higher.setdefault(field, set()).update(better)
    return higher


def _off_formula(compared: pd.DataFrame) -> Iterator[Smell]:
    """One finding per version: the score that is farthest off."""
    wrong = compared[~compared["fits"].astype(bool)]
    for size, row in farthest(wrong, ["version", "entry", "text", "pointer", "computed"]):
        version, entry, text, pointer, computed = row
        found = (
            f"{size} scores are not what the formula gives: {entry!r} prints {text}, its parts give "
            f"{computed:.6g}"
        )
        yield Smell(version, "off_formula", entry, pointer, found)
