"""Which commits changed a whole column?

In: Steps. Out: smells about a version as a whole: every row re-scored, a column that means
something else under the same name, all entries replaced. Start at find().
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from history.audit.smells.smell import Smell, at_place
from history.audit.steps import Floats, Mask, Steps, differ
from history.frames import SCORE, dp_of

# Fewer rows than this say nothing about a column.
FEW = 5
# "Every row": a few come out the same by chance.
EVERY = 0.9
# "Many": more than a correction of some, which would be found one by one.
MANY = 0.35
# "Most", where their scores moved by a lot and the same way.
MOST = 0.75
# A move by this share of the distance between the board's good and bad scores is a lot.
A_LOT = 0.15
# Re-scoring everything in this share of the commits is how the board works (ratings).
HABIT = 0.3


def re_scored(steps: Steps) -> tuple[Mask, Mask]:
    """Places at which nearly every row that stayed has another score than before, or many have."""
    values = steps.values(SCORE)
    before = steps.before(values)
    both = ~np.isnan(before) & ~np.isnan(values)
    stayed, changed = steps.count(both), steps.count(differ(before, values))
    every = (stayed >= FEW) & (changed >= EVERY * stayed)
    return every, every | ((changed > FEW) & (changed > MANY * stayed))


def find(steps: Steps, many: Mask) -> Iterator[Smell]:
    """All smells of whole columns; a new edition, or a [[since]], explains them.

    Args:
        steps: the rows of every entry.
        many: places at which many rows were re-scored, as re_scored() gives them.
    """
    values = steps.values(SCORE)
    before = steps.before(values)
    meaning = dict(_moved(steps, values, before))
    compared = steps.count(~np.isnan(before) & ~np.isnan(values)) >= FEW
    habit = many.sum() > max(2.0, HABIT * compared.sum())
    for place in sorted({*meaning, *np.flatnonzero(many).tolist()}):
        if steps.announced[place]:
            continue
        if place in meaning:
            yield at_place(steps, place, "meaning_changed", meaning[place])
        elif not habit:
            yield at_place(steps, place, "all_rescored", _how(steps, place, values, before))
    yield from _replaced(steps, values)
    yield from _back_with_others(steps)


def _moved(steps: Steps, values: Floats, before: Floats) -> Iterator[tuple[int, str]]:
    """Places at which most rows moved the same way by a lot."""
    both = np.flatnonzero(~np.isnan(before) & ~np.isnan(values))
    if not len(both):
        return
    table = pd.DataFrame({"old": before[both], "new": values[both], "row": both})
    move = table["new"] - table["old"]
    table = table.assign(size=move.abs(), up=move > 0, down=move < 0)
    groups = table.groupby(steps.place[both])
    old = groups["old"]
    spread = old.quantile(0.9) - old.quantile(0.1)
    stayed, up, down = groups.size(), groups["up"].sum(), groups["down"].sum()
    same_way = np.maximum(up, down)
    moved = (stayed >= FEW) & (same_way >= MOST * stayed)
    moved &= groups["size"].median() > A_LOT * spread
    for place in moved.index[moved]:
        rows = groups.get_group(place).nlargest(1, "size")["row"].tolist()
        way = "up" if up[place] > down[place] else "down"
        row = rows[0]
        yield (
            int(place),
            f"{same_way[place]} of {stayed[place]} scores went {way}, by "
            f"{groups['size'].median()[place]:g} in the middle, such as {steps.entry(row)!r} "
            f"{steps.text(row - 1, SCORE)} -> {steps.text(row, SCORE)}: "
            "does the column mean the same as before?",
        )


def _how(steps: Steps, place: int, values: Floats, before: Floats) -> str:
    """What happened where every row was re-scored, or many were."""
    rows = np.flatnonzero((steps.place == place) & ~np.isnan(before) & ~np.isnan(values))
    changed = rows[differ(values[rows], before[rows])]
    dp = steps.scores[dp_of(SCORE)].to_numpy()
    size = np.abs(values[changed] - before[changed])
    coarse = np.minimum(dp[changed], dp[changed - 1]).astype(float)
    if (size <= 0.5000001 * 10.0**-coarse).all() and (dp[rows] != dp[rows - 1]).all():
        return (
            f"all {len(rows)} scores are printed with {dp[changed[0]]} decimals instead of "
            f"{dp[changed[0] - 1]}, and else the same"
        )
    row = int(changed[int(size.argmax())])
    return (
        f"{len(changed)} of {len(rows)} scores that stayed changed in one commit, by "
        f"{np.median(size):g} in the middle, most {steps.entry(row)!r} "
        f"{steps.text(row - 1, SCORE)} -> {steps.text(row, SCORE)}"
    )


def _replaced(steps: Steps, values: Floats) -> Iterator[Smell]:
    """Places at which (nearly) no entry stayed, and many left and joined."""
    listed = steps.count(np.ones(len(values), dtype=bool))
    stayed = steps.count(steps.next_to)
    previous = np.zeros_like(listed)
    previous[1:] = listed[:-1]
    gone = (previous >= FEW) & (listed >= FEW) & (stayed <= (1 - EVERY) * previous)
    for place in np.flatnonzero(gone):
        if not steps.announced[place]:
            yield at_place(
                steps,
                int(place),
                "meaning_changed",
                f"of {previous[place]} entries {stayed[place]} stayed, "
                f"{listed[place] - stayed[place]} joined: another table under the same name?",
            )


def _back_with_others(steps: Steps) -> Iterator[Smell]:
    """Places at which a file that was absent lists entries again, and none of those before.

    A name that was given up and is used again is no continuation, however few its entries are.
    """
    listed = steps.count(np.ones(len(steps.place), dtype=bool))
    last = -1  # the place before that lists entries
    for place in np.flatnonzero(listed).tolist():
        gone = np.flatnonzero(steps.absent[last + 1 : place])
        before, last = last, place
        if before < 0 or not len(gone) or steps.announced[before + 1 : place + 1].any():
            continue
        rows = np.flatnonzero(steps.place == place)
        stayed = steps.same[rows] & (steps.place[rows - 1] == before)
        # Who left may stand in a row that was left out.
        if stayed.any() or steps.partial[[before, place]].any():
            continue
        yield at_place(
            steps,
            place,
            "meaning_changed",
            f"after the absence in {steps.commits[before + 1 + gone[0]]}, of {listed[before]} "
            f"entries in {steps.commits[before]} 0 stayed, {listed[place]} joined: another table "
            "under the same name?",
        )
