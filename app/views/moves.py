"""Why did an entry's rank change, and what happened on the board at all?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from app.changes_report import remarks, signed, words_of
from app.charts.waterfall import PICK, TELLS, bars_of, cause_waterfall
from app.faults import exit_code_of
from app.move_words import sentence, worths
from app.views import address, answers, figure, grid, header, moves_feed, moves_of
from app.views.texts import error_text, escaped, say
from history.moves.causes import ALL, CAUSES
from history.names import AmbiguousEntry, UnknownEntry
from history.pipeline import BoardHistory

Document = dict[str, Any]
READ_WATERFALL = (
    "**How to read it.** From the rank before, at the top, each bar goes on where the one above it "
    "ended, down to the rank after. Blue, to the left: places gained. Orange, to the right: places "
    "lost. The numbers add up to the change; in words they are exact fractions. A cause has a "
    "fraction of a place where it needs another one to take effect: each order in which the causes "
    "could have come counts the same. A click on a bar leaves only the rivals behind it in the "
    "table below."
)
READ_RIVALS = (
    "*+1*: it stands above now and did not before. *-1*: the other way round. Tick the box of a "
    "row to look at that entry."
)
READ_ALL = (
    "*Places*: positive is worse. *Because of*: what was worth most to the entry; only one of its "
    "causes. Tick the box of a row to see all of them."
)
FULL = 12  # rows of a table that is shown whole
STATUS = {
    "moved": "moved",
    "same": "same rank",
    "joined": "joined",
    "left": "left",
    "unranked": "not ranked at both moments",
}


def page() -> None:
    """The causes of one entry's move, who passed it, all moves, and the feed of all events."""
    board = header.opened("why ranks changed")
    left, right = st.columns(2)
    with left:
        chosen = _entry(board)
    with right:
        ties, tie = _kind()
    split = header.split(board)
    texts = answers.version_texts(board.name)
    ends, notes = _ends(board, split)
    _choose(board, split, texts, ends)
    if ends is not None:
        for note in notes:
            st.caption(escaped(note))
        _compared(board, chosen, split, ends, ties, tie)
    moves_feed.feed(board, split)


def _kind() -> tuple[bool, str | None]:
    """Whether tie ranks are followed, and by which other rule than the board's own."""
    by = address.pick(
        "Rank",
        "by",
        ("score", "tie"),
        {"score": "by score", "tie": "tie rank"}.__getitem__,
        help="A tie rank is the rank that all of one tie group share.",
    )
    if by == "score":
        return False, None
    return True, header.tie_rule()


def _ends(board: BoardHistory, split: str | None) -> tuple[tuple[int, int] | None, list[str]]:
    """The versions that are compared; None where there are none, which is said."""
    try:
        start, end = address.said("from"), address.said("at")
        first, last, notes = moves_of.pair(board.name, start, end, split)
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        asked = start is not None or end is not None
        (st.error if asked else st.info)(error_text(error))  # nothing to compare is no fault
        return None, []
    return (first, last), notes


def _choose(
    board: BoardHistory,
    split: str | None,
    texts: Mapping[str, str],
    ends: tuple[int, int] | None,
) -> None:
    """Let the reader choose both moments, and go a step back or on."""
    commits = [None, None] if ends is None else [str(board.reading(v)["commit"]) for v in ends]
    columns = st.columns(2)
    for column, name, label, commit in zip(
        columns, ("from", "at"), ("Earlier moment", "Later moment"), commits, strict=True
    ):
        with column:
            address.choose(
                label,
                name,
                list(texts),
                texts.__getitem__,
                empty="Choose a version",
                current=commit,
                help="Type a part of a date or of a commit to find a version.",
            )
    if ends is None:
        return
    before, after = moves_of.neighbours(board.name, split, ends)
    with st.container(horizontal=True, gap="small"):
        for label, other in (("One step back", before), ("One step on", after)):
            st.button(
                label,
                key=label,
                disabled=other is None,
                on_click=partial(_write, board, other),
            )


def _write(board: BoardHistory, ends: tuple[int, int] | None) -> None:
    if ends is not None:
        first, last = (str(board.reading(version)["commit"]) for version in ends)
        address.write(from_=first, at=last)


