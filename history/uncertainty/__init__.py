"""How far may scores be off, and what does that leave of the ranks?

In: scores, standard errors, numbers of items, or RANKS of one version. Out: standard errors, tests
of two entries, rank intervals, chances of being first; or Undecided, with what would decide it.
Start at uncertainty_of() for a board; the rest are functions on plain numbers. Methods 3.
"""

from history.uncertainty.benchmarks import as_sample, first_over_benchmarks
from history.uncertainty.board import (
    BoardUncertainty,
    board_uncertainty,
    errors_of,
    uncertainty_of,
)
from history.uncertainty.comparison import Comparison, compare
from history.uncertainty.first_place import chances, expected_maximum, shrunk, winners_curse
from history.uncertainty.items import (
    gap_in_items,
    items_for_band,
    items_to_separate,
    possible_counts,
)
from history.uncertainty.pairs import (
    mcnemar,
    paired_bootstrap,
    unpaired,
    without_items,
    without_items_printed,
)
from history.uncertainty.rank_intervals import RankIntervals, rank_intervals
from history.uncertainty.score_errors import SOURCES, ScoreError, ScoreErrors, score_errors
from history.uncertainty.undecided import Undecided, undecided

__all__ = [
    "SOURCES",
    "BoardUncertainty",
    "Comparison",
    "RankIntervals",
    "ScoreError",
    "ScoreErrors",
    "Undecided",
    "as_sample",
    "board_uncertainty",
    "chances",
    "compare",
    "errors_of",
    "expected_maximum",
    "first_over_benchmarks",
    "gap_in_items",
    "items_for_band",
    "items_to_separate",
    "mcnemar",
    "paired_bootstrap",
    "possible_counts",
    "rank_intervals",
    "score_errors",
    "shrunk",
    "uncertainty_of",
    "undecided",
    "unpaired",
    "winners_curse",
    "without_items",
    "without_items_printed",
]
