"""Are two names of one board counted as two?

In: a claim and the boards that it names. Out: the verdict SAME_BOARD, or nothing. Start at
same_board().
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from history.claims.answer import WOULD_DECIDE, Ref
from history.claims.desk import Desk
from history.claims.finding import Finding
from history.claims.language.claim import Claim
from history.frames import SCORE
from history.readings.stages import Stages
from history.splits import view

if TYPE_CHECKING:
    from history.pipeline import BoardHistory


def same_board(desk: Desk, claim: Claim) -> Finding | None:
    """Two names of one board, where a claim counts them as two.

    Boards of one file are two where they rank other rows, another column or the other way.
    """
    seen: dict[tuple[object, ...], list[BoardHistory]] = {}
    for leaf in claim.leaves:
        for history in map(desk.history, desk.boards(leaf)):
            alike = seen.setdefault(_ranked(history, leaf.split), [])
            same = (one for one in alike if _one_repository(one, history))
            other = next(same, history)
            alike.append(history)
            if other.name == history.name:
                continue
            boards = (other.name, history.name)
            refs = tuple(Ref(own, desk.track(own).last, None) for own in boards)
            path = history.board.source.paths[0]
            body = f"{boards[0]} and {boards[1]} are two names of one board: {path}."
            code = "SAME_BOARD"
            would = WOULD_DECIDE[code]
            return Finding("not_decidable", body, code, refs=refs, would_decide=would)
    return None


def _ranked(history: BoardHistory, split: str | None) -> tuple[object, ...]:
    """What a board ranks: the same of two names in one repository means one board."""
    starts = tuple((one.start, str(one.when)) for one in history.meaning.since)
    stages = []
    for meaning in Stages(history.meaning).all():
        table, seen = meaning.table, view(meaning, split)
        columns = [table.score if f == SCORE else table.parts[f].column for f in seen.fields]
        made_by = "" if seen.printed else repr(meaning.splits.get(split or ""))
        rows = (table.rows, str(table.where), str(table.eligible))
        stages.append((rows, *map(str, columns), made_by, seen.direction))
    return tuple(history.board.source.paths), starts, tuple(stages)


def _one_repository(one: BoardHistory, other: BoardHistory) -> bool:
    """Whether two boards come from one repository, which may have several names.

    Commits with one id are one commit wherever they stand: of one that was renamed, or of a
    mirror, the last version of the one is a version of the other.
    """
    if _place(one) == _place(other):
        return True
    commits = [history.readings["commit"] for history in (one, other)]
    return any(
        len(mine) and bool((theirs == mine.iloc[-1]).any())
        for mine, theirs in (commits, reversed(commits))
    )


def _place(history: BoardHistory) -> Path:
    board = history.board
    if board.is_local:  # a path can be written in many ways
        return Path(board.address).resolve()
    return history.store.source_folder(board)
