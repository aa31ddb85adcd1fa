"""Does the order rest on how the parts are brought to one scale?

In: a Composite. Out: Equated per scale (raw, z-score, min-max). Start at equated(). Lines between
the scales of two editions are in `history.editions.equating`.

z-scores and min-max take their constants from whoever is listed, so that an entry's score
depends on the others: an entrant in last place can swap the first two. Raw means do not do
that. Methods section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from history.robustness.composite import Composite

Scale = Literal["raw", "z-score", "min-max"]
SCALES: tuple[Scale, ...] = ("raw", "z-score", "min-max")
_SAME = 1e-12  # floats that are closer are called equal


@dataclass(frozen=True)
class Equated:
    """The order on one scale.

    Attributes:
        scale: raw: as printed; z-score: (x - mean) / sd; min-max: (x - min) / (max - min), with
            population statistics over the entries compared.
        scores: weighted mean of the parts on it, in the order of the composite.
        first: who leads on it.
        gap: of the raw leader over the raw second, on this scale; below 0: they swap.
        entrant_gap: the same if the entrant of last_place() were listed, too; None without one.
    """

    scale: Scale
    scores: tuple[float, ...]
    first: tuple[str, ...]
    gap: float
    entrant_gap: float | None

    @property
    def swapped_by_entrant(self) -> bool:
        """Whether an entrant in last place turns the first two round."""
        return self.entrant_gap is not None and (self.gap > _SAME) != (self.entrant_gap > _SAME)


def equated(composite: Composite) -> tuple[Equated, ...]:
    """The order on each scale, and what an entrant in last place would do to it."""
    values = composite.values()
    weights = np.array([float(w) for w in composite.weights])
    raw = values @ weights
    order = np.argsort(-raw, kind="stable")
    first, second = int(order[0]), int(order[1])
    entrant = last_place(composite, first, second)
    found = []
    for scale in SCALES:
        scores = on_scale(values, scale) @ weights
        with_it = None
        if entrant is not None:
            more = on_scale(np.vstack([values, entrant]), scale) @ weights
            with_it = float(more[first] - more[second])
        found.append(
            Equated(
                scale,
                tuple(scores.tolist()),
                tuple(
                    entry
                    for entry, score in zip(composite.entries, scores, strict=True)
                    if scores.max() - score <= _SAME
                ),
                float(scores[first] - scores[second]),
                with_it,
            )
        )
    return tuple(found)


def on_scale(values: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Parts on one scale, column by column; a part in which all are equal counts 0.

    >>> on_scale(np.array([[80.0, 5.0], [60.0, 5.0]]), "z-score").tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    if scale == "raw":
        return values
    low = values.mean(axis=0) if scale == "z-score" else values.min(axis=0)
    wide = values.std(axis=0) if scale == "z-score" else np.ptp(values, axis=0)
    same = np.ptp(values, axis=0) == 0
    return np.where(same, 0.0, (values - low) / np.where(same, 1.0, wide))


def last_place(composite: Composite, first: int, second: int) -> NDArray[np.float64] | None:
    """An entrant in last place that does most against the first of two, on the min-max scale.

    It has 0 in each part in which the first is ahead of the second, which stretches that part's
    scale, and elsewhere the smallest number listed. None where a number is below 0 already, or
    a part was turned: then 0 is not the end of its scale.
    """
    values = composite.values()
    if (values < 0).any() or composite.flipped:
        return None
    return np.where(values[first] > values[second], 0.0, values.min(axis=0))
