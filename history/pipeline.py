"""What a board's history says, from bytes to ranks. Start reading here.

    versions -> readings, scores -> ranks -> reigns, splits, audit

`open_board()` gives a BoardHistory; each of its methods is one step of that flow.
Nothing here fetches, prints or writes.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from crawler.board import Board
from crawler.store import Store
from history import attributes, classes, clock, moments, notes, ranks, reigns, splits, ties
from history.audit import audit
from history.cells import Cells
from history.editions import editions
from history.editions.file_values import read_values
from history.frames import MEASURES, SCORE
from history.meaning import Meaning, conditions, read_meaning
from history.names import Names
from history.readings.stages import Stages
from history.scores import load_readings, load_scores
from history.scores.precision import own_decimals
from history.standing import Cell, Standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from history.audit.audit import Audit
    from history.editions.editions import Editions
    from history.editions.file_values import FileValues
    from history.meaning.definition import Columns
    from history.moves import Banding, MoveHistory
    from history.notes import TimedNote
    from history.reigns import By, Reign
    from history.robustness import NoComposite, Weighed
    from history.splits import Splits, View
    from history.ties import TieRule
    from history.uncertainty import BoardUncertainty, ScoreErrors

_VERSIONS_KEPT = 8  # of which all columns are in memory


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
        self._ranks: dict[tuple[str | None, TieRule | None, str], pd.DataFrame] = {}
        self._members: dict[str, pd.DataFrame] = {}
        self._reigns: dict[tuple[str | None, TieRule | None, By], list[Reign]] = {}
        self._moves: dict[str | None, MoveHistory] = {}
        self._scores_at = lru_cache(maxsize=_VERSIONS_KEPT)(self._read_scores)

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
        return self.readings.iloc[self.readings["version"].tolist().index(version)]

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

    def rank_history(
        self, split: str | None = None, tie: TieRule | None = None, among: str = ""
    ) -> pd.DataFrame:
        """RANKS of every version. The columns score.* hold the split's own numbers.

        Args:
            split: one of `split_names`, or None for the board's score.
            tie: another tie rule than the board's own.
            among: a condition; only entries that surely meet it are ranked, against each other.

        Raises:
            SplitError: with the names there are.
            ConditionError, NoSuchColumn: of `among`.
        """
        key = split, tie, among
        if key not in self._ranks:
            table = self._rank(split, tie, None, among)
            table.attrs |= self._settings(split, tie)
            self._ranks[key] = table
        return self._ranks[key]

    def members(self, condition: str) -> pd.DataFrame:
        """Who meets a condition in every version; see classes.members()."""
        if condition not in self._members:
            asked = conditions.parse(condition)
            found = classes.members(self.store, self.board, self.meaning, asked)
            self._members[condition] = found
        return self._members[condition]

    def _settings(self, split: str | None, tie: TieRule | None) -> dict[str, Any]:
        """What made a table of ranks, as it is at the newest version; plain values."""
        view = self.view(max(self._stage_of, default=None), split)
        rule = tie or view.rule
        return {
            "board": self.name,
            "split": split,
            "rank": "competition",
            "direction": view.direction,
            "ties": {"rule": rule.rule, "band": rule.band, "edge": rule.edge},
            "label": self.label if view.printed else "reasoned",
        }

    def full_ranks(self) -> pd.DataFrame:
        """RANKS of every version by the board's score, with all that the file says beside."""
        return self._rank(None, None, self.readings["version"].tolist())

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
        self,
        when: moments.When = "latest",
        split: str | None = None,
        tie: TieRule | None = None,
        among: str = "",
    ) -> Standings:
        """The board as it stood at one moment; arguments as of rank_history()."""
        moment = self.find(when)
        version = moment.version
        frame = self._rank(split, tie, [] if version is None else [version], among)
        rule, table = tie or self.view(version, split).rule, self.meaning_at(version).table
        columns = (
            tuple(table.parts),
            tuple(table.measures),
            attributes.read(frame, list(table.attributes)),
            self.view(version, split).printed,
        )
        if version is None:
            return Standings(moment, frame, None, split, rule, None, *columns)
        edition, band = self.reading(version)["edition"], self.bands(rule).get(version)
        label = None if pd.isna(edition) else str(edition)
        return Standings(moment, frame, label, split, rule, band, *columns)

    def reigns(
        self, split: str | None = None, tie: TieRule | None = None, by: By = "score"
    ) -> list[Reign]:
        """Who was first (by score, or with the first tie group), when, and how it was lost."""
        if (split, tie, by) not in self._reigns:
            table = self.rank_history(split, tie)
            found = reigns.reigns(table, self.readings, self.as_of, by=by)
            self._reigns[split, tie, by] = found
        return self._reigns[split, tie, by]

    def moves(self, split: str | None = None) -> MoveHistory:
        """The versions that can be read, ready to be compared: who moved, and why.

        Raises:
            SplitError: with the names there are.
        """
        if split not in self._moves:
            from history.moves import Makings, MoveHistory

            made = Makings(
                self.readings,
                split,
                self.meaning_at,
                lambda version: self.view(version, split),
                lambda version: self.part_scores([version]),
                lambda: self.file_values,
            )
            states = moments.states(self.readings)
            readable = states.index[states != "unknown"].tolist()
            ranked = self.rank_history(split)
            self._moves[split] = MoveHistory(ranked, readable, made.all, made.apply)
        return self._moves[split]

    def bandings(self, split: str | None = None, tie: TieRule | None = None) -> dict[int, Banding]:
        """How each version tells who is tied, for MoveHistory.between()."""
        from history.moves import Banding

        rules = {version: tie or self.view(version, split).rule for version in self._stage_of}
        bands = {rule: self.bands(rule) for rule in set(rules.values())}
        return {v: Banding(rule, bands[rule].get(v)) for v, rule in rules.items()}

    @cached_property
    def unreadable_entries(self) -> dict[int, list[str]]:
        """By version, entries whose own file could not be read: each of them may stand anywhere."""
        return reigns.unreadable_entries(self.rank_history()) if self.board.file_per_entry else {}

    def splits(self, when: moments.When = "latest", **settings: Any) -> Splits:
        """Every split of one moment side by side; settings as of splits.compare()."""
        moment = self.find(when)
        meaning = self.meaning_at(moment.version)
        if moment.version is None:
            scores = self.part_scores([])
        else:
            scores = self.scores_at(moment.version)
        return splits.compare(scores, meaning, **settings)

    def robustness(self, when: moments.When = "latest") -> Weighed | NoComposite:
        """How firmly first place stood at one moment, from the parts of the score."""
        from history.robustness import robustness

        stood = self.standings(when)
        version = stood.moment.version
        said = None if version is None else self.file_values.get(version)
        numbers, own = said.numbers if said else None, self._own_decimals(version)
        return robustness(stood.frame, self.meaning_at(version), own, numbers)

    def uncertainty(
        self, when: moments.When = "latest", split: str | None = None
    ) -> BoardUncertainty:
        """How sure the ranks of one moment are, as far as the file tells how far scores are off."""
        from history.uncertainty import uncertainty_of

        stood = self.standings(when, split)
        version = stood.moment.version
        table = self.meaning_at(version).table
        return uncertainty_of(stood.frame, table, self._own_decimals(version), split)

    def score_errors(self, version: int, split: str | None = None) -> ScoreErrors:
        """Standard errors of the ranked scores of a version, as far as the file tells."""
        from history.uncertainty import errors_of

        ranks, table = self._rank(split, None, [version]), self.meaning_at(version).table
        return errors_of(ranks, table, self._own_decimals(version), split)

    @cached_property
    def own_decimals(self) -> dict[int, Columns]:
        """[table] at the versions whose numbers have decimals of their own."""
        return own_decimals(self.readings, self._meanings)

    def _own_decimals(self, version: int | None) -> dict[int, Columns]:
        """[table] at a version, if its numbers have decimals of their own."""
        if version is None:
            return {}
        row = self.readings[self.readings["version"] == version]
        return own_decimals(row, {version: self.meaning_at(version)})

    def audit(self) -> Audit:
        """What looks wrong in any version; a reconstruction is never called stale."""
        table, as_of = self.full_ranks(), None if self.reconstruction else self.as_of
        return audit.audit(table, self.readings, self._meanings, as_of, self.file_values)

    @cached_property
    def _meanings(self) -> dict[int, Meaning]:
        return {version: self.meaning_at(version) for version in self._stage_of}

    @cached_property
    def file_values(self) -> dict[int, FileValues]:
        """What each file says beside its rows, at the paths of [formula] and [edition] block."""
        return read_values(self.store, self.board, self.readings, self._meanings)

    def scores_at(self, version: int) -> pd.DataFrame:
        """SCORES of one version with every column; of the last few that were asked for kept."""
        return self._scores_at(version)

    def _read_scores(self, version: int) -> pd.DataFrame:
        texts = self._stages.attributes
        return load_scores(self.store, self.board, self.meaning, self.fields, [version], texts)

    def part_scores(self, versions: Sequence[int]) -> pd.DataFrame:
        """SCORES of some versions, with the score and the parts of any stage."""
        fields = [name for name in self.fields if name not in MEASURES]
        return load_scores(self.store, self.board, self.meaning, fields, versions)

    @cached_property
    def editions(self) -> Editions:
        """Which editions there were; `comparable` in `history.editions` compares two of them."""
        return editions.read(self.readings, self._meanings, self.file_values)

    @cached_property
    def names(self) -> Names:
        """The keys and display names of all entries, through time."""
        # RANKS of all entries name the same ones; where there are any, nothing is read again.
        everybody = (ranks for (_, _, among), ranks in self._ranks.items() if not among)
        listed = next(everybody, None)
        if listed is None:
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
        return self._cells.cell(version, entry, field)

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self.name, self.label, self.readings, self._ranks, self.scores_at)

    def bands(self, rule: TieRule) -> dict[int, str]:
        """Printed band per version: the rule's own number, else the one in each file, if it is one."""
        return ties.printed_bands(rule, self.readings)

    def _rank(
        self,
        split: str | None,
        tie: TieRule | None,
        versions: Sequence[int] | None,
        among: str = "",
    ) -> pd.DataFrame:
        """RANKS of some versions (None: all); one version's have all columns beside."""
        if split is not None and split not in self.split_names:
            newest = max(self._stage_of, default=None)
            splits.made_of(self.meaning_at(newest), split)  # says what there is instead
        views = [self.view(version, split) for version in self._stage_of or [None]]
        # Asked of one version, too: it says what a tie rule lacks.
        fields = splits.needed(views, self.fields, split, tie, whole=versions is not None)
        if versions is not None and len(versions) == 1:
            scores = self.scores_at(versions[0])
        else:
            texts = () if versions is None else self._stages.attributes
            scores = load_scores(self.store, self.board, self.meaning, fields, versions, texts)
        if among:  # of the same rows, in the same order
            found = self.members(among)
            if versions is not None:
                found = found[found["version"].isin(versions)]
            meets = found[classes.MEETS]
            scores = scores[meets.eq(True).to_numpy()].reset_index(drop=True)
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
                bands=self.bands(rule),
            )
            tables.append(ranked)
        return tables[0] if len(tables) == 1 else ranks.joined(tables)
