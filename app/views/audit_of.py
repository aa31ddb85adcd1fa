"""What does an audit of a board find?

In: a board by name, perhaps one version. Out: the same as `ranktrail audit --json`, and what its
charts need besides. Kept until a file of the board changes: the audit of 2,000 versions takes
seconds. Start at document().
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from app.charts.style import utc
from app.views import answers
from app.views.answers import Stamp
from history.audit.audit import Audit
from history.frames import SCORE, value_of
from history.moments import Moment
from history.records import audit_record

Record = dict[str, Any]


def document(name: str, moment: Moment | None) -> Record:
    """The document of `audit`; shared by all readers: look, do not change.

    Args:
        name: of the board.
        moment: only the version that held then; None: all.
    """
    version = None if moment is None else moment.version
    return _document(name, answers.stamp(name), version, moment)


def formula_rows(name: str, version: int) -> pd.DataFrame:
    """Every score of a version that could be recomputed, in the order of the standings.

    Returns:
        place (from 1), entry, text, printed, computed, difference (computed minus printed),
        pointer, fits, exact.
    """
    return _formula_rows(name, answers.stamp(name), version)


def formula_course(name: str) -> pd.DataFrame:
    """How far off the formula is in each version that could be recomputed, oldest first.

    Returns:
        at, commit, worst, compared, wrong (scores that rounding cannot explain), until.
    """
    return _formula_course(name, answers.stamp(name))


@st.cache_resource(max_entries=8, show_spinner="Auditing every version of this board")
def _audit(name: str, stamp: Stamp) -> Audit:
    return answers.history(name).audit()


@st.cache_resource(max_entries=32, show_spinner=False)
def _document(name: str, stamp: Stamp, version: int | None, _moment: Moment | None) -> Record:
    board, found = answers.history(name), _audit(name, stamp)
    if version is not None:  # the same, without reading through all the others
        found = replace(
            found,
            smells=found.smells[found.smells["version"] == version],
            published=found.published[found.published["version"] == version],
            formula=found.formula[found.formula["version"] == version],
        )
    return audit_record.audit(board, found, _moment)


@st.cache_data(max_entries=64, show_spinner=False)
def _formula_rows(name: str, stamp: Stamp, version: int) -> pd.DataFrame:
    board, rows = answers.history(name), _audit(name, stamp).formula
    rows = rows[rows["version"] == version]
    commit = str(board.reading(version)["commit"])
    stood = answers.standings(name, commit, None).frame
    printed = dict(zip(stood["entry"].astype(str), stood[value_of(SCORE)], strict=True))
    places = {entry: place for place, entry in enumerate(printed)}
    told = rows.assign(
        printed=[printed.get(entry, float("nan")) for entry in rows["entry"]],
        place=[1 + places.get(entry, len(places)) for entry in rows["entry"]],
    )
    told["difference"] = told["computed"].astype(float) - told["printed"]
    columns = ["place", "entry", "text", "printed", "computed", "difference", "pointer"]
    return told.sort_values("place")[[*columns, "fits", "exact"]].reset_index(drop=True)


@st.cache_data(max_entries=16, show_spinner=False)
def _formula_course(name: str, stamp: Stamp) -> pd.DataFrame:
    board, rows = answers.history(name), _audit(name, stamp).formula
    columns = ["at", "commit", "worst", "compared", "wrong", "until"]
    if rows.empty:
        return pd.DataFrame(columns=columns)
    told = rows.assign(wrong=~rows["fits"].astype(bool)).groupby("version")
    sums = told.agg(worst=("off", "max"), compared=("off", "size"), wrong=("wrong", "sum"))
    clock = board.readings.set_index("version")[["at", "commit"]]
    until = clock["at"].shift(-1).rename("until")
    until.iloc[-1] = max(clock["at"].iloc[-1], board.as_of or clock["at"].iloc[-1])
    found = clock.join(until).join(sums, how="inner").reset_index(drop=True)
    return found[columns]


def when_text(text: str) -> str:
    """A time of the JSON as every page writes it."""
    return utc(pd.Timestamp(text))
