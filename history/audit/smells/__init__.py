"""What in a board's files looks wrong?

In: RANKS with all parts, and READINGS. Out: SMELLS. Start at find(). A finding is a reason to
look, never a correction; it stands at the version in which it could first be seen, so that a later commit
adds findings to itself alone. What lasts is found in every version in which it lasts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import numpy as np
import pandas as pd

from history.audit import shifts
from history.audit.smells import columns, entries, files, published, values
from history.audit.smells.kinds import KINDS
from history.audit.smells.smell import Smell, gathered
from history.audit.steps import Steps


def find(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    compared: pd.DataFrame,
    higher: Mapping[str, Collection[int]],
    missing: Collection[str],
    as_of: pd.Timestamp | None,
) -> Iterator[Smell]:
    """Look for everything but `off_formula`, which history.audit.audit finds.

    Args:
        ranks: RANKS of a whole history, with all parts.
        readings: READINGS with `at`, by version.
        compared: published against computed ranks, as published.compare() gives them.
        higher: the score and the parts, and the versions in which the higher number of each is
            better.
        missing: texts that the definition takes for "no score".
        as_of: time of the last successful look; None: nothing is called stale.
    """
    steps = Steps.of(ranks, readings, list(higher))
    shifted = shifts.find(steps)
    re_scored, many = columns.re_scored(steps)
    better_up = {
        field: np.isin(steps.versions, list(versions))[steps.place]
        for field, versions in higher.items()
    }
    yield from gathered(
        [
            *files.find(readings, as_of),
            *files.nobody_eligible(ranks, readings),
            *entries.find(steps, shifted),
            *values.find(steps, better_up, missing, re_scored, many, shifted),
            *columns.find(steps, many),
            *published.find(compared),
        ]
    )


def frame(smells: Iterable[Smell]) -> pd.DataFrame:
    """SMELLS: by version, then in the order of KINDS, then by entry."""
    order = {kind: number for number, kind in enumerate(KINDS)}
    rows = sorted(smells, key=lambda one: (one.version, order[one.kind], one.entry or ""))
    return pd.DataFrame(rows, columns=list(Smell._fields), dtype=object).astype(
        {"version": "int32"}
    )
