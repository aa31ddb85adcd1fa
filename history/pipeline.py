"""What a board's history says, from bytes to ranks. Start reading here.

    versions -> readings, scores -> ranks -> reigns, splits, audit

`open_board()` gives a BoardHistory; each of its methods is one step of that flow.
Nothing here fetches, prints or writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from crawler.board import Board
from crawler.store import Store
from history import attributes, clock, moments, notes, ranks, reigns, splits, ties
from history.audit import audit
from history.frames import MEASURES, SCORE, pointer_of, text_of
from history.meaning import Meaning, read_meaning
from history.names import Names
from history.readings.stages import Stages
from history.scores import load_readings, load_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from history.attributes import Attribute
    from history.audit.audit import Audit
    from history.notes import TimedNote
    from history.reigns import Reign
    from history.splits import Splits, View
    from history.ties import TieRule


@dataclass(frozen=True, slots=True)
class Cell:
    """One number, and where it stands.

    Attributes:
        commit: full commit id.
        committed_at: the committer's clock, UTC.
        path: file in the repository.
        pointer: place in the file (RFC 6901 or RFC 7111); None for a formula's result.
        text: as printed; None where the entry or the number is not there.
        entry: stable key.
        field: `score` or a part.
        label: measured, or reported where the history is a reconstruction.
    """

    board: str
    commit: str
    committed_at: pd.Timestamp
    path: str
    pointer: str | None
    text: str | None
    entry: str | None
    field: str
    label: str


@dataclass(frozen=True, slots=True)
class Standings:
    """A board as it stood at one moment.

    Attributes:
        moment: which version answers, and how sure that is.
        frame: RANKS of that version with parts and measures beside, best first, unranked last;
            no rows where the board was empty or absent.
        edition: the label that the file gives itself, or None.
        split: None is the board's own score.
        ties: the rule that made the tie ranks.
        band: printed width of the tie band in that version, or None.
        parts, measures: names of the columns that the definition has at that version: what the
            score is made of, and low, high, se, items.
        attributes: what the file says of the entries besides numbers, by name; in the order of
            `frame`.
        printed: whether the scores stand in the file; else they are computed from parts.
    """

    moment: moments.Moment
    frame: pd.DataFrame
    edition: str | None
    split: str | None
    ties: TieRule
    band: str | None
    parts: tuple[str, ...]
    measures: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    printed: bool

    @property
    def n_ranked(self) -> int:
        """Entries with a rank."""
        return int(self.frame["rank"].notna().sum())

    @property
    def n_unreadable(self) -> int:
        """Entries whose own file could not be read: ranks are those of the others."""
        return int((self.frame["unranked"] == "unreadable").sum())


def open_board(store: Store | Path | str, board: str) -> BoardHistory:
    """The history of one board in a store.

    Args:
        store: a Store, or its folder.
        board: name, title, or a unique beginning of either.

    Raises:
        UnknownBoard: no such board. BoardError: its definition is wrong.
        StoreError: what is stored is damaged, or of another source than the definition names now.
    """
    store = store if isinstance(store, Store) else Store(Path(store))
    found = store.find(board)
    meaning = read_meaning(found)
    store.refuse_other_source(found)
    return BoardHistory(store, found, meaning)


class BoardHistory:
    """One board through time; every answer is computed once and kept.

    Attributes:
        store: where the bytes are.
        board: name, title and source.
        meaning: columns, parts, ties and splits of the definition, before any [[since]] of it
            holds; see meaning_at().
    """

    def __init__(self, store: Store, board: Board, meaning: Meaning):
        self.store = store
        self.board = board
        self.meaning = meaning
        self._stages = Stages(meaning)
        self._views: dict[tuple[str, str | None], View] = {}
        self._ranks: dict[tuple[str | None, TieRule | None], pd.DataFrame] = {}
        self._reigns: dict[str | None, list[Reign]] = {}
        self._cells: dict[tuple[int, str], pd.DataFrame] = {}

    @property
    def name(self) -> str:
        """The board's name, as in the store."""
        return self.board.name

    @property
    def title(self) -> str:
        """The board's title for people."""
        return self.board.title

    @property
    def reconstruction(self) -> str:
        """Why this is not the board's own history; empty if it is."""
        return self.board.reconstruction

    @property
    def label(self) -> str:
        """What a number of this board is worth as evidence."""
        return "reported" if self.reconstruction else "measured"

    @cached_property
    def as_of(self) -> pd.Timestamp | None:
        """Start of the last successful look at the source, UTC; None before the first."""
        seen = self.store.confirmed_until(self.name)
        return None if seen is None else pd.Timestamp(seen).floor("s")

    @cached_property
    def readings(self) -> pd.DataFrame:
        """READINGS, one row per version, with `at` made monotone."""
        return clock.with_times(load_readings(self.store, self.board, self.meaning))

    def reading(self, version: int) -> pd.Series:
        """READINGS of one version."""
        return self.readings.loc[self.readings["version"] == version].iloc[0]

    @cached_property
    def _stage_of(self) -> dict[int, str]:
        return dict(zip(self.readings["version"].tolist(), self.readings["stage"], strict=True))

    def meaning_at(self, version: int | None) -> Meaning:
        """The definition as it is at a version; None: before any of its [[since]] holds."""
        return self._stages.at("" if version is None else self._stage_of[version])

    def view(self, version: int | None, split: str | None = None) -> View:
        """What the score, or a split, is made of at a version, and how it ranks."""
        at = "" if version is None else self._stage_of[version], split
        if at not in self._views:
            self._views[at] = splits.view(self._stages.at(at[0]), split)
        return self._views[at]

    @property
    def fields(self) -> list[str]:
        """The columns of numbers of all versions: the score, parts, then what else is measured."""
        return self._stages.fields

    @cached_property
    def split_names(self) -> list[str]:
        """Names that `split` accepts, at some version, besides None for the score itself."""
        stages = dict.fromkeys(["", *self._stage_of.values()])
        names = (name for stage in stages for name in splits.names_of(self._stages.at(stage)))
        return list(dict.fromkeys(names))

    def rank_history(self, split: str | None = None, tie: TieRule | None = None) -> pd.DataFrame:
        """RANKS of every version. The columns score.* hold the split's own numbers.

        Args:
            split: one of `split_names`, or None for the board's score.
            tie: another tie rule than the board's own.

        Raises:
            SplitError: with the names there are.
        """
        if (split, tie) not in self._ranks:
            self._ranks[split, tie] = self._rank(split, tie, None)
        return self._ranks[split, tie]

    def find(self, when: moments.When = "latest") -> moments.Moment:
        """The version that answers for a commit, date, timestamp or `latest`.

        Raises:
            MomentError: not a moment, or none that this history covers.
        """
        asks_for_commit = isinstance(when, str) and moments.COMMIT.fullmatch(when.strip())
        line = self._line if asks_for_commit and len(self._line) else None
        try:
            return moments.find(self.readings, self.as_of, when, line)
        except moments.NotOnTheLine as error:
            if self.store.objects(self.board).holds(str(when).strip()):
                raise error.of_a_side_branch(self.board.source.branch) from None
            raise

    @cached_property
    def notes(self) -> tuple[TimedNote, ...]:
        """What the definition says beside the file: its notes, and what it ignores."""
        return notes.read(self.meaning, self.readings, lambda: self._line.itertuples(index=False))

    @cached_property
    def _line(self) -> pd.DataFrame:
        """Columns `commit`, `position` of the published line, as far as versions are known."""
        line = self.store.looked_through(self.board)
        return line.select(["commit", "position"]).to_pandas()

    def standings(
        self, when: moments.When = "latest", split: str | None = None, tie: TieRule | None = None
    ) -> Standings:
        """The board as it stood at one moment."""
        moment = self.find(when)
        version = moment.version
        frame = self._rank(split, tie, [] if version is None else [version])
        rule, table = tie or self.view(version, split).rule, self.meaning_at(version).table
        columns = (
            tuple(table.parts),
            tuple(table.measures),
            attributes.read(frame, list(table.attributes)),
            self.view(version, split).printed,
        )
        if version is None:
            return Standings(moment, frame, None, split, rule, None, *columns)
        edition, band = self.reading(version)["edition"], self._bands(rule).get(version)
        label = None if pd.isna(edition) else str(edition)
        return Standings(moment, frame, label, split, rule, band, *columns)

    def reigns(self, split: str | None = None) -> list[Reign]:
        """Who was first, from when to when, and how first place was lost."""
        if split not in self._reigns:
            table = self.rank_history(split)
            self._reigns[split] = reigns.reigns(table, self.readings, self.as_of)
        return self._reigns[split]

    @cached_property
    def unreadable_entries(self) -> dict[int, list[str]]:
        """By version, entries whose own file could not be read: each of them may stand anywhere."""
        return reigns.unreadable_entries(self.rank_history()) if self.board.file_per_entry else {}

    def splits(self, when: moments.When = "latest") -> Splits:
        """Every split of one moment side by side."""
        moment = self.find(when)
        at = [] if moment.version is None else [moment.version]
        meaning = self.meaning_at(moment.version)
        fields = (SCORE, *meaning.table.parts)
        scores = load_scores(self.store, self.board, self.meaning, fields, at)
        return splits.compare(scores, meaning)

    def audit(self) -> Audit:
        """What looks wrong in any version; a reconstruction is never called stale."""
        versions = self.readings["version"].tolist()
        table = self._rank(None, None, versions)
        as_of = None if self.reconstruction else self.as_of
        meanings = {version: self.meaning_at(version) for version in versions}
        return audit.audit(table, self.readings, meanings, as_of)

    @cached_property
    def names(self) -> Names:
        """The keys and display names of all entries, through time."""
        listed = load_scores(self.store, self.board, self.meaning, (), None)
        return Names(self.name, listed, self.meaning.aliases)

    def shown(self, entry: str, version: int | None = None) -> str:
        """What people read for an entry, then or now; see Names.shown()."""
        return self.names.shown(entry, version)

    def entries(self) -> list[str]:
        """Every entry that was ever listed, in code-point order."""
        return self.names.entries()

    def resolve_entry(self, text: str) -> str:
        """The entry that a person means; see Names.resolve()."""
        return self.names.resolve(text)

    def cell(self, version: int, entry: str | None, field: str = SCORE) -> Cell:
        """Where a number of one version stands; text and pointer are None if it is not there."""
        reading = self.reading(version)
        text = pointer = None
        path = str(reading["path"])
        if entry is not None:
            table = self._cells_of(version, field)
            row = table[table["entry"] == entry]
            if len(row):
                path = str(row.iloc[0].get("path", path))
                printed, where = row.iloc[0][text_of(field)], row.iloc[0][pointer_of(field)]
                text = None if pd.isna(printed) else str(printed)
                pointer = None if pd.isna(where) else str(where)
        if pointer is None and not pd.isna(reading["rows_pointer"]):
            pointer = str(reading["rows_pointer"])
        return Cell(
            self.name,
            str(reading["commit"]),
            reading["committed_at"],
            path,
            pointer,
            text,
            entry,
            field,
            self.label,
        )

    def _cells_of(self, version: int, field: str) -> pd.DataFrame:
        """One column of one version; an answer shows several of its cells."""
        if (version, field) not in self._cells:
            read = load_scores(self.store, self.board, self.meaning, (field,), [version])
            self._cells[version, field] = read
        return self._cells[version, field]

    def _bands(self, rule: TieRule) -> dict[int, str]:
        """Printed band per version: the rule's own number, else the one in each file, if it is one."""
        versions = self.readings["version"].tolist()
        if rule.rule == "none":
            return {}
        if rule.band is not None:
            return dict.fromkeys(versions, rule.band)
        said = zip(versions, self.readings["band"], strict=True)
        written = {v: str(band) for v, band in said if not pd.isna(band)}
        return {v: band for v, band in written.items() if ties.band_width(band) is not None}

    def _rank(
        self, split: str | None, tie: TieRule | None, versions: Sequence[int] | None
    ) -> pd.DataFrame:
        """RANKS of some versions (None: all); one version's have all columns beside."""
        if split is not None and split not in self.split_names:
            newest = max(self._stage_of, default=None)
            splits.made_of(self.meaning_at(newest), split)  # says what there is instead
        views = [self.view(version, split) for version in self._stage_of or [None]]
        if versions is not None:
            fields = self.fields
        elif not all(view.printed for view in views):
            fields = [name for name in self.fields if name not in MEASURES]
        else:
            fields = list(dict.fromkeys(field for view in views for field in view.fields))
        texts = () if versions is None else self._stages.attributes
        scores = load_scores(self.store, self.board, self.meaning, fields, versions, texts)
        parts = [scores]
        if self.meaning.since and len(scores):
            stage = scores["version"].map(self._stage_of)
            parts = [part for _, part in scores.groupby(stage, sort=False)]
        tables = []
        for part in parts:
            view = self.view(int(part["version"].iloc[0]) if len(part) else None, split)
            rule = tie or view.rule
            ranked = ranks.rank(
                splits.scores_of(part, view),
                direction=view.direction,
                rule=rule,
                bands=self._bands(rule),
            )
            tables.append(ranked)
        return tables[0] if len(tables) == 1 else ranks.joined(tables)
