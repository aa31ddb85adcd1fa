"""Can scores of two versions be compared?

In: a board's history and two versions. Out: a Comparable that says yes or no, and why. Start at
comparable(); refuse() is for those who compare scores: it objects unless they were asked to go
on, and then gives the words that must stand with the answer.

Scores of one edition can be compared. Of two they can only if both formulas are known and the
same, and the inputs were not measured anew. Inputs are taken as measured anew where, from the last
version of an edition to the first of the next, (nearly) every entry known in both has another
printed value of a part: no re-scoring of single entries does that. Then old values under the new
formula are not the new board, nor new values under the old formula the old one: a replay is
impossible, and said to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Protocol

from crawler.errors import TypedError
from history.editions.editions import Edition, Editions, changes
from history.frames import dp_of, ticks_of
from history.numbers import half_unit

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["same", "same_formula", "inputs_redrawn", "other_formula", "not_known"]

# So many entries must be known in both, and such a share of them must have moved.
ENOUGH = 3
NEARLY_ALL = Fraction(95, 100)


class AcrossEditions(TypedError):
    """Scores of two editions were to be compared, and nobody asked for that by name."""

    code = "DIFFERENT_BASELINES"


class History(Protocol):
    """What is asked of a board's history."""

    @property
    def name(self) -> str:
        """The board's name."""

    @property
    def editions(self) -> Editions:
        """Its editions."""

    def part_scores(self, versions: Sequence[int]) -> pd.DataFrame:
        """SCORES of some versions, with the parts."""


@dataclass(frozen=True)
class PartMoves:
    """How the printed values of one part moved where one edition followed another.

    Attributes:
        part: its name.
        common: entries that have a value in both neighbouring versions.
        moved: those of them whose value is another one.
        before, after: the two versions.
    """

    part: str
    common: int
    moved: int
    before: int
    after: int

    @property
    def redrawn(self) -> bool | None:
        """Whether it was measured anew; None where too few entries are known to say."""
        if self.common < ENOUGH:
            return None
        return self.moved >= NEARLY_ALL * self.common

    def words(self) -> str:
        """For people."""
        return f"{self.part} ({self.moved} of {self.common} common entries have another value)"


@dataclass(frozen=True)
class Comparable:
    """Whether scores of two versions can be compared, and why.

    Attributes:
        before, after: the editions; None where a version lists nothing or cannot be read.
        kind: same: one edition, or another only by its tie rule; same_formula: another name, the
            same formula and inputs; inputs_redrawn: parts were measured anew; other_formula; not_known: it
            does not follow from the files.
        changed: in words, what differs.
        parts: of each change of edition between them, how each part moved.
        replay: whether the later version can be computed under the earlier one's formula; None
            where nothing is to be replayed, or too few entries are known to say.
        code: why not, as in methods, section 3.5: UNKNOWN_FORMULA, MISSING_COMPONENT; None else.
        why: in words, why a replay is impossible; empty where it is not.
    """

    before: Edition | None
    after: Edition | None
    kind: Kind
    changed: tuple[str, ...]
    parts: tuple[PartMoves, ...]
    replay: bool | None
    code: str | None
    why: str

    @property
    def ok(self) -> bool:
        """Whether scores can be compared without more words."""
        return self.kind in ("same", "same_formula")

    @property
    def redrawn(self) -> tuple[str, ...]:
        """The parts that were measured anew."""
        return tuple(dict.fromkeys(one.part for one in self.parts if one.redrawn))

    @property
    def kept(self) -> tuple[str, ...]:
        """The parts of which at least some entries kept their value throughout."""
        judged = dict.fromkeys(one.part for one in self.parts)
        return tuple(
            part
            for part in judged
            if all(one.redrawn is False for one in self.parts if one.part == part)
        )

    def words(self) -> str:
        """One or two sentences for people."""
        if self.before is None or self.after is None:
            return "One of the two versions lists no entry or cannot be read."
        if self.kind == "same":
            return f"Both are of {self.after.name}."
        names = f"{self.before.name} and {self.after.name}"
        if self.kind == "same_formula":
            return f"{names} have the same formula, and no part was measured anew."
        what = "; ".join(self.changed)
        if self.redrawn:
            anew = ", ".join(one.words() for one in self.parts if one.redrawn)
            what += f"; measured anew: {anew}"
        if not self.redrawn and not self.why and (few := self._unjudged()):
            what += f"; too few common entries to say whether {few} stayed"
        end = f" {self.why}" if self.why else ""
        return f"{names} are different editions ({what}).{end}"

    def _unjudged(self) -> str:
        return ", ".join(dict.fromkeys(one.part for one in self.parts if one.redrawn is None))

    def label(self) -> str:
        """What must stand with an answer that compares their scores all the same."""
        if self.ok or self.before is None or self.after is None:
            return ""
        return f"across editions, {self.before.name} to {self.after.name}: not one scale"


