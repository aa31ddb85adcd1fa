"""What does one published file say, row by row?

In: a Meaning and the bytes of one file. Out: a Reading. Start at read_table(). A file that cannot
be read gives a Reading, too: it says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from history import readers
from history.columns import Column, Named
from history.conditions import Condition
from history.definition import Columns
from history.frames import SCORE
from history.meaning import Meaning
from history.number_columns import ColumnReader, Numbers, without_groups
from history.readers import Cells, Document, Table, Unreadable, no_column, trimmed
from history.repeats import Repeats

MAX_NOTES = 5
MAX_NOTE = 200  # letters of one
_RANK, _TIE_RANK = "rank_published", "tie_rank_published"
_Value = TypeVar("_Value")
_UNRANKED = {
    "missing": "no_score",
    "not_a_number": "no_score",
    "comma": "no_score",
    "not_finite": "not_finite",
}


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a definition says about keys and errors at one version.

    Attributes:
        aliases: key in the file -> entry.
        ignored: entry -> why its score does not count; None as a key: the whole version.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    ignored: Mapping[str | None, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FieldReading:
    """The score, or one part, of the entries of a Reading.

    Attributes:
        texts: as printed; None where the file has nothing.
        ticks: in units of 10**-dp; None where there is no number.
        values: as floats, NaN where there is no number.
        dp: decimals of this field in this version.
        pointers: where each stands, or would stand.
    """

    texts: Sequence[str | None]
    ticks: Sequence[int | None]
    values: Sequence[float]
    dp: int
    pointers: Sequence[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """One file, understood; all sequences run by entry, in file order.

    Attributes:
        reading: read; partial, where rows were left out; empty, where no entry takes part;
            absent; unreadable.
        reason: why it is unreadable: one of `Unreadable.reason`.
        found: for people: what is wrong in the file, or noteworthy.
        edition, band: what the file says; None if nothing.
        pointer: where the rows stand; None if unreadable.
        entries, names: stable keys, display names.
        rows: places in the file, from 0.
        unranked: None if ranked, else no_score, not_finite, ineligible, duplicate.
        ranks, tie_ranks: what the file itself says.
        fields: `score` and the parts.
    """

    reading: Literal["read", "partial", "empty", "absent", "unreadable"]
    reason: str | None = None
    found: str | None = None
    edition: str | None = None
    band: str | None = None
    pointer: str | None = None
    entries: Sequence[str] = ()
    names: Sequence[str] = ()
    rows: Sequence[int] = ()
    unranked: Sequence[str | None] = ()
    ranks: Sequence[int | None] = ()
    tie_ranks: Sequence[int | None] = ()
    fields: Mapping[str, FieldReading] = field(default_factory=dict)


def read_table(
    meaning: Meaning, path: str, data: bytes, overrides: Overrides | None = None
) -> Reading:
    """Read one file as a board's definition says.

    Args:
        meaning: the definition.
        path: the file's name; tells the format where the definition does not.
        data: the file as published.
        overrides: aliases and known errors of this version; without it the aliases that hold at
            any time.
    """
    return TableReader(meaning).read(path, data, overrides)


class TableReader:
    """Reads the files of one board, version by version.

    It remembers the columns of the version before, of which most cells come again; what it
    gives is what read_table() gives.
    """

    def __init__(self, meaning: Meaning):
        self._meaning = meaning
        columns = meaning.table
        self._numbers = {SCORE: ColumnReader(columns.missing, columns.decimals, columns.shift)}
        for name in (*columns.parts, _RANK, _TIE_RANK):
            self._numbers[name] = ColumnReader(columns.missing, None, 0)
        self._keys, self._names = _Trimmed(), _Trimmed()

    def read(self, path: str, data: bytes, overrides: Overrides | None = None) -> Reading:
        """Read one file; see read_table()."""
        says = Overrides(self._meaning.aliases) if overrides is None else overrides
        try:
            if None in says.ignored:
                raise Unreadable("ignored", says.ignored[None])
            return self._read(path, data, says)
        except Unreadable as error:
            return Reading("unreadable", error.reason, error.found)

    def _read(self, path: str, data: bytes, says: Overrides) -> Reading:
        meaning, columns = self._meaning, self._meaning.table
        format_ = columns.format or readers.format_of(path)
        if format_ is None:
            raise Unreadable("no_table", f"the name {path!r} does not tell the format")
        document = readers.parse(format_, data)
        table = document.table(columns.rows)
        if not columns.rows and format_ not in readers.TREES:
            table = _first_with_score(document, columns) or table
        edition = document.find(meaning.edition_label) if meaning.edition_label else None
        ties = meaning.ties
        band = document.find(ties.band_path) if ties.band_path else ties.band
        if not table.places and not table.names():
            return Reading("empty", None, "no rows", edition, band, table.pointer)

        cells = {SCORE: _needed(columns.score, table)}
        cells |= {name: _needed(part.column, table) for name, part in columns.parts.items()}
        read = self._numbers_of(cells)
        entries = self._keys.read(_keys(table, columns))
        if says.aliases:
            entries = [says.aliases.get(entry, entry) for entry in entries]
        kept, notes = _taking_part(columns, table, entries)
        partial = bool(table.left_out or notes)
        notes = [*table.left_out, *notes]
        unranked = _unranked(columns, table, read[SCORE])
        if len(set(_taken(entries, kept))) < len(kept):
            entries = list(entries)
            latest = _needed(columns.latest_by, table).texts if columns.latest_by else None
            same = Repeats(columns, entries, cells[SCORE].texts, read[SCORE].ticks, latest)
            kept = same.resolve(kept, unranked)
            notes += same.notes
        notes += _odd_scores(kept, entries, read[SCORE], cells[SCORE])

        chosen = _taken(entries, kept)
        fields = {name: _field(cells[name], number, kept) for name, number in read.items()}
        if says.ignored:
            notes += _ignore(says.ignored, chosen, kept, unranked, fields)
        if not kept and table.places:
            notes.append(f"{len(table.places)} rows, none takes part")
        return Reading(
            "empty" if not kept else "partial" if partial else "read",
            None,
            _joined(notes),
            edition,
            band,
            table.pointer,
            chosen,
            self._display_names(table, entries, kept),
            _taken(table.places, kept),
            _taken(unranked, kept),
            self._ranks(_RANK, columns.published_rank, table, kept),
            self._ranks(_TIE_RANK, columns.published_tie_rank, table, kept),
            fields,
        )

    def _numbers_of(self, cells: Mapping[str, Cells]) -> dict[str, Numbers]:
        """The columns of numbers; a file whose decimal mark is the comma has it in all of them."""
        read = {name: self._numbers[name].read(column.texts) for name, column in cells.items()}
        if any(self._numbers[name].decimal_comma for name in cells):
            for name, column in cells.items():
                if not self._numbers[name].decimal_comma and (
                    plain := without_groups(column.texts)
                ):
                    read[name] = self._numbers[name].read(plain)
        return read

    def _display_names(
        self, table: Table, entries: Sequence[str], kept: Sequence[int]
    ) -> Sequence[str]:
        """What people read: the name, else the key."""
        column = self._meaning.table.name
        if column is None:
            return self._names.read(_taken(_keys(table, self._meaning.table), kept))
        names = self._names.read(_needed(column, table).texts)
        if all(names):
            return _taken(names, kept)
        return [names[row] or entries[row] for row in kept]

    def _ranks(
        self, name: str, column: Column | None, table: Table, kept: Sequence[int]
    ) -> Sequence[int | None]:
        """Published ranks; evidence beside the scores, so a version may lack the column."""
        cells = None if column is None else column.cells(table)
        if cells is None:
            return [None] * len(kept)
        read = self._numbers[name].read(cells.texts)
        one = 10**read.dp
        if one == 1:
            return _taken(read.ticks, kept)
        whole = [None if tick is None or tick % one else tick // one for tick in read.ticks]
        return _taken(whole, kept)


class _Trimmed:
    """Texts without the white space round them; mostly those of the version before."""

    def __init__(self) -> None:
        self._last: tuple[Sequence[str | None], list[str]] = ((), [])

    def read(self, texts: Sequence[str | None]) -> list[str]:
        """The trimmed texts; a gap is empty."""
        if texts != self._last[0]:
            self._last = texts, [trimmed(text or "") for text in texts]
        return self._last[1]


def _taken(values: Sequence[_Value], kept: Sequence[int]) -> Sequence[_Value]:
    """The values of the rows that take part; the same object where all do, as they mostly do."""
    if len(kept) == len(values):
        return values
    return [values[row] for row in kept]


def _first_with_score(document: Document, columns: Columns) -> Table | None:
    """Of several tables in a text, the first that has the columns of key and score."""
    needed = [column for column in (columns.entry, columns.score) if column]
    tables = (table for _, table in document.tables())
    return next((one for one in tables if all(column.cells(one) for column in needed)), None)


def _needed(column: Column, table: Table) -> Cells:
    cells = column.cells(table)
    if cells is None:
        raise no_column(str(column), table)
    return cells


def _keys(table: Table, columns: Columns) -> Sequence[str | None]:
    if columns.entry is not None:
        return _needed(columns.entry, table).texts
    if table.keys is None:
        found = f"the rows at {table.pointer or 'the top'} are a list, not an object keyed by entry"
        raise Unreadable("no_table", found)
    return table.keys


def _truths(condition: Condition, table: Table, attributes: Mapping[str, Column]) -> list[bool]:
    """Where a condition is plainly true, by row; equal rows are asked once."""
    size = len(table.places)
    texts: list[Sequence[str | None]] = []
    for name in condition.names:
        cells = attributes.get(name, Named(name)).cells(table)
        if cells is None and name in condition.needed:
            raise no_column(name, table)
        texts.append([None] * size if cells is None else cells.texts)
    if not texts:
        return [condition({}) is True] * size
    known: dict[tuple[str | None, ...], bool] = {}
    truths = []
    for values in zip(*texts, strict=True):
        if values not in known:
            known[values] = condition(dict(zip(condition.names, values, strict=True))) is True
        truths.append(known[values])
    return truths


def _taking_part(
    columns: Columns, table: Table, entries: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Rows that take part, and what is to be said of those that should but cannot."""
    kept = list(range(len(entries)))
    if columns.where is not None:
        truths = _truths(columns.where, table, columns.attributes)
        kept = [row for row in kept if truths[row]]
    if all(entries):
        return kept, []
    nameless = [table.places[row] for row in kept if not entries[row]]
    notes = [f"row {place} (from 0) has no entry" for place in nameless]
    return [row for row in kept if entries[row]], notes


