"""What does one claim about one board come to?

A Leaf knows its board, its entries and their ranks; how a version is judged is given to it, one
function for each predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from history.claims import wording
from history.claims.answer import BETWEEN_LOOKS, Answer, Holds, Ref, undecided
from history.claims.language.claim import RANK_PREDICATES, Claim
from history.claims.rank_rows import RankRows
from history.claims.row import NONE, Row
from history.claims.timeline import AFTER, BEFORE, Moment, Track, is_between, seen_after

if TYPE_CHECKING:
    from history.pipeline import BoardHistory

    # A leaf, one version of its board, and whether words and evidence are wanted.
    Judge = Callable[["Leaf", int, bool], Answer]


class Leaf:
    """One claim about one board.

    Args:
        claim: rank, top_k, first, tie, ahead, score, delta, count or average_of.
        history: its board.
        track: the board's versions; `rows` their ranks.
        subject, other: keys of the entries; None for numbers of the claim's own.
        problem: code and words if it cannot be decided at any time, as for an unknown entry.
        lacking: the same of a class that no version can tell; time and edition are asked first.
        judge: answers for a version that can be read.

    Attributes:
        endings: how it ended in a version, in words; `near.endings` fills it.
    """

    def __init__(
        self,
        claim: Claim,
        history: BoardHistory,
        track: Track,
        rows: RankRows,
        *,
        subject: str | None,
        other: str | None,
        problem: tuple[str, str] | None,
        lacking: tuple[str, str] | None = None,
        judge: Judge,
    ):
        self.claim, self.history, self.track, self.rows = claim, history, track, rows
        self.subject, self.other, self.problem = subject, other, problem
        self._lacking = lacking
        self._judge = judge
        self._known: dict[int, Holds] = {}
        self.endings: dict[int, str] = {}

    @property
    def leaves(self) -> list[Leaf]:
        """Itself."""
        return [self]

    def holds(self, moment: Moment) -> Holds:
        """Whether it holds, answered once for each version."""
        version = moment[self.track.name]
        if version not in self._known:
            self._known[version] = self._at(version, full=False).holds
        return self._known[version]

    def all_holds(self, moments: Iterable[Moment]) -> list[Holds]:
        """The same for many moments."""
        name = self.track.name
        versions = [moment[name] for moment in moments]
        for version in set(versions).difference(self._known):
            self.holds({name: version})
        return [self._known[version] for version in versions]

    def answer_alike(self, groups: Iterable[Sequence[int]]) -> None:
        """Answer for many versions at once.

        Args:
            groups: of versions that get one answer each, for what alike() knows.
        """
        for versions in groups:
            holds = self._at(versions[0], full=False).holds
            self._known.update(dict.fromkeys(versions, holds))

    def judge(self, moment: Moment, last_of_edition: bool = False) -> Answer:
        """The whole answer.

        Args:
            moment: which version held.
            last_of_edition: if it is of another edition than the claim means, the last
                version of that one answers, and its time is said.
        """
        version = moment[self.track.name]
        meant = self.meant(version) if last_of_edition else version
        answer = self._at(meant, full=True)
        if meant != version:
            at = wording.timestamp(self.track.at[meant])
            said = f"{answer.fact}, in the last version of edition {self.claim.edition}, of {at}"
            return replace(answer, fact=said)
        return answer

    def meant(self, version: int) -> int:
        """The last version of the edition that is meant, if this one is of another."""
        wanted, track = self.claim.edition, self.track
        if not wanted or version < 0 or track.states[version] in ("unknown", "absent"):
            return version
        return next((v for v in range(version, -1, -1) if track.editions[v] == wanted), version)

    def best_of(self, moments: Sequence[Moment]) -> int:
        """Which of some moments shows the subject in its best place; of equal ones the last.

        Moments without a place come after all others.
        """
        versions = np.array([moment[self.track.name] for moment in moments])
        places = np.full(len(versions), NONE)
        if not self.problem and self.subject is not None:
            known = self.rows.all_places(self.subject, self.claim.rank_kind)
            places = np.where(versions < 0, NONE, known[versions])
        order = np.where(places == NONE, np.iinfo(np.int64).max, places)
        return len(order) - 1 - int(np.argmin(order[::-1]))

    def tied_at(self, moment: Moment) -> bool | None:
        """Whether subject and other are tied; None where one of them is not ranked."""
        one, two = (self._row_at(moment, entry) for entry in (self.subject, self.other))
        if one is None or two is None or one.rank is None or two.rank is None:
            return None
        version = moment[self.track.name]
        if self.rows.rule(version) == "none":
            return False
        return bool(self.rows.tied(version, one, two).yes)

    def _row_at(self, moment: Moment, entry: str | None) -> Row | None:
        version = moment[self.track.name]
        if version < 0 or self.problem or entry is None:
            return None
        return self.rows.row(version, entry)

    def _at(self, version: int, full: bool) -> Answer:
        track, board = self.track, self.history.name
        last = (Ref(board, track.last, None),)
        if self.problem:
            return undecided(self.problem[0], self.problem[1], last)
        if version == AFTER:
            fact = f"{board} is known up to {wording.timestamp(track.horizon)}"
            return undecided("CENSORED", fact, last)
        if version == BEFORE:
            fact = f"{board} is known from {wording.timestamp(track.at[0])} on"
            return undecided("BEFORE_FIRST_SNAPSHOT", fact, (Ref(board, 0, None),))
        if is_between(version):
            after = seen_after(version)
            looks = (
                f"{wording.timestamp(track.looked[after])} and {wording.timestamp(track.at[after])}"
            )
            both = (Ref(board, after - 1, None), Ref(board, after, None))
            fact = f"nobody looked at {board} between {looks}"
            return undecided("CENSORED", fact, both, would=BETWEEN_LOOKS)
        refs = (Ref(board, version, None),)
        state = track.states[version]
        if state == "unknown":
            code = "UNREADABLE_VERSION" if track.readable else "NO_VERSION_READABLE"
            reason = track.reasons[version]
            return undecided(code, f"the file of {board} could not be read ({reason})", refs)
        if state == "absent":
            return undecided("BOARD_ABSENT", f"{board} had no file", refs)
        edition = self.claim.edition
        if edition and track.editions[version] != edition:
            found = track.editions[version] or "without a label"
            return undecided("OTHER_EDITION", f"{board} was at edition {found}", refs)
        if self._lacking:
            return undecided(self._lacking[0], self._lacking[1], refs)
        if self.rows.view(version).points and self.unreadable(version):
            # Everybody's points depend on who stands below.
            return self.unread(version)
        return self._judge(self, version, full)

    def unreadable(self, version: int) -> list[str]:
        """Entries whose own file could not be read."""
        return self.history.unreadable_entries.get(version, [])

    def doubtful(self, version: int, row: Row) -> list[str]:
        """Entries that may stand above another one, or may not take part at all."""
        return self.unreadable(version) + self.rows.unclassed(version, row)

    def unread(self, version: int, others: Answer | None = None, row: Row | None = None) -> Answer:
        """The answer where what is not known of other entries could change it.

        Args:
            others: what it comes to among those that are known, if that is wanted.
            row: whose place is meant, if it is one.
        """
        unread = self.unreadable(version)
        unclassed = [] if row is None or unread else self.rows.unclassed(version, row)
        refs = tuple(Ref(self.history.name, version, one) for one in unread or unclassed)
        n = len(refs)
        files = "the file of 1 entry" if n == 1 else f"the files of {n} entries"
        fact, code = f"{files} on {self.where} could not be read", "UNREADABLE_VERSION"
        if unclassed:
            shown = wording.listing([self.shown(one, version) for one in unclassed[:3]])
            fact = f"the file does not say of {n} better on {self.board} ({shown}) "
            fact += f"whether {self.claim.filter}"
            code = "MISSING_COMPONENT"
        if others is None:
            return undecided(code, fact, refs)
        fact += f"; among the others {others.fact}"
        return undecided(code, fact, refs + others.refs, answer=others.answer)

    def _outside(self, version: int, entry: str) -> Answer | None:
        """The answer where an entry is listed, but not surely one of those that are meant."""
        key = self.shown(entry, version)
        refs = (Ref(self.history.name, version, entry),)
        if not self.rows.among or not self.rows.is_listed(version, entry):
            return None
        if self.rows.meets(version, entry) is None:
            fact = f"{self.board} does not say of {key} whether {self.claim.filter}"
            return undecided("MISSING_COMPONENT", fact, refs)
        fact = f"{key} on {self.board} was not one of those with {self.claim.filter}"
        note = "not one of those that are meant"
        if self.claim.predicate not in RANK_PREDICATES:
            return undecided("NOT_LISTED", fact, refs, notes=(note,))
        return Answer("false", fact, None, "certain", {}, refs, notes=(note,))

    def without_number(
        self, version: int, entry: str, row: Row | None, refs: tuple[Ref, ...] = ()
    ) -> Answer:
        """The answer where an entry has no number: false for a place, else not decidable.

        Args:
            row: None where the entry is not listed.
        """
        if row is None and (outside := self._outside(version, entry)):
            return outside
        rows, shown = self.rows, self.shown(entry, version)
        code, note = "NOT_LISTED", "not listed"
        fact = f"{shown} was not listed on {self.where}"
        if row is not None:
            code = "INCOMPLETE_RUN" if row.unranked == "incomplete" else "MISSING_COMPONENT"
            note = f"unranked: {row.unranked}"
            what = "score" if row.ticks is None else "rank"
            fact = f"{shown} was listed on {self.where} without a {what} ({row.unranked})"
        refs = (Ref(self.history.name, version, entry), *refs)
        if row is not None and row.unranked == "unreadable":
            fact = f"the file of {shown} on {self.where} could not be read"
            return undecided("UNREADABLE_VERSION", fact, refs, listed=True)
        if self.claim.predicate not in RANK_PREDICATES:
            return undecided(code, fact, refs, notes=(note,), listed=row is not None)
        answer: dict[str, Any] = {}
        if self.claim.predicate != "ahead":
            leader = rows.leader(version)
            refs += () if leader is None else self.refs(version, leader.entry)
            answer = {
                "rank": None,
                "of": rows.n_ranked(version),
                "leader": None if leader is None else leader.entry,
                "gap": None,
                "tie_rank": None,
            }
        listed = row is not None
        return Answer("false", fact, None, "certain", answer, refs, notes=(note,), listed=listed)

    def refs(self, version: int, entry: str) -> tuple[Ref, ...]:
        """The cells that an entry's number comes from."""
        fields = self.rows.view(version).fields
        return tuple(Ref(self.history.name, version, entry, name) for name in fields)

    def shown(self, entry: str | None, version: int | None = None) -> str:
        """An entry as people read it, by the name that it had in a version; None: its newest."""
        return self.history.shown(entry, version) if entry else "it"

    @property
    def where(self) -> str:
        """Board, split and class, for people."""
        among = f" (only {self.claim.filter})" if self.claim.filter else ""
        return f"{self.board}{among}"

    @property
    def board(self) -> str:
        """Board and split, for people."""
        split = f", {self.claim.split}" if self.claim.split else ""
        return f"{self.history.name}{split}"
