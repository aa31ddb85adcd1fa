"""Which file of a source, and which table in it, is the leaderboard?

In: the files that could be read. Out: a Proposal. Start at propose(). What looks most like a
leaderboard is taken and the reason said; only where several look alike is there a question. What
somebody says about columns chooses among the tables that have them, and never moves the choice
to another table otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from crawler.paths import escaped
from history.meaning.columns import Named
from history.propose.facts import Fact, facts_of, named
from history.propose.guesses import Given, Guess, Question, Unclear
from history.propose.roles import FEW, Roles, roles_of
from history.readers import TEXTS, TREES, Document, Table, Unreadable, choose
from history.readers.folder import FolderDocument

_TABLES = 60  # looked at in one file
_SHOWN = 6
_NAMED = re.compile(r"leader ?board|ranking|standings|scores?\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?:^|[^a-z])(?:overall|full|total|main|all|average)(?:[^a-z]|$)", re.IGNORECASE
)
_OLD = re.compile(
    r"\b(?:old|older|archived?|previous|legacy|deprecated|outdated|historical|former)\b"
    r"|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Readable:
    """One file of the newest commit that a reader understands, or several that belong together.

    Attributes:
        path: in the repository; of several files their pattern.
        format: its format.
        document: what it holds; of files side by side what the newest holds.
        changes: how often it was changed.
        changed_at: when it was last changed.
        moved_from: its earlier names.
        files: how many they are; 0 where `path` is the name of one.
        by_date: whether the newest of files side by side is told by the date in its name.
    """

    path: str
    format: str
    document: Document
    changes: int
    changed_at: datetime | None
    moved_from: tuple[str, ...] = ()
    files: int = 0
    by_date: bool = False

    @property
    def per_entry(self) -> bool:
        """Whether each entry has a file of its own."""
        return isinstance(self.document, FolderDocument)


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


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A table that could be the leaderboard.

    Attributes:
        file, rows, table: where it stands.
        facts: its columns.
        roles: what they are taken for, before anything was said of them; None where that is open.
    """

    file: Readable
    rows: str
    table: Table
    facts: Sequence[Fact]
    roles: Roles | None

    @property
    def size(self) -> int:
        return len(self.table.places)

    @property
    def key(self) -> str:
        if self.table.keys is None:
            return ""
        return "@file" if self.file.per_entry else "@key"

    @property
    def points(self) -> int:
        """How much it looks like a leaderboard; ten times the rows are worth as much as ranks."""
        called = 2 * bool(_NAMED.search(self.file.path.replace("_", " ")))
        whole = bool(_WHOLE.search(self.file.path.rpartition("/")[2]))
        return called + whole + (self.roles.points if self.roles else 0) + self.size.bit_length()

    @property
    def where(self) -> str:
        """The table, for people."""
        place = f", {self.rows}" if self.rows not in ("", "$") else ""
        return f"{self.file.path}{place} ({self.size} rows)"

    def has(self, given: Given) -> bool:
        """Whether there are the columns that somebody named, with what they need."""
        score = named(self.facts, given.score) if given.score else None
        entry = given.entry in ("", self.key) or named(self.facts, given.entry) is not None
        return entry and (not given.score or (score is not None and score.count >= FEW))


def propose(files: Sequence[Readable], rows: str, given: Given, path: str = "") -> Proposal:
    """Propose what the leaderboard is and how to read it.

    Args:
        files: what could be read.
        rows: where the rows stand, if the user said so.
        given: the columns that the user said.
        path: the file that the user chose; empty if nobody did.

    Raises:
        Unclear: with the one question that has to be answered first. Unreadable: no rows stand
            where the user said.
    """
    found = [one for file in files for one in _candidates(file, rows, given, Given())]
    fitting = [one for one in found if one.has(given)]
    if not fitting:  # what was said may make a leaderboard of what looks like none
        more = [one for file in files for one in _candidates(file, rows, given, given)]
        fitting = [one for one in more if one.has(given)]
    # Where none has what was said, the likeliest is taken, and it is said what that has.
    fitting = fitting or found
    if not fitting and rows and files:
        files[0].document.table(rows)  # it says what is there instead
    if not fitting:
        listed = ", ".join(file.path for file in files[:_SHOWN]) or "none in a format that is read"
        text = (
            f"no file holds a table with a column of names and one of scores (looked at: {listed})"
        )
        raise Unclear(Question("--path, --entry and --score", text))
    best = [one for file in files if (one := _best_table(fitting, file)) is not None]
    chosen, why = _best_file(best, path)
    chosen = chosen if rows else _one_of_alike(fitting, chosen)
    try:
        roles = roles_of(chosen.facts, chosen.key, given)
    except Unclear as unclear:
        text = f"{chosen.where}: {unclear.question.text}"
        raise Unclear(replace(unclear.question, text=text)) from None
    if moved := chosen.file.moved_from:
        why += f"; before it was moved it was {', '.join(moved)}"
    guesses = _paths(chosen.file, why)
    rows = "" if _goes_without_rows(chosen, roles) else chosen.rows
    if rows:
        guesses.append(Guess("table.rows", rows, f"{chosen.size} rows stand there"))
    guesses += roles.guesses
    guesses += _edition(chosen.file.document)
    return Proposal(chosen.file.path, chosen.file.format, rows, roles, tuple(guesses))


