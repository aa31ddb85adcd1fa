"""Which file of a source, and which table in it, is the leaderboard?

In: the files that could be read. Out: a Proposal. Start at propose(). What looks most like a
leaderboard is taken and the reason said; only where several look alike is there a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.paths import escaped
from history.propose.facts import facts_of
from history.propose.roles import Given, Guess, Question, Roles, Unclear, roles_of
from history.readers import TREES, Document, Table

_TABLES = 60  # looked at in one file
_SHOWN = 6
_NAMED = re.compile(r"leader ?board|ranking|standings|scores?\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?:^|[^a-z])(?:overall|full|total|main|all|average)(?:[^a-z]|$)", re.IGNORECASE
)


@dataclass(frozen=True)
class Readable:
    """One file of the newest commit that a reader understands.

    Attributes:
        path: in the repository.
        format: its format.
        document: what it holds.
        changes: how often it was changed.
        changed_at: when it was last changed.
        moved_from: its earlier names.
    """

    path: str
    format: str
    document: Document
    changes: int
    changed_at: datetime | None
    moved_from: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """A definition in the making.

    Attributes:
        path, format, rows: the file, and where in it the rows stand.
        roles: which column is what.
        guesses: all guesses with their evidence, in the order of the definition.
    """

    path: str
    format: str
    rows: str
    roles: Roles
    guesses: tuple[Guess, ...]


@dataclass(frozen=True)
class _Candidate:
    file: Readable
    rows: str
    table: Table
    roles: Roles | None
    question: Question | None

    @property
    def size(self) -> int:
        return len(self.table.places)

    @property
    def points(self) -> int:
        named = 2 * bool(_NAMED.search(self.file.path.replace("_", " ")))
        whole = bool(_WHOLE.search(self.file.path.rpartition("/")[2]))
        return named + whole + (self.roles.points if self.roles else 0)


def propose(files: Sequence[Readable], rows: str, given: Given) -> Proposal:
    """Propose what the leaderboard is and how to read it.

    Args:
        files: what could be read.
        rows: where the rows stand, if the user said so.
        given: the columns that the user said.

    Raises:
        Unclear: with the one question that has to be answered first.
    """
    found = [best for file in files if (best := _best_table(file, rows, given)) is not None]
    if not found:
        listed = ", ".join(file.path for file in files[:_SHOWN]) or "none in a format that is read"
        text = (
            f"no file holds a table with a column of names and one of scores (looked at: {listed})"
        )
        raise Unclear(Question("--path", text))
    chosen, why = _best_file(found)
    if chosen.roles is None:
        assert chosen.question is not None
        raise Unclear(chosen.question)
    if moved := chosen.file.moved_from:
        why += f"; before it was moved it was {', '.join(moved)}"
    paths = [escaped(path) for path in (chosen.file.path, *chosen.file.moved_from)]
    guesses = [Guess("source.paths", paths, why)]
    rows = "" if _goes_without_rows(chosen) else chosen.rows
    if rows:
        guesses.append(Guess("table.rows", rows, f"{chosen.size} rows stand there"))
    guesses += chosen.roles.guesses
    guesses += _edition(chosen.file.document)
    return Proposal(chosen.file.path, chosen.file.format, rows, chosen.roles, tuple(guesses))


def _best_table(file: Readable, rows: str, given: Given) -> _Candidate | None:
    """The table of one file that looks most like a leaderboard."""
    tables = [(rows, file.document.table(rows))] if rows else file.document.tables()[:_TABLES]
    found = [one for place, table in tables if (one := _candidate(file, place, table, given))]
    # An object of boards looks like a board of its own; what it holds is meant.
    inner = {one.rows for one in found}
    found = [
        one
        for one in found
        if not any(other.startswith((one.rows + ".", one.rows + "[")) for other in inner)
    ]
    return max(found, key=_likeness, default=None)


def _goes_without_rows(one: _Candidate) -> bool:
    """Whether a reader finds this table by its columns; a number may mean another one some day."""
    if one.file.format in TREES or one.roles is None:
        return one.rows == "$"
    needed = (one.roles.entry, one.roles.score)
    tables = [table for _, table in one.file.document.tables()]
    return next((t for t in tables if all(n in t.names() for n in needed)), None) is one.table


def _likeness(one: _Candidate) -> tuple[bool, int, bool, int]:
    return one.roles is not None, one.points, bool(_WHOLE.search(one.rows)), one.size


def _candidate(file: Readable, rows: str, table: Table, given: Given) -> _Candidate | None:
    try:
        roles = roles_of(facts_of(table), table.keys is not None, given)
    except ValueError:
        return None
    except Unclear as unclear:
        return _Candidate(file, rows, table, None, unclear.question)
    return _Candidate(file, rows, table, roles, None)


def _best_file(found: Sequence[_Candidate]) -> tuple[_Candidate, str]:
    """The candidate to take, and why that one."""
    if len(found) == 1:
        return found[0], "the only file with a table of names and scores"
    most = max(one.points for one in found)
    best = [one for one in found if one.points == most]
    others = f"; also here: {', '.join(_others(found, best[0]))}"
    if len(best) == 1:
        return best[0], f"it looks most like a leaderboard{others}"
    never = datetime.fromtimestamp(0, UTC)
    last = max(one.file.changed_at or never for one in best)
    newest = [one for one in best if (one.file.changed_at or never) == last]
    if len(newest) == 1:
        others = f"; also here: {', '.join(_others(found, newest[0]))}"
        return newest[0], f"changed last, on {last:%Y-%m-%d}{others}"
    choices = tuple(
        (one.file.path, f"{one.size} rows, {one.file.changes} changes") for one in newest[:_SHOWN]
    )
    raise Unclear(Question("--path", "which file is the leaderboard", choices))


def _others(found: Sequence[_Candidate], chosen: _Candidate) -> Iterator[str]:
    rest = [one.file.path for one in found if one is not chosen]
    yield from rest[:_SHOWN]
    if len(rest) > _SHOWN:
        yield f"{len(rest) - _SHOWN} more"


def _edition(document: Document) -> list[Guess]:
    """Where the file says which edition it is."""
    for path in ("$.label", "$.edition", "$.version", "$.release"):
        label = document.find(path)
        if label and len(label) < 60 and label[:1] not in "{[":
            return [Guess("edition.label", path, f"there stands {label!r}")]
    return []
