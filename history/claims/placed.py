"""Who stood where in one version: rank, first, top_k, ahead and tie.

Each function answers for one claim about one board.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from history.claims import wording
from history.claims.answer import Answer, Ref, undecided
from history.claims.sheet import Row, band_width
from history.claims.values import Measured

if TYPE_CHECKING:
    from history.claims.states import Leaf


def rank(leaf: Leaf, version: int, full: bool) -> Answer:
    """A place: of rank, first and top_k. Without `full` only the word."""
    claim, sheet, board = leaf.claim, leaf.sheet, leaf.history.name
    assert leaf.subject is not None
    row, leader, of = (
        sheet.row(version, leaf.subject),
        sheet.leader(version),
        sheet.n_ranked(version),
    )
    refs = leaf.refs(version, leaf.subject)
    if leader is not None and leader.entry != leaf.subject:
        refs += leaf.refs(version, leader.entry)
    if row is None:
        return leaf.not_listed(version, leaf.subject, refs[len(sheet.fields) :])
    answer: dict[str, Any] = {
        "rank": row.rank,
        "of": of,
        "leader": None if leader is None else leader.entry,
        "gap": None,
        "tie_rank": row.tie_rank,
    }
    if row.rank is None or leader is None:
        fact = f"{leaf.shown(leaf.subject)} was listed on {leaf.where} without a rank ({row.unranked})"
        note = f"unranked: {row.unranked}"
        return Answer("false", fact, strength="certain", answer=answer, refs=refs, notes=(note,))
    place = row.place(claim.rank_kind)
    if place is None:
        fact = f"{board} prints no {claim.rank_kind} rank of {leaf.shown(leaf.subject)}"
        return undecided("MISSING_COMPONENT", fact, refs)
    answer["gap"] = float(abs(leader.value - row.value))
    holds = _holds(leaf, place) and (claim.of is None or claim.of == of)
    holds = holds and not (claim.sole and not _alone(leaf, version, row))
    word = "true" if holds else "false"
    aims_first = claim.predicate == "first" or (claim.n or claim.k) == 1
    if not holds and aims_first and claim.rank_kind == "score" and place > 1:
        word = "tied_not_first" if sheet.tied_for_first(version, row) else word
    if not full:
        return Answer(word, "", answer=answer)
    return _explained_rank(leaf, version, row, leader, word, answer, refs)


def _explained_rank(
    leaf: Leaf,
    version: int,
    row: Row,
    leader: Row,
    word: str,
    answer: dict[str, Any],
    refs: tuple[Ref, ...],
) -> Answer:
    """Strength, words and notes of a rank."""
    claim, sheet = leaf.claim, leaf.sheet
    notes: list[str] = []
    strength = "printed"
    if claim.rank_kind == "score":
        low, high = sheet.rank_range(version, row)
        answer |= {"rank_low": low, "rank_high": high}
        could = [_holds(leaf, place) for place in range(low, high + 1)]
        strength = "certain" if all(could) or not any(could) else "printed"
        if word != "true" and any(could):
            notes.append("only rounding of the printed scores could make it so")
    if claim.of is not None and claim.of != answer["of"]:
        notes.append(f"{answer['of']} were ranked, not {claim.of}")
    place = row.place(claim.rank_kind)
    shared = [leaf.shown(r.entry) for r in sheet.rows(version) if r.rank == row.rank and r.entry != row.entry]
    if shared:
        notes.append(f"shares its place with {', '.join(shared[:3])}")
    if word == "tied_not_first":
        notes.append(f"in the tie group of first place ({_tie_rule(leaf, version)})")
    fact = f"{leaf.shown(leaf.subject)} was {wording.ordinal(place)} of {answer['of']} on {leaf.where}"
    fact += f" ({wording.number(row.text, row.value)}"
    second = sheet.second(version, row.entry)
    if row.rank == 1 and second is not None and second.rank != 1:
        fact += f", {wording.decimal(abs(row.value - second.value))} ahead of {leaf.shown(second.entry)}"
    elif row.rank != 1:
        gap = wording.decimal(abs(leader.value - row.value))
        fact += (
            f"; {leaf.shown(leader.entry)} led with {wording.number(leader.text, leader.value)}, {gap} ahead"
        )
    return Answer(word, f"{fact})", None, strength, answer, refs, notes=tuple(notes))


def _holds(leaf: Leaf, place: int) -> bool:
    claim = leaf.claim
    if claim.predicate == "first":
        return place == 1
    if claim.predicate == "top_k":
        return place <= (claim.k or 0)
    return place <= (claim.n or 0) if claim.op == "<=" else place == claim.n


def _alone(leaf: Leaf, version: int, row: Row) -> bool:
    second = leaf.sheet.second(version, row.entry)
    return second is None or second.place(leaf.claim.rank_kind) != row.place(leaf.claim.rank_kind)


def ahead(leaf: Leaf, version: int, full: bool) -> Answer:
    """Strictly better than the other, whatever the tie band."""
    pair = _pair(leaf, version)
    if isinstance(pair, Answer):
        return pair
    one, two, refs = pair
    claim, sheet = leaf.claim, leaf.sheet
    if claim.rank_kind == "score":
        sign = -1 if sheet.lower_is_better else 1
        lead = sign * (one.value - two.value)
    else:
        places = one.place(claim.rank_kind), two.place(claim.rank_kind)
        if None in places:
            fact = f"{leaf.history.name} prints no {claim.rank_kind} rank of both"
            return undecided("MISSING_COMPONENT", fact, refs)
        lead = Fraction(places[1] - places[0])  # type: ignore[operator]
    word = "true" if lead > 0 else "false"
    if not full:
        return Answer(word, "")
    gap = sheet.measured(version, one) - sheet.measured(version, two)
    notes: list[str] = []
    if sheet.rule != "none" and sheet.tied(version, one, two).yes:
        notes.append(f"tied ({_tie_rule(leaf, version)})")
    certain = gap.low > 0 or gap.high < 0
    if word == "false" and not certain and claim.rank_kind == "score":
        notes.append("only rounding of the printed scores could make it so")
    size = wording.decimal(abs(gap.value))
    how = "level with" if gap.value == 0 else f"{size} ahead of" if lead > 0 else f"{size} behind"
    answer = _gap_answer(gap) | {"rank": one.rank, "rank_other": two.rank}
    fact = f"{leaf.shown(leaf.subject)} was {how} {leaf.shown(leaf.other)} on {leaf.where} ({_texts(one, two)})"
    strength = "certain" if certain else "printed"
    return Answer(word, fact, None, strength, answer, refs, notes=tuple(notes))


def tie(leaf: Leaf, version: int, full: bool) -> Answer:
    """Tied under the board's own rule; equal scores are tied under any."""
    pair = _pair(leaf, version)
    if isinstance(pair, Answer):
        return pair
    one, two, refs = pair
    tied = leaf.sheet.tied(version, one, two)
    answer = _gap_answer(tied.gap) | {
        "band": None if tied.band is None else float(band_width(tied.band)),
        "rule": tied.rule,
    }
    fact = f"{leaf.shown(leaf.subject)} and {leaf.shown(leaf.other)} were {wording.decimal(tied.gap.value)} apart on {leaf.where}"
    fact += f" ({_texts(one, two)}"
    fact += f", band {tied.band}, {tied.rule})" if tied.band else ")"
    if tied.yes is None:
        return undecided("NO_TIE_RULE", f"{fact}, and it has no tie rule", refs, answer=answer)
    if tied.yes:
        return Answer("true", fact, None, "printed" if tied.rounding else "certain", answer, refs)
    notes = []
    if tied.band and tied.gap.value <= band_width(tied.band) and tied.rule == "anchored":
        notes.append("within the band of each other, but tie groups hang on their best entry")
    word = "within_rounding" if tied.rounding else "false"
    strength = None if tied.rounding else "certain"
    return Answer(word, fact, None, strength, answer, refs, notes=tuple(notes))


def _pair(leaf: Leaf, version: int) -> tuple[Row, Row, tuple[Ref, ...]] | Answer:
    """The rows of subject and other, or the answer if one is not there."""
    assert leaf.subject is not None and leaf.other is not None
    refs = leaf.refs(version, leaf.subject) + leaf.refs(version, leaf.other)
    rows = [leaf.sheet.row(version, entry) for entry in (leaf.subject, leaf.other)]
    for entry, row in zip((leaf.subject, leaf.other), rows, strict=True):
        if row is None or row.rank is None:
            return leaf.not_listed(version, entry, refs, row)
    assert rows[0] is not None and rows[1] is not None
    return rows[0], rows[1], refs


def _tie_rule(leaf: Leaf, version: int) -> str:
    return f"{leaf.sheet.rule}, band {leaf.sheet.band(version)}"


def _gap_answer(gap: Measured) -> dict[str, Any]:
    return {"gap": float(gap.value), "gap_low": float(gap.low), "gap_high": float(gap.high)}


def _texts(one: Row, two: Row) -> str:
    return f"{wording.number(one.text, one.value)} and {wording.number(two.text, two.value)}"
