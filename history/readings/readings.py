"""What does one published file say, row by row?

In: a Meaning and the bytes of one file. Out: a Reading. Start at read_table(). A file that cannot
be read gives a Reading, too: it says why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from history.frames import SCORE
from history.meaning import Meaning, patterns
from history.meaning.columns import Column
from history.meaning.conditions import truths
from history.meaning.definition import Columns
from history.numbers.column import Numbers
from history.readers import (
    Cells,
    Document,
    File,
    Find,
    Nested,
    Table,
    Unreadable,
    choose,
    no_column,
    trimmed,
)
from history.readers.folder import FolderDocument, FolderTable
from history.readings import layouts, unseen
from history.readings.file_numbers import RANK, TIE_RANK, FileNumbers, no_numbers
from history.readings.long_layout import LongTable
from history.readings.remarks import Remark, RemarkKind, joined, left_out, none_takes_part
from history.readings.repeats import Repeats

_SETTLE = 'Write scale = 1 if all are right, "percent" if up to 1 are shares'
_Value = TypeVar("_Value")
_UNRANKED = {
    "missing": "no_score",
    "not_a_number": "no_score",
    "bound": "no_score",
    "about": "no_score",
    "ambiguous": "no_score",
    "not_finite": "not_finite",
}
_ODD = {"not_a_number": "no number", "bound": "a bound, no value", "about": "no exact value"}


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
    """The score, a part or a measure of the entries of a Reading.

    Attributes:
        texts: as printed; None where the file has nothing.
        ticks: in units of 10**-dp; None where there is no number.
        values: as floats, NaN where there is no number.
        dp: decimals of this field in this version.
        pointers: where each stands, or would stand; None where the file has no such column.
    """

    texts: Sequence[str | None]
    ticks: Sequence[int | None]
    values: Sequence[float]
    dp: int
    pointers: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """One file, understood; all sequences run by entry, in file order.

    Attributes:
        reading: read; partial, where rows were left out; empty, where no entry takes part;
            absent; unreadable.
        reason: why it is unreadable: one of `Unreadable.reason`.
        found: for people: why it is unreadable, or the first remarks.
        edition, band: what the file says; None if nothing.
        pointer: where the rows stand; None if unreadable.
        entries, names: stable keys, display names.
        rows: places in the file, from 0.
        unranked: None if ranked, else no_score, not_finite, ineligible, duplicate, or
            unreadable, where an entry has a file of its own that cannot be read.
        ranks, tie_ranks: what the file itself says.
        fields: `score`, the parts, and the measures that the definition names.
        attributes: what the file says of each entry besides, by name; None where it says nothing.
        paths: the file of each entry; None where all stand in the version's own.
        remarks: what is wrong in the file, or noteworthy.
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
    attributes: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    paths: Sequence[str] | None = None
    remarks: Sequence[Remark] = ()


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
        self._numbers = FileNumbers(meaning.table)
        self._keys, self._names = _Trimmed(), _Trimmed()

    def read(self, path: str, data: bytes, overrides: Overrides | None = None) -> Reading:
        """Read one file; see read_table()."""
        return self.read_file(File(path, data), overrides)

    def read_file(self, file: File, overrides: Overrides | None = None) -> Reading:
        """Read one file, which may be parsed by now; see read_table()."""
        return self._said(lambda: file.document(self._meaning.table.format), overrides)

    def read_folder(self, folder: FolderDocument, overrides: Overrides | None = None) -> Reading:
        """Read the files of one version, each of which holds one entry."""
        return self._said(lambda: folder, overrides)

    def _said(self, parse: Callable[[], Document], overrides: Overrides | None) -> Reading:
        says = Overrides(self._meaning.aliases) if overrides is None else overrides
        columns = self._meaning.table
        try:
            if None in says.ignored:
                raise Unreadable("ignored", says.ignored[None])
            with patterns.one_version():
                document = parse()
                return self._read(
                    document, choose(document, columns.rows, _needed_of(columns)), says
                )
        except Unreadable as error:
            return Reading("unreadable", error.reason, error.found)

    def _read(self, document: Document, table: Table, says: Overrides) -> Reading:
        meaning, columns = self._meaning, self._meaning.table
        table = layouts.in_rows(table, columns)
        edition = _edition(meaning.edition_label, document, table)
        ties = meaning.ties
        band = document.find(ties.band_path) if ties.band_path else ties.band
        if not table.places and not table.names():
            return Reading("empty", None, "no rows", edition, band, table.pointer)

        cells = {SCORE: _needed(columns.score, table)}
        cells |= {name: _needed(part.column, table) for name, part in columns.parts.items()}
        measures = {name: column.cells(table) for name, column in columns.measures.items()}
        read = self._numbers.read(cells, measures)
        keys = _keys(table, columns)
        entries = self._keys.read(keys)
        if says.aliases:
            entries = [says.aliases.get(entry, entry) for entry in entries]
        # Of the row of a file that cannot be read nothing is known but that it is there.
        unread = frozenset(table.unread if isinstance(table, FolderTable) else ())
        kept, found = _taking_part(columns, table, entries, unread, cells[SCORE].pointers)
        partial = bool(table.left_out or found)
        found = left_out(table.left_out) + found
        shown = None if columns.name is None else _needed(columns.name, table)
        found += unseen.find(keys, entries, kept, cells[SCORE], shown)
        unranked = _unranked(columns, table, read[SCORE])
        for row in unread:
            unranked[row] = "unreadable"
        if len(set(_taken(entries, kept))) < len(kept):
            entries = list(entries)
            latest = _needed(columns.latest_by, table).texts if columns.latest_by else None
            score = cells[SCORE].texts, read[SCORE].ticks, cells[SCORE].pointers
            same = Repeats(columns, entries, table.places, *score, latest)
            kept = same.resolve(kept, unranked)
            found += same.remarks
        found += _odd_scores(kept, entries, read[SCORE], cells[SCORE])

        chosen = _taken(entries, kept)
        fields = {
            name: _field(cells.get(name) or measures[name], number, kept)
            for name, number in read.items()
        }
        if says.ignored:
            found += _ignore(says.ignored, chosen, kept, unranked, fields)
        if not columns.scaled:
            found += self._other_scale(chosen, fields[SCORE], _taken(unranked, kept))
        if not kept and table.places:
            found.append(none_takes_part(len(table.places)))
        names = self._display_names(shown, entries, kept)
        ranks = self._ranks(RANK, columns.published_rank, table, kept)
        tie_ranks = self._ranks(TIE_RANK, columns.published_tie_rank, table, kept)
        attributes = _attributes(columns, table, kept)
        if isinstance(table, LongTable):  # it knows them only when all columns were asked for
            found += _with_aliases(table.remarks, says.aliases)
        return Reading(
            "empty" if not kept else "partial" if partial else "read",
            None,
            joined(found),
            edition,
            band,
            table.pointer,
            chosen,
            names,
            _taken(table.places, kept),
            _taken(unranked, kept),
            ranks,
            tie_ranks,
            fields,
            attributes,
            _taken(table.paths, kept) if isinstance(table, FolderTable) else None,
            found,
        )

    def _other_scale(
        self, entries: Sequence[str], score: FieldReading, unranked: Sequence[str | None]
    ) -> list[Remark]:
        """Refuse a score with two scales; a single number of another one is noted."""
        ticks = score.ticks
        if any(unranked):
            ticks = [None if why else tick for why, tick in zip(unranked, ticks, strict=True)]
        mixed, odd = self._numbers.two_scales(entries, score.texts, ticks, score.dp)
        if mixed:
            raise Unreadable("mixed_scale", f"{mixed}. {_SETTLE}")
        if odd is None:
            return []
        row, said = odd
        return [Remark("scale_mixed", entries[row], score.pointers[row], f"{said}. {_SETTLE}")]

    def _display_names(
        self, shown: Cells | None, entries: Sequence[str], kept: Sequence[int]
    ) -> Sequence[str]:
        """What people read: the name, else the entry."""
        if shown is None:
            return _taken(entries, kept)
        names = self._names.read(shown.texts)
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
        return _taken(self._numbers.ranks(name, cells), kept)


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