def _compared(
    board: BoardHistory,
    chosen: str | None,
    split: str | None,
    ends: tuple[int, int],
    ties: bool,
    tie: str | None,
) -> None:
    """Two versions: one entry in full, and all of them."""
    found = answers.attempt(lambda: moves_of.everybody(board.name, ends, split, ties, tie))
    counts = pd.Series([move["status"] for move in found["moves"]]).value_counts()
    listed = [f"{counts[name]} {STATUS[name]}" for name in STATUS if counts.get(name)]
    through = f"{found['steps']} commits one by one; " if found["steps"] > 1 else ""
    say(f"Between the two moments: {through}{', '.join(listed) or 'nobody was listed'}.")
    entry = chosen
    if entry is None and found["moves"]:
        entry = str(min(found["moves"], key=_interest)["entry"])
        st.caption("Nobody is chosen: shown is who lost first place, or else moved most.")
    if entry is not None:
        told = answers.attempt(lambda: moves_of.one(board.name, entry, ends, split, ties, tie))
        if told["moves"]:
            _one(board, told, ends)
        else:
            st.info(escaped(f"{board.shown(entry)} was listed at neither moment."))
    for version in ends:
        header.source(board, version, more="; the causes are *reasoned* from them")
    _all(found, entry)


def _entry(board: BoardHistory) -> str | None:
    """The entry that the address names, with the means to choose one."""
    wanted, found = address.said_all("entry"), None
    try:
        found = board.resolve_entry(wanted[0]) if wanted else None
    except (UnknownEntry, AmbiguousEntry) as error:
        st.error(escaped(str(error)))
    names = dict(board.names.table.itertuples(index=False, name=None))
    address.choose(
        "Entry",
        "entry",
        board.entries(),
        lambda entry: entry if names[entry] == entry else f"{names[entry]} ({entry})",
        empty="Type a name",
        current=found,
    )
    if len(wanted) > 1 and found is not None:
        st.caption(f"The address names {len(wanted)} entries; this page is about the first.")
    return found


def _interest(move: Document) -> tuple[bool, int, float]:
    """Whose move is shown if nobody is chosen: smaller is sooner."""
    old, new = move["rank_before"], move["rank_after"]
    both = old is not None and new is not None
    lost = both and old == 1 and new > 1
    place = new or old or math.inf  # who was ranked at neither moment comes last
    return not lost, -abs(new - old) if both else 0, place


def _one(board: BoardHistory, found: Document, ends: tuple[int, int]) -> None:
    """One entry: what happened to it, its causes, and who was behind them."""
    move, words = found["moves"][0], words_of(found)
    kind = "tie rank" if found["rank"] == "tie" else "rank"
    st.subheader(escaped(str(move["name"])), anchor=False)
    say(sentence(move, words, kind))
    for line in remarks(found):
        st.caption(escaped(line))
    with st.container(horizontal=True):
        for label, side in (("before", "before"), ("after", "after")):
            rank = move[f"rank_{side}"]
            of = found["from" if side == "before" else "to"]["n_ranked"]
            st.metric(
                f"{kind.capitalize()} {label}",
                "none" if rank is None else f"{rank} of {of}",
                width="content",
            )
        for label, side in (("before", "before"), ("after", "after")):
            text = move[f"score_{side}_text"]
            st.metric(f"Score {label}", escaped(text or "none"), width="content")
    if move["causes"] is None:
        return
    worth = worths(move)
    shares = {words[cause]: worth[cause] for cause in ("edition", *CAUSES) if cause in worth}
    behind = [cause for cause in ALL if any(cause in one["causes"] for one in move["rivals"])]
    figure.show(
        partial(
            cause_waterfall,
            shares,
            move["rank_before"],
            move["rank_after"],
            title=f"{board.title}, {move['name']}",
            told={words[cause]: cause for cause in behind},
            picked=address.said("cause"),
        ),
        READ_WATERFALL,
        cause_table(move, words, shares),
        name="causes",
        of=f"{board.name}-{move['entry']}",
        pick=(PICK, _leave) if behind else None,
    )
    if equated := (found["equated"] or {}).get("causes", {}).get(move["entry"]):
        told = ", ".join(
            f"{words[cause]} {signed(Fraction(share))}"
            for cause, share in equated.items()
            if Fraction(share)
        )
        shift = float(Fraction(found["equated"]["shift"]))
        st.caption(
            escaped(
                f"Fitted: with the median change of the scores ({shift:+.4g}) taken off, the "
                f"causes would be: {told or 'none'}."
            )
        )
    _rivals(board, found, ends, words, behind)


def _leave(picked: Sequence[Mapping[str, Any]]) -> None:
    """Put the cause whose bar was clicked into the address; a click beside the bars takes it out.

    A bar behind which no rival stands tells nothing.
    """
    told = [str(one[TELLS]) for one in picked if one.get(TELLS)]
    address.write(cause=told[0] if told else None)


