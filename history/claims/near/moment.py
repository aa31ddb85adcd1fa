"""What near a false claim was true at the same moment?

In: a Leaf that is false, and the version that it was judged by. Out: Candidates: other splits and
boards, another kind of rank, the weaker place, the value that it was. Start at at_moment().
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from history.claims import wording
from history.claims.language.claim import RANK_PREDICATES, Claim, Operand
from history.claims.language.printed import Measured, number
from history.claims.leaf import Leaf
from history.claims.near.candidate import Candidate
from history.claims.near.classes import FEWEST, in_classes
from history.claims.near.one_version import OneVersion
from history.claims.row import Row
from history.claims.states import another

TOPS = (3, 5, 10)
_KINDS = ("score", "tie", "published")
_BY_SPLIT = (*RANK_PREDICATES, "tie", "score", "delta")


def at_moment(leaf: Leaf, one: OneVersion, time: datetime) -> Iterator[Candidate]:
    """Other statements about the same board at the same moment."""
    claim = leaf.claim
    if claim.predicate in _BY_SPLIT and len(leaf.history.split_names):
        yield from _splits(leaf, one, time)
    if claim.predicate in RANK_PREDICATES:
        yield from in_classes(leaf, one, time)
        yield from _kinds(leaf, one.version, time)
    if claim.sole:
        yield from _kept(_candidate("shared", leaf, replace(claim, sole=False), time))
    if claim.predicate in (*RANK_PREDICATES, "tie"):
        yield from _places(leaf, one.version, time)
    else:
        yield from _value(leaf, one.version, time)


def _kept(found: Candidate | None) -> Iterator[Candidate]:
    if found is not None:
        yield found


def _candidate(
    kind: str, leaf: Leaf, claim: Claim, time: datetime, changed: int = 1
) -> Candidate | None:
    """Another claim about the same ranks, if it is true."""
    return Candidate.at(kind, another(leaf, claim), time, changed)


def _splits(leaf: Leaf, one: OneVersion, time: datetime) -> Iterator[Candidate]:
    """The same on the other splits of the board, and by its own score."""
    if leaf.claim.filter:  # the class would have to be found anew
        return
    for split in (None, *leaf.history.split_names):
        if split == leaf.claim.split or not leaf.history.view(one.version, split).fields:
            continue
        claim = replace(leaf.claim, split=split)
        found = Candidate.at("split", one.leaf(leaf, claim), time)
        # First of two says little of a split that hardly any entry has.
        if found and (not found.size or found.size >= FEWEST):
            yield found


def _kinds(leaf: Leaf, version: int, time: datetime) -> Iterator[Candidate]:
    """The same by the tie rule, by score, or as the file itself says."""
    for kind in _KINDS:
        same = kind == "tie" and leaf.rows.rule(version) == "none"
        if kind != leaf.claim.rank_kind and not same:
            claim = replace(leaf.claim, rank_kind=kind)
            yield from _kept(_candidate("rank kind", leaf, claim, time))


def _places(leaf: Leaf, version: int, time: datetime) -> Iterator[Candidate]:
    """The place that the subject has, and whom it is ahead of or tied with."""
    own = None if leaf.subject is None else leaf.rows.row(version, leaf.subject)
    if own is None or (place := own.place(leaf.claim.rank_kind)) is None:
        return
    of = leaf.rows.n_ranked(version)
    bare = replace(leaf.claim, op="=", n=None, of=None, k=None, sole=False, other=None)
    claim = replace(bare, predicate="rank", n=place, of=of)
    if leaf.claim.predicate not in ("ahead", "tie"):
        found = _candidate("place", leaf, claim, time)
        top = next((k for k in TOPS if 1 < place < k < of), None)
        if found and top and not leaf.claim.edition:
            found = replace(found, statement=f"{found.statement}, in the top {top}")
        yield from _kept(found)
    yield from _rivals(leaf, version, own, bare, time)


def _rivals(leaf: Leaf, version: int, own: Row, bare: Claim, time: datetime) -> Iterator[Candidate]:
    """Whom the subject is ahead of, or of `tie` who is tied with it, and who of the two is ahead."""
    if leaf.claim.predicate != "tie":
        yield from _kept(_pair(leaf, "ahead", _next_below(leaf, version, own), bare, time))
        return
    for rival in leaf.rows.neighbours(version, own.entry):
        yield from _kept(_pair(leaf, "tie", rival, bare, time))
    other = leaf.rows.row(version, leaf.other or "")
    if other is not None and other.rank is not None:
        yield from _kept(_pair(leaf, "ahead", other, bare, time))
        yield from _kept(_pair(leaf, "ahead", own, bare, time, ahead=other))


def _pair(
    leaf: Leaf,
    predicate: str,
    rival: Row | None,
    bare: Claim,
    time: datetime,
    ahead: Row | None = None,
) -> Candidate | None:
    """Two entries, the second of them `rival`; the first is the subject or `ahead`."""
    if rival is None:
        return None
    first = leaf.subject if ahead is None else ahead.entry
    names = [leaf.history.shown(entry) for entry in (first or "", rival.entry)]
    claim = replace(bare, predicate=predicate, subject=names[0], other=names[1])
    judged = another(leaf, claim, pair=(first or "", rival.entry))
    found = Candidate.at("rival", judged, time, changed=2)
    return None if found is None else replace(found, place=rival.rank or 0)


def _next_below(leaf: Leaf, version: int, own: Row) -> Row | None:
    """The best of those that the subject is ahead of."""
    place = own.place(leaf.claim.rank_kind)
    return None if place is None else leaf.rows.below(version, place, leaf.claim.rank_kind)


def _value(leaf: Leaf, version: int, time: datetime) -> Iterator[Candidate]:
    """The number that was measured, with its digits."""
    claim = replace(leaf.claim, op="=", approx=False)
    answer = leaf.judge({leaf.track.name: leaf.track.version_at(time)}, last_of_edition=True).answer
    if claim.predicate == "count":
        claim = replace(claim, n=answer.get("measured"), of=None)
    elif claim.predicate == "would_rank":
        claim = replace(claim, rank=answer.get("rank"), of=None)
    elif (text := _text(leaf, version)) is not None:
        claim = replace(claim, value=text)
    else:
        return
    yield from _kept(_candidate("value", leaf, claim, time))


def _text(leaf: Leaf, version: int) -> str | None:
    """A measured number as it would be printed; None where there is none."""
    rows, claim = leaf.rows, leaf.claim
    one = _measured(leaf, version, claim.subject, leaf.subject)
    if claim.predicate == "average_of":
        parts = rows.parts(version, leaf.subject or "", claim.columns)
        if len(parts) < len(claim.columns):
            return None
        total = sum((parts[name] for name in claim.columns), start=Measured.exact(0))
        return wording.decimal((total / len(claim.columns)).value)
    if one is None:
        return None
    if claim.predicate == "score":
        row = rows.row(version, leaf.subject or "")
        return _plain(row.text if row else None, one)
    two = _measured(leaf, version, claim.other, leaf.other)
    return None if two is None else wording.signed((one - two).value)


def _measured(
    leaf: Leaf, version: int, said: str | Operand | None, entry: str | None
) -> Measured | None:
    """A number of the board, or of the claim's own."""
    if isinstance(said, Operand):
        return Measured.printed(said.value) if said.value else None
    row = None if entry is None else leaf.rows.row(version, entry)
    return None if row is None or row.ticks is None else leaf.rows.measured(version, row)


def _plain(text: str | None, measured: Measured) -> str:
    """A number as printed if a claim could say it so, else as decimals."""
    try:
        number(text or "")
    except ValueError:
        return wording.decimal(measured.value)
    return text or ""
