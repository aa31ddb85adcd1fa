"""Which new first places would the Ladder have announced?

In: RANKS and READINGS of a whole history, and a step. Out: one Rung per new first place. Start at
replay(). announced() and announced_without_step() are the mechanism itself, for losses.

The Ladder tells a new best only if it beats the best told so far by more than a step, and tells
it rounded to the step; so many tries cannot feel their way along the public part.

Source: Blum & Hardt, The Ladder (arXiv 1502.04585), algorithms 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history import moments
from history.frames import SCORE, dp_of, text_of, ticks_of
from history.ranks import Direction

_EXACT = Context(prec=500)


@dataclass(frozen=True, slots=True)
class Rung:
    """A version in which somebody is first who was not before.

    Attributes:
        version: its number.
        entries: who is first and was not, in code-point order.
        text: their score, as printed.
        best: the best that the Ladder had told before, None at a new beginning.
        gain: by how much the score beats it; below 0 where first place was lost, not won.
        survives: whether the Ladder would have told it; None where scores are not to be compared
            with those before (another edition or definition), or where no step is given and
            the gain is above 0.
        why: a word for it: beats the step, within the step, no gain, edition, definition, no step.
    """

    version: int
    entries: tuple[str, ...]
    text: str | None
    best: Decimal | None
    gain: Decimal | None
    survives: bool | None
    why: str


def replay(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    step: Decimal | None,
    direction: Direction = "higher",
) -> list[Rung]:
    """Send a board's history through the Ladder.

    The first version is what the Ladder starts from. So is one with another edition label or
    definition than the one before: its scores are not those of the same scale.

    Args:
        ranks: RANKS of the whole history, by version.
        readings: READINGS, by version.
        step: of the Ladder, more than 0, in units of the score; None: only the gain over the
            best before is told, and whether there is one.
        direction: which end is best.

    >>> readings = pd.DataFrame({"version": [0, 1, 2], "state": "published", "reading": "read",
    ...     "edition": None, "stage": ""})
    >>> ranks = pd.DataFrame({"version": [0, 1, 2], "entry": ["a", "b", "c"], "rank": 1,
    ...     "score.text": ["70.0", "70.4", "71.2"], "score.ticks": [700, 704, 712], "score.dp": 1})
    >>> [(rung.entries, str(rung.gain), rung.survives)
    ...     for rung in replay(ranks, readings, Decimal("0.5"))]
    [(('b',), '0.4', False), (('c',), '1.2', True)]
    """
    sign = 1 if direction == "higher" else -1
    states = moments.states(readings)
    said = zip(readings["version"], readings["edition"], readings["stage"], strict=True)
    firsts = dict(iter(_first_rows(ranks).groupby("version")))
    found: list[Rung] = []
    best: Decimal | None = None
    holders: set[str] = set()
    edition, stage = None, None
    for version, label, definition in said:
        rows = firsts.get(version)
        if states[version] == "unknown" or rows is None:
            continue
        now = set(rows["entry"].astype(str))
        number = Decimal(f"{rows[ticks_of(SCORE)].iloc[0]}E{-int(rows[dp_of(SCORE)].iloc[0])}")
        label = None if pd.isna(label) else str(label)
        anew = "edition" if edition is not None and label not in (None, edition) else ""
        anew = anew or ("definition" if stage not in (None, definition) else "")
        gain = None if best is None or anew else _EXACT.multiply(sign, _less(number, best))
        survives, why = (None, anew) if gain is None else _judged(gain, step)
        if holders and (newcomers := tuple(sorted(now - holders))):
            text = str(rows[text_of(SCORE)].iloc[0])
            told_before = None if anew else best
            found.append(Rung(version, newcomers, text, told_before, gain, survives, why))
        if gain is None or survives or (step is None and gain > 0):
            best = number if step is None else _rounded(number, step)
        holders, edition, stage = now, label or edition, definition
    return found


def _first_rows(ranks: pd.DataFrame) -> pd.DataFrame:
    columns = ["version", "entry", text_of(SCORE), ticks_of(SCORE), dp_of(SCORE)]
    return ranks.loc[(ranks["rank"] == 1).fillna(False), columns]


def _judged(gain: Decimal, step: Decimal | None) -> tuple[bool | None, str]:
    if gain <= 0:
        return False, "no gain"
    if step is None:
        return None, "no step"
    return (True, "beats the step") if gain > step else (False, "within the step")


def _less(one: Decimal, other: Decimal) -> Decimal:
    return _EXACT.subtract(one, other)


def _rounded(number: Decimal, step: Decimal) -> Decimal:
    """The multiple of a step nearest to a number."""
    steps = _EXACT.divide(number, step).to_integral_value(context=_EXACT)
    return _EXACT.multiply(steps, step)


def announced(losses: Sequence[float] | NDArray, step: float) -> list[float]:
    """What the Ladder tells after each of a row of losses, smaller being better.

    >>> announced([0.50, 0.495, 0.46, 0.47], 0.02)
    [0.5, 0.5, 0.46, 0.46]
    """
    told: list[float] = []
    best = np.inf
    for loss in losses:
        if loss < best - step:
            best = round(round(float(loss) / step) * step, 12)
        told.append(best)
    return told


def announced_without_step(losses: NDArray) -> list[float]:
    """The same without a step to choose: a new best must beat the old one by a standard error.

    Args:
        losses: of each submission on each item, shape (submissions, items). Only who has these
            can say it: the error is that of the paired differences, sd / sqrt(items).

    >>> announced_without_step(np.array([[1, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]]))
    [0.5, 0.5, 0.0]
    """
    told: list[float] = []
    best: NDArray | None = None
    items = losses.shape[1]
    for loss in losses.astype(np.float64):
        mean = float(loss.mean())
        step = 0.0 if best is None else float((loss - best).std(ddof=1)) / np.sqrt(items)
        if best is None or mean < told[-1] - step:
            best = loss
            told.append(mean)
        else:
            told.append(told[-1])
    return told
