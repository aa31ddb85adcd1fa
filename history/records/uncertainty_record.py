"""What does the uncertainty of a version look like as JSON?

In: a BoardUncertainty. Out: a plain dict, part of the document of `robust`. Start at uncertainty().
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from history.records.records import Record, plain
from history.uncertainty.score_errors import SOURCES

if TYPE_CHECKING:
    from history.uncertainty.benchmarks import BenchmarkTest, FirstOverBenchmarks
    from history.uncertainty.board import BoardUncertainty
    from history.uncertainty.comparison import Comparison
    from history.uncertainty.pairs import Difference, PairBounds, PairRange
    from history.uncertainty.undecided import Undecided


def uncertainty(found: BoardUncertainty) -> Record:
    """How sure the ranks of one version are.

    Every number is reasoned, from the file's own measures and what `assumes` and `sigma` say.
    `entries` are all ranked ones, best first; `ranks` of each has [best, worst] by method.
    """
    of_method = {method: found.ranks(method) for method in found.intervals}
    place = {position: i for i, position in enumerate(found.known)}
    entries = []
    for position, one in enumerate(found.scores.entries):
        i = place.get(position)
        chance = None if i is None or found.chances is None else found.chances.first[i]
        moved = None if i is None or found.shrunk is None else found.shrunk.scores[i]
        entries.append(
            {
                "entry": one.entry,
                "name": one.name,
                "rank": one.rank,
                "score": one.score,
                "se": one.error,
                "se_source": one.source,
                "items": one.items,
                "why": one.why or None,
                "ranks": {
                    method: list(ranks[one.entry])
                    for method, ranks in of_method.items()
                    if one.entry in ranks
                },
                "first": plain(chance),
                "score_shrunk": plain(moved),
            }
        )
    sources = dict.fromkeys(one.source for one in found.scores.entries if one.source)
    return {
        "label": "reasoned",
        "level": found.level,
        "assumes": {
            "sigma": found.sigma or None,
            "sources": {source: SOURCES[source] for source in sources},
            "scale": found.scores.per,
            "scale_known": found.scores.per_known,
        },
        "methods": {
            method: {
                "critical": _critical(one.critical),
                "guarantees": one.guarantees,
                "draws": one.draws,
                "seed": one.seed,
            }
            for method, one in found.intervals.items()
        },
        "overlap_printed": found.overlap_printed,
        "left_out": dict(found.left_out),
        "first": None
        if found.chances is None
        else {
            "sigma": found.chances.sigma,
            "warning": found.chances.warning,
            "draws": found.chances.draws,
            "seed": found.chances.seed,
        },
        "first_undecided": undecided(found.chances_undecided),
        "winners_curse": None
        if found.curse is None
        else {
            "entries": found.curse.entries,
            "errors": found.curse.errors,
            "points": found.curse.points,
            "assumes": found.curse.assumes,
        },
        "shrunk_by": None if found.shrunk is None else found.shrunk.by,
        "lead": None if found.lead is None else comparison(found.lead),
        "undecided": undecided(found.undecided),
        "entries": entries,
    }


def undecided(one: Undecided | None) -> Record | None:
    """What is not decidable, and what would decide it."""
    if one is None:
        return None
    return {
        "code": one.code,
        "asked": one.asked,
        "found": one.found or None,
        "would_decide": one.would_decide,
    }


def comparison(found: Comparison) -> Record:
    """One entry against another."""
    return {
        "entry": found.one,
        "other": found.other,
        "significant": found.significant,
        "difference": _difference(found.difference),
        "counts": _counts(found.counts),
        "undecided": undecided(found.undecided),
        "caution": found.caution,
    }


def benchmarks(test: BenchmarkTest | None, drawn: FirstOverBenchmarks | None) -> Record:
    """Benchmarks as the sample: the mean difference of two entries, and shares of first place."""
    return {
        "label": "reasoned",
        "test": None
        if test is None
        else {
            "mean": test.mean,
            "sd": test.sd,
            "t": test.t,
            "p": test.p,
            "n": test.n,
            "caution": test.caution or None,
        },
        "resampled": None
        if drawn is None
        else {
            "first": drawn.first.tolist(),
            "tied": drawn.tied,
            "resamples": drawn.resamples,
            "seed": drawn.seed,
            "caution": drawn.caution or None,
        },
    }


def _critical(critical: float | tuple[float, ...] | None) -> float | list[float] | None:
    return list(critical) if isinstance(critical, tuple) else critical


def _difference(found: Difference | None) -> Record | None:
    if found is None:
        return None
    return {
        "value": found.value,
        "se": found.error.value,
        "se_is": found.error.name,
        "assumes": found.error.assumes,
        "z": found.z,
        "p": found.p,
        "significant": found.significant,
    }


def _counts(found: PairRange | None) -> Record | None:
    if found is None:
        return None
    return {
        "significant": found.significant,
        "closest": _bounds(found.closest),
        "farthest": _bounds(found.farthest),
    }


def _bounds(found: PairBounds) -> Record:
    return {
        "right": [found.one, found.other],
        "items": found.n,
        "agreement_needed": found.agreement_needed,
        "agreement_needed_exact": found.agreement_needed_exact,
        "overlaps": [
            {
                "name": way.name,
                "b": way.test.b,
                "c": way.test.c,
                "agreement": way.agreement,
                "z": way.test.z,
                "p": way.test.p,
            }
            for way in found.overlaps
        ],
    }
