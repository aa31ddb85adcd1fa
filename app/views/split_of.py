"""What does the store say of two splits, for the page about them?

Kept until a file of the board changes, as all answers of app/views/answers.py are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from app.charts import stretches
from app.charts.stretches import BUDGET, Trail
from app.views import answers, trail_of
from app.views.answers import Stamp
from history.records import split_record
from history.splits import Splits, single_splits
from history.splits.gaps import Z95

FEWEST = 4  # entries that a line with a scatter of its own needs


@dataclass(frozen=True)
class Compared:
    """Two splits of one moment.

    Attributes:
        document: as `ranktrail splits --json` has it.
        bands: by entry the half width of the band around an excess of 0 that noise, or else the
            usual scatter, gives in 95 of 100 cases.
        by_noise: whether the bands are those of noise.
        errors: what the errors rest on, in words.
        lower: whether a lower score is better on both.
    """

    document: dict[str, Any]
    bands: dict[str, float]
    by_noise: bool
    errors: str
    lower: bool


def compared(name: str, when: str, public: str, private: str, items: int | None) -> Compared:
    """Public against private at one moment."""
    return _compared(
        str(answers.store().root), name, answers.stamp(name), when, public, private, items
    )


def followed(name: str, splits: tuple[str, str], entries: Sequence[str]) -> tuple[Trail, Trail]:
    """The ranks of some entries through time, by each of two splits."""
    root, stamp = str(answers.store().root), answers.stamp(name)
    one, other = (_followed(root, name, stamp, split, tuple(entries)) for split in splits)
    return one, other


def names(name: str, version: int) -> tuple[list[str], bool]:
    """What can be compared at a version, and whether the definition names any split."""
    meaning = answers.history(name).meaning_at(version)
    return list(single_splits(meaning)), bool(meaning.splits)


@st.cache_data(max_entries=64, show_spinner=False)
def _compared(
    root: str,
    name: str,
    stamp: Stamp,
    when: str,
    public: str,
    private: str,
    items: int | None,
) -> Compared:
    board = answers.history(name)
    moment = board.find(when)
    found = board.splits(when, public=public, private=private, items=items)
    bands, by_noise = _bands(found)
    return Compared(
        document=split_record.splits(board, moment, found),
        bands=bands,
        by_noise=by_noise,
        errors="" if found.errors is None else found.errors.says,
        lower=found.directions.get(private) == "lower",
    )


def _bands(found: Splits) -> tuple[dict[str, float], bool]:
    """Half widths of the bands by entry, and whether they are those of noise."""
    if found.back is not None and found.errors is not None and found.noise is not None:
        errors = found.errors.pairs(found.public, found.private)
        return {entry: Z95 * found.back.chance(*errors[entry]) for entry in found.judged}, True
    if found.line is None or found.line.n < FEWEST:
        return {}, False
    scores = {row.entry: row.scores[found.public] for row in found.entries}
    bands = {}
    for entry in found.judged:
        public = scores[entry]
        assert public is not None  # it was judged
        low, high = found.line.of_new(public).interval
        bands[entry] = (high - low) / 2
    return bands, False


@st.cache_data(max_entries=64, show_spinner=False)
def _followed(root: str, name: str, stamp: Stamp, split: str, entries: tuple[str, ...]) -> Trail:
    board = answers.history(name)
    basis = trail_of.basis(board, split)
    return stretches.trail(basis, entries, reach=0, budget=BUDGET // 2)  # nobody stands in grey
