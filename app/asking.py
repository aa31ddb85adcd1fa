"""What did the person who typed this mean?

From the words of a command to boards, moments and lengths of time; what cannot be meant
is refused with one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.faults import Failure, UsageProblem

if TYPE_CHECKING:
    import pandas as pd

    from crawler.store import Store
    from history.moments import Moment
    from history.pipeline import BoardHistory
    from history.standing import Standings

    Opener = Callable[[str], BoardHistory]  # by name


def store_of(folder: Path) -> Store:
    """The store in a folder."""
    from crawler.store import Store

    return Store(folder)


def nothing_tracked(folder: Path) -> str:
    """What to do with an empty store."""
    demo = folder.parent / ".demo"
    if demo.is_dir():
        there = f"The sample is in {demo}: `ranktrail --store {demo} boards`."
        return f"No boards in {folder} yet. Run `ranktrail add SOURCE`. {there}"
    return (
        f"No boards in {folder} yet. Run `ranktrail add SOURCE`, or write a definition to "
        f"{folder}/NAME/board.toml and run `ranktrail crawl`; `ranktrail demo` shows the sample."
    )


def open_board(store: Store, name: str) -> BoardHistory:
    """The history of a board that was crawled at least once.

    Raises:
        UnknownBoard: it is not tracked. Failure: nothing was saved of it yet.
    """
    from history import pipeline

    return not_empty(pipeline.open_board(store, name))


def not_empty(history: BoardHistory) -> BoardHistory:
    """The same history, of which something is saved.

    Raises:
        Failure: nothing was saved of it yet.
    """
    if history.readings.empty:
        looked = "never crawled" if history.as_of is None else "its files were never there"
        raise Failure(
            f"{history.name}: no version is saved ({looked}). Run `ranktrail crawl {history.name}`."
        )
    return history


def opener(store: Store) -> Opener:
    """Opens boards as open_board() does, each once however often it is asked for."""
    return cache(partial(open_board, store))


def refuse_unknown(history: BoardHistory, moment: Moment, option: str = "--at") -> None:
    """Object to a moment whose version cannot be read.

    Raises:
        Failure: with the reason, and the nearest versions that can be read.
    """
    if moment.state != "unknown" or moment.version is None:
        return
    from history.moments import readable_around
    from history.records.records import column

    readings = history.readings
    commits = dict(zip(readings["version"].tolist(), readings["commit"], strict=True))
    row = readings[readings["version"] == moment.version]
    why = next(
        (said for name in ("found", "reason", "state") if (said := column(row, name)[0])), ""
    )
    before, after = readable_around(readings, moment.version)
    near = (
        [] if before is None else [f"the last that can be read before it is {commits[before][:8]}"]
    )
    near += [] if after is None else [f"the next that can be read is {commits[after][:8]}"]
    fix = f"{', '.join(near)}; give one with {option}" if near else "no version of it can be read"
    raise Failure(
        f"{history.name} @ {commits[moment.version][:8]}: this version cannot be read: {why}. "
        f"{fix[0].upper()}{fix[1:]}."
    )


def day_note(history: BoardHistory, moment: Moment, option: str = "--at") -> list[str]:
    """A line for stderr when the day that was asked for saw several versions."""
    if not moment.also:
        return []
    from history.records.records import commits_of

    others = ", ".join(commit[:8] for commit in commits_of(history, moment.also))
    return [
        f"{history.name}: this day saw {len(moment.also) + 1} versions; shown is the last, "
        f"{(moment.commit or '')[:8]}; the others are {others}. Name one with {option}."
    ]


def past_note(history: BoardHistory) -> list[str]:
    """A line for stderr when the beginning of a history, or what was between, is not known."""
    from app.jobs import not_all_known

    seen = history.store.seen(history.board)
    why = not_all_known(seen) if seen else ""
    return [f"{history.name}: {why}."] if why else []


def direction_note(history: BoardHistory, stood: Standings) -> list[str]:
    """A line for stderr when the ranks in the file run exactly against the computed ones."""
    from history.audit.smells import published

    if stood.split is not None or not published.compare(stood.frame)["reversed"].any():
        return []
    fix = "Look at direction in the board's definition"
    return [
        f"{history.name} @ {(stood.moment.commit or '')[:8]}: {published.REVERSED_TEXT}. {fix}."
    ]


def refuse_unknown_kinds(kinds: Iterable[str]) -> None:
    """Object to a kind of finding that there is not.

    Raises:
        UsageProblem: with the nearest kinds.
    """
    from crawler.board import nearest
    from history.audit.smells.kinds import KINDS

    for kind in kinds:
        if kind not in KINDS:
            near = nearest(kind, KINDS)
            hint = f"Nearest: {', '.join(near)}" if near else f"Kinds are {', '.join(KINDS)}"
            raise UsageProblem(f"--ignore {kind!r}: no such kind of finding. {hint}.")


def edge(history: BoardHistory, text: str, first: bool) -> pd.Timestamp:
    """One end of a stretch of time: of a date its first or last instant.

    Raises:
        MomentError: it is no date, timestamp or commit.
    """
    from history import moments

    if moments.COMMIT.fullmatch(text) or text == "latest":
        return history.find(text).at
    at = moments.instant(text)
    return at.floor("D") if first and moments.is_day(text) else at


def age_of(text: str, option: str = "--fail-stale") -> timedelta:
    """A length of time as people write it.

    Args:
        text: as typed.
        option: what it was typed for.

    >>> age_of("36h")
    datetime.timedelta(days=1, seconds=43200)
    """
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\s*([smhdw])", text.strip().lower())
    if match is None:
        raise UsageProblem(
            f"{option} {text!r}: not a length of time. Write a number and s, m, h, d or w, as in 36h."
        )
    unit = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}[match[2]]
    return timedelta(**{unit: float(match[1])})
