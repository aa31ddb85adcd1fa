"""How did it end that a claim about a place held?

In: a stretch in which it held, and the claim's Leaf. Out: a clause such as ", lost to fern, which
joined". Start at ending().
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from history.claims import wording
from history.claims.language.claim import RANK_PREDICATES
from history.claims.leaf import Leaf
from history.claims.timeline import Held

if TYPE_CHECKING:
    from history.moves import Move
    from history.moves.move import Shares

NAMES = 3  # entries that a clause names
_PASSED = Fraction(1, 2)  # of a place: what a rival is worth that stands above now
_BY_EDITION = ("formula", "edition")
_BY_RIVALS = {
    "others": "re-scored",
    "joined": "joined",
    "eligibility": "ranked anew",
    "band": "by the tie band",
}


def ending(one: Held, leaf: Leaf) -> str:
    """Who passed the subject where a stretch ended, and why; empty where that is not told."""
    claim = leaf.claim
    if claim.predicate not in RANK_PREDICATES or one.after is None or leaf.subject is None:
        return ""
    version = one.after[leaf.track.name]
    # Between two looks nobody saw how, and of ranks that are only printed nobody knows.
    if version < 0 or claim.rank_kind == "published":
        return ""
    if version not in leaf.endings:  # it is said more than once
        leaf.endings[version] = _ending(one, leaf, version)
    return leaf.endings[version]


def _ending(one: Held, leaf: Leaf, version: int) -> str:
    if leaf.track.states[version] == "absent":
        return ", when the file was removed"
    if leaf.rows.among:
        return _in_class(leaf, version)
    by_reigns = leaf.claim.predicate == "first" and leaf.claim.rank_kind == "score"
    return (_lost_first(one, leaf) if by_reigns else "") or _moved(leaf, version)


def _in_class(leaf: Leaf, version: int) -> str:
    """How a place in a class was lost: moves are of all entries, so rows are compared."""
    rows, track, claim = leaf.rows, leaf.track, leaf.claim
    known = [one for one in range(version) if track.states[one] in ("known", "empty")]
    if not known or claim.rank_kind != "score":
        return ""
    earlier = {row.entry: row for row in rows.rows(known[-1])}
    later = {row.entry: row for row in rows.rows(version)}
    old, new = (side.get(leaf.subject or "") for side in (earlier, later))
    if new is None or new.rank is None:
        gone = not rows.is_listed(version, leaf.subject or "")
        return ", when it left" if gone else ", when it had no place in the class"
    if old is None or old.rank is None:
        return ""
    above = {row.entry for row in earlier.values() if row.rank and row.rank < old.rank}
    passing = [row for row in later.values() if row.rank and row.rank < new.rank]
    passing = [row for row in passing if row.entry not in above]
    if claim.predicate == "ahead":
        passing = [row for row in passing if row.entry == leaf.other]
    if not passing:
        return ""
    named = []
    for row in passing:
        before = earlier.get(row.entry)
        moved = before is not None and before.ticks is not None and before.value != row.value
        came = "into the class" if rows.is_listed(known[-1], row.entry) else "joined"
        cause = came if before is None else "re-scored" if moved else ""
        named.append((leaf.shown(row.entry, version), cause))
    parts = []
    if track.editions[version] and track.editions[version] != track.editions[known[-1]]:
        parts.append(_edition(leaf, (known[-1], version), formula=False))
    elif old.value != new.value:
        parts.append(_own(old.value, new.value, (old.text, new.text)))
    return _by(parts, named)


def _lost_first(one: Held, leaf: Leaf) -> str:
    """How first place was lost, as the reigns of the board say."""
    for reign in leaf.history.reigns(leaf.claim.split):
        if reign.until is None or reign.until.to_pydatetime() != one.until:
            continue
        if leaf.subject in reign.entries and reign.lost_to:
            then = reign.until_version
            how = {
                "joined": ", which joined",
                "re-scored": ", which was re-scored",
                "edition": " with a new edition",
                "holder left": f" when {leaf.shown(leaf.subject, then)} left",
                "holder re-scored": f" when {leaf.shown(leaf.subject, then)} was re-scored",
            }
            lost = [
                f"{leaf.shown(to.entry, then)}{how.get(to.why, '')}" for to in reign.lost_to[:NAMES]
            ]
            redefined = ", with a new definition" if reign.definition_changed else ""
            return f", lost to {wording.listing(lost)}{redefined}"
    return ""


def _moved(leaf: Leaf, version: int) -> str:
    """How a place was lost in a version, as the moves of the board say."""
    history, claim = leaf.history, leaf.claim
    assert leaf.subject is not None
    moves = history.moves(claim.split)
    before = max((one for one in moves.readable if one < version), default=None)
    if before is None or version not in moves.readable:
        return ""
    bandings = history.bandings(claim.split) if claim.rank_kind == "tie" else None
    found = moves.between(before, version, [leaf.subject], bandings)
    own = next((move for move in found.moves if move.entry == leaf.subject), None)
    if own is None:
        return ""
    if own.rank_after is None:
        return ", when it left" if own.status == "left" else ", when it lost its rank"
    if own.rank_before is None:
        return ""
    if claim.predicate == "ahead":
        return _passed(leaf, own, (before, version), leaf.other) or _level(
            leaf, version, leaf.other
        )
    if own.rank_after > own.rank_before:
        return _passed(leaf, own, (before, version))
    if own.rank_after < own.rank_before:
        return f", when it rose to {_place(own.rank_after)}"
    if claim.sole:
        second = leaf.rows.second(version, leaf.subject)
        return "" if second is None else _level(leaf, version, second.entry)
    return f", when {leaf.rows.n_ranked(version)} were ranked" if claim.of else ""


def _place(rank: int) -> str:
    return "first place" if rank == 1 else f"{wording.ordinal(rank)} place"


def _level(leaf: Leaf, version: int, other: str | None) -> str:
    """Where another one stands level now."""
    rows = [None if e is None else leaf.rows.row(version, e) for e in (leaf.subject, other)]
    if rows[0] is None or rows[1] is None or rows[0].rank is None or rows[0].rank != rows[1].rank:
        return ""
    return f", when {leaf.shown(other, version)} drew level"


def _passed(leaf: Leaf, own: Move, versions: tuple[int, int], only: str | None = None) -> str:
    """What cost places, and who stands above now; `only`: of one rival."""
    version = versions[1]
    passing: list[tuple[str, Shares]] = []
    for rival, shares in own.rivals:
        if only in (None, rival) and sum(shares.values(), Fraction(0)) >= _PASSED:
            passing.append((rival, shares))
    if not passing:
        return ""
    places = {row.entry: row.rank or 0 for row in leaf.rows.rows(version)}
    passing.sort(key=lambda one: (places.get(one[0], 0), one[0]))
    causes = {cause for _, shares in passing for cause, share in shares.items() if share > 0}
    parts = []
    if causes & set(_BY_EDITION):
        parts.append(_edition(leaf, versions, "formula" in causes))
    if "own" in causes:
        texts = own.text_before, own.text_after
        parts.append(_own(own.score_before, own.score_after, texts))
    if "left" in causes:
        parts.append("when others left")
    named = [(leaf.shown(rival, version), _cause(shares)) for rival, shares in passing]
    return _by(parts, named)


def _by(parts: Sequence[str], named: Sequence[tuple[str, str]]) -> str:
    """Why, and who stands above now, best first."""
    if not parts and len(named) == 1 and named[0][1] == "joined":
        return f", lost when {named[0][0]} joined"
    shown = [f"{name} ({why})" if why else name for name, why in named[:NAMES]]
    more = len(named) - len(shown)
    shown += [f"{more} more"] if more else []
    return f", {', '.join([*parts, f'passed by {wording.listing(shown)}'])}"


def _edition(leaf: Leaf, versions: tuple[int, int], formula: bool) -> str:
    """Which edition or formula came."""
    before, label = (leaf.track.editions[version] for version in versions)
    if not label or label == before:
        return "with another formula"
    return f"with edition {label}" + (", whose formula changed" if formula else "")


def _own(
    before: Fraction | None, after: Fraction | None, printed: tuple[str | None, str | None]
) -> str:
    """How the score of the subject itself changed."""
    if before is None or after is None or before == after:
        return "when it was re-scored itself"
    texts = wording.number(printed[0], before), wording.number(printed[1], after)
    how = "rose" if after > before else "fell"
    return f"when its own score {how} from {texts[0]} to {texts[1]}"


def _cause(shares: Shares) -> str:
    """What a rival itself did, if that is what counts."""
    worth = [(share, cause) for cause, share in shares.items() if cause in _BY_RIVALS and share > 0]
    return _BY_RIVALS[max(worth)[1]] if worth else ""
