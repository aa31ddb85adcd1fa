"""Does a board's own formula give the scores that it prints?

In: SCORES with the parts, the formula, and what the files say at its paths. Out: FORMULA rows,
one per score that could be recomputed. Start at against_formula().

What does not fit is listed, never corrected: a hard-coded average is what the board publishes
(methods, section 1, overrides). Parts are printed numbers and may be off by half their last
decimal; weights and constants that stand in the file, or in the definition, count as exact.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import pandas as pd

from history.editions.clamped_line import ClampedLine, Compared
from history.editions.file_values import NOTHING, FileValues
from history.frames import SCORE, dp_of, pointer_of, text_of, ticks_of
from history.meaning.definition import Columns
from history.meaning.formula import Formula
from history.numbers import Interval, half_unit
from history.scores import precision

if TYPE_CHECKING:
    from history.meaning import Meaning

COLUMNS = ("version", "entry", "text", "pointer", "computed", "off", "fits", "exact")


def recompute(
    scores: pd.DataFrame,
    meanings: Mapping[int, Meaning],
    said: Mapping[int, FileValues],
    own: Mapping[int, Columns] | None = None,
) -> pd.DataFrame:
    """FORMULA of a whole history, each version under its own formula.

    Args:
        scores: SCORES with all parts.
        meanings: the definition as it is at each version.
        said: what the files say at the paths of the formula.
        own: [table] at the versions whose numbers have decimals of their own.
    """
    of_formula: dict[int, list[int]] = {}
    for version, meaning in meanings.items():
        of_formula.setdefault(id(meaning), []).append(version)
    made = [
        against_formula(
            scores[scores["version"].isin(versions)], meanings[versions[0]].formula, own, said
        )
        for versions in of_formula.values()
    ]
    return pd.concat(made).sort_values("version", kind="stable") if made else _no_rows()


def against_formula(
    scores: pd.DataFrame,
    formula: Formula | None,
    own: Mapping[int, Columns] | None = None,
    said: Mapping[int, FileValues] | None = None,
) -> pd.DataFrame:
    """Compute scores from their parts, with what rounding leaves open.

    Args:
        scores: SCORES with the parts that the formula names.
        formula: over parts and paths, or None.
        own: [table] at the versions whose numbers have decimals of their own.
        said: by version, what its file says at the paths.

    Returns:
        version, entry, text, pointer; computed (a float); off (how far apart, a float); fits
        (whether the unprinted digits of score and parts can explain it); exact (whether the
        computed value is within the printed score's own half unit). Rows without a score, all
        the parts and all the paths are left out, and those that divide by 0.

    >>> from history.meaning.formula import parse
    >>> scores = pd.DataFrame({"version": 0, "entry": ["fern", "moss"], "score.text": ["61.1", "60.0"],
    ...     "score.pointer": "/0", "score.ticks": pd.array([611, 600], "Int64"), "score.dp": 1,
    ...     "a.ticks": pd.array([6429, 6283], "Int64"), "a.dp": 2,
    ...     "b.ticks": pd.array([564, 579], "Int64"), "b.dp": 1})
    >>> file = FileValues({"$.w": "0.6"}, {"$.w": Fraction("0.6")})
    >>> made = against_formula(scores, parse('"$.w"*a + (1 - "$.w")*b'), said={0: file})
    >>> made[["entry", "computed", "fits"]].values.tolist()
    [['fern', 61.134, True], ['moss', 60.858, False]]
    """
    if formula is None or any(ticks_of(name) not in scores.columns for name in formula.parts):
        return _no_rows()
    fields = (SCORE, *formula.parts)
    there = scores[[ticks_of(field) for field in fields]].notna().all(axis=1)
    constants = _constants(formula, scores["version"].unique().tolist(), said or {})
    rows = scores[there & scores["version"].isin(list(constants))]
    cells = []
    for name in fields:
        units = precision.units(rows, name, {v: (t, name) for v, t in (own or {}).items()})
        cells += [rows[ticks_of(name)].tolist(), rows[dp_of(name)].tolist(), units.tolist()]
    distinct = list(dict.fromkeys(constants.values()))
    compare = [_comparer(formula, exact) for exact in distinct]
    number_of = {version: distinct.index(values) for version, values in constants.items()}
    numbers = [number_of[version] for version in rows["version"].tolist()]
    known: dict[tuple[int, ...], Compared | None] = {}
    results: list[Compared | None] = []
    for key in zip(numbers, *cells, strict=True):
        if key not in known:
            known[key] = compare[key[0]](key[1:])
        results.append(known[key])
    kept = [result is not None for result in results]
    computed = [result for result in results if result is not None]
    return pd.DataFrame(
        {
            "version": rows["version"][kept].to_numpy(),
            "entry": rows["entry"][kept].astype(str).to_numpy(),
            "text": rows[text_of(SCORE)][kept].astype(object).to_numpy(),
            "pointer": rows[pointer_of(SCORE)][kept].astype(object).to_numpy(),
            "computed": [result.computed for result in computed],
            "off": [result.off for result in computed],
            "fits": [result.fits for result in computed],
            "exact": [result.exact for result in computed],
        },
        columns=list(COLUMNS),
    )


def _no_rows() -> pd.DataFrame:
    return pd.DataFrame(columns=list(COLUMNS))


def _constants(
    formula: Formula, versions: Sequence[int], said: Mapping[int, FileValues]
) -> dict[int, tuple[Fraction, ...]]:
    """What stands at the formula's paths, of the versions in which all are numbers."""
    found = {}
    for version in versions:
        numbers = said.get(version, NOTHING).numbers
        values = [numbers.get(path) for path in formula.paths]
        if None not in values:
            found[version] = tuple(value for value in values if value is not None)
    return found


def _comparer(
    formula: Formula, exact: tuple[Fraction, ...]
) -> Callable[[Sequence[int]], Compared | None]:
    """What compares a score with its parts, given what stands at the paths."""
    known = dict(zip(formula.paths, exact, strict=True))
    line = ClampedLine.of(formula, known)

    def compare(cells: Sequence[int]) -> Compared | None:
        try:
            if line is not None:
                return line.compare(cells)
        except OverflowError:
            pass  # no float is as large; fractions tell that, too
        return in_fractions(formula, known, cells)

    return compare


def in_fractions(
    formula: Formula, known: Mapping[str, Fraction], cells: Sequence[int]
) -> Compared | None:
    """Compare one score with its parts under any formula; None where a divisor is 0.

    Args:
        formula: over parts and paths.
        known: a number for every path.
        cells: ticks, dp and units of the score, then of each part.
    """
    printed, *parts = (
        Interval.around(Fraction(tick) / Fraction(10) ** dp, unit * half_unit(dp))
        for tick, dp, unit in zip(cells[::3], cells[1::3], cells[2::3], strict=True)
    )
    named = dict(zip(formula.parts, parts, strict=True))
    middle = formula.evaluate({**known, **{name: part.middle for name, part in named.items()}})
    if not isinstance(middle, Fraction):
        return None
    result = formula.evaluate({**known, **named})
    # A divisor of which rounding allows 0 leaves any value possible.
    fits = result is None or printed.meets(result)
    off = abs(middle - printed.middle)
    return Compared(_float(middle), _float(off), fits, printed.holds(middle))


def _float(value: Fraction) -> float:
    """The nearest float; of what no float can be, the largest."""
    try:
        return float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -sys.float_info.max
