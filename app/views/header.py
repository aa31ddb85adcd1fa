"""What does every page say before it answers?

Which board, whether its history is a reconstruction, how old the last look is, and
which versions cannot be read. Start at opened().
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from app.charts.style import utc
from app.views import address, answers, commits, setting
from app.views.boards import tracked
from app.views.texts import (
    escaped,
    local_text,
    look_text,
    overdue_text,
    plain,
    say,
    unreadable_text,
    version_text,
)
from app.wording import note_lines
from history.frames import READABLE
from history.moments import Moment
from history.pipeline import BoardHistory
from history.records import records

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

UNREADABLE_SHOWN = 3
VERSIONS_LISTED = 500  # more are much to send with every page, and to look through


def opened(question: str) -> BoardHistory:
    """The board that the address names; the first one if it names none.

    Args:
        question: what the page answers, our own words; shown beside the board's title.
    """
    return opened_beside(question)[0]


def opened_beside(question: str) -> tuple[BoardHistory, DeltaGenerator]:
    """The same, and the room beside the chooser of boards for what a page lets choose first."""
    names = tracked()
    wanted = address.said("board") or names[0]
    found = answers.attempt_quietly(lambda: answers.store().find(wanted))
    title = st.empty()
    left, beside = st.columns(2)
    with left:
        address.choose(
            "Board",
            "board",
            names,
            empty="Choose a board",
            current=None if found is None else found.name,
            forget=("entry", "at", "split", "from", "tie", "feed"),
        )
    board: BoardHistory = answers.attempt(
        lambda: answers.history(answers.store().find(wanted).name)
    )
    title.header(f"{escaped(board.title)}: {question}", anchor=False)
    about([board])
    if board.readings.empty:
        st.info(
            f"Nothing of this board is stored yet. Run `ranktrail crawl {escaped(board.name)}`."
        )
        st.stop()
    return board, beside


def about(boards: Sequence[BoardHistory]) -> None:
    """Banners, last look, last change, failed attempts and unreadable versions of some boards."""
    whose = {board.name: f"{escaped(board.name)}: " if len(boards) > 1 else "" for board in boards}
    banners = [
        f"**Reconstruction:** {whose[board.name]}{escaped(board.reconstruction)}."
        for board in boards
        if board.reconstruction
    ]
    if banners:
        st.warning("  \n".join(banners), icon=":material/history_edu:")
    for board in boards:
        readings = answers.attempt(partial(getattr, board, "readings"))
        changed = None if readings.empty else readings["at"].iloc[-1]
        now = answers.now()
        late = overdue_text(board.as_of, now, setting.every())
        said = st.warning if late else st.caption
        said(whose[board.name] + look_text(board.as_of, changed, len(readings), now))
        failed(board)
        unreadable(board)


def failed(board: BoardHistory) -> None:
    """What went wrong if the last attempt to look was none: the board may have moved since."""
    attempts = board.store.attempts(board.name)
    if attempts and attempts[-1].get("error"):
        when = utc(pd.Timestamp(attempts[-1]["started"]))
        found = setting.told(str(attempts[-1]["error"]))
        st.warning(f"The last attempt, {when}, failed: {escaped(found)}")


def unreadable(board: BoardHistory) -> None:
    """How many versions cannot be read, and where: nothing is known of these times.

    The list is folded unless the time that is shown is one of them.
    """
    readings = board.readings
    bad = readings[~readings["reading"].isin(READABLE)]
    if bad.empty:
        return
    lines = [
        f"{utc(row['at'])}, commit {row['commit'][:8]}: {escaped(str(row['found']))}"
        for row in bad.to_dict("records")
    ]
    shown = answers.attempt_quietly(lambda: board.find(address.said("at") or "latest"))
    if shown is None or shown.state != "unknown":
        with st.expander(unreadable_text(readings)):
            st.markdown("  \n".join(lines))
        return
    st.warning("  \n".join([unreadable_text(readings), *lines[:UNREADABLE_SHOWN]]))
    if len(lines) > UNREADABLE_SHOWN:
        with st.expander(f"{len(lines) - UNREADABLE_SHOWN} more"):
            st.markdown("  \n".join(lines[UNREADABLE_SHOWN:]))


def moment(board: BoardHistory) -> Moment:
    """The moment that `at=` names, with the means to choose another.

    The select box lists the versions, the line beside it takes a date, time or commit, the slider
    goes through the versions.
    """
    readings = board.readings
    wanted = address.said("at")
    found = None if wanted is None else answers.attempt_quietly(lambda: board.find(wanted))
    texts = answers.version_texts(board.name)
    times = _times(str(answers.store().root), board.name, answers.stamp(board.name))
    commit = None if found is None else found.commit
    left, middle, right = st.columns([4, 3, 5])
    with left:
        version(board, commit, f"Latest: {next(iter(texts.values()))}")
    with middle:
        typed_moment("latest")
    chosen: Moment = answers.attempt(lambda: board.find(wanted or "latest"))
    with right:
        _through_time(readings, times, chosen)
    others = [texts[readings["commit"].iloc[place]] for place in _places(readings, chosen.also)]
    if others:
        st.caption(f"That day saw other versions, too: {escaped('; '.join(others))}.")
    return chosen


def version(board: BoardHistory, commit: str | None, empty: str) -> None:
    """A select box of the versions for `at=`: of a long history those next to the chosen one.

    Args:
        board: whose versions.
        commit: of the chosen one; None: none is.
        empty: what it says then, our own words.
    """
    texts = answers.version_texts(board.name)
    listed = near(list(texts), commit, VERSIONS_LISTED)
    some = f"The {len(listed):,} next to it of {len(texts):,}; name any other beside this list."
    address.choose(
        "Version",
        "at",
        listed,
        texts.__getitem__,
        empty=empty,
        current=commit,
        help=some if len(listed) < len(texts) else None,
    )


def typed_moment(empty: str) -> None:
    """A line for `at=` as people write a moment; `empty` is what nothing means."""
    address.type_in("Date, time or commit", "at", empty, "2026-10-21 is the end of that day, UTC.")


@st.cache_data(max_entries=16, show_spinner=False)
def _times(root: str, name: str, stamp: answers.Stamp) -> dict[str, str]:
    """The time of each version by its commit, oldest first; those of one minute differ by commit."""
    readings = answers.history(name).readings
    minutes = {str(c): utc(at) for c, at in zip(readings["commit"], readings["at"], strict=True)}
    shared = Counter(minutes.values())
    return {c: t if shared[t] == 1 else f"{t}, {c[:8]}" for c, t in minutes.items()}


def _through_time(readings: pd.DataFrame, times: dict[str, str], chosen: Moment) -> None:
    """A slider over the versions, and the ones before and after the one that is shown.

    Only the texts of the versions go to the browser: some 50 KB for 2,000 of them.
    """
    if len(readings) < 2 or chosen.version is None:
        return
    found = readings["commit"].tolist()
    place = _places(readings, [chosen.version])[0]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for words, near, to in (("Earlier", "before", place - 1), ("Later", "after", place + 1)):
            there = 0 <= to < len(found)
            st.button(
                words,
                key=f"{words} version",
                help=f"The version {near} this one",
                disabled=not there,
                on_click=address.write,
                kwargs={"at": found[to]} if there else None,
            )
        address.slide("Slide through the versions", "at", found, times.__getitem__, found[place])


def near(options: Sequence[str], chosen: str | None, most: int) -> Sequence[str]:
    """As many options as there may be: those around a chosen one, else the first.

    >>> near("abcdefgh", "e", 3), near("abcdefgh", "h", 3), near("abcdefgh", None, 3)
    ('def', 'fgh', 'abc')
    """
    place = options.index(chosen) if chosen is not None and chosen in options else 0
    first = max(0, min(place - most // 2, len(options) - most))
    return options[first : first + most]


def source(board: BoardHistory, version: int, label: str | None = None, more: str = "") -> None:
    """What the numbers of one version are worth, and where they stand: file and commit.

    Args:
        board: the board.
        version: a version that was read.
        label: measured, reported or reasoned; None: what the board's own numbers are.
        more: our own words after the label.
    """
    row = board.reading(version)
    file = commits.linked(board, row["commit"], str(row["path"]))
    st.caption(
        f"Numbers *{label or board.label}*{more}: {file} at commit "
        f"{commits.linked(board, row['commit'])}, {utc(row['at'])}.",
        help=local_text(row["at"], st.context.timezone),
    )


def notes(found: Sequence[records.Record], timed: bool = True) -> None:
    """What the definition says beside the file, a line for each note.

    Args:
        found: as records.notes() gives them.
        timed: with the time for which each holds.
    """
    for line in note_lines({"notes": found}, timed):
        st.caption(escaped(line))


def split(board: BoardHistory) -> str | None:
    """The split that `split=` names, with the means to choose another; None is the score."""
    names = board.split_names
    wanted = address.said("split")
    if names or wanted:
        address.choose("Split", "split", names, empty="The board's own score")
    if wanted is not None and wanted not in names:
        there = f"It has: {', '.join(names)}" if names else "It has none"
        st.error(escaped(f'{board.name}: no split "{wanted}". {there}.'))
        st.stop()
    return wanted


def tie_rule(more: str = "") -> str | None:
    """The tie rule that `tie=` names instead of the board's own, with the means to write one.

    Args:
        more: our own words after the help.
    """
    address.type_in(
        "Tie rule",
        "tie",
        "the board's own",
        f"Such as anchored:0.9, chain:0.5, pairwise:0.5 or none.{more}",
    )
    return address.said("tie")


def held(board: BoardHistory, chosen: Moment) -> bool:
    """Say which version answers, and whether it does: else why there is nothing to show."""
    say(state_text(chosen, board.readings))
    if chosen.state == "unknown" and chosen.version is not None:
        found = str(board.reading(chosen.version)["found"])
        st.error(f"Nothing is known of this moment: {escaped(found)}.")
        return False
    if chosen.state == "absent" or chosen.version is None:
        st.info("The board's file was not there at this moment.")
        return False
    return True


def state_text(chosen: Moment, readings: pd.DataFrame) -> str:
    """Which version answers, as a line of text."""
    if chosen.version is None:
        return f"No version held at {utc(chosen.at)}."
    row = readings.loc[readings["version"] == chosen.version].iloc[0]
    known = version_text(row["at"], row["edition"], row["reading"], row["commit"])
    return plain(f"Version of {known}")


def _places(readings: pd.DataFrame, versions: Sequence[int]) -> list[int]:
    return [int(place) for place in readings["version"].searchsorted(list(versions))]
