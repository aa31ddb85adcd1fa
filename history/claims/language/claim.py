"""What is a claim?

The records that claims files and sentences are read into. A claim says something about
entries of boards (its predicate and arguments) at some time (its `when`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from crawler.errors import TypedError

WhenKind = Literal["as_of", "at", "on", "latest", "ever", "always", "over"]
Time = datetime | date

COMPOUNDS = ("all_of", "any_of", "not")
RANK_PREDICATES = ("rank", "first", "first_in_class", "top_k", "ahead")
WINDOWS = ("on", "ever", "always", "over")


def first_instant(given: Time) -> datetime:
    """The time itself, or the beginning of a UTC day.

    >>> first_instant(date(2026, 3, 20)).isoformat()
    '2026-03-20T00:00:00+00:00'
    """
    if isinstance(given, datetime):
        return given
    return datetime.combine(given, time(), UTC)


def last_instant(given: Time) -> datetime:
    """The time itself, or the last microsecond of a UTC day.

    >>> last_instant(date(2026, 3, 20)).isoformat()
    '2026-03-20T23:59:59.999999+00:00'
    """
    if isinstance(given, datetime):
        return given
    return first_instant(given) + timedelta(days=1, microseconds=-1)


class ClaimError(TypedError):
    """A claims file or a sentence that cannot be understood as it stands.

    >>> print(ClaimError('claims.toml, claim "a"', "no `value`", 'Add value = "81.5"'))
    claims.toml, claim "a": no `value`. Add value = "81.5".
    """


# Names and printed texts that belong together, in the order in which they were given.
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A number that stands on no board: printed by somebody, computed, or of a claim's own table.

    Attributes:
        value: the printed text, `81.5`; or else
        formula: arithmetic over printed numbers, `(3.25 - 2.7)/3.25`; or else
        entry, columns: a row of the claim's table, and the columns whose mean is meant.
        label: reported, measured or reasoned.
        source: where it was printed.
        exact: a count, with no digits that were rounded away.
        per: what it is a rate of, `GPU`.
        under: the conditions that it was measured under, as baseline or engine.
    """

    value: str = ""
    label: str = "reported"
    source: str = ""
    formula: str = ""
    entry: str = ""
    columns: tuple[str, ...] = ()
    exact: bool = False
    per: str = ""
    under: Pairs = ()


@dataclass(frozen=True, slots=True)
class When:
    """The moment or the stretch of time that a claim is about.

    Attributes:
        kind: as_of, at and latest are one moment; on, ever, always and over a stretch.
        start: the moment of `as_of`, the day of `on`, the first end of a stretch; None: as
            far back as known.
        end: the last end of a stretch; None: up to the last look.
        commit: of `at`, 7 to 40 hex digits.
    """

    kind: WhenKind
    start: Time | None = None
    end: Time | None = None
    commit: str = ""

    @property
    def is_window(self) -> bool:
        """A stretch of time, not one moment."""
        return self.kind in WINDOWS

    @property
    def ends(self) -> tuple[datetime | None, datetime | None]:
        """First and last instant of a stretch; None: as far as known."""
        last = self.start if self.kind == "on" else self.end
        return (
            None if self.start is None else first_instant(self.start),
            None if last is None else last_instant(last),
        )


