"""What a board's history says, from bytes to ranks. Start reading here.

    versions -> readings, scores -> ranks -> reigns, splits

`open_board()` gives a BoardHistory; each of its methods is one step of that flow.
Nothing here fetches, prints or writes.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from crawler.board import Board, nearest
from crawler.errors import TypedError
from crawler.store import Store
from history import clock, moments, ranks, reigns, splits, ties
from history.frames import SCORE, pointer_of, text_of
from history.meaning import Meaning, read_meaning
from history.scores import load_readings, load_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from history.moments import Moment, When
    from history.reigns import Reign
    from history.splits import Splits
    from history.ties import TieRule


class UnknownEntry(TypedError):
    """No entry of the board, at any time, has this key, name or alias."""


class AmbiguousEntry(TypedError):
    """Several entries answer to this name."""


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
        frame: RANKS of that version with the parts beside, best first, unranked last;
            no rows where the board was empty or absent.
        edition: the label that the file gives itself, or None.
        split: None is the board's own score.
        ties: the rule that made the tie ranks.
        band: printed width of the tie band in that version, or None.
    """

    moment: Moment
    frame: pd.DataFrame
    edition: str | None
    split: str | None
    ties: TieRule
    band: str | None

    @property
    def n_ranked(self) -> int:
        """Entries with a rank."""
        return int(self.frame["rank"].notna().sum())


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
        meaning: columns, parts, ties and splits of the definition.
    """

    def __init__(self, store: Store, board: Board, meaning: Meaning):
        self.store = store
        self.board = board
        self.meaning = meaning
        self._ranks: dict[tuple[str | None, TieRule], pd.DataFrame] = {}
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
        frame = load_readings(self.store, self.board, self.meaning)
        return frame.assign(at=clock.effective_times(frame["committed_at"]))

    def reading(self, version: int) -> pd.Series:
        """READINGS of one version."""
        return self.readings.loc[self.readings["version"] == version].iloc[0]

    @property
    def split_names(self) -> list[str]:
        """Names that `split` accepts, besides None for the score itself."""
        return splits.names_of(self.meaning)

    def rank_history(self, split: str | None = None, tie: TieRule | None = None) -> pd.DataFrame:
        """RANKS of every version. The columns score.* hold the split's own numbers.

        Args:
            split: one of `split_names`, or None for the board's score.
            tie: another tie rule than the board's own.

        Raises:
            SplitError: with the names there are.
        """
        rule = tie or self._rule(split)
        if (split, rule) not in self._ranks:
            self._ranks[split, rule] = self._rank(split, rule, None)
        return self._ranks[split, rule]

    def find(self, when: When = "latest") -> Moment:
        """The version that answers for a commit, date, timestamp or `latest`.

        A commit that left the board's file alone has the version before it.

        Raises:
            MomentError: not a moment, or none that this history covers.
        """
        asks_for_commit = isinstance(when, str) and moments.COMMIT.fullmatch(when.strip())
        line = self._line if asks_for_commit and len(self._line) else None
        return moments.find(self.readings, self.as_of, when, line)

    @cached_property
    def _line(self) -> pd.DataFrame:
        """Columns `commit`, `position` of the published line, as far as versions are known."""
        line = self.store.looked_through(self.board)
        return line.select(["commit", "position"]).to_pandas()

    def standings(
        self, when: When = "latest", split: str | None = None, tie: TieRule | None = None
    ) -> Standings:
        """The board as it stood at one moment."""
        moment = self.find(when)
        rule = tie or self._rule(split)
        version = moment.version
        frame = self._rank(split, rule, [] if version is None else [version])
        if version is None:
            return Standings(moment, frame, None, split, rule, None)
        reading = self.reading(version)
        edition, band = reading["edition"], self._bands(rule).get(version)
        return Standings(
            moment, frame, None if pd.isna(edition) else str(edition), split, rule, band
        )

    def reigns(self, split: str | None = None) -> list[Reign]:
        """Who was first, from when to when, and how first place was lost."""
        if split not in self._reigns:
            table = self.rank_history(split)
            self._reigns[split] = reigns.reigns(table, self.readings, self.as_of)
        return self._reigns[split]

    def splits(self, when: When = "latest") -> Splits:
        """Every split of one moment side by side."""
        moment = self.find(when)
        at = [] if moment.version is None else [moment.version]
        fields = (SCORE, *self.meaning.table.parts)
        scores = load_scores(self.store, self.board, self.meaning, fields, at)
        return splits.compare(scores, self.meaning)

    @cached_property
    def _renamed(self) -> pd.DataFrame:
        """Columns `version`, `entry`, `name`: a row where an entry's display name changes."""
        listed = load_scores(self.store, self.board, self.meaning, (), None)
        listed = listed[["version", "entry", "name"]].sort_values("entry", kind="stable")
        before = listed[["entry", "name"]].shift()
        changed = (listed["entry"] != before["entry"]) | (listed["name"] != before["name"])
        return listed[changed].astype({"entry": str, "name": str}).reset_index(drop=True)

    @cached_property
    def names(self) -> pd.DataFrame:
        """Columns `entry`, `name`: each display name that each entry ever had."""
        return self._renamed[["entry", "name"]].drop_duplicates().reset_index(drop=True)

    @cached_property
    def _names_over_time(self) -> dict[str, list[tuple[int, str]]]:
        owners = self.names.groupby("name")["entry"].nunique()
        shared = set(owners.index[owners > 1])
        found: dict[str, list[tuple[int, str]]] = {}
        for version, entry, name in self._renamed.itertuples(index=False):
            found.setdefault(entry, []).append((version, entry if name in shared else name))
        return found

    def shown(self, entry: str, version: int | None = None) -> str:
        """What people read for an entry: its display name, if that was never another's.

        Args:
            entry: its key.
            version: the name that it had then, or last before; None for the newest.
        """
        names = self._names_over_time.get(entry)
        if not names:
            return entry
        if version is None:
            return names[-1][1]
        return names[max(bisect_right(names, version, key=itemgetter(0)) - 1, 0)][1]

    def entries(self) -> list[str]:
        """Every entry that was ever listed, in code-point order."""
        return sorted(self.names["entry"].unique().tolist())

    def resolve_entry(self, text: str) -> str:
        """The entry that a person means: by key, display name or alias, exactly, else case-folded.

        Raises:
            UnknownEntry: with the nearest names. AmbiguousEntry: with those that fit.
        """
        aliases = self.meaning.aliases
        for same in (str, str.casefold):
            wanted = same(text)
            by_key = {e for e in self.names["entry"] if same(e) == wanted}
            by_name = {e for e, n in self.names.itertuples(index=False) if same(n) == wanted}
            by_alias = {e for key, e in aliases.items() if same(key) == wanted}
            fits = by_key or by_name | by_alias
            if len(fits) == 1:
                return fits.pop()
            if fits:
                listed = ", ".join(sorted(fits)[:5])
                raise AmbiguousEntry(
                    self.name, f'"{text}" fits {len(fits)} entries: {listed}', "Give the key of one"
                )
        known = dict.fromkeys([*self.names["entry"], *self.names["name"], *aliases])
        close = nearest(text, list(known))
        hint = f"Nearest: {', '.join(close)}" if close else f"It has {len(self.entries())} entries"
        raise UnknownEntry(self.name, f'no entry "{text}"', hint)

    def cell(self, version: int, entry: str | None, field: str = SCORE) -> Cell:
        """Where a number of one version stands; text and pointer are None if it is not there."""
        reading = self.reading(version)
        text = pointer = None
        if entry is not None:
            table = self._cells_of(version, field)
            row = table[table["entry"] == entry]
            if len(row):
                printed, where = row.iloc[0][text_of(field)], row.iloc[0][pointer_of(field)]
                text = None if pd.isna(printed) else str(printed)
                pointer = None if pd.isna(where) else str(where)
        if pointer is None and not pd.isna(reading["rows_pointer"]):
            pointer = str(reading["rows_pointer"])
        return Cell(
            self.name,
            str(reading["commit"]),
            reading["committed_at"],
            str(reading["path"]),
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

    def _rule(self, split: str | None) -> TieRule:
        # A board's tie rule is a policy about its score; it says nothing of the parts.
        return ties.NO_TIES if split is not None else ties.rule_of(self.meaning)

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
        self, split: str | None, rule: TieRule, versions: Sequence[int] | None
    ) -> pd.DataFrame:
        """RANKS of some versions (None: all); one version's have the parts beside."""
        meaning = self.meaning
        made_of = splits.made_of(meaning, split) if split is not None else None
        parts = tuple(meaning.table.parts)
        if versions is not None or (made_of is not None and made_of not in parts):
            fields: tuple[str, ...] = (SCORE, *parts)
        else:
            fields = (SCORE,) if made_of is None else (made_of,)
        scores = load_scores(self.store, self.board, meaning, fields, versions)
        if split is not None:
            scores = splits.split_scores(scores, meaning, split)
        return ranks.rank(
            scores,
            direction=splits.direction_of(meaning, split),
            rule=rule,
            bands=self._bands(rule),
        )