def _needed_of(columns: Columns) -> dict[str, Find]:
    """The columns by which a table is known: key and score, or part."""
    needed = (columns.entry, columns.part or columns.score)
    return {str(column): column.cells for column in needed if column}


def _needed(column: Column, table: Table) -> Cells:
    cells = column.cells(table)
    if cells is None:
        raise no_column(str(column), table)
    return cells


def _edition(label: str | Column | None, document: Document, table: Table) -> str | None:
    """The edition that the file names; None where it names none, or its rows name several."""
    if label is None or isinstance(label, str):
        return document.find(label) if label else None
    cells = label.cells(table)
    named = {text.strip() for text in cells.texts if text and text.strip()} if cells else set()
    return named.pop() if len(named) == 1 else None


def _keys(table: Table, columns: Columns) -> Sequence[str | None]:
    if columns.entry is not None and columns.layout != "long":
        texts = _needed(columns.entry, table).texts
        if Nested in set(map(type, texts)):
            return [None if isinstance(text, Nested) else text for text in texts]
        return texts
    if table.keys is None:
        found = f"the rows at {table.pointer or 'the top'} are a list, not an object keyed by entry"
        raise Unreadable("no_table", found)
    return table.keys


def _taking_part(
    columns: Columns,
    table: Table,
    entries: Sequence[str],
    unread: Collection[int],
    pointers: Sequence[str],
) -> tuple[list[int], list[Remark]]:
    """Rows that take part, and what is to be said of those that should but cannot."""
    kept = list(range(len(entries)))
    if columns.where is not None and columns.layout != "long":  # asked of the rows of the file
        holds = truths(columns.where, table, columns.attributes)
        kept = [row for row in kept if holds[row] or row in unread]
    if all(entries):
        return kept, []
    remarks = [
        Remark(
            "rows_left_out", None, pointers[row], f"row {table.places[row]} (from 0) has no entry"
        )
        for row in kept
        if not entries[row]
    ]
    return [row for row in kept if entries[row]], remarks


