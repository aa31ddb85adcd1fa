"""Does each version of a board agree with itself?

In: RANKS with all parts, READINGS, and the definition. Out: an Audit: smells, the published ranks
and the formula, row by row. Start at audit().
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from history.audit import smells
from history.audit.smells import published
from history.audit.smells.smell import Smell, farthest
from history.frames import SCORE, dp_of, pointer_of, text_of, ticks_of
from history.meaning import Meaning
from history.meaning.definition import Columns
from history.meaning.formula import Formula
from history.numbers import Interval, half_unit
from history.scores import precision


@dataclass(frozen=True)
class Audit:
    """What was found in a whole history.

    Attributes:
        smells: SMELLS.
        published: published against computed ranks, as history.audit.smells.published gives them.
        formula: printed against computed scores: version, entry, text, pointer, computed (as a
            float), off (how far apart), fits (whether the unprinted digits can explain it). No
            rows where the definition has no formula, or one that needs more than parts.
    """

    smells: pd.DataFrame
    published: pd.DataFrame
    formula: pd.DataFrame


def audit(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    meanings: Mapping[int, Meaning],
    as_of: pd.Timestamp | None,
) -> Audit:
    """Audit a whole history.

    Args:
        ranks: RANKS of the score, with all parts.
        readings: READINGS with `at`.
        meanings: the board's definition as it is at each version.
        as_of: time of the last successful look; None: nothing is called stale.
    """
    compared = published.compare(ranks)
    of_stage: dict[str, list[int]] = {}
    for version, stage in zip(readings["version"].tolist(), readings["stage"], strict=True):
        of_stage.setdefault(stage, []).append(version)
    stages = [(meanings[versions[0]], versions) for versions in of_stage.values()]
    own = precision.own_decimals(readings, meanings)
    formula = pd.concat(
        against_formula(ranks[ranks["version"].isin(versions)], meaning.formula, own)
        for meaning, versions in stages
    )
    missing = {text for meaning, _ in stages for text in meaning.table.missing}
    found = [
        *smells.find(ranks, readings, compared, _higher(stages), missing, as_of),
        *_off_formula(formula),
    ]
    return Audit(smells.frame(found), compared, formula)


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


def against_formula(
    scores: pd.DataFrame, formula: Formula | None, own: Mapping[int, Columns] | None = None
) -> pd.DataFrame:
    """Compute scores from their parts, with what rounding leaves open.

    Args:
        scores: SCORES with the parts that the formula names.
        formula: over parts, or None.
        own: [table] at the versions whose numbers have decimals of their own.

    Returns:
        As `Audit.formula`; rows without all the parts or a score are left out.

    >>> from history.meaning.formula import parse
    >>> scores = pd.DataFrame({"version": 0, "entry": ["fern", "moss"], "score.text": ["61.1", "60.0"],
    ...     "score.pointer": "/0", "score.ticks": pd.array([611, 600], "Int64"), "score.dp": 1,
    ...     "a.ticks": pd.array([6429, 6283], "Int64"), "a.dp": 2,
    ...     "b.ticks": pd.array([564, 579], "Int64"), "b.dp": 1})
    >>> against_formula(scores, parse("0.6*a + 0.4*b"))[["entry", "computed", "fits"]].values.tolist()
    [['fern', 61.134, True], ['moss', 60.858, False]]
    """
    columns = ["version", "entry", "text", "pointer", "computed", "off", "fits"]
    if formula is None or any(ticks_of(name) not in scores.columns for name in formula.names):
        return pd.DataFrame(columns=columns)
    fields = (SCORE, *formula.names)
    there = scores[[ticks_of(field) for field in fields]].notna().all(axis=1)
    rows = scores[there]
    cells = []
    for field in fields:
        units = precision.units(rows, field, {v: (t, field) for v, t in (own or {}).items()})
        cells += [rows[ticks_of(field)].tolist(), rows[dp_of(field)].tolist(), units.tolist()]
    known: dict[tuple[int, ...], tuple[float, float, bool] | None] = {}
    results = []
    for key in zip(*cells, strict=True):
        if key not in known:
            known[key] = _compared(formula, key)
        results.append(known[key])
    kept = [result is not None for result in results]
    computed = [result for result in results if result is not None]
    return pd.DataFrame(
        {
            "version": rows["version"][kept].to_numpy(),
            "entry": rows["entry"][kept].astype(str).to_numpy(),
            "text": rows[text_of(SCORE)][kept].astype(object).to_numpy(),
            "pointer": rows[pointer_of(SCORE)][kept].astype(object).to_numpy(),
            "computed": [result[0] for result in computed],
            "off": [result[1] for result in computed],
            "fits": [result[2] for result in computed],
        },
        columns=columns,
    )


def _compared(formula: Formula, cells: tuple[int, ...]) -> tuple[float, float, bool] | None:
    """Computed value, distance and whether it fits, from ticks, dp and units of score and parts."""
    printed, *parts = (
        Interval.around(Fraction(tick) / Fraction(10) ** dp, unit * half_unit(dp))
        for tick, dp, unit in zip(cells[::3], cells[1::3], cells[2::3], strict=True)
    )
    result = formula.evaluate(dict(zip(formula.names, parts, strict=True)))
    if result is None:
        return None
    possible = result if isinstance(result, Interval) else Interval(result, result)
    middle = formula.evaluate({n: p.middle for n, p in zip(formula.names, parts, strict=True)})
    value = middle if isinstance(middle, Fraction) else possible.middle
    return float(value), float(abs(value - printed.middle)), printed.meets(possible)


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
