"""Where does a false claim break: what near it is true?

In: a State, the time that it was judged at, and the Finding. Out: the Finding with at most five Near,
the most informative first. Start at Nearby.added().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest

from crawler.errors import TypedError
from history.claims.answer import NO_WORDS
from history.claims.desk import Desk
from history.claims.finding import Finding, Near
from history.claims.language.claim import RANK_PREDICATES, When
from history.claims.leaf import Leaf
from history.claims.near.candidate import MOST, Candidate, choose
from history.claims.near.moment import at_moment
from history.claims.near.one_version import OneVersion
from history.claims.near.times import at_other_times
from history.claims.states import State

_BROKEN = (*NO_WORDS, "true_then_false")
_OF_PLACES = (*RANK_PREDICATES, "tie")
_KNOWN = ("known", "empty")


class Nearby:
    """Searches the boards of a desk for true statements near false claims.

    Args:
        desk: that has judged the claims.
        others: names of other boards on which the same could be true.
    """

    def __init__(self, desk: Desk, others: Sequence[str] = ()):
        self._desk, self._others = desk, tuple(others)
        self._versions: dict[tuple[str, int], OneVersion] = {}

    def added(self, finding: Finding, state: State, time: datetime) -> Finding:
        """The finding with what is true instead, if anything is needed."""
        if finding.word in _BROKEN:
            found = [one for leaf in state.leaves for one in self.candidates(leaf, time)]
        elif finding.word == "not_decidable":
            leaves = [leaf for leaf in state.leaves if leaf.claim.predicate in RANK_PREDICATES]
            leaves = [leaf for leaf in leaves if not leaf.problem]
            found = [one for leaf in leaves for one in at_other_times(leaf, time)]
        else:
            return finding
        return replace(finding, nearest=choose(found))

    def at_end(self, finding: Finding, state: State, when: When) -> Finding:
        """The same of a stretch of time, of which its end counts."""
        horizons = [leaf.track.horizon for leaf in state.leaves]
        _, end = when.ends
        time = min([*horizons, *([] if end is None else [end])])
        return self.added(finding, state, time)

    def of_members(self, finding: Finding, members: Sequence[Finding]) -> Finding:
        """A compound whose members have times of their own, with what is near each of them."""
        if finding.word not in _BROKEN:
            return finding
        turns = zip_longest(*(member.nearest for member in members))
        found = [one for turn in turns for one in turn if one is not None]
        return replace(finding, nearest=tuple(dict.fromkeys(found))[:MOST])

    def search(self, leaf: Leaf, time: datetime) -> tuple[Near, ...]:
        """What is true near one claim about one board that is not true at a time."""
        return choose(self.candidates(leaf, time))

    def candidates(self, leaf: Leaf, time: datetime) -> Iterator[Candidate]:
        """All that is found, in no order."""
        if leaf.problem:
            return
        track = leaf.track
        version = track.version_at(time)
        answer = leaf.judge({track.name: version}, last_of_edition=True)
        if answer.word == "true":  # a part of the claim
            if found := Candidate.at("board", leaf, time, changed=0):
                yield found
            return
        meant = leaf.meant(version)
        if answer.word in NO_WORDS and meant >= 0 and track.states[meant] in _KNOWN:
            yield from at_moment(leaf, self._version(leaf, meant), time)
            yield from self._on_others(leaf, time)
            yield from self._edition(leaf, version, time)
        yield from at_other_times(leaf, time if meant == version else track.at[meant])

    def _version(self, leaf: Leaf, version: int) -> OneVersion:
        key = leaf.track.name, version
        if key not in self._versions:
            self._versions[key] = OneVersion(leaf.history, version)
        return self._versions[key]

    def _edition(self, leaf: Leaf, version: int, time: datetime) -> Iterator[Candidate]:
        """The same in the edition that held at the time, if another one is meant."""
        edition = leaf.track.editions[version] if leaf.claim.edition else ""
        if edition and edition != leaf.claim.edition:
            other = self._desk.leaf(replace(leaf.claim, edition=edition))
            if found := Candidate.at("edition", other, time):
                yield replace(found, statement=f"{found.statement}, in edition {edition}")

    def _on_others(self, leaf: Leaf, time: datetime) -> Iterator[Candidate]:
        """The same on other boards that list the entries."""
        if leaf.claim.predicate not in _OF_PLACES or leaf.claim.filter or leaf.claim.edition:
            return
        for name in self._others:
            try:
                history = self._desk.history(name)
                track = self._desk.track(name)
            except TypedError:  # one that is damaged or gone is none that can be named
                continue
            if history.name == leaf.track.name:
                continue
            split = leaf.claim.split if leaf.claim.split in history.split_names else None
            claim = replace(leaf.claim, boards=(history.name,), split=split)
            # Boards are not looked at all at once: the last look at each is its newest state.
            then = min(time, track.horizon) if time == leaf.track.horizon else time
            version = track.version_at(then)
            other = self._desk.leaf(claim)
            if other.problem or version < 0:
                continue
            judged = self._version(other, version).leaf(other, other.claim)
            if found := Candidate.at("board", judged, then):
                yield found
