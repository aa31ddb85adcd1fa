"""What does the store hold for the page of a trail?

The answers are kept as those of app/views/answers.py are. What is the same for every choice of
entries is worked out once for a board and split: a history of 458,000 ranks is then asked for a
choice in a few hundredths of a second. Start at trail().
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from app.charts import score_stretches, stretches
from app.charts.score_stretches import Scores
from app.charts.stretches import Basis, Trail
from app.views import answers
from app.views.answers import Stamp
from history.pipeline import BoardHistory


def trail(board: BoardHistory, split: str | None, focus: Sequence[str]) -> Trail:
    """What the panel of ranks shows."""
    return _trail(*_of(board), split, tuple(focus))


def basis(board: BoardHistory, split: str | None) -> Basis:
    """What the trails of a board and split are drawn from; shared, so it is only read."""
    return _basis(*_of(board), split)


def scores(board: BoardHistory, split: str | None, focus: Sequence[str]) -> Scores:
    """What the panel of scores shows."""
    return _scores(*_of(board), split, tuple(focus))


def numbers(board: BoardHistory, split: str | None, focus: Sequence[str]) -> pd.DataFrame:
    """Who had which rank and score, from when to when; columns as of stretches.stretches()."""
    return _numbers(*_of(board), split, tuple(focus))


def order(board: BoardHistory, split: str | None, version: int | None) -> list[str]:
    """Everybody who was ever ranked: by rank in a version, the others by their best rank ever.

    Args:
        version: None: there is none, and all go by their best rank.
    """
    held = basis(board, split).held
    best = held.groupby("entry")["rank"].min()
    ranks = board.rank_history(split)
    then = ranks[(ranks["version"] == version) & ranks["rank"].notna()]
    places = dict(then[["entry", "rank"]].itertuples(index=False, name=None))
    last = len(best) + 1
    return sorted(best.index, key=lambda entry: (places.get(entry, last), best[entry], entry))


def cells(board: BoardHistory, split: str | None, rows: Sequence[str]) -> pd.DataFrame:
    """Who had which rank, from when to when.

    Args:
        rows: entries, in the order of their lines.

    Returns:
        key (the entry), line, start, end, rank, commit; by line and time.
    """
    held = basis(board, split).held
    mine = held[held["entry"].isin(rows)].rename(columns={"entry": "key"})
    lines = mine["key"].map({entry: line for line, entry in enumerate(rows)})
    columns = ["key", "line", "start", "end", "rank", "commit"]
    return mine.assign(line=lines)[columns].sort_values(
        ["line", "start"], kind="stable", ignore_index=True
    )


def called(board: BoardHistory) -> dict[str, str]:
    """What an entry can be found by, by its key: see labels()."""
    return _called(*_of(board))


def labels(names: pd.DataFrame, aliases: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Entries as somebody who looks for one finds them: newest name, key, and what else they had.

    Args:
        names: `entry`, `name`: each display name that each entry ever had, oldest first.
        aliases: what is called so, and which entry that is.

    >>> labels(pd.DataFrame({"entry": ["7", "7", "7"], "name": ["Red", "Blue", "Azure"]}),
    ...        [("rouge", "7"), ("blue", "7")])
    {'7': 'Azure (7; also Red, Blue, rouge)'}
    """
    newest = dict(names.itertuples(index=False, name=None))
    others: dict[str, list[str]] = {}
    for name, entry in [*((n, e) for e, n in names.itertuples(index=False, name=None)), *aliases]:
        others.setdefault(entry, []).append(name)
    found = {}
    for entry, name in newest.items():
        words = [] if name == entry else [entry]
        seen, more = f"{name} {entry}".casefold(), []
        for other in others[entry]:
            if other.casefold() not in seen:  # a part of what stands there is found already
                more.append(other)
                seen = f"{seen}, {other.casefold()}"
        words += [f"also {', '.join(more)}"] if more else []
        found[entry] = f"{name} ({'; '.join(words)})" if words else name
    return found


def _of(board: BoardHistory) -> tuple[str, str, Stamp]:
    return str(answers.store().root), board.name, answers.stamp(board.name)


@st.cache_data(max_entries=64, show_spinner=False)
def _trail(root: str, name: str, stamp: Stamp, split: str | None, focus: tuple[str, ...]) -> Trail:
    return stretches.trail(_basis(root, name, stamp, split), focus)


@st.cache_resource(max_entries=16, show_spinner=False)
def _basis(root: str, name: str, stamp: Stamp, split: str | None) -> Basis:
    board = answers.history(name)
    return stretches.basis_of(board.rank_history(split), board.readings, board.as_of)


@st.cache_data(max_entries=64, show_spinner=False)
def _scores(
    root: str, name: str, stamp: Stamp, split: str | None, focus: tuple[str, ...]
) -> Scores:
    board = answers.history(name)
    best, lower = _best(root, name, stamp, split)
    return score_stretches.scores(
        board.rank_history(split), board.readings, board.as_of, focus, best, lower=lower
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _best(
    root: str, name: str, stamp: Stamp, split: str | None
) -> tuple[tuple[pd.DataFrame, pd.DataFrame], bool]:
    """The best score and the band of ties, and whether the lowest is best; shared, only read."""
    board = answers.history(name)
    newest = int(board.readings["version"].iloc[-1])
    lower = board.view(newest, split).direction == "lower"
    ranks, bandings = board.rank_history(split), board.bandings(split)
    found = score_stretches.the_best(ranks, board.readings, board.as_of, bandings, lower=lower)
    return found, lower


@st.cache_data(max_entries=64, show_spinner=False)
def _numbers(
    root: str, name: str, stamp: Stamp, split: str | None, focus: tuple[str, ...]
) -> pd.DataFrame:
    board = answers.history(name)
    ranks = board.rank_history(split)
    mine = ranks[ranks["entry"].isin(focus)]
    return stretches.stretches(mine, board.readings, board.as_of, ("rank", "score_text"))


@st.cache_data(max_entries=16, show_spinner=False)
def _called(root: str, name: str, stamp: Stamp) -> dict[str, str]:
    board = answers.history(name)
    aliases = list(board.meaning.aliases.items())
    aliases += [(one.key, one.entry) for one in board.meaning.timed_aliases]
    return dict(sorted(labels(board.names.table, aliases).items()))
