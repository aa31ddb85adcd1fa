"""Who is tied with whom?

In: the ticks of whole rankings, best first, and a rule. Out: tie groups, tie ranks and the places
that ties leave open. Start at tie_groups(); infer() finds the rule behind published tie ranks.
"""

from history.ties.inference import Fit, Inference, Miss, infer
from history.ties.measured import (
    Errors,
    Intervals,
    half_units,
    needed,
    read_errors,
    read_intervals,
    source_of,
)
from history.ties.rule import (
    NO_TIES,
    STATISTICAL,
    WITHOUT_BAND,
    WITHOUT_EDGE,
    WITHOUT_GROUPS,
    Edge,
    Rule,
    TieError,
    TieRule,
    band_width,
    parse_rule,
    printed_bands,
    rule_of,
    widest_gap,
)
from history.ties.ties import tie_groups, tied

__all__ = [
    "NO_TIES",
    "STATISTICAL",
    "WITHOUT_BAND",
    "WITHOUT_EDGE",
    "WITHOUT_GROUPS",
    "Edge",
    "Errors",
    "Fit",
    "Inference",
    "Intervals",
    "Miss",
    "Rule",
    "TieError",
    "TieRule",
    "band_width",
    "half_units",
    "infer",
    "needed",
    "parse_rule",
    "printed_bands",
    "read_errors",
    "read_intervals",
    "rule_of",
    "source_of",
    "tie_groups",
    "tied",
    "widest_gap",
]
