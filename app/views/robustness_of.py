"""What does the store say of how firm first place is, for the page about it?

Kept until a file of the board changes, as all answers of app/views/answers.py are.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from app.views import answers
from app.views.answers import Stamp
from history.records import robust_record
from history.robustness import Composite, NoComposite
from history.robustness.drop_one import Case


@dataclass(frozen=True)
class Firmness:
    """How firmly first place stood at one moment. Shared by all readers: look, do not change.

    Attributes:
        document: as `ranktrail robust --json` has it.
        composite: what the score is made of; None where that is not known.
        own: by entry, its rank by the board's own score among those that are compared.
        names: by entry.
    """

    document: dict[str, Any]
    composite: Composite | None
    own: dict[str, int]
    names: dict[str, str]


def firmness(name: str, when: str) -> Firmness:
    """What parts and errors say of first place at one moment."""
    return _firmness(str(answers.store().root), name, answers.stamp(name), when)


def told(composite: Composite, case: Case) -> dict[str, Any]:
    """A ranking under other weights, as the document has those without a part."""
    return robust_record.case_record(composite, case)


@st.cache_resource(max_entries=64, show_spinner=False)
def _firmness(root: str, name: str, stamp: Stamp, when: str) -> Firmness:
    board = answers.history(name)
    stood = board.standings(when)
    weighed, sure = board.robustness(when), board.uncertainty(when)
    composite = None if isinstance(weighed, NoComposite) else weighed.composite
    frame = stood.frame
    held = zip(frame["entry"].astype(str), frame["rank"], strict=True)
    ranks = {entry: int(rank) for entry, rank in held if not pd.isna(rank)}
    among = {} if composite is None else {e: ranks[e] for e in composite.entries if e in ranks}
    places = sorted(among.values())
    return Firmness(
        document=robust_record.robust(board, stood, weighed, sure),
        composite=composite,
        own={entry: 1 + bisect_left(places, rank) for entry, rank in among.items()},
        names=dict(zip(frame["entry"].astype(str), frame["name"].astype(str), strict=True)),
    )
