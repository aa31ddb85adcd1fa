"""What does the store say of who moved, for a page?

Answers as the command `changes` gives them, kept until a file of the board changes. Start at
pair() and one().
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app.compared import followed_ties, versions_compared
from app.views import answers
from app.views.answers import Stamp
from history.moves import Step
from history.records import change_record

Document = dict[str, Any]
# What ends and kind of rank are called in the address.
ENDS = ("from=", "at=")
KIND = ("tie=", "by=tie")
MOST_STEPS = 200  # commits between two moments up to which causes of all entries are told


def pair(
    name: str, start: str | None, end: str | None, split: str | None
) -> tuple[int, int, list[str]]:
    """The versions to compare, as versions_compared() finds them."""
    return _pair(str(answers.store().root), name, answers.stamp(name), start, end, split)


def one(
    name: str, entry: str, ends: tuple[int, int], split: str | None, ties: bool, tie: str | None
) -> Document:
    """The document of `changes --entry` for one entry, with all its rivals.

    Args:
        name: of the board.
        entry: its key.
        ends: numbers of the versions.
        split: None is the score.
        ties: follow tie ranks; tie: by another rule than the board's own.
    """
    root = str(answers.store().root)
    return _one(root, name, answers.stamp(name), entry, ends, split, ties, tie)


def everybody(
    name: str, ends: tuple[int, int], split: str | None, ties: bool, tie: str | None
) -> Document:
    """The document of `changes` for all entries, without rivals.

    Causes of tie ranks, and of more than MOST_STEPS commits, take long: then they are left out.
    """
    root = str(answers.store().root)
    return _everybody(root, name, answers.stamp(name), ends, split, ties, tie)


def steps(name: str, split: str | None, pairs: Sequence[tuple[int, int]]) -> list[Step]:
    """What happened between versions that follow one another."""
    return _steps(str(answers.store().root), name, answers.stamp(name), split, tuple(pairs))


def neighbours(
    name: str, split: str | None, ends: tuple[int, int]
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """The comparison of a step before some versions, and of the step after them."""
    return _neighbours(str(answers.store().root), name, answers.stamp(name), split, ends)


@st.cache_data(max_entries=64, show_spinner=False)
def _pair(
    root: str, name: str, stamp: Stamp, start: str | None, end: str | None, split: str | None
) -> tuple[int, int, list[str]]:
    return versions_compared(answers.history(name), start, end, split, ENDS)


@st.cache_data(max_entries=64, show_spinner="Comparing")
def _one(
    root: str,
    name: str,
    stamp: Stamp,
    entry: str,
    ends: tuple[int, int],
    split: str | None,
    ties: bool,
    tie: str | None,
) -> Document:
    board = answers.history(name)
    bandings = followed_ties(board, split, tie, KIND) if ties else None
    found = board.moves(split).between(*ends, [entry], bandings)
    both = None if bandings is None else (bandings[ends[0]], bandings[ends[1]])
    return change_record.changes(board, found, split, both)


@st.cache_data(max_entries=32, show_spinner="Comparing")
def _everybody(
    root: str,
    name: str,
    stamp: Stamp,
    ends: tuple[int, int],
    split: str | None,
    ties: bool,
    tie: str | None,
) -> Document:
    board = answers.history(name)
    compared = board.moves(split)
    bandings = followed_ties(board, split, tie, KIND) if ties else None
    long = sum(ends[0] <= version <= ends[1] for version in compared.readable) > MOST_STEPS
    told = compared.places if ties or long else compared.between
    found = told(*ends, bandings=bandings)
    both = None if bandings is None else (bandings[ends[0]], bandings[ends[1]])
    return change_record.changes(board, found, split, both, most=0)


@st.cache_data(max_entries=64, show_spinner=False)
def _steps(
    root: str, name: str, stamp: Stamp, split: str | None, pairs: tuple[tuple[int, int], ...]
) -> list[Step]:
    compared = answers.history(name).moves(split)
    return [compared.step(*ends) for ends in pairs]


@st.cache_data(max_entries=64, show_spinner=False)
def _neighbours(
    root: str, name: str, stamp: Stamp, split: str | None, ends: tuple[int, int]
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    compared = answers.history(name).moves(split)
    first, last = ends
    before = compared.last_other(first)
    later = (one for one in compared.readable if one > last)
    after = next((one for one in later if compared.differ(last, one)), None)
    return (
        None if before is None else (before, first),
        None if after is None else (last, after),
    )