def _paths(file: Readable, why: str) -> list[Guess]:
    """The files to read, and which of several is the board."""
    if not file.files:
        paths = [escaped(path) for path in (file.path, *file.moved_from)]
        return [Guess("source.paths", paths, why)]
    if file.per_entry:
        return [Guess("source.paths", [file.path], f"{file.files} files of one shape; {why}")]
    guesses = [Guess("source.paths", [file.path], f"{file.files} files side by side; {why}")]
    if file.by_date:
        newest = "the names hold dates"
        guesses.append(Guess("source.newest", "date in the file name", newest))
    return guesses


def _candidates(file: Readable, rows: str, given: Given, known: Given) -> list[_Candidate]:
    """The tables of one file that look like leaderboards, none inside another.

    Args:
        file, rows: where to look.
        given: what the user said; its columns are looked for.
        known: as much of it as may decide what looks like one.
    """
    try:
        tables = [(rows, file.document.table(rows))] if rows else file.document.tables()[:_TABLES]
    except Unreadable:  # no rows stand there
        return []
    said = [text for text in (given.entry, given.score) if text]
    made = (_candidate(file, place, table, said, known) for place, table in tables)
    found = [one for one in made if one is not None]
    for outer in sorted(found, key=lambda one: len(one.rows)):
        if outer in found:
            inner = [
                one for one in found if one.rows.startswith((outer.rows + ".", outer.rows + "["))
            ]
            # An object of boards holds longer ones; what is shorter is a part of one row.
            if any(one.size > outer.size for one in inner):
                found.remove(outer)
            else:
                found = [one for one in found if one not in inner]
    return found


def _best_table(found: Sequence[_Candidate], file: Readable) -> _Candidate | None:
    """The table of one file that looks most like a leaderboard."""
    return max((one for one in found if one.file is file), key=_likeness, default=None)


def _one_of_alike(found: Sequence[_Candidate], chosen: _Candidate) -> _Candidate:
    """Of tables in a text with the same columns, the one that its heading says is the board.

    Raises:
        Unclear: the headings do not tell.
    """
    names = chosen.table.names()
    alike = [one for one in found if one.file is chosen.file and one.table.names() == names]
    if chosen.file.format not in TEXTS or len(alike) < 2:
        return chosen
    alike = [replace(one, rows=_heading(one)) for one in alike]
    likely = [bool(_NAMED.search(one.rows)) - bool(_OLD.search(one.rows)) for one in alike]
    if likely.count(max(likely)) == 1:
        return alike[likely.index(max(likely))]
    text = (
        f"{chosen.file.path} has {len(alike)} tables with the same columns; which one is the board"
    )
    choices = tuple((one.rows, f"{one.size} rows") for one in alike[:_SHOWN])
    raise Unclear(Question("--rows", text, choices))


def _heading(one: _Candidate) -> str:
    """The nearest heading, if it means this table only; else the table's number."""
    for text in reversed(getattr(one.table, "named", ())):
        try:
            if one.file.document.table(text) is one.table:
                return str(text)
        except Unreadable:
            continue
    return one.rows


def _names(table: Table) -> list[str]:
    try:
        return table.names()
    except Unreadable:
        return []


def _goes_without_rows(one: _Candidate, roles: Roles) -> bool:
    """Whether a reader finds this table by its columns; a number may mean another one some day."""
    if one.file.format in TREES:
        return one.rows == "$"
    names = one.table.names()
    if sum(_names(table) == names for _, table in one.file.document.tables()[:_TABLES]) > 1:
        return False
    needed = {name: Named(name).cells for name in (roles.entry, roles.score)}
    return choose(one.file.document, "", needed) is one.table


def _likeness(one: _Candidate) -> tuple[int, bool, bool, int]:
    return one.points, one.roles is not None, bool(_WHOLE.search(one.rows)), one.size


def _candidate(
    file: Readable, rows: str, table: Table, said: Sequence[str], known: Given
) -> _Candidate | None:
    one = _Candidate(file, rows, table, facts_of(table, said), None)
    try:
        return replace(one, roles=roles_of(one.facts, one.key, known))
    except Unclear:
        return one
    except ValueError:  # no leaderboard
        return None


def _best_file(found: Sequence[_Candidate], path: str) -> tuple[_Candidate, str]:
    """The candidate to take, and why that one."""
    for one in found:
        if one.file.path == path:
            return one, f"you chose it{_beside(found, one)}"
    if len(found) == 1:
        return found[0], "the only file with a table of names and scores"
    most = max(one.points for one in found)
    best = [one for one in found if one.points == most]
    if len(best) == 1:
        return best[0], f"it looks most like a leaderboard{_beside(found, best[0])}"
    never = datetime.fromtimestamp(0, UTC)
    last = max(one.file.changed_at or never for one in best)
    newest = [one for one in best if (one.file.changed_at or never) == last]
    if len(newest) == 1:
        return newest[0], f"changed last, on {last:%Y-%m-%d}{_beside(found, newest[0])}"
    choices = tuple(
        (one.file.path, f"{one.size} rows, {one.file.changes} changes") for one in newest[:_SHOWN]
    )
    raise Unclear(Question("--path", "which file is the leaderboard", choices))


def _beside(found: Sequence[_Candidate], chosen: _Candidate) -> str:
    """The other files that could have been taken."""
    rest = [one.file.path for one in found if one is not chosen]
    if len(rest) > _SHOWN:
        rest[_SHOWN:] = [f"{len(rest) - _SHOWN} more"]
    return f"; also here: {', '.join(rest)}" if rest else ""


def _edition(document: Document) -> list[Guess]:
    """Where the file says which edition it is."""
    for path in ("$.label", "$.edition", "$.version", "$.release"):
        label = document.find(path)
        if label and len(label) < 60 and label[:1] not in "{[":
            return [Guess("edition.label", path, f"there stands {label!r}")]
    return []
