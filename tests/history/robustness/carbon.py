"""The Carbon-X table, as its card printed it on 22 October 2026: five benchmarks, seven models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from history.numbers import Interval
from history.robustness import Composite

PARTS = ("coding", "non_snv", "genome_qa", "next_base", "frontier_vep")
GPT, CARBON, OPUS = "GPT-6.1 Sol", "Carbon-X", "Opus 5.5"
GEMINI, KIMI = "Gemini 4 Argon", "Kimi K3"
PRINTED = {
    CARBON: ("74.9", "85.1", "63.6", "39.4", "70.4"),
    GPT: ("71.0", "91.7", "67.2", "32.9", "74.9"),
    OPUS: ("70.3", "94.8", "62.2", "1.1", "76.2"),
    GEMINI: ("6.5", "90.3", "63.1", "31.2", "58.0"),
    KIMI: ("53.9", "65.3", "52.0", "30.6", "50.1"),
    "DeepSeek V4.1 Flash": ("51.4", "55.9", "49.7", "27.2", "51.3"),
    "GLM-5.3": ("52.1", "60.1", "44.6", "9.7", "32.7"),
}
AVERAGES = {
    CARBON: "66.7",
    GPT: "67.5",
    OPUS: "60.9",
    GEMINI: "49.8",
    KIMI: "50.4",
    "DeepSeek V4.1 Flash": "47.1",
    "GLM-5.3": "39.8",
}


def composite(
    printed: Mapping[str, tuple[str, ...]] = PRINTED,
    totals: Mapping[str, str] = AVERAGES,
    parts: tuple[str, ...] = PARTS,
    weights: tuple[Fraction, ...] | None = None,
) -> Composite:
    """A composite of printed numbers, all with as many decimals."""
    entries = tuple(sorted(printed))
    dp = max(len(text.partition(".")[2]) for row in printed.values() for text in row)
    ticks = [[int(Fraction(text) * 10**dp) for text in printed[entry]] for entry in entries]
    table = np.array(ticks, dtype=np.int64)
    return Composite(
        entries=entries,
        parts=parts,
        weights=weights or (Fraction(1, len(parts)),) * len(parts),
        ticks=table,
        units=np.ones_like(table),
        dp=dp,
        totals=tuple(Interval.printed(totals[e]) if e in totals else None for e in entries),
    )


def with_entrant(made: Composite, entry: str, numbers: Sequence[int]) -> Composite:
    """The same parts with one more entry, of a whole number per part."""
    return replace(
        made,
        entries=(*made.entries, entry),
        ticks=np.vstack([made.ticks, [one * 10**made.dp for one in numbers]]),
        units=np.vstack([made.units, [1] * len(numbers)]),
        totals=(*made.totals, None),
    )
