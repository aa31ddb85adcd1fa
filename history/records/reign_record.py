"""What does first place through time look like as JSON?

In: a BoardHistory and its reigns. Out: the document of `reigns`. Start at reigns().
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from history.clock import faults
from history.records.records import Record, about, commits_of, notes, ties
from history.reigns import careers
from history.times import time_text

if TYPE_CHECKING:
    from history.pipeline import BoardHistory
    from history.reigns import By, Career, Reign, Stretch
    from history.ties import TieRule


def reigns(
    board: BoardHistory,
    reigned: Iterable[Reign],
    split: str | None = None,
    tie: TieRule | None = None,
    by: By = "score",
    entries: Collection[str] | None = None,
) -> Record:
    """The document of `reigns`.

    Args:
        board: the board.
        reigned: what board.reigns() said of the same split, tie rule and `by`.
        split: None is the score.
        tie: another tie rule than the board's own.
        by: what counts as first.
        entries: whose careers to tell; None: of all that were ever listed.
    """
    listed = list(reigned)
    following = [*listed[1:], None]
    shown = {entry for one in listed for entry in one.entries}
    shown |= {lost.entry for one in listed for lost in one.lost_to}
    ranks = board.rank_history(split, tie)
    found = careers(ranks, board.readings, board.as_of, by, entries)
    return {
        "board": board.name,
        "split": split,
        "by": by,
        "ties": _ties(board, split, tie),
        "reigns": [reign(board, *pair) for pair in zip(listed, following, strict=False)],
        "time": times(listed),
        "entries": [career(board, one) for one in found],
        "clock": [
            {
                "commit": commits_of(board, [one.version])[0],
                "kind": one.kind,
                "committed_at": time_text(one.committed_at),
                "at": time_text(one.at),
            }
            for one in faults(board.readings)
        ],
        "notes": notes(board, shown, board.entries() if board.notes else ()),
        **about(board),
    }


def reign(board: BoardHistory, one: Reign, following: Reign | None = None) -> Record:
    """One stretch of first place.

    `names` says what people read for its entries, `stays` which of them are first in the
    following one, too. The length is between `seconds_certain` and `seconds_high`.
    """
    names = {entry: board.shown(entry, one.from_version) for entry in one.entries}
    for lost in one.lost_to:
        names[lost.entry] = board.shown(lost.entry, one.until_version)
    stays = [] if following is None else sorted(set(one.entries) & set(following.entries))
    return {
        "entries": list(one.entries),
        "names": names,
        "stays": stays,
        "sole": one.sole,
        "score": one.score,
        "score_text": one.score_text,
        **_stretch(one),
        "absent": one.absent,
        "lost_to": [{"entry": lost.entry, "why": lost.why} for lost in one.lost_to],
        "definition_changed": one.definition_changed,
    }


def times(reigned: Sequence[Reign]) -> Record:
    """How long first place was held by one entry, by several, by nobody: adds up to the span."""
    lengths = {
        "sole": sum(one.seconds for one in reigned if one.sole),
        "shared": sum(one.seconds for one in reigned if len(one.entries) > 1),
        "nobody": sum(one.seconds for one in reigned if not one.entries),
    }
    return {
        **{f"seconds_{name}": seconds for name, seconds in lengths.items()},
        "seconds": sum(lengths.values()),
        "seconds_certain": sum(one.seconds_certain for one in reigned),
    }


def career(board: BoardHistory, one: Career) -> Record:
    """What one entry had of first place, and how high it stood at best.

    A shared first place counts in full as first, and not as `sole`.
    """
    first, sole = one.first[:1], one.sole[:1]
    longest_sole = max(one.sole, key=lambda stretch: stretch.seconds, default=None)
    return {
        "entry": one.entry,
        "name": board.shown(one.entry),
        "first_ever": time_text(first[0].start) if first else None,
        "first_ever_sole": time_text(sole[0].start) if sole else None,
        "peak": one.peak,
        "peak_intervals": [_stretch(stretch) for stretch in one.at_peak],
        "times_first": len(one.first),
        "longest": None if one.longest is None else _stretch(one.longest),
        "longest_sole": None if longest_sole is None else _stretch(longest_sole),
        "current": None if one.current is None else _stretch(one.current),
        "seconds": one.seconds,
        "seconds_certain": one.seconds_certain,
        "seconds_sole": one.seconds_sole,
        "seconds_shared": one.seconds - one.seconds_sole,
    }


def _stretch(one: Stretch) -> Record:
    return {
        "from": time_text(one.start),
        "from_earliest": time_text(one.from_earliest),
        "until": time_text(one.until),
        "until_earliest": time_text(one.until_earliest),
        "seconds": one.seconds,
        "seconds_certain": one.seconds_certain,
        "seconds_high": one.seconds_high,
        "open": one.open,
        "censored_start": one.censored_start,
        "from_commit": one.from_commit,
        "until_commit": one.until_commit,
    }


def _ties(board: BoardHistory, split: str | None, tie: TieRule | None) -> Record:
    """The tie rule, and every band that it had; its `source`: the board's own, or the caller's."""
    newest = int(board.readings["version"].iloc[-1])
    rule = tie or board.view(newest, split).rule
    bands = list(dict.fromkeys(board.bands(rule).values()))
    measures = board.meaning_at(newest).table.measures
    return {
        **ties(rule, bands[0] if len(bands) == 1 else None, tuple(measures)),
        "bands": bands,
        "source": "board" if tie is None else "caller",
    }
