"""Which claims are there, and what is the answer to each?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

import pandas as pd
import streamlit as st

from app import check, said
from app.asking import not_empty
from app.marks import claim_marks
from app.views import answers
from app.views.answers import Stamp
from app.views.texts import error_text
from crawler.store import Store
from history.claims.language.claim import Claim, ClaimError
from history.claims.language.claims_file import read_claims
from history.pipeline import BoardHistory

State = tuple[str, tuple[Stamp, ...]]


def claims() -> list[Claim]:
    """The claims of the claims file; a file that cannot be read is said, not passed over."""
    file = answers.claims_file()
    if file is None:
        return []
    try:
        return _claims(str(file), answers.stat_of(file))
    except ClaimError as error:
        st.warning(f"Claims file: {error_text(error)}")
        return []


def verdicts(asked: Sequence[Claim]) -> list[dict[str, Any]]:
    """The answers to some claims, in their order."""
    return cast(list[dict[str, Any]], document(asked)["claims"])


def document(asked: Sequence[Claim]) -> dict[str, Any]:
    """The same as the document of `check`, with the time at which they were checked."""
    return _document(state(), folder(), tuple(asked))


def state() -> State:
    """What a cached answer about any claim depends on: the store, and the files in it."""
    file = answers.claims_file()
    stamps = [answers.stamp(name) for name in answers.store().names()]
    if file is not None:
        # Tables that claims bring along lie beside the claims file.
        stamps.append(answers.stat_of(*sorted(file.parent.glob("*.csv"))))
    return str(answers.store().root), tuple(stamps)


def folder() -> str | None:
    """Where the tables lie that claims bring along; None without a claims file."""
    file = answers.claims_file()
    return None if file is None else str(file.parent)


def read(words: str) -> said.Said:
    """The claims that words make; names are those of the store.

    Raises:
        ClaimError: they are not understood.
    """
    today = datetime.now(UTC).date().isoformat()  # for dates without a year
    return _read(state(), words, today)


def marks(board: BoardHistory, entries: Sequence[str]) -> pd.DataFrame | None:
    """Claims of the claims file about some entries, on a board's rank chart; None without any."""
    held = answers.store()
    spoken = {
        claim: answers.attempt_quietly(partial(check.boards_of, held, [claim]))
        for claim in claims()
    }
    asked = [claim for claim, names in spoken.items() if names and board.name in names]
    found: list[dict[str, Any]] | None = answers.attempt_quietly(lambda: verdicts(asked))
    if not found:
        return None
    placed = claim_marks(asked, {one["id"]: one for one in found}, board)
    return placed[placed["entry"].isin(entries)].reset_index(drop=True)


def boards(asked: Sequence[Claim]) -> list[BoardHistory]:
    """The boards that some claims speak of, by name."""
    names = check.boards_of(answers.store(), asked)
    return [answers.history(name) for name in sorted(names)]


@st.cache_data(max_entries=8, show_spinner=False)
def _claims(file: str, stamp: Stamp) -> list[Claim]:
    return read_claims(Path(file))


@st.cache_data(max_entries=64, show_spinner="Checking", hash_funcs={Claim: repr})
def _document(state: State, folder: str | None, asked: tuple[Claim, ...]) -> dict[str, Any]:
    beside = None if folder is None else Path(folder)
    return check.check(Store(Path(state[0])), asked, beside, _opened)


@st.cache_data(max_entries=256, show_spinner=False)
def _read(state: State, words: str, today: str) -> said.Said:
    return said.read_words(words, Store(Path(state[0])), _opened)


def _opened(name: str) -> BoardHistory:
    """A board as every page has it open, however it is named."""
    return not_empty(answers.history(answers.store().find(name).name))