def _unranked(columns: Columns, table: Table, score: Numbers) -> list[str | None]:
    unranked: list[str | None] = [None] * len(score.ticks)
    if score.reasons is not None:
        unranked = [_UNRANKED[reason] if reason else None for reason in score.reasons]
    if columns.eligible is not None:
        truths = _truths(columns.eligible, table, columns.attributes)
        unranked = [
            why or (None if eligible else "ineligible")
            for why, eligible in zip(unranked, truths, strict=True)
        ]
    return unranked


def _odd_scores(
    kept: Sequence[int], entries: Sequence[str], score: Numbers, cells: Cells
) -> list[str]:
    """Scores that are neither a number nor one of the texts that mean none."""
    if score.reasons is None:
        return []
    odd = [row for row in kept if score.reasons[row] in ("not_a_number", "comma")]
    return [f"the score of {entries[row]!r} is no number: {cells.texts[row]!r}" for row in odd]


def _field(cells: Cells, number: Numbers, kept: Sequence[int]) -> FieldReading:
    return FieldReading(
        _taken(cells.texts, kept),
        _taken(number.ticks, kept),
        _taken(number.values, kept),
        number.dp,
        _taken(cells.pointers, kept),
    )


def _ignore(
    ignored: Mapping[str | None, str],
    chosen: Sequence[str],
    kept: Sequence[int],
    unranked: list[str | None],
    fields: dict[str, FieldReading],
) -> list[str]:
    """Take scores known to be wrong out of the ranking; the printed text stays."""
    score = fields[SCORE]
    ticks, values = list(score.ticks), list(score.values)
    notes = []
    for place, entry in enumerate(chosen):
        if entry in ignored:
            ticks[place], values[place] = None, float("nan")
            unranked[kept[place]] = "no_score"
            notes.append(f"the score of {entry!r} is ignored: {ignored[entry]}")
    fields[SCORE] = FieldReading(score.texts, ticks, values, score.dp, score.pointers)
    return notes


def _joined(notes: list[str]) -> str | None:
    if not notes:
        return None
    more = f"; and {len(notes) - MAX_NOTES} more" if len(notes) > MAX_NOTES else ""
    shown = [
        note if len(note) <= MAX_NOTE else f"{note[:MAX_NOTE]}..." for note in notes[:MAX_NOTES]
    ]
    return "; ".join(shown) + more
