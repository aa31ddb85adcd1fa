"""Which two versions are compared, and by which kind of rank?

In: a BoardHistory and what a person said. Out: numbers of versions, and how each tells who is tied.
Start at versions_compared().
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.asking import day_note, refuse_unknown
from app.faults import Failure, UsageProblem

if TYPE_CHECKING:
    from history.moments import Moment
    from history.moves import Banding
    from history.pipeline import BoardHistory


def versions_compared(
    history: BoardHistory,
    start: str | None,
    end: str | None,
    split: str | None,
    names: tuple[str, str] = ("--from", "--to"),
) -> tuple[int, int, list[str]]:
    """The versions to compare; where an end is not said, the last two that differ.

    Args:
        history: the board.
        start, end: WHEN, or None.
        split: None is the score.
        names: what both ends are called where the person said them.

    Returns:
        The earlier, the later, and lines about days that saw several versions.

    Raises:
        UsageProblem: they are the wrong way round, or the same. Failure: there is nothing to compare.
    """
    compared = history.moves(split)
    asked: list[Moment | None] = [
        None if text is None else history.find(text) for text in (start, end)
    ]
    notes = []
    for name, moment in zip(names, asked, strict=True):
        if moment:
            notes += day_note(history, moment, name)
            refuse_unknown(history, moment, name)
    first, last = (None if moment is None else moment.version for moment in asked)
    if last is None:
        later = [one for one in compared.readable if first is None or one >= first]
        last = next(
            (
                one
                for one in reversed(later)
                if first is not None or compared.last_other(one) is not None
            ),
            None,
        )
    if last is None:
        raise Failure(f"{history.name}: no two versions that can be read differ.")
    if first is None:
        first = compared.last_other(last)
        if first is None:
            raise Failure(
                f"{history.name}: no version before {end} that can be read differs from it."
            )
    if first >= last:
        found = "the same version" if first == last else "the other way round"
        fix = f"Give an earlier {names[0]}, as a commit where a day saw several versions"
        raise UsageProblem(f"{names[0]} and {names[1]} are {found}. {fix}.")
    return first, last, notes


def followed_ties(
    history: BoardHistory,
    split: str | None,
    tie: str | None,
    names: tuple[str, str] = ("--tie", "--rank"),
) -> dict[int, Banding]:
    """How each version tells who is tied, to follow tie ranks.

    Args:
        history: the board.
        split: None is the score.
        tie: RULE:BAND; None is the board's own.
        names: what the rule and the kind of rank are called where the person said them.

    Raises:
        UsageProblem: by a rule under which causes cannot be told.
    """
    from history.moves.tie_causes import RULES
    from history.ties import parse_rule

    bandings = history.bandings(split, None if tie is None else parse_rule(tie))
    for rule in {one.rule.rule for one in bandings.values()} - set(RULES):
        known = ", ".join(RULES)
        raise UsageProblem(
            f'{history.name}: causes of tie ranks under "{rule}" cannot be told. Give {names[0]} '
            f"with one of {known}, or leave {names[1]} out."
        )
    return bandings