def _attributes(
    columns: Columns, table: Table, kept: Sequence[int]
) -> dict[str, Sequence[str | None]]:
    """Texts of the attributes; a version may lack the column."""
    return {
        name: _taken(cells.texts, kept)
        for name, column in columns.attributes.items()
        if (cells := column.cells(table))
    }


def _unranked(columns: Columns, table: Table, score: Numbers) -> list[str | None]:
    unranked: list[str | None] = [None] * len(score.ticks)
    if score.reasons is not None:
        unranked = [_UNRANKED[reason] if reason else None for reason in score.reasons]
    if columns.eligible is not None:
        holds = truths(columns.eligible, table, columns.attributes)
        unranked = [
            why or (None if eligible else "ineligible")
            for why, eligible in zip(unranked, holds, strict=True)
        ]
    return unranked


def _odd_scores(
    kept: Sequence[int], entries: Sequence[str], score: Numbers, cells: Cells
) -> list[Remark]:
    """Scores that are neither a number nor one of the texts that mean none."""
    remarks = []
    for row in kept if score.reasons else ():
        reason, either = score.reasons[row] if score.reasons else None, score.either.get(row)
        said = f"ambiguous, {either}" if either else _ODD.get(reason or "")
        if said:
            text = f"the score of {entries[row]!r} is {said}: {cells.texts[row]!r}"
            kind: RemarkKind = "ambiguous" if either else "odd_score"
            remarks.append(Remark(kind, entries[row], cells.pointers[row], text))
    return remarks


def _with_aliases(remarks: Sequence[Remark], aliases: Mapping[str, str]) -> list[Remark]:
    """Remarks that call the entries by their keys in the file."""
    return [one._replace(entry=aliases.get(one.entry or "", one.entry)) for one in remarks]


def _field(cells: Cells | None, number: Numbers, kept: Sequence[int]) -> FieldReading:
    if cells is None:
        gaps, none = [None] * len(kept), no_numbers(len(kept))
        return FieldReading(gaps, none.ticks, none.values, none.dp, gaps)
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
) -> list[Remark]:
    """Take scores known to be wrong out of the ranking; the printed text stays."""
    score = fields[SCORE]
    ticks, values = list(score.ticks), list(score.values)
    remarks = []
    for place, entry in enumerate(chosen):
        if entry in ignored:
            ticks[place], values[place] = None, float("nan")
            unranked[kept[place]] = "no_score"
            text = f"the score of {entry!r} is ignored: {ignored[entry]}"
            remarks.append(Remark("ignored", entry, score.pointers[place], text))
    fields[SCORE] = FieldReading(score.texts, ticks, values, score.dp, score.pointers)
    return remarks
