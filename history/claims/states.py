"""Does a claim hold in one version of its board?

A State answers for any moment, given which version of each board held then: truth() fast,
for going through a history; judge() with numbers, evidence and words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from history.claims import placed, valued, wording
from history.claims.answer import Answer, Ref, Truth, combine, undecided
from history.claims.claim import Claim
from history.claims.sheet import Row, Sheet
from history.claims.timeline import AFTER, BEFORE, Places, Track

if TYPE_CHECKING:
    from history.pipeline import BoardHistory


RANK_PREDICATES = ("rank", "first", "top_k", "ahead")


class State(Protocol):
    """A claim, or several together, that hold or not at any one moment."""

    @property
    def leaves(self) -> list[Leaf]:
        """The claims about single boards in it."""

    def truth(self, places: Places) -> tuple[Truth, str | None]:
        """Whether it holds, and the reason code if that is not known."""

    def judge(self, places: Places) -> Answer:
        """The whole answer."""


class Fixed:
    """A claim whose answer does not depend on time: about numbers of its own."""

    def __init__(self, answer: Answer):
        self._answer = answer

    @property
    def leaves(self) -> list[Leaf]:
        """None."""
        return []

    def truth(self, places: Places) -> tuple[Truth, str | None]:
        """The same at any time."""
        return self._answer.truth, self._answer.code

    def judge(self, places: Places) -> Answer:
        """The same at any time."""
        return self._answer


class Group:
    """Several claims at one and the same moment: all_of, any_of or not."""

    def __init__(self, claim: Claim, members: Sequence[State], labels: Sequence[str]):
        self._claim, self._members, self._labels = claim, members, labels

    @property
    def leaves(self) -> list[Leaf]:
        """Those of all members."""
        return [leaf for member in self._members for leaf in member.leaves]

    def truth(self, places: Places) -> tuple[Truth, str | None]:
        """Three-valued: what is not known of a member counts only if it could decide."""
        found = [member.truth(places) for member in self._members]
        kind = self._claim.predicate
        turned = {Truth.YES: Truth.NO, Truth.NO: Truth.YES}
        if kind == "not":
            return turned.get(found[0][0], found[0][0]), found[0][1]
        first = Truth.NO if kind == "all_of" else Truth.YES
        for wanted in (first, Truth.UNKNOWN, Truth.SILENT):
            for truth, code in found:
                if truth is wanted:
                    return truth, code
        return turned[first], None

    def judge(self, places: Places) -> Answer:
        """The answers of the members together."""
        answers = [member.judge(places) for member in self._members]
        ids = [member.id for member in self._claim.members]
        return combine(self._claim.predicate, answers, ids, self._labels)


class Leaf:
    """One claim about one board.

    Args:
        claim: rank, top_k, first, tie, ahead, score, delta, count or average_of.
        history: its board.
        track: the board's versions.
        problem: code and words if it cannot be decided at any time, as for an unknown entry.
    """

    def __init__(
        self,
        claim: Claim,
        history: BoardHistory,
        track: Track,
        subject: str | None,
        other: str | None,
        problem: tuple[str, str] | None,
    ):
        self.claim, self.history, self.track = claim, history, track
        self.subject, self.other, self.problem = subject, other, problem
        self._sheet: Sheet | None = None
        self._truths: dict[int, tuple[Truth, str | None]] = {}

    @property
    def sheet(self) -> Sheet:
        """The ranks of the board, read when first needed."""
        if self._sheet is None:
            self._sheet = Sheet(self.history, self.claim.split)
        return self._sheet

    @property
    def leaves(self) -> list[Leaf]:
        """Itself."""
        return [self]

    def truth(self, places: Places) -> tuple[Truth, str | None]:
        """Whether it holds, and the reason code if that is not known."""
        place = places[self.track.name]
        if place not in self._truths:
            answer = self._at(place, full=False)
            truth = answer.truth
            if answer.code == "BOARD_ABSENT" and self.claim.predicate in RANK_PREDICATES:
                # While there is no file nobody has a place, as in the list of reigns.
                truth = Truth.NO
            self._truths[place] = truth, answer.code
        return self._truths[place]

    def judge(self, places: Places) -> Answer:
        """The whole answer."""
        return self._at(self._settled(places[self.track.name]), full=True)

    def place_at(self, places: Places) -> int | None:
        """The subject's rank at a moment; None if it has none."""
        row = self._row_at(places, self.subject)
        return None if row is None else row.place(self.claim.rank_kind)

    def tied_at(self, places: Places) -> bool | None:
        """Whether subject and other are tied; None where one of them is not ranked."""
        one, two = (self._row_at(places, entry) for entry in (self.subject, self.other))
        if one is None or two is None or one.rank is None or two.rank is None:
            return None
        version = self.track.versions[places[self.track.name]]
        return self.sheet.rule != "none" and bool(self.sheet.tied(version, one, two).yes)

    def _row_at(self, places: Places, entry: str | None) -> Row | None:
        place = places[self.track.name]
        if place < 0 or self.problem or entry is None:
            return None
        return self.sheet.row(self.track.versions[place], entry)

    def _settled(self, place: int) -> int:
        """The last version of the edition that is meant, if one is."""
        wanted, editions = self.claim.edition, self.track.editions
        if not wanted or place < 0:
            return place
        return next((p for p in range(place, -1, -1) if editions[p] == wanted), place)

    def _at(self, place: int, full: bool) -> Answer:
        track, board = self.track, self.history.name
        version = track.versions[max(place, 0)]
        rows = (Ref(board, version, None),)
        if self.problem:
            last = (Ref(board, track.versions[-1], None),)
            return undecided(self.problem[0], self.problem[1], last)
        if place == AFTER:
            last = (Ref(board, track.versions[-1], None),)
            fact = f"{board} is known up to {wording.moment(track.horizon)}"
            return undecided("CENSORED", fact, last)
        if place == BEFORE:
            fact = f"{board} is known from {wording.moment(track.at[0])} on"
            return undecided("BEFORE_FIRST_SNAPSHOT", fact, rows)
        state = track.states[place]
        if state == "unknown":
            code = "UNREADABLE_VERSION" if track.readable else "NO_VERSION_READABLE"
            reason = str(self.history.readings["reason"].iloc[place])
            return undecided(code, f"the file of {board} could not be read ({reason})", rows)
        if state == "absent":
            return undecided("BOARD_ABSENT", f"{board} had no file", rows)
        edition = self.claim.edition
        if edition and track.editions[place] != edition:
            found = track.editions[place] or "without a label"
            return undecided("OTHER_EDITION", f"{board} was at edition {found}", rows)
        judges: dict[str, Callable[[Leaf, int, bool], Answer]] = {
            "rank": placed.rank,
            "first": placed.rank,
            "top_k": placed.rank,
            "ahead": placed.ahead,
            "tie": placed.tie,
            "score": valued.score,
            "delta": valued.delta,
            "count": valued.count,
            "average_of": valued.average,
        }
        return judges[self.claim.predicate](self, version, full)

    def not_listed(
        self, version: int, entry: str, refs: tuple[Ref, ...], row: Row | None = None
    ) -> Answer:
        """False for what needs a place, not decidable for what needs a number."""
        fact = f"{self.shown(entry)} was not listed on {self.where}"
        note = "not listed"
        if row is not None:
            fact = f"{self.shown(entry)} was listed on {self.where} without a score ({row.unranked})"
            note = f"unranked: {row.unranked}"
        refs = (Ref(self.history.name, version, entry), *refs)
        if self.claim.predicate in RANK_PREDICATES:
            answer: dict[str, Any] = {}
            if self.claim.predicate != "ahead":
                leader = self.sheet.leader(version)
                answer = {
                    "rank": None,
                    "of": self.sheet.n_ranked(version),
                    "leader": None if leader is None else leader.entry,
                    "gap": None,
                    "tie_rank": None,
                }
            return Answer(
                "false", fact, None, "certain", answer, refs, notes=(note,), listed=row is not None
            )
        return undecided("NOT_LISTED", fact, refs, notes=(note,), listed=row is not None)

    def refs(self, version: int, entry: str) -> tuple[Ref, ...]:
        """The cells that an entry's number comes from."""
        return tuple(Ref(self.history.name, version, entry, name) for name in self.sheet.fields)

    def shown(self, entry: str | None) -> str:
        """An entry as people read it."""
        return self.history.shown(entry) if entry else "it"

    @property
    def where(self) -> str:
        """Board and split, for people."""
        split = f", {self.claim.split}" if self.claim.split else ""
        return f"{self.history.name}{split}"
