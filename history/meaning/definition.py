"""What can a board's definition say?

In: nothing. Out: models and records. Start at TableTable and Columns. The models are a
definition's tables as written: known keys and their types, nothing else. The records are what
`history.meaning.meaning` makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from history.meaning.columns import Column
from history.meaning.conditions import Condition
from history.numbers.rounding import Mode

Direction = Literal["higher", "lower"]
Bound = str | datetime | None
Moment = str | datetime | date


class _Table(BaseModel):
    """Unknown keys and other types than the named ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class TableTable(_Table):
    """[table]: which cells are what. Columns are understood by `history.meaning.columns`."""

    format: str | None = None
    rows: str = ""
    entry: Any = None
    name: Any = None
    score: Any = None
    direction: Literal["higher", "lower"]
    decimals: int | None = Field(default=None, ge=0, le=30)
    rounding: Mode = "half up"
    scale: int | float | Literal["percent"] = 1
    low: Any = None
    high: Any = None
    se: Any = None
    items: Any = None
    published_rank: Any = None
    published_tie_rank: Any = None
    tie_rank_counts: Literal["positions", "groups"] = "positions"
    layout: Literal["rows", "columns", "wide", "long"] = "rows"
    part: Any = None
    row: str | None = None
    not_entries: list[str] | None = None
    missing: list[str] = []
    where: str = ""
    eligible: str = ""
    keep: Literal["apart", "best", "latest", "refuse"] = "apart"
    latest_by: Any = None
    attributes: dict[str, Any] = {}
    parts: dict[str, Any] = {}


class PartTable(_Table):
    """A part with a direction of its own."""

    column: Any
    direction: Literal["higher", "lower"]


class TiesTable(_Table):
    """[ties]: who is tied. `band` is a number or a JSONPath in the file."""

    rule: Literal["anchored", "chain", "pairwise", "interval", "none"] = "none"
    band: int | float | str | None = None
    edge: Literal["inclusive", "exclusive", "float"] = "inclusive"


class EditionTable(_Table):
    """[edition]: where the file says which edition it is, and how its score is made.

    `label` is a JSONPath in the whole file, or a table that names a column of its rows.
    """

    label: str | dict[str, Any] | None = None
    block: str | None = None


class SinceTable(_Table):
    """[[since]]: what changes from a commit, a date or a condition on the file on.

    The tables are checked where they are merged into those before.
    """

    commit: str | None = None
    date: Moment | None = None
    when: str | None = None
    table: dict[str, Any] = {}
    splits: dict[str, Any] = {}
    ties: dict[str, Any] = {}
    edition: dict[str, Any] = {}
    formula: dict[str, Any] = {}


class AliasTable(_Table):
    """[[alias]]: an alias for a time."""

    key: str
    entry: str
    start: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="until")


class IgnoreTable(_Table):
    """[[ignore]]: a version, or an entry in it, known to be wrong."""

    commit: str | None = None
    start: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="until")
    entry: str | None = None
    why: str


class NoteTable(_Table):
    """[[note]]: what the file does not say."""

    text: str
    source: str | None = None
    entry: str | None = None
    start: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="until")


@dataclass(frozen=True)
class Part:
    """A column that goes into the score."""

    column: Column
    direction: Direction


@dataclass(frozen=True)
class Columns:
    """[table], understood: which cells are what.

    Attributes:
        format: one of `readers.FORMATS`; None where each file's name tells.
        rows: where the rows stand, as `Document.table` understands it; empty where the file or
            its columns tell.
        layout: rows; columns, where each column is a list or an object of its own; wide, where
            each entry is a column; or long, where each entry has a row per part.
        part: for long: the column that says of which part a row is.
        entry: the stable key; None where it is the key of the rows' object ("@key") or the
            file's name ("@file").
        name: the display name; None where it is the key.
        score, direction: what is ranked, and which way.
        decimals, shift, missing: how numbers are printed; values count times 10**shift.
        rounding: how digits beyond `decimals` are rounded before ranking.
        shares: whether scores up to 1 are shares of 1 among percentages, and count times 100.
        scaled: whether the definition says so itself, so that it need not be seen in the numbers.
        measures: columns of low, high, se and items, of those that are named.
        parts: columns that go into the score, by name.
        published_rank, published_tie_rank, tie_rank_counts: what the file says of ranks itself.
        where, eligible: rows that take part, rows that are ranked; None for all.
        keep, latest_by: what becomes of rows with one key and different scores.
        attributes: columns that conditions may call by these names.
        row, not_entries: for wide: the row that counts (None: the last), and the columns that are
            no entries.
    """

    format: str | None
    rows: str
    layout: Literal["rows", "columns", "wide", "long"]
    part: Column | None
    entry: Column | None
    name: Column | None
    score: Column
    direction: Direction
    decimals: int | None
    rounding: Mode
    shift: int
    shares: bool
    scaled: bool
    missing: frozenset[str]
    parts: Mapping[str, Part]
    measures: Mapping[str, Column]
    published_rank: Column | None
    published_tie_rank: Column | None
    tie_rank_counts: Literal["positions", "groups"]
    where: Condition | None
    eligible: Condition | None
    keep: Literal["apart", "best", "latest", "refuse"]
    latest_by: Column | None
    attributes: Mapping[str, Column]
    row: Condition | None
    not_entries: frozenset[str]


@dataclass(frozen=True)
class Ties:
    """How the board says who is tied.

    Attributes:
        rule: anchored, chain, pairwise, interval or none.
        band: widest gap that ties, as printed; None if the file says it or the rule has none.
        band_path: JSONPath of the band in the file.
        edge: whether a gap of exactly the band ties; "float": as the board's floats say.
    """

    rule: Literal["anchored", "chain", "pairwise", "interval", "none"] = "none"
    band: str | None = None
    band_path: str | None = None
    edge: Literal["inclusive", "exclusive", "float"] = "inclusive"


class Borda(NamedTuple):
    """A split of points for places in several parts."""

    parts: tuple[str, ...]


class Since(NamedTuple):
    """What changes from some moment on.

    Attributes:
        start: a commit or a time; None where a condition on the file says when.
        when: the condition: from the first version on at which it holds.
        changes: by table, what is merged into those before.
    """

    start: Bound
    when: Condition | None
    changes: Mapping[str, Mapping[str, Any]]


class Alias(NamedTuple):
    """For a time, a key means another entry. `start` is inclusive, `end` exclusive."""

    key: str
    entry: str
    start: Bound
    end: Bound


class Ignore(NamedTuple):
    """A version, or one entry's score in it, known to be wrong.

    `commit` names one version; else `start` (inclusive) and `end` (exclusive) bound the time.
    """

    commit: str | None
    start: Bound
    end: Bound
    entry: str | None
    why: str


class Note(NamedTuple):
    """What the file does not say. `start` is inclusive, `end` exclusive."""

    text: str
    source: str | None
    entry: str | None
    start: Bound
    end: Bound
