"""How firmly does first place stand?

In: RANKS of one version with parts, and the board's definition. Out: a Robustness. Start at
robustness(). What a board needs for it, the parts of the score, many do not publish; then it says
so, with the code MISSING_COMPONENT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

import pandas as pd

from history.robustness.composite import Composite, NoComposite, composite_of
from history.robustness.drop_one import Case, Subsets, drop_one, subsets
from history.robustness.recovery import Bounds, Recovery, line_through, recover, rows_of
from history.robustness.reweighting import DRAWS, SEED, Reweighting, reweighting
from history.robustness.scales import Equated, equated
from history.robustness.social_choice import SocialChoice, social_choice
from history.uncertainty.benchmarks import (
    MOST_EXACT,
    BenchmarkTest,
    FirstOverBenchmarks,
    as_sample,
    first_over_benchmarks,
)

if TYPE_CHECKING:
    from history.meaning import Meaning
    from history.meaning.definition import Columns

MISSING_COMPONENT = "MISSING_COMPONENT"
_MOST_SUMS = 10_000_000  # entries times resamples of parts


@dataclass(frozen=True)
class Weighed:
    """What other weights and other rules make of a composite.

    Attributes:
        composite: entries, parts and weights.
        cases: with all parts, then without each.
        subsets: over all sets of parts; None for too many.
        reweighting: under other weights.
        social_choice: with the parts as voters.
        equated: on other scales.
        lead_over_parts: a t test of the first against the second with the parts as the sample.
        first_over_parts: who is first when the parts are drawn anew. Both None where the weights
            are not equal, the second also for many entries.
        recovery: what weights the printed scores allow; None where none is printed.
        line: slopes of a common line from the means to the printed scores, where the weights do not
            give these; None where they do, or no line does.
        recovery_line: `recovery` up to one common line, where no weights alone are possible.
    """

    composite: Composite
    cases: tuple[Case, ...]
    subsets: Subsets | None
    reweighting: Reweighting
    social_choice: SocialChoice
    equated: tuple[Equated, ...]
    lead_over_parts: BenchmarkTest | None
    first_over_parts: FirstOverBenchmarks | None
    recovery: Recovery | None
    line: Bounds | None
    recovery_line: Recovery | None


def robustness(
    frame: pd.DataFrame,
    meaning: Meaning,
    own: Mapping[int, Columns] | None = None,
    known: Mapping[str, Fraction | None] | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Weighed | NoComposite:
    """Everything that the parts of one version say about its first place.

    Args:
        frame: RANKS or SCORES of one version, with all parts.
        meaning: the definition as it is at that version.
        own: [table] at the versions whose numbers have decimals of their own.
        known: the numbers at the paths of [formula] in that version's file.
        draws, seed: of the weightings drawn at random.
    """
    composite = composite_of(frame, meaning, own, known)
    return composite if isinstance(composite, NoComposite) else weigh(composite, draws, seed)


def weigh(composite: Composite, draws: int = DRAWS, seed: int = SEED) -> Weighed:
    """What other weights and other rules make of a composite of at least two entries."""
    rows = rows_of(composite)
    found = recover(rows) if rows else None
    by_line = None if found is None or found.possible else recover(rows, line=True)
    cases = drop_one(composite)
    over_parts, drawn_parts = _over_parts(composite, cases[0])
    return Weighed(
        composite=composite,
        cases=cases,
        subsets=subsets(composite),
        reweighting=reweighting(composite, draws, seed),
        social_choice=social_choice(composite),
        equated=equated(composite),
        lead_over_parts=over_parts,
        first_over_parts=drawn_parts,
        recovery=found,
        line=line_through(rows, composite.weights) if composite.reproduction.ok is False else None,
        recovery_line=by_line,
    )


def _over_parts(
    composite: Composite, case: Case
) -> tuple[BenchmarkTest | None, FirstOverBenchmarks | None]:
    """The parts as a sample of parts, where all count the same."""
    if len(set(composite.weights)) > 1:
        return None, None
    first, second = sorted(range(len(case.ranks)), key=lambda n: (case.ranks[n], n))[:2]
    values = composite.values()
    n, k = composite.ticks.shape
    resamples = comb(2 * k - 1, k - 1) if k <= MOST_EXACT else DRAWS
    small = n * resamples <= _MOST_SUMS and composite.ticks.dtype.kind == "i"
    drawn = first_over_benchmarks(composite.ticks) if small else None
    return as_sample(values[first], values[second]), drawn