def transitions(history: History, most: int = 50) -> dict[int, Comparable]:
    """By edition number, whether an edition can be compared with the one before.

    Args:
        history: the board.
        most: only so many of the newest: a label that is a date makes an edition of every commit.
    """
    pairs = list(pairwise(history.editions.runs))[-most:]
    ends = sorted({version for old, new in pairs for version in (old.last, new.first)})
    apart: dict[int, pd.DataFrame] | None = None
    if any(old.parts for old, _ in pairs):
        scores = history.part_scores(ends)
        apart = {version: scores[scores["version"] == version] for version in ends}
    return {new.number: _compare(history, old.last, new.first, apart) for old, new in pairs}


def comparable(history: History, before: int, after: int) -> Comparable:
    """Whether scores of two versions of a board can be compared.

    Args:
        history: the board.
        before, after: numbers of versions, in any order of time.
    """
    return _compare(history, before, after, None)


def _compare(
    history: History, before: int, after: int, apart: Mapping[int, pd.DataFrame] | None
) -> Comparable:
    """See comparable(); `apart` holds the SCORES of the versions where editions end and begin."""
    editions = history.editions
    old, new = editions.at(before), editions.at(after)
    if old is None or new is None:
        return Comparable(old, new, "not_known", (), (), None, None, "")
    if old.key == new.key:
        return Comparable(old, new, "same", (), (), None, None, "")
    found = tuple(changes(old, new))
    if _only_ties(old, new):
        return Comparable(old, new, "same", found, (), None, None, "")
    first, last = sorted((before, after))
    moves = _moves(history, editions.between(first, last), apart)
    known = old.made_of() is not None and new.made_of() is not None
    same = known and old.made_of() == new.made_of()
    redrawn = {one.part for one in moves if one.redrawn}
    used = _used(old) | _used(new)
    unjudged = {one.part for one in moves if one.redrawn is None}
    kind: Kind
    if redrawn & used or (redrawn and not known):
        kind = "inputs_redrawn"
    elif not known:
        kind = "not_known"
    elif not same:
        kind = "other_formula"
    elif unjudged & used:
        kind = "not_known"
    else:
        kind = "same_formula"
    if kind == "same_formula":
        return Comparable(old, new, kind, found, moves, None, None, "")
    code, why = _no_replay(old, new, redrawn, moves)
    open_still = bool(unjudged & _used(old)) and not why
    replay = None if open_still else not why
    return Comparable(old, new, kind, found, moves, replay, code, why)


def refuse(history: History, before: int, after: int, *, asked: bool = False) -> str:
    """Object to comparing scores of two editions, unless that was asked for.

    Args:
        history: the board.
        before, after: numbers of versions.
        asked: whether the user said so, as with --across-editions.

    Returns:
        What must stand with the answer; empty where scores can be compared.

    Raises:
        AcrossEditions: with what differs, and what to do.
    """
    found = comparable(history, before, after)
    if found.ok:
        return ""
    if not asked:
        fix = "Compare versions of one edition, or add --across-editions to do it all the same"
        raise AcrossEditions(history.name, found.words().rstrip("."), fix)
    return found.label() or "across editions: one of them is not known"


