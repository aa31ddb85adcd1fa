"""Who moved between two versions, and exactly why?

In: RANKS of a whole history, and how each version's score is made. Out: Moves of one pair of
versions, and SHARES of all. Start at MoveHistory.between().

Between two versions with others in between, the causes of each commit are added up; their sum is
the change of the ends, as every commit's causes add up to its own. An entry that was not ranked all
the way is held from end to end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, text_of, ticks_of
from history.moves import causes, sides
from history.moves.causes import ALL, CAUSES
from history.moves.move import Move, Moves, Rivals, Shares, Status, Step
from history.moves.sides import Listing, Listings, Mixed, Sides
from history.moves.tally import Tally, Told
from history.moves.tie_causes import Banding, tie_causes, tie_ranks
from history.numbers import half_unit
from history.scores.parts import no_collecting
from history.ticks import numbers_of

if TYPE_CHECKING:
    from history.moves.making import Applied, Making


class MoveHistory:
    """The versions of a board that can be read, ready to be compared.

    Attributes:
        readable: their numbers.
        makings: how the score of each is made.
        names: the entries, by number.

    Args:
        ranks: RANKS of one split, all versions.
        readable: numbers of the versions that are known, rising; empty and absent ones too.
        makings: by version.
        apply: the formula of the second version on the data of the first.
    """

    def __init__(
        self,
        ranks: pd.DataFrame,
        readable: Sequence[int],
        makings: Mapping[int, Making],
        apply: Callable[[int, int], Applied],
    ):
        self._ranks, self.makings, self._apply = ranks, makings, apply
        self.readable = list(readable)
        self.names = sides.names_of(ranks)
        self._number = {name: number for number, name in enumerate(self.names)}
        directions = {version: made.direction for version, made in makings.items()}
        self._listings = Listings(ranks, directions)

    def listing(self, version: int) -> Listing:
        """One version as arrays; without rows where it was empty or absent."""
        return self._listings.of(version)

    def differ(self, one: int, other: int) -> bool:
        """Whether two versions say anything else of who is listed, with which score and rank."""
        compared = sides.sides_of(self.listing(one), self.listing(other), other_edition=True)
        arrays = (compared.listed, compared.scored, compared.eligible, compared.ranks)
        return any((old != new).any() for old, new in (*arrays, compared.scores[:, 0]))

    def last_other(self, version: int) -> int | None:
        """The last readable version before one that differs from it; None if there is none."""
        earlier = [one for one in self.readable if one < version]
        return next((one for one in reversed(earlier) if self.differ(one, version)), None)

    def sides(self, before: int, after: int) -> Sides:
        """Two versions side by side, with what each formula makes of the other's data."""
        old, new = self.makings[before], self.makings[after]
        other = new.is_other(old)
        mixed = self._mixed(before, after) if other else None
        if mixed is not None and old._replace(edition=None) == new._replace(edition=None):
            other, mixed = False, None  # another label, and one formula that explains both
        return sides.sides_of(
            self.listing(before), self.listing(after), other_edition=other, mixed=mixed
        )

    def _mixed(self, before: int, after: int) -> Mixed | None:
        """Each formula on the data of the other version; None if that cannot be computed."""
        found: dict[tuple[int, int], dict[int, Fraction]] = {}
        for corner, data, formula in (((0, 1), before, after), ((1, 0), after, before)):
            applied = self._apply(data, formula)
            if applied.scores is None or not applied.proven:
                return None
            listing = self.listing(data)
            scores = {self._number[entry]: score for entry, score in applied.scores.items()}
            if not set(listing.entries[listing.scored].tolist()) <= scores.keys():
                return None
            found[corner] = scores
        return found

    def between(
        self,
        before: int,
        after: int,
        only: Sequence[str] = (),
        bandings: Mapping[int, Banding] | None = None,
    ) -> Moves:
        """Who moved between two versions, and why.

        Args:
            before, after: numbers of readable versions.
            only: entries to look at; none: all.
            bandings: how each version tells who is tied, to follow tie ranks; None: ranks.
        """
        steps = self._steps(before, after)
        wanted = {self._number[name] for name in only if name in self._number}
        ends = self.sides(before, after)
        ranked = set(ends.entries[ends.ranked_in_both].tolist())
        ranked = ranked & wanted if wanted else ranked
        throughout = ranked.intersection(*(self._ranked(version) for version in steps))
        by_ends = ranked - throughout
        tally = Tally(self.names)
        for pair in pairwise(steps):
            self._add(tally, pair, self.sides(*pair), throughout, bandings)
        if by_ends:
            self._add(tally, (before, after), ends, by_ends, bandings)
        places = [
            place
            for place, entry in enumerate(ends.entries.tolist())
            if not wanted or entry in wanted
        ]
        shown = ends.entries[places].tolist()
        told = dict(zip(places, tally.told(shown), strict=True))
        moves = self._moves(ends, before, after, bandings, told, by_ends)
        equated = None if bandings is not None else self._equated(ends)
        return Moves(before, after, tuple(steps), moves, ends.rescaled, equated)

    def places(
        self, before: int, after: int, bandings: Mapping[int, Banding] | None = None
    ) -> Moves:
        """Who stood where at both ends. No causes are told: over many steps they take long.

        Args:
            before, after: numbers of readable versions.
            bandings: as of between().
        """
        ends = self.sides(before, after)
        nothing = self._nothing()
        told = dict.fromkeys(range(len(ends.entries)), nothing)
        moves = self._moves(ends, before, after, bandings, told, set())
        steps = tuple(self._steps(before, after))
        return Moves(before, after, steps, moves, ends.rescaled, None)

    def step(self, before: int, after: int) -> Step:
        """What happened from one readable version to another."""
        ends = self.sides(before, after)

        def named(rows: NDArray[np.bool_]) -> tuple[str, ...]:
            return tuple(self.names[entry] for entry in ends.entries[rows].tolist())

        re_scored = None
        if ends.scale == "same":
            other = (
                ends.in_both & ends.scored.all(axis=0) & (ends.scores[0, 0] != ends.scores[1, 1])
            )
            re_scored = named(other)
            if not self._one_precision or ends.rescaled:
                entries = ends.entries[other].tolist()
                old, new = (self._printed(version, entries) for version in (before, after))
                re_scored = tuple(
                    name for name in re_scored if not _same(old[name], new[name], ends.rescaled)
                )

        ranked = ends.ranks > 0
        return Step(
            before,
            after,
            joined=named(ends.listed[1] & ~ends.listed[0]),
            left=named(ends.listed[0] & ~ends.listed[1]),
            re_scored=re_scored,
            unranked=named(ends.in_both & (ranked[0] != ranked[1])),
            moved=int((ends.ranked_in_both & (ends.ranks[0] != ends.ranks[1])).sum()),
        )

    @cached_property
    def _one_precision(self) -> bool:
        """Whether all scores have the same decimals, so that other ticks are another score."""
        return self._ranks[dp_of(SCORE)].nunique() == 1

    def _steps(self, before: int, after: int) -> list[int]:
        return [one for one in self.readable if before <= one <= after]

    def _nothing(self) -> Told:
        none = np.zeros(0, dtype=np.int64)
        return Told(None, None, True, False, Rivals(self.names, none, none, none))

    def _moves(
        self,
        ends: Sides,
        before: int,
        after: int,
        bandings: Mapping[int, Banding] | None,
        told: Mapping[int, Told],
        by_ends: set[int],
    ) -> tuple[Move, ...]:
        """The entries of `told`, by place in `ends`, in the order of Moves."""
        ranks = ends.ranks
        if bandings is not None:
            ranks = tie_ranks(ends, (bandings[before], bandings[after]))
        printed = self._printed(before), self._printed(after)
        moves = [
            self._move(
                place, ends, ranks[:, place], printed, one, int(ends.entries[place]) in by_ends
            )
            for place, one in told.items()
        ]
        moves.sort(key=lambda move: (move.rank_after is None, move.rank_after or 0, move.entry))
        return tuple(moves)

    def _add(
        self,
        tally: Tally,
        pair: tuple[int, int],
        compared: Sides,
        entries: set[int],
        bandings: Mapping[int, Banding] | None,
    ) -> None:
        """Add what one step was worth to some entries."""
        targets = np.flatnonzero(np.isin(compared.entries, list(entries)))
        if bandings is None:
            tally.add(causes.causes_of(compared, targets), entries)
            return
        apart = compared.scale == "apart"
        fitted = apart and bool((compared.listed[0] != compared.listed[1]).any())
        tally.mark(entries, separable=not apart, fitted=fitted)
        before, after = pair
        for place, shares in tie_causes(compared, (bandings[before], bandings[after]), targets):
            tally.add_whole(int(compared.entries[place]), shares)

    def shares(self) -> pd.DataFrame:
        """SHARES: what each rival was worth to each entry, from each readable version to the next."""
        columns: list[list[NDArray[np.integer]]] = [[] for _ in range(5)]
        with no_collecting():
            for before, after in pairwise(self.readable):
                found = causes.causes_of(self.sides(before, after))
                entries = found.sides.entries
                values = (
                    np.full(len(found.share), after),
                    entries[found.targets[found.target]],
                    entries[found.rival],
                    found.cause,
                    found.share,
                )
                for column, more in zip(columns, values, strict=True):
                    column.append(more)
        version, entry, rival, cause, share = (
            np.concatenate([np.zeros(0, dtype=np.int64), *column]) for column in columns
        )
        names = pd.Index(self.names, dtype=object)
        frame = pd.DataFrame(
            {
                "version": version.astype(np.int32),
                "entry": pd.Categorical.from_codes(entry, names),
                "rival": pd.Categorical.from_codes(rival, names),
                "cause": pd.Categorical.from_codes(cause, pd.Index(ALL, dtype=object)),
                "share": share.astype(np.int32),
            }
        )
        frame.attrs |= {"unit": "1/24 place", "rank": "competition", "positive": "worse"}
        return frame

    def _ranked(self, version: int) -> set[int]:
        listing = self.listing(version)
        return set(listing.entries[listing.ranks > 0].tolist())

    def _printed(self, version: int, only: Collection[int] | None = None) -> dict[str, _Printed]:
        """The scores of one version, by entry; of all, or some by number."""
        rows = np.flatnonzero(self._ranks["version"].to_numpy() == version)
        columns = [ticks_of(SCORE), dp_of(SCORE), text_of(SCORE), "entry"]
        table = self._ranks[columns].iloc[rows]
        if only is not None:
            table = table[table["entry"].isin([self.names[entry] for entry in only])]
        cells = (table[name].tolist() for name in ("entry", text_of(SCORE), dp_of(SCORE)))
        return {
            entry: _Printed(None if pd.isna(text) else str(text), number, int(dp))
            for entry, text, dp, number in zip(*cells, numbers_of(table, SCORE), strict=True)
        }

    def _move(
        self,
        place: int,
        ends: Sides,
        ranks: NDArray[np.int64],
        printed: tuple[dict[str, _Printed], dict[str, _Printed]],
        told: Told,
        by_ends: bool,
    ) -> Move:
        entry = int(ends.entries[place])
        name = self.names[entry]
        old, new = (int(rank) or None for rank in ranks)
        before, after = (side.get(name, _NOTHING) for side in printed)
        status = _status(ends, place, old, new)
        would = None
        by_score = bool((ranks == ends.ranks[:, place]).all())
        if status in ("joined", "left") and ends.scale != "apart" and by_score:
            would = _would_be(ends, place, joined=status == "joined")
        return Move(
            entry=name,
            status=status,
            rank_before=old,
            rank_after=new,
            text_before=before.text,
            text_after=after.text,
            score_before=before.number,
            score_after=after.number,
            same_score=None if ends.scale != "same" else _same(before, after, ends.rescaled),
            causes=told.causes if old and new else None,
            edition=told.edition if old and new else None,
            separable=told.separable,
            fitted=told.fitted,
            rivals=told.rivals,
            would_have_been=would,
            by_ends=by_ends,
        )

    def _equated(self, ends: Sides) -> tuple[Fraction, Mapping[str, Shares]] | None:
        """The causes after the median shift is taken off the scores of the later edition."""
        if ends.scale != "apart" or ends.shift is None:
            return None
        scores = ends.scores.astype(object) * ends.shift.denominator
        scores[0] = scores[0] + ends.shift.numerator
        found = causes.causes_of(replace(ends, scores=scores, scale="same"))
        total = found.total()
        shares = {
            self.names[int(found.sides.entries[target])]: {
                cause: causes.places(int(share))
                for cause, share in zip(ALL, total[:, column], strict=True)
                if cause in CAUSES
            }
            for column, target in enumerate(found.targets)
        }
        return ends.shift / Fraction(10) ** ends.dp, shares


class _Printed(NamedTuple):
    """A score as printed, as a number, and the decimals of its column."""

    text: str | None
    number: Fraction | None
    dp: int


_NOTHING = _Printed(None, None, 0)


def _status(ends: Sides, place: int, old: int | None, new: int | None) -> Status:
    if old and new:
        return "same" if old == new else "moved"
    if new and not ends.listed[0, place]:
        return "joined"
    if old and not ends.listed[1, place]:
        return "left"
    return "unranked"


def _would_be(ends: Sides, place: int, *, joined: bool) -> int:
    """The rank that an entry's score would have among those of the other version."""
    data, other = (1, 0) if joined else (0, 1)
    score = ends.scores[data, other, place]
    takes_part = ends.scored[other] & ends.eligible[other] & ends.listed[other]
    return 1 + int((ends.scores[other, other][takes_part] > score).sum())


def _same(old: _Printed, new: _Printed, power: int) -> bool | None:
    """Whether two printed numbers are one number, printed with more or fewer decimals."""
    if old.number is None or new.number is None:
        return None
    scale = Fraction(10) ** power
    units = [scale * half_unit(old.dp), half_unit(new.dp)]
    return abs(scale * old.number - new.number) <= max(units) - min(units)