LATEST = When("latest")


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that somebody said about a board.

    Attributes:
        id: unique in its file; members of a compound are `ID/1`, `ID/2`.
        predicate: one of predicates.PREDICATES.
        text: the words that were said; empty if none were kept.
        subject: entry, or a number of its own.
        boards: names of boards; several mean that it holds on each.
        when: None: as of `said_at`, or else latest.
        said_at: when it was said, UTC; a date means that day's end.
        source, said_by: where and by whom.
        split: a part or split of the board; None is its own score.
        edition: only versions that the file gives this label count; empty for all.
        rank_kind: which ranks are meant: by score, by the tie rule, or the file's own.
        approx: said with "about".
        op: =, >=, >, <= or <.
        n, of, k: place and number of entries; count.
        sole: first alone.
        other: the second entry or number of tie, delta and ahead.
        value: printed number of score, delta, average_of, ratio, ratio_at and duration.
        unit, span: of a duration; span is total, longest or current.
        what, above: of count: ranked or listed; only those with a better score than a printed one.
        filter: a condition that entries must meet to take part.
        columns, table: columns of the board, or of a file beside the claims file.
        column: what drop_one leaves out; of ratio and formula, where the result stands.
        order, values: of drop_one: entries best first, and entries with printed results.
        rank, score, snapshot: the place of drop_one and would_rank; a score and a version.
        items, level: of noise: how many items each column has ("" for all of them), and how many
            standard errors count as a difference; "" for 1.96.
        curve, x, per: of ratio_at: two columns, a place on the first, what the second is a rate of.
        at, quantity: of ratio: the conditions that it is said of, and of what.
        formula: how a score is said to be made of columns.
        tracked: False where the boards are known not to be in this store.
        members: of compounds; the state of a duration.
        spoken: from a sentence, not from a file.
    """

    id: str
    predicate: str
    text: str = ""
    subject: str | Operand | None = None
    boards: tuple[str, ...] = ()
    when: When | None = None
    said_at: Time | None = None
    source: str = ""
    said_by: str = ""
    split: str | None = None
    edition: str = ""
    rank_kind: str = "score"
    approx: bool = False
    op: str = "="
    n: int | None = None
    of: int | None = None
    k: int | None = None
    sole: bool = False
    other: str | Operand | None = None
    value: str = ""
    unit: str = ""
    span: str = "total"
    what: str = ""
    above: str = ""
    filter: str = ""
    columns: tuple[str, ...] = ()
    table: str = ""
    column: str = ""
    order: tuple[str, ...] = ()
    values: Pairs = ()
    rank: int | None = None
    score: str = ""
    snapshot: When | None = None
    items: tuple[tuple[str, int], ...] = ()
    level: str = ""
    curve: tuple[str, ...] = ()
    x: str = ""
    per: str = ""
    at: Pairs = ()
    quantity: str = ""
    formula: str = ""
    tracked: bool = True
    members: tuple[Claim, ...] = ()
    spoken: bool = False

    @property
    def effective_when(self) -> When:
        """Its own `when` or `snapshot`, else as of `said_at`, else the last look."""
        if self.snapshot is not None:
            return self.snapshot
        if self.when is not None:
            return self.when
        return LATEST if self.said_at is None else When("as_of", self.said_at)

    @property
    def leaves(self) -> list[Claim]:
        """The claims in it that are no compounds; itself if it is none."""
        return [leaf for member in self.members for leaf in member.leaves] or [self]

    @property
    def labels(self) -> list[str]:
        """A name for each member, to put before its notes."""
        named = (
            dict.fromkeys(board for leaf in member.leaves for board in leaf.boards)
            for member in self.members
        )
        return [
            " and ".join(boards) or member.id
            for boards, member in zip(named, self.members, strict=True)
        ]

    @property
    def is_about_own_numbers(self) -> bool:
        """Whether it names numbers or a table of its own and no board decides it."""
        if self.members:
            return all(member.is_about_own_numbers for member in self.members)
        return bool(self.table) or not self.boards

    def board_by_board(self) -> Claim:
        """The claim with one board in every part: several boards become an all_of.

        >>> both = Claim("a", "first", subject="fern", boards=("text", "vision"))
        >>> [member.boards for member in both.board_by_board().members]
        [('text',), ('vision',)]
        """
        if self.members:
            return replace(self, members=tuple(m.board_by_board() for m in self.members))
        if len(self.boards) < 2:
            return self
        members = tuple(
            replace(self, id=f"{self.id}/{board}", boards=(board,), when=None, text="")
            for board in self.boards
        )
        return Claim(
            self.id,
            "all_of",
            text=self.text,
            boards=self.boards,
            when=self.effective_when,
            said_at=self.said_at,
            source=self.source,
            said_by=self.said_by,
            members=members,
            spoken=self.spoken,
        )