def cause_table(
    move: Document, words: Mapping[str, str], shares: Mapping[str, Fraction]
) -> pd.DataFrame:
    """Every cause: exactly, and as drawn; those that cannot be told apart say so."""
    drawn = bars_of(shares, move["rank_before"]).set_index("cause")["drawn"]
    rows = [
        (words[cause], share, drawn.get(words[cause], "0") if share is not None else None)
        for cause, share in (*move["causes"].items(), ("edition", move["edition"]))
        if cause != "edition" or share is not None
    ]
    exact = ["not told apart" if share is None else signed(Fraction(share)) for _, share, _ in rows]
    total = move["rank_after"] - move["rank_before"]
    return pd.DataFrame(
        {
            "Cause": [cause for cause, _, _ in rows] + ["all together"],
            "Places, exactly": [*exact, signed(Fraction(total))],
            "As drawn": [*(number for *_, number in rows), signed(Fraction(total))],
        }
    )


def _rivals(
    board: BoardHistory,
    found: Document,
    ends: tuple[int, int],
    words: Mapping[str, str],
    behind: Sequence[str],
) -> None:
    """Who passed the entry, and why: all of them, or those that one cause is made of."""
    move = found["moves"][0]
    st.subheader("Who passed it, and whom it passed", anchor=False)
    if not move["rivals"]:
        if found["rank"] == "tie":
            say("A tie rank hangs on whole groups: its causes are not told by rival.")
        else:
            say("Nobody.")
        return
    rivals = move["rivals"]
    asked = address.said("cause")
    if len(behind) > 1 or asked:
        also = [asked] if asked in ALL and asked not in behind else []
        cause = address.pick(
            "Because of",
            "cause",
            ("all", *behind, *also),
            {"all": "anything", **words}.__getitem__,
        )
        if cause != "all":
            rivals = [one for one in rivals if cause in one["causes"]]
    if not rivals:
        say("Nobody, because of that.")
        return
    table = rivals_table(board, rivals, ends, words)
    keys = [one["entry"] for one in rivals]
    _openable(table, keys, f"rivals {move['entry']}")
    st.caption(READ_RIVALS)


def rivals_table(
    board: BoardHistory,
    rivals: Sequence[Document],
    ends: tuple[int, int],
    words: Mapping[str, str],
) -> pd.DataFrame:
    """Each rival, what it was worth in places, and why."""
    rows = []
    for rival in rivals:
        causes = {cause: Fraction(share) for cause, share in rival["causes"].items()}
        net = sum(causes.values(), Fraction(0))
        why = ", ".join(f"{words[cause]} {signed(share)}" for cause, share in causes.items())
        passed = "passed it" if net > 0 else "it passed" if net < 0 else "in the end neither"
        rows.append((board.shown(rival["entry"], ends[1]), passed, signed(net), why))
    return pd.DataFrame(rows, columns=["Rival", "What", "Places", "Because of"])


def _all(found: Document, chosen: str | None) -> None:
    """Every entry between the two moments, in a table in which a row opens its entry."""
    st.subheader("All entries", anchor=False)
    if not found["moves"]:
        say("Nobody was listed at either moment.")
        return
    table = moves_table(found)
    if "Because of" in table:
        read_it = READ_ALL
    else:
        read_it = "*Places*: positive is worse. Tick the box of a row to see its causes."
    _openable(table, [move["entry"] for move in found["moves"]], f"moves {chosen}")
    st.caption(read_it)


def moves_table(found: Document) -> pd.DataFrame:
    """All moves of a document of `changes`, for people."""
    moves, words = found["moves"], words_of(found)
    names = [str(move["name"]) for move in moves]
    table = pd.DataFrame({"Entry": names})
    table["What"] = [STATUS[move["status"]] for move in moves]
    for title, field in (("Before", "rank_before"), ("After", "rank_after")):
        table[title] = pd.array([move[field] for move in moves], dtype="Int64")
    table["Places"] = table["After"] - table["Before"]
    table["Score before"] = [move["score_before_text"] for move in moves]
    table["Score after"] = [move["score_after_text"] for move in moves]
    if any(move["causes"] is not None for move in moves):
        table["Because of"] = [_most(move, words) for move in moves]
    if any(name != move["entry"] for name, move in zip(names, moves, strict=True)):
        table["Key"] = [move["entry"] for move in moves]
    return table


def _most(move: Document, words: Mapping[str, str]) -> str:
    worth = worths(move)
    if not worth:
        return ""
    cause = max(worth, key=lambda name: abs(worth[name]))
    return f"{words[cause]} {signed(worth[cause])}"


def _openable(table: pd.DataFrame, keys: Sequence[str], key: str) -> None:
    """A table in which the box of a row opens its entry."""

    def opened() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            address.write(entry=keys[rows[0]])

    grid.show(
        table,
        height="content" if len(table) <= FULL else 460,
        on_select=opened,
        selection_mode="single-row",
        key=key,
    )
