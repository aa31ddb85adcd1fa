"""What does the store say of first place, for a page?

The document of `reigns`, kept until a file of the board changes. Start at document().
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from app.charts import stretches
from app.views import answers
from app.views.answers import Stamp
from history.records import reign_record
from history.reigns import By, unknown_first
from history.ties import parse_rule


def document(name: str, split: str | None, by: str, tie: str | None) -> dict[str, Any]:
    """The document of `reigns`; its `entries` are those that were ever first.

    Args:
        name: of the board.
        split: None is the score.
        by: "score" or "tie". tie: RULE:BAND instead of the board's own rule.
    """
    return _document(str(answers.store().root), name, answers.stamp(name), split, by, tie)


def unknown(name: str, split: str | None, by: str, tie: str | None) -> pd.DataFrame:
    """When nobody knows who was first, as stretches.blanks() says it; arguments as above."""
    return _unknown(str(answers.store().root), name, answers.stamp(name), split, by, tie)


@st.cache_data(max_entries=64, show_spinner=False)
def _document(
    root: str, name: str, stamp: Stamp, split: str | None, by: str, tie: str | None
) -> dict[str, Any]:
    board = answers.history(name)
    rule = None if tie is None else parse_rule(tie)
    counts: By = "tie" if by == "tie" else "score"
    found = board.reigns(split, rule, counts)
    told = {entry for one in found for entry in one.entries}
    return reign_record.reigns(board, found, split, rule, counts, told)


@st.cache_data(max_entries=64, show_spinner=False)
def _unknown(
    root: str, name: str, stamp: Stamp, split: str | None, by: str, tie: str | None
) -> pd.DataFrame:
    board = answers.history(name)
    rule = None if tie is None else parse_rule(tie)
    blind = unknown_first(board.rank_history(split, rule), "tie" if by == "tie" else "score")
    readings = board.readings
    dark = readings["version"].isin(list(blind))
    seen = readings.assign(reading=readings["reading"].mask(dark, "unreadable"))
    return stretches.blanks(seen, board.as_of)