def part_moves(
    scores: pd.DataFrame, parts: Sequence[str], before: int, after: int
) -> list[PartMoves]:
    """How the printed values of parts moved from one version to another.

    A value that is printed with other decimals moved if rounding cannot explain it.

    Args:
        scores: SCORES of both versions, with the parts.
        parts: names of parts.
        before, after: numbers of versions.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"version": [0, 0, 1, 1], "entry": ["a", "b", "a", "b"],
    ...     "x.ticks": pd.array([501, 600, 5014, 6100], "Int64"), "x.dp": [1, 1, 2, 2]})
    >>> part_moves(scores, ["x"], 0, 1)
    [PartMoves(part='x', common=2, moved=1, before=0, after=1)]
    """
    found = []
    for part in parts:
        old, new = (_values(scores, version, part) for version in (before, after))
        common = old.keys() & new.keys()
        moved = sum(_moved(old[entry], new[entry]) for entry in common)
        found.append(PartMoves(part, len(common), moved, before, after))
    return found


def _values(scores: pd.DataFrame, version: int, part: str) -> Mapping[str, tuple[int, int]]:
    """Ticks and dp by entry."""
    rows = scores[(scores["version"] == version) & scores[ticks_of(part)].notna()]
    cells = (rows[name].tolist() for name in ("entry", ticks_of(part), dp_of(part)))
    return {str(entry): (int(tick), int(dp)) for entry, tick, dp in zip(*cells, strict=True)}


def _moved(old: tuple[int, int], new: tuple[int, int]) -> bool:
    if old[1] == new[1]:
        return old[0] != new[0]
    first, second = (Fraction(tick) / Fraction(10) ** dp for tick, dp in (old, new))
    return abs(first - second) > half_unit(old[1]) + half_unit(new[1])


def _moves(
    history: History,
    pairs: Sequence[tuple[Edition, Edition]],
    apart: Mapping[int, pd.DataFrame] | None,
) -> tuple[PartMoves, ...]:
    """Each part at each change of edition."""
    import pandas as pd

    found: list[PartMoves] = []
    for old, new in pairs:
        parts = [name for name in old.parts if name in new.parts]
        if parts and not _only_ties(old, new):
            ends = [old.last, new.first]
            if apart is None:
                scores = history.part_scores(ends)
            else:
                scores = pd.concat([apart[version] for version in ends])
            found += part_moves(scores, parts, *ends)
    return tuple(found)


def _only_ties(old: Edition, new: Edition) -> bool:
    """Whether nothing that a score depends on is another."""
    about_scores = (
        (one.label, one.block, one.constants, one.formula_text(), one.score, one.parts)
        for one in (old, new)
    )
    first, second = about_scores
    return first == second


def _used(edition: Edition) -> set[str]:
    """The parts that a score depends on; those that count nothing are left out."""
    if edition.formula is None:
        return set()
    weights = edition.weights
    parts = set(edition.formula.parts)
    return parts if weights is None else {part for part in parts if weights.get(part)}


def _no_replay(
    old: Edition, new: Edition, redrawn: set[str], moves: Sequence[PartMoves]
) -> tuple[str | None, str]:
    """Why the new version cannot be computed under the old formula: code and sentence."""
    if old.formula is None:
        return "UNKNOWN_FORMULA", f"A replay is impossible: the formula of {old.name} is not known."
    if None in old.numbers.values():
        return "UNKNOWN_FORMULA", f"A replay is impossible: {old.name} prints no weights."
    needed = _used(old)
    if lost := sorted(needed - set(new.parts)):
        return (
            "MISSING_COMPONENT",
            f"A replay under the formula of {old.name} is impossible: {new.name} has no {lost[0]}.",
        )
    if anew := sorted(needed & redrawn):
        listed = ", ".join(anew)
        stayed = [one.part for one in moves if one.redrawn is False and one.part in needed]
        rest = f", while {', '.join(dict.fromkeys(stayed))} stayed" if stayed else ""
        return (
            "MISSING_COMPONENT",
            f"A replay under the formula of {old.name} is impossible: {listed} was measured "
            f"anew{rest}.",
        )
    return None, ""
